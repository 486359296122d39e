//! A student's actions on their own enrollments: withdrawing a request, accepting or declining an offered place, asking
//! to leave a course.

use axum::extract::State;
use rusqlite::Connection;
use utoipa_axum::router::OpenApiRouter;

use crate::audit::By;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::config::Demand;
use crate::enrollments::events::Event;
use crate::enrollments::requests::guardian_emails::{SendTime, send_with_copies};
use crate::enrollments::requests::requirements::{Moment, Requirement, Standing};
use crate::enrollments::seats::waitlist::{self, WaitlistContext};
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::transitions::Transition;
use crate::enrollments::verb::Verb;
use crate::enrollments::{Enrollment, emails, quote_terms, store};
use crate::mail::{Cause, outbox};
use crate::money::ledger;
use crate::staff;
use crate::students::CurrentStudent;
use crate::students::lacks::{self, Wanted};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::form;
use crate::web::id::{Id, Numbered};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![withdraw_enrollment, accept_place, decline_place, ask_to_leave, stay_in_course]
}

form! {
    /// `POST /api/students/enrollments/{id}/leave`'s body.
    pub struct LeaveForm {
        /// Reason for the office: 10 to 1,000 characters.
        reason: String,
    }
}

/// Withdraw a request that the office has not approved
#[utoipa::path(post, path = "/api/students/enrollments/{id}/withdraw", tag = "enrollments",
    responses((status = 409, body = ErrorBody)))]
async fn withdraw_enrollment(
    student: CurrentStudent,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
) -> Result<Json<Enrollment>> {
    with_own(&app, student.id, id, move |connection, status, context| {
        withdraw(connection, id, status, context)
    })
    .await
}

/// Accept the offered place at the offered price
#[utoipa::path(post, path = "/api/students/enrollments/{id}/accept-place", tag = "enrollments",
    responses((status = 409, body = ErrorBody)))]
async fn accept_place(
    student: CurrentStudent,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
) -> Result<Json<Enrollment>> {
    with_own(&app, student.id, id, move |connection, status, context| accept(connection, id, status, context))
        .await
}

/// Decline the offered place
#[utoipa::path(post, path = "/api/students/enrollments/{id}/decline-place", tag = "enrollments",
    responses((status = 409, body = ErrorBody)))]
async fn decline_place(
    student: CurrentStudent,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
) -> Result<Json<Enrollment>> {
    with_own(&app, student.id, id, move |connection, status, context| {
        refuse_place(connection, id, status, context)
    })
    .await
}

/// Ask the office to end an active enrollment; asking again replaces the reason
#[utoipa::path(post, path = "/api/students/enrollments/{id}/leave", tag = "enrollments",
    responses((status = 409, body = ErrorBody)))]
async fn ask_to_leave(
    student: CurrentStudent,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
    Json(form): Json<LeaveForm>,
) -> Result<Json<Enrollment>> {
    let wanted = "Please say in at least 10 characters why you want to leave";
    let reason =
        form.reason.between(10, 1000, wanted).map_err(|message| FieldErrors::one("reason", message))?;
    with_own(&app, student.id, id, move |connection, status, context| {
        leave(connection, id, status, &reason, context)
    })
    .await
}

/// Withdraw the request to leave a course
#[utoipa::path(post, path = "/api/students/enrollments/{id}/leave/cancel", tag = "enrollments",
    responses((status = 409, body = ErrorBody)))]
async fn stay_in_course(
    student: CurrentStudent,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
) -> Result<Json<Enrollment>> {
    with_own(&app, student.id, id, move |connection, status, context| stay(connection, id, status, context))
        .await
}

