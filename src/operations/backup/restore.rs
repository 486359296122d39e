//! `restore`: replaces the contents of the data folder with an archive.
//!
//! The archive is unpacked beside the data and checked before the old data is touched; `swap.rs` then exchanges them.
//! Two things of the old state must not come back:
//! - Sessions and mailed links are ended, of accounts, guardians and applications: a stolen cookie, or the link of a
//!   guardian who was stopped since, would be valid again. A link that undoes a change of address stays, as it protects.
//! - Emails that were queued when the backup was taken have almost certainly been sent since. The office sees them as
//!   undelivered, with Retry; they are not sent again automatically.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags};
use serde_json::json;

use super::reader::Unpack;
use super::restored;
pub use super::restored::RESTORED_CONFIGURATION;
use super::swap::{self, PARTIAL, SwapPlan};
use super::verify::{self, Contents};
use super::{CONFIGURATION, DATABASE, DOCUMENTS, Manifest, private_folder};
use crate::audit::{self, Actor};
use crate::base::age::Identities;
use crate::base::clock::Clock;
use crate::storage::data_dir::{DataDir, Lock};
use crate::storage::db;
use crate::storage::disk::RESERVE_FILE;
use crate::storage::statements::params;

/// Restored data beside the current data; deleted unless put in place.
pub struct Restored {
    data_dir: DataDir,
    /// Dropped before the lock.
    #[expect(dead_code, reason = "held for its drop")]
    sibling: SiblingDir,
    contents: Contents,
    /// The archive's configuration, which does not take effect.
    configuration: Option<Vec<u8>>,
    now: Timestamp,
    _lock: Lock,
}

/// A locked data folder.
pub struct LockedDataDir {
    data_dir: DataDir,
    lock: Lock,
}

impl LockedDataDir {
    /// Locks the data folder, creating it if necessary.
    ///
    /// # Errors
    /// While a server uses it.
    pub fn lock(data_dir: &DataDir) -> anyhow::Result<Self> {
        data_dir.make()?;
        let lock = data_dir.lock()?;
        swap::complete(data_dir)?;
        Ok(Self { data_dir: data_dir.to_owned(), lock })
    }

    /// Whether the folder contains no data.
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

    /// Unpacks an archive beside the current data and checks it; `identities` decrypt an encrypted one, `progress` gets
    /// the bytes read and the archive's size.
    ///
    /// # Errors
    /// The archive's first problem, or too little free space. Nothing has changed then.
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

/// `restore.partial/`, deleted on drop unless it was renamed.
struct SiblingDir(PathBuf);

impl Drop for SiblingDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Restored {
    /// Contents of the restored data.
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    /// Puts the restored data in place, and returns the folder that holds the previous data.
    ///
    /// # Errors
    /// While another program has the old database open; or when the disk fails, in which case the next start continues.
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
            restored::mark(&self.data_dir).context("marking the restored school")?;
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

/// What lets its holder in, each with its table.
const ENDED: [(&str, &str); 5] = [
    ("sessions", "delete from sessions where :now > 0"),
    (
        "links",
        "delete from links where is_session = 1 or (expires_at > :now and purpose <> 'application_undo')",
    ),
    (
        "student_tokens",
        "update student_tokens set expires_at = :now where expires_at > :now and purpose <> 'undo_email'",
    ),
    ("staff_tokens", "update staff_tokens set expires_at = :now where expires_at > :now"),
    (
        "staff_invitations",
        "update staff_invitations set expires_at = :now where expires_at > :now and accepted_at is null",
    ),
];

fn is_empty_folder(path: &Path) -> bool {
    fs::read_dir(path).is_ok_and(|mut within| within.next().is_none())
}

/// Ends all sessions and links, holds back emails that were probably sent, and records the restore.
fn leave_the_past(connection: &Connection, taken_at: Timestamp, now: Timestamp) -> anyhow::Result<()> {
    // The archive may be older than some tables.
    let has = |table: &str| {
        let sql = "select exists(select 1 from sqlite_schema where type = 'table' and name = :table)";
        connection.query_row(sql, params![table], |row| row.get::<_, bool>(0))
    };
    connection.execute_batch("pragma synchronous=full; pragma secure_delete=on; pragma foreign_keys=on")?;
    let transaction = connection.unchecked_transaction()?;
    for (table, end) in ENDED {
        if has(table)? {
            transaction.execute(end, params![now = now.as_second()])?;
        }
    }
    if has("outbox")? {
        transaction.execute(
            "update outbox set state = 'dead', last_error = :reason where state = 'queued'",
            params![
                reason = "It was waiting when the backup was taken that has been restored since, and has \
                    probably arrived. Send it again if it is still wanted."
            ],
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

/// Refuses while another program has the database open: its writes would go into the old file.
fn ensure_unused(database: &Path) -> anyhow::Result<()> {
    if !database.exists() {
        return Ok(());
    }
    let try_alone = || -> rusqlite::Result<()> {
        let connection = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        connection.busy_timeout(Duration::from_secs(2))?;
        // This mode locks the file exclusively; closing then checkpoints the log, so that a single file is set aside.
        connection.execute_batch("pragma locking_mode=exclusive; begin exclusive; commit")
    };
    match try_alone() {
        Err(rusqlite::Error::SqliteFailure(error, _))
            if error.code == rusqlite::ErrorCode::DatabaseBusy
                || error.code == rusqlite::ErrorCode::DatabaseLocked =>
        {
            bail!("another program has {} open (a replicator?); stop it first", database.display())
        }
        // A damaged database is a reason to restore, not an obstacle.
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
