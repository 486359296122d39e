//! The people of the office: login, logout, who is signed in, who belongs to it, and what each role may do.
//!
//! The first account is made with `create-admin`, others by invitation; there is no default account.

mod access;
pub mod account;
mod colleagues;
mod devices;
mod emails;
pub mod forgotten;
mod invitations;
pub mod links;
pub mod members;
mod own_email;
mod roles;
mod second_factor;
mod step_up;
pub mod store;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{OptionalFromRequestParts, State};
use axum::http::request::Parts;
use axum::response::IntoResponse;
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use serde::Serialize;
use tower_sessions::session::Id;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

pub use self::access::{Recent, Staff, may};
pub use self::roles::{Duty, Role};
use crate::audit::Actor;
use crate::base::closed_set::ClosedSet;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result, TextError, TooManyAttemptsText};
use crate::base::hashing;
use crate::base::json::Json;
use crate::base::security_log::Event;
use crate::config::Office;
use crate::second_factor as factors;
use crate::web::access::{Anybody, endpoint};
use crate::web::app::App;
use crate::web::form::form;
use crate::web::pagination::PageRequest;
use crate::web::password_change::RenewedHash;
use crate::web::portal::Portal;
use crate::web::rate_limit::ClientAddr;
use crate::web::rate_limit::device::{Account as DeviceAccount, Devices, Remember};
use crate::web::rate_limit::guesses::Attempt;
use crate::web::session::{self, Accounts, StaffSession};
use crate::web::signed_in::Device;

/// How long a link to a new password works.
pub const RESET_FOR: SignedDuration = links::StaffLinkPurpose::ResetPassword.valid_for();

/// The calls of this room.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(endpoint!(get_current_user))
        .routes(endpoint!(log_in_staff))
        .routes(endpoint!(log_out_staff))
        .merge(account::routes())
        .merge(devices::routes())
        .merge(forgotten::routes())
        .merge(own_email::routes())
        .merge(second_factor::routes())
        .merge(step_up::routes())
        .merge(colleagues::routes())
        .merge(invitations::routes())
}

/// Deletes links, requests and invitations that have run out.
pub fn sweep(connection: &Connection, now: Timestamp) -> Result<()> {
    links::sweep(connection, now)?;
    forgotten::sweep(connection, now)?;
    invitations::store::sweep(connection, now)
}

/// An account of the office that may be signed in to.
#[derive(Debug, Clone)]
pub struct Account {
    /// Number of the account.
    pub id: i64,
    /// Name to log in with.
    pub username: String,
    /// Their name, where it is known.
    pub full_name: Option<String>,
    /// Where the school reaches them.
    pub email: String,
    /// What they may do.
    pub role: Role,
    /// Whether a code is wanted beside the password.
    pub has_second_factor: bool,
}

impl Account {
    /// How they are called.
    pub fn name(&self) -> &str {
        self.full_name.as_deref().unwrap_or(&self.username)
    }
}

/// A member of the staff as the wire shows them.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// Number of the account.
    pub id: i64,
    /// Name to log in with.
    pub username: String,
    /// Their name, where it is known.
    #[schema(required)]
    pub full_name: Option<String>,
    /// Where the school reaches them.
    pub email: String,
    /// What they may do.
    pub role: Role,
    /// The same, part by part, so that nothing is offered that would be refused.
    #[schema(value_type = Vec<Duty>)]
    pub duties: &'static [Duty],
    /// Whether a code is wanted beside the password.
    pub has_second_factor: bool,
    /// Whether their role takes a second factor that they have yet to set up: until then nothing but the own
    /// account is open.
    pub needs_second_factor: bool,
}

impl User {
    fn new(account: Account, office: &Office) -> Self {
        let Account { id, username, full_name, email, role, has_second_factor } = account;
        let needs_second_factor = !has_second_factor && role.takes_second_factor(office);
        let duties = role.duties(office);
        Self { id, username, full_name, email, role, duties, has_second_factor, needs_second_factor }
    }
}

/// The signed-in member of the staff; a handler that takes one answers 401 to everybody else.
#[derive(Debug, Clone)]
pub struct CurrentStaff {
    /// Number of the account.
    pub id: i64,
    /// The account.
    pub user: User,
    /// The session, and when it was proved there who it is.
    pub proof: Proof,
}

/// When it was proved in which session who somebody is.
#[derive(Debug, Clone, Copy)]
pub struct Proof {
    /// The session.
    pub session: Option<Id>,
    /// When; none where the session is older than the question.
    pub at: Option<Timestamp>,
}

impl CurrentStaff {
    /// Lets the request go on only if the role includes the duty.
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

    /// Lets the request go on only if they have the second factor that their role takes.
    ///
    /// # Errors
    /// [`Error::FactorMissing`] otherwise.
    pub fn require_second_factor(&self) -> Result<()> {
        if self.user.needs_second_factor { Err(Error::FactorMissing) } else { Ok(()) }
    }

    /// Lets the request go on only if they proved within ten minutes who they are.
    ///
    /// # Errors
    /// [`Error::Unproven`] otherwise.
    pub fn require_recent(&self, now: Timestamp) -> Result<()> {
        session::check_recent(self.proof.at, now)
    }

