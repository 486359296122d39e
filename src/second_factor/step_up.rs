//! Proving once more who sits there: by the second factor where there is one, else by the password.
//! It counts for ten minutes, as a login does. OWASP ASVS 5.0, V7.5: `tests/asvs.md`.

use std::collections::BTreeMap;

use tower_sessions::Session;

use super::{Given, Owner, judge_signed_in};
use crate::base::error::{Error, Result};
use crate::web::app::App;
use crate::web::form::form;
use crate::web::rate_limit::guesses::Attempt;
use crate::web::session;

form! {
    /// `POST /api/user/proof`'s and `POST /api/students/proof`'s body: one of the three.
    pub struct IdentityProof {
        /// The password, of an account without a second factor.
        current: Option<String>,
        /// A code of the app or a recovery code, of an account with one.
        code: Option<String>,
        /// In place of a code: what the browser answered for a passkey, its `id`, `clientData`,
        /// `authenticatorData` and `signature` in base64url.
        passkey: Option<BTreeMap<String, String>>,
    }
}

/// Whoever is signed in proves who they are.
///
/// # Errors
/// A field error for a wrong password or code, [`Error::HeldUp`] after too many.
pub async fn prove<O: Owner>(
    app: &App,
    id: i64,
    has_second_factor: bool,
    session: &Session,
    form: &IdentityProof,
) -> Result<()> {
    if has_second_factor {
        by_code::<O>(app, id, Given::parse(&form.code, &form.passkey)?).await?;
    } else {
        by_password::<O>(app, id, form.current.untrimmed()).await?;
    }
    session::prove(session, app.clock.now()).await?;
    app.limits.openings.restart(session.id());
    Ok(())
}

async fn by_code<O: Owner>(app: &App, id: i64, given: Option<Given>) -> Result<()> {
    let given = given.ok_or_else(|| Error::field("code", "Code is required"))?;
    let judged = judge_signed_in::<O>(app, id, given).await?;
    judged.map_err(|refused| Error::field("code", refused.words()))
}

async fn by_password<O: Owner>(app: &App, id: i64, password: &str) -> Result<()> {
    if password.is_empty() {
        return Err(Error::field("current", "Current password is required"));
    }
    let stored = app.db.read(|connection| O::find_password(connection, id)).await?;
    let attempt = Attempt::signed_in(&app.limits, O::PORTAL, id);
    if app.limits.verify(attempt, password, Some(&stored.ok_or_else(Error::signed_out)?)).await? {
        Ok(())
    } else {
        Err(Error::field("current", "This is not your current password"))
    }
}
