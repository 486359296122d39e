//! Examines documents from before examination existed: a thousand per hour until none is left.

use rusqlite::Connection;

use super::file;
use super::rules::Examination;
use super::store::{FileRecord, NewDocument};
use super::upload;
use crate::base::error::{Error, Result};
use crate::storage::statements::{Statements, params};
use crate::web::app::App;

/// Files per run, which takes some minutes of one thread.
const MAX: usize = 1_000;

/// Examines waiting files; returns how many passed and how many were refused.
///
/// The rewritten file replaces the old one, which is kept for a day. A refused file stays, because the office may have
/// based a decision on it; the office is told.
///
/// # Errors
/// Database errors; an unreadable file waits for the next run.
pub async fn examine_stored(app: &App) -> Result<(usize, usize)> {
    let mut last = 0;
    let mut passed = 0;
    let mut refused = 0;
    loop {
        let files = app.db.query(move |connection| unexamined(connection, last)).await?;
        if files.is_empty() || passed + refused >= MAX {
            return Ok((passed, refused));
        }
        for file in files {
            last = file.id;
            match examine(app, file).await {
                Ok(true) => passed += 1,
                Ok(false) => refused += 1,
                Err(error) => tracing::warn!("document {last} could not be examined: {error:?}"),
            }
        }
    }
}

async fn examine(app: &App, file: FileRecord) -> Result<bool> {
    let id = file.id;
    let new = match upload::copy(&file, app)?.keep(app).await {
        Ok(new) => new,
        Err(Error::UnsupportedType(_) | Error::TooLarge(_)) => {
            app.db.write(move |connection| note_examination(connection, id, Examination::Refused)).await?;
            return Ok(false);
        }
        Err(error) => return Err(error),
    };
    let is_same = new.stored.document_path == file.stored.document_path;
    app.db.write(move |connection| replace_file(connection, id, &new)).await?;
    if !is_same {
        file::keep_for_a_day(&app.data_dir, &[file.stored.document_path]);
    }
    Ok(true)
}

/// Some unexamined files after this id.
fn unexamined(connection: &Connection, after: i64) -> Result<Vec<FileRecord>> {
    let sql = "select id, student_id, document_path, sha256, key_id, content_mac, content_type, size_bytes,
            original_name, examination
        from student_documents where examination = 'waiting' and id > :after order by id limit 50";
    connection.list(sql, params![after])
}

/// Records the result of an examination.
fn note_examination(connection: &Connection, id: i64, found: Examination) -> Result<()> {
    connection.run("update student_documents set examination = :found where id = :id", params![id, found])
}

/// Points a document to its rewritten file.
pub(super) fn replace_file(connection: &Connection, id: i64, new: &NewDocument) -> Result<()> {
    let sql = "update student_documents set document_path = :document_path, sha256 = :sha256,
        key_id = :key_id, content_mac = :content_mac, content_type = :content_type, size_bytes = :size_bytes,
        examination = 'passed', was_signed = :was_signed where id = :id";
    let values = params! {
        id, document_path = new.stored.document_path, sha256 = new.stored.sha256,
        key_id = new.stored.encryption.map(|encryption| encryption.key_id),
        content_mac = new.stored.encryption.map(|encryption| encryption.mac), content_type = new.content_type,
        size_bytes = new.stored.size_bytes.cast_signed(), was_signed = new.was_signed,
    };
    connection.run(sql, values)
}
