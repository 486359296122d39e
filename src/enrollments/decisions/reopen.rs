//! Reopening ended enrollments, and reversing an approval after its email was sent.

use axum::extract::State;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::{Decided, DecisionContext, reason};
use crate::base::error::{ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::transitions::Transition;
use crate::enrollments::{Enrollment, emails, store};
use crate::money::ledger::{self, FeeItem};
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::form;
use crate::web::id::Id;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![reopen_enrollment, reverse_approval]
}

form! {
    /// Body of decisions that need only a reason.
    pub struct ExplainForm {
        /// Reason for the student: 10 to 1,000 characters.
        reason: String,
        /// Expected state; refused if it has changed.
        expected: Option<EnrollmentStatus>,
    }
}

/// A validated reason.
pub struct Explanation {
    /// Why.
    pub reason: String,
    /// The state that the office saw.
    pub expected: Option<EnrollmentStatus>,
}

impl Explanation {
    /// Checks the form.
    pub(super) fn parse(form: &ExplainForm) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let reason = errors.take("reason", reason(&form.reason));
        let expected = errors.take("expected", form.expected.optional_one_of());
        let explain = || Some(Self { reason: reason?, expected: expected? });
        errors.finish(explain())
    }
}

/// Reopen a completed enrollment as active, or a declined request as pending
#[utoipa::path(post, path = "/api/admin/enrollments/{id}/reopen", tag = "enrollments",
    responses((status = 409, body = ErrorBody, description = "It is in another state, or the student has \
            asked for the course again; `current` is the enrollment")))]
async fn reopen_enrollment(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
    Json(form): Json<ExplainForm>,
) -> Result<Json<Decided>> {
    let explain = Explanation::parse(&form)?;
    let context = DecisionContext::new(&app, &staff);
    app.carry_out_and_notify(move |connection| context.reopen(connection, id, &explain)).await
}

/// Turn an active enrollment back into a pending request, reverse its charge, and notify the student
#[utoipa::path(post, path = "/api/admin/enrollments/{id}/reverse-approval", tag = "enrollments",
    responses((status = 409, body = ErrorBody, description = "It is in another state; `current` is the \
            enrollment")))]
async fn reverse_approval(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
    Json(form): Json<ExplainForm>,
) -> Result<Json<Decided>> {
    let explain = Explanation::parse(&form)?;
    let context = DecisionContext::new(&app, &staff);
    app.carry_out_and_notify(move |connection| context.reverse_approval(connection, id, &explain)).await
}

impl DecisionContext {
    /// Reopens a completed or declined enrollment.
    pub fn reopen(&self, connection: &Connection, id: i64, explain: &Explanation) -> Result<Decided> {
        let begun = self.begin(connection, id, &Transition::REOPEN, explain.expected, None)?;
        let Some(pending) = begun else { return Decided::unchanged(connection, id) };
        store::check_no_other_open(connection, id)?;
        if pending.to == EnrollmentStatus::Active {
            // Only a seat is required: everything else was checked at the approval.
            self.check_seat(connection, &pending.before, &[])?;
        }
        store::reopen(connection, pending.event(), &explain.reason, self.user_id, self.now)?;
        let detail = json!({ "course": pending.before.course.code, "reason": explain.reason });
        self.finish(connection, &pending, detail, |to, enrollment| {
            emails::reopened(to, enrollment, &explain.reason, &self.config)
        })
    }

    /// Makes an active enrollment a request again.
    pub fn reverse_approval(
        &self,
        connection: &Connection,
        id: i64,
        explain: &Explanation,
    ) -> Result<Decided> {
        let begun = self.begin(connection, id, &Transition::REVERSE_APPROVAL, explain.expected, None)?;
        let Some(pending) = begun else { return Decided::unchanged(connection, id) };
        let event = pending.event();
        let decision = Some(pending.decision.id());
        store::reverse_approval(connection, event, &explain.reason, self.user_id, self.now)?;
        ledger::reverse_charges(connection, FeeItem::Enrollment(id), decision, self.user_id, self.now)?;
        self.promote(connection, &pending)?;
        let detail = json!({ "course": pending.before.course.code, "reason": explain.reason });
        self.finish(connection, &pending, detail, |to, enrollment| {
            emails::approval_reversed(to, enrollment, &explain.reason, &self.config)
        })
    }
}
