//! Who a student is: changes of a profile are kept field by field, and what identifies a person is
//! looked at again once it changes after the office had approved that person.

use axum::extract::State;
use axum::http::StatusCode;
use jiff::Timestamp;
use rusqlite::{Connection, named_params};
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Student;
use super::history::{self, Change};
use crate::audit::{self, By};
use crate::base::clock::from_seconds;
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::staff::{Staff, may};
use crate::storage::waiting::Waits;
use crate::web::access::endpoint;
use crate::web::app::App;
use crate::web::form::{Field, OptionalJson, form};
use crate::web::id::{Id, Numbered};

/// The office's endpoints.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(endpoint!(list_identity_changes)).routes(endpoint!(confirm_identity))
}

/// A student whose name, date of birth or status in Canada changed after the office had approved them.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IdentityChange {
    /// Number of the student.
    pub id: i64,
    /// The full name as it is now.
    pub full_name: Option<String>,
    /// The address.
    pub email: String,
    /// When the office last took this person for who they are.
    pub checked_at: Timestamp,
    /// When the latest of these changes was made.
    pub changed_at: Timestamp,
    /// What changed since, oldest first.
    pub changes: Vec<FieldChange>,
}

/// A field of a profile before and after a change.
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
        /// The latest change that was seen; with a later one nothing is confirmed.
        changed_at: Option<Timestamp>,
    }
}

/// A confirmation whose every field is right.
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

closed_set! {
    /// A field that says who somebody is, by its name on the wire.
    pub enum IdentityField {
        /// The full name.
        FullName = "fullName",
        /// The date of birth.
        DateOfBirth = "dateOfBirth",
        /// The status in Canada.
        CanadianStatus = "canadianStatus",
    }
}

impl IdentityField {
    /// As people call it.
    fn label(self) -> &'static str {
        match self {
            Self::FullName => "Full name",
            Self::DateOfBirth => "Date of birth",
            Self::CanadianStatus => "Canadian status",
        }
    }
}

/// What differs between two states of a profile, by the names of the wire.
fn differences(before: &Student, after: &Student) -> Vec<(&'static str, Option<String>, Option<String>)> {
    let pairs = before.profile.facts().into_iter().zip(after.profile.facts());
    pairs.filter(|(old, new)| old != new).map(|((field, old), (_, new))| (field, old, new)).collect()
}

/// What changed in a profile, as the audit trail has it.
pub fn audited(before: &Student, after: &Student) -> Map<String, Value> {
    let changes = differences(before, after).into_iter();
    changes.map(|(field, old, new)| (field.to_owned(), json!({ "from": old, "to": new }))).collect()
}

/// Records what changed in a profile. Returns the changed facts that say who somebody is, as people
/// call them, if the office had approved this person before.
pub fn record_changes(
    connection: &Connection,
    by: By,
    before: &Student,
    after: &Student,
    reason: Option<&str>,
    now: Timestamp,
) -> Result<Vec<&'static str>> {
    let changes = differences(before, after);
    for (field, old, new) in &changes {
        let change = Change { field, before: old.as_deref(), after: new.as_deref(), reason };
        history::add(connection, before.id, by, change, now)?;
    }
    let is_changed = |one: &&IdentityField| changes.iter().any(|(field, _, _)| *field == one.as_str());
    let changed: Vec<_> = IdentityField::ALL.iter().filter(is_changed).map(|field| field.label()).collect();
    if changed.is_empty() {
        return Ok(changed);
    }
    // What the office itself writes it need not look at again.
    if by != By::Student {
        let is_checked = connection
            .prepare_cached("select identity_checked_at is not null from students where id = :id")?
            .query_row(named_params! { ":id": before.id }, |row| row.get(0))?;
        return Ok(if is_checked { changed } else { Vec::new() });
    }
    let count = connection
        .prepare_cached(
            "update students set identity_changed_at = :now
             where id = :id and identity_checked_at is not null",
        )?
        .execute(named_params! { ":id": before.id, ":now": now.as_second() })?;
    Ok(if count == 0 { Vec::new() } else { changed })
}

/// Notes that the office took this person for who they are, unless it did so before: an approval of a
/// later request does not confirm a name that changed in between.
pub fn mark_checked(connection: &Connection, student_id: i64, user_id: i64, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached(
            "update students set identity_checked_at = :now, identity_checked_by = :user_id
             where id = :id and identity_checked_at is null and full_name is not null",
        )?
        .execute(named_params! { ":id": student_id, ":user_id": user_id, ":now": now.as_second() })?;
    Ok(())
}

