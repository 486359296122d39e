//! Change of the own email address: requested with the password, confirmed from the new mailbox. Both mailboxes are
//! notified.

use axum::extract::State;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::links::{NewLink, StaffLinkPurpose};
use super::owner::StaffMessage;
use super::{StaffAccount, emails, store};
use crate::accounts::links::{self, LinkPolicy};
use crate::accounts::{AccountStore, SignedInOwner, password};
use crate::audit;
use crate::base::email::Email;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result, TooManyAttempts};
use crate::base::json::Json;
use crate::config::Config;
use crate::mail::{Cause, outbox};
use crate::web::access::{AnyCaller, endpoints};
use crate::web::app::App;
use crate::web::form::form;
use crate::web::rate_limit::ClientAddr;

const CONFIRMING: LinkPolicy<StaffLinkPurpose> = LinkPolicy {
    purposes: &[StaffLinkPurpose::ChangeEmail],
    dead: "This link has expired or was used already. Your address is changed on your account page, by a new link.",
};

/// The endpoints of this part.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![change_staff_email, confirm_staff_email]
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

/// Request a change of the own email address, which is confirmed by a link sent to it
#[utoipa::path(post, path = "/api/user/email", tag = "staff",
    responses((status = 403, body = ErrorBody), (status = 429, response = inline(TooManyAttempts))))]
async fn change_staff_email(
    owner: SignedInOwner<StaffAccount>,
    State(app): State<App>,
    Json(form): Json<StaffEmailChange>,
) -> Result<Json<StaffMessage>> {
    owner.check_before_password(app.clock.now())?;
    let (new, current) = parse(&form)?;
    let id = owner.account.id;
    let proven = password::prove::<StaffAccount>(&app, id, &current, "current").await?;
    let now = app.clock.now();
    let config = app.config.clone();
    app.write_and_notify(move |connection| {
        proven.check_unchanged::<StaffAccount>(connection, id)?;
        let account = StaffAccount::find(connection, id)?.ok_or_else(Error::signed_out)?;
        check_free(connection, &new, Some(id))?;
        if new.as_str() == account.email {
            return Err(Error::field("email", "This is your address already"));
        }
        let config: &Config = &config;
        let link = NewLink::generate(StaffLinkPurpose::ChangeEmail)?;
        let message = emails::confirm_new_email(&new, &link, config);
        outbox::enqueue(connection, &message, Cause::Office, config, now)?;
        links::end(connection, id, StaffLinkPurpose::ChangeEmail)?;
        link.keep(connection, id, &new, now)?;
        account.write(connection, |old| emails::email_change_begun(old, &account, config), config, now)?;
        audit::record(connection, &account.actor(), "ask to change email", "user", id, json!({}), now)
    })
    .await?;
    let message = "Please open the link that is on its way to your new address. Until then nothing changes.";
    Ok(Json(message.into()))
}

fn parse(form: &StaffEmailChange) -> Result<(Email, String), FieldErrors> {
    let mut errors = FieldErrors::default();
    let email = errors.take("email", Email::parse(form.email.text()));
    let current = errors.take("current", password::current(&form.current));
    let parsed = || Some((email?, current?));
    errors.finish(parsed())
}

/// Refuses an address used by another staff member.
///
/// # Errors
/// A field error.
pub(super) fn check_free(connection: &Connection, email: &Email, but_for: Option<i64>) -> Result<()> {
    if store::has_email(connection, email, but_for)? {
        return Err(Error::field("email", "Another staff member has this address already"));
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

/// Confirm a new address with the link sent to it, once
#[utoipa::path(post, path = "/api/confirm-email", tag = "staff", responses((status = 404, body = ErrorBody)))]
async fn confirm_staff_email(
    _: AnyCaller,
    State(app): State<App>,
    client: ClientAddr,
    Json(form): Json<StaffLinkToken>,
) -> Result<Json<StaffMessage>> {
    let token = CONFIRMING.live_token::<StaffAccount>(&app, form.token.text(), client).await?;
    let now = app.clock.now();
    let config = app.config.clone();
    app.write_and_notify(move |connection| {
        let (link, account) = CONFIRMING.open::<StaffAccount>(connection, &token, now)?;
        let new = Email::parse(&link.email).map_err(|_| CONFIRMING.refusal())?;
        check_free(connection, &new, Some(account.id))?;
        move_to(connection, &account, &new, &config, now)?;
        store::count_change(connection, account.id)?;
        let detail = json!({ "from": account.email, "to": new.as_str() });
        audit::record(connection, &account.actor(), "change email", "user", account.id, detail, now)
    })
    .await?;
    Ok(Json("Your new address is confirmed.".into()))
}

/// Changes the address of an account and notifies both. Links sent to the old one become invalid.
pub(super) fn move_to(
    connection: &Connection,
    account: &StaffAccount,
    new: &Email,
    config: &Config,
    now: jiff::Timestamp,
) -> Result<()> {
    store::set_details(connection, account.id, account.full_name.as_deref(), new.as_str())?;
    links::end_all::<StaffLinkPurpose>(connection, account.id)?;
    let old = Email::parse(&account.email).ok();
    for to in old.iter().chain([new]) {
        let message = emails::email_changed(to, account, new, config);
        outbox::enqueue(connection, &message, Cause::Office, config, now)?;
    }
    Ok(())
}
