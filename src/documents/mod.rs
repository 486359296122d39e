//! Documents that students upload (passports, transcripts …), and access to them.
//!
//! Promises: the type is determined by the content, never by the name; every file is examined and rewritten (`examine`)
//! before it is stored; a row exists only after its file is durably stored; a document is shown to its owner and to
//! staff, with an audit row; the owner may remove it until the office has viewed it. `quota` limits storage. Files are
//! named by their SHA-256 and never change; with a configured key they are encrypted (`file`). A lost file is refused
//! with a message, and the office is told (`faults`).

pub mod backlog;
mod emails;
pub mod encryption;
mod examine;
pub mod faults;
pub mod file;
pub mod mending;
pub mod of_applications;
pub mod query;
pub mod quota;
pub mod removal;
pub mod review;
pub mod rules;
pub mod store;
pub mod sweep;
mod upload;
mod upload_by_office;

pub use self::examine::{PDF_COMMAND, examine_pdf_here, separate_pdfs, write_pdf_again};

use anyhow::Context;
use std::sync::Arc;

use axum::Extension;
use axum::extract::multipart::MultipartRejection;
use axum::extract::{DefaultBodyLimit, FromRequestParts, Multipart, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use self::faults::Fault;
use self::query::DocumentsQuery;
use self::quota::{DocumentUsage, PendingUploads};
use self::removal::RemovedDocument;
use self::rules::{
    ContentType, DocumentFilter, DocumentStatus, DocumentType, Examination, RemovalCause, StorageUsed,
};
use self::store::{NewDocument, Uploader};
use crate::audit::{self, Actor, By};
use crate::base::closed_set::ClosedSet;
use crate::base::error::{Error, ErrorBody, Result};
use crate::base::json::Json;
use crate::base::meters;
use crate::base::turns::Place;
use crate::staff::{CurrentStaff, Duty, Staff, may};
use crate::students::CurrentStudent;
use crate::students::rejection::RejectCode;
use crate::web::access::{Caller, WayIn, endpoint, endpoints};
use crate::web::app::App;
use crate::web::id::{Id, Numbered, numbered};
use crate::web::pagination::{ListQuery, SheetQuery, SheetRequest};
use crate::web::portal::Portal;
use crate::web::rate_limit::ClientAddr;
use crate::website::Website;

/// What calls that take an upload need: room for its body, and the uploads on their way.
pub fn with_uploads(routes: OpenApiRouter<App>) -> OpenApiRouter<App> {
    routes.layer(DefaultBodyLimit::max(upload::MAX_BODY_BYTES)).layer(Extension(PendingUploads::default()))
}

/// The endpoints; they need the [`Website`] to render refusals as pages.
pub fn routes() -> OpenApiRouter<App> {
    let routes = endpoints![list_own_documents, upload_document]
        .merge(upload_by_office::routes())
        .merge(mending::routes())
        .merge(review::routes())
        .routes(endpoint!(get_document_usage))
        .routes(endpoint!(remove_document))
        .routes(endpoint!(get_document))
        .routes(endpoint!(check_document_proof))
        .routes(endpoint!(list_documents));
    with_uploads(routes)
}

/// A document without its content.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// Id of the document.
    pub id: i64,
    /// What it is.
    pub document_type: DocumentType,
    /// Id of the student.
    pub student_id: i64,
    /// The uploaded file's name, without invisible characters, and with the extension of the actual type.
    pub original_name: String,
    /// Type of the content.
    pub content_type: ContentType,
    /// Size in bytes.
    pub size_bytes: i64,
    /// What one of no other type is called; null where its type says it.
    #[schema(required)]
    pub label: Option<String>,
    /// Where the office's review of it stands.
    pub status: DocumentStatus,
    /// Why the office rejected it.
    #[schema(required)]
    pub reject_code: Option<RejectCode>,
    /// The same in the reviewer's words.
    #[schema(required)]
    pub reason: Option<String>,
    /// The last day on which an accepted one counts.
    #[schema(required)]
    pub expires_on: Option<Date>,
    /// When the office decided about it.
    #[schema(required)]
    pub reviewed_at: Option<Timestamp>,
    /// When it was uploaded, as the office's list calls it (section 3).
    pub uploaded_at: Timestamp,
    /// The same time, under the name of the student's list (section 3).
    pub created_at: Timestamp,
    /// Whether its student may remove it: the office has neither viewed nor decided it.
    pub is_removable: bool,
    /// Whether the office uploaded it for its student.
    pub is_from_office: bool,
    /// Result of examining its file; an unexamined or refused file is downloaded, not displayed.
    pub examination: Examination,
    /// Fault of its file; null if none is known.
    #[schema(required)]
    pub fault: Option<Fault>,
    /// Whether the uploaded file had a digital signature, which the stored one has lost.
    pub was_signed: bool,
}

