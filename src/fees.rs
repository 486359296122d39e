//! The ledger: what is owed and what was paid, in cents, row by row.
//!
//! A row is never edited or deleted. A payment (`payments`) has a row for each item that it pays for; what is left of it
//! is on account. Absent until its own issue: waivers and refunds by the office.

mod entries;
pub mod total_due;
mod transfers;

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;

pub use self::entries::{FeeEntry, FeeItem, Fees, ItemFees, OpenCharge, Payer};
pub use self::transfers::{TransferPrice, transfer};
use crate::base::closed_set::closed_set;
use crate::base::error::Result;
use crate::base::money::Money;
use crate::storage::statements::{Statements, params};

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

closed_set! {
    /// What a charge is for.
    pub enum ChargedFor {
        /// A course.
        Course = "course",
        /// A place at the school.
        Admission = "admission",
        /// A part that is paid ahead.
        Deposit = "deposit",
        /// Books and material.
        Material = "material",
        /// Paying late.
        Late = "late",
        /// Anything else.
        Other = "other",
    }
}

/// Posts the price of an enrollment; a price of nothing posts nothing. `decision` is the undoable decision; `user_id`
/// is `None` if the student accepted an offered place.
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
    let sql =
        "insert into ledger (kind, amount_cents, enrollment_id, due_on, item, decision_id, created_by, created_at)
        values (:kind, :price, :enrollment_id, :due_on, :item, :decision, :user_id, :now)";
    let values = params! {
        kind = EntryKind::Charge, item = ChargedFor::Course, price, enrollment_id, due_on = due_on.to_string(), decision, user_id,
        now = now.as_second(),
    };
    connection.run(sql, values)
}

/// Posts the fee of a longer enrollment, with the decision that makes it longer; a fee of nothing posts nothing.
pub fn charge_extension(
    connection: &Connection,
    enrollment_id: i64,
    (fee, due_on): (Money, Date),
    description: &str,
    decision: &str,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    if fee.cents() == 0 {
        return Ok(());
    }
    let sql = "insert into ledger (kind, amount_cents, enrollment_id, due_on, item, description, decision_id, created_by,
            created_at)
        values ('charge', :fee, :enrollment_id, :due_on, 'other', :description, :decision, :user_id, :now)";
    let (due_on, now) = (due_on.to_string(), now.as_second());
    connection.run(sql, params![fee, enrollment_id, due_on, description, decision, user_id, now])
}

/// Posts the fee of an admission, which the family accepted; a fee of nothing posts nothing.
pub fn charge_admission(
    connection: &Connection,
    admission_id: i64,
    fee: Money,
    due_on: Date,
    now: Timestamp,
) -> Result<()> {
    if fee.cents() == 0 {
        return Ok(());
    }
    let sql = "insert into ledger (kind, amount_cents, admission_id, due_on, item, created_at)
        values (:kind, :fee, :admission_id, :due_on, 'admission', :now)";
    let values = params! {
        kind = EntryKind::Charge, fee, admission_id, due_on = due_on.to_string(), now = now.as_second(),
    };
    connection.run(sql, values)
}

/// Takes an admission's fee back, as [`reverse_charges`] does an enrollment's.
pub fn reverse_admission(
    connection: &Connection,
    admission_id: i64,
    decision: &str,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    let sql = "insert into ledger (kind, amount_cents, admission_id, reverses_id, decision_id, created_by, created_at)
        select 'reversal', amount_cents, admission_id, id, :decision, :user_id, :now from ledger l
        where admission_id = :admission_id
            and (kind in ('charge', 'waiver') or kind = 'payment' and payment_id is not null)
            and not exists (select 1 from ledger r where r.reverses_id = l.id)";
    connection.run(sql, params![admission_id, decision, user_id, now = now.as_second()])
}

/// Takes an enrollment's fee back: reverses its charges and waivers that are not reversed yet, and what was paid on it,
/// which is on account from then on.
pub fn reverse_charges(
    connection: &Connection,
    enrollment_id: i64,
    decision: Option<&str>,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    let sql = "insert into ledger (kind, amount_cents, enrollment_id, reverses_id, decision_id, created_by,
            created_at)
        select 'reversal', amount_cents, enrollment_id, id, :decision, :user_id, :now from ledger l
        where enrollment_id = :enrollment_id
            and (kind in ('charge', 'waiver') or kind = 'payment' and payment_id is not null)
            and not exists (select 1 from ledger r where r.reverses_id = l.id)";
    connection.run(sql, params![enrollment_id, decision, user_id, now = now.as_second()])
}

