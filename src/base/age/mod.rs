//! Encryption to a public key, in the format of the `age` tool (age-encryption.org/v1, X25519).
//!
//! The server holds recipients only, so it cannot decrypt what it encrypted. Made of ring's ChaCha20-Poly1305, HKDF and
//! HMAC and of x25519-dalek, as the specification says (<https://c2sp.org/age>); its tests go both ways with the real
//! tool and through the published test vectors. The `age` crate is in beta and would bring 78 more crates (0.12.1,
//! November 2026), among them translations and a pre-release. Not supported: passphrases, SSH keys, plugins, hybrid
//! keys and the text armour.

mod header;
pub(in crate::base) mod stream;
#[cfg(test)]
mod tests;

use std::fmt;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::str::FromStr;

use anyhow::{Context, anyhow, bail, ensure};
use bech32::Bech32;
use bech32::primitives::decode::CheckedHrpstring;
use x25519_dalek::{PublicKey, StaticSecret};

pub use self::stream::{Decrypting, Encrypting};
use crate::base::random;

/// First line of an encrypted file.
pub const MAGIC: &[u8] = b"age-encryption.org/v1\n";

/// Key of one file, random.
type FileKey = [u8; 16];

/// A public key to encrypt for, as `age-keygen` prints it.
#[derive(Clone, PartialEq, Eq)]
pub struct Recipient {
    text: String,
    key: PublicKey,
}

impl FromStr for Recipient {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let key = decode("age", text).ok_or_else(|| {
            let wanted = "must be an age recipient, age1 and 58 more characters, as age-keygen prints it";
            // A secret key pasted by mistake must not appear in a log.
            if text.to_lowercase().starts_with("age-secret-key-") {
                format!("{wanted}; this is the secret key, which must not be on the server")
            } else {
                format!("{wanted} (found {text:?})")
            }
        })?;
        Ok(Self { text: text.to_lowercase(), key: PublicKey::from(key) })
    }
}

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Secret keys, from a file as `age-keygen` writes it.
pub struct Identities(Vec<StaticSecret>);

impl Identities {
    /// Reads an identity file.
    ///
    /// # Errors
    /// When it cannot be read or holds no X25519 key.
    pub fn load(path: &Path) -> anyhow::Result<Self> {
        let context = || format!("the identity file {}", path.display());
        let text = std::fs::read_to_string(path).with_context(context)?;
        Self::parse(&text).with_context(context)
    }

    fn parse(text: &str) -> anyhow::Result<Self> {
        let mut keys = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            // The line is a secret, so the error does not repeat it.
            let key = decode("age-secret-key-", line)
                .ok_or_else(|| anyhow!("must hold lines that begin with AGE-SECRET-KEY-1; for another kind of key, decrypt with the age tool first"))?;
            keys.push(StaticSecret::from(key));
        }
        ensure!(!keys.is_empty(), "holds no key");
        Ok(Self(keys))
    }
}

fn decode(prefix: &str, text: &str) -> Option<[u8; 32]> {
    let checked = CheckedHrpstring::new::<Bech32>(text).ok()?;
    if !checked.hrp().as_str().eq_ignore_ascii_case(prefix) {
        return None;
    }
    checked.byte_iter().collect::<Vec<u8>>().try_into().ok()
}

/// Starts a file that each of the recipients can decrypt; [`Encrypting::finish`] completes it.
///
/// # Errors
/// When the sink fails, or there is no randomness or no recipient.
pub fn encrypt<W: Write>(mut sink: W, recipients: &[Recipient]) -> anyhow::Result<Encrypting<W>> {
    if recipients.is_empty() {
        bail!("there is no recipient to encrypt for");
    }
    let draw = |error| anyhow!("drawing a key: {error}");
    let file_key: FileKey = random::bytes().map_err(draw)?;
    let nonce: [u8; 16] = random::bytes().map_err(draw)?;
    header::write(&mut sink, &file_key, recipients)?;
    sink.write_all(&nonce)?;
    Ok(Encrypting::begin(sink, stream::key(&file_key, &nonce)?))
}

/// Decrypts a file with one of the identities.
///
/// # Errors
/// When the header is damaged or none of the identities is a recipient.
pub fn decrypt<R: BufRead>(mut source: R, identities: &Identities) -> anyhow::Result<Decrypting<R>> {
    let file_key = header::read(&mut source, identities)?;
    let mut nonce = [0; 16];
    source.read_exact(&mut nonce).context("the encrypted file is cut off")?;
    Ok(Decrypting::begin(source, stream::key(&file_key, &nonce)?))
}

/// HKDF with SHA-256, one output block.
pub(in crate::base) fn derive(secret: &[u8], salt: &[u8], info: &[u8]) -> anyhow::Result<[u8; 32]> {
    use ring::hkdf::{HKDF_SHA256, Salt};
    let mut out = [0; 32];
    Salt::new(HKDF_SHA256, salt)
        .extract(secret)
        .expand(&[info], HKDF_SHA256)
        .and_then(|okm| okm.fill(&mut out))
        .map_err(|_| anyhow!("deriving a key"))?;
    Ok(out)
}

fn broken(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_owned())
}
