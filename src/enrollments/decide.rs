//! What the office decides about a request, and taking a decision back while nobody has been told.
//!
//! The e-mails of a decision wait for `[office] undo_seconds`. Until then undoing it deletes them and
//! gives the enrollment the state that its events tell of; the ledger nets to nothing by reversals,
//! and the events keep both, the decision and its undoing.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::decisions::{self, Decision, Stored, Undo, Verb};
use super::events::{self, Event};
use super::prices::{PriceChoice, QuoteTerms};
use super::status::EnrollmentStatus;
use super::{Enrollment, emails, quote_terms, store};
use crate::audit::By;
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::config::Config;
use crate::mail::outbox;
use crate::staff::{Staff, may};
use crate::storage::db;
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
        pub(super) reason: String,
        /// Why, in a word for the school's figures; otherwise `other`.
        pub(super) code: Option<DeclineCode>,
        /// The state that the office saw; in any other the request is not declined.
        pub(super) expected: Option<EnrollmentStatus>,
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
    pub(super) is_changed: bool,
    /// How to take the decision back; null when it changed nothing, or e-mails leave at once.
    pub(super) undo: Option<Undo>,
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
pub(super) struct Choice {
    pub(super) expected: Option<EnrollmentStatus>,
    pub(super) price: Option<PriceChoice>,
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
pub(super) struct Reason {
    words: String,
    code: DeclineCode,
    expected: Option<EnrollmentStatus>,
}

impl Reason {
    const SHORT: &str = "Please say in at least 10 characters why; the student reads it";

    pub(super) fn parse(form: &Refusal) -> Result<Self, FieldErrors> {
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
    let choice = Choice::parse(&form)?;
    let desk = Desk::new(&app, staff);
    app.write_and_post(move |connection| desk.approve(connection, id, &choice, None)).await.map(Json)
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
    let reason = Reason::parse(&form)?;
    let desk = Desk::new(&app, staff);
    app.write_and_post(move |connection| desk.decline(connection, id, &reason, None)).await.map(Json)
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
    let desk = Desk::new(&app, staff);
    app.db.write(move |connection| desk.undo(connection, &id)).await.map(Json)
}

/// Who decides, when, and by which rules.
pub(super) struct Desk {
    staff: Staff<may::Enrollments>,
    config: Arc<Config>,
    terms: QuoteTerms,
    now: Timestamp,
}

impl Desk {
    pub(super) fn new(app: &App, staff: Staff<may::Enrollments>) -> Self {
        Self { staff, config: app.config.clone(), terms: quote_terms(app), now: app.clock.now() }
    }

    fn begin(&self, connection: &Connection, verb: Verb, bulk: Option<&str>) -> Result<Decision> {
        Decision::begin(connection, verb, self.staff.id, bulk, &self.config.office, self.now)
    }

    fn record(&self, connection: &Connection, action: &str, id: i64, detail: Value) -> Result<()> {
        audit::record(connection, &self.staff.actor(), action, "enrollment", id, detail, self.now)
    }

    /// Approves a request, alone or as one of a bulk.
    pub(super) fn approve(
        &self,
        connection: &Connection,
        id: i64,
        choice: &Choice,
        bulk: Option<&str>,
    ) -> Result<Decided> {
        let status = store::status(connection, id)?.ok_or_else(Enrollment::not_found)?;
        if !status.approve().map_err(|error| moved(connection, id, &error))? {
            return Decided::unchanged(connection, id);
        }
        check_expected(connection, id, status, choice.expected)?;
        let prices = store::prices(connection, id)?;
        let price = prices.choose(choice.price, &self.terms)?;
        let due_on = self.config.money.due_on(self.terms.today);
        let decision = self.begin(connection, Verb::Approve, bulk)?;
        store::approve(connection, id, status, price, &decision)?;
        if let Some(price) = price {
            fees::charge_enrollment(connection, id, price, due_on, self.staff.id, self.now)?;
        }
        let enrollment = store::find(connection, id)?;
        let detail = json!({
            "course": enrollment.course.code, "price": price,
            "quoted": prices.quoted, "current": prices.current,
        });
        self.record(connection, "approve", id, detail)?;
        let student = store::student_of(connection, id)?;
        students::identity::mark_checked(connection, student.id, self.staff.id, self.now)?;
        let name = student.full_name.as_deref();
        let email = emails::approved(&student.email, name, &enrollment, due_on, &self.config);
        outbox::enqueue_held(connection, &email, decision.hold(), &self.config, self.now)?;
        Ok(Decided { enrollment, is_changed: true, undo: decision.undo() })
    }

