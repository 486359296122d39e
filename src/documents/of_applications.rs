//! The table `admission_documents`: what a family sends with its application. The same checks and limits as for a
//! student's documents; once there is a student, the documents become theirs.

use axum::extract::Multipart;
use axum::extract::multipart::MultipartRejection;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::quota::{self, PendingUploads};
use super::rules::{self, ContentType, DocumentStatus, DocumentType, FileTotals, StorageUsed};
use super::store::{self, FileRecord, NewDocument, Uploader};
use super::{Upload, receive, send};
use crate::base::error::Result;
use crate::base::json::Json;
use crate::storage::columns::Columns;
use crate::storage::statements::{FromRow, Statements, params};
use crate::web::app::App;
use crate::web::id::{Numbered, numbered};
use crate::web::portal::Portal;
use crate::web::rate_limit::ClientAddr;

/// A document of an application, without its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdmissionDocument {
    /// Number of the document.
    pub id: i64,
    /// What it is.
    pub document_type: DocumentType,
    /// What one of no other type is called; null where its type says it.
    #[schema(required)]
    pub label: Option<String>,
    /// The uploaded file's name, with the extension of the actual type.
    pub original_name: String,
    /// Type of the content.
    pub content_type: ContentType,
    /// Size in bytes.
    pub size_bytes: i64,
    /// Where the office's review stands: it begins once there is a student.
    pub status: DocumentStatus,
    /// When it was uploaded.
    pub uploaded_at: Timestamp,
    /// The student's document that it has become.
    #[schema(required)]
    pub moved_to: Option<i64>,
}

numbered!(AdmissionDocument, "Document");

impl FromRow for AdmissionDocument {
    fn read(row: &Columns<'_, '_>) -> rusqlite::Result<Self> {
        let content_type = row.read("content_type")?;
        Ok(Self {
            id: row.read("id")?,
            document_type: row.read("document_type")?,
            label: row.read("label")?,
            original_name: rules::file_name(row.get_ref("original_name")?.as_str()?, content_type),
            content_type,
            size_bytes: row.read("size_bytes")?,
            status: row.read("status")?,
            uploaded_at: row.read("uploaded_at")?,
            moved_to: row.read("moved_to")?,
        })
    }
}

const SELECT: &str = "select a.id, a.document_type, a.label, a.original_name, a.content_type, a.size_bytes, \
    coalesce(d.status, 'pending_review') as status, a.uploaded_at, a.moved_to \
    from admission_documents a left join student_documents d on d.id = a.moved_to";

/// The documents of an application, newest first.
pub fn list(connection: &Connection, request_id: i64) -> Result<Vec<AdmissionDocument>> {
    connection
        .list(&format!("{SELECT} where a.request_id = :request_id order by a.id desc"), params![request_id])
}

/// What the documents of an application take up.
fn used(connection: &Connection, request_id: i64) -> Result<StorageUsed> {
    let sql = "select count(*) as files, coalesce(sum(size_bytes), 0) as bytes from admission_documents
        where request_id = :request_id";
    Ok(StorageUsed { listed: connection.one(sql, params![request_id])?, leaving: FileTotals::default() })
}

/// An upload for an application.
pub struct ApplicationUpload<'a> {
    /// Uploads on their way.
    pub arriving: &'a PendingUploads,
    /// The client.
    pub client: ClientAddr,
    /// Headers of the request.
    pub headers: &'a HeaderMap,
    /// Number of the application.
    pub request_id: i64,
}

impl ApplicationUpload<'_> {
    /// Receives, checks and stores it; `note` is written with its row, and refuses where no document is wanted.
    ///
    /// # Errors
    /// As for a student's upload.
    pub async fn take(
        self,
        app: &App,
        form: Result<Multipart, MultipartRejection>,
        note: impl Fn(&Connection, DocumentType) -> Result<()> + Send + 'static,
    ) -> Result<(StatusCode, Json<AdmissionDocument>)> {
        let Self { arriving, client, headers, request_id } = self;
        let upload = Upload { arriving, client, headers, owner: -request_id };
        let own = move |connection: &Connection, _: Timestamp| used(connection, request_id);
        let new = receive(app, form, upload, own).await?;
        let now = app.clock.now();
        let config = app.config.clone();
        app.db
            .write(move |connection| {
                let used = used(connection, request_id)?;
                quota::check_used(&config.documents, used, new.stored.size_bytes)?;
                let document = insert(connection, request_id, &new, now)?;
                note(connection, document.document_type)?;
                Ok(document)
            })
            .await
            .map(|document| (StatusCode::CREATED, Json(document)))
    }
}

