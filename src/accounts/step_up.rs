//! Step-up authentication: by the second factor if there is one, else by the password. Valid for ten minutes, like a
//! login. OWASP ASVS 5.0, V7.5: `tests/asvs.md`.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::StatusCode;

use super::caller::SignedInOwner;
use super::owner::Owner;
use super::password;
use super::second_factor::proof::{FactorAnswer, judge_signed_in};
use crate::base::error::{Error, Result, TooManyAttempts};
use crate::base::json::Json;
use crate::web::app::App;
use crate::web::form::form;
use crate::web::session;

form! {
    /// `POST /api/user/proof`'s and `POST /api/students/proof`'s body: one of the three.
    pub struct IdentityProof {
        /// The password, for an account without a second factor.
        current: Option<String>,
        /// A code of the app or a recovery code, for an account with a second factor.
        code: Option<String>,
        /// Instead of a code: the passkey response with `id`, `clientData`, `authenticatorData` and `signature` in
        /// base64url.
        passkey: Option<BTreeMap<String, String>>,
    }
}

/// Authenticate again; valid for ten minutes
#[utoipa::path(post, path = "/proof", responses((status = 429, response = inline(TooManyAttempts))))]
pub async fn prove_identity<O: Owner>(
    owner: SignedInOwner<O>,
    State(app): State<App>,
    Json(form): Json<IdentityProof>,
) -> Result<StatusCode> {
    let id = owner.id();
    if owner.has_second_factor() {
        let given = FactorAnswer::parse(&form.code, &form.passkey)?;
        let given = given.ok_or_else(|| Error::field("code", "Code is required"))?;
        let judged = judge_signed_in::<O>(&app, id, given).await?;
        judged.map_err(|refused| Error::field("code", refused.words()))?;
    } else {
        let current = form.current.untrimmed();
        if current.is_empty() {
            return Err(Error::field("current", "Current password is required"));
        }
        password::prove::<O>(&app, id, current, "current").await?;
    }
    session::prove(&owner.session, app.clock.now()).await?;
    app.limits.openings.restart(owner.session.id());
    Ok(StatusCode::NO_CONTENT)
}
