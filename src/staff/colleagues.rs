//! Management of staff accounts by administrators; those that move work are in `handover`.
//!
//! Promises: the acting administrator is checked again inside the write, since two administrators may change each other
//! at the same time; no one can change their own role or disable their own account.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::links::{NewLink, StaffLinkPurpose};
use super::members::StaffAccounts;
use super::row::StaffRow;
use super::store::{self, StaffMember};
use super::{Duty, Recent, Role, Staff, StaffAccount, emails, may, own_email};
use crate::accounts::{AccountStore, links};
use crate::audit::Actor;
use crate::base::closed_set::ClosedSet;
use crate::base::email::Email;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::base::security_log::SecurityEvent;
use crate::config::Config;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::{Id, Numbered};

/// The endpoints of this part.
pub fn routes() -> OpenApiRouter<App> {
    endpoints! {
        list_staff, list_roles, enable_staff, end_staff_sessions,
        send_staff_password_link, reset_second_factor,
    }
}

/// All staff, by username
#[utoipa::path(get, path = "/api/admin/staff", tag = "staff")]
async fn list_staff(_: Staff<may::Staff>, State(app): State<App>) -> Result<Json<Vec<StaffRow>>> {
    let now = app.clock.now();
    let office = &app.config.office;
    let read = |connection: &Connection| {
        let members = store::list_members(connection)?;
        members.into_iter().map(|member| StaffRow::new(connection, member, office, now)).collect()
    };
    app.db.read(read).await.map(Json)
}

/// Description of a role.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RoleWords {
    role: Role,
    /// Title.
    title: &'static str,
    /// Permissions, a phrase each.
    may: Vec<&'static str>,
}

/// Descriptions of the roles
#[utoipa::path(get, path = "/api/admin/staff/roles", tag = "staff")]
async fn list_roles(_: Staff<may::Staff>, State(app): State<App>) -> Json<Vec<RoleWords>> {
    let office = &app.config.office;
    let words = |role: &Role| RoleWords { role: *role, title: role.label(), may: role.explained(office) };
    Json(Role::ALL.iter().map(words).collect())
}

/// An administrator's action on a staff account, executed after checking that the administrator still may.
pub struct AdminAction {
    staff_id: i64,
    actor: Actor,
    config: Arc<Config>,
    now: Timestamp,
}

impl AdminAction {
    /// Executes it on a staff member and returns the updated row.
    ///
    /// # Errors
    /// 404 when there is no such account; those of the action.
    pub async fn carry_out<F>(
        staff: &Staff<may::Staff, Recent>,
        app: &App,
        id: i64,
        work: F,
    ) -> Result<Json<StaffRow>>
    where
        F: FnOnce(&StaffAccounts<'_>, &StaffMember, &Self) -> Result<()> + Send + 'static,
    {
        let config = app.config.clone();
        let now = app.clock.now();
        let action = Self { staff_id: staff.id, actor: staff.actor(), config, now };
        app.carry_out_and_notify(move |connection| {
            let Self { staff_id, actor, config, .. } = &action;
            check_still_may(connection, *staff_id, config)?;
            let member = store::find_member_by_id(connection, id)?.ok_or_else(StaffRow::not_found)?;
            work(&StaffAccounts { connection, config, actor, now }, &member, &action)?;
            let member = store::find_member_by_id(connection, id)?.ok_or_else(StaffRow::not_found)?;
            StaffRow::new(connection, member, &config.office, now)
        })
        .await
    }

    /// Refuses actions on the own account.
    ///
    /// # Errors
    /// [`Error::Conflict`] with the row.
    pub fn check_other(
        &self,
        accounts: &StaffAccounts<'_>,
        member: &StaffMember,
        message: &str,
    ) -> Result<()> {
        if member.account.id == self.staff_id {
            return Err(accounts.conflict(member, message));
        }
        Ok(())
    }
}

/// Checks that the caller is still an administrator, which another one may have changed.
///
/// # Errors
/// As for a request after such a change.
pub(super) fn check_still_may(connection: &Connection, staff_id: i64, config: &Config) -> Result<()> {
    let account = StaffAccount::find(connection, staff_id)?.ok_or_else(Error::signed_out)?;
    if account.role.duties(&config.office).contains(&Duty::Staff) {
        return Ok(());
    }
    Err(Error::Forbidden("Your role was changed just now, and does not allow this any more.".into()))
}

form! {
    /// `PATCH /api/admin/staff/{id}`'s body; absent fields are not changed.
    pub struct StaffChange {
        /// New role.
        role: Option<Role>,
        /// 2 to 100 characters.
        full_name: Option<String>,
        /// Email address.
        email: Option<String>,
        /// Version of the row when it was read.
        version: i64,
        /// Number of the colleague who takes over work that the new role does not allow; null or absent for none.
        #[schema(required = false)]
        pub hand_over_to: Option<i64>,
    }
}

/// A validated change.
pub struct CheckedChange {
    role: Option<Role>,
    full_name: Option<String>,
    email: Option<Email>,
    version: i64,
}

/// Validates a staff member's name.
pub(super) fn full_name(field: &Field<String>) -> Result<String, String> {
    field.person(1, 100, "Full name is required")
}

impl CheckedChange {
    /// Validates a change.
    ///
    /// # Errors
    /// Field errors.
    pub fn parse(form: &StaffChange) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let role = form.role.is_sent().then(|| errors.take("role", form.role.one_of())).flatten();
        let full_name =
            form.full_name.is_sent().then(|| errors.take("fullName", full_name(&form.full_name))).flatten();
        let email =
            form.email.is_sent().then(|| errors.take("email", Email::parse(form.email.text()))).flatten();
        let version = match form.version {
            Field::Value(version) => Ok(version),
            _ => Err("The version of the row is required"),
        };
        let version = errors.take("version", version);
        let change = version.map(|version| Self { role, full_name, email, version });
        errors.finish(change)
    }

