//! Credits from other schools, as the office records them: `external_credits`.
//!
//! Promises: a row is corrected or voided, never deleted; each change is in the student's history and the audit trail;
//! like marks, it is never deleted by privacy requests or retention rules.

pub mod held;
pub mod prerequisites;
mod rules;
pub mod store;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use self::held::CreditSum;
use self::rules::Change;
pub use self::rules::CreditFacts;
use crate::audit::{self, Actor, By};
use crate::base::error::{Error, ErrorBody, Result};
use crate::base::json::Json;
use crate::courses::values::Credits;
use crate::staff::{Staff, may};
use crate::students::history::{self, HistoryChange as Entry};
use crate::students::{self, CurrentStudent, Student};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::form;
use crate::web::id::{Id, Numbered, numbered};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_external_credits, record_external_credit, change_external_credit, get_own_credits]
        .merge(prerequisites::routes())
}

/// A credit from another school, as recorded by the office.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExternalCredit {
    /// Number of the row.
    pub id: i64,
    /// What was earned, and where.
    #[serde(flatten)]
    pub facts: CreditFacts,
    /// When it was recorded.
    pub recorded_at: Timestamp,
    /// Username of the recorder.
    pub recorded_by: String,
    /// When it was last corrected.
    #[schema(required)]
    pub changed_at: Option<Timestamp>,
    /// Username of the last editor.
    #[schema(required)]
    pub changed_by: Option<String>,
    /// When it was voided.
    #[schema(required)]
    pub voided_at: Option<Timestamp>,
    /// Username of the member of staff who voided it.
    #[schema(required)]
    pub voided_by: Option<String>,
    /// Why.
    #[schema(required)]
    pub voided_reason: Option<String>,
    /// Version for optimistic locking.
    pub version: i64,
}

numbered!(ExternalCredit, "Credit");

/// A credit from another school, as shown to its student.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnExternalCredit {
    /// Number of the row.
    pub id: i64,
    /// What was earned, and where.
    #[serde(flatten)]
    pub facts: CreditFacts,
}

/// A student's credits.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct OwnCredits {
    /// Toward the diploma.
    pub sum: CreditSum,
    /// Credits from other schools, latest first.
    pub external: Vec<OwnExternalCredit>,
}

form! {
    /// `POST /api/admin/students/{id}/external-credits`' body.
    pub struct NewExternalCredit {
        /// An Ontario course code, or the other school's: 1 to 12 characters.
        code: String,
        /// 1 to 100 characters.
        name: String,
        /// 0.5 to 30, in steps of 0.5: one row may hold the credits of whole years.
        credits: f64,
        /// 0 to 100, whole; below 50 it earns no credit.
        mark: Option<i64>,
        /// Today or earlier.
        completed_on: Date,
        /// The other school, 2 to 200 characters.
        school: String,
        /// A document of this student as evidence.
        document_id: Option<i64>,
    }
}

form! {
    /// `PATCH /api/admin/students/{id}/external-credits/{creditId}`'s body. Absent fields are not changed.
    pub struct ExternalCreditChange {
        /// Version when it was read; an outdated one is refused with the current row.
        version: i64,
        #[schema(required = false)]
        code: String,
        #[schema(required = false)]
        name: String,
        #[schema(required = false)]
        credits: f64,
        /// Null removes it.
        mark: Option<i64>,
        #[schema(required = false)]
        completed_on: Date,
        #[schema(required = false)]
        school: String,
        /// Null removes it.
        document_id: Option<i64>,
        /// True voids the row, which needs a reason and changes nothing else.
        #[schema(required = false)]
        voided: bool,
        /// Reason: 3 to 500 characters; optional for a correction.
        reason: Option<String>,
    }
}

/// A student's credits from other schools, the latest first, voided ones among them
#[utoipa::path(get, path = "/api/admin/students/{id}/external-credits", tag = "enrollments")]
async fn list_external_credits(
    _: Staff<may::Records>,
    State(app): State<App>,
    Id(student_id, ..): Id<Student>,
) -> Result<Json<Vec<ExternalCredit>>> {
    app.db
        .query(move |connection| {
            students::store::find(connection, student_id)?.ok_or_else(Student::not_found)?;
            store::list(connection, student_id)
        })
        .await
        .map(Json)
}

