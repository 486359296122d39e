//! Emails to administrators about the server: a task that is overdue or works again, an exhausted limit, a damaged
//! database.

use jiff::Timestamp;

use super::{LastRun, Task};
use crate::base::email::Email;
use crate::config::Config;
use crate::mail::{EmailMessage, Kind};
use crate::operations::age;

/// A task is overdue.
pub fn overdue(to: &Email, task: &Task, last: &LastRun, now: Timestamp, config: &Config) -> EmailMessage {
    EmailMessage::to(Kind::Alarm, to, &format!("{} is overdue", task.title))
        .greeting(None)
        .paragraph(&state(task, last, now))
        .paragraph(task.advice)
        .button("Open the dashboard", &dashboard(config))
}

/// A task that was overdue has succeeded.
pub fn works_again(to: &Email, task: &Task, config: &Config) -> EmailMessage {
    EmailMessage::to(Kind::Alarm, to, &format!("{} works again", task.title))
        .greeting(None)
        .paragraph(&format!("{} succeeded again. There is nothing left to do.", task.title))
        .button("Open the dashboard", &dashboard(config))
}

fn dashboard(config: &Config) -> String {
    format!("{}/admin/dashboard", config.public_url())
}

fn state(task: &Task, last: &LastRun, now: Timestamp) -> String {
    let age = age(now.duration_since(last.succeeded_at.unwrap_or(last.since)));
    let since = match last.succeeded_at {
        Some(_) => format!("{} last succeeded {age} ago.", task.title),
        None => format!("{} has been due for {age} and has never succeeded.", task.title),
    };
    match &last.failure {
        Some(reason) => format!("{since} The last attempt failed: {}.", reason.trim_end_matches('.')),
        None => since,
    }
}

/// A limit of daily emails to people outside the office is used up; `shares` has its title and the number of unsent
/// emails.
pub fn limit_used_up(to: &Email, shares: &[(&'static str, i64)], config: &Config) -> EmailMessage {
    let counts: Vec<_> = shares.iter().map(|(title, count)| (*title, count.to_string())).collect();
    let facts: Vec<_> = counts.iter().map(|(title, count)| (*title, count.as_str())).collect();
    EmailMessage::to(Kind::BudgetAlarm, to, "Today's limit of emails is used up")
        .greeting(None)
        .paragraph(&format!(
            "People outside the office can have the school send {} emails within 24 hours, and each kind has a \
             share of them. These are used up, with so many emails not sent so far; it goes on by itself as soon \
             as there is room.",
            config.mail.strangers_per_day
        ))
        .facts(&facts)
        .paragraph(
            "What the office causes is sent as always, and messages and requests are kept. But a family that \
             registers or asks for a new password now may wait for an email in vain: \"schoolhouse \
             reset-password --student ADDRESS\" on the server prints a link for them.",
        )
        .paragraph(
            "Most likely a program is filling in the forms; the server's log names the limits that it meets. If \
             it was an ordinary busy day, raise mail.strangers_per_day in the configuration.",
        )
        .button("Open the list of emails", &format!("{}/admin/mail", config.public_url()))
}

/// The database is damaged.
pub fn database_damaged(to: &Email, found: &str) -> EmailMessage {
    EmailMessage::to(Kind::Alarm, to, "The school's database is damaged")
        .greeting(None)
        .paragraph(&format!(
            "The site is in read-only mode: everything can be read and nothing can be changed, so that the \
             damage does not spread. What was found: {found}."
        ))
        .paragraph(
            "Please log in to the server, stop schoolhouse, and restore the last backup with \
             \"schoolhouse restore ARCHIVE\". The current data is kept aside. If it happens again, the disk is \
             failing.",
        )
}
