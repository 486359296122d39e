//! Integrity checks: at every start, every night, and of every copy.

use rusqlite::{Connection, ErrorCode};

/// Depth of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Every page and cell, but not the consistency of indexes with tables: as fast as the disk.
    Quick,
    /// Also indexes and foreign keys.
    Full,
}

/// Checks for damage and describes the first found; `None` when the database is sound.
///
/// SQLite does not detect a changed character in a text unless an index holds the same text. Archives have a SHA-256 of
/// everything.
///
/// # Errors
/// When it cannot be determined: a disk error, or the database is locked.
pub fn check(connection: &Connection, depth: Depth) -> rusqlite::Result<Option<String>> {
    let found = match depth {
        Depth::Quick => first(connection, "pragma quick_check(1)"),
        Depth::Full => first(connection, "pragma integrity_check(1)"),
    };
    match found {
        Ok(Some(found)) if found != "ok" => return Ok(Some(found.replace('\n', " "))),
        Err(error) if is_damage(&error) => return Ok(Some(error.to_string())),
        Err(error) => return Err(error),
        Ok(_) => {}
    }
    if depth == Depth::Quick {
        return Ok(None);
    }
    match orphan(connection) {
        Ok(orphan) => Ok(orphan.map(|table| format!("a row of {table} refers to nothing"))),
        Err(error) if is_damage(&error) => Ok(Some(error.to_string())),
        Err(error) => Err(error),
    }
}

/// A table with a dangling foreign key, if there is one.
pub fn orphan(connection: &Connection) -> rusqlite::Result<Option<String>> {
    first(connection, "pragma foreign_key_check")
}

fn first(connection: &Connection, pragma: &str) -> rusqlite::Result<Option<String>> {
    let mut statement = connection.prepare(pragma)?;
    let first = statement.query_map([], |row| row.get(0))?.next();
    first.transpose()
}

/// Whether the error means that the file is damaged.
pub fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

/// Whether any cause of the error is damage.
pub fn has_damage_cause(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.downcast_ref().is_some_and(is_damage))
}
