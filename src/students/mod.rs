//! The student portal: registration, verification, login, profile, and password recovery. [`crate::records`] is the
//! office's side.
//!
//! Promises: the same response after the same work for known and unknown addresses; only hashes of links' secrets are
//! stored; opening a verification link twice succeeds twice, because mail scanners open links, too.

pub mod account;
pub mod address;
pub mod age;
pub mod confirmations;
pub mod emails;
pub mod guardians;
pub mod history;
pub mod identity;
pub mod lacks;
pub mod links;
pub mod names;
mod number;
pub mod opening;
pub mod owner;
pub mod profile;
pub mod rejection;
pub mod requests;
pub mod status;
pub mod store;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use self::links::LinkPurpose;
use self::profile::Profile;
use self::status::{Origin, StudentStatus};
use crate::accounts::browser::Browser;
use crate::accounts::log_in::{self, Login};
use crate::accounts::second_factor::proof::FactorAnswer;
use crate::accounts::{self, SignedInOwner, password};
use crate::audit::By;
use crate::base::change::Change;
use crate::base::email::Email;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result, TooManyAttempts};
use crate::base::json::Json;
use crate::base::security_log::SecurityEvent;
use crate::mail::{self, Cause};
use crate::web::access::{AnyCaller, endpoints};
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::numbered;
use crate::web::rate_limit::device::Remember;
use crate::web::session::{self, StudentSession};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![get_current_student, update_profile, log_in_student, log_out_student]
        .merge(account::routes())
        .merge(lacks::routes())
        .merge(owner::routes())
}

/// Deletes expired links and requests, and accounts that were never verified.
pub fn sweep(connection: &Connection, now: Timestamp) -> Result<()> {
    accounts::links::sweep::<LinkPurpose>(connection, now)?;
    requests::sweep(connection, now)?;
    store::sweep_unverified(connection, now)
}

/// A student in API responses, to the student and to staff.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Student {
    /// Number of the account.
    pub id: i64,
    /// Email address, the login name.
    pub email: String,
    /// A new address pending confirmation.
    pub pending_email: Option<String>,
    /// Whether the address is confirmed.
    pub is_verified: bool,
    /// Whether a second factor is set up.
    pub has_second_factor: bool,
    /// Profile.
    #[serde(flatten)]
    pub profile: Profile,
    /// When the account was created.
    pub created_at: Timestamp,
    /// Version, incremented with every change.
    pub version: i64,
    /// State of the account.
    #[serde(skip)]
    pub status: StudentStatus,
    /// Who created the account.
    #[serde(skip)]
    pub origin: Origin,
}

numbered!(Student, "Student");

impl Student {
    /// The parsed address.
    ///
    /// # Errors
    /// When the stored address is invalid.
    pub fn address(&self) -> Result<Email> {
        Email::parse(&self.email)
            .map_err(|message| Error::Internal(anyhow::anyhow!("students.email: {message}")))
    }
}

/// The signed-in student; extraction fails with 401 for other callers.
pub type CurrentStudent = SignedInOwner<Student>;

form! {
    /// `POST /api/students/login`'s body.
    pub struct StudentCredentials {
        /// Address of the account.
        pub email: String,
        /// Its password.
        password: String,
        /// With a second factor: the code of the app, or a recovery code.
        pub code: Option<String>,
        /// Instead of a code: the passkey response with `id`, `clientData`, `authenticatorData` and `signature` in
        /// base64url.
        passkey: Option<BTreeMap<String, String>>,
    }
}

/// The registration's rules, with a period at the end (specification, section 5).
fn parse(form: &StudentCredentials) -> Result<(Email, &str, Option<FactorAnswer>), FieldErrors> {
    let mut errors = FieldErrors::default();
    let email = errors.take("email", Email::parse(form.email.text()).map_err(|m| format!("{m}.")));
    let password = match &form.password {
        Field::Value(password) if password.chars().count() >= 8 => Ok(password.as_str()),
        _ => Err("Password must be at least 8 characters."),
    };
    let password = errors.take("password", password);
    let second = FactorAnswer::parse(&form.code, &form.passkey)?;
    let login = || Some((email?, password?, second));
    errors.finish(login())
}

/// `POST /api/students/login`'s answer.
#[derive(Debug, Serialize, ToSchema)]
pub struct LoggedIn {
    /// The signed-in student.
    student: Student,
}