    /// Changes the account.
    ///
    /// # Errors
    /// [`Error::Conflict`] for the last administrator, the own account, or a row that was changed since.
    pub fn apply(
        &self,
        accounts: &StaffAccounts<'_>,
        member: &StaffMember,
        action: &AdminAction,
    ) -> Result<()> {
        let connection = accounts.connection;
        let account = &member.account;
        if self.version != member.version {
            let message = "This account was changed while you were editing it. Your changes were not saved; \
                please review the current values.";
            return Err(accounts.conflict(member, message));
        }
        let email = self.email.as_ref().filter(|email| email.as_str() != account.email);
        let name = self.full_name.as_deref().filter(|name| Some(*name) != account.full_name.as_deref());
        if let Some(role) = self.role.filter(|role| *role != account.role) {
            action.check_other(
                accounts,
                member,
                "You cannot change your own role. Another administrator can.",
            )?;
            accounts.set_role(member, role)?;
        }
        if let Some(name) = name {
            store::set_details(connection, account.id, Some(name), &account.email)?;
            let detail = json!({ "fullName": { "from": account.full_name, "to": name } });
            accounts.record("update", account.id, detail)?;
        }
        if let Some(email) = email {
            let message = "Your own address is changed on your account page, and confirmed by a link.";
            action.check_other(accounts, member, message)?;
            own_email::check_free(connection, email, Some(account.id))?;
            // The name may have just been changed.
            let account = StaffAccount {
                full_name: name.map(str::to_owned).or_else(|| account.full_name.clone()),
                ..account.clone()
            };
            own_email::move_to(connection, &account, email, accounts.config, action.now)?;
            let detail = json!({ "from": account.email, "to": email.as_str() });
            accounts.record("change email", account.id, detail)?;
        }
        Ok(())
    }
}

/// Enable a colleague's account, with its previous password; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/staff/{id}/enable", tag = "staff")]
async fn enable_staff(
    staff: Staff<may::Staff, Recent>,
    State(app): State<App>,
    Id(id, ..): Id<StaffRow>,
) -> Result<Json<StaffRow>> {
    AdminAction::carry_out(&staff, &app, id, |accounts, member, _| accounts.enable(member).map(drop)).await
}

/// End all sessions of a colleague
#[utoipa::path(post, path = "/api/admin/staff/{id}/end-sessions", tag = "staff")]
async fn end_staff_sessions(
    staff: Staff<may::Staff, Recent>,
    State(app): State<App>,
    Id(id, ..): Id<StaffRow>,
) -> Result<Json<StaffRow>> {
    AdminAction::carry_out(&staff, &app, id, |accounts, member, _| accounts.end_sessions(member).map(drop))
        .await
}

/// Send a colleague a link to choose a new password
#[utoipa::path(post, path = "/api/admin/staff/{id}/send-password-link", tag = "staff",
    responses((status = 409, body = ErrorBody)))]
async fn send_staff_password_link(
    staff: Staff<may::Staff, Recent>,
    State(app): State<App>,
    Id(id, ..): Id<StaffRow>,
) -> Result<Json<StaffRow>> {
    AdminAction::carry_out(&staff, &app, id, |accounts, member, action| {
        let account = &member.account;
        if member.is_disabled {
            return Err(accounts.conflict(member, "This account is disabled. Enable it first."));
        }
        let link = NewLink::generate(StaffLinkPurpose::ResetPassword)?;
        links::end(accounts.connection, account.id, StaffLinkPurpose::ResetPassword)?;
        link.keep(accounts.connection, account.id, None, action.now)?;
        accounts
            .queue_email(&account.email, |to| emails::password_link(to, account, &link, accounts.config))?;
        accounts.record("send password link", account.id, json!({}))
    })
    .await
}

/// Reset a colleague's lost second factor: ends every session, and the password alone is enough until a new one is set
/// up; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/staff/{id}/reset-second-factor", tag = "staff",
    responses((status = 409, body = ErrorBody)))]
async fn reset_second_factor(
    staff: Staff<may::Staff, Recent>,
    State(app): State<App>,
    Id(id, ..): Id<StaffRow>,
) -> Result<(Extension<SecurityEvent>, Json<StaffRow>)> {
    let row = AdminAction::carry_out(&staff, &app, id, |accounts, member, action| {
        action.check_other(accounts, member, "Your own second factor is turned off on your account page.")?;
        accounts.reset_second_factor(member).map(drop)
    });
    Ok((Extension(SecurityEvent::FactorReset), row.await?))
}
