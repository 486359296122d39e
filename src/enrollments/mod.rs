//! Enrollments: students' requests for courses, and the office's decisions.
//!
//! A request is `pending` until the office approves it (`active`). Each change is one write transaction: check the
//! state, change it, post the charge, record it, queue the email. Decisions are never overwritten: a new request is a
//! new row, and every transition is recorded as an event.

pub mod credits;
pub mod decisions;
pub mod emails;
pub mod events;
mod hand_over;
mod history;

mod list;
pub mod record;
pub mod requests;
pub mod seats;
pub mod status;
pub mod store;
mod transitions;
#[cfg(test)]
mod tests {
    mod histories;
}
pub mod verb;
pub mod waiting;

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

pub use self::emails::{HOW_TO_CANCEL, SectionNews, section_hours, section_news};
pub use self::hand_over::hand_over;
pub use self::list::every as list_all;
use self::requests::guardian_emails;
pub use self::requests::own::refuse_by_guardian;
use self::requests::prices::QuoteTerms;
use self::requests::rules::{self, NewEnrollment, Repeat};
use self::seats::by_section;
use self::status::EnrollmentStatus;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::base::money::Money;
use crate::config::Config;
use crate::consents;
use crate::courses;
use crate::courses::values::{Credits, Grade};
use crate::mail::{self, Cause};
use crate::school::texts::{self, SchoolText};
use crate::settings::site::{self, Site};
use crate::students::{CurrentStudent, lacks};
use crate::terms::EnrolledSection;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::numbered;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_own_enrollments, request_enrollment, get_enrollment_dates]
        .merge(credits::routes())
        .merge(history::routes())
        .merge(decisions::routes())
        .merge(list::routes())
        .merge(requests::routes())
}

/// An enrollment, as shown to its student.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Enrollment {
    /// Number of the enrollment.
    pub id: i64,
    /// Number of the course.
    pub course_id: i64,
    /// The course.
    pub course: EnrolledCourse,
    /// State.
    pub status: EnrollmentStatus,
    /// First day.
    pub start_date: Date,
    /// Last day.
    pub end_date: Date,
    /// What the course cost on the day of the request; null when it had no price.
    #[schema(value_type = Option<f64>)]
    pub quoted_price: Option<Money>,
    /// When that was.
    pub quoted_at: Option<Timestamp>,
    /// What the office charged; null while it has charged nothing, 0 for a free course.
    #[schema(value_type = Option<f64>)]
    pub charged_price: Option<Money>,
    /// The earlier enrollment in the same course: the completed one that is repeated, or a request that came
    /// to nothing.
    pub repeat_of: Option<i64>,
    /// Why a completed course is repeated: it was failed, or is taken for a better mark.
    pub repeat: Option<Repeat>,
    /// The mark of the completed course that is repeated.
    pub repeated_mark: Option<i64>,
    /// The attempt at the same course that has the better mark and so earns its credit; a transcript marks
    /// this one as a repeat.
    pub better_attempt: Option<i64>,
    /// When it was requested.
    pub requested_at: Timestamp,
    /// When its state last changed after that.
    pub decided_at: Option<Timestamp>,
    /// Why it was declined or withdrawn.
    pub reason: Option<String>,
    /// The mark of a completed course, or of the day it was left.
    pub final_mark: Option<i64>,
    /// First day without the course, for a withdrawal.
    pub withdrawn_on: Option<Date>,
    /// The place on the waiting list, from 1; null when it is on none.
    pub waitlist_position: Option<i64>,
    /// Until when a free place is kept for it.
    pub offered_until: Option<Timestamp>,
    /// When the student asked to leave the course.
    pub leave_asked_at: Option<Timestamp>,
    /// Why.
    pub leave_reason: Option<String>,
    /// The mark in the middle of the course.
    pub midterm_mark: Option<i64>,
    /// Earned credits; null until completed, 0 if another attempt is better.
    #[schema(value_type = Option<f64>)]
    pub earned_credits: Option<Credits>,
    /// The section; null for own dates. The student of the enrollment gets the links of its meetings from the day
    /// before its first day to its last, while it is active.
    pub section: Option<EnrolledSection>,
    /// The active enrollment that goes on in this one's place, for one that was transferred.
    pub transferred_to: Option<i64>,
    /// The enrollment that this one goes on from.
    pub transferred_from: Option<i64>,
    /// Version, incremented with every change.
    pub version: i64,
}

