//! Contents of a database, against which an archive is checked, and their description.
//!
//! Like the dashboard it reads the tables of all rooms, since an archive holds the whole school.

use std::collections::BTreeMap;

use anyhow::{Context, anyhow, ensure};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use crate::base::file_encryption::{self, KeyId};
use crate::storage::db::integrity::{self, Depth};
use crate::storage::statements::params;

/// Row counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Student accounts.
    pub students: i64,
    /// Document rows; equal files are stored once.
    pub documents: i64,
    /// Enrollments in any state.
    pub enrollments: i64,
    /// Sum of the ledger.
    pub ledger_cents: i64,
}

/// Counts everything.
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

/// A file that documents refer to.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NamedFile {
    /// Its documents; equal files are stored once.
    pub(super) ids: Vec<i64>,
    /// Size on disk.
    pub(super) size_bytes: u64,
}

/// Files of documents by SHA-256, without those that the office has written off.
///
/// # Errors
/// When a row is malformed.
pub(super) fn documents(connection: &Connection) -> anyhow::Result<BTreeMap<String, NamedFile>> {
    let is_encrypted = if has_column(connection, "key_id")? { "key_id is not null" } else { "0" };
    let is_given_up = if has_column(connection, "fault")? { "fault is 'written_off'" } else { "0" };
    let mut select = connection.prepare(&format!(
        "select sha256, id, size_bytes, {is_encrypted} from {} where not {is_given_up} order by id",
        stored(connection)?
    ))?;
    let mut rows = select.query([])?;
    let mut documents = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let sha256: String = row.get(0)?;
        let id: i64 = row.get(1)?;
        ensure!(is_sha256(&sha256), "document {id}: its SHA-256 is malformed");
        let mut size_bytes = u64::try_from(row.get::<_, i64>(2)?).context("a negative size")?;
        if row.get(3)? {
            size_bytes = file_encryption::encrypted_bytes(size_bytes);
        }
        let known = documents.entry(sha256).or_insert(NamedFile { ids: Vec::new(), size_bytes });
        ensure!(known.size_bytes == size_bytes, "document {id}: its size differs from that of an equal one");
        known.ids.push(id);
    }
    Ok(documents)
}

/// Ids of the keys that documents are encrypted with.
pub(super) fn keys(connection: &Connection) -> anyhow::Result<Vec<KeyId>> {
    if !has_column(connection, "key_id")? {
        return Ok(Vec::new());
    }
    let from = stored(connection)?;
    let mut select = connection
        .prepare(&format!("select distinct key_id from {from} where key_id is not null order by key_id"))?;
    Ok(select.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}

/// Where every stored file is named: in schemas from before applications had documents, the table of students'.
fn stored(connection: &Connection) -> rusqlite::Result<&'static str> {
    let has_applications = connection.table_exists(None, "admission_documents")?;
    Ok(if has_applications { "stored_documents" } else { "student_documents" })
}

/// Whether the schema version has this column of documents.
fn has_column(connection: &Connection, name: &str) -> rusqlite::Result<bool> {
    let sql = "select exists(select 1 from pragma_table_info('student_documents') where name = :name)";
    connection.query_row(sql, params![name], |row| row.get(0))
}

/// Whether this is a valid SHA-256; it becomes part of a path.
pub(super) fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// Refuses a database with a damaged page or a dangling foreign key.
///
/// # Errors
/// The first damage found.
pub(super) fn check(copy: &Connection) -> anyhow::Result<()> {
    match integrity::check(copy, Depth::Full).context("checking the database")? {
        Some(found) => Err(anyhow!("the database is damaged: {found}")),
        None => Ok(()),
    }
}