/// Record a credit from another school
#[utoipa::path(post, path = "/api/admin/students/{id}/external-credits", tag = "enrollments")]
async fn record_external_credit(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(student_id, ..): Id<Student>,
    Json(form): Json<NewExternalCredit>,
) -> Result<(StatusCode, Json<ExternalCredit>)> {
    let now = app.clock.now();
    let today = app.today();
    app.db
        .write(move |connection| {
            students::store::find(connection, student_id)?.ok_or_else(Student::not_found)?;
            let facts = CreditFacts::parse(&form, None, today)?;
            let id = record(connection, student_id, &facts, staff.id, &staff.actor(), now)?;
            store::find(connection, student_id, id)
        })
        .await
        .map(|credit| (StatusCode::CREATED, Json(credit)))
}

/// Records a validated credit, for a member of the staff.
///
/// # Errors
/// A field error for a document of another student, and for a credit that is recorded already.
pub fn record(
    connection: &Connection,
    student_id: i64,
    facts: &CreditFacts,
    user_id: i64,
    actor: &Actor,
    now: Timestamp,
) -> Result<i64> {
    store::check(connection, student_id, None, facts)?;
    let id = store::insert(connection, student_id, facts, user_id, now)?;
    let after = facts.words();
    let entry = Entry { field: FIELD, before: None, after: Some(&after), reason: None };
    history::add(connection, student_id, By::Staff(user_id), entry, now)?;
    let detail = json!({ "creditId": id, "credit": facts });
    audit::record(connection, actor, "record credit", "student", student_id, detail, now)?;
    Ok(id)
}

/// Field name of a credit in the student's history.
const FIELD: &str = "externalCredit";

/// Correct a credit from another school, or void it with a reason; voiding it again changes nothing
#[utoipa::path(patch, path = "/api/admin/students/{id}/external-credits/{creditId}", tag = "enrollments",
    params(("id" = i64, Path, description = "Number of the student"),
        ("creditId" = i64, Path, description = "Number of the credit")),
    responses((status = 409, body = ErrorBody, description = "It was changed meanwhile, or is void; \
            `current` is how it is now")))]
async fn change_external_credit(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    numbers: Result<Path<(i64, i64)>, PathRejection>,
    Json(form): Json<ExternalCreditChange>,
) -> Result<Json<ExternalCredit>> {
    let now = app.clock.now();
    let today = app.today();
    let Path((student_id, id)) = numbers.map_err(|_| ExternalCredit::not_found())?;
    app.carry_out(move |connection| {
        let before = store::find(connection, student_id, id)?;
        let Change { version, facts, is_voided, reason } = Change::parse(&form, &before.facts, today)?;
        if before.voided_at.is_some() {
            let message = "This credit is void. If it counts after all, record it again.";
            return if is_voided { Ok(before) } else { Err(moved(message, &before)) };
        }
        if version != before.version {
            let message = "This credit was changed while you were editing it. Your changes were not saved; \
                    look at it as it is now.";
            return Err(moved(message, &before));
        }
        if !is_voided && facts == before.facts {
            return Ok(before);
        }
        let was = before.facts.words();
        let becomes = facts.words();
        let after = (!is_voided).then_some(becomes.as_str());
        let verb = if is_voided {
            store::void(connection, id, reason.as_deref().unwrap_or_default(), staff.id, now)?;
            "void credit"
        } else {
            store::check(connection, student_id, Some(id), &facts)?;
            store::update(connection, id, &facts, staff.id, now)?;
            "change credit"
        };
        let entry = Entry { field: FIELD, before: Some(&was), after, reason: reason.as_deref() };
        history::add(connection, student_id, By::Staff(staff.id), entry, now)?;
        let detail = json!({ "creditId": id, "from": was, "to": after, "reason": reason });
        audit::record(connection, &staff.actor(), verb, "student", student_id, detail, now)?;
        store::find(connection, student_id, id)
    })
    .await
}

fn moved(message: &str, current: &ExternalCredit) -> Error {
    Error::conflict(message, current)
}

/// The signed-in student's credits: the sum toward the diploma, and what other schools gave
#[utoipa::path(get, path = "/api/students/credits", tag = "enrollments")]
async fn get_own_credits(student: CurrentStudent, State(app): State<App>) -> Result<Json<OwnCredits>> {
    app.db
        .query(move |connection| {
            let credits = store::list(connection, student.id)?.into_iter();
            let counted = credits.filter(|credit| credit.voided_at.is_none());
            let external = counted.map(|one| OwnExternalCredit { id: one.id, facts: one.facts }).collect();
            Ok(OwnCredits { sum: CreditSum::of(&held::attempts(connection, student.id)?), external })
        })
        .await
        .map(Json)
}
