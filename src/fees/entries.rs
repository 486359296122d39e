//! The entries of a student or an applicant, what each item comes to, and what is still open of it.
//!
//! An item is one enrollment or one admission. What was paid or waived for it covers its earliest charges.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::EntryKind;
use crate::base::error::Result;
use crate::base::money::Money;
use crate::storage::statements::{Statements, from_row, params};

/// Whose money it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payer {
    /// A student, by id.
    Student(i64),
    /// A family whose application has no student yet, by the application's id.
    Request(i64),
}

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
    /// What the course cost on the day of the request.
    #[serde(skip)]
    quoted: Option<Money>,
    /// Whether it counts.
    #[serde(skip)]
    is_live: bool,
}

from_row!(FeeEntry {
    id, kind, amount = "cents", due_on, at = "created_at", enrollment_id, admission_id, course_code = "code",
    course_name = "name", quoted, is_live,
});

impl FeeEntry {
    fn item(&self) -> FeeItem {
        // The ledger's rows have one of the two.
        match (self.enrollment_id, self.admission_id) {
            (Some(id), _) => FeeItem::Enrollment(id),
            (None, id) => FeeItem::Admission(id.unwrap_or_default()),
        }
    }

    /// What it is for, in words: "ENG4U · English".
    fn label(&self) -> String {
        let course = [&self.course_code, &self.course_name].into_iter().flatten();
        let words: Vec<_> = course.map(String::as_str).collect();
        if words.is_empty() { "Admission fee".to_owned() } else { words.join(" · ") }
    }
}

/// What was posted on the items of a student or applicant.
#[derive(Debug, Default)]
pub struct Fees {
    /// Newest first, with those taken back.
    all: Vec<FeeEntry>,
}

const AMOUNT: &str =
    "l.id as id, l.kind, l.amount_cents * iif(l.kind in ('charge', 'refund'), 1, -1) as cents, l.due_on,
    l.created_at, l.enrollment_id, l.admission_id";
const IS_LIVE: &str = "not exists (select 1 from ledger r where r.reverses_id = l.id) as is_live";

impl Fees {
    /// Reads them.
    pub fn read(connection: &Connection, payer: Payer) -> Result<Self> {
        let all = match payer {
            Payer::Student(id) => {
                let sql = format!(
                    "select {AMOUNT}, c.code, c.name, e.quoted_price_cents as quoted, {IS_LIVE}
                     from enrollments e cross join ledger l on l.enrollment_id = e.id
                         cross join courses c on c.id = e.course_id
                     where e.student_id = :id and l.kind <> 'reversal'
                     union all
                     select {AMOUNT}, null, null, null, {IS_LIVE}
                     from admission_requests q cross join admissions a on a.request_id = q.id
                         cross join ledger l on l.admission_id = a.id
                     where q.student_id = :id and l.kind <> 'reversal' order by id desc"
                );
                connection.list(&sql, params![id])?
            }
            Payer::Request(id) => {
                let sql = format!(
                    "select {AMOUNT}, null as code, null as name, null as quoted, {IS_LIVE}
                     from admissions a cross join ledger l on l.admission_id = a.id
                     where a.request_id = :id and l.kind <> 'reversal' order by l.id desc"
                );
                connection.list(&sql, params![id])?
            }
        };
        Ok(Self { all })
    }

    fn live(&self) -> impl Iterator<Item = &FeeEntry> {
        self.all.iter().filter(|entry| entry.is_live)
    }

    /// What counts, the newest first; together it is what the items come to.
    pub fn entries(&self) -> Vec<FeeEntry> {
        self.live().cloned().collect()
    }

    /// What each item comes to, the newest first; those whose entries were all taken back, too.
    pub fn per_item(&self) -> Vec<ItemFees> {
        let open = self.open();
        let mut items: BTreeMap<FeeItem, Vec<&FeeEntry>> = BTreeMap::new();
        for entry in &self.all {
            items.entry(entry.item()).or_default().push(entry);
        }
        let mut items: Vec<_> = items.into_iter().collect();
        items.sort_by_key(|(_, entries)| Reverse(entries.iter().map(|entry| entry.id).min()));
        items.into_iter().map(|(item, entries)| ItemFees::of(item, &entries, &open)).collect()
    }

    /// The parts of charges that are neither paid nor waived, in the order in which money is applied to them: those of
    /// enrollments before those of admissions, the oldest due date first.
    pub fn open(&self) -> Vec<OpenCharge> {
        let mut charges: Vec<_> = self.live().filter(|entry| entry.kind == EntryKind::Charge).collect();
        charges.sort_by_key(|entry| (entry.due_on, entry.id));
        let mut left: BTreeMap<FeeItem, i64> = BTreeMap::new();
        for entry in self.live() {
            *left.entry(entry.item()).or_default() += entry.amount.cents();
        }
        let mut open = Vec::new();
        // From the latest: what is left of an item is what was charged last.
        for charge in charges.iter().rev() {
            let left = left.entry(charge.item()).or_default();
            let cents = charge.amount.cents().min(*left);
            if cents > 0 {
                *left -= cents;
                open.push(OpenCharge {
                    item: charge.item(),
                    due_on: charge.due_on,
                    amount: Money::from_cents(cents),
                });
            }
        }
        open.reverse();
        open.sort_by_key(|charge| matches!(charge.item, FeeItem::Admission(_)));
        open
    }

