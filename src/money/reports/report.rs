//! What every student owes at the end of a day. A report of a past day never changes: entries and payments count from
//! the day on which they were posted.

use std::collections::{BTreeMap, HashMap};

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use crate::base::error::Result;
use crate::base::money::Money;
use crate::money::ledger::aging::{Aging, AgingDay, overdue_since};
use crate::money::ledger::holds::{self, Hold};
use crate::money::ledger::{self, FeeItem, ItemDue, kept, uncovered};
use crate::storage::columns::Columns;
use crate::storage::statements::{FromRow, Statements, from_row, params};
use crate::web::pagination::{List, Listed, PageRequest};
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
    /// Dollars owed on admissions.
    #[schema(value_type = f64)]
    pub admission_due: Money,
    /// Both.
    #[schema(value_type = f64)]
    pub total_due: Money,
    /// Dollars of it that money on account covers.
    #[schema(value_type = f64)]
    pub covered: Money,
    /// Dollars paid or waived beyond what was charged for an item.
    #[schema(value_type = f64)]
    pub credit: Money,
    /// Dollars on account.
    #[schema(value_type = f64)]
    pub unapplied: Money,
    /// Dollars of it that are not set aside.
    #[serde(skip)]
    pub free: Money,
    /// What is set aside of it.
    #[schema(required)]
    pub hold: Option<Hold>,
    /// Dollars owed on all items less what is on account.
    #[schema(value_type = f64)]
    pub balance: Money,
    /// Dollars that are late and not covered.
    #[schema(value_type = f64)]
    pub overdue: Money,
    /// The earliest day on which something of it was due.
    #[schema(required)]
    pub overdue_since: Option<Date>,
    /// What is due and not covered, by how long it has been.
    pub aging: Aging,
    /// When money last came.
    #[schema(required)]
    pub last_payment_on: Option<Date>,
    /// When the family was last reminded.
    #[schema(required)]
    pub last_reminder_on: Option<Date>,
}

