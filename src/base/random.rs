//! Random secrets from the operating system. OWASP ASVS 5.0, V11.5 (random values): `tests/asvs.md`.

use anyhow::anyhow;
use sha2::{Digest, Sha256};

use crate::base::error::Result;

/// A random bearer token: 256 bits as 64 hexadecimal digits. The database keeps only its hash.
pub struct Token(String);

impl Token {
    /// Generates a token.
    pub fn generate() -> Result<Self> {
        Ok(Self(hex(&bytes::<32>()?)))
    }

    /// The text that goes into a link.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What is stored in place of the token.
    pub fn hash(&self) -> [u8; 32] {
        hash(&self.0)
    }
}

/// SHA-256 of a token received in a link.
pub fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

/// A password that is easy to type: 20 characters, 100 bits.
pub fn password() -> Result<String> {
    letters::<20>()
}

/// Characters without look-alikes, of 5 bits each.
pub fn letters<const N: usize>() -> Result<String> {
    const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    Ok(bytes::<N>()?.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect())
}

/// Lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

/// Random bytes.
#[expect(clippy::disallowed_methods, reason = "the only place that draws randomness")]
pub fn bytes<const N: usize>() -> Result<[u8; N]> {
    let mut buffer = [0; N];
    getrandom::fill(&mut buffer).map_err(|error| anyhow!("drawing randomness: {error}"))?;
    Ok(buffer)
}
