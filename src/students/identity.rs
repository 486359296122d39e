//! Identity of students: profile changes are recorded field by field, and identifying data needs another review if it
//! changes after a check or an approval. Only comparing name and birth date with an accepted document is a check; an
//! approval is not.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::Student;
use super::confirmations;
use super::history::{self, HistoryChange};
use crate::audit::{self, ActingStaff, By};
use crate::base::change::Change;
use crate::base::clock::from_seconds;
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::Result;
use crate::config::Config;
use crate::storage::statements::{Statements, from_row, params};

closed_set! {
    /// An identifying field, by wire name.
    pub enum IdentityField {
        /// The full name.
        FullName = "fullName",
        /// The date of birth.
        DateOfBirth = "dateOfBirth",
        /// The status in Canada.
        CanadianStatus = "canadianStatus",
        /// The parent's or guardian's name.
        ParentName = "parentName",
        /// How to reach them.
        ParentContact = "parentContact",
    }
}

impl IdentityField {
    /// Label, if the field identifies the student.
    fn identity_label(self) -> Option<&'static str> {
        match self {
            Self::FullName => Some("Full name"),
            Self::DateOfBirth => Some("Date of birth"),
            Self::CanadianStatus => Some("Canadian status"),
            Self::ParentName | Self::ParentContact => None,
        }
    }
}

/// Differences between two profiles, by wire name.
fn differences(before: &Student, after: &Student) -> Vec<(&'static str, Option<String>, Option<String>)> {
    let pairs = before.profile.facts().into_iter().zip(after.profile.facts());
    pairs.filter(|(old, new)| old != new).map(|((field, old), (_, new))| (field, old, new)).collect()
}

/// Changes of a profile, for the audit trail.
pub fn audited(before: &Student, after: &Student) -> Map<String, Value> {
    let changes = differences(before, after).into_iter();
    changes.map(|(field, old, new)| (field.to_owned(), json!({ "from": old, "to": new }))).collect()
}

/// Records the changes of a profile, and voids checks of changed fields. Returns the labels of changed identifying
/// fields, if the student had been checked or approved.
pub fn record_changes(
    connection: &Connection,
    by: By,
    student: Change<&Student>,
    reason: Option<&str>,
    config: &Config,
    now: Timestamp,
) -> Result<Vec<&'static str>> {
    let Change { before, after } = student;
    let changes = differences(before, after);
    for (field, old, new) in &changes {
        let change = HistoryChange { field, before: old.as_deref(), after: new.as_deref(), reason };
        // What the office looks at again is read row by row, with its times.
        let is_looked_at = IdentityField::ALL.iter().any(|one| one.as_str() == *field);
        let add = if is_looked_at { history::add } else { history::add_or_extend };
        add(connection, before.id, by, change, now)?;
    }
    confirmations::void_if_replaced(connection, by, student, config, now)?;
    let is_changed = |one: &&IdentityField| changes.iter().any(|(field, _, _)| *field == one.as_str());
    let changed: Vec<_> =
        IdentityField::ALL.iter().filter(is_changed).filter_map(|field| field.identity_label()).collect();
    let checked_at = checked_at(connection, before.id)?;
    let is_known =
        checked_at.is_some() || before.profile.full_name.is_some() && is_approved(connection, before.id)?;
    if changed.is_empty() || !is_known {
        return Ok(Vec::new());
    }
    if by == By::Student {
        let sql = "update students set identity_changed_at = :now where id = :id";
        connection.run(sql, params![id = before.id, now = now.as_second()])?;
        return Ok(changed);
    }
    // Changes by the office need no review, but void an earlier check.
    let compared = |student: &Student| (student.profile.full_name.clone(), student.profile.date_of_birth);
    if let Some(checked_at) = checked_at.filter(|_| compared(before) != compared(after)) {
        let sql = "update students set identity_checked_at = null, identity_checked_by = null where id = :id";
        connection.run(sql, params![id = before.id])?;
        let date = checked_at.to_zoned(config.school().zone()).date().to_string();
        let change = HistoryChange { field: CHECKED, before: Some(&date), after: None, reason };
        history::add(connection, before.id, by, change, now)?;
    }
    Ok(changed)
}

/// Field name of a check in the history.
const CHECKED: &str = "identityChecked";

