//! Proving once more who sits there, before lists leave, accounts change and many documents are opened:
//! [`crate::second_factor::step_up`] in this portal.

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use utoipa_axum::router::OpenApiRouter;

use super::{Account, Recent, Staff, may};
use crate::base::error::{ErrorBody, Result, TooManyAttempts};
use crate::base::json::Json;
use crate::second_factor::step_up::{self, IdentityProof};
use crate::web::access::endpoint;
use crate::web::app::App;
use crate::web::session::StaffSession;

/// The endpoints of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(endpoint!(check_proof)).routes(endpoint!(prove_identity))
}

/// Whether it was proved within ten minutes who sits there; 403 with the reason `step_up` otherwise
#[utoipa::path(get, path = "/api/user/proof", tag = "staff",
    responses((status = 204), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody)))]
async fn check_proof(_: Staff<may::OwnAccount, Recent>) -> StatusCode {
    StatusCode::NO_CONTENT
}

/// Prove who sits there; it counts for ten minutes
#[utoipa::path(post, path = "/api/user/proof", tag = "staff", request_body = IdentityProof,
    responses((status = 204), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 429, response = inline(TooManyAttempts))))]
async fn prove_identity(
    staff: Staff<may::OwnAccount>,
    State(app): State<App>,
    Extension(StaffSession(session)): Extension<StaffSession>,
    Json(form): Json<IdentityProof>,
) -> Result<StatusCode> {
    step_up::prove::<Account>(&app, staff.id, staff.user.has_second_factor, &session, &form).await?;
    Ok(StatusCode::NO_CONTENT)
}
