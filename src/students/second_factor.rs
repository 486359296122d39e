//! The second factor of a student: the endpoints of [`crate::second_factor`] in this portal, the proof before
//! what leads into the account changes, and the office's way out for whoever has lost the app.

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::account::Message;
use super::history::{self, Change};
use super::requests::post;
use super::status::StudentStatus;
use super::{CurrentStudent, Student, emails, store};
use crate::audit::{self, Actor, By};
use crate::base::email::Email;
use crate::base::error::{ErrorBody, Result, TooManyAttempts};
use crate::base::json::Json;
use crate::base::security_log::Event;
use crate::config::Config;
use crate::mail::Cause;
use crate::second_factor::passkeys::question::PasskeyQuestion;
use crate::second_factor::passkeys::store::Passkey;
use crate::second_factor::passkeys::{self, NewPasskey, PasskeyName, PasskeyWish};
use crate::second_factor::step_up::{self, IdentityProof};
use crate::second_factor::{
    self, FactorNews, FactorProof, FactorSetup, Owner, RecoveryCodes, SecondFactor, Whose,
};
use crate::web::access::endpoint;
use crate::web::app::App;
use crate::web::id::Id;
use crate::web::portal::Portal;
use crate::web::session::StudentSession;

/// The endpoints of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(endpoint!(get_student_factor))
        .routes(endpoint!(begin_student_factor))
        .routes(endpoint!(confirm_student_factor))
        .routes(endpoint!(draw_student_recovery_codes))
        .routes(endpoint!(turn_off_student_factor))
        .routes(endpoint!(prove_student))
        .routes(endpoint!(begin_student_passkey))
        .routes(endpoint!(add_student_passkey))
        .routes(endpoint!(rename_student_passkey))
        .routes(endpoint!(remove_student_passkey))
        .routes(endpoint!(ask_student_passkey))
}

impl Owner for Student {
    const PORTAL: Portal = Portal::Student;

    fn find(connection: &Connection, id: i64) -> Result<Option<Self>> {
        Ok(store::find(connection, id)?.filter(|student| student.status == StudentStatus::Active))
    }

    fn find_password(connection: &Connection, id: i64) -> Result<Option<String>> {
        match Self::find(connection, id)? {
            Some(_) => store::password_hash(connection, id),
            None => Ok(None),
        }
    }

    fn id(&self) -> i64 {
        self.id
    }

    fn label(&self) -> &str {
        &self.email
    }

    fn record(&self, connection: &Connection, news: FactorNews, now: Timestamp) -> Result<()> {
        note(connection, self.id, By::Student, news, now)
    }

    fn post(&self, connection: &Connection, news: FactorNews, config: &Config, now: Timestamp) -> Result<()> {
        // An address from before a rule was tightened cannot be written to, and keeps nobody from acting.
        let Ok(to) = Email::parse(&self.email) else { return Ok(()) };
        let cause = match news {
            FactorNews::Reset => Cause::Office,
            FactorNews::SetUp
            | FactorNews::FirstPasskey
            | FactorNews::PasskeyAdded
            | FactorNews::PasskeyRemoved
            | FactorNews::AppTurnedOff
            | FactorNews::TurnedOff
            | FactorNews::Drawn
            | FactorNews::Recovered { .. } => Cause::Student(self.id),
        };
        let name = self.profile.full_name.as_deref();
        post(connection, &emails::second_factor(&to, name, news, config), cause, config, now).map(drop)
    }
}

/// Leaves an entry in the student's history.
fn note(connection: &Connection, id: i64, by: By, news: FactorNews, now: Timestamp) -> Result<()> {
    let left;
    let (field, before, after) = match news {
        FactorNews::SetUp => ("secondFactor", None, Some("on")),
        FactorNews::FirstPasskey => ("secondFactor", None, Some("on, by a passkey")),
        FactorNews::TurnedOff | FactorNews::Reset => ("secondFactor", Some("on"), None),
        FactorNews::PasskeyAdded => ("secondFactor", None, Some("one more passkey")),
        FactorNews::PasskeyRemoved => ("secondFactor", Some("a passkey"), None),
        FactorNews::AppTurnedOff => ("secondFactor", Some("an authenticator app"), None),
        FactorNews::Drawn => ("recoveryCodes", None, Some("new ones")),
        FactorNews::Recovered { left: number } => {
            left = format!("one used, {number} left");
            ("recoveryCodes", None, Some(left.as_str()))
        }
    };
    history::add(connection, id, by, Change { field, before, after, reason: None }, now)
}

