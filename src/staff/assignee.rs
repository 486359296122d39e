//! A colleague who works on something, and the filter of a list by one.

use serde::Serialize;
use utoipa::ToSchema;

use crate::base::error::{Error, Result};
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
