//! The people of the office: login, logout, who is signed in, and what each role may do.
//!
//! Accounts are made with `create-admin`; there is no default account. Absent until its own issue:
//! managing staff in the browser.

mod access;
pub mod account;
mod devices;
mod emails;
pub mod members;
pub mod store;

use axum::Extension;
use axum::Json;
use axum::extract::{OptionalFromRequestParts, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

pub use self::access::{Staff, may};
use crate::audit::Actor;
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::{Error, FieldErrors, Result, TextError, TooManyAttemptsText};
use crate::base::security_log::Event;
use crate::config::Office;
use crate::web::access::{Anybody, endpoint};
use crate::web::app::App;
use crate::web::form::{Json as JsonBody, form};
use crate::web::rate_limit::ClientAddr;
use crate::web::rate_limit::device::{Account as DeviceAccount, Devices, Remember};
use crate::web::rate_limit::guesses::Attempt;
use crate::web::session::{self, Portal, StaffSession};
use crate::web::signed_in::Device;

/// The calls of this room.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(endpoint!(get_current_user))
        .routes(endpoint!(log_in_staff))
        .routes(endpoint!(log_out_staff))
        .merge(account::routes())
        .merge(devices::routes())
}

closed_set! {
    /// What a member of the staff may do.
    #[derive(clap::ValueEnum)]
    pub enum Role {
        /// Everything.
        Admin = "admin",
        /// Students, documents, enrollments, admissions, messages, marks.
        Registrar = "registrar",
        /// Money.
        Bursar = "bursar",
        /// Reads.
        Viewer = "viewer",
    }
}

impl Role {
    /// What the role includes: the one list that [`CurrentStaff::require`] and the wire read.
    pub fn duties(self, office: &Office) -> &'static [Duty] {
        use Duty::{Admissions, Courses, Documents, Enrollments, Mail, Messages, Money};
        match self {
            Self::Admin => &[Courses, Enrollments, Admissions, Documents, Messages, Mail, Money],
            Self::Registrar => &[Courses, Enrollments, Admissions, Documents, Messages, Mail],
            Self::Bursar => &[Money],
            Self::Viewer if office.viewer_opens_documents => &[Admissions, Documents],
            Self::Viewer => &[Admissions],
        }
    }
}

closed_set! {
    /// A part of the work that a role may or may not do. What needs none is open to every role: the
    /// catalogue, the requests that wait with the names and addresses of their students, and the totals.
    pub enum Duty {
        /// Changing the catalogue.
        Courses = "courses",
        /// Deciding about enrollments.
        Enrollments = "enrollments",
        /// Reading what families wrote who ask for a place.
        Admissions = "admissions",
        /// Looking into the documents of students.
        Documents = "documents",
        /// Reading and working through what visitors wrote.
        Messages = "messages",
        /// Reading to whom the school wrote, and sending again what did not arrive.
        Mail = "mail",
        /// Charging fees.
        Money = "money",
    }
}

/// An account of the office that may be signed in to.
#[derive(Debug, Clone)]
pub struct Account {
    /// Number of the account.
    pub id: i64,
    /// Name to log in with.
    pub username: String,
    /// Where the school reaches them.
    pub email: String,
    /// What they may do.
    pub role: Role,
}

/// A member of the staff as the wire shows them.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct User {
    /// Number of the account.
    pub id: i64,
    /// Name to log in with.
    pub username: String,
    /// Where the school reaches them.
    pub email: String,
    /// What they may do.
    pub role: Role,
    /// The same, part by part, so that nothing is offered that would be refused.
    #[schema(value_type = Vec<Duty>)]
    pub duties: &'static [Duty],
}

impl User {
    fn new(account: Account, office: &Office) -> Self {
        let Account { id, username, email, role } = account;
        Self { id, username, email, role, duties: role.duties(office) }
    }
}

/// The signed-in member of the staff; a handler that takes one answers 401 to everybody else.
#[derive(Debug, Clone)]
pub struct CurrentStaff {
    /// Number of the account.
    pub id: i64,
    /// The account.
    pub user: User,
}

impl CurrentStaff {
    /// Lets the request go on only if the role includes the duty.
    ///
    /// # Errors
    /// [`Error::Forbidden`] otherwise.
    pub fn require(&self, duty: Duty) -> Result<()> {
        if self.user.duties.contains(&duty) {
            Ok(())
        } else {
            Err(Error::Forbidden(format!(
                "Your role ({}) does not allow this. Please ask an administrator.",
                self.user.role.as_str()
            )))
        }
    }

