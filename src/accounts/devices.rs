//! The signed-in devices of an account's owner.

use axum::extract::{Path, State};
use axum::http::StatusCode;

use super::caller::{RecentInOffice, SignedInOwner};
use super::owner::Owner;
use crate::base::error::Result;
use crate::base::json::Json;
use crate::web::app::App;
use crate::web::signed_in::{self, SignedIn};

/// The student's signed-in devices
#[utoipa::path(get, path = "/sessions")]
pub async fn list_sessions<O: Owner>(
    owner: SignedInOwner<O>,
    State(app): State<App>,
) -> Result<Json<Vec<SignedIn>>> {
    let id = owner.id();
    let current = owner.session.id();
    let now = app.clock.now();
    app.db.read(|connection| signed_in::list(connection, O::PORTAL, id, current, now)).await.map(Json)
}

/// Sign out all other devices
#[utoipa::path(delete, path = "/sessions")]
pub async fn end_other_sessions<O: Owner>(
    owner: SignedInOwner<O, RecentInOffice>,
    State(app): State<App>,
) -> Result<StatusCode> {
    let id = owner.id();
    let current = owner.session.id();
    app.db
        .write(move |connection| signed_in::end_others(connection, O::PORTAL, id, current))
        .await
        .map(|()| StatusCode::NO_CONTENT)
}

/// Sign out one device
#[utoipa::path(delete, path = "/sessions/{id}", params(("id" = String, Path, description = "From the list")))]
pub async fn end_session<O: Owner>(
    owner: SignedInOwner<O, RecentInOffice>,
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<StatusCode> {
    let account = owner.id();
    let now = app.clock.now();
    app.db
        .write(move |connection| signed_in::end(connection, O::PORTAL, account, &id, now))
        .await
        .map(|()| StatusCode::NO_CONTENT)
}
