//! The second factor of a member of the staff: the endpoints of [`crate::second_factor`] in this portal.

use axum::Extension;
use axum::extract::State;
use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::account::StaffMessage;
use super::members::Personnel;
use super::store::{self, Member};
use super::{Account, Recent, Staff, emails, may};
use crate::audit::{self, Actor};
use crate::base::email::Email;
use crate::base::error::{ErrorBody, Result, TooManyAttempts};
use crate::base::json::Json;
use crate::base::security_log::Event;
use crate::config::Config;
use crate::mail::{Cause, outbox};
use crate::second_factor::passkeys::question::PasskeyQuestion;
use crate::second_factor::passkeys::store::Passkey;
use crate::second_factor::passkeys::{self, NewPasskey, PasskeyName, PasskeyWish};
use crate::second_factor::{
    self, FactorNews, FactorProof, FactorSetup, Owner, RecoveryCodes, SecondFactor, Whose,
};
use crate::web::access::endpoint;
use crate::web::app::App;
use crate::web::id::Id;
use crate::web::portal::Portal;
use crate::web::session::StaffSession;

/// The endpoints of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(endpoint!(get_second_factor))
        .routes(endpoint!(begin_second_factor))
        .routes(endpoint!(confirm_second_factor))
        .routes(endpoint!(draw_recovery_codes))
        .routes(endpoint!(turn_off_second_factor))
        .routes(endpoint!(begin_passkey))
        .routes(endpoint!(add_passkey))
        .routes(endpoint!(rename_passkey))
        .routes(endpoint!(remove_passkey))
        .routes(endpoint!(ask_passkey))
}

impl Owner for Account {
    const PORTAL: Portal = Portal::Staff;

    fn find(connection: &Connection, id: i64) -> Result<Option<Self>> {
        store::find(connection, id)
    }

    fn find_password(connection: &Connection, id: i64) -> Result<Option<String>> {
        store::find_password(connection, id)
    }

    fn id(&self) -> i64 {
        self.id
    }

    fn label(&self) -> &str {
        &self.username
    }

    fn record(&self, connection: &Connection, news: FactorNews, now: Timestamp) -> Result<()> {
        let actor = Actor::staff(self.id, &self.username);
        audit::record(connection, &actor, news.action(), "user", self.id, news.detail(), now)
    }

    fn post(&self, connection: &Connection, news: FactorNews, config: &Config, now: Timestamp) -> Result<()> {
        // An address from before a rule was tightened cannot be written to, and keeps nobody from acting.
        let Ok(to) = Email::parse(&self.email) else { return Ok(()) };
        let message = emails::second_factor(&to, self, news, config);
        outbox::enqueue(connection, &message, Cause::Office, config, now).map(drop)
    }
}

/// How the own second factor stands
#[utoipa::path(get, path = "/api/user/second-factor", tag = "staff",
    responses((status = 200, body = SecondFactor), (status = 401, body = ErrorBody)))]
async fn get_second_factor(
    staff: Staff<may::OwnAccount>,
    State(app): State<App>,
) -> Result<Json<SecondFactor>> {
    let whose = Whose { portal: Portal::Staff, id: staff.id };
    app.db.read(|connection| second_factor::read(connection, whose, &app.config)).await.map(Json)
}

/// Begin to set an authenticator app up; nothing is asked for at a login until a first code confirms it
#[utoipa::path(post, path = "/api/user/second-factor", tag = "staff",
    responses((status = 200, body = FactorSetup), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody, description = "There is a passkey: it takes a recent proof"),
        (status = 409, body = ErrorBody, description = "There is one already")))]
async fn begin_second_factor(
    staff: Staff<may::OwnAccount>,
    State(app): State<App>,
) -> Result<Json<FactorSetup>> {
    staff.check_before_password(app.clock.now())?;
    second_factor::begin::<Account>(&app, staff.id).await.map(Json)
}

/// Set the app up by its first code; every other session ends. The recovery codes are shown this once
#[utoipa::path(post, path = "/api/user/second-factor/confirm", tag = "staff", request_body = FactorProof,
    responses((status = 200, body = RecoveryCodes), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody, description = "There is a passkey: it takes a recent proof"),
        (status = 409, body = ErrorBody, description = "Nothing was begun"),
        (status = 429, response = inline(TooManyAttempts))))]
async fn confirm_second_factor(
    staff: Staff<may::OwnAccount>,
    State(app): State<App>,
    Extension(StaffSession(session)): Extension<StaffSession>,
    Json(form): Json<FactorProof>,
) -> Result<(Extension<Event>, Json<RecoveryCodes>)> {
    staff.check_before_password(app.clock.now())?;
    second_factor::confirm::<Account>(&app, staff.id, &session, &form).await
}

