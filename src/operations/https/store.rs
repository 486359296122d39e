//! The folder `https/` of the data folder: accounts, certificate, and the last attempts.
//!
//! Every file is private and replaced atomically. The certificate and its key share one file, so that no crash can
//! leave one without the other.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use anyhow::Context;
use instant_acme::AccountCredentials;
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio_rustls::rustls::sign::CertifiedKey;

use super::certificate::{self, CertificateFacts};
use crate::storage::data_dir::DataDir;

const CERTIFICATE: &str = "certificate.pem";
const RECORD: &str = "record.json";

/// The folder.
#[derive(Debug, Clone)]
pub struct Folder(PathBuf);

/// An account at a certificate authority.
#[derive(Deserialize, Serialize)]
pub struct AcmeAccount {
    /// The directory it belongs to.
    pub directory: String,
    /// Its address and key.
    pub credentials: AccountCredentials,
}

/// Outcome of recent renewals.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub struct RenewalRecord {
    /// Since when every attempt has failed; none after a success.
    pub failure: Option<RenewalFailure>,
    /// When the administrators were last warned of expiry.
    pub warned_at: Option<Timestamp>,
}

/// Consecutive failed attempts.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct RenewalFailure {
    /// Time of the first failure.
    pub since: Timestamp,
    /// Time of the last failure.
    pub last: Timestamp,
    /// Number of failures.
    pub attempts: u32,
    /// Why the last one failed, with the remedy.
    pub reason: String,
}

impl Folder {
    /// The folder in a data folder, created with the first file.
    pub fn new(data_dir: &DataDir) -> Self {
        Self(data_dir.https())
    }

    /// The certificate and its key, if any.
    ///
    /// # Errors
    /// When the file cannot be read or is incomplete.
    pub fn certificate(&self) -> anyhow::Result<Option<(CertifiedKey, CertificateFacts)>> {
        let Some(pem) = self.read(CERTIFICATE)? else { return Ok(None) };
        let loaded = certificate::load(&pem, &pem);
        loaded.map(Some).with_context(|| self.0.join(CERTIFICATE).display().to_string())
    }

    /// Stores a certificate with its chain and key.
    pub fn save_certificate(&self, chain_pem: &str, key_pem: &str) -> anyhow::Result<()> {
        self.write(CERTIFICATE, format!("{}\n{key_pem}", chain_pem.trim_end()).as_bytes())
    }

    /// The stored record; empty if unreadable.
    pub fn record(&self) -> RenewalRecord {
        self.read_json(RECORD).unwrap_or_default()
    }

    /// Stores the record.
    pub fn save_record(&self, record: &RenewalRecord) -> anyhow::Result<()> {
        self.write(RECORD, &serde_json::to_vec_pretty(record)?)
    }

    /// The account at a directory; `None` if unreadable, because a new one costs nothing.
    pub fn account(&self, directory: &str) -> Option<AccountCredentials> {
        let account: AcmeAccount = self.read_json(&account_file(directory))?;
        (account.directory == directory).then_some(account.credentials)
    }

    /// Stores an account.
    pub fn save_account(&self, account: &AcmeAccount) -> anyhow::Result<()> {
        self.write(&account_file(&account.directory), &serde_json::to_vec_pretty(account)?)
    }

    /// Deletes an account that the authority no longer knows.
    pub fn forget_account(&self, directory: &str) -> anyhow::Result<()> {
        match std::fs::remove_file(self.0.join(account_file(directory))) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error).context("forgetting an account"),
            _ => Ok(()),
        }
    }

    fn read_json<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        let bytes = self.read(name).inspect_err(|error| tracing::warn!("{error:#}")).ok()??;
        serde_json::from_slice(&bytes)
            .inspect_err(|error| tracing::warn!("{}: {error}", self.0.join(name).display()))
            .ok()
    }

    fn read(&self, name: &str) -> anyhow::Result<Option<Vec<u8>>> {
        let path = self.0.join(name);
        match std::fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| format!("reading {}", path.display())),
        }
    }

    fn write(&self, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        let path = self.0.join(name);
        let partial = self.0.join(format!("{name}.partial"));
        let written = DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.0)
            .and_then(|()| write_and_sync(&partial, bytes))
            .and_then(|()| std::fs::rename(&partial, &path))
            .and_then(|()| File::open(&self.0)?.sync_all());
        if written.is_err() {
            let _ = std::fs::remove_file(&partial);
        }
        written.with_context(|| format!("writing {}", path.display()))
    }
}

/// File name of a directory's account, safe for any URL.
fn account_file(directory: &str) -> String {
    let name: String =
        directory.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
    format!("account-{}.json", name.trim_start_matches("https---"))
}

fn write_and_sync(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::super::certificate::tests::self_signed;
    use super::*;

    #[test]
    fn a_certificate_is_one_private_file_and_comes_back_whole() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::new(&DataDir::new(root.path()));
        assert!(folder.certificate().unwrap().is_none());
        for name in ["old.example", "new.example"] {
            let (chain, key) = self_signed(&[name], "2026-01-01T00:00:00Z", "2026-04-01T00:00:00Z");
            folder.save_certificate(&chain, &key).unwrap();
            assert_eq!(folder.certificate().unwrap().unwrap().1.names, [name]);
        }
        let names: Vec<_> =
            std::fs::read_dir(root.path().join("https")).unwrap().map(|entry| entry.unwrap()).collect();
        assert_eq!(names.len(), 1);
        assert_eq!(names[0].metadata().unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::write(names[0].path(), "rubbish").unwrap();
        assert!(folder.certificate().is_err());
    }

    #[test]
    fn a_record_comes_back_and_a_broken_one_is_empty() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::new(&DataDir::new(root.path()));
        let now: Timestamp = "2026-11-21T15:00:00Z".parse().unwrap();
        let failure = RenewalFailure { since: now, last: now, attempts: 3, reason: "no response".into() };
        let record = RenewalRecord { failure: Some(failure), warned_at: Some(now) };
        folder.save_record(&record).unwrap();
        assert_eq!(folder.record(), record);
        std::fs::write(root.path().join("https/record.json"), "{").unwrap();
        assert_eq!(folder.record(), RenewalRecord::default());
    }
}
