//! Traits that the portals implement for their accounts.

use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;

use super::links::{Link, LinkPolicy, Purpose};
use super::second_factor::news::FactorNews;
use crate::base::error::Result;
use crate::config::Config;
use crate::web::portal::Portal;

/// Key of an account; ids are unique within a portal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountKey {
    /// Portal of the account.
    pub portal: Portal,
    /// Id of the account.
    pub id: i64,
}

/// How a password was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PasswordChangedBy {
    /// By a link.
    Link,
    /// By the signed-in owner with the current password.
    Owner,
}

/// Storage of a portal's accounts.
pub trait AccountStore: Sized {
    /// The account, if it can be signed in to.
    fn find(connection: &Connection, id: i64) -> Result<Option<Self>>;

    /// The account of a link, if links are allowed for it.
    fn find_by_link(connection: &Connection, id: i64) -> Result<Option<Self>> {
        Self::find(connection, id)
    }

    /// The account with this login name, and its password hash.
    fn find_for_login(connection: &Connection, name: &str) -> Result<Option<(Self, String)>>;

    /// The password hash, if the account can be signed in to.
    fn find_password(connection: &Connection, id: i64) -> Result<Option<String>>;

    /// Stores the hash of a new password.
    fn set_password(connection: &Connection, id: i64, hash: &str, now: Timestamp) -> Result<()>;

    /// Replaces a hash with a renewed one, unless it was changed meanwhile.
    fn renew_hash(connection: &Connection, id: i64, old: &str, new: &str) -> Result<()>;
}

/// An account of one of the portals.
pub trait Owner: AccountStore + Clone + Send + Sync + 'static {
    /// Portal of the account.
    const PORTAL: Portal;

    /// Message for a wrong name or password.
    const WRONG_PASSWORD: &'static str;

    /// Policy of password links.
    const RESETTING: LinkPolicy<Self::Purpose>;

    /// Purposes of the portal's links.
    type Purpose: Purpose;

    /// Response type for messages.
    type Message: From<&'static str> + Serialize;

    /// Id of the account.
    fn id(&self) -> i64;

    /// Label in an authenticator app, beside the school's name.
    fn label(&self) -> &str;

    /// Names that the password must not contain.
    fn names(&self) -> Vec<&str>;

    /// Whether a login requires a second factor.
    fn has_second_factor(&self) -> bool;

    /// Refuses a login with the right password if the account is not active.
    fn check_open(&self, _config: &Config) -> Result<()> {
        Ok(())
    }

    /// Whether a valid link may be used to choose a new password.
    fn may_reset_by(&self, _link: &Link<Self::Purpose>) -> bool {
        true
    }

    /// Records a password change and emails the owner, in the transaction of the change.
    fn password_changed(
        &self,
        connection: &Connection,
        by: PasswordChangedBy,
        config: &Config,
        now: Timestamp,
    ) -> Result<()>;

    /// Records a change of the second factor by its owner, in the same transaction.
    fn record(&self, connection: &Connection, news: FactorNews, now: Timestamp) -> Result<()>;

    /// Emails the owner about a change of the second factor, in the same transaction.
    fn post(&self, connection: &Connection, news: FactorNews, config: &Config, now: Timestamp) -> Result<()>;

    /// Key of the account.
    fn key(&self) -> AccountKey {
        AccountKey { portal: Self::PORTAL, id: self.id() }
    }
}
