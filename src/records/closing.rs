//! Closing an account: what is open is shown before, ends in the same decision, and comes back with its undo. Owns the table
//! `account_closings`.

use axum::extract::State;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::account::{StatusChange, check_expected, message, reason};
use super::{StudentRecord, account_emails, read};
use crate::accounts::links;
use crate::base::error::{Error, ErrorBody, Result};
use crate::base::json::Json;
use crate::base::money::Money;
use crate::decisions::{self, EMAIL_HAS_LEFT, Stored, Undo};
use crate::documents;
use crate::enrollments::decisions::{DecisionContext, OpenEnrollments, open_of};
use crate::enrollments::requests::guardian_emails::{AskContext, SendTime, send_with_copies};
use crate::enrollments::store::Addressee;
use crate::money::ledger::{self, Payer};
use crate::staff::{CurrentStaff, Recent, Staff, may};
use crate::storage::statements::{Statements, from_row, params};
use crate::students::guardians::store as guardians;
use crate::students::links::LinkPurpose;
use crate::students::status::StudentStatus;
use crate::students::{Student, address};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::form;
use crate::web::id::Id;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![get_closing, close_student]
}

/// What is open of a student, before the account is closed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Closing {
    /// Enrollments that are not over.
    #[serde(flatten)]
    pub enrollments: OpenEnrollments,
    /// Documents that leave the review queue.
    pub documents: i64,
    /// Balance in dollars, as on the student's page: what is owed, less what is on account; negative if overpaid.
    #[schema(value_type = f64)]
    pub balance: Money,
    /// Dollars on account.
    #[schema(value_type = f64)]
    pub on_account: Money,
    /// Number of emails that are sent: none to an address that was never confirmed, else one to the student, and copies to
    /// guardians.
    pub emails: usize,
}

/// What is open of a student and ends when the account is closed
#[utoipa::path(get, path = "/api/admin/students/{id}/closing", tag = "students")]
async fn get_closing(
    _: Staff<may::Students>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
) -> Result<Json<Closing>> {
    let today = app.today();
    app.db
        .query(move |connection| {
            let record = read(connection, id, today)?;
            Ok(Closing {
                enrollments: open_of(connection, id, today)?,
                documents: documents::store::waiting_of(connection, id)?,
                balance: ledger::balance_of_student(connection, id)?,
                on_account: ledger::on_account(connection, Payer::Student(id))?,
                emails: match record.status {
                    StudentStatus::Active | StudentStatus::Suspended => {
                        1 + guardians::mailed(connection, id, today)?.len()
                    }
                    StudentStatus::Unverified | StudentStatus::Closed => 0,
                },
            })
        })
        .await
        .map(Json)
}

form! {
    /// `POST /api/admin/students/{id}/close`'s body.
    pub struct CloseForm {
        /// Why, for the office: 3 to 500 characters.
        reason: String,
        /// What the student and the guardians read about it in the email: 3 to 2,000 characters.
        message: Option<String>,
        /// Expected state; refused if it has changed.
        expected: Option<StudentStatus>,
    }
}

/// A student after the account was closed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClosedStudent {
    /// The account and the profile.
    #[serde(flatten)]
    pub student: StudentRecord,
    /// When it was closed.
    pub decided_at: Timestamp,
    /// Undo of the decision; null if nothing changed or emails are sent at once.
    #[schema(required)]
    pub undo: Option<Undo>,
}

/// Close an account: ends every session and link, requests, places and courses at once, and the record stays; repeating it
/// changes nothing
#[utoipa::path(post, path = "/api/admin/students/{id}/close", tag = "students",
    responses((status = 409, body = ErrorBody, description = "It is in another state; `current` is the student")))]
async fn close_student(
    staff: Staff<may::Students, Recent>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
    Json(form): Json<CloseForm>,
) -> Result<Json<ClosedStudent>> {
    let now = app.clock.now();
    let today = app.today();
    let context = DecisionContext::of(&app, &staff);
    let closed = app
        .write_and_notify(move |connection| {
            let before = read(connection, id, today)?;
            let reason = reason(&form.reason)?;
            let message = message(&form.message)?;
            check_expected(&form.expected, &before)?;
            let undo = match before.status {
                StudentStatus::Closed => None,
                _ => close(connection, &context, &staff, &before, &reason, message.as_deref())?,
            };
            Ok(ClosedStudent { student: read(connection, id, today)?, decided_at: now, undo })
        })
        .await?;
    app.seats_wakeup.notify_one();
    Ok(Json(closed))
}

