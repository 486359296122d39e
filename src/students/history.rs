//! The table `student_history`: every change of an account, field by field. Rows are only ever added.

use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use crate::audit::{ActorKind, By};
use crate::base::error::Result;
use crate::storage::statements::{Statements, from_row, params};

/// A field of an account before and after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    /// Number of the entry.
    pub id: i64,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor_kind: ActorKind,
    /// Who of the staff, by username.
    #[schema(required)]
    pub by: Option<String>,
    /// Which field, by its name on the wire.
    pub field: String,
    /// What it was.
    #[schema(required)]
    pub before: Option<String>,
    /// What it became.
    #[schema(required)]
    pub after: Option<String>,
    /// Why, in the office's words.
    #[schema(required)]
    pub reason: Option<String>,
}

/// A change of one field.
#[derive(Debug, Clone, Copy)]
pub struct HistoryChange<'a> {
    /// Which field, by its name on the wire.
    pub field: &'a str,
    /// What it was.
    pub before: Option<&'a str>,
    /// What it became.
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

/// Empties the values of these fields, by their names on the wire; that they changed, and when, stays.
pub fn blank(connection: &Connection, student_id: i64, fields: &[&str]) -> Result<()> {
    let sql = "update student_history set before = null, after = null
        where student_id = :student_id and field in (select value from json_each(:fields))";
    connection.run(sql, params![student_id, fields = json!(fields).to_string()])
}

/// The newest entries of a student's history, the newest first; those of accounts that were merged into
/// this one among them.
pub fn list(connection: &Connection, student_id: i64, max: i64) -> Result<Vec<HistoryEntry>> {
    let sql = "select h.id, h.at, h.actor_kind, u.username, h.field, h.before, h.after, h.reason
        from student_history h left join users u on u.id = h.user_id
        where h.student_id in (select :student_id
            union all select id from students where merged_into = :student_id)
        order by h.at desc, h.id desc limit :limit";
    connection.list(sql, params![student_id, limit = max])
}

from_row!(HistoryEntry { id, at, actor_kind, by = "username", field, before, after, reason });

/// When a student's own entries of a field were made since then, the oldest first.
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

/// An address that was a student's, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormerAddress {
    /// The address.
    pub email: String,
    /// From when; before that it may have been somebody else's.
    pub since: Timestamp,
    /// Until when, that moment included; later it may be somebody else's.
    pub until: Timestamp,
}

/// The addresses that were a student's before the one in use; those of accounts that were merged into
/// this one among them.
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
