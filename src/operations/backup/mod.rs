//! Backups: one archive with all data of the school, the database and the documents.
//!
//! It can be taken from another process while the server runs. The database is copied first, by a reader that does not
//! block the writer; stored documents never change, so those that the copy refers to are a consistent set. Before an
//! archive gets its final name it has been synced, read back from disk and checked: the seal, the database's integrity
//! and foreign keys, and each document's SHA-256.
//!
//! An archive goes only where the disk of the folder is mounted, as far as that is known ([`places`]).
//!
//! A lost document file does not stop a backup: the archive lacks it, and its manifest lists it.
//!
//! The archive is a zstd-compressed tar with, in this order, `manifest.json`, `schoolhouse.db`, `config.toml` and
//! `documents/<first two digits>/<sha256>`, and a seal (`seal.rs`) at its end. Documents that are encrypted on disk
//! stay encrypted in the archive, so no key is needed to write or check it. Not included: that key and all other
//! secrets of the configuration, certificates, and mail files, which are copies of emails in the database.
//!
//! [`verify`](verify()) reads an archive as untrusted input, and [`restore`] replaces the contents of the data folder
//! with it.

mod archive;
mod contents;
mod drill;
mod keep;
pub mod places;
mod reader;
pub mod restore;
pub mod restored;
mod seal;
pub mod single;
mod snapshot;
mod swap;
mod verify;

use std::collections::BTreeSet;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, lchown};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use self::archive::{Archive, Fingerprint, Meter, Metered, Partial, digest};
pub use self::contents::Counts;
pub use self::drill::{Drilled, drill, sweep};
use self::reader::Unpack;
pub use self::snapshot::Busy;
use self::snapshot::{Snapshot, StagingDir};
pub use self::swap::{complete, has_school, settle};
pub use self::verify::{Contents, is_encrypted, verify};
use crate::base::age::{self, Recipient};
use crate::base::clock::Clock;
use crate::base::file_encryption::KeyId;
use crate::config::Config;
use crate::documents::faults::Fault;
pub use crate::storage::data_dir::DATABASE;
use crate::storage::data_dir::{DOCUMENTS, DataDir};

/// Version of the archive's layout; a reader refuses a higher one. Version 1 had no configuration and no missing files.
pub const FORMAT: u32 = 2;
/// The manifest's name in the archive.
pub const MANIFEST: &str = "manifest.json";

/// The configuration's name in the archive.
pub const CONFIGURATION: &str = "config.toml";

const PLAIN: &str = ".tar.zst";
const ENCRYPTED: &str = ".tar.zst.age";

/// The first entry of an archive: the entries that follow, with sizes and hashes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`FORMAT`] at the time of writing.
    pub format: u32,
    /// The program and version that wrote the archive.
    pub program: String,
    /// When the copy was taken.
    pub created_at: Timestamp,
    /// The schema version of the database.
    pub schema_version: i32,
    /// Row counts of the database.
    pub counts: Counts,
    /// The database file.
    pub database: ArchiveEntry,
    /// The effective configuration, without secrets; absent in format 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configuration: Option<ArchiveEntry>,
    /// The documents, by ascending SHA-256.
    pub documents: Vec<ArchiveEntry>,
    /// Files that the archive lacks, by ascending SHA-256.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<MissingFile>,
    /// Ids of the keys that some of them are encrypted with; a restored school needs these keys.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub document_keys: Vec<KeyId>,
}

impl Manifest {
    /// Unpacked size of database and documents; `None` on overflow.
    fn total_bytes(&self) -> Option<u64> {
        let sizes = self.documents.iter().chain(&self.configuration).map(|entry| entry.size_bytes);
        sizes.chain([self.database.size_bytes]).try_fold(0, u64::checked_add)
    }
}

/// One file of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveEntry {
    /// SHA-256 of the content, 64 hexadecimal digits; determines a document's path.
    pub sha256: String,
    /// Size of the content.
    pub size_bytes: u64,
}

