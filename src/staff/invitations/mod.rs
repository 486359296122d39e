//! Invitations of colleagues by email, who create their own accounts.
//!
//! Promises: viewing a link does not consume it; an invalid link explains why and what to do; the invitations of an
//! administrator who loses the role are cancelled.

pub(super) mod store;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use self::store::{
    Invitation, NewInvitation, accept, find, find_by_token, find_unanswered, insert, is_invited, list_open,
    renew, withdraw,
};
use super::colleagues::{self, check_still_may};
use super::members::check_username;
use super::owner::StaffMessage;
use super::store::{self as accounts, NewUser};
use super::{Recent, Role, Staff, emails, may, own_email};
use crate::audit::{self, Actor};
use crate::base::email::Email;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::base::password::Password;
use crate::base::random::{self, Token};
use crate::config::Config;
use crate::mail::{Cause, outbox};
use crate::web::access::{AnyCaller, endpoints};
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::{Id, Numbered};
use crate::web::rate_limit::ClientAddr;
use crate::web::rate_limit::guesses::LinkUse;

const UNKNOWN: &str = "This link is not valid. If you were sent more than one invitation, please use the newest \
    one; otherwise ask the administrator who invited you to send it again.";

/// The endpoints of this part.
pub fn routes() -> OpenApiRouter<App> {
    endpoints! {
        list_staff_invitations, invite_staff, resend_staff_invitation, withdraw_staff_invitation,
        get_staff_invitation, accept_staff_invitation,
    }
}

/// Open invitations, newest first
#[utoipa::path(get, path = "/api/admin/staff/invitations", tag = "staff",
    responses((status = 200, body = Vec<Invitation>)))]
async fn list_staff_invitations(
    _: Staff<may::Staff>,
    State(app): State<App>,
) -> Result<Json<Vec<Invitation>>> {
    app.db.read(list_open).await.map(Json)
}

form! {
    /// `POST /api/admin/staff/invitations`'s body.
    pub struct StaffInvitationForm {
        /// Email address.
        email: String,
        /// 2 to 100 characters.
        full_name: String,
        /// Role.
        role: Role,
    }
}

impl NewInvitation {
    fn parse(form: &StaffInvitationForm) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let email = errors.take("email", Email::parse(form.email.text()));
        let full_name = errors.take("fullName", colleagues::full_name(&form.full_name));
        let role = errors.take("role", form.role.one_of());
        let new = || Some(Self { email: email?, full_name: full_name?, role: role? });
        errors.finish(new())
    }
}

/// Invite a colleague; the link in the email works for 72 hours
#[utoipa::path(post, path = "/api/admin/staff/invitations", tag = "staff")]
async fn invite_staff(
    staff: Staff<may::Staff, Recent>,
    State(app): State<App>,
    Json(form): Json<StaffInvitationForm>,
) -> Result<(StatusCode, Json<Invitation>)> {
    let new = NewInvitation::parse(&form)?;
    let now = app.clock.now();
    let config = app.config.clone();
    let invitation = app
        .write_and_notify(move |connection| {
            check_still_may(connection, staff.id, &config)?;
            own_email::check_free(connection, &new.email, None)?;
            if is_invited(connection, &new.email)? {
                let message = "This address was invited already. Send that invitation again, or withdraw it.";
                return Err(Error::field("email", message));
            }
            let token = Token::generate()?;
            let id = insert(connection, &new, staff.id, &token, now)?;
            let detail = json!({ "email": new.email.as_str(), "role": new.role });
            audit::record(connection, &staff.actor(), "invite", "invitation", id, detail, now)?;
            send(connection, &config, id, &token, now)
        })
        .await?;
    Ok((StatusCode::CREATED, Json(invitation)))
}

/// Resend an invitation with a new link; the previous one becomes invalid
#[utoipa::path(post, path = "/api/admin/staff/invitations/{id}/resend", tag = "staff",
    responses((status = 409, body = ErrorBody)))]
async fn resend_staff_invitation(
    staff: Staff<may::Staff, Recent>,
    State(app): State<App>,
    Id(id, ..): Id<Invitation>,
) -> Result<Json<Invitation>> {
    let now = app.clock.now();
    let config = app.config.clone();
    app.carry_out_and_notify(move |connection| {
        check_still_may(connection, staff.id, &config)?;
        find_unanswered(connection, id)?;
        let token = Token::generate()?;
        renew(connection, id, staff.id, &token, now)?;
        audit::record(connection, &staff.actor(), "resend", "invitation", id, json!({}), now)?;
        send(connection, &config, id, &token, now)
    })
    .await
}

/// Withdraw an invitation: its link becomes invalid; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/staff/invitations/{id}/withdraw", tag = "staff",
    responses((status = 409, body = ErrorBody)))]
async fn withdraw_staff_invitation(
    staff: Staff<may::Staff>,
    State(app): State<App>,
    Id(id, ..): Id<Invitation>,
) -> Result<StatusCode> {
    let now = app.clock.now();
    let config = app.config.clone();
    app.db
        .write(move |connection| {
            check_still_may(connection, staff.id, &config)?;
            let invitation = find(connection, id)?.ok_or_else(Invitation::not_found)?;
            if invitation.is_withdrawn {
                return Ok(StatusCode::NO_CONTENT);
            }
            let invitation = find_unanswered(connection, id)?;
            withdraw(connection, id, now)?;
            let detail = json!({ "email": invitation.email });
            audit::record(connection, &staff.actor(), "withdraw", "invitation", id, detail, now)?;
            Ok(StatusCode::NO_CONTENT)
        })
        .await
}

