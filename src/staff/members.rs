//! Who belongs to the office: shutting somebody out, letting them in again, another role.
//!
//! The last administrator who may log in can be neither shut out nor demoted; the statement that
//! would do it checks. Absent until its own issue: the browser's side of it.

use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::json;

use super::store::{self, Member};
use super::{Role, account};
use crate::audit::{self, Actor};
use crate::base::error::{Error, Result};
use crate::web::session::{self, Portal};

/// What a command found and did.
#[derive(Debug, PartialEq, Eq)]
pub enum Change {
    /// It was so already; nothing was written.
    None,
    /// It was done, and so many sessions ended.
    Done {
        /// Sessions that ended with it.
        sessions: usize,
    },
}

/// Shuts a member of the staff out: no login, every session and every link ended.
///
/// # Errors
/// [`Error::NotFound`] for an unknown name, [`Error::Conflict`] for the last administrator.
pub fn disable(connection: &Connection, username: &str, actor: &Actor, now: Timestamp) -> Result<Change> {
    let member = find(connection, username)?;
    if member.is_disabled {
        return Ok(Change::None);
    }
    if !store::disable(connection, member.account.id, now)? {
        return Err(last_admin(&member, "disabled"));
    }
    let sessions = account::end_everything(connection, member.account.id)?;
    audit::record(connection, actor, "disable", "user", member.account.id, json!({}), now)?;
    Ok(Change::Done { sessions })
}

/// Lets a member of the staff log in again, with the password from before.
///
/// # Errors
/// [`Error::NotFound`] for an unknown name.
pub fn enable(connection: &Connection, username: &str, actor: &Actor, now: Timestamp) -> Result<Change> {
    let member = find(connection, username)?;
    if !member.is_disabled {
        return Ok(Change::None);
    }
    store::enable(connection, member.account.id)?;
    // A login that was on its way when the account was disabled may have left one behind.
    let sessions = account::end_everything(connection, member.account.id)?;
    audit::record(connection, actor, "enable", "user", member.account.id, json!({}), now)?;
    Ok(Change::Done { sessions })
}

/// Gives a member of the staff another role. Their sessions end: what is open in a browser was
/// opened under the old one, and a session under new rights gets a new id.
///
/// # Errors
/// [`Error::NotFound`] for an unknown name, [`Error::Conflict`] for the last administrator.
pub fn set_role(
    connection: &Connection,
    username: &str,
    role: Role,
    actor: &Actor,
    now: Timestamp,
) -> Result<Change> {
    let member = find(connection, username)?;
    let before = member.account.role;
    if before == role {
        return Ok(Change::None);
    }
    if !store::set_role(connection, member.account.id, role)? {
        return Err(last_admin(&member, "given another role"));
    }
    let sessions = session::end_all(connection, Portal::Staff, member.account.id)?;
    let detail = json!({ "from": before, "to": role });
    audit::record(connection, actor, "set_role", "user", member.account.id, detail, now)?;
    Ok(Change::Done { sessions })
}

fn find(connection: &Connection, username: &str) -> Result<Member> {
    store::find_member(connection, username)?
        .ok_or_else(|| Error::NotFound(format!("there is no member of the staff named {username:?}")))
}

fn last_admin(member: &Member, what: &str) -> Error {
    Error::Conflict(format!(
        "{:?} is the last administrator who can log in, and cannot be {what}; make another one first \
         (create-admin, enable-staff or set-role)",
        member.account.username
    ))
}