/// Draw ten new recovery codes; those before are worth nothing any more
#[utoipa::path(post, path = "/api/user/second-factor/recovery-codes", tag = "staff",
    request_body = FactorProof,
    responses((status = 200, body = RecoveryCodes), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 409, body = ErrorBody, description = "It is not set up"),
        (status = 429, response = inline(TooManyAttempts))))]
async fn draw_recovery_codes(
    staff: Staff<may::OwnAccount>,
    State(app): State<App>,
    Json(form): Json<FactorProof>,
) -> Result<(Extension<Event>, Json<RecoveryCodes>)> {
    second_factor::draw_recovery_codes::<Account>(&app, staff.id, &form).await
}

/// Turn the second factor off; every other session ends
#[utoipa::path(post, path = "/api/user/second-factor/turn-off", tag = "staff", request_body = FactorProof,
    responses((status = 200, body = StaffMessage), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 409, body = ErrorBody, description = "It is not set up"),
        (status = 429, response = inline(TooManyAttempts))))]
async fn turn_off_second_factor(
    staff: Staff<may::OwnAccount>,
    State(app): State<App>,
    Extension(StaffSession(session)): Extension<StaffSession>,
    Json(form): Json<FactorProof>,
) -> Result<(Extension<Event>, Json<StaffMessage>)> {
    let event = second_factor::turn_off::<Account>(&app, staff.id, &session, &form).await?;
    Ok((event, Json(StaffMessage { message: second_factor::TURNED_OFF })))
}

/// Begin to add a passkey: what the browser is to be asked for
#[utoipa::path(post, path = "/api/user/passkeys/begin", tag = "staff",
    responses((status = 200, body = PasskeyWish), (status = 401, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "The site has no name, or there are too many")))]
async fn begin_passkey(
    staff: Staff<may::OwnAccount, Recent>,
    State(app): State<App>,
) -> Result<Json<PasskeyWish>> {
    passkeys::begin::<Account>(&app, staff.id).await
}

/// Add the passkey that the browser made; the first second factor comes with recovery codes, and ends every other
/// session
#[utoipa::path(post, path = "/api/user/passkeys", tag = "staff", request_body = NewPasskey,
    responses((status = 200, body = RecoveryCodes), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 409, body = ErrorBody, description = "It does not hold, or came late")))]
async fn add_passkey(
    staff: Staff<may::OwnAccount, Recent>,
    State(app): State<App>,
    Extension(StaffSession(session)): Extension<StaffSession>,
    Json(form): Json<NewPasskey>,
) -> Result<(Extension<Event>, Json<RecoveryCodes>)> {
    passkeys::add::<Account>(&app, staff.id, &session, &form).await
}

/// Give a passkey another name
#[utoipa::path(patch, path = "/api/user/passkeys/{id}", tag = "staff", request_body = PasskeyName,
    params(("id" = i64, Path, description = "Number of the passkey")),
    responses((status = 200, body = SecondFactor), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)))]
async fn rename_passkey(
    staff: Staff<may::OwnAccount>,
    State(app): State<App>,
    Id(id, ..): Id<Passkey>,
    Json(form): Json<PasskeyName>,
) -> Result<Json<SecondFactor>> {
    passkeys::rename::<Account>(&app, staff.id, id, &form).await
}

/// Remove a passkey; with the last second factor the recovery codes go, and every other session ends
#[utoipa::path(delete, path = "/api/user/passkeys/{id}", tag = "staff",
    params(("id" = i64, Path, description = "Number of the passkey")),
    responses((status = 200, body = SecondFactor), (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody)))]
async fn remove_passkey(
    staff: Staff<may::OwnAccount, Recent>,
    State(app): State<App>,
    Extension(StaffSession(session)): Extension<StaffSession>,
    Id(id, ..): Id<Passkey>,
) -> Result<(Extension<Event>, Json<SecondFactor>)> {
    passkeys::remove::<Account>(&app, staff.id, &session, id).await
}

/// What to ask the own passkeys, before a proof by one of them
#[utoipa::path(post, path = "/api/user/passkeys/ask", tag = "staff",
    responses((status = 200, body = PasskeyQuestion), (status = 401, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "There is none")))]
async fn ask_passkey(staff: Staff<may::OwnAccount>, State(app): State<App>) -> Result<Json<PasskeyQuestion>> {
    passkeys::ask_signed_in::<Account>(&app, staff.id).await
}

impl Personnel<'_> {
    /// Takes somebody's second factor away, and ends their sessions. Returns how many; none where there was
    /// no second factor.
    pub fn reset_second_factor(&self, member: &Member) -> Result<Option<usize>> {
        let account = &member.account;
        let ended = second_factor::reset(self.connection, account, self.config, self.now)?;
        if let Some(sessions) = ended {
            self.record(FactorNews::Reset.action(), account.id, json!({ "sessions": sessions }))?;
        }
        Ok(ended)
    }
}
