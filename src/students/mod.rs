//! Students, their own side: registration, verification, login, profile, and the way back in. What the office does
//! with their accounts is [`crate::records`]'.
//!
//! Promises: the same answer, after the same work, for known and unknown addresses; links are
//! single secrets of which only a hash is kept; opening a verification link twice succeeds twice,
//! because mail scanners open links too.

pub mod account;
pub mod address;
pub mod age;
mod devices;
pub mod emails;
pub mod guardian;
pub mod history;
pub mod identity;
pub mod lacks;
pub mod links;
mod number;
mod password;
pub mod profile;
pub mod requests;
pub mod second_factor;
pub mod status;
pub mod store;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{FromRequestParts, OptionalFromRequestParts, State};
use axum::http::request::Parts;
use axum::response::IntoResponse;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use self::profile::Profile;
use self::status::{Origin, StudentStatus};
use crate::audit::By;
use crate::base::closed_set::ClosedSet;
use crate::base::email::Email;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result, TooManyAttempts};
use crate::base::hashing;
use crate::base::json::Json;
use crate::base::security_log::Event;
use crate::mail::{self, Cause};
use crate::second_factor as factors;
use crate::web::access::{Anybody, Caller, WayIn, endpoint};
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::Numbered;
use crate::web::password_change::RenewedHash;
use crate::web::portal::Portal;
use crate::web::rate_limit::ClientAddr;
use crate::web::rate_limit::device::{Account, Devices, Remember};
use crate::web::rate_limit::guesses::Attempt;
use crate::web::session::{self, Accounts, StudentSession};
use crate::web::signed_in::Device;

/// The calls of this room.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(endpoint!(get_current_student))
        .routes(endpoint!(update_profile))
        .routes(endpoint!(log_in_student))
        .routes(endpoint!(log_out_student))
        .merge(account::routes())
        .merge(devices::routes())
        .merge(lacks::routes())
        .merge(second_factor::routes())
}

/// Forgets links and requests that have run out, and accounts that nobody verified.
pub fn sweep(connection: &Connection, now: Timestamp) -> Result<()> {
    links::sweep(connection, now)?;
    requests::sweep(connection, now)?;
    store::sweep_unverified(connection, now)
}

/// A student as the wire shows them, to themselves and to staff.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Student {
    /// Number of the account.
    pub id: i64,
    /// Address to log in with.
    pub email: String,
    /// A new address that waits for its confirmation.
    pub pending_email: Option<String>,
    /// Whether the address is confirmed.
    pub is_verified: bool,
    /// Whether a login asks for a code beside the password.
    pub has_second_factor: bool,
    /// What they say about themselves.
    #[serde(flatten)]
    pub profile: Profile,
    /// When the account was made.
    pub created_at: Timestamp,
    /// Grows with every change of the account.
    pub version: i64,
    /// Whether it may be signed in to.
    #[serde(skip)]
    pub status: StudentStatus,
    /// Who made the account.
    #[serde(skip)]
    pub origin: Origin,
}

impl Numbered for Student {
    const NAME: &'static str = "Student";
}

impl Student {
    /// The address as a parsed one.
    ///
    /// # Errors
    /// When the database holds no valid address.
    pub fn address(&self) -> Result<Email> {
        Email::parse(&self.email)
            .map_err(|message| Error::Internal(anyhow::anyhow!("students.email: {message}")))
    }
}

/// The signed-in student; a handler that takes one answers 401 to everybody else.
#[derive(Debug, Clone)]
pub struct CurrentStudent {
    /// Number of the account.
    pub id: i64,
    /// Where e-mails go.
    pub email: Email,
    /// The account.
    pub student: Arc<Student>,
    /// When it was proved in this session who it is.
    proven_at: Option<Timestamp>,
}

impl CurrentStudent {
    /// Before what asks for the password: with a second factor the password alone is no whole proof.
    ///
    /// # Errors
    /// [`Error::Unproven`] without a proof of the last ten minutes.
    fn check_before_password(&self, now: Timestamp) -> Result<()> {
        if self.student.has_second_factor { self.check_recent(now) } else { Ok(()) }
    }

    /// When it was last proved who they are, once the password was given: with a second factor that adds nothing.
    fn proof_after_password(&self, now: Timestamp) -> Option<Timestamp> {
        if self.student.has_second_factor { self.proven_at } else { Some(now) }
    }

    /// Before what leads into the account, and asks for nothing itself.
    ///
    /// # Errors
    /// As [`Self::check_before_password`].
    fn check_recent(&self, now: Timestamp) -> Result<()> {
        session::check_recent(self.proven_at, now)
    }
}

