//! What the office decides about a request, and taking a decision back while nobody has been told.
//!
//! The e-mails of a decision wait for `[office] undo_seconds`. Until then undoing it deletes them and
//! gives the enrollment the state that its events tell of; the ledger nets to nothing by reversals,
//! and the events keep both, the decision and its undoing.

use axum::Json;
use axum::extract::{Path, State};
use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::decisions::{self, Decision, Stored, Undo, Verb};
use super::events::{self, Event};
use super::prices::PriceChoice;
use super::status::EnrollmentStatus;
use super::{Enrollment, emails, quote_terms, store};
use crate::audit::By;
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::mail::outbox;
use crate::staff::{Staff, may};
use crate::web::access::endpoint;
use crate::web::app::App;
use crate::web::form::{Field, Json as JsonBody, OptionalJson, form};
use crate::web::id::{Id, Numbered};
use crate::{audit, fees, students};

/// The endpoints of decisions.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(endpoint!(approve_enrollment))
        .routes(endpoint!(decline_enrollment))
        .routes(endpoint!(undo_decision))
}

form! {
    /// `POST /api/admin/enrollments/{id}/approve`'s body, which may be left out.
    pub struct Approval {
        /// The state that the office saw; in any other the request is refused.
        expected: Option<EnrollmentStatus>,
        /// Which price is charged; otherwise the quote while it holds, and today's price afterwards.
        price: Option<PriceChoice>,
    }
}

closed_set! {
    /// Why a request is declined, for the school's own figures; the student reads the words.
    pub enum DeclineCode {
        /// No seat is left.
        ClassFull = "class_full",
        /// A course that comes first is missing.
        PrerequisiteMissing = "prerequisite_missing",
        /// Papers are missing.
        DocumentsMissing = "documents_missing",
        /// The course does not run on these dates.
        Dates = "dates",
        /// Anything else.
        Other = "other",
    }
}

form! {
    /// `POST /api/admin/enrollments/{id}/decline`'s body.
    pub struct Refusal {
        /// Why, in words that the student reads: 10 to 1,000 characters.
        reason: String,
        /// Why, in a word for the school's figures; otherwise `other`.
        code: Option<DeclineCode>,
        /// The state that the office saw; in any other the request is not declined.
        expected: Option<EnrollmentStatus>,
    }
}

/// An enrollment after a decision.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Decided {
    /// The enrollment as it is now.
    #[serde(flatten)]
    enrollment: Enrollment,
    /// False when it was so already, so that this decision changed nothing.
    is_changed: bool,
    /// How to take the decision back; null when it changed nothing, or e-mails leave at once.
    undo: Option<Undo>,
}

impl Decided {
    fn unchanged(connection: &Connection, id: i64) -> Result<Self> {
        Ok(Self { enrollment: store::find(connection, id)?, is_changed: false, undo: None })
    }
}

/// What a decision left when it was undone.
#[derive(Debug, Serialize, ToSchema)]
pub struct Undone {
    /// The enrollments as they are now.
    restored: Vec<Enrollment>,
}

/// An approval whose every field is right.
struct Choice {
    expected: Option<EnrollmentStatus>,
    price: Option<PriceChoice>,
}

impl Choice {
    fn parse(form: &Approval) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let expected = errors.take("expected", expected(&form.expected));
        let price = errors.take("price", PriceChoice::read(&form.price));
        let choice = || Some(Self { expected: expected?, price: price? });
        errors.finish(choice())
    }
}

fn expected(field: &Field<String>) -> Result<Option<EnrollmentStatus>, String> {
    match field {
        Field::Absent | Field::Null => Ok(None),
        Field::Value(_) | Field::Wrong => EnrollmentStatus::parse(field.text())
            .map(Some)
            .ok_or_else(|| format!("Must be one of {}", EnrollmentStatus::words())),
    }
}

/// A refusal whose every field is right.
struct Reason {
    words: String,
    code: DeclineCode,
    expected: Option<EnrollmentStatus>,
}

impl Reason {
    const SHORT: &str = "Please say in at least 10 characters why; the student reads it";

    fn parse(form: &Refusal) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let words = errors.take("reason", form.reason.between(10, 1000, Self::SHORT));
        let code = match &form.code {
            Field::Absent | Field::Null => Ok(DeclineCode::Other),
            Field::Value(_) | Field::Wrong => DeclineCode::parse(form.code.text())
                .ok_or_else(|| format!("Must be one of {}", DeclineCode::words())),
        };
        let code = errors.take("code", code);
        let expected = errors.take("expected", expected(&form.expected));
        let reason = || Some(Self { words: words?, code: code?, expected: expected? });
        errors.finish(reason())
    }
}

/// Approve a pending enrollment and charge its price; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/enrollments/{id}/approve", tag = "enrollments",
    params(("id" = i64, Path, description = "Number of the enrollment")),
    request_body = Option<Approval>,
    responses((status = 200, body = Decided), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "It is in another state; `current` is the enrollment")))]
