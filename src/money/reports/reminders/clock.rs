//! The schedule: on school days from 09:00 at the school, once a day, whatever the clock does.
//!
//! A step that fell on a day without school, or while the server did not run, is made up for; not one that is more than a
//! week past, so that a school that turns reminders on does not write to all families at once.

use jiff::ToSpan as _;
use jiff::Zoned;
use jiff::civil::{Date, Time, time};
use rusqlite::Connection;

use super::look::Owed;
use super::rules::NotReminded;
use super::store::WaitingReminder;
use super::{Batch, Sender, StoredReminder, store};
use crate::base::closed_set::ClosedSet as _;
use crate::base::error::Result;
use crate::config::Config;
use crate::money::reports::report::{self, ReportDay};
use crate::students::{self, Student};
use crate::terms::SchoolDays;
use crate::web::app::App;
use crate::web::id::Numbered as _;

/// When reminders leave, at the school.
const AT: Time = time(9, 0, 0, 0);

/// Days for which a missed step is made up for.
pub const MADE_UP: i32 = 7;

/// Sends what is due, when it is time.
///
/// # Errors
/// Database errors.
pub async fn run_due(app: &App) -> Result<()> {
    let now = app.clock.now().to_zoned(app.config.school().zone());
    if app.db.damage().is_some() || now.time() < AT {
        return Ok(());
    }
    let today = now.date();
    if app.db.read(store::ran_on).await? == Some(today) {
        return Ok(());
    }
    let config = app.config.clone();
    app.write_and_notify(move |connection| run(connection, &config, &now)).await
}

fn run(connection: &Connection, config: &Config, now: &Zoned) -> Result<()> {
    let today = now.date();
    let before = store::ran_on(connection)?;
    if before == Some(today) {
        return Ok(());
    }
    store::set_ran_on(connection, today)?;
    let days = SchoolDays::from(connection, today.saturating_sub((MADE_UP + 7).days()))?;
    if !days.contains(today) {
        return Ok(());
    }
    let sender = Sender { config, now: now.clone() };
    let mut batch = Batch::default();
    sender.send_waiting(connection, today, &mut batch)?;
    // From the first day on: what would have left earlier never does.
    let Some(before) = before.filter(|_| config.money.are_reminders_on()) else {
        return sender.send_copies(connection, batch);
    };
    let since = before.max(today.saturating_sub(MADE_UP.days())).min(today.saturating_sub(1.day()));
    let schedule = config.money.schedule();
    let report = ReportDay::new(today, config.school().zone());
    for row in report::read(connection, &report)?.into_iter().filter(|row| row.total_due.cents() > 0) {
        let owed = Owed::read(connection, row.student_id)?;
        // What a skipped reminder would have said is not made up for.
        let since = store::last_skip(connection, row.student_id, today)?.map_or(since, |day| day.max(since));
        if is_asked_for(&owed, &schedule, DaysPassed { since, today }, &days) {
            let student =
                students::store::find(connection, row.student_id)?.ok_or_else(Student::not_found)?;
            let reminder = sender.look(connection, &student, today)?;
            sender.send_or_keep(connection, &reminder, None, &mut batch)?;
        }
    }
    sender.send_copies(connection, batch)
}

/// The days after one, up to today.
#[derive(Clone, Copy)]
struct DaysPassed {
    since: Date,
    today: Date,
}

impl DaysPassed {
    fn contains(self, day: Date) -> bool {
        self.since < day && day <= self.today
    }
}

/// Whether a step of the schedule falls on one of the days passed, of any part that is to be paid.
fn is_asked_for(owed: &Owed, schedule: &[i64], passed: DaysPassed, days: &SchoolDays) -> bool {
    let dues = owed.lines.iter().filter_map(|line| line.due_on);
    let steps = dues.flat_map(|due_on| schedule.iter().map(move |after| due_on.saturating_add(after.days())));
    steps.map(|day| days.next(day)).any(|day| passed.contains(day))
}

impl Sender<'_> {
    /// Sends what was asked for on a day without school, unless the reason for it is gone.
    fn send_waiting(&self, connection: &Connection, today: Date, batch: &mut Batch) -> Result<()> {
        for WaitingReminder { id, student_id } in store::waiting(connection, today)? {
            let student = students::store::find(connection, student_id)?.ok_or_else(Student::not_found)?;
            let reminder = self.look(connection, &student, today)?;
            match reminder.why {
                None | Some(NotReminded::AlreadyToday) => {
                    self.send(connection, StoredReminder { id, student_id, step: reminder.step }, batch)?;
                }
                Some(why) => store::drop_one(connection, id, why.as_str())?,
            }
        }
        Ok(())
    }
}
