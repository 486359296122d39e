//! The table `student_history`: every change of an account, field by field. Rows are only added; a student who corrects
//! a fact again within the hour goes on with the last row.

use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use crate::audit::{ActorKind, By};
use crate::base::error::{Error, Result};
use crate::storage::statements::{Statements, from_row, params};

/// A changed field of an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    /// Number of the entry.
    pub id: i64,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor_kind: ActorKind,
    /// Username of the staff member.
    #[schema(required)]
    pub by: Option<String>,
    /// Wire name of the field.
    pub field: String,
    /// Old value.
    #[schema(required)]
    pub before: Option<String>,
    /// New value.
    #[schema(required)]
    pub after: Option<String>,
    /// Reason given by the office.
    #[schema(required)]
    pub reason: Option<String>,
}

/// A change of one field.
#[derive(Debug, Clone, Copy)]
pub struct HistoryChange<'a> {
    /// Wire name of the field.
    pub field: &'a str,
    /// Old value.
    pub before: Option<&'a str>,
    /// New value.
    pub after: Option<&'a str>,
    /// Why.
    pub reason: Option<&'a str>,
}

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;
/// Changes that a student can make in a day; the office reads each.
const OWN_PER_DAY: i64 = 100;

/// Adds a change of a fact, or lets the student's last one of the same field within the hour go on, which keeps its value
/// before.
///
/// # Errors
/// 429 after too many of the student's own in a day.
pub fn add_or_extend(
    connection: &Connection,
    student_id: i64,
    by: By,
    change: HistoryChange<'_>,
    now: Timestamp,
) -> Result<()> {
    let sql = "update student_history set after = :after
        where id = (select id from student_history
                where student_id = :student_id and at > :since and field = :field order by at desc, id desc limit 1)
            and actor_kind = 'student' and after = :before and before is not :after";
    let values = params! {
        student_id, since = now.as_second() - HOUR, field = change.field, before = change.before,
        after = change.after,
    };
    // What was deleted is a change of its own.
    let can_extend = by == By::Student && change.after.is_some();
    if can_extend && connection.change(sql, values)? > 0 {
        return Ok(());
    }
    add(connection, student_id, by, change, now)
}

/// Adds an entry, in the transaction of the change.
///
/// # Errors
/// 429 after too many of the student's own in a day.
pub fn add(
    connection: &Connection,
    student_id: i64,
    by: By,
    change: HistoryChange<'_>,
    now: Timestamp,
) -> Result<()> {
    if by == By::Student {
        ensure_few(connection, student_id, now.as_second())?;
    }
    let sql =
        "insert into student_history (student_id, at, actor_kind, user_id, field, before, after, reason)
        values (:student_id, :at, :actor_kind, :user_id, :field, :before, :after, :reason)";
    let values = params! {
        student_id, at = now.as_second(), actor_kind = by.kind(), user_id = by.user_id(),
        field = change.field, before = change.before, after = change.after, reason = change.reason,
    };
    connection.run(sql, values)
}

fn ensure_few(connection: &Connection, student_id: i64, now: i64) -> Result<()> {
    let sql = "select at from student_history
        where student_id = :student_id and actor_kind = 'student' and at > :since
        order by at desc limit 1 offset :few";
    let oldest: Option<i64> =
        connection.find(sql, params![student_id, since = now - DAY, few = OWN_PER_DAY - 1])?;
    oldest.map_or(Ok(()), |oldest| Err(Error::TooMany((oldest + DAY - now).unsigned_abs())))
}

/// Blanks the values of these fields, by wire name; the fact and time of changes stay.
pub fn blank(connection: &Connection, student_id: i64, fields: &[&str]) -> Result<()> {
    let sql = "update student_history set before = null, after = null
        where student_id = :student_id and field in (select value from json_each(:fields))";
    connection.run(sql, params![student_id, fields = json!(fields).to_string()])
}

/// The newest entries of a student's history, newest first, including accounts merged into this one.
pub fn list(connection: &Connection, student_id: i64, max: i64) -> Result<Vec<HistoryEntry>> {
    let sql = "select h.id, h.at, h.actor_kind, u.username, h.field, h.before, h.after, h.reason
        from student_history h left join users u on u.id = h.user_id
        where h.student_id in (select :student_id
            union all select id from students where merged_into = :student_id)
        order by h.at desc, h.id desc limit :limit";
    connection.list(sql, params![student_id, limit = max])
}

from_row!(HistoryEntry { id, at, actor_kind, by = "username", field, before, after, reason });

/// Times of a student's own changes of a field since then, oldest first.
pub fn own_changes(
    connection: &Connection,
    student_id: i64,
    field: &str,
    since: Timestamp,
) -> Result<Vec<Timestamp>> {
    let sql = "select at from student_history
        where student_id = :student_id and field = :field and actor_kind = 'student' and at > :since
        order by at";
    connection.list(sql, params![student_id, field, since = since.as_second()])
}

/// A former address of a student, with its period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormerAddress {
    /// The address.
    pub email: String,
    /// Start; before that it may have belonged to another student.
    pub since: Timestamp,
    /// End, inclusive; later it may belong to another student.
    pub until: Timestamp,
}

/// A student's former addresses, including those of accounts merged into this one.
pub fn former_addresses(connection: &Connection, student_id: i64) -> Result<Vec<FormerAddress>> {
    let sql = "select h.before as email,
            coalesce(lag(h.at) over (partition by h.student_id order by h.at, h.id), s.created_at) as since,
            h.at as until
        from student_history h join students s on s.id = h.student_id
        where h.student_id in (select :student_id
                union all select id from students where merged_into = :student_id)
            and h.field = 'email' and h.before is not null
        union all
        select email, created_at, closed_at from students
        where merged_into = :student_id and closed_at is not null";
    connection.list(sql, params![student_id])
}

from_row!(FormerAddress { email, since, until });
