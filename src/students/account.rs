//! Getting in: registration, verification, and new links for those who are stuck.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::store::{self, Purpose};
use super::{Student, letters};
use crate::plumbing::app::App;
use crate::plumbing::config::Config;
use crate::plumbing::error::{Error, ErrorBody, FieldErrors, Result};
use crate::plumbing::form::{Email, Field, Json as JsonBody, Password};
use crate::plumbing::limits::ClientAddr;
use crate::plumbing::mail::{self, Cause, Kind, Outcome};
use crate::plumbing::random::{self, Token};
use crate::plumbing::session::{self, Door, StudentSession};

/// How long a verification link works.
const VERIFY_FOR: SignedDuration = SignedDuration::from_hours(48);
/// How long a link to a new password works.
pub const RESET_FOR: SignedDuration = SignedDuration::from_hours(1);

const BAD_LINK: &str = "We couldn't verify your email address. The link may have expired or is invalid.";

/// The calls of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(register_student))
        .routes(routes!(verify_email))
        .routes(routes!(resend_verification))
        .routes(routes!(forgot_password))
        .routes(routes!(reset_password))
}

/// `POST /api/students/register`'s body.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Registration {
    #[serde(default)]
    #[schema(value_type = String, required = true)]
    email: Field<String>,
    #[serde(default)]
    #[schema(value_type = String, required = true)]
    password: Field<String>,
    #[serde(default)]
    #[schema(value_type = String, required = true)]
    confirm_password: Field<String>,
}

/// A body that names an account by its address.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct AccountEmail {
    #[serde(default)]
    #[schema(value_type = String, required = true)]
    email: Field<String>,
}

impl AccountEmail {
    /// Checks the address and counts the attempt.
    fn address(&self, app: &App, client: ClientAddr) -> Result<Email> {
        let email = Email::parse(self.email.text()).map_err(|message| Error::field("email", message))?;
        app.limits.password_resets.count(client)?;
        Ok(email)
    }
}

/// `POST /api/students/reset-password`'s body.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasswordReset {
    #[serde(default)]
    #[schema(value_type = String, required = true)]
    token: Field<String>,
    #[serde(default)]
    #[schema(value_type = String, required = true)]
    password: Field<String>,
    #[serde(default)]
    #[schema(value_type = String, required = true)]
    confirm_password: Field<String>,
}

/// A sentence for the person.
#[derive(Debug, Serialize, ToSchema)]
pub struct Message {
    message: &'static str,
}

/// Make an account; the answer is the same for an address that has one
#[utoipa::path(post, path = "/api/students/register", tag = "students", request_body = Registration,
    responses((status = 201, body = Message), (status = 400, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn register_student(
    State(app): State<App>,
    client: ClientAddr,
    JsonBody(form): JsonBody<Registration>,
) -> Result<(StatusCode, Json<Message>)> {
    let mut errors = FieldErrors::default();
    let email = errors.take("email", Email::parse(form.email.text()));
    let own = [&app.config.school.name, form.email.text()];
    let password = Password::parse_confirmed(&form.password, &form.confirm_password, &own, &mut errors);
    errors.check()?;
    let (Some(email), Some(password)) = (email, password) else {
        return Err(Error::BadRequest("The registration is incomplete.".into()));
    };
    app.limits.registrations.count(client)?;
    // Hashed for known addresses too: the time tells nothing.
    let hash = app.passwords.hash(&password).await?;
    let (now, config) = (app.clock.now(), app.config.clone());
    app.write_and_post(move |connection| match store::find_by_email(connection, &email)? {
        None => {
            let id = store::insert(connection, &email, &hash, now)?;
            send_verification(connection, &config, id, &email, now)
        }
        // The first password stays: whoever registers again need not be the owner.
        Some(known) if known.status == "unverified" => {
            send_verification(connection, &config, known.id, &email, now)
        }
        Some(known) => {
            if is_over_budget(connection, Kind::AccountExists, &email, Cause::Visitor, &config, now)? {
                return Ok(());
            }
            let link = reset_link(connection, &config, &known, now)?;
            let letter = letters::account_exists(&email, known.full_name.as_deref(), &link, &config);
            mail::outbox::enqueue(connection, &letter, Cause::Visitor, &config, now).map(drop)
        }
    })
    .await?;
    let message = "Please check your email to verify your account.";
    Ok((StatusCode::CREATED, Json(Message { message })))
}

/// Verify an address by the link's token; opening it again succeeds again while it lives
#[utoipa::path(get, path = "/api/students/verify/{token}", tag = "students",
    params(("token" = String, Path, description = "Last segment of the link")),
    responses((status = 200, body = Message), (status = 404, body = ErrorBody)))]
