//! Device cookie: marks a browser that logged in to an account before (OWASP's device cookies).
//!
//! Attempts from a known browser have a separate budget, so that password guessing from elsewhere does not lock the
//! owner out. The cookie grants no access, contains no personal data, is bound to one account, and becomes invalid with
//! the password, whose hash is part of the signature. A shared browser keeps tokens for the last few accounts. The
//! server stores nothing. OWASP ASVS 5.0, V9 (self-contained tokens): `tests/asvs.md`.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponseParts, Response, ResponseParts};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;

use super::secret::{HashKey, KeyUse};
use crate::base::closed_set::ClosedSet;
use crate::base::error::Result;
use crate::base::hashing;
use crate::base::random;
use crate::config::Config;
use crate::web::description::{Answer, Description, Parameter};
use crate::web::portal::Portal;

/// Maximum number of accounts per browser, newest first.
const TOKENS: usize = 4;
/// The longest that browsers keep a cookie (RFC 6265bis, 5.5): 400 days.
const MAX_AGE_SECONDS: u32 = 400 * 24 * 60 * 60;
const NONCE: usize = 12;

/// A nonce and a signature over it and the account.
pub(super) type DeviceToken = [u8; NONCE + 32];

/// The account that a token is bound to.
#[derive(Debug, Clone, Copy)]
pub struct DeviceAccount<'a> {
    /// Portal of the account.
    pub portal: Portal,
    /// Id of the account.
    pub id: i64,
    /// Stored password hash. The token is bound to its [choice](hashing::choice) of password: a new password
    /// invalidates it, a renewed hash does not.
    pub password_hash: &'a str,
}

impl DeviceAccount<'_> {
    fn signed_parts<'a>(&'a self, id: &'a [u8; 8], nonce: &'a [u8]) -> [&'a [u8]; 4] {
        [self.portal.as_str().as_bytes(), id, hashing::choice(self.password_hash).as_bytes(), nonce]
    }
}

/// Device tokens from the request.
#[derive(Debug, Clone, Default)]
pub struct Devices(Vec<DeviceToken>);

impl Parameter for Devices {}

impl<S: Send + Sync> FromRequestParts<S> for Devices
where
    Arc<Config>: FromRef<S>,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let name = cookie_name(&Arc::from_ref(state));
        let tokens = parts
            .headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'))
            .filter_map(|pair| pair.trim().split_once('=').filter(|(found, _)| *found == name))
            .flat_map(|(_, tokens)| tokens.split('.'))
            .filter_map(|token| BASE64.decode(token).ok()?.try_into().ok())
            .take(TOKENS)
            .collect();
        Ok(Self(tokens))
    }
}

impl Devices {
    /// Whether the browser sent no token.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The token that is valid for this account.
    pub(super) fn find(&self, secret: &HashKey, account: DeviceAccount<'_>) -> Option<DeviceToken> {
        let id = account.id.to_be_bytes();
        self.0.iter().copied().find(|token| {
            let (nonce, signature) = token.split_at(NONCE);
            secret.signed(KeyUse::Device, &account.signed_parts(&id, nonce), signature)
        })
    }

    /// The tokens with one for this account prepended.
    pub(super) fn with(&self, secret: &HashKey, account: DeviceAccount<'_>) -> Result<Remember> {
        let token = match self.find(secret, account) {
            Some(known) => known,
            None => generate_token(secret, account)?,
        };
        let others = self.0.iter().copied().filter(|other| *other != token);
        Ok(Remember(std::iter::once(token).chain(others).take(TOKENS).collect()))
    }
}

fn generate_token(secret: &HashKey, account: DeviceAccount<'_>) -> Result<DeviceToken> {
    let nonce = random::bytes::<NONCE>()?;
    let id = account.id.to_be_bytes();
    let signature = secret.sign(KeyUse::Device, &account.signed_parts(&id, &nonce));
    let mut token = [0; NONCE + 32];
    token[..NONCE].copy_from_slice(&nonce);
    token[NONCE..].copy_from_slice(&signature);
    Ok(token)
}

/// Response part that marks the browser as known; [`send_cookie`] adds the cookie.
#[derive(Debug, Clone)]
pub struct Remember(Vec<DeviceToken>);

impl<A: Answer> Answer for (Remember, A) {
    fn describe(description: &mut Description<'_>) {
        A::describe(description);
    }
}

impl<E, A: Answer> Answer for (Extension<E>, Remember, A) {
    fn describe(description: &mut Description<'_>) {
        A::describe(description);
    }
}

impl IntoResponseParts for Remember {
    type Error = Infallible;

    fn into_response_parts(self, mut parts: ResponseParts) -> Result<ResponseParts, Infallible> {
        parts.extensions_mut().insert(self);
        Ok(parts)
    }
}

/// Adds the device cookie after the session's, as scripts read the first one.
pub fn send_cookie(response: &mut Response, config: &Config) {
    let Some(Remember(tokens)) = response.extensions_mut().remove::<Remember>() else { return };
    let value: Vec<_> = tokens.iter().map(|token| BASE64.encode(token)).collect();
    let secure = if config.is_https() { "; Secure" } else { "" };
    let cookie = format!(
        "{}={}; Path=/; Max-Age={MAX_AGE_SECONDS}; HttpOnly; SameSite=Strict{secure}",
        cookie_name(config),
        value.join(".")
    );
    if let Ok(cookie) = HeaderValue::try_from(cookie) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
}

fn cookie_name(config: &Config) -> &'static str {
    if config.is_https() { "__Host-schoolhouse_device" } else { "schoolhouse_device" }
}
