//! Proving once more who sits there, before lists leave, accounts change and many documents are opened: by the
//! code of the second factor where there is one, else by the password. It counts for ten minutes, as a login
//! does. OWASP ASVS 5.0, V7.5: `tests/asvs.md`.

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use utoipa_axum::router::OpenApiRouter;

use super::{CurrentStaff, Recent, Staff, may, second_factor, store};
use crate::base::error::{Error, ErrorBody, Result, TooManyAttempts};
use crate::web::access::endpoint;
use crate::web::app::App;
use crate::web::form::{Json as JsonBody, form};
use crate::web::rate_limit::guesses::Attempt;
use crate::web::session::{self, Portal, StaffSession};

/// The endpoints of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(endpoint!(check_proof)).routes(endpoint!(prove_identity))
}

form! {
    /// `POST /api/user/proof`'s body: one of the two.
    pub struct IdentityProof {
        /// The password, of an account without a second factor.
        current: Option<String>,
        /// A code of the app or a recovery code, of an account with one.
        code: Option<String>,
    }
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
    JsonBody(form): JsonBody<IdentityProof>,
) -> Result<StatusCode> {
    if staff.user.has_second_factor {
        by_code(&app, &staff, form.code.text()).await?;
    } else {
        by_password(&app, staff.id, form.current.untrimmed()).await?;
    }
    session::prove(&session, app.clock.now()).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn by_code(app: &App, staff: &CurrentStaff, code: &str) -> Result<()> {
    if code.is_empty() {
        return Err(Error::field("code", "Code is required"));
    }
    let judged = second_factor::judge_signed_in(app, staff, code).await?;
    judged.map_err(|refused| Error::field("code", refused.words()))
}

async fn by_password(app: &App, id: i64, password: &str) -> Result<()> {
    if password.is_empty() {
        return Err(Error::field("current", "Current password is required"));
    }
    let stored = app.db.read(|connection| store::find_password(connection, id)).await?;
    let attempt = Attempt::signed_in(&app.limits, Portal::Staff, id);
    if app.limits.verify(attempt, password, Some(&stored.ok_or_else(Error::signed_out)?)).await? {
        Ok(())
    } else {
        Err(Error::field("current", "This is not your current password"))
    }
}
