//! Checks of automatic tasks (backups, drills, emails) and of the school's facts.

use jiff::{SignedDuration, Timestamp, ToSpan as _};

use super::{CheckContext, CheckOutcome, Status, database_of, ok, problem, warning};
use crate::accounts::old_browser;
use crate::mail::{self, EmailStatus, unsent::NotSent};
use crate::operations::age;
use crate::operations::maintenance::{self, LastRun, Task, TaskName};
use crate::storage::statements::{Statements, params};

/// Mail that waits longer than this many seconds is a warning.
const OLDEST_MAIL: i64 = 3600;
/// Days for which a browser with other time-zone rules is a warning.
const OLD_BROWSER: i64 = 30;
/// An encrypted archive is to be opened with its key once a year, with a margin.
const OPEN_WITHIN: SignedDuration = SignedDuration::from_hours(400 * 24);

pub(super) fn backup(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    let advice = "Take one now: `schoolhouse backup`. The server takes one every night.";
    let outcome = task(context, &maintenance::BACKUP, advice)?;
    let connection = database_of!(context);
    let missing = match connection.table_exists(None, "upkeep")? {
        true => maintenance::last(connection, maintenance::BACKUP.name)?
            .and_then(|last| last.detail["missing"].as_array().map(Vec::len)),
        false => None,
    };
    Ok(match missing {
        Some(count @ 1..) if outcome.status == Status::Ok => warning(
            format!("{}; it is usable and lacks {count} lost documents", outcome.found),
            "See Documents.",
        ),
        _ => outcome,
    })
}

pub(super) fn drill(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    let advice = "Try an archive now: `schoolhouse verify ARCHIVE`. The server tries one every week.";
    let outcome = task(context, &maintenance::DRILL, advice)?;
    if context.config.backup.age_recipient.is_empty() || outcome.status != Status::Ok {
        return Ok(outcome);
    }
    let opened = maintenance::last(database_of!(context), TaskName::Opened)?;
    let ago = opened.and_then(|last| last.succeeded_at).map(|at| context.now.duration_since(at));
    let words = match ago {
        Some(ago) => format!("an archive was last opened with its key {} ago", age(ago)),
        None => "no archive was ever opened with its key".into(),
    };
    let found = format!("{}, on a copy that is not encrypted; {words}", outcome.found);
    Ok(match ago {
        Some(ago) if ago < OPEN_WITHIN => ok(found),
        _ => warning(
            found,
            "Try one with the key, which need not stay on this machine: from the computer that has it, run \
             `ssh root@SERVER schoolhouse verify ARCHIVE --identity /dev/stdin < key.txt`. That is recorded here.",
        ),
    })
}

fn task(context: &CheckContext<'_>, task: &Task, advice: &str) -> anyhow::Result<CheckOutcome> {
    let connection = database_of!(context);
    // Databases of older versions lack this table.
    let last = match connection.table_exists(None, "upkeep")? {
        true => maintenance::last(connection, task.name)?,
        false => None,
    };
    let Some(last) = last else { return Ok(warning("never yet", advice)) };
    let ago = |at: Timestamp| format!("{} ago", age(context.now.duration_since(at)));
    let success = last.succeeded_at.map_or_else(|| "never succeeded".into(), ago);
    let is_late = maintenance::is_late(task, Some(&last), context.now);
    Ok(match last {
        LastRun { failure: Some(failure), .. } => {
            problem(format!("the last attempt failed ({failure}); the last good one: {success}"), advice)
        }
        _ if is_late => problem(format!("overdue: {success}"), advice),
        LastRun { succeeded_at: None, .. } => warning("never yet", advice),
        _ => ok(success),
    })
}

/// The portals show the school's hours by the server's rules; a reader's own come from the browser's.
pub(super) fn browsers(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    let connection = database_of!(context);
    // Databases of older versions lack this table.
    let seen = match connection.table_exists(None, "old_browsers")? {
        true => old_browser::last_seen(connection)?,
        false => None,
    };
    let today = context.now.to_zoned(context.config.school().zone()).date();
    Ok(match seen.filter(|day| day.saturating_add(OLD_BROWSER.days()) >= today) {
        Some(day) => warning(
            format!("a portal was used on {day} with other time-zone rules than the school's"),
            "Update the browsers at the school. Elsewhere the school's hours are right too, and come first.",
        ),
        None => ok(format!("none with other time-zone rules within {OLD_BROWSER} days")),
    })
}

/// Unset facts are left out of pages and emails.
pub(super) fn facts(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    let school = context.config.school();
    let missing: Vec<_> = school.missing_facts().iter().map(|fact| fact.key).collect();
    let advice =
        "Set them under [school] of the configuration, or in the office: Site Settings, School facts.";
    Ok(match (school.is_named(), &*missing) {
        (false, _) => warning("the site shows a sample school: school.name is not set", advice),
        (true, []) => ok(format!("{}: all are set", school.name)),
        (true, missing) => {
            let placeholders = match &*context.config.school_file.placeholders() {
                [] => String::new(),
                keys => format!("; still the sample's in the configuration: {}", keys.join(", ")),
            };
            warning(format!("not set: {}{placeholders}", missing.join(", ")), advice)
        }
    })
}

pub(super) fn outbox(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    let connection = database_of!(context);
    let count = |state: EmailStatus| -> Option<i64> {
        let sql = "select count(*) from outbox where state = :state";
        connection.one(sql, params![state]).ok()
    };
    let (Some(queued), Some(dead)) = (count(EmailStatus::Queued), count(EmailStatus::Dead)) else {
        return Ok(ok("none yet"));
    };
    let oldest = mail::oldest_due_age(connection, context.now).unwrap_or(None).unwrap_or(0);
    let advice = "See Mail server; the office can send emails again under Mail.";
    if oldest > OLDEST_MAIL {
        let oldest = age(SignedDuration::from_secs(oldest));
        return Ok(problem(format!("{} waiting, the oldest for {oldest}", emails(queued)), advice));
    }
    // Databases of older versions lack this table.
    let not_sent = match connection.table_exists(None, "mail_hours")? {
        true => NotSent::read(connection, context.now)?,
        false => NotSent::default(),
    };
    if not_sent.school > 0 {
        let found = format!(
            "the daily limit of emails was used up: {} not sent within the last 24 hours",
            not_sent.school
        );
        let advice = "Read the log: most likely a program fills in the forms. After an ordinary busy day raise \
                      mail.strangers_per_day.";
        return Ok(warning(found, advice));
    }
    if dead > 0 {
        return Ok(warning(format!("{} could not be delivered, {queued} waiting", emails(dead)), advice));
    }
    Ok(ok(format!("{} waiting, none undeliverable", emails(queued))))
}

fn emails(count: i64) -> String {
    format!("{count} email{}", if count == 1 { "" } else { "s" })
}
