//! A student's ledger: every entry with what was owed after it, what each item comes to, and what is on account.

use axum::extract::State;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::reminders::{self, StudentReminders};
use crate::base::error::Result;
use crate::base::json::Json;
use crate::base::money::Money;
use crate::config::School;
use crate::money::ledger::holds::{self, Hold};
use crate::money::ledger::payouts::{self, Payout};
use crate::money::ledger::{self, Fees, ItemFees, LedgerEntry, Payer, entries};
use crate::money::payments::codes;
use crate::money::refunds::tasks::{self, RefundDue};
use crate::staff::{Staff, may};
use crate::students::{self, Student};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::{Id, Numbered};

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![get_student_ledger]
}

/// A student's ledger.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudentLedger {
    /// Every entry, the newest first.
    entries: Vec<LedgerEntry>,
    /// What each item comes to that ever had an entry.
    per_item: Vec<ItemFees>,
    /// Dollars on account.
    #[schema(value_type = f64)]
    unapplied: Money,
    /// What of it is set aside.
    #[schema(required)]
    hold: Option<Hold>,
    /// What was refunded from what lay on account, the newest first.
    payouts: Vec<Payout>,
    /// What is to be refunded, the earliest day first.
    refunds_due: Vec<RefundDue>,
    /// What the family writes into the message of a transfer.
    payment_code: String,
    /// Whether the family is reminded, and when it last was.
    reminders: StudentReminders,
}

/// Every entry of a student's ledger, what each item comes to, and what is on account
#[utoipa::path(get, path = "/api/admin/students/{id}/ledger", tag = "money")]
async fn get_student_ledger(
    _: Staff<may::Balances>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
) -> Result<Json<StudentLedger>> {
    let config = app.config.clone();
    app.db.query(move |connection| read(connection, id, &config.school())).await.map(Json)
}

fn read(connection: &Connection, id: i64, school: &School) -> Result<StudentLedger> {
    let connection = &connection.unchecked_transaction()?;
    students::store::find(connection, id)?.ok_or_else(Student::not_found)?;
    let payer = Payer::Student(id);
    Ok(StudentLedger {
        entries: entries::all(connection, payer)?,
        per_item: Fees::read(connection, payer)?.per_item(),
        unapplied: ledger::on_account(connection, payer)?,
        hold: holds::find(connection, id)?,
        payouts: payouts::of_student(connection, id)?,
        refunds_due: tasks::of_student(connection, id)?,
        payment_code: codes::of_student(connection, &school.name, id)?,
        reminders: reminders::store::of_student(connection, id, &school.zone())?,
    })
}
