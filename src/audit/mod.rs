//! The audit trail of staff actions and views of student documents. Rows are only added, each linked to those before
//! it.

pub mod chain;
mod exports;
pub mod filter;
pub mod trail;
mod words;

use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::Value;

pub use self::exports::respond;
use crate::base::closed_set::closed_set;
use crate::base::error::Result;
use crate::storage::statements::{Statements, params};

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

    /// A student; the row's detail has the id.
    pub fn student() -> Self {
        Self { user_id: None, name: "student".to_owned() }
    }

    /// A family, which accepted an offer.
    pub fn family() -> Self {
        Self { user_id: None, name: "family".to_owned() }
    }

    /// The program itself.
    pub fn system() -> Self {
        Self { user_id: None, name: "system".to_owned() }
    }

    /// An operator on the command line.
    pub fn command_line() -> Self {
        Self { user_id: None, name: "command line".to_owned() }
    }
}

/// Member of the staff who acts.
#[derive(Debug, Clone, Copy)]
pub struct ActingStaff<'a> {
    /// Id, for histories.
    pub id: i64,
    /// Actor, for the audit trail.
    pub actor: &'a Actor,
}

/// Actor of a change in a student's or enrollment's history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The student.
    Student,
    /// A staff member, by id.
    Staff(i64),
    /// A parent or guardian.
    Guardian,
    /// The program itself, for example when a seat became free, or an operator on the command line.
    System,
}

closed_set! {
    /// Kind of actor in histories.
    pub enum ActorKind {
        /// A student.
        Student = "student",
        /// A member of the staff.
        Staff = "staff",
        /// A parent or guardian.
        Guardian = "guardian",
        /// The program itself.
        System = "system",
    }
}

impl By {
    /// Kind of the actor.
    pub fn kind(self) -> ActorKind {
        match self {
            Self::Student => ActorKind::Student,
            Self::Staff(_) => ActorKind::Staff,
            Self::Guardian => ActorKind::Guardian,
            Self::System => ActorKind::System,
        }
    }

    /// Id of the staff member.
    pub fn user_id(self) -> Option<i64> {
        match self {
            Self::Student | Self::Guardian | Self::System => None,
            Self::Staff(id) => Some(id),
        }
    }
}

/// Adds a row, in the transaction of the change that it reports.
///
/// `action` is a verb of the table in `words` ("approve"), `object` a room's noun in the singular ("enrollment"), `detail`
/// an object without secrets; the id is absent for a whole list. Changes are in the detail as `from` and `to`, or as these
/// two under the name of each field.
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

/// As [`record`], without a link in the chain, and returns the number of the row: for a database of any version, which
/// may have no chain yet. The server links it after its start.
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
    debug_assert!(words::done(action).is_some(), "audit/words.rs has no past tense of {action:?}");
    let sql = "insert into audit (at, user_id, actor, action, object, object_id, detail)
        values (:at, :user_id, :actor, :action, :object, :object_id, :detail)";
    let values = params! {
        at = now.as_second(), user_id = actor.user_id, actor = actor.name, action, object,
        object_id = object_id.into(), detail = detail.to_string(),
    };
    connection.insert(sql, values)
}
