//! The entries of a student or an applicant, as the portal lists them: what counts, without what was reversed.

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::{EntryKind, Payer};
use crate::base::error::Result;
use crate::base::money::Money;
use crate::storage::statements::{Statements, from_row, params};

/// A row of the ledger that counts: neither reversed nor a reversal.
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
    /// What it is for, or why, if that was said.
    #[schema(required)]
    pub description: Option<String>,
    /// Due date of a charge.
    #[schema(required)]
    pub due_on: Option<Date>,
    /// When it was posted.
    pub at: Timestamp,
    /// Number of the enrollment, if it stands on one.
    #[schema(required)]
    pub enrollment_id: Option<i64>,
    /// Number of the admission, if it stands on one.
    #[schema(required)]
    pub admission_id: Option<i64>,
    /// The course's code; null for an admission.
    #[schema(required)]
    pub course_code: Option<String>,
    /// The course's name; null for an admission.
    #[schema(required)]
    pub course_name: Option<String>,
}

from_row!(FeeEntry {
    id, kind, amount = "cents", description, due_on, at = "created_at", enrollment_id, admission_id,
    course_code = "code", course_name = "name",
});

/// What counts of a student, the newest first; together it is what the items come to.
pub fn live(connection: &Connection, student_id: i64) -> Result<Vec<FeeEntry>> {
    const COLUMNS: &str =
        "l.id as id, l.kind, l.amount_cents * iif(l.kind in ('charge', 'refund'), 1, -1) as cents, l.description,
        l.due_on, l.created_at, l.enrollment_id, l.admission_id";
    const IS_LIVE: &str =
        "l.kind <> 'reversal' and not exists (select 1 from ledger r where r.reverses_id = l.id)";
    let sql = format!(
        "select {COLUMNS}, c.code, c.name
         from enrollments e cross join ledger l on l.enrollment_id = e.id cross join courses c on c.id = e.course_id
         where e.student_id = :student_id and {IS_LIVE}
         union all
         select {COLUMNS}, null, null
         from admission_requests q cross join admissions a on a.request_id = q.id
             cross join ledger l on l.admission_id = a.id
         where q.student_id = :student_id and {IS_LIVE} order by id desc"
    );
    connection.list(&sql, params![student_id])
}

/// A row of the ledger as the office reads it, reversed or not.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerEntry {
    /// Number of the row.
    pub id: i64,
    /// When it was posted.
    pub at: Timestamp,
    /// What it is; the kind says whether it adds to what is owed or takes from it.
    pub kind: EntryKind,
    /// Dollars, never less than zero.
    #[schema(value_type = f64)]
    pub amount: Money,
    /// Number of the enrollment, if it stands on one.
    #[schema(required)]
    pub enrollment_id: Option<i64>,
    /// Number of the admission, if it stands on one.
    #[schema(required)]
    pub admission_id: Option<i64>,
    /// The course or the admission, in words.
    #[serde(rename = "for")]
    pub label: String,
    /// What it is for, or why.
    #[schema(required)]
    pub description: Option<String>,
    /// Due date of a charge.
    #[schema(required)]
    pub due_on: Option<Date>,
    /// Username of the staff member who posted it; null for the program.
    #[schema(required)]
    pub by: Option<String>,
    /// Number of the row that it takes back.
    #[schema(required)]
    pub reverses_id: Option<i64>,
    /// Number of the row that took it back.
    #[schema(required)]
    pub reversed_by: Option<i64>,
    /// Number of the payment that it is a part of.
    #[schema(required)]
    pub payment_id: Option<i64>,
    /// The receipt of that payment.
    #[schema(required)]
    pub receipt_number: Option<String>,
    /// Dollars owed on all items after it; what lies on account is not in it.
    #[schema(value_type = f64)]
    pub running: Money,
}

from_row!(LedgerEntry {
    id, at = "created_at", kind, amount = "amount_cents", enrollment_id, admission_id, label, description, due_on,
    by = "username", reverses_id, reversed_by, payment_id, receipt_number = "number", running,
});

/// Every row of a payer, the newest first.
pub fn all(connection: &Connection, payer: Payer) -> Result<Vec<LedgerEntry>> {
    const REST: &str =
        "cross join entries x on x.id = l.id left join ledger undone on undone.id = l.reverses_id
        left join ledger undo on undo.reverses_id = l.id left join users u on u.id = l.created_by
        left join receipts t on t.payment_id = coalesce(l.payment_id, undone.payment_id)";
    let columns = |label: &str| {
        format!(
            "l.id as id, l.created_at, l.kind, l.amount_cents, l.enrollment_id, l.admission_id, {label} as label,
             l.description, l.due_on, u.username, l.reverses_id, undo.id as reversed_by,
             coalesce(l.payment_id, undone.payment_id) as payment_id, t.number,
             iif(x.kind in ('charge', 'refund'), x.cents, -x.cents) as owed"
        )
    };
    let of_admissions = format!(
        "select {} from admission_requests q cross join admissions a on a.request_id = q.id
             cross join ledger l on l.admission_id = a.id {REST}",
        columns("'Admission fee'")
    );
    let (rows, id) = match payer {
        Payer::Student(id) => {
            let of_enrollments = format!(
                "select {} from enrollments e cross join courses c on c.id = e.course_id
                     cross join ledger l on l.enrollment_id = e.id {REST} where e.student_id = :id",
                columns("c.code || ' · ' || c.name")
            );
            (format!("{of_enrollments} union all {of_admissions} where q.student_id = :id"), id)
        }
        Payer::Request(id) => (format!("{of_admissions} where q.id = :id"), id),
    };
    let sql = format!(
        "select *, sum(owed) over (order by id rows unbounded preceding) as running from ({rows}) order by id desc"
    );
    connection.list(&sql, params![id])
}

/// One row of a payer.
pub fn one(connection: &Connection, payer: Payer, id: i64) -> Result<Option<LedgerEntry>> {
    Ok(all(connection, payer)?.into_iter().find(|entry| entry.id == id))
}
