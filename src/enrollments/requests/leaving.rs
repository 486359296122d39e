//! What leaving a course costs by when: for its student, and for the office.

use axum::Extension;
use axum::extract::State;
use rusqlite::Connection;
use utoipa_axum::router::OpenApiRouter;

use crate::base::dates::DateRange;
use crate::base::error::{Error, Result};
use crate::base::json::Json;
use crate::courses;
use crate::enrollments::requests::prices::QuoteTerms;
use crate::enrollments::requests::rules::NewEnrollment;
use crate::enrollments::seats::by_section;
use crate::enrollments::{Enrollment, EnrollmentForm, store};
use crate::money::refunds::{self, LeavingTerms, QuotedCourse};
use crate::settings::site::Site;
use crate::staff::{Staff, may};
use crate::students::CurrentStudent;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::{Id, Numbered};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![quote_leaving_terms, get_own_leaving_terms, get_leaving_terms]
}

/// What leaving a course would cost until which day, if the student asked for it today
#[utoipa::path(
    post,
    path = "/api/students/enrollments/quote",
    tag = "enrollments",
    description = "The body is that of a request, without the accepted texts. Nothing is kept."
)]
async fn quote_leaving_terms(
    student: CurrentStudent,
    State(app): State<App>,
    Extension(site): Extension<Site>,
    Json(form): Json<EnrollmentForm>,
) -> Result<Json<LeavingTerms>> {
    let config = app.config.clone();
    let today = app.today();
    let site = site.current(&app.db, today).await?;
    let mut new = NewEnrollment::parse(&form, false, &config.enrollments, &site.school.semesters, today)?;
    app.db
        .query(move |connection| {
            let mut course = courses::store::find_open(connection, new.course_id)?
                .ok_or_else(|| Error::field("courseId", "This course is not offered any more"))?;
            by_section::ask(connection, student.id, &mut new, &mut course, today)?;
            let fee = course.price.unwrap_or_default();
            let days = DateRange { first: new.start_date, last: new.end_date };
            let wanted = QuotedCourse { fee, days, section_id: new.section_id };
            refunds::quoted_terms(connection, wanted, student.profile.province.as_deref(), today)
        })
        .await
        .map(Json)
}

/// What leaving a course costs until which day, as the refund policy says
#[utoipa::path(get, path = "/api/students/enrollments/{id}/leaving", tag = "enrollments")]
async fn get_own_leaving_terms(
    student: CurrentStudent,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
) -> Result<Json<LeavingTerms>> {
    let terms = crate::enrollments::quote_terms(&app);
    app.db
        .query(move |connection| {
            store::own_status(connection, id, student.id)?.ok_or_else(Enrollment::not_found)?;
            leaving_terms(connection, id, &terms)
        })
        .await
        .map(Json)
}

/// What leaving the course of an enrollment costs until which day, as the refund policy says
#[utoipa::path(get, path = "/api/admin/enrollments/{id}/leaving", tag = "enrollments")]
async fn get_leaving_terms(
    _: Staff<may::AnyRole>,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
) -> Result<Json<LeavingTerms>> {
    let terms = crate::enrollments::quote_terms(&app);
    app.db.query(move |connection| leaving_terms(connection, id, &terms)).await.map(Json)
}

/// Before the approval, they are those of the price that it would charge.
fn leaving_terms(connection: &Connection, id: i64, terms: &QuoteTerms) -> Result<LeavingTerms> {
    let price = store::prices(connection, id)?.usual(terms);
    refunds::leaving_terms(connection, id, price, &terms.zone)
}
