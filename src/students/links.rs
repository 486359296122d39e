//! The table `student_tokens`: the links in e-mails, each proving the mailbox it was sent to.
//!
//! Promises: only the hash of a link's secret is kept; a link is drawn first, so that its e-mail can be
//! queued, and kept only if the e-mail was accepted.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension, named_params};

use crate::base::closed_set::closed_set;
use crate::base::email::Email;
use crate::base::error::Result;
use crate::base::random::Token;
use crate::config::Config;

/// Said of a link that does not verify (specification, section 2).
pub(super) const BAD_LINK: &str =
    "We couldn't verify your email address. The link may have expired or is invalid.";

closed_set! {
    /// What a link is for.
    pub enum LinkPurpose {
        /// Confirms the address of a new account, whose password was chosen at the registration.
        Verify = "verify",
        /// The same for an address that was registered again: the password is chosen by the link.
        ChoosePassword = "choose_password",
        /// Confirms a changed address.
        ChangeEmail = "change_email",
        /// Allows a new password.
        ResetPassword = "reset_password",
        /// Takes a change of address back, from the old mailbox.
        UndoEmail = "undo_email",
    }
}

impl LinkPurpose {
    /// How long such a link works; the e-mails say so too.
    pub const fn valid_for(self) -> SignedDuration {
        match self {
            Self::Verify | Self::ChoosePassword | Self::ChangeEmail => SignedDuration::from_hours(48),
            Self::ResetPassword => SignedDuration::from_hours(1),
            // A family reads its e-mail within a week, and the thief is not faster by waiting.
            Self::UndoEmail => SignedDuration::from_hours(7 * 24),
        }
    }

    fn page(self) -> &'static str {
        match self {
            Self::Verify | Self::ChangeEmail => "verify",
            Self::ChoosePassword => "choose-password",
            Self::ResetPassword => "reset-password",
            Self::UndoEmail => "undo-email-change",
        }
    }
}

/// A link that was drawn and is not kept yet.
pub struct NewLink {
    purpose: LinkPurpose,
    token: Token,
    valid_for: SignedDuration,
}

impl NewLink {
    /// Draws a link.
    pub fn draw(purpose: LinkPurpose) -> Result<Self> {
        Ok(Self { purpose, token: Token::draw()?, valid_for: purpose.valid_for() })
    }

    /// The same for longer, or for less long, than is usual.
    #[must_use]
    pub fn valid_for(self, valid_for: SignedDuration) -> Self {
        Self { valid_for, ..self }
    }

    /// The page that it opens.
    pub fn url(&self, config: &Config) -> String {
        format!("{}/student/{}/{}", config.public_url(), self.purpose.page(), self.token.as_str())
    }

    /// The page on which the owner of the mailbox says that the registration was not theirs.
    pub fn not_me_url(&self, config: &Config) -> String {
        format!("{}/student/not-me/{}", config.public_url(), self.token.as_str())
    }

    /// Makes the link work from now on.
    pub fn keep(
        &self,
        connection: &Connection,
        student_id: i64,
        email: &Email,
        now: Timestamp,
    ) -> Result<()> {
        let expires_at = now + self.valid_for;
        connection
            .prepare_cached(
                "insert into student_tokens (token_hash, student_id, purpose, email, created_at, expires_at)
                 values (:hash, :student_id, :purpose, :email, :now, :expires_at)",
            )?
            .execute(named_params! {
                ":hash": self.token.hash(), ":student_id": student_id, ":purpose": self.purpose,
                ":email": email.as_str(), ":now": now.as_second(), ":expires_at": expires_at.as_second(),
            })?;
        Ok(())
    }
}

/// A link that has not run out.
pub struct Link {
    /// Whose it is.
    pub student_id: i64,
    /// What it is for.
    pub purpose: LinkPurpose,
    /// The mailbox it was sent to.
    pub email: String,
}

/// A link by its token's hash, unless it has run out.
pub fn find(connection: &Connection, hash: &[u8; 32], now: Timestamp) -> Result<Option<Link>> {
    Ok(connection
        .prepare_cached(
            "select student_id, purpose, email from student_tokens
             where token_hash = :hash and expires_at > :now",
        )?
        .query_row(named_params! { ":hash": hash, ":now": now.as_second() }, |row| {
            Ok(Link {
                student_id: row.get("student_id")?,
                purpose: row.get("purpose")?,
                email: row.get("email")?,
            })
        })
        .optional()?)
}

/// Notes that a link was opened.
pub fn mark_used(connection: &Connection, hash: &[u8; 32], now: Timestamp) -> Result<()> {
    connection
        .prepare_cached(
            "update student_tokens set used_at = coalesce(used_at, :now) where token_hash = :hash",
        )?
        .execute(named_params! { ":hash": hash, ":now": now.as_second() })?;
    Ok(())
}

/// Makes a student's links of one kind worthless.
pub fn end(connection: &Connection, student_id: i64, purpose: LinkPurpose) -> Result<()> {
    connection
        .prepare_cached("delete from student_tokens where student_id = :student_id and purpose = :purpose")?
        .execute(named_params! { ":student_id": student_id, ":purpose": purpose })?;
    Ok(())
}

/// Makes every link into a student's account worthless.
///
/// What is left is the old mailbox's way to take a change of address back: whoever made the change
/// could otherwise end it by choosing a password in the new mailbox. [`end_undo`] ends that one.
pub fn end_all(connection: &Connection, student_id: i64) -> Result<()> {
    connection
        .prepare_cached(
            "delete from student_tokens where student_id = :student_id and purpose <> 'undo_email'",
        )?
        .execute(named_params! { ":student_id": student_id })?;
    Ok(())
}

/// Ends every mailbox's way to take a change of address back.
pub fn end_undo(connection: &Connection, student_id: i64) -> Result<()> {
    end(connection, student_id, LinkPurpose::UndoEmail)
}

/// Whether another account gave this address up so lately that it may still take it back.
pub fn is_reserved(
    connection: &Connection,
    email: &Email,
    but_for: Option<i64>,
    now: Timestamp,
) -> Result<bool> {
    Ok(connection
        .prepare_cached(
            "select exists(select 1 from student_tokens where email = :email and purpose = 'undo_email'
                 and expires_at > :now and student_id is not :but_for)",
        )?
        .query_row(
            named_params! { ":email": email.as_str(), ":now": now.as_second(), ":but_for": but_for },
            |row| row.get(0),
        )?)
}

/// Deletes links that have run out.
pub fn sweep(connection: &Connection, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached("delete from student_tokens where expires_at <= :now")?
        .execute(named_params! { ":now": now.as_second() })?;
    Ok(())
}
