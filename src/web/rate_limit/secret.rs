//! The key that this school drew on its first start, and the hashes under it.

use ring::hmac;
use rusqlite::{Connection, OptionalExtension, named_params};

use super::ledger::Key;
use crate::base::random;

/// Keeps apart what is hashed for different purposes.
#[derive(Debug, Clone, Copy)]
pub(super) enum KeyUse {
    Attempt,
    Device,
}

/// The server's own key; it is in the database, and in nothing that leaves.
pub(super) struct HashKey(hmac::Key);

impl HashKey {
    /// A key that ends with the process.
    pub(super) fn generate() -> anyhow::Result<Self> {
        Ok(Self::from_bytes(&random::bytes().map_err(|error| anyhow::anyhow!("{error}"))?))
    }

    /// The key of this school, drawn on its first start.
    pub(super) fn load(connection: &Connection) -> anyhow::Result<Self> {
        let kept = connection
            .query_row("select value from secrets where name = 'limits'", [], |row| row.get(0))
            .optional()?;
        if let Some(kept) = kept {
            return Ok(Self::from_bytes(&kept));
        }
        let fresh = random::bytes().map_err(|error| anyhow::anyhow!("{error}"))?;
        connection.execute(
            "insert into secrets (name, value) values ('limits', :fresh)",
            named_params! { ":fresh": fresh },
        )?;
        Ok(Self::from_bytes(&fresh))
    }

    fn from_bytes(bytes: &[u8; 32]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, bytes))
    }

    pub(super) fn sign(&self, used: KeyUse, parts: &[&[u8]]) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(hmac::sign(&self.0, &message(used, parts)).as_ref());
        bytes
    }

    /// Whether this key made the signature; takes as long for a wrong one.
    pub(super) fn signed(&self, used: KeyUse, parts: &[&[u8]], signature: &[u8]) -> bool {
        hmac::verify(&self.0, &message(used, parts), signature).is_ok()
    }

    /// A short hash to count under.
    pub(super) fn key(&self, parts: &[&[u8]]) -> Key {
        let mut key = Key::default();
        let length = key.len();
        key.copy_from_slice(&self.sign(KeyUse::Attempt, parts)[..length]);
        key
    }
}

/// The parts with their lengths: no two lists of parts are read alike.
fn message(used: KeyUse, parts: &[&[u8]]) -> Vec<u8> {
    let mut message = vec![used as u8];
    for part in parts {
        message.extend((part.len() as u64).to_be_bytes());
        message.extend(*part);
    }
    message
}
