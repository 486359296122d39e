//! Database connections with the settings for durability and safety.

use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, ffi};

use crate::base::error::Error;
use crate::storage;

/// "SCHL": identifies the file in the SQLite header.
pub const APPLICATION_ID: i32 = 0x5343_484C;

/// Opens a connection that may write, with all settings for durability and safety.
///
/// # Errors
/// When the file cannot be opened or is not a database.
pub fn connect(path: &Path) -> anyhow::Result<Connection> {
    let mut connection =
        Connection::open(path).with_context(|| format!("opening the database {}", path.display()))?;
    connection.busy_handler(Some(wait_for_lock))?;
    let mode: String = connection.query_row("pragma journal_mode=wal", [], |row| row.get(0))?;
    anyhow::ensure!(mode == "wal", "the file system does not support the write-ahead log ({mode})");
    // The writer runs checkpoints itself; a command leaves that to the last connection to close.
    connection.execute_batch("pragma synchronous=full; pragma wal_autocheckpoint=0")?;
    settle(&mut connection, path)?;
    Ok(connection)
}

/// Opens a connection that may only read.
///
/// # Errors
/// When the file cannot be opened or is not a database.
pub(super) fn connect_reader(path: &Path) -> anyhow::Result<Connection> {
    // SQLITE_OPEN_READ_ONLY would refuse a fresh write-ahead log; query_only refuses every write.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)
        .with_context(|| format!("opening the database {}", path.display()))?;
    connection.busy_handler(Some(wait_for_lock))?;
    settle(&mut connection, path)?;
    connection.execute_batch("pragma query_only=on")?;
    // Opens the write-ahead log now, as file descriptors may run out later.
    connection.query_row("pragma data_version", [], |_| Ok(()))?;
    Ok(connection)
}

/// Opens an existing database beside the server.
pub fn connect_alongside(path: &Path, flags: OpenFlags) -> anyhow::Result<Connection> {
    // Without SQLITE_OPEN_CREATE: a wrong path is an error and not an empty school.
    let mut connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)
        .with_context(|| format!("opening the database {}", path.display()))?;
    connection.busy_handler(Some(wait_for_lock))?;
    connection.execute_batch("pragma trusted_schema=off; pragma cell_size_check=on; pragma mmap_size=0")?;
    Ok(connection)
}

/// Opens a database for inspection without leaving files beside it: without a write-ahead log no process has it open,
/// and none is created.
///
/// # Errors
/// When the file does not exist, cannot be opened or is not a database.
pub fn connect_to_inspect(path: &Path) -> anyhow::Result<Connection> {
    anyhow::ensure!(path.exists(), "{} is not there", path.display());
    let has_log = path.with_extension("db-wal").exists();
    let name = path.display().to_string().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let uri = format!("file:{name}{}", if has_log { "" } else { "?immutable=1" });
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let connection = connect_alongside(Path::new(&uri), flags)?;
    // Opening reads nothing yet.
    connection.query_row("select count(*) from sqlite_schema", [], |_| Ok(()))?;
    Ok(connection)
}

/// Busy handler: waits up to 5 s for another connection's lock; `waits` counts the calls. Logs after a second: the
/// cause is a program beside the server, or a slow disk.
fn wait_for_lock(waits: i32) -> bool {
    const SHORT: i32 = 20;
    const LOGGED_AT: i32 = SHORT + 98;
    const LAST: i32 = SHORT + 498;
    if waits == LOGGED_AT {
        tracing::warn!(event = "database.locked", "a lock of the database has been held for a second");
    }
    std::thread::sleep(Duration::from_millis(if waits < SHORT { 1 } else { 10 }));
    waits < LAST
}

#[cfg_attr(not(debug_assertions), expect(unused_variables, reason = "only debug builds count costs"))]
fn settle(connection: &mut Connection, path: &Path) -> anyhow::Result<()> {
    connection.set_prepared_statement_cache_capacity(128);
    // Otherwise a statement is prepared again, at several times its cost, whenever one of its parameters changes
    // (<https://sqlite.org/queryplanner-ng.html#qpstab>): SQLite checks whether another plan suits the new value.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.execute_batch(
        "pragma foreign_keys=on; pragma trusted_schema=off; pragma cell_size_check=on; \
         pragma secure_delete=on; pragma temp_store=memory; pragma mmap_size=0; \
         pragma journal_size_limit=67108864",
    )?;
    storage::register_functions(connection)?;
    #[cfg(debug_assertions)]
    super::trace::attach(connection, path)?;
    Ok(())
}

/// Whether a delete failed because another table still references the row.
pub fn is_still_named(error: &Error) -> bool {
    refusal(error).is_some_and(|(code, _)| code.extended_code == ffi::SQLITE_CONSTRAINT_FOREIGNKEY)
}

/// Whether a write failed because another row has the same value; `index` is the unique index, or its column.
pub fn is_taken(error: &Error, index: &str) -> bool {
    refusal(error).is_some_and(|(code, message)| {
        code.extended_code == ffi::SQLITE_CONSTRAINT_UNIQUE && message.contains(index)
    })
}

/// What SQLite said.
fn refusal(error: &Error) -> Option<(&ffi::Error, &str)> {
    let Error::Internal(cause) = error else { return None };
    match cause.downcast_ref() {
        Some(rusqlite::Error::SqliteFailure(code, Some(message))) => Some((code, message)),
        _ => None,
    }
}
