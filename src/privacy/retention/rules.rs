//! The table `retention`: rules with the day from which they hold. Rows are only ever added.

use anyhow::anyhow;
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::{RetentionAction, RetentionClass, RetentionSince};
use crate::base::closed_set::ClosedSet;
use crate::base::error::Result;
use crate::storage::statements::{Statements, from_row, params};

/// How long a kind of thing is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RetentionRule {
    /// What.
    pub class: RetentionClass,
    /// For how many years; null: for good.
    #[schema(required)]
    pub years: Option<i16>,
    /// From when they are counted.
    pub since: RetentionSince,
    /// What happens then.
    pub action: RetentionAction,
    /// The day from which the rule holds.
    pub in_force_from: Date,
    /// Why so long.
    pub reason: String,
}

/// Rules that hold on a day, of every kind of thing, and those that begin later.
pub(super) fn list(connection: &Connection, today: Date) -> Result<Vec<RetentionRule>> {
    let mut all = Vec::new();
    for class in RetentionClass::ALL {
        all.push(in_force(connection, *class, today)?);
        let sql = "select class, years, since, action, in_force_from, reason from retention
            where class = :class and in_force_from > :today order by in_force_from, id";
        all.extend(connection.list::<RetentionRule>(sql, params![class, today = today.to_string()])?);
    }
    Ok(all)
}

/// The rule that holds on a day.
pub(super) fn in_force(connection: &Connection, class: RetentionClass, today: Date) -> Result<RetentionRule> {
    let sql = "select class, years, since, action, in_force_from, reason from retention
        where class = :class and in_force_from <= :today order by in_force_from desc, id desc limit 1";
    let found = connection.find(sql, params![class, today = today.to_string()])?;
    Ok(found.ok_or_else(|| anyhow!("no rule says how long {} are kept", class.as_str()))?)
}

/// Adds a rule that follows another; what it counts from and what happens then stay.
pub(super) fn add(connection: &Connection, new: &RetentionRule, user_id: i64, now: Timestamp) -> Result<()> {
    let sql =
        "insert into retention (class, years, since, action, in_force_from, reason, created_by, created_at)
        values (:class, :years, :since, :action, :in_force_from, :reason, :user_id, :now)";
    let values = params! {
        class = new.class, years = new.years, since = new.since, action = new.action,
        in_force_from = new.in_force_from.to_string(), reason = new.reason, user_id, now = now.as_second(),
    };
    connection.run(sql, values)
}

from_row!(RetentionRule { class, years, since, action, in_force_from, reason });