numbered!(Document, "Document");

/// A document in the office's list.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedDocument {
    /// The document.
    #[serde(flatten)]
    pub document: Document,
    /// Who uploaded it.
    pub student: Owner,
    /// Who of the staff decided about it, by username.
    #[schema(required)]
    pub reviewed_by: Option<String>,
}

impl Document {
    /// What people call it.
    pub fn name(&self) -> &str {
        self.label.as_deref().unwrap_or_else(|| self.document_type.label())
    }
}

/// Who uploaded a document.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Owner {
    /// Full name, once the profile has it.
    pub full_name: Option<String>,
    /// Address.
    pub email: String,
}

/// Body of `POST /api/students/documents`, for the OpenAPI document only: it is read as a stream.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the multipart form")]
struct UploadForm {
    /// PDF, JPEG or PNG, at most 10 MB.
    #[schema(value_type = String, format = Binary)]
    document: Vec<u8>,
    /// What it is.
    #[schema(rename = "documentType")]
    document_type: DocumentType,
    /// What another document is, in at most 100 characters.
    label: Option<String>,
}

/// The signed-in student's documents, newest first
#[utoipa::path(get, path = "/api/students/documents", tag = "documents")]
async fn list_own_documents(student: CurrentStudent, State(app): State<App>) -> Result<Json<Vec<Document>>> {
    app.db.read(|connection| store::list_for_student(connection, student.id)).await.map(Json)
}

/// Upload a document
#[utoipa::path(post, path = "/api/students/documents", tag = "documents",
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = 413, body = ErrorBody, description = "The file is larger than 10 MB, or than what \
            is left of the student's room"),
        (status = 503, body = ErrorBody, headers(("Retry-After" = i64, description = "Seconds to wait")),
            description = "The server is busy, or the disk or the documents' share of it is used up")))]
async fn upload_document(
    student: CurrentStudent,
    State(app): State<App>,
    Extension(arriving): Extension<PendingUploads>,
    client: ClientAddr,
    headers: HeaderMap,
    form: Result<Multipart, MultipartRejection>,
) -> Result<(StatusCode, Json<Document>)> {
    let upload = Upload { arriving: &arriving, client, headers: &headers, owner: student.id };
    upload.take(&app, form, Uploader::Student, |_, _, _| Ok(())).await
}

/// An upload on its way.
#[derive(Clone, Copy)]
struct Upload<'a> {
    arriving: &'a PendingUploads,
    client: ClientAddr,
    headers: &'a HeaderMap,
    /// Number of the student, or of the application with a minus, as students have positive ones.
    owner: i64,
}

impl Upload<'_> {
    /// Receives, checks and stores it for a student; `note` is written with its row.
    async fn take(
        self,
        app: &App,
        form: Result<Multipart, MultipartRejection>,
        uploader: Uploader,
        note: impl FnOnce(&Connection, &Document, Timestamp) -> Result<()> + Send + 'static,
    ) -> Result<(StatusCode, Json<Document>)> {
        let student_id = self.owner;
        let used = move |connection: &Connection, now| store::used(connection, student_id, now);
        let new = receive(app, form, self, used).await?;
        let now = app.clock.now();
        let config = app.config.clone();
        let write = move |connection: &Connection| {
            quota::check(connection, &config.documents, student_id, new.stored.size_bytes, now)?;
            let inserted = store::insert(connection, student_id, &new, uploader, now)?;
            note(connection, &inserted.document, now)?;
            Ok(inserted)
        };
        let inserted = app.db.write(write).await?;
        file::keep_for_a_day(&app.data_dir, &inserted.replaced);
        Ok((StatusCode::CREATED, Json(inserted.document)))
    }
}