/// A file that was already lost when the archive was created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingFile {
    /// The recorded hash and size.
    #[serde(flatten)]
    pub recorded: ArchiveEntry,
    /// Kind of fault.
    pub fault: Fault,
    /// Documents that refer to it.
    pub documents: Vec<i64>,
}

impl MissingFile {
    /// Describes the files: "document 7 (missing)".
    pub fn in_words(files: &[Self]) -> String {
        let words = |file: &Self| {
            let fault = if file.fault == Fault::Missing { "missing" } else { "changed" };
            let numbers: Vec<_> =
                file.documents.iter().map(|id| format!("document {id} ({fault})")).collect();
            numbers.join(", ")
        };
        files.iter().map(words).collect::<Vec<_>>().join(", ")
    }
}

/// A backup that is complete except for lost files.
#[derive(Debug, thiserror::Error)]
#[error(
    "the archive is written and checked, and lacks what is lost on the disk: {}; the office can put another copy in its \
     place or write it off, and `schoolhouse restore --document NUMBER ARCHIVE` takes one out of an older archive",
    MissingFile::in_words(.0)
)]
pub struct Incomplete(pub Vec<MissingFile>);

/// Result of a backup.
#[derive(Debug)]
pub struct FinishedBackup {
    /// The archive.
    pub path: PathBuf,
    /// Lost files that it lacks.
    pub missing: Vec<MissingFile>,
}

impl FinishedBackup {
    /// Deletes the older archives of its folder that are no longer needed ([`keep::thin`]), and returns their paths.
    /// Deletes none while a file is lost, since any of them may be the last copy.
    ///
    /// # Errors
    /// When the folder cannot be read or an archive cannot be deleted.
    pub fn thin_older(&self, keep: usize) -> anyhow::Result<Vec<PathBuf>> {
        if self.missing.is_empty() { keep::thin(&self.path, keep) } else { Ok(Vec::new()) }
    }
}

/// Stage of a long command, for progress reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Packing an archive.
    Pack,
    /// Reading and checking an archive.
    Check,
    /// Sending a checked archive to its destination, encrypted or not.
    Send,
}

/// Progress callback: stage, bytes done and total bytes.
pub type Progress<'a> = &'a mut dyn FnMut(Stage, u64, u64);

/// Writes a verified backup of `data_dir` and returns the archive's path.
///
/// `dest` is a folder, or a new file name ending in `.tar.zst`; by default the archive goes into `backups/` of the data
/// folder. With recipients it is encrypted for them, and its name ends in `.tar.zst.age`.
///
/// # Errors
/// When the copy is damaged, the archive cannot be written or read back, or another backup is running ([`Busy`]).
/// Nothing is left behind then.
pub fn backup(
    data_dir: &DataDir,
    dest: Option<&Path>,
    recipients: &[Recipient],
    config: &Config,
    clock: &Clock,
    progress: Progress<'_>,
) -> anyhow::Result<FinishedBackup> {
    settle(data_dir)?;
    let now = clock.now();
    let extension = if recipients.is_empty() { PLAIN } else { ENCRYPTED };
    let path = archive_path(data_dir, dest, extension, now)?;
    // First, so that a destination that cannot be written to is reported before the work.
    let partial = Partial::create(&path)?;
    let staging = StagingDir::open(data_dir)?;
    let source = BackupInput { data_dir, staging: &staging, config, now };
    let missing;
    if recipients.is_empty() {
        missing = source.make(&partial, progress)?;
    } else {
        let plain;
        (plain, missing) = source.make_plain(progress)?;
        let sink = age::encrypt(Fingerprint::new(partial.file()), recipients)?;
        let written = send(&plain, sink, progress)?.finish()?.end();
        partial.sync()?;
        // The server cannot decrypt it, but can check that the disk holds the encrypted bytes.
        let found = digest(File::open(partial.path())?).context("reading the archive back")?;
        ensure!(found == written, "the archive was written, but something else came back from the disk");
    }
    partial.publish(&path)?;
    if path.starts_with(data_dir) {
        belong(&path, data_dir);
    }
    Ok(FinishedBackup { path, missing })
}

