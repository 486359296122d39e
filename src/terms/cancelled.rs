//! The table `cancelled_classes`: single classes that do not take place.

use std::collections::HashMap;

use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::TimeOfDay;
use crate::base::error::Result;
use crate::storage::statements::{Statements, from_row, params};

/// A class that does not take place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CancelledClass {
    /// The date at the school.
    pub date: Date,
    /// When it would have begun; null for every class of that day.
    #[schema(value_type = Option<String>, required)]
    pub starts_at: Option<TimeOfDay>,
    /// Why.
    pub reason: String,
}

from_row!(CancelledClass { date = "held_on", starts_at, reason });

impl CancelledClass {
    /// Whether it is the class of this date and hour.
    pub fn is(&self, date: Date, starts_at: TimeOfDay) -> bool {
        self.date == date && self.starts_at.is_none_or(|at| at == starts_at)
    }
}

struct CancelledClassRow {
    section_id: i64,
    class: CancelledClass,
}

from_row!(CancelledClassRow { section_id } and class);

/// The cancelled classes of some sections, by section, in order; `ids` is a JSON list of numbers.
pub fn of_sections(connection: &Connection, ids: &str) -> Result<HashMap<i64, Vec<CancelledClass>>> {
    let sql = "select x.section_id, x.held_on, x.starts_at, x.reason
        from json_each(:ids) i cross join cancelled_classes x on x.section_id = i.value
        order by x.section_id, x.held_on, x.starts_at";
    let mut found: HashMap<i64, Vec<CancelledClass>> = HashMap::new();
    for CancelledClassRow { section_id, class } in connection.list(sql, params![ids])? {
        found.entry(section_id).or_default().push(class);
    }
    Ok(found)
}

/// The cancelled classes of a section, in order.
pub fn list(connection: &Connection, section_id: i64) -> Result<Vec<CancelledClass>> {
    let sql = "select held_on, starts_at, reason from cancelled_classes
        where section_id = :section_id order by held_on, starts_at";
    connection.list(sql, params![section_id])
}

/// Adds one.
pub fn add(connection: &Connection, section_id: i64, class: &CancelledClass) -> Result<()> {
    let sql = "insert into cancelled_classes (section_id, held_on, starts_at, reason)
        values (:section_id, :date, :starts_at, :reason)";
    let CancelledClass { date, starts_at, reason } = class;
    connection.run(sql, params![section_id, date = date.to_string(), starts_at, reason])
}

/// Removes one.
pub fn remove(connection: &Connection, section_id: i64, class: &CancelledClass) -> Result<()> {
    let sql = "delete from cancelled_classes
        where section_id = :section_id and held_on = :date and starts_at is :starts_at";
    let CancelledClass { date, starts_at, .. } = class;
    connection.run(sql, params![section_id, date = date.to_string(), starts_at])
}
