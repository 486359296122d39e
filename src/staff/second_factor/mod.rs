//! A member of the staff's second factor: a code of an authenticator app beside the password, and recovery
//! codes for whoever has lost the app.
//!
//! Promises: no code works twice, since the write that judges a code also uses it up; setting up, turning off
//! and new recovery codes take the password and a code, and tell the owner by e-mail. The secret is kept as it
//! is, since checking a code takes it: its key would have to lie in the same folder and the same backup.
//! OWASP ASVS 5.0, V6.5 and V6.6: `tests/asvs.md`.

mod proof;
mod recovery;
mod store;
mod totp;

use axum::extract::State;
use axum::{Extension, Json};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use self::proof::{Change, CheckedProof, FactorProof, Which};
pub use self::proof::{judge_signed_in, log_in};
use self::totp::Secret;
pub use self::totp::code_at;
use super::account::StaffMessage;
use super::emails::FactorNews;
use super::members::Personnel;
use super::store::Member;
use super::{Staff, emails, may};
use crate::base::error::{Error, ErrorBody, Result, TooManyAttempts};
use crate::base::security_log::Event;
use crate::web::access::endpoint;
use crate::web::app::App;
use crate::web::form::Json as JsonBody;
use crate::web::session::{self, Portal, StaffSession};
use crate::web::signed_in;

/// The endpoints of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(endpoint!(get_second_factor))
        .routes(endpoint!(begin_second_factor))
        .routes(endpoint!(confirm_second_factor))
        .routes(endpoint!(draw_recovery_codes))
        .routes(endpoint!(turn_off_second_factor))
}

/// How somebody's second factor stands.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecondFactor {
    /// Since when a login asks for a code; null where it does not.
    #[schema(required)]
    pub since: Option<Timestamp>,
    /// Recovery codes that are not used yet.
    pub recovery_codes_left: i64,
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

/// How the own second factor stands
#[utoipa::path(get, path = "/api/user/second-factor", tag = "staff",
    responses((status = 200, body = SecondFactor), (status = 401, body = ErrorBody)))]
async fn get_second_factor(
    staff: Staff<may::OwnAccount>,
    State(app): State<App>,
) -> Result<Json<SecondFactor>> {
    let id = staff.id;
    let read = |connection: &Connection| {
        let since = store::find(connection, id)?.and_then(|totp| totp.confirmed_at);
        Ok(SecondFactor { since, recovery_codes_left: store::count_recovery_codes(connection, id)? })
    };
    app.db.read(read).await.map(Json)
}

/// Begin to set an authenticator app up; nothing is asked for at a login until a first code confirms it
#[utoipa::path(post, path = "/api/user/second-factor", tag = "staff",
    responses((status = 200, body = FactorSetup), (status = 401, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "There is one already")))]
async fn begin_second_factor(
    staff: Staff<may::OwnAccount>,
    State(app): State<App>,
) -> Result<Json<FactorSetup>> {
    let (id, now, secret) = (staff.id, app.clock.now(), Secret::draw()?);
    let uri = secret.uri(&app.config.school.name, &staff.user.username);
    let picture = totp::draw_qr(&uri)?;
    let kept = secret;
    let begun = app.db.write(move |connection| store::begin(connection, id, &kept, now)).await?;
    if !begun {
        return Err(Error::Conflict("Your second factor is set up already. Turn it off first.".into()));
    }
    let qr_code = format!("data:image/svg+xml;base64,{}", BASE64_STANDARD.encode(picture));
    Ok(Json(FactorSetup { secret: secret.grouped(), uri, qr_code }))
}

/// Set the app up by its first code; every other session ends. The recovery codes are shown this once
#[utoipa::path(post, path = "/api/user/second-factor/confirm", tag = "staff", request_body = FactorProof,
    responses((status = 200, body = RecoveryCodes), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 409, body = ErrorBody, description = "Nothing was begun"),
        (status = 429, response = inline(TooManyAttempts))))]
