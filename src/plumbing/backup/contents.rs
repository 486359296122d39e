//! What a database says of itself: the facts that an archive is held against, and told in words.
//!
//! Like the dashboard it reads across the rooms: an archive is of the whole school.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, anyhow, ensure};
use rusqlite::{Connection, OpenFlags};
use serde::{Deserialize, Serialize};

/// How much of everything there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Student accounts.
    pub students: i64,
    /// Rows that name a document; equal files are stored once.
    pub documents: i64,
    /// Enrollments in any state.
    pub enrollments: i64,
    /// The sum of all amounts in the ledger.
    pub ledger_cents: i64,
}

/// Counts everything.
///
/// # Errors
/// When a table cannot be read.
pub(super) fn count(connection: &Connection) -> anyhow::Result<Counts> {
    let counts = connection.query_row(
        "select (select count(*) from students) as students,
                (select count(*) from student_documents) as documents,
                (select count(*) from enrollments) as enrollments,
                (select coalesce(sum(amount_cents), 0) from ledger) as ledger_cents",
        [],
        |row| {
            Ok(Counts {
                students: row.get("students")?,
                documents: row.get("documents")?,
                enrollments: row.get("enrollments")?,
                ledger_cents: row.get("ledger_cents")?,
            })
        },
    )?;
    Ok(counts)
}

/// Id and size of each document by its SHA-256; equal files are stored once, under the first id.
///
/// # Errors
/// When a row is malformed.
pub(super) fn documents(connection: &Connection) -> anyhow::Result<BTreeMap<String, (i64, u64)>> {
    let mut select =
        connection.prepare("select sha256, id, size_bytes from student_documents order by id")?;
    let mut rows = select.query([])?;
    let mut documents = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let (sha256, id): (String, i64) = (row.get(0)?, row.get(1)?);
        ensure!(is_sha256(&sha256), "document {id}: its SHA-256 is malformed");
        let size_bytes = u64::try_from(row.get::<_, i64>(2)?).context("a negative size")?;
        let (_, known) = documents.entry(sha256).or_insert((id, size_bytes));
        ensure!(*known == size_bytes, "document {id}: its size differs from that of an equal one");
    }
    Ok(documents)
}

/// Whether this is a SHA-256 as we write it; it becomes part of a path.
pub(super) fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// Opens a database that must exist; without SQLITE_OPEN_CREATE a wrong path is an error and not an
/// empty school.
///
/// # Errors
/// When it cannot be opened.
pub(super) fn open(path: &Path, flags: OpenFlags) -> anyhow::Result<Connection> {
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)
        .with_context(|| format!("opening {}", path.display()))?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.execute_batch("pragma trusted_schema=off; pragma cell_size_check=on; pragma mmap_size=0")?;
    Ok(connection)
}

/// Refuses a database with a damaged page or a row that refers to nothing.
///
/// # Errors
/// The first damage that was found.
pub(super) fn check(copy: &Connection) -> anyhow::Result<()> {
    let found: String = copy.query_row("pragma integrity_check(1)", [], |row| row.get(0))?;
    ensure!(found == "ok", "the database is damaged: {found}");
    let mut statement = copy.prepare("pragma foreign_key_check")?;
    let orphan: Option<String> = statement.query_map([], |row| row.get(0))?.next().transpose()?;
    match orphan {
        Some(table) => Err(anyhow!("the database is damaged: a row of {table} refers to nothing")),
        None => Ok(()),
    }
}