    /// The first day on which something is due of what is still owed.
    pub fn next_due_on(&self) -> Option<Date> {
        self.open().iter().filter_map(|charge| charge.due_on).min()
    }
}

/// A part of a charge that is neither paid nor waived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenCharge {
    /// What it is for.
    pub item: FeeItem,
    /// When it is due.
    pub due_on: Option<Date>,
    /// How much of it is left.
    pub amount: Money,
}

/// What one enrollment or admission comes to, without what was taken back.
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
    /// Still to be paid.
    #[schema(value_type = f64)]
    pub due: Money,
    /// Paid or waived beyond what was charged.
    #[schema(value_type = f64)]
    pub credit: Money,
    /// The first day on which something of it is due.
    #[schema(required)]
    pub due_on: Option<Date>,
}

impl ItemFees {
    fn of(item: FeeItem, entries: &[&FeeEntry], open: &[OpenCharge]) -> Self {
        let sum = |kind: Option<EntryKind>| {
            let same =
                entries.iter().filter(|entry| entry.is_live && kind.is_none_or(|kind| entry.kind == kind));
            same.map(|entry| entry.amount.cents()).sum::<i64>()
        };
        let total = |kind| Money::from_cents(sum(Some(kind)).abs());
        let balance = sum(None);
        let (enrollment_id, admission_id) = item.ids();
        let newest = entries.first();
        Self {
            enrollment_id,
            admission_id,
            label: newest.map(|entry| entry.label()).unwrap_or_default(),
            quoted: newest.and_then(|entry| entry.quoted),
            charged: total(EntryKind::Charge),
            waived: total(EntryKind::Waiver),
            paid: total(EntryKind::Payment),
            refunded: total(EntryKind::Refund),
            due: Money::from_cents(balance.max(0)),
            credit: Money::from_cents((-balance).max(0)),
            due_on: open.iter().filter(|charge| charge.item == item).filter_map(|charge| charge.due_on).min(),
        }
    }

    /// What it is.
    pub fn item(&self) -> FeeItem {
        match (self.enrollment_id, self.admission_id) {
            (Some(id), _) => FeeItem::Enrollment(id),
            (None, id) => FeeItem::Admission(id.unwrap_or_default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    type Row = (EntryKind, i64, i64, Option<Date>);

    fn fees(rows: &[Row]) -> Fees {
        let entry = |(id, (kind, enrollment_id, cents, due_on)): (i64, &Row)| FeeEntry {
            id,
            kind: *kind,
            amount: Money::from_cents(*cents),
            due_on: *due_on,
            at: Timestamp::UNIX_EPOCH,
            enrollment_id: Some(*enrollment_id).filter(|id| *id > 0),
            admission_id: Some(-enrollment_id).filter(|id| *id > 0),
            course_code: Some("ENG4U".into()).filter(|_| *enrollment_id > 0),
            course_name: Some("English".into()).filter(|_| *enrollment_id > 0),
            quoted: None,
            is_live: true,
        };
        let mut all: Vec<_> = (1..).zip(rows).map(entry).collect();
        all.reverse();
        Fees { all }
    }

    #[test]
    fn the_next_due_date_is_that_of_the_earliest_charge_which_is_not_covered() {
        use EntryKind::{Charge, Payment, Refund, Waiver};
        let (december, january) = (Some(date(2026, 12, 5)), Some(date(2027, 1, 5)));
        let table: [(&[Row], Option<Date>); 8] = [
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
            assert_eq!(fees(rows).next_due_on(), expected, "{rows:?}");
        }
    }

    #[test]
    fn money_goes_to_the_oldest_due_first_and_to_admissions_last() {
        use EntryKind::{Charge, Payment};
        let (december, january) = (Some(date(2026, 12, 5)), Some(date(2027, 1, 5)));
        let fees = fees(&[
            (Charge, -9, 300, Some(date(2026, 11, 1))),
            (Charge, 1, 500, january),
            (Charge, 1, 200, december),
            (Payment, 1, -50, None),
            (Charge, 2, 100, december),
        ]);
        let open: Vec<_> =
            fees.open().into_iter().map(|open| (open.item, open.due_on, open.amount.cents())).collect();
        assert_eq!(
            open,
            [
                (FeeItem::Enrollment(1), december, 150),
                (FeeItem::Enrollment(2), december, 100),
                (FeeItem::Enrollment(1), january, 500),
                (FeeItem::Admission(9), Some(date(2026, 11, 1)), 300),
            ]
        );
        let items = fees.per_item();
        let sums: Vec<_> =
            items.iter().map(|item| (item.item(), item.due.cents(), item.paid.cents())).collect();
        assert_eq!(
            sums,
            [
                (FeeItem::Enrollment(2), 100, 0),
                (FeeItem::Enrollment(1), 650, 50),
                (FeeItem::Admission(9), 300, 0),
            ]
        );
        assert_eq!((items[0].label.as_str(), items[2].label.as_str()), ("ENG4U · English", "Admission fee"));
    }
}
