//! What a payment pays for, after it was recorded: money on account is applied, a part is moved to another course.
//!
//! What is due is read inside the write, so that two people who apply at once do not pay the same course twice.

use axum::extract::State;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::rules::{Move, MoveForm, Target, divide, parts};
use super::{ChangedPayment, Payment, PaymentContext, store};
use crate::audit;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::money::Money;
use crate::money::ledger::{self, Fees, Payer, PaymentPart};
use crate::money::payments::rules::Allocation;
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::form;
use crate::web::id::{Id, Numbered};
use crate::web::idempotency::{Idempotent, Once};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![allocate_payment, move_payment]
}

form! {
    /// `POST /api/admin/payments/{id}/allocate`' body.
    pub struct AllocateForm {
        /// What it pays for, at most what is on account of it. If absent, the oldest due first.
        allocations: Option<Vec<Allocation>>,
    }
}

/// Apply what is on account of a payment
#[utoipa::path(post, path = "/api/admin/payments/{id}/allocate", tag = "payments", request_body = AllocateForm,
    responses((status = 404, body = ErrorBody, description = "No such payment, or an item is another student's"),
        (status = 409, body = ErrorBody, description = "It was reversed; `current` is the payment")))]
async fn allocate_payment(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Id(id, ..): Id<Payment>,
    Idempotent { key, body }: Idempotent<AllocateForm>,
) -> Result<Once<ChangedPayment, 200>> {
    let parts = parts(&body.allocations).map_err(|message| FieldErrors::one("allocations", message))?;
    let target = parts.map_or(Target::OldestFirst, Target::Parts);
    let context = PaymentContext::new(&app, &staff);
    app.write_and_notify(move |connection| {
        key.once(connection, context.user_id, context.now, || context.allocate(connection, id, &target))
    })
    .await
}

/// Move a part of a payment from one enrollment to another of the same student
#[utoipa::path(post, path = "/api/admin/payments/{id}/move", tag = "payments", request_body = MoveForm,
    responses((status = 404, body = ErrorBody, description = "No such payment, or an enrollment is another student's"),
        (status = 409, body = ErrorBody, description = "It was reversed, or does not pay that much of it; `current` is \
            the payment")))]
async fn move_payment(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Id(id, ..): Id<Payment>,
    Idempotent { key, body }: Idempotent<MoveForm>,
) -> Result<Once<ChangedPayment, 200>> {
    let wish = Move::parse(&body)?;
    let context = PaymentContext::new(&app, &staff);
    app.write_and_notify(move |connection| {
        key.once(connection, context.user_id, context.now, || context.move_part(connection, id, &wish))
    })
    .await
}

impl PaymentContext {
    /// Applies what is on account of a payment.
    pub fn allocate(&self, connection: &Connection, id: i64, target: &Target) -> Result<ChangedPayment> {
        let (payment, payer) = standing(connection, id)?;
        if let Target::Parts(parts) = target {
            for part in parts {
                ledger::expect_payer(connection, part.item, Some(payer))?;
            }
        }
        let fees = Fees::read(connection, payer)?;
        let parts = divide(target, payment.unapplied, &fees.open(), &fees.per_item())?;
        let sum: Money = parts.iter().map(|part| part.amount).sum();
        if sum > payment.unapplied {
            let message = format!("Only {} of it is on account", payment.unapplied);
            return Err(FieldErrors::one("allocations", message).into());
        }
        ledger::post_payment(connection, id, &parts, None, self.user_id, self.now)?;
        let detail = json!({
            "studentId": payment.student_id, "receipt": payment.receipt_number, "amount": sum,
        });
        audit::record(connection, &self.actor, "allocate", "payment", id, detail, self.now)?;
        Ok(store::find(connection, id)?.ok_or_else(Payment::not_found)?.into())
    }

    /// Moves a part of a payment to another enrollment.
    pub fn move_part(&self, connection: &Connection, id: i64, wish: &Move) -> Result<ChangedPayment> {
        let (payment, payer) = standing(connection, id)?;
        let Move { from, to, amount } = *wish;
        for item in [from, to] {
            ledger::expect_payer(connection, item, Some(payer))?;
        }
        let rows = ledger::parts_on(connection, id, from)?;
        let paid: Money = rows.iter().map(|(_, amount)| *amount).sum();
        if paid < amount {
            let message = format!("It pays {paid} of that enrollment, so {amount} cannot be moved from it.");
            return Err(Error::conflict(message, &payment));
        }
        for (row, _) in rows {
            ledger::reverse(connection, row, "Moved", self.user_id, self.now)?;
        }
        let rest = paid - amount;
        if rest.cents() > 0 {
            let kept = [PaymentPart { item: from, amount: rest }];
            ledger::post_payment(connection, id, &kept, None, self.user_id, self.now)?;
        }
        let fees = Fees::read(connection, payer)?;
        let target = Target::Parts(vec![PaymentPart { item: to, amount }]);
        let parts = divide(&target, amount, &fees.open(), &fees.per_item())
            .map_err(|_| FieldErrors::one("amount", "That is more than is due of the other enrollment"))?;
        ledger::post_payment(connection, id, &parts, None, self.user_id, self.now)?;
        ledger::check(connection, from, &payment)?;
        let detail = json!({
            "studentId": payment.student_id, "receipt": payment.receipt_number, "amount": amount,
            "from": from.ids().0, "to": to.ids().0,
        });
        audit::record(connection, &self.actor, "move", "payment", id, detail, self.now)?;
        Ok(store::find(connection, id)?.ok_or_else(Payment::not_found)?.into())
    }
}

/// A payment that was not reversed, and whose it is.
fn standing(connection: &Connection, id: i64) -> Result<(Payment, Payer)> {
    let payment = store::find(connection, id)?.ok_or_else(Payment::not_found)?;
    if payment.voided_at.is_some() {
        let message = format!("This payment was reversed; receipt {} is void.", payment.receipt_number);
        return Err(Error::conflict(message, &payment));
    }
    let payer = match payment.student_id {
        Some(id) => Payer::Student(id),
        None => Payer::Request(store::request_of(connection, id)?),
    };
    Ok((payment, payer))
}
