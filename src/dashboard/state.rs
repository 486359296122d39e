//! The one row of the `dashboard` table: what the office was told, and what it has hidden.

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;

use crate::base::error::{Error, Result};
use crate::storage::statements::{Statements, params};

/// The day at the school on which the office was last told what waits, or nothing waited; none before the first.
pub fn told_on(connection: &Connection) -> Result<Option<Date>> {
    let day: Option<String> = connection.find("select told_on from dashboard where id = 1", [])?.flatten();
    day.map(|day| day.parse().map_err(|error: jiff::Error| Error::Internal(error.into()))).transpose()
}

/// Notes that the office was told on a day.
pub fn record_notified(connection: &Connection, day: Date) -> Result<()> {
    let sql = "insert into dashboard (id, told_on) values (1, :day)
        on conflict (id) do update set told_on = excluded.told_on";
    connection.run(sql, params![day = day.to_string()])
}

/// Whether an administrator has hidden the first steps.
pub fn are_steps_hidden(connection: &Connection) -> Result<bool> {
    connection.one("select exists (select 1 from dashboard where id = 1 and steps_hidden_at is not null)", [])
}

/// Hides the first steps from a moment on, or shows them again.
pub fn hide_steps(connection: &Connection, from: Option<Timestamp>) -> Result<()> {
    let sql = "insert into dashboard (id, steps_hidden_at) values (1, :at)
        on conflict (id) do update set steps_hidden_at = excluded.steps_hidden_at";
    connection.run(sql, params![at = from.map(Timestamp::as_second)])
}
