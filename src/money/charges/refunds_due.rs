//! Refunds by policy: what is proposed for an enrollment, and refunds and their due dates.

use axum::extract::State;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::context::MoneyContext;
use super::rules::{SettleForm, reason};
use crate::audit;
use crate::base::error::{ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::enrollments::{self, Enrollment};
use crate::money::refunds::rules::RefundProposalForm;
use crate::money::refunds::tasks::{self, RefundDue};
use crate::money::refunds::{self, RefundProposal};
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::{Id, Numbered};
use crate::web::idempotency::{Idempotent, Once};
use crate::web::pagination::{ListQuery, Listed, PageRequest};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![propose_refund, list_refunds_due, settle_refund_due]
}

/// What the refund policy says when a student is no longer in a course from a day on
#[utoipa::path(post, path = "/api/admin/enrollments/{id}/refund-proposal", tag = "money",
    responses((status = 409, body = ErrorBody, description = "The request was never approved, or no policy is for it \
        (`no_policy`)")))]
async fn propose_refund(
    _: Staff<may::Money>,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
    Json(form): Json<RefundProposalForm>,
) -> Result<Json<RefundProposal>> {
    let days = form.parse(app.today())?;
    let zone = app.config.school().zone();
    app.db
        .query(move |connection| {
            let enrollment = enrollments::store::find(connection, id)?;
            refunds::propose(connection, id, &enrollment, days, &zone)
        })
        .await
        .map(Json)
}

/// What is to be refunded, the earliest day first; searched by student, number and course
#[utoipa::path(get, path = "/api/admin/money/refunds-due", tag = "money", params(ListQuery))]
async fn list_refunds_due(
    _: Staff<may::Balances>,
    State(app): State<App>,
    page: PageRequest,
) -> Result<Listed<RefundDue>> {
    app.db
        .query(move |connection| {
            let search = |due: &RefundDue| {
                let number = due.student_number.as_deref().unwrap_or_default();
                format!("{} {number} {}", due.student_name, due.label)
            };
            Ok(page.cut(tasks::open(connection)?, search))
        })
        .await
}

/// Note that a refund needs no more paying, with the reason: the family keeps the money on account
#[utoipa::path(post, path = "/api/admin/money/refunds-due/{id}/settle", tag = "money", request_body = SettleForm)]
async fn settle_refund_due(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Id(id, ..): Id<RefundDue>,
    Idempotent { key, body }: Idempotent<SettleForm>,
) -> Result<Once<RefundDue, 200>> {
    let reason = reason(&body.reason).map_err(|message| FieldErrors::one("reason", message))?;
    let context = MoneyContext::new(&app, &staff);
    app.db
        .write(move |connection| {
            key.once(connection, context.user_id, context.now, || context.settle(connection, id, &reason))
        })
        .await
}

impl MoneyContext {
    fn settle(&self, connection: &Connection, id: i64, reason: &str) -> Result<RefundDue> {
        let due = tasks::open(connection)?.into_iter().find(|due| due.id == id);
        let due = due.ok_or_else(RefundDue::not_found)?;
        tasks::settle(connection, id, reason, self.user_id, self.now)?;
        let detail = json!({ "studentId": due.student_id, "amount": due.amount, "reason": reason });
        let object = ("enrollment", due.enrollment_id);
        audit::record(connection, &self.actor, "settle_refund", object.0, object.1, detail, self.now)?;
        Ok(due)
    }
}
