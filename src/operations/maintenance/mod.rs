//! Nightly tasks: schedule, outcome and warnings.
//!
//! A [`Task`] defines its name, its interval, how late it may be before administrators are warned, and the advice for
//! them. The rest is common: tasks run one at a time on a low-priority thread; the outcome is stored in `upkeep`; a
//! missed night is made up for soon after the start; a failure is retried after an hour; administrators get an email
//! once a day until it works again, and once then.
//!
//! To add a task, add it to [`TASKS`].

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

pub use self::alert::note_backup;
pub use self::store::{LastRun, failed, last, succeeded};
pub use self::tasks::{BACKUP, DRILL, TASKS};
use crate::base::clock::Clock;
use crate::base::closed_set::closed_set;
use crate::base::error::Result;
use crate::config::Config;
use crate::operations::backup::Busy;
use crate::storage::data_dir::DataDir;
use crate::storage::db::Damaged;
use crate::web::app::App;

/// Value of `by` in the detail of a success: run from the command line or a timer.
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
        /// The restore drill.
        Drill = "drill",
        /// An encrypted archive that was opened with its key, by a command or the drill; no task of the server's own.
        Opened = "opened",
    }
}

/// A task that the server runs at night.
pub struct Task {
    /// Key of its row.
    pub name: TaskName,
    /// Title in emails: "The nightly backup".
    pub title: &'static str,
    /// Nights between two runs.
    pub every_nights: i64,
    /// Age of the last success after which administrators are warned.
    pub late_after: SignedDuration,
    /// Advice for administrators when it fails, in a sentence or two.
    pub advice: &'static str,
    /// Runs the task and returns the detail to display. It may take long.
    pub run: fn(&TaskContext) -> anyhow::Result<Value>,
}

/// Input of a task; no handle of the open database, which has to close when the server stops.
pub struct TaskContext {
    /// The data folder.
    pub data_dir: DataDir,
    /// The configuration.
    pub config: Arc<Config>,
    /// The clock.
    pub clock: Clock,
}

/// Runs due tasks one after the other, and warns the administrators of late ones.
///
/// # Errors
/// Database errors; a failing task is not an error here.
pub async fn run_due(app: &App) -> Result<()> {
    let _alone = app.maintenance.lock().await;
    let nightly_at = app.config.backup.nightly_at;
    for task in TASKS {
        if app.db.damage().is_some() {
            // A backup of a damaged database would displace a good one.
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

/// Whether a task is expected to run: the server runs it at night, or a command ran it last.
pub fn is_watched(config: &Config, last: Option<&LastRun>) -> bool {
    config.backup.nightly_at.is_some() || last.is_some_and(|last| last.detail["by"] == COMMAND)
}

/// Whether the last success is too long ago; for a task that never succeeded, since it was first due.
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
        // A backup is running from the command line; the next run checks again.
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

/// Runs a task on a low-priority thread. A server that stops meanwhile does not wait for it; the next run removes
/// leftovers.
async fn run_on_thread(task: &'static Task, context: TaskContext) -> anyhow::Result<Value> {
    let (sender, receiver) = oneshot::channel();
    std::thread::Builder::new()
        .name("maintenance".into())
        .spawn(move || {
            // On Linux niceness belongs to the thread, so this affects only this one.
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
    // Nights are counted from the night of the last success, whatever its hour.
    match last.succeeded_at {
        None => last.since < tonight,
        Some(succeeded) => last_night(nightly_at, zone, succeeded).is_none_or(|done| {
            // An hour less in spring, and one more as a margin.
            tonight.duration_since(done).as_hours() >= task.every_nights * 24 - 2
        }),
    }
}

/// The last time that the local clock showed the nightly hour.
fn last_night(nightly_at: Time, zone: &TimeZone, now: Timestamp) -> Option<Timestamp> {
    let today = now.to_zoned(zone.clone()).date();
    let at = |date: jiff::civil::Date| {
        // An hour skipped in spring becomes one hour later.
        date.to_datetime(nightly_at).to_zoned(zone.clone()).ok().map(|zoned| zoned.timestamp())
    };
    at(today).filter(|tonight| *tonight <= now).or_else(|| at(today.checked_sub(1.day()).ok()?))
}

#[cfg(test)]
mod tests;
