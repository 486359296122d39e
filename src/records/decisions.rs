//! Taking a decision of the office back, whatever it is about.

use axum::extract::{Path, State};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::{StudentRecord, closing};
use crate::admissions::desk::AdmissionDesk;
use crate::admissions::record::AdmissionRecord;
use crate::base::error::{Error, ErrorBody, Result};
use crate::base::json::Json;
use crate::decisions;
use crate::documents::ListedDocument;
use crate::documents::review::ReviewContext;
use crate::enrollments::Enrollment;
use crate::enrollments::decisions::DecisionContext;
use crate::messages::decisions::MessageContext;
use crate::messages::thread::MessageThread;
use crate::money::charges::on_account;
use crate::staff::{Staff, may};
use crate::web::access::endpoint;
use crate::web::app::App;

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(endpoint!(undo_decision))
}

/// What a decision left when it was undone.
#[derive(Debug, Serialize, ToSchema)]
pub struct Undone {
    /// What it was about, as it is now.
    pub restored: Vec<Restored>,
}

/// What a decision was about.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Restored {
    /// An enrollment.
    Enrollment(Box<Enrollment>),
    /// A student whose account was closed.
    Student(Box<StudentRecord>),
    /// A document.
    Document(Box<ListedDocument>),
    /// A message.
    Message(Box<MessageThread>),
    /// An application.
    Application(Box<AdmissionRecord>),
}

/// Take a decision back while its emails wait; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/decisions/{id}/undo", tag = "enrollments",
    params(("id" = String, Path, description = "The decision, as its answer named it")),
    responses((status = 409, body = ErrorBody, description = "An email of it has left, or something has \
            changed since")))]
async fn undo_decision(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<Undone>> {
    let enrollments = DecisionContext::new(&app, &staff);
    let documents = ReviewContext::new(&app, &staff);
    let messages = MessageContext::new(&app, &staff);
    let admissions = AdmissionDesk::new(&app, &staff);
    app.carry_out_and_notify(move |connection| {
        let restored = decisions::undo_each(connection, &id, |connection, decision| {
            // The bursar's, which is undone where it was decided.
            if decision.verb == on_account::APPLY {
                return Err(Error::NotFound("Decision not found".into()));
            }
            if let Some(student) = closing::undo(connection, &enrollments, &staff, decision)? {
                return Ok(vec![Restored::Student(Box::new(student))]);
            }
            if let Some(document) = documents.undo(connection, decision)? {
                return Ok(vec![Restored::Document(Box::new(document))]);
            }
            if let Some(message) = messages.undo(connection, decision)? {
                return Ok(vec![Restored::Message(Box::new(message))]);
            }
            if let Some(application) = admissions.undo(connection, decision)? {
                return Ok(vec![Restored::Application(Box::new(application))]);
            }
            let enrollments = enrollments.undo(connection, decision)?;
            Ok(enrollments.into_iter().map(|one| Restored::Enrollment(Box::new(one))).collect())
        })?;
        Ok(Undone { restored })
    })
    .await
}