/// The signed-in student
#[utoipa::path(get, path = "/api/students/me", tag = "students")]
async fn get_current_student(student: CurrentStudent) -> Json<Student> {
    Json(Arc::unwrap_or_clone(student.account))
}

/// Sign in to the student portal; 403 if the address is not verified yet, 401 with the reason `second_factor` if the
/// password is right but a second factor is required or wrong
#[utoipa::path(post, path = "/api/students/login", tag = "students",
    responses((status = 401, body = ErrorBody), (status = 403, body = ErrorBody)))]
async fn log_in_student(
    _: AnyCaller,
    State(app): State<App>,
    browser: Browser<Student>,
    Json(credentials): Json<StudentCredentials>,
) -> Result<(Extension<SecurityEvent>, Remember, Json<LoggedIn>)> {
    let (student, remember) = log_in(&app, &credentials, &browser).await?;
    Ok((Extension(SecurityEvent::LoginSucceeded), remember, Json(LoggedIn { student })))
}

/// Signs a student in whose credentials are right.
pub async fn log_in(
    app: &App,
    credentials: &StudentCredentials,
    browser: &Browser<Student>,
) -> Result<(Student, Remember)> {
    let (email, password, second) = parse(credentials)?;
    let login = Login { name: email.as_str(), password, second };
    let log_in::LoggedIn { account, remember, .. } = log_in::log_in(app, login, browser).await?;
    Ok((account, remember))
}

/// Sign out of the student portal
#[utoipa::path(post, path = "/api/students/logout", tag = "students")]
async fn log_out_student(
    _: AnyCaller,
    Extension(StudentSession(session)): Extension<StudentSession>,
) -> Result<session::SignedOut> {
    session::sign_out(&session).await?;
    Ok(session::SIGNED_OUT)
}

/// Complete or change the profile; absent fields are not changed once set. With a `version`, an outdated one is
/// refused. A new address requires `currentPassword` and, with a second factor, recent authentication; it takes effect
/// once confirmed from its mailbox.
#[utoipa::path(patch, path = "/api/students/me", tag = "students",
    responses((status = 403, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "The account has another version; `current` is how \
            it is now"),
        (status = 429, response = inline(TooManyAttempts))))]
async fn update_profile(
    owner: CurrentStudent,
    State(app): State<App>,
    Json(form): Json<profile::ProfileForm>,
) -> Result<Json<Student>> {
    let now = app.clock.now();
    let today = app.today();
    let config = app.config.clone();
    let id = owner.id;
    let seen = form.seen_version()?;
    // All fields are validated before the password, so that all errors are reported at once.
    let update = profile::ProfileUpdate::parse(&form, &owner.account, today)?;
    let proven = if profile::is_new_address(&update.email, &owner.account) {
        owner.check_before_password(now)?;
        Some(password::prove::<Student>(&app, id, form.current_password(), "currentPassword").await?)
    } else {
        None
    };
    app.carry_out_and_notify(move |connection| {
        // Read again inside the write, so that absent fields keep their current values.
        let before = store::find(connection, id)?.ok_or_else(Error::signed_out)?;
        if seen.is_some_and(|seen| seen != before.version) {
            let message = "Your profile was changed while you were editing it. Your changes were not \
                saved; please review the current values.";
            return Err(Error::conflict(message, &before));
        }
        let update = profile::ProfileUpdate::parse(&form, &before, today)?;
        if profile::is_new_address(&update.email, &before) {
            proven.as_ref().ok_or_else(Error::signed_out)?.check_unchanged::<Student>(connection, id)?;
        }
        store::update_profile(connection, id, &update, now)?;
        let after = store::find(connection, id)?.ok_or_else(Error::signed_out)?;
        let change = Change { before: &before, after: &after };
        let changed = identity::record_changes(connection, By::Student, change, None, &config, now)?;
        if !changed.is_empty() {
            let email = emails::identity_changed(&before.address()?, &after, &changed, &config);
            mail::outbox::enqueue(connection, &email, Cause::Student(id), &config, now)?;
        }
        if !form.names_email() {
            // A pending new address stays pending.
        } else if update.email.as_str() != before.email {
            address::begin_change(connection, &config, &before, &update.email, now)?;
        } else if before.pending_email.is_some() {
            address::drop_change(connection, id)?;
        }
        store::find(connection, id)?.ok_or_else(Error::signed_out)
    })
    .await
}
