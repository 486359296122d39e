//! Schema version and migrations.
//!
//! Pending migrations, their history rows and a check of all foreign keys are one transaction: a failure or crash at
//! any point leaves the old schema intact. A verified copy of the database is stored in `backups/` first, so that an
//! upgrade can be reverted.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use refinery::Migration;
use refinery_core::traits::sync::{Migrate, Query, Transaction};
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::integrity::{self, Depth};
use super::{APPLICATION_ID, connect};
use crate::storage::statements::params;

mod migrations {
    refinery::embed_migrations!("migrations");
}

/// Number of pre-upgrade copies to keep.
const COPIES: usize = 3;
const COPY_PREFIX: &str = "before-schema-";

/// The schema version this program was written for.
pub fn newest_schema() -> i32 {
    schema_versions().last().copied().unwrap_or(0)
}

/// Every released schema version, oldest first. Some numbers were never used.
pub fn schema_versions() -> Vec<i32> {
    let mut versions: Vec<_> =
        migrations::migrations::runner().get_migrations().iter().map(Migration::version).collect();
    versions.sort_unstable();
    versions
}

/// The database was written by a newer program than this one.
#[derive(Debug, thiserror::Error)]
#[error(
    "this data folder was used by a newer schoolhouse (schema {found}, this program knows {known}); \
     install the newer program again"
)]
pub struct NewerSchema {
    /// Version of the database.
    pub found: i32,
    /// Newest version this program supports.
    pub known: i32,
}

/// The database is damaged and must not be migrated.
#[derive(Debug, thiserror::Error)]
#[error(
    "the database is damaged ({0}); nothing was changed. Restore the last backup: `schoolhouse restore ARCHIVE`"
)]
pub struct Damaged(pub String);

/// Opens the database, brings its schema up to date and returns a connection that may write.
///
/// # Errors
/// [`NewerSchema`], [`Damaged`], or the reason why the file cannot be opened, copied or migrated.
pub fn open(path: &Path) -> anyhow::Result<Connection> {
    remove_checksums(path)?;
    let mut connection = connect(path).map_err(name_damage)?;
    let known = newest_schema();
    let found = schema_version(&connection).map_err(name_damage)?;
    if found > known {
        return Err(NewerSchema { found, known }.into());
    }
    if found < known {
        if found > 0 {
            copy_before(&connection, path, known).map_err(name_damage)?;
        }
        migrate(&mut connection).map_err(name_damage).context("bringing the database up to date")?;
        tracing::info!("database schema brought from {found} to {known}");
        report_repairs(&connection, found)?;
    }
    Ok(connection)
}

/// Says how many rows the migrations after a version repaired.
fn report_repairs(connection: &Connection, found: i32) -> anyhow::Result<()> {
    const ADDRESSES: &str = "select count(*) from student_history
        where reason = 'The email address was read out of the telephone number'";
    if (1..105).contains(&found) {
        let count: i64 = connection.query_row(ADDRESSES, [], |row| row.get(0))?;
        tracing::info!(count, "email addresses of guardians were read out of their telephone numbers");
    }
    Ok(())
}

/// Whether opening the database would migrate it: it is empty, or from an older program.
///
/// # Errors
/// When the file is not a database.
pub fn is_behind(path: &Path) -> anyhow::Result<bool> {
    let connection = connect(path).map_err(name_damage)?;
    Ok(schema_version(&connection).map_err(name_damage)? < newest_schema())
}

/// The schema version of an open database; 0 for an empty one.
///
/// # Errors
/// When the file is not a database.
pub fn schema_version(connection: &Connection) -> anyhow::Result<i32> {
    let known: bool = connection.query_row(
        "select exists(select 1 from sqlite_schema where name = 'refinery_schema_history')",
        [],
        |row| row.get(0),
    )?;
    if !known {
        return Ok(0);
    }
    let version =
        connection.query_row("select coalesce(max(version), 0) from refinery_schema_history", [], |row| {
            row.get(0)
        })?;
    Ok(version)
}

/// Removes the page checksums that older programs kept beside the file: they become invalid once it is opened.
fn remove_checksums(path: &Path) -> anyhow::Result<()> {
    for extension in ["db.sum", "db.changed"] {
        let checksums = path.with_extension(extension);
        match fs::remove_file(&checksums) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("deleting {}", checksums.display()));
            }
            _ => {}
        }
    }
    Ok(())
}

fn name_damage(error: anyhow::Error) -> anyhow::Error {
    if integrity::has_damage_cause(&error) { Damaged(format!("{error:#}")).into() } else { error }
}

fn migrate(connection: &mut Connection) -> anyhow::Result<()> {
    // This setting has no effect inside a transaction, and a migration that rebuilds a table needs it off
    // (https://sqlite.org/lang_altertable.html, section 7).
    connection.pragma_update(None, "foreign_keys", false)?;
    let outcome = migrations::migrations::runner().set_grouped(true).run(&mut Checked(connection));
    connection.pragma_update(None, "foreign_keys", true)?;
    outcome?;
    Ok(())
}

