//! `restore`: an archive in the place of the data folder's content.
//!
//! The archive is unpacked beside the data and checked before anything of the old is touched;
//! `swap.rs` then changes their places. What the old world must not do to the new one is undone on the
//! way:
//! - Nobody stays signed in: a cookie that was stolen and ended since would be good again.
//! - E-mails that were waiting when the backup was taken have nearly always been sent since. They
//!   are shown to the office as undelivered, with Retry, and not sent a second time by themselves.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags, named_params};
use serde_json::json;

use super::reader::Unpack;
use super::swap::{self, PARTIAL, SwapPlan};
use super::verify::{self, Contents};
use super::{CONFIGURATION, DATABASE, DOCUMENTS, Manifest, private_folder};
use crate::audit::{self, Actor};
use crate::base::age::Identities;
use crate::base::clock::Clock;
use crate::storage::data_dir::{DataDir, Lock};
use crate::storage::db;
use crate::storage::disk::RESERVE_FILE;

/// What the archive's configuration is called in the data folder: which one is in force is decided elsewhere.
pub const RESTORED_CONFIGURATION: &str = "config-of-archive.toml";

/// Restored data beside the current data; deleted unless it takes its place.
pub struct Restored {
    data_dir: DataDir,
    /// Dropped before the lock.
    #[expect(dead_code, reason = "held for what its drop does")]
    sibling: SiblingDir,
    contents: Contents,
    /// The archive's, which does not become the one in force.
    configuration: Option<Vec<u8>>,
    now: Timestamp,
    _lock: Lock,
}

/// A data folder that no server uses, locked.
pub struct LockedDataDir {
    data_dir: DataDir,
    lock: Lock,
}

impl LockedDataDir {
    /// Locks the data folder, making it where there is none.
    ///
    /// # Errors
    /// While a server uses it.
    pub fn lock(data_dir: &DataDir) -> anyhow::Result<Self> {
        data_dir.make()?;
        let lock = data_dir.lock()?;
        swap::complete(data_dir)?;
        Ok(Self { data_dir: data_dir.to_owned(), lock })
    }

