//! Passkeys of either portal: adding, renaming, removing and requesting them.

pub mod question;
pub mod store;

use axum::Extension;
use axum::extract::State;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use self::question::{KnownPasskey, PasskeyQuestion, ask, decode, give, take};
use self::store::{NamedCredential, Passkey};
use super::change::FactorChange;
use super::news::FactorNews;
use super::store as factors;
use super::{RecoveryCodes, SecondFactor, conflict, hashes, recovery, refusal};
use crate::accounts::caller::{Recent, SignedInOwner};
use crate::accounts::owner::Owner;
use crate::base::closed_set::ClosedSet;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::base::security_log::SecurityEvent;
use crate::base::webauthn::challenges::{Ceremony, TTL};
use crate::base::webauthn::{ALGORITHMS, CredentialError, NewCredential, RelyingParty};
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::{Id, Numbered, numbered};
use crate::web::signed_in;

/// Maximum passkeys per account: enough for several devices and keys.
const MAX: usize = 10;
/// Known transports of credentials (§5.8.4); others are ignored.
const TRANSPORTS: [&str; 6] = ["ble", "hybrid", "internal", "nfc", "smart-card", "usb"];

/// Options for `navigator.credentials.create`; bytes are in base64url.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasskeyWish {
    /// Challenge to sign.
    pub challenge: String,
    /// The site's id.
    pub rp_id: String,
    /// The school's name.
    pub rp_name: String,
    /// User handle: portal and id of the account.
    pub user_id: String,
    /// The name or address of the account.
    pub user_name: String,
    /// Accepted algorithms by COSE number, preferred first.
    pub algorithms: Vec<i32>,
    /// Existing passkeys of the account.
    pub exclude: Vec<KnownPasskey>,
    /// Timeout in milliseconds.
    pub timeout: i64,
}

form! {
    /// A new passkey; bytes are in base64url.
    pub struct NewPasskey {
        /// Name given by its owner.
        name: String,
        /// `clientDataJSON` of the response.
        client_data: String,
        /// `attestationObject` of the response.
        attestation: String,
        /// `getTransports()` of the response, separated by spaces.
        transports: Option<String>,
    }
}

form! {
    /// New name of a passkey.
    pub struct PasskeyName {
        /// Name given by its owner.
        name: String,
    }
}

/// Request options for authentication with an own passkey
#[utoipa::path(post, path = "/passkeys/ask",
    responses((status = 409, body = ErrorBody, description = "There is none")))]
pub async fn ask_passkey<O: Owner>(
    owner: SignedInOwner<O>,
    State(app): State<App>,
) -> Result<Json<PasskeyQuestion>> {
    let key = owner.key();
    match ask(&app, key).await? {
        Some(question) => Ok(Json(question)),
        None => Err(refusal(&app, key, "You have no passkey.").await),
    }
}

const NOT_HERE: &str =
    "Passkeys need the site to be opened by its name over HTTPS, and this one has none yet.";
const TOO_MANY: &str = "You have ten passkeys, which is the maximum. Please remove one first.";

/// Start adding a passkey: options for the browser
#[utoipa::path(post, path = "/passkeys/begin",
    responses((status = 409, body = ErrorBody, description = "The site has no name, or there are too many")))]
pub async fn begin_passkey<O: Owner>(
    owner: SignedInOwner<O, Recent>,
    State(app): State<App>,
) -> Result<Json<PasskeyWish>> {
    let key = owner.key();
    let Some(site) = RelyingParty::of(&app.config.public_url()) else {
        return Err(refusal(&app, key, NOT_HERE).await);
    };
    let known = app.db.read(|connection| store::list_reached(connection, key)).await?;
    if known.len() >= MAX {
        return Err(refusal(&app, key, TOO_MANY).await);
    }
    Ok(Json(PasskeyWish {
        challenge: give(&app, key, Ceremony::Registration)?,
        rp_id: site.rp_id,
        rp_name: app.config.school().name.clone(),
        user_id: BASE64_URL_SAFE_NO_PAD.encode(format!("{} {}", key.portal.as_str(), key.id)),
        user_name: owner.label().to_owned(),
        algorithms: ALGORITHMS.to_vec(),
        exclude: known.iter().map(KnownPasskey::new).collect(),
        timeout: TTL.as_millis().try_into().unwrap_or(i64::MAX),
    }))
}

struct CheckedPasskey {
    name: String,
    client_data: Vec<u8>,
    attestation: Vec<u8>,
    transports: String,
}

impl CheckedPasskey {
    fn parse(form: &NewPasskey) -> Result<Self, FieldErrors> {
        const UNREADABLE: &str = "What the browser sent cannot be read. Please try again.";
        let mut errors = FieldErrors::default();
        let name = errors.take("name", name_of(&form.name));
        let client_data = errors.take("clientData", decode(form.client_data.text()).ok_or(UNREADABLE));
        let attestation = errors.take("attestation", decode(form.attestation.text()).ok_or(UNREADABLE));
        let mut transports: Vec<&str> = form.transports.text().split_whitespace().collect();
        transports.retain(|word| TRANSPORTS.contains(word));
        let transports = transports.join(" ");
        let parsed =
            || Some(Self { name: name?, client_data: client_data?, attestation: attestation?, transports });
        errors.finish(parsed())
    }
}

