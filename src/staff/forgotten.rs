//! Forgotten staff passwords: requested by username; the link goes to the account's address.
//!
//! Promises: as [`crate::web::request_queue`]. Excessive requests for another's account do not invalidate its links.

use axum::extract::State;
use jiff::Timestamp;
use rusqlite::Connection;
use utoipa_axum::router::OpenApiRouter;

use super::links::{NewLink, StaffLinkPurpose};
use super::owner::StaffMessage;
use super::{StaffAccount, emails};
use crate::accounts::AccountStore;
use crate::accounts::log_in::ask_for_link;
use crate::base::email::Email;
use crate::base::error::{Error, Result};
use crate::base::json::Json;
use crate::config::Config;
use crate::mail::{Asker, Cause, outbox};
use crate::storage::statements::{Statements, params};
use crate::web::access::{AnyCaller, endpoints};
use crate::web::app::App;
use crate::web::form::form;
use crate::web::rate_limit::ClientAddr;
use crate::web::rate_limit::device::Devices;
use crate::web::rate_limit::guesses;
use crate::web::request_queue::{GIVE_UP_AFTER, Queue};

/// The endpoint of this part.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![forgot_staff_password]
}

/// The request queue.
pub const QUEUE: Queue = Queue { waiting, settle };

form! {
    /// `POST /api/forgot-password`'s body.
    pub struct ForgottenName {
        /// Name of the account.
        pub username: String,
    }
}

/// Request a password link; the response is the same for any name
#[utoipa::path(post, path = "/api/forgot-password", tag = "staff")]
async fn forgot_staff_password(
    _: AnyCaller,
    State(app): State<App>,
    client: ClientAddr,
    devices: Devices,
    Json(form): Json<ForgottenName>,
) -> Result<Json<StaffMessage>> {
    ask_for_password(&app, &form, client, &devices).await?;
    let message = "If an account with this username exists, a link to choose a new password is on its way to its address.";
    Ok(Json(message.into()))
}

/// Records a visitor's request for a link to a new password.
pub async fn ask_for_password(
    app: &App,
    form: &ForgottenName,
    client: ClientAddr,
    devices: &Devices,
) -> Result<()> {
    let username = form.username.between(1, 64, "Username is required");
    let username = username.map_err(|message| Error::field("username", message))?;
    let link = guesses::LinkUse::ForgotStaffPassword;
    let asker =
        ask_for_link::<StaffAccount>(app, link, &username.to_ascii_lowercase(), client, devices).await?;
    let now = app.clock.now();
    app.db.write(move |connection| note(connection, &username, asker, now)).await?;
    app.request_wakeup.notify_one();
    Ok(())
}

fn note(connection: &Connection, username: &str, asker: Asker, now: Timestamp) -> Result<()> {
    let sql = "insert into staff_requests (username, asker, is_owner, created_at)
        values (:username, :asker, :is_owner, :now)";
    let values = params! {
        username, asker = asker.key, is_owner = asker.is_owner, now = now.as_second(),
    };
    connection.run(sql, values)
}

fn waiting(connection: &Connection, after: i64, limit: u32) -> Result<Vec<i64>> {
    let sql = "select id from staff_requests where id > :after order by id limit :limit";
    connection.list(sql, params![after, limit])
}

fn settle(connection: &Connection, config: &Config, id: i64, now: Timestamp) -> Result<()> {
    let sql = "delete from staff_requests where id = :id returning username, asker, is_owner";
    let Some((username, key, is_owner)) = connection.find(sql, params![id])? else { return Ok(()) };
    let username: String = username;
    let asker = Asker { key, is_owner };
    let Some((account, _)) = StaffAccount::find_for_login(connection, &username)? else { return Ok(()) };
    // The address may be invalid by newer rules.
    let Ok(to) = Email::parse(&account.email) else { return Ok(()) };
    let link = NewLink::generate(StaffLinkPurpose::ResetPassword)?;
    let message = emails::forgotten(&to, &account, &link, config);
    if outbox::enqueue(connection, &message, Cause::Visitor(asker), config, now)?.is_accepted() {
        link.keep(connection, account.id, None, now)?;
    }
    Ok(())
}

/// Deletes requests that could not be processed.
pub(super) fn sweep(connection: &Connection, now: Timestamp) -> Result<()> {
    let sql = "delete from staff_requests where created_at <= :before";
    connection.run(sql, params![before = (now - GIVE_UP_AFTER).as_second()])
}