/// When the office last compared name and birth date with a document.
pub fn checked_at(connection: &Connection, id: i64) -> Result<Option<Timestamp>> {
    let sql = "select identity_checked_at from students where id = :id";
    let seconds: Option<i64> = connection.one(sql, params![id])?;
    Ok(seconds.map(from_seconds))
}

fn is_approved(connection: &Connection, id: i64) -> Result<bool> {
    let sql = "select exists (select 1 from enrollments where student_id = :id and approved_at is not null)";
    connection.one(sql, params![id])
}

/// Records that a staff member compared name and birth date with a document and reviewed the changes.
pub fn confirm(
    connection: &Connection,
    id: i64,
    is_compared: bool,
    staff: ActingStaff<'_>,
    now: Timestamp,
) -> Result<()> {
    let sql = "update students set identity_checked_at = iif(:is_compared, :now, identity_checked_at),
            identity_checked_by = iif(:is_compared, :user_id, identity_checked_by),
            identity_changed_at = null, guardian_changed_at = null
        where id = :id";
    connection.run(sql, params![id, is_compared, user_id = staff.id, now = now.as_second()])?;
    if is_compared {
        let change = HistoryChange { field: CHECKED, before: None, after: Some("compared"), reason: None };
        history::add(connection, id, By::Staff(staff.id), change, now)?;
    }
    audit::record(connection, staff.actor, "confirm identity", "student", id, json!({}), now)
}

/// Whether there is something to compare with a document: a full name and a date of birth.
pub fn is_comparable(connection: &Connection, id: i64) -> Result<bool> {
    let sql = "select full_name is not null and date_of_birth is not null from students where id = :id";
    connection.one(sql, params![id])
}

/// Records that a staff member compared name and birth date with the accepted document, which also covers earlier
/// changes.
pub fn check(connection: &Connection, id: i64, staff: ActingStaff<'_>, now: Timestamp) -> Result<()> {
    let checked =
        IdentityCheck { checked_at: Some(now.as_second()), checked_by: Some(staff.id), changed_at: None };
    checked.restore(connection, id)?;
    let change = HistoryChange { field: CHECKED, before: None, after: Some("compared"), reason: None };
    history::add(connection, id, By::Staff(staff.id), change, now)?;
    audit::record(connection, staff.actor, "confirm identity", "student", id, json!({}), now)
}

/// Voids the current check, because its document is reviewed again.
pub fn void(connection: &Connection, id: i64, by: By, zone: &TimeZone, now: Timestamp) -> Result<()> {
    let Some(checked_at) = checked_at(connection, id)? else { return Ok(()) };
    let unchecked =
        IdentityCheck { checked_at: None, checked_by: None, ..IdentityCheck::of(connection, id)? };
    unchecked.restore(connection, id)?;
    let date = checked_at.to_zoned(zone.clone()).date().to_string();
    let reason = Some("The document is looked at again");
    let change = HistoryChange { field: CHECKED, before: Some(&date), after: None, reason };
    history::add(connection, id, by, change, now)
}

/// A student's identity check, with times in Unix seconds.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IdentityCheck {
    /// Time of the check.
    pub checked_at: Option<i64>,
    /// Id of the staff member who checked.
    pub checked_by: Option<i64>,
    /// Time at which an identifying fact changed since.
    pub changed_at: Option<i64>,
}

from_row!(IdentityCheck { checked_at, checked_by, changed_at });

impl IdentityCheck {
    /// That of a student.
    pub fn of(connection: &Connection, id: i64) -> Result<Self> {
        let sql = "select identity_checked_at as checked_at, identity_checked_by as checked_by,
                identity_changed_at as changed_at
            from students where id = :id";
        connection.one(sql, params![id])
    }

    /// Writes it back.
    pub fn restore(self, connection: &Connection, id: i64) -> Result<()> {
        let Self { checked_at, checked_by, changed_at } = self;
        let sql = "update students set identity_checked_at = :checked_at, identity_checked_by = :checked_by,
                identity_changed_at = :changed_at
            where id = :id";
        connection.run(sql, params![id, checked_at, checked_by, changed_at])
    }
}

/// When what waits for the office changed last; none where nothing waits.
pub fn changed_at(connection: &Connection, id: i64) -> Result<Option<Timestamp>> {
    let sql = "select nullif(max(coalesce(identity_changed_at, 0), coalesce(guardian_changed_at, 0)), 0)
        from students where id = :id";
    let seconds: Option<i64> = connection.one(sql, params![id])?;
    Ok(seconds.map(from_seconds))
}
