//! A verified copy of the database as it was at one moment, and what it says about documents.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context;
use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags, named_params};
use sha2::{Digest, Sha256};

use super::archive::digest;
use super::contents::NamedFile;
use super::{ArchiveEntry, DATABASE, FORMAT, Manifest, MissingFile, contents, document_path, private_folder};
use crate::base::random::hex;
use crate::base::release::RELEASE;
use crate::documents::faults::Fault;
use crate::storage::data_dir::{DataDir, Lock};
use crate::storage::db;

/// The copy, in the staging directory; it is deleted when this is dropped.
pub(super) struct Snapshot {
    connection: Connection,
    path: PathBuf,
}

impl Snapshot {
    /// Copies and checks the database, which a server may use meanwhile.
    ///
    /// # Errors
    /// When there is no database, it is damaged, or the disk is full.
    pub(super) fn take(data_dir: &DataDir, staging: &StagingDir) -> anyhow::Result<Self> {
        let source = data_dir.database();
        let path = staging.path.join(DATABASE);
        let name = path.to_str().context("the data folder's path is not UTF-8")?;
        // Not the online backup: it begins anew with every write, and under a steady stream of
        // writes it never ends.
        let reader = db::connect_alongside(&source, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        // The copy is thrown away: bringing it to the disk would hold up the server's own syncs.
        reader.execute_batch("pragma synchronous=off")?;
        reader
            .execute("vacuum into :copy", named_params! { ":copy": name })
            .with_context(|| format!("copying {}", source.display()))?;
        let connection = db::connect_alongside(&path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        contents::check(&connection)?;
        Ok(Self { connection, path })
    }

    /// Where the copy is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What the archive will hold, and what it will lack: files that are not there or have another length, and
    /// those that are known to have `changed`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) fn manifest(
        &self,
        data_dir: &DataDir,
        configuration: &str,
        changed: &BTreeSet<String>,
        now: Timestamp,
    ) -> anyhow::Result<Manifest> {
        let (mut documents, mut missing) = (Vec::new(), Vec::new());
        for (sha256, NamedFile { ids, size_bytes }) in contents::documents(&self.connection)? {
            let found = fs::metadata(data_dir.join(document_path(&sha256)));
            let fault = match found {
                Err(error) if error.kind() == ErrorKind::NotFound => Some(Fault::Missing),
                found => {
                    let length = found.with_context(|| document_path(&sha256))?.len();
                    (length != size_bytes || changed.contains(&sha256)).then_some(Fault::Changed)
                }
            };
            let recorded = ArchiveEntry { sha256, size_bytes };
            match fault {
                None => documents.push(recorded),
                Some(fault) => missing.push(MissingFile { recorded, fault, documents: ids }),
            }
        }
        Ok(Manifest {
            format: FORMAT,
            program: format!("schoolhouse {RELEASE}"),
            created_at: now,
            schema_version: db::schema_version(&self.connection)?,
            counts: contents::count(&self.connection)?,
            database: digest(File::open(&self.path)?).context("reading the copy")?,
            configuration: Some(ArchiveEntry {
                sha256: hex(&Sha256::digest(configuration)),
                size_bytes: configuration.len() as u64,
            }),
            documents,
            missing,
            document_keys: contents::keys(&self.connection)?,
        })
    }
}

/// The sums of the documents whose files are no longer what a manifest says.
///
/// # Errors
/// When one is there and may not be read.
pub(super) fn changed(data_dir: &DataDir, manifest: &Manifest) -> anyhow::Result<Vec<String>> {
    let mut changed = Vec::new();
    for entry in &manifest.documents {
        let name = document_path(&entry.sha256);
        let is_whole = match File::open(data_dir.join(&name)) {
            Err(error) if error.kind() == ErrorKind::NotFound => false,
            // A disk that cannot read it does not have it any more.
            file => digest(file.context(name)?).is_ok_and(|found| found == *entry),
        };
        if !is_whole {
            changed.push(entry.sha256.clone());
        }
    }
    Ok(changed)
}

impl Drop for Snapshot {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// `tmp/backup/`, held by one backup at a time: what a killed one left there is cleared away.
pub(super) struct StagingDir {
    path: PathBuf,
    _lock: Lock,
}

impl StagingDir {
    /// Takes the folder, or says who has it.
    ///
    /// # Errors
    /// [`Busy`] while another backup runs; or the folder cannot be made.
    pub(super) fn open(data_dir: &DataDir) -> anyhow::Result<Self> {
        let tmp = data_dir.tmp();
        private_folder(&tmp)?;
        let lock = Lock::take(&tmp.join("backup.lock"))?;
        super::belong(&tmp.join("backup.lock"), data_dir);
        let lock = lock.ok_or(Busy)?;
        let path = tmp.join("backup");
        if path.exists() {
            fs::remove_dir_all(&path).context("clearing tmp/backup")?;
        }
        private_folder(&path)?;
        Ok(Self { path, _lock: lock })
    }

    /// Where the work is done.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for StagingDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Another backup of the same data folder is running.
#[derive(Debug, thiserror::Error)]
#[error("another backup is running; wait until it is done")]
pub struct Busy;
