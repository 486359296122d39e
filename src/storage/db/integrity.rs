//! Is the database what was written? Asked at every start, every night, and of every copy.

use rusqlite::{Connection, ErrorCode};

/// How closely to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Every page and cell, but not whether the indexes agree with the tables: as fast as the disk.
    Quick,
    /// Indexes and references too.
    Full,
}

/// Looks for damage and returns the first that it finds, in words; none when the database is sound.
///
/// A changed character inside a text is no damage to SQLite, unless an index holds the same text. Archives have a
/// SHA-256 of everything.
///
/// # Errors
/// When it cannot be determined: the disk does not answer, or somebody holds the database.
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

/// A table with a row that refers to nothing, if there is one.
pub fn orphan(connection: &Connection) -> rusqlite::Result<Option<String>> {
    first(connection, "pragma foreign_key_check")
}

fn first(connection: &Connection, pragma: &str) -> rusqlite::Result<Option<String>> {
    let mut statement = connection.prepare(pragma)?;
    let first = statement.query_map([], |row| row.get(0))?.next();
    first.transpose()
}

/// Whether SQLite says by this error that the file is damaged.
pub fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

/// Whether an error was caused by damage, however deep.
pub fn has_damage_cause(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.downcast_ref().is_some_and(is_damage))
}
