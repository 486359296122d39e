//! Identity changes in the office: students whose name, birth date, status in Canada or guardian changed after the
//! office had checked or approved them, and the confirmation that settles it.

use axum::extract::State;
use axum::http::StatusCode;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::read;
use crate::audit::ActingStaff;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::staff::{Staff, may};
use crate::storage::statements::{Statements, from_row, params};
use crate::storage::waiting::Waits;
use crate::students::Student;
use crate::students::identity::{self, IdentityField};
use crate::students::store;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, OptionalJson, form};
use crate::web::id::{Id, Numbered};

/// The office's endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_identity_changes, confirm_identity]
}

/// A student whose name, date of birth or status in Canada changed after the office had checked or approved
/// them, or whose guardian changed after a confirmation.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IdentityChange {
    /// Number of the student.
    pub id: i64,
    /// The full name as it is now.
    pub full_name: Option<String>,
    /// The address.
    pub email: String,
    /// When the office last compared name and birth date with a document; null when it never did.
    #[schema(required)]
    pub checked_at: Option<Timestamp>,
    /// Whether the guardian's confirmation was voided and the office has not reviewed it.
    pub is_guardian_changed: bool,
    /// Whether identifying data changed.
    pub is_identity_changed: bool,
    /// When the latest of these changes was made.
    pub changed_at: Timestamp,
    /// What changed since, oldest first.
    pub changes: Vec<FieldChange>,
}

/// A changed field of a profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FieldChange {
    /// Which field.
    pub field: IdentityField,
    /// What it was.
    pub before: Option<String>,
    /// What it became.
    pub after: Option<String>,
    /// When.
    pub at: Timestamp,
}

form! {
    /// `POST /api/admin/students/{id}/confirm-identity`'s body, which may be left out.
    pub struct IdentityConfirmation {
        /// Time of the latest change that was reviewed; refused if there is a later one.
        changed_at: Option<Timestamp>,
    }
}

/// A validated confirmation.
struct Confirmation {
    seen: Option<Timestamp>,
}

impl Confirmation {
    fn parse(form: &IdentityConfirmation) -> Result<Self, FieldErrors> {
        let seen = match &form.changed_at {
            Field::Absent | Field::Null => Ok(None),
            field => field.text().parse().map(Some),
        };
        let message = "Must be an instant such as 2026-11-21T15:00:00Z";
        seen.map(|seen| Self { seen }).map_err(|_| FieldErrors::one("changedAt", message))
    }
}

/// Counts students that need another review.
pub fn waiting(connection: &Connection) -> Result<Waits> {
    const SQL: &str = "select count(*) as count, min(coalesce(min(identity_changed_at, guardian_changed_at),
             identity_changed_at, guardian_changed_at)) as oldest
         from students where id in (select id from students where identity_changed_at is not null
             union all select id from students where guardian_changed_at is not null)";
    Waits::read(connection, SQL, [])
}

/// Students whose name, date of birth or status in Canada changed after they were checked or approved, or whose
/// guardian changed after a confirmation
#[utoipa::path(get, path = "/api/admin/students/identity-changes", tag = "students")]
async fn list_identity_changes(
    _: Staff<may::Enrollments>,
    State(app): State<App>,
) -> Result<Json<Vec<IdentityChange>>> {
    app.db.query(list_changed).await.map(Json)
}

fn list_changed(connection: &Connection) -> Result<Vec<IdentityChange>> {
    let sql = "select s.id, s.full_name, s.email, s.identity_checked_at,
            s.identity_changed_at is not null as is_identity_changed,
            s.guardian_changed_at is not null as is_guardian_changed,
            max(coalesce(s.identity_changed_at, 0), coalesce(s.guardian_changed_at, 0)) as changed_at,
            iif(s.identity_changed_at is null, null, coalesce(s.identity_checked_at,
                (select min(approved_at) from enrollments where student_id = s.id), 0)) as known_at,
            iif(s.guardian_changed_at is null, null, (select coalesce(max(h.id), 0) from student_history h
                where h.student_id = s.id and h.field = 'guardianConfirmed' and h.after is not null))
                as confirmed_in
        from students s where s.id in (select id from students where identity_changed_at is not null
            union all select id from students where guardian_changed_at is not null)
        order by changed_at, s.id";
    let found: Vec<(IdentityChange, [Option<i64>; 2])> = connection.list_by(sql, [], |row| {
        let student = IdentityChange {
            id: row.read("id")?,
            full_name: row.read("full_name")?,
            email: row.read("email")?,
            checked_at: row.read("identity_checked_at")?,
            is_identity_changed: row.read("is_identity_changed")?,
            is_guardian_changed: row.read("is_guardian_changed")?,
            changed_at: row.read("changed_at")?,
            changes: Vec::new(),
        };
        Ok((student, [row.read("known_at")?, row.read("confirmed_in")?]))
    })?;
    let with_changes = |(student, since): (IdentityChange, _)| {
        Ok(IdentityChange { changes: changes_since(connection, student.id, since)?, ..student })
    };
    found.into_iter().map(with_changes).collect()
}

/// Changes of identifying data since the last check, and of the guardian since the confirmation.
fn changes_since(
    connection: &Connection,
    id: i64,
    [known_at, confirmed_in]: [Option<i64>; 2],
) -> Result<Vec<FieldChange>> {
    let sql = "select field, before, after, at from student_history
        where student_id = :id
            and (field in ('fullName', 'dateOfBirth', 'canadianStatus') and at >= :known_at
                or field in ('parentName', 'parentContact') and id > :confirmed_in)
        order by at, id";
    connection.list(sql, params![id, known_at, confirmed_in])
}

from_row!(FieldChange { field, before, after, at });

/// Record that name and date of birth were compared with an accepted document and the changes reviewed; repeating it
/// changes nothing
#[utoipa::path(post, path = "/api/admin/students/{id}/confirm-identity", tag = "students",
    request_body = Option<IdentityConfirmation>,
    responses((status = 409, body = ErrorBody, description = "There are changes after `changedAt`")))]
async fn confirm_identity(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
    OptionalJson(form): OptionalJson<IdentityConfirmation>,
) -> Result<StatusCode> {
    let Confirmation { seen } = Confirmation::parse(&form)?;
    let now = app.clock.now();
    let today = app.today();
    app.db
        .write(move |connection| {
            let student = store::find(connection, id)?.ok_or_else(Student::not_found)?;
            let changed_at = identity::changed_at(connection, id)?;
            if changed_at.is_none() && identity::checked_at(connection, id)?.is_some() {
                return Ok(StatusCode::NO_CONTENT);
            }
            if seen.is_some_and(|seen| changed_at.is_some_and(|changed_at| changed_at > seen)) {
                let message = "This student changed these details again. Please look at them once more before you \
                    confirm them.";
                return Err(Error::conflict(message, &read(connection, id, today)?));
            }
            let is_comparable =
                student.profile.full_name.is_some() && student.profile.date_of_birth.is_some();
            if changed_at.is_none() && !is_comparable {
                let message =
                    "There is nothing to compare yet: enter the student's full name and date of birth first.";
                return Err(Error::conflict(message, &read(connection, id, today)?));
            }
            let by = ActingStaff { id: staff.id, actor: &staff.actor() };
            identity::confirm(connection, id, is_comparable, by, now)?;
            Ok(StatusCode::NO_CONTENT)
        })
        .await
}
