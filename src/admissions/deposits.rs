//! The deposits that accepted offers asked for: a charge of the ledger, or, where the place was accepted before the ledger
//! had them, a part of the fee that the offer names; with what of it was received.

use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use crate::base::error::Result;
use crate::base::money::Money;
use crate::storage::statements::{Statements, from_row, params};

/// A deposit on the fee of an admission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deposit {
    /// The admission.
    pub admission_id: i64,
    /// Dollars, without what of it was waived.
    #[schema(value_type = f64)]
    pub amount: Money,
    /// By when it is to be paid.
    #[schema(required)]
    pub due_on: Option<Date>,
    /// Dollars of it that were received: what is paid on the admission counts for the deposit first.
    #[schema(value_type = f64)]
    pub received: Money,
    /// Dollars that are left.
    #[schema(value_type = f64)]
    pub due: Money,
}

const LIVE: &str = "from ledger l where l.admission_id = a.id and l.item = 'deposit'
        and not exists (select 1 from ledger r where r.reverses_id = l.id)";
const IS_CHARGED: &str = "exists (select 1 from ledger l where l.admission_id = a.id and l.item = 'deposit')";

/// SQL: cents asked for as the deposit of the admission `a`, which the offer `o` names.
pub fn asked() -> String {
    format!("iif({IS_CHARGED}, (select coalesce(sum(l.amount_cents), 0) {LIVE}), o.deposit_cents)")
}

/// SQL: the day by which it is to be paid.
pub fn day() -> String {
    format!("iif({IS_CHARGED}, (select min(l.due_on) {LIVE}), o.deposit_due_on)")
}

/// SQL: cents paid on the admission `a` and not paid back.
pub const PAID: &str = "coalesce((select sum(iif(x.kind = 'payment', x.cents, -x.cents)) from entries x
        where x.admission_id = a.id and x.kind in ('payment', 'refund')), 0)";
/// SQL: cents waived on it.
pub const WAIVED: &str = "coalesce((select sum(x.cents) from entries x
        where x.admission_id = a.id and x.kind = 'waiver'), 0)";
/// SQL: cents of it that are still to be paid.
pub const OPEN: &str =
    "coalesce((select sum(iif(x.kind in ('charge', 'refund'), x.cents, -x.cents)) from entries x
        where x.admission_id = a.id), 0)";

struct Row {
    admission_id: i64,
    asked: i64,
    due_on: Option<Date>,
    paid: i64,
    waived: i64,
    open: i64,
}

from_row!(Row { admission_id, asked, due_on, paid, waived, open });

impl Row {
    /// What was waived counts for the deposit first, too, and makes it less; none is left of a fee that was taken back.
    fn deposit(self) -> Deposit {
        let due = (self.asked - self.paid - self.waived).clamp(0, self.open.max(0));
        let received = (self.asked - due).min(self.paid).max(0);
        let [amount, received, due] = [due + received, received, due].map(Money::from_cents);
        Deposit { admission_id: self.admission_id, amount, due_on: self.due_on, received, due }
    }
}

fn select() -> String {
    format!(
        "select a.id as admission_id, {} as asked, {} as due_on, {PAID} as paid, {WAIVED} as waived, {OPEN} as open
         from admission_requests q cross join admissions a on a.request_id = q.id
             cross join admission_offers o on o.id = a.offer_id",
        asked(),
        day()
    )
}

fn list(rows: Vec<Row>) -> Vec<Deposit> {
    rows.into_iter().map(Row::deposit).filter(|deposit| deposit.amount.cents() > 0).collect()
}

/// The deposits of a student's admissions, the newest first; none of an admission whose fee was taken back.
///
/// # Errors
/// Database errors.
pub fn of_student(connection: &Connection, student_id: i64) -> Result<Vec<Deposit>> {
    let sql = format!(
        "{} where q.student_id = :student_id and o.deposit_cents is not null order by a.id desc",
        select()
    );
    connection.list(&sql, params![student_id]).map(list)
}

/// The deposit of the admission that followed from an application.
///
/// # Errors
/// Database errors.
pub fn of_request(connection: &Connection, request_id: i64) -> Result<Option<Deposit>> {
    let sql = format!("{} where q.id = :request_id and o.deposit_cents is not null", select());
    connection.list(&sql, params![request_id]).map(|rows| list(rows).pop())
}
