//! The filter of a list by the colleague that its rows are assigned to.

use crate::base::error::{Error, Result};

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