    /// Whether there is nothing in the folder that somebody could miss.
    pub fn is_empty(&self) -> anyhow::Result<bool> {
        for entry in fs::read_dir(&self.data_dir).context("reading the data folder")? {
            let entry = entry?;
            let is_ours =
                ["lock", RESERVE_FILE, "tmp", "lost+found"].iter().any(|name| entry.file_name() == *name);
            let is_ours = is_ours || is_empty_folder(&entry.path());
            if !is_ours {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Unpacks an archive beside what is there and checks it; `identities` read an encrypted one, `progress` is given the bytes of the
    /// archive that were read, and its length.
    ///
    /// # Errors
    /// The first thing that is wrong with the archive, or no room. Nothing has changed then.
    pub fn restore(
        self,
        archive: &Path,
        identities: Option<&Identities>,
        clock: &Clock,
        progress: &mut dyn FnMut(u64, u64),
    ) -> anyhow::Result<Restored> {
        let sibling = SiblingDir(self.data_dir.join(PARTIAL));
        let manifest = verify::unpack(archive, identities, Unpack::Everything, progress, |manifest| {
            verify::ensure_room(&self.data_dir, verify::needed(manifest))?;
            private_folder(&sibling.0)?;
            Ok(sibling.0.clone())
        })?;
        let now = clock.now();
        let configuration = sibling.0.join(CONFIGURATION);
        let configuration = match manifest.configuration {
            None => None,
            Some(_) => Some(
                fs::read(&configuration).and_then(|text| fs::remove_file(configuration).map(|()| text))?,
            ),
        };
        make_ready(&sibling.0, &self.data_dir, &manifest, now)?;
        let contents = Contents::new(manifest);
        Ok(Restored { data_dir: self.data_dir, sibling, contents, configuration, now, _lock: self.lock })
    }
}

/// `restore.partial/`; it goes when this is dropped, unless it was renamed.
struct SiblingDir(PathBuf);

impl Drop for SiblingDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Restored {
    /// What will be in force.
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    /// Puts the restored data in place, and returns the folder that holds what was there before.
    ///
    /// # Errors
    /// While another program has the old database open; or when the disk fails, in which case the
    /// next start goes on.
    pub fn put_in_place(self) -> anyhow::Result<Option<PathBuf>> {
        ensure_unused(&self.data_dir.database())?;
        let stem = self.now.strftime("before-restore-%Y%m%d-%H%M%S").to_string();
        let mut aside = stem.clone();
        let mut count = 1;
        while self.data_dir.join(&aside).exists() {
            count += 1;
            aside = format!("{stem}-{count}");
        }
        let kept = self.data_dir.join(&aside);
        swap::decide(&self.data_dir, &SwapPlan { aside })?;
        if let Some(configuration) = self.configuration {
            let path = self.data_dir.join(RESTORED_CONFIGURATION);
            fs::write(&path, configuration).with_context(|| format!("writing {}", path.display()))?;
            super::belong(&path, &self.data_dir);
        }
        Ok(kept.exists().then_some(kept))
    }
}

fn make_ready(folder: &Path, data_dir: &DataDir, manifest: &Manifest, now: Timestamp) -> anyhow::Result<()> {
    verify::check(folder, manifest)?;
    // An archive without documents has no such folder.
    private_folder(&folder.join(DOCUMENTS))?;
    let connection = db::connect_alongside(&folder.join(DATABASE), OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    leave_the_past(&connection, manifest.created_at, now).context("preparing the restored database")?;
    connection.close().map_err(|(_, error)| error).context("closing the restored database")?;
    belong_all(folder, data_dir)
}

fn is_empty_folder(path: &Path) -> bool {
    fs::read_dir(path).is_ok_and(|mut within| within.next().is_none())
}

/// Ends every session, holds back e-mails that were probably sent, and records the restore.
fn leave_the_past(connection: &Connection, taken_at: Timestamp, now: Timestamp) -> anyhow::Result<()> {
    // An archive of any age: what a later schema brought may be missing.
    let has = |table: &str| {
        let sql = "select exists(select 1 from sqlite_schema where type = 'table' and name = :table)";
        connection.query_row(sql, named_params! { ":table": table }, |row| row.get::<_, bool>(0))
    };
    connection.execute_batch("pragma synchronous=full; pragma secure_delete=on; pragma foreign_keys=on")?;
    let transaction = connection.unchecked_transaction()?;
    if has("sessions")? {
        transaction.execute("delete from sessions", [])?;
    }
    if has("outbox")? {
        transaction.execute(
            "update outbox set state = 'dead', last_error = :reason where state = 'queued'",
            named_params! {
                ":reason": "It was waiting when the backup was taken that has been restored since, and has \
                    probably arrived. Send it again if it is still wanted.",
            },
        )?;
    }
    if has("audit")? {
        let detail = json!({ "backup_of": taken_at.to_string() });
        audit::record_unlinked(&transaction, &Actor::command_line(), "restore", "school", 0, detail, now)
            .map_err(|error| anyhow::anyhow!("{error:?}"))?;
    }
    transaction.commit()?;
    Ok(())
}

/// Refuses while somebody has the database open: their writes would go into the old file.
fn ensure_unused(database: &Path) -> anyhow::Result<()> {
    if !database.exists() {
        return Ok(());
    }
    let try_alone = || -> rusqlite::Result<()> {
        let connection = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        connection.busy_timeout(Duration::from_secs(2))?;
        // In this mode the first access wants the file for itself; closing empties the log into it,
        // so that what is kept aside is one file.
        connection.execute_batch("pragma locking_mode=exclusive; begin exclusive; commit")
    };
    match try_alone() {
        Err(rusqlite::Error::SqliteFailure(error, _))
            if error.code == rusqlite::ErrorCode::DatabaseBusy
                || error.code == rusqlite::ErrorCode::DatabaseLocked =>
        {
            bail!("another program has {} open (a replicator?); stop it first", database.display())
        }
        // A damaged database is a reason to restore and no obstacle.
        _ => Ok(()),
    }
}

fn belong_all(folder: &Path, data_dir: &DataDir) -> anyhow::Result<()> {
    super::belong(folder, data_dir);
    for entry in fs::read_dir(folder).context("reading the restored school")? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            belong_all(&entry.path(), data_dir)?;
        } else {
            super::belong(&entry.path(), data_dir);
        }
    }
    Ok(())
}
