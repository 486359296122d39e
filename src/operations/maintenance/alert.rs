//! Emails to the administrators: daily while a task is overdue, and once when it works again.

use anyhow::Context;
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use serde_json::{Value, json};

use super::{Task, TaskName, emails, is_late, is_watched, store};
use crate::base::email::Email;
use crate::base::error::Result;
use crate::config::Config;
use crate::documents::faults::{self, LostFile};
use crate::mail::{self, Cause, EmailMessage};
use crate::operations::backup::MissingFile;
use crate::operations::backup::places::Place;
use crate::staff;
use crate::web::app::App;

/// Slightly less than a day, so that the email comes at the same hour.
const REMIND_AFTER: SignedDuration = SignedDuration::from_hours(23);

/// Emails the administrators when a task is late, at most once a day.
pub(super) async fn send_if_late(app: &App, task: &'static Task) -> Result<()> {
    let now = app.clock.now();
    let last = app.db.read(|connection| store::last(connection, task.name)).await?;
    let Some(last) =
        last.filter(|last| is_watched(&app.config, Some(last)) && is_late(task, Some(last), now))
    else {
        return Ok(());
    };
    if last.alerted_at.is_some_and(|alerted| now.duration_since(alerted) < REMIND_AFTER) {
        return Ok(());
    }
    let config = app.config.clone();
    app.write_and_notify(move |connection| {
        write(connection, &config, now, |to| emails::overdue(to, task, &last, now, &config))?;
        store::alerted(connection, task.name, Some(now))
    })
    .await
}

/// Records a success, and emails the all-clear if a failure was reported before.
pub(super) fn success(
    app: &App,
    task: &'static Task,
    detail: Value,
    now: Timestamp,
) -> impl FnOnce(&Connection) -> Result<()> + use<> {
    let config = app.config.clone();
    move |connection| {
        let was_warned = store::last(connection, task.name)?.is_some_and(|last| last.alerted_at.is_some());
        store::succeeded(connection, task.name, &detail, now)?;
        note_backup(connection, &detail, &config, now)?;
        if was_warned {
            write(connection, &config, now, |to| emails::works_again(to, task, &config))?;
            store::alerted(connection, task.name, None)?;
        }
        Ok(())
    }
}

/// Records what a backup or a drill found: lost document files, for the office; where the archive went; which archive
/// was opened with its key.
///
/// # Errors
/// Database errors.
pub fn note_backup(connection: &Connection, detail: &Value, config: &Config, now: Timestamp) -> Result<()> {
    if let Some(place) = detail.get("place") {
        let place: Place = serde_json::from_value(place.clone()).context("where a backup went")?;
        place.note(connection, now)?;
    }
    if let Some(opened) = detail.get("opened") {
        store::succeeded(connection, TaskName::Opened, &json!({ "file": opened }), now)?;
    }
    let Some(missing) = detail.get("missing") else { return Ok(()) };
    let missing: Vec<MissingFile> = serde_json::from_value(missing.clone()).context("what a backup lacks")?;
    let lost = missing.into_iter().map(|file| LostFile { sha256: file.recorded.sha256, fault: file.fault });
    faults::note_all(connection, &lost.collect::<Vec<_>>(), config, now)
}

/// Queues an email to each of the administrators.
fn write(
    connection: &Connection,
    config: &Config,
    now: Timestamp,
    message: impl Fn(&Email) -> EmailMessage,
) -> Result<()> {
    for admin in staff::store::admin_emails(connection)? {
        mail::outbox::enqueue(connection, &message(&admin), Cause::Office, config, now)?;
    }
    Ok(())
}
