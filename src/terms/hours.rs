//! A time of day at the school.

use std::fmt;

use jiff::Timestamp;
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::{Deserialize, Serialize, Serializer};

use crate::storage::columns::stored_as_it_is;

/// Hours and minutes in the school's zone, written `19:00`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct TimeOfDay(Time);

impl TimeOfDay {
    /// Parses `19:00`.
    pub fn parse(text: &str) -> Option<Self> {
        let (hours, minutes) = text.split_once(':')?;
        let number = |digits: &str| {
            (digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit()))
                .then(|| digits.parse::<i8>().ok())
                .flatten()
        };
        Time::new(number(hours)?, number(minutes)?, 0, 0).ok().map(Self)
    }

    /// The moment on a day. An hour that the clocks skip that day is taken as long after midnight as on other days.
    pub fn on(self, day: Date, zone: &TimeZone) -> Timestamp {
        zone.to_ambiguous_timestamp(day.to_datetime(self.0)).compatible().unwrap_or_default()
    }

    /// Hours and minutes, for calendars.
    pub fn time(self) -> Time {
        self.0
    }
}

impl TryFrom<String> for TimeOfDay {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("must be like 19:00")
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:02}:{:02}", self.0.hour(), self.0.minute())
    }
}

impl Serialize for TimeOfDay {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl ToSql for TimeOfDay {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.to_string().into())
    }
}

impl FromSql for TimeOfDay {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Self::parse(value.as_str()?).ok_or(FromSqlError::InvalidType)
    }
}

stored_as_it_is!(TimeOfDay);
