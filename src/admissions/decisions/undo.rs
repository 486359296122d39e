//! Undoing a decision while its emails wait, as if it had never been made.

use rusqlite::Connection;
use serde_json::json;

use crate::admissions::desk::{AdmissionDesk, conflict};
use crate::admissions::events::{self, Event, StoredEvent};
use crate::admissions::record::AdmissionRecord;
use crate::admissions::status::AdmissionVerb;
use crate::admissions::{admitted, offers, store};
use crate::base::error::Result;
use crate::decisions::{self, EMAIL_HAS_LEFT, Stored};

impl AdmissionDesk {
    /// Undoes a decision; `None` if it is not about an application. Repeating it changes nothing.
    ///
    /// # Errors
    /// 409 when an email has left, or something has changed since.
    pub fn undo(&self, connection: &Connection, decision: &Stored) -> Result<Option<AdmissionRecord>> {
        let Some(event) = events::of_decision(connection, &decision.id)? else { return Ok(None) };
        if !decision.is_undone {
            self.take_back(connection, decision, &event)?;
        }
        AdmissionRecord::read(connection, event.request_id, &self.reading()).map(Some)
    }

    fn take_back(&self, connection: &Connection, decision: &Stored, event: &StoredEvent) -> Result<()> {
        let now = store::get(connection, event.request_id)?;
        if !decision.take_back_emails(connection, self.now)? {
            return Err(conflict(EMAIL_HAS_LEFT, &now));
        }
        if events::last_step(connection, now.id)? != Some(event.id) {
            let words = "This application has changed since, so the decision can no longer be undone.";
            return Err(conflict(words, &now));
        }
        let to = event.from.unwrap_or(now.status);
        match (event.verb, event.offer_id) {
            (AdmissionVerb::Offer, Some(offer)) => offers::take_back(connection, offer, self.now)?,
            (AdmissionVerb::Cancel, _) => {
                admitted::restore(connection, &now, &decision.id, self.user_id, self.now)?;
            }
            (_, Some(offer)) => offers::restore(connection, offer)?,
            (_, None) => {}
        }
        let undoing = Event::staff(self.user_id, AdmissionVerb::Undo, now.status, to);
        Event { undoes_id: Some(event.id), ..undoing }.record(connection, now.id, self.now)?;
        store::set_status(connection, now.id, to, event.since_before.unwrap_or(now.state_since))?;
        decisions::mark_undone(connection, &decision.id, self.now)?;
        let detail = json!({ "decision": event.verb, "from": now.status, "to": to });
        self.audit(connection, "undo", now.id, detail)
    }
}
