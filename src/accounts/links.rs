//! The tables `staff_tokens` and `student_tokens`: links in emails, each verifying the mailbox it was sent to.
//!
//! Promises: only the hash of a link's secret is stored; a link is generated first, so that its email can be queued,
//! and stored only if the email was accepted.

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

/// Purposes of a portal's links.
pub trait Purpose: ClosedSet + ToSql + FromSql + Send + Sync {
    /// Portal of the links.
    const PORTAL: Portal;

    /// Lifetime of such a link; emails state it, too.
    fn valid_for(self) -> SignedDuration;

    /// Path of its page.
    fn page(self) -> &'static str;
}

/// A generated link, not stored yet.
pub struct NewLink<P> {
    purpose: P,
    token: Token,
    valid_for: SignedDuration,
    next: Option<String>,
}

impl<P: Purpose> NewLink<P> {
    /// Generates a link.
    pub fn generate(purpose: P) -> Result<Self> {
        Ok(Self { purpose, token: Token::generate()?, valid_for: purpose.valid_for(), next: None })
    }

    /// Has its page lead to another one of the portal.
    #[must_use]
    pub fn leading_to(self, next: Option<&str>) -> Self {
        Self { next: next.map(str::to_owned), ..self }
    }

    /// Overrides the lifetime.
    #[must_use]
    pub fn valid_for(self, valid_for: SignedDuration) -> Self {
        Self { valid_for, ..self }
    }

    /// The URL of its page.
    pub fn url(&self, config: &Config) -> String {
        let url = self.url_of(self.purpose.page(), config);
        match &self.next {
            Some(next) => {
                let query =
                    form_urlencoded::Serializer::new(String::new()).append_pair("next", next).finish();
                format!("{url}?{query}")
            }
            None => url,
        }
    }

    /// The URL of another page for its token.
    pub fn url_of(&self, page: &str, config: &Config) -> String {
        format!("{}{page}/{}", config.public_url(), self.token.as_str())
    }

    /// Stores the link. `email` is the mailbox it verifies; not needed for a staff account's own address.
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

/// A link that has not expired.
pub struct Link<P> {
    /// Id of its account.
    pub account_id: i64,
    /// Purpose.
    pub purpose: P,
    /// The mailbox it was sent to; empty for a staff account's own address.
    pub email: String,
}

/// Links accepted by a page: their purposes, and the message for invalid ones.
#[derive(Clone, Copy)]
pub struct LinkPolicy<P: 'static> {
    /// Accepted purposes.
    pub purposes: &'static [P],
    /// Message for an invalid or expired link.
    pub dead: &'static str,
}

impl<P> LinkPolicy<P> {
    /// The error for an invalid link.
    pub fn refusal(&self) -> Error {
        Error::NotFound(self.dead.into())
    }
}

/// Finds a link by its token's hash, unless it has expired.
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

/// Records that a student's link was used.
pub fn mark_used(connection: &Connection, hash: &[u8; 32], now: Timestamp) -> Result<()> {
    let sql = "update student_tokens set used_at = coalesce(used_at, :now) where token_hash = :hash";
    connection.run(sql, params![hash, now = now.as_second()])
}

/// Invalidates an account's links for one purpose.
pub fn end<P: Purpose>(connection: &Connection, account_id: i64, purpose: P) -> Result<()> {
    let sql = P::PORTAL.pick(
        "delete from staff_tokens where user_id = :account_id and purpose = :purpose",
        "delete from student_tokens where student_id = :account_id and purpose = :purpose",
    );
    connection.run(sql, params![account_id, purpose])
}

/// Invalidates all links of an account.
///
/// Except a student's link in the old mailbox to revert a change of address: otherwise an attacker who made the change
/// could invalidate it by choosing a password in the new mailbox.
pub fn end_all<P: Purpose>(connection: &Connection, account_id: i64) -> Result<()> {
    let sql = P::PORTAL.pick(
        "delete from staff_tokens where user_id = :account_id",
        "delete from student_tokens where student_id = :account_id and purpose <> 'undo_email'",
    );
    connection.run(sql, params![account_id])
}

/// Deletes expired links.
pub fn sweep<P: Purpose>(connection: &Connection, now: Timestamp) -> Result<()> {
    let sql = P::PORTAL.pick(
        "delete from staff_tokens where expires_at <= :now",
        "delete from student_tokens where expires_at <= :now",
    );
    connection.run(sql, params![now = now.as_second()])
}
