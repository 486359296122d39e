//! What the office decides about enrollments, each kind of decision in a file of its own, and taking a
//! decision back while nobody has been told.
//!
//! A decision is one write transaction: check the state and what is required, change the row, post what
//! it costs, leave an event and an audit row, queue the e-mail, and offer a seat that became free. Its
//! e-mails wait for `[office] undo_seconds`.

mod approve;
pub mod bulk;
mod dates;
pub mod decline;
mod enroll;
mod leave;
mod marks;
mod reopen;
pub mod table;
mod undo;
mod waitlist;
mod withdraw;

use std::sync::Arc;

use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

pub use self::approve::Approve;
pub use self::dates::Reschedule;
pub use self::decline::Decline;
pub use self::marks::{Complete, Midterm};
use self::table::{Decision, Undo};
pub use self::withdraw::{Refund, Withdraw};
#[cfg(test)]
pub use self::{enroll::Enroll, reopen::Explain};
use super::events::Event;
use super::prices::QuoteTerms;
use super::requirements::Moment;
use super::status::EnrollmentStatus;
use super::verb::Verb;
use super::waitlist::WaitlistContext;
use super::{Enrollment, quote_terms, store};
use crate::audit::{self, Actor, By};
use crate::base::closed_set::ClosedSet;
use crate::base::error::{Error, Result};
use crate::config::Config;
use crate::mail::{EmailMessage, outbox};
use crate::staff::{Staff, may};
use crate::web::app::App;
use crate::web::form::Field;
use crate::web::id::Numbered;

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
        .merge(undo::routes())
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
    /// False when it was so already, so that this decision changed nothing.
    pub is_changed: bool,
    /// How to take the decision back; null when it changed nothing, or e-mails leave at once.
    pub undo: Option<Undo>,
}

impl Decided {
    fn unchanged(connection: &Connection, id: i64) -> Result<Self> {
        Ok(Self { enrollment: store::find(connection, id)?, is_changed: false, undo: None })
    }
}

/// The state that the office saw, when it says so.
fn expected(field: &Field<String>) -> Result<Option<EnrollmentStatus>, String> {
    match field {
        Field::Absent | Field::Null => Ok(None),
        Field::Value(_) | Field::Wrong => EnrollmentStatus::parse(field.text())
            .map(Some)
            .ok_or_else(|| format!("Must be one of {}", EnrollmentStatus::words())),
    }
}

/// The words of a decision that its student reads.
fn reason(field: &Field<String>) -> Result<String, String> {
    field.between(10, 1000, "Please say in at least 10 characters why; the student reads it")
}

/// The same refusal, with the enrollment as it is now.
fn moved(connection: &Connection, id: i64, refusal: &Error) -> Error {
    match current(connection, id) {
        Ok(current) => Error::Moved(refusal.to_string(), Box::new(current)),
        Err(error) => error,
    }
}

fn current(connection: &Connection, id: i64) -> Result<Value> {
    serde_json::to_value(store::find(connection, id)?).map_err(|error| Error::Internal(error.into()))
}

/// Refuses a decision about a state that has changed since it was seen.
fn check_expected(
    connection: &Connection,
    id: i64,
    status: EnrollmentStatus,
    expected: Option<EnrollmentStatus>,
) -> Result<()> {
    if expected.is_none_or(|expected| expected == status) {
        return Ok(());
    }
    let words = format!("This enrollment is now {}.", status.as_str());
    Err(moved(connection, id, &Error::Conflict(words)))
}

/// Who decides, when, and by which rules.
pub struct DecisionContext {
    /// The number of the member of the staff.
    pub(super) user_id: i64,
    pub(super) actor: Actor,
    pub(super) config: Arc<Config>,
    pub(super) terms: QuoteTerms,
    pub(super) now: Timestamp,
}

/// A decision about one enrollment, being made.
struct PendingDecision {
    id: i64,
    from: EnrollmentStatus,
    decision: Decision,
}

impl PendingDecision {
    /// Its event; the rest is filled in by who knows it.
    fn event(&self, verb: Verb, to: EnrollmentStatus) -> Event<'_> {
        let event = Event::new(self.id, By::Staff(self.decision.user_id), verb, Some(self.from), to);
        Event { decision: Some(self.decision.id()), ..event }
    }
}

impl DecisionContext {
    /// The context of a member of the staff, now.
    pub fn new(app: &App, staff: &Staff<may::Enrollments>) -> Self {
        Self {
            user_id: staff.id,
            actor: staff.actor(),
            config: app.config.clone(),
            terms: quote_terms(app),
            now: app.clock.now(),
        }
    }

    /// The context of somebody at a given time: the demo's past.
    pub fn at(app: &App, user_id: i64, username: &str, now: Timestamp) -> Self {
        let zone = app.config.school().zone();
        let today = now.to_zoned(zone).date();
        let terms = QuoteTerms { today, ..quote_terms(app) };
        Self { user_id, actor: Actor::staff(user_id, username), config: app.config.clone(), terms, now }
    }

    fn moment(&self) -> Moment {
        Moment::new(self.now, self.terms.today)
    }

    fn waitlist_context(&self) -> WaitlistContext<'_> {
        WaitlistContext { config: &self.config, terms: &self.terms, now: self.now }
    }

    /// Begins a decision, unless the rule says that it changes nothing.
    ///
    /// # Errors
    /// 404 when there is no such enrollment; 409 when the rule refuses its state, or it is not the one
    /// that was seen.
    fn begin(
        &self,
        connection: &Connection,
        id: i64,
        verb: Verb,
        rule: impl Fn(EnrollmentStatus) -> Result<bool>,
        expected: Option<EnrollmentStatus>,
        bulk: Option<&str>,
    ) -> Result<Option<PendingDecision>> {
        let from = store::status(connection, id)?.ok_or_else(Enrollment::not_found)?;
        if !rule(from).map_err(|error| moved(connection, id, &error))? {
            return Ok(None);
        }
        check_expected(connection, id, from, expected)?;
        let decision = Decision::begin(connection, verb, self.user_id, bulk, &self.config.office, self.now)?;
        Ok(Some(PendingDecision { id, from, decision }))
    }

    fn record(&self, connection: &Connection, verb: Verb, id: i64, detail: Value) -> Result<()> {
        audit::record(connection, &self.actor, verb.as_str(), "enrollment", id, detail, self.now)
    }

    /// Queues the decision's e-mail, and answers with the enrollment as it is now.
    fn finish(
        &self,
        connection: &Connection,
        pending: &PendingDecision,
        email: impl FnOnce(&store::Addressee, &Enrollment) -> EmailMessage,
    ) -> Result<Decided> {
        let enrollment = store::find(connection, pending.id)?;
        let student = store::student_of(connection, pending.id)?;
        let email = email(&student, &enrollment);
        outbox::enqueue_held(connection, &email, pending.decision.hold(), &self.config, self.now)?;
        Ok(Decided { enrollment, is_changed: true, undo: pending.decision.undo() })
    }
}