    /// The name under which this person's deeds are recorded.
    pub fn actor(&self) -> Actor {
        Actor::staff(self.id, &self.user.username)
    }
}

impl OptionalFromRequestParts<App> for CurrentStaff {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>> {
        let Some(StaffSession(session)) = parts.extensions.get::<StaffSession>() else {
            return Ok(None);
        };
        let Some(id) = session::subject(session, Portal::Staff, app.clock.now()).await? else {
            return Ok(None);
        };
        let user = app.db.read(|connection| store::find(connection, id)).await?;
        Ok(user.map(|account| Self { id, user: User::new(account, &app.config.office) }))
    }
}

form! {
    /// `POST /api/login`'s body.
    pub struct StaffCredentials {
        /// Name of the account.
        username: String,
        /// Its password.
        password: String,
    }
}

/// What a login needs.
struct Login<'a> {
    username: &'a str,
    password: &'a str,
}

impl<'a> Login<'a> {
    /// Names the first broken rule alone: the answer is a line of text.
    fn parse(form: &'a StaffCredentials) -> Result<Self, FieldErrors> {
        let (username, password) = (form.username.text(), form.password.untrimmed());
        if username.is_empty() {
            return Err(FieldErrors::one("username", "Username is required"));
        }
        if password.is_empty() {
            return Err(FieldErrors::one("password", "Password is required"));
        }
        Ok(Self { username, password })
    }
}

/// The signed-in member of the staff
#[utoipa::path(get, path = "/api/user", tag = "staff",
    responses((status = 200, body = User), (status = 401, body = crate::base::error::ErrorBody)))]
async fn get_current_user(staff: Staff<may::AnyRole>) -> Json<User> {
    Json(staff.into_inner().user)
}

/// Sign in to the office; failures are plain text
#[utoipa::path(post, path = "/api/login", tag = "staff", request_body = StaffCredentials,
    responses((status = 200, body = User), (status = 400, body = String, content_type = "text/plain"),
        (status = 401, body = String, content_type = "text/plain"),
        (status = 429, response = inline(TooManyAttemptsText))))]
async fn log_in_staff(
    _: Anybody,
    State(app): State<App>,
    client: ClientAddr,
    devices: Devices,
    device: Device,
    Extension(StaffSession(session)): Extension<StaffSession>,
    body: Result<JsonBody<StaffCredentials>, Error>,
) -> Result<(Extension<Event>, Remember, Json<User>), TextError> {
    let JsonBody(credentials) = body?;
    let Login { username, password } = Login::parse(&credentials)?;
    let found = app.db.read(|connection| store::find_for_login(connection, username)).await?;
    let account = found.as_ref().map(|(user, hash)| (user.id, hash.as_str()));
    let attempt = Attempt::to_log_in(&app.limits, Portal::Staff, username, account, client, &devices);
    let matches = app.limits.verify(attempt, password, account.map(|(_, hash)| hash)).await?;
    match found {
        Some((account, password_hash)) if matches => {
            session::sign_in(&session, account.id, device.as_str(), app.clock.now()).await?;
            // Whatever ended the sessions while the password was looked at did not know of this one.
            let now = app.db.read(|connection| store::find_for_login(connection, username)).await?;
            if !now.is_some_and(|(now, hash)| now.id == account.id && hash == password_hash) {
                session::sign_out(&session).await?;
                return Err(Error::WrongPassword("Invalid username or password").into());
            }
            let proven =
                DeviceAccount { portal: Portal::Staff, id: account.id, password_hash: &password_hash };
            let remember = app.limits.remember(&devices, proven)?;
            Ok((Extension(Event::LoginSucceeded), remember, Json(User::new(account, &app.config.office))))
        }
        _ => Err(Error::WrongPassword("Invalid username or password").into()),
    }
}

/// Sign out of the office
#[utoipa::path(post, path = "/api/logout", tag = "staff", responses((status = 200)))]
async fn log_out_staff(
    _: Anybody,
    Extension(StaffSession(session)): Extension<StaffSession>,
) -> Result<StatusCode, TextError> {
    session::sign_out(&session).await?;
    Ok(StatusCode::OK)
}
