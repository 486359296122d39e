//! The school's hash key, generated at the first start, and hashes with it.

use ring::hmac;
use rusqlite::{Connection, OptionalExtension};

use super::ledger::Key;
use crate::base::random;
use crate::storage::statements::params;

/// Domain separation of hashes.
#[derive(Debug, Clone, Copy)]
pub enum KeyUse {
    /// Counting attempts.
    Attempt,
    /// Recognizing a browser.
    Device,
    /// The address of a student's calendar.
    Calendar,
}

/// The server's key, stored only in the database.
pub struct HashKey(hmac::Key);

impl HashKey {
    /// A key for this process only.
    pub(super) fn generate() -> anyhow::Result<Self> {
        Ok(Self::from_bytes(&random::bytes().map_err(|error| anyhow::anyhow!("{error}"))?))
    }

    /// The school's key, generated at the first start.
    pub(super) fn load(connection: &Connection) -> anyhow::Result<Self> {
        let kept = connection
            .query_row("select value from secrets where name = 'limits'", [], |row| row.get(0))
            .optional()?;
        if let Some(kept) = kept {
            return Ok(Self::from_bytes(&kept));
        }
        let fresh = random::bytes().map_err(|error| anyhow::anyhow!("{error}"))?;
        connection.execute("insert into secrets (name, value) values ('limits', :fresh)", params![fresh])?;
        Ok(Self::from_bytes(&fresh))
    }

    fn from_bytes(bytes: &[u8; 32]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, bytes))
    }

    /// Signs parts.
    pub fn sign(&self, used: KeyUse, parts: &[&[u8]]) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(hmac::sign(&self.0, &message(used, parts)).as_ref());
        bytes
    }

    /// Whether the signature is valid; compares in constant time.
    pub fn signed(&self, used: KeyUse, parts: &[&[u8]], signature: &[u8]) -> bool {
        hmac::verify(&self.0, &message(used, parts), signature).is_ok()
    }

    /// A short hash, as a counter's key.
    pub(super) fn key(&self, parts: &[&[u8]]) -> Key {
        let mut key = Key::default();
        let length = key.len();
        key.copy_from_slice(&self.sign(KeyUse::Attempt, parts)[..length]);
        key
    }
}

/// Concatenates the parts with their lengths, which makes the encoding unambiguous.
fn message(used: KeyUse, parts: &[&[u8]]) -> Vec<u8> {
    let mut message = vec![used as u8];
    for part in parts {
        message.extend((part.len() as u64).to_be_bytes());
        message.extend(*part);
    }
    message
}
