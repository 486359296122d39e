//! Getting in: registration, verification, and new links for those who are stuck.

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::links::{self, Link, LinkPurpose, NewLink};
use super::password::replace_password;
use super::requests::{self, NewRequest};
use super::{Student, address, emails, store};
use crate::base::email::Email;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result, TooManyAttempts};
use crate::base::json::Json;
use crate::base::password::Password;
use crate::base::random;
use crate::config::Config;
use crate::mail::{Asker, Cause};
use crate::school::texts::{self, SchoolText};
use crate::settings::site::Site;
use crate::staff;
use crate::web::access::{Anybody, endpoint};
use crate::web::app::App;
use crate::web::form::form;
use crate::web::password_change::PasswordReset;
use crate::web::portal::Portal;
use crate::web::rate_limit::ClientAddr;
use crate::web::rate_limit::device::{Account, Devices, Remember};
use crate::web::rate_limit::guesses;
use crate::web::session::{self, StudentSession};

const USED_LINK: &str = "This link has expired or was used already. Please ask for a new one.";
/// The same for links that a person cannot ask for again.
const DEAD_LINK: &str = "This link has expired or was used already. If anything is wrong with your account, \
    please contact the office.";

/// What a link opens: for which purposes it may have been made, and what is said when it opens nothing.
#[derive(Clone, Copy)]
struct Opens {
    purposes: &'static [LinkPurpose],
    dead: &'static str,
}

const VERIFYING: Opens =
    Opens { purposes: &[LinkPurpose::Verify, LinkPurpose::ChangeEmail], dead: links::BAD_LINK };
const RESETTING: Opens =
    Opens { purposes: &[LinkPurpose::ResetPassword, LinkPurpose::ChoosePassword], dead: USED_LINK };
const DISOWNING: Opens =
    Opens { purposes: &[LinkPurpose::Verify, LinkPurpose::ChoosePassword], dead: DEAD_LINK };
const UNDOING: Opens = Opens { purposes: &[LinkPurpose::UndoEmail], dead: DEAD_LINK };

/// The calls of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(endpoint!(register_student))
        .routes(endpoint!(verify_email))
        .routes(endpoint!(resend_verification))
        .routes(endpoint!(forgot_password))
        .routes(endpoint!(reset_password))
        .routes(endpoint!(disown_account))
        .routes(endpoint!(undo_email_change))
}

form! {
    /// `POST /api/students/register`'s body.
    pub struct Registration {
        email: String,
        password: String,
        confirm_password: String,
        /// The texts that the form showed beside its button, by version; without it nothing is noted as accepted.
        accepted_text_versions: Option<Vec<String>>,
    }
}

/// A registration whose every field is right.
struct NewStudent {
    email: Email,
    password: Password,
    accepted: Vec<SchoolText>,
}

impl NewStudent {
    fn parse(form: &Registration, config: &Config, texts: &[SchoolText]) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let accepted = texts::accepted(&form.accepted_text_versions, texts, &mut errors);
        let email = errors.take("email", Email::parse(form.email.text()));
        let school = config.school();
        let own = config.known_names(&school, &[form.email.text()]);
        let password = Password::parse_confirmed(&form.password, &form.confirm_password, &own, &mut errors);
        let new = || Some(Self { email: email?, password: password?, accepted });
        errors.finish(new())
    }
}

form! {
    /// A body that names an account by its address.
    pub struct AccountEmail {
        email: String,
    }
}

impl AccountEmail {
    /// Checks the address and counts the request; returns who asks, too.
    async fn take(
        &self,
        app: &App,
        link: guesses::Link,
        client: ClientAddr,
        devices: &Devices,
    ) -> Result<(Email, Asker)> {
        let email = Email::parse(self.email.text()).map_err(|message| Error::field("email", message))?;
        let owner = owner(app, &email, devices).await?;
        let asker = owner.unwrap_or_else(|| app.limits.asker(client));
        app.limits.ask_for_link(link, email.as_str(), client, asker).await?;
        Ok((email, asker))
    }
}