/// Takes the second factor of a student away, who has lost it, and ends their sessions. Returns how many;
/// none where there was no second factor.
pub fn reset(
    connection: &Connection,
    student: &Student,
    (by, actor): (By, &Actor),
    config: &Config,
    now: Timestamp,
) -> Result<Option<usize>> {
    let ended = second_factor::reset(connection, student, config, now)?;
    if let Some(sessions) = ended {
        note(connection, student.id, by, FactorNews::Reset, now)?;
        let (action, detail) = (FactorNews::Reset.action(), json!({ "sessions": sessions }));
        audit::record(connection, actor, action, "student", student.id, detail, now)?;
    }
    Ok(ended)
}

/// How the own second factor stands
#[utoipa::path(get, path = "/api/students/second-factor", tag = "students",
    responses((status = 200, body = SecondFactor), (status = 401, body = ErrorBody)))]
async fn get_student_factor(student: CurrentStudent, State(app): State<App>) -> Result<Json<SecondFactor>> {
    let whose = Whose { portal: Portal::Student, id: student.id };
    app.db.read(|connection| second_factor::read(connection, whose, &app.config)).await.map(Json)
}

/// Begin to set an authenticator app up; nothing is asked for at a login until a first code confirms it
#[utoipa::path(post, path = "/api/students/second-factor", tag = "students",
    responses((status = 200, body = FactorSetup), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody, description = "There is a passkey: it takes a recent proof"),
        (status = 409, body = ErrorBody, description = "There is one already")))]
async fn begin_student_factor(student: CurrentStudent, State(app): State<App>) -> Result<Json<FactorSetup>> {
    student.check_before_password(app.clock.now())?;
    second_factor::begin::<Student>(&app, student.id).await.map(Json)
}

/// Set the app up by its first code; every other session ends. The recovery codes are shown this once
#[utoipa::path(post, path = "/api/students/second-factor/confirm", tag = "students",
    request_body = FactorProof,
    responses((status = 200, body = RecoveryCodes), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody, description = "There is a passkey: it takes a recent proof"),
        (status = 409, body = ErrorBody, description = "Nothing was begun"),
        (status = 429, response = inline(TooManyAttempts))))]
async fn confirm_student_factor(
    student: CurrentStudent,
    State(app): State<App>,
    Extension(StudentSession(session)): Extension<StudentSession>,
    Json(form): Json<FactorProof>,
) -> Result<(Extension<Event>, Json<RecoveryCodes>)> {
    student.check_before_password(app.clock.now())?;
    second_factor::confirm::<Student>(&app, student.id, &session, &form).await
}

/// Draw ten new recovery codes; those before are worth nothing any more
#[utoipa::path(post, path = "/api/students/second-factor/recovery-codes", tag = "students",
    request_body = FactorProof,
    responses((status = 200, body = RecoveryCodes), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 409, body = ErrorBody, description = "It is not set up"),
        (status = 429, response = inline(TooManyAttempts))))]
async fn draw_student_recovery_codes(
    student: CurrentStudent,
    State(app): State<App>,
    Json(form): Json<FactorProof>,
) -> Result<(Extension<Event>, Json<RecoveryCodes>)> {
    second_factor::draw_recovery_codes::<Student>(&app, student.id, &form).await
}

/// Turn the second factor off; every other session ends
#[utoipa::path(post, path = "/api/students/second-factor/turn-off", tag = "students",
    request_body = FactorProof,
    responses((status = 200, body = Message), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 409, body = ErrorBody, description = "It is not set up"),
        (status = 429, response = inline(TooManyAttempts))))]
