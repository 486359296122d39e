//! Who belongs to the office: shutting somebody out, letting them in again, another role. The browser and
//! the command line do it alike.
//!
//! The last administrator who may log in can be neither shut out nor demoted; the statement that
//! would do it checks.

use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::invitations::store as invitations;
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

/// What was found and done.
#[derive(Debug, PartialEq, Eq)]
pub enum MembershipChange {
    /// It was so already; nothing was written.
    None,
    /// It was done, and so many sessions ended.
    Done {
        /// Sessions that ended with it.
        sessions: usize,
    },
}

/// What a new username must be; the interface says it in the same words.
const USERNAME_RULE: &str = "must be 1 to 64 letters (a to z), digits or . _ -";

/// A name to log in with, of characters that cannot be taken for one another's: a Cyrillic letter in `office`
/// would make a second one. Accounts from before this rule keep their names.
///
/// # Errors
/// The rule that it breaks.
pub fn check_username(text: &str) -> Result<(), &'static str> {
    let is_right = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    if (1..=64).contains(&text.len()) && text.bytes().all(is_right) { Ok(()) } else { Err(USERNAME_RULE) }
}

/// Whoever changes who belongs to the office, in a write.
pub struct StaffAccounts<'a> {
    /// Of the write.
    pub connection: &'a Connection,
    /// The school's.
    pub config: &'a Config,
    /// Who does it.
    pub actor: &'a Actor,
    /// When.
    pub now: Timestamp,
}

impl StaffAccounts<'_> {
    /// A member of the staff by the name they log in with.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown name.
    pub fn find(&self, username: &str) -> Result<StaffMember> {
        store::find_member(self.connection, username)?
            .ok_or_else(|| Error::NotFound(format!("there is no member of the staff named {username:?}")))
    }

    /// Shuts a member of the staff out: no login, every session and every link ended.
    ///
    /// # Errors
    /// [`Error::Conflict`] for the last administrator.
    pub fn disable(&self, member: &StaffMember) -> Result<MembershipChange> {
        if member.is_disabled {
            return Ok(MembershipChange::None);
        }
        let account = &member.account;
        if !store::disable(self.connection, account.id, self.now)? {
            return Err(last_admin(member, "disabled"));
        }
        let sessions = end_everything::<StaffAccount>(self.connection, account.id)?;
        invitations::expire_of(self.connection, account.id, self.now)?;
        self.record("disable", account.id, json!({}))?;
        self.post(&account.email, |to| emails::account_disabled(to, account, self.config))?;
        Ok(MembershipChange::Done { sessions })
    }

    /// Lets a member of the staff log in again, with the password from before.
    pub fn enable(&self, member: &StaffMember) -> Result<MembershipChange> {
        if !member.is_disabled {
            return Ok(MembershipChange::None);
        }
        store::enable(self.connection, member.account.id)?;
        // A login that was on its way when the account was disabled may have left one behind.
        let sessions = end_everything::<StaffAccount>(self.connection, member.account.id)?;
        self.record("enable", member.account.id, json!({}))?;
        Ok(MembershipChange::Done { sessions })
    }

    /// Gives a member of the staff another role. It holds from their next request on, since each looks the
    /// role up. Returns whether it is another one.
    ///
    /// # Errors
    /// [`Error::Conflict`] for the last administrator.
    pub fn set_role(&self, member: &StaffMember, role: Role) -> Result<bool> {
        let (account, before) = (&member.account, member.account.role);
        if before == role {
            return Ok(false);
        }
        // Those who are administrators before it: whoever is demoted hears of it as such, too.
        let admins = store::admin_emails(self.connection)?;
        if !store::set_role(self.connection, account.id, role)? {
            return Err(last_admin(member, "given another role"));
        }
        if !role.duties(&self.config.office).contains(&Duty::Staff) {
            invitations::expire_of(self.connection, account.id, self.now)?;
        }
        self.record("set_role", account.id, json!({ "from": before, "to": role }))?;
        self.post(&account.email, |to| emails::role_changed(to, account, role, self.config))?;
        for admin in admins.iter().filter(|admin| admin.as_str() != account.email) {
            let message = emails::colleagues_role_changed(admin, account, role, self.config);
            outbox::enqueue(self.connection, &message, Cause::Office, self.config, self.now)?;
        }
        Ok(true)
    }

    /// Ends every session of a member of the staff, and no link. Returns how many.
    pub fn end_sessions(&self, member: &StaffMember) -> Result<usize> {
        let ended = session::end_all(self.connection, Portal::Staff, member.account.id)?;
        self.record("end sessions", member.account.id, json!({ "sessions": ended }))?;
        Ok(ended)
    }

    /// Notes what was done to an account.
    pub(super) fn record(&self, action: &str, id: i64, detail: Value) -> Result<()> {
        store::count_change(self.connection, id)?;
        audit::record(self.connection, self.actor, action, "user", id, detail, self.now)
    }

    /// Queues an e-mail to an address of the office.
    pub(super) fn post(&self, to: &str, message: impl FnOnce(&Email) -> EmailMessage) -> Result<()> {
        // An address from before a rule was tightened cannot be written to, and keeps nobody from acting.
        let Ok(to) = Email::parse(to) else { return Ok(()) };
        outbox::enqueue(self.connection, &message(&to), Cause::Office, self.config, self.now).map(drop)
    }
}

fn last_admin(member: &StaffMember, what: &str) -> Error {
    Error::Conflict(format!(
        "{:?} is the last administrator who can log in, and cannot be {what}; make another one first \
         (an invitation, create-admin, enable-staff or set-role)",
        member.account.username
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_username_is_made_of_characters_that_nobody_mistakes() {
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
    fn the_interface_has_the_same_rule_in_the_same_words() {
        let source = include_str!("../../ui/src/staff/username.ts");
        assert!(source.contains(&format!("'Username {USERNAME_RULE}'")), "{source}");
        assert!(source.contains("/^[A-Za-z0-9._-]{1,64}$/"), "{source}");
    }
}
