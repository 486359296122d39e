//! The table `student_notes`: internal notes about students, which students never see. A deleted note stays as an entry
//! without text.

use axum::extract::State;
use axum::http::StatusCode;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::audit::{self, ActingStaff};
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::staff::{Staff, may};
use crate::storage::statements::{Statements, from_row, params};
use crate::students::{Student, store};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::{Id, Numbered, numbered};

/// The office's endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![add_student_note, change_student_note, delete_student_note]
}

/// A note of the office about a student.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudentNote {
    /// Number of the note.
    pub id: i64,
    /// Number of the student.
    pub student_id: i64,
    /// Username of the author.
    pub by: String,
    /// Text; empty once deleted.
    pub body: String,
    /// Whether it is pinned.
    pub is_pinned: bool,
    /// When it was written.
    pub created_at: Timestamp,
    /// When its text was changed last.
    #[schema(required)]
    pub edited_at: Option<Timestamp>,
    /// When it was deleted.
    #[schema(required)]
    pub deleted_at: Option<Timestamp>,
}

numbered!(StudentNote, "Note");

form! {
    /// `POST /api/admin/students/{id}/notes`' body.
    pub struct NewNote {
        /// 1 to 4,000 characters.
        body: String,
        #[schema(required = false)]
        is_pinned: bool,
    }
}

form! {
    /// `PATCH /api/admin/student-notes/{id}`'s body.
    pub struct NoteChange {
        /// 1 to 4,000 characters.
        #[schema(required = false)]
        body: String,
        #[schema(required = false)]
        is_pinned: bool,
    }
}

fn text(body: &Field<String>, errors: &mut FieldErrors) -> Option<String> {
    errors.take("body", body.between(1, 4000, "Enter the text of the note"))
}

fn pin(field: &Field<bool>, otherwise: bool, errors: &mut FieldErrors) -> Option<bool> {
    let pinned = match field {
        Field::Absent | Field::Null => Ok(otherwise),
        Field::Value(value) => Ok(*value),
        Field::Wrong => Err("Must be yes or no"),
    };
    errors.take("isPinned", pinned)
}

/// Write a note about a student
#[utoipa::path(post, path = "/api/admin/students/{id}/notes", tag = "students")]
async fn add_student_note(
    staff: Staff<may::Students>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
    Json(form): Json<NewNote>,
) -> Result<(StatusCode, Json<StudentNote>)> {
    let now = app.clock.now();
    app.db
        .write(move |connection| {
            store::find(connection, id)?.ok_or_else(Student::not_found)?;
            let mut errors = FieldErrors::default();
            let body = text(&form.body, &mut errors);
            let is_pinned = pin(&form.is_pinned, false, &mut errors);
            let both = || Some((body?, is_pinned?));
            let (body, is_pinned) = errors.finish(both())?;
            let by = ActingStaff { id: staff.id, actor: &staff.actor() };
            let note = write(connection, id, &body, is_pinned, by, now)?;
            find(connection, note)
        })
        .await
        .map(|note| (StatusCode::CREATED, Json(note)))
}

/// Writes a validated note.
pub fn write(
    connection: &Connection,
    student_id: i64,
    body: &str,
    is_pinned: bool,
    by: ActingStaff<'_>,
    now: Timestamp,
) -> Result<i64> {
    let note = insert(connection, student_id, by.id, body, is_pinned, now)?;
    let detail = serde_json::json!({ "noteId": note });
    audit::record(connection, by.actor, "write note", "student", student_id, detail, now)?;
    Ok(note)
}

/// Change a note's text, which only its author may, or pin it
#[utoipa::path(patch, path = "/api/admin/student-notes/{id}", tag = "students",
    responses((status = 409, body = ErrorBody)))]
