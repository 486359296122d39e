//! Moving what is posted on an enrollment to the one that goes on in its place.

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;

use super::{FeeItem, charge_enrollment, reverse_charges};
use crate::base::error::Result;
use crate::base::money::Money;
use crate::storage::statements::{Statements, from_row, params};

/// What the enrollment that goes on costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransferPrice {
    /// As much as was charged already: every charge keeps its due date.
    Kept,
    /// This instead of the course's fee; none for a course without a price.
    New(Option<Money>, Date),
}

/// Two enrollments: what is posted on one moves to the other.
#[derive(Debug, Clone, Copy)]
pub struct Moved {
    /// The one that has ended.
    pub from: i64,
    /// The one that goes on in its place.
    pub to: i64,
}

/// An enrollment that goes on in the place of one whose section was cancelled.
#[derive(Debug, Clone, Copy)]
pub struct Replacement<'a> {
    /// Both enrollments.
    pub moved: Moved,
    /// What the new one costs.
    pub price: Money,
    /// By when that is paid.
    pub due_on: Date,
    /// The decision that cancelled the section.
    pub cancelled_by: &'a str,
    /// The decision by which the student goes on.
    pub decision: &'a str,
}

/// What was paid for an enrollment by one payment, and lies on account since.
#[derive(Debug, Clone, Copy)]
pub struct FreedPayment {
    payment_id: i64,
    /// How much.
    pub cents: i64,
}

from_row!(FreedPayment { payment_id, cents = "amount_cents" });

/// Moves charges, waivers and payments from one enrollment to another. What was paid beyond the new price is on account
/// from then on.
pub fn transfer(
    connection: &Connection,
    Moved { from, to }: Moved,
    price: TransferPrice,
    decision: &str,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    reverse_charges(connection, FeeItem::Enrollment(from), Some(decision), user_id, now)?;
    let is_kept = price == TransferPrice::Kept;
    let sql = "insert into ledger (kind, amount_cents, enrollment_id, due_on, description, tax_cents, item, decision_id,
            created_by, created_at)
        select undone.kind, undone.amount_cents, :to, undone.due_on, undone.description, undone.tax_cents, undone.item,
            :decision, :user_id, :now
        from ledger l indexed by ledger_decision cross join ledger undone on undone.id = l.reverses_id
        where l.decision_id = :decision and l.enrollment_id = :from and l.kind = 'reversal'
            and undone.kind = 'charge' and (:is_kept or undone.item <> 'course')
        order by undone.id";
    let at = now.as_second();
    connection.run(sql, params![from, to, decision, user_id, is_kept, now = at])?;
    if let TransferPrice::New(Some(price), due_on) = price {
        charge_enrollment(connection, to, price, due_on, Some(decision), Some(user_id), now)?;
    }
    let sql = "select coalesce(sum(amount_cents), 0) from ledger where enrollment_id = :to";
    let mut due: i64 = connection.one(sql, params![to])?;
    // A waiver is not money: it goes on as far as there is something to waive.
    let sql = "select undone.amount_cents, undone.description
        from ledger l indexed by ledger_decision cross join ledger undone on undone.id = l.reverses_id
        where l.decision_id = :decision and l.enrollment_id = :from and l.kind = 'reversal' and undone.kind = 'waiver'
        order by undone.id";
    let waived: Vec<(i64, Option<String>)> = connection.list(sql, params![from, decision])?;
    for (cents, description) in waived {
        let cents = cents.min(due);
        if cents > 0 {
            due -= cents;
            let sql = "insert into ledger (kind, amount_cents, enrollment_id, description, decision_id, created_by, created_at)
                values ('waiver', :cents, :to, :description, :decision, :user_id, :at)";
            connection.run(sql, params![cents, to, description, decision, user_id, at])?;
        }
    }
    let sql = "select undone.payment_id, undone.amount_cents
        from ledger l indexed by ledger_decision cross join ledger undone on undone.id = l.reverses_id
        where l.decision_id = :decision and l.enrollment_id = :from and l.kind = 'reversal' and undone.kind = 'payment'
        order by undone.id";
    let paid: Vec<FreedPayment> = connection.list(sql, params![from, decision])?;
    apply(connection, to, Money::from_cents(due), &paid, decision, user_id, now)
}

/// What the decision that cancelled an enrollment's section put on account, as far as it lies there.
pub fn freed(connection: &Connection, enrollment_id: i64, decision: &str) -> Result<Vec<FreedPayment>> {
    let sql = "select undone.payment_id, min(sum(undone.amount_cents), h.unapplied_cents) as amount_cents
        from ledger l indexed by ledger_decision cross join ledger undone on undone.id = l.reverses_id
            cross join payments_held h on h.id = undone.payment_id
        where l.decision_id = :decision and l.enrollment_id = :enrollment_id and l.kind = 'reversal'
            and undone.kind = 'payment'
        group by undone.payment_id having h.unapplied_cents > 0 order by undone.payment_id";
    connection.list(sql, params![decision, enrollment_id])
}

/// Charges the enrollment that goes on in the place of one whose section was cancelled, and applies to it what of the old
/// one lies on account.
pub fn go_on(
    connection: &Connection,
    replacement: &Replacement<'_>,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    let Replacement { moved: Moved { from, to }, price, due_on, cancelled_by, decision } = *replacement;
    charge_enrollment(connection, to, price, due_on, Some(decision), Some(user_id), now)?;
    let paid = freed(connection, from, cancelled_by)?;
    apply(connection, to, price, &paid, decision, user_id, now)
}

/// Applies payments to an enrollment, as far as they are on account and something is due.
fn apply(
    connection: &Connection,
    to: i64,
    due: Money,
    paid: &[FreedPayment],
    decision: &str,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    let mut due = due.cents();
    for FreedPayment { payment_id, cents } in paid {
        let sql = "select unapplied_cents from payments_held where id = :payment_id";
        let held: i64 = connection.one(sql, params![payment_id])?;
        let cents = (*cents).min(held).min(due);
        if cents > 0 {
            due -= cents;
            let sql = "insert into ledger (kind, amount_cents, enrollment_id, payment_id, decision_id, created_by, created_at)
                values ('payment', :cents, :to, :payment_id, :decision, :user_id, :at)";
            connection.run(sql, params![cents, to, payment_id, decision, user_id, at = now.as_second()])?;
        }
    }
    Ok(())
}