    /// As [`Self::require_recent`], before what asks for the password itself: with a second factor the password
    /// alone is no whole proof.
    ///
    /// # Errors
    /// [`Error::Unproven`].
    pub fn check_before_password(&self, now: Timestamp) -> Result<()> {
        if self.user.has_second_factor { self.require_recent(now) } else { Ok(()) }
    }

    /// When it was last proved who they are, once the password was given: with a second factor that adds nothing.
    pub fn proof_after_password(&self, now: Timestamp) -> Option<Timestamp> {
        if self.user.has_second_factor { self.proof.at } else { Some(now) }
    }

    /// Which part of a long list is read: the whole of it only by who may take it home, a page by
    /// everybody else.
    ///
    /// # Errors
    /// [`Error::Forbidden`] for a sheet otherwise.
    pub fn may_take(&self, page: PageRequest) -> Result<PageRequest> {
        if page.is_sheet() {
            self.require(Duty::Exports)?;
        }
        Ok(if self.user.duties.contains(&Duty::Exports) { page } else { page.paged() })
    }

    /// The name that the audit trail records.
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
        let account = Accounts::<Account>::find(parts, &app.db, id, store::find).await?;
        let proof = Proof { session: session.id(), at: session::proven_at(session).await? };
        let user = account.map(|account| User::new(Arc::unwrap_or_clone(account), &app.config.office));
        Ok(user.map(|user| Self { id, user, proof }))
    }
}

form! {
    /// `POST /api/login`'s body.
    pub struct StaffCredentials {
        /// Name of the account.
        username: String,
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
struct Login<'a> {
    username: &'a str,
    password: &'a str,
    second: Option<factors::Given>,
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
        let second = factors::Given::parse(&form.code, &form.passkey)?;
        Ok(Self { username, password, second })
    }
}

/// The signed-in member of the staff
#[utoipa::path(get, path = "/api/user", tag = "staff",
    responses((status = 200, body = User), (status = 401, body = ErrorBody)))]
async fn get_current_user(staff: Staff<may::OwnAccount>) -> Json<User> {
    Json(staff.into_inner().user)
}

/// Sign in to the office; failures are plain text, but for an account with a second factor: without a code,
/// or with a wrong one, the right password answers 401 as JSON with the reason `second_factor`
#[utoipa::path(post, path = "/api/login", tag = "staff", request_body = StaffCredentials,
    responses((status = 200, body = User), (status = 400, body = String, content_type = "text/plain"),
        (status = 401, content((String = "text/plain"), (ErrorBody = "application/json"))),
        (status = 408, body = String, content_type = "text/plain"),
        (status = 413, body = String, content_type = "text/plain"),
        (status = 415, body = String, content_type = "text/plain"),
        (status = 500, body = String, content_type = "text/plain"),
        (status = 429, response = inline(TooManyAttemptsText))))]
async fn log_in_staff(
    _: Anybody,
    State(app): State<App>,
    client: ClientAddr,
    devices: Devices,
    device: Device,
    Extension(StaffSession(session)): Extension<StaffSession>,
    body: Result<Json<StaffCredentials>, Error>,
) -> Result<(Extension<Event>, Remember, Json<User>), TextError> {
    let Json(credentials) = body?;
    let Login { username, password, second } = Login::parse(&credentials)?;
    let found = app.db.read(|connection| store::find_for_login(connection, username)).await?;
    let account = found.as_ref().map(|(user, hash)| (user.id, hash.as_str()));
    let is_known = account.is_some_and(|(id, password_hash)| {
        app.limits.knows(&devices, DeviceAccount { portal: Portal::Staff, id, password_hash })
    });
    let attempt = Attempt::to_log_in(&app.limits, Portal::Staff, username, account, client, &devices);
    let matches = app.limits.verify(attempt, password, account.map(|(_, hash)| hash)).await?;
    match found {
        Some((account, password_hash)) if matches => {
            if account.has_second_factor {
                factors::log_in(&app, &account, &password_hash, second, &devices).await?;
            }
            session::sign_in(&session, account.id, device.as_str(), app.clock.now()).await?;
            // Whatever ended the sessions while the password was looked at did not know of this one: a new
            // password, or a second factor that was set up meanwhile.
            let now = app.db.read(|connection| store::find_for_login(connection, username)).await?;
            if !now.is_some_and(|(now, hash)| {
                now.id == account.id
                    && now.has_second_factor == account.has_second_factor
                    && hashing::choice(&hash) == hashing::choice(&password_hash)
            }) {
                session::sign_out(&session).await?;
                return Err(Error::WrongPassword("Invalid username or password").into());
            }
            let noted = account.clone();
            let proven =
                DeviceAccount { portal: Portal::Staff, id: account.id, password_hash: &password_hash };
            let remember = app.limits.remember(&devices, proven)?;
            RenewedHash { id: account.id, store: store::renew_hash }.make(
                &app,
                password,
                &password_hash,
                client,
            );
            account::note_login(&app, &noted, (!is_known).then_some(device)).await;
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
) -> Result<impl IntoResponse, TextError> {
    session::sign_out(&session).await?;
    Ok(session::SIGNED_OUT)
}
