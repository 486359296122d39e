//! A second factor of an account, in both portals: a code of an authenticator app or a passkey beside the
//! password, and recovery codes for owners who have lost both.
//!
//! Promises: no code and no challenge works twice, since what judges a code also uses it up; setting an app up,
//! turning it off and new recovery codes take the password and a code or a passkey; passkeys, and an app beside a
//! passkey, take a proof of the last ten minutes; and the owner is told by email. The secret is kept as it
//! is, since checking a code takes it: its key would have to lie in the same folder and the same backup.
//! OWASP ASVS 5.0, V6.5 and V6.6: `tests/asvs.md`.

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

/// How the second factor of an account stands.
fn read(connection: &Connection, key: AccountKey, config: &Config) -> Result<SecondFactor> {
    Ok(SecondFactor {
        since: store::find(connection, key)?.and_then(|totp| totp.confirmed_at),
        recovery_codes_left: store::count_recovery_codes(connection, key)?,
        passkeys: passkeys::store::list(connection, key)?,
        takes_passkeys: RelyingParty::of(&config.public_url()).is_some(),
    })
}

/// How the own second factor stands
#[utoipa::path(get, path = "/second-factor")]
pub async fn get_second_factor<O: Owner>(
    owner: SignedInOwner<O>,
    State(app): State<App>,
) -> Result<Json<SecondFactor>> {
    let key = owner.key();
    app.db.read(|connection| read(connection, key, &app.config)).await.map(Json)
}

/// Begin to set an authenticator app up; nothing is asked for at a login until a first code confirms it
#[utoipa::path(post, path = "/second-factor",
    responses((status = 403, body = ErrorBody, description = "There is a passkey: it takes a recent proof"),
        (status = 409, body = ErrorBody, description = "There is one already")))]
pub async fn begin_second_factor<O: Owner>(
    owner: SignedInOwner<O>,
    State(app): State<App>,
) -> Result<Json<FactorSetup>> {
    owner.check_before_password(app.clock.now())?;
    let (key, now, secret) = (owner.key(), app.clock.now(), TotpSecret::generate()?);
    let uri = secret.uri(&app.config.school().name, owner.label());
    let picture = totp::draw_qr(&uri)?;
    let grouped = secret.grouped();
    if !app.db.write(move |connection| store::begin(connection, key, &secret, now)).await? {
        return Err(Error::Conflict("Your authenticator app is set up already. Turn it off first.".into()));
    }
    let qr_code = format!("data:image/svg+xml;base64,{}", BASE64_STANDARD.encode(picture));
    Ok(Json(FactorSetup { secret: grouped, uri, qr_code }))
}

/// Set the app up by its first code; every other session ends. The recovery codes are shown this once
#[utoipa::path(post, path = "/second-factor/confirm",
    responses((status = 403, body = ErrorBody, description = "There is a passkey: it takes a recent proof"),
        (status = 409, body = ErrorBody, description = "Nothing was begun"),
        (status = 429, response = inline(TooManyAttempts))))]
pub async fn confirm_second_factor<O: Owner>(
    owner: SignedInOwner<O>,
    State(app): State<App>,
    Json(form): Json<FactorProof>,
) -> Result<(Extension<SecurityEvent>, Json<RecoveryCodes>)> {
    owner.check_before_password(app.clock.now())?;
    let proof = CheckedProof::parse(&form)?;
    let (codes, current) = (recovery::generate()?, owner.session.id());
    let hashes = hashes(&codes);
    let confirm = move |change: &FactorChange<'_, O>| {
        let (connection, key) = (change.connection, change.key());
        signed_in::check_not_ended(connection, current)?;
        store::confirm(connection, key, change.now)?;
        store::set_recovery_codes(connection, key, &hashes)?;
        signed_in::end_others(connection, key.portal, key.id, current)?;
        change.report(FactorNews::SetUp)
    };
    proof.carry_out(&app, owner.id(), TotpState::Begun, confirm).await?;
    Ok((Extension(SecurityEvent::FactorSetUp), Json(RecoveryCodes { recovery_codes: codes })))
}

/// Draw ten new recovery codes; those before are worth nothing any more
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

/// Turn the second factor off; every other session ends
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
            return Err(Error::Conflict("Your authenticator app is not set up.".into()));
        }
        passkeys::end_if_last(change, FactorNews::AppTurnedOff, current)
    };
    proof.carry_out(&app, owner.id(), TotpState::InUse, turn_off).await?;
    Ok((Extension(SecurityEvent::FactorTurnedOff), Json("Your authenticator app is turned off.".into())))
}

/// Takes the second factor of an owner away who has lost it, ends their sessions and tells them; the caller
/// records it. Returns how many sessions; none where there was no second factor.
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
