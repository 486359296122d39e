//! Enrolling a student on their behalf.

use axum::extract::State;
use axum::http::StatusCode;
use jiff::civil::Date;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::approve::{Overrides, RequirementOverride, overrides};
use super::{Decided, DecisionContext, PendingDecision};
use crate::audit::By;
use crate::base::closed_set::ClosedSet as _;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::base::money::Money;
use crate::config::Enrollments;
use crate::courses;
use crate::decisions::Decision;
use crate::enrollments::events::Event;
use crate::enrollments::requests::rules::{self, NewEnrollment};
use crate::enrollments::seats::by_section;
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::verb::Verb;
use crate::enrollments::{emails, store};
use crate::staff::{Staff, may};
use crate::students::{self, lacks};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::price::{self, PriceInput};

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![enroll_student]
}

form! {
    /// `POST /api/admin/enrollments`' body.
    pub struct EnrollForm {
        /// The student.
        student_id: i64,
        /// The course.
        course_id: i64,
        /// A section of the course, which has its own days.
        section_id: Option<i64>,
        /// First day; ignored with a section.
        start_date: Option<Date>,
        /// Last day, after the first; ignored with a section.
        end_date: Option<Date>,
        /// Price to charge instead of today's price.
        #[schema(value_type = Option<PriceInput>)]
        price: Option<Money>,
        /// `active` (default), or `pending` for a request to decide later.
        status: Option<EnrollmentStatus>,
        /// Reason for the office's records: 10 to 1,000 characters.
        reason: String,
        /// Reasons for approving without required items.
        r#override: Option<Overrides>,
    }
}

/// A validated enrollment on behalf of a student.
pub struct Enroll {
    /// Number of the student.
    pub student_id: i64,
    /// The course and its days.
    pub new: NewEnrollment,
    /// Price to charge instead of the course's.
    pub price: Option<Money>,
    /// Whether it is approved at once.
    pub is_active: bool,
    /// Why.
    pub reason: String,
    /// Items that may be missing, with reasons.
    pub overrides: Vec<RequirementOverride>,
}

impl Enroll {
    fn parse(form: &EnrollForm, settings: &Enrollments) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let number = |field: &Field<i64>, message: &'static str| match field {
            Field::Value(id) => Ok(*id),
            _ => Err(message),
        };
        let student_id = errors.take("studentId", number(&form.student_id, "Student is required"));
        let course_id = errors.take("courseId", number(&form.course_id, "Course is required"));
        let section_id = errors.take("sectionId", rules::section_id(&form.section_id));
        let dates = match rules::names_section(&form.section_id) {
            true => Some((Date::ZERO, Date::ZERO)),
            false => rules::dates(&form.start_date, &form.end_date, settings, &mut errors),
        };
        let price = errors.take("price", parse_price(&form.price));
        let is_active = match form.status.text() {
            "" | "active" => Ok(true),
            "pending" => Ok(false),
            _ => Err("Status must be active or pending"),
        };
        let is_active = errors.take("status", is_active);
        let reason = form.reason.between(10, 1000, "Please say in at least 10 characters why");
        let reason = errors.take("reason", reason);
        let overrides = errors.take("override", overrides(&form.r#override));
        let enroll = || {
            let (start_date, end_date) = dates?;
            Some(Self {
                student_id: student_id?,
                new: NewEnrollment { course_id: course_id?, section_id: section_id?, start_date, end_date },
                price: price?,
                is_active: is_active?,
                reason: reason?,
                overrides: overrides?,
            })
        };
        errors.finish(enroll())
    }
}

fn parse_price(field: &Field<PriceInput>) -> Result<Option<Money>, &'static str> {
    price::amount(field).map_err(|_| "Price must be $0.00 to $99,999,999.99, with at most two decimals")
}

/// Enroll a student on their behalf, as active or as a request
#[utoipa::path(post, path = "/api/admin/enrollments", tag = "enrollments",
    responses((status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "The student has this course already, or something \
            that the school requires is missing (`reason`)")))]
async fn enroll_student(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Json(form): Json<EnrollForm>,
) -> Result<(StatusCode, Json<Decided>)> {
    let enroll = Enroll::parse(&form, &app.config.enrollments)?;
    let context = DecisionContext::new(&app, &staff);
    let decided = app.write_and_notify(move |connection| context.enroll(connection, &enroll)).await?;
    Ok((StatusCode::CREATED, Json(decided)))
}

impl DecisionContext {
    /// Enrolls a student on their behalf.
    pub fn enroll(&self, connection: &Connection, enroll: &Enroll) -> Result<Decided> {
        let Enroll { student_id, new, price, is_active, reason, overrides } = enroll;
        let student = students::store::find(connection, *student_id)?
            .ok_or_else(|| Error::field("studentId", "There is no such student"))?;
        if !student.status.is_open() {
            return Err(Error::field("studentId", "This student's account is suspended or closed"));
        }
        let mut course = courses::store::find_open(connection, new.course_id)?
            .ok_or_else(|| Error::field("courseId", "This course is not offered any more"))?;
        let mut new = new.clone();
        by_section::take_by_office(connection, &mut new, &mut course)?;
        course.price = price.or(course.price);
        let office = &self.config.office;
        let verb = Verb::Enroll;
        let decision = Decision::begin(connection, verb.as_str(), self.user_id, None, office, self.now)?;
        let event = Event::new(0, By::Staff(self.user_id), verb, None, EnrollmentStatus::Pending);
        let event = Event { decision: Some(decision.id()), ..event };
        let before = store::insert(connection, *student_id, &new, &course, event, self.now)?;
        let id = before.id;
        let detail =
            json!({ "course": course.code, "student": student_id, "reason": reason, "price": course.price });
        let student = store::student_of(connection, id)?;
        if *is_active {
            self.record(connection, verb, id, detail)?;
            let verb = Verb::Approve;
            let to = EnrollmentStatus::Active;
            let pending = PendingDecision { before, student, verb, to, decision };
            let missing = self.check_requirements(connection, &pending.before, overrides)?;
            let prices = store::prices(connection, id)?;
            return self.activate(connection, &pending, &prices, course.price, &missing, overrides);
        }
        let pending = PendingDecision { to: before.status, before, student, verb, decision };
        let wanted = lacks::wanted(connection, *student_id, &self.config.office, self.terms.today)?;
        self.finish(connection, &pending, detail, |to, enrollment| {
            let is_late = new.section_id.is_some() && enrollment.start_date < self.terms.today;
            emails::requested(to, enrollment, is_late, &wanted, &self.terms, &self.config)
        })
    }
}
