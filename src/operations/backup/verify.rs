//! `verify`: restores an archive into a temporary folder and checks everything in it.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use indicatif::HumanBytes;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use rusqlite::OpenFlags;
use tempfile::TempDir;

use super::archive::{Meter, Metered};
use super::contents::{self, Counts};
use super::reader::{self, Unpack};
use super::{DATABASE, Manifest, MissingFile};
use crate::base::age::{self, Identities};
use crate::base::file_encryption::KeyId;
use crate::storage::db;

/// Prefix of temporary folders, by which leftovers of killed runs are recognized.
pub(super) const TEMPORARY: &str = "verify-";
/// Two chunks of an encrypted file.
const BUFFER: usize = 128 * 1024;
/// Additional space for directories and file system overhead.
const SLACK: u64 = 16 * 1024 * 1024;

/// Contents of a checked archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    /// When the copy was taken.
    pub created_at: Timestamp,
    /// The program and version that wrote it.
    pub program: String,
    /// The schema version of the database.
    pub schema_version: i32,
    /// Row counts.
    pub counts: Counts,
    /// Document files; equal ones are stored once.
    pub files: u64,
    /// Ids of the keys that documents are encrypted with.
    pub document_keys: Vec<KeyId>,
    /// Unpacked size of database and documents.
    pub bytes: u64,
    /// Files that were lost when it was created.
    pub missing: Vec<MissingFile>,
    /// Whether it includes the configuration.
    pub has_configuration: bool,
}

impl Contents {
    /// The contents from a checked manifest.
    pub(super) fn new(manifest: Manifest) -> Self {
        Self {
            bytes: manifest.total_bytes().unwrap_or(u64::MAX),
            files: manifest.documents.len() as u64,
            created_at: manifest.created_at,
            program: manifest.program,
            schema_version: manifest.schema_version,
            counts: manifest.counts,
            document_keys: manifest.document_keys,
            missing: manifest.missing,
            has_configuration: manifest.configuration.is_some(),
        }
    }

    /// Describes the contents.
    pub fn in_words(&self, zone: &TimeZone) -> String {
        let Counts { students, documents, enrollments, ledger_cents } = self.counts;
        let taken_at = self.created_at.to_zoned(zone.clone()).strftime("%-d %B %Y, %H:%M (%Z)").to_string();
        let schema = match self.schema_version {
            version if version < db::newest_schema() => format!(
                "{version}, older than this program's {}; it is brought up to date at the next start",
                db::newest_schema()
            ),
            version => version.to_string(),
        };
        format!(
            "the data as of {taken_at}\n\
             written by {program}, schema {schema}\n\
             {students} students, {enrollments} enrollments, {documents} documents in {files} files, \
             {ledger} in the ledger{keys}\n\
             {bytes} in all{missing}\n\
             not in it: {absent}passwords, keys, certificates, and emails written as files",
            program = self.program,
            files = self.files,
            keys = match &*self.document_keys {
                [] => String::new(),
                keys => format!(
                    "\ndocuments are encrypted, with the key {}",
                    keys.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and the key ")
                ),
            },
            missing = match &*self.missing {
                [] => String::new(),
                missing => format!(
                    "\nlost before the backup and not in it: {}; everything else is intact",
                    MissingFile::in_words(missing)
                ),
            },
            absent = if self.has_configuration { "" } else { "the configuration, " },
            ledger = crate::base::money::Money::from_cents(ledger_cents),
            bytes = HumanBytes(self.bytes),
        )
    }
}

/// Restores an archive into a temporary folder and checks everything.
///
/// `identities` decrypt an encrypted one. `places` are candidate folders to unpack into, preferred first. `progress`
/// gets the bytes read and the archive's size.
///
/// # Errors
/// The archive's first problem, or too little space to unpack it.
pub fn verify(
    archive: &Path,
    identities: Option<&Identities>,
    places: &[PathBuf],
    progress: &mut dyn FnMut(u64, u64),
) -> anyhow::Result<Contents> {
    let (_folder, manifest) = restore_aside(archive, identities, places, progress)?;
    Ok(Contents::new(manifest))
}

/// Like [`verify`]; the restored data exists until the folder is dropped.
///
/// # Errors
/// See [`verify`].
pub(super) fn restore_aside(
    archive: &Path,
    identities: Option<&Identities>,
    places: &[PathBuf],
    progress: &mut dyn FnMut(u64, u64),
) -> anyhow::Result<(TempDir, Manifest)> {
    let mut room: Option<TempDir> = None;
    let manifest = unpack(archive, identities, Unpack::Everything, progress, |manifest| {
        let folder = temporary_folder(places, needed(manifest))?;
        Ok(room.insert(folder).path().to_owned())
    })?;
    let folder = room.context("nothing was unpacked")?;
    check(folder.path(), &manifest)?;
    Ok((folder, manifest))
}