async fn confirm_second_factor(
    staff: Staff<may::OwnAccount>,
    State(app): State<App>,
    Extension(StaffSession(session)): Extension<StaffSession>,
    JsonBody(form): JsonBody<FactorProof>,
) -> Result<(Extension<Event>, Json<RecoveryCodes>)> {
    let proof = CheckedProof::parse(&form)?;
    let (codes, current) = (recovery::draw()?, session.id());
    let hashes = hashes(&codes);
    let confirm = move |change: &Change<'_>| {
        let (connection, id) = (change.connection, change.account.id);
        store::confirm(connection, id, change.now)?;
        store::set_recovery_codes(connection, id, &hashes)?;
        signed_in::end_others(connection, Portal::Staff, id, current)?;
        change.record("set up second factor", json!({}))?;
        change.post(FactorNews::SetUp)
    };
    proof.carry_out(&app, &staff, Which::Begun, confirm).await?;
    Ok((Extension(Event::FactorSetUp), Json(RecoveryCodes { recovery_codes: codes })))
}

/// Draw ten new recovery codes; those before are worth nothing any more
#[utoipa::path(post, path = "/api/user/second-factor/recovery-codes", tag = "staff",
    request_body = FactorProof,
    responses((status = 200, body = RecoveryCodes), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 409, body = ErrorBody, description = "It is not set up"),
        (status = 429, response = inline(TooManyAttempts))))]
async fn draw_recovery_codes(
    staff: Staff<may::OwnAccount>,
    State(app): State<App>,
    JsonBody(form): JsonBody<FactorProof>,
) -> Result<(Extension<Event>, Json<RecoveryCodes>)> {
    let proof = CheckedProof::parse(&form)?;
    let codes = recovery::draw()?;
    let hashes = hashes(&codes);
    let draw = move |change: &Change<'_>| {
        store::set_recovery_codes(change.connection, change.account.id, &hashes)?;
        change.record("draw recovery codes", json!({}))
    };
    proof.carry_out(&app, &staff, Which::InUse, draw).await?;
    Ok((Extension(Event::FactorCodes), Json(RecoveryCodes { recovery_codes: codes })))
}

/// Turn the second factor off; every other session ends
#[utoipa::path(post, path = "/api/user/second-factor/turn-off", tag = "staff", request_body = FactorProof,
    responses((status = 200, body = StaffMessage), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 409, body = ErrorBody, description = "It is not set up"),
        (status = 429, response = inline(TooManyAttempts))))]
async fn turn_off_second_factor(
    staff: Staff<may::OwnAccount>,
    State(app): State<App>,
    Extension(StaffSession(session)): Extension<StaffSession>,
    JsonBody(form): JsonBody<FactorProof>,
) -> Result<(Extension<Event>, Json<StaffMessage>)> {
    let proof = CheckedProof::parse(&form)?;
    let current = session.id();
    let turn_off = move |change: &Change<'_>| {
        let (connection, id) = (change.connection, change.account.id);
        store::end(connection, id)?;
        signed_in::end_others(connection, Portal::Staff, id, current)?;
        change.record("turn off second factor", json!({}))?;
        change.post(FactorNews::TurnedOff)
    };
    proof.carry_out(&app, &staff, Which::InUse, turn_off).await?;
    let message = "Your second factor is turned off. Every other device was logged out.";
    Ok((Extension(Event::FactorTurnedOff), Json(StaffMessage { message })))
}

fn hashes(codes: &[String]) -> Vec<[u8; 32]> {
    codes.iter().map(|code| recovery::hash(code)).collect()
}

impl Personnel<'_> {
    /// Takes somebody's second factor away, and ends their sessions. Returns how many; none where there was
    /// no second factor.
    pub fn reset_second_factor(&self, member: &Member) -> Result<Option<usize>> {
        let account = &member.account;
        if !store::end(self.connection, account.id)? {
            return Ok(None);
        }
        let sessions = session::end_all(self.connection, Portal::Staff, account.id)?;
        self.record("reset second factor", account.id, json!({ "sessions": sessions }))?;
        self.post(&account.email, |to| emails::second_factor(to, account, FactorNews::Reset, self.config))?;
        Ok(Some(sessions))
    }
}
