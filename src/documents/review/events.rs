//! The table `document_events`: every decision about every document. Rows are only ever added.

use anyhow::Context;
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use super::DocumentVerb;
use crate::audit::By;
use crate::base::error::Result;
use crate::documents::Document;
use crate::documents::rules::DocumentStatus;
use crate::storage::columns::Columns;
use crate::storage::statements::{FromRow, Statements, params};
use crate::students::identity::IdentityCheck;
use crate::students::rejection::RejectCode;

/// When the student is emailed about a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mailing {
    /// Not at all.
    Never,
    /// In an email of its own.
    AtOnce,
    /// In the email of the hour that began with this event.
    With(i64),
}

impl Mailing {
    fn batch(self) -> Option<i64> {
        match self {
            Self::With(batch) => Some(batch),
            Self::Never | Self::AtOnce => None,
        }
    }
}

/// A decision about a document.
pub(super) struct Event<'a> {
    document: &'a Document,
    by: By,
    verb: DocumentVerb,
    to: DocumentStatus,
    pub(super) code: Option<RejectCode>,
    pub(super) reason: Option<&'a str>,
    pub(super) expires_on: Option<Date>,
    pub(super) decision: Option<&'a str>,
    pub(super) undoes_id: Option<i64>,
    pub(super) mailing: Mailing,
}

impl<'a> Event<'a> {
    pub(super) fn new(document: &'a Document, by: By, verb: DocumentVerb, to: DocumentStatus) -> Self {
        Self {
            document,
            by,
            verb,
            to,
            code: None,
            reason: None,
            expires_on: None,
            decision: None,
            undoes_id: None,
            mailing: Mailing::Never,
        }
    }

    /// Records the event and the row before it, in the transaction of the change.
    pub(super) fn record(self, connection: &Connection, before: &RowBefore, now: Timestamp) -> Result<()> {
        let before = serde_json::to_string(before).context("a document as it was")?;
        let sql = "insert into document_events (document_id, student_id, at, actor_kind, user_id, verb,
                from_status, to_status, reject_code, reason, expires_on, decision_id, undoes_id, is_mailed,
                batch_id, before)
            values (:document_id, :student_id, :at, :actor_kind, :user_id, :verb, :from, :to, :code, :reason,
                :expires_on, :decision_id, :undoes_id, :is_mailed, :batch_id, :before)";
        let values = params! {
            document_id = self.document.id, student_id = self.document.student_id, at = now.as_second(),
            actor_kind = self.by.kind(), user_id = self.by.user_id(), verb = self.verb,
            from = self.document.status, to = self.to, code = self.code, reason = self.reason,
            expires_on = self.expires_on, decision_id = self.decision,
            undoes_id = self.undoes_id, is_mailed = self.mailing != Mailing::Never,
            batch_id = self.mailing.batch(), before,
        };
        connection.run(sql, values)
    }
}

/// A document's row before a decision, for undo.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RowBefore {
    status: DocumentStatus,
    reject_code: Option<RejectCode>,
    reason: Option<String>,
    expires_on: Option<String>,
    reminded_days: Option<i64>,
    reminder_sent_at: Option<i64>,
    reviewed_by: Option<i64>,
    reviewed_at: Option<i64>,
    /// Ids of the documents that an acceptance superseded.
    pub(super) superseded: Vec<i64>,
    /// The student's previous identity check.
    pub(super) identity: Option<IdentityCheck>,
}

impl FromRow for RowBefore {
    fn read(row: &Columns<'_, '_>) -> rusqlite::Result<Self> {
        Ok(Self {
            status: row.read("status")?,
            reject_code: row.read("reject_code")?,
            reason: row.read("reason")?,
            expires_on: row.read("expires_on")?,
            reminded_days: row.read("reminded_days")?,
            reminder_sent_at: row.read("reminder_sent_at")?,
            reviewed_by: row.read("reviewed_by")?,
            reviewed_at: row.read("reviewed_at")?,
            superseded: Vec::new(),
            identity: None,
        })
    }
}

impl RowBefore {
    pub(super) fn of(connection: &Connection, id: i64) -> Result<Self> {
        let sql =
            "select status, reject_code, reason, expires_on, reminded_days, reminder_sent_at, reviewed_by,
                reviewed_at
            from student_documents where id = :id";
        connection.one(sql, params![id])
    }

    /// The state to restore.
    pub(super) fn status(&self) -> DocumentStatus {
        self.status
    }

    /// Restores the row.
    pub(super) fn restore(&self, connection: &Connection, id: i64) -> Result<()> {
        let sql = "update student_documents set status = :status, reject_code = :reject_code, reason = :reason,
                expires_on = :expires_on, reminded_days = :reminded_days, reminder_sent_at = :reminder_sent_at,
                reviewed_by = :reviewed_by, reviewed_at = :reviewed_at
            where id = :id";
        let values = params! {
            id, status = self.status, reject_code = self.reject_code, reason = self.reason,
            expires_on = self.expires_on, reminded_days = self.reminded_days,
            reminder_sent_at = self.reminder_sent_at, reviewed_by = self.reviewed_by,
            reviewed_at = self.reviewed_at,
        };
        connection.run(sql, values)?;
        let sql = "update student_documents set status = 'accepted' where id = :id and status = 'superseded'";
        for id in &self.superseded {
            connection.run(sql, params![id])?;
        }
        Ok(())
    }
}

/// A stored event, for undo.
pub(super) struct Stored {
    pub(super) id: i64,
    pub(super) document_id: i64,
    pub(super) before: RowBefore,
}

/// The event of a decision; `None` if the decision is not about a document.
pub(super) fn of_decision(connection: &Connection, decision: &str) -> Result<Option<Stored>> {
    let sql = "select id, document_id, before from document_events
        where decision_id = :decision and undoes_id is null";
    let found: Option<(i64, i64, String)> = connection.find(sql, params![decision])?;
    let Some((id, document_id, before)) = found else { return Ok(None) };
    let before = serde_json::from_str(&before).context("a document as it was")?;
    Ok(Some(Stored { id, document_id, before }))
}

/// Id of a document's newest event.
pub(super) fn last(connection: &Connection, document_id: i64) -> Result<Option<i64>> {
    connection.one("select max(id) from document_events where document_id = :id", params![id = document_id])
}

/// Id of the decision of a document's newest verdict.
pub(super) fn last_decision(connection: &Connection, document_id: i64) -> Result<Option<String>> {
    let sql = "select decision_id from document_events
        where document_id = :id and is_mailed = 1 order by id desc limit 1";
    connection.find(sql, params![id = document_id])
}

/// Whether the current identity check was made with this document.
pub(super) fn is_identity_check(connection: &Connection, document_id: i64, student_id: i64) -> Result<bool> {
    let sql = "select exists (select 1 from document_events e join students s on s.id = :student_id
            where e.document_id = :id and e.verb = 'accept_document' and e.at = s.identity_checked_at
                and e.before ->> '$.identity' is not null)";
    connection.one(sql, params![id = document_id, student_id])
}
