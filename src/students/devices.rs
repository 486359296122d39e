//! A student's own security: a new password, and the devices that are signed in.

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use utoipa_axum::router::OpenApiRouter;

use super::account::Message;
use super::password::replace_password;
use super::status::StudentStatus;
use super::{CurrentStudent, emails, store};
use crate::base::error::{Error, ErrorBody, Result, TooManyAttempts};
use crate::base::json::Json;
use crate::mail::{self, Cause};
use crate::web::access::endpoint;
use crate::web::app::App;
use crate::web::password_change::{NewPassword, PasswordChange};
use crate::web::portal::Portal;
use crate::web::rate_limit::ClientAddr;
use crate::web::session::{self, StudentSession};
use crate::web::signed_in::{self, SignedIn};

/// The calls of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(endpoint!(change_student_password))
        .routes(endpoint!(list_student_sessions))
        .routes(endpoint!(end_other_student_sessions))
        .routes(endpoint!(end_student_session))
}

/// Change the own password; every other session, every link and a waiting address end. With a second factor it
/// takes its recent proof
#[utoipa::path(post, path = "/api/students/password", tag = "students", request_body = PasswordChange,
    responses((status = 200, body = Message), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 429, response = inline(TooManyAttempts))))]
async fn change_student_password(
    current: CurrentStudent,
    State(app): State<App>,
    client: ClientAddr,
    Extension(StudentSession(session)): Extension<StudentSession>,
    Json(form): Json<PasswordChange>,
) -> Result<Json<Message>> {
    current.check_before_password(app.clock.now())?;
    let change =
        NewPassword::parse(&form, &app.config.known_names(&app.config.school(), &[current.email.as_str()]))?;
    let id = current.id;
    let found = app.db.read(|connection| store::find_for_login(connection, &current.email)).await?;
    let (_, stored) = found.filter(|(student, _)| student.id == id).ok_or_else(Error::signed_out)?;
    let new_hash = change.hash(&app, (Portal::Student, id), client, &stored).await?;
    let (now, config) = (app.clock.now(), app.config.clone());
    app.write_and_notify(move |connection| {
        // Read again inside the write: the account may have been closed meanwhile.
        let student = store::find(connection, id)?
            .filter(|student| student.status == StudentStatus::Active)
            .ok_or_else(Error::signed_out)?;
        replace_password(connection, id, &new_hash, now)?;
        let message =
            emails::password_changed(&student.address()?, student.profile.full_name.as_deref(), &config);
        mail::outbox::enqueue(connection, &message, Cause::Student(id), &config, now).map(drop)
    })
    .await?;
    session::renew(&session, Some(id), id, current.proof_after_password(now), now).await;
    let message = "Your password has been changed. Every other device was logged out.";
    Ok(Json(Message { message }))
}

/// The devices on which the student is signed in
#[utoipa::path(get, path = "/api/students/sessions", tag = "students",
    responses((status = 200, body = Vec<SignedIn>), (status = 401, body = ErrorBody)))]
async fn list_student_sessions(
    student: CurrentStudent,
    State(app): State<App>,
    Extension(StudentSession(session)): Extension<StudentSession>,
) -> Result<Json<Vec<SignedIn>>> {
    let (current, now) = (session.id(), app.clock.now());
    app.db
        .read(|connection| signed_in::list(connection, Portal::Student, student.id, current, now))
        .await
        .map(Json)
}

/// Sign out everywhere else
#[utoipa::path(delete, path = "/api/students/sessions", tag = "students",
    responses((status = 204), (status = 401, body = ErrorBody)))]
async fn end_other_student_sessions(
    student: CurrentStudent,
    State(app): State<App>,
    Extension(StudentSession(session)): Extension<StudentSession>,
) -> Result<StatusCode> {
    let current = session.id();
    app.db
        .write(move |connection| signed_in::end_others(connection, Portal::Student, student.id, current))
        .await
        .map(|()| StatusCode::NO_CONTENT)
}

/// Sign one device out
#[utoipa::path(delete, path = "/api/students/sessions/{id}", tag = "students",
    params(("id" = String, Path, description = "From the list")),
    responses((status = 204), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)))]
async fn end_student_session(
    student: CurrentStudent,
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<StatusCode> {
    let now = app.clock.now();
    app.db
        .write(move |connection| signed_in::end(connection, Portal::Student, student.id, &id, now))
        .await
        .map(|()| StatusCode::NO_CONTENT)
}
