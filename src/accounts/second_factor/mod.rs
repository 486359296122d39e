//! Second factor of an account in both portals: an authenticator app or a passkey in addition to the password, and
//! recovery codes.
//!
//! Promises: no code or challenge works twice, since verifying also consumes it; setting up or turning off an app and
//! generating recovery codes require the password and a code or passkey; passkeys, and an app beside a passkey, require
//! recent authentication; the owner is notified by email. The secret is stored unencrypted, since verification needs it
//! and its key would be in the same folder and backup. OWASP ASVS 5.0, V6.5 and V6.6: `tests/asvs.md`.

mod change;
pub mod news;
pub mod passkeys;
pub mod proof;
mod recovery;
pub mod store;
mod totp;

use axum::Extension;
use axum::extract::State;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use self::change::FactorChange;
use self::news::FactorNews;
use self::passkeys::store::Passkey;
use self::proof::{CheckedProof, FactorProof, TotpState};
use self::totp::TotpSecret;
pub use self::totp::code_at;
use super::caller::SignedInOwner;
use super::owner::{AccountKey, Owner};
use crate::base::error::{Error, ErrorBody, Result, TooManyAttempts};
use crate::base::json::Json;
use crate::base::security_log::SecurityEvent;
use crate::base::webauthn::RelyingParty;
use crate::config::Config;
use crate::web::app::App;
use crate::web::session;
use crate::web::signed_in;

/// State of an account's second factor.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecondFactor {
    /// When the authenticator app was set up; null if there is none.
    #[schema(required)]
    pub since: Option<Timestamp>,
    /// Number of unused recovery codes.
    pub recovery_codes_left: i64,
    /// The passkeys.
    pub passkeys: Vec<Passkey>,
    /// Whether passkeys can be added: browsers require a host name.
    pub takes_passkeys: bool,
}

/// Data to set up an app.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FactorSetup {
    /// Secret in base32, in groups of four.
    pub secret: String,
    /// The same as an `otpauth:` URI.
    pub uri: String,
    /// QR code of the URI: an SVG in a `data:` URL.
    pub qr_code: String,
}

/// Recovery codes, shown only once.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryCodes {
    /// Each works once.
    pub recovery_codes: Vec<String>,
}

/// Reads the state of an account's second factor.
fn read(connection: &Connection, key: AccountKey, config: &Config) -> Result<SecondFactor> {
    Ok(SecondFactor {
        since: store::find(connection, key)?.and_then(|totp| totp.confirmed_at),
        recovery_codes_left: store::count_recovery_codes(connection, key)?,
        passkeys: passkeys::store::list(connection, key)?,
        takes_passkeys: RelyingParty::of(&config.public_url()).is_some(),
    })
}

/// A conflict with the second factor as it is.
fn conflict(connection: &Connection, key: AccountKey, config: &Config, message: &str) -> Error {
    read(connection, key, config).map_or_else(|error| error, |current| Error::conflict(message, &current))
}

/// The same outside of a transaction.
async fn refusal(app: &App, key: AccountKey, message: &str) -> Error {
    let refused = app.db.read(|connection| Ok(conflict(connection, key, &app.config, message))).await;
    refused.unwrap_or_else(|error| error)
}

/// State of the own second factor
#[utoipa::path(get, path = "/second-factor")]
pub async fn get_second_factor<O: Owner>(
    owner: SignedInOwner<O>,
    State(app): State<App>,
) -> Result<Json<SecondFactor>> {
    let key = owner.key();
    app.db.read(|connection| read(connection, key, &app.config)).await.map(Json)
}

/// Start setting up an authenticator app; logins do not require it until a first code confirms it
#[utoipa::path(post, path = "/second-factor",
    responses((status = 403, body = ErrorBody, description = "There is a passkey: recent authentication is required"),
        (status = 409, body = ErrorBody, description = "It is set up already")))]
pub async fn begin_second_factor<O: Owner>(
    owner: SignedInOwner<O>,
    State(app): State<App>,
) -> Result<Json<FactorSetup>> {
    owner.check_before_password(app.clock.now())?;
    let key = owner.key();
    let now = app.clock.now();
    let secret = TotpSecret::generate()?;
    let uri = secret.uri(&app.config.school().name, owner.label());
    let picture = totp::draw_qr(&uri)?;
    let grouped = secret.grouped();
    if !app.db.write(move |connection| store::begin(connection, key, &secret, now)).await? {
        return Err(refusal(&app, key, "Your authenticator app is set up already. Turn it off first.").await);
    }
    let qr_code = format!("data:image/svg+xml;base64,{}", BASE64_STANDARD.encode(picture));
    Ok(Json(FactorSetup { secret: grouped, uri, qr_code }))
}