/// Undoes the entries of a decision: reverses what it posted, and posts again what it reversed, with the same due date. A
/// payment that was reversed meanwhile, or has gone elsewhere, stays where it is.
pub fn take_back(connection: &Connection, decision: &str, user_id: i64, now: Timestamp) -> Result<()> {
    for sql in [
        "insert into ledger (kind, amount_cents, enrollment_id, admission_id, reverses_id, created_by, created_at)
         select 'reversal', amount_cents, enrollment_id, admission_id, id, :user_id, :now from ledger l
         where decision_id = :decision and kind in ('charge', 'waiver', 'payment')
             and not exists (select 1 from ledger r where r.reverses_id = l.id)",
        "insert into ledger (kind, amount_cents, enrollment_id, admission_id, due_on, description, payment_id,
             tax_cents, item, created_by, created_at)
         select undone.kind, l.amount_cents, l.enrollment_id, l.admission_id, undone.due_on, undone.description, undone.payment_id,
             undone.tax_cents, undone.item, :user_id, :now
         from ledger l join ledger undone on undone.id = l.reverses_id
         where l.decision_id = :decision and l.kind = 'reversal' and undone.kind in ('charge', 'waiver', 'payment')
             and (undone.payment_id is null
                 or l.amount_cents <= (select unapplied_cents from payments_held where id = undone.payment_id))",
    ] {
        connection.run(sql, params![decision, user_id, now = now.as_second()])?;
    }
    Ok(())
}

/// Posts the parts of a payment, and returns the numbers of the rows.
pub fn post_payment(
    connection: &Connection,
    payment_id: i64,
    parts: &[(FeeItem, Money)],
    user_id: i64,
    now: Timestamp,
) -> Result<Vec<i64>> {
    let sql = "insert into ledger (kind, amount_cents, enrollment_id, admission_id, payment_id, created_by, created_at)
        values ('payment', :amount, :enrollment_id, :admission_id, :payment_id, :user_id, :now)";
    let mut ids = Vec::with_capacity(parts.len());
    for (item, amount) in parts {
        let (enrollment_id, admission_id) = item.ids();
        let now = now.as_second();
        ids.push(
            connection.insert(sql, params![amount, enrollment_id, admission_id, payment_id, user_id, now])?,
        );
    }
    Ok(ids)
}

/// Reverses the parts of a payment that are not reversed yet.
pub fn reverse_payment(connection: &Connection, payment_id: i64, user_id: i64, now: Timestamp) -> Result<()> {
    let sql = "insert into ledger (kind, amount_cents, enrollment_id, admission_id, reverses_id, created_by, created_at)
        select 'reversal', amount_cents, enrollment_id, admission_id, id, :user_id, :now from ledger l
        where payment_id = :payment_id and not exists (select 1 from ledger r where r.reverses_id = l.id)";
    connection.run(sql, params![payment_id, user_id, now = now.as_second()])
}

/// What a row `l` of the ledger adds to what is owed, in SQL; `undone` is the row that it reverses.
pub const ENTRY_CENTS: &str = "l.amount_cents * iif(l.kind = 'reversal', -1, 1) \
    * iif(coalesce(undone.kind, l.kind) in ('charge', 'refund'), 1, -1)";

/// A student's balance: what is owed on all items, less what is on account; negative if overpaid.
pub fn balance_of_student(connection: &Connection, student_id: i64) -> Result<Money> {
    let sql = "select coalesce(sum(cents), 0) from student_entries where student_id = :student_id";
    connection.one(sql, params![student_id])
}

/// What is on account: paid, and not applied to anything.
pub fn on_account(connection: &Connection, payer: Payer) -> Result<Money> {
    let (sql, id) = match payer {
        Payer::Student(id) => (
            "select coalesce(sum(h.unapplied_cents), 0)
             from student_payments p cross join payments_held h on h.id = p.id where p.student_id = :id",
            id,
        ),
        Payer::Request(id) => (
            "select coalesce(sum(h.unapplied_cents), 0)
             from payments p cross join payments_held h on h.id = p.id where p.request_id = :id",
            id,
        ),
    };
    connection.one(sql, params![id])
}
