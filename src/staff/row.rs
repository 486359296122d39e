//! A staff account as administrators see it.

use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::Role;
use super::store::{self, StaffMember};
use crate::base::closed_set::closed_set;
use crate::base::error::Result;
use crate::config::Office;
use crate::web::id::numbered;
use crate::web::portal::Portal;
use crate::web::signed_in;

closed_set! {
    /// State of a staff account.
    pub enum StaffState {
        /// Can log in.
        Active = "active",
        /// Cannot log in.
        Disabled = "disabled",
    }
}

/// A staff member, as shown to administrators.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StaffRow {
    /// Id of the account.
    pub id: i64,
    /// Login name.
    pub username: String,
    /// Full name, if known.
    #[schema(required)]
    pub full_name: Option<String>,
    /// Email address.
    pub email: String,
    /// Role.
    pub role: Role,
    /// State.
    pub state: StaffState,
    /// Time of the last login with the password.
    #[schema(required)]
    pub last_login_at: Option<Timestamp>,
    /// Whether a second factor is set up.
    pub has_second_factor: bool,
    /// Whether a second factor is required but not set up.
    pub needs_second_factor: bool,
    /// Number of signed-in devices.
    pub devices: usize,
    /// When the account was created.
    pub created_at: Timestamp,
    /// Whether this is the last administrator who can log in.
    pub is_last_admin: bool,
    /// Version for optimistic locking.
    pub version: i64,
}

numbered!(StaffRow, "Member of the staff");

impl StaffRow {
    pub(super) fn new(
        connection: &Connection,
        member: StaffMember,
        office: &Office,
        now: Timestamp,
    ) -> Result<Self> {
        let StaffMember { account, is_disabled, created_at, last_login_at, version } = member;
        let is_last_admin = !is_disabled && store::is_last_admin(connection, account.id)?;
        Ok(Self {
            devices: signed_in::list(connection, Portal::Staff, account.id, None, now)?.len(),
            id: account.id,
            username: account.username,
            full_name: account.full_name,
            email: account.email,
            role: account.role,
            state: if is_disabled { StaffState::Disabled } else { StaffState::Active },
            last_login_at,
            has_second_factor: account.has_second_factor,
            needs_second_factor: !account.has_second_factor && account.role.takes_second_factor(office),
            created_at,
            is_last_admin,
            version,
        })
    }
}
