//! What each enrollment and each admission comes to, read from the view `balances`, and what is still open of it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::Payer;
use super::aging::{Due, Schedule, Sums};
use crate::base::error::{Error, Result};
use crate::base::money::Money;
use crate::storage::columns::Columns;
use crate::storage::statements::{FromRow, Statements, from_row, params};

/// What an entry is posted on; enrollments come before admissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FeeItem {
    /// An enrollment, by id.
    Enrollment(i64),
    /// An admission, by id.
    Admission(i64),
}

impl FeeItem {
    /// Ids of the enrollment and of the admission, one of them set.
    pub fn ids(self) -> (Option<i64>, Option<i64>) {
        match self {
            Self::Enrollment(id) => (Some(id), None),
            Self::Admission(id) => (None, Some(id)),
        }
    }
}

impl FromRow for FeeItem {
    /// A row of money has one of the two.
    fn read(row: &Columns<'_, '_>) -> rusqlite::Result<Self> {
        let enrollment: Option<i64> = row.read("enrollment_id")?;
        match enrollment {
            Some(id) => Ok(Self::Enrollment(id)),
            None => Ok(Self::Admission(row.read("admission_id")?)),
        }
    }
}

/// A part of an item that is neither paid nor waived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenCharge {
    /// What it is for.
    pub item: FeeItem,
    /// When it is due.
    pub due_on: Option<Date>,
    /// How much of it is left.
    pub amount: Money,
}

/// A part of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Instalment {
    /// The how manieth.
    pub n: i64,
    /// Due date.
    #[schema(required)]
    pub due_on: Option<Date>,
    /// Dollars.
    #[schema(value_type = f64)]
    pub amount: Money,
}

/// What one enrollment or admission comes to, without what was reversed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemFees {
    /// Number of the enrollment, if it is one.
    #[schema(required)]
    pub enrollment_id: Option<i64>,
    /// Number of the admission, if it is one.
    #[schema(required)]
    pub admission_id: Option<i64>,
    /// What it is, in words.
    #[serde(rename = "for")]
    pub label: String,
    /// What the course cost on the day of the request; null for an admission or without a price.
    #[schema(value_type = f64, required, nullable)]
    pub quoted: Option<Money>,
    /// Charged in all.
    #[schema(value_type = f64)]
    pub charged: Money,
    /// Need not be paid.
    #[schema(value_type = f64)]
    pub waived: Money,
    /// Paid.
    #[schema(value_type = f64)]
    pub paid: Money,
    /// Paid back.
    #[schema(value_type = f64)]
    pub refunded: Money,
    /// Balance owing.
    #[schema(value_type = f64)]
    pub due: Money,
    /// Paid or waived beyond what was charged.
    #[schema(value_type = f64)]
    pub credit: Money,
    /// The first day on which something of it is due.
    #[schema(required)]
    pub due_on: Option<Date>,
    /// In how many parts it is paid; empty if at once.
    pub instalments: Vec<Instalment>,
    /// What is still to be paid, by when, the earliest first.
    pub open: Vec<OpenPart>,
}

/// What is left of a charge or of a part of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenPart {
    /// Due date.
    #[schema(required)]
    pub due_on: Option<Date>,
    /// Dollars.
    #[schema(value_type = f64)]
    pub amount: Money,
}

impl ItemFees {
    /// What it is.
    pub fn item(&self) -> FeeItem {
        match (self.enrollment_id, self.admission_id) {
            (Some(id), _) => FeeItem::Enrollment(id),
            (None, id) => FeeItem::Admission(id.unwrap_or_default()),
        }
    }
}

/// A row of `balances`.
#[derive(Debug)]
struct Row {
    item: FeeItem,
    sums: Sums,
    due: Money,
    credit: Money,
    first_id: i64,
    label: String,
    quoted: Option<Money>,
}

from_row!(Row { due, credit, first_id, label, quoted } and item, sums);

/// A part of an item that is due: a row of `dues`.
#[derive(Debug)]
pub struct ItemDue {
    /// Of what.
    pub item: FeeItem,
    /// The part.
    pub due: Due,
}

impl FromRow for ItemDue {
    fn read(row: &Columns<'_, '_>) -> rusqlite::Result<Self> {
        Ok(Self { item: FeeItem::read(row)?, due: Due::read(row)? })
    }
}

from_row!(Due { ledger_id, n, due_on, posted_at = "created_at", cents = "amount_cents" });

