//! The deposits that accepted offers asked for: a part of the fee of an admission, with what of it was received.

use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::admitted::of_request;
use crate::base::error::Result;
use crate::base::money::Money;
use crate::storage::statements::{Statements, params};

/// A deposit on the fee of an admission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deposit {
    /// The admission.
    pub admission_id: i64,
    /// Dollars, at most what is charged of the fee.
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

/// The deposits of a student's admissions, the newest first; none of an admission whose fee was taken back.
///
/// # Errors
/// Database errors.
pub fn of_student(connection: &Connection, student_id: i64) -> Result<Vec<Deposit>> {
    let sql = "select q.id, o.deposit_cents, o.deposit_due_on
        from admission_requests q cross join admissions a on a.request_id = q.id
            cross join admission_offers o on o.id = a.offer_id
        where q.student_id = :student_id and o.deposit_cents is not null order by a.id desc";
    let asked: Vec<(i64, Money, Option<Date>)> = connection.list(sql, params![student_id])?;
    let mut deposits = Vec::new();
    for (request_id, asked, due_on) in asked {
        let Some(admission) = of_request(connection, request_id)? else { continue };
        let amount = asked.min(admission.fee_due);
        let received = amount.min(admission.fee_paid);
        let due = Money::from_cents(amount.cents() - received.cents());
        if amount.cents() > 0 {
            deposits.push(Deposit { admission_id: admission.id, amount, due_on, received, due });
        }
    }
    Ok(deposits)
}
