//! The school's keys: the current one encrypts; older ones still decrypt.

use std::fmt;
use std::str::FromStr;

use anyhow::{anyhow, ensure};
use bech32::primitives::decode::CheckedHrpstring;
use bech32::{Bech32, Hrp};
use ring::hmac;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Mac;
use crate::base::age::derive;
use crate::base::random;

/// Prefix of a key. The Bech32 checksum detects typing errors in a key that was kept on paper.
const PREFIX: &str = "schoolhouse-key-";
const INFO: &[u8] = b"schoolhouse encrypted 1: ";

/// Public id of a key, 16 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct KeyId([u8; 8]);

impl KeyId {
    pub(super) fn bytes(&self) -> &[u8; 8] {
        &self.0
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&random::hex(&self.0))
    }
}

impl FromStr for KeyId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = u64::from_str_radix(text, 16).ok();
        let id = Self(number.unwrap_or_default().to_be_bytes());
        match number {
            Some(_) if id.to_string() == text => Ok(id),
            _ => Err(format!("a key's id is 16 hexadecimal digits (found {text:?})")),
        }
    }
}

impl TryFrom<String> for KeyId {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<KeyId> for String {
    fn from(id: KeyId) -> Self {
        id.to_string()
    }
}

impl ToSql for KeyId {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.to_string().into())
    }
}

impl FromSql for KeyId {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_str()?.parse().map_err(|error: String| FromSqlError::Other(error.into()))
    }
}

/// A secret key; printed only by [`Key::to_line`].
pub struct Key {
    secret: [u8; 32],
    id: KeyId,
    macs: hmac::Key,
    files: [u8; 32],
}

impl Key {
    /// Generates a key.
    pub fn generate() -> anyhow::Result<Self> {
        Self::new(random::bytes().map_err(|error| anyhow!("drawing a key: {error}"))?)
    }

    fn new(secret: [u8; 32]) -> anyhow::Result<Self> {
        let part = |name: &[u8]| derive(&secret, b"", &[INFO, name].concat());
        let id = part(b"id")?;
        let macs = part(b"macs")?;
        let files = part(b"files")?;
        let [a, b, c, d, e, f, g, h, ..] = id;
        let macs = hmac::Key::new(hmac::HMAC_SHA256, &macs);
        Ok(Self { secret, id: KeyId([a, b, c, d, e, f, g, h]), macs, files })
    }

    fn parse(line: &str) -> Option<Self> {
        let checked = CheckedHrpstring::new::<Bech32>(line).ok()?;
        let is_ours = checked.hrp().as_str().eq_ignore_ascii_case(PREFIX);
        let secret = checked.byte_iter().collect::<Vec<u8>>().try_into().ok()?;
        is_ours.then(|| Self::new(secret).ok()).flatten()
    }

    /// The secret itself, as a line of a key file.
    pub fn to_line(&self) -> anyhow::Result<String> {
        let prefix = Hrp::parse(PREFIX).map_err(|error| anyhow!("{error}"))?;
        bech32::encode_upper::<Bech32>(prefix, &self.secret).map_err(|error| anyhow!("{error}"))
    }

    /// The key's public id.
    pub fn id(&self) -> KeyId {
        self.id
    }

    /// The MAC of a content.
    pub fn mac_of(&self, content: &[u8]) -> Mac {
        self.mac_of_sum(&Sha256::digest(content))
    }

    /// The MAC of a content from its SHA-256.
    pub fn mac_of_sum(&self, sha256: &[u8]) -> Mac {
        let mut mac = [0; 32];
        let tag = hmac::sign(&self.macs, sha256);
        mac.copy_from_slice(tag.as_ref());
        mac
    }

    /// Derives the key of a single file.
    pub(super) fn file_key(&self, header: &[u8]) -> anyhow::Result<[u8; 32]> {
        derive(&self.files, header, INFO)
    }
}

/// The keys of a key file: the first one encrypts; all of them decrypt.
#[derive(Default)]
pub struct Keys(Vec<Key>);

impl Keys {
    /// Parses a key file; lines that begin with # are comments.
    ///
    /// # Errors
    /// When a line is not a key, or there is none. The line is a secret, so the error does not repeat it.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let mut keys: Vec<Key> = Vec::new();
        for (index, line) in text.lines().map(str::trim).enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let key = Key::parse(line).ok_or_else(|| {
                anyhow!(
                    "line {} must be a key, SCHOOLHOUSE-KEY-1 and 58 more characters, as \
                     `schoolhouse documents-key` makes it",
                    index + 1
                )
            })?;
            ensure!(keys.iter().all(|known| known.id != key.id), "line {} repeats a key", index + 1);
            keys.push(key);
        }
        ensure!(!keys.is_empty(), "holds no key");
        Ok(Self(keys))
    }

    /// The key that encrypts; `None` when documents are stored unencrypted.
    pub fn current(&self) -> Option<&Key> {
        self.0.first()
    }

    /// The key with this id.
    pub fn find(&self, id: KeyId) -> Option<&Key> {
        self.0.iter().find(|key| key.id == id)
    }
}