/// The items of a student or applicant.
#[derive(Debug, Default)]
pub struct Fees {
    /// The newest first, each with its parts.
    items: Vec<(Row, Schedule)>,
}

impl Fees {
    /// Reads them.
    pub fn read(connection: &Connection, payer: Payer) -> Result<Self> {
        let (rows, dues): (Vec<Row>, Vec<ItemDue>) = match payer {
            Payer::Student(id) => (
                connection.list(
                    "select b.*, coalesce(c.code || ' · ' || c.name, 'Admission fee') as label,
                         e.quoted_price_cents as quoted
                     from balances b left join enrollments e on e.id = b.enrollment_id
                         left join courses c on c.id = e.course_id where b.student_id = :id",
                    params![id],
                )?,
                connection
                    .list("select * from dues where student_id = :id and ended_at is null", params![id])?,
            ),
            Payer::Request(id) => (
                connection.list(
                    "select *, null as enrollment_id, max(0, balance) as due, max(0, -balance) as credit,
                         'Admission fee' as label, null as quoted
                     from admission_balances where request_id = :id",
                    params![id],
                )?,
                connection.list(
                    "select null as enrollment_id, l.admission_id, l.id as ledger_id, null as n, l.due_on,
                         l.amount_cents, l.created_at
                     from admissions a cross join ledger l on l.admission_id = a.id
                     where a.request_id = :id and l.kind = 'charge'
                         and not exists (select 1 from ledger r where r.reverses_id = l.id)",
                    params![id],
                )?,
            ),
        };
        let mut by_item = group(dues);
        let mut items: Vec<_> = (rows.into_iter())
            .map(|row| {
                let dues = by_item.remove(&row.item).unwrap_or_default();
                let schedule = Schedule::new(dues, &row.sums);
                (row, schedule)
            })
            .collect();
        items.sort_by_key(|(row, _)| Reverse(row.first_id));
        Ok(Self { items })
    }

    /// What each item comes to, the newest first; those whose entries were all reversed, too.
    pub fn per_item(&self) -> Vec<ItemFees> {
        self.items.iter().map(|(row, schedule)| row.fees(schedule)).collect()
    }

    /// What one item comes to.
    pub fn of_item(&self, item: FeeItem) -> Option<ItemFees> {
        self.items.iter().find(|(row, _)| row.item == item).map(|(row, schedule)| row.fees(schedule))
    }

    /// The parts that are neither paid nor waived, in the order in which money is applied to them: those of enrollments
    /// before those of admissions, the oldest due date first.
    pub fn open(&self) -> Vec<OpenCharge> {
        let mut open = self.rests();
        sort_for_payment(&mut open);
        let charge = |ItemDue { item, due }: ItemDue| OpenCharge {
            item,
            due_on: due.due_on,
            amount: Money::from_cents(due.cents),
        };
        open.into_iter().map(charge).collect()
    }

    /// Cents owed on all items, less credits; negative if overpaid.
    pub fn owed(&self) -> i64 {
        self.items.iter().map(|(row, _)| row.due.cents() - row.credit.cents()).sum()
    }

    /// What is left of each part, of enrollments and admissions.
    pub fn rests(&self) -> Vec<ItemDue> {
        let of = |(row, schedule): &(Row, Schedule)| (row.item, schedule.rests());
        self.items
            .iter()
            .map(of)
            .flat_map(|(item, rests)| rests.into_iter().map(move |due| ItemDue { item, due }))
            .collect()
    }
}

/// In the order in which money is applied: the parts of enrollments before those of admissions, the oldest due date first.
fn sort_for_payment(rests: &mut [ItemDue]) {
    rests.sort_by_key(|ItemDue { item, due }| {
        let is_admission = matches!(item, FeeItem::Admission(_));
        (is_admission, due.due_on.is_some(), due.due_on, due.ledger_id, due.n)
    });
}

/// What money on account does not cover of what is owed. It covers parts in the order in which it would be applied.
pub fn uncovered(mut rests: Vec<ItemDue>, on_account: i64) -> Vec<Due> {
    sort_for_payment(&mut rests);
    let mut money = on_account;
    let left = rests.into_iter().filter_map(|ItemDue { due, .. }| {
        let covered = due.cents.min(money);
        money -= covered;
        (due.cents > covered).then(|| Due { cents: due.cents - covered, ..due })
    });
    left.collect()
}

