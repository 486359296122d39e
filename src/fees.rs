//! The ledger: what is owed and what was paid, in cents, row by row.
//!
//! A row is never edited or deleted. Absent until its own issue: payments, waivers and refunds by
//! the office.

pub mod total_due;

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use crate::base::closed_set::closed_set;
use crate::base::error::Result;
use crate::base::money::Money;
use crate::storage::statements::{Statements, from_row, params};

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
        "insert into ledger (kind, amount_cents, enrollment_id, due_on, decision_id, created_by, created_at)
        values (:kind, :price, :enrollment_id, :due_on, :decision, :user_id, :now)";
    let values = params! {
        kind = EntryKind::Charge, price, enrollment_id, due_on = due_on.to_string(), decision, user_id,
        now = now.as_second(),
    };
    connection.run(sql, values)
}

/// Reverses every charge of an enrollment that is not reversed yet.
pub fn reverse_charges(
    connection: &Connection,
    enrollment_id: i64,
    decision: Option<&str>,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    let sql = "insert into ledger (kind, amount_cents, enrollment_id, reverses_id, decision_id, created_by,
            created_at)
        select :reversal, amount_cents, enrollment_id, id, :decision, :user_id, :now from ledger l
        where enrollment_id = :enrollment_id and kind = :charge
            and not exists (select 1 from ledger r where r.reverses_id = l.id)";
    let values = params! {
        reversal = EntryKind::Reversal, charge = EntryKind::Charge, enrollment_id, decision, user_id,
        now = now.as_second(),
    };
    connection.run(sql, values)
}

/// Undoes the entries of a decision: reverses its charges, and posts again the charges it reversed, with the same due
/// date.
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
        connection.run(
            sql,
            params![
                reversal = EntryKind::Reversal,
                charge = EntryKind::Charge,
                decision,
                user_id,
                now = now.as_second()
            ],
        )?;
    }
    Ok(())
}

/// What a row `l` of the ledger adds to what is owed, in SQL; `undone` is the row that it reverses.
pub const ENTRY_CENTS: &str = "l.amount_cents * iif(l.kind = 'reversal', -1, 1) \
    * iif(coalesce(undone.kind, l.kind) in ('charge', 'refund'), 1, -1)";

/// What a student owes on all enrollments together; negative if overpaid.
pub fn balance_of_student(connection: &Connection, student_id: i64) -> Result<Money> {
    let sql = format!(
        "select coalesce(sum({ENTRY_CENTS}), 0)
         from enrollments e join ledger l on l.enrollment_id = e.id
             left join ledger undone on undone.id = l.reverses_id
         where e.student_id = :student_id"
    );
    connection.one(&sql, params![student_id])
}

/// A row of the ledger that counts: neither taken back nor taking another back.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeeEntry {
    /// Number of the row.
    pub id: i64,
    /// What it is.
    pub kind: EntryKind,
    /// Dollars that it adds to what is owed; less than zero where it takes from it.
    #[schema(value_type = f64)]
    pub amount: Money,
    /// The day by which a charge is to be paid.
    #[schema(required)]
    pub due_on: Option<Date>,
    /// When it was posted.
    pub at: Timestamp,
    /// Number of the enrollment.
    pub enrollment_id: i64,
    /// The course's code.
    pub course_code: String,
    /// The course's name.
    pub course_name: String,
}

/// What counts of a student's rows, the newest first; together they are the balance.
pub fn entries_of_student(connection: &Connection, student_id: i64) -> Result<Vec<FeeEntry>> {
    let sql =
        "select l.id, l.kind, l.amount_cents * iif(l.kind in ('charge', 'refund'), 1, -1) as cents, l.due_on,
            l.created_at, l.enrollment_id, c.code, c.name
        from enrollments e join ledger l on l.enrollment_id = e.id join courses c on c.id = e.course_id
        where e.student_id = :student_id and l.kind <> 'reversal'
            and not exists (select 1 from ledger r where r.reverses_id = l.id)
        order by l.id desc";
    connection.list(sql, params![student_id])
}

from_row!(FeeEntry {
    id, kind, amount = "cents", due_on, at = "created_at", enrollment_id, course_code = "code",
    course_name = "name",
});

/// The first day on which something is due of what is still owed: what was paid or waived for an enrollment covers its
/// earliest charges.
pub fn next_due_on(entries: &[FeeEntry]) -> Option<Date> {
    let is_owed = |charge: &&FeeEntry| {
        let cents = |is_counted: &dyn Fn(&FeeEntry) -> bool| -> i64 {
            let same = entries.iter().filter(|entry| entry.enrollment_id == charge.enrollment_id);
            same.filter(|entry| is_counted(entry)).map(|entry| entry.amount.cents()).sum()
        };
        let is_later = |entry: &FeeEntry| (entry.due_on, entry.id) > (charge.due_on, charge.id);
        cents(&|_| true) > cents(&|entry| entry.kind == EntryKind::Charge && is_later(entry))
    };
    let charges = entries.iter().filter(|entry| entry.kind == EntryKind::Charge);
    charges.filter(is_owed).filter_map(|charge| charge.due_on).min()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn the_next_due_date_is_that_of_the_earliest_charge_which_is_not_covered() {
        use EntryKind::{Charge, Payment, Refund, Waiver};
        let (december, january) = (Some(date(2026, 12, 5)), Some(date(2027, 1, 5)));
        type Case<'a> = (&'a [(EntryKind, i64, i64, Option<Date>)], Option<Date>);
        let table: [Case<'_>; 8] = [
            (&[], None),
            (&[(Charge, 1, 500, january), (Charge, 2, 100, december)], december),
            (&[(Charge, 1, 500, january), (Charge, 2, 100, december), (Payment, 2, -100, None)], january),
            (&[(Charge, 1, 500, january), (Charge, 1, 100, december), (Waiver, 1, -100, None)], january),
            (&[(Charge, 1, 500, january), (Charge, 1, 100, december), (Payment, 1, -99, None)], december),
            (&[(Charge, 1, 500, january), (Payment, 1, -500, None), (Refund, 1, 200, None)], january),
            (&[(Charge, 1, 500, january), (Payment, 1, -900, None), (Charge, 2, 10, None)], None),
            (&[(Charge, 1, 500, january), (Payment, 2, -500, None)], january),
        ];
        for (rows, expected) in table {
            let entry =
                |(id, (kind, enrollment_id, cents, due_on)): (i64, &(EntryKind, i64, i64, Option<Date>))| {
                    FeeEntry {
                        id,
                        kind: *kind,
                        amount: Money::from_cents(*cents),
                        due_on: *due_on,
                        at: Timestamp::UNIX_EPOCH,
                        enrollment_id: *enrollment_id,
                        course_code: "ENG4U".into(),
                        course_name: "English".into(),
                    }
                };
            let entries: Vec<_> = (1..).zip(rows).map(entry).collect();
            assert_eq!(next_due_on(&entries), expected, "{rows:?}");
        }
    }
}
