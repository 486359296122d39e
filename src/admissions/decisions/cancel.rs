//! Cancelling an admission: the place is given up and its fee taken back.

use axum::extract::State;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::admissions::admitted::{self, Admission, AdmissionStatus};
use crate::admissions::desk::{AdmissionDesk, conflict};
use crate::admissions::events::Event;
use crate::admissions::status::AdmissionVerb;
use crate::admissions::{emails, store};
use crate::base::error::{ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::decisions::Undo;
use crate::money::ledger::{self, FeeItem};
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::form;
use crate::web::id::Id;

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![cancel_admission]
}

/// An admission after a decision.
#[derive(Debug, Serialize, ToSchema)]
pub struct DecidedAdmission {
    /// The admission as it is now.
    #[serde(flatten)]
    pub admission: Admission,
    /// How to undo the decision; null if it changed nothing, or emails are sent at once.
    #[schema(required)]
    pub undo: Option<Undo>,
}

form! {
    /// The body of cancelling an admission.
    pub struct CancelForm {
        /// Why, which the family reads: 1 to 1,000 characters.
        reason: String,
    }
}

/// Cancel an admission, and take its fee back; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/admissions/{id}/cancel", tag = "admissions",
    responses((status = 409, body = ErrorBody, description = "It is completed; `current` is the application")))]
async fn cancel_admission(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<Admission>,
    Json(form): Json<CancelForm>,
) -> Result<Json<DecidedAdmission>> {
    let reason = form.reason.between(1, 1000, "Please say why; the family reads it");
    let reason = reason.map_err(|message| FieldErrors::one("reason", message))?;
    let desk = AdmissionDesk::new(&app, &staff);
    app.carry_out_and_notify(move |connection| desk.cancel(connection, id, &reason)).await
}

impl AdmissionDesk {
    /// Cancels an admission; its application stays accepted.
    ///
    /// # Errors
    /// 404 when there is none; 409 when it is completed.
    pub fn cancel(&self, connection: &Connection, id: i64, reason: &str) -> Result<DecidedAdmission> {
        let admission = admitted::find(connection, id)?;
        match admission.status {
            AdmissionStatus::Active => {}
            AdmissionStatus::Cancelled => return Ok(DecidedAdmission { admission, undo: None }),
            AdmissionStatus::Completed => {
                let request = store::get(connection, admission.request_id)?;
                return Err(conflict("This admission is completed.", &request));
            }
        }
        let request_id = admission.request_id;
        let begun = self.begin(connection, request_id, AdmissionVerb::Cancel, None, None)?;
        let Some(pending) = begun else { return Ok(DecidedAdmission { admission, undo: None }) };
        admitted::set_status(connection, id, AdmissionStatus::Cancelled)?;
        let item = FeeItem::Admission(id);
        ledger::reverse_charges(connection, item, Some(pending.decision()), self.user_id, self.now)?;
        pending.record(connection, &Event { reason: Some(reason), ..pending.event() })?;
        pending.write(connection, |to, request, url, config| {
            let place = emails::CancelledPlace { reason, fee: admission.fee_due };
            emails::cancelled(to, request, url, place, config)
        })?;
        Ok(DecidedAdmission { admission: admitted::find(connection, id)?, undo: pending.undo() })
    }
}
