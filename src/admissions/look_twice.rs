//! Applications whose hidden field was filled in: by a program, or by a person's password manager.
//!
//! They are kept like the others and marked *look twice*. The office takes the mark off where the application is real,
//! or declines it. Until then the parent or guardian, whose address a program may have typed, is not written to.

use axum::extract::State;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::desk::AdmissionDesk;
use super::events::Event;
use super::links::FamilyMail;
use super::record::AdmissionRecord;
use super::status::AdmissionVerb;
use super::{AdmissionRequest, store};
use crate::base::error::Result;
use crate::base::json::Json;
use crate::mail::Cause;
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::Id;

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![confirm_application_is_real]
}

/// Say that a marked application is real, which takes the mark off and writes to the parent or guardian; repeating it
/// changes nothing
#[utoipa::path(post, path = "/api/admin/admission-requests/{id}/real", tag = "admissions")]
async fn confirm_application_is_real(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<AdmissionRequest>,
) -> Result<Json<AdmissionRecord>> {
    let desk = AdmissionDesk::new(&app, &staff);
    app.carry_out_and_notify(move |connection| {
        let request = store::get(connection, id)?;
        if request.look_twice {
            store::clear_look_twice(connection, id)?;
            let event = Event::staff(desk.user_id, AdmissionVerb::Edit, request.status, request.status);
            Event { reason: Some("lookTwice"), ..event }.record(connection, id, desk.now)?;
            desk.audit(connection, "confirm real", id, json!({}))?;
            if request.status.is_open() {
                let config = &*desk.config;
                let now = desk.now;
                let mail = FamilyMail { connection, config, cause: Cause::Office, hold: None, now };
                mail.begin_with_guardian(&request)?;
            }
        }
        AdmissionRecord::read(connection, id, &desk.reading())
    })
    .await
}
