//! The states of an enrollment. Which change follows which is in [`super::rules`].

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::{Serialize, Serializer};

/// The state of an enrollment; the database and the wire use the lower-case word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Waits for the office.
    Pending,
    /// Approved, and so enrolled.
    Active,
    /// Waits for a place.
    Waitlisted,
    /// Refused by the office.
    Declined,
    /// Taken back by the student, or ended by the office.
    Withdrawn,
    /// Ended with its mark.
    Completed,
}

impl Status {
    /// Every state.
    pub const ALL: [Self; 6] =
        [Self::Pending, Self::Active, Self::Waitlisted, Self::Declined, Self::Withdrawn, Self::Completed];

    /// The word that the database and the wire use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Active => "active",
            Self::Waitlisted => "waitlisted",
            Self::Declined => "declined",
            Self::Withdrawn => "withdrawn",
            Self::Completed => "completed",
        }
    }

    /// The state of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

impl ToSql for Status {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.name().into())
    }
}

impl FromSql for Status {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let name = value.as_str()?;
        Self::parse(name).ok_or_else(|| FromSqlError::Other(format!("no enrollment is {name:?}").into()))
    }
}

impl Serialize for Status {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
