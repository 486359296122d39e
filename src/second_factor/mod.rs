//! A second factor of an account, in both portals: a code of an authenticator app or a passkey beside the
//! password, and recovery codes for whoever has lost them. The endpoints are the portals' own.
//!
//! Promises: no code and no challenge works twice, since what judges a code also uses it up; setting an app up,
//! turning it off and new recovery codes take the password and a code or a passkey; passkeys, and an app beside a
//! passkey, take a proof of the last ten minutes; and the owner is told by e-mail. The secret is kept as it
//! is, since checking a code takes it: its key would have to lie in the same folder and the same backup.
//! OWASP ASVS 5.0, V6.5 and V6.6: `tests/asvs.md`.

mod news;
mod owner;
pub mod passkeys;
mod proof;
mod recovery;
pub mod step_up;
pub mod store;
mod totp;

use axum::Extension;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use tower_sessions::Session;
use utoipa::ToSchema;

pub use self::news::FactorNews;
use self::owner::Change;
pub use self::owner::{Owner, Whose};
use self::passkeys::store::Passkey;
use self::proof::{CheckedProof, Which, judge_signed_in};
pub use self::proof::{FactorProof, Given, log_in};
use self::totp::Secret;
pub use self::totp::code_at;
use crate::base::error::{Error, Result};
use crate::base::json::Json;
use crate::base::security_log::Event;
use crate::base::webauthn::Site;
use crate::config::Config;
use crate::web::app::App;
use crate::web::session;
use crate::web::signed_in;

/// How somebody's second factor stands.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecondFactor {
    /// Since when there is an authenticator app; null where there is none.
    #[schema(required)]
    pub since: Option<Timestamp>,
    /// Recovery codes that are not used yet.
    pub recovery_codes_left: i64,
    /// The passkeys.
    pub passkeys: Vec<Passkey>,
    /// Whether one can be added here: browsers make none for a site without a name.
    pub takes_passkeys: bool,
}

/// What sets an app up.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FactorSetup {
    /// The secret in base32, in groups of four.
    pub secret: String,
    /// The same as an `otpauth:` address.
    pub uri: String,
    /// The address as a QR code: an SVG picture in a `data:` address.
    pub qr_code: String,
}

/// Recovery codes, which are shown this once.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryCodes {
    /// Each lets in once.
    pub recovery_codes: Vec<String>,
}

/// How somebody's second factor stands.
pub fn read(connection: &Connection, whose: Whose, config: &Config) -> Result<SecondFactor> {
    Ok(SecondFactor {
        since: store::find(connection, whose)?.and_then(|totp| totp.confirmed_at),
        recovery_codes_left: store::count_recovery_codes(connection, whose)?,
        passkeys: passkeys::store::list(connection, whose)?,
        takes_passkeys: Site::of(&config.public_url()).is_some(),
    })
}

/// Draws a new secret; nothing is asked for at a login until a first code confirms it.
///
/// # Errors
/// [`Error::Conflict`] when there is one in use.
pub async fn begin<O: Owner>(app: &App, id: i64) -> Result<FactorSetup> {
    let owner = owner::find::<O>(app, id).await?;
    let (whose, now, secret) = (owner.whose(), app.clock.now(), Secret::draw()?);
    let uri = secret.uri(&app.config.school().name, owner.label());
    let picture = totp::draw_qr(&uri)?;
    let begun = app.db.write(move |connection| store::begin(connection, whose, &secret, now)).await?;
    if !begun {
        return Err(Error::Conflict("Your authenticator app is set up already. Turn it off first.".into()));
    }
    let qr_code = format!("data:image/svg+xml;base64,{}", BASE64_STANDARD.encode(picture));
    Ok(FactorSetup { secret: secret.grouped(), uri, qr_code })
}

/// Sets the app up by its first code; every session but this one ends.
///
/// # Errors
/// Those of the proof; [`Error::Conflict`] when nothing was begun.
pub async fn confirm<O: Owner>(
    app: &App,
    id: i64,
    session: &Session,
    form: &FactorProof,
) -> Result<(Extension<Event>, Json<RecoveryCodes>)> {
    let proof = CheckedProof::parse(form)?;
    let (codes, current) = (recovery::draw()?, session.id());
    let hashes = hashes(&codes);
    let confirm = move |change: &Change<'_, O>| {
        let connection = change.connection;
        signed_in::check_not_ended(connection, current)?;
        store::confirm(connection, change.whose(), change.now)?;
        store::set_recovery_codes(connection, change.whose(), &hashes)?;
        signed_in::end_others(connection, O::PORTAL, id, current)?;
        change.report(FactorNews::SetUp)
    };
    proof.carry_out(app, id, Which::Begun, confirm).await?;
    Ok((Extension(Event::FactorSetUp), Json(RecoveryCodes { recovery_codes: codes })))
}

/// Draws new recovery codes; those before are worth nothing any more.
///
/// # Errors
/// Those of the proof; [`Error::Conflict`] without a second factor.
pub async fn draw_recovery_codes<O: Owner>(
    app: &App,
    id: i64,
    form: &FactorProof,
) -> Result<(Extension<Event>, Json<RecoveryCodes>)> {
    let proof = CheckedProof::parse(form)?;
    let codes = recovery::draw()?;
    let hashes = hashes(&codes);
    let draw = move |change: &Change<'_, O>| {
        store::set_recovery_codes(change.connection, change.whose(), &hashes)?;
        change.report(FactorNews::Drawn)
    };
    proof.carry_out(app, id, Which::InUse, draw).await?;
    Ok((Extension(Event::FactorCodes), Json(RecoveryCodes { recovery_codes: codes })))
}

/// Said of an app that its owner has turned off.
pub const TURNED_OFF: &str = "Your authenticator app is turned off.";

/// Turns the app off. Without a passkey that is the second factor, and every session but this one ends.
///
/// # Errors
/// Those of the proof; [`Error::Conflict`] without a second factor.
pub async fn turn_off<O: Owner>(
    app: &App,
    id: i64,
    session: &Session,
    form: &FactorProof,
) -> Result<Extension<Event>> {
    let proof = CheckedProof::parse(form)?;
    let current = session.id();
    let turn_off = move |change: &Change<'_, O>| {
        if !store::end_app(change.connection, change.whose())? {
            return Err(Error::Conflict("Your authenticator app is not set up.".into()));
        }
        passkeys::end_if_last(change, FactorNews::AppTurnedOff, current)
    };
    proof.carry_out(app, id, Which::InUse, turn_off).await?;
    Ok(Extension(Event::FactorTurnedOff))
}

/// Takes somebody's second factor away, who has lost it, ends their sessions and tells them; who does it
/// notes it. Returns how many sessions; none where there was no second factor.
pub fn reset<O: Owner>(
    connection: &Connection,
    owner: &O,
    config: &Config,
    now: Timestamp,
) -> Result<Option<usize>> {
    if !store::end(connection, owner.whose())? {
        return Ok(None);
    }
    let sessions = session::end_all(connection, O::PORTAL, owner.id())?;
    owner.post(connection, FactorNews::Reset, config, now)?;
    Ok(Some(sessions))
}

fn hashes(codes: &[String]) -> Vec<[u8; 32]> {
    codes.iter().map(|code| recovery::hash(code)).collect()
}
