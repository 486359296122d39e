//! The ledger: what is owed and what was paid, in cents, row by row.
//!
//! A row is never edited or deleted. Absent until its own issue: payments, waivers and refunds by
//! the office.

use std::fmt::Write;

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan as _};
use rusqlite::{Connection, named_params};
use serde::{Deserialize, Serialize};

use crate::base::error::Result;
use crate::base::money::Money;

/// `[money]` in the configuration.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Days for which the price of the request holds.
    pub quote_days: u32,
    /// Days after the approval in which the fee is due.
    pub due_days: u32,
    /// How the school is paid, in a sentence for families.
    pub how_to_pay: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            quote_days: 30,
            due_days: 14,
            how_to_pay: "Please ask the office how to pay before you send any money.".into(),
        }
    }
}

impl Settings {
    /// The day by which what is charged today has to be paid.
    pub fn due_on(&self, today: Date) -> Date {
        today.saturating_add(i64::from(self.due_days).days())
    }

    /// Adds a line to `wrong` for each value that breaks a rule.
    pub fn check(&self, wrong: &mut String) {
        for (key, value) in [("quote_days", self.quote_days), ("due_days", self.due_days)] {
            if value > 366 {
                let _ = writeln!(wrong, "money.{key}: must be 0 to 366 (found {value})");
            }
        }
        if self.how_to_pay.trim().is_empty() {
            let _ = writeln!(wrong, "money.how_to_pay: must not be empty");
        }
    }
}

/// Posts the price of an enrollment; a price of nothing posts nothing.
///
/// # Errors
/// When the database refuses.
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
             values ('charge', :price, :enrollment_id, :due_on, :user_id, :now)",
        )?
        .execute(named_params! {
            ":price": price, ":enrollment_id": enrollment_id, ":due_on": due_on.to_string(),
            ":user_id": user_id, ":now": now.as_second(),
        })?;
    Ok(())
}

/// What is owed on enrollments: the sum, over each of them, of charges less waivers and payments
/// plus refunds, and never less than zero for one. Only an approved enrollment has a charge, and
/// leaving the course does not forgive it: the office waives or reverses it.
///
/// # Errors
/// When the database refuses.
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
