//! What was not sent for want of a budget: counted for the office, and told to the administrators when
//! the school's day is used up.

use jiff::Timestamp;
use rusqlite::{Connection, named_params};
use serde::Serialize;
use utoipa::ToSchema;

use super::outbox::enqueue;
use super::{Cause, Kind, Letter};
use crate::base::email::Email;
use crate::base::error::Result;
use crate::config::Config;
use crate::staff;
use crate::web::app::App;

const HOUR: i64 = 3600;

/// E-mails that were not sent within the last day, by the limit that was reached. Nobody is named:
/// a list of them would be as long as whoever asks for them likes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct NotSent {
    /// Too many of a kind for one mailbox.
    pub mailbox: i64,
    /// Too many by one student's account.
    pub account: i64,
    /// The school's day was used up.
    pub school: i64,
}

impl NotSent {
    /// Those of the last 24 hours.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn read(connection: &Connection, now: Timestamp) -> Result<Self> {
        let mut found = Self::default();
        for (_, limit, count) in not_sent(connection, now)? {
            match limit.as_str() {
                "recipient" => found.mailbox += count,
                "account" => found.account += count,
                _ => found.school += count,
            }
        }
        Ok(found)
    }

    /// How many those are.
    pub fn total(self) -> i64 {
        self.mailbox + self.account + self.school
    }
}

/// Kind, limit and number of what was not sent within the last 24 hours.
///
/// # Errors
/// When the database cannot be read.
pub fn not_sent(connection: &Connection, now: Timestamp) -> Result<Vec<(String, String, i64)>> {
    let mut select = connection.prepare_cached(
        "select kind, outcome, sum(count) from mail_hours
         where hour > :hour - 24 and hour <= :hour and outcome in ('recipient', 'account', 'school')
         group by kind, outcome",
    )?;
    let rows = select.query_map(named_params! { ":hour": now.as_second() / HOUR }, |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Writes to the administrators, once a day, while e-mails are not sent because the school's day is
/// used up.
///
/// # Errors
/// When the database refuses.
pub async fn tell(app: &App) -> Result<()> {
    let now = app.clock.now();
    if !app.db.read(|connection| is_to_be_told(connection, now)).await? {
        return Ok(());
    }
    let config = app.config.clone();
    app.write_and_post(move |connection| {
        let count = NotSent::read(connection, now)?.school;
        for admin in staff::store::admin_emails(connection)? {
            enqueue(connection, &letter(&admin, count, &config), Cause::Office, &config, now)?;
        }
        Ok(())
    })
    .await
}

/// It happens now or a moment ago, and nobody was told within a day.
fn is_to_be_told(connection: &Connection, now: Timestamp) -> Result<bool> {
    Ok(connection
        .prepare_cached(
            "select exists(select 1 from mail_hours where hour >= :hour - 1 and hour <= :hour and outcome = 'school')
                 and not exists(select 1 from mail_hours
                     where hour > :hour - 24 and hour <= :hour and kind = :alarm)",
        )?
        .query_row(
            named_params! { ":hour": now.as_second() / HOUR, ":alarm": Kind::BudgetAlarm.name() },
            |row| row.get(0),
        )?)
}

fn letter(to: &Email, count: i64, config: &Config) -> Letter {
    Letter::to(Kind::BudgetAlarm, to, "The school's e-mails for today are used up")
        .greeting(None)
        .paragraph(&format!(
            "People outside the office can have the school send {} e-mails within 24 hours: links for \
             registrations and passwords, confirmations of messages and requests. That many were sent, and \
             further ones are not ({} so far). It goes on by itself as soon as there is room.",
            config.mail.strangers_per_day, count
        ))
        .paragraph(
            "What the office causes is sent as always, and messages and requests are kept. But a family that \
             registers or asks for a new password now may wait for an e-mail in vain: \"schoolhouse \
             reset-password --student ADDRESS\" on the server prints a link for them.",
        )
        .paragraph(
            "Most likely a program is filling in the forms; the server's log names the limits that it meets. If \
             it was an ordinary busy day, raise mail.strangers_per_day in the configuration.",
        )
        .button("Open the list of e-mails", &format!("{}/admin/mail", config.public_url()))
}
