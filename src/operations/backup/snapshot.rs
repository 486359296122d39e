//! A verified, consistent copy of the database, and the documents it refers to.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context;
use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags};
use sha2::{Digest, Sha256};

use super::archive::digest;
use super::contents::NamedFile;
use super::{ArchiveEntry, DATABASE, FORMAT, Manifest, MissingFile, contents, document_path, private_folder};
use crate::base::random::hex;
use crate::base::release::RELEASE;
use crate::documents::faults::Fault;
use crate::storage::data_dir::{DataDir, Lock};
use crate::storage::db;
use crate::storage::statements::params;

/// The copy in the staging directory, deleted on drop.
pub(super) struct Snapshot {
    connection: Connection,
    path: PathBuf,
}

impl Snapshot {
    /// Copies and checks the database, also while a server uses it.
    ///
    /// # Errors
    /// When there is no database, it is damaged, or the disk is full.
    pub(super) fn take(data_dir: &DataDir, staging: &StagingDir) -> anyhow::Result<Self> {
        let source = data_dir.database();
        let path = staging.path.join(DATABASE);
        let name = path.to_str().context("the data folder's path is not UTF-8")?;
        // Not the online backup API: it restarts with every write, so under a steady stream of writes it never ends.
        let reader = db::connect_alongside(&source, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        // The copy is temporary: syncing it would delay the server's own syncs.
        reader.execute_batch("pragma synchronous=off")?;
        reader
            .execute("vacuum into :copy", params![copy = name])
            .with_context(|| format!("copying {}", source.display()))?;
        let connection = db::connect_alongside(&path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        contents::check(&connection)?;
        Ok(Self { connection, path })
    }

    /// Path of the copy.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The manifest, with files it will lack: missing ones, ones of another size, and those known to have `changed`.
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
        let mut documents = Vec::new();
        let mut missing = Vec::new();
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

/// Hashes of the documents whose files no longer match the manifest.
///
/// # Errors
/// When a file exists but must not be read.
pub(super) fn changed(data_dir: &DataDir, manifest: &Manifest) -> anyhow::Result<Vec<String>> {
    let mut changed = Vec::new();
    for entry in &manifest.documents {
        let name = document_path(&entry.sha256);
        let is_whole = match File::open(data_dir.join(&name)) {
            Err(error) if error.kind() == ErrorKind::NotFound => false,
            // A file that the disk cannot read counts as changed.
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

/// `tmp/backup/`, used by one backup at a time; leftovers of a killed one are deleted.
pub(super) struct StagingDir {
    path: PathBuf,
    _lock: Lock,
}

impl StagingDir {
    /// Locks and clears the folder.
    ///
    /// # Errors
    /// [`Busy`] while another backup runs; or the folder cannot be created.
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

    /// Path of the folder.
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
