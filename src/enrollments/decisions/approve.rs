//! Approving a request: it becomes an enrollment, and its price is charged.

use axum::extract::State;
use rusqlite::Connection;
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;

use super::{Decided, DecisionContext, PendingDecision, current, expected, moved};
use crate::base::closed_set::ClosedSet;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::base::money::Money;
use crate::config::Demand;
use crate::enrollments::events::Event;
use crate::enrollments::prerequisites::Checks;
use crate::enrollments::prices::PriceChoice;
use crate::enrollments::requirements::{Requirement, Standing};
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::verb::Verb;
use crate::enrollments::{Enrollment, emails, seats, store};
use crate::fees;
use crate::staff::{Staff, may};
use crate::students::status::StudentStatus;
use crate::web::access::endpoint;
use crate::web::app::App;
use crate::web::form::{Field, OptionalJson, form, read_as};
use crate::web::id::Id;

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(endpoint!(approve_enrollment))
}

form! {
    /// `POST /api/admin/enrollments/{id}/approve`'s body, which may be left out.
    pub struct ApproveForm {
        /// The state that the office saw; in any other the request is refused.
        pub expected: Option<EnrollmentStatus>,
        /// Which price is charged; otherwise the quote while it holds, and today's price afterwards.
        pub price: Option<PriceChoice>,
        /// Why it is approved although something is missing that the school requires.
        pub r#override: Option<Overrides>,
    }
}

form! {
    /// What may be missing, each with the reason, which is recorded: 3 to 500 characters.
    pub struct Overrides {
        /// The profile is not complete.
        pub profile: Option<String>,
        /// No parent or guardian has confirmed.
        pub guardian: Option<String>,
        /// Documents are missing.
        pub documents: Option<String>,
        /// The class is full.
        pub capacity: Option<String>,
    }
}

read_as!(Overrides => Overrides);

/// An approval whose every field is right.
#[derive(Debug, Default)]
pub struct Approve {
    /// The state that the office saw.
    pub expected: Option<EnrollmentStatus>,
    /// Which price is charged.
    pub price: Option<PriceChoice>,
    /// What may be missing, and why.
    pub overrides: Vec<(Requirement, String)>,
}

impl Approve {
    /// Checks the form.
    pub fn parse(form: &ApproveForm) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let expected = errors.take("expected", expected(&form.expected));
        let price = errors.take("price", PriceChoice::read(&form.price));
        let overrides = errors.take("override", overrides(&form.r#override));
        let choice = || Some(Self { expected: expected?, price: price?, overrides: overrides? });
        errors.finish(choice())
    }
}

pub(super) fn overrides(field: &Field<Overrides>) -> Result<Vec<(Requirement, String)>, String> {
    let form = match field {
        Field::Absent | Field::Null => return Ok(Vec::new()),
        Field::Value(form) => form,
        Field::Wrong => return Err("Must name what may be missing, each with a reason".to_owned()),
    };
    let fields = [
        (Requirement::Profile, &form.profile),
        (Requirement::Guardian, &form.guardian),
        (Requirement::Documents, &form.documents),
        (Requirement::Capacity, &form.capacity),
    ];
    fields
        .into_iter()
        .filter(|(_, reason)| !matches!(reason, Field::Absent | Field::Null))
        .map(|(requirement, reason)| {
            let words =
                reason.between(3, 500, "Please say in at least 3 characters why it may be missing")?;
            Ok((requirement, words))
        })
        .collect()
}

/// What may be missing and why, as the event keeps it; none where nothing is overridden.
pub(super) fn words(overrides: &[(Requirement, String)]) -> Option<Value> {
    let words: serde_json::Map<String, Value> =
        overrides.iter().map(|(one, why)| (one.as_str().to_owned(), json!(why))).collect();
    (!words.is_empty()).then_some(Value::Object(words))
}

/// Approve a pending or waitlisted enrollment and charge its price; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/enrollments/{id}/approve", tag = "enrollments",
    params(("id" = i64, Path, description = "Number of the enrollment")),
    request_body = Option<ApproveForm>,
    responses((status = 200, body = Decided), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "It is in another state, or something that the school \
            requires is missing (`reason`); `current` is the enrollment")))]
async fn approve_enrollment(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
    OptionalJson(form): OptionalJson<ApproveForm>,
) -> Result<Json<Decided>> {
    let choice = Approve::parse(&form)?;
    let context = DecisionContext::new(&app, &staff);
    app.write_and_notify(move |connection| context.approve(connection, id, &choice, None)).await.map(Json)
}

