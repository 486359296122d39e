//! Links in emails to students, each verifying the mailbox it was sent to.

use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;

use crate::accounts::links::{self, Purpose};
use crate::base::closed_set::closed_set;
use crate::base::email::Email;
use crate::base::error::Result;
use crate::storage::statements::{Statements, params};
use crate::web::portal::Portal;

/// Message for an invalid verification link (specification, section 2).
pub(super) const BAD_LINK: &str =
    "We couldn't verify your email address. The link may have expired or is invalid.";

/// A generated link, not stored yet.
pub type NewLink = links::NewLink<LinkPurpose>;

/// A link that has not expired.
pub type Link = links::Link<LinkPurpose>;

closed_set! {
    /// Purpose of a link.
    pub enum LinkPurpose {
        /// Confirms the address of a new account, whose password was chosen at the registration.
        Verify = "verify",
        /// The same for an address that was registered again: the password is chosen with the link.
        ChoosePassword = "choose_password",
        /// Confirms a changed address.
        ChangeEmail = "change_email",
        /// Allows a new password.
        ResetPassword = "reset_password",
        /// Reverts a change of address, from the old mailbox.
        UndoEmail = "undo_email",
    }
}

impl Purpose for LinkPurpose {
    const PORTAL: Portal = Portal::Student;

    fn valid_for(self) -> SignedDuration {
        match self {
            Self::Verify | Self::ChoosePassword | Self::ChangeEmail => SignedDuration::from_hours(48),
            Self::ResetPassword => SignedDuration::from_hours(1),
            // Long enough for families who read email weekly; a longer lifetime does not help an attacker.
            Self::UndoEmail => SignedDuration::from_hours(7 * 24),
        }
    }

    fn page(self) -> &'static str {
        match self {
            Self::Verify | Self::ChangeEmail => "/student/verify",
            Self::ChoosePassword => "/student/choose-password",
            Self::ResetPassword => "/student/reset-password",
            Self::UndoEmail => "/student/undo-email-change",
        }
    }
}

/// Page to disown a registration.
pub(super) const NOT_ME: &str = "/student/not-me";

/// The other account that gave this address up recently and may still restore it.
pub fn reserved_by(
    connection: &Connection,
    email: &Email,
    but_for: Option<i64>,
    now: Timestamp,
) -> Result<Option<i64>> {
    let sql = "select student_id from student_tokens where email = :email and purpose = 'undo_email'
        and expires_at > :now and student_id is not :but_for limit 1";
    connection.find(sql, params![email = email.as_str(), now = now.as_second(), but_for])
}

/// Whether there is such an account.
pub fn is_reserved(
    connection: &Connection,
    email: &Email,
    but_for: Option<i64>,
    now: Timestamp,
) -> Result<bool> {
    reserved_by(connection, email, but_for, now).map(|found| found.is_some())
}
