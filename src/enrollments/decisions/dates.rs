//! Rescheduling an enrollment.

use axum::extract::State;
use jiff::civil::Date;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::approve::{Overrides, RequirementOverride, overrides, words};
use super::{Decided, DecisionContext, reason};
use crate::base::dates::date_in_words;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::base::money::Money;
use crate::config::Enrollments;
use crate::enrollments::events::Event;
use crate::enrollments::requests::rules;
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::transitions::Transition;
use crate::enrollments::{Enrollment, emails, store};
use crate::money::ledger::{self, ExtensionFee};
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::form;
use crate::web::id::Id;
use crate::web::price::{self, PriceInput};

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![change_enrollment_dates]
}

form! {
    /// `POST /api/admin/enrollments/{id}/dates`' body.
    pub struct RescheduleForm {
        /// First day.
        start_date: Date,
        /// Last day, after the first.
        end_date: Date,
        /// Reason for the student: 10 to 1,000 characters.
        reason: String,
        /// Expected state; refused if it has changed.
        expected: Option<EnrollmentStatus>,
        /// Reason for exceeding the capacity (`capacity`).
        r#override: Option<Overrides>,
        /// Fee of a longer active enrollment, in dollars.
        #[schema(value_type = Option<PriceInput>)]
        fee: Option<Money>,
    }
}

/// Validated new dates.
pub struct Reschedule {
    /// First day.
    pub start_date: Date,
    /// Last day.
    pub end_date: Date,
    /// Why.
    pub reason: String,
    /// Expected state.
    pub expected: Option<EnrollmentStatus>,
    /// Reason for exceeding the capacity.
    pub overrides: Vec<RequirementOverride>,
    /// Fee of a longer enrollment.
    pub fee: Option<Money>,
}

impl Reschedule {
    /// Any dates are allowed, so that old courses can be corrected.
    fn parse(form: &RescheduleForm, settings: &Enrollments) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let dates = rules::dates(&form.start_date, &form.end_date, settings, &mut errors);
        let reason = errors.take("reason", reason(&form.reason));
        let expected = errors.take("expected", form.expected.optional_one_of());
        let overrides = errors.take("override", overrides(&form.r#override));
        let fee = errors.take("fee", price::optional(&form.fee));
        let reschedule = || {
            let (start_date, end_date) = dates?;
            let reason = reason?;
            let expected = expected?;
            let overrides = overrides?;
            Some(Self { start_date, end_date, reason, expected, overrides, fee: fee? })
        };
        errors.finish(reschedule())
    }
}

/// Change the dates of a request or an active enrollment
#[utoipa::path(post, path = "/api/admin/enrollments/{id}/dates", tag = "enrollments",
    responses((status = 409, body = ErrorBody, description = "It is in another state, or the class is full \
            on these days (`reason`); `current` is the enrollment")))]
async fn change_enrollment_dates(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
    Json(form): Json<RescheduleForm>,
) -> Result<Json<Decided>> {
    let new = Reschedule::parse(&form, &app.config.enrollments)?;
    let context = DecisionContext::new(&app, &staff);
    app.carry_out_and_notify(move |connection| context.change_dates(connection, id, &new)).await
}

impl DecisionContext {
    /// Changes the dates of an open enrollment.
    pub fn change_dates(&self, connection: &Connection, id: i64, new: &Reschedule) -> Result<Decided> {
        let begun = self.begin(connection, id, &Transition::CHANGE_DATES, new.expected, None)?;
        let Some(pending) = begun else { return Decided::unchanged(connection, id) };
        let before = &pending.before;
        let words = words(&new.overrides);
        let event = Event { overrides: words.as_ref(), ..pending.event() };
        store::change_dates(connection, event, new, self.now)?;
        let due_on = self.config.money.due_on(self.terms.today);
        let fee = new.fee.filter(|fee| fee.cents() > 0).map(|amount| ExtensionFee { amount, due_on });
        if let Some(fee) = fee {
            if before.status != EnrollmentStatus::Active || new.end_date <= before.end_date {
                return Err(Error::field("fee", "Only a longer active enrollment can have a fee"));
            }
            let description = format!("Extension to {}", date_in_words(new.end_date));
            let decision = pending.decision.id();
            ledger::charge_extension(connection, id, fee, &description, decision, self.user_id, self.now)?;
        }
        let is_shorter = new.start_date >= before.start_date && new.end_date <= before.end_date;
        if !is_shorter && store::takes_seat(connection, id, self.now)? {
            self.check_seat(connection, before, &new.overrides)?;
        }
        self.promote(connection, &pending)?;
        let detail = json!({
            "course": before.course.code, "reason": new.reason, "overrides": words,
            "startDate": { "from": before.start_date, "to": new.start_date },
            "endDate": { "from": before.end_date, "to": new.end_date }, "fee": new.fee,
        });
        self.finish(connection, &pending, detail, |to, enrollment| {
            emails::dates_changed(to, enrollment, &new.reason, fee, &self.config)
        })
    }
}
