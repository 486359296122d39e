//! The table `document_waivers`: students who are exempt from a required document.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::document_requirements;
use crate::audit::{self, By};
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::config::RequiredDocument;
use crate::money::charges::context::{MoneyContext, PostedEntry};
use crate::money::charges::rules::{Waiver, WaiverForm};
use crate::staff::{CurrentStaff, Duty, Staff, may};
use crate::storage::statements::{Statements, from_row, params};
use crate::students::history::{self, HistoryChange};
use crate::students::{Student, store};
use crate::web::access::endpoint;
use crate::web::app::App;
use crate::web::form::Field;
use crate::web::id::{Id, Numbered};
use crate::web::idempotency::{Idempotent, Once};

/// The office's endpoints.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(endpoint!(post_waiver)).routes(endpoint!(take_back_waiver))
}

/// That the office does not ask a student for a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentWaiver {
    /// Number of the requirement.
    pub requirement_id: i64,
    /// Which document.
    pub document_type: RequiredDocument,
    /// What people call it.
    pub label: String,
    /// Why.
    pub reason: String,
    /// Who of the staff decided so, by username.
    pub by: String,
    /// When.
    pub at: Timestamp,
}

/// What was waived.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Waived {
    /// A document.
    Document(DocumentWaiver),
    /// A part of a fee.
    Fee(Box<PostedEntry>),
}

/// Ask a student for a document no longer, which may be repeated; or waive a part of a fee, which the student is told
#[utoipa::path(post, path = "/api/admin/students/{id}/waivers", tag = "students", request_body = WaiverForm,
    responses((status = 404, body = ErrorBody, description = "No such student, or the fee is another's"),
        (status = 409, body = ErrorBody, description = "It is more than is charged and not waived")))]
async fn post_waiver(
    staff: Staff<may::Balances>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
    call: Result<Idempotent<WaiverForm>>,
) -> Result<Once<Waived>> {
    // A document is the registrar's, a fee the bursar's; what cannot be read is answered after the duty.
    let is_document =
        call.as_ref().is_ok_and(|call| matches!(call.body.requirement_id, Field::Value(_) | Field::Wrong));
    staff.require(if is_document { Duty::Students } else { Duty::Money })?;
    let Idempotent { key, body } = call?;
    let context = MoneyContext::new(&app, &staff);
    let waiver = if is_document { None } else { Some(Waiver::parse(&body)?) };
    app.write_and_notify(move |connection| {
        key.once(connection, context.user_id, context.now, || match &waiver {
            Some(waiver) => context.waive(connection, id, waiver).map(|posted| Waived::Fee(Box::new(posted))),
            None => waive_document(connection, id, &body, &staff, context.now).map(Waived::Document),
        })
    })
    .await
}

fn waive_document(
    connection: &Connection,
    id: i64,
    form: &WaiverForm,
    staff: &CurrentStaff,
    now: Timestamp,
) -> Result<DocumentWaiver> {
    store::find(connection, id)?.ok_or_else(Student::not_found)?;
    let mut errors = FieldErrors::default();
    let known = document_requirements::list(connection)?;
    let requirement = match &form.requirement_id {
        Field::Value(number) => known.into_iter().find(|one| one.id == *number && one.is_active),
        Field::Absent | Field::Null | Field::Wrong => None,
    };
    let requirement = errors.take("requirementId", requirement.ok_or("There is no such requirement"));
    let reason = form.reason.between(3, 500, "Please say why it is not needed");
    let reason = errors.take("reason", reason);
    let (requirement, reason) = errors.finish(requirement.zip(reason))?;
    let sql = "insert or ignore into document_waivers (student_id, requirement_id, reason, user_id, at)
        values (:student_id, :requirement_id, :reason, :user_id, :now)";
    let values = params! {
        student_id = id, requirement_id = requirement.id, reason, user_id = staff.id, now = now.as_second(),
    };
    let added = connection.change(sql, values)?;
    if added > 0 {
        let label = Some(&*requirement.label);
        let change =
            HistoryChange { field: "documentWaived", before: None, after: label, reason: Some(&reason) };
        note(connection, staff, id, "waive", change, now)?;
    }
    find(connection, id, requirement.id)
}

/// Ask a student for a document after all
#[utoipa::path(delete, path = "/api/admin/students/{id}/waivers/{requirementId}", tag = "students",
    params(("id" = i64, Path, description = "Number of the student"),
        ("requirementId" = i64, Path, description = "Number of the requirement")),
    responses((status = 404, body = ErrorBody)))]
async fn take_back_waiver(
    staff: Staff<may::Students>,
    State(app): State<App>,
    numbers: Result<Path<(i64, i64)>, PathRejection>,
) -> Result<StatusCode> {
    let Path((id, requirement_id)) = numbers.map_err(|_| not_found())?;
    let now = app.clock.now();
    app.db
        .write(move |connection| {
            let waiver = find(connection, id, requirement_id)?;
            let sql =
                "delete from document_waivers where student_id = :id and requirement_id = :requirement_id";
            connection.run(sql, params![id, requirement_id])?;
            let label = Some(&*waiver.label);
            let change = HistoryChange { field: "documentWaived", before: label, after: None, reason: None };
            note(connection, &staff, id, "take back waiver", change, now)?;
            Ok(StatusCode::NO_CONTENT)
        })
        .await
}

fn note(
    connection: &Connection,
    staff: &CurrentStaff,
    id: i64,
    action: &str,
    change: HistoryChange<'_>,
    now: Timestamp,
) -> Result<()> {
    history::add(connection, id, By::Staff(staff.id), change, now)?;
    let detail = json!({ "document": change.after.or(change.before), "reason": change.reason });
    audit::record(connection, &staff.actor(), action, "student", id, detail, now)
}

const COLUMNS: &str = "w.requirement_id, r.document_type, r.label, w.reason, u.username, w.at
    from document_waivers w cross join document_requirements r on r.id = w.requirement_id join users u on u.id = w.user_id";

/// What the office waived for a student.
pub(super) fn list(connection: &Connection, student_id: i64) -> Result<Vec<DocumentWaiver>> {
    let sql = format!("select {COLUMNS} where w.student_id = :id order by w.at, w.requirement_id");
    connection.list(&sql, params![id = student_id])
}

fn find(connection: &Connection, student_id: i64, requirement_id: i64) -> Result<DocumentWaiver> {
    let found = list(connection, student_id)?.into_iter().find(|one| one.requirement_id == requirement_id);
    found.ok_or_else(not_found)
}

fn not_found() -> Error {
    Error::NotFound("Waiver not found".into())
}

from_row!(DocumentWaiver { requirement_id, document_type, label, reason, by = "username", at });

/// Gives the waivers of one student to another, whose account goes on for both.
pub(super) fn hand_over(connection: &Connection, from: i64, to: i64) -> Result<()> {
    for sql in [
        "update or ignore document_waivers set student_id = :to where student_id = :from",
        "delete from document_waivers where student_id = :from",
    ] {
        connection.run(sql, &*connection.named(sql, params![from, to])?)?;
    }
    Ok(())
}
