//! Registration, verification, and new links.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use jiff::Timestamp;
use rusqlite::Connection;
use utoipa_axum::router::OpenApiRouter;

use super::links::{self, Link, LinkPurpose, NewLink};
use super::requests::{self, NewRequest, RequestKind, RequestedAccount};
use super::{Student, address, emails, store};
use crate::accounts::Message;
use crate::accounts::links::{LinkPolicy, mark_used};
use crate::accounts::log_in::ask_for_link;
use crate::base::email::Email;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::base::password::Password;
use crate::config::Config;
use crate::mail::Cause;
use crate::school::texts::{self, SchoolText};
use crate::settings::site::Site;
use crate::staff;
use crate::web::access::{AnyCaller, endpoints};
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::portal::Portal;
use crate::web::rate_limit::ClientAddr;
use crate::web::rate_limit::device::Devices;
use crate::web::rate_limit::guesses;
use crate::web::session::{self, StudentSession};

/// Message for an invalid link that cannot be requested again.
const DEAD_LINK: &str = "This link has expired or was used already. If anything is wrong with your account, \
    please contact the office.";

const VERIFYING: LinkPolicy<LinkPurpose> =
    LinkPolicy { purposes: &[LinkPurpose::Verify, LinkPurpose::ChangeEmail], dead: links::BAD_LINK };
const DISOWNING: LinkPolicy<LinkPurpose> =
    LinkPolicy { purposes: &[LinkPurpose::Verify, LinkPurpose::ChoosePassword], dead: DEAD_LINK };
const UNDOING: LinkPolicy<LinkPurpose> = LinkPolicy { purposes: &[LinkPurpose::UndoEmail], dead: DEAD_LINK };

/// The endpoints of this part.
pub fn routes() -> OpenApiRouter<App> {
    endpoints! {
        register_student, verify_email, resend_verification, forgot_password, disown_account,
        undo_email_change,
    }
}

form! {
    /// `POST /api/students/register`'s body.
    pub struct Registration {
        email: String,
        password: String,
        confirm_password: String,
        /// Versions of the texts shown beside the form's button; without it no consent is recorded.
        accepted_text_versions: Option<Vec<String>>,
        /// Page of the portal to which the email's link leads: `/student/courses?q=ENG4U&section=7`.
        next: Option<String>,
    }
}

/// A validated registration.
struct NewStudent {
    email: Email,
    password: Password,
    accepted: Vec<Arc<SchoolText>>,
    next: Option<String>,
}

/// A page of the portal to go to after the verification.
fn next_page(field: &Field<String>) -> Result<Option<String>, String> {
    let page = field.optional(1000)?;
    let is_inside =
        |page: &String| page.starts_with("/student/") && page.chars().all(|c| c.is_ascii_graphic());
    if page.as_ref().is_none_or(is_inside) {
        Ok(page)
    } else {
        Err("Must be a page of the student portal".into())
    }
}

impl NewStudent {
    fn parse(form: &Registration, config: &Config, texts: &[Arc<SchoolText>]) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let accepted = texts::accepted(&form.accepted_text_versions, texts, &mut errors);
        let email = errors.take("email", Email::parse(form.email.text()));
        let school = config.school();
        let own = config.known_names(&school, &[form.email.text()]);
        let password = Password::parse_confirmed(&form.password, &form.confirm_password, &own, &mut errors);
        let next = errors.take("next", next_page(&form.next));
        let new = || Some(Self { email: email?, password: password?, accepted, next: next? });
        errors.finish(new())
    }
}

form! {
    /// A request body with an account's email address.
    pub struct AccountEmail {
        pub email: String,
        /// Page of the portal to which the link of a verification leads.
        pub next: Option<String>,
    }
}

impl AccountEmail {
    /// Validates the address and counts the request.
    async fn take(
        &self,
        app: &App,
        link: guesses::LinkUse,
        client: ClientAddr,
        devices: &Devices,
    ) -> Result<NewRequest> {
        let email = Email::parse(self.email.text()).map_err(|message| Error::field("email", message))?;
        let next = next_page(&self.next).map_err(|message| Error::field("next", message))?;
        let asker = ask_for_link::<Student>(app, link, email.as_str(), client, devices).await?;
        Ok(NewRequest { email, asker, next })
    }
}

form! {
    /// A request body with a link's token.
    pub struct LinkToken {
        token: String,
    }
}

/// Register an account; the response is the same for an address that has one
#[utoipa::path(post, path = "/api/students/register", tag = "students")]
async fn register_student(
    _: AnyCaller,
    State(app): State<App>,
    client: ClientAddr,
    Extension(site): Extension<Site>,
    Json(form): Json<Registration>,
) -> Result<(StatusCode, Json<Message>)> {
    let texts = site.current(&app.db, app.today()).await?;
    let NewStudent { email, password, accepted, next } = NewStudent::parse(&form, &app.config, &texts.texts)?;
    app.limits.registrations.count(client)?;
    // Hashed for known addresses, too, so that timing reveals nothing.
    let password_hash = app.passwords.hash(&password, client.lane()).await?;
    let asker = app.limits.asker(client);
    let request = NewRequest { email, asker, next };
    let account = RequestedAccount { password_hash, texts: accepted };
    requests::note(&app, RequestKind::Register, request, Some(account)).await?;
    let message = "Please check your email to verify your account.";
    Ok((StatusCode::CREATED, Json(Message::from(message))))
}

/// Verify an address with the link's token; repeating it succeeds while the link is valid
#[utoipa::path(get, path = "/api/students/verify/{token}", tag = "students",
    params(("token" = String, Path, description = "Last segment of the link")))]