impl FromRequestParts<App> for CurrentStudent {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let current = <Self as OptionalFromRequestParts<App>>::from_request_parts(parts, app).await?;
        current.ok_or_else(Error::signed_out)
    }
}

impl OptionalFromRequestParts<App> for CurrentStudent {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>> {
        let Some(StudentSession(session)) = parts.extensions.get::<StudentSession>() else {
            return Ok(None);
        };
        let Some(id) = session::subject(session, Portal::Student, app.clock.now()).await? else {
            return Ok(None);
        };
        let found = Accounts::<Student>::find(parts, &app.db, id, store::find).await?;
        let Some(student) = found.filter(|student| student.status == StudentStatus::Active) else {
            return Ok(None);
        };
        let email = student.address()?;
        Ok(Some(Self { id, email, student, proven_at: session::proven_at(session).await? }))
    }
}

impl Caller for CurrentStudent {
    fn ways_in() -> Vec<WayIn> {
        vec![WayIn { portal: Portal::Student.as_str(), duty: None, is_recent: false }]
    }
}

form! {
    /// `POST /api/students/login`'s body.
    pub struct StudentCredentials {
        /// Address of the account.
        email: String,
        /// Its password.
        password: String,
        /// Where the account has a second factor: the code that the app shows, or a recovery code.
        code: Option<String>,
        /// In place of a code: what the browser answered for a passkey, its `id`, `clientData`,
        /// `authenticatorData` and `signature` in base64url.
        passkey: Option<BTreeMap<String, String>>,
    }
}

/// What a login needs.
struct Login {
    email: Email,
    password: String,
    second: Option<factors::Given>,
}

impl Login {
    /// The registration's rules, with a period at the end (specification, section 5).
    fn parse(form: &StudentCredentials) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let email = errors.take("email", Email::parse(form.email.text()).map_err(|m| format!("{m}.")));
        let password = match &form.password {
            Field::Value(password) if password.chars().count() >= 8 => Ok(password.clone()),
            _ => Err("Password must be at least 8 characters."),
        };
        let password = errors.take("password", password);
        let second = factors::Given::parse(&form.code, &form.passkey)?;
        let login = || Some(Self { email: email?, password: password?, second });
        errors.finish(login())
    }
}

/// `POST /api/students/login`'s answer.
#[derive(Debug, Serialize, ToSchema)]
pub struct LoggedIn {
    /// Who is signed in now.
    student: Student,
}

/// The signed-in student
#[utoipa::path(get, path = "/api/students/me", tag = "students",
    responses((status = 200, body = Student), (status = 401, body = ErrorBody)))]
async fn get_current_student(current: CurrentStudent) -> Json<Student> {
    Json(Arc::unwrap_or_clone(current.student))
}

/// Sign in to the student portal; 403 says that the address is not verified yet, 401 with the reason
/// `second_factor` that the password is right and a code is wanted, or another one
#[utoipa::path(post, path = "/api/students/login", tag = "students", request_body = StudentCredentials,
    responses((status = 200, body = LoggedIn), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody), (status = 429, response = inline(TooManyAttempts))))]
async fn log_in_student(
    _: Anybody,
    State(app): State<App>,
    client: ClientAddr,
    devices: Devices,
    device: Device,
    Extension(StudentSession(session)): Extension<StudentSession>,
    Json(credentials): Json<StudentCredentials>,
) -> Result<(Extension<Event>, Remember, Json<LoggedIn>)> {
    let Login { email, password, second } = Login::parse(&credentials)?;
    let found = app.db.read(|connection| store::find_for_login(connection, &email)).await?;
    let account = found.as_ref().map(|(student, hash)| (student.id, hash.as_str()));
    let attempt = Attempt::to_log_in(&app.limits, Portal::Student, email.as_str(), account, client, &devices);
    let matches = app.limits.verify(attempt, &password, account.map(|(_, hash)| hash)).await?;
    let Some((student, password_hash)) = found.filter(|_| matches) else {
        return Err(Error::WrongPassword("Invalid email or password"));
    };
    match student.status {
        StudentStatus::Active => {
            if student.has_second_factor {
                factors::log_in(&app, &student, &password_hash, second, &devices).await?;
            }
            session::sign_in(&session, student.id, device.as_str(), app.clock.now()).await?;
            // Whatever ended the sessions while the password was looked at did not know of this one: a new
            // password, or a second factor that was set up meanwhile.
            let now = app.db.read(|connection| store::find_for_login(connection, &email)).await?;
            let is_same = |(now, hash): (Student, String)| {
                now.id == student.id
                    && now.status == StudentStatus::Active
                    && now.has_second_factor == student.has_second_factor
                    && hashing::choice(&hash) == hashing::choice(&password_hash)
            };
            if !now.is_some_and(is_same) {
                session::sign_out(&session).await?;
                return Err(Error::WrongPassword("Invalid email or password"));
            }
            let account = Account { portal: Portal::Student, id: student.id, password_hash: &password_hash };
            let remember = app.limits.remember(&devices, account)?;
            RenewedHash { id: student.id, store: store::renew_hash }.make(
                &app,
                &password,
                &password_hash,
                client,
            );
            Ok((Extension(Event::LoginSucceeded), remember, Json(LoggedIn { student })))
        }
        StudentStatus::Unverified => Err(Error::Forbidden(
            "Please verify your email address first. We can send you a new verification link.".into(),
        )),
        StudentStatus::Suspended | StudentStatus::Closed => {
            Err(Error::Forbidden("This account is not open. Please contact the office.".into()))
        }
    }
}

