//! Validation of link tokens, by the policy of a page.

use jiff::Timestamp;
use rusqlite::Connection;

use super::links::{self, Link, LinkPolicy, Purpose};
use super::owner::Owner;
use crate::base::error::Result;
use crate::base::random;
use crate::web::app::App;
use crate::web::rate_limit::ClientAddr;
use crate::web::rate_limit::guesses;

impl<P: Purpose> LinkPolicy<P> {
    /// The hash of a valid token. A link for another purpose counts as a guess, like an invalid one.
    ///
    /// # Errors
    /// As [`use_link`](crate::web::rate_limit::RateLimiter::use_link).
    pub async fn live_token<O>(self, app: &App, token: &str, client: ClientAddr) -> Result<[u8; 32]>
    where
        O: Owner<Purpose = P>,
    {
        let budget = O::PORTAL.pick(guesses::LinkUse::UseStaff, guesses::LinkUse::UseStudent);
        let hash = random::hash(token);
        let now = app.clock.now();
        let lives = move |connection: &Connection| Ok(self.find::<O>(connection, &hash, now)?.is_some());
        app.limits.use_link(budget, client, self.dead, lives).await?;
        Ok(hash)
    }

    /// A valid link for this purpose, with its account.
    ///
    /// # Errors
    /// [`LinkPolicy::refusal`] otherwise.
    pub fn open<O>(self, connection: &Connection, hash: &[u8; 32], now: Timestamp) -> Result<(Link<P>, O)>
    where
        O: Owner<Purpose = P>,
    {
        self.find(connection, hash, now)?.ok_or_else(|| self.refusal())
    }

    fn find<O>(self, connection: &Connection, hash: &[u8; 32], now: Timestamp) -> Result<Option<(Link<P>, O)>>
    where
        O: Owner<Purpose = P>,
    {
        let found = links::find::<P>(connection, hash, now)?;
        let Some(link) = found.filter(|link| self.purposes.contains(&link.purpose)) else { return Ok(None) };
        Ok(O::find_by_link(connection, link.account_id)?.map(|account| (link, account)))
    }
}
