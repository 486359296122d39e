//! Lines that are no new money: a payment that is recorded already, or one that the bank takes back. The program points at them;
//! a person says so.

use axum::extract::State;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::post::{LineResults, LinesForm, expect_standing, no_line};
use super::store;
use super::{BankContext, BankImport, BankLine, KeptState, LineState};
use crate::audit;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::bulk;
use crate::web::id::Id;
use crate::web::idempotency::{Idempotent, Once};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![match_known_payments, reverse_returned_payments]
}

/// Say of lines that look recorded that they are those payments; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/bank-imports/{id}/same", tag = "payments", request_body = LinesForm,
    responses((status = 409, body = ErrorBody, description = "The import was undone; `current` is the import")))]
async fn match_known_payments(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Id(id, ..): Id<BankImport>,
    Idempotent { key, body }: Idempotent<LinesForm>,
) -> Result<Once<LineResults, 200>> {
    let ids = bulk::ids(&body.lines, "lines").map_err(|message| FieldErrors::one("lines", message))?;
    let context = BankContext::new(&app, &staff);
    app.write_and_notify(move |connection| {
        key.once(connection, context.payments.user_id, context.payments.now, || {
            context.decide(connection, id, &ids, LineState::LooksRecorded)
        })
    })
    .await
}

/// Reverse the payments that lines take back: their receipts are void; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/bank-imports/{id}/returned", tag = "payments", request_body = LinesForm,
    responses((status = 409, body = ErrorBody, description = "The import was undone; `current` is the import")))]
async fn reverse_returned_payments(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Id(id, ..): Id<BankImport>,
    Idempotent { key, body }: Idempotent<LinesForm>,
) -> Result<Once<LineResults, 200>> {
    let ids = bulk::ids(&body.lines, "lines").map_err(|message| FieldErrors::one("lines", message))?;
    let context = BankContext::new(&app, &staff);
    app.write_and_notify(move |connection| {
        key.once(connection, context.payments.user_id, context.payments.now, || {
            context.decide(connection, id, &ids, LineState::Returned)
        })
    })
    .await
}

impl BankContext {
    /// Decides about lines that look recorded, or returned, as they are shown.
    fn decide(
        &self,
        connection: &Connection,
        import_id: i64,
        ids: &[i64],
        state: LineState,
    ) -> Result<LineResults> {
        expect_standing(connection, import_id)?;
        let shown = self.shown_with(connection, import_id, ids)?;
        let done = bulk::each(connection, ids, |connection, id| {
            let line = shown.iter().find(|line| line.id == Some(id)).ok_or_else(no_line)?;
            self.decide_one(connection, line, (id, state))
        })?;
        let verb = if state == LineState::Returned { "reverse returned" } else { "match known" };
        let detail = json!({ "lines": ids.len() });
        let (actor, now) = (&self.payments.actor, self.payments.now);
        audit::record(connection, actor, verb, "bank_import", import_id, detail, now)?;
        Ok(LineResults::of(done))
    }

    fn decide_one(
        &self,
        connection: &Connection,
        line: &BankLine,
        (id, state): (i64, LineState),
    ) -> Result<()> {
        let kept = if state == LineState::Returned { KeptState::Reversed } else { KeptState::Same };
        if line.state == LineState::from(kept) {
            return Ok(());
        }
        let Some(payment) = line.known.as_ref().filter(|_| line.state == state) else {
            let words = match state {
                LineState::Returned => "No payment is known that this line takes back.",
                _ => "No payment is known that this line is the same as.",
            };
            return Err(Error::conflict(words, &json!({ "lineId": id })));
        };
        if kept == KeptState::Reversed {
            let reason = format!("The bank took it back: {}", line.text);
            let reason: String = reason.chars().take(REASON).collect();
            self.payments.reverse(connection, payment.payment_id, &reason)?;
        }
        store::set_payment(connection, id, kept, payment.payment_id)
    }
}

/// Characters of a reversal's reason.
const REASON: usize = 500;