/// The owner of the account, if the browser is known for it. Without a browser that is known for any account
/// nothing is looked up, so that the time reveals nothing.
async fn owner(app: &App, email: &Email, devices: &Devices) -> Result<Option<Asker>> {
    if devices.is_empty() {
        return Ok(None);
    }
    let found = app.db.read(|connection| store::find_for_login(connection, email)).await?;
    Ok(found.and_then(|(student, password_hash)| {
        let account = Account { portal: Portal::Student, id: student.id, password_hash: &password_hash };
        app.limits.owner(devices, account)
    }))
}

form! {
    /// A body that is a link's secret and nothing else.
    pub struct LinkToken {
        token: String,
    }
}

/// A sentence for the person.
#[derive(Debug, Serialize, ToSchema)]
pub struct Message {
    pub(super) message: &'static str,
}

/// Make an account; the answer is the same for an address that has one
#[utoipa::path(post, path = "/api/students/register", tag = "students", request_body = Registration,
    responses((status = 201, body = Message), (status = 400, body = ErrorBody), (status = 429, response = inline(TooManyAttempts))))]
async fn register_student(
    _: Anybody,
    State(app): State<App>,
    client: ClientAddr,
    Extension(site): Extension<Site>,
    Json(form): Json<Registration>,
) -> Result<(StatusCode, Json<Message>)> {
    let texts = site.current(&app.db, app.today()).await?;
    let NewStudent { email, password, accepted } = NewStudent::parse(&form, &app.config, &texts.texts)?;
    app.limits.registrations.count(client)?;
    // Hashed for known addresses too, so that the time reveals nothing.
    let hash = app.passwords.hash(&password, client.lane()).await?;
    requests::note(&app, email, app.limits.asker(client), NewRequest::Register { hash, accepted }).await?;
    let message = "Please check your email to verify your account.";
    Ok((StatusCode::CREATED, Json(Message { message })))
}

/// Verify an address by the link's token; opening it again succeeds again while it lives
#[utoipa::path(get, path = "/api/students/verify/{token}", tag = "students",
    params(("token" = String, Path, description = "Last segment of the link")),
    responses((status = 200, body = Message), (status = 404, body = ErrorBody),
        (status = 429, response = inline(TooManyAttempts))))]
async fn verify_email(
    _: Anybody,
    State(app): State<App>,
    client: ClientAddr,
    Extension(StudentSession(session)): Extension<StudentSession>,
    Path(token): Path<String>,
) -> Result<Json<Message>> {
    let (now, config) = (app.clock.now(), app.config.clone());
    let hash = live_token(&app, &token, client, VERIFYING).await?;
    let (before, today) = (session::subject(&session, Portal::Student, now).await?, app.today());
    let moved = app
        .write_and_notify(move |connection| {
            let (link, student) = open_link(connection, &hash, now, VERIFYING)?;
            let is_moved = if link.purpose == LinkPurpose::ChangeEmail {
                address::finish_change(connection, &config, &student, &link, now)?
            } else {
                store::mark_verified(connection, student.id, today, now).map(|()| false)?
            };
            links::mark_used(connection, &hash, now)?;
            Ok(is_moved.then_some(student.id))
        })
        .await?;
    if let Some(student_id) = moved {
        session::renew(&session, before, student_id, None, now).await;
    }
    Ok(Json(Message { message: "Your email has been successfully verified!" }))
}

/// Ask for a new verification link; the answer is the same for any address
#[utoipa::path(post, path = "/api/students/resend-verification", tag = "students", request_body = AccountEmail,
    responses((status = 200, body = Message), (status = 400, body = ErrorBody), (status = 429, response = inline(TooManyAttempts))))]
async fn resend_verification(
    _: Anybody,
    State(app): State<App>,
    client: ClientAddr,
    devices: Devices,
    Json(form): Json<AccountEmail>,
) -> Result<Json<Message>> {
    let (email, asker) = form.take(&app, guesses::Link::ResendVerification, client, &devices).await?;
    requests::note(&app, email, asker, NewRequest::ResendVerification).await?;
    let message = "If an account with this address waits for verification, a new link is on its way.";
    Ok(Json(Message { message }))
}