async fn turn_off_student_factor(
    student: CurrentStudent,
    State(app): State<App>,
    Extension(StudentSession(session)): Extension<StudentSession>,
    Json(form): Json<FactorProof>,
) -> Result<(Extension<Event>, Json<Message>)> {
    let event = second_factor::turn_off::<Student>(&app, student.id, &session, &form).await?;
    Ok((event, Json(Message { message: second_factor::TURNED_OFF })))
}

/// Prove who sits there; it counts for ten minutes
#[utoipa::path(post, path = "/api/students/proof", tag = "students", request_body = IdentityProof,
    responses((status = 204), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 429, response = inline(TooManyAttempts))))]
async fn prove_student(
    student: CurrentStudent,
    State(app): State<App>,
    Extension(StudentSession(session)): Extension<StudentSession>,
    Json(form): Json<IdentityProof>,
) -> Result<StatusCode> {
    let has_second_factor = student.student.has_second_factor;
    step_up::prove::<Student>(&app, student.id, has_second_factor, &session, &form).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Begin to add a passkey: what the browser is to be asked for
#[utoipa::path(post, path = "/api/students/passkeys/begin", tag = "students",
    responses((status = 200, body = PasskeyWish), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "The site has no name, or there are too many")))]
async fn begin_student_passkey(student: CurrentStudent, State(app): State<App>) -> Result<Json<PasskeyWish>> {
    student.check_recent(app.clock.now())?;
    passkeys::begin::<Student>(&app, student.id).await
}

/// Add the passkey that the browser made; the first second factor comes with recovery codes, and ends every other
/// session
#[utoipa::path(post, path = "/api/students/passkeys", tag = "students", request_body = NewPasskey,
    responses((status = 200, body = RecoveryCodes), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "It does not hold, or came late")))]
async fn add_student_passkey(
    student: CurrentStudent,
    State(app): State<App>,
    Extension(StudentSession(session)): Extension<StudentSession>,
    Json(form): Json<NewPasskey>,
) -> Result<(Extension<Event>, Json<RecoveryCodes>)> {
    student.check_recent(app.clock.now())?;
    passkeys::add::<Student>(&app, student.id, &session, &form).await
}

/// Give a passkey another name
#[utoipa::path(patch, path = "/api/students/passkeys/{id}", tag = "students", request_body = PasskeyName,
    params(("id" = i64, Path, description = "Number of the passkey")),
    responses((status = 200, body = SecondFactor), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)))]
async fn rename_student_passkey(
    student: CurrentStudent,
    State(app): State<App>,
    Id(id, ..): Id<Passkey>,
    Json(form): Json<PasskeyName>,
) -> Result<Json<SecondFactor>> {
    passkeys::rename::<Student>(&app, student.id, id, &form).await
}

/// Remove a passkey; with the last second factor the recovery codes go, and every other session ends
#[utoipa::path(delete, path = "/api/students/passkeys/{id}", tag = "students",
    params(("id" = i64, Path, description = "Number of the passkey")),
    responses((status = 200, body = SecondFactor), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody)))]
async fn remove_student_passkey(
    student: CurrentStudent,
    State(app): State<App>,
    Extension(StudentSession(session)): Extension<StudentSession>,
    Id(id, ..): Id<Passkey>,
) -> Result<(Extension<Event>, Json<SecondFactor>)> {
    student.check_recent(app.clock.now())?;
    passkeys::remove::<Student>(&app, student.id, &session, id).await
}

/// What to ask the own passkeys, before a proof by one of them
#[utoipa::path(post, path = "/api/students/passkeys/ask", tag = "students",
    responses((status = 200, body = PasskeyQuestion), (status = 401, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "There is none")))]
async fn ask_student_passkey(
    student: CurrentStudent,
    State(app): State<App>,
) -> Result<Json<PasskeyQuestion>> {
    passkeys::ask_signed_in::<Student>(&app, student.id).await
}
