//! The table `payouts`: what was refunded, how and when. Of what lies on account, or, with a refund in the ledger, of
//! what was paid for an item.

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Payer, PaymentMethod};
use crate::base::error::Result;
use crate::base::money::Money;
use crate::storage::statements::{Statements, from_row, params};

/// Refunds.
#[derive(Debug)]
pub struct NewPayout<'a> {
    /// To which student.
    pub student_id: i64,
    /// How.
    pub method: PaymentMethod,
    /// What tells it from others.
    pub reference: Option<&'a str>,
    /// When.
    pub paid_on: Date,
    /// Why.
    pub reason: &'a str,
    /// The task that it goes towards.
    pub task_id: Option<i64>,
}

/// What it is taken from.
#[derive(Debug, Clone, Copy)]
pub enum From {
    /// What is left of a payment.
    Payment(i64),
    /// What was paid for an item: the refund in the ledger.
    Ledger(i64),
}

/// Notes that money was refunded.
pub fn insert(
    connection: &Connection,
    payout: &NewPayout<'_>,
    from: From,
    amount: Money,
    user_id: i64,
    now: Timestamp,
) -> Result<i64> {
    let (payment_id, ledger_id) = match from {
        From::Payment(id) => (Some(id), None),
        From::Ledger(id) => (None, Some(id)),
    };
    let NewPayout { student_id, method, reference, paid_on, reason, task_id } = payout;
    let sql = "insert into payouts (student_id, payment_id, ledger_id, amount_cents, method, reference, paid_on, reason,
            task_id, created_by, created_at)
        values (:student_id, :payment_id, :ledger_id, :amount, :method, :reference, :paid_on, :reason, :task_id,
            :user_id, :now)";
    let paid_on = paid_on.to_string();
    let now = now.as_second();
    let values = params![
        student_id, payment_id, ledger_id, amount, method, reference, paid_on, reason, task_id, user_id, now
    ];
    connection.insert(sql, values)
}

/// Takes a payout back, with the refund that it belongs to.
pub fn reverse_of_entry(
    connection: &Connection,
    ledger_id: i64,
    reason: &str,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    let sql = "insert into payouts (student_id, ledger_id, amount_cents, method, reference, paid_on, reason, created_by,
            created_at, reverses_id)
        select student_id, ledger_id, amount_cents, method, reference, paid_on, :reason, :user_id, :now, id
        from payouts where ledger_id = :ledger_id and reverses_id is null";
    connection.run(sql, params![ledger_id, reason, user_id, now = now.as_second()])
}

/// What of a payment was refunded.
pub fn of_payment(connection: &Connection, payment_id: i64) -> Result<Money> {
    let sql = "select coalesce(sum(amount_cents), 0) from payouts p where payment_id = :payment_id and reverses_id is null
            and not exists (select 1 from payouts undo where undo.reverses_id = p.id)";
    connection.one(sql, params![payment_id])
}

/// The payments of a student of which something is on account, the earliest first, with what that is.
pub fn held(connection: &Connection, payer: Payer) -> Result<Vec<(i64, Money)>> {
    let (sql, id) = match payer {
        Payer::Student(id) => (
            "select p.id, h.unapplied_cents from student_payments p cross join payments_held h on h.id = p.id
             where p.student_id = :id and h.unapplied_cents > 0 order by p.id",
            id,
        ),
        Payer::Request(id) => (
            "select p.id, h.unapplied_cents from payments p cross join payments_held h on h.id = p.id
             where p.request_id = :id and h.unapplied_cents > 0 order by p.id",
            id,
        ),
    };
    connection.list(sql, params![id])
}

/// Refunds from what lay on account.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Payout {
    /// Number of the payout.
    pub id: i64,
    /// When it was noted.
    pub at: Timestamp,
    /// Dollars.
    #[schema(value_type = f64)]
    pub amount: Money,
    /// How.
    pub method: PaymentMethod,
    /// What tells it from others.
    #[schema(required)]
    pub reference: Option<String>,
    /// When it was refunded.
    pub paid_on: Date,
    /// Why.
    pub reason: String,
    /// Username of the staff member who noted it.
    #[schema(required)]
    pub by: Option<String>,
    /// Number of the payment that it came from.
    #[schema(required)]
    pub payment_id: Option<i64>,
}

from_row!(Payout {
    id, at = "created_at", amount = "amount_cents", method, reference, paid_on, reason, by = "username", payment_id,
});

const FROM_ACCOUNT: &str =
    "o.id, o.created_at, o.amount_cents, o.method, o.reference, o.paid_on, o.reason, u.username, o.payment_id
    from student_payments p cross join payouts o on o.payment_id = p.id left join users u on u.id = o.created_by";

const IS_LIVE: &str =
    "o.reverses_id is null and not exists (select 1 from payouts undo where undo.reverses_id = o.id)";

/// What was refunded to a student from what lay on account, the newest first.
pub fn of_student(connection: &Connection, student_id: i64) -> Result<Vec<Payout>> {
    let sql =
        format!("select {FROM_ACCOUNT} where p.student_id = :student_id and {IS_LIVE} order by o.id desc");
    connection.list(&sql, params![student_id])
}

/// A payout from an account, and whose that is.
pub fn find(connection: &Connection, id: i64) -> Result<Option<(Payout, i64)>> {
    let sql = "select p.student_id from payouts o cross join student_payments p on p.id = o.payment_id
        where o.id = :id and o.reverses_id is null";
    let Some(student_id) = connection.find::<i64>(sql, params![id])? else { return Ok(None) };
    let payout = connection.find(
        &format!("select {FROM_ACCOUNT} where p.student_id = :student_id and o.id = :id"),
        params![student_id, id],
    )?;
    Ok(payout.map(|payout| (payout, student_id)))
}

/// Reverses a payout from an account: it is on account again. False if it was reversed before.
pub fn reverse(connection: &Connection, id: i64, reason: &str, user_id: i64, now: Timestamp) -> Result<bool> {
    let sql = format!(
        "insert into payouts (student_id, payment_id, amount_cents, method, reference, paid_on, reason, created_by,
            created_at, reverses_id)
        select student_id, payment_id, amount_cents, method, reference, paid_on, :reason, :user_id, :now, id
        from payouts o where id = :id and {IS_LIVE} returning 1"
    );
    let done: Option<i64> = connection.find(&sql, params![id, reason, user_id, now = now.as_second()])?;
    Ok(done.is_some())
}
