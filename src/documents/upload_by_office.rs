//! Uploads by the office for a student who brought a document on paper or sent it by email: the same checks and limits
//! as the student's own, with an audit row.

use axum::Extension;
use axum::extract::State;
use axum::extract::multipart::{Multipart, MultipartRejection};
use axum::http::{HeaderMap, StatusCode};
use utoipa_axum::router::OpenApiRouter;

use super::quota::PendingUploads;
use super::store::Uploader;
use super::{Document, Upload, UploadForm};
use crate::audit::{self, By};
use crate::base::error::{ErrorBody, Result};
use crate::base::json::Json;
use crate::staff::{Staff, may};
use crate::students::history::{self, HistoryChange};
use crate::students::{self, Student};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::{Id, Numbered};
use crate::web::rate_limit::ClientAddr;

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![upload_document_for_student]
}

/// Upload a document for a student, who sees that it came from the office
#[utoipa::path(post, path = "/api/admin/students/{id}/documents", tag = "documents",
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = 413, body = ErrorBody, description = "The file is larger than 10 MB, or than what \
            is left of the student's room"),
        (status = 503, body = ErrorBody, headers(("Retry-After" = i64, description = "Seconds to wait")),
            description = "The server is busy, or the disk or the documents' share of it is used up")))]
async fn upload_document_for_student(
    staff: Staff<may::Students>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
    Extension(arriving): Extension<PendingUploads>,
    client: ClientAddr,
    headers: HeaderMap,
    form: Result<Multipart, MultipartRejection>,
) -> Result<(StatusCode, Json<Document>)> {
    app.db
        .query(move |connection| students::store::find(connection, id))
        .await?
        .ok_or_else(Student::not_found)?;
    let upload = Upload { arriving: &arriving, client, headers: &headers, owner: id };
    let uploader = Uploader::Office(staff.id);
    upload
        .take(&app, form, uploader, move |connection, document, now| {
            let label = document.document_type.label();
            let change =
                HistoryChange { field: "officeUpload", before: None, after: Some(label), reason: None };
            history::add(connection, id, By::Staff(staff.id), change, now)?;
            let detail = serde_json::json!({ "studentId": id, "documentType": document.document_type });
            audit::record(connection, &staff.actor(), "upload", "document", document.id, detail, now)
        })
        .await
}