/// Receives and examines an owner's upload; `used` tells what the owner has already.
async fn receive(
    app: &App,
    form: Result<Multipart, MultipartRejection>,
    upload: Upload<'_>,
    used: impl Fn(&Connection, Timestamp) -> Result<StorageUsed>,
) -> Result<NewDocument> {
    let form = form.map_err(|_| {
        Error::UnsupportedType("The upload must be a form with a file (multipart/form-data).".into())
    })?;
    let room = match admit(app, upload, used).await {
        Ok(room) => room,
        Err(refusal) => {
            // A client that waits for 100 Continue need not send the file.
            if !upload.headers.contains_key(header::EXPECT) {
                tokio::spawn(upload::drain(form));
            }
            return Err(refusal);
        }
    };
    let received = upload::receive(form, &app.data_dir, &app.document_keys, &room).await?;
    let new = received.keep(app).await?;
    meters::UPLOADS.add(1);
    meters::UPLOADED_BYTES.add(new.stored.size_bytes);
    Ok(new)
}

/// Checks before reading the body.
async fn admit(
    app: &App,
    upload: Upload<'_>,
    used: impl Fn(&Connection, Timestamp) -> Result<StorageUsed>,
) -> Result<quota::Reservation> {
    let Upload { arriving, client, headers, owner } = upload;
    app.limits.uploads.count(client)?;
    if !app.disk.has_room().context("free disk space")? {
        return Err(Error::Full("The school's server is short of disk space. Please try again later."));
    }
    let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    quota::reserve(app, arriving, owner, length, used).await
}

/// Storage used by the signed-in student's documents, and the limit
#[utoipa::path(get, path = "/api/students/documents/usage", tag = "documents")]
async fn get_document_usage(student: CurrentStudent, State(app): State<App>) -> Result<Json<DocumentUsage>> {
    quota::usage(&app, student.id).await.map(Json)
}

/// Remove a document that the office has not viewed; its file is deleted a day later. The document it replaced is valid
/// again. The student's history records the removal and earlier approvals.
#[utoipa::path(delete, path = "/api/students/documents/{id}", tag = "documents",
    responses((status = 409, body = ErrorBody)))]
async fn remove_document(
    student: CurrentStudent,
    State(app): State<App>,
    Id(id, ..): Id<Document>,
) -> Result<StatusCode> {
    let now = app.clock.now();
    let write = move |connection: &Connection| {
        let found = store::find(connection, id)?.filter(|document| document.student_id == student.id);
        let document = found.ok_or_else(Document::not_found)?;
        if !document.is_removable {
            return Err(Error::conflict(rules::LOOKED_AT, &document));
        }
        let removed = RemovedDocument::of(&document);
        let approved = removal::note(connection, &removed, RemovalCause::Removed, By::Student, now)?;
        let detail = serde_json::json!({
            "studentId": student.id, "documentType": document.document_type, "approved": approved,
        });
        audit::record(connection, &Actor::student(), "remove", "document", id, detail, now)?;
        let path = removal::remove(connection, id, RemovalCause::Removed, now)?;
        removal::restore_replaced(connection, student.id, document.document_type)?;
        Ok(path)
    };
    let path = app.db.write(write).await?;
    file::keep_for_a_day(&app.data_dir, &[path]);
    Ok(StatusCode::NO_CONTENT)
}

/// Every student's documents, newest first; searched by type, name and address
#[utoipa::path(get, path = "/api/admin/documents", tag = "documents",
    params(ListQuery, DocumentsQuery,
        ("status" = inline(Option<DocumentFilter>), Query, description = "Only those in this state, or whose file is lost"),
        ("sort" = Option<String>, Query, description = "`uploaded` for the oldest first"),
        SheetQuery),
    responses((status = 200, content((Vec<ListedDocument> = "application/json"), (String = "text/csv")),
            headers(("X-Total-Count" = i64, description = "Rows that match, on every page"))),
        (status = 403, body = ErrorBody, description = "The role takes no sheets")))]
async fn list_documents(
    staff: Staff<may::Documents>,
    State(app): State<App>,
    SheetRequest(page): SheetRequest,
    narrowed: DocumentsQuery,
) -> Result<Response> {
    let filter = narrowed.parse(&page)?;
    let page = staff.may_take(page)?;
    let asked = page.clone();
    let listed = asked.ask(&app.db, move |page, connection| store::list(connection, page, &filter)).await?;
    audit::respond(&app, staff.actor(), &page, listed).await
}

/// Check whether a document may be opened now; 403 with the reason `step_up` after many in an hour
#[utoipa::path(get, path = "/api/admin/documents/proof", tag = "documents")]
async fn check_document_proof(staff: Staff<may::Documents>, State(app): State<App>) -> Result<StatusCode> {
    app.limits.openings.check(staff.proof.session, app.clock.now())?;
    Ok(StatusCode::NO_CONTENT)
}

