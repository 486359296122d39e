//! Payments from lines of the bank: recorded from the lines that are named, and all reversed with their import.

use axum::extract::State;
use axum::http::StatusCode;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::matching::{Found, Matcher};
use super::shown::{BankPayment, ShownLines};
use super::store::{self, KnownPayment, Received, StoredLine};
use super::{BankContext, BankImport, KeptState, known, values};
use crate::audit;
use crate::base::error::{Error, ErrorBody, Result};
use crate::base::money::Money;
use crate::money::ledger::PaymentMethod;
use crate::money::payments::rules::{NewPayment, Target};
use crate::staff::{Staff, may};
use crate::storage::db;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::bulk;
use crate::web::form::{Field, form, read_as};
use crate::web::id::{Id, Numbered};
use crate::web::idempotency::{Idempotent, Once};
use crate::web::price::{self, PriceInput};

/// Characters of a payment's reference.
const REFERENCE: usize = 200;

/// Why a payment is reversed with its import.
const UNDONE: &str = "The import of the bank's file was undone.";

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![post_bank_lines, undo_bank_import]
}

/// A line from which a payment is recorded.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PostedLine {
    /// The line.
    line_id: i64,
    /// The student; may be left out of a line that is matched or suggested.
    student_id: Option<i64>,
    /// Dollars of a line that is named once for each of several students; together they are the line's amount.
    amount: Option<PriceInput>,
    /// How it came, if not as the text says.
    method: Option<PaymentMethod>,
    /// Whether it is recorded although it looks like a payment that is recorded already.
    #[serde(default)]
    again: bool,
}

impl PostedLine {
    /// A whole line of whose it is taken for.
    pub fn whole(line_id: i64) -> Self {
        Self { line_id, student_id: None, amount: None, method: None, again: false }
    }
}

read_as!(Vec<PostedLine> => Vec<PostedLine>);

form! {
    /// `POST /api/admin/bank-imports/{id}/post`' body.
    pub struct PostForm {
        /// 1 to 200 lines.
        lines: Vec<PostedLine>,
    }
}

/// What became of a line.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LineResult {
    /// The line.
    line_id: i64,
    /// Whether it is now as was asked.
    ok: bool,
    /// The payment.
    #[serde(skip_serializing_if = "Option::is_none")]
    payment_id: Option<i64>,
    /// Number of its receipt.
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt_number: Option<String>,
    /// HTTP status of the refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    /// Reason of the refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    /// The payment that it looks like, if that is the reason; `again` records it all the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<KnownPayment>,
}

/// What became of the lines, in the order of the request.
#[derive(Debug, Serialize, ToSchema)]
pub struct LineResults {
    results: Vec<LineResult>,
}

/// An import that was undone.
#[derive(Debug, Serialize, ToSchema)]
pub struct UndoneImport {
    /// The import.
    import: BankImport,
    /// Number of payments that were reversed.
    reversed: usize,
    /// Dollars of them.
    #[schema(value_type = f64)]
    total: Money,
    /// Payments that stand, because money of them was refunded.
    left: Vec<LeftPayment>,
}

/// A payment that an undone import leaves.
#[derive(Debug, Serialize, ToSchema)]
pub struct LeftPayment {
    /// The payment.
    #[serde(flatten)]
    payment: BankPayment,
    /// Why it was not reversed, and what to do.
    message: String,
}

/// Record payments from lines of the bank, of what is due the oldest first; each receipt is emailed once it can no longer
/// be undone. Lines that are not named stay as they are
#[utoipa::path(post, path = "/api/admin/bank-imports/{id}/post", tag = "payments", request_body = PostForm,
    responses((status = 409, body = ErrorBody, description = "The import was undone; `current` is the import")))]
async fn post_bank_lines(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Id(id, ..): Id<BankImport>,
    Idempotent { key, body }: Idempotent<PostForm>,
) -> Result<Once<LineResults, 200>> {
    let lines = match body.lines {
        Field::Value(lines) if (1..=bulk::MAX).contains(&lines.len()) => lines,
        _ => {
            return Err(Error::field(
                "lines",
                format!("Name 1 to {} lines, each with its lineId", bulk::MAX),
            ));
        }
    };
    let context = BankContext::new(&app, &staff);
    app.write_and_notify(move |connection| {
        key.once(connection, context.payments.user_id, context.payments.now, || {
            context.post(connection, id, &lines)
        })
    })
    .await
}

/// Undo an import: the payments that are still there are reversed, and their receipts are void. A payment of which money
/// was refunded is left, and its line stays taken; repeating the call reverses it once that refund is reversed
#[utoipa::path(post, path = "/api/admin/bank-imports/{id}/undo", tag = "payments")]
async fn undo_bank_import(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Id(id, ..): Id<BankImport>,
    Idempotent { key, .. }: Idempotent<serde_json::Value>,
) -> Result<Once<UndoneImport, 200>> {
    let context = BankContext::new(&app, &staff);
    app.write_and_notify(move |connection| {
        key.once(connection, context.payments.user_id, context.payments.now, || context.undo(connection, id))
    })
    .await
}

