//! The table `privacy_requests`.

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::{Connection, OptionalExtension, Row, named_params};

use super::{AskedBy, ListedPrivacyRequest, PrivacyRequest, PrivacyRequestKind, PrivacyRequestStatus, due};
use crate::base::clock::from_seconds;
use crate::base::error::{Error, Result};
use crate::records::StudentName;
use crate::web::id::Numbered;

/// A request to be kept.
pub struct NewPrivacyRequest {
    pub(super) student_id: i64,
    pub(super) kind: PrivacyRequestKind,
    pub(super) asked_by: AskedBy,
    pub(super) details: Option<String>,
    pub(super) received_on: Date,
    /// Who of the office noted it.
    pub(super) noted_by: Option<i64>,
}

/// Keeps a request.
///
/// # Errors
/// 409 when the same is asked for already.
pub(super) fn insert(
    connection: &Connection,
    new: &NewPrivacyRequest,
    now: Timestamp,
) -> Result<PrivacyRequest> {
    let is_open: bool = connection
        .prepare_cached(
            "select exists (select 1 from privacy_requests
                 where student_id = :student_id and kind = :kind and status = 'open')",
        )?
        .query_row(named_params! { ":student_id": new.student_id, ":kind": new.kind }, |row| row.get(0))?;
    if is_open {
        return Err(Error::Conflict("The same is asked for already, and waits for an answer.".into()));
    }
    connection
        .prepare_cached(
            "insert into privacy_requests (student_id, asked_by, kind, details, received_on, due_on, created_at,
                 created_by)
             values (:student_id, :asked_by, :kind, :details, :received_on, :due_on, :now, :noted_by)",
        )?
        .execute(named_params! {
            ":student_id": new.student_id, ":asked_by": new.asked_by, ":kind": new.kind,
            ":details": new.details, ":received_on": new.received_on.to_string(),
            ":due_on": due(new.received_on).to_string(), ":now": now.as_second(), ":noted_by": new.noted_by,
        })?;
    find(connection, connection.last_insert_rowid())
}

const COLUMNS: &str = "r.id, r.kind, r.asked_by, r.details, r.received_on, r.due_on, r.status, r.created_at, \
    r.decided_at, r.decision";

/// One request.
///
/// # Errors
/// 404 when there is none.
pub(super) fn find(connection: &Connection, id: i64) -> Result<PrivacyRequest> {
    connection
        .prepare_cached(&format!("select {COLUMNS} from privacy_requests r where r.id = :id"))?
        .query_row(named_params! { ":id": id }, request)
        .optional()?
        .ok_or_else(PrivacyRequest::not_found)
}

/// The number of the student that a request is about.
pub(super) fn student_of(connection: &Connection, id: i64) -> Result<i64> {
    Ok(connection
        .prepare_cached("select student_id from privacy_requests where id = :id")?
        .query_row(named_params! { ":id": id }, |row| row.get(0))?)
}

/// A student's requests, the newest first.
pub(super) fn of_student(connection: &Connection, student_id: i64) -> Result<Vec<PrivacyRequest>> {
    let rows = connection
        .prepare_cached(&format!(
            "select {COLUMNS} from privacy_requests r where r.student_id = :student_id
             order by r.created_at desc, r.id desc"
        ))?
        .query_map(named_params! { ":student_id": student_id }, request)?
        .collect::<rusqlite::Result<_>>()?;
    Ok(rows)
}

/// How many requests a student made since.
pub(super) fn count_since(connection: &Connection, student_id: i64, since: i64) -> Result<i64> {
    Ok(connection
        .prepare_cached(
            "select count(*) from privacy_requests where student_id = :student_id and created_at > :since",
        )?
        .query_row(named_params! { ":student_id": student_id, ":since": since }, |row| row.get(0))?)
}

/// Every request: those that wait first, the most urgent before the others; then what was decided last.
pub(super) fn list(connection: &Connection, today: Date) -> Result<Vec<ListedPrivacyRequest>> {
    let rows = connection
        .prepare_cached(&format!(
            "select {COLUMNS}, s.id as student_id, s.student_number, s.full_name, s.email,
                 (select username from users where id = r.created_by) as noted_by,
                 (select username from users where id = r.decided_by) as decided_by
             from privacy_requests r join students s on s.id = r.student_id
             order by r.status <> 'open', iif(r.status = 'open', r.due_on, null), r.decided_at desc, r.id desc"
        ))?
        .query_map([], |row| {
            let request = request(row)?;
            let is_open = request.status == PrivacyRequestStatus::Open;
            let days_left = || today.until(request.due_on).ok().map(|left| left.get_days());
            Ok(ListedPrivacyRequest {
                days_left: if is_open { days_left() } else { None },
                student: StudentName {
                    id: row.get("student_id")?,
                    number: row.get("student_number")?,
                    full_name: row.get("full_name")?,
                    email: row.get("email")?,
                },
                noted_by: row.get("noted_by")?,
                decided_by: row.get("decided_by")?,
                request,
            })
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(rows)
}

/// Notes that whoever asked took it back.
pub(super) fn withdraw(connection: &Connection, id: i64, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached(
            "update privacy_requests set status = 'withdrawn', decided_at = :now
             where id = :id and status = 'open'",
        )?
        .execute(named_params! { ":id": id, ":now": now.as_second() })?;
    Ok(())
}

/// Notes what the office decided.
pub(super) fn decide(
    connection: &Connection,
    id: i64,
    status: PrivacyRequestStatus,
    decision: Option<&str>,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    connection
        .prepare_cached(
            "update privacy_requests set status = :status, decided_at = :now, decided_by = :user_id,
                 decision = :decision
             where id = :id and status = 'open'",
        )?
        .execute(named_params! {
            ":id": id, ":status": status, ":now": now.as_second(), ":user_id": user_id,
            ":decision": decision,
        })?;
    Ok(())
}

fn request(row: &Row<'_>) -> rusqlite::Result<PrivacyRequest> {
    Ok(PrivacyRequest {
        id: row.get("id")?,
        kind: row.get("kind")?,
        asked_by: row.get("asked_by")?,
        details: row.get("details")?,
        received_on: row.get("received_on")?,
        due_on: row.get("due_on")?,
        status: row.get("status")?,
        created_at: from_seconds(row.get("created_at")?),
        decided_at: row.get::<_, Option<i64>>("decided_at")?.map(from_seconds),
        decision: row.get("decision")?,
    })
}