/// Ask for a password link; the answer is the same for any address
#[utoipa::path(post, path = "/api/students/forgot-password", tag = "students", request_body = AccountEmail,
    responses((status = 200, body = Message), (status = 400, body = ErrorBody), (status = 429, response = inline(TooManyAttempts))))]
async fn forgot_password(
    _: Anybody,
    State(app): State<App>,
    client: ClientAddr,
    devices: Devices,
    Json(form): Json<AccountEmail>,
) -> Result<Json<Message>> {
    let (email, asker) = form.take(&app, guesses::Link::ForgotPassword, client, &devices).await?;
    requests::note(&app, email, asker, NewRequest::ForgotPassword).await?;
    let message = "If an account with this address exists, a link to choose a new password is on its way.";
    Ok(Json(Message { message }))
}

/// Choose a new password by the link's token, once; every other session ends
#[utoipa::path(post, path = "/api/students/reset-password", tag = "students", request_body = PasswordReset,
    responses((status = 200, body = Message), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 429, response = inline(TooManyAttempts))))]
async fn reset_password(
    _: Anybody,
    State(app): State<App>,
    client: ClientAddr,
    devices: Devices,
    Extension(StudentSession(session)): Extension<StudentSession>,
    Json(form): Json<PasswordReset>,
) -> Result<(Remember, Json<Message>)> {
    let password = form.parse(&app.config.known_names(&app.config.school(), &[]))?;
    let token = live_token(&app, form.token(), client, RESETTING).await?;
    let new_hash = app.passwords.hash(&password, client.lane()).await?;
    let (now, config) = (app.clock.now(), app.config.clone());
    let (before, today) = (session::subject(&session, Portal::Student, now).await?, app.today());
    let password_hash = new_hash.clone();
    let student_id = app
        .write_and_notify(move |connection| {
            let (link, student) = open_link(connection, &token, now, RESETTING)?;
            // A link to an address that was changed meanwhile proves nothing any more.
            let is_right =
                student.email.eq_ignore_ascii_case(&link.email) && student.status.may_reset_password();
            if !is_right {
                return Err(Error::NotFound(USED_LINK.into()));
            }
            password.check_own(&[&student.email])?;
            replace_password(connection, student.id, &new_hash, now)?;
            // The link came from the mailbox: that is the verification too.
            store::mark_verified(connection, student.id, today, now)?;
            let message =
                emails::password_changed(&student.address()?, student.profile.full_name.as_deref(), &config);
            requests::post(connection, &message, Cause::Visitor(Asker::default()), &config, now)?;
            Ok(student.id)
        })
        .await?;
    session::renew(&session, before, student_id, None, now).await;
    // Whoever has the mailbox gets in, even while others guess at the account.
    let account = Account { portal: Portal::Student, id: student_id, password_hash: &password_hash };
    let remember = app.limits.remember(&devices, account)?;
    Ok((remember, Json(Message { message: "Your password has been changed. You can now log in." })))
}

/// Say that a registration was not yours, by the link of its e-mail; nobody can log in to the account after it
#[utoipa::path(post, path = "/api/students/not-me", tag = "students", request_body = LinkToken,
    responses((status = 200, body = Message), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody), (status = 429, response = inline(TooManyAttempts))))]
async fn disown_account(
    _: Anybody,
    State(app): State<App>,
    client: ClientAddr,
    Json(form): Json<LinkToken>,
) -> Result<Json<Message>> {
    let (now, config) = (app.clock.now(), app.config.clone());
    let token = live_token(&app, form.token.text(), client, DISOWNING).await?;
    let is_removed = app
        .write_and_notify(move |connection| {
            let (link, student) = open_link(connection, &token, now, DISOWNING)?;
            if !student.status.may_reset_password() {
                return Err(Error::NotFound(DEAD_LINK.into()));
            }
            disown(connection, &config, &student, &link, now)
        })
        .await?;
    let message = if is_removed {
        "The account was removed, and your email address with it."
    } else {
        "Nobody can log in to the account any more, and the office has been told."
    };
    Ok(Json(Message { message }))
}

