//! The database's SHA-256 from the moment the school was closed.
//!
//! SQLite keeps no checksums, so that a byte that a failing disk changes inside a name or a date is
//! no damage to it. While the school is closed nobody may write; whatever differs at the next start
//! was changed by the disk, or by somebody with a tool of their own. The sum is no seal against an
//! intruder, who could write it anew. After a crash there is none, and nothing to compare.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::Context;
use sha2::{Digest, Sha256};

use crate::plumbing::random::hex;

/// What became of the file since the school was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Since {
    /// It is the same to the last byte.
    Same,
    /// Something else wrote to it.
    Changed,
    /// The school was not closed, or a command has worked on it since.
    Unknown,
}

/// Writes down the sum of a database that nobody has open, whose log is empty.
///
/// # Errors
/// When a file cannot be read or written; then there is no sum.
pub fn write(database: &Path) -> anyhow::Result<()> {
    if has_log(database) {
        return Ok(());
    }
    let folder = database.parent().unwrap_or(Path::new("."));
    let partial = tempfile::NamedTempFile::new_in(folder).context("writing the database's sum")?;
    fs::write(partial.path(), sum(database)?).context("writing the database's sum")?;
    partial.as_file().sync_all().context("writing the database's sum")?;
    partial.persist(beside(database)).context("writing the database's sum")?;
    Ok(())
}

/// Compares the database with the sum that was written when it was closed.
///
/// # Errors
/// When a file cannot be read.
pub fn compare(database: &Path) -> anyhow::Result<Since> {
    match fs::read_to_string(beside(database)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Since::Unknown),
        Err(error) => Err(error).context("reading the database's sum"),
        Ok(_) if has_log(database) => Ok(Since::Unknown),
        Ok(expected) if expected == sum(database)? => Ok(Since::Same),
        Ok(_) => Ok(Since::Changed),
    }
}

/// Compares, and forgets the sum, because from now on the database is written to. A change is told,
/// and remembered in the file that [`note`] names until somebody has looked at it.
///
/// # Errors
/// When a file cannot be read or renamed.
pub fn take(database: &Path) -> anyhow::Result<Since> {
    let since = compare(database)?;
    if since == Since::Changed {
        fs::rename(beside(database), note(database)).context("noting the change")?;
        tracing::error!(
            "the database is not what it was when the school was closed: the disk has changed it, or somebody has \
             with another program; compare it with the last backup, then delete {}",
            note(database).display()
        );
    }
    forget(database)?;
    Ok(since)
}

/// The file that stays after a change, for `doctor`; it holds the sum that was expected.
pub fn note(database: &Path) -> PathBuf {
    database.with_extension("db.changed")
}

/// Forgets the sum: from now on the database is written to.
///
/// # Errors
/// When the file cannot be deleted.
pub fn forget(database: &Path) -> anyhow::Result<()> {
    match fs::remove_file(beside(database)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).context("deleting the database's sum")
        }
        _ => Ok(()),
    }
}

fn sum(database: &Path) -> anyhow::Result<String> {
    let told = || format!("reading {}", database.display());
    let mut file = File::open(database).with_context(told)?;
    let (mut digest, mut piece) = (Sha256::new(), vec![0; 1 << 18]);
    loop {
        match file.read(&mut piece).with_context(told)? {
            0 => return Ok(hex(&digest.finalize())),
            length => digest.update(&piece[..length]),
        }
    }
}

fn beside(database: &Path) -> PathBuf {
    database.with_extension("db.sum")
}

/// Whether there are writes that are not in the file yet.
fn has_log(database: &Path) -> bool {
    database.with_extension("db-wal").metadata().is_ok_and(|log| log.len() > 0)
}
