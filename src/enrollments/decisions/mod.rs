//! Decisions of the office about enrollments, one file for each kind, and undoing a decision before its emails are
//! sent.
//!
//! A decision is one write transaction: check the state and what is required, change the row, post what
//! it costs, leave an event and an audit row, queue the email, and offer a seat that became free. Its
//! emails wait for `[office] undo_seconds`.

mod account;
mod approve;
pub mod bulk;
mod dates;
pub mod decline;
mod enroll;
mod leave;
mod marks;
mod reopen;
mod section_transfer;
mod sections;
mod transfer;
mod undo;
mod waitlist;
mod withdraw;

use std::ops::Deref;

use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

pub use self::account::{OpenEnrollments, open_of};
pub use self::approve::Approve;
pub use self::dates::Reschedule;
pub use self::decline::Decline;
pub use self::marks::{Complete, Midterm};
pub use self::sections::{NotifiedStudents, are_left_behind, cancel_left_behind};
#[cfg(test)]
pub use self::transfer::{Transfer, TransferCost};
pub use self::withdraw::{Refund, Withdraw};
#[cfg(test)]
pub use self::{enroll::Enroll, reopen::Explanation};
use super::events::Event;
use super::status::EnrollmentStatus;
use super::transitions::Transition;
use super::verb::Verb;
use super::{Enrollment, quote_terms, store};
use crate::audit::{self, By};
use crate::base::closed_set::ClosedSet;
use crate::base::error::{Error, Result};
use crate::decisions::{DecidedRow, Decision, Undo};
use crate::enrollments::requests::guardian_emails::{AskContext, SendTime, send_with_copies};
use crate::enrollments::requests::prices::QuoteTerms;
use crate::enrollments::requests::requirements::{Moment, Requirement};
use crate::enrollments::seats::waitlist::{self as waiting_list, WaitlistContext};
use crate::mail::EmailMessage;
use crate::staff::context::StaffContext;
use crate::staff::{CurrentStaff, Staff, may};
use crate::web::app::App;
use crate::web::form::Field;

/// The endpoints of decisions.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(approve::routes())
        .merge(bulk::routes())
        .merge(dates::routes())
        .merge(decline::routes())
        .merge(enroll::routes())
        .merge(leave::routes())
        .merge(marks::routes())
        .merge(reopen::routes())
        .merge(transfer::routes())
        .merge(section_transfer::routes())
        .merge(waitlist::routes())
        .merge(withdraw::routes())
}

/// An enrollment after a decision.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Decided {
    /// The enrollment as it is now.
    #[serde(flatten)]
    pub enrollment: Enrollment,
    /// False if it was in that state already.
    pub is_changed: bool,
    /// After a transfer: what the enrollment that goes on lacks. A guardian who is missing is asked again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub missing: Vec<Requirement>,
    /// Undo of the decision; null if nothing changed or emails are sent at once.
    pub undo: Option<Undo>,
}

impl Decided {
    fn unchanged(connection: &Connection, id: i64) -> Result<Self> {
        Ok(Self {
            enrollment: store::find(connection, id)?,
            is_changed: false,
            missing: Vec::new(),
            undo: None,
        })
    }
}

impl DecidedRow for Decided {
    fn undo(&self) -> Option<&Undo> {
        self.undo.as_ref()
    }
}

/// Validates the reason of a decision for the student.
fn reason(field: &Field<String>) -> Result<String, String> {
    field.between(10, 1000, "Please say in at least 10 characters why; the student reads it")
}

/// A conflict error with the current enrollment.
fn conflict(words: impl Into<String>, current: &Enrollment) -> Error {
    Error::conflict(words, current)
}

/// The error for a missing requirement, with the current enrollment.
fn lacking(one: Requirement, current: &Enrollment) -> Error {
    match serde_json::to_value(current) {
        Ok(current) => Error::Lacking(one.code(), one.sentence().into(), Box::new(current)),
        Err(error) => Error::Internal(error.into()),
    }
}

/// Context of a decision: user, time and configuration.
pub struct DecisionContext {
    /// The staff member, the time and the configuration.
    pub staff: StaffContext,
    /// How long quotes hold, and today.
    pub terms: QuoteTerms,
}