numbered!(Enrollment, "Enrollment");

impl Enrollment {
    /// Whether its student takes the course on a day.
    pub fn is_taken_on(&self, day: Date) -> bool {
        self.status == EnrollmentStatus::Active && (self.start_date..=self.end_date).contains(&day)
    }
}

/// The course of an enrollment, which may no longer be in the catalogue.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct EnrolledCourse {
    /// Name.
    pub name: String,
    /// Course code.
    pub code: String,
    /// Grade.
    pub grade: Grade,
    /// Credits toward the diploma.
    #[schema(value_type = f64)]
    pub credits: Credits,
    /// What was charged or, before that, quoted for this enrollment; never the price of today.
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
    /// Grade.
    pub course_grade: Grade,
    /// First day.
    pub start_date: Date,
    /// Last day.
    pub end_date: Date,
    /// Default price of an approval: the quote while it is valid, else today's price.
    #[schema(value_type = Option<f64>)]
    pub course_fee: Option<Money>,
    /// What the course cost on the day of the request; null when it had no price.
    #[schema(value_type = Option<f64>)]
    pub quoted_fee: Option<Money>,
    /// The last day on which that price is valid.
    pub quoted_until: Option<Date>,
    /// What the course costs today; null while it has no price.
    #[schema(value_type = Option<f64>)]
    pub current_fee: Option<Money>,
    /// Whether name, date of birth or status in Canada changed after the office had approved this student.
    pub identity_changed: bool,
    /// The section; null for own dates.
    pub section: Option<EnrolledSection>,
    /// Always `pending`.
    pub status: EnrollmentStatus,
}

/// An active enrollment that was never charged, because its course had no price.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct UnpricedEnrollment {
    /// Number of the enrollment.
    pub id: i64,
    /// Number of the student.
    pub student_id: i64,
    /// The student's full name, or their number while the profile is empty.
    pub student_name: String,
    /// The student's address.
    pub student_email: String,
    /// The course's name.
    pub course_name: String,
    /// The course's code.
    pub course_code: String,
    /// When it was approved.
    pub approved_at: Option<Timestamp>,
    /// What the course costs today, as a suggestion; null while it has no price.
    #[schema(value_type = Option<f64>)]
    pub current_fee: Option<Money>,
    /// Default due date of a charge posted today.
    pub usual_due_on: Date,
}

/// Allowed dates of a request made today, and payment information.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EnrollmentDates {
    /// The first day on which a course may begin.
    pub earliest_start: Date,
    /// The last day on which a course may begin.
    pub latest_start: Date,
    /// Maximum length in months.
    pub max_months: u32,
    /// Days after the approval in which the fee is due.
    pub due_days: u32,
    /// How to pay a fee.
    pub how_to_pay: String,
    /// How to cancel a request or an enrollment.
    pub how_to_cancel: String,
    /// Refund terms.
    pub refunds: String,
}

form! {
    /// `POST /api/students/enrollments`' body.
    pub struct EnrollmentForm {
        /// The course.
        course_id: i64,
        /// A section of the course, which has its own days; required while one can be asked for, unless both days are
        /// sent.
        section_id: Option<i64>,
        /// First day, YYYY-MM-DD; ignored with a section.
        start_date: Option<Date>,
        /// Last day, YYYY-MM-DD, after the first; ignored with a section.
        end_date: Option<Date>,
        /// Versions of the texts shown beside the form's button; without it no consent is recorded.
        accepted_text_versions: Option<Vec<String>>,
    }
}

/// The signed-in student's enrollments, newest first
#[utoipa::path(get, path = "/api/students/enrollments", tag = "enrollments")]
async fn list_own_enrollments(
    student: CurrentStudent,
    State(app): State<App>,
) -> Result<Json<Vec<Enrollment>>> {
    let id = student.id;
    let today = app.today();
    app.db.read(move |connection| store::list_own(connection, id, today)).await.map(Json)
}

