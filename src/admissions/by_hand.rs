//! Applications that come by telephone, on paper or from an agent, entered by the office.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::apply;
use super::desk::AdmissionDesk;
use super::events::Event;
use super::links::FamilyMail;
use super::record::AdmissionRecord;
use super::reference;
use super::rules::{ApplicationForm, NewApplication};
use super::status::{AdmissionRequestStatus, AdmissionSource, AdmissionVerb};
use crate::base::error::{Error, FieldErrors, Result};
use crate::base::json::Json;
use crate::mail::Cause;
use crate::messages::store as messages;
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::Field;

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![enter_application]
}

/// `POST /api/admin/admission-requests`' body: the family's form without consents, and how it came.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EnteredApplication {
    #[serde(flatten)]
    application: ApplicationForm,
    /// How it reached the school; otherwise by telephone.
    #[serde(default)]
    #[schema(value_type = Option<AdmissionSource>)]
    source: Field<String>,
    /// The message of a visitor that becomes an application.
    #[serde(default)]
    #[schema(value_type = Option<i64>)]
    message_id: Field<i64>,
}

/// Enter an application that came by telephone, on paper or from an agent; the family gets its link by email
#[utoipa::path(post, path = "/api/admin/admission-requests", tag = "admissions")]
async fn enter_application(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Json(form): Json<EnteredApplication>,
) -> Result<(StatusCode, Json<AdmissionRecord>)> {
    let desk = AdmissionDesk::new(&app, &staff);
    let mut errors = FieldErrors::default();
    let source = errors.take("source", form.source.optional_one_of());
    let message_id = match form.message_id {
        Field::Absent | Field::Null => Ok(None),
        Field::Value(id) => Ok(Some(id)),
        Field::Wrong => Err("Must be the number of a message"),
    };
    let message_id = errors.take("messageId", message_id);
    let new = match NewApplication::parse(&form.application, desk.today) {
        Ok(new) => Some(new),
        Err(found) => {
            found.iter().for_each(|(name, message)| errors.add(name.to_owned(), message));
            None
        }
    };
    let parsed = || Some((new?, source?.unwrap_or(AdmissionSource::Phone), message_id?));
    let (new, source, message_id) = errors.finish(parsed())?;
    app.write_and_notify(move |connection| {
        let reference = reference::draw_free(connection, desk.today)?;
        let status = AdmissionRequestStatus::Pending;
        let event = Event::staff(desk.user_id, AdmissionVerb::Receive, None, status);
        let request = apply::receive(connection, &new, source, &reference, &event, desk.now)?;
        if let Some(message) = message_id
            && !messages::set_request(connection, message, request.id)?
        {
            return Err(Error::field("messageId", "There is no such message"));
        }
        let detail = serde_json::json!({ "source": source, "messageId": message_id });
        desk.audit(connection, "enter", request.id, detail)?;
        let config = &*desk.config;
        let now = desk.now;
        let mail = FamilyMail { connection, config, cause: Cause::Office, hold: None, now };
        mail.begin(&request)?;
        AdmissionRecord::read(connection, request.id, &desk.reading())
    })
    .await
    .map(|record| (StatusCode::CREATED, Json(record)))
}
