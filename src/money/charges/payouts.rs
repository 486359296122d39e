//! A reversed refund from an account: a mistake is reversed, with a reason, and the student is told.

use axum::extract::State;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::context::{MoneyContext, PostedEntry};
use super::emails;
use super::rules::{ReverseEntryForm, reason};
use crate::audit;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::money::ledger::Payer;
use crate::money::ledger::payouts::{self, Payout};
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::{Id, Numbered, numbered};
use crate::web::idempotency::{Idempotent, Once};

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![reverse_payout]
}

numbered!(Payout, "Payout");

/// Reverse a refund from an account: it is on account again, and the student is told by email. A refund of
/// an enrollment is an entry of the ledger, and is reversed there
#[utoipa::path(post, path = "/api/admin/payouts/{id}/reverse", tag = "money", request_body = ReverseEntryForm,
    responses((status = 409, body = ErrorBody, description = "It was reversed before; `current` is the payout")))]
async fn reverse_payout(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Id(id, ..): Id<Payout>,
    Idempotent { key, body }: Idempotent<ReverseEntryForm>,
) -> Result<Once<PostedEntry>> {
    let reason = reason(&body.reason).map_err(|message| FieldErrors::one("reason", message))?;
    let context = MoneyContext::new(&app, &staff);
    app.write_and_notify(move |connection| {
        key.once(connection, context.user_id, context.now, || context.reverse_payout(connection, id, &reason))
    })
    .await
}

impl MoneyContext {
    /// Reverses a refund of what lay on account: the amount is on account again.
    ///
    /// # Errors
    /// 404 when there is no such refund; 409 when it is reversed already.
    pub fn reverse_payout(&self, connection: &Connection, id: i64, reason: &str) -> Result<PostedEntry> {
        let (payout, student_id) = payouts::find(connection, id)?.ok_or_else(Payout::not_found)?;
        if !payouts::reverse(connection, id, reason, self.user_id, self.now)? {
            return Err(Error::conflict("It was reversed before.", &payout));
        }
        let student = Self::student(connection, student_id)?;
        let detail = json!({
            "studentId": student_id, "payout": id, "amount": payout.amount, "kind": "refund", "reason": reason,
        });
        audit::record(connection, &self.actor, "reverse", "student", student_id, detail, self.now)?;
        let posted = Self::posted(connection, Payer::Student(student_id), None)?;
        let email = emails::payout_corrected(&student, &posted, &payout, reason, &self.config);
        self.send(connection, &student, &email)?;
        Ok(posted)
    }
}
