//! A verified copy of the database as it was at one moment, and what it says about documents.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow, ensure};
use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags, named_params};

use super::archive::digest;
use super::{DATABASE, Entry, FORMAT, Manifest, document_path, private_folder};
use crate::plumbing::db;

/// The copy, in `tmp/backup/`; it goes when this is dropped.
pub(super) struct Snapshot {
    connection: Connection,
    folder: Folder,
}

impl Snapshot {
    /// Copies and checks the database of a school that may be open meanwhile.
    ///
    /// # Errors
    /// When there is no database, it is damaged, or the disk is full.
    pub(super) fn take(data_dir: &Path) -> anyhow::Result<Self> {
        let source = data_dir.join(DATABASE);
        let folder = Folder::make(&data_dir.join("tmp"))?;
        let copy = folder.path.join(DATABASE);
        let name = copy.to_str().context("the data folder's path is not UTF-8")?;
        // Not the online backup: it begins anew with every write, and under a steady stream of
        // writes it never ends.
        open(&source, OpenFlags::SQLITE_OPEN_READ_WRITE)?
            .execute("vacuum into :copy", named_params! { ":copy": name })
            .with_context(|| format!("copying {}", source.display()))?;
        File::open(&copy).and_then(|file| file.sync_all()).context("syncing the copy")?;
        let connection = open(&copy, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        check(&connection)?;
        Ok(Self { connection, folder })
    }

    /// Where the copy is.
    pub(super) fn path(&self) -> PathBuf {
        self.folder.path.join(DATABASE)
    }

    /// What the archive will hold.
    ///
    /// # Errors
    /// When a document is missing or has another length.
    pub(super) fn manifest(&self, data_dir: &Path, now: Timestamp) -> anyhow::Result<Manifest> {
        let mut documents = Vec::new();
        for (sha256, (id, size_bytes)) in self.documents()? {
            let found = fs::metadata(data_dir.join(document_path(&sha256)))
                .with_context(|| format!("document {id} is missing"))?
                .len();
            ensure!(found == size_bytes, "document {id} has changed: {found} bytes instead of {size_bytes}");
            documents.push(Entry { sha256, size_bytes });
        }
        Ok(Manifest {
            format: FORMAT,
            program: concat!("schoolhouse ", env!("CARGO_PKG_VERSION")).into(),
            created_at: now,
            schema_version: db::schema_version(&self.connection)?,
            database: digest(File::open(self.path())?).context("reading the copy")?,
            documents,
        })
    }

    /// Id and size of each document by its SHA-256; equal files are stored once, under the first id.
    fn documents(&self) -> anyhow::Result<BTreeMap<String, (i64, u64)>> {
        let mut select =
            self.connection.prepare("select sha256, id, size_bytes from student_documents order by id")?;
        let mut rows = select.query([])?;
        let mut documents = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let (sha256, id): (String, i64) = (row.get(0)?, row.get(1)?);
            // It becomes part of a path.
            let is_hex = sha256.len() == 64 && sha256.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
            ensure!(is_hex, "document {id}: its SHA-256 is malformed");
            let size_bytes = u64::try_from(row.get::<_, i64>(2)?).context("a negative size")?;
            documents.entry(sha256).or_insert((id, size_bytes));
        }
        Ok(documents)
    }

    /// The first document with this content.
    ///
    /// # Errors
    /// When the copy cannot be read.
    pub(super) fn id_of(&self, sha256: &str) -> anyhow::Result<i64> {
        let id = self.connection.query_row(
            "select min(id) from student_documents where sha256 = :sha256",
            named_params! { ":sha256": sha256 },
            |row| row.get(0),
        )?;
        Ok(id)
    }
}

/// `tmp/backup/`, held by one backup at a time: what a killed one left there is cleared away.
struct Folder {
    path: PathBuf,
    _lock: File,
}

impl Folder {
    fn make(tmp: &Path) -> anyhow::Result<Self> {
        private_folder(tmp)?;
        let lock = File::create(tmp.join("backup.lock")).context("making tmp/backup.lock")?;
        lock.try_lock().map_err(|_| anyhow!("another backup is running"))?;
        let path = tmp.join("backup");
        if path.exists() {
            fs::remove_dir_all(&path).context("clearing tmp/backup")?;
        }
        private_folder(&path)?;
        Ok(Self { path, _lock: lock })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

fn open(path: &Path, flags: OpenFlags) -> anyhow::Result<Connection> {
    // Without SQLITE_OPEN_CREATE: a wrong path is an error and not an empty school.
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)
        .with_context(|| format!("opening {}", path.display()))?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.execute_batch("pragma trusted_schema=off; pragma cell_size_check=on; pragma mmap_size=0")?;
    Ok(connection)
}

fn check(copy: &Connection) -> anyhow::Result<()> {
    let found: String = copy.query_row("pragma integrity_check(1)", [], |row| row.get(0))?;
    ensure!(found == "ok", "the database is damaged: {found}");
    let mut statement = copy.prepare("pragma foreign_key_check")?;
    let orphan: Option<String> = statement.query_map([], |row| row.get(0))?.next().transpose()?;
    match orphan {
        Some(table) => Err(anyhow!("the database is damaged: a row of {table} refers to nothing")),
        None => Ok(()),
    }
}
