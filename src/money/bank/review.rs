//! What the office says of lines from which no payment is recorded: they are none, they are a payment that is recorded already,
//! they take one back, or what was said was a mistake.

use axum::extract::State;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::matching::Matcher;
use super::post::{LineResults, expect_standing, no_line};
use super::store::{self, StoredLine};
use super::{BankContext, BankImport, KeptState, LineState, known};
use crate::audit;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::bulk;
use crate::web::form::form;
use crate::web::id::Id;
use crate::web::idempotency::{Idempotent, Once};

/// Why the payment of a line that is up for review again is reversed.
const REOPENED: &str = "It was recorded from the bank's file by mistake.";

/// Characters of a reversal's reason.
const REASON: usize = 500;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![ignore_bank_lines, match_known_payments, reverse_returned_payments, reopen_bank_lines]
}

form! {
    /// Body of `POST /api/admin/bank-imports/{id}/ignore`, `/same`, `/returned` and `/reopen`.
    pub struct LinesForm {
        /// 1 to 200 numbers of lines.
        lines: Vec<i64>,
    }
}

/// Something that is said of lines.
type Review = fn(&BankContext, &Connection, i64, &[i64]) -> Result<LineResults>;

/// Says something of lines, once.
async fn review(
    app: App,
    context: BankContext,
    import_id: i64,
    Idempotent { key, body }: Idempotent<LinesForm>,
    review: Review,
) -> Result<Once<LineResults, 200>> {
    let ids = bulk::ids(&body.lines, "lines").map_err(|message| FieldErrors::one("lines", message))?;
    app.write_and_notify(move |connection| {
        key.once(connection, context.payments.user_id, context.payments.now, || {
            review(&context, connection, import_id, &ids)
        })
    })
    .await
}

/// Say of lines that they are no payments; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/bank-imports/{id}/ignore", tag = "payments", request_body = LinesForm,
    responses((status = 409, body = ErrorBody, description = "The import was undone; `current` is the import")))]
async fn ignore_bank_lines(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Id(id, ..): Id<BankImport>,
    call: Idempotent<LinesForm>,
) -> Result<Once<LineResults, 200>> {
    let context = BankContext::new(&app, &staff);
    review(app, context, id, call, BankContext::ignore).await
}

/// Say of lines that look recorded that they are those payments; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/bank-imports/{id}/same", tag = "payments", request_body = LinesForm,
    responses((status = 409, body = ErrorBody, description = "The import was undone; `current` is the import")))]
async fn match_known_payments(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Id(id, ..): Id<BankImport>,
    call: Idempotent<LinesForm>,
) -> Result<Once<LineResults, 200>> {
    let context = BankContext::new(&app, &staff);
    review(app, context, id, call, BankContext::match_known).await
}

/// Reverse the payments that lines take back: their receipts are void; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/bank-imports/{id}/returned", tag = "payments", request_body = LinesForm,
    responses((status = 409, body = ErrorBody, description = "The import was undone; `current` is the import")))]
async fn reverse_returned_payments(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Id(id, ..): Id<BankImport>,
    call: Idempotent<LinesForm>,
) -> Result<Once<LineResults, 200>> {
    let context = BankContext::new(&app, &staff);
    review(app, context, id, call, BankContext::reverse_returned).await
}

/// Take back what was decided about lines of the bank: the payments that were recorded from them are reversed and their
/// receipts are void, and the lines are up for review again; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/bank-imports/{id}/reopen", tag = "payments", request_body = LinesForm,
    responses((status = 409, body = ErrorBody, description = "The import was undone; `current` is the import")))]
async fn reopen_bank_lines(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Id(id, ..): Id<BankImport>,
    call: Idempotent<LinesForm>,
) -> Result<Once<LineResults, 200>> {
    let context = BankContext::new(&app, &staff);
    review(app, context, id, call, BankContext::reopen).await
}

impl BankContext {
    /// Says something of each line, and notes it in the trail.
    fn review_each(
        &self,
        connection: &Connection,
        import_id: i64,
        ids: &[i64],
        verb: &str,
        one: impl Fn(&Connection, &StoredLine) -> Result<()>,
    ) -> Result<LineResults> {
        expect_standing(connection, import_id)?;
        let done = bulk::each(connection, ids, |connection, id| {
            let line = store::line(connection, import_id, id)?.ok_or_else(no_line)?;
            one(connection, &line)
        })?;
        let detail = json!({ "lines": ids.len() });
        audit::record(
            connection,
            &self.payments.actor,
            verb,
            "bank_import",
            import_id,
            detail,
            self.payments.now,
        )?;
        Ok(LineResults::of(done))
    }

    fn ignore(&self, connection: &Connection, import_id: i64, ids: &[i64]) -> Result<LineResults> {
        self.review_each(connection, import_id, ids, "ignore", |connection, line| {
            if !store::standing(connection, line.id)?.is_empty() {
                let message = "A payment was recorded from it. Reverse the payment first.";
                return Err(Error::conflict(message, &json!({ "lineId": line.id })));
            }
            match line.state {
                KeptState::Seen | KeptState::Reversed => Ok(()),
                _ => store::set_state(connection, line.id, KeptState::Ignored),
            }
        })
    }

    fn match_known(&self, connection: &Connection, import_id: i64, ids: &[i64]) -> Result<LineResults> {
        let shown = self.shown_with(connection, import_id, ids)?;
        self.review_each(connection, import_id, ids, "match known", |connection, line| {
            if line.state == KeptState::Same {
                return Ok(());
            }
            let payment = shown.known(line.id, LineState::LooksRecorded).ok_or_else(|| {
                let words = "No payment is known that this line is the same as.";
                Error::conflict(words, &json!({ "lineId": line.id }))
            })?;
            store::set_payment(connection, line.id, KeptState::Same, payment)
        })
    }

    fn reverse_returned(&self, connection: &Connection, import_id: i64, ids: &[i64]) -> Result<LineResults> {
        let shown = self.shown_with(connection, import_id, ids)?;
        self.review_each(connection, import_id, ids, "reverse returned", |connection, line| {
            if line.state == KeptState::Reversed {
                return Ok(());
            }
            let payment = shown.known(line.id, LineState::Returned).ok_or_else(|| {
                let words = "No payment is known that this line takes back.";
                Error::conflict(words, &json!({ "lineId": line.id }))
            })?;
            let reason = format!("The bank took it back: {}", line.text);
            let reason: String = reason.chars().take(REASON).collect();
            self.payments.reverse(connection, payment, &reason)?;
            store::set_payment(connection, line.id, KeptState::Reversed, payment)
        })
    }

    fn reopen(&self, connection: &Connection, import_id: i64, ids: &[i64]) -> Result<LineResults> {
        self.review_each(connection, import_id, ids, "reopen", |connection, line| {
            let mut matcher = Matcher::new(connection, &self.school);
            let is_money = line.cents > 0 || known::taken_back(connection, &mut matcher, line)?.is_some();
            if !is_money || matches!(line.state, KeptState::Seen | KeptState::Reversed) {
                let words = "No payment can be recorded from this line.";
                return Err(Error::conflict(words, &json!({ "lineId": line.id })));
            }
            for payment in store::standing(connection, line.id)?.into_iter().rev() {
                self.payments.reverse(connection, payment.id, REOPENED)?;
            }
            store::set_state(connection, line.id, KeptState::Unknown)
        })
    }
}