fn name_of(field: &Field<String>) -> Result<String, String> {
    field.name(1, 60, "Name is required")
}

/// Add the passkey created by the browser; if it is the first factor, returns recovery codes and ends every other
/// session
#[utoipa::path(post, path = "/passkeys",
    responses((status = 409, body = ErrorBody, description = "It is invalid or too late")))]
pub async fn add_passkey<O: Owner>(
    owner: SignedInOwner<O, Recent>,
    State(app): State<App>,
    Json(form): Json<NewPasskey>,
) -> Result<(Extension<SecurityEvent>, Json<RecoveryCodes>)> {
    const REFUSED: &str = "This passkey could not be added. Please try once more.";
    const BAD_KEY: &str = "This passkey could not be added, as its key is one that nothing can be checked with. \
        Please use another device or security key.";
    let CheckedPasskey { name, client_data, attestation, transports } = CheckedPasskey::parse(&form)?;
    let key = owner.key();
    let Some(challenge) = take(&app, key, Ceremony::Registration, &client_data) else {
        return Err(refusal(&app, key, REFUSED).await);
    };
    let Some(site) = RelyingParty::of(&app.config.public_url()) else {
        return Err(refusal(&app, key, NOT_HERE).await);
    };
    let new = NewCredential { client_data: &client_data, attestation: &attestation };
    let credential = match new.check(&site, &challenge) {
        Ok(credential) => credential,
        Err(error) => {
            tracing::warn!("a new passkey was refused: {error:?}");
            let message = if error == CredentialError::Key { BAD_KEY } else { REFUSED };
            return Err(refusal(&app, key, message).await);
        }
    };
    let codes = recovery::generate()?;
    let current = owner.session.id();
    let config = app.config.clone();
    let now = app.clock.now();
    let codes = app
        .write_and_notify(move |connection| {
            signed_in::check_not_ended(connection, current)?;
            if store::list(connection, key)?.len() >= MAX {
                return Err(conflict(connection, key, &config, TOO_MANY));
            }
            let is_first = !factors::is_on(connection, key)?;
            let new = NamedCredential { credential: &credential, name: &name, transports: &transports };
            if !store::insert(connection, key, &new, now)? {
                let message = "This passkey belongs to an account already.";
                return Err(conflict(connection, key, &config, message));
            }
            let change = FactorChange { connection, owner: &*owner.account, config: &config, now };
            change.report(if is_first { FactorNews::FirstPasskey } else { FactorNews::PasskeyAdded })?;
            if !is_first {
                return Ok(Vec::new());
            }
            factors::set_recovery_codes(connection, key, &hashes(&codes))?;
            signed_in::end_others(connection, key.portal, key.id, current)?;
            Ok(codes)
        })
        .await?;
    Ok((Extension(SecurityEvent::FactorSetUp), Json(RecoveryCodes { recovery_codes: codes })))
}

/// Rename a passkey
#[utoipa::path(patch, path = "/passkeys/{id}")]
pub async fn rename_passkey<O: Owner>(
    owner: SignedInOwner<O>,
    State(app): State<App>,
    Id(passkey, ..): Id<Passkey>,
    Json(form): Json<PasskeyName>,
) -> Result<Json<SecondFactor>> {
    let key = owner.key();
    let config = app.config.clone();
    // Checked before validating the name, so that other passkeys get 404.
    if !app.db.read(|connection| store::list(connection, key)).await?.iter().any(|own| own.id == passkey) {
        return Err(Passkey::not_found());
    }
    let name = name_of(&form.name).map_err(|message| Error::field("name", message))?;
    app.carry_out(move |connection| {
        if !store::rename(connection, key, passkey, &name)? {
            return Err(Passkey::not_found());
        }
        super::read(connection, key, &config)
    })
    .await
}

/// Remove a passkey; with the last factor, deletes the recovery codes and ends every other session
#[utoipa::path(delete, path = "/passkeys/{id}")]
pub async fn remove_passkey<O: Owner>(
    owner: SignedInOwner<O, Recent>,
    State(app): State<App>,
    Id(passkey, ..): Id<Passkey>,
) -> Result<(Extension<SecurityEvent>, Json<SecondFactor>)> {
    let current = owner.session.id();
    let config = app.config.clone();
    let now = app.clock.now();
    let left = app.write_and_notify(move |connection| {
        let key = owner.key();
        if !store::delete(connection, key, passkey)? {
            return Err(Passkey::not_found());
        }
        let change = FactorChange { connection, owner: &*owner.account, config: &config, now };
        end_if_last(&change, FactorNews::PasskeyRemoved, current)?;
        super::read(connection, key, &config)
    });
    Ok((Extension(SecurityEvent::FactorTurnedOff), Json(left.await?)))
}

/// After removing a factor: notifies the owner and, if none is left, deletes the recovery codes and ends every other
/// session.
pub(super) fn end_if_last<O: Owner>(
    change: &FactorChange<'_, O>,
    otherwise: FactorNews,
    current: Option<tower_sessions::session::Id>,
) -> Result<()> {
    let connection: &Connection = change.connection;
    let key = change.key();
    if factors::is_on(connection, key)? {
        return change.report(otherwise);
    }
    factors::end_recovery_codes(connection, key)?;
    signed_in::end_others(connection, key.portal, key.id, current)?;
    change.report(FactorNews::TurnedOff)
}

numbered!(Passkey, "Passkey");
