//! What a change of a section means for its enrollments: their dates move with it, and their students are told.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::{DecisionContext, Reschedule};
use crate::audit::{self, Actor, By};
use crate::base::closed_set::ClosedSet as _;
use crate::base::dates::date_in_words;
use crate::base::error::Result;
use crate::config::Config;
use crate::decisions::Decision;
use crate::enrollments::events::Event;
use crate::enrollments::requests::guardian_emails::{AskContext, SendTime, send_with_copies};
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::verb::Verb;
use crate::enrollments::{Enrollment, SectionNews, section_news, store};
use crate::money::ledger;
use crate::storage::statements::{Statements as _, from_row};
use crate::students::status::StudentStatus;
use crate::terms::Section;

/// The students of a section who are notified.
#[derive(Debug, Clone, Copy)]
pub enum NotifiedStudents {
    /// Those who take it, wait for it or have asked for it.
    Everyone,
    /// Those who take it on a day.
    TakingItOn(Date),
}

impl DecisionContext {
    /// Who decides.
    pub fn user_id(&self) -> i64 {
        self.user_id
    }

    /// When.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// Which day it is at the school.
    pub fn today(&self) -> Date {
        self.terms.today
    }

    /// The school's zone.
    pub fn zone(&self) -> TimeZone {
        self.terms.zone.clone()
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Begins a decision about something else than one enrollment.
    pub fn begin_decision(&self, connection: &Connection, verb: &str) -> Result<Decision> {
        Decision::begin(connection, verb, self.user_id, None, &self.config.office, self.now)
    }

    /// Records in the audit trail what was done to a section.
    pub fn record_section(&self, connection: &Connection, verb: &str, id: i64, detail: Value) -> Result<()> {
        audit::record(connection, &self.actor, verb, "section", id, detail, self.now)
    }

    /// Moves the dates of the open enrollments of a section with its own, each with an event; returns how many. Dates that
    /// the office gave an enrollment apart from its section stay.
    pub fn follow_section(
        &self,
        connection: &Connection,
        before: &Section,
        after: &Section,
        decision: &Decision,
    ) -> Result<usize> {
        let mut count = 0;
        for enrollment in store::open_in_section(connection, after.id)? {
            let moved = |own: Date, before: Date, after: Date| if own == before { after } else { own };
            let start_date = moved(enrollment.start_date, before.starts_on, after.starts_on);
            let end_date = moved(enrollment.end_date, before.ends_on, after.ends_on);
            let is_valid = start_date < end_date;
            if !is_valid || (start_date, end_date) == (enrollment.start_date, enrollment.end_date) {
                continue;
            }
            let reason = format!(
                "Section {} is now taught from {} to {}.",
                after.label,
                date_in_words(start_date),
                date_in_words(end_date)
            );
            let id = enrollment.id;
            let status = enrollment.status;
            let event = Event::new(id, By::Staff(self.user_id), Verb::ChangeDates, Some(status), status);
            let event = Event { decision: Some(decision.id()), ..event };
            let dates =
                Reschedule { start_date, end_date, reason, expected: None, overrides: Vec::new(), fee: None };
            store::change_dates(connection, event, &dates, self.now)?;
            count += 1;
        }
        Ok(count)
    }

    /// Queues an email to each of a section's students, with copies to guardians, to leave when the decision can no longer
    /// be undone; returns how many students are told.
    pub fn tell_section(
        &self,
        connection: &Connection,
        (section_id, told): (i64, NotifiedStudents),
        decision: &Decision,
        news: SectionNews<'_>,
    ) -> Result<usize> {
        let context = AskContext { config: &self.config, now: self.now };
        let mut count = 0;
        for enrollment in store::open_in_section(connection, section_id)? {
            let is_told = match told {
                NotifiedStudents::Everyone => true,
                NotifiedStudents::TakingItOn(day) => enrollment.is_taken_on(day),
            };
            let student = store::student_of(connection, enrollment.id)?;
            if !is_told || student.status == StudentStatus::Closed {
                continue;
            }
            let email = section_news(&student, &enrollment, news, &self.config);
            send_with_copies(connection, &student, &email, SendTime::Held(decision.hold()), &context)?;
            count += 1;
        }
        Ok(count)
    }

    /// Cancels the active enrollments of a section that the school has cancelled: nothing is owed for them, and what was
    /// paid is on account. Requests keep their state, and lack the section.
    pub fn cancel_enrollments(
        &self,
        connection: &Connection,
        section: &Section,
        reason: &str,
        decision: &Decision,
    ) -> Result<()> {
        let cancellation = SectionCancellation {
            by: By::Staff(self.user_id),
            actor: &self.actor,
            label: &section.label,
            reason: Some(reason),
            decision,
        };
        for enrollment in store::open_in_section(connection, section.id)? {
            if enrollment.status == EnrollmentStatus::Active {
                cancellation.apply(connection, &enrollment)?;
            }
        }
        Ok(())
    }
}

/// The cancellation of a section, for its enrollments.
struct SectionCancellation<'a> {
    by: By,
    actor: &'a Actor,
    label: &'a str,
    reason: Option<&'a str>,
    decision: &'a Decision,
}

