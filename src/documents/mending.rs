//! The office's handling of lost files: replacing or writing off.

use anyhow::Context;
use axum::Extension;
use axum::extract::State;
use axum::extract::multipart::{Multipart, MultipartRejection};
use axum::http::HeaderMap;
use jiff::Timestamp;
use rusqlite::Connection;
use sha2::{Digest, Sha256};
use tokio::task::spawn_blocking;
use utoipa_axum::router::OpenApiRouter;

use super::faults::Fault;
use super::file::{self, StoredFile};
use super::quota::PendingUploads;
use super::upload::{self, ReceivedUpload};
use super::{Document, Upload, UploadForm, admit, backlog, encryption, store};
use crate::audit::{self, By};
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::base::random::hex;
use crate::staff::{CurrentStaff, Staff, may};
use crate::storage::statements::{Statements, params};
use crate::students::history::{self, HistoryChange};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::form;
use crate::web::id::{Id, Numbered};
use crate::web::rate_limit::ClientAddr;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![replace_document_file, write_off_document]
}

const IN_PLACE: &str = "The file of this document is not lost. There is nothing to repair.";

/// Replace the lost file of a document: the same file is restored, another one replaces it
#[utoipa::path(post, path = "/api/admin/documents/{id}/file", tag = "documents",
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = 409, body = ErrorBody, description = "Its file is not lost"),
        (status = 503, body = ErrorBody, headers(("Retry-After" = i64, description = "Seconds to wait")),
            description = "The server is busy, or the disk or the documents' share of it is used up")))]
async fn replace_document_file(
    staff: Staff<may::Students>,
    State(app): State<App>,
    Id(id, ..): Id<Document>,
    Extension(arriving): Extension<PendingUploads>,
    client: ClientAddr,
    headers: HeaderMap,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Json<Document>> {
    let form = form.map_err(|_| {
        Error::UnsupportedType("The upload must be a form with a file (multipart/form-data).".into())
    })?;
    let lost = app.db.query(move |connection| find_lost(connection, id)).await?;
    let owner = lost.student_id;
    let used = move |connection: &Connection, now| store::used(connection, owner, now);
    let upload = Upload { arriving: &arriving, client, headers: &headers, owner };
    let room = admit(&app, upload, used).await?;
    let received = upload::receive(form, &app.data_dir, &app.document_keys, &room).await?;
    let shared = app.clone();
    let old = lost.stored.clone();
    let restoring = spawn_blocking(move || restore(&shared, &old, &received).map(|same| (same, received)));
    let (same, received) = restoring.await.context("restoring a document panicked")??;
    let now = app.clock.now();
    if let Some(stored) = same {
        let write = move |connection: &Connection| {
            encryption::replace(connection, &lost.stored.sha256, &stored)?;
            found_again(connection, &stored.sha256)?;
            note(connection, &staff, "restore", id, "Restored", None, now)
        };
        return app.carry_out(write).await;
    }
    let new = received.keep(&app).await?;
    app.carry_out(move |connection| {
            find_lost(connection, id)?;
            backlog::replace_file(connection, id, &new)?;
            let sql = "update student_documents set fault = null, fault_at = null, uploaded_by = :uploaded_by where id = :id";
            connection.run(sql, params![id, uploaded_by = staff.id])?;
            note(connection, &staff, "replace", id, "Replaced with another copy", None, now)
        }).await
}

form! {
    /// Reason for writing off a document.
    pub struct WriteOff {
        /// 3 to 500 characters.
        reason: String,
    }
}

/// Write off a document with a lost file: backups no longer report it
#[utoipa::path(post, path = "/api/admin/documents/{id}/write-off", tag = "documents",
    responses((status = 409, body = ErrorBody, description = "Its file is not lost")))]
async fn write_off_document(
    staff: Staff<may::Students>,
    State(app): State<App>,
    Id(id, ..): Id<Document>,
    Json(form): Json<WriteOff>,
) -> Result<Json<Document>> {
    let now = app.clock.now();
    app.carry_out(move |connection| {
        find_lost(connection, id)?;
        let reason = form.reason.between(3, 500, "Please say why: the office reads it later");
        let reason = reason.map_err(|message| FieldErrors::one("reason", message))?;
        let sql = "update student_documents set fault = :fault where id = :id";
        connection.run(sql, params![id, fault = Fault::WrittenOff])?;
        note(connection, &staff, "write_off", id, "Written off", Some(&reason), now)
    })
    .await
}

/// Finds the document, if its file is recorded as lost.
fn find_lost(connection: &Connection, id: i64) -> Result<store::FileRecord> {
    let document = store::find(connection, id)?.ok_or_else(Document::not_found)?;
    if document.fault.is_none() {
        return Err(Error::conflict(IN_PLACE, &document));
    }
    store::find_file(connection, id)?.ok_or_else(Document::not_found)
}

/// Stores the upload if it is identical to the lost content.
fn restore(app: &App, lost: &StoredFile, received: &ReceivedUpload) -> anyhow::Result<Option<StoredFile>> {
    let content = received.read()?;
    let is_same = match &lost.encryption {
        None => hex(&Sha256::digest(&content)) == lost.sha256,
        Some(encryption) => app
            .document_keys
            .find(encryption.key_id)
            .is_some_and(|key| key.mac_of(&content) == encryption.mac),
    };
    if !is_same {
        return Ok(None);
    }
    let tmp = tempfile::NamedTempFile::new_in(app.data_dir.tmp()).context("making a temporary file")?;
    let key = app.document_keys.current();
    file::store(&app.data_dir, tmp.into_temp_path(), &content, key).map(Some)
}

/// Records that the file with this SHA-256 is intact again.
///
/// # Errors
/// Database errors.
pub fn found_again(connection: &Connection, sha256: &str) -> Result<()> {
    let sql = "update student_documents set fault = null, fault_at = null where sha256 = :sha256";
    connection.run(sql, params![sha256])
}

/// Records the action and returns the current document.
fn note(
    connection: &Connection,
    staff: &CurrentStaff,
    verb: &str,
    id: i64,
    words: &str,
    reason: Option<&str>,
    now: Timestamp,
) -> Result<Document> {
    let document = store::find(connection, id)?.ok_or_else(Document::not_found)?;
    let after = format!("{}: {words}", document.document_type.label());
    let change = HistoryChange { field: "lostFile", before: None, after: Some(&after), reason };
    history::add(connection, document.student_id, By::Staff(staff.id), change, now)?;
    let detail = serde_json::json!({ "studentId": document.student_id, "reason": reason });
    audit::record(connection, &staff.actor(), verb, "document", id, detail, now)?;
    Ok(document)
}
