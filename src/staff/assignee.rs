//! A colleague who works on something, and the filter of a list by one.

use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::Duty;
use super::store::{self, StaffMember};
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

impl Colleague {
    /// Everyone who has a duty, by username.
    pub fn list(connection: &Connection, duty: Duty, office: &Office) -> Result<Vec<Self>> {
        let members = store::list_members(connection)?.into_iter();
        let able = members.filter(|member| has(member, duty, office));
        Ok(able.map(|member| Self { id: member.account.id, username: member.account.username }).collect())
    }

    /// Refuses to assign something to a user who does not have the duty for it; `words` is the message.
    ///
    /// # Errors
    /// A field error.
    pub fn check(
        connection: &Connection,
        user_id: Option<i64>,
        duty: Duty,
        office: &Office,
        words: &str,
    ) -> Result<()> {
        let Some(user_id) = user_id else { return Ok(()) };
        let member = store::find_member_by_id(connection, user_id)?;
        if member.is_some_and(|member| has(&member, duty, office)) {
            return Ok(());
        }
        Err(Error::field("userId", words))
    }
}

fn has(member: &StaffMember, duty: Duty, office: &Office) -> bool {
    !member.is_disabled && member.account.role.duties(office).contains(&duty)
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
