//! The ledger: what is owed and what was paid, in cents, row by row.
//!
//! A row is never edited or deleted. Absent until its own issue: payments, waivers and refunds by
//! the office.

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::{Connection, named_params};

use crate::base::closed_set::closed_set;
use crate::base::error::Result;
use crate::base::money::Money;
use crate::storage::totals;

closed_set! {
    /// What a row of the ledger is.
    pub enum EntryKind {
        /// Something is to be paid.
        Charge = "charge",
        /// Something was paid.
        Payment = "payment",
        /// Something need not be paid.
        Waiver = "waiver",
        /// Something was paid back.
        Refund = "refund",
        /// Undoes another row.
        Reversal = "reversal",
    }
}

/// Posts the price of an enrollment; a price of nothing posts nothing. `decision` is what undoing takes
/// back; `user_id` is none where the student took an offered place.
pub fn charge_enrollment(
    connection: &Connection,
    enrollment_id: i64,
    price: Money,
    due_on: Date,
    decision: Option<&str>,
    user_id: Option<i64>,
    now: Timestamp,
) -> Result<()> {
    if price.cents() == 0 {
        return Ok(());
    }
    connection
        .prepare_cached(
            "insert into ledger (kind, amount_cents, enrollment_id, due_on, decision_id, created_by, created_at)
             values (:kind, :price, :enrollment_id, :due_on, :decision, :user_id, :now)",
        )?
        .execute(named_params! {
            ":kind": EntryKind::Charge, ":price": price, ":enrollment_id": enrollment_id,
            ":due_on": due_on.to_string(), ":decision": decision, ":user_id": user_id,
            ":now": now.as_second(),
        })?;
    Ok(())
}

/// Takes back every charge of an enrollment that was not taken back before.
pub fn reverse_charges(
    connection: &Connection,
    enrollment_id: i64,
    decision: Option<&str>,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    connection
        .prepare_cached(
            "insert into ledger (kind, amount_cents, enrollment_id, reverses_id, decision_id, created_by,
                 created_at)
             select :reversal, amount_cents, enrollment_id, id, :decision, :user_id, :now from ledger l
             where enrollment_id = :enrollment_id and kind = :charge
                 and not exists (select 1 from ledger r where r.reverses_id = l.id)",
        )?
        .execute(named_params! {
            ":reversal": EntryKind::Reversal, ":charge": EntryKind::Charge, ":enrollment_id": enrollment_id,
            ":decision": decision, ":user_id": user_id, ":now": now.as_second(),
        })?;
    Ok(())
}

/// Takes back what a decision posted: its charges are reversed, and what it reversed is charged anew, due
/// on the same day as before.
pub fn take_back(connection: &Connection, decision: &str, user_id: i64, now: Timestamp) -> Result<()> {
    for sql in [
        "insert into ledger (kind, amount_cents, enrollment_id, due_on, created_by, created_at)
         select :charge, l.amount_cents, l.enrollment_id, undone.due_on, :user_id, :now
         from ledger l join ledger undone on undone.id = l.reverses_id
         where l.decision_id = :decision and l.kind = :reversal and undone.kind = :charge",
        "insert into ledger (kind, amount_cents, enrollment_id, reverses_id, created_by, created_at)
         select :reversal, amount_cents, enrollment_id, id, :user_id, :now from ledger l
         where decision_id = :decision and kind = :charge
             and not exists (select 1 from ledger r where r.reverses_id = l.id)",
    ] {
        connection.prepare_cached(sql)?.execute(named_params! {
            ":reversal": EntryKind::Reversal, ":charge": EntryKind::Charge, ":decision": decision,
            ":user_id": user_id, ":now": now.as_second(),
        })?;
    }
    Ok(())
}

/// What a row `l` of the ledger adds to what is owed, in SQL; `undone` is the row that it reverses.
pub const ENTRY_CENTS: &str = "l.amount_cents * iif(l.kind = 'reversal', -1, 1) \
    * iif(coalesce(undone.kind, l.kind) in ('charge', 'refund'), 1, -1)";

/// What a student owes on all enrollments together; less than zero where more was paid than charged.
pub fn balance_of_student(connection: &Connection, student_id: i64) -> Result<Money> {
    Ok(connection
        .prepare_cached(&format!(
            "select coalesce(sum({ENTRY_CENTS}), 0)
             from enrollments e join ledger l on l.enrollment_id = e.id
                 left join ledger undone on undone.id = l.reverses_id
             where e.student_id = :student_id"
        ))?
        .query_row(named_params! { ":student_id": student_id }, |row| row.get(0).map(Money::from_cents))?)
}

/// What is owed on enrollments: the sum, over each of them, of charges less waivers and payments
/// plus refunds, and never less than zero for one. Only an approved enrollment has a charge, and
/// leaving the course does not forgive it: the office waives or reverses it. The total is kept by a trigger,
/// which reads a row as [`ENTRY_CENTS`] does.
pub fn total_due_cents(connection: &Connection) -> Result<i64> {
    Ok(totals::read(connection, "ledger", "due")?)
}
