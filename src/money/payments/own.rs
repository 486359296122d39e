//! A student's fees: balance, what is due of each course, entries, payments with their receipts.
//!
//! The family page has the same of each child.

use axum::extract::State;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::how_to_pay::HowToPay;
use super::invoices::{self, OwnInvoice};
use super::receipts::{self, OwnReceipt};
use crate::base::error::Result;
use crate::base::json::Json;
use crate::base::money::Money;
use crate::config::Config;
use crate::money::ledger::aging::{Aging, AgingDay};
use crate::money::ledger::entries;
use crate::money::ledger::{self, FeeEntry, Fees, ItemFees, Payer, uncovered};
use crate::money::refunds::tasks::{self, RefundDue};
use crate::students::CurrentStudent;
use crate::web::access::endpoints;
use crate::web::app::App;

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![get_own_fees]
}

/// A refund that the school owes a student.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnRefundDue {
    /// Dollars.
    #[schema(value_type = f64)]
    amount: Money,
    /// By when it is paid.
    due_on: Date,
}

/// Fees of a student.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnFees {
    /// Balance in dollars; negative if overpaid.
    #[schema(value_type = f64)]
    balance: Money,
    /// Balance owing for all items together, without what is on account.
    #[schema(value_type = f64)]
    due: Money,
    /// What of it money on account covers.
    #[schema(value_type = f64)]
    covered: Money,
    /// What of the rest is late.
    #[schema(value_type = f64)]
    overdue: Money,
    /// Paid or waived beyond what was charged for an item.
    #[schema(value_type = f64)]
    credit: Money,
    /// Paid and not applied to anything: on account.
    #[schema(value_type = f64)]
    unapplied: Money,
    /// Refunds due, the earliest day first.
    refunds_due: Vec<OwnRefundDue>,
    /// Next due date, if any.
    #[schema(required)]
    next_due_on: Option<Date>,
    /// What each enrollment and admission comes to, newest first.
    per_item: Vec<ItemFees>,
    /// Entries, newest first, without reversed ones; together they are the balance and what is on account.
    entries: Vec<FeeEntry>,
    /// Receipts, newest first.
    receipts: Vec<OwnReceipt>,
    /// Invoices, newest first.
    invoices: Vec<OwnInvoice>,
    /// How to pay it.
    how_to_pay: HowToPay,
}

/// Fees of the signed-in student, with due dates, payments and receipts
#[utoipa::path(get, path = "/api/students/fees", tag = "payments")]
async fn get_own_fees(student: CurrentStudent, State(app): State<App>) -> Result<Json<OwnFees>> {
    let config = app.config.clone();
    let on = app.today();
    app.db.read(move |connection| read(connection, student.id, &config, on)).await.map(Json)
}

impl OwnFees {
    /// What is owed and not covered by money on account.
    pub fn to_pay(&self) -> Money {
        self.due - self.covered
    }

    /// What of it is late.
    pub fn overdue(&self) -> Money {
        self.overdue
    }
}

/// What a student, or a guardian of one, reads about the student's money.
///
/// # Errors
/// Database errors.
pub fn read(connection: &Connection, student_id: i64, config: &Config, on: Date) -> Result<OwnFees> {
    let payer = Payer::Student(student_id);
    let fees = Fees::read(connection, payer)?;
    let per_item = fees.per_item();
    let sum = |part: fn(&ItemFees) -> Money| per_item.iter().map(part).sum::<Money>();
    let due = sum(|item| item.due);
    let credit = sum(|item| item.credit);
    let day = AgingDay { on, zone: config.school().zone() };
    let unapplied = ledger::on_account(connection, payer)?;
    let free = ledger::free_on_account(connection, student_id, unapplied)?;
    let left = uncovered(fees.rests(), free.cents());
    let mut aging = Aging::default();
    for rest in &left {
        aging.add(rest, &day);
    }
    let covered = due.cents() - left.iter().map(|rest| rest.cents).sum::<i64>();
    // A refund is due only of a credit or of money on account, which few students have.
    let has_money = credit.cents() > 0 || unapplied.cents() > 0;
    let refunds = if has_money { tasks::of_student(connection, student_id)? } else { Vec::new() };
    Ok(OwnFees {
        balance: ledger::balance_of_student(connection, student_id)?,
        due,
        covered: Money::from_cents(covered),
        overdue: aging.overdue(),
        credit,
        unapplied,
        refunds_due: refunds
            .iter()
            .map(|&RefundDue { amount, due_on, .. }| OwnRefundDue { amount, due_on })
            .collect(),
        next_due_on: left.iter().filter_map(|rest| rest.due_on).min(),
        per_item,
        entries: entries::live(connection, student_id)?,
        receipts: receipts::of_student(connection, student_id)?,
        invoices: invoices::of_student(connection, student_id)?,
        how_to_pay: HowToPay::new(connection, student_id, due.cents() - covered, config)?,
    })
}