fn group(dues: Vec<ItemDue>) -> BTreeMap<FeeItem, Vec<Due>> {
    let mut by_item = BTreeMap::<_, Vec<_>>::new();
    for ItemDue { item, due } in dues {
        by_item.entry(item).or_default().push(due);
    }
    by_item
}

impl Row {
    fn fees(&self, schedule: &Schedule) -> ItemFees {
        let (enrollment_id, admission_id) = self.item.ids();
        let rests = schedule.rests();
        let open = |rest: &Due| OpenPart { due_on: rest.due_on, amount: Money::from_cents(rest.cents) };
        let part = |(n, due): (i64, &Due)| Instalment {
            n,
            due_on: due.due_on,
            amount: Money::from_cents(due.cents),
        };
        ItemFees {
            enrollment_id,
            admission_id,
            label: self.label.clone(),
            quoted: self.quoted,
            charged: Money::from_cents(self.sums.charged),
            waived: Money::from_cents(self.sums.waived),
            paid: Money::from_cents(self.sums.paid),
            refunded: Money::from_cents(self.sums.refunded),
            due: self.due,
            credit: self.credit,
            due_on: rests.iter().filter_map(|rest| rest.due_on).min(),
            instalments: (1..).zip(schedule.plan()).map(part).collect(),
            open: rests.iter().map(open).collect(),
        }
    }
}

/// The student of an item.
pub fn payer_of(connection: &Connection, item: FeeItem) -> Result<Option<Payer>> {
    match item {
        FeeItem::Enrollment(id) => {
            let sql = "select student_id from enrollments where id = :id";
            Ok(connection.find::<i64>(sql, params![id])?.map(Payer::Student))
        }
        FeeItem::Admission(id) => {
            let sql = "select q.student_id, q.id from admissions a cross join admission_requests q on q.id = a.request_id
                where a.id = :id";
            let found: Option<(Option<i64>, i64)> = connection.find(sql, params![id])?;
            Ok(found.map(|(student, request)| student.map_or(Payer::Request(request), Payer::Student)))
        }
    }
}

/// The student of an item; another student's than the expected payer's is refused as if it did not exist.
///
/// # Errors
/// 404.
pub fn expect_payer(connection: &Connection, item: FeeItem, expected: Option<Payer>) -> Result<Payer> {
    let found = payer_of(connection, item)?;
    found.filter(|found| expected.is_none_or(|expected| expected == *found)).ok_or_else(|| {
        let what = if matches!(item, FeeItem::Enrollment(_)) { "Enrollment" } else { "Admission" };
        Error::NotFound(format!("{what} not found"))
    })
}

/// Refuses what would leave an item with more refunded than paid, or more waived than charged: in the transaction that
/// did it, which is rolled back to `current`.
///
/// # Errors
/// 409.
pub fn check(connection: &Connection, item: FeeItem, current: &impl Serialize) -> Result<()> {
    let (sql, id) = match item {
        FeeItem::Enrollment(id) => (
            "select charged - waived, paid - refunded from enrollment_balances where enrollment_id = :id",
            id,
        ),
        FeeItem::Admission(id) => {
            ("select charged - waived, paid - refunded from admission_balances where admission_id = :id", id)
        }
    };
    let Some((unwaived, kept)) = connection.find::<(i64, i64)>(sql, params![id])? else { return Ok(()) };
    if unwaived < 0 {
        let over = Money::from_cents(-unwaived);
        let message = format!(
            "Then {over} more would be waived than is charged. Reverse the waiver first, or waive less."
        );
        return Err(Error::conflict(message, current));
    }
    if kept < 0 {
        let over = Money::from_cents(-kept);
        let message = format!("Then {over} more would be refunded than was paid. Reverse the refund first.");
        return Err(Error::conflict(message, current));
    }
    Ok(())
}

/// An enrollment or admission of any student, at the end of a day.
#[derive(Debug)]
pub struct PastItem {
    /// The student; `None` for a family whose application has no student yet.
    pub student_id: Option<i64>,
    /// What it is.
    pub item: FeeItem,
    /// What it comes to.
    pub sums: Sums,
    /// What is left of each of its parts.
    pub rests: Vec<Due>,
}

impl PastItem {
    /// What is left of each of its parts.
    pub fn open(&self) -> impl Iterator<Item = ItemDue> + '_ {
        self.rests.iter().map(|rest| ItemDue { item: self.item, due: rest.clone() })
    }
}

