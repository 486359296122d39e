//! The table `tasks`: what is to be paid back by a day. A task is open until it was paid back, or what there was to pay
//! back was applied to something else (view `refunds_due`); or until the office settled it in another way.

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;

use crate::base::error::Result;
use crate::base::money::Money;
use crate::fees::FeeItem;
use crate::storage::statements::{Statements, params};
use crate::storage::waiting::Waits;

/// Money that is to be paid back.
#[derive(Debug, Clone, Copy)]
pub struct NewTask<'a> {
    /// To the student of this enrollment.
    pub enrollment_id: i64,
    /// How much.
    pub amount: Money,
    /// When notice was given, and by when it is paid back.
    pub days: (Date, Date),
    /// The decision that it follows from, which may be undone.
    pub decision: &'a str,
}

/// Adds a task; none for nothing.
pub fn add(connection: &Connection, task: &NewTask<'_>, user_id: i64, now: Timestamp) -> Result<()> {
    let NewTask { enrollment_id, amount, days: (notice_on, due_on), decision } = task;
    if amount.cents() == 0 {
        return Ok(());
    }
    let sql = "insert into tasks (kind, enrollment_id, amount_cents, notice_on, due_on, decision_id, created_by, created_at)
        values ('refund_due', :enrollment_id, :amount, :notice_on, :due_on, :decision, :user_id, :now)";
    let (notice_on, due_on, now) = (notice_on.to_string(), due_on.to_string(), now.as_second());
    connection.run(sql, params![enrollment_id, amount, notice_on, due_on, decision, user_id, now])
}

/// The open task that money paid back goes towards: that of the item, or of what lies on a student's account the one
/// that is due first.
pub fn towards(connection: &Connection, student_id: i64, item: Option<FeeItem>) -> Result<Option<i64>> {
    let sql = "select id from refunds_due where student_id = :student_id and left_cents > 0
            and (:enrollment_id is null or enrollment_id = :enrollment_id)
        order by due_on, id limit 1";
    match item.map(FeeItem::ids) {
        Some((None, _)) => Ok(None),
        item => {
            let enrollment_id = item.and_then(|(enrollment, _)| enrollment);
            connection.find(sql, params![student_id, enrollment_id])
        }
    }
}

/// Closes an open task in another way than by paying, with the reason; returns whether there was one.
pub fn settle(connection: &Connection, id: i64, reason: &str, user_id: i64, now: Timestamp) -> Result<bool> {
    let sql = "update tasks set done_at = :now, done_by = :user_id, note = :reason
        where id = :id and done_at is null";
    Ok(connection.change(sql, params![id, reason, user_id, now = now.as_second()])? > 0)
}

/// Closes the tasks of a decision that is undone.
pub fn take_back(connection: &Connection, decision: &str, user_id: i64, now: Timestamp) -> Result<()> {
    let sql = "update tasks set done_at = :now, done_by = :user_id, note = 'The decision was undone.'
        where decision_id = :decision and done_at is null";
    connection.run(sql, params![decision, user_id, now = now.as_second()])
}

/// How many refunds are due, and the earliest day.
pub fn waiting(connection: &Connection) -> Result<Waits> {
    let sql = "select count(*) as count, min(due_on) as oldest from refunds_due where left_cents > 0";
    Waits::read(connection, sql, [])
}