/// Writes a backup to a sink and returns the files it lacks; nothing is sent before the archive was verified.
///
/// # Errors
/// As [`backup`]; or when the sink is closed before the end.
pub fn backup_to(
    data_dir: &DataDir,
    mut sink: &mut dyn Write,
    recipients: &[Recipient],
    config: &Config,
    clock: &Clock,
    progress: Progress<'_>,
) -> anyhow::Result<Vec<MissingFile>> {
    settle(data_dir)?;
    let staging = StagingDir::open(data_dir)?;
    let source = BackupInput { data_dir, staging: &staging, config, now: clock.now() };
    let (plain, missing) = source.make_plain(progress)?;
    if recipients.is_empty() {
        send(&plain, &mut sink, progress)?;
    } else {
        let encrypting = age::encrypt(&mut sink, recipients)?;
        send(&plain, encrypting, progress)?.finish().context("sending the archive")?;
    }
    sink.flush().context("sending the archive")?;
    Ok(missing)
}

/// Input of an archive.
struct BackupInput<'a> {
    data_dir: &'a DataDir,
    staging: &'a StagingDir,
    config: &'a Config,
    now: Timestamp,
}

impl BackupInput<'_> {
    /// Creates a checked archive in the staging directory, for encryption or sending; returns the files it lacks.
    fn make_plain(&self, progress: Progress<'_>) -> anyhow::Result<(PathBuf, Vec<MissingFile>)> {
        let path = self.staging.path().join("plain");
        let partial = Partial::create(&path)?;
        let missing = self.make(&partial, progress)?;
        partial.publish(&path)?;
        Ok((path, missing))
    }

    /// Packs an archive, syncs it and checks it by reading back; returns the files it lacks.
    fn make(&self, partial: &Partial, progress: Progress<'_>) -> anyhow::Result<Vec<MissingFile>> {
        let manifest = self.pack(partial, progress)?;
        partial.sync()?;
        check_written(partial.path(), &manifest, self.staging, progress)
            .context("the archive was written, but what came back from the disk is not what was written")?;
        Ok(manifest.missing)
    }

    fn pack(&self, partial: &Partial, progress: Progress<'_>) -> anyhow::Result<Manifest> {
        let database = fs::metadata(self.data_dir.database()).context("the database")?.len();
        verify::ensure_room(self.staging.path(), database)?;
        let snapshot = Snapshot::take(self.data_dir, self.staging)?;
        let configuration = configuration(self.config)?;
        let mut changed = BTreeSet::new();
        loop {
            let manifest = snapshot.manifest(self.data_dir, &configuration, &changed, self.now)?;
            // Documents hardly compress. Checked now, before the server's own writes fail on a full disk.
            let documents = manifest.documents.iter().map(|entry| entry.size_bytes).sum();
            verify::ensure_room(partial.folder(), documents)?;
            match self.write(partial, &snapshot, &configuration, &manifest, progress) {
                Ok(()) => return Ok(manifest),
                Err(error) => {
                    // The manifest comes first, so when a document turns out to be changed, the archive starts over
                    // after all others were checked.
                    let known = changed.len();
                    changed.extend(snapshot::changed(self.data_dir, &manifest)?);
                    if changed.len() == known {
                        return Err(error);
                    }
                    partial.clear()?;
                }
            }
        }
    }

    fn write(
        &self,
        partial: &Partial,
        snapshot: &Snapshot,
        configuration: &str,
        manifest: &Manifest,
        progress: Progress<'_>,
    ) -> anyhow::Result<()> {
        let mut report = |done, total| progress(Stage::Pack, done, total);
        let mut meter = Meter::start(manifest.total_bytes().unwrap_or(u64::MAX), &mut report);
        let mut archive = Archive::begin(partial.file(), self.now)?;
        archive.append_text(MANIFEST, &serde_json::to_vec(manifest)?)?;
        archive
            .append_checked(DATABASE, snapshot.path(), &manifest.database, &mut meter)
            .context("the database's copy")?;
        archive.append_text(CONFIGURATION, configuration.as_bytes())?;
        meter.add(configuration.len());
        for entry in &manifest.documents {
            let name = document_path(&entry.sha256);
            archive.append_checked(&name, &self.data_dir.join(&name), entry, &mut meter).context(name)?;
        }
        archive.finish()
    }
}

