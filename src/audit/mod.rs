//! What staff did, and which student documents they looked at. Rows are only ever added, each bound to those
//! before it.

pub mod chain;
mod exports;
pub mod filter;
pub mod trail;

use jiff::Timestamp;
use rusqlite::{Connection, named_params};
use serde_json::Value;

pub use self::exports::respond;
use crate::base::closed_set::closed_set;
use crate::base::error::Result;

/// Who did it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    user_id: Option<i64>,
    name: String,
}

impl Actor {
    /// A member of the staff.
    pub fn staff(user_id: i64, username: &str) -> Self {
        Self { user_id: Some(user_id), name: username.to_owned() }
    }

    /// A student, whom the detail of the row names by number.
    pub fn student() -> Self {
        Self { user_id: None, name: "student".to_owned() }
    }

    /// Whoever has a shell on the server.
    pub fn command_line() -> Self {
        Self { user_id: None, name: "command line".to_owned() }
    }
}

/// Who changed something about a student or an enrollment, as their histories have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The student.
    Student,
    /// A member of the staff, by number.
    Staff(i64),
    /// The program itself, as when a seat became free, or whoever has a shell on the server.
    System,
}

closed_set! {
    /// Who changes things, as the histories have it.
    pub enum ActorKind {
        /// A student.
        Student = "student",
        /// A member of the staff.
        Staff = "staff",
        /// Somebody who answers for a student.
        Guardian = "guardian",
        /// The program itself.
        System = "system",
    }
}

impl By {
    /// Which of them it was.
    pub fn kind(self) -> ActorKind {
        match self {
            Self::Student => ActorKind::Student,
            Self::Staff(_) => ActorKind::Staff,
            Self::System => ActorKind::System,
        }
    }

    /// The number of the member of the staff.
    pub fn user_id(self) -> Option<i64> {
        match self {
            Self::Student | Self::System => None,
            Self::Staff(id) => Some(id),
        }
    }
}

/// Adds a row, in the transaction of the change that it reports.
///
/// `action` is a verb ("approve"), `object` a room's noun in the singular ("enrollment"), `detail`
/// an object without secrets; there is no number where it is about a whole list. What changed stands in the
/// detail as `from` and `to`, or as these two under the name of each field.
pub fn record(
    connection: &Connection,
    actor: &Actor,
    action: &str,
    object: &str,
    object_id: impl Into<Option<i64>>,
    detail: Value,
    now: Timestamp,
) -> Result<()> {
    let id = record_unlinked(connection, actor, action, object, object_id, detail, now)?;
    chain::link_newest(connection, id)
}

/// As [`record`], without a link in the chain, and returns the number of the row: for a database of any age,
/// which may have no chain yet. The server links it after its start.
#[expect(
    clippy::needless_pass_by_value,
    reason = "made where it is recorded: json!({ … }), not &json!({ … })"
)]
pub fn record_unlinked(
    connection: &Connection,
    actor: &Actor,
    action: &str,
    object: &str,
    object_id: impl Into<Option<i64>>,
    detail: Value,
    now: Timestamp,
) -> Result<i64> {
    connection
        .prepare_cached(
            "insert into audit (at, user_id, actor, action, object, object_id, detail)
             values (:at, :user_id, :actor, :action, :object, :object_id, :detail)",
        )?
        .execute(named_params! {
            ":at": now.as_second(), ":user_id": actor.user_id, ":actor": actor.name,
            ":action": action, ":object": object, ":object_id": object_id.into(),
            ":detail": detail.to_string(),
        })?;
    Ok(connection.last_insert_rowid())
}