/// Adds a document to an application.
pub fn insert(
    connection: &Connection,
    request_id: i64,
    new: &NewDocument,
    now: Timestamp,
) -> Result<AdmissionDocument> {
    let sql = "insert into admission_documents (request_id, document_type, label, document_path, sha256, key_id,
            content_mac, content_type, size_bytes, original_name, was_signed, uploaded_at)
        values (:request_id, :document_type, :label, :document_path, :sha256, :key_id, :content_mac, :content_type,
            :size_bytes, :original_name, :was_signed, :now)";
    let values = params! {
        request_id, document_type = new.document_type, label = new.label,
        document_path = new.stored.document_path, sha256 = new.stored.sha256,
        key_id = new.stored.encryption.map(|encryption| encryption.key_id),
        content_mac = new.stored.encryption.map(|encryption| encryption.mac), content_type = new.content_type,
        size_bytes = new.stored.size_bytes.cast_signed(), original_name = new.original_name,
        was_signed = new.was_signed, now = now.as_second(),
    };
    let id = connection.insert(sql, values)?;
    connection.one(&format!("{SELECT} where a.id = :id"), params![id])
}

fn find(connection: &Connection, id: i64) -> Result<Value> {
    let document: Option<AdmissionDocument> =
        connection.find(&format!("{SELECT} where a.id = :id"), params![id])?;
    Ok(json!(document))
}

/// The file of a document of an application; `of` is the only application whose documents the reader may open.
pub fn find_file(connection: &Connection, id: i64, of: Option<i64>) -> Result<FileRecord> {
    let sql = "select id, request_id as student_id, document_path, sha256, key_id, content_mac, content_type,
            size_bytes, original_name, 'passed' as examination
        from admission_documents where id = :id and (:of is null or request_id = :of)";
    connection.find(sql, params![id, of])?.ok_or_else(AdmissionDocument::not_found)
}

/// Sends the content of a document to its family.
///
/// # Errors
/// 409 when the file is lost; 503 when too many are on their way.
pub async fn show_family(app: &App, file: FileRecord) -> Result<Response> {
    let place = app.documents.place((Portal::Student, -file.student_id))?;
    send(app, file, place, find).await
}

/// Sends the content of a document to a member of the staff.
///
/// # Errors
/// As [`show_family`].
pub async fn show_staff(app: &App, file: FileRecord, user_id: i64) -> Result<Response> {
    let place = app.documents.place((Portal::Staff, user_id))?;
    send(app, file, place, find).await
}

/// Makes the documents of an application those of a student, to be reviewed like the student's own.
pub fn hand_over(connection: &Connection, request_id: i64, student_id: i64, now: Timestamp) -> Result<usize> {
    let sql = "select id, document_type, label, request_id as student_id, document_path, sha256, key_id, content_mac,
            content_type, size_bytes, original_name, 'passed' as examination, was_signed
        from admission_documents where request_id = :request_id and moved_to is null order by id";
    let waiting: Vec<MovedDocument> = connection.list(sql, params![request_id])?;
    for MovedDocument { id, new } in &waiting {
        let inserted = store::insert(connection, student_id, new, Uploader::Student, now)?;
        let sql = "update admission_documents set moved_to = :moved_to where id = :id";
        connection.run(sql, params![id, moved_to = inserted.document.id])?;
    }
    Ok(waiting.len())
}

struct MovedDocument {
    id: i64,
    new: NewDocument,
}

impl FromRow for MovedDocument {
    fn read(row: &Columns<'_, '_>) -> rusqlite::Result<Self> {
        let document_type = row.read("document_type")?;
        let label = row.read("label")?;
        let was_signed = row.read("was_signed")?;
        let FileRecord { id, stored, content_type, original_name, .. } = FileRecord::read(row)?;
        let new = NewDocument { document_type, label, stored, content_type, original_name, was_signed };
        Ok(Self { id, new })
    }
}