/// Takes [`mark_checked`] back with the approval that caused it, unless another one stands.
pub fn unmark_checked(connection: &Connection, student_id: i64, user_id: i64, at: Timestamp) -> Result<()> {
    connection
        .prepare_cached(
            "update students set identity_checked_at = null, identity_checked_by = null
             where id = :id and identity_checked_at = :at and identity_checked_by = :user_id
                 and identity_changed_at is null
                 and not exists (select 1 from enrollments
                     where student_id = :id and approved_at is not null)",
        )?
        .execute(named_params! { ":id": student_id, ":user_id": user_id, ":at": at.as_second() })?;
    Ok(())
}

/// Students who wait for the office to look at them again.
pub fn waiting(connection: &Connection) -> Result<Waits> {
    const SQL: &str = "select count(*) as count, min(identity_changed_at) as oldest
         from students where identity_changed_at is not null";
    Waits::read(connection, SQL, [])
}

/// Students whose name, date of birth or status in Canada changed after they were approved
#[utoipa::path(get, path = "/api/admin/students/identity-changes", tag = "students",
    responses((status = 200, body = Vec<IdentityChange>), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody)))]
async fn list_identity_changes(
    _: Staff<may::Enrollments>,
    State(app): State<App>,
) -> Result<Json<Vec<IdentityChange>>> {
    app.db.query(list_changed).await.map(Json)
}

fn list_changed(connection: &Connection) -> Result<Vec<IdentityChange>> {
    let mut students: Vec<IdentityChange> = connection
        .prepare_cached(
            "select id, full_name, email, coalesce(identity_checked_at, 0) as checked_at, identity_changed_at
             from students where identity_changed_at is not null order by identity_changed_at, id",
        )?
        .query_map(named_params! {}, |row| {
            Ok(IdentityChange {
                id: row.get("id")?,
                full_name: row.get("full_name")?,
                email: row.get("email")?,
                checked_at: from_seconds(row.get("checked_at")?),
                changed_at: from_seconds(row.get("identity_changed_at")?),
                changes: Vec::new(),
            })
        })?
        .collect::<rusqlite::Result<_>>()?;
    for student in &mut students {
        student.changes = connection
            .prepare_cached(
                "select field, before, after, at from student_history
                 where student_id = :id and at >= :checked_at
                     and field in ('fullName', 'dateOfBirth', 'canadianStatus')
                 order by at, id",
            )?
            .query_map(
                named_params! { ":id": student.id, ":checked_at": student.checked_at.as_second() },
                |row| {
                    Ok(FieldChange {
                        field: row.get("field")?,
                        before: row.get("before")?,
                        after: row.get("after")?,
                        at: from_seconds(row.get("at")?),
                    })
                },
            )?
            .collect::<rusqlite::Result<_>>()?;
    }
    Ok(students)
}

/// Note that the office has looked at a changed identity; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/students/{id}/confirm-identity", tag = "students",
    params(("id" = i64, Path, description = "Number of the student")),
    request_body = Option<IdentityConfirmation>,
    responses((status = 204), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "There are changes after `changedAt`")))]
async fn confirm_identity(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
    OptionalJson(form): OptionalJson<IdentityConfirmation>,
) -> Result<StatusCode> {
    let Confirmation { seen } = Confirmation::parse(&form)?;
    let now = app.clock.now();
    app.db
        .write(move |connection| {
            super::store::find(connection, id)?.ok_or_else(Student::not_found)?;
            let Some(changed_at) = changed_at(connection, id)? else { return Ok(StatusCode::NO_CONTENT) };
            if seen.is_some_and(|seen| changed_at > seen) {
                return Err(Error::Conflict(
                    "This student changed these details again. Please look at them once more before you \
                     confirm them."
                        .into(),
                ));
            }
            mark_confirmed(connection, id, staff.id, now)?;
            let detail = serde_json::json!({});
            audit::record(connection, &staff.actor(), "confirm identity", "student", id, detail, now)?;
            Ok(StatusCode::NO_CONTENT)
        })
        .await
}

/// When an identity that waits for the office changed last; none where nothing waits.
fn changed_at(connection: &Connection, id: i64) -> Result<Option<Timestamp>> {
    let seconds: Option<i64> = connection
        .prepare_cached("select identity_changed_at from students where id = :id")?
        .query_row(named_params! { ":id": id }, |row| row.get(0))?;
    Ok(seconds.map(from_seconds))
}

fn mark_confirmed(connection: &Connection, id: i64, user_id: i64, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached(
            "update students set identity_checked_at = :now, identity_checked_by = :user_id,
                 identity_changed_at = null
             where id = :id",
        )?
        .execute(named_params! { ":id": id, ":user_id": user_id, ":now": now.as_second() })?;
    Ok(())
}