async fn verify_email(State(app): State<App>, Path(token): Path<String>) -> Result<Json<Message>> {
    let (now, config) = (app.clock.now(), app.config.clone());
    app.write_and_post(move |connection| {
        let hash = random::hash(&token);
        let link =
            store::find_token(connection, &hash, now)?.ok_or_else(|| Error::NotFound(BAD_LINK.into()))?;
        let student =
            store::find(connection, link.student_id)?.ok_or_else(|| Error::NotFound(BAD_LINK.into()))?;
        match link.purpose {
            Purpose::Verify => store::mark_verified(connection, student.id, now)?,
            Purpose::ChangeEmail => finish_email_change(connection, &config, &student, &link.email, now)?,
            Purpose::ResetPassword => return Err(Error::NotFound(BAD_LINK.into())),
        }
        store::mark_token_used(connection, &hash, now)
    })
    .await?;
    Ok(Json(Message { message: "Your email has been successfully verified!" }))
}

/// Ask for a new verification link; the answer is the same for any address
#[utoipa::path(post, path = "/api/students/resend-verification", tag = "students", request_body = AccountEmail,
    responses((status = 200, body = Message), (status = 400, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn resend_verification(
    State(app): State<App>,
    client: ClientAddr,
    JsonBody(form): JsonBody<AccountEmail>,
) -> Result<Json<Message>> {
    let email = form.address(&app, client)?;
    let (now, config) = (app.clock.now(), app.config.clone());
    app.write_and_post(move |connection| match store::find_by_email(connection, &email)? {
        Some(student) if student.status == "unverified" => {
            send_verification(connection, &config, student.id, &email, now)
        }
        _ => Ok(()),
    })
    .await?;
    let message = "If an account with this address waits for verification, a new link is on its way.";
    Ok(Json(Message { message }))
}

/// Ask for a password link; the answer is the same for any address
#[utoipa::path(post, path = "/api/students/forgot-password", tag = "students", request_body = AccountEmail,
    responses((status = 200, body = Message), (status = 400, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn forgot_password(
    State(app): State<App>,
    client: ClientAddr,
    JsonBody(form): JsonBody<AccountEmail>,
) -> Result<Json<Message>> {
    let email = form.address(&app, client)?;
    let (now, config) = (app.clock.now(), app.config.clone());
    app.write_and_post(move |connection| match store::find_by_email(connection, &email)? {
        Some(student) if matches!(student.status.as_str(), "active" | "unverified") => {
            if is_over_budget(connection, Kind::PasswordReset, &email, Cause::Visitor, &config, now)? {
                return Ok(());
            }
            let link = reset_link(connection, &config, &student, now)?;
            // Nobody has proved the mailbox of an unverified account, whatever name it has.
            let name = student.full_name.as_deref().filter(|_| student.is_verified);
            let letter = letters::reset_password(&email, name, &link);
            mail::outbox::enqueue(connection, &letter, Cause::Visitor, &config, now).map(drop)
        }
        _ => Ok(()),
    })
    .await?;
    let message = "If an account with this address exists, a link to choose a new password is on its way.";
    Ok(Json(Message { message }))
}

/// Choose a new password by the link's token, once; every other session ends
#[utoipa::path(post, path = "/api/students/reset-password", tag = "students", request_body = PasswordReset,
    responses((status = 200, body = Message), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody)))]
async fn reset_password(
    State(app): State<App>,
    client: ClientAddr,
    Extension(StudentSession(session)): Extension<StudentSession>,
    JsonBody(form): JsonBody<PasswordReset>,
) -> Result<Json<Message>> {
    let mut errors = FieldErrors::default();
    let own = [app.config.school.name.as_str()];
    let password = Password::parse_confirmed(&form.password, &form.confirm_password, &own, &mut errors);
    errors.check()?;
    let password = password.ok_or_else(|| Error::BadRequest("The password is missing.".into()))?;
    app.limits.password_resets.count(client)?;
    let bad_link =
        || Error::NotFound("This link has expired or was used already. Please ask for a new one.".into());
    let token = random::hash(form.token.text());
    let new_hash = app.passwords.hash(&password).await?;
    let (now, config) = (app.clock.now(), app.config.clone());
    let before = session::subject(&session, Door::Student, now).await?;
    let student_id = app
        .write_and_post(move |connection| {
            let link = store::find_token(connection, &token, now)?
                .filter(|link| link.purpose == Purpose::ResetPassword && !link.used)
                .ok_or_else(bad_link)?;
            let student = store::find(connection, link.student_id)?
                // A link to an address that was changed meanwhile proves nothing any more.
                .filter(|student| student.email.eq_ignore_ascii_case(&link.email))
                .ok_or_else(bad_link)?;
            password.check_own(&[&student.email])?;
            replace_password(connection, student.id, &new_hash, now)?;
            // The link came from the mailbox: that is the verification too.
            store::mark_verified(connection, student.id, now)?;
            let letter =
                letters::password_changed(&student.address()?, student.full_name.as_deref(), &config);
            mail::outbox::enqueue(connection, &letter, Cause::Visitor, &config, now)?;
            Ok(student.id)
        })
        .await?;
    session::renew(&session, before, student_id, now).await;
    Ok(Json(Message { message: "Your password has been changed. You can now log in." }))
}

/// Gives a student a new password and ends whatever was opened under the old one: every link, an
/// address that waits for its confirmation, every session. The browser that asked goes on by
/// [`session::renew`].
///
/// # Errors
/// When the database refuses.
pub fn replace_password(connection: &Connection, student_id: i64, hash: &str, now: Timestamp) -> Result<()> {
    store::set_password(connection, student_id, hash, now)?;
    store::delete_all_tokens(connection, student_id)?;
    session::end_all(connection, Door::Student, student_id)
}

fn send_verification(
    connection: &Connection,
    config: &Config,
    student_id: i64,
    email: &Email,
    now: Timestamp,
) -> Result<()> {
    if is_over_budget(connection, Kind::Verification, email, Cause::Visitor, config, now)? {
        return Ok(());
    }
    let token = Token::draw()?;
    store::insert_token(
        connection,
        &token.hash(),
        student_id,
        Purpose::Verify,
        email,
        now,
        now + VERIFY_FOR,
    )?;
    let link = format!("{}/student/verify/{}", config.public_url(), token.as_str());
    let letter = letters::verify(email, &link, config);
    mail::outbox::enqueue(connection, &letter, Cause::Visitor, config, now).map(drop)
}

/// Whether an e-mail cannot be sent now. Asked before a link is made: the older ones go on working.
fn is_over_budget(
    connection: &Connection,
    kind: Kind,
    to: &Email,
    cause: Cause,
    config: &Config,
    now: Timestamp,
) -> Result<bool> {
    Ok(mail::outbox::ask(connection, kind, to, cause, config, now)? == Outcome::OverBudget)
}

/// Makes a link to a new password and answers it.
///
/// # Errors
/// When there is no randomness, or the database refuses.
pub fn reset_link(
    connection: &Connection,
    config: &Config,
    student: &Student,
    now: Timestamp,
) -> Result<String> {
    let token = Token::draw()?;
    let email = student.address()?;
    store::insert_token(
        connection,
        &token.hash(),
        student.id,
        Purpose::ResetPassword,
        &email,
        now,
        now + RESET_FOR,
    )?;
    Ok(format!("{}/student/reset-password/{}", config.public_url(), token.as_str()))
}

/// Keeps a new address as pending until it is confirmed from its own mailbox; tells the old one.
///
/// An address that already has an account gets no link, and the caller learns nothing of it.
///
/// # Errors
/// When the database refuses.
pub fn begin_email_change(
    connection: &Connection,
    config: &Arc<Config>,
    student: &Student,
    new: &Email,
    now: Timestamp,
) -> Result<()> {
    store::set_pending_email(connection, student.id, new)?;
    let name = student.full_name.as_deref();
    let cause = Cause::Student(student.id);
    if store::find_by_email(connection, new)?.is_none()
        && !is_over_budget(connection, Kind::EmailChange, new, cause, config, now)?
    {
        let token = Token::draw()?;
        store::delete_tokens(connection, student.id, Purpose::ChangeEmail)?;
        store::insert_token(
            connection,
            &token.hash(),
            student.id,
            Purpose::ChangeEmail,
            new,
            now,
            now + VERIFY_FOR,
        )?;
        let link = format!("{}/student/verify/{}", config.public_url(), token.as_str());
        mail::outbox::enqueue(connection, &letters::confirm_new_email(new, &link), cause, config, now)?;
    }
    let letter = letters::email_change_begun(&student.address()?, name, config);
    mail::outbox::enqueue(connection, &letter, cause, config, now).map(drop)
}

fn finish_email_change(
    connection: &Connection,
    config: &Config,
    student: &Student,
    new: &str,
    now: Timestamp,
) -> Result<()> {
    if student.email.eq_ignore_ascii_case(new) {
        return Ok(());
    }
    let still_wanted =
        student.pending_email.as_deref().is_some_and(|pending| pending.eq_ignore_ascii_case(new));
    let new = Email::parse(new).map_err(|_| Error::NotFound(BAD_LINK.into()))?;
    if !still_wanted || store::find_by_email(connection, &new)?.is_some() {
        return Err(Error::NotFound(BAD_LINK.into()));
    }
    store::change_email(connection, student.id, &new, now)?;
    store::delete_tokens(connection, student.id, Purpose::ResetPassword)?;
    let letter = letters::email_changed(&student.address()?, student.full_name.as_deref(), config);
    mail::outbox::enqueue(connection, &letter, Cause::Student(student.id), config, now).map(drop)
}