/// A request that was just made.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RequestedEnrollment {
    /// The request.
    #[serde(flatten)]
    enrollment: Enrollment,
    /// Whether its section has begun, so that the student has to catch up.
    is_late_entry: bool,
}

/// Request a course for approval
#[utoipa::path(post, path = "/api/students/enrollments", tag = "enrollments",
    responses((status = 409, body = ErrorBody)))]
async fn request_enrollment(
    student: CurrentStudent,
    State(app): State<App>,
    Extension(site): Extension<Site>,
    Json(form): Json<EnrollmentForm>,
) -> Result<(StatusCode, Json<RequestedEnrollment>)> {
    let now = app.clock.now();
    let config = app.config.clone();
    let terms = quote_terms(&app);
    let today = terms.today;
    let site = site.current(&app.db, today).await?;
    let needs_section = match form.course_id {
        Field::Value(id) if form.names_no_days() => {
            app.db.read(move |connection| by_section::are_offered(connection, id, today)).await?
        }
        _ => false,
    };
    let (mut new, accepted) = request(&form, needs_section, &config, &site, today)?;
    let to = store::Addressee::asking(&student)?;
    app.write_and_notify(move |connection| {
        let mut course = courses::store::find_open(connection, new.course_id)?
            .ok_or_else(|| Error::field("courseId", "This course is not offered any more"))?;
        rules::check_open(&course)?;
        let is_late_entry = by_section::ask(connection, to.id, &mut new, &mut course, terms.today)?;
        let enrollment = store::request(connection, to.id, &new, &course, now)?;
        let accepted = texts::keep(connection, &accepted, now)?;
        consents::give(connection, to.id, Some(enrollment.id), accepted.into_iter(), now)?;
        let wanted = lacks::wanted(connection, to.id, &config.office, terms.today)?;
        let email = emails::requested(&to, &enrollment, is_late_entry, &wanted, &terms, &config);
        mail::outbox::enqueue(connection, &email, Cause::Student(to.id), &config, now)?;
        let context = guardian_emails::AskContext { config: &config, now };
        guardian_emails::ask(connection, &context, Some(to.id))?;
        Ok(RequestedEnrollment { enrollment, is_late_entry })
    })
    .await
    .map(|requested| (StatusCode::CREATED, Json(requested)))
}

/// Validates a request with its accepted texts, collecting all errors.
fn request(
    form: &EnrollmentForm,
    needs_section: bool,
    config: &Config,
    site: &site::SiteSnapshot,
    today: Date,
) -> Result<(NewEnrollment, Vec<Arc<SchoolText>>), FieldErrors> {
    let mut errors = FieldErrors::default();
    let accepted = texts::accepted(&form.accepted_text_versions, &site.texts, &mut errors);
    let new =
        match NewEnrollment::parse(form, needs_section, &config.enrollments, &site.school.semesters, today) {
            Ok(new) => Some(new),
            Err(others) => {
                others.iter().for_each(|(name, message)| errors.add(name.to_owned(), message));
                None
            }
        };
    errors.finish(new.map(|new| (new, accepted)))
}

/// Allowed dates of a request
#[utoipa::path(get, path = "/api/students/enrollments/dates", tag = "enrollments")]
async fn get_enrollment_dates(_: CurrentStudent, State(app): State<App>) -> Json<EnrollmentDates> {
    let settings = &app.config.enrollments;
    let today = quote_terms(&app).today;
    Json(EnrollmentDates {
        earliest_start: settings.earliest_start(today),
        latest_start: settings.latest_start(today),
        max_months: settings.max_months_long,
        due_days: app.config.money.due_days(),
        how_to_pay: app.config.how_to_pay(),
        how_to_cancel: emails::HOW_TO_CANCEL.to_owned(),
        refunds: app.config.refunds(),
    })
}

/// The terms of a request made today.
pub fn quote_terms(app: &App) -> QuoteTerms {
    let zone = app.config.school().zone();
    QuoteTerms { days: app.config.money.quote_days, today: app.clock.today(&zone), zone }
}
