//! Refunds by policy: what is proposed for an enrollment, and what is to be paid back by which day.

use axum::extract::State;
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::context::MoneyContext;
use super::rules::{SettleForm, reason};
use crate::audit;
use crate::base::error::{ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::base::money::Money;
use crate::enrollments::Enrollment;
use crate::refunds::rules::RefundProposalForm;
use crate::refunds::{self, RefundProposal, tasks};
use crate::staff::{Staff, may};
use crate::storage::statements::{Statements, from_row, params};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::{Id, Numbered, numbered};
use crate::web::idempotency::{Idempotent, Once};
use crate::web::pagination::{List, ListQuery, Listed, PageRequest};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![propose_refund, list_refunds_due, settle_refund_due]
}

/// Money that is to be paid back.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefundDue {
    /// Number of the task.
    pub id: i64,
    /// To the student of this enrollment.
    pub enrollment_id: i64,
    /// The course, in words.
    #[serde(rename = "for")]
    pub label: String,
    /// Number of the account.
    pub student_id: i64,
    /// The student's number.
    #[schema(required)]
    pub student_number: Option<String>,
    /// The student's name.
    pub student_name: String,
    /// Dollars that are still to be paid back.
    #[schema(value_type = f64)]
    pub amount: Money,
    /// Dollars of it that were paid for the enrollment; the rest lies on account.
    #[schema(value_type = f64)]
    pub credit: Money,
    /// When the student gave notice.
    pub notice_on: Date,
    /// By when it is paid back.
    pub due_on: Date,
    /// Since when it is to be paid back.
    pub created_at: Timestamp,
}

numbered!(RefundDue, "Refund");

from_row!(RefundDue {
    id, enrollment_id, label, student_id, student_number, student_name, amount = "left_cents", credit, notice_on,
    due_on, created_at,
});

const SELECT: &str = "select d.id, d.enrollment_id, c.code || ' · ' || c.name as label, d.student_id, s.student_number,
        coalesce(s.full_name, 'Student #' || s.id) as student_name, d.left_cents,
        coalesce((select max(0, -b.balance) from enrollment_balances b where b.enrollment_id = d.enrollment_id), 0)
            as credit,
        d.notice_on, d.due_on, d.created_at
    from refunds_due d cross join students s on s.id = d.student_id cross join courses c on c.id = d.course_id
    where d.left_cents > 0";

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
    app.db.query(move |connection| refunds::propose(connection, id, days, &zone)).await.map(Json)
}

/// What is to be paid back, the earliest day first; searched by student, number and course
#[utoipa::path(get, path = "/api/admin/money/refunds-due", tag = "money", params(ListQuery))]
async fn list_refunds_due(
    _: Staff<may::Balances>,
    State(app): State<App>,
    page: PageRequest,
) -> Result<Listed<RefundDue>> {
    page.ask(&app.db, |page, connection| {
        let rows = format!(
            "{SELECT} and matches_terms(concat_ws(' ', s.full_name, s.student_number, c.code, c.name), :words)
             order by d.due_on, d.id limit :limit offset :offset"
        );
        let count = "select count(*) from refunds_due where left_cents > 0".to_owned();
        page.read(connection, &List { rows, count, filter: &[] })
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
        let due: Option<RefundDue> = connection.find(&format!("{SELECT} and d.id = :id"), params![id])?;
        let due = due.ok_or_else(RefundDue::not_found)?;
        tasks::settle(connection, id, reason, self.user_id, self.now)?;
        let detail = json!({ "studentId": due.student_id, "amount": due.amount, "reason": reason });
        let object = ("enrollment", due.enrollment_id);
        audit::record(connection, &self.actor, "settle_refund", object.0, object.1, detail, self.now)?;
        Ok(due)
    }
}
