//! A verified copy of the database as it was at one moment, and what it says about documents.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags, named_params};

use super::archive::digest;
use super::{DATABASE, Entry, FORMAT, Manifest, contents, document_path, private_folder};
use crate::base::release::RELEASE;
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

    /// What the archive will hold.
    ///
    /// # Errors
    /// When a document is missing or has another length.
    pub(super) fn manifest(&self, data_dir: &DataDir, now: Timestamp) -> anyhow::Result<Manifest> {
        let mut documents = Vec::new();
        for (sha256, (id, size_bytes)) in contents::documents(&self.connection)? {
            let found = fs::metadata(data_dir.join(document_path(&sha256)))
                .with_context(|| format!("document {id} is missing"))?
                .len();
            ensure!(found == size_bytes, "document {id} has changed: {found} bytes instead of {size_bytes}");
            documents.push(Entry { sha256, size_bytes });
        }
        Ok(Manifest {
            format: FORMAT,
            program: format!("schoolhouse {RELEASE}"),
            created_at: now,
            schema_version: db::schema_version(&self.connection)?,
            counts: contents::count(&self.connection)?,
            database: digest(File::open(&self.path)?).context("reading the copy")?,
            documents,
            document_keys: contents::keys(&self.connection)?,
        })
    }

    /// The first document with this content.
    pub(super) fn id_of(&self, sha256: &str) -> anyhow::Result<i64> {
        let id = self.connection.query_row(
            "select min(id) from student_documents where sha256 = :sha256",
            named_params! { ":sha256": sha256 },
            |row| row.get(0),
        )?;
        Ok(id)
    }
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