    /// Declines a request, alone or as one of a bulk.
    pub(super) fn decline(
        &self,
        connection: &Connection,
        id: i64,
        reason: &Reason,
        bulk: Option<&str>,
    ) -> Result<Decided> {
        let status = store::status(connection, id)?.ok_or_else(Enrollment::not_found)?;
        if !status.decline().map_err(|error| moved(connection, id, &error))? {
            return Decided::unchanged(connection, id);
        }
        check_expected(connection, id, status, reason.expected)?;
        let decision = self.begin(connection, Verb::Decline, bulk)?;
        store::decline(connection, id, status, &reason.words, &decision)?;
        let enrollment = store::find(connection, id)?;
        let detail = json!({ "course": enrollment.course.code, "code": reason.code, "reason": reason.words });
        self.record(connection, "decline", id, detail)?;
        let student = store::student_of(connection, id)?;
        let name = student.full_name.as_deref();
        let email = emails::declined(&student.email, name, &enrollment, &reason.words, &self.config);
        outbox::enqueue_held(connection, &email, decision.hold(), &self.config, self.now)?;
        Ok(Decided { enrollment, is_changed: true, undo: decision.undo() })
    }

    /// Takes a decision back, or each of a bulk that still can be.
    fn undo(&self, connection: &Connection, id: &str) -> Result<Undone> {
        let decided = decisions::find(connection, id)?;
        if decided.is_empty() {
            return Err(Error::NotFound("Decision not found".into()));
        }
        let mut restored = Vec::new();
        let mut refusal = None;
        for decision in &decided {
            match db::in_savepoint(connection, |connection| self.undo_one(connection, decision)) {
                Ok(enrollments) => restored.extend(enrollments),
                Err(error) if error.status() == StatusCode::CONFLICT => refusal = Some(error),
                Err(error) => return Err(error),
            }
        }
        match refusal {
            Some(refusal) if restored.is_empty() => Err(refusal),
            _ => Ok(Undone { restored }),
        }
    }

    fn undo_one(&self, connection: &Connection, decision: &Stored) -> Result<Vec<Enrollment>> {
        let transitions = events::of_decision(connection, &decision.id)?;
        if !decision.is_undone {
            if self.now >= decision.undo_until || !outbox::delete_held(connection, &decision.id)? {
                let words = "The e-mail about this decision has left, so it can no longer be undone.";
                return Err(Error::Conflict(words.into()));
            }
            for transition in &transitions {
                self.take_back(connection, transition, decision)?;
            }
            decisions::mark_undone(connection, &decision.id, self.now)?;
        }
        transitions.iter().map(|one| store::find(connection, one.enrollment_id)).collect()
    }

    fn take_back(
        &self,
        connection: &Connection,
        transition: &events::Decided,
        decision: &Stored,
    ) -> Result<()> {
        let (id, by) = (transition.enrollment_id, self.staff.id);
        if events::last(connection, id)? != Some(transition.id) {
            let words = "This enrollment has changed since, so the decision can no longer be undone.";
            return Err(moved(connection, id, &Error::Conflict(words.into())));
        }
        store::restore(connection, transition)?;
        fees::reverse_charges(connection, id, by, self.now)?;
        let student = store::student_of(connection, id)?;
        students::identity::unmark_checked(connection, student.id, decision.user_id, decision.created_at)?;
        let undoing = Event::new(id, By::Staff(by), Some(transition.to), transition.from);
        Event { undoes_id: Some(transition.id), ..undoing }.record(connection, self.now)?;
        let detail = json!({ "decision": decision.verb, "status": transition.from });
        self.record(connection, "undo", id, detail)
    }
}