/// Whether an archive is encrypted.
pub fn is_encrypted(archive: &Path) -> bool {
    let mut begin = [0; age::MAGIC.len()];
    File::open(archive).and_then(|mut file| file.read_exact(&mut begin)).is_ok() && begin == age::MAGIC
}

/// Reads an archive, reporting its progress.
///
/// # Errors
/// When the file cannot be read, or see [`reader::read`].
pub(super) fn unpack(
    archive: &Path,
    identities: Option<&Identities>,
    unpack: Unpack<'_>,
    progress: &mut dyn FnMut(u64, u64),
    choose: impl FnOnce(&Manifest) -> anyhow::Result<PathBuf>,
) -> anyhow::Result<Manifest> {
    let context = || format!("opening {}", archive.display());
    let file = File::open(archive).with_context(context)?;
    let metadata = file.metadata().with_context(context)?;
    ensure!(metadata.is_file(), "{} is not a file", archive.display());
    let mut meter = Meter::start(metadata.len(), progress);
    let mut source = BufReader::with_capacity(BUFFER, Metered::new(file, &mut meter));
    let read = || {
        if !source.fill_buf()?.starts_with(age::MAGIC) {
            return reader::read(source, unpack, choose);
        }
        let identities = identities.context("it is encrypted: name the file with the key in --identity")?;
        reader::read(age::decrypt(source, identities)?, unpack, choose)
    };
    read().with_context(|| format!("{} cannot be used", archive.display()))
}

/// Checks the unpacked data: the database itself, against the manifest, and with the current program's migrations.
///
/// # Errors
/// The first problem.
pub(super) fn check(folder: &Path, manifest: &Manifest) -> anyhow::Result<()> {
    let path = folder.join(DATABASE);
    let connection = db::connect_alongside(&path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    contents::check(&connection)?;
    let id: i32 = connection.query_row("pragma application_id", [], |row| row.get(0))?;
    ensure!(id == db::APPLICATION_ID, "its database is not schoolhouse's");
    let schema = db::schema_version(&connection)?;
    ensure!(schema == manifest.schema_version, "its database has schema {schema}, not the one recorded");
    let named = contents::documents(&connection)?;
    let named: Vec<_> = named.iter().map(|(sha256, file)| (sha256, file.size_bytes)).collect();
    let missing = manifest.missing.iter().map(|file| &file.recorded);
    let listed = manifest.documents.iter().chain(missing).map(|entry| (&entry.sha256, entry.size_bytes));
    let mut listed: Vec<_> = listed.collect();
    listed.sort_unstable();
    ensure!(named == listed, "its database names other documents than the archive holds and says it lacks");
    ensure!(
        contents::keys(&connection)? == manifest.document_keys,
        "its database names other keys of documents than recorded"
    );
    let counts = contents::count(&connection)?;
    ensure!(
        counts == manifest.counts,
        "its database holds {counts:?}, not the recorded {:?}",
        manifest.counts
    );
    drop(connection);
    if schema < db::newest_schema() { try_migrations(&path) } else { Ok(()) }
}

/// Migrates another copy, to prove that an archive of an older version can be opened.
fn try_migrations(path: &Path) -> anyhow::Result<()> {
    let trial = tempfile::tempdir_in(path.parent().unwrap_or(Path::new("."))).context("making a folder")?;
    let copy = trial.path().join(DATABASE);
    fs::copy(path, &copy).context("copying the database")?;
    let connection = db::open(&copy).context("its database cannot be brought up to date")?;
    contents::check(&connection)
}

/// Space needed for restoring; an older database is migrated on a separate copy.
pub(super) fn needed(manifest: &Manifest) -> u64 {
    let database = manifest.database.size_bytes;
    let trial = if manifest.schema_version < db::newest_schema() { database.saturating_mul(3) } else { 0 };
    manifest.total_bytes().unwrap_or(u64::MAX).saturating_add(trial).saturating_add(SLACK)
}

/// Refuses a folder whose disk has less than `needed` free.
///
/// # Errors
/// A description of the shortage.
pub(super) fn ensure_room(folder: &Path, needed: u64) -> anyhow::Result<()> {
    let stat = rustix::fs::statvfs(folder).with_context(|| format!("free space in {}", folder.display()))?;
    let free = stat.f_bavail.saturating_mul(stat.f_frsize);
    ensure!(
        free >= needed,
        "it needs {} and {} has {} free",
        HumanBytes(needed),
        folder.display(),
        HumanBytes(free)
    );
    Ok(())
}

fn temporary_folder(places: &[PathBuf], needed: u64) -> anyhow::Result<TempDir> {
    let mut refusals = Vec::new();
    for place in places {
        let made = ensure_room(place, needed).and_then(|()| {
            tempfile::Builder::new().prefix(TEMPORARY).tempdir_in(place).context("making a temporary folder")
        });
        match made {
            Ok(folder) => return Ok(folder),
            Err(refusal) => refusals.push(format!("{refusal:#}")),
        }
    }
    bail!("there is no room to unpack it: {}; name a larger folder in TMPDIR", refusals.join("; "))
}