/// Confirm the app with its first code; ends every other session. The recovery codes are shown only once
#[utoipa::path(post, path = "/second-factor/confirm",
    responses((status = 403, body = ErrorBody, description = "There is a passkey: recent authentication is required"),
        (status = 409, body = ErrorBody, description = "Setup was not started"),
        (status = 429, response = inline(TooManyAttempts))))]
pub async fn confirm_second_factor<O: Owner>(
    owner: SignedInOwner<O>,
    State(app): State<App>,
    Json(form): Json<FactorProof>,
) -> Result<(Extension<SecurityEvent>, Json<RecoveryCodes>)> {
    owner.check_before_password(app.clock.now())?;
    let proof = CheckedProof::parse(&form)?;
    let codes = recovery::generate()?;
    let current = owner.session.id();
    let hashes = hashes(&codes);
    let confirm = move |change: &FactorChange<'_, O>| {
        let connection = change.connection;
        let key = change.key();
        signed_in::check_not_ended(connection, current)?;
        store::confirm(connection, key, change.now)?;
        store::set_recovery_codes(connection, key, &hashes)?;
        signed_in::end_others(connection, key.portal, key.id, current)?;
        change.report(FactorNews::SetUp)
    };
    proof.carry_out(&app, owner.id(), TotpState::Begun, confirm).await?;
    Ok((Extension(SecurityEvent::FactorSetUp), Json(RecoveryCodes { recovery_codes: codes })))
}

/// Generate ten new recovery codes; earlier ones become invalid
#[utoipa::path(post, path = "/second-factor/recovery-codes",
    responses((status = 409, body = ErrorBody, description = "It is not set up"),
        (status = 429, response = inline(TooManyAttempts))))]
pub async fn draw_recovery_codes<O: Owner>(
    owner: SignedInOwner<O>,
    State(app): State<App>,
    Json(form): Json<FactorProof>,
) -> Result<(Extension<SecurityEvent>, Json<RecoveryCodes>)> {
    let proof = CheckedProof::parse(&form)?;
    let codes = recovery::generate()?;
    let hashes = hashes(&codes);
    let draw = move |change: &FactorChange<'_, O>| {
        store::set_recovery_codes(change.connection, change.key(), &hashes)?;
        change.report(FactorNews::Drawn)
    };
    proof.carry_out(&app, owner.id(), TotpState::InUse, draw).await?;
    Ok((Extension(SecurityEvent::FactorCodes), Json(RecoveryCodes { recovery_codes: codes })))
}

/// Turn off the second factor; ends every other session
#[utoipa::path(post, path = "/second-factor/turn-off",
    responses((status = 409, body = ErrorBody, description = "It is not set up"),
        (status = 429, response = inline(TooManyAttempts))))]
pub async fn turn_off_second_factor<O: Owner>(
    owner: SignedInOwner<O>,
    State(app): State<App>,
    Json(form): Json<FactorProof>,
) -> Result<(Extension<SecurityEvent>, Json<O::Message>)> {
    let proof = CheckedProof::parse(&form)?;
    let current = owner.session.id();
    let turn_off = move |change: &FactorChange<'_, O>| {
        if !store::end_app(change.connection, change.key())? {
            return Err(change.conflict("Your authenticator app is not set up."));
        }
        passkeys::end_if_last(change, FactorNews::AppTurnedOff, current)
    };
    proof.carry_out(&app, owner.id(), TotpState::InUse, turn_off).await?;
    Ok((Extension(SecurityEvent::FactorTurnedOff), Json("Your authenticator app is turned off.".into())))
}

/// Resets a lost second factor, ends the owner's sessions and notifies them; the caller records it. Returns the number
/// of sessions; `None` if there was no second factor.
pub fn reset<O: Owner>(
    connection: &Connection,
    owner: &O,
    config: &Config,
    now: Timestamp,
) -> Result<Option<usize>> {
    if !store::end(connection, owner.key())? {
        return Ok(None);
    }
    let sessions = session::end_all(connection, O::PORTAL, owner.id())?;
    owner.post(connection, FactorNews::Reset, config, now)?;
    Ok(Some(sessions))
}

fn hashes(codes: &[String]) -> Vec<[u8; 32]> {
    codes.iter().map(|code| recovery::hash(code)).collect()
}
