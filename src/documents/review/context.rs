//! How a document is decided about, and deleted: one write transaction each.

use jiff::ToSpan as _;
use jiff::civil::Date;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::events::{self, Event, Mailing, RowBefore};
use super::{DocumentVerb, ReviewedDocument, Verdict, mailing};
use crate::audit::{self, ActingStaff, By};
use crate::base::closed_set::ClosedSet as _;
use crate::base::error::{Error, Result};
use crate::decisions::Decision;
use crate::documents::removal::{self, RemovedDocument};
use crate::documents::rules::{DocumentStatus, DocumentType, RemovalCause};
use crate::documents::{Document, ListedDocument, store};
use crate::mail::outbox;
use crate::staff::context::staff_context;
use crate::storage::statements::{Statements, params};
use crate::students::history::{self, HistoryChange};
use crate::students::identity::{self, IdentityCheck};
use crate::students::rejection::RejectCode;
use crate::web::id::Numbered;

/// A conflict with the document as it is now, which the answer carries.
pub(super) fn conflict(words: impl Into<String>, current: &ListedDocument) -> Error {
    Error::conflict(words, current)
}

staff_context! {
    /// The reviewer, the time, and the rules.
    ReviewContext
}

impl ReviewContext {
    /// Applies a verdict.
    ///
    /// # Errors
    /// 404 when there is no such document; 409 when its state does not allow the verdict, or is not the one that the
    /// office saw.
    pub fn decide(
        &self,
        connection: &Connection,
        id: i64,
        verdict: &Verdict,
        expected: Option<DocumentStatus>,
    ) -> Result<ReviewedDocument> {
        let before = store::find_listed(connection, id)?.ok_or_else(Document::not_found)?;
        let verb = verdict.verb();
        let status = before.document.status;
        if verb == DocumentVerb::Reopen
            && let Some(document) = self.take_back_unsent(connection, &before, expected)?
        {
            return Ok(ReviewedDocument { document, undo: None });
        }
        let after = verb.after(status).map_err(|words| conflict(words, &before))?;
        let Some(to) = after else { return Ok(ReviewedDocument { document: before, undo: None }) };
        if expected.is_some_and(|expected| expected != status) {
            return Err(conflict(format!("This document is {} now.", status.in_words()), &before));
        }
        let office = &self.config.office;
        let decision = Decision::begin(connection, verb.as_str(), self.user_id, None, office, self.now)?;
        let mut row = RowBefore::of(connection, id)?;
        let mut event = Event::new(&before.document, By::Staff(self.user_id), verb, to);
        event.decision = Some(decision.id());
        let approved = match verdict {
            Verdict::Accept { expires_on, is_compared } => {
                let expires_on = self.expires_on(connection, &before, *expires_on)?;
                event.expires_on = expires_on;
                row.superseded = self.accept(connection, &before.document, expires_on)?;
                row.identity = self.check_identity(connection, &before, *is_compared)?;
                Vec::new()
            }
            Verdict::Reject { code, text } => {
                (event.code, event.reason) = (Some(*code), text.as_deref());
                self.reject(connection, &before.document, *code, text.as_deref())?
            }
            Verdict::Reopen => {
                Self::check_none_waits(connection, &before)?;
                self.reopen(connection, &before.document)?;
                Vec::new()
            }
        };
        let student_id = before.document.student_id;
        let mailing = match verb {
            DocumentVerb::Reopen => Mailing::Never,
            _ => {
                mailing::open_batch(connection, student_id, self.now)?.map_or(Mailing::AtOnce, Mailing::With)
            }
        };
        event.mailing = mailing;
        event.record(connection, &row, self.now)?;
        self.note(connection, &before.document, verdict, &approved)?;
        match mailing {
            Mailing::AtOnce => self.write_at_once(connection, id, &decision)?,
            Mailing::With(batch) => self.write_later(connection, student_id, batch)?,
            Mailing::Never => self.rewrite_batch(connection, student_id)?,
        }
        let document = store::find_listed(connection, id)?.ok_or_else(Document::not_found)?;
        Ok(ReviewedDocument { document, undo: decision.undo() })
    }

    /// The last valid day of an accepted document: the reviewer's date, else the requirement's number of months from today.
    fn expires_on(
        &self,
        connection: &Connection,
        before: &ListedDocument,
        named: Option<Date>,
    ) -> Result<Option<Date>> {
        if before.document.fault.is_some() {
            let words = "The file of this document is lost. Replace it first, or write it off.";
            return Err(conflict(words, before));
        }
        if named.is_some_and(|day| day < self.today) {
            return Err(Error::field(
                "expiresOn",
                "This day has passed. Reject the document as expired instead.",
            ));
        }
        let months = store::valid_months(connection, before.document.document_type)?;
        Ok(named.or_else(|| months.and_then(|months| self.today.checked_add(months.months()).ok())))
    }

    /// Accepts the document; returns the ids of the documents that it supersedes.
    fn accept(
        &self,
        connection: &Connection,
        document: &Document,
        expires_on: Option<Date>,
    ) -> Result<Vec<i64>> {
        let sql = "update student_documents indexed by student_documents_student set status = 'superseded'
            where student_id = :student_id and document_type = :of_type and document_type <> 'other'
                and status = 'accepted' returning id";
        let values = params![student_id = document.student_id, of_type = document.document_type];
        let superseded = connection.list(sql, values)?;
        let sql =
            "update student_documents set status = 'accepted', expires_on = :expires_on, reject_code = null,
                reason = null, reminded_days = null, reminder_sent_at = null, reviewed_by = :user_id,
                reviewed_at = :now
            where id = :id";
        let values = params! {
            id = document.id, expires_on, user_id = self.user_id,
            now = self.now.as_second(),
        };
        connection.run(sql, values)?;
        Ok(superseded)
    }

