//! The table `student_history`: every change of an account, field by field. Rows are only added.

use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use crate::audit::{ActorKind, By};
use crate::base::error::Result;
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

/// Adds an entry, in the transaction of the change.
pub fn add(
    connection: &Connection,
    student_id: i64,
    by: By,
    change: HistoryChange<'_>,
    now: Timestamp,
) -> Result<()> {
    let sql =
        "insert into student_history (student_id, at, actor_kind, user_id, field, before, after, reason)
        values (:student_id, :at, :actor_kind, :user_id, :field, :before, :after, :reason)";
    let values = params! {
        student_id, at = now.as_second(), actor_kind = by.kind(), user_id = by.user_id(),
        field = change.field, before = change.before, after = change.after, reason = change.reason,
    };
    connection.run(sql, values)
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
