//! Passkey requests and responses for authentication.

use std::collections::BTreeMap;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::store::{self, ReachableCredential};
use crate::accounts::owner::{AccountKey, Owner};
use crate::accounts::second_factor::change::FactorChange;
use crate::accounts::second_factor::store as factors;
use crate::base::error::Result;
use crate::base::webauthn::challenges::{Ceremony, Challenge, TTL};
use crate::base::webauthn::{self, Assertion, RelyingParty};
use crate::web::app::App;

/// Limit of each part of a response; an attestation of a hardware key has 2 kB.
const MAX_BYTES: usize = 8 * 1024;

/// Options for `navigator.credentials.get`; bytes are in base64url.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasskeyQuestion {
    /// Challenge to sign.
    pub challenge: String,
    /// The site's id.
    pub rp_id: String,
    /// Accepted credentials.
    pub allow: Vec<KnownPasskey>,
    /// Whether an authenticator app can be used instead.
    pub has_app: bool,
    /// Timeout in milliseconds.
    pub timeout: i64,
}

/// A credential of the account.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct KnownPasskey {
    /// Credential id in base64url.
    pub id: String,
    /// Transports.
    pub transports: Vec<String>,
}

impl KnownPasskey {
    pub(super) fn new(reached: &ReachableCredential) -> Self {
        Self {
            id: BASE64_URL_SAFE_NO_PAD.encode(&reached.credential_id),
            transports: reached.transports.split_whitespace().map(ToOwned::to_owned).collect(),
        }
    }
}

/// Response of a browser to a [`PasskeyQuestion`].
pub struct GivenPasskey {
    id: Vec<u8>,
    client_data: Vec<u8>,
    authenticator_data: Vec<u8>,
    signature: Vec<u8>,
    challenge: Option<Challenge>,
}

impl GivenPasskey {
    /// Parses the four parts of a response.
    pub(in crate::accounts::second_factor) fn parse(parts: &BTreeMap<String, String>) -> Option<Self> {
        let part = |name: &str| decode(parts.get(name)?);
        Some(Self {
            id: part("id")?,
            client_data: part("clientData")?,
            authenticator_data: part("authenticatorData")?,
            signature: part("signature")?,
            challenge: None,
        })
    }

    /// Consumes the challenge of the response.
    pub(in crate::accounts::second_factor) fn take_challenge(&mut self, app: &App, key: AccountKey) {
        self.challenge = take(app, key, Ceremony::Authentication, &self.client_data);
    }

    /// Verifies it against the owner's passkeys and records the use.
    pub(in crate::accounts::second_factor) fn check<O: Owner>(
        &self,
        change: &FactorChange<'_, O>,
    ) -> Result<bool> {
        let (Some(challenge), Some(site)) = (self.challenge, RelyingParty::of(&change.config.public_url()))
        else {
            return Ok(false);
        };
        let Some(kept) = store::find(change.connection, change.key(), &self.id)? else { return Ok(false) };
        let Self { client_data, authenticator_data, signature, .. } = self;
        let checked = Assertion { client_data, authenticator_data, signature }.check(
            &site,
            &challenge,
            &kept.public_key,
            kept.counter,
        );
        match checked {
            Ok(counter) => store::note_use(change.connection, kept.id, counter, change.now).map(|()| true),
            Err(refusal) => {
                tracing::warn!("a passkey was refused: {refusal:?}");
                Ok(false)
            }
        }
    }
}

pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    if text.len() > MAX_BYTES {
        return None;
    }
    BASE64_URL_SAFE_NO_PAD.decode(text).ok()
}

pub(super) fn take(app: &App, key: AccountKey, ceremony: Ceremony, client_data: &[u8]) -> Option<Challenge> {
    let answered = webauthn::answered_challenge(client_data)?;
    app.challenges.take(&answered, &(key.portal, key.id, ceremony), app.clock.now())
}

pub(super) fn give(app: &App, key: AccountKey, ceremony: Ceremony) -> Result<String> {
    let challenge = app.challenges.give((key.portal, key.id, ceremony), app.clock.now())?;
    Ok(BASE64_URL_SAFE_NO_PAD.encode(challenge))
}

/// The request for an account's passkeys; `None` without any.
///
/// # Errors
/// [`Busy`](crate::base::error::Error::Busy) when too many challenges are open.
pub async fn ask(app: &App, key: AccountKey) -> Result<Option<PasskeyQuestion>> {
    let Some(site) = RelyingParty::of(&app.config.public_url()) else { return Ok(None) };
    let read = |connection: &Connection| {
        let app = factors::find(connection, key)?;
        Ok((store::list_reached(connection, key)?, app.is_some_and(|app| app.confirmed_at.is_some())))
    };
    let (known, has_app) = app.db.read(read).await?;
    if known.is_empty() {
        return Ok(None);
    }
    Ok(Some(PasskeyQuestion {
        challenge: give(app, key, Ceremony::Authentication)?,
        rp_id: site.rp_id,
        allow: known.iter().map(KnownPasskey::new).collect(),
        has_app,
        timeout: TTL.as_millis().try_into().unwrap_or(i64::MAX),
    }))
}
