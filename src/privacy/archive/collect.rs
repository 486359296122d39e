//! Reads all data of one student in one transaction.

use anyhow::Context;
use jiff::Timestamp;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ToSql};
use serde_json::Value;

use super::sections::{RowOwner, SECTIONS, Section};
use crate::base::clock::from_seconds;
use crate::base::error::Result;
use crate::documents::file::StoredFile;
use crate::documents::{self, rules};
use crate::students::{self, Student, history};
use crate::web::id::Numbered;

/// A row: column names with values, in order.
pub type Cells = Vec<(String, Value)>;

/// Contents of a download.
#[derive(Debug)]
pub struct DownloadContents {
    /// The student.
    pub student: Student,
    /// Each section with its rows.
    pub sections: Vec<(&'static Section, Vec<Cells>)>,
    /// The files.
    pub files: Vec<AttachedFile>,
}

/// A document's file.
#[derive(Debug)]
pub struct AttachedFile {
    /// Path in the archive: `documents/7-transcript.pdf`.
    pub name: String,
    /// The stored file.
    pub file: StoredFile,
}

/// Reads it.
///
/// # Errors
/// 404 when there is no such student.
pub fn collect(connection: &Connection, id: i64) -> Result<DownloadContents> {
    let transaction = connection.unchecked_transaction()?;
    let student = students::store::find(&transaction, id)?.ok_or_else(Student::not_found)?;
    let mut addresses = vec![(student.email.clone(), 0, i64::MAX)];
    for former in history::former_addresses(&transaction, id)? {
        // Skip an address that the student has changed back to.
        if former.email != student.email {
            addresses.push((former.email, former.since.as_second(), former.until.as_second()));
        }
    }
    let mut sections = Vec::new();
    for section in &SECTIONS {
        let mut rows = Vec::new();
        match section.whose {
            RowOwner::Account => read(&transaction, &section.statement(), &[(":id", &id)], &mut rows)?,
            RowOwner::Address => {
                for (email, since, until) in &addresses {
                    let parameters: [(&str, &dyn ToSql); 3] =
                        [(":email", email), (":since", since), (":until", until)];
                    read(&transaction, &section.statement(), &parameters, &mut rows)?;
                }
            }
        }
        sections.push((section, rows));
    }
    let mut files = Vec::new();
    for document in documents::store::list_for_student(&transaction, id)? {
        let file = documents::store::find_file(&transaction, document.id)?.context("a listed document")?;
        let name = rules::file_name(&file.original_name, file.content_type);
        files.push(AttachedFile { name: format!("documents/{}-{name}", file.id), file: file.stored });
    }
    Ok(DownloadContents { student, sections, files })
}

fn read(
    connection: &Connection,
    sql: &str,
    parameters: &[(&str, &dyn ToSql)],
    rows: &mut Vec<Cells>,
) -> Result<()> {
    // Row by row: each section has columns of its own, whose names are asked for.
    let mut select = connection.prepare_cached(sql)?;
    let names: Vec<String> = select.column_names().map(str::to_owned).collect();
    let mut found = select.query(parameters)?;
    while let Some(row) = found.next()? {
        let mut cells = Cells::new();
        for (at, name) in names.iter().enumerate() {
            let value = value(name, row.get_ref(at)?);
            cells.push((name.clone(), value.with_context(|| format!("{name} is no value to show"))?));
        }
        rows.push(cells);
    }
    Ok(())
}

/// Converts a value for display, by the name of its column: instants and booleans.
fn value(name: &str, value: ValueRef<'_>) -> anyhow::Result<Value> {
    let is_flag = name.strip_prefix("is").is_some_and(|rest| rest.starts_with(char::is_uppercase));
    Ok(match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(seconds) if name == "at" || name.ends_with("At") => instant(seconds).into(),
        ValueRef::Integer(flag) if is_flag => (flag != 0).into(),
        ValueRef::Integer(number) => number.into(),
        ValueRef::Real(number) => number.into(),
        ValueRef::Text(text) => std::str::from_utf8(text)?.into(),
        ValueRef::Blob(_) => anyhow::bail!("it is made of bytes"),
    })
}

fn instant(seconds: i64) -> String {
    let at: Timestamp = from_seconds(seconds);
    at.to_string()
}
