//! Getting back in: a new password, by a link that the command line made.
//!
//! Nobody can ask for such a link in a browser: the office is few people, and whoever has the
//! machine knows them. Absent until its own issue: inviting colleagues.

use axum::extract::State;
use axum::{Extension, Json};
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::{Account, emails, store};
use crate::audit::{self, Actor};
use crate::base::email::Email;
use crate::base::error::{Error, ErrorBody, Result, TooManyAttempts};
use crate::base::random::{self, Token};
use crate::config::Config;
use crate::mail::{self, Cause};
use crate::web::access::{Anybody, endpoint};
use crate::web::app::App;
use crate::web::form::Json as JsonBody;
use crate::web::password_change::PasswordReset;
use crate::web::rate_limit::ClientAddr;
use crate::web::rate_limit::device::{Account as DeviceAccount, Devices, Remember};
use crate::web::rate_limit::guesses::Link;
use crate::web::session::{self, Portal, StaffSession};

/// Said of a link that opens nothing.
const DEAD_LINK: &str = "This link has expired or was used already. Please ask for a new one.";

/// How long a link works.
pub const RESET_FOR: SignedDuration = SignedDuration::from_hours(1);

/// The calls of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(endpoint!(reset_staff_password))
}

/// A sentence for the member of the staff.
#[derive(Debug, Serialize, ToSchema)]
pub struct StaffMessage {
    pub(super) message: &'static str,
}

/// Choose a new password by the link's token, once; every other session ends
#[utoipa::path(post, path = "/api/reset-password", tag = "staff", request_body = PasswordReset,
    responses((status = 200, body = StaffMessage), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 429, response = inline(TooManyAttempts))))]
async fn reset_staff_password(
    _: Anybody,
    State(app): State<App>,
    client: ClientAddr,
    devices: Devices,
    Extension(StaffSession(session)): Extension<StaffSession>,
    JsonBody(form): JsonBody<PasswordReset>,
) -> Result<(Remember, Json<StaffMessage>)> {
    let password = form.parse(&[&app.config.school.name])?;
    let (token, now) = (random::hash(form.token()), app.clock.now());
    let lives = move |connection: &Connection| Ok(store::find_by_token(connection, &token, now)?.is_some());
    app.limits.use_link(Link::UseStaff, client, DEAD_LINK, lives).await?;
    let new_hash = app.passwords.hash(&password, client.lane()).await?;
    let config = app.config.clone();
    let before = session::subject(&session, Portal::Staff, now).await?;
    let password_hash = new_hash.clone();
    let user_id = app
        .write_and_post(move |connection| {
            let user = store::find_by_token(connection, &token, now)?
                .ok_or_else(|| Error::NotFound(DEAD_LINK.into()))?;
            password.check_own(&[&user.username, &user.email])?;
            replace_password(connection, user.id, &new_hash)?;
            let actor = Actor::staff(user.id, &user.username);
            audit::record(
                connection,
                &actor,
                "change_password",
                "user",
                user.id,
                serde_json::json!({}),
                now,
            )?;
            notify_owner(connection, &user, How::ByLink, &config, now)?;
            Ok(user.id)
        })
        .await?;
    session::renew(&session, before, user_id, now).await;
    // Whoever has the link gets in, even while others guess at the account.
    let account = DeviceAccount { portal: Portal::Staff, id: user_id, password_hash: &password_hash };
    let remember = app.limits.remember(&devices, account)?;
    Ok((remember, Json(StaffMessage { message: "Your password has been changed. You can now log in." })))
}

/// Gives a member of the staff a new password and ends whatever was opened under the old one: every
/// link, every session. The browser that asked goes on by [`session::renew`].
pub fn replace_password(connection: &Connection, user_id: i64, hash: &str) -> Result<()> {
    store::set_password(connection, user_id, hash)?;
    end_everything(connection, user_id).map(drop)
}

/// Ends every link and every session of a member of the staff. Returns how many sessions.
pub fn end_everything(connection: &Connection, user_id: i64) -> Result<usize> {
    store::delete_tokens(connection, user_id)?;
    session::end_all(connection, Portal::Staff, user_id)
}

/// Makes a link to a new password and returns it; every earlier link of the account dies.
pub fn make_reset_link(
    connection: &Connection,
    config: &Config,
    user: &Account,
    now: Timestamp,
) -> Result<String> {
    let token = Token::draw()?;
    store::delete_tokens(connection, user.id)?;
    store::insert_token(connection, &token.hash(), user.id, now, now + RESET_FOR)?;
    Ok(format!("{}/admin/reset-password/{}", config.public_url(), token.as_str()))
}

/// How a password was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// By a link from the command line.
    ByLink,
    /// By somebody who was signed in and knew the one before.
    SignedIn,
}

/// Tells the owner of a new password by e-mail.
pub(super) fn notify_owner(
    connection: &Connection,
    user: &Account,
    how: How,
    config: &Config,
    now: Timestamp,
) -> Result<()> {
    // An address from before a rule was tightened must not keep its owner out.
    let Ok(to) = Email::parse(&user.email) else { return Ok(()) };
    let message = emails::password_changed(&to, &user.username, how, config);
    mail::outbox::enqueue(connection, &message, Cause::Office, config, now).map(drop)
}
