//! Approving a request: it becomes an enrollment, and its price is charged.

use axum::extract::State;
use rusqlite::Connection;
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;

use super::{Decided, DecisionContext, PendingDecision, conflict, lacking};
use crate::base::closed_set::ClosedSet;
use crate::base::error::{ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::base::money::Money;
use crate::config::Demand;
use crate::enrollments::credits::prerequisites::Checks;
use crate::enrollments::events::Event;
use crate::enrollments::requests::prices::{PriceChoice, Prices};
use crate::enrollments::requests::requirements::{Requirement, Standing};
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::transitions::Transition;
use crate::enrollments::{Enrollment, emails, seats, store};
use crate::money::ledger;
use crate::staff::{Staff, may};
use crate::students::status::StudentStatus;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, OptionalJson, form, read_as};
use crate::web::id::Id;

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![approve_enrollment]
}

form! {
    /// `POST /api/admin/enrollments/{id}/approve`'s body, which is optional.
    pub struct ApproveForm {
        /// Expected state; refused if it has changed.
        pub expected: Option<EnrollmentStatus>,
        /// Price to charge; default: the quote while it is valid, then today's price.
        pub price: Option<PriceChoice>,
        /// Reasons for approving without required items.
        pub r#override: Option<Overrides>,
    }
}

form! {
    /// Items that may be missing, each with a recorded reason of 3 to 500 characters.
    pub struct Overrides {
        /// The profile is not complete.
        pub profile: Option<String>,
        /// The course was taken out of the catalogue.
        pub archived: Option<String>,
        /// No parent or guardian has confirmed.
        pub guardian: Option<String>,
        /// Documents are missing.
        pub documents: Option<String>,
        /// The class is full.
        pub capacity: Option<String>,
    }
}

read_as!(Overrides => Overrides);

/// An item that may be missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequirementOverride {
    /// Which.
    pub requirement: Requirement,
    /// Why.
    pub reason: String,
}

/// Whether a requirement may be missing.
pub(super) fn is_overridden(overrides: &[RequirementOverride], requirement: Requirement) -> bool {
    overrides.iter().any(|one| one.requirement == requirement)
}

/// A validated approval.
#[derive(Debug, Default)]
pub struct Approve {
    /// Expected state.
    pub expected: Option<EnrollmentStatus>,
    /// Price to charge.
    pub price: Option<PriceChoice>,
    /// Items that may be missing, with reasons.
    pub overrides: Vec<RequirementOverride>,
}

impl Approve {
    /// Checks the form.
    pub fn parse(form: &ApproveForm) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let expected = errors.take("expected", form.expected.optional_one_of());
        let price = errors.take("price", PriceChoice::read(&form.price));
        let overrides = errors.take("override", overrides(&form.r#override));
        let approve = || Some(Self { expected: expected?, price: price?, overrides: overrides? });
        errors.finish(approve())
    }
}

pub(super) fn overrides(field: &Field<Overrides>) -> Result<Vec<RequirementOverride>, String> {
    let form = match field {
        Field::Absent | Field::Null => return Ok(Vec::new()),
        Field::Value(form) => form,
        Field::Wrong => return Err("Must name what may be missing, each with a reason".to_owned()),
    };
    let fields = [
        (Requirement::Archived, &form.archived),
        (Requirement::Profile, &form.profile),
        (Requirement::Guardian, &form.guardian),
        (Requirement::Documents, &form.documents),
        (Requirement::Capacity, &form.capacity),
    ];
    fields
        .into_iter()
        .filter(|(_, reason)| !matches!(reason, Field::Absent | Field::Null))
        .map(|(requirement, reason)| {
            let reason =
                reason.between(3, 500, "Please say in at least 3 characters why it may be missing")?;
            Ok(RequirementOverride { requirement, reason })
        })
        .collect()
}

/// Overrides as stored in the event; `None` without any.
pub(super) fn words(overrides: &[RequirementOverride]) -> Option<Value> {
    let words: serde_json::Map<String, Value> =
        overrides.iter().map(|one| (one.requirement.as_str().to_owned(), json!(one.reason))).collect();
    (!words.is_empty()).then_some(Value::Object(words))
}

/// Approve a pending or waitlisted enrollment and charge its price; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/enrollments/{id}/approve", tag = "enrollments",
    request_body = Option<ApproveForm>,
    responses((status = 409, body = ErrorBody, description = "It is in another state, or something that the \
            school requires is missing (`reason`); `current` is the enrollment")))]