impl Deref for DecisionContext {
    type Target = StaffContext;

    fn deref(&self) -> &StaffContext {
        &self.staff
    }
}

/// A decision in progress, with the data it is based on.
struct PendingDecision {
    /// The enrollment before it.
    before: Enrollment,
    /// Its student.
    student: store::Addressee,
    verb: Verb,
    /// The state after it.
    to: EnrollmentStatus,
    decision: Decision,
}

impl PendingDecision {
    /// Its event; the decision fills in the rest.
    fn event(&self) -> Event<'_> {
        let by = By::Staff(self.decision.user_id);
        let event = Event::new(self.before.id, by, self.verb, Some(self.before.status), self.to);
        Event { decision: Some(self.decision.id()), ..event }
    }
}

impl DecisionContext {
    /// The context of a staff member at the current time.
    pub fn new(app: &App, staff: &Staff<may::Enrollments>) -> Self {
        Self::of(app, staff)
    }

    /// The same for a staff member whose duty the caller has checked.
    pub fn of(app: &App, staff: &CurrentStaff) -> Self {
        Self { staff: StaffContext::new(app, staff), terms: quote_terms(app) }
    }

    /// The context of a staff user at a given time, for the history of the demo school.
    pub fn at(app: &App, user_id: i64, username: &str, now: Timestamp) -> Self {
        let staff = StaffContext::at(app.config.clone(), user_id, username, now);
        let terms = QuoteTerms { today: staff.today, ..quote_terms(app) };
        Self { staff, terms }
    }

    fn moment(&self) -> Moment {
        Moment::new(self.now, self.terms.today)
    }

    fn waitlist_context(&self) -> WaitlistContext<'_> {
        WaitlistContext { config: &self.config, terms: &self.terms, now: self.now }
    }

    /// Loads the data of a decision and starts it; `None` if it was made already.
    ///
    /// # Errors
    /// 404 when there is no such enrollment; 409 when its state does not allow the decision, or differs from the
    /// expected one.
    fn begin(
        &self,
        connection: &Connection,
        id: i64,
        transition: &Transition,
        expected: Option<EnrollmentStatus>,
        bulk: Option<&str>,
    ) -> Result<Option<PendingDecision>> {
        let before = store::find(connection, id)?;
        let after = transition.after(before.status).map_err(|words| conflict(words, &before))?;
        let Some(to) = after else { return Ok(None) };
        if expected.is_some_and(|expected| expected != before.status) {
            let words = format!("This enrollment is now {}.", before.status.as_str());
            return Err(conflict(words, &before));
        }
        let student = store::student_of(connection, id)?;
        let verb = transition.verb;
        let decision =
            Decision::begin(connection, verb.as_str(), self.user_id, bulk, &self.config.office, self.now)?;
        Ok(Some(PendingDecision { before, student, verb, to, decision }))
    }

    fn record(&self, connection: &Connection, verb: Verb, id: i64, detail: Value) -> Result<()> {
        audit::record(connection, &self.actor, verb.as_str(), "enrollment", id, detail, self.now)
    }

    /// Offers a seat freed by the decision to the next student on the waiting list.
    fn promote(&self, connection: &Connection, pending: &PendingDecision) -> Result<()> {
        let course_id = pending.before.course_id;
        let decision = Some(&pending.decision);
        waiting_list::promote(connection, course_id, &self.waitlist_context(), decision)
    }

    /// Records the decision, queues its email, and returns the current enrollment.
    fn finish(
        &self,
        connection: &Connection,
        pending: &PendingDecision,
        detail: Value,
        email: impl FnOnce(&store::Addressee, &Enrollment) -> EmailMessage,
    ) -> Result<Decided> {
        let enrollment = store::find(connection, pending.before.id)?;
        self.record(connection, pending.verb, enrollment.id, detail)?;
        let email = email(&pending.student, &enrollment);
        let hold = pending.decision.hold();
        let context = AskContext { config: &self.config, now: self.now };
        send_with_copies(connection, &pending.student, &email, SendTime::Held(hold), &context)?;
        Ok(Decided { enrollment, is_changed: true, missing: Vec::new(), undo: pending.decision.undo() })
    }
}