impl BankContext {
    /// Records the payments of some lines, each line for itself.
    ///
    /// # Errors
    /// 404 when there is no such import; 409 when it was undone.
    pub fn post(
        &self,
        connection: &Connection,
        import_id: i64,
        wishes: &[PostedLine],
    ) -> Result<LineResults> {
        expect_standing(connection, import_id)?;
        let ids: Vec<i64> = wishes.iter().map(|wish| wish.line_id).collect();
        let shown = self.shown_with(connection, import_id, &ids)?;
        let mut results = vec![LineResult::default(); wishes.len()];
        for (at, wish) in wishes.iter().enumerate() {
            if wishes[..at].iter().any(|earlier| earlier.line_id == wish.line_id) {
                continue;
            }
            let places: Vec<_> =
                (at..wishes.len()).filter(|at| wishes[*at].line_id == wish.line_id).collect();
            let parts: Vec<_> = places.iter().map(|at| &wishes[*at]).collect();
            if let Some(known) = self.looks_recorded(connection, import_id, &parts, &shown)? {
                for place in places {
                    results[place] = LineResult::looks_recorded(wish.line_id, known.clone());
                }
                continue;
            }
            let posted =
                db::in_savepoint(connection, |connection| self.post_line(connection, import_id, &parts));
            match posted {
                Ok(payments) => {
                    for (place, (payment, receipt)) in places.into_iter().zip(payments) {
                        results[place] = LineResult {
                            line_id: wish.line_id,
                            ok: true,
                            payment_id: Some(payment),
                            receipt_number: Some(receipt),
                            ..LineResult::default()
                        };
                    }
                }
                Err(error) if error.status().is_server_error() => return Err(error),
                Err(error) => {
                    for place in places {
                        results[place] = LineResult::refused(wish.line_id, &error);
                    }
                }
            }
        }
        Ok(LineResults { results })
    }

    /// Records the payments of one line; returns those of an earlier call, if there are any.
    fn post_line(
        &self,
        connection: &Connection,
        import_id: i64,
        parts: &[&PostedLine],
    ) -> Result<Vec<(i64, String)>> {
        let line_id = parts.first().map(|part| part.line_id).unwrap_or_default();
        let line = store::line(connection, import_id, line_id)?.ok_or_else(no_line)?;
        let standing = store::standing(connection, line_id)?;
        if !standing.is_empty() {
            let found = |part: &&PostedLine| {
                let is_own = |id: i64| part.student_id.is_none_or(|student| student == id);
                standing.iter().find(|payment| is_own(payment.student_id))
            };
            let payments: Option<Vec<_>> = parts.iter().map(found).collect();
            let payments = payments.ok_or_else(|| {
                let receipts: Vec<_> =
                    standing.iter().map(|payment| payment.receipt_number.as_str()).collect();
                let message = format!("It was recorded before: receipt {}.", receipts.join(", "));
                Error::conflict(message, &json!({ "lineId": line_id }))
            })?;
            return Ok(payments
                .into_iter()
                .map(|payment| (payment.id, payment.receipt_number.clone()))
                .collect());
        }
        if line.state == KeptState::Seen {
            let message = "An earlier file had this line, so it is not recorded again.";
            return Err(Error::conflict(message, &json!({ "lineId": line_id })));
        }
        if line.cents <= 0 {
            return Err(Error::conflict("This line is not money received.", &json!({ "lineId": line_id })));
        }
        if line.state == KeptState::Same {
            let message = "This line is a payment that was recorded already. Review it again first.";
            return Err(Error::conflict(message, &json!({ "lineId": line_id })));
        }
        let mut recorded = Vec::with_capacity(parts.len());
        let mut students = Vec::new();
        for (part, amount) in parts.iter().zip(amounts(&line, parts)?) {
            let student_id = match part.student_id {
                Some(id) => id,
                None => self.owner(connection, &line)?,
            };
            if students.contains(&student_id) {
                let message =
                    "A student is named twice for this line. Name each student once, with the whole amount.";
                return Err(Error::BadRequest(message.into()));
            }
            students.push(student_id);
            let new = self.payment(&line, student_id, amount, part.method);
            let payment = self.payments.record(connection, &new, None)?;
            recorded.push((payment.payment_id(), payment.receipt_number().to_owned()));
        }
        store::set_state(connection, line_id, KeptState::Posted)?;
        Ok(recorded)
    }

    /// The payment that an undecided line looks like, unless it is named as other money: as it is shown, or of the student that
    /// the office has chosen. What another line of the file looks like is that line's.
    fn looks_recorded(
        &self,
        connection: &Connection,
        import_id: i64,
        parts: &[&PostedLine],
        shown: &ShownLines,
    ) -> Result<Option<KnownPayment>> {
        let Some(line) = parts.first().and_then(|part| shown.undecided(part.line_id)) else {
            return Ok(None);
        };
        if parts.iter().any(|part| part.again) {
            return Ok(None);
        }
        let found = match parts {
            [PostedLine { student_id: Some(student_id), .. }] => Found::of(connection, *student_id)?,
            _ => Matcher::new(connection, &self.school).find(&line.text, line.amount.cents())?,
        };
        let day = Received { on: line.date, cents: line.amount.cents(), import_id };
        let like = known::like(connection, &day, &found, &shown.hashes)?;
        Ok(like.into_iter().find(|payment| !shown.is_of_another(payment.payment_id, line)))
    }

