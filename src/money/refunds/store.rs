//! The table `refund_policies`, and what is asked of an enrollment.

use anyhow::Context as _;
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;

use super::arithmetic::CourseTaken;
use super::rules::{NewPolicy, StoredRule};
use super::{RefundPolicy, RefundRule};
use crate::base::dates::DateRange;
use crate::base::error::{Error, Result};
use crate::base::money::Money;
use crate::storage::statements::{Statements, from_row, params};
use crate::terms::SchoolDays;

/// A row of the table.
struct Row {
    id: i64,
    name: String,
    provinces: Option<String>,
    effective_on: Date,
    rules: String,
    created_at: Timestamp,
    by: Option<String>,
}

from_row!(Row { id, name, provinces, effective_on, rules, created_at, by = "username" });

/// Every version, the newest first.
pub fn list(connection: &Connection) -> Result<Vec<RefundPolicy>> {
    let sql = "select p.id, p.name, p.provinces, p.effective_on, p.rules, p.created_at, u.username
        from refund_policies p left join users u on u.id = p.created_by order by p.id desc";
    let rows: Vec<Row> = connection.list(sql, [])?;
    rows.into_iter().map(|row| read(row).context("a refund policy").map_err(Error::Internal)).collect()
}

fn read(row: Row) -> anyhow::Result<RefundPolicy> {
    let Row { id, name, provinces, effective_on, rules, created_at, by } = row;
    let provinces = provinces.map(|json| serde_json::from_str(&json)).transpose()?;
    let stored: Vec<StoredRule> = serde_json::from_str(&rules)?;
    let parsed: Option<Vec<_>> = stored.iter().map(StoredRule::read).collect();
    let parsed = parsed.context("a rule")?;
    let rules = parsed.iter().map(RefundRule::from).collect();
    Ok(RefundPolicy { id, name, provinces, effective_on, rules, created_at, by, parsed })
}

/// Adds a version, and returns its number.
pub fn insert(connection: &Connection, policy: &NewPolicy, user_id: i64, now: Timestamp) -> Result<i64> {
    let json = |value: serde_json::Result<String>| value.map_err(|error| Error::Internal(error.into()));
    let NewPolicy { name, effective_on, .. } = policy;
    let provinces = policy.provinces.as_ref().map(serde_json::to_string).map(json).transpose()?;
    let rules: Vec<_> = policy.rules.iter().map(StoredRule::from).collect();
    let rules = json(serde_json::to_string(&rules))?;
    let sql = "insert into refund_policies (name, provinces, effective_on, rules, created_by, created_at)
        values (:name, :provinces, :effective_on, :rules, :user_id, :now)";
    let effective_on = effective_on.to_string();
    let now = now.as_second();
    connection.insert(sql, params![name, provinces, effective_on, rules, user_id, now])
}

/// What is asked of an enrollment.
#[derive(Debug)]
pub struct EnrollmentFacts {
    start_date: Date,
    end_date: Date,
    section_id: Option<i64>,
    /// The student's province.
    pub province: Option<String>,
    /// When it was requested.
    pub requested_at: Timestamp,
    /// Whether it was ever approved.
    pub was_approved: bool,
    /// What was quoted.
    pub quoted: Option<Money>,
    id: i64,
}

from_row!(EnrollmentFacts {
    start_date, end_date, section_id, province, requested_at = "created_at", was_approved,
    quoted = "quoted_price_cents", id,
});

/// Those of an enrollment.
///
/// # Errors
/// 404 when there is no such enrollment.
pub fn facts(connection: &Connection, enrollment_id: i64) -> Result<EnrollmentFacts> {
    let sql =
        "select e.id, e.start_date, e.end_date, e.section_id, s.province, e.created_at, e.quoted_price_cents,
            e.approved_at is not null or exists (
                select 1 from enrollment_events v where v.enrollment_id = e.id and v.to_status = 'active'
            ) as was_approved
        from enrollments e cross join students s on s.id = e.student_id where e.id = :enrollment_id";
    let found = connection.find(sql, params![enrollment_id])?;
    found.ok_or_else(|| Error::NotFound("Enrollment not found".into()))
}

impl EnrollmentFacts {
    /// The course to calculate with; until something is charged, the fee is `price`.
    pub fn course(&self, connection: &Connection, price: Option<Money>) -> Result<CourseTaken> {
        let days = DateRange { first: self.start_date, last: self.end_date };
        let calendar = SchoolDays::of(connection, self.section_id, days)?;
        // What was waived since the student left, by the decision itself or after it, is no part of the bursary before.
        let sql = "select charged - waived + since, since, paid, refunded from (
                select b.charged, b.waived, b.paid, b.refunded, coalesce((
                    select sum(l.amount_cents) from ledger l where l.enrollment_id = b.enrollment_id
                        and l.kind = 'waiver' and (l.decision_id = v.decision_id or l.created_at > v.at)
                        and not exists (select 1 from ledger undo where undo.reverses_id = l.id)
                ), 0) as since
                from enrollment_balances b left join enrollment_events v on v.id = (
                    select max(x.id) from enrollments e cross join enrollment_events x on x.enrollment_id = e.id
                    where e.id = b.enrollment_id and e.status = 'withdrawn' and x.to_status = 'withdrawn'
                )
                where b.enrollment_id = :id
            )";
        let none = Money::default();
        let uncharged = (price.unwrap_or_default(), none, none, none);
        let (fee, waived, paid, refunded) = connection.find(sql, params![id = self.id])?.unwrap_or(uncharged);
        Ok(CourseTaken { days, calendar, fee, waived, paid, refunded })
    }
}