async fn approve_enrollment(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
    OptionalJson(form): OptionalJson<ApproveForm>,
) -> Result<Json<Decided>> {
    let approve = Approve::parse(&form)?;
    let context = DecisionContext::new(&app, &staff);
    app.carry_out_and_notify(move |connection| context.approve(connection, id, &approve, None)).await
}

/// Rejects suspended and closed accounts.
fn check_account(pending: &PendingDecision) -> Result<()> {
    let state = match pending.student.status {
        StudentStatus::Unverified | StudentStatus::Active => return Ok(()),
        StudentStatus::Suspended => "suspended",
        StudentStatus::Closed => "closed",
    };
    let words = format!("This student's account is {state}. Reinstate the student first.");
    Err(conflict(words, &pending.before))
}

impl DecisionContext {
    /// Approves a request, alone or as one of a bulk.
    pub fn approve(
        &self,
        connection: &Connection,
        id: i64,
        approve: &Approve,
        bulk: Option<&str>,
    ) -> Result<Decided> {
        let begun = self.begin(connection, id, &Transition::APPROVE, approve.expected, bulk)?;
        let Some(pending) = begun else { return Decided::unchanged(connection, id) };
        check_account(&pending)?;
        let missing = self.check_requirements(connection, &pending.before, &approve.overrides)?;
        let prices = store::prices(connection, id)?;
        let price = prices.choose(approve.price, &self.terms)?;
        self.activate(connection, &pending, &prices, price, &missing, &approve.overrides)
    }

    /// Refuses if required items are missing without an override; returns all missing items.
    pub(super) fn check_requirements(
        &self,
        connection: &Connection,
        before: &Enrollment,
        overrides: &[RequirementOverride],
    ) -> Result<Vec<Requirement>> {
        let standing = Standing::of(connection, before.id, &self.config.office, self.moment())?;
        let stops = |one: &&Requirement| {
            one.demand(&self.config.office) == Demand::Required && !is_overridden(overrides, **one)
        };
        match standing.missing.iter().find(stops) {
            None => Ok(standing.missing),
            Some(one) => Err(lacking(*one, before)),
        }
    }

    /// Refuses if no seat is free; other requirements were checked by an earlier approval.
    pub(super) fn check_seat(
        &self,
        connection: &Connection,
        before: &Enrollment,
        overrides: &[RequirementOverride],
    ) -> Result<()> {
        if is_overridden(overrides, Requirement::Capacity)
            || !seats::is_full(connection, before.id, self.terms.today, self.now)?
        {
            return Ok(());
        }
        Err(lacking(Requirement::Capacity, before))
    }

    /// Makes a request active and charges `price`; missing items are stored in the event.
    pub(super) fn activate(
        &self,
        connection: &Connection,
        pending: &PendingDecision,
        prices: &Prices,
        price: Option<Money>,
        missing: &[Requirement],
        overrides: &[RequirementOverride],
    ) -> Result<Decided> {
        let PendingDecision { before, student, decision, .. } = pending;
        let id = before.id;
        let by = Some(self.user_id);
        let words = words(overrides);
        let event = Event { overrides: words.as_ref(), missing: Some(missing), ..pending.event() };
        store::approve(connection, event, price, by, self.now)?;
        let due_on = self.config.money.due_on(self.terms.today);
        if let Some(price) = price {
            ledger::charge_enrollment(connection, id, price, due_on, Some(decision.id()), by, self.now)?;
        }
        // Checked again, as it may have changed.
        let prerequisite = Checks::new(connection, self.terms.today).of(student.id, before.course_id)?;
        let detail = json!({
            "course": before.course.code, "price": price, "quoted": prices.quoted,
            "current": prices.current, "overrides": words.unwrap_or_else(|| json!({})),
            "missing": missing, "prerequisite": prerequisite,
        });
        self.finish(connection, pending, detail, |to, enrollment| {
            emails::approved(to, enrollment, due_on, &self.config)
        })
    }
}