async fn verify_email(
    _: AnyCaller,
    State(app): State<App>,
    client: ClientAddr,
    Extension(StudentSession(session)): Extension<StudentSession>,
    Path(token): Path<String>,
) -> Result<Json<Message>> {
    let now = app.clock.now();
    let config = app.config.clone();
    let hash = VERIFYING.live_token::<Student>(&app, &token, client).await?;
    let before = session::subject(&session, Portal::Student, now).await?;
    let today = app.today();
    let moved = app
        .write_and_notify(move |connection| {
            let (link, student) = VERIFYING.open::<Student>(connection, &hash, now)?;
            let is_moved = if link.purpose == LinkPurpose::ChangeEmail {
                address::finish_change(connection, &config, &student, &link, now)?
            } else {
                store::mark_verified(connection, student.id, today, now).map(|()| false)?
            };
            mark_used(connection, &hash, now)?;
            Ok(is_moved.then_some(student.id))
        })
        .await?;
    if let Some(student_id) = moved {
        session::renew(&session, before, student_id, None, now).await;
    }
    Ok(Json(Message::from("Your email has been successfully verified!")))
}

/// Request a new verification link; the response is the same for any address
#[utoipa::path(post, path = "/api/students/resend-verification", tag = "students")]
async fn resend_verification(
    _: AnyCaller,
    State(app): State<App>,
    client: ClientAddr,
    devices: Devices,
    Json(form): Json<AccountEmail>,
) -> Result<Json<Message>> {
    let request = form.take(&app, guesses::LinkUse::ResendVerification, client, &devices).await?;
    requests::note(&app, RequestKind::ResendVerification, request, None).await?;
    let message = "If an account with this address waits for verification, a new link is on its way.";
    Ok(Json(Message::from(message)))
}

/// Request a password link; the response is the same for any address
#[utoipa::path(post, path = "/api/students/forgot-password", tag = "students")]
async fn forgot_password(
    _: AnyCaller,
    State(app): State<App>,
    client: ClientAddr,
    devices: Devices,
    Json(form): Json<AccountEmail>,
) -> Result<Json<Message>> {
    ask_for_password(&app, &form, client, &devices).await?;
    let message = "If an account with this address exists, a link to choose a new password is on its way.";
    Ok(Json(Message::from(message)))
}

/// Records a visitor's request for a link to a new password.
pub async fn ask_for_password(
    app: &App,
    form: &AccountEmail,
    client: ClientAddr,
    devices: &Devices,
) -> Result<()> {
    let request = form.take(app, guesses::LinkUse::ForgotPassword, client, devices).await?;
    requests::note(app, RequestKind::ForgotPassword, request, None).await
}

/// Report that a registration was not yours, with the link of its email; blocks logins to the account
#[utoipa::path(post, path = "/api/students/not-me", tag = "students",
    responses((status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn disown_account(
    _: AnyCaller,
    State(app): State<App>,
    client: ClientAddr,
    Json(form): Json<LinkToken>,
) -> Result<Json<Message>> {
    let now = app.clock.now();
    let config = app.config.clone();
    let token = DISOWNING.live_token::<Student>(&app, form.token.text(), client).await?;
    let is_removed = app
        .write_and_notify(move |connection| {
            let (link, student) = DISOWNING.open::<Student>(connection, &token, now)?;
            if !student.status.may_reset_password() {
                return Err(DISOWNING.refusal());
            }
            disown(connection, &config, &student, &link, now)
        })
        .await?;
    let message = if is_removed {
        "The account was removed, and your email address with it."
    } else {
        "The account is locked, and the office has been told."
    };
    Ok(Json(Message::from(message)))
}

/// Revert a change of address with the link sent to the old mailbox; ends the password and every session
#[utoipa::path(post, path = "/api/students/undo-email-change", tag = "students",
    responses((status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn undo_email_change(
    _: AnyCaller,
    State(app): State<App>,
    client: ClientAddr,
    Json(form): Json<LinkToken>,
) -> Result<Json<Message>> {
    let now = app.clock.now();
    let config = app.config.clone();
    let token = UNDOING.live_token::<Student>(&app, form.token.text(), client).await?;
    app.write_and_notify(move |connection| {
        let (link, student) = UNDOING.open::<Student>(connection, &token, now)?;
        address::undo_change(connection, &config, &student, &link, now)
    })
    .await?;
    let message = "Your old email address is back. A link to choose a new password is on its way to it.";
    Ok(Json(Message::from(message)))
}

/// Removes an account that the owner of its mailbox disowns. If it has been used (a mail scanner may have verified it),
/// documents and enrollments are not deleted: the account is locked and the office decides. Returns whether it was
/// removed.
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
    let owner = Email::parse(&link.email).map_err(|_| DISOWNING.refusal())?;
    address::take_back(connection, student, &owner, now)?;
    store::mark_unverified(connection, student.id, now)?;
    for admin in staff::store::admin_emails(connection)? {
        let message = emails::account_disowned(&admin, student.id);
        requests::post(connection, &message, Cause::Office, config, now)?;
    }
    Ok(false)
}

/// Creates a password link, for the command line.
pub fn reset_link(
    connection: &Connection,
    config: &Config,
    student: &Student,
    now: Timestamp,
) -> Result<String> {
    let link = NewLink::generate(LinkPurpose::ResetPassword)?;
    link.keep(connection, student.id, &student.address()?, now)?;
    Ok(link.url(config))
}