/// The document's content, displayed in the browser; for its owner and for staff
#[utoipa::path(get, path = "/api/documents/{id}", tag = "documents",
    responses((status = 200, content((Vec<u8> = "application/pdf"),
            (Vec<u8> = "image/jpeg"), (Vec<u8> = "image/png"))),
        (status = 409, body = ErrorBody, description = "The document's file is missing or damaged")))]
async fn get_document(
    reader: Reader,
    State(app): State<App>,
    Extension(website): Extension<Arc<Website>>,
    id: Result<Id<Document>>,
    headers: HeaderMap,
) -> Response {
    // A document opens in a separate tab, so errors need a full page.
    show(reader, &app, id).await.unwrap_or_else(|error| website.refuse(&headers, error))
}

/// The requester of a document: its owner, or staff with access to documents. The handler refuses, not the extractor,
/// because errors are rendered as pages.
struct Reader {
    staff: Option<CurrentStaff>,
    student: Option<CurrentStudent>,
}

impl FromRequestParts<App> for Reader {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let staff = Option::from_request_parts(parts, app).await?;
        let student = Option::from_request_parts(parts, app).await?;
        Ok(Self { staff, student })
    }
}

impl Caller for Reader {
    fn ways_in() -> Vec<WayIn> {
        [CurrentStudent::ways_in(), Staff::<may::Documents>::ways_in()].concat()
    }
}

async fn show(Reader { staff, student }: Reader, app: &App, id: Result<Id<Document>>) -> Result<Response> {
    let staff = match (staff, &student) {
        (None, None) => return Err(Error::signed_out()),
        // A user who is also signed in as a student may be its owner.
        (staff, Some(_)) => staff.filter(|staff| staff.require(Duty::Documents).is_ok()),
        (Some(staff), None) => {
            staff.require(Duty::Documents)?;
            Some(staff)
        }
    };
    let Id(id, ..) = id?;
    let found = app.db.read(|connection| store::find_file(connection, id)).await?;
    let file = found.ok_or_else(Document::not_found)?;
    let is_owner = student.is_some_and(|student| student.id == file.student_id);
    let reader = match &staff {
        _ if is_owner => (Portal::Student, file.student_id),
        Some(staff) => (Portal::Staff, staff.id),
        None => return Err(Document::not_found()),
    };
    let place = app.documents.place(reader)?;
    if let Some(staff) = staff.filter(|_| !is_owner) {
        app.limits.openings.take(staff.proof.session, app.clock.now())?;
        let now = app.clock.now();
        let detail = serde_json::json!({ "studentId": file.student_id });
        app.db
            .write(move |connection| {
                if !store::note_view(connection, id, now)? {
                    return Err(Document::not_found());
                }
                audit::record(connection, &staff.actor(), "view", "document", id, detail, now)
            })
            .await?;
    }
    send(app, file, place, |connection, id| Ok(json!(store::find(connection, id)?))).await
}

/// A document runs no scripts, loads nothing and cannot be framed by other sites.
const SANDBOX: &str = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox";

/// Sends the content; `find` reads the document's row, for the conflict where the file is lost.
async fn send(
    app: &App,
    file: store::FileRecord,
    place: Place<(Portal, i64)>,
    find: fn(&Connection, i64) -> Result<Value>,
) -> Result<Response> {
    let mut response = match file.stored.body(&app.data_dir, &app.document_keys).await {
        Ok(body) => place.keep_body(body).into_response(),
        Err(cause) => {
            let cause = cause.context(format!("document {}", file.id));
            return Err(faults::refuse(app, cause, move |connection| find(connection, file.id)).await);
        }
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.content_type.as_str()));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(file.stored.size_bytes));
    headers.insert(
        header::CONTENT_DISPOSITION,
        rules::disposition(file.examination.disposition(), &file.original_name),
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(SANDBOX));
    Ok(response)
}

/// Adds a document from bytes in memory.
///
/// # Errors
/// As an upload's.
pub async fn add(
    app: &App,
    student_id: i64,
    document_type: DocumentType,
    name: &str,
    bytes: &[u8],
) -> Result<Document> {
    let received = upload::take(document_type, name, bytes, app)?;
    let now = app.clock.now();
    let new = received.keep(app).await?;
    let inserted = app
        .db
        .write(move |connection| store::insert(connection, student_id, &new, Uploader::Student, now))
        .await?;
    Ok(inserted.document)
}