struct SumRow {
    student_id: Option<i64>,
    item: FeeItem,
    sums: Sums,
}

from_row!(Sums { charged, waived, paid, refunded, balance });
from_row!(SumRow { student_id } and item, sums);

/// Every item that had an entry before an instant, as it was then: `before` is the end of a day at the school.
pub fn all_before(connection: &Connection, before: i64) -> Result<Vec<PastItem>> {
    each_before(connection, before, past_item)
}

fn past_item(SumRow { student_id, item, sums }: SumRow, dues: Vec<Due>) -> PastItem {
    let rests = Schedule::new(dues, &sums).rests();
    PastItem { student_id, item, sums, rests }
}

/// Of every item what was to be paid by when, less what was waived; and what of it is left.
pub fn parts_and_rests(connection: &Connection, before: i64) -> Result<Vec<(Vec<Due>, Vec<Due>)>> {
    each_before(connection, before, |SumRow { sums, .. }, dues| {
        let unpaid = Sums { paid: 0, refunded: 0, balance: sums.charged - sums.waived, ..sums };
        (Schedule::new(dues.clone(), &unpaid).rests(), Schedule::new(dues, &sums).rests())
    })
}

fn each_before<T>(
    connection: &Connection,
    before: i64,
    read: impl Fn(SumRow, Vec<Due>) -> T,
) -> Result<Vec<T>> {
    let is_now = connection.one::<bool>(
        "select coalesce((select created_at < :before from ledger order by id desc limit 1), 1)",
        params![before],
    )?;
    // Of a past day the same sums, over the entries until then.
    let sums: Vec<SumRow> = if is_now {
        connection.list("select * from balances", [])?
    } else {
        connection.list(
            "select coalesce(e.student_id, q.student_id) as student_id, x.enrollment_id, x.admission_id,
                 sum(iif(x.kind = 'charge', x.cents, 0)) as charged, sum(iif(x.kind = 'waiver', x.cents, 0)) as waived,
                 sum(iif(x.kind = 'payment', x.cents, 0)) as paid, sum(iif(x.kind = 'refund', x.cents, 0)) as refunded,
                 sum(iif(x.kind in ('charge', 'refund'), x.cents, -x.cents)) as balance
             from entries x left join enrollments e on e.id = x.enrollment_id
                 left join admissions a on a.id = x.admission_id left join admission_requests q on q.id = a.request_id
             where x.created_at < :before group by x.enrollment_id, x.admission_id",
            params![before],
        )?
    };
    let dues = "select * from dues where created_at < :before and (ended_at is null or ended_at >= :before)";
    let mut by_item = group(connection.list(dues, params![before])?);
    let then = |row: SumRow| {
        let dues = by_item.remove(&row.item).unwrap_or_default();
        read(row, dues)
    };
    Ok(sums.into_iter().map(then).collect())
}

/// The items of one student, with those of the applications that led to the student, as they were before an instant.
pub fn of_student_before(connection: &Connection, student_id: i64, before: i64) -> Result<Vec<PastItem>> {
    let sums: Vec<SumRow> = connection.list(
        "select :student_id as student_id, x.enrollment_id, x.admission_id,
             sum(iif(x.kind = 'charge', x.cents, 0)) as charged, sum(iif(x.kind = 'waiver', x.cents, 0)) as waived,
             sum(iif(x.kind = 'payment', x.cents, 0)) as paid, sum(iif(x.kind = 'refund', x.cents, 0)) as refunded,
             sum(iif(x.kind in ('charge', 'refund'), x.cents, -x.cents)) as balance
         from (
             select l.id from enrollments e cross join ledger l on l.enrollment_id = e.id
             where e.student_id = :student_id
             union all
             select l.id from admission_requests q cross join admissions a on a.request_id = q.id
                 cross join ledger l on l.admission_id = a.id
             where q.student_id = :student_id
         ) own cross join entries x on x.id = own.id
         where x.created_at < :before group by x.enrollment_id, x.admission_id",
        params![student_id, before],
    )?;
    let dues = "select * from dues where student_id = :student_id and created_at < :before
            and (ended_at is null or ended_at >= :before)";
    let mut by_item = group(connection.list(dues, params![student_id, before])?);
    let then = |row: SumRow| {
        let dues = by_item.remove(&row.item).unwrap_or_default();
        past_item(row, dues)
    };
    Ok(sums.into_iter().map(then).collect())
}
