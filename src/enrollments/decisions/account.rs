//! What ends with a student's account: requests, places on waiting lists, and courses that are still taught.

use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::withdraw::{Refund, Withdraw, withdrawal};
use super::{DecisionContext, PendingDecision, Verb, waiting_list};
use crate::base::error::Result;
use crate::decisions::Decision;
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::{Enrollment, store};

/// The enrollments of a student that are not over.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenEnrollments {
    /// Requests, places on waiting lists, active courses, and those that the school cancelled: these end with the account.
    pub ending: Vec<Enrollment>,
    /// Courses whose last day has passed and whose final mark is missing: they wait for it.
    pub to_mark: Vec<Enrollment>,
}

/// The enrollments of a student that are not over, newest first.
pub fn open_of(connection: &Connection, student_id: i64, today: Date) -> Result<OpenEnrollments> {
    let mut ending = Vec::new();
    let mut to_mark = Vec::new();
    for enrollment in store::list_for_student(connection, student_id)? {
        match enrollment.status {
            EnrollmentStatus::Active if enrollment.end_date < today => to_mark.push(enrollment),
            EnrollmentStatus::Pending
            | EnrollmentStatus::Waitlisted
            | EnrollmentStatus::Active
            | EnrollmentStatus::Cancelled => ending.push(enrollment),
            EnrollmentStatus::Declined | EnrollmentStatus::Withdrawn | EnrollmentStatus::Completed => {}
        }
    }
    Ok(OpenEnrollments { ending, to_mark })
}

impl DecisionContext {
    /// Ends what is open of a student whose account is closed: requests and places are withdrawn, and courses as of today by
    /// the rules of leaving. Returns each as it was, with what becomes of its fee.
    pub fn end_with_account(
        &self,
        connection: &Connection,
        student_id: i64,
        reason: &str,
        decision: &Decision,
    ) -> Result<Vec<(Enrollment, Refund)>> {
        let mut ended = Vec::new();
        for before in open_of(connection, student_id, self.terms.today)?.ending {
            let id = before.id;
            let student = store::student_of(connection, id)?;
            let verb = Verb::Withdraw;
            let to = EnrollmentStatus::Withdrawn;
            let pending = PendingDecision { before, student, verb, to, decision: decision.clone() };
            let withdraw = Withdraw {
                effective_on: self.terms.today,
                reason: reason.to_owned(),
                mark: None,
                refund: None,
                expected: None,
            };
            let (refund, detail) = match pending.before.status {
                EnrollmentStatus::Active | EnrollmentStatus::Cancelled => {
                    let (refund, _) = self.end_enrollment(connection, &pending, &withdraw)?;
                    (refund, withdrawal(&pending, &withdraw, refund))
                }
                _ => {
                    let event = super::Event { reason: Some(reason), ..pending.event() };
                    store::close(connection, event, self.terms.today, self.now)?;
                    let detail = json!({ "course": pending.before.course.code, "reason": reason });
                    (Refund::None, detail)
                }
            };
            self.record(connection, verb, id, detail)?;
            ended.push((pending.before, refund));
        }
        Ok(ended)
    }

    /// Offers the seats that these enrollments took to the next on the waiting lists.
    pub fn offer_seats(
        &self,
        connection: &Connection,
        ended: &[(Enrollment, Refund)],
        decision: &Decision,
    ) -> Result<()> {
        for (enrollment, _) in ended {
            let context = self.waitlist_context();
            waiting_list::promote(connection, enrollment.course_id, &context, Some(decision))?;
        }
        Ok(())
    }
}