impl SectionCancellation<'_> {
    /// Cancels an active enrollment of the section.
    fn apply(&self, connection: &Connection, enrollment: &Enrollment) -> Result<()> {
        let Self { by, actor, label, reason, decision } = *self;
        let id = enrollment.id;
        let status = enrollment.status;
        let now = decision.now;
        let event = Event::new(id, by, Verb::Cancel, Some(status), EnrollmentStatus::Cancelled);
        let event = Event { reason, decision: Some(decision.id()), ..event };
        store::cancel(connection, event, now)?;
        let words = format!("The school cancelled section {label}");
        ledger::cancel_enrollment(connection, id, &words, decision.id(), decision.user_id, now)?;
        let detail = json!({ "course": enrollment.course.code, "section": label, "reason": reason });
        audit::record(connection, actor, Verb::Cancel.as_str(), "enrollment", id, detail, now)
    }
}

/// An enrollment that is active in a cancelled section.
struct LeftBehind {
    id: i64,
    label: String,
    /// Who cancelled the section, for the ledger.
    user_id: i64,
    reason: Option<String>,
}

from_row!(LeftBehind { id, label, user_id, reason });

/// SQL: the active enrollments `e` of sections `s`, of which the cancelled ones are wanted.
const LEFT_BEHIND: &str = "sections s indexed by sections_cancelled
    cross join enrollments e indexed by enrollments_section on e.section_id = s.id and e.status = 'active'";

/// Whether an enrollment is active in a section that was cancelled before its state existed.
///
/// # Errors
/// Database errors.
pub fn are_left_behind(connection: &Connection) -> Result<bool> {
    connection.one(&format!("select exists (select 1 from {LEFT_BEHIND} where s.status = 'cancelled')"), [])
}

/// Cancels the enrollments that are active in sections that were cancelled before that state existed, as a cancellation does
/// today, without a letter.
///
/// # Errors
/// Database errors.
pub fn cancel_left_behind(connection: &Connection, config: &Config, now: Timestamp) -> Result<()> {
    let sql = format!(
        "select e.id, s.label, coalesce(v.user_id, e.decided_by, (select min(id) from users)) as user_id, v.reason
         from {LEFT_BEHIND} left join section_events v on v.id = (select max(w.id) from section_events w
             where w.section_id = s.id and w.verb = 'cancel' and w.undoes_id is null)
         where s.status = 'cancelled' order by e.id"
    );
    for left in connection.list::<LeftBehind>(&sql, [])? {
        let decision =
            Decision::begin(connection, "cancel_section", left.user_id, None, &config.office, now)?;
        let cancellation = SectionCancellation {
            by: By::System,
            actor: &Actor::system(),
            label: &left.label,
            reason: left.reason.as_deref(),
            decision: &decision,
        };
        cancellation.apply(connection, &store::find(connection, left.id)?)?;
    }
    Ok(())
}
