//! Actions on the demo's enrollments by students and the office, through the enrollments room.

use jiff::civil::Date;

use super::names::StudentIndex;
use super::plan::Code;
use super::scene::{RequestIndex, Scene};
use super::{schedule, site};
use crate::audit::By;
use crate::base::error::Result;
use crate::enrollments::decisions::decline::DeclineCode;
use crate::enrollments::decisions::{Approve, Complete, Decline, Midterm, Refund, Reschedule, Withdraw};
use crate::enrollments::events::Event;
use crate::enrollments::requests::rules::NewEnrollment;
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::store;
use crate::enrollments::verb::Verb;

impl Scene<'_> {
    /// A student asks for a course, in a section if it has a label.
    pub fn ask(
        &mut self,
        request: RequestIndex,
        who: StudentIndex,
        code: Code,
        label: Option<&str>,
        start_date: Date,
        end_date: Date,
    ) -> Result<()> {
        let mut course = self.course(code)?;
        let section = match label {
            Some(label) => schedule::find(self.connection, course.id, label, start_date)?,
            None => None,
        };
        course.price = section.as_ref().and_then(|section| section.price).or(course.price);
        let section_id = section.map(|section| section.id);
        let new = NewEnrollment { course_id: course.id, section_id, start_date, end_date };
        let student = self.student(who)?;
        let id = store::request(self.connection, student, &new, &course, self.now)?.id;
        self.requests.insert(request, id);
        site::accept(self.app, self.connection, student, Some(id), self.now)
    }

    /// The office approves a request.
    pub fn approve(&self, request: RequestIndex) -> Result<()> {
        let id = self.request(request)?;
        self.context().approve(self.connection, id, &Approve::default(), None).map(drop)
    }

    /// The office puts a request on the waiting list.
    pub fn waitlist(&self, request: RequestIndex) -> Result<()> {
        self.context().waitlist(self.connection, self.request(request)?, None, None).map(drop)
    }

    /// The office declines a request.
    pub fn decline(&self, request: RequestIndex, code: DeclineCode, words: &str) -> Result<()> {
        let reason = Decline { words: words.to_owned(), code, expected: None };
        self.context().decline(self.connection, self.request(request)?, &reason, None).map(drop)
    }

    /// A student withdraws a request that is not approved.
    pub fn take_back(&self, request: RequestIndex) -> Result<()> {
        let from = EnrollmentStatus::Pending;
        let to = EnrollmentStatus::Withdrawn;
        let event = Event::new(self.request(request)?, By::Student, Verb::Withdraw, Some(from), to);
        store::close(self.connection, event, self.today(), self.now)
    }

    /// A student asks to leave a course.
    pub fn ask_to_leave(&self, request: RequestIndex, reason: &str) -> Result<()> {
        let active = EnrollmentStatus::Active;
        let id = self.request(request)?;
        let event = Event::new(id, By::Student, Verb::AskToLeave, Some(active), active);
        store::ask_to_leave(self.connection, event, reason, self.now)
    }

    /// The office ends an enrollment as of today, with what the refund policy says.
    pub fn end(&self, request: RequestIndex, reason: &str, mark: Option<i64>) -> Result<()> {
        let effective_on = self.today();
        let reason = reason.to_owned();
        let withdraw = Withdraw { effective_on, reason, mark, refund: Some(Refund::Policy), expected: None };
        self.context().withdraw(self.connection, self.request(request)?, &withdraw).map(drop)
    }

    /// The office records a midterm mark.
    pub fn midterm(&self, request: RequestIndex, mark: i64) -> Result<()> {
        let midterm = Midterm { mark: Some(mark), on: self.today() };
        self.context().midterm(self.connection, self.request(request)?, &midterm).map(drop)
    }

    /// The office completes an enrollment with its mark, or corrects the mark for a reason.
    pub fn complete(&self, request: RequestIndex, final_mark: i64, reason: Option<&str>) -> Result<()> {
        let mark =
            Complete { final_mark, reason: reason.map(str::to_owned), mails_reason: false, expected: None };
        self.context().complete(self.connection, self.request(request)?, &mark, None).map(drop)
    }

    /// The office moves an enrollment to other days.
    pub fn move_to(
        &self,
        request: RequestIndex,
        start_date: Date,
        end_date: Date,
        reason: &str,
    ) -> Result<()> {
        let reschedule = Reschedule {
            start_date,
            end_date,
            reason: reason.to_owned(),
            expected: None,
            overrides: vec![],
            fee: None,
        };
        self.context().change_dates(self.connection, self.request(request)?, &reschedule).map(drop)
    }
}
