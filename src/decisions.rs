//! The table `decisions`: decisions of the office and their undo deadlines, one row per action; bulk decisions and undo.

use axum::http::StatusCode;
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use crate::base::error::{Error, Result};
use crate::base::random;
use crate::config::Office;
use crate::mail::outbox::{self, Hold};
use crate::storage::db;
use crate::storage::statements::{Statements, from_row, params};
use crate::web::bulk;

/// A decision in progress.
#[derive(Debug, Clone)]
pub struct Decision {
    id: String,
    /// Id of the staff member.
    pub user_id: i64,
    /// When.
    pub now: Timestamp,
    undo_until: Timestamp,
}

/// Undo of a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Undo {
    /// The decision, for `POST /api/admin/decisions/{id}/undo`.
    pub id: String,
    /// Deadline, at which its emails are sent.
    pub until: Timestamp,
}

impl Decision {
    /// Stores a new decision, alone or as part of a bulk.
    pub fn begin(
        connection: &Connection,
        verb: &str,
        user_id: i64,
        bulk: Option<&str>,
        office: &Office,
        now: Timestamp,
    ) -> Result<Self> {
        let undo_until = now + SignedDuration::from_secs(i64::from(office.undo_seconds));
        let decision = Self { id: draw_id()?, user_id, now, undo_until };
        let sql = "insert into decisions (id, user_id, verb, created_at, undo_until, bulk_id)
            values (:id, :user_id, :verb, :now, :undo_until, :bulk_id)";
        let values = params! {
            id = decision.id, user_id, verb, now = now.as_second(), undo_until = undo_until.as_second(),
            bulk_id = bulk,
        };
        connection.run(sql, values)?;
        Ok(decision)
    }

    /// Id of the decision.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Hold of its emails.
    pub fn hold(&self) -> Hold<'_> {
        Hold { decision: &self.id, until: self.undo_until }
    }

    /// Its undo; `None` if emails are sent at once.
    pub fn undo(&self) -> Option<Undo> {
        (self.undo_until > self.now).then(|| Undo { id: self.id.clone(), until: self.undo_until })
    }
}

/// Generates the id of a decision or a bulk.
pub fn draw_id() -> Result<String> {
    Ok(random::hex(&random::bytes::<16>()?))
}

/// A stored decision.
#[derive(Debug)]
pub struct Stored {
    /// Id.
    pub id: String,
    /// What was decided.
    pub verb: String,
    /// Undo deadline.
    pub undo_until: Timestamp,
    /// Whether it was undone.
    pub is_undone: bool,
}

/// The message for a decision that stands because an email about it has left.
pub const EMAIL_HAS_LEFT: &str = "The email about this decision has left, so it can no longer be undone.";

impl Stored {
    /// Takes back its emails, which undoing begins with; false if the time is over, or one has left.
    pub fn take_back_emails(&self, connection: &Connection, now: Timestamp) -> Result<bool> {
        Ok(now < self.undo_until && outbox::delete_held(connection, &self.id)?)
    }
}

/// A row after a decision about it.
pub trait DecidedRow {
    /// Undo of the decision.
    fn undo(&self) -> Option<&Undo>;
}

/// Results of a bulk decision.
#[derive(Debug, Serialize, ToSchema)]
pub struct BulkDecided<T> {
    /// Id of all its decisions.
    #[serde(skip)]
    pub bulk_id: String,
    /// A result for each row, in request order.
    pub results: Vec<BulkResult<T>>,
    /// Undo of all; null if nothing changed or emails are sent at once.
    undo: Option<Undo>,
}

/// Result of one row.
#[derive(Debug, Serialize, ToSchema)]
pub struct BulkResult<T> {
    /// Number of the row.
    pub id: i64,
    /// Whether it is now in the decided state.
    pub ok: bool,
    /// The row, with its own undo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<T>,
    /// HTTP status of the refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    /// Reason of the refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Machine-readable missing requirement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
}

impl<T> BulkResult<T> {
    /// What became of a row.
    pub fn of(id: i64, result: Result<T>) -> Self {
        match result {
            Ok(row) => Self { id, ok: true, row: Some(row), status: None, message: None, reason: None },
            Err(error) => Self {
                id,
                ok: false,
                row: None,
                status: Some(error.status().as_u16()),
                message: Some(error.to_string()),
                reason: match error {
                    Error::Lacking(reason, ..) => Some(reason),
                    _ => None,
                },
            },
        }
    }
}

/// Results of a bulk request that is not undone as a whole.
#[derive(Debug, Serialize, ToSchema)]
pub struct BulkDone<T> {
    /// A result for each row, in request order.
    pub results: Vec<BulkResult<T>>,
}

/// Decides about each row independently, with one undo for all; `decide` takes the row's id and the bulk's.
///
/// # Errors
/// An internal error, which rolls all of them back.
pub fn decide_each<T: DecidedRow>(
    connection: &Connection,
    ids: &[i64],
    decide: impl Fn(&Connection, i64, &str) -> Result<T>,
) -> Result<BulkDecided<T>> {
    let bulk_id = draw_id()?;
    let mut undo = None;
    let done = bulk::each(connection, ids, |connection, id| decide(connection, id, &bulk_id))?;
    let results = done.into_iter().map(|(id, result)| {
        if let Some(own) = result.as_ref().ok().and_then(DecidedRow::undo) {
            undo = Some(Undo { id: bulk_id.clone(), until: own.until });
        }
        BulkResult::of(id, result)
    });
    let results = results.collect();
    Ok(BulkDecided { bulk_id, results, undo })
}

/// Undoes a decision, or those of a bulk that still can be undone; `undo` returns the rows as they are then.
///
/// # Errors
/// 404 when there is no such decision; the conflict if none can be undone.
pub fn undo_each<T>(
    connection: &Connection,
    id: &str,
    undo: impl Fn(&Connection, &Stored) -> Result<Vec<T>>,
) -> Result<Vec<T>> {
    let decided = find(connection, id)?;
    let mut restored = Vec::new();
    let mut refusal = None;
    // Decisions of a bulk that were undone separately are skipped.
    let is_repeated = decided.iter().all(|one| one.is_undone);
    // In reverse order, as one may have given a seat to another.
    for decision in decided.iter().rev().filter(|one| is_repeated || !one.is_undone) {
        match db::in_savepoint(connection, |connection| undo(connection, decision)) {
            Ok(rows) => restored.extend(rows),
            Err(error) if error.status() == StatusCode::CONFLICT => refusal = Some(error),
            Err(error) => return Err(error),
        }
    }
    match refusal {
        Some(refusal) if restored.is_empty() => Err(refusal),
        _ => Ok(restored),
    }
}

/// The decision of this name, or those of the bulk of this name.
///
/// # Errors
/// 404 when there is none.
pub fn find(connection: &Connection, id: &str) -> Result<Vec<Stored>> {
    let sql = "select id, verb, undo_until, undone_at is not null as is_undone
        from decisions where id = :id or bulk_id = :id";
    let rows = connection.list(sql, params![id])?;
    if rows.is_empty() {
        return Err(Error::NotFound("Decision not found".into()));
    }
    Ok(rows)
}

from_row!(Stored { id, verb, undo_until, is_undone });

/// Records that a decision was undone.
pub fn mark_undone(connection: &Connection, id: &str, now: Timestamp) -> Result<()> {
    connection.run("update decisions set undone_at = :now where id = :id", params![id, now = now.as_second()])
}
