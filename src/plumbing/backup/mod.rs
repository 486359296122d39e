//! One archive with everything that cannot be made again: the database and the documents.
//!
//! It is taken while the school is open, from another process. The database is copied first, by a
//! reader that does not hold up the writer; documents never change once they are named, so those
//! that the copy names are a consistent set. What is in the archive has been checked on the way
//! in: the copy's integrity, and each document against its SHA-256. An archive that has its name is
//! whole and on the disk.
//!
//! The archive is a zstd-compressed tar with, in this order, `manifest.json`, `schoolhouse.db` and
//! `documents/<first two digits>/<sha256>`. Deliberately absent: the configuration, which holds
//! secrets and is not ours, and mail files, which are copies of what the database queued.

mod archive;
mod snapshot;

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use self::archive::{Archive, Meter, Partial};
use self::snapshot::Snapshot;
use super::clock::Clock;

/// The layout of the archive; a reader refuses a higher one.
pub const FORMAT: u32 = 1;
/// The manifest's name in the archive.
pub const MANIFEST: &str = "manifest.json";
/// The database's name in the archive and in the data folder.
pub const DATABASE: &str = "schoolhouse.db";

const EXTENSION: &str = ".tar.zst";

/// The first entry of an archive: what follows, and how to tell that it is whole.
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
    /// The database file.
    pub database: Entry,
    /// The documents, by ascending SHA-256.
    pub documents: Vec<Entry>,
}

/// One file of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The SHA-256 of the content, 64 hexadecimal digits; a document's path follows from it.
    pub sha256: String,
    /// The length of the content.
    pub size_bytes: u64,
}

/// Writes a backup of `data_dir` and answers the archive's path.
///
/// `dest` is a folder, or a file name that ends in `.tar.zst` and is not taken yet; without it the
/// archive goes into `backups/` of the data folder. `progress` hears the bytes done and the bytes
/// in all, as soon as those are known.
///
/// # Errors
/// When the copy is damaged, a document is missing or changed (its id is named), the archive cannot
/// be written, or another backup is running. No archive is left then, and nothing of it.
pub fn backup(
    data_dir: &Path,
    dest: Option<&Path>,
    clock: &Clock,
    progress: &mut dyn FnMut(u64, u64),
) -> anyhow::Result<PathBuf> {
    let now = clock.now();
    let path = archive_path(data_dir, dest, now)?;
    // First, so that a place that cannot be written to is told before the work.
    let partial = Partial::create(&path)?;
    let snapshot = Snapshot::take(data_dir)?;
    let manifest = snapshot.manifest(data_dir, now)?;
    let documents: u64 = manifest.documents.iter().map(|entry| entry.size_bytes).sum();
    let mut meter = Meter::start(documents + manifest.database.size_bytes, progress);
    let mut archive = Archive::begin(partial.file(), now)?;
    archive.append_text(MANIFEST, &serde_json::to_vec(&manifest)?)?;
    archive
        .append_checked(DATABASE, &snapshot.path(), &manifest.database, &mut meter)
        .context("the database's copy")?;
    for entry in &manifest.documents {
        let name = document_path(&entry.sha256);
        if let Err(error) = archive.append_checked(&name, &data_dir.join(&name), entry, &mut meter) {
            return Err(error.context(format!("document {}", snapshot.id_of(&entry.sha256)?)));
        }
    }
    archive.finish()?;
    partial.publish(&path)?;
    Ok(path)
}

/// A document's path under the data folder and in the archive.
pub fn document_path(sha256: &str) -> String {
    format!("documents/{}/{sha256}", sha256.get(..2).unwrap_or_default())
}

fn archive_path(data_dir: &Path, dest: Option<&Path>, now: Timestamp) -> anyhow::Result<PathBuf> {
    let folder = match dest {
        None => {
            let folder = data_dir.join("backups");
            private_folder(&folder)?;
            folder
        }
        Some(folder) if folder.is_dir() => folder.to_owned(),
        Some(file) if file.to_string_lossy().ends_with(EXTENSION) => {
            ensure!(!file.exists(), "{} exists already", file.display());
            return Ok(file.to_owned());
        }
        // A folder that is not there is often a disk that is not mounted: it is not made.
        Some(other) => bail!("{} is neither a folder nor a file name ending in {EXTENSION}", other.display()),
    };
    archive::sweep(&folder)?;
    let stem = now.strftime("schoolhouse-%Y%m%d-%H%M%S").to_string();
    let mut path = folder.join(format!("{stem}{EXTENSION}"));
    let mut count = 1;
    while path.exists() {
        count += 1;
        path = folder.join(format!("{stem}-{count}{EXTENSION}"));
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

#[cfg(test)]
mod tests;
