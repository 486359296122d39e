//! Sections whose teacher has another class at the same hour: a warning, never a refusal.

use std::collections::HashMap;

use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::cancelled::{self, CancelledClass};
use super::{Section, TimeOfDay};
use crate::base::error::Result;
use crate::storage::statements::{Statements, from_row, params};

/// Another section with the same teacher at the same hour.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Clash {
    /// Number of the other section.
    pub section_id: i64,
    /// Its course's code.
    pub course_code: String,
    /// Its label.
    pub label: String,
    /// 1 (Monday) to 7.
    pub weekday: i8,
    /// When the later of the two begins, such as `19:00`.
    #[schema(value_type = String)]
    pub starts_at: TimeOfDay,
}

struct ClashRow {
    id: i64,
    clash: Clash,
}

from_row!(Clash { section_id = "other_id", course_code = "code", label, weekday, starts_at });
from_row!(ClashRow { id } and clash);

/// A section in the office.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SectionRow {
    /// The section.
    #[serde(flatten)]
    pub section: Section,
    /// Other sections with the same teacher at the same hour, on days that both have.
    pub clashes: Vec<Clash>,
    /// Classes that do not take place, in order.
    pub cancelled_classes: Vec<CancelledClass>,
}

/// Some sections with their clashes, also with sections that are not among them, and their cancelled classes.
pub fn with_clashes(connection: &Connection, sections: Vec<Section>) -> Result<Vec<SectionRow>> {
    let ids = serde_json::to_string(&sections.iter().map(|section| section.id).collect::<Vec<_>>());
    let ids = ids.map_err(anyhow::Error::new)?;
    let sql = "select distinct x.id, y.id as other_id, c.code, y.label, a.weekday,
            max(a.starts_at, b.starts_at) as starts_at
        from json_each(:ids) i
            cross join sections x on x.id = i.value
            cross join sections y indexed by sections_teacher on y.teacher_name = x.teacher_name and y.id <> x.id
                and y.starts_on <= x.ends_on and y.ends_on >= x.starts_on
            cross join meetings a on a.section_id = x.id
            cross join meetings b on b.section_id = y.id and b.weekday = a.weekday and b.starts_at < a.ends_at
                and b.ends_at > a.starts_at
            cross join courses c on c.id = y.course_id
        where x.status <> 'cancelled' and y.status <> 'cancelled'
        order by x.id, a.weekday, starts_at, y.id";
    let mut clashes: HashMap<i64, Vec<Clash>> = HashMap::new();
    for ClashRow { id, clash } in connection.list(sql, params![ids])? {
        clashes.entry(id).or_default().push(clash);
    }
    let mut cancelled = cancelled::of_sections(connection, &ids)?;
    let row = |section: Section| SectionRow {
        clashes: clashes.remove(&section.id).unwrap_or_default(),
        cancelled_classes: cancelled.remove(&section.id).unwrap_or_default(),
        section,
    };
    Ok(sections.into_iter().map(row).collect())
}