/// Changes a student's own enrollment and returns it.
async fn with_own(
    app: &App,
    student_id: i64,
    id: i64,
    work: impl FnOnce(&Connection, EnrollmentStatus, &WaitlistContext<'_>) -> Result<()> + Send + 'static,
) -> Result<Json<Enrollment>> {
    let now = app.clock.now();
    let config = app.config.clone();
    let terms = quote_terms(app);
    app.carry_out_and_notify(move |connection| {
        let status = store::own_status(connection, id, student_id)?.ok_or_else(Enrollment::not_found)?;
        work(connection, status, &WaitlistContext { config: &config, terms: &terms, now })?;
        store::find_own(connection, id, terms.today)
    })
    .await
}

/// Withdraws a request that the office has not approved.
pub fn withdraw(
    connection: &Connection,
    id: i64,
    status: EnrollmentStatus,
    context: &WaitlistContext<'_>,
) -> Result<()> {
    Transition::TAKE_BACK.after(status).or_else(|words| conflict(connection, id, context, words))?;
    give_up(connection, id, Verb::Withdraw, status, context)
}

/// Withdraws a request that a guardian does not agree to, for a reason that the student reads; a repetition changes
/// nothing.
///
/// # Errors
/// 409 when the request is no longer open.
pub fn refuse_by_guardian(
    connection: &Connection,
    id: i64,
    reason: &str,
    context: &WaitlistContext<'_>,
) -> Result<()> {
    let before = store::find(connection, id)?;
    if before.status == EnrollmentStatus::Withdrawn && before.reason.as_deref() == Some(reason) {
        return Ok(());
    }
    if !matches!(before.status, EnrollmentStatus::Pending | EnrollmentStatus::Waitlisted) {
        let words = match before.status {
            EnrollmentStatus::Active => {
                "The office has already approved this request. Please contact the office to leave the course."
            }
            _ => "This request is no longer open.",
        };
        return Err(Error::conflict(words, &before));
    }
    let event =
        Event::new(id, By::Guardian, Verb::Withdraw, Some(before.status), EnrollmentStatus::Withdrawn);
    let event = Event { reason: Some(reason), ..event };
    store::close(connection, event, context.terms.today, context.now)?;
    waitlist::promote(connection, before.course_id, context, None)?;
    let student = store::student_of(connection, id)?;
    let email = emails::refused_by_guardian(&student, &before, reason, context.config);
    outbox::enqueue(connection, &email, Cause::Office, context.config, context.now).map(drop)
}

/// Declines an offered place.
pub fn refuse_place(
    connection: &Connection,
    id: i64,
    status: EnrollmentStatus,
    context: &WaitlistContext<'_>,
) -> Result<()> {
    check_offer(connection, id, status, context)?;
    give_up(connection, id, Verb::DeclinePlace, status, context)
}

/// Asks the office to end an active enrollment.
pub fn leave(
    connection: &Connection,
    id: i64,
    status: EnrollmentStatus,
    reason: &str,
    context: &WaitlistContext<'_>,
) -> Result<()> {
    Transition::ASK_TO_LEAVE.after(status).or_else(|words| conflict(connection, id, context, words))?;
    if store::find(connection, id)?.leave_reason.as_deref() == Some(reason) {
        return Ok(());
    }
    let event = Event::new(id, By::Student, Verb::AskToLeave, Some(status), status);
    store::ask_to_leave(connection, event, reason, context.now)?;
    tell_office(connection, id, Some(reason), context)
}

/// Withdraws the request to leave.
pub fn stay(
    connection: &Connection,
    id: i64,
    status: EnrollmentStatus,
    context: &WaitlistContext<'_>,
) -> Result<()> {
    Transition::STAY.after(status).or_else(|words| conflict(connection, id, context, words))?;
    if store::find(connection, id)?.leave_asked_at.is_none() {
        return Ok(());
    }
    let event = Event::new(id, By::Student, Verb::Stay, Some(status), status);
    store::forget_leave(connection, event, context.now)?;
    tell_office(connection, id, None, context)
}

/// Emails the office about a request to leave or its withdrawal; a newer email replaces a delayed one.
fn tell_office(
    connection: &Connection,
    id: i64,
    reason: Option<&str>,
    context: &WaitlistContext<'_>,
) -> Result<()> {
    let student = store::student_of(connection, id)?;
    let enrollment = store::find(connection, id)?;
    for office in staff::store::office_emails(connection, context.config)? {
        let email = match reason {
            Some(reason) => {
                emails::asked_to_leave(&office, &student, &enrollment, reason, context.terms, context.config)
            }
            None => emails::stays(&office, &student, &enrollment, context.config),
        };
        outbox::enqueue(connection, &email, Cause::Student(student.id), context.config, context.now)?;
    }
    Ok(())
}

/// Ends a request; its reserved seat is offered to the next student.
fn give_up(
    connection: &Connection,
    id: i64,
    verb: Verb,
    status: EnrollmentStatus,
    context: &WaitlistContext<'_>,
) -> Result<()> {
    let event = Event::new(id, By::Student, verb, Some(status), EnrollmentStatus::Withdrawn);
    store::close(connection, event, context.terms.today, context.now)?;
    waitlist::promote(connection, store::find(connection, id)?.course_id, context, None)
}

/// Refuses with the enrollment as its student sees it.
fn conflict<T>(
    connection: &Connection,
    id: i64,
    context: &WaitlistContext<'_>,
    words: impl Into<String>,
) -> Result<T> {
    Err(Error::conflict(words, &store::find_own(connection, id, context.terms.today)?))
}

fn check_offer(
    connection: &Connection,
    id: i64,
    status: EnrollmentStatus,
    context: &WaitlistContext<'_>,
) -> Result<()> {
    let offered_until = store::find(connection, id)?.offered_until;
    if status == EnrollmentStatus::Waitlisted && offered_until.is_some_and(|until| until > context.now) {
        return Ok(());
    }
    conflict(connection, id, context, "No place is kept for you in this course at the moment.")
}

/// Refuses if requirements are missing, and lists them.
fn check_nothing_missing(
    connection: &Connection,
    id: i64,
    missing: &[Requirement],
    context: &WaitlistContext<'_>,
) -> Result<()> {
    let office = &context.config.office;
    let today = context.terms.today;
    let required: Vec<_> = missing.iter().filter(|one| one.demand(office) == Demand::Required).collect();
    if required.is_empty() {
        return Ok(());
    }
    if required == [&Requirement::Capacity] {
        let message =
            "The class is full after all, so this place cannot be taken now. Please ask the office.";
        return conflict(connection, id, context, message);
    }
    if required.iter().any(|one| one.is_about_course()) {
        let message =
            "This course is no longer taught on these dates. Please ask the office for another one.";
        return conflict(connection, id, context, message);
    }
    let student_id = store::student_of(connection, id)?.id;
    let wanted = lacks::wanted(connection, student_id, office, today)?;
    let words: Vec<_> = wanted
        .iter()
        .filter(|one| required.iter().any(|required| required.is_about(one)))
        .map(Wanted::words)
        .collect();
    let message = format!(
        "Something is still missing before you can take this place: {}. See what is wanted on your dashboard, or \
         ask the office.",
        words.join(", ")
    );
    conflict(connection, id, context, message)
}

/// Accepts an offered place at the offered price.
pub fn accept(
    connection: &Connection,
    id: i64,
    status: EnrollmentStatus,
    context: &WaitlistContext<'_>,
) -> Result<()> {
    if status == EnrollmentStatus::Active {
        return Ok(());
    }
    check_offer(connection, id, status, context)?;
    let standing =
        Standing::of(connection, id, &context.config.office, Moment::new(context.now, context.terms.today))?;
    check_nothing_missing(connection, id, &standing.missing, context)?;
    let price = store::prices(connection, id)?.usual(context.terms);
    let event = Event::new(id, By::Student, Verb::AcceptPlace, Some(status), EnrollmentStatus::Active);
    let event = Event { missing: Some(&standing.missing), ..event };
    store::approve(connection, event, price, None, context.now)?;
    let due_on = context.config.money.due_on(context.terms.today);
    if let Some(price) = price {
        ledger::charge_enrollment(connection, id, price, due_on, None, None, context.now)?;
    }
    let student = store::student_of(connection, id)?;
    let enrollment = store::find(connection, id)?;
    let email = emails::approved(&student, &enrollment, due_on, context.config);
    send_with_copies(connection, &student, &email, SendTime::Now, &context.asking())
}
