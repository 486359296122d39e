//! The tables `reminder_modes`, `reminders` and `reminder_schedule`.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rusqlite::Connection;

use super::rules::{NewMode, Skip, Step};
use super::{ReminderState, SkippedReminder, StudentReminders};
use crate::base::error::Result;
use crate::base::money::Money;
use crate::storage::statements::{Statements, from_row, params};

from_row!(ReminderState { mode, note, until = "until_on", by = "username", at = "set_at" });

/// Whether a student's family is reminded, if the office has said so.
pub fn mode(connection: &Connection, student_id: i64) -> Result<Option<ReminderState>> {
    let sql = "select m.mode, m.note, m.until_on, u.username, m.set_at
        from reminder_modes m left join users u on u.id = m.set_by where m.student_id = :student_id";
    connection.find(sql, params![student_id])
}

/// The mode, when a reminder was last sent, and how many were.
pub fn of_student(connection: &Connection, student_id: i64, zone: &TimeZone) -> Result<StudentReminders> {
    let sql =
        "select count(*), max(sent_at) from reminders where student_id = :student_id and sent_at is not null";
    let (sent_count, sent): (i64, Option<Timestamp>) = connection.one(sql, params![student_id])?;
    let last_reminder_on = sent.map(|at| at.to_zoned(zone.clone()).date());
    Ok(StudentReminders { state: mode(connection, student_id)?, last_reminder_on, sent_count })
}

/// Notes whether a student's family is reminded.
pub fn set_mode(
    connection: &Connection,
    student_id: i64,
    new: &NewMode,
    by: i64,
    now: Timestamp,
) -> Result<()> {
    let NewMode { mode, note, until } = new;
    let sql = "insert into reminder_modes (student_id, mode, note, until_on, set_by, set_at)
        values (:student_id, :mode, :note, :until, :by, :now)
        on conflict (student_id) do update set mode = excluded.mode, note = excluded.note,
            until_on = excluded.until_on, set_by = excluded.set_by, set_at = excluded.set_at";
    let until = until.map(|day| day.to_string());
    let now = now.as_second();
    connection.run(sql, params![student_id, mode, note, until, by, now])
}

/// Whether a reminder was sent on a day, or waits for it.
pub fn is_on(connection: &Connection, student_id: i64, day: Date) -> Result<bool> {
    let sql = "select exists (
        select 1 from reminders where student_id = :student_id and send_on = :day and dropped is null)";
    connection.one(sql, params![student_id, day = day.to_string()])
}

/// A reminder that is sent, or waits for its day.
#[derive(Debug)]
pub struct NewReminder {
    /// To the family of this student.
    pub student_id: i64,
    /// Which.
    pub step: Step,
    /// Amount owing.
    pub amount: Money,
    /// On which day it leaves.
    pub send_on: Date,
    /// Who asked for it; `None` for the schedule.
    pub by: Option<i64>,
}

/// Adds one, and returns its number.
pub fn add(connection: &Connection, new: &NewReminder, now: Timestamp) -> Result<i64> {
    let NewReminder { student_id, step, amount, send_on, by } = new;
    let sql = "insert into reminders (student_id, step, amount_cents, send_on, created_by, created_at)
        values (:student_id, :step, :amount, :send_on, :by, :now)";
    let send_on = send_on.to_string();
    let now = now.as_second();
    connection.insert(sql, params![student_id, step, amount, send_on, by, now])
}

/// Notes that a reminder left.
pub fn set_sent(connection: &Connection, id: i64, day: Date, now: Timestamp) -> Result<()> {
    let sql = "update reminders set sent_at = :now, send_on = :day where id = :id";
    connection.run(sql, params![id, day = day.to_string(), now = now.as_second()])
}

/// Notes why a reminder does not leave after all.
pub fn drop_one(connection: &Connection, id: i64, why: &str) -> Result<()> {
    connection.run("update reminders set dropped = :why where id = :id", params![id, why])
}

