//! Password changes: by a signed-in owner with the current password, which a thief of an open browser does not know;
//! and by a link.

use axum::extract::State;
use jiff::Timestamp;
use rusqlite::Connection;

use super::browser::Browser;
use super::caller::SignedInOwner;
use super::links;
use super::owner::{Owner, PasswordChangedBy};
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::hashing;
use crate::base::json::Json;
use crate::base::password::{Password, normal};
use crate::web::access::AnyCaller;
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::rate_limit::ClientAddr;
use crate::web::rate_limit::device::{DeviceAccount, Remember};
use crate::web::rate_limit::guesses::Attempt;
use crate::web::session;

form! {
    /// `POST /api/user/password`'s and `POST /api/students/password`'s body.
    pub struct PasswordChange {
        /// Current password.
        current: String,
        /// New password.
        password: String,
        /// Confirmation of the new password.
        confirm_password: String,
    }
}

/// A validated change; [`prove`] verifies the current password.
struct NewPassword {
    current: String,
    password: Password,
}

impl NewPassword {
    /// Validates the form. `own` as for [`Password::parse`].
    fn parse(form: &PasswordChange, own: &[&str]) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let current = errors.take("current", current(&form.current));
        let password = Password::parse_confirmed(&form.password, &form.confirm_password, own, &mut errors);
        if let (Some(current), Some(password)) = (&current, &password)
            && password.expose() == normal(current)
        {
            errors.add("password", "Choose a password that differs from your current one");
        }
        let new = || Some(Self { current: current?, password: password? });
        errors.finish(new())
    }
}

/// The current password from a form.
///
/// # Errors
/// A message for its field.
pub fn current(field: &Field<String>) -> Result<String, &'static str> {
    match field {
        Field::Value(current) if !current.is_empty() => Ok(current.clone()),
        _ => Err("Current password is required"),
    }
}

/// The stored hash of a password that was just verified.
pub struct ProvenPassword(String);

/// Verifies the current password of a signed-in owner; counts like a login.
///
/// # Errors
/// A field error when it is wrong, [`Error::HeldUp`] after too many attempts, [`Error::signed_out`] if the account was
/// closed meanwhile.
pub async fn prove<O: Owner>(
    app: &App,
    id: i64,
    current: &str,
    field: &'static str,
) -> Result<ProvenPassword> {
    let stored = app.db.read(|connection| O::find_password(connection, id)).await?;
    let stored = stored.ok_or_else(Error::signed_out)?;
    let attempt = Attempt::signed_in(&app.limits, O::PORTAL, id);
    if !app.limits.verify(attempt, current, Some(&stored)).await? {
        return Err(Error::field(field, "This is not your current password"));
    }
    Ok(ProvenPassword(stored))
}

impl ProvenPassword {
    /// Checks inside the write that the password is still current.
    ///
    /// # Errors
    /// [`Error::signed_out`] otherwise.
    pub fn check_unchanged<O: Owner>(&self, connection: &Connection, id: i64) -> Result<()> {
        let now = O::find_password(connection, id)?;
        if now.as_deref().map(hashing::choice) == Some(hashing::choice(&self.0)) {
            Ok(())
        } else {
            Err(Error::signed_out())
        }
    }
}

