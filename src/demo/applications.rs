//! Applications for a place at the demo school, one in each state at least.

use anyhow::Context as _;
use jiff::{SignedDuration, ToSpan as _};
use serde_json::json;

use super::form;
use super::plan::Plan;
use super::sample::{SAMPLE, SampleApplication};
use super::scene::Scene;
use crate::admissions::AdmissionRequestStatus as Status;
use crate::admissions::apply::{self, ApplicationForm, NewApplication};
use crate::admissions::clock::{self, BegunDay};
use crate::admissions::decisions::acts::Act;
use crate::admissions::decisions::offer::OfferForm;
use crate::admissions::desk::AdmissionDesk;
use crate::admissions::events::Event;
use crate::admissions::own::FamilyAct;
use crate::admissions::status::{AdmissionSource, AdmissionVerb};
use crate::admissions::{mailboxes, record, store};
use crate::base::error::Result;
use crate::documents::of_applications;
use crate::documents::rules::DocumentType;
use crate::enrollments::decisions::decline::DeclineCode;
use crate::storage::statements::Statements as _;

/// Schedules each arrival, and what follows from it.
pub fn add(plan: &mut Plan) -> Result<()> {
    let now = plan.calendar.now;
    let ago = |hours: i64| now - SignedDuration::from_hours(hours);
    for asking in &SAMPLE.applications {
        let hours = asking.hours_ago;
        plan.diary.note(ago(hours), |scene| scene.apply(asking));
        if matches!(asking.state, Status::InReview | Status::Offered) {
            plan.diary.note(ago(hours - 3), |scene| scene.send_transcript(asking));
        }
        if asking.state != Status::Pending {
            plan.diary.note(ago(hours - 20), |scene| scene.decide_application(asking));
        }
        if asking.state == Status::Expired {
            // Eleven days after the offer, which is open for ten.
            plan.diary.note(ago(hours - 20 - 11 * 24), |scene| scene.let_offer_end());
        }
        if matches!(asking.state, Status::Accepted | Status::Withdrawn) {
            plan.diary.note(ago(hours - 70), |scene| scene.answer_offer(asking));
        }
    }
    Ok(())
}

impl Scene<'_> {
    fn apply(&mut self, asking: &'static SampleApplication) -> Result<()> {
        let mut email = format!("{}@mail.example", asking.mailbox);
        let mut names = (asking.first_name.clone(), asking.last_name.clone());
        let mut born = asking.born.clone();
        if asking.state == Status::Accepted {
            // One of the students, who now asks for a place.
            let sql = "select email, date_of_birth, full_name from students
                where status = 'active' and date_of_birth > '2008-12' and full_name is not null order by id limit 1";
            let known: (String, String, String) = self.connection.one(sql, [])?;
            let (first, last) = known.2.split_once(' ').context("a name of two words")?;
            names = (first.to_owned(), last.to_owned());
            (email, born) = (known.0, known.1);
        }
        let form: ApplicationForm = form(json!({
            "firstName": names.0, "lastName": names.1, "email": email, "guardianName": asking.guardian,
            "guardianEmail": format!("{}@mail.example", asking.mailbox), "relationship": asking.relationship,
            "phone": asking.phone, "address": asking.address, "country": asking.country, "grade": asking.grade,
            "dateOfBirth": born, "previousSchool": asking.previous_school, "startTerm": asking.start_term,
            "wantedCourses": asking.wanted_courses, "message": asking.message,
        }))?;
        let new = NewApplication::parse(&form, self.today())?;
        let event = Event::family(AdmissionVerb::Receive, None, Status::Pending);
        let reference = format!("A-{:02}-{}", self.today().year().rem_euclid(100), asking.letters);
        let source = AdmissionSource::Web;
        let request = apply::receive(self.connection, &new, source, &reference, &event, self.now)?;
        self.applications.insert(&asking.mailbox, request.id);
        Ok(())
    }

    fn application(&self, asking: &SampleApplication) -> Result<i64> {
        let found = self.applications.get(asking.mailbox.as_str());
        Ok(*found.with_context(|| format!("the application of {}", asking.mailbox))?)
    }

    fn send_transcript(&self, asking: &SampleApplication) -> Result<()> {
        let id = self.application(asking)?;
        let new = self.files.named(DocumentType::Transcript, "Transcript grade 10.pdf")?;
        of_applications::insert(self.connection, id, &new, self.now)?;
        let event = Event::family(AdmissionVerb::Upload, Status::Pending, Status::Pending);
        Event { reason: Some(DocumentType::Transcript.label()), ..event }.record(
            self.connection,
            id,
            self.now,
        )
    }

    fn desk(&self) -> AdmissionDesk {
        self.staff().into()
    }

    /// The registrar decides; an offer comes after a look at the application.
    fn decide_application(&self, asking: &SampleApplication) -> Result<()> {
        let desk = self.desk();
        let id = self.application(asking)?;
        let act = |act: Act| desk.act(self.connection, id, &act, None, None).map(drop);
        match asking.state {
            Status::Pending | Status::Withdrawn => Ok(()),
            Status::InReview => {
                act(Act::StartReview { reason: None })?;
                record::assign(self.connection, &desk, id, Some(desk.user_id))?;
                let words = "The transcript looks fine. Waiting for the counsellor’s word on the courses.";
                record::add_note(self.connection, &desk, id, words).map(drop)
            }
            Status::InfoRequested => act(Act::Ask {
                text: "Please send the last report card, and tell us when you will be in Toronto.".into(),
                wants: vec![DocumentType::Transcript],
            }),
            Status::Waitlisted => act(Act::Waitlist),
            Status::Declined => act(Act::Decline {
                reason: "All places in this grade are taken for the year, and the waiting list is full."
                    .into(),
                code: DeclineCode::ClassFull,
            }),
            Status::Offered | Status::Expired | Status::Accepted => {
                let last =
                    self.today().saturating_add(if asking.state == Status::Expired { 10 } else { 28 }.days());
                let form: OfferForm = form(json!({
                    "feeDue": 6400, "deposit": 1500, "depositDueOn": last, "expiresOn": last,
                    "feeDueOn": last.saturating_add(30.days()),
                    "conditions": "The final transcript of the current year shows the courses as taken.",
                }))?;
                let terms = form.parse(self.today(), &self.app.config.money.usual_offer())?;
                desk.offer(self.connection, id, &terms, None).map(drop)
            }
        }
    }

    fn let_offer_end(&self) -> Result<()> {
        let config = &self.app.config;
        let day = BegunDay { today: self.today(), midnight: self.now };
        clock::carry_out(self.connection, config, day, self.now)
    }

    /// The family accepts, or thinks better of it.
    fn answer_offer(&self, asking: &SampleApplication) -> Result<()> {
        let id = self.application(asking)?;
        let config = self.app.config.clone();
        let now = self.now;
        let today = self.today();
        let mailbox = format!("{}@mail.example", asking.mailbox);
        let act = FamilyAct { id, config, now, today, mailbox };
        if asking.state == Status::Withdrawn {
            return act
                .withdraw(self.connection, Some("We stay in Halifax after all. Thank you for your time."));
        }
        // The student has opened the link, too.
        let student = store::get(self.connection, id)?;
        mailboxes::note_opened(self.connection, id, &student.email, now)?;
        act.accept_latest(self.connection, &asking.guardian)
    }
}
