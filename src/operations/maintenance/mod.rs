//! The nightly tasks: what is due, how it went, and who must be warned.
//!
//! A [`Task`] says what it is called, when it is due, how late it may become before the
//! administrators are warned, and what they can do then. The rest is the same for all: it runs on a
//! low-priority thread of its own, one at a time; how it went is a row of `upkeep` that survives a
//! restart; a missed night is made up for soon after the start; a failure is retried after an hour;
//! the administrators are mailed once a day until it works again, and once then.
//!
//! A further task is a further entry of [`TASKS`].

mod alert;
pub mod audit_chain;
pub mod damage;
mod emails;
mod store;
mod tasks;
pub mod unsent;

use std::sync::Arc;

use anyhow::{Context, anyhow};
use jiff::civil::Time;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use serde_json::Value;
use tokio::sync::oneshot;

pub use self::alert::note_lost_files;
pub use self::store::{LastRun, last, succeeded};
pub use self::tasks::{BACKUP, DRILL, TASKS};
use crate::base::clock::Clock;
use crate::base::closed_set::closed_set;
use crate::base::error::Result;
use crate::config::Config;
use crate::operations::backup::Busy;
use crate::storage::data_dir::DataDir;
use crate::storage::db::Damaged;
use crate::web::app::App;

/// In the detail of a success under `by`: somebody did it from the command line, or a timer.
pub const COMMAND: &str = "command";
/// The pause after a failure.
const RETRY_AFTER: SignedDuration = SignedDuration::from_hours(1);

closed_set! {
    /// The name of a task.
    pub enum TaskName {
        /// The check of the database.
        Integrity = "integrity",
        /// The check of the audit trail.
        Audit = "audit",
        /// The backup.
        Backup = "backup",
        /// The restore on trial.
        Drill = "drill",
    }
}

/// Something that the server does by itself at night.
pub struct Task {
    /// Its row.
    pub name: TaskName,
    /// What an e-mail calls it: "The nightly backup".
    pub title: &'static str,
    /// How many nights lie between two runs.
    pub every_nights: i64,
    /// How old the last success may become before the administrators are warned.
    pub late_after: SignedDuration,
    /// What the administrators can do when it fails, in a sentence or two.
    pub advice: &'static str,
    /// Does it and returns what a person is shown of it. It may take its time.
    pub run: fn(&TaskContext) -> anyhow::Result<Value>,
}

/// What a task gets: no handle on the open database, which has to close when the server stops.
pub struct TaskContext {
    /// The data folder.
    pub data_dir: DataDir,
    /// The configuration.
    pub config: Arc<Config>,
    /// The time.
    pub clock: Clock,
}

/// Runs the tasks that are due, one after the other, and warns the administrators of those that are late.
///
/// # Errors
/// When the database refuses; a task that fails is no error here.
pub async fn run_due(app: &App) -> Result<()> {
    let _alone = app.maintenance.lock().await;
    let nightly_at = app.config.backup.nightly_at;
    for task in TASKS {
        if app.db.damage().is_some() {
            // A backup of what can be read of a damaged database would push out a good one.
            return Ok(());
        }
        if let Some(nightly_at) = nightly_at {
            let now = app.clock.now();
            let last = app.db.write(move |connection| store::begin(connection, task.name, now)).await?;
            if is_due(task, &last, nightly_at.0, &app.config.school().zone(), now) {
                run(app, task).await?;
            }
        }
        alert::send_if_late(app, task).await?;
    }
    Ok(())
}

/// Whether a task is expected to run: the server does it every night, or a command did it the last time.
pub fn is_watched(config: &Config, last: Option<&LastRun>) -> bool {
    config.backup.nightly_at.is_some() || last.is_some_and(|last| last.detail["by"] == COMMAND)
}

/// Whether the last success is too long ago; for a task that never succeeded, its beginning counts.
pub fn is_late(task: &Task, last: Option<&LastRun>, now: Timestamp) -> bool {
    last.is_some_and(|last| now.duration_since(last.succeeded_at.unwrap_or(last.since)) > task.late_after)
}

async fn run(app: &App, task: &'static Task) -> Result<()> {
    let context =
        TaskContext { data_dir: app.data_dir.clone(), config: app.config.clone(), clock: app.clock.clone() };
    let outcome = run_on_thread(task, context).await;
    let now = app.clock.now();
    match outcome {
        Ok(detail) => {
            tracing::info!("{} succeeded", task.title.to_lowercase());
            app.write_and_notify(alert::success(app, task, detail, now)).await
        }
        // Somebody is running one from the command line; the next run checks again.
        Err(error) if error.is::<Busy>() => Ok(()),
        Err(error) => {
            if let Some(Damaged(found)) = error.downcast_ref() {
                // From here on nothing can be recorded; `damage` warns the administrators.
                app.db.declare_damaged(found);
                return Ok(());
            }
            tracing::error!("{} failed: {error:#}", task.title.to_lowercase());
            let reason = format!("{error:#}");
            app.db.write(move |connection| store::failed(connection, task.name, &reason, now)).await
        }
    }
}

/// Runs a task on a thread that yields to every other one of the server. When the server stops
/// meanwhile, nobody waits for it: what it leaves behind is removed by the next one.
async fn run_on_thread(task: &'static Task, context: TaskContext) -> anyhow::Result<Value> {
    let (sender, receiver) = oneshot::channel();
    std::thread::Builder::new()
        .name("maintenance".into())
        .spawn(move || {
            // On Linux niceness belongs to the thread, so only this one yields.
            if let Err(error) = rustix::process::nice(10) {
                tracing::debug!("the maintenance thread keeps its priority: {error}");
            }
            let _ = sender.send((task.run)(&context));
        })
        .context("starting a thread")?;
    receiver.await.map_err(|_| anyhow!("it panicked"))?
}

fn is_due(task: &Task, last: &LastRun, nightly_at: Time, zone: &TimeZone, now: Timestamp) -> bool {
    if last.failure.is_some() && last.tried_at.is_some_and(|tried| now.duration_since(tried) < RETRY_AFTER) {
        return false;
    }
    let Some(tonight) = last_night(nightly_at, zone, now) else { return false };
    // A week of nights is counted from the night of the last success, whatever the hour was.
    match last.succeeded_at {
        None => last.since < tonight,
        Some(succeeded) => last_night(nightly_at, zone, succeeded).is_none_or(|done| {
            // An hour less in spring, and two to be sure.
            tonight.duration_since(done).as_hours() >= task.every_nights * 24 - 2
        }),
    }
}

/// The last time that the clock on the wall showed the nightly hour.
fn last_night(nightly_at: Time, zone: &TimeZone, now: Timestamp) -> Option<Timestamp> {
    let today = now.to_zoned(zone.clone()).date();
    let at = |date: jiff::civil::Date| {
        // An hour that the clock skips in spring is taken an hour later.
        date.to_datetime(nightly_at).to_zoned(zone.clone()).ok().map(|zoned| zoned.timestamp())
    };
    at(today).filter(|tonight| *tonight <= now).or_else(|| at(today.checked_sub(1.day()).ok()?))
}

#[cfg(test)]
mod tests;