/// Nobody is enrolled and charged who is shut out.
fn check_account(connection: &Connection, id: i64) -> Result<()> {
    let state = match store::student_of(connection, id)?.status {
        StudentStatus::Unverified | StudentStatus::Active => return Ok(()),
        StudentStatus::Suspended => "suspended",
        StudentStatus::Closed => "closed",
    };
    let words = format!("This student's account is {state}. Reinstate the student first.");
    Err(moved(connection, id, &Error::Conflict(words)))
}

impl DecisionContext {
    /// Approves a request, alone or as one of a bulk.
    pub fn approve(
        &self,
        connection: &Connection,
        id: i64,
        choice: &Approve,
        bulk: Option<&str>,
    ) -> Result<Decided> {
        let rule = EnrollmentStatus::approve;
        let Some(pending) = self.begin(connection, id, Verb::Approve, rule, choice.expected, bulk)? else {
            return Decided::unchanged(connection, id);
        };
        check_account(connection, id)?;
        let missing = self.check_requirements(connection, id, &choice.overrides)?;
        let price = store::prices(connection, id)?.choose(choice.price, &self.terms)?;
        self.activate(connection, &pending, price, (&missing, &choice.overrides))
    }

    /// Refuses for want of what the school requires and no reason overrides; returns all that is missing.
    pub(super) fn check_requirements(
        &self,
        connection: &Connection,
        id: i64,
        overrides: &[(Requirement, String)],
    ) -> Result<Vec<Requirement>> {
        let standing = Standing::of(connection, id, &self.config.office, self.moment())?;
        let stops = |one: &&Requirement| {
            one.demand(&self.config.office) == Demand::Required
                && !overrides.iter().any(|(overridden, _)| overridden == *one)
        };
        match standing.missing.iter().find(stops) {
            None => Ok(standing.missing),
            Some(one) => {
                Err(Error::Lacking(one.code(), one.sentence().into(), Box::new(current(connection, id)?)))
            }
        }
    }

    /// Refuses for want of a free seat alone, for what was approved once.
    pub(super) fn check_seat(
        &self,
        connection: &Connection,
        before: &Enrollment,
        overrides: &[(Requirement, String)],
    ) -> Result<()> {
        let is_overridden = overrides.iter().any(|(one, _)| *one == Requirement::Capacity);
        if is_overridden || !seats::is_full(connection, before.id, self.terms.today, self.now)? {
            return Ok(());
        }
        let (one, before) = (Requirement::Capacity, serde_json::to_value(before));
        let before = before.map_err(|error| Error::Internal(error.into()))?;
        Err(Error::Lacking(one.code(), one.sentence().into(), Box::new(before)))
    }

    /// Makes a request active at this price, with everything that goes with it; what was missing is kept.
    pub(super) fn activate(
        &self,
        connection: &Connection,
        pending: &PendingDecision,
        price: Option<Money>,
        (missing, overrides): (&[Requirement], &[(Requirement, String)]),
    ) -> Result<Decided> {
        let (id, decision) = (pending.id, &pending.decision);
        let words = words(overrides);
        let event = pending.event(Verb::Approve, EnrollmentStatus::Active);
        let event = Event { overrides: words.as_ref(), missing: Some(missing), ..event };
        let prices = store::prices(connection, id)?;
        store::approve(connection, event, price, Some(self.user_id), self.now)?;
        let due_on = self.config.money.due_on(self.terms.today);
        if let Some(price) = price {
            let by = Some(self.user_id);
            fees::charge_enrollment(connection, id, price, due_on, Some(decision.id()), by, self.now)?;
        }
        let (enrollment, student) = (store::find(connection, id)?, store::student_of(connection, id)?);
        // As it is today: what the student has changes.
        let prerequisite = Checks::new(connection, self.terms.today).of(student.id, enrollment.course_id)?;
        let detail = json!({
            "course": enrollment.course.code, "price": price, "quoted": prices.quoted,
            "current": prices.current, "overrides": words.unwrap_or_else(|| json!({})),
            "missing": missing, "prerequisite": prerequisite,
        });
        self.record(connection, Verb::Approve, id, detail)?;
        self.finish(connection, pending, |to, enrollment| {
            emails::approved(to, enrollment, due_on, &self.config)
        })
    }
}
