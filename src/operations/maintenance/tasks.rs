//! The tasks.

use anyhow::{Context, anyhow, bail};
use jiff::SignedDuration;
use serde_json::{Value, json};

use super::{Task, TaskContext, TaskName, audit_chain};
use crate::config::{self, ServerProcess};
use crate::operations::backup::places::Place;
use crate::operations::backup::{self, Drilled, FinishedBackup, Incomplete, Stage};
use crate::storage::db::integrity::Depth;
use crate::storage::db::{self, Damaged};

/// All tasks, in order of execution.
pub const TASKS: [&Task; 4] = [&INTEGRITY, &AUDIT, &BACKUP, &DRILL];

/// Nightly check of every page, index and foreign key; before the backup, which must be of a sound database.
pub static INTEGRITY: Task = Task {
    name: TaskName::Integrity,
    title: "The nightly check of the database",
    every_nights: 1,
    late_after: SignedDuration::from_hours(26),
    advice: "Please have a look at the server: \"schoolhouse doctor --full\" says what it finds there. It is \
        retried every hour, and you will get an email when it works again.",
    run: check_integrity,
};

/// Nightly check of the audit trail's chain; before the backup, which then holds checked data.
pub static AUDIT: Task = Task {
    name: TaskName::Audit,
    title: "The nightly check of the audit trail",
    every_nights: 1,
    late_after: SignedDuration::from_hours(26),
    advice: "The records of who did what may have been changed outside the program. \"schoolhouse doctor\" says \
        where; keep a copy of the data folder and of the last backups before anything else is done.",
    run: audit_chain::check,
};

/// The nightly backup.
pub static BACKUP: Task = Task {
    name: TaskName::Backup,
    title: "The nightly backup",
    every_nights: 1,
    // A day, and two hours for a large backup.
    late_after: SignedDuration::from_hours(26),
    advice: "Please have a look at the server: run \"schoolhouse doctor\" there, make room on the disk if it \
        is full, and take a backup by hand with \"schoolhouse backup\". It is retried every hour, and you \
        will get an email when it works again.",
    run: back_up,
};

/// The weekly restore into a temporary folder.
pub static DRILL: Task = Task {
    name: TaskName::Drill,
    title: "The weekly restore drill",
    every_nights: 7,
    late_after: SignedDuration::from_hours(8 * 24),
    advice: "The backups may be unusable. Please have a look at the server: run \"schoolhouse doctor\" there, \
        take a new backup with \"schoolhouse backup\", and check it with \"schoolhouse verify\". It is retried \
        every hour, and you will get an email when it works again.",
    run: drill,
};

fn check_integrity(context: &TaskContext) -> anyhow::Result<Value> {
    let connection = db::connect(&context.data_dir.database())?;
    match db::integrity::check(&connection, Depth::Full).context("checking the database")? {
        Some(found) => bail!(Damaged(found)),
        None => Ok(json!({})),
    }
}

fn back_up(context: &TaskContext) -> anyhow::Result<Value> {
    let settings = &context.config.backup;
    let place = Place::of(&context.data_dir, settings.folder()).map_err(|error| explain(error, context))?;
    place.ensure_mounted(&db::connect(&context.data_dir.database())?)?;
    let made = backup::backup(
        &context.data_dir,
        settings.folder(),
        &settings.age_recipient,
        &context.config,
        &context.clock,
        &mut silence,
    )
    .map_err(|error| explain(error, context))?;
    for path in made.thin_older(settings.keep)? {
        tracing::info!("deleted {}, which is no longer needed", path.display());
    }
    let FinishedBackup { path, missing } = made;
    if !missing.is_empty() {
        tracing::error!("{}", Incomplete(missing.clone()));
    }
    let size_bytes = path.metadata().context("the archive")?.len();
    Ok(
        json!({ "file": path.display().to_string(), "size_bytes": size_bytes, "missing": missing, "place": place }),
    )
}

/// Replaces the system's bare "Read-only file system" with the actual obstacle of the configured folder, if there is
/// one.
fn explain(error: anyhow::Error, context: &TaskContext) -> anyhow::Error {
    let own = ServerProcess::Running(std::process::id());
    match config::obstacle_to_backups(&context.config, &context.data_dir, own) {
        Some(obstacle) => anyhow!("{}", config::in_one_line(&obstacle)),
        None => error,
    }
}

fn drill(context: &TaskContext) -> anyhow::Result<Value> {
    let settings = &context.config.backup;
    let Drilled { contents, opened } =
        backup::drill(&context.data_dir, settings.folder(), &context.config, &context.clock, &mut silence)?;
    let mut detail = json!({
        "created_at": contents.created_at.to_string(),
        "students": contents.counts.students,
        "documents": contents.counts.documents,
        "enrollments": contents.counts.enrollments,
        "size_bytes": contents.bytes,
    });
    if let Some(archive) = opened {
        detail["opened"] = archive.display().to_string().into();
    }
    Ok(detail)
}

fn silence(_: Stage, _: u64, _: u64) {}
