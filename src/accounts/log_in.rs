//! Login to either portal: password, second factor, session, and renewal of an outdated hash.

use super::browser::Browser;
use super::owner::Owner;
use super::second_factor::proof::{self, FactorAnswer};
use crate::base::error::{Error, Result};
use crate::base::hashing;
use crate::mail::Asker;
use crate::web::app::App;
use crate::web::rate_limit::ClientAddr;
use crate::web::rate_limit::device::{DeviceAccount, Devices, Remember};
use crate::web::rate_limit::guesses::{Attempt, LinkUse};
use crate::web::session;

/// Fields of a login form.
pub struct Login<'a> {
    /// Login name: a username or an email address.
    pub name: &'a str,
    /// Password as typed.
    pub password: &'a str,
    /// The second factor, if it was sent.
    pub second: Option<FactorAnswer>,
}

/// Result of a login.
pub struct LoggedIn<O> {
    /// The account.
    pub account: O,
    /// Marks the browser as known.
    pub remember: Remember,
    /// Whether it was known before.
    pub was_known: bool,
}

/// Logs in, and signs the browser in.
///
/// # Errors
/// [`Error::WrongPassword`], [`Error::HeldUp`] after too many of them; those of [`Owner::check_open`] and
/// [`proof::log_in`].
pub async fn log_in<O: Owner>(app: &App, login: Login<'_>, browser: &Browser<O>) -> Result<LoggedIn<O>> {
    let Login { name, password, second } = login;
    let Browser { client, devices, device, session, .. } = browser;
    let wrong = || Error::WrongPassword(O::WRONG_PASSWORD);
    let found = app.db.read(|connection| O::find_for_login(connection, name)).await?;
    let known = found.as_ref().map(|(account, hash)| DeviceAccount {
        portal: O::PORTAL,
        id: account.id(),
        password_hash: hash,
    });
    let attempt = Attempt::to_log_in(&app.limits, O::PORTAL, name, known, *client, devices);
    let matches = app.limits.verify(attempt, password, known.map(|known| known.password_hash)).await?;
    let (account, password_hash) = found.filter(|_| matches).ok_or_else(wrong)?;
    account.check_open(&app.config)?;
    let id = account.id();
    let device_account = DeviceAccount { portal: O::PORTAL, id, password_hash: &password_hash };
    let was_known = app.limits.knows(devices, device_account);
    if account.has_second_factor() {
        proof::log_in(app, &account, &password_hash, second, devices).await?;
    }
    session::sign_in(session, id, device.as_str(), app.clock.now()).await?;
    // A password or second factor set meanwhile ended all sessions but missed this new one.
    let now = app.db.read(|connection| O::find_for_login(connection, name)).await?;
    let is_same = |(now, hash): (O, String)| {
        now.id() == id
            && now.check_open(&app.config).is_ok()
            && now.has_second_factor() == account.has_second_factor()
            && hashing::choice(&hash) == hashing::choice(&password_hash)
    };
    if !now.is_some_and(is_same) {
        session::sign_out(session).await?;
        return Err(wrong());
    }
    let remember = app.limits.remember(devices, device_account)?;
    renew_hash::<O>(app, id, password, &password_hash, *client);
    Ok(LoggedIn { account, remember, was_known })
}

/// Replaces an outdated password hash (older parameters, or a form that may no longer match), in the background.
/// A failure is retried at the next login.
fn renew_hash<O: Owner>(app: &App, id: i64, password: &str, old: &str, client: ClientAddr) {
    if !hashing::may_be_outdated(password, old) {
        return;
    }
    let app = app.clone();
    let password = password.to_owned();
    let old = old.to_owned();
    tokio::spawn(async move {
        let stored = match app.passwords.renew(password, old.clone(), client.lane()).await {
            Ok(new) if new == old => Ok(()),
            Ok(new) => app.db.write(move |connection| O::renew_hash(connection, id, &old, &new)).await,
            Err(error) => Err(error),
        };
        if let Err(error) = stored {
            tracing::info!("a password's hash was not renewed: {error:?}");
        }
    });
}

/// Counts a request for a link to an account's mailbox, and returns the asker: the owner, if the browser is known for
/// the account. Unknown browsers cause no look-up, so that timing reveals nothing.
///
/// # Errors
/// [`Error::HeldUp`] after too many.
pub async fn ask_for_link<O: Owner>(
    app: &App,
    link: LinkUse,
    name: &str,
    client: ClientAddr,
    devices: &Devices,
) -> Result<Asker> {
    let mut owner = None;
    if !devices.is_empty()
        && let Some((account, password_hash)) =
            app.db.read(|connection| O::find_for_login(connection, name)).await?
    {
        let account = DeviceAccount { portal: O::PORTAL, id: account.id(), password_hash: &password_hash };
        owner = app.limits.owner(devices, account);
    }
    let asker = owner.unwrap_or_else(|| app.limits.asker(client));
    app.limits.ask_for_link(link, name, client, asker).await?;
    Ok(asker)
}