/// Take a changed address back, by the link that the old mailbox got; the password and every session end
#[utoipa::path(post, path = "/api/students/undo-email-change", tag = "students", request_body = LinkToken,
    responses((status = 200, body = Message), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody), (status = 429, response = inline(TooManyAttempts))))]
async fn undo_email_change(
    _: Anybody,
    State(app): State<App>,
    client: ClientAddr,
    Json(form): Json<LinkToken>,
) -> Result<Json<Message>> {
    let (now, config) = (app.clock.now(), app.config.clone());
    let token = live_token(&app, form.token.text(), client, UNDOING).await?;
    app.write_and_notify(move |connection| {
        let (link, student) = open_link(connection, &token, now, UNDOING)?;
        address::undo_change(connection, &config, &student, &link, now)
    })
    .await?;
    let message = "Your old email address is back. A link to choose a new password is on its way to it.";
    Ok(Json(Message { message }))
}

/// The hash of a token that opens what is asked for. A link that was made for something else is a guess
/// like any other here: it costs no password hash, and it is counted.
///
/// # Errors
/// As [`use_link`](crate::web::rate_limit::RateLimiter::use_link).
async fn live_token(app: &App, token: &str, client: ClientAddr, opens: Opens) -> Result<[u8; 32]> {
    let (hash, now) = (random::hash(token), app.clock.now());
    let lives = move |connection: &Connection| Ok(find_link(connection, &hash, now, opens)?.is_some());
    app.limits.use_link(guesses::Link::UseStudent, client, opens.dead, lives).await?;
    Ok(hash)
}

/// A link that lives and opens what is asked for.
fn find_link(connection: &Connection, hash: &[u8; 32], now: Timestamp, opens: Opens) -> Result<Option<Link>> {
    Ok(links::find(connection, hash, now)?.filter(|link| opens.purposes.contains(&link.purpose)))
}

/// The same, and whose it is.
fn open_link(
    connection: &Connection,
    hash: &[u8; 32],
    now: Timestamp,
    opens: Opens,
) -> Result<(Link, Student)> {
    let dead = || Error::NotFound(opens.dead.into());
    let link = find_link(connection, hash, now, opens)?.ok_or_else(dead)?;
    let student = store::find(connection, link.student_id)?.ok_or_else(dead)?;
    Ok((link, student))
}

/// Removes an account that its mailbox disowns. A scanner may have verified it, and somebody may have
/// used it since: documents and enrollments are not destroyed by a link, the account is locked then and
/// the office decides. Returns whether it was removed.
fn disown(
    connection: &Connection,
    config: &Config,
    student: &Student,
    link: &Link,
    now: Timestamp,
) -> Result<bool> {
    if store::remove_untouched(connection, student.id)? {
        session::end_all(connection, Portal::Student, student.id)?;
        return Ok(true);
    }
    let owner = Email::parse(&link.email).map_err(|_| Error::NotFound(DEAD_LINK.into()))?;
    address::take_back(connection, student, &owner, now)?;
    store::mark_unverified(connection, student.id, now)?;
    for admin in staff::store::admin_emails(connection)? {
        let message = emails::account_disowned(&admin, student.id);
        requests::post(connection, &message, Cause::Office, config, now)?;
    }
    Ok(false)
}

/// Makes a link to a new password and returns it, for the command line.
pub fn reset_link(
    connection: &Connection,
    config: &Config,
    student: &Student,
    now: Timestamp,
) -> Result<String> {
    let link = NewLink::draw(LinkPurpose::ResetPassword)?;
    link.keep(connection, student.id, &student.address()?, now)?;
    Ok(link.url(config))
}
