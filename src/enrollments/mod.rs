//! Enrollments: a student's request for a course, and what the office decides.
//!
//! A request is `pending` until the office approves it (`active`). Each change is one write
//! transaction: check the state, change it, post the charge, record it, queue the letter.

pub mod rules;
pub mod store;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::courses::values::Credits;
use crate::plumbing::app::App;
use crate::plumbing::error::{Error, ErrorBody, Result};
use crate::plumbing::form::{Field, Json as JsonBody};
use crate::plumbing::mail::{self, Cause, Kind, Letter};
use crate::plumbing::money::Money;
use crate::plumbing::page::{ListQuery, Listed, Page};
use crate::staff::{CurrentStaff, Duty};
use crate::students::CurrentStudent;
use crate::{audit, courses, fees};

/// The calls of this room.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list_own_enrollments, request_enrollment))
        .routes(routes!(withdraw_enrollment))
        .routes(routes!(list_pending_enrollments))
        .routes(routes!(approve_enrollment))
}

/// An enrollment as its student sees it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Enrollment {
    /// Number of the enrollment.
    pub id: i64,
    /// Number of the course.
    pub course_id: i64,
    /// The course.
    pub course: EnrolledCourse,
    /// `pending`, `active`, `waitlisted`, `declined`, `withdrawn` or `completed`.
    pub status: String,
    /// First day.
    #[schema(value_type = String, format = Date)]
    pub start_date: Date,
    /// Last day.
    #[schema(value_type = String, format = Date)]
    pub end_date: Date,
    /// Why it was declined or withdrawn.
    pub reason: Option<String>,
    /// The mark of a completed course.
    pub final_mark: Option<i64>,
}

/// What an enrollment shows of its course, which may have left the catalogue since.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct EnrolledCourse {
    /// Name.
    pub name: String,
    /// Course code.
    pub code: String,
    /// 9 to 12.
    pub grade: i64,
    /// Credits toward the diploma.
    #[schema(value_type = f64)]
    pub credits: Credits,
    /// Price today, or none.
    #[schema(value_type = Option<f64>)]
    pub price: Option<Money>,
}

/// A row of the office's table; the names are section 7's.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PendingEnrollment {
    /// Number of the enrollment.
    pub id: i64,
    /// The student's full name, or their number while the profile is empty.
    pub student_name: String,
    /// The student's address.
    pub student_email: String,
    /// The course's name.
    pub course_name: String,
    /// The course's code.
    pub course_code: String,
    /// 9 to 12.
    pub course_grade: i64,
    /// First day.
    #[schema(value_type = String, format = Date)]
    pub start_date: Date,
    /// Last day.
    #[schema(value_type = String, format = Date)]
    pub end_date: Date,
    /// Price today, or none.
    #[schema(value_type = Option<f64>)]
    pub course_fee: Option<Money>,
    /// Always `pending`.
    pub status: String,
}

/// `POST /api/students/enrollments`' body.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EnrollmentForm {
    /// The course.
    #[serde(default)]
    #[schema(value_type = i64, required = true)]
    course_id: Field<i64>,
    /// First day, YYYY-MM-DD.
    #[serde(default)]
    #[schema(value_type = String, format = Date, required = true)]
    start_date: Field<String>,
    /// Last day, YYYY-MM-DD, after the first.
    #[serde(default)]
    #[schema(value_type = String, format = Date, required = true)]
    end_date: Field<String>,
}

/// The signed-in student's enrollments, newest first
#[utoipa::path(get, path = "/api/students/enrollments", tag = "enrollments",
    responses((status = 200, body = Vec<Enrollment>), (status = 401, body = ErrorBody)))]
async fn list_own_enrollments(
    student: CurrentStudent,
    State(app): State<App>,
) -> Result<Json<Vec<Enrollment>>> {
    app.db.query(move |connection| store::list_for_student(connection, student.id)).await.map(Json)
}