async fn approve_enrollment(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
    OptionalJson(form): OptionalJson<Approval>,
) -> Result<Json<Decided>> {
    let Choice { expected, price } = Choice::parse(&form)?;
    let (now, config, terms) = (app.clock.now(), app.config.clone(), quote_terms(&app));
    app.write_and_post(move |connection| {
        let status = store::status(connection, id)?.ok_or_else(Enrollment::not_found)?;
        if !status.approve().map_err(|error| moved(connection, id, &error))? {
            return Decided::unchanged(connection, id);
        }
        check_expected(connection, id, status, expected)?;
        let prices = store::prices(connection, id)?;
        let price = prices.choose(price, &terms)?;
        let due_on = config.money.due_on(terms.today);
        let decision = Decision::begin(connection, Verb::Approve, staff.id, &config.office, now)?;
        store::approve(connection, id, status, price, &decision)?;
        if let Some(price) = price {
            fees::charge_enrollment(connection, id, price, due_on, staff.id, now)?;
        }
        let enrollment = store::find(connection, id)?;
        let detail = serde_json::json!({
            "course": enrollment.course.code, "price": price,
            "quoted": prices.quoted, "current": prices.current,
        });
        audit::record(connection, &staff.actor(), "approve", "enrollment", id, detail, now)?;
        let student = store::student_of(connection, id)?;
        students::identity::mark_checked(connection, student.id, staff.id, now)?;
        let name = student.full_name.as_deref();
        let email = emails::approved(&student.email, name, &enrollment, due_on, &config);
        outbox::enqueue_held(connection, &email, decision.hold(), &config, now)?;
        Ok(Decided { enrollment, is_changed: true, undo: decision.undo() })
    })
    .await
    .map(Json)
}

/// The same refusal, with the enrollment as it is now.
fn moved(connection: &Connection, id: i64, refusal: &Error) -> Error {
    let current = store::find(connection, id).and_then(|enrollment| {
        serde_json::to_value(enrollment).map_err(|error| Error::Internal(error.into()))
    });
    match current {
        Ok(current) => Error::Moved(refusal.to_string(), Box::new(current)),
        Err(error) => error,
    }
}

/// Refuses a decision about a state that has changed since it was seen.
fn check_expected(
    connection: &Connection,
    id: i64,
    status: EnrollmentStatus,
    expected: Option<EnrollmentStatus>,
) -> Result<()> {
    if expected.is_none_or(|expected| expected == status) {
        return Ok(());
    }
    let words = format!("This enrollment is now {}.", status.as_str());
    Err(moved(connection, id, &Error::Conflict(words)))
}

/// Decline a request, with a reason that the student reads; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/enrollments/{id}/decline", tag = "enrollments",
    params(("id" = i64, Path, description = "Number of the enrollment")), request_body = Refusal,
    responses((status = 200, body = Decided), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "It is in another state; `current` is the enrollment")))]
async fn decline_enrollment(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
    JsonBody(form): JsonBody<Refusal>,
) -> Result<Json<Decided>> {
    let Reason { words, code, expected } = Reason::parse(&form)?;
    let (now, config) = (app.clock.now(), app.config.clone());
    app.write_and_post(move |connection| {
        let status = store::status(connection, id)?.ok_or_else(Enrollment::not_found)?;
        if !status.decline().map_err(|error| moved(connection, id, &error))? {
            return Decided::unchanged(connection, id);
        }
        check_expected(connection, id, status, expected)?;
        let decision = Decision::begin(connection, Verb::Decline, staff.id, &config.office, now)?;
        store::decline(connection, id, status, &words, &decision)?;
        let enrollment = store::find(connection, id)?;
        let detail = serde_json::json!({ "course": enrollment.course.code, "code": code, "reason": words });
        audit::record(connection, &staff.actor(), "decline", "enrollment", id, detail, now)?;
        let student = store::student_of(connection, id)?;
        let email =
            emails::declined(&student.email, student.full_name.as_deref(), &enrollment, &words, &config);
        outbox::enqueue_held(connection, &email, decision.hold(), &config, now)?;
        Ok(Decided { enrollment, is_changed: true, undo: decision.undo() })
    })
    .await
    .map(Json)
}

/// Take a decision back while its e-mails wait; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/decisions/{id}/undo", tag = "enrollments",
    params(("id" = String, Path, description = "The decision, as its answer named it")),
    responses((status = 200, body = Undone), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "An e-mail of it has left, or something has changed since")))]
async fn undo_decision(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<Undone>> {
    let now = app.clock.now();
    app.db
        .write(move |connection| {
            let decision = decisions::find(connection, &id)?
                .ok_or_else(|| Error::NotFound("Decision not found".into()))?;
            let transitions = events::of_decision(connection, &id)?;
            if !decision.is_undone {
                if now >= decision.undo_until || !outbox::delete_held(connection, &id)? {
                    let words = "The e-mail about this decision has left, so it can no longer be undone.";
                    return Err(Error::Conflict(words.into()));
                }
                for transition in &transitions {
                    take_back(connection, transition, &decision, &staff, now)?;
                }
                decisions::mark_undone(connection, &id, now)?;
            }
            let restored = transitions.iter().map(|one| store::find(connection, one.enrollment_id));
            Ok(Undone { restored: restored.collect::<Result<_>>()? })
        })
        .await
        .map(Json)
}

fn take_back(
    connection: &Connection,
    transition: &events::Decided,
    decision: &Stored,
    staff: &Staff<may::Enrollments>,
    now: Timestamp,
) -> Result<()> {
    let id = transition.enrollment_id;
    if events::last(connection, id)? != Some(transition.id) {
        let words = "This enrollment has changed since, so the decision can no longer be undone.";
        return Err(moved(connection, id, &Error::Conflict(words.into())));
    }
    store::restore(connection, transition)?;
    fees::reverse_charges(connection, id, staff.id, now)?;
    let student = store::student_of(connection, id)?;
    students::identity::unmark_checked(connection, student.id, decision.user_id, decision.created_at)?;
    let undoing = Event::new(id, By::Staff(staff.id), Some(transition.to), transition.from);
    Event { undoes_id: Some(transition.id), ..undoing }.record(connection, now)?;
    let detail = serde_json::json!({ "decision": decision.verb, "status": transition.from });
    audit::record(connection, &staff.actor(), "undo", "enrollment", id, detail, now)
}