async fn change_student_note(
    staff: Staff<may::Students>,
    State(app): State<App>,
    Id(id, ..): Id<StudentNote>,
    Json(form): Json<NoteChange>,
) -> Result<Json<StudentNote>> {
    let now = app.clock.now();
    app.carry_out(move |connection| {
        let before = living(connection, id)?;
        let mut errors = FieldErrors::default();
        let body =
            if form.body.is_sent() { text(&form.body, &mut errors) } else { Some(before.body.clone()) };
        let is_pinned = pin(&form.is_pinned, before.is_pinned, &mut errors);
        let both = || Some((body?, is_pinned?));
        let (body, is_pinned) = errors.finish(both())?;
        if body != before.body && before.by != staff.user.username {
            let message = format!("Only {}, who wrote it, can change this note.", before.by);
            return Err(Error::conflict(message, &before));
        }
        if (&body, is_pinned) == (&before.body, before.is_pinned) {
            return Ok(before);
        }
        change(connection, &before, &body, is_pinned, now)?;
        let detail = serde_json::json!({ "noteId": id });
        audit::record(connection, &staff.actor(), "change note", "student", before.student_id, detail, now)?;
        find(connection, id)
    })
    .await
}

/// Delete a note: its text is deleted permanently, its entry stays
#[utoipa::path(delete, path = "/api/admin/student-notes/{id}", tag = "students")]
async fn delete_student_note(
    staff: Staff<may::Students>,
    State(app): State<App>,
    Id(id, ..): Id<StudentNote>,
) -> Result<StatusCode> {
    let now = app.clock.now();
    app.db
        .write(move |connection| {
            let note = living(connection, id)?;
            blank(connection, id, now)?;
            let detail = serde_json::json!({ "noteId": id });
            audit::record(
                connection,
                &staff.actor(),
                "delete note",
                "student",
                note.student_id,
                detail,
                now,
            )?;
            Ok(StatusCode::NO_CONTENT)
        })
        .await
}

const COLUMNS: &str =
    "n.id, n.student_id, u.username, n.body, n.is_pinned, n.created_at, n.edited_at, n.deleted_at";

/// A student's notes: the pinned ones first, then the newest.
pub fn list(connection: &Connection, student_id: i64) -> Result<Vec<StudentNote>> {
    let sql = format!(
        "select {COLUMNS} from student_notes n join users u on u.id = n.user_id
             where n.student_id = :student_id
             order by n.is_pinned and n.deleted_at is null desc, n.created_at desc, n.id desc"
    );
    connection.list(&sql, params![student_id])
}

/// Moves the notes of one student to another, when accounts are merged.
pub fn hand_over(connection: &Connection, from: i64, to: i64) -> Result<usize> {
    connection.change("update student_notes set student_id = :to where student_id = :from", params![from, to])
}

/// Blanks all notes about a student, like deleting each.
pub fn blank_all(connection: &Connection, student_id: i64, now: Timestamp) -> Result<()> {
    let sql = "update student_notes set body = '', is_pinned = 0, deleted_at = :now
        where student_id = :student_id and deleted_at is null";
    connection.run(sql, params![student_id, now = now.as_second()])
}

fn find(connection: &Connection, id: i64) -> Result<StudentNote> {
    let sql =
        format!("select {COLUMNS} from student_notes n join users u on u.id = n.user_id where n.id = :id");
    connection.find(&sql, params![id])?.ok_or_else(StudentNote::not_found)
}

fn living(connection: &Connection, id: i64) -> Result<StudentNote> {
    let found = find(connection, id)?;
    if found.deleted_at.is_some() { Err(StudentNote::not_found()) } else { Ok(found) }
}

fn insert(
    connection: &Connection,
    student_id: i64,
    user_id: i64,
    body: &str,
    is_pinned: bool,
    now: Timestamp,
) -> Result<i64> {
    let sql = "insert into student_notes (student_id, user_id, body, is_pinned, created_at)
        values (:student_id, :user_id, :body, :is_pinned, :now)";
    connection.insert(sql, params![student_id, user_id, body, is_pinned, now = now.as_second()])
}

fn change(
    connection: &Connection,
    before: &StudentNote,
    body: &str,
    is_pinned: bool,
    now: Timestamp,
) -> Result<()> {
    let sql = "update student_notes set edited_at = iif(body = :body, edited_at, :now), body = :body,
            is_pinned = :is_pinned
        where id = :id";
    connection.run(sql, params![id = before.id, body, is_pinned, now = now.as_second()])
}

fn blank(connection: &Connection, id: i64, now: Timestamp) -> Result<()> {
    let sql = "update student_notes set body = '', deleted_at = :now where id = :id";
    connection.run(sql, params![id, now = now.as_second()])
}

from_row!(StudentNote {
    id, student_id, by = "username", body, is_pinned, created_at, edited_at, deleted_at,
});
