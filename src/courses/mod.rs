//! Courses: the public catalogue, and its management by staff.
//!
//! A course without enrollments is deleted; any other is archived, which removes it from every list, keeps it for its
//! enrollments and frees its code. Every write is audited. The public list is served from [`catalogue`]'s cached bytes.

pub mod catalogue;
pub mod details;
pub mod import;
pub mod prerequisites;
pub mod rules;
pub mod store;
pub mod subjects;
pub mod values;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use self::catalogue::Catalogue;
use self::rules::{CourseInput, CourseUpdate, NewCourse};
use self::subjects::Subject;
use self::values::{CourseCode, CourseLevel, CourseType, Credits, Grade};
use crate::audit::{self, Actor};
use crate::base::error::{Error, ErrorBody, Result};
use crate::base::json::Json;
use crate::base::money::Money;
use crate::staff::{Staff, may};
use crate::web::access::{AnyCaller, endpoint, endpoints};
use crate::web::app::App;
use crate::web::id::{Id, Numbered, numbered};

/// The public endpoint, which needs a [`Catalogue`]; a course with its seats is in `classes`.
pub fn public_routes() -> OpenApiRouter<App> {
    endpoints![list_courses]
}

/// The office's endpoints; those with seats are in `classes`.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(import::routes())
        .routes(endpoint!(create_course))
        .routes(endpoint!(update_course))
        .routes(endpoint!(delete_course))
        .routes(endpoint!(restore_course))
}

/// A course, as stored and as shown publicly.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Course {
    /// Id of the course; never reused.
    pub id: i64,
    /// Course code, in upper case.
    #[schema(value_type = String)]
    pub code: CourseCode,
    /// Name.
    pub name: String,
    /// Description.
    pub description: String,
    /// A course code or a sentence.
    #[schema(required)]
    pub prerequisite: Option<String>,
    /// Subject, by the code.
    pub subject: Subject,
    /// Course type.
    pub course_type: CourseType,
    /// The letter of the course type, by the code where it says one.
    pub level: CourseLevel,
    /// Whether it counts toward a compulsory credit.
    pub is_compulsory: bool,
    /// Grade.
    pub grade: Grade,
    /// Dollars with at most two decimals; null while no price is set.
    #[schema(value_type = Option<f64>, required)]
    pub price: Option<Money>,
    /// Credits with at most two decimals.
    #[schema(value_type = f64)]
    pub credits: Credits,
    /// Whether it accepts requests.
    pub is_open: bool,
    /// Capacity; `None` means unlimited. Shown only to the office.
    #[serde(skip)]
    #[schema(ignore)]
    pub capacity: Option<i64>,
    /// When it was archived. Shown only to the office.
    #[serde(skip)]
    #[schema(ignore)]
    pub archived_at: Option<Timestamp>,
}

numbered!(Course, "Course");

/// A course of the public list.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CatalogueCourse {
    /// The course.
    #[serde(flatten)]
    pub course: Course,
    /// Whether it has open sections; `GET /api/courses/{code}` lists them.
    pub has_sections: bool,
}

/// A course, as shown to the office.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfficeCourse {
    /// The public part.
    #[serde(flatten)]
    pub course: Course,
    /// Capacity; null means unlimited.
    #[schema(required)]
    pub capacity: Option<i64>,
    /// When it was archived; null if offered.
    #[schema(required)]
    pub archived_at: Option<Timestamp>,
}

impl From<Course> for OfficeCourse {
    fn from(course: Course) -> Self {
        Self { capacity: course.capacity, archived_at: course.archived_at, course }
    }
}

impl Course {
    /// All fields for the audit trail, except those derived from the code.
    fn detail(&self) -> Value {
        let mut detail = json!(OfficeCourse::from(self.clone()));
        if let Some(fields) = detail.as_object_mut() {
            fields.retain(|name, _| !["subject", "level"].contains(&name.as_str()));
        }
        detail
    }
}

/// List the catalogue
#[utoipa::path(get, path = "/api/courses", tag = "courses",
    responses((status = 200, body = Vec<CatalogueCourse>), (status = 304)))]
async fn list_courses(
    _: AnyCaller,
    State(app): State<App>,
    Extension(catalogue): Extension<Catalogue>,
    headers: HeaderMap,
) -> Result<Response> {
    Ok(catalogue.current(&app.db, app.today()).await?.json.respond(&headers))
}

