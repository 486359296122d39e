//! A colleague who works on something, what can be assigned, and the filter of a list by a colleague.

use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::store::{self, StaffMember};
use super::{Duty, Role};
use crate::base::closed_set::closed_set;
use crate::base::error::{Error, Result};
use crate::config::Office;
use crate::storage::statements::from_row;

/// A member of the staff who works on something, or can.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Colleague {
    /// Number of the account.
    pub id: i64,
    /// Its name.
    pub username: String,
}

from_row!(Colleague { id, username });

closed_set! {
    /// What can be assigned to a colleague.
    pub enum Assignable {
        /// Messages of visitors.
        Messages = "messages",
        /// Applications for a place.
        Applications = "applications",
    }
}

impl Assignable {
    /// The duty of those who act on it.
    const fn duty(self) -> Duty {
        match self {
            Self::Messages => Duty::Messages,
            Self::Applications => Duty::Enrollments,
        }
    }

    /// The message for a colleague who cannot act on it.
    const fn refusal(self) -> &'static str {
        match self {
            Self::Messages => "Choose a colleague who may answer messages, or none",
            Self::Applications => "Choose a colleague who decides about applications, or none",
        }
    }

    /// Its name in the audit trail.
    pub const fn object(self) -> &'static str {
        match self {
            Self::Messages => "message",
            Self::Applications => "application",
        }
    }

    /// Whether a role acts on it.
    pub fn is_for(self, role: Role, office: &Office) -> bool {
        role.duties(office).contains(&self.duty())
    }

    /// Whether a member of the staff can act on it: the rule for choices, assigning and handing over.
    pub fn can_be_held_by(self, member: &StaffMember, office: &Office) -> bool {
        !member.is_disabled && self.is_for(member.account.role, office)
    }
}

/// Something that a colleague works on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct HeldItem {
    /// Its number.
    pub id: i64,
    /// What the office calls it.
    pub reference: String,
    /// Whose it is.
    pub name: String,
    /// When it arrived.
    pub since: Timestamp,
}

from_row!(HeldItem { id, reference, name, since });

impl Colleague {
    /// Everyone who can act on something, by username.
    pub fn list(connection: &Connection, what: Assignable, office: &Office) -> Result<Vec<Self>> {
        Self::list_all(connection, &[what], office)
    }

    /// Everyone who can act on each of some kinds, by username.
    pub fn list_all(connection: &Connection, kinds: &[Assignable], office: &Office) -> Result<Vec<Self>> {
        let able = |member: &StaffMember| {
            !member.is_disabled && kinds.iter().all(|kind| kind.can_be_held_by(member, office))
        };
        let members = store::list_members(connection)?.into_iter().filter(able);
        Ok(members.map(|member| Self { id: member.account.id, username: member.account.username }).collect())
    }

    /// Refuses to assign something to a user who cannot act on it; `field` is that of the call.
    ///
    /// # Errors
    /// A field error.
    pub fn check(
        connection: &Connection,
        user_id: Option<i64>,
        what: Assignable,
        office: &Office,
        field: &'static str,
    ) -> Result<()> {
        let Some(user_id) = user_id else { return Ok(()) };
        let member = store::find_member_by_id(connection, user_id)?;
        if member.is_some_and(|member| what.can_be_held_by(&member, office)) {
            return Ok(());
        }
        Err(Error::field(field, what.refusal()))
    }
}

/// Assignee of the listed rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assignee {
    /// This staff member.
    Colleague(i64),
    /// Not assigned.
    None,
}

impl Assignee {
    /// Validates the parameter `assignee`: a number, `none`, or empty for all rows.
    ///
    /// # Errors
    /// A field error for anything else.
    pub fn parse(text: &str) -> Result<Option<Self>> {
        Ok(match text.trim() {
            "" => None,
            "none" => Some(Self::None),
            number => {
                let wrong = |_| Error::field("assignee", "Must be the number of a colleague, or none");
                Some(Self::Colleague(number.parse().map_err(wrong)?))
            }
        })
    }

    /// Id of the staff member.
    pub fn user_id(self) -> Option<i64> {
        match self {
            Self::Colleague(id) => Some(id),
            Self::None => None,
        }
    }
}
