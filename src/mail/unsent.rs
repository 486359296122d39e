//! Counts of emails not sent because of a budget, for the office.

use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::Kind;
use super::budget::Limit;
use crate::base::error::Result;
use crate::storage::statements::{Statements, params};

const HOUR: i64 = 3600;

/// Emails not sent within the last day, by the limit that was reached. Only counts: an attacker could make a list of
/// recipients arbitrarily long.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct NotSent {
    /// Too many of a kind for one mailbox.
    pub mailbox: i64,
    /// Too many caused by one student account.
    pub account: i64,
    /// The daily limit of one address block.
    pub block: i64,
    /// A kind's share of the school's daily limit was used up.
    pub school: i64,
}

impl NotSent {
    /// Reads the counts of the last 24 hours.
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

/// Kind, limit and number of emails not sent within the last 24 hours.
pub fn not_sent(connection: &Connection, now: Timestamp) -> Result<Vec<(Kind, Limit, i64)>> {
    let sql = "select kind, outcome, sum(count) from mail_hours
        where hour > :hour - 24 and hour <= :hour and outcome in ('recipient', 'account', 'block', 'school')
        group by kind, outcome";
    connection.list(sql, params![hour = now.as_second() / HOUR])
}

/// Shares of the daily limit that were used up within the last 24 hours: title, and number of emails not sent.
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

/// Whether the daily limit holds emails back now or did recently, and administrators were not warned within a day.
pub fn is_report_due(connection: &Connection, now: Timestamp) -> Result<bool> {
    let sql = "select exists(select 1 from mail_hours where hour >= :hour - 1 and hour <= :hour and outcome = 'school')
        and not exists(select 1 from mail_hours
            where hour > :hour - 24 and hour <= :hour and kind = :alarm)";
    connection.one(sql, params![hour = now.as_second() / HOUR, alarm = Kind::BudgetAlarm])
}
