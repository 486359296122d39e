//! The `upkeep` table: one row per task.

use anyhow::anyhow;
use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::Value;

use super::TaskName;
use crate::base::closed_set::ClosedSet;
use crate::base::error::{Error, Result};
use crate::storage::columns::Columns;
use crate::storage::statements::{FromRow, Statements, params};

/// Last outcome of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastRun {
    /// When it was first due.
    pub since: Timestamp,
    /// Time of the last attempt.
    pub tried_at: Option<Timestamp>,
    /// Time of the last success.
    pub succeeded_at: Option<Timestamp>,
    /// Why the last attempt failed; `None` after a success.
    pub failure: Option<String>,
    /// Displayed detail of the last success: file, size, counts.
    pub detail: Value,
    /// When the administrators were last warned.
    pub alerted_at: Option<Timestamp>,
}

impl LastRun {
    fn instants(&self) -> impl Iterator<Item = Timestamp> {
        [Some(self.since), self.tried_at, self.succeeded_at, self.alerted_at].into_iter().flatten()
    }
}

/// Last outcome of a task; `None` before its first check.
pub fn last(connection: &Connection, task: TaskName) -> Result<Option<LastRun>> {
    let sql =
        "select since, tried_at, succeeded_at, failure, detail, alerted_at from upkeep where task = :task";
    connection.find(sql, params![task])
}

/// As [`last`], creating the row if necessary, from when the task is due.
///
/// Timestamps in the future come from a wrong clock and are dropped: otherwise nothing would be due for years.
pub(super) fn begin(connection: &Connection, task: TaskName, now: Timestamp) -> Result<LastRun> {
    if let Some(last) = last(connection, task)?.filter(|last| last.instants().all(|at| at <= now)) {
        return Ok(last);
    }
    let sql = "insert into upkeep (task, since) values (:task, :now)
        on conflict (task) do update set since = min(since, :now),
            tried_at = iif(tried_at > :now, null, tried_at),
            succeeded_at = iif(succeeded_at > :now, null, succeeded_at),
            alerted_at = iif(alerted_at > :now, null, alerted_at)";
    connection.run(sql, params![task, now = now.as_second()])?;
    last(connection, task)?.ok_or_else(|| Error::Internal(anyhow!("the row of {} is gone", task.as_str())))
}

impl FromRow for LastRun {
    fn read(row: &Columns<'_, '_>) -> rusqlite::Result<Self> {
        let detail: String = row.read("detail")?;
        Ok(LastRun {
            since: row.read("since")?,
            tried_at: row.read("tried_at")?,
            succeeded_at: row.read("succeeded_at")?,
            failure: row.read("failure")?,
            detail: serde_json::from_str(&detail).unwrap_or_default(),
            alerted_at: row.read("alerted_at")?,
        })
    }
}

/// Records a success; a pending all-clear is kept.
pub fn succeeded(connection: &Connection, task: TaskName, detail: &Value, now: Timestamp) -> Result<()> {
    let sql = "insert into upkeep (task, since, tried_at, succeeded_at, detail)
        values (:task, :now, :now, :now, :detail)
        on conflict (task) do update set tried_at = :now, succeeded_at = :now, failure = null,
            detail = :detail";
    connection.run(sql, params![task, now = now.as_second(), detail = detail.to_string()])
}

/// Records a failure and its reason.
pub fn failed(connection: &Connection, task: TaskName, reason: &str, now: Timestamp) -> Result<()> {
    let sql = "insert into upkeep (task, since, tried_at, failure) values (:task, :now, :now, :reason)
        on conflict (task) do update set tried_at = :now, failure = :reason";
    connection.run(sql, params![task, now = now.as_second(), reason])
}

/// Records a warning to the administrators, or with `None` the all-clear.
pub(super) fn alerted(connection: &Connection, task: TaskName, at: Option<Timestamp>) -> Result<()> {
    let sql = "update upkeep set alerted_at = :at where task = :task";
    connection.run(sql, params![task, at = at.map(Timestamp::as_second)])
}
