//! What staff did, and which student documents they looked at. Rows are only ever added.

use jiff::Timestamp;
use rusqlite::{Connection, named_params};
use serde_json::Value;

use crate::plumbing::error::Result;

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

/// Adds a row, in the transaction of the change that it reports.
///
/// `action` is a verb ("approve"), `object` a room's noun in the singular ("enrollment"), `detail`
/// an object without secrets.
///
/// # Errors
/// When the database refuses.
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
