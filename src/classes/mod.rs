//! Classes: the office's list of courses with their seats and waiting lists, the class lists, marks for a whole
//! class, and an email to a class. Owns no table: reads and decides enrollments.

mod email;
mod marks;
mod public;
mod sections;
mod store;
mod terms;

pub use self::sections::cancel as cancel_section;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::audit;
use crate::base::error::{Error, ErrorBody, Result};
use crate::base::json::Json;
use crate::courses::{Course, OfficeCourse};
use crate::enrollments::requests::requirements::Moment;
use crate::enrollments::status::EnrollmentStatus;
use crate::staff::{Duty, Staff, may};
use crate::terms::{EnrolledSection, SectionRow};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::compression::compressible;
use crate::web::id::{Id, Numbered};
use crate::web::pagination::{ListQuery, Listed, SheetQuery, SheetRequest};
use crate::web::query::Query;
use crate::web::sheet::sheet_row;

/// The office's endpoints of courses with their classes.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_admin_courses, get_admin_course, get_class_list]
        .merge(email::routes())
        .merge(marks::routes())
        .merge(sections::routes())
        .merge(terms::routes())
        .merge(public::routes())
}

/// A course of the office's list, with its seats.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CourseRow {
    /// The course.
    #[serde(flatten)]
    course: OfficeCourse,
    /// Its seats.
    #[serde(flatten)]
    seats: Seats,
}

/// Seats of a course, and demand for them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Seats {
    /// Seats taken on the fullest day from today on, over all sections of the course: by active students, and reserved for
    /// those who were offered a place. Its sections say what is taken of each.
    pub seats_taken: i64,
    /// Seats taken today.
    pub seats_taken_today: i64,
    /// Active enrollments, including future ones and those that ended without a mark.
    pub active: i64,
    /// Length of the waiting list.
    pub waitlist_length: i64,
    /// Requests that the office has not decided.
    pub requests: i64,
}

/// A course with its waiting list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CoursePage {
    /// The course.
    #[serde(flatten)]
    row: CourseRow,
    /// First day from today on with the maximum of taken seats; null if none are.
    #[schema(required)]
    fullest_on: Option<Date>,
    /// Waiting list, in order.
    waitlist: Vec<Waiting>,
    /// Sections, those of the latest term first; links only for those who may change them.
    sections: Vec<SectionRow>,
}

/// A student on the waiting list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Waiting {
    /// Number of the enrollment.
    pub enrollment_id: i64,
    /// Position, from 1.
    pub position: i64,
    /// Number of the student.
    pub student_id: i64,
    /// The student's full name, or their number while the profile is empty.
    pub student_name: String,
    /// The student's address.
    pub student_email: String,
    /// Since when.
    pub waitlisted_at: Option<Timestamp>,
    /// When the reserved seat expires; null without one.
    #[schema(required)]
    pub offered_until: Option<Timestamp>,
    /// The section that they wait for; null for own dates.
    pub section: Option<EnrolledSection>,
    /// First day that they asked for.
    pub start_date: Date,
    /// Last day.
    pub end_date: Date,
}

/// A student who takes or has completed a course.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClassMember {
    /// Number of the enrollment.
    pub enrollment_id: i64,
    /// Number of the student's account.
    pub student_id: i64,
    /// The student's number at the school.
    #[schema(required)]
    pub number: Option<String>,
    /// The student's full name, or the account's number while the profile is empty.
    pub student_name: String,
    /// The student's address.
    pub student_email: String,
    /// A parent or guardian.
    #[schema(required)]
    pub guardian_name: Option<String>,
    /// Contact.
    #[schema(required)]
    pub guardian_contact: Option<String>,
    /// The section, without links; null for own dates.
    pub section: Option<EnrolledSection>,
    /// First day.
    pub start_date: Date,
    /// Last day.
    pub end_date: Date,
    /// Active or completed.
    pub status: EnrollmentStatus,
    /// The mark in the middle of the course.
    #[schema(required)]
    pub midterm_mark: Option<i64>,
    /// The final mark.
    #[schema(required)]
    pub final_mark: Option<i64>,
    /// Version, incremented with every change.
    pub version: i64,
}

sheet_row! { ClassMember, "class-list", |row|
    "Student number": row.number,
    "Student": row.student_name,
    "Email": row.student_email,
    "Guardian": row.guardian_name,
    "Guardian contact": row.guardian_contact,
    "Section": row.section.as_ref().map(|section| section.label.as_str()),
    "Term": row.section.as_ref().and_then(|section| section.term_name.as_deref()),
    "Start date": row.start_date,
    "End date": row.end_date,
    "State": row.status,
    "Midterm mark": row.midterm_mark,
    "Final mark": row.final_mark,
}

/// What else stands behind the question mark of the list's address.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
struct CoursesQuery {
    /// The archived courses instead, with `1`.
    #[param(value_type = Option<String>)]
    archived: String,
}

/// Which part of a class.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
struct ClassQuery {
    /// Only those of this section, by its number.
    #[param(value_type = Option<i64>)]
    section: String,
}

fn moment(app: &App) -> Moment {
    Moment::new(app.clock.now(), app.today())
}

/// List the catalogue for the office, with seats; or the archived courses
#[utoipa::path(get, path = "/api/admin/courses", tag = "courses", params(CoursesQuery),
    responses((status = 200, body = Vec<CourseRow>)))]
async fn list_admin_courses(
    _: Staff<may::AnyRole>,
    State(app): State<App>,
    Query(query): Query<CoursesQuery>,
) -> Result<Response> {
    let at = moment(&app);
    let is_archived = matches!(query.archived.trim(), "1" | "true");
    let rows = app.db.query(move |connection| store::list(connection, is_archived, at)).await?;
    Ok(compressible(Json(rows).into_response()))
}

/// A course, archived or not, with its seats and waiting list
#[utoipa::path(get, path = "/api/admin/courses/{id}", tag = "courses")]
async fn get_admin_course(
    staff: Staff<may::AnyRole>,
    State(app): State<App>,
    Id(id, ..): Id<Course>,
) -> Result<Json<CoursePage>> {
    let at = moment(&app);
    let sees_links = staff.require(Duty::Courses).is_ok();
    let page = app.db.query(move |connection| store::find(connection, id, at, sees_links)).await?;
    page.map(Json).ok_or_else(Course::not_found)
}

/// Class list: students who take or have completed a course, latest dates first; `format=csv` exports it
#[utoipa::path(get, path = "/api/admin/courses/{id}/class-list", tag = "courses",
    params(ListQuery, ClassQuery, SheetQuery),
    responses((status = 200, content((Vec<ClassMember> = "application/json"), (String = "text/csv")),
            headers(("X-Total-Count" = i64, description = "Rows that match, on every page"))),
        (status = 403, body = ErrorBody, description = "The role takes no sheets")))]
async fn get_class_list(
    staff: Staff<may::AnyRole>,
    State(app): State<App>,
    Id(id, ..): Id<Course>,
    Query(class): Query<ClassQuery>,
    SheetRequest(page): SheetRequest,
) -> Result<Response> {
    let section = match class.section.trim() {
        "" => None,
        text => Some(text.parse().map_err(|_| Error::field("section", "Must be a number"))?),
    };
    if page.is_sheet() {
        staff.require(Duty::Exports)?;
    }
    let asked = page.clone();
    let listed: Listed<ClassMember> =
        app.db.query(move |connection| store::class_list(connection, id, section, &asked)).await?;
    audit::respond(&app, staff.actor(), &page, listed).await
}
