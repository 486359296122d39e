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

/// Posts the price of an enrollment; a price of nothing posts nothing.
pub fn charge_enrollment(
    connection: &Connection,
    enrollment_id: i64,
    price: Money,
    due_on: Date,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    if price.cents() == 0 {
        return Ok(());
    }
    connection
        .prepare_cached(
            "insert into ledger (kind, amount_cents, enrollment_id, due_on, created_by, created_at)
             values (:kind, :price, :enrollment_id, :due_on, :user_id, :now)",
        )?
        .execute(named_params! {
            ":kind": EntryKind::Charge, ":price": price, ":enrollment_id": enrollment_id, ":due_on": due_on.to_string(),
            ":user_id": user_id, ":now": now.as_second(),
        })?;
    Ok(())
}

/// Takes back every charge of an enrollment that was not taken back before.
pub fn reverse_charges(
    connection: &Connection,
    enrollment_id: i64,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    connection
        .prepare_cached(
            "insert into ledger (kind, amount_cents, enrollment_id, reverses_id, created_by, created_at)
             select :reversal, amount_cents, enrollment_id, id, :user_id, :now from ledger l
             where enrollment_id = :enrollment_id and kind = :charge
                 and not exists (select 1 from ledger r where r.reverses_id = l.id)",
        )?
        .execute(named_params! {
            ":reversal": EntryKind::Reversal, ":charge": EntryKind::Charge, ":enrollment_id": enrollment_id,
            ":user_id": user_id, ":now": now.as_second(),
        })?;
    Ok(())
}

/// What is owed on enrollments: the sum, over each of them, of charges less waivers and payments
/// plus refunds, and never less than zero for one. Only an approved enrollment has a charge, and
/// leaving the course does not forgive it: the office waives or reverses it.
pub fn total_due_cents(connection: &Connection) -> Result<i64> {
    // A reversal counts as the opposite of the row it undoes.
    Ok(connection
        .prepare_cached(
            "with entry as (
                 select l.enrollment_id,
                        coalesce(undone.kind, l.kind) as kind,
                        iif(l.kind = 'reversal', -l.amount_cents, l.amount_cents) as cents
                 from ledger l left join ledger undone on undone.id = l.reverses_id
                 where l.enrollment_id is not null
             ), balance as (
                 select sum(iif(kind in ('charge', 'refund'), cents, -cents)) as cents
                 from entry group by enrollment_id
             )
             select coalesce(sum(max(0, cents)), 0) from balance",
        )?
        .query_row(named_params! {}, |row| row.get(0))?)
}
