//! Context of a write to a second factor.

use jiff::Timestamp;
use rusqlite::Connection;

use super::news::FactorNews;
use crate::accounts::owner::{AccountKey, Owner};
use crate::base::error::{Error, Result};
use crate::config::Config;
use crate::web::app::App;

/// Context of a write to an account's second factor.
pub(super) struct FactorChange<'a, O> {
    pub(super) connection: &'a Connection,
    pub(super) owner: &'a O,
    pub(super) config: &'a Config,
    pub(super) now: Timestamp,
}

impl<O: Owner> FactorChange<'_, O> {
    pub(super) fn key(&self) -> AccountKey {
        self.owner.key()
    }

    /// A conflict with the second factor as it is.
    pub(super) fn conflict(&self, message: &str) -> Error {
        super::conflict(self.connection, self.key(), self.config, message)
    }

    /// Records the change and emails the owner.
    pub(super) fn report(&self, news: FactorNews) -> Result<()> {
        self.owner.record(self.connection, news, self.now)?;
        self.owner.post(self.connection, news, self.config, self.now)
    }
}

/// Reloads the account of a signed-in owner.
///
/// # Errors
/// [`Error::signed_out`] if it was closed meanwhile.
pub(super) async fn find<O: Owner>(app: &App, id: i64) -> Result<O> {
    app.db.read(|connection| O::find(connection, id)).await?.ok_or_else(Error::signed_out)
}
