//! The table `tasks`: what is to be refunded by a day. A task is open until it was refunded (triggers of migration V81),
//! or what there was to pay back was applied to something else; or until the office settled it in another way.

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use crate::base::closed_set::closed_set;
use crate::base::error::Result;
use crate::base::money::Money;
use crate::money::ledger::{self, FeeItem, Payer};
use crate::storage::statements::{Statements, from_row, params};
use crate::storage::waiting::{Since, Waits};
use crate::web::id::numbered;

closed_set! {
    /// What the office has to do.
    pub enum TaskKind {
        /// Pay money back.
        RefundDue = "refund_due",
    }
}

closed_set! {
    /// How a task was closed.
    pub enum TaskEnd {
        /// The money was refunded: set by a trigger.
        Paid = "paid",
        /// In another way, with the reason.
        Settled = "settled",
        /// The decision that it followed from was undone.
        Undone = "undone",
    }
}

/// Money that is to be refunded.
#[derive(Debug, Clone, Copy)]
pub struct NewTask<'a> {
    /// To the student of this enrollment.
    pub enrollment_id: i64,
    /// How much.
    pub amount: Money,
    /// When notice was given.
    pub notice_on: Date,
    /// By when it is refunded.
    pub due_on: Date,
    /// The decision that it follows from, which may be undone.
    pub decision: &'a str,
}

/// Adds a task; none for nothing.
pub fn add(connection: &Connection, task: &NewTask<'_>, user_id: i64, now: Timestamp) -> Result<()> {
    let NewTask { enrollment_id, amount, notice_on, due_on, decision } = task;
    if amount.cents() == 0 {
        return Ok(());
    }
    let sql = "insert into tasks (kind, enrollment_id, amount_cents, notice_on, due_on, decision_id, created_by, created_at)
        values (:kind, :enrollment_id, :amount, :notice_on, :due_on, :decision, :user_id, :now)";
    let notice_on = notice_on.to_string();
    let due_on = due_on.to_string();
    let now = now.as_second();
    let kind = TaskKind::RefundDue;
    connection.run(sql, params![kind, enrollment_id, amount, notice_on, due_on, decision, user_id, now])
}

/// Money that is to be refunded to a student.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefundDue {
    /// Number of the task.
    pub id: i64,
    /// The enrollment that it follows from.
    pub enrollment_id: i64,
    /// The course, in words.
    #[serde(rename = "for")]
    pub label: String,
    /// Number of the account.
    pub student_id: i64,
    /// The student's number.
    #[schema(required)]
    pub student_number: Option<String>,
    /// The student's name.
    pub student_name: String,
    /// Dollars still to be refunded.
    #[schema(value_type = f64)]
    pub amount: Money,
    /// Dollars of it that were paid for the enrollment; the rest lies on account.
    #[schema(value_type = f64)]
    pub credit: Money,
    /// When the student gave notice.
    pub notice_on: Date,
    /// By when it is refunded.
    pub due_on: Date,
    /// Since when it is to be refunded.
    pub created_at: Timestamp,
}

numbered!(RefundDue, "Refund");

from_row!(RefundDue {
    id, enrollment_id, label, student_id, student_number, student_name, amount = "open_cents", credit = "no_cents",
    notice_on, due_on, created_at,
});

/// What is to be refunded, the earliest day first: of what was paid beyond what the enrollment costs, and of what lies
/// on account. None of what was applied to something else meanwhile.
pub fn open(connection: &Connection) -> Result<Vec<RefundDue>> {
    let sql = "select t.id, t.enrollment_id, c.code || ' · ' || c.name as label, e.student_id, s.student_number,
            coalesce(s.full_name, 'Student #' || s.id) as student_name, t.amount_cents - coalesce((
                select sum(o.amount_cents) from payouts o
                where o.task_id = t.id and o.reverses_id is null
                    and not exists (select 1 from payouts undo where undo.reverses_id = o.id)
            ), 0) as open_cents, 0 as no_cents, t.notice_on, t.due_on, t.created_at
        from tasks t cross join enrollments e on e.id = t.enrollment_id cross join students s on s.id = e.student_id
            cross join courses c on c.id = e.course_id
        where t.kind = 'refund_due' and t.done_at is null order by t.due_on, t.id";
    let mut found: Vec<RefundDue> = connection.list(sql, [])?;
    for due in &mut found {
        let credit = ledger::credit_of_enrollment(connection, due.enrollment_id)?;
        let held = ledger::on_account(connection, Payer::Student(due.student_id))?;
        due.amount = due.amount.min(credit + held);
        due.credit = due.amount.min(credit);
    }
    found.retain(|due| due.amount.cents() > 0);
    Ok(found)
}

/// What is to be refunded to one student, the earliest day first.
pub fn of_student(connection: &Connection, student_id: i64) -> Result<Vec<RefundDue>> {
    Ok(open(connection)?.into_iter().filter(|due| due.student_id == student_id).collect())
}

/// The open task that money refunded goes towards: that of the item, or of what lies on a student's account the one
/// that is due first.
pub fn towards(connection: &Connection, student_id: i64, item: Option<FeeItem>) -> Result<Option<i64>> {
    let is_of = |due: &RefundDue| item.is_none_or(|item| item == FeeItem::Enrollment(due.enrollment_id));
    Ok(of_student(connection, student_id)?.into_iter().find(is_of).map(|due| due.id))
}

/// Closes an open task in another way than by paying, with the reason.
pub fn settle(connection: &Connection, id: i64, reason: &str, user_id: i64, now: Timestamp) -> Result<()> {
    let sql = "update tasks set done_at = :now, done_by = :user_id, done_as = :end, note = :reason
        where id = :id and done_at is null";
    connection.run(sql, params![id, end = TaskEnd::Settled, reason, user_id, now = now.as_second()])
}

/// Closes the tasks of a decision that is undone.
pub fn take_back(connection: &Connection, decision: &str, user_id: i64, now: Timestamp) -> Result<()> {
    let sql = "update tasks set done_at = :now, done_by = :user_id, done_as = :end
        where decision_id = :decision and done_at is null";
    connection.run(sql, params![decision, end = TaskEnd::Undone, user_id, now = now.as_second()])
}

/// Number of refunds due, and the earliest day.
pub fn waiting(connection: &Connection) -> Result<Waits> {
    let open = open(connection)?;
    let count = i64::try_from(open.len()).unwrap_or(i64::MAX);
    Ok(Waits { count, oldest: open.first().map(|due| Since::On(due.due_on)) })
}
