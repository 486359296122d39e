//! What each student owes, kept (migration V94): the list of all balances and its figures would read the whole ledger.
//!
//! Triggers note the students whose money has changed, and before the commit their rows are computed from the ledger
//! again. While any is noted (after an upgrade, or changes outside the program), the whole ledger is read.

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use super::aging::Due;
use super::holds::{self, Hold};
use super::{FeeItem, PastItem, of_student_before, uncovered};
use crate::base::error::Result;
use crate::storage::db::{self, Db};
use crate::storage::search::fold;
use crate::storage::statements::{Statements, params};

/// Students whose rows are computed before one commit.
const AT_ONCE: i64 = 500;

/// The day of what is owed; of a charge without one, the second at which it was posted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
enum Day {
    Posted(i64),
    On(Date),
}

/// Computes the rows of the students whose money has changed.
///
/// # Errors
/// Database errors; what it did is rolled back.
pub fn settle(connection: &Connection) -> Result<()> {
    let sql = "select student_id, posted_at from stale_balances limit :at_once";
    let stale: Vec<(i64, i64)> = connection.list(sql, params![at_once = AT_ONCE])?;
    let Some(posted_at) = stale.iter().map(|(_, posted_at)| *posted_at).max() else { return Ok(()) };
    db::in_savepoint(connection, |connection| {
        for (id, _) in stale {
            let goes_on_as: Option<i64> =
                connection.find("select merged_into from students where id = :id", params![id])?.flatten();
            for id in [Some(id), goes_on_as].into_iter().flatten() {
                keep(connection, id)?;
            }
            connection.run("delete from stale_balances where student_id = :id", params![id])?;
        }
        let sql = "update balance_totals set posted_at = :posted_at where posted_at < :posted_at";
        connection.run(sql, params![posted_at])
    })
}

/// Settles what an upgrade or another program left, some at a time, so that other writes come between.
///
/// # Errors
/// Database errors.
pub async fn catch_up(db: &Db) -> Result<()> {
    let mut before = i64::MAX;
    loop {
        let left = db.read(stale).await?;
        if left == 0 || left >= before {
            return Ok(());
        }
        before = left;
        db.write(|_| Ok(())).await?;
    }
}

fn stale(connection: &Connection) -> Result<i64> {
    connection.one("select count(*) from stale_balances", [])
}

/// Whether what is kept is all that was posted before an instant, and nothing else.
///
/// # Errors
/// Database errors.
pub fn is_as_before(connection: &Connection, before: i64) -> Result<bool> {
    let sql = "select posted_at < :before and not exists (select 1 from stale_balances) from balance_totals";
    connection.one(sql, params![before])
}

fn keep(connection: &Connection, id: i64) -> Result<()> {
    let items = of_student_before(connection, id, i64::MAX)?;
    let payments =
        "select count(*), coalesce(sum(h.unapplied_cents), 0), max(iif(h.is_reversed, null, p.received_on))
        from student_payments m cross join payments_held h on h.id = m.id cross join payments p on p.id = m.id
        where m.student_id = :id";
    let (count, unapplied, last_payment_on): (i64, i64, Option<String>) =
        connection.one(payments, params![id])?;
    if items.is_empty() && count == 0 {
        return connection.run("delete from student_balances where student_id = :id", params![id]);
    }
    let mut owed = 0;
    let mut due = 0;
    let mut credit = 0;
    let mut admission_due = 0;
    for item in &items {
        owed += item.sums.balance;
        credit += (-item.sums.balance).max(0);
        match item.item {
            FeeItem::Enrollment(_) => due += item.sums.balance.max(0),
            FeeItem::Admission(_) => admission_due += item.sums.balance.max(0),
        }
    }
    let free = Hold::free_of(holds::find(connection, id)?.as_ref(), unapplied);
    let left = uncovered(items.iter().flat_map(PastItem::open).collect(), free);
    let mut rests: Vec<_> = left.iter().map(|rest| (day(rest), rest.cents)).collect();
    rests.sort_unstable();
    let covered = due + admission_due - rests.iter().map(|(_, cents)| cents).sum::<i64>();
    let rests = serde_json::to_string(&rests).map_err(anyhow::Error::from)?;
    let name: String = connection
        .one("select coalesce(full_name, 'Student #' || id) from students where id = :id", params![id])?;
    let sql = "insert into student_balances (student_id, name, due_cents, credit_cents, unapplied_cents, balance_cents,
            admission_due_cents, covered_cents, free_cents, last_payment_on, rests)
        values (:id, :name, :due, :credit, :unapplied, :balance, :admission_due, :covered, :free, :last_payment_on, :rests)
        on conflict (student_id) do update set name = excluded.name, due_cents = excluded.due_cents,
            credit_cents = excluded.credit_cents, unapplied_cents = excluded.unapplied_cents,
            balance_cents = excluded.balance_cents, admission_due_cents = excluded.admission_due_cents,
            covered_cents = excluded.covered_cents, free_cents = excluded.free_cents,
            last_payment_on = excluded.last_payment_on, rests = excluded.rests";
    let name = fold(&name);
    let balance = owed - unapplied;
    let values = params![
        id,
        name,
        due,
        credit,
        unapplied,
        balance,
        admission_due,
        covered,
        free,
        last_payment_on,
        rests
    ];
    connection.run(sql, values)
}

