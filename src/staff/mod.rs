//! Staff: login, sessions, accounts, and roles.
//!
//! The first account is created with `create-admin`, others by invitation; there is no default account.

mod access;
mod assignee;
pub mod colleagues;
pub mod context;
pub mod digest;
mod emails;
pub mod forgotten;
mod invitations;
pub mod links;
pub mod members;
mod own_email;
pub mod owner;
mod roles;
pub mod row;
pub mod store;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{OptionalFromRequestParts, State};
use axum::http::request::Parts;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use tower_sessions::session::Id;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

pub use self::access::{Staff, may};
pub use self::assignee::{Assignable, Assignee, Colleague, HeldItem};
use self::links::StaffLinkPurpose;
pub use self::roles::{Duty, Role};
pub use crate::accounts::Recent;
use crate::accounts::browser::Browser;
use crate::accounts::log_in::{self, LoggedIn, Login};
use crate::accounts::second_factor::proof::FactorAnswer;
use crate::accounts::{self, SignedInOwner};
use crate::audit::Actor;
use crate::base::closed_set::ClosedSet;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result, TextError, TooManyAttemptsText};
use crate::base::json::Json;
use crate::base::security_log::SecurityEvent;
use crate::config::Office;
use crate::web::access::{AnyCaller, endpoints};
use crate::web::app::App;
use crate::web::form::form;
use crate::web::pagination::PageRequest;
use crate::web::rate_limit::device::Remember;
use crate::web::session::{self, StaffSession};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![get_current_user, log_in_staff, log_out_staff]
        .merge(forgotten::routes())
        .merge(own_email::routes())
        .merge(owner::routes())
        .merge(digest::routes())
        .merge(colleagues::routes())
        .merge(invitations::routes())
}

/// Deletes expired links, requests and invitations.
pub fn sweep(connection: &Connection, now: Timestamp) -> Result<()> {
    accounts::links::sweep::<StaffLinkPurpose>(connection, now)?;
    forgotten::sweep(connection, now)?;
    invitations::store::sweep(connection, now)
}

/// An active staff account.
#[derive(Debug, Clone)]
pub struct StaffAccount {
    /// Id of the account.
    pub id: i64,
    /// Login name.
    pub username: String,
    /// Full name, if known.
    pub full_name: Option<String>,
    /// Email address.
    pub email: String,
    /// Role.
    pub role: Role,
    /// Whether a second factor is set up.
    pub has_second_factor: bool,
    /// Whether the weekday email about what waits is sent to the own address.
    pub digest: bool,
}

impl StaffAccount {
    /// Display name.
    pub fn name(&self) -> &str {
        self.full_name.as_deref().unwrap_or(&self.username)
    }

    /// Actor for the audit trail.
    pub fn actor(&self) -> Actor {
        Actor::staff(self.id, &self.username)
    }
}

/// A staff member in API responses.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// Id of the account.
    pub id: i64,
    /// Login name.
    pub username: String,
    /// Full name, if known.
    #[schema(required)]
    pub full_name: Option<String>,
    /// Email address.
    pub email: String,
    /// Role.
    pub role: Role,
    /// Duties of the role, so that the interface offers only permitted actions.
    #[schema(value_type = Vec<Duty>)]
    pub duties: &'static [Duty],
    /// Whether a second factor is set up.
    pub has_second_factor: bool,
    /// Whether a required second factor is not set up yet: until then only the own account is accessible.
    pub needs_second_factor: bool,
    /// Whether the weekday email about what waits is sent to the own address.
    pub digest: bool,
}

impl User {
    fn new(account: StaffAccount, office: &Office) -> Self {
        let StaffAccount { id, username, full_name, email, role, has_second_factor, digest } = account;
        let needs_second_factor = !has_second_factor && role.takes_second_factor(office);
        let duties = role.duties(office);
        Self { id, username, full_name, email, role, duties, has_second_factor, needs_second_factor, digest }
    }
}

/// The signed-in staff member; extraction fails with 401 for other callers.
#[derive(Debug, Clone)]
pub struct CurrentStaff {
    /// Id of the account.
    pub id: i64,
    /// The account.
    pub user: User,
    /// The session and its last authentication.
    pub proof: Proof,
}

/// A session and its last authentication.
#[derive(Debug, Clone, Copy)]
pub struct Proof {
    /// The session.
    pub session: Option<Id>,
    /// Time of the last authentication; `None` in sessions from before it was recorded.
    pub at: Option<Timestamp>,
}

impl CurrentStaff {
    /// Checks that the role includes the duty.
    ///
    /// # Errors
    /// [`Error::Forbidden`] otherwise.
    pub fn require(&self, duty: Duty) -> Result<()> {
        self.require_second_factor()?;
        if self.user.duties.contains(&duty) {
            Ok(())
        } else {
            Err(Error::Forbidden(format!(
                "Your role ({}) does not allow this. Please ask an administrator.",
                self.user.role.as_str()
            )))
        }
    }