/// A reminder whose day has come.
#[derive(Debug, Clone, Copy)]
pub struct WaitingReminder {
    /// Its number.
    pub id: i64,
    /// To the family of this student.
    pub student_id: i64,
}

from_row!(WaitingReminder { id, student_id });

/// Reminders whose day has come.
pub fn waiting(connection: &Connection, today: Date) -> Result<Vec<WaitingReminder>> {
    let sql = "select id, student_id from reminders
        where send_on <= :today and sent_at is null and dropped is null order by send_on, id";
    connection.list(sql, params![today = today.to_string()])
}

/// The day on which a reminder that the office asked for leaves.
pub fn next_by_hand(connection: &Connection, student_id: i64) -> Result<Option<Date>> {
    let sql = "select min(send_on) from reminders
        where student_id = :student_id and sent_at is null and dropped is null";
    connection.one(sql, params![student_id])
}

from_row!(SkippedReminder { on = "skipped_on", reason, by = "username", at = "created_at" });

/// Skipped reminders of a student from a day on, the earliest first.
pub fn skips(connection: &Connection, student_id: i64, from: Date) -> Result<Vec<SkippedReminder>> {
    let sql = "select k.skipped_on, k.reason, u.username, k.created_at
        from reminder_skips k left join users u on u.id = k.created_by
        where k.student_id = :student_id and k.skipped_on >= :from and k.undone_at is null order by k.skipped_on";
    connection.list(sql, params![student_id, from = from.to_string()])
}

/// The last skipped day of a student, up to a day.
pub fn last_skip(connection: &Connection, student_id: i64, until: Date) -> Result<Option<Date>> {
    let sql = "select max(skipped_on) from reminder_skips
        where student_id = :student_id and skipped_on <= :until and undone_at is null";
    connection.one(sql, params![student_id, until = until.to_string()])
}

/// Why a reminder that waited for a skipped day does not leave.
const SKIPPED: &str = "skipped";

/// Skips what would leave on a day.
pub fn skip(connection: &Connection, student_id: i64, skip: &Skip, by: i64, now: Timestamp) -> Result<()> {
    let day = skip.on.to_string();
    let now = now.as_second();
    let sql = "insert into reminder_skips (student_id, skipped_on, reason, created_by, created_at)
        values (:student_id, :day, :reason, :by, :now)";
    connection.run(sql, params![student_id, day, reason = skip.reason, by, now])?;
    let sql = "update reminders set dropped = :why
        where student_id = :student_id and send_on <= :day and sent_at is null and dropped is null";
    connection.run(sql, params![student_id, day, why = SKIPPED])
}

/// Takes a skip back: what waited for the day leaves, unless another reminder took its place.
pub fn unskip(connection: &Connection, student_id: i64, on: Date, now: Timestamp) -> Result<()> {
    let day = on.to_string();
    let now = now.as_second();
    let sql = "update reminder_skips set undone_at = :now
        where student_id = :student_id and skipped_on = :day and undone_at is null";
    connection.run(sql, params![student_id, day, now])?;
    let sql = "update reminders set dropped = null where id = (
            select max(id) from reminders
            where student_id = :student_id and send_on = :day and dropped = :why
                and not exists (select 1 from reminders other where other.student_id = :student_id
                    and other.send_on = :day and other.dropped is null))";
    connection.run(sql, params![student_id, day, why = SKIPPED])
}

/// The last day on which the schedule was looked at.
pub fn ran_on(connection: &Connection) -> Result<Option<Date>> {
    connection.find("select ran_on from reminder_schedule where id = 1", [])
}

/// Notes that the schedule was looked at.
pub fn set_ran_on(connection: &Connection, day: Date) -> Result<()> {
    let sql = "insert into reminder_schedule (id, ran_on) values (1, :day)
        on conflict (id) do update set ran_on = excluded.ran_on";
    connection.run(sql, params![day = day.to_string()])
}