/// A connection on which every batch is one transaction that ends with a check of all foreign keys.
struct Checked<'a>(&'a mut Connection);

/// A failed migration.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error(transparent)]
    Database(#[from] rusqlite::Error),
    #[error("a row of {0} would refer to nothing")]
    Orphan(String),
}

impl Transaction for Checked<'_> {
    type Error = Refused;

    fn execute<'a, T: Iterator<Item = &'a str>>(&mut self, queries: T) -> Result<usize, Refused> {
        let transaction = self.0.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let id: i32 = transaction.query_row("pragma application_id", [], |row| row.get(0))?;
        if id != APPLICATION_ID {
            transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        }
        let mut count = 0;
        for query in queries {
            transaction.execute_batch(query)?;
            count += 1;
        }
        if let Some(table) = integrity::orphan(&transaction)? {
            return Err(Refused::Orphan(table));
        }
        transaction.commit()?;
        Ok(count)
    }
}

impl Query<Vec<Migration>> for Checked<'_> {
    fn query(&mut self, query: &str) -> Result<Vec<Migration>, Refused> {
        Ok(self.0.query(query)?)
    }
}

impl Migrate for Checked<'_> {}

/// Stores a verified copy of the database in `backups/` and deletes old ones.
fn copy_before(connection: &Connection, path: &Path, known: i32) -> anyhow::Result<()> {
    let folder = path.parent().unwrap_or(Path::new(".")).join("backups");
    fs::create_dir_all(&folder).with_context(|| format!("making the folder {}", folder.display()))?;
    let mut copy = folder.join(format!("{COPY_PREFIX}{known}.db"));
    // The operator may have gone back to the older program in between.
    for count in 2.. {
        if !copy.exists() {
            break;
        }
        copy = folder.join(format!("{COPY_PREFIX}{known}-{count}.db"));
    }
    let partial = copy.with_extension("db.partial");
    let made = make_copy(connection, &partial).and_then(|()| {
        fs::rename(&partial, &copy)?;
        File::open(&folder)?.sync_all()?;
        Ok(())
    });
    if let Err(error) = made {
        let _ = fs::remove_file(&partial);
        return Err(error.context("copying the database before bringing it up to date"));
    }
    tracing::info!("the database as it was is kept in {}", copy.display());
    thin_copies(&folder);
    Ok(())
}

fn make_copy(connection: &Connection, partial: &Path) -> anyhow::Result<()> {
    // An unfinished copy left by a crash.
    if partial.exists() {
        fs::remove_file(partial)?;
    }
    let name = partial.to_str().context("the data folder's path is not UTF-8")?;
    connection.execute("vacuum into :copy", params![copy = name])?;
    File::open(partial)?.sync_all()?;
    // The original, too: the copy is made from the tables only and would hide a broken index.
    for connection in [connection, &super::connect_alongside(partial, OpenFlags::SQLITE_OPEN_READ_ONLY)?] {
        if let Some(damage) = integrity::check(connection, Depth::Full)? {
            bail!(Damaged(damage));
        }
    }
    Ok(())
}

/// Pre-upgrade copies in `backups/`, newest last.
///
/// # Errors
/// When the folder exists but cannot be read.
pub fn copies(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let is_whole = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "db");
    let mut copies: Vec<_> = all_copies(folder)?.into_iter().filter(is_whole).collect();
    copies.sort_by_key(|path| path.metadata().and_then(|file| file.modified()).ok());
    Ok(copies)
}

/// The copies, including unfinished ones left by crashes.
fn all_copies(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let context = || format!("reading the folder {}", folder.display());
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.with_context(context)?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.with_context(context)?.path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(COPY_PREFIX)) {
            files.push(path);
        }
    }
    Ok(files)
}

/// Deletes all but the newest copies, and unfinished ones.
fn thin_copies(folder: &Path) {
    let mut copies = copies(folder).unwrap_or_default();
    let partial = all_copies(folder).unwrap_or_default().into_iter().filter(|path| !copies.contains(path));
    let partial: Vec<_> = partial.collect();
    copies.truncate(copies.len().saturating_sub(COPIES));
    for file in copies.into_iter().chain(partial) {
        let _ = fs::remove_file(file);
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// A database as created by an older program.
    pub(crate) fn open_at(path: &Path, version: i32) -> Connection {
        let mut connection = connect(path).unwrap();
        let target = refinery::Target::Version(version);
        migrations::migrations::runner()
            .set_grouped(true)
            .set_target(target)
            .run(&mut Checked(&mut connection))
            .unwrap();
        connection
    }

    pub(crate) fn checked(connection: &mut Connection) -> impl Transaction<Error: std::fmt::Display> {
        Checked(connection)
    }
}
