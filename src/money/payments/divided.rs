//! One payment of a family, divided among its children: a payment and a receipt for each.

use axum::extract::State;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::rules::{NewPayment, PaymentForm};
use super::{PaymentContext, RecordedPayment};
use crate::base::error::{ErrorBody, FieldErrors, Result};
use crate::money::ledger::PaymentMethod;
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form, read_as};
use crate::web::idempotency::{Idempotent, Once};
use crate::web::price::PriceInput;

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![record_divided_payment]
}

/// Most parts: as many children as a family has at most.
const MAX_PARTS: usize = 12;

form! {
    /// `POST /api/admin/payments/divided`'s body.
    pub struct DividedPaymentForm {
        /// 2 to 12 students, each once.
        allocations: Vec<StudentPart>,
        /// How it came.
        method: PaymentMethod,
        /// What tells it from others: the number of a transfer or cheque. At most 200 characters.
        reference: Option<String>,
        /// When it came: today or earlier, at most five years ago.
        received_on: Date,
        /// Who paid. At most 200 characters.
        payer_name: Option<String>,
        /// Whether the receipts are emailed; default false.
        send_receipt: Option<bool>,
        /// Whether a payment that looks like an earlier one is recorded nevertheless.
        confirm_duplicate: Option<bool>,
    }
}

/// What one student gets of a payment.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudentPart {
    /// The student.
    student_id: i64,
    /// Dollars, more than 0: the oldest due first, the rest on account.
    amount: PriceInput,
}

read_as!(Vec<StudentPart> => Vec<StudentPart>);

/// What was recorded.
#[derive(Debug, Serialize, ToSchema)]
pub struct DividedPayment {
    /// A payment of each student, in the order of the request.
    payments: Vec<RecordedPayment>,
}

impl DividedPaymentForm {
    fn parse(&self, today: Date) -> Result<Vec<NewPayment>, FieldErrors> {
        let parts = match &self.allocations {
            Field::Value(parts) if (2..=MAX_PARTS).contains(&parts.len()) => parts,
            _ => {
                return Err(FieldErrors::one(
                    "allocations",
                    format!("Divide it among 2 to {MAX_PARTS} students"),
                ));
            }
        };
        if (1..parts.len()).any(|at| parts[..at].iter().any(|one| one.student_id == parts[at].student_id)) {
            return Err(FieldErrors::one("allocations", "Name each student once"));
        }
        let each = |part: &StudentPart| {
            let form = PaymentForm {
                student_id: Field::Value(part.student_id),
                amount: Field::Value(part.amount.clone()),
                method: self.method.clone(),
                reference: self.reference.clone(),
                received_on: self.received_on.clone(),
                payer_name: self.payer_name.clone(),
                send_receipt: self.send_receipt.clone(),
                confirm_duplicate: self.confirm_duplicate.clone(),
                ..PaymentForm::default()
            };
            NewPayment::parse(&form, today)
        };
        parts.iter().map(each).collect()
    }
}

/// Record one payment of a family, divided among its children; each gets a receipt, and all are recorded or none
#[utoipa::path(post, path = "/api/admin/payments/divided", tag = "payments", request_body = DividedPaymentForm,
    responses((status = 404, body = ErrorBody, description = "No such student"),
        (status = 409, body = ErrorBody, description = "A part looks like an earlier payment (`possible_duplicate`, \
            with that one in `current`), or the key was used for another request (`idempotency_key_reused`)")))]
async fn record_divided_payment(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Idempotent { key, body }: Idempotent<DividedPaymentForm>,
) -> Result<Once<DividedPayment>> {
    let parts = body.parse(app.today())?;
    let context = PaymentContext::new(&app, &staff);
    app.write_and_notify(move |connection| {
        key.once(connection, context.user_id, context.now, || {
            let payments = parts.iter().map(|part| context.record(connection, part, None));
            Ok(DividedPayment { payments: payments.collect::<Result<_>>()? })
        })
    })
    .await
}
