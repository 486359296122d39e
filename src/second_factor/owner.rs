//! Whose second factor it is, and what a write about it needs.

use jiff::Timestamp;
use rusqlite::Connection;

use super::news::FactorNews;
use crate::base::error::{Error, Result};
use crate::config::Config;
use crate::web::app::App;
use crate::web::portal::Portal;

/// Whose a second factor is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Whose {
    /// Where they log in.
    pub portal: Portal,
    /// Number of the account.
    pub id: i64,
}

/// An account that may have a second factor: what its portal knows of it.
pub trait Owner: Clone + Send + Sync + 'static {
    /// Where they log in.
    const PORTAL: Portal;

    /// The account, if it may be signed in to.
    fn find(connection: &Connection, id: i64) -> Result<Option<Self>>;

    /// The hash of its password, if it may be signed in to.
    fn find_password(connection: &Connection, id: i64) -> Result<Option<String>>;

    /// Its number.
    fn id(&self) -> i64;

    /// What the app calls it, beside the school's name.
    fn label(&self) -> &str;

    /// Notes what its owner did, in the transaction of the deed.
    fn record(&self, connection: &Connection, news: FactorNews, now: Timestamp) -> Result<()>;

    /// Tells its owner by e-mail, in the same transaction.
    fn post(&self, connection: &Connection, news: FactorNews, config: &Config, now: Timestamp) -> Result<()>;

    /// Whose second factor it is.
    fn whose(&self) -> Whose {
        Whose { portal: Self::PORTAL, id: self.id() }
    }
}

/// A write about somebody's second factor: whose, and what it may need.
pub(super) struct Change<'a, O> {
    pub(super) connection: &'a Connection,
    pub(super) owner: &'a O,
    pub(super) config: &'a Config,
    pub(super) now: Timestamp,
}

impl<O: Owner> Change<'_, O> {
    pub(super) fn whose(&self) -> Whose {
        self.owner.whose()
    }

    /// Notes what its owner did, and tells them by e-mail, who it may not have been.
    pub(super) fn report(&self, news: FactorNews) -> Result<()> {
        self.owner.record(self.connection, news, self.now)?;
        self.owner.post(self.connection, news, self.config, self.now)
    }
}

/// The account of somebody who is signed in.
///
/// # Errors
/// [`Error::signed_out`] when it was closed meanwhile.
pub(super) async fn find<O: Owner>(app: &App, id: i64) -> Result<O> {
    app.db.read(|connection| O::find(connection, id)).await?.ok_or_else(Error::signed_out)
}
