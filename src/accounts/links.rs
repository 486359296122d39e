//! The tables `staff_tokens` and `student_tokens`: the links in emails, each proving the mailbox it was sent to.
//!
//! Promises: only the hash of a link's secret is kept; a link is drawn first, so that its email can be
//! queued, and kept only if the email was accepted.

use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use rusqlite::types::{FromSql, ToSql};

use crate::base::closed_set::ClosedSet;
use crate::base::email::Email;
use crate::base::error::{Error, Result};
use crate::base::random::Token;
use crate::config::Config;
use crate::storage::statements::{Statements, params};
use crate::web::portal::Portal;

/// What a link of one portal is for.
pub trait Purpose: ClosedSet + ToSql + FromSql + Send + Sync {
    /// Whose links they are.
    const PORTAL: Portal;

    /// How long such a link works; the emails say so too.
    fn valid_for(self) -> SignedDuration;

    /// The page that it opens.
    fn page(self) -> &'static str;
}

/// A link that was drawn and is not kept yet.
pub struct NewLink<P> {
    purpose: P,
    token: Token,
    valid_for: SignedDuration,
}

impl<P: Purpose> NewLink<P> {
    /// Draws a link.
    pub fn generate(purpose: P) -> Result<Self> {
        Ok(Self { purpose, token: Token::generate()?, valid_for: purpose.valid_for() })
    }

    /// The same for longer, or for less long, than is usual.
    #[must_use]
    pub fn valid_for(self, valid_for: SignedDuration) -> Self {
        Self { valid_for, ..self }
    }

    /// The address of the page that it opens.
    pub fn url(&self, config: &Config) -> String {
        self.url_of(self.purpose.page(), config)
    }

    /// The address of another page that its secret opens.
    pub fn url_of(&self, page: &str, config: &Config) -> String {
        format!("{}{page}/{}", config.public_url(), self.token.as_str())
    }

    /// Makes the link work from now on. `email` is the mailbox it proves; staff need none where it is the
    /// account's own.
    pub fn keep<'a>(
        &self,
        connection: &Connection,
        account_id: i64,
        email: impl Into<Option<&'a Email>>,
        now: Timestamp,
    ) -> Result<()> {
        let sql = P::PORTAL.pick(
            "insert into staff_tokens (token_hash, user_id, purpose, email, created_at, expires_at)
                 values (:hash, :account_id, :purpose, :email, :now, :expires_at)",
            "insert into student_tokens (token_hash, student_id, purpose, email, created_at, expires_at)
                 values (:hash, :account_id, :purpose, :email, :now, :expires_at)",
        );
        let values = params! {
            hash = self.token.hash(), account_id, purpose = self.purpose,
            email = email.into().map(Email::as_str), now = now.as_second(),
            expires_at = (now + self.valid_for).as_second(),
        };
        connection.run(sql, values)
    }
}

/// A link that has not run out.
pub struct Link<P> {
    /// Number of the account that it belongs to.
    pub account_id: i64,
    /// What it is for.
    pub purpose: P,
    /// The mailbox it was sent to; empty where staff have it in the account's own.
    pub email: String,
}

/// Which links a page takes: for which purposes they may have been made, and what is said of one that opens nothing.
#[derive(Clone, Copy)]
pub struct LinkPolicy<P: 'static> {
    /// Any of these.
    pub purposes: &'static [P],
    /// Said of a link that is none, or has run out.
    pub dead: &'static str,
}

impl<P> LinkPolicy<P> {
    /// The answer to a link that opens nothing.
    pub fn refusal(&self) -> Error {
        Error::NotFound(self.dead.into())
    }
}

/// A link by its token's hash, unless it has run out.
pub fn find<P: Purpose>(connection: &Connection, hash: &[u8; 32], now: Timestamp) -> Result<Option<Link<P>>> {
    let sql = P::PORTAL.pick(
        "select user_id as account_id, purpose, ifnull(email, '') as email from staff_tokens
             where token_hash = :hash and expires_at > :now",
        "select student_id as account_id, purpose, email from student_tokens
             where token_hash = :hash and expires_at > :now",
    );
    let found = connection.find(sql, params![hash, now = now.as_second()])?;
    Ok(found.map(|(account_id, purpose, email)| Link { account_id, purpose, email }))
}

/// Notes that a student's link was opened.
pub fn mark_used(connection: &Connection, hash: &[u8; 32], now: Timestamp) -> Result<()> {
    let sql = "update student_tokens set used_at = coalesce(used_at, :now) where token_hash = :hash";
    connection.run(sql, params![hash, now = now.as_second()])
}

/// Makes an account's links of one kind worthless.
pub fn end<P: Purpose>(connection: &Connection, account_id: i64, purpose: P) -> Result<()> {
    let sql = P::PORTAL.pick(
        "delete from staff_tokens where user_id = :account_id and purpose = :purpose",
        "delete from student_tokens where student_id = :account_id and purpose = :purpose",
    );
    connection.run(sql, params![account_id, purpose])
}

/// Makes every link into an account worthless.
///
/// What is left is a student's old mailbox and its way to take a change of address back: the thief who made
/// the change could otherwise end it by choosing a password in the new mailbox.
pub fn end_all<P: Purpose>(connection: &Connection, account_id: i64) -> Result<()> {
    let sql = P::PORTAL.pick(
        "delete from staff_tokens where user_id = :account_id",
        "delete from student_tokens where student_id = :account_id and purpose <> 'undo_email'",
    );
    connection.run(sql, params![account_id])
}

/// Deletes links that have run out.
pub fn sweep<P: Purpose>(connection: &Connection, now: Timestamp) -> Result<()> {
    let sql = P::PORTAL.pick(
        "delete from staff_tokens where expires_at <= :now",
        "delete from student_tokens where expires_at <= :now",
    );
    connection.run(sql, params![now = now.as_second()])
}