/// Closes an account with what is open, in the caller's transaction; the reason is for the office, the message for the
/// family.
///
/// # Errors
/// Database errors.
pub fn close(
    connection: &Connection,
    context: &DecisionContext,
    staff: &CurrentStaff,
    before: &StudentRecord,
    reason: &str,
    message: Option<&str>,
) -> Result<Option<Undo>> {
    const WORDS: &str = "The student account was closed.";
    let id = before.student.id;
    let now = context.now();
    let decision = context.begin_decision(connection, "close_account")?;
    let sql =
        "insert into account_closings (decision_id, student_id, before) values (:decision, :id, :before)";
    connection.run(sql, params![decision = decision.id(), id, before = before.status])?;
    let ended = context.end_with_account(connection, id, WORDS, &decision)?;
    // An address that was never confirmed may be a stranger's. Guardians are written to while the account is open.
    if before.status != StudentStatus::Unverified {
        let addressee = Addressee::new(connection, &before.student)?;
        let email = account_emails::closed(&addressee, &ended, message, context.today(), context.config());
        let asking = AskContext { config: context.config(), now };
        send_with_copies(connection, &addressee, &email, SendTime::Held(decision.hold()), &asking)?;
    }
    shut(connection, staff, before, reason, now)?;
    context.offer_seats(connection, &ended, &decision)?;
    Ok(decision.undo())
}

/// Closes an account of which nothing is open: its sessions and links end.
pub(super) fn shut(
    connection: &Connection,
    staff: &CurrentStaff,
    before: &StudentRecord,
    reason: &str,
    now: Timestamp,
) -> Result<()> {
    let change = StatusChange { to: StudentStatus::Closed, verb: "close", reason: Some(reason) };
    change.apply(connection, staff, before, now)?;
    links::end_all::<LinkPurpose>(connection, before.student.id)?;
    links::end(connection, before.student.id, LinkPurpose::UndoEmail)?;
    address::drop_change(connection, before.student.id)
}

/// A stored closing, with the reason of a suspension before it.
struct StoredClosing {
    student_id: i64,
    before: StudentStatus,
    suspended_reason: Option<String>,
}

from_row!(StoredClosing { student_id, before, suspended_reason });

/// Undoes the closing of an account; returns the student, or `None` if the decision is about something else. Repeating it
/// changes nothing.
///
/// # Errors
/// 409 when an email of it has left, or something has changed since.
pub(super) fn undo(
    connection: &Connection,
    context: &DecisionContext,
    staff: &CurrentStaff,
    decision: &Stored,
) -> Result<Option<StudentRecord>> {
    let sql = "select a.student_id, a.before, iif(a.before = 'suspended', (
            select h.reason from student_history h
            where h.student_id = a.student_id and h.field = 'status' and h.after = 'suspended' order by h.id desc limit 1
        ), null) as suspended_reason
        from account_closings a where a.decision_id = :id";
    let stored: Option<StoredClosing> = connection.find(sql, params![id = decision.id])?;
    let Some(StoredClosing { student_id, before: to, suspended_reason }) = stored else { return Ok(None) };
    let now = context.now();
    let today = context.today();
    let record = read(connection, student_id, today)?;
    if decision.is_undone {
        return Ok(Some(record));
    }
    if !decision.take_back_emails(connection, now)? {
        return Err(Error::conflict(EMAIL_HAS_LEFT, &record));
    }
    let newest = "select decision_id from account_closings where student_id = :student_id
        order by (select d.created_at from decisions d where d.id = decision_id) desc limit 1";
    let newest: Option<String> = connection.find(newest, params![student_id])?;
    if record.status != StudentStatus::Closed || newest.as_deref() != Some(&*decision.id) {
        let words = "This account has changed since, so the decision can no longer be undone.";
        return Err(Error::conflict(words, &record));
    }
    let change = StatusChange { to, verb: "undo", reason: suspended_reason.as_deref() };
    change.apply(connection, staff, &record, now)?;
    context.restore_enrollments(connection, &decision.id)?;
    decisions::mark_undone(connection, &decision.id, now)?;
    read(connection, student_id, today).map(Some)
}
