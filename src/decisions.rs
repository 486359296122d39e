//! The table `decisions`: decisions of the office about enrollments and documents, and their undo deadlines, one row per
//! action.

use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use crate::base::error::{Error, Result};
use crate::base::random;
use crate::config::Office;
use crate::mail::outbox::Hold;
use crate::storage::statements::{Statements, from_row, params};

/// A decision in progress.
#[derive(Debug)]
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
    /// Undo deadline.
    pub undo_until: Timestamp,
    /// Whether it was undone.
    pub is_undone: bool,
}

/// The decision of this name, or those of the bulk of this name.
///
/// # Errors
/// 404 when there is none.
pub fn find(connection: &Connection, id: &str) -> Result<Vec<Stored>> {
    let sql = "select id, undo_until, undone_at is not null as is_undone
        from decisions where id = :id or bulk_id = :id";
    let rows = connection.list(sql, params![id])?;
    if rows.is_empty() {
        return Err(Error::NotFound("Decision not found".into()));
    }
    Ok(rows)
}

from_row!(Stored { id, undo_until, is_undone });

/// Records that a decision was undone.
pub fn mark_undone(connection: &Connection, id: &str, now: Timestamp) -> Result<()> {
    connection.run("update decisions set undone_at = :now where id = :id", params![id, now = now.as_second()])
}
