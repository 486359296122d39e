//! What every student owes at the end of a day. A report of a past day never changes: entries and payments count from
//! the day on which they were posted.

use std::collections::BTreeMap;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::reminders;
use crate::base::error::Result;
use crate::base::money::Money;
use crate::fees::aging::{Aging, AgingDay, Due, overdue_since};
use crate::fees::{self, FeeItem};
use crate::storage::statements::{Statements, from_row, params};
use crate::web::sheet::sheet_row;

/// What a student owes at the end of a day.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BalanceRow {
    /// Number of the account.
    pub student_id: i64,
    /// The student's number.
    #[schema(required)]
    pub student_number: Option<String>,
    /// The student's name.
    pub student_name: String,
    /// The student's address.
    pub email: String,
    /// Dollars owed on enrollments.
    #[schema(value_type = f64)]
    pub due: Money,
    /// Dollars paid or waived beyond what was charged for an item.
    #[schema(value_type = f64)]
    pub credit: Money,
    /// Dollars on account.
    #[schema(value_type = f64)]
    pub unapplied: Money,
    /// Dollars owed on all items less what is on account.
    #[schema(value_type = f64)]
    pub balance: Money,
    /// Dollars that are late.
    #[schema(value_type = f64)]
    pub overdue: Money,
    /// The earliest day on which something was due that is not paid.
    #[schema(required)]
    pub overdue_since: Option<Date>,
    /// What is due, by how long it has been.
    pub aging: Aging,
    /// When money last came.
    #[schema(required)]
    pub last_payment_on: Option<Date>,
    /// When the family was last reminded.
    #[schema(required)]
    pub last_reminder_on: Option<Date>,
    /// Owed on admissions.
    #[serde(skip)]
    pub admission_due: Money,
}

sheet_row! { BalanceRow, "balances", |row|
    "Number": row.student_number,
    "Student": row.student_name,
    "Email": row.email,
    "Due": row.due,
    "Overdue": row.overdue,
    "Credit": row.credit,
    "On account": row.unapplied,
    "Balance": row.balance,
    "Overdue since": row.overdue_since,
    "Last payment": row.last_payment_on,
    "Last reminder": row.last_reminder_on,
}

/// A day, and when it ends at the school.
pub struct ReportDay {
    /// The day.
    pub day: AgingDay,
    /// The instant at which it ends, in seconds.
    pub before: i64,
}

impl ReportDay {
    /// The end of a day at the school.
    pub fn new(on: Date, zone: TimeZone) -> Self {
        let day = AgingDay { on, zone };
        Self { before: day.end(), day }
    }
}

/// A payment that stood then.
struct PaymentThen {
    student_id: i64,
    /// What of it was on account; `None` if it was reversed.
    unapplied: Option<i64>,
    received_on: Date,
}

from_row!(PaymentThen { student_id, unapplied, received_on });

/// All students who had a charge or a payment by then.
pub fn read(connection: &Connection, report: &ReportDay) -> Result<Vec<BalanceRow>> {
    let mut rows: BTreeMap<i64, (BalanceRow, Vec<Due>)> = BTreeMap::new();
    for item in fees::all_before(connection, report.before)? {
        let Some(student_id) = item.student_id else { continue };
        let (row, rests) = rows.entry(student_id).or_default();
        let (due, credit) = (item.sums.balance.max(0), (-item.sums.balance).max(0));
        row.credit = plus(row.credit, credit);
        row.balance = plus(row.balance, item.sums.balance);
        match item.item {
            FeeItem::Enrollment(_) => {
                row.due = plus(row.due, due);
                item.rests.iter().for_each(|rest| row.aging.add(rest, &report.day));
                rests.extend(item.rests);
            }
            FeeItem::Admission(_) => row.admission_due = plus(row.admission_due, due),
        }
    }
    for payment in payments(connection, report.before)? {
        let (row, _) = rows.entry(payment.student_id).or_default();
        if let Some(unapplied) = payment.unapplied {
            row.unapplied = plus(row.unapplied, unapplied);
            row.balance = plus(row.balance, -unapplied);
            row.last_payment_on = row.last_payment_on.max(Some(payment.received_on));
        }
    }
    let mut reminded = reminders::store::last_sent(connection, report.before, &report.day.zone)?;
    let sql = "select id, student_number, coalesce(full_name, 'Student #' || id), email from students";
    let names: Vec<(i64, Option<String>, String, String)> = connection.list(sql, [])?;
    let mut named = Vec::with_capacity(rows.len());
    for (id, number, name, email) in names {
        if let Some((row, rests)) = rows.remove(&id) {
            let overdue = row.aging.overdue();
            let overdue_since = overdue_since(&rests, &report.day);
            let (student_id, student_number, student_name) = (id, number, name);
            named.push(BalanceRow {
                student_id,
                student_number,
                student_name,
                email,
                overdue,
                overdue_since,
                last_reminder_on: reminded.remove(&id),
                ..row
            });
        }
    }
    Ok(named)
}

fn plus(sum: Money, cents: i64) -> Money {
    Money::from_cents(sum.cents() + cents)
}

fn payments(connection: &Connection, before: i64) -> Result<Vec<PaymentThen>> {
    let sql = "select coalesce(s.merged_into, s.id, q.student_id) as student_id, p.received_on, iif(
            exists (select 1 from payments r where r.reverses_id = p.id and r.created_at < :before),
            null,
            p.amount_cents - coalesce((
                select sum(part.amount_cents) from ledger part
                where part.payment_id = p.id and part.created_at < :before
                    and not exists (select 1 from ledger u where u.reverses_id = part.id and u.created_at < :before)
            ), 0) - coalesce((
                select sum(o.amount_cents) from payouts o
                where o.payment_id = p.id and o.reverses_id is null and o.created_at < :before
                    and not exists (select 1 from payouts u where u.reverses_id = o.id and u.created_at < :before)
            ), 0)) as unapplied
        from payments p not indexed left join students s on s.id = p.student_id
            left join admission_requests q on q.id = p.request_id
        where p.reverses_id is null and p.created_at < :before
            and (p.student_id is not null or q.student_id is not null)";
    connection.list(sql, params![before])
}

/// What was received in the month of a day, without what was reversed.
pub fn received_in_month(connection: &Connection, on: Date) -> Result<Money> {
    let sql = "select coalesce(sum(amount_cents), 0) from payments p indexed by payments_received
        where received_on between :first and :last and reverses_id is null
            and not exists (select 1 from payments r where r.reverses_id = p.id)";
    let (first, last) = (on.first_of_month().to_string(), on.last_of_month().to_string());
    connection.one(sql, params![first, last])
}