/// A valid invitation, by its link; viewing it does not consume it
#[utoipa::path(get, path = "/api/staff/invitations/{token}", tag = "staff",
    params(("token" = String, Path, description = "Last segment of the link")))]
async fn get_staff_invitation(
    _: AnyCaller,
    State(app): State<App>,
    client: ClientAddr,
    Path(token): Path<String>,
) -> Result<Json<Invitation>> {
    live(&app, &token, client).await.map(Json)
}

form! {
    /// `POST /api/staff/invitations/{token}`'s body.
    pub struct StaffAcceptance {
        /// Login name: 1 to 64 letters (a to z), digits or `. _ -`.
        username: String,
        /// Password.
        password: String,
        /// Confirmation of the password.
        confirm_password: Option<String>,
    }
}

/// Accept an invitation, once: creates the account
#[utoipa::path(post, path = "/api/staff/invitations/{token}", tag = "staff",
    params(("token" = String, Path, description = "Last segment of the link")))]
async fn accept_staff_invitation(
    _: AnyCaller,
    State(app): State<App>,
    client: ClientAddr,
    Path(token): Path<String>,
    Json(form): Json<StaffAcceptance>,
) -> Result<(StatusCode, Json<StaffMessage>)> {
    let invitation = live(&app, &token, client).await?;
    let (username, password) = parse(&form, &app.config, &invitation)?;
    let password_hash = app.passwords.hash(&password, client.lane()).await?;
    let now = app.clock.now();
    let hash = random::hash(&token);
    app.db
        .write(move |connection| {
            let invitation = find_by_token(connection, &hash)?.ok_or_else(unknown)?;
            refuse_dead(&invitation, now)?;
            let email = Email::parse(&invitation.email).map_err(|_| unknown())?;
            let role = invitation.role;
            let new = NewUser { username: &username, email: &email, password_hash: &password_hash, role };
            let id = accounts::insert(connection, &new, now)?;
            accounts::set_details(connection, id, Some(&invitation.full_name), email.as_str())?;
            accept(connection, invitation.id, now)?;
            let actor = Actor::staff(id, &username);
            let detail = json!({ "role": role, "invitation": invitation.id });
            audit::record(connection, &actor, "accept invitation", "user", id, detail, now)
        })
        .await?;
    let message = "Your account is ready. You can now log in.";
    Ok((StatusCode::CREATED, Json(message.into())))
}

fn parse(
    form: &StaffAcceptance,
    config: &Config,
    invitation: &Invitation,
) -> Result<(String, Password), FieldErrors> {
    let mut errors = FieldErrors::default();
    let username = form.username.text();
    let checked = if username.is_empty() {
        Err("Username is required".to_owned())
    } else {
        check_username(username).map(|()| username.to_owned()).map_err(|rule| format!("Username {rule}"))
    };
    let username = errors.take("username", checked);
    // The confirmation is optional, for API clients.
    let repeated =
        if let Field::Absent = form.confirm_password { &form.password } else { &form.confirm_password };
    let school = config.school();
    let own = config.known_names(&school, &[form.username.text(), &invitation.email, &invitation.full_name]);
    let password = Password::parse_confirmed(&form.password, repeated, &own, &mut errors);
    let parsed = || Some((username?, password?));
    errors.finish(parsed())
}

/// The invitation of a valid link. An unknown token counts as a guess.
async fn live(app: &App, token: &str, client: ClientAddr) -> Result<Invitation> {
    let hash = random::hash(token);
    let now = app.clock.now();
    if let Some(invitation) = app.db.read(|connection| find_by_token(connection, &hash)).await? {
        refuse_dead(&invitation, now)?;
        return Ok(invitation);
    }
    app.limits.use_link(LinkUse::UseStaff, client, UNKNOWN, |_| Ok(false)).await?;
    Err(unknown())
}

fn refuse_dead(invitation: &Invitation, now: Timestamp) -> Result<()> {
    invitation.dead_because(now).map_or(Ok(()), |message| Err(Error::NotFound(message)))
}

fn unknown() -> Error {
    Error::NotFound(UNKNOWN.into())
}

/// Queues the email with the link, and returns the updated invitation.
fn send(
    connection: &Connection,
    config: &Config,
    id: i64,
    token: &Token,
    now: Timestamp,
) -> Result<Invitation> {
    let invitation = find_unanswered(connection, id)?;
    let to = Email::parse(&invitation.email).map_err(|_| {
        Error::conflict("This email address is no longer valid. Withdraw the invitation.", &invitation)
    })?;
    let url = format!("{}/admin/invitation/{}", config.public_url(), token.as_str());
    let message = emails::invitation(&to, &invitation, &url, config);
    outbox::enqueue(connection, &message, Cause::Office, config, now)?;
    Ok(invitation)
}