/// The configuration for an archive.
fn configuration(config: &Config) -> anyhow::Result<String> {
    Ok(format!(
        "# The effective configuration when the archive was created, including defaults. It holds no secret: put the mail\n\
         # account's password and the key of the documents back where they were.\n{}",
        config.show()?
    ))
}

fn send<W: Write>(plain: &Path, mut sink: W, progress: Progress<'_>) -> anyhow::Result<W> {
    let file = File::open(plain).context("opening the archive")?;
    let mut report = |done, total| progress(Stage::Send, done, total);
    let mut meter = Meter::start(file.metadata()?.len(), &mut report);
    io::copy(&mut Metered::new(file, &mut meter), &mut sink).context("sending the archive")?;
    Ok(sink)
}

/// Reads an archive back and checks the database in it; documents are hashed while reading.
fn check_written(
    archive: &Path,
    expected: &Manifest,
    staging: &StagingDir,
    progress: Progress<'_>,
) -> anyhow::Result<()> {
    let folder = staging.path().join("check");
    private_folder(&folder)?;
    let mut report = |done, total| progress(Stage::Check, done, total);
    let found = verify::unpack(archive, None, Unpack::Database, &mut report, |_| Ok(folder.clone()))?;
    ensure!(found == *expected, "its manifest is another one");
    verify::check(&folder, &found)?;
    fs::remove_dir_all(&folder).context("emptying the staging directory")
}

/// A document's path under the data folder and in the archive.
pub fn document_path(sha256: &str) -> String {
    format!("{DOCUMENTS}/{}/{sha256}", sha256.get(..2).unwrap_or_default())
}

fn archive_path(
    data_dir: &DataDir,
    dest: Option<&Path>,
    extension: &str,
    now: Timestamp,
) -> anyhow::Result<PathBuf> {
    let folder = match dest {
        None => {
            let folder = data_dir.backups();
            private_folder(&folder)?;
            folder
        }
        Some(folder) if folder.is_dir() => folder.to_owned(),
        Some(file) if file.to_string_lossy().ends_with(extension) => {
            ensure!(!file.exists(), "{} exists already", file.display());
            return Ok(file.to_owned());
        }
        // A missing folder often means an unmounted disk, so it is not created.
        Some(other) => bail!("{} is neither a folder nor a file name ending in {extension}", other.display()),
    };
    archive::sweep(&folder)?;
    let stem = now.strftime("schoolhouse-%Y%m%d-%H%M%S").to_string();
    let mut path = folder.join(format!("{stem}{extension}"));
    let mut count = 1;
    while path.exists() {
        count += 1;
        path = folder.join(format!("{stem}-{count}{extension}"));
    }
    Ok(path)
}

fn private_folder(path: &Path) -> anyhow::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .with_context(|| format!("making the folder {}", path.display()))
}

/// Gives a file that root created to the owner of the data folder: otherwise the service could not use it, and the next
/// nightly backup would fail.
fn belong(path: &Path, data_dir: &DataDir) {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let given = fs::metadata(data_dir).and_then(|owner| lchown(path, Some(owner.uid()), Some(owner.gid())));
    if let Err(error) = given {
        tracing::warn!("{} stays with root: {error}", path.display());
    }
}

#[cfg(test)]
mod tests;
