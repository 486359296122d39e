//! The table `staff_tokens`: the links in e-mails to the people of the office.
//!
//! Promises: only the hash of a link's secret is kept; a new password ends every link of its account.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension, named_params};

use super::{Account, store};
use crate::base::closed_set::closed_set;
use crate::base::error::Result;
use crate::base::random::Token;
use crate::config::Config;

closed_set! {
    /// What a link is for.
    pub enum StaffLinkPurpose {
        /// Allows a new password.
        ResetPassword = "reset_password",
        /// Confirms a changed address.
        ChangeEmail = "change_email",
    }
}

impl StaffLinkPurpose {
    /// How long such a link works; the e-mails say so too.
    pub const fn valid_for(self) -> SignedDuration {
        match self {
            Self::ResetPassword => SignedDuration::from_hours(1),
            Self::ChangeEmail => SignedDuration::from_hours(48),
        }
    }

    fn page(self) -> &'static str {
        match self {
            Self::ResetPassword => "reset-password",
            Self::ChangeEmail => "confirm-email",
        }
    }
}

/// A link that was drawn and is not kept yet.
pub struct NewLink {
    purpose: StaffLinkPurpose,
    token: Token,
}

impl NewLink {
    /// Draws a link.
    pub fn draw(purpose: StaffLinkPurpose) -> Result<Self> {
        Ok(Self { purpose, token: Token::draw()? })
    }

    /// The page that it opens.
    pub fn url(&self, config: &Config) -> String {
        format!("{}/admin/{}/{}", config.public_url(), self.purpose.page(), self.token.as_str())
    }

    /// Makes the link work from now on. `email` is the address it proves, where that is not the account's.
    pub fn keep(
        &self,
        connection: &Connection,
        user_id: i64,
        email: Option<&str>,
        now: Timestamp,
    ) -> Result<()> {
        let expires_at = now + self.purpose.valid_for();
        connection
            .prepare_cached(
                "insert into staff_tokens (token_hash, user_id, purpose, email, created_at, expires_at)
                 values (:hash, :user_id, :purpose, :email, :now, :expires_at)",
            )?
            .execute(named_params! {
                ":hash": self.token.hash(), ":user_id": user_id, ":purpose": self.purpose, ":email": email,
                ":now": now.as_second(), ":expires_at": expires_at.as_second(),
            })?;
        Ok(())
    }
}

/// A link that lives.
pub struct Link {
    /// Whose it is; an account that may sign in.
    pub account: Account,
    /// The address whose mailbox it proves, where that is not the account's.
    pub email: Option<String>,
}

/// A link by its token's hash, unless it has run out or its account may not sign in.
pub fn find(
    connection: &Connection,
    hash: &[u8; 32],
    purpose: StaffLinkPurpose,
    now: Timestamp,
) -> Result<Option<Link>> {
    let found = connection
        .prepare_cached(
            "select user_id, email from staff_tokens
             where token_hash = :hash and purpose = :purpose and expires_at > :now",
        )?
        .query_row(named_params! { ":hash": hash, ":purpose": purpose, ":now": now.as_second() }, |row| {
            Ok((row.get::<_, i64>(0)?, row.get(1)?))
        })
        .optional()?;
    let Some((user_id, email)) = found else { return Ok(None) };
    Ok(store::find(connection, user_id)?.map(|account| Link { account, email }))
}

/// Makes an account's links of one kind worthless.
pub fn end(connection: &Connection, user_id: i64, purpose: StaffLinkPurpose) -> Result<()> {
    connection
        .prepare_cached("delete from staff_tokens where user_id = :user_id and purpose = :purpose")?
        .execute(named_params! { ":user_id": user_id, ":purpose": purpose })?;
    Ok(())
}

/// Makes every link of an account worthless.
pub fn end_all(connection: &Connection, user_id: i64) -> Result<()> {
    connection
        .prepare_cached("delete from staff_tokens where user_id = :user_id")?
        .execute(named_params! { ":user_id": user_id })?;
    Ok(())
}

/// Deletes links that have run out.
pub fn sweep(connection: &Connection, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached("delete from staff_tokens where expires_at <= :now")?
        .execute(named_params! { ":now": now.as_second() })?;
    Ok(())
}
