//! The fee of a place: a deposit and the rest, each a charge with its own day, as the offer promised them.

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::ChargedFor;
use crate::base::error::Result;
use crate::base::money::Money;
use crate::storage::statements::{Statements, from_row, params};

/// A part of the fee of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeePart {
    /// The deposit, or the fee or what the deposit leaves of it.
    pub item: ChargedFor,
    /// Dollars.
    #[schema(value_type = f64)]
    pub amount: Money,
    /// Due date; null: the day of the acceptance for a deposit, some days after it for a fee.
    #[schema(required)]
    pub due_on: Option<Date>,
}

from_row!(FeePart { item, amount = "amount_cents", due_on });

impl FeePart {
    /// What it is, where it is not the whole fee.
    pub fn name(self) -> &'static str {
        match self.item {
            ChargedFor::Deposit => "Deposit",
            ChargedFor::Admission => "Rest of the fee",
            ChargedFor::Course | ChargedFor::Material | ChargedFor::Late | ChargedFor::Other => "Charge",
        }
    }
}

/// Posts the fee of an admission, which the family accepted, part by part.
pub fn charge_admission(
    connection: &Connection,
    admission_id: i64,
    parts: &[FeePart],
    now: Timestamp,
) -> Result<()> {
    let sql = "insert into ledger (kind, amount_cents, admission_id, due_on, item, description, created_at)
        values ('charge', :amount, :admission_id, :due_on, :item, :description, :now)";
    for part in parts {
        let FeePart { item, amount, due_on } = part;
        let is_whole_fee = parts.len() == 1 && *item == ChargedFor::Admission;
        let description = (!is_whole_fee).then(|| part.name());
        let due_on = due_on.map(|day| day.to_string());
        let now = now.as_second();
        connection.run(sql, params![amount, admission_id, due_on, item, description, now])?;
    }
    Ok(())
}

/// The charges of an admission that count, the earliest day first.
pub fn parts_of_admission(connection: &Connection, admission_id: i64) -> Result<Vec<FeePart>> {
    let sql = "select coalesce(l.item, 'admission') as item, l.amount_cents, l.due_on from ledger l
        where l.admission_id = :admission_id and l.kind = 'charge'
            and not exists (select 1 from ledger r where r.reverses_id = l.id) order by l.due_on, l.id";
    connection.list(sql, params![admission_id])
}
