//! Taking a verdict back while its email waits, as if it had never been given.

use rusqlite::Connection;
use serde_json::json;

use super::events::{self, Event, RowBefore};
use super::{DocumentVerb, ReviewContext, conflict};
use crate::audit::By;
use crate::base::error::Result;
use crate::decisions::{self, EMAIL_HAS_LEFT, Stored};
use crate::documents::rules::DocumentStatus;
use crate::documents::{Document, ListedDocument, store};
use crate::students::history::{self, HistoryChange};
use crate::web::id::Numbered;

impl ReviewContext {
    /// Undoes a decision; returns the current document, or `None` if the decision is not about a document. Repeating it
    /// changes nothing.
    ///
    /// # Errors
    /// 409 when its email has left, or the document has changed since.
    pub fn undo(&self, connection: &Connection, decision: &Stored) -> Result<Option<ListedDocument>> {
        let Some(event) = events::of_decision(connection, &decision.id)? else { return Ok(None) };
        let id = event.document_id;
        let now = store::find_listed(connection, id)?.ok_or_else(Document::not_found)?;
        if decision.is_undone {
            return Ok(Some(now));
        }
        if !decision.take_back_emails(connection, self.now)? {
            return Err(conflict(EMAIL_HAS_LEFT, &now));
        }
        if events::last(connection, id)? != Some(event.id) {
            let words = "This document has changed since, so the decision can no longer be undone.";
            return Err(conflict(words, &now));
        }
        // A newer one took its place meanwhile, or waits.
        if now.document.status == DocumentStatus::Superseded {
            return Err(conflict(
                "A newer document has taken its place, so the decision can no longer be undone.",
                &now,
            ));
        }
        if event.before.status() == DocumentStatus::PendingReview {
            Self::check_none_waits(connection, &now)?;
        }
        self.take_back(connection, &now.document, &event)?;
        decisions::mark_undone(connection, &decision.id, self.now)?;
        self.rewrite_batch(connection, now.document.student_id)?;
        store::find_listed(connection, id)
    }

    /// Reopens a document by undoing its verdict while the email waits; `None` if the email does not wait.
    pub(super) fn take_back_unsent(
        &self,
        connection: &Connection,
        before: &ListedDocument,
        expected: Option<DocumentStatus>,
    ) -> Result<Option<ListedDocument>> {
        let status = before.document.status;
        if !matches!(status, DocumentStatus::Accepted | DocumentStatus::Rejected)
            || expected.is_some_and(|expected| expected != status)
        {
            return Ok(None);
        }
        let Some(decision) = events::last_decision(connection, before.document.id)? else { return Ok(None) };
        let mut found = decisions::find(connection, &decision)?;
        let Some(decision) = found.pop().filter(|one| !one.is_undone && self.now < one.undo_until) else {
            return Ok(None);
        };
        self.undo(connection, &decision)
    }

    fn take_back(&self, connection: &Connection, document: &Document, event: &events::Stored) -> Result<()> {
        let row = RowBefore::of(connection, document.id)?;
        event.before.restore(connection, document.id)?;
        if let Some(identity) = &event.before.identity {
            identity.restore(connection, document.student_id)?;
        }
        let by = By::Staff(self.user_id);
        let mut undoing = Event::new(document, by, DocumentVerb::Undo, event.before.status());
        undoing.undoes_id = Some(event.id);
        undoing.record(connection, &row, self.now)?;
        let after = Some(document.name());
        let change = HistoryChange { field: "documentUndone", before: None, after, reason: None };
        history::add(connection, document.student_id, by, change, self.now)?;
        let detail = json!({ "studentId": document.student_id, "status": event.before.status() });
        self.audit(connection, "undo", document.id, detail)
    }
}
