//! Passkeys: server-side checks of a credential that a browser created or used, by W3C Web Authentication Level 3, §7.1
//! (registration) and §7.2 (authentication), <https://www.w3.org/TR/webauthn-3/>.
//!
//! Signatures by ES256, Ed25519 and RS256. Not here: the make of an authenticator. No attestation is requested, and an
//! unsolicited statement is ignored. No extensions are requested either. The caller checks that a challenge is used
//! once and which account a credential belongs to.

pub mod challenges;
mod cose;

use std::net::IpAddr;

use axum::http::Uri;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use minicbor::Decoder;
use minicbor::data::Type;
use serde::Deserialize;
use sha2::{Digest, Sha256};

pub use self::cose::ALGORITHMS;
use self::cose::PublicKey;

/// The site that credentials belong to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelyingParty {
    /// Relying party id: the host name.
    pub rp_id: String,
    /// Scheme, host and port, as browsers write them.
    origin: String,
}

impl RelyingParty {
    /// From the public URL; `None` if browsers create no credentials there. It must be a host name, over HTTPS or
    /// localhost; an IP address is not valid (§5.1.2, `rp.id`).
    pub fn of(public_url: &str) -> Option<Self> {
        let uri: Uri = public_url.parse().ok()?;
        let scheme = uri.scheme_str()?;
        let host = uri.host()?.to_ascii_lowercase();
        let is_name = host.parse::<IpAddr>().is_err() && !host.starts_with('[');
        let default = match scheme {
            "https" => 443,
            "http" if host == "localhost" => 80,
            _ => return None,
        };
        let port = uri.port_u16().filter(|port| *port != default).map(|port| format!(":{port}"));
        let origin = format!("{scheme}://{host}{}", port.unwrap_or_default());
        is_name.then_some(Self { rp_id: host, origin })
    }
}

/// Why a credential is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CredentialError {
    /// The client data are malformed.
    ClientData,
    /// The client data are of the other ceremony.
    Ceremony,
    /// The client data answer another challenge.
    Challenge,
    /// The client data are from another origin, or from an embedded page.
    Origin,
    /// The attestation or the authenticator data are malformed.
    Form,
    /// The authenticator data are for another site.
    Site,
    /// User presence was not confirmed.
    Absent,
    /// The key's algorithm was not offered, or the key is invalid.
    Key,
    /// The signature does not match the credential's key.
    Signature,
    /// The signature counter went backwards: the authenticator may have been cloned.
    Counter,
}

/// A result with the failed check as its error.
pub type CredentialResult<T> = Result<T, CredentialError>;

/// A new credential.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credential {
    /// Credential id, 1 to 1,023 bytes.
    pub id: Vec<u8>,
    /// Public key, in COSE form as received.
    pub public_key: Vec<u8>,
    /// Signature counter; 0 if the authenticator does not count.
    pub counter: u32,
}

/// A browser's response to a registration request.
#[derive(Debug, Clone)]
pub struct NewCredential<'a> {
    /// `clientDataJSON`, as received.
    pub client_data: &'a [u8],
    /// `attestationObject`.
    pub attestation: &'a [u8],
}

impl NewCredential<'_> {
    /// Verifies the registration (§7.1).
    ///
    /// # Errors
    /// The first check that fails.
    pub fn check(&self, site: &RelyingParty, challenge: &[u8]) -> CredentialResult<Credential> {
        check_client_data(self.client_data, "webauthn.create", site, challenge)?;
        let data = read_attestation(self.attestation).ok_or(CredentialError::Form)?;
        let data = AuthenticatorData::read(data, site)?;
        let (id, public_key) = data.credential.ok_or(CredentialError::Form)?;
        let key = PublicKey::read(&mut Decoder::new(public_key)).filter(PublicKey::is_valid);
        key.ok_or(CredentialError::Key)?;
        Ok(Credential { id: id.to_vec(), public_key: public_key.to_vec(), counter: data.counter })
    }
}

/// A browser's response to an authentication request.
#[derive(Debug, Clone)]
pub struct Assertion<'a> {
    /// `clientDataJSON`, as received.
    pub client_data: &'a [u8],
    /// `authenticatorData`.
    pub authenticator_data: &'a [u8],
    /// The signature over the two.
    pub signature: &'a [u8],
}