sheet_row! { BalanceRow, "balances", |row|
    "Number": row.student_number,
    "Student": row.student_name,
    "Email": row.email,
    "Courses": row.due,
    "Admission": row.admission_due,
    "Total due": row.total_due,
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
struct PastPayment {
    student_id: i64,
    /// What of it was on account; `None` if it was reversed.
    unapplied: Option<i64>,
    received_on: Date,
}

from_row!(PastPayment { student_id, unapplied, received_on });

/// A row of what is kept.
struct KeptRow {
    row: BalanceRow,
    rests: String,
    reminded_at: Option<Timestamp>,
}

impl FromRow for KeptRow {
    fn read(row: &Columns<'_, '_>) -> rusqlite::Result<Self> {
        let balance_row = BalanceRow {
            student_id: row.read("student_id")?,
            due: row.read("due_cents")?,
            credit: row.read("credit_cents")?,
            unapplied: row.read("unapplied_cents")?,
            covered: row.read("covered_cents")?,
            free: row.read("free_cents")?,
            hold: if row.read::<Option<i64>>("amount_cents")?.is_some() {
                Some(Hold::read(row)?)
            } else {
                None
            },
            balance: row.read("balance_cents")?,
            admission_due: row.read("admission_due_cents")?,
            last_payment_on: row.read("last_payment_on")?,
            student_number: row.read("student_number")?,
            student_name: row.read("student_name")?,
            email: row.read("email")?,
            ..BalanceRow::default()
        };
        Ok(Self { rests: row.read("rests")?, reminded_at: row.read("reminded_at")?, row: balance_row })
    }
}

impl KeptRow {
    fn at(self, report: &ReportDay) -> Result<BalanceRow> {
        let rests = kept::rests(&self.rests)?;
        let mut row = self.row;
        for rest in &rests {
            row.aging.add(rest, &report.day);
        }
        row.total_due = plus(row.due, row.admission_due.cents());
        row.overdue = row.aging.overdue();
        row.overdue_since = overdue_since(&rests, &report.day);
        row.last_reminder_on = self.reminded_at.map(|at| at.to_zoned(report.day.zone.clone()).date());
        Ok(row)
    }
}

/// A page of all students who had a charge or a payment by then, or of those who are looked for, by name.
pub fn page(
    connection: &Connection,
    report: &ReportDay,
    page: &PageRequest,
    direction: &str,
) -> Result<Listed<BalanceRow>> {
    let rows = format!(
        "select b.student_id, b.due_cents, b.credit_cents, b.unapplied_cents, b.balance_cents, b.admission_due_cents, b.last_payment_on,
             b.covered_cents, b.free_cents, h.amount_cents, h.held_for, h.until_on, s.student_number, coalesce(s.full_name, 'Student #' || s.id) as student_name, s.email, b.rests,
             (select max(r.sent_at) from reminders r where r.sent_at < :before and r.student_id in (
                 select b.student_id union all select m.id from students m where m.merged_into = b.student_id))
             as reminded_at
         from student_balances b indexed by student_balances_name cross join students s on s.id = b.student_id
             left join account_holds h on h.ended_at is null and b.unapplied_cents > 0 and h.id = (
                 select max(k.id) from account_holds k where k.ended_at is null and k.student_id in (
                     select b.student_id union all select m.id from students m where m.merged_into = b.student_id))
         where matches_terms(concat_ws(' ', student_name, s.student_number, s.email), :words)
         order by b.name {direction}, b.student_id {direction} limit :limit offset :offset"
    );
    let count = "select count(*) from student_balances".to_owned();
    let Listed { rows, total } =
        page.read::<KeptRow>(connection, &List { rows, count, filter: &[(":before", &report.before)] })?;
    let rows = rows.into_iter().map(|row| row.at(report)).collect::<Result<_>>()?;
    Ok(Listed { rows, total })
}

/// All students who had a charge or a payment by then.
pub fn read(connection: &Connection, report: &ReportDay) -> Result<Vec<BalanceRow>> {
    if kept::is_as_before(connection, report.before)? {
        Ok(page(connection, report, &PageRequest::default(), "asc")?.rows)
    } else {
        compute(connection, report)
    }
}

/// The sums of all rows.
pub fn total(connection: &Connection, report: &ReportDay) -> Result<BalanceRow> {
    let mut sum = BalanceRow::default();
    if kept::is_as_before(connection, report.before)? {
        let sql = "select due_cents, credit_cents, unapplied_cents, admission_due_cents, covered_cents from balance_totals";
        (sum.due, sum.credit, sum.unapplied, sum.admission_due, sum.covered) = connection.one(sql, [])?;
        kept::all_rests(connection)?.iter().for_each(|rest| sum.aging.add(rest, &report.day));
    } else {
        for row in compute(connection, report)? {
            sum.due = plus(sum.due, row.due.cents());
            sum.credit = plus(sum.credit, row.credit.cents());
            sum.unapplied = plus(sum.unapplied, row.unapplied.cents());
            sum.admission_due = plus(sum.admission_due, row.admission_due.cents());
            sum.covered = plus(sum.covered, row.covered.cents());
            sum.aging.include(&row.aging);
        }
    }
    let total_due = plus(sum.due, sum.admission_due.cents());
    Ok(BalanceRow { total_due, overdue: sum.aging.overdue(), ..sum })
}

/// The same rows from the ledger: of a past day there is nothing kept.
pub fn compute(connection: &Connection, report: &ReportDay) -> Result<Vec<BalanceRow>> {
    let mut rows: BTreeMap<i64, (BalanceRow, Vec<ItemDue>)> = BTreeMap::new();
    for item in ledger::all_before(connection, report.before)? {
        let Some(student_id) = item.student_id else { continue };
        let (row, rests) = rows.entry(student_id).or_default();
        let due = item.sums.balance.max(0);
        let credit = (-item.sums.balance).max(0);
        row.credit = plus(row.credit, credit);
        row.balance = plus(row.balance, item.sums.balance);
        match item.item {
            FeeItem::Enrollment(_) => row.due = plus(row.due, due),
            FeeItem::Admission(_) => row.admission_due = plus(row.admission_due, due),
        }
        rests.extend(item.open());
    }
    for payment in payments(connection, report.before)? {
        let (row, _) = rows.entry(payment.student_id).or_default();
        if let Some(unapplied) = payment.unapplied {
            row.unapplied = plus(row.unapplied, unapplied);
            row.balance = plus(row.balance, -unapplied);
            row.last_payment_on = row.last_payment_on.max(Some(payment.received_on));
        }
    }
    let mut reminded = last_reminded(connection, report.before, &report.day.zone)?;
    let sql = "select id, student_number, coalesce(full_name, 'Student #' || id), email from students";
    let names: Vec<(i64, Option<String>, String, String)> = connection.list(sql, [])?;
    let mut named = Vec::with_capacity(rows.len());
    for (id, number, name, email) in names {
        if let Some((mut row, rests)) = rows.remove(&id) {
            if row.unapplied.cents() > 0 {
                row.hold = holds::before(connection, id, report.before)?;
            }
            row.free = Money::from_cents(Hold::free_of(row.hold.as_ref(), row.unapplied.cents()));
            let left = uncovered(rests, row.free.cents());
            for rest in &left {
                row.aging.add(rest, &report.day);
            }
            row.total_due = plus(row.due, row.admission_due.cents());
            row.covered = plus(row.total_due, -left.iter().map(|rest| rest.cents).sum::<i64>());
            let overdue = row.aging.overdue();
            let overdue_since = overdue_since(&left, &report.day);
            let student_id = id;
            let student_number = number;
            let student_name = name;
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

fn payments(connection: &Connection, before: i64) -> Result<Vec<PastPayment>> {
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
    let sql = "select cents from received_months where month = :month";
    let month = on.strftime("%Y-%m").to_string();
    Ok(connection.find(sql, params![month])?.unwrap_or_default())
}

/// When each family was last reminded, before an instant.
fn last_reminded(connection: &Connection, before: i64, zone: &TimeZone) -> Result<HashMap<i64, Date>> {
    let sql = "select coalesce(s.merged_into, s.id), max(r.sent_at)
        from reminders r indexed by reminders_sent cross join students s on s.id = r.student_id
        where r.sent_at is not null and r.sent_at < :before group by 1";
    let rows: Vec<(i64, Timestamp)> = connection.list(sql, params![before])?;
    Ok(rows.into_iter().map(|(id, at)| (id, at.to_zoned(zone.clone()).date())).collect())
}
