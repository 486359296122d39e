//! In how many parts an enrollment is paid.

use axum::extract::State;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::context::MoneyContext;
use super::rules::{Plan, PlanForm};
use crate::audit;
use crate::base::error::{Error, FieldErrors, Result};
use crate::base::money::Money;
use crate::enrollments::{Enrollment, store};
use crate::money::ledger::plans::{self, PlannedPart};
use crate::money::ledger::{FeeItem, Fees, Instalment, Payer};
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::Id;
use crate::web::idempotency::{Idempotent, Once};

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![put_instalments]
}

/// `PUT /api/admin/enrollments/{id}/instalments`' answer.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlanOfEnrollment {
    /// The parts, the earliest first.
    instalments: Vec<Instalment>,
}

/// Divide what an enrollment costs into parts with their own due dates
#[utoipa::path(put, path = "/api/admin/enrollments/{id}/instalments", tag = "money", request_body = PlanForm)]
async fn put_instalments(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
    Idempotent { key, body }: Idempotent<PlanForm>,
) -> Result<Once<PlanOfEnrollment, 200>> {
    let plan = Plan::parse(&body)?;
    let context = MoneyContext::new(&app, &staff);
    app.write_and_notify(move |connection| {
        key.once(connection, context.user_id, context.now, || context.plan(connection, id, &plan))
    })
    .await
}

impl MoneyContext {
    /// Replaces the plan of an enrollment.
    pub fn plan(&self, connection: &Connection, id: i64, plan: &Plan) -> Result<PlanOfEnrollment> {
        let student_id = store::student_of(connection, id)?.id;
        let payer = Payer::Student(student_id);
        let item = FeeItem::Enrollment(id);
        let fees = Fees::read(connection, payer)?.of_item(item);
        let total = fees.map_or(Money::default(), |fees| fees.charged - fees.waived);
        let parts = match plan {
            Plan::Parts(parts) => parts.clone(),
            Plan::Monthly(count, first) => plans::monthly(total, *count, *first),
        };
        let sum: Money = parts.iter().map(|part| part.amount).sum();
        if let Some(PlannedPart { amount, .. }) = parts.iter().find(|part| part.amount > Money::MAX) {
            let message =
                format!("An instalment is at most {}, but one is {amount}: choose more parts", Money::MAX);
            return Err(FieldErrors::one("instalments", message).into());
        }
        let is_even = parts.iter().all(|part| part.amount.cents() > 0);
        if !parts.is_empty() && (sum != total || !is_even) {
            let message = if is_even {
                format!("The instalments add up to {sum}, but {total} is charged and not waived")
            } else {
                format!("{total} is too little for so many parts")
            };
            return Err(Error::from(FieldErrors::one("instalments", message)));
        }
        plans::replace(connection, id, &parts, self.user_id, self.now)?;
        let detail = json!({ "studentId": student_id, "parts": parts.len(), "total": total });
        audit::record(connection, &self.actor, "plan", "enrollment", id, detail, self.now)?;
        let fees = Fees::read(connection, payer)?.of_item(item);
        Ok(PlanOfEnrollment { instalments: fees.map(|fees| fees.instalments).unwrap_or_default() })
    }
}
