//! A staff member's own choice: the weekday email about what waits, to the own address. Site Settings decide alone about
//! the one to the office's address.

use axum::extract::State;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::{Staff, StaffAccount, User, may, store};
use crate::accounts::AccountStore;
use crate::audit;
use crate::base::email::Email;
use crate::base::error::{Error, Result};
use crate::base::json::Json;
use crate::config::Office;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form};

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![set_digest]
}

form! {
    /// `PUT /api/user/digest`'s body.
    pub struct DigestForm {
        /// Whether the email is sent.
        is_on: bool,
    }
}

/// Get the weekday email about what waits at the own address, or no longer
#[utoipa::path(put, path = "/api/user/digest", tag = "staff")]
async fn set_digest(
    staff: Staff<may::OwnAccount>,
    State(app): State<App>,
    Json(form): Json<DigestForm>,
) -> Result<Json<User>> {
    let Field::Value(is_on) = form.is_on else {
        return Err(Error::field("isOn", "Must be true or false"));
    };
    let actor = staff.actor();
    let id = staff.user.id;
    let config = app.config.clone();
    let now = app.clock.now();
    app.carry_out(move |connection| {
        if store::set_digest(connection, id, is_on)? {
            let detail = json!({ "isOn": is_on });
            audit::record(connection, &actor, "set weekday email", "user", id, detail, now)?;
        }
        let account = StaffAccount::find(connection, id)?.ok_or_else(Error::signed_out)?;
        Ok(User::new(account, &config.office))
    })
    .await
}

/// The accounts that chose the email, with their addresses. An account that has to set up a second factor first gets
/// none, and an address that is no longer valid is skipped.
///
/// # Errors
/// Database errors.
pub fn recipients(connection: &Connection, office: &Office) -> Result<Vec<(User, Email)>> {
    let users = store::with_digest(connection)?.into_iter().map(|account| User::new(account, office));
    Ok(users
        .filter(|user| !user.needs_second_factor)
        .filter_map(|user| Email::parse(&user.email).ok().map(|email| (user, email)))
        .collect())
}
