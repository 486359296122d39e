//! Accounts that are opened for a student, by the office or by an accepted application. The student chooses the
//! password by an invitation, which also verifies the address.

use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::json;

use super::profile::Profile;
use super::requests::AccountLinks;
use super::{Student, identity, store};
use crate::audit::{self, Actor, By};
use crate::base::change::Change;
use crate::base::email::Email;
use crate::base::error::Result;
use crate::base::hashing;
use crate::config::Config;
use crate::mail::Cause;
use crate::web::id::Numbered;

/// A validated new account.
#[derive(Debug, Clone)]
pub struct NewAccount {
    /// Email address.
    pub email: Email,
    /// Profile, possibly incomplete.
    pub profile: Profile,
    /// Whether an invitation is sent.
    pub is_invited: bool,
}

/// Opens an account with an unused address that no other student can take back: [`is_reserved`](super::links::is_reserved).
pub fn open(
    connection: &Connection,
    new: &NewAccount,
    by: By,
    actor: &Actor,
    config: &Config,
    now: Timestamp,
) -> Result<Student> {
    let find = |id| store::find(connection, id)?.ok_or_else(Student::not_found);
    let id = store::insert_by_office(connection, &new.email, hashing::NO_PASSWORD, now)?;
    let before = find(id)?;
    store::write_profile(connection, id, &new.profile, now)?;
    let student = find(id)?;
    let change = Change { before: &before, after: &student };
    identity::record_changes(connection, by, change, None, config, now)?;
    let detail = json!({ "invited": new.is_invited });
    audit::record(connection, actor, "create", "student", id, detail, now)?;
    if new.is_invited {
        let desk = AccountLinks { connection, config, cause: Cause::Office, next: None, now };
        desk.send_verification(&new.email, &student)?;
    }
    Ok(student)
}
