//! The table `retention`: rules with their effective dates. Rows are only added.

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

/// Retention rule of a class of data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RetentionRule {
    /// Class of data.
    pub class: RetentionClass,
    /// Retention in years; null means forever.
    #[schema(required)]
    pub years: Option<i16>,
    /// Start of the period.
    pub since: RetentionSince,
    /// Action after the period.
    pub action: RetentionAction,
    /// Effective date.
    pub in_force_from: Date,
    /// Reason for the period.
    pub reason: String,
}

/// The rules of all classes in force on a date, and future ones.
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

/// The rule in force on a date.
pub(super) fn in_force(connection: &Connection, class: RetentionClass, today: Date) -> Result<RetentionRule> {
    let sql = "select class, years, since, action, in_force_from, reason from retention
        where class = :class and in_force_from <= :today order by in_force_from desc, id desc limit 1";
    let found = connection.find(sql, params![class, today = today.to_string()])?;
    Ok(found.ok_or_else(|| anyhow!("no rule says how long {} are kept", class.as_str()))?)
}

/// Adds a rule; start and action stay as in the previous one.
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
