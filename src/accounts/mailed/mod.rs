//! The table `links`: links in emails to people without an account, and the sessions of browsers that opened one.
//!
//! A link may be opened as often as one likes until it expires, because mail scanners open links, too. Its page
//! exchanges it for a session of a day, so that the secret stands in no further address. Promises: only hashes are
//! stored; a session ends with the links of its mailbox.

pub mod requests;
mod session;

use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;

pub use self::session::{LinkHolder, MailedPurpose, SessionCookie, end, exchange, spend};
use crate::base::closed_set::closed_set;
use crate::base::email::Email;
use crate::base::error::Result;
use crate::base::random::Token;
use crate::config::Config;
use crate::storage::statements::{Statements, params};

closed_set! {
    /// What a link opens.
    pub enum MailedLinkPurpose {
        /// One application for a place, by its number.
        Application = "application",
        /// Puts the old address of an application back, from its mailbox; it begins no session.
        ApplicationUndo = "application_undo",
        /// The students who name the mailbox as their parent's or guardian's.
        Family = "family",
    }
}

impl MailedLinkPurpose {
    /// Path of its page.
    fn page(self) -> &'static str {
        match self {
            Self::Application => "/application",
            Self::ApplicationUndo => "/application/undo-email-change",
            Self::Family => "/family",
        }
    }

    /// The message for an invalid or expired link.
    pub fn dead(self) -> &'static str {
        match self {
            Self::Application => {
                "This link has expired or is not complete. Ask for a new one with the email address of the \
                 application."
            }
            Self::ApplicationUndo => {
                "This link has expired or was used already. If anything is wrong with your application, please contact \
                 the office."
            }
            Self::Family => {
                "This link has expired or is not complete. Ask for a new one with the email address that the \
                 school has of you."
            }
        }
    }
}

/// A generated link, not stored yet.
pub struct NewMailedLink {
    purpose: MailedLinkPurpose,
    token: Token,
    valid_for: SignedDuration,
}

impl NewMailedLink {
    /// Generates a link.
    pub fn generate(purpose: MailedLinkPurpose, valid_for: SignedDuration) -> Result<Self> {
        Ok(Self { purpose, token: Token::generate()?, valid_for })
    }

    /// The URL of its page.
    pub fn url(&self, config: &Config) -> String {
        format!("{}{}/{}", config.public_url(), self.purpose.page(), self.token.as_str())
    }

    /// Stores the link; to be called once its email was accepted.
    pub fn keep(
        &self,
        connection: &Connection,
        subject_id: Option<i64>,
        email: &Email,
        now: Timestamp,
    ) -> Result<()> {
        let row = LinkRow { purpose: self.purpose, subject_id, email: email.as_str(), is_session: false };
        row.insert(connection, &self.token, now + self.valid_for, now)
    }
}

/// A row to be stored.
struct LinkRow<'a> {
    purpose: MailedLinkPurpose,
    subject_id: Option<i64>,
    email: &'a str,
    is_session: bool,
}

impl LinkRow<'_> {
    fn insert(
        &self,
        connection: &Connection,
        token: &Token,
        expires_at: Timestamp,
        now: Timestamp,
    ) -> Result<()> {
        let sql =
            "insert into links (token_hash, purpose, subject_id, email, is_session, created_at, expires_at)
            values (:hash, :purpose, :subject_id, :email, :is_session, :now, :expires_at)";
        let values = params! {
            hash = token.hash(), purpose = self.purpose, subject_id = self.subject_id, email = self.email,
            is_session = self.is_session, now = now.as_second(), expires_at = expires_at.as_second(),
        };
        connection.run(sql, values)
    }
}

/// Ends the links and sessions of a subject, except those of the mailboxes that it still has, and the session `kept`.
pub fn end_of_others<P: MailedPurpose>(
    connection: &Connection,
    subject_id: i64,
    mailboxes: [Option<&Email>; 2],
    kept: Option<&LinkHolder<P>>,
) -> Result<()> {
    let [one, other] = mailboxes.map(|email| email.map_or("", Email::as_str));
    let sql = "delete from links where purpose = :purpose and subject_id = :subject_id
        and email not in (:one, :other) and token_hash is not :kept";
    let kept = kept.map(LinkHolder::hash);
    connection.run(sql, params![purpose = P::PURPOSE, subject_id, one, other, kept])
}

/// Ends the links and sessions of one mailbox of a subject.
pub fn end_of_mailbox(
    connection: &Connection,
    purpose: MailedLinkPurpose,
    subject_id: i64,
    email: &str,
) -> Result<()> {
    let sql = "delete from links where purpose = :purpose and subject_id = :subject_id and +email = :email";
    connection.run(sql, params![purpose, subject_id, email])
}

/// Ends every link and session of a subject, which is deleted.
pub fn end_all(connection: &Connection, purpose: MailedLinkPurpose, subject_id: i64) -> Result<()> {
    let sql = "delete from links where purpose = :purpose and subject_id = :subject_id";
    connection.run(sql, params![purpose, subject_id])
}

/// Deletes expired links, sessions and requests.
pub fn sweep(connection: &Connection, now: Timestamp) -> Result<()> {
    connection.run("delete from links where expires_at <= :now", params![now = now.as_second()])?;
    requests::sweep(connection, now)
}