    /// Checks that a required second factor is set up.
    ///
    /// # Errors
    /// [`Error::FactorMissing`] otherwise.
    pub fn require_second_factor(&self) -> Result<()> {
        if self.user.needs_second_factor { Err(Error::FactorMissing) } else { Ok(()) }
    }

    /// Checks that the caller authenticated within ten minutes.
    ///
    /// # Errors
    /// [`Error::Unproven`] otherwise.
    pub fn require_recent(&self, now: Timestamp) -> Result<()> {
        session::check_recent(self.proof.at, now)
    }

    /// Checks access to a list: exporting it requires the duty [`Duty::Exports`], a page does not.
    ///
    /// # Errors
    /// [`Error::Forbidden`] for a sheet otherwise.
    pub fn may_take(&self, page: PageRequest) -> Result<PageRequest> {
        if page.is_sheet() {
            self.require(Duty::Exports)?;
        }
        Ok(if self.user.duties.contains(&Duty::Exports) { page } else { page.paged() })
    }

    /// Actor for the audit trail.
    pub fn actor(&self) -> Actor {
        Actor::staff(self.id, &self.user.username)
    }
}

impl OptionalFromRequestParts<App> for CurrentStaff {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>> {
        let Some(owner) = SignedInOwner::<StaffAccount>::find(parts, app).await? else { return Ok(None) };
        let proof = Proof { session: owner.session.id(), at: owner.proven_at };
        let user = User::new(Arc::unwrap_or_clone(owner.account), &app.config.office);
        Ok(Some(Self { id: user.id, user, proof }))
    }
}

form! {
    /// `POST /api/login`'s body.
    pub struct StaffCredentials {
        /// Name of the account.
        pub username: String,
        /// Its password.
        password: String,
        /// With a second factor: the code of the app, or a recovery code.
        pub code: Option<String>,
        /// Instead of a code: the passkey response with `id`, `clientData`, `authenticatorData` and `signature` in
        /// base64url.
        passkey: Option<BTreeMap<String, String>>,
    }
}

/// Reports only the first problem, as the response is a line of text.
fn parse(form: &StaffCredentials) -> Result<Login<'_>, FieldErrors> {
    let name = form.username.text();
    let password = form.password.untrimmed();
    if name.is_empty() {
        return Err(FieldErrors::one("username", "Username is required"));
    }
    if password.is_empty() {
        return Err(FieldErrors::one("password", "Password is required"));
    }
    Ok(Login { name, password, second: FactorAnswer::parse(&form.code, &form.passkey)? })
}

/// The signed-in staff member
#[utoipa::path(get, path = "/api/user", tag = "staff")]
async fn get_current_user(staff: Staff<may::OwnAccount>) -> Json<User> {
    Json(staff.into_inner().user)
}

/// Sign in to the office; failures are plain text, except for an account with a second factor: the right password
/// without a right code returns 401 as JSON with the reason `second_factor`
#[utoipa::path(post, path = "/api/login", tag = "staff", request_body = StaffCredentials,
    responses((status = 400, body = String, content_type = "text/plain"),
        (status = 401, content((String = "text/plain"), (ErrorBody = "application/json"))),
        (status = 408, body = String, content_type = "text/plain"),
        (status = 413, body = String, content_type = "text/plain"),
        (status = 415, body = String, content_type = "text/plain"),
        (status = 500, body = String, content_type = "text/plain"),
        (status = 429, response = inline(TooManyAttemptsText))))]
async fn log_in_staff(
    _: AnyCaller,
    State(app): State<App>,
    browser: Browser<StaffAccount>,
    body: Result<Json<StaffCredentials>, Error>,
) -> Result<(Extension<SecurityEvent>, Remember, Json<User>), TextError> {
    let Json(credentials) = body?;
    let (account, remember) = log_in(&app, &credentials, browser).await?;
    Ok((Extension(SecurityEvent::LoginSucceeded), remember, Json(User::new(account, &app.config.office))))
}

/// Signs a member of the staff in whose credentials are right.
pub async fn log_in(
    app: &App,
    credentials: &StaffCredentials,
    browser: Browser<StaffAccount>,
) -> Result<(StaffAccount, Remember)> {
    let LoggedIn { account, remember, was_known } =
        log_in::log_in(app, parse(credentials)?, &browser).await?;
    owner::note_login(app, account.clone(), (!was_known).then_some(browser.device)).await;
    Ok((account, remember))
}

/// Sign out of the office
#[utoipa::path(post, path = "/api/logout", tag = "staff")]
async fn log_out_staff(
    _: AnyCaller,
    Extension(StaffSession(session)): Extension<StaffSession>,
) -> Result<session::SignedOut, TextError> {
    session::sign_out(&session).await?;
    Ok(session::SIGNED_OUT)
}
