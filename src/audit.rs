//! What staff did, and which student documents they looked at. Rows are only ever added.

use jiff::Timestamp;
use rusqlite::{Connection, named_params};
use serde_json::Value;

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
        }
    }

    /// The number of the member of the staff.
    pub fn user_id(self) -> Option<i64> {
        match self {
            Self::Student => None,
            Self::Staff(id) => Some(id),
        }
    }
}

/// Adds a row, in the transaction of the change that it reports.
///
/// `action` is a verb ("approve"), `object` a room's noun in the singular ("enrollment"), `detail`
/// an object without secrets.
#[expect(
    clippy::needless_pass_by_value,
    reason = "made where it is recorded: json!({ … }), not &json!({ … })"
)]
pub fn record(
    connection: &Connection,
    actor: &Actor,
    action: &str,
    object: &str,
    object_id: i64,
    detail: Value,
    now: Timestamp,
) -> Result<()> {
    connection
        .prepare_cached(
            "insert into audit (at, user_id, actor, action, object, object_id, detail)
             values (:at, :user_id, :actor, :action, :object, :object_id, :detail)",
        )?
        .execute(named_params! {
            ":at": now.as_second(), ":user_id": actor.user_id, ":actor": actor.name,
            ":action": action, ":object": object, ":object_id": object_id,
            ":detail": detail.to_string(),
        })?;
    Ok(())
}
