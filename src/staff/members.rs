//! Disabling, enabling and changing the role of staff accounts, for the browser and the command line.
//!
//! The last administrator who can log in can be neither disabled nor demoted; the SQL statement itself checks this.

use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::invitations::store as invitations;
use super::row::StaffRow;
use super::store::{self, StaffMember};
use super::{Duty, Role, StaffAccount, emails};
use crate::accounts::password::end_everything;
use crate::audit::{self, Actor};
use crate::base::email::Email;
use crate::base::error::{Error, Result};
use crate::config::Config;
use crate::mail::{Cause, EmailMessage, outbox};
use crate::web::portal::Portal;
use crate::web::session;

/// Result of a change.
#[derive(Debug, PartialEq, Eq)]
pub enum MembershipChange {
    /// Nothing to do; nothing was written.
    None,
    /// The change was made.
    Done {
        /// Number of ended sessions.
        sessions: usize,
    },
}

/// Rule for new usernames; the interface uses the same text.
const USERNAME_RULE: &str = "must be 1 to 64 letters (a to z), digits or . _ -";

/// Validates a login name. Only ASCII characters, since a Cyrillic letter in `office` would look the same. Accounts
/// from before this rule keep their names.
///
/// # Errors
/// The violated rule.
pub fn check_username(text: &str) -> Result<(), &'static str> {
    let is_right = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    if (1..=64).contains(&text.len()) && text.bytes().all(is_right) { Ok(()) } else { Err(USERNAME_RULE) }
}

/// Context for changing staff accounts, in a write.
pub struct StaffAccounts<'a> {
    /// Connection of the write.
    pub connection: &'a Connection,
    /// Configuration.
    pub config: &'a Config,
    /// The acting user.
    pub actor: &'a Actor,
    /// Current time.
    pub now: Timestamp,
}

impl StaffAccounts<'_> {
    /// Finds a staff member by login name.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown name.
    pub fn find(&self, username: &str) -> Result<StaffMember> {
        store::find_member(self.connection, username)?
            .ok_or_else(|| Error::NotFound(format!("there is no member of the staff named {username:?}")))
    }

    /// Disables an account: ends every session and link.
    ///
    /// # Errors
    /// [`Error::Conflict`] for the last administrator.
    pub fn disable(&self, member: &StaffMember) -> Result<MembershipChange> {
        if member.is_disabled {
            return Ok(MembershipChange::None);
        }
        let account = &member.account;
        if !store::disable(self.connection, account.id, self.now)? {
            return Err(self.last_admin(member, "disabled"));
        }
        let sessions = end_everything::<StaffAccount>(self.connection, account.id)?;
        invitations::expire_of(self.connection, account.id, self.now)?;
        self.record("disable", account.id, json!({}))?;
        self.queue_email(&account.email, |to| emails::account_disabled(to, account, self.config))?;
        Ok(MembershipChange::Done { sessions })
    }

    /// Enables an account, with its previous password.
    pub fn enable(&self, member: &StaffMember) -> Result<MembershipChange> {
        if !member.is_disabled {
            return Ok(MembershipChange::None);
        }
        store::enable(self.connection, member.account.id)?;
        // A login in progress when the account was disabled may have left a session.
        let sessions = end_everything::<StaffAccount>(self.connection, member.account.id)?;
        self.record("enable", member.account.id, json!({}))?;
        Ok(MembershipChange::Done { sessions })
    }

    /// Changes the role of an account, which applies from the next request. Returns whether it changed.
    ///
    /// # Errors
    /// [`Error::Conflict`] for the last administrator.
    pub fn set_role(&self, member: &StaffMember, role: Role) -> Result<bool> {
        let account = &member.account;
        let before = member.account.role;
        if before == role {
            return Ok(false);
        }
        // The administrators before the change, so that a demoted one is notified, too.
        let admins = store::admin_emails(self.connection)?;
        if !store::set_role(self.connection, account.id, role)? {
            return Err(self.last_admin(member, "given another role"));
        }
        if !role.duties(&self.config.office).contains(&Duty::Staff) {
            invitations::expire_of(self.connection, account.id, self.now)?;
        }
        self.record("set_role", account.id, json!({ "from": before, "to": role }))?;
        self.queue_email(&account.email, |to| emails::role_changed(to, account, role, self.config))?;
        for admin in admins.iter().filter(|admin| admin.as_str() != account.email) {
            let message = emails::colleagues_role_changed(admin, account, role, self.config);
            outbox::enqueue(self.connection, &message, Cause::Office, self.config, self.now)?;
        }
        Ok(true)
    }

    /// Ends every session of a staff member, but no links. Returns the number.
    pub fn end_sessions(&self, member: &StaffMember) -> Result<usize> {
        let ended = session::end_all(self.connection, Portal::Staff, member.account.id)?;
        self.record("end sessions", member.account.id, json!({ "sessions": ended }))?;
        Ok(ended)
    }

    fn last_admin(&self, member: &StaffMember, what: &str) -> Error {
        let message = format!(
            "{:?} is the last administrator who can log in, and cannot be {what}; create another one first \
             (an invitation, create-admin, enable-staff or set-role)",
            member.account.username
        );
        self.conflict(member, message)
    }

    /// A conflict with the account as it is.
    pub fn conflict(&self, member: &StaffMember, message: impl Into<String>) -> Error {
        match StaffRow::new(self.connection, member.clone(), &self.config.office, self.now) {
            Ok(row) => Error::conflict(message, &row),
            Err(error) => error,
        }
    }

    /// Records an action on an account.
    pub fn record(&self, action: &str, id: i64, detail: Value) -> Result<()> {
        store::count_change(self.connection, id)?;
        audit::record(self.connection, self.actor, action, "user", id, detail, self.now)
    }

    /// Queues an email to a staff address.
    pub(super) fn queue_email(&self, to: &str, message: impl FnOnce(&Email) -> EmailMessage) -> Result<()> {
        // An address that is invalid by newer rules is skipped and must not block the action.
        let Ok(to) = Email::parse(to) else { return Ok(()) };
        outbox::enqueue(self.connection, &message(&to), Cause::Office, self.config, self.now).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_username_has_only_unambiguous_characters() {
        for name in ["a", "Head.Teacher", "front_desk-2", "0", &"x".repeat(64)] {
            assert_eq!(check_username(name), Ok(()), "{name}");
        }
        let long = "x".repeat(65);
        for name in ["", " ", "a b", "offi\u{441}e", "Zoë", "王", "a\u{200b}b", "a@b", "a/b", "a\n", &long]
        {
            assert_eq!(check_username(name), Err(USERNAME_RULE), "{name:?}");
        }
    }

    #[test]
    fn the_interface_has_the_same_rule_and_text() {
        let source = include_str!("../../ui/src/staff/username.ts");
        assert!(source.contains(&format!("'Username {USERNAME_RULE}'")), "{source}");
        assert!(source.contains("/^[A-Za-z0-9._-]{1,64}$/"), "{source}");
    }
}
