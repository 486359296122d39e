//! What the school does by itself: backups, drills, letters.

use rusqlite::{Connection, OptionalExtension, named_params};

use super::{Patient, Verdict, age, database_of, ok, problem, warning};
use crate::plumbing::mail;

/// A nightly task that is this late was missed (issue: 26 hours), a weekly one a day later than a week.
const NIGHTLY: i64 = 26 * 3600;
const WEEKLY: i64 = 8 * 24 * 3600;
/// Mail that waits longer than this is a fault somebody should hear of.
const OLDEST_MAIL: i64 = 3600;

pub(super) fn backup(patient: &Patient<'_>) -> anyhow::Result<Verdict> {
    let advice = "Take one now: `schoolhouse backup`. The server takes one every night.";
    upkeep(patient, "backup", NIGHTLY, advice)
}

pub(super) fn drill(patient: &Patient<'_>) -> anyhow::Result<Verdict> {
    let advice = "Try an archive now: `schoolhouse verify ARCHIVE`. The server tries one every week.";
    upkeep(patient, "drill", WEEKLY, advice)
}

struct Task {
    since: i64,
    succeeded_at: Option<i64>,
    failure: Option<String>,
}

fn upkeep(patient: &Patient<'_>, task: &str, most: i64, advice: &str) -> anyhow::Result<Verdict> {
    let now = patient.now.as_second();
    let Some(Task { since, succeeded_at, failure }) = read(database_of!(patient), task)? else {
        return Ok(warning("never yet", advice));
    };
    let last = succeeded_at.map_or_else(|| "never succeeded".into(), |at| format!("{} ago", age(now - at)));
    if let Some(failure) = failure {
        return Ok(problem(format!("the last try failed ({failure}); the last good one: {last}"), advice));
    }
    Ok(match succeeded_at {
        Some(at) if now - at <= most => ok(last),
        None if now - since <= most => warning("never yet", advice),
        _ => problem(format!("overdue: {last}"), advice),
    })
}

fn read(connection: &Connection, task: &str) -> anyhow::Result<Option<Task>> {
    // A school of an older program has no such table.
    let Ok(mut select) =
        connection.prepare("select since, succeeded_at, failure from upkeep where task = :task")
    else {
        return Ok(None);
    };
    let found = select.query_row(named_params! { ":task": task }, |row| {
        Ok(Task { since: row.get(0)?, succeeded_at: row.get(1)?, failure: row.get(2)? })
    });
    Ok(found.optional()?)
}

pub(super) fn outbox(patient: &Patient<'_>) -> anyhow::Result<Verdict> {
    let connection = database_of!(patient);
    let count = |state: &str| -> Option<i64> {
        let sql = "select count(*) from outbox where state = :state";
        connection.query_row(sql, named_params! { ":state": state }, |row| row.get(0)).ok()
    };
    let (Some(queued), Some(dead)) = (count("queued"), count("dead")) else {
        return Ok(ok("none yet"));
    };
    let oldest = mail::oldest_due_age(connection, patient.now).unwrap_or(None).unwrap_or(0);
    let advice = "See Mail server; the office can send letters again under Mail.";
    if oldest > OLDEST_MAIL {
        return Ok(problem(format!("{queued} letters wait, the oldest for {}", age(oldest)), advice));
    }
    if dead > 0 {
        return Ok(warning(format!("{dead} letters could not be delivered, {queued} wait"), advice));
    }
    Ok(ok(format!("{queued} letters wait, none is undeliverable")))
}
