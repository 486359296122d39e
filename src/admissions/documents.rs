//! Documents that a family sends with its application, for the family and for the office.

use axum::Extension;
use axum::extract::State;
use axum::extract::multipart::{Multipart, MultipartRejection};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::events::Event;
use super::links::Family;
use super::own::{FamilyAct, conflict};
use super::status::AdmissionVerb;
use super::store;
use crate::audit;
use crate::base::error::{ErrorBody, Result};
use crate::base::json::Json;
use crate::documents::of_applications::{self, AdmissionDocument, ApplicationUpload};
use crate::documents::quota::PendingUploads;
use crate::documents::rules::DocumentType;
use crate::documents::with_uploads;
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::Id;
use crate::web::rate_limit::ClientAddr;

/// The family's endpoints.
pub fn public_routes() -> OpenApiRouter<App> {
    with_uploads(endpoints![upload_application_document, get_own_application_document])
}

/// The office's endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![get_admission_document]
}

/// Body of an upload, for the OpenAPI document only: it is read as a stream.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the multipart form")]
struct ApplicationUploadForm {
    /// PDF, JPEG or PNG, at most 10 MB.
    #[schema(value_type = String, format = Binary)]
    document: Vec<u8>,
    /// What it is.
    #[schema(rename = "documentType")]
    document_type: DocumentType,
    /// What another document is, in at most 100 characters.
    label: Option<String>,
}

/// Send a document with the application; while the office waits for an answer it counts as one, and puts the application
/// back into review
#[utoipa::path(post, path = "/api/applications/me/documents", tag = "applications",
    request_body(content = ApplicationUploadForm, content_type = "multipart/form-data"),
    responses((status = 409, body = ErrorBody, description = "The application is closed; `current` is it"),
        (status = 413, body = ErrorBody, description = "The file is larger than 10 MB, or than what is left of the \
            application's room"),
        (status = 503, body = ErrorBody, headers(("Retry-After" = i64, description = "Seconds to wait")),
            description = "The server is busy, or the disk or the documents' share of it is used up")))]
async fn upload_application_document(
    family: Family,
    State(app): State<App>,
    Extension(arriving): Extension<PendingUploads>,
    client: ClientAddr,
    headers: HeaderMap,
    form: Result<Multipart, MultipartRejection>,
) -> Result<(StatusCode, Json<AdmissionDocument>)> {
    let act = FamilyAct::new(&app, &family)?;
    let id = act.id;
    let now = act.now;
    let upload = ApplicationUpload { arriving: &arriving, client, headers: &headers, request_id: id };
    upload
        .take(&app, form, move |connection, document_type| {
            let request = store::get(connection, id)?;
            if !request.status.is_open() {
                let words = "This application is closed. Please write to the office about further documents.";
                return Err(conflict(connection, &act, words));
            }
            // A document that arrives while a question is open answers it.
            let Some((before, to)) = act.begin(connection, AdmissionVerb::Upload)? else { return Ok(()) };
            let event = Event::family(AdmissionVerb::Upload, before.status, to);
            let event = Event { reason: Some(document_type.label()), ..event };
            if before.status == to {
                event.record(connection, id, now)
            } else {
                act.finish(connection, &event)
            }
        })
        .await
}

/// A document that the family has sent
#[utoipa::path(get, path = "/api/applications/me/documents/{id}", tag = "applications",
    responses((status = 200, content((Vec<u8> = "application/pdf"),
            (Vec<u8> = "image/jpeg"), (Vec<u8> = "image/png"))),
        (status = 409, body = ErrorBody, description = "The document's file is missing or damaged")))]
async fn get_own_application_document(
    family: Family,
    State(app): State<App>,
    Id(id, ..): Id<AdmissionDocument>,
) -> Result<Response> {
    let own = family.application()?;
    let file = app.db.read(|connection| of_applications::find_file(connection, id, Some(own))).await?;
    of_applications::show_family(&app, file).await
}

/// A document that a family has sent with its application
#[utoipa::path(get, path = "/api/admin/admission-documents/{id}", tag = "admissions",
    responses((status = 200, content((Vec<u8> = "application/pdf"),
            (Vec<u8> = "image/jpeg"), (Vec<u8> = "image/png"))),
        (status = 409, body = ErrorBody, description = "The document's file is missing or damaged")))]
async fn get_admission_document(
    staff: Staff<may::Documents>,
    State(app): State<App>,
    Id(id, ..): Id<AdmissionDocument>,
) -> Result<Response> {
    let file = app.db.read(|connection| of_applications::find_file(connection, id, None)).await?;
    let now = app.clock.now();
    app.limits.openings.take(staff.proof.session, now)?;
    // The record of a file names its owner, here the application.
    let actor = staff.actor();
    let application = file.student_id;
    app.db
        .write(move |connection| {
            audit::record(
                connection,
                &actor,
                "view",
                "application",
                application,
                json!({ "document": id }),
                now,
            )
        })
        .await?;
    of_applications::show_staff(&app, file, staff.id).await
}
