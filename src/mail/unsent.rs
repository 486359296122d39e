//! What was not sent for want of a budget, counted for the office.

use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::Kind;
use super::budget::Limit;
use crate::base::error::Result;
use crate::storage::statements::{Statements, params};

const HOUR: i64 = 3600;

/// E-mails that were not sent within the last day, by the limit that was reached. Nobody is named:
/// a list of them would be as long as whoever asks for them likes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct NotSent {
    /// Too many of a kind for one mailbox.
    pub mailbox: i64,
    /// Too many by one student's account.
    pub account: i64,
    /// Too much of the day for one address block.
    pub block: i64,
    /// A kind's share of the school's day was used up.
    pub school: i64,
}

impl NotSent {
    /// Those of the last 24 hours.
    pub fn read(connection: &Connection, now: Timestamp) -> Result<Self> {
        let mut found = Self::default();
        for (_, limit, count) in not_sent(connection, now)? {
            match limit {
                Limit::Recipient => found.mailbox += count,
                Limit::Account => found.account += count,
                Limit::Block => found.block += count,
                Limit::School => found.school += count,
            }
        }
        Ok(found)
    }
}

/// Kind, limit and number of what was not sent within the last 24 hours.
pub fn not_sent(connection: &Connection, now: Timestamp) -> Result<Vec<(Kind, Limit, i64)>> {
    let sql = "select kind, outcome, sum(count) from mail_hours
        where hour > :hour - 24 and hour <= :hour and outcome in ('recipient', 'account', 'block', 'school')
        group by kind, outcome";
    connection.list(sql, params![hour = now.as_second() / HOUR])
}

/// The shares of the day that were used up within the last 24 hours, by their titles, and how many e-mails of each
/// were not sent.
pub fn used_up(connection: &Connection, now: Timestamp) -> Result<Vec<(&'static str, i64)>> {
    let mut shares: Vec<(&str, i64)> = Vec::new();
    for (kind, limit, count) in not_sent(connection, now)? {
        let title = kind.budget().title();
        match shares.iter_mut().find(|(known, _)| *known == title) {
            _ if limit != Limit::School => {}
            Some((_, sum)) => *sum += count,
            None => shares.push((title, count)),
        }
    }
    Ok(shares)
}

/// Whether e-mails are not sent now, or were not a moment ago, because the school's day is used up, and
/// nobody was warned within a day.
pub fn is_report_due(connection: &Connection, now: Timestamp) -> Result<bool> {
    let sql = "select exists(select 1 from mail_hours where hour >= :hour - 1 and hour <= :hour and outcome = 'school')
        and not exists(select 1 from mail_hours
            where hour > :hour - 24 and hour <= :hour and kind = :alarm)";
    connection.one(sql, params![hour = now.as_second() / HOUR, alarm = Kind::BudgetAlarm])
}
