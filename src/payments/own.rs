//! A student's fees: balance, what is due of each course, entries, payments with their receipts.
//!
//! Overdue amounts are not included yet.

use axum::extract::State;
use jiff::civil::Date;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::receipts::{self, OwnReceipt};
use crate::base::error::Result;
use crate::base::json::Json;
use crate::base::money::Money;
use crate::fees::{self, FeeEntry, Fees, ItemFees, Payer};
use crate::students::CurrentStudent;
use crate::web::access::endpoints;
use crate::web::app::App;

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![get_own_fees]
}

/// Fees of a student.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnFees {
    /// Balance in dollars; negative if overpaid.
    #[schema(value_type = f64)]
    balance: Money,
    /// Still to be paid for all items together, without what is on account.
    #[schema(value_type = f64)]
    due: Money,
    /// Paid and not applied to anything: on account.
    #[schema(value_type = f64)]
    unapplied: Money,
    /// Next due date, if any.
    #[schema(required)]
    next_due_on: Option<Date>,
    /// What each enrollment and admission comes to, newest first.
    per_item: Vec<ItemFees>,
    /// Entries, newest first, without reversed ones; together they are the balance and what is on account.
    entries: Vec<FeeEntry>,
    /// Receipts, newest first.
    receipts: Vec<OwnReceipt>,
    /// How to pay it.
    how_to_pay: HowToPay,
}

/// Payment instructions.
#[derive(Debug, Serialize, ToSchema)]
pub struct HowToPay {
    /// The school's text.
    text: String,
}

/// Fees of the signed-in student, with due dates, payments and receipts
#[utoipa::path(get, path = "/api/students/fees", tag = "payments")]
async fn get_own_fees(student: CurrentStudent, State(app): State<App>) -> Result<Json<OwnFees>> {
    let how_to_pay = HowToPay { text: app.config.how_to_pay() };
    let read = app.db.read(|connection| {
        let payer = Payer::Student(student.id);
        let fees = Fees::read(connection, payer)?;
        let per_item = fees.per_item();
        let due = Money::from_cents(per_item.iter().map(|item| item.due.cents()).sum());
        Ok(OwnFees {
            balance: fees::balance_of_student(connection, student.id)?,
            due,
            unapplied: fees::on_account(connection, payer)?,
            next_due_on: fees.next_due_on(),
            per_item,
            entries: fees.entries(),
            receipts: receipts::of_student(connection, student.id)?,
            how_to_pay,
        })
    });
    read.await.map(Json)
}
