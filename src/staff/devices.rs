//! A member of the staff's own security: a new password, and the devices that are signed in.

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::account::{self, StaffMessage};
use super::emails::How;
use super::{Recent, Staff, User, may, store};
use crate::audit;
use crate::base::error::{Error, ErrorBody, Result, TooManyAttempts};
use crate::base::json::Json;
use crate::web::access::endpoint;
use crate::web::app::App;
use crate::web::password_change::{NewPassword, PasswordChange};
use crate::web::portal::Portal;
use crate::web::rate_limit::ClientAddr;
use crate::web::session::{self, StaffSession};
use crate::web::signed_in::{self, SignedIn};

/// The calls of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(endpoint!(change_staff_password))
        .routes(endpoint!(list_staff_sessions))
        .routes(endpoint!(end_other_staff_sessions))
        .routes(endpoint!(end_staff_session))
}

/// Change the own password; every other session and every link ends
#[utoipa::path(post, path = "/api/user/password", tag = "staff", request_body = PasswordChange,
    responses((status = 200, body = StaffMessage), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 429, response = inline(TooManyAttempts))))]
async fn change_staff_password(
    staff: Staff<may::OwnAccount>,
    State(app): State<App>,
    client: ClientAddr,
    Extension(StaffSession(session)): Extension<StaffSession>,
    Json(form): Json<PasswordChange>,
) -> Result<Json<StaffMessage>> {
    staff.check_before_password(app.clock.now())?;
    let User { username, full_name, email, .. } = &staff.user;
    let own = [username, full_name.as_ref().unwrap_or(username), email];
    let change =
        NewPassword::parse(&form, &app.config.known_names(&app.config.school(), &own.map(String::as_str)))?;
    let id = staff.id;
    let stored = app.db.read(|connection| store::find_password(connection, id)).await?;
    let new_hash =
        change.hash(&app, (Portal::Staff, id), client, &stored.ok_or_else(Error::signed_out)?).await?;
    let (now, config, actor) = (app.clock.now(), app.config.clone(), staff.actor());
    app.write_and_notify(move |connection| {
        // Read again inside the write: who was dismissed meanwhile changes nothing.
        let owner = store::find(connection, id)?.ok_or_else(Error::signed_out)?;
        account::replace_password(connection, id, &new_hash)?;
        audit::record(connection, &actor, "change_password", "user", id, json!({}), now)?;
        account::notify_owner(connection, &owner, How::SignedIn, &config, now)
    })
    .await?;
    session::renew(&session, Some(id), id, staff.proof_after_password(now), now).await;
    Ok(Json(StaffMessage { message: "Your password has been changed. Every other device was logged out." }))
}

/// The devices on which the member of the staff is signed in
#[utoipa::path(get, path = "/api/user/sessions", tag = "staff",
    responses((status = 200, body = Vec<SignedIn>), (status = 401, body = ErrorBody)))]
async fn list_staff_sessions(
    staff: Staff<may::OwnAccount>,
    State(app): State<App>,
    Extension(StaffSession(session)): Extension<StaffSession>,
) -> Result<Json<Vec<SignedIn>>> {
    let (current, now) = (session.id(), app.clock.now());
    app.db
        .read(|connection| signed_in::list(connection, Portal::Staff, staff.id, current, now))
        .await
        .map(Json)
}

/// Sign out everywhere else
#[utoipa::path(delete, path = "/api/user/sessions", tag = "staff",
    responses((status = 204), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody)))]
async fn end_other_staff_sessions(
    staff: Staff<may::OwnAccount, Recent>,
    State(app): State<App>,
    Extension(StaffSession(session)): Extension<StaffSession>,
) -> Result<StatusCode> {
    let current = session.id();
    app.db
        .write(move |connection| signed_in::end_others(connection, Portal::Staff, staff.id, current))
        .await
        .map(|()| StatusCode::NO_CONTENT)
}

/// Sign one device out
#[utoipa::path(delete, path = "/api/user/sessions/{id}", tag = "staff",
    params(("id" = String, Path, description = "From the list")),
    responses((status = 204), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody)))]
async fn end_staff_session(
    staff: Staff<may::OwnAccount, Recent>,
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<StatusCode> {
    let now = app.clock.now();
    app.db
        .write(move |connection| signed_in::end(connection, Portal::Staff, staff.id, &id, now))
        .await
        .map(|()| StatusCode::NO_CONTENT)
}
