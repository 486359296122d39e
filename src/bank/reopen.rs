//! Lines of the bank that were decided by mistake: they are up for review again.

use axum::extract::State;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::post::{LineResults, LinesForm, expect_standing, no_line};
use super::{BankContext, BankImport, KeptState, store};
use crate::audit;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::bulk;
use crate::web::id::Id;
use crate::web::idempotency::{Idempotent, Once};

/// Why its payment is reversed.
const REOPENED: &str = "It was recorded from the bank's file by mistake.";

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![reopen_bank_lines]
}

/// Take back what was decided about lines of the bank: the payments that were recorded from them are reversed and their
/// receipts are void, and the lines are up for review again; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/bank-imports/{id}/reopen", tag = "payments", request_body = LinesForm,
    responses((status = 409, body = ErrorBody, description = "The import was undone; `current` is the import")))]
async fn reopen_bank_lines(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Id(id, ..): Id<BankImport>,
    Idempotent { key, body }: Idempotent<LinesForm>,
) -> Result<Once<LineResults, 200>> {
    let ids = bulk::ids(&body.lines, "lines").map_err(|message| FieldErrors::one("lines", message))?;
    let context = BankContext::new(&app, &staff);
    app.write_and_notify(move |connection| {
        key.once(connection, context.payments.user_id, context.payments.now, || {
            context.reopen(connection, id, &ids)
        })
    })
    .await
}

impl BankContext {
    /// Takes back what was decided about lines.
    fn reopen(&self, connection: &Connection, import_id: i64, ids: &[i64]) -> Result<LineResults> {
        expect_standing(connection, import_id)?;
        let done = bulk::each(connection, ids, |connection, id| {
            let line = store::line(connection, import_id, id)?.ok_or_else(no_line)?;
            if line.cents <= 0 || line.state == KeptState::Seen {
                return Err(Error::conflict(
                    "No payment can be recorded from this line.",
                    &json!({ "lineId": id }),
                ));
            }
            for payment in store::standing(connection, id)?.into_iter().rev() {
                self.payments.reverse(connection, payment.id, REOPENED)?;
            }
            store::set_state(connection, id, KeptState::Unknown)
        })?;
        let detail = json!({ "lines": ids.len() });
        let (actor, now) = (&self.payments.actor, self.payments.now);
        audit::record(connection, actor, "reopen", "bank_import", import_id, detail, now)?;
        Ok(LineResults::of(done))
    }
}