/// Request a course for approval
#[utoipa::path(post, path = "/api/students/enrollments", tag = "enrollments", request_body = EnrollmentForm,
    responses((status = 201, body = Enrollment), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn request_enrollment(
    student: CurrentStudent,
    State(app): State<App>,
    JsonBody(form): JsonBody<EnrollmentForm>,
) -> Result<(StatusCode, Json<Enrollment>)> {
    let new = rules::parse(&form)?;
    let (now, config) = (app.clock.now(), app.config.clone());
    app.write_and_post(move |connection| {
        let course = courses::store::find_open(connection, new.course_id)?
            .ok_or_else(|| Error::field("courseId", "This course is not offered any more"))?;
        let id = store::request(connection, student.id, &new, now)?;
        let letter = Letter::to(Kind::EnrollmentReceipt, &student.email, "We have your enrollment request")
            .topic(&format!("course {}", new.course_id))
            .greeting(student.full_name.as_deref())
            .paragraph(&format!(
                "Your request for {} ({}) has been submitted for approval. The office reads every \
                 request and you will get an e-mail as soon as it is approved.",
                course.name, course.code
            ))
            .facts(&[("Start date", &rules::long(new.start_date)), ("End date", &rules::long(new.end_date))])
            .button("Open the student portal", &format!("{}/student/dashboard", config.public_url()));
        mail::outbox::enqueue(connection, &letter, Cause::Student(student.id), &config, now)?;
        store::find(connection, id)
    })
    .await
    .map(|enrollment| (StatusCode::CREATED, Json(enrollment)))
}

/// Take back a request that the office has not approved
#[utoipa::path(post, path = "/api/students/enrollments/{id}/withdraw", tag = "enrollments",
    params(("id" = i64, Path, description = "Number of the enrollment")),
    responses((status = 200, body = Enrollment), (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn withdraw_enrollment(
    student: CurrentStudent,
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<Enrollment>> {
    let id = id.parse().map_err(|_| rules::not_found())?;
    let (now, today) = (app.clock.now(), app.clock.today(&app.config.school.zone()));
    app.db
        .write(move |connection| {
            let status = store::own_status(connection, id, student.id)?.ok_or_else(rules::not_found)?;
            rules::check_withdraw(&status)?;
            store::withdraw(connection, id, today, now)?;
            store::find(connection, id)
        })
        .await
        .map(Json)
}

/// Enrollments awaiting approval, oldest first; searched by student and course
#[utoipa::path(get, path = "/api/admin/enrollments/pending", tag = "enrollments", params(ListQuery),
    responses((status = 200, body = Vec<PendingEnrollment>,
            headers(("X-Total-Count" = i64, description = "Rows that match, on every page"))),
        (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)))]
async fn list_pending_enrollments(
    _: CurrentStaff,
    State(app): State<App>,
    page: Page,
) -> Result<Listed<PendingEnrollment>> {
    app.db.query(move |connection| store::list_pending(connection, &page)).await
}

/// Approve a pending enrollment; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/enrollments/{id}/approve", tag = "enrollments",
    params(("id" = i64, Path, description = "Number of the enrollment")),
    responses((status = 200, body = Enrollment), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn approve_enrollment(
    staff: CurrentStaff,
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<Enrollment>> {
    staff.require(Duty::Enrollments)?;
    let id = id.parse().map_err(|_| rules::not_found())?;
    let (now, config) = (app.clock.now(), app.config.clone());
    app.write_and_post(move |connection| {
        let status = store::status(connection, id)?.ok_or_else(rules::not_found)?;
        if !rules::may_approve(&status)? {
            return store::find(connection, id);
        }
        store::approve(connection, id, staff.id, now)?;
        let enrollment = store::find(connection, id)?;
        let price = enrollment.course.price;
        fees::charge_enrollment(connection, id, price.map(Money::cents), staff.id, now)?;
        audit::record(
            connection,
            &staff.actor(),
            "approve",
            "enrollment",
            id,
            serde_json::json!({ "course": enrollment.course.code, "price": price }),
            now,
        )?;
        let student = store::student_of(connection, id)?;
        let letter = Letter::to(Kind::EnrollmentDecision, &student.email, "Your enrollment is approved")
            .greeting(student.full_name.as_deref())
            .paragraph(&format!(
                "The office has approved your enrollment in {} ({}).",
                enrollment.course.name, enrollment.course.code
            ))
            .facts(&[
                ("Start date", &rules::long(enrollment.start_date)),
                ("End date", &rules::long(enrollment.end_date)),
            ])
            .button("Open the student portal", &format!("{}/student/dashboard", config.public_url()));
        mail::outbox::enqueue(connection, &letter, Cause::Office, &config, now)?;
        Ok(enrollment)
    })
    .await
    .map(Json)
}
