//! The table `privacy_requests`.

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;

use super::{AskedBy, ListedPrivacyRequest, PrivacyRequest, PrivacyRequestKind, PrivacyRequestStatus, due};
use crate::base::error::{Error, Result};
use crate::storage::statements::{Statements, from_row, params};
use crate::web::id::Numbered;

/// A new request.
pub struct NewPrivacyRequest {
    pub(super) student_id: i64,
    pub(super) kind: PrivacyRequestKind,
    pub(super) asked_by: AskedBy,
    pub(super) details: Option<String>,
    pub(super) received_on: Date,
    /// Staff member who recorded it.
    pub(super) noted_by: Option<i64>,
}

/// Stores a request.
///
/// # Errors
/// 409 when the same is asked for already.
pub(super) fn insert(
    connection: &Connection,
    new: &NewPrivacyRequest,
    now: Timestamp,
) -> Result<PrivacyRequest> {
    let sql =
        "select id from privacy_requests where student_id = :student_id and kind = :kind and status = 'open'";
    let open: Option<i64> = connection.find(sql, params![student_id = new.student_id, kind = new.kind])?;
    if let Some(id) = open {
        let message = "The same is asked for already, and waits for an answer.";
        return Err(Error::conflict(message, &find(connection, id)?));
    }
    let sql =
        "insert into privacy_requests (student_id, asked_by, kind, details, received_on, due_on, created_at,
            created_by)
        values (:student_id, :asked_by, :kind, :details, :received_on, :due_on, :now, :noted_by)";
    let values = params! {
        student_id = new.student_id, asked_by = new.asked_by, kind = new.kind, details = new.details,
        received_on = new.received_on.to_string(), due_on = due(new.received_on).to_string(),
        now = now.as_second(), noted_by = new.noted_by,
    };
    connection.run(sql, values)?;
    find(connection, connection.last_insert_rowid())
}

const COLUMNS: &str = "r.id, r.kind, r.asked_by, r.details, r.received_on, r.due_on, r.status, r.created_at, \
    r.decided_at, r.decision";

/// Finds a request.
///
/// # Errors
/// 404 when there is none.
pub(super) fn find(connection: &Connection, id: i64) -> Result<PrivacyRequest> {
    connection
        .find(&format!("select {COLUMNS} from privacy_requests r where r.id = :id"), params![id])?
        .ok_or_else(PrivacyRequest::not_found)
}

/// Id of a request's student.
pub(super) fn student_of(connection: &Connection, id: i64) -> Result<i64> {
    connection.one("select student_id from privacy_requests where id = :id", params![id])
}

/// A student's requests, newest first.
pub(super) fn of_student(connection: &Connection, student_id: i64) -> Result<Vec<PrivacyRequest>> {
    let sql = format!(
        "select {COLUMNS} from privacy_requests r where r.student_id = :student_id
             order by r.created_at desc, r.id desc"
    );
    connection.list(&sql, params![student_id])
}

/// Number of requests a student made since then.
pub(super) fn count_since(connection: &Connection, student_id: i64, since: i64) -> Result<i64> {
    let sql = "select count(*) from privacy_requests where student_id = :student_id and created_at > :since";
    connection.one(sql, params![student_id, since])
}

/// All requests: open ones first, by deadline; then decided ones, newest first.
pub(super) fn list(connection: &Connection, today: Date) -> Result<Vec<ListedPrivacyRequest>> {
    let sql = format!(
        "select {COLUMNS}, s.id as student_id, s.student_number, s.full_name, s.email,
             (select username from users where id = r.created_by) as noted_by,
             (select username from users where id = r.decided_by) as decided_by,
             iif(r.status = 'open', cast(julianday(r.due_on) - julianday(:today) as integer), null) as days_left
         from privacy_requests r join students s on s.id = r.student_id
         order by r.status <> 'open', iif(r.status = 'open', r.due_on, null), r.decided_at desc, r.id desc"
    );
    connection.list(&sql, params![today = today.to_string()])
}

from_row!(ListedPrivacyRequest { days_left, noted_by, decided_by } and request, student);

/// Records a withdrawal.
pub(super) fn withdraw(connection: &Connection, id: i64, now: Timestamp) -> Result<()> {
    let sql = "update privacy_requests set status = 'withdrawn', decided_at = :now
        where id = :id and status = 'open'";
    connection.run(sql, params![id, now = now.as_second()])
}

/// Records a decision.
pub(super) fn decide(
    connection: &Connection,
    id: i64,
    status: PrivacyRequestStatus,
    decision: Option<&str>,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    let sql = "update privacy_requests set status = :status, decided_at = :now, decided_by = :user_id,
            decision = :decision
        where id = :id and status = 'open'";
    connection.run(sql, params![id, status, now = now.as_second(), user_id, decision])
}

from_row! { PrivacyRequest {
    id, kind, asked_by, details, received_on, due_on, status, created_at, decided_at, decision,
} }
