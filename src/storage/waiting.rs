//! Counts of items that wait for the office. Each room counts its own; `dashboard` lists them.

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, Params};
use serde::Serialize;

use crate::base::clock::from_seconds;
use crate::base::error::Result;
use crate::storage::columns::stored_as_it_is;
use crate::storage::statements::{Statements, from_row};

/// Waiting items of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waits {
    /// Number of items.
    pub count: i64,
    /// Since when the oldest waits; `None` if there are none.
    pub oldest: Option<Since>,
}

/// An instant in Unix seconds, or a calendar date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Since {
    /// An instant.
    At(Timestamp),
    /// A date at the school.
    On(Date),
}

impl FromSql for Since {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match value {
            ValueRef::Integer(seconds) => Ok(Self::At(from_seconds(seconds))),
            text => {
                let day = text.as_str()?.parse();
                day.map(Self::On).map_err(|error: jiff::Error| FromSqlError::Other(error.into()))
            }
        }
    }
}

stored_as_it_is!(Since);
from_row!(Waits { count, oldest });

impl Waits {
    /// Runs a statement that selects `count` and `oldest`.
    ///
    /// # Errors
    /// Database errors.
    pub fn read(connection: &Connection, sql: &str, parameters: impl Params) -> Result<Self> {
        connection.one(sql, parameters)
    }
}
