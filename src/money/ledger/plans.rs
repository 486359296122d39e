//! The table `instalments`: in how many parts an enrollment is paid. A new plan ends the one before.

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan as _};
use rusqlite::Connection;

use crate::base::error::Result;
use crate::base::money::Money;
use crate::storage::statements::{Statements, params};

/// The most parts of a plan.
pub const MOST: i64 = 24;

/// A part of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlannedPart {
    /// By when it is paid.
    pub due_on: Date,
    /// How much.
    pub amount: Money,
}

/// A fee in equal monthly parts, rounded down to the cent; the last takes the rest.
pub fn monthly(total: Money, count: i64, first: Date) -> Vec<PlannedPart> {
    let each = total.cents() / count.max(1);
    let part = |n: i64| {
        let cents = if n == count - 1 { total.cents() - each * n } else { each };
        PlannedPart { due_on: first.saturating_add(n.months()), amount: Money::from_cents(cents) }
    };
    (0..count).map(part).collect()
}

/// Ends the plan of an enrollment, and makes another; an empty one leaves none.
pub fn replace(
    connection: &Connection,
    enrollment_id: i64,
    parts: &[PlannedPart],
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    let now = now.as_second();
    let sql =
        "update instalments set ended_at = :now where enrollment_id = :enrollment_id and ended_at is null";
    connection.run(sql, params![enrollment_id, now])?;
    let sql = "insert into instalments (enrollment_id, n, due_on, amount_cents, after_ledger_id, created_by, created_at)
        values (:enrollment_id, :n, :due_on, :amount, (select max(id) from ledger), :user_id, :now)";
    for (n, PlannedPart { due_on, amount }) in (1_i64..).zip(parts) {
        let due_on = due_on.to_string();
        connection.run(sql, params![enrollment_id, n, due_on, amount, user_id, now])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn the_last_part_takes_the_rest_and_a_short_month_its_last_day() {
        let parts = monthly(Money::from_cents(10_000), 3, date(2027, 1, 31));
        let parts: Vec<_> = parts.into_iter().map(|part| (part.due_on, part.amount.cents())).collect();
        assert_eq!(parts, [(date(2027, 1, 31), 3333), (date(2027, 2, 28), 3333), (date(2027, 3, 31), 3334)]);
    }
}
