//! Decisions of the office about applications, and undoing one before its emails are sent.
//!
//! A decision is one write transaction: check the state, change the row, leave an event and an audit row, queue the
//! emails to the family, which wait for `[office] undo_seconds`.

pub mod acts;
mod bulk;
mod bulk_offer;
mod cancel;
pub mod offer;
mod undo;

use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::desk::{AdmissionDesk, conflict};
use super::events::{AskedOfFamily, Event};
use super::links::FamilyMail;
use super::record::AdmissionRecord;
use super::status::{AdmissionRequestStatus, AdmissionVerb};
use super::{AdmissionRequest, emails, store};
use crate::base::closed_set::ClosedSet as _;
use crate::base::email::Email;
use crate::base::error::Result;
use crate::config::Config;
use crate::decisions::{DecidedRow, Decision, Undo};
use crate::mail::{Cause, EmailMessage};
use crate::web::app::App;

/// The endpoints of decisions.
pub fn routes() -> OpenApiRouter<App> {
    acts::routes()
        .merge(bulk::routes())
        .merge(bulk_offer::routes())
        .merge(cancel::routes())
        .merge(offer::routes())
}

/// An application after a decision.
#[derive(Debug, Serialize, ToSchema)]
pub struct DecidedApplication {
    /// The application as it is now.
    #[serde(flatten)]
    pub record: AdmissionRecord,
    /// How to undo the decision; null if it changed nothing, or emails are sent at once.
    #[schema(required)]
    pub undo: Option<Undo>,
}

impl DecidedRow for DecidedApplication {
    fn undo(&self) -> Option<&Undo> {
        self.undo.as_ref()
    }
}

/// A decision in progress.
pub struct PendingDecision<'a> {
    /// The application before it.
    pub before: AdmissionRequest,
    /// The state after it.
    pub to: AdmissionRequestStatus,
    verb: AdmissionVerb,
    decision: Decision,
    desk: &'a AdmissionDesk,
}

impl AdmissionDesk {
    /// Begins a decision; `None` if its result holds already.
    ///
    /// # Errors
    /// 404 when there is no such application; 409 when its state does not allow the decision, or is not the one that
    /// the office saw.
    pub fn begin(
        &self,
        connection: &Connection,
        id: i64,
        verb: AdmissionVerb,
        expected: Option<AdmissionRequestStatus>,
        bulk: Option<&str>,
    ) -> Result<Option<PendingDecision<'_>>> {
        let before = store::get(connection, id)?;
        let after = verb.after(before.status).map_err(|words| conflict(words, &before))?;
        let Some(to) = after else { return Ok(None) };
        if expected.is_some_and(|expected| expected != before.status) {
            return Err(conflict(format!("This application is now {}.", before.status.in_words()), &before));
        }
        let word = verb.as_str();
        let office = &self.config.office;
        let decision = Decision::begin(connection, word, self.user_id, bulk, office, self.now)?;
        Ok(Some(PendingDecision { before, to, verb, decision, desk: self }))
    }

    /// The answer where nothing changed.
    pub fn unchanged(&self, connection: &Connection, id: i64) -> Result<DecidedApplication> {
        Ok(DecidedApplication { record: AdmissionRecord::read(connection, id, &self.reading())?, undo: None })
    }
}

impl PendingDecision<'_> {
    /// Its event; the decision fills in the rest.
    pub fn event(&self) -> Event<'_> {
        let event = Event::staff(self.desk.user_id, self.verb, self.before.status, self.to);
        let since_before = Some(self.before.state_since);
        Event { decision: Some(self.decision.id()), since_before, ..event }
    }

    /// Records the event, changes the state and notes both in the audit trail.
    pub fn record(&self, connection: &Connection, event: &Event<'_>) -> Result<()> {
        let id = self.before.id;
        let now = self.desk.now;
        event.record(connection, id, now)?;
        // A reminder is no new state: the question waits since it was asked.
        let since = if self.verb == AdmissionVerb::Remind { self.before.state_since } else { now };
        store::set_status(connection, id, self.to, since)?;
        let mut detail = json!({ "from": self.before.status, "to": self.to });
        let words = [("reason", event.reason), ("code", event.code), ("asked", event.asked)];
        for (name, text) in words {
            if let Some(text) = text {
                detail[name] = text.into();
            }
        }
        self.desk.audit(connection, &self.verb.audited(), id, detail)
    }

    /// Queues the email to the family, to leave when the decision can no longer be undone.
    pub fn write(
        &self,
        connection: &Connection,
        compose: impl Fn(&Email, &AdmissionRequest, &str, &Config) -> EmailMessage,
    ) -> Result<()> {
        let config = &*self.desk.config;
        let hold = Some(self.decision.hold());
        let mail = FamilyMail { connection, config, cause: Cause::Office, hold, now: self.desk.now };
        mail.send(&self.before, |to, url| compose(to, &self.before, url, config))
    }

    /// Queues the reminder of a question.
    fn remind(&self, connection: &Connection, asked: &AskedOfFamily) -> Result<()> {
        let asked_on = asked.at.to_zoned(self.desk.config.school().zone()).date();
        self.write(connection, |to, request, url, config| {
            emails::asked_again(to, request, url, asked, asked_on, config)
        })
    }

    /// The decision, by its name in the table `decisions`.
    pub fn decision(&self) -> &str {
        self.decision.id()
    }

    /// Its undo; `None` if emails are sent at once.
    pub fn undo(&self) -> Option<Undo> {
        self.decision.undo()
    }

    /// The answer.
    pub fn answer(&self, connection: &Connection) -> Result<DecidedApplication> {
        let record = AdmissionRecord::read(connection, self.before.id, &self.desk.reading())?;
        Ok(DecidedApplication { record, undo: self.undo() })
    }
}
