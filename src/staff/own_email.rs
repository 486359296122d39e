//! A member of the staff moves to another address: asked for with the password, confirmed from the new
//! mailbox. Both mailboxes hear of it.

use axum::extract::State;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::account::StaffMessage;
use super::links::{self, NewLink, StaffLinkPurpose};
use super::{Account, Staff, emails, may, store};
use crate::audit::{self, Actor};
use crate::base::email::Email;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result, TooManyAttempts};
use crate::base::hashing;
use crate::base::json::Json;
use crate::base::random;
use crate::config::Config;
use crate::mail::{Cause, outbox};
use crate::web::access::{Anybody, endpoint};
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::portal::Portal;
use crate::web::rate_limit::ClientAddr;
use crate::web::rate_limit::guesses::{Attempt, Link};

const DEAD_LINK: &str =
    "This link has expired or was used already. Your address is changed on your account page, by a new link.";

/// The endpoints of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(endpoint!(change_staff_email)).routes(endpoint!(confirm_staff_email))
}

form! {
    /// `POST /api/user/email`'s body.
    pub struct StaffEmailChange {
        /// The new address.
        email: String,
        /// The password of the account.
        current: String,
    }
}

/// Ask to move to another address; it holds once it is confirmed by the link that goes there
#[utoipa::path(post, path = "/api/user/email", tag = "staff", request_body = StaffEmailChange,
    responses((status = 200, body = StaffMessage), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 429, response = inline(TooManyAttempts))))]
async fn change_staff_email(
    staff: Staff<may::OwnAccount>,
    State(app): State<App>,
    Json(form): Json<StaffEmailChange>,
) -> Result<Json<StaffMessage>> {
    staff.check_before_password(app.clock.now())?;
    let (new, current) = parse(&form)?;
    let id = staff.id;
    let stored = app.db.read(|connection| store::find_password(connection, id)).await?;
    let attempt = Attempt::signed_in(&app.limits, Portal::Staff, id);
    let stored = stored.ok_or_else(Error::signed_out)?;
    if !app.limits.verify(attempt, &current, Some(&stored)).await? {
        return Err(Error::field("current", "This is not your current password"));
    }
    let (now, config, actor) = (app.clock.now(), app.config.clone(), staff.actor());
    app.write_and_notify(move |connection| {
        // Whoever chose a new password while this one was looked at has shut its holder out.
        let now_stored = store::find_password(connection, id)?;
        if now_stored.as_deref().map(hashing::choice) != Some(hashing::choice(&stored)) {
            return Err(Error::signed_out());
        }
        let account = store::find(connection, id)?.ok_or_else(Error::signed_out)?;
        check_free(connection, &new, Some(id))?;
        if new.as_str() == account.email {
            return Err(Error::field("email", "This is your address already"));
        }
        let config: &Config = &config;
        let link = NewLink::draw(StaffLinkPurpose::ChangeEmail)?;
        let message = emails::confirm_new_email(&new, &link, config);
        outbox::enqueue(connection, &message, Cause::Office, config, now)?;
        links::end(connection, id, StaffLinkPurpose::ChangeEmail)?;
        link.keep(connection, id, Some(new.as_str()), now)?;
        if let Ok(old) = Email::parse(&account.email) {
            let message = emails::email_change_begun(&old, &account, config);
            outbox::enqueue(connection, &message, Cause::Office, config, now)?;
        }
        audit::record(connection, &actor, "ask to change email", "user", id, json!({}), now)
    })
    .await?;
    let message = "Please open the link that is on its way to your new address. Until then nothing changes.";
    Ok(Json(StaffMessage { message }))
}

fn parse(form: &StaffEmailChange) -> Result<(Email, String), FieldErrors> {
    let mut errors = FieldErrors::default();
    let email = errors.take("email", Email::parse(form.email.text()));
    let current = match &form.current {
        Field::Value(current) if !current.is_empty() => Ok(current.clone()),
        _ => Err("Current password is required"),
    };
    let current = errors.take("current", current);
    let parsed = || Some((email?, current?));
    errors.finish(parsed())
}

/// Refuses an address that somebody else of the office has.
///
/// # Errors
/// A field error.
pub(super) fn check_free(connection: &Connection, email: &Email, but_for: Option<i64>) -> Result<()> {
    if store::has_email(connection, email, but_for)? {
        return Err(Error::field("email", "Somebody of the staff has this address already"));
    }
    Ok(())
}

form! {
    /// `POST /api/confirm-email`'s body.
    pub struct StaffLinkToken {
        /// The last segment of the link.
        token: String,
    }
}

/// Confirm a new address by the link that went there, once
#[utoipa::path(post, path = "/api/confirm-email", tag = "staff", request_body = StaffLinkToken,
    responses((status = 200, body = StaffMessage), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 429, response = inline(TooManyAttempts))))]
async fn confirm_staff_email(
    _: Anybody,
    State(app): State<App>,
    client: ClientAddr,
    Json(form): Json<StaffLinkToken>,
) -> Result<Json<StaffMessage>> {
    let (token, now) = (random::hash(form.token.text()), app.clock.now());
    let find =
        move |connection: &Connection| links::find(connection, &token, StaffLinkPurpose::ChangeEmail, now);
    let lives = move |connection: &Connection| Ok(find(connection)?.is_some());
    app.limits.use_link(Link::UseStaff, client, DEAD_LINK, lives).await?;
    let config = app.config.clone();
    app.write_and_notify(move |connection| {
        let dead = || Error::NotFound(DEAD_LINK.into());
        let link = find(connection)?.ok_or_else(dead)?;
        let new = link.email.and_then(|email| Email::parse(&email).ok()).ok_or_else(dead)?;
        check_free(connection, &new, Some(link.account.id))?;
        let actor = Actor::staff(link.account.id, &link.account.username);
        move_to(connection, &link.account, &new, &config, now)?;
        store::count_change(connection, link.account.id)?;
        let detail = json!({ "from": link.account.email, "to": new.as_str() });
        audit::record(connection, &actor, "change email", "user", link.account.id, detail, now)
    })
    .await?;
    Ok(Json(StaffMessage { message: "Your new address is confirmed." }))
}

/// Gives an account another address, and tells both. Links that went to the old one are worth nothing from
/// now on.
pub(super) fn move_to(
    connection: &Connection,
    account: &Account,
    new: &Email,
    config: &Config,
    now: jiff::Timestamp,
) -> Result<()> {
    store::set_details(connection, account.id, account.full_name.as_deref(), new.as_str())?;
    links::end_all(connection, account.id)?;
    let old = Email::parse(&account.email).ok();
    for to in old.iter().chain([new]) {
        let message = emails::email_changed(to, account, new, config);
        outbox::enqueue(connection, &message, Cause::Office, config, now)?;
    }
    Ok(())
}