/// Add a course
#[utoipa::path(post, path = "/api/admin/courses", tag = "courses")]
async fn create_course(
    staff: Staff<may::Courses>,
    State(app): State<App>,
    Json(input): Json<CourseInput>,
) -> Result<(StatusCode, Json<OfficeCourse>)> {
    let new = NewCourse::parse(&input)?;
    let actor = staff.actor();
    let now = app.clock.now();
    let course = app.db.write(move |connection| create(connection, &new, &actor, now)).await?;
    Ok((StatusCode::CREATED, Json(course.into())))
}

/// Change the fields of a course that are sent
#[utoipa::path(patch, path = "/api/admin/courses/{id}", tag = "courses")]
async fn update_course(
    staff: Staff<may::Courses>,
    State(app): State<App>,
    Id(id, ..): Id<Course>,
    Json(input): Json<CourseInput>,
) -> Result<Json<OfficeCourse>> {
    let update = CourseUpdate::parse(&input);
    let actor = staff.actor();
    let now = app.clock.now();
    let course = app
        .db
        .write(move |connection| {
            // An unknown course is reported before field errors.
            let before = store::find_open(connection, id)?.ok_or_else(Course::not_found)?;
            let after = update?.applied_to(&before);
            change(connection, &before, &after, &actor, now)?;
            Ok(after)
        })
        .await?;
    // A larger class may have seats for the waiting list.
    app.seats_wakeup.notify_one();
    Ok(Json(course.into()))
}

/// Delete a course, or archive it if it has enrollments
#[utoipa::path(delete, path = "/api/admin/courses/{id}", tag = "courses")]
async fn delete_course(
    staff: Staff<may::Courses>,
    State(app): State<App>,
    Id(id, ..): Id<Course>,
) -> Result<StatusCode> {
    let actor = staff.actor();
    let now = app.clock.now();
    app.db.write(move |connection| remove(connection, id, &actor, now)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Bring an archived course back; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/courses/{id}/restore", tag = "courses",
    responses((status = 409, body = ErrorBody, description = "Another course has its code now")))]
async fn restore_course(
    staff: Staff<may::Courses>,
    State(app): State<App>,
    Id(id, ..): Id<Course>,
) -> Result<Json<OfficeCourse>> {
    let actor = staff.actor();
    let now = app.clock.now();
    let course = app.db.write(move |connection| restore(connection, id, &actor, now)).await?;
    Ok(Json(course.into()))
}

/// Adds a course and records it; the import does the same.
fn create(connection: &Connection, new: &NewCourse, actor: &Actor, now: Timestamp) -> Result<Course> {
    let course = store::insert(connection, new, now)?;
    audit::record(connection, actor, "create", "course", course.id, course.detail(), now)?;
    Ok(course)
}

/// Writes and records a change; returns whether there was any.
fn change(
    connection: &Connection,
    before: &Course,
    after: &Course,
    actor: &Actor,
    now: Timestamp,
) -> Result<bool> {
    if before == after {
        return Ok(false);
    }
    store::update(connection, after, now)?;
    let detail = differences(&before.detail(), &after.detail());
    audit::record(connection, actor, "update", "course", after.id, detail, now)?;
    Ok(true)
}

fn remove(connection: &Connection, id: i64, actor: &Actor, now: Timestamp) -> Result<()> {
    let course = store::find_open(connection, id)?.ok_or_else(Course::not_found)?;
    let action = if store::delete_unnamed(connection, id)? {
        "delete"
    } else {
        store::archive(connection, id, now)?;
        "archive"
    };
    audit::record(connection, actor, action, "course", id, course.detail(), now)
}

fn restore(connection: &Connection, id: i64, actor: &Actor, now: Timestamp) -> Result<Course> {
    let course = store::find(connection, id)?.ok_or_else(Course::not_found)?;
    if course.archived_at.is_none() {
        return Ok(course);
    }
    if let Some(other) = store::find_by_code(connection, &course.code)? {
        let message = format!(
            "{}, which is offered now, has the code {} too. Give that one another code first.",
            other.name, other.code
        );
        return Err(Error::conflict(message, &OfficeCourse::from(course)));
    }
    store::restore(connection, id, now)?;
    let course = Course { archived_at: None, ..course };
    audit::record(connection, actor, "restore", "course", id, course.detail(), now)?;
    Ok(course)
}

/// The keys of two objects whose values differ, each with what it was and what it is.
fn differences(before: &Value, after: &Value) -> Value {
    let changed = after.as_object().into_iter().flatten().filter(|(key, now)| before[*key] != **now);
    changed
        .map(|(key, now)| (key.clone(), json!({ "from": before[key], "to": now })))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

#[cfg(test)]
mod tests;