fn day(rest: &Due) -> Day {
    rest.due_on.map_or(Day::Posted(rest.posted_at.as_second()), Day::On)
}

/// What is owed by its day, from the column `rests`.
///
/// # Errors
/// When it is not what [`settle`] wrote.
pub fn rests(json: &str) -> Result<Vec<Due>> {
    let rests: Vec<(Day, i64)> = serde_json::from_str(json).map_err(anyhow::Error::from)?;
    let due = |(day, cents)| {
        let (due_on, posted_at) = match day {
            Day::On(day) => (Some(day), Timestamp::UNIX_EPOCH),
            Day::Posted(second) => (None, Timestamp::from_second(second).unwrap_or_default()),
        };
        Due { ledger_id: 0, n: None, due_on, posted_at, cents }
    };
    Ok(rests.into_iter().map(due).collect())
}

/// What all students owe and money on account does not cover, by its day.
///
/// # Errors
/// Database errors.
pub fn all_rests(connection: &Connection) -> Result<Vec<Due>> {
    let sql = "select json_group_array(json_array(day, cents)) from owed_days";
    rests(&connection.one::<String>(sql, [])?)
}

/// Describes a difference between what is kept and what the ledger adds up to, if any; `due` is what it does on
/// enrollments.
///
/// # Errors
/// Database errors.
pub fn difference(connection: &Connection, due: i64) -> Result<Option<String>> {
    if stale(connection)? > 0 {
        return Ok(None);
    }
    let sql = "select due_cents, (select coalesce(sum(balance_cents), 0) from student_balances),
            (select coalesce(sum(cents), 0) from student_entries where student_id is not null),
            (select coalesce(sum(cents), 0) from owed_days)
                = (select coalesce(sum(r.value ->> 1), 0) from student_balances b cross join json_each(b.rests) r)
        from balance_totals";
    let (kept_due, kept, summed, are_days_right): (i64, i64, i64, bool) = connection.one(sql, [])?;
    Ok((kept_due != due || kept != summed || !are_days_right).then(|| {
        let days = if are_days_right { "" } else { ", and its days are wrong" };
        format!(
            "{kept_due} cents are kept as due of balances of {kept}{days}; the ledger adds up to {due} and {summed}"
        )
    }))
}

/// Has every row computed again.
///
/// # Errors
/// Database errors.
pub fn forget(connection: &Connection) -> Result<()> {
    connection.run("delete from student_balances", [])?;
    connection.run("delete from owed_days", [])?;
    connection.run(
        "update balance_totals set due_cents = 0, credit_cents = 0, unapplied_cents = 0, admission_due_cents = 0,
            covered_cents = 0",
        [],
    )?;
    let sql = "insert into stale_balances (student_id, posted_at) select id, 0 from students where true
        on conflict (student_id) do nothing";
    connection.run(sql, [])
}