/// Change the own password; ends every other session, link and pending change of address. Requires recent
/// authentication if there is a second factor
#[utoipa::path(post, path = "/password", responses((status = 403, body = ErrorBody)))]
pub async fn change_password<O: Owner>(
    owner: SignedInOwner<O>,
    State(app): State<App>,
    client: ClientAddr,
    Json(form): Json<PasswordChange>,
) -> Result<Json<O::Message>> {
    owner.check_before_password(app.clock.now())?;
    let names = owner.names();
    let new = NewPassword::parse(&form, &app.config.known_names(&app.config.school(), &names))?;
    let id = owner.id();
    prove::<O>(&app, id, &new.current, "current").await?;
    let hash = app.passwords.hash(&new.password, client.lane()).await?;
    let now = app.clock.now();
    let config = app.config.clone();
    app.write_and_notify(move |connection| {
        // Read again inside the write, in case the account was closed meanwhile.
        let account = O::find(connection, id)?.ok_or_else(Error::signed_out)?;
        replace::<O>(connection, id, &hash, now)?;
        account.password_changed(connection, PasswordChangedBy::Owner, &config, now)
    })
    .await?;
    session::renew(&owner.session, Some(id), id, owner.proof_after_password(now), now).await;
    Ok(Json("Your password has been changed. Every other device was logged out.".into()))
}

/// Sets a new password and ends every link and session. The current browser continues by [`session::renew`].
pub fn replace<O: Owner>(connection: &Connection, id: i64, hash: &str, now: Timestamp) -> Result<()> {
    O::set_password(connection, id, hash, now)?;
    end_everything::<O>(connection, id).map(drop)
}

/// Ends every link and session of an account. Returns the number of sessions.
pub fn end_everything<O: Owner>(connection: &Connection, id: i64) -> Result<usize> {
    links::end_all::<O::Purpose>(connection, id)?;
    session::end_all(connection, O::PORTAL, id)
}

form! {
    /// `POST /api/reset-password`'s and `POST /api/students/reset-password`'s body.
    pub struct PasswordReset {
        /// The last segment of the link.
        pub token: String,
        /// The new password.
        password: String,
        /// Confirmation of the new password.
        confirm_password: String,
    }
}

/// Choose a new password with the link's token, once; ends every other session
#[utoipa::path(post, path = "/reset-password", responses((status = 404, body = ErrorBody)))]
pub async fn reset_password<O: Owner>(
    _: AnyCaller,
    State(app): State<App>,
    browser: Browser<O>,
    Json(form): Json<PasswordReset>,
) -> Result<(Remember, Json<O::Message>)> {
    let remember = reset(&app, &browser, &form).await?;
    Ok((remember, Json("Your password has been changed. You can now log in.".into())))
}

/// Gives the account of a link a new password, and makes the browser known for it.
///
/// # Errors
/// [`LinkPolicy::refusal`](links::LinkPolicy::refusal) for a link that opens nothing.
pub async fn reset<O: Owner>(app: &App, browser: &Browser<O>, form: &PasswordReset) -> Result<Remember> {
    let Browser { client, devices, session, .. } = browser;
    let mut errors = FieldErrors::default();
    let school = app.config.school();
    let password = &form.password;
    // The account is not known yet; its names are checked in the write.
    let names = app.config.known_names(&school, &[]);
    let password = Password::parse_confirmed(password, &form.confirm_password, &names, &mut errors);
    let password = errors.finish(password)?;
    let token = O::RESETTING.live_token::<O>(app, form.token.text(), *client).await?;
    let hash = app.passwords.hash(&password, client.lane()).await?;
    let now = app.clock.now();
    let config = app.config.clone();
    let before = session::subject(session, O::PORTAL, now).await?;
    let password_hash = hash.clone();
    let id = app
        .write_and_notify(move |connection| {
            let (link, account) = O::RESETTING.open::<O>(connection, &token, now)?;
            if !account.may_reset_by(&link) {
                return Err(O::RESETTING.refusal());
            }
            password.check_own(&account.names())?;
            replace::<O>(connection, account.id(), &hash, now)?;
            account.password_changed(connection, PasswordChangedBy::Link, &config, now)?;
            Ok(account.id())
        })
        .await?;
    let before_link = session.id();
    session::renew(session, before, id, None, now).await;
    app.limits.openings.go_on(before_link, session.id());
    // The owner of the mailbox can log in, even while others guess the password.
    app.limits.remember(devices, DeviceAccount { portal: O::PORTAL, id, password_hash: &password_hash })
}