    fn owner(&self, connection: &Connection, line: &StoredLine) -> Result<i64> {
        let found = Matcher::new(connection, &self.school).find(&line.text, line.cents)?;
        let matched = found.matched.map(|found| found.student_id);
        matched.ok_or_else(|| Error::BadRequest("Choose the student who paid.".into()))
    }

    /// What is recorded of a line: on a weekend banks write the next business day, and it came today.
    fn payment(
        &self,
        line: &StoredLine,
        student_id: i64,
        amount: Money,
        chosen: Option<PaymentMethod>,
    ) -> NewPayment {
        let reference: String = line.text.chars().take(REFERENCE).collect();
        NewPayment {
            student_id: Some(student_id),
            target: Target::OldestFirst,
            amount,
            method: chosen.unwrap_or_else(|| values::method(&line.text)),
            reference: Some(reference).filter(|reference| !reference.is_empty()),
            received_on: line.date.min(self.payments.today),
            payer_name: None,
            sends_receipt: true,
            is_confirmed: true,
            import_line_id: Some(line.id),
        }
    }

    /// Takes an import back with those of its payments that can be reversed.
    ///
    /// # Errors
    /// 404 when there is no such import.
    pub fn undo(&self, connection: &Connection, id: i64) -> Result<UndoneImport> {
        let before = store::find(connection, id)?.ok_or_else(BankImport::not_found)?;
        let mut left = Vec::new();
        // The newest first, as one may have paid what was charged after another.
        for payment in store::payments(connection, id)?.into_iter().rev() {
            if payment.voided_at.is_some() {
                continue;
            }
            let reversed = db::in_savepoint(connection, |connection| {
                self.payments.reverse(connection, payment.id, UNDONE)
            });
            match reversed {
                Ok(_) => {}
                Err(Error::Conflict(message, _)) => {
                    left.push(LeftPayment { payment: payment.into(), message });
                }
                Err(error) => return Err(error),
            }
        }
        let user_id = self.payments.user_id;
        let now = self.payments.now;
        store::mark_undone(connection, id, user_id, now)?;
        let import = store::find(connection, id)?.ok_or_else(BankImport::not_found)?;
        let reversed = before.posted_count - import.posted_count;
        let total = before.posted_total - import.posted_total;
        if before.undone_at.is_none() || reversed > 0 {
            let detail = json!({ "account": import.account, "payments": reversed, "amount": total, "left": left.len() });
            audit::record(connection, &self.payments.actor, "undo", "bank_import", id, detail, now)?;
        }
        Ok(UndoneImport { import, reversed: usize::try_from(reversed).unwrap_or_default(), total, left })
    }
}

impl LineResults {
    /// Of lines from which no payment was recorded.
    pub(super) fn of(done: Vec<(i64, Result<()>)>) -> Self {
        let result = |(line_id, done)| match done {
            Ok(()) => LineResult { line_id, ok: true, ..LineResult::default() },
            Err(error) => LineResult::refused(line_id, &error),
        };
        Self { results: done.into_iter().map(result).collect() }
    }
}

impl LineResult {
    fn refused(line_id: i64, error: &Error) -> Self {
        let status = Some(error.status().as_u16());
        Self { line_id, status, message: Some(error.to_string()), ..Self::default() }
    }

    fn looks_recorded(line_id: i64, known: KnownPayment) -> Self {
        let receipt = &known.receipt_number;
        let message = format!("It looks like receipt {receipt}. Say whether it is the same money.");
        let status = Some(StatusCode::CONFLICT.as_u16());
        Self { line_id, status, message: Some(message), known: Some(known), ..Self::default() }
    }
}

pub(super) fn no_line() -> Error {
    Error::NotFound("Line not found".into())
}

/// Refuses to change an import that was undone.
pub(super) fn expect_standing(connection: &Connection, id: i64) -> Result<()> {
    let import = store::find(connection, id)?.ok_or_else(BankImport::not_found)?;
    if import.undone_at.is_none() {
        return Ok(());
    }
    Err(Error::conflict("This import was undone. Import the file again.", &import))
}

/// What each part of a line is: together they are the line.
fn amounts(line: &StoredLine, parts: &[&PostedLine]) -> Result<Vec<Money>> {
    let whole = Money::from_cents(line.cents);
    let mut amounts = Vec::with_capacity(parts.len());
    for part in parts {
        amounts.push(match &part.amount {
            None if parts.len() == 1 => whole,
            None => return Err(Error::BadRequest("Enter an amount for each student.".into())),
            Some(amount) => price::positive(&Field::Value(amount.clone()))
                .map_err(|message| Error::BadRequest(message.into()))?,
        });
    }
    let sum: Money = amounts.iter().copied().sum();
    if sum != whole {
        return Err(Error::BadRequest(format!("The parts add up to {sum}, but the line is {whole}.")));
    }
    Ok(amounts)
}
