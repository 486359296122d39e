//! Getting in: what follows a login, and a new password by a link.

use axum::Extension;
use axum::extract::State;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::emails::{self, How};
use super::links::{self, NewLink, StaffLinkPurpose};
use super::{Account, store};
use crate::audit::{self, Actor};
use crate::base::email::Email;
use crate::base::error::{Error, ErrorBody, Result, TooManyAttempts};
use crate::base::json::Json;
use crate::base::random;
use crate::config::Config;
use crate::mail::{self, Cause};
use crate::web::access::{Anybody, endpoint};
use crate::web::app::App;
use crate::web::password_change::PasswordReset;
use crate::web::portal::Portal;
use crate::web::rate_limit::ClientAddr;
use crate::web::rate_limit::device::{Account as DeviceAccount, Devices, Remember};
use crate::web::rate_limit::guesses::Link;
use crate::web::session::{self, StaffSession};
use crate::web::signed_in::Device;

/// Said of a link that opens nothing.
const DEAD_LINK: &str = "This link has expired or was used already. Please ask for a new one.";

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
    Json(form): Json<PasswordReset>,
) -> Result<(Remember, Json<StaffMessage>)> {
    let password = form.parse(&app.config.known_names(&app.config.school(), &[]))?;
    let (token, now) = (random::hash(form.token()), app.clock.now());
    let find =
        move |connection: &Connection| links::find(connection, &token, StaffLinkPurpose::ResetPassword, now);
    let lives = move |connection: &Connection| Ok(find(connection)?.is_some());
    app.limits.use_link(Link::UseStaff, client, DEAD_LINK, lives).await?;
    let new_hash = app.passwords.hash(&password, client.lane()).await?;
    let config = app.config.clone();
    let before = session::subject(&session, Portal::Staff, now).await?;
    let password_hash = new_hash.clone();
    let user_id = app
        .write_and_notify(move |connection| {
            let user = find(connection)?.ok_or_else(|| Error::NotFound(DEAD_LINK.into()))?.account;
            password.check_own(&[&user.username, &user.email, user.name()])?;
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
    let before_link = session.id();
    session::renew(&session, before, user_id, None, now).await;
    app.limits.openings.go_on(before_link, session.id());
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
    links::end_all(connection, user_id)?;
    session::end_all(connection, Portal::Staff, user_id)
}

/// Makes a link to a new password and returns it; every earlier link of the account dies.
pub fn make_reset_link(
    connection: &Connection,
    config: &Config,
    user: &Account,
    now: Timestamp,
) -> Result<String> {
    links::end_all(connection, user.id)?;
    let link = NewLink::draw(StaffLinkPurpose::ResetPassword)?;
    link.keep(connection, user.id, None, now)?;
    Ok(link.url(config))
}

/// Notes a login that succeeded, and tells the owner of a `new` device. What cannot be noted keeps nobody
/// out.
pub(super) async fn note_login(app: &App, account: &Account, new: Option<Device>) {
    let (now, config, account) = (app.clock.now(), app.config.clone(), account.clone());
    let noted = app
        .write_and_notify(move |connection| {
            let before = store::note_login(connection, account.id, now)?;
            let Some(device) = new.filter(|_| before.is_some()) else { return Ok(()) };
            let Ok(to) = Email::parse(&account.email) else { return Ok(()) };
            let message = emails::new_device(&to, &account, device.as_str(), &config);
            mail::outbox::enqueue(connection, &message, Cause::Office, &config, now).map(drop)
        })
        .await;
    if let Err(error) = noted {
        tracing::warn!("a login was not noted: {error:?}");
    }
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
    let message = emails::password_changed(&to, user, how, config);
    mail::outbox::enqueue(connection, &message, Cause::Office, config, now).map(drop)
}
