//! The owner of an account, as the rest of this room knows them.

use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;

use super::links::{Link, LinkPolicy, Purpose};
use super::second_factor::news::FactorNews;
use crate::base::error::Result;
use crate::config::Config;
use crate::web::portal::Portal;

/// Which account: numbers are unique within a portal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountKey {
    /// Where its owner logs in.
    pub portal: Portal,
    /// Number of the account.
    pub id: i64,
}

/// How a password was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PasswordChangedBy {
    /// By a link.
    Link,
    /// By an owner who was signed in and knew the one before.
    Owner,
}

/// What the accounts' table of a portal does for this room.
pub trait AccountStore: Sized {
    /// The account, if it may be signed in to.
    fn find(connection: &Connection, id: i64) -> Result<Option<Self>>;

    /// The account that a link was made for, if links open it.
    fn find_by_link(connection: &Connection, id: i64) -> Result<Option<Self>> {
        Self::find(connection, id)
    }

    /// The account by the name that its owner logs in with, and the hash of its password.
    fn find_for_login(connection: &Connection, name: &str) -> Result<Option<(Self, String)>>;

    /// The hash of its password, if it may be signed in to.
    fn find_password(connection: &Connection, id: i64) -> Result<Option<String>>;

    /// Sets the hash of a new password.
    fn set_password(connection: &Connection, id: i64, hash: &str, now: Timestamp) -> Result<()>;

    /// Puts a renewed hash in the place of the one that it was made from, unless another is there by now.
    fn renew_hash(connection: &Connection, id: i64, old: &str, new: &str) -> Result<()>;
}

/// An account of one of the portals: what its room knows of it, and does for it.
pub trait Owner: AccountStore + Clone + Send + Sync + 'static {
    /// Where they log in.
    const PORTAL: Portal;

    /// Said of a name or a password that opens nothing.
    const WRONG_PASSWORD: &'static str;

    /// The links to a new password.
    const RESETTING: LinkPolicy<Self::Purpose>;

    /// What the links of the portal are for.
    type Purpose: Purpose;

    /// What the portal's calls answer that answer a sentence.
    type Message: From<&'static str> + Serialize;

    /// Its number.
    fn id(&self) -> i64;

    /// What an authenticator app calls it, beside the school's name.
    fn label(&self) -> &str;

    /// What its password is not made from.
    fn names(&self) -> Vec<&str>;

    /// Whether a login takes more than the password.
    fn has_second_factor(&self) -> bool;

    /// Refuses a login that knew the password, where the account is not open.
    fn check_open(&self) -> Result<()> {
        Ok(())
    }

    /// Whether a link that lives may still choose a new password.
    fn may_reset_by(&self, _link: &Link<Self::Purpose>) -> bool {
        true
    }

    /// Notes that the password was changed and tells the owner by email, in the transaction of the change.
    fn password_changed(
        &self,
        connection: &Connection,
        by: PasswordChangedBy,
        config: &Config,
        now: Timestamp,
    ) -> Result<()>;

    /// Notes what its owner did to the second factor, in the transaction of the change.
    fn record(&self, connection: &Connection, news: FactorNews, now: Timestamp) -> Result<()>;

    /// Tells its owner by email what happened to the second factor, in the same transaction.
    fn post(&self, connection: &Connection, news: FactorNews, config: &Config, now: Timestamp) -> Result<()>;

    /// Which account it is.
    fn key(&self) -> AccountKey {
        AccountKey { portal: Self::PORTAL, id: self.id() }
    }
}