impl Assertion<'_> {
    /// Verifies it against a stored credential (§7.2). Returns the signature counter to store.
    ///
    /// # Errors
    /// The first check that fails.
    pub fn check(
        &self,
        site: &RelyingParty,
        challenge: &[u8],
        public_key: &[u8],
        counter: u32,
    ) -> CredentialResult<u32> {
        check_client_data(self.client_data, "webauthn.get", site, challenge)?;
        let data = AuthenticatorData::read(self.authenticator_data, site)?;
        let key = PublicKey::read(&mut Decoder::new(public_key)).ok_or(CredentialError::Key)?;
        let signed = [self.authenticator_data, &Sha256::digest(self.client_data)].concat();
        if !key.has_signed(&signed, self.signature) {
            return Err(CredentialError::Signature);
        }
        let counts = data.counter != 0 || counter != 0;
        if counts && data.counter <= counter { Err(CredentialError::Counter) } else { Ok(data.counter) }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ClientData {
    #[serde(rename = "type")]
    ceremony: String,
    challenge: String,
    origin: String,
    #[serde(default)]
    cross_origin: bool,
    top_origin: Option<String>,
}

/// The challenge in the client data, not yet verified.
pub fn answered_challenge(client_data: &[u8]) -> Option<Vec<u8>> {
    let data: ClientData = serde_json::from_slice(client_data).ok()?;
    BASE64_URL_SAFE_NO_PAD.decode(data.challenge).ok()
}

fn check_client_data(
    json: &[u8],
    ceremony: &str,
    site: &RelyingParty,
    challenge: &[u8],
) -> CredentialResult<()> {
    let data: ClientData = serde_json::from_slice(json).map_err(|_| CredentialError::ClientData)?;
    if data.ceremony != ceremony {
        return Err(CredentialError::Ceremony);
    }
    if data.challenge != BASE64_URL_SAFE_NO_PAD.encode(challenge) {
        return Err(CredentialError::Challenge);
    }
    if data.origin != site.origin || data.cross_origin || data.top_origin.is_some() {
        return Err(CredentialError::Origin);
    }
    Ok(())
}

/// Extracts the authenticator data from an attestation object (§6.5.4).
fn read_attestation(cbor: &[u8]) -> Option<&[u8]> {
    let mut decoder = Decoder::new(cbor);
    let mut data = None;
    for _ in 0..decoder.map().ok()?? {
        match decoder.str().ok()? {
            "authData" if data.is_none() => data = Some(decoder.bytes().ok()?),
            "fmt" => drop(decoder.str().ok()?),
            "attStmt" if decoder.datatype().ok()? == Type::Map => decoder.skip().ok()?,
            _ => return None,
        }
    }
    data.filter(|_| decoder.position() == cbor.len())
}

/// §6.1.
struct AuthenticatorData<'a> {
    counter: u32,
    /// Id and public key, if a credential was created.
    credential: Option<(&'a [u8], &'a [u8])>,
}

const USER_PRESENT: u8 = 1;
const BACKUP_ELIGIBLE: u8 = 1 << 3;
const BACKED_UP: u8 = 1 << 4;
const HAS_CREDENTIAL: u8 = 1 << 6;
const HAS_EXTENSIONS: u8 = 1 << 7;
const MAX_ID_BYTES: usize = 1_023;

impl<'a> AuthenticatorData<'a> {
    fn read(bytes: &'a [u8], site: &RelyingParty) -> CredentialResult<Self> {
        let (data, of_site, flags) = Self::parse(bytes).ok_or(CredentialError::Form)?;
        if of_site != Sha256::digest(site.rp_id.as_bytes()).as_slice() {
            return Err(CredentialError::Site);
        }
        if flags & USER_PRESENT == 0 {
            return Err(CredentialError::Absent);
        }
        if flags & BACKED_UP != 0 && flags & BACKUP_ELIGIBLE == 0 {
            return Err(CredentialError::Form);
        }
        Ok(data)
    }

    fn parse(bytes: &'a [u8]) -> Option<(Self, &'a [u8], u8)> {
        let (of_site, rest) = bytes.split_at_checked(32)?;
        let (&flags, rest) = rest.split_first()?;
        let (counter, mut rest) = rest.split_first_chunk::<4>()?;
        let mut credential = None;
        if flags & HAS_CREDENTIAL != 0 {
            let (_make, after) = rest.split_at_checked(16)?;
            let (length, after) = after.split_first_chunk::<2>()?;
            let length = usize::from(u16::from_be_bytes(*length));
            let (id, after) = after.split_at_checked(length)?;
            if id.is_empty() || id.len() > MAX_ID_BYTES {
                return None;
            }
            let (key, after) = after.split_at_checked(skip(after)?)?;
            credential = Some((id, key));
            rest = after;
        }
        if flags & HAS_EXTENSIONS != 0 {
            rest = rest.get(skip(rest)?..)?;
        }
        let data = Self { counter: u32::from_be_bytes(*counter), credential };
        rest.is_empty().then_some((data, of_site, flags))
    }
}

/// Length of the CBOR map at the start.
fn skip(cbor: &[u8]) -> Option<usize> {
    let mut decoder = Decoder::new(cbor);
    if decoder.datatype().ok()? != Type::Map {
        return None;
    }
    decoder.skip().ok()?;
    Some(decoder.position())
}

#[cfg(test)]
mod tests;