/// Sign out of the student portal
#[utoipa::path(post, path = "/api/students/logout", tag = "students", responses((status = 200)))]
async fn log_out_student(
    _: Anybody,
    Extension(StudentSession(session)): Extension<StudentSession>,
) -> Result<impl IntoResponse> {
    session::sign_out(&session).await?;
    Ok(session::SIGNED_OUT)
}

/// Complete or change the profile; absent fields stay as they are once they are set. With a `version`, nothing is
/// changed once the account has another. A new address takes
/// `currentPassword`, with a second factor its recent proof, too, and counts once it is confirmed from its own
/// mailbox.
#[utoipa::path(patch, path = "/api/students/me", tag = "students", request_body = profile::ProfileForm,
    responses((status = 200, body = Student), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "The account has another version; `current` is how it is now"),
        (status = 429, response = inline(TooManyAttempts))))]
async fn update_profile(
    current: CurrentStudent,
    State(app): State<App>,
    Json(form): Json<profile::ProfileForm>,
) -> Result<Json<Student>> {
    let now = app.clock.now();
    let today = app.today();
    let config = app.config.clone();
    let seen = form.seen_version()?;
    // Every field is checked before the password is, so that all that is wrong is said at once.
    let update = profile::ProfileUpdate::parse(&form, &current.student, today)?;
    let proven = if profile::is_new_address(&update.email, &current.student) {
        current.check_before_password(now)?;
        Some(check_password(&app, current.id, form.current_password()).await?)
    } else {
        None
    };
    app.write_and_notify(move |connection| {
        // Read again inside the write: what is absent from the form stays what it is now.
        let before = store::find(connection, current.id)?.ok_or_else(Error::signed_out)?;
        if seen.is_some_and(|seen| seen != before.version) {
            let message = "Your profile was changed while you were editing it. Nothing was saved; please look at \
                what is there now.";
            return Err(Error::Moved(message.into(), Box::new(serde_json::json!(before))));
        }
        let update = profile::ProfileUpdate::parse(&form, &before, today)?;
        if profile::is_new_address(&update.email, &before)
            && !is_still(store::password_hash(connection, current.id)?.as_deref(), proven.as_deref())
        {
            return Err(Error::signed_out());
        }
        store::update_profile(connection, current.id, &update, now)?;
        let after = store::find(connection, current.id)?.ok_or_else(Error::signed_out)?;
        let changed = identity::record_changes(connection, By::Student, (&before, &after), None, &config, now)?;
        if !changed.is_empty() {
            let email = emails::identity_changed(&before.address()?, &after, &changed, &config);
            mail::outbox::enqueue(connection, &email, Cause::Student(current.id), &config, now)?;
        }
        if !form.names_email() {
            // A new address that waits for its confirmation goes on waiting.
        } else if update.email.as_str() != before.email {
            address::begin_change(connection, &config, &before, &update.email, now)?;
        } else if before.pending_email.is_some() {
            address::drop_change(connection, current.id)?;
        }
        store::find(connection, current.id)?.ok_or_else(Error::signed_out)
    })
    .await
    .map(Json)
}

/// Whether the password that was proven is still the account's.
fn is_still(now: Option<&str>, proven: Option<&str>) -> bool {
    now.zip(proven).is_some_and(|(now, proven)| hashing::choice(now) == hashing::choice(proven))
}

/// Checks the password of somebody who is signed in, which counts like a login; returns its hash, so that
/// the write can see that it is still the one.
async fn check_password(app: &App, student_id: i64, password: &str) -> Result<String> {
    let stored = app.db.read(|connection| store::password_hash(connection, student_id)).await?;
    let stored = stored.ok_or_else(Error::signed_out)?;
    let attempt = Attempt::signed_in(&app.limits, Portal::Student, student_id);
    if !app.limits.verify(attempt, password, Some(&stored)).await? {
        return Err(Error::field("currentPassword", "This is not your current password"));
    }
    Ok(stored)
}