    /// Records the identity check if a government ID was compared; returns the previous check.
    fn check_identity(
        &self,
        connection: &Connection,
        before: &ListedDocument,
        is_compared: bool,
    ) -> Result<Option<IdentityCheck>> {
        if !is_compared || before.document.document_type != DocumentType::GovernmentId {
            return Ok(None);
        }
        let id = before.document.student_id;
        if !identity::is_comparable(connection, id)? {
            let words = "There is nothing to compare yet: the profile has no full name or no date of birth.";
            return Err(conflict(words, before));
        }
        let noted = IdentityCheck::of(connection, id)?;
        let by = ActingStaff { id: self.user_id, actor: &self.actor };
        identity::check(connection, id, by, self.now)?;
        Ok(Some(noted))
    }

    /// Rejects the document; returns the codes of the courses whose approval may have relied on it.
    fn reject(
        &self,
        connection: &Connection,
        document: &Document,
        code: RejectCode,
        text: Option<&str>,
    ) -> Result<Vec<String>> {
        let sql = "update student_documents set status = 'rejected', reject_code = :code, reason = :text,
                expires_on = null, reviewed_by = :user_id, reviewed_at = :now
            where id = :id";
        let values = params! {
            id = document.id, code, text, user_id = self.user_id, now = self.now.as_second(),
        };
        connection.run(sql, values)?;
        removal::approved_since(connection, &RemovedDocument::of(document))
    }

    /// Rejects reopening while a newer document of the type waits: only one of a type waits at a time.
    pub(super) fn check_none_waits(connection: &Connection, before: &ListedDocument) -> Result<()> {
        let sql = "select exists (select 1 from student_documents indexed by student_documents_student
                where student_id = :student_id and document_type = :of_type and document_type <> 'other'
                    and status = 'pending_review')";
        let values = params! {
            student_id = before.document.student_id, of_type = before.document.document_type,
        };
        let waits: bool = connection.one(sql, values)?;
        if waits {
            return Err(conflict("A newer document of this type waits. Decide about that one.", before));
        }
        Ok(())
    }

    /// Puts the document back into review, and voids an identity check made with it.
    fn reopen(&self, connection: &Connection, document: &Document) -> Result<()> {
        let sql = "update student_documents set status = 'pending_review', reject_code = null, reason = null,
                expires_on = null, reminded_days = null, reminder_sent_at = null, reviewed_by = null,
                reviewed_at = null
            where id = :id";
        connection.run(sql, params![id = document.id])?;
        if events::is_identity_check(connection, document.id, document.student_id)? {
            let zone = self.config.school().zone();
            identity::void(connection, document.student_id, By::Staff(self.user_id), &zone, self.now)?;
        }
        Ok(())
    }

    /// Adds an entry to the student's history and an audit row.
    fn note(
        &self,
        connection: &Connection,
        document: &Document,
        verdict: &Verdict,
        approved: &[String],
    ) -> Result<()> {
        let student_id = document.student_id;
        let mut detail = json!({ "studentId": student_id, "documentType": document.document_type });
        let (field, reason) = match verdict {
            Verdict::Accept { expires_on, is_compared } => {
                detail["expiresOn"] = json!(expires_on);
                detail["isCompared"] = json!(is_compared);
                ("documentAccepted", None)
            }
            Verdict::Reject { code, text } => {
                detail["code"] = json!(code);
                detail["approved"] = json!(approved);
                let words = code.sentence(text.as_deref());
                let after = format!("{words} An approval had counted it: {}.", approved.join(", "));
                ("documentRejected", Some(if approved.is_empty() { words } else { after }))
            }
            Verdict::Reopen => ("documentReopened", None),
        };
        let after = Some(document.name());
        let change = HistoryChange { field, before: None, after, reason: reason.as_deref() };
        history::add(connection, student_id, By::Staff(self.user_id), change, self.now)?;
        self.audit(connection, verdict.verb().audited(), document.id, detail)
    }

    pub(super) fn audit(&self, connection: &Connection, action: &str, id: i64, detail: Value) -> Result<()> {
        audit::record(connection, &self.actor, action, "document", id, detail, self.now)
    }

    pub(super) fn delete(&self, connection: &Connection, id: i64, reason: &str) -> Result<String> {
        let document = store::find(connection, id)?.ok_or_else(Document::not_found)?;
        let student_id = document.student_id;
        let of_type = document.document_type;
        let change = HistoryChange {
            field: "documentRemoved",
            before: None,
            after: Some(document.name()),
            reason: Some(reason),
        };
        history::add(connection, student_id, By::Staff(self.user_id), change, self.now)?;
        let detail = json!({ "studentId": student_id, "documentType": of_type, "reason": reason });
        self.audit(connection, "delete", id, detail)?;
        let path = removal::remove(connection, id, RemovalCause::Removed, self.now)?;
        if document.status == DocumentStatus::PendingReview && of_type != DocumentType::Other {
            removal::restore_replaced(connection, student_id, of_type)?;
        }
        if let Some(decision) = events::last_decision(connection, id)? {
            outbox::delete_held(connection, &decision)?;
        }
        self.rewrite_batch(connection, student_id)?;
        Ok(path)
    }
}
