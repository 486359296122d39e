//! The table `enrollment_events`: every transition of every enrollment. Rows are only added.

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::{Connection, OptionalExtension};
use serde_json::{Value, json};

use super::status::EnrollmentStatus;
use super::store;
use super::verb::Verb;
use crate::audit::By;
use crate::base::error::Result;
use crate::enrollments::requests::requirements::Requirement;
use crate::storage::statements::params;

/// A transition.
#[derive(Debug, Clone, Copy)]
pub struct Event<'a> {
    /// The enrollment.
    pub enrollment_id: i64,
    /// Who did it.
    pub by: By,
    /// What was done.
    pub verb: Verb,
    /// The state before; none for a new request.
    pub from: Option<EnrollmentStatus>,
    /// The state after.
    pub to: EnrollmentStatus,
    /// Reason for the student.
    pub reason: Option<&'a str>,
    /// The day from which it counts, where that is not today.
    pub effective_on: Option<Date>,
    /// The final mark.
    pub mark: Option<i64>,
    /// The decision of the office that made it.
    pub decision: Option<&'a str>,
    /// The transition that it undoes.
    pub undoes_id: Option<i64>,
    /// Reasons for deciding without required items.
    pub overrides: Option<&'a Value>,
    /// What was missing when it was approved.
    pub missing: Option<&'a [Requirement]>,
}

impl Event<'_> {
    /// A transition without further details.
    pub fn new(
        enrollment_id: i64,
        by: By,
        verb: Verb,
        from: Option<EnrollmentStatus>,
        to: EnrollmentStatus,
    ) -> Self {
        Self {
            enrollment_id,
            by,
            verb,
            from,
            to,
            reason: None,
            effective_on: None,
            mark: None,
            decision: None,
            undoes_id: None,
            overrides: None,
            missing: None,
        }
    }

    /// Records it before the change, in the same transaction, with the old row for undoing.
    pub fn record(self, connection: &Connection, now: Timestamp) -> Result<()> {
        let before = match self.from {
            Some(_) => Some(store::snapshot(connection, self.enrollment_id)?),
            None => None,
        };
        connection
            .prepare_cached(
                "insert into enrollment_events (enrollment_id, at, actor_kind, user_id, verb, from_status,
                     to_status, reason, effective_on, mark, decision_id, undoes_id, overrides, missing, before)
                 values (:enrollment_id, :at, :actor_kind, :user_id, :verb, :from, :to, :reason,
                     :effective_on, :mark, :decision_id, :undoes_id, :overrides, :missing, :before)",
            )?
            .execute(params![enrollment_id = self.enrollment_id, at = now.as_second(), actor_kind = self.by.kind(), user_id = self.by.user_id(), verb = self.verb, from = self.from, to = self.to, reason = self.reason, effective_on = self.effective_on.map(|date| date.to_string()), mark = self.mark, decision_id = self.decision, undoes_id = self.undoes_id, overrides = self.overrides.map(Value::to_string), missing = self.missing.map(|all| json!(all).to_string()), before])?;
        Ok(())
    }
}

/// A transition that a decision of the office made.
#[derive(Debug)]
pub struct Decided {
    /// Number of the event.
    pub id: i64,
    /// The enrollment.
    pub enrollment_id: i64,
    /// What was done.
    pub verb: Verb,
    /// The state before; none for a new request.
    pub from: Option<EnrollmentStatus>,
    /// The state after.
    pub to: EnrollmentStatus,
    /// The row as it was before.
    pub before: Option<String>,
}

/// The transitions that a decision made, in their order.
pub fn of_decision(connection: &Connection, decision: &str) -> Result<Vec<Decided>> {
    let rows = connection
        .prepare_cached(
            "select id, enrollment_id, verb, from_status, to_status, before from enrollment_events
             where decision_id = :decision order by id",
        )?
        .query_map(params![decision], |row| {
            Ok(Decided {
                id: row.get("id")?,
                enrollment_id: row.get("enrollment_id")?,
                verb: row.get("verb")?,
                before: row.get("before")?,
                from: row.get("from_status")?,
                to: row.get("to_status")?,
            })
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(rows)
}

/// The number of an enrollment's newest transition.
pub fn last(connection: &Connection, enrollment_id: i64) -> Result<Option<i64>> {
    Ok(connection
        .prepare_cached(
            "select id from enrollment_events where enrollment_id = :enrollment_id order by id desc limit 1",
        )?
        .query_row(params![enrollment_id], |row| row.get(0))
        .optional()?)
}

/// Whether a seat of the same course was given to another student after this event of an enrollment, and was
/// not taken back.
pub fn is_seat_given_since(connection: &Connection, enrollment_id: i64, event_id: i64) -> Result<bool> {
    // The cross join makes SQLite start with the few events since then instead of all enrollments of the course.
    Ok(connection
        .prepare_cached(
            "select exists (select 1 from enrollment_events g cross join enrollments e on e.id = g.enrollment_id
                 where g.id > :event_id and e.id <> :enrollment_id
                     and e.course_id = (select course_id from enrollments where id = :enrollment_id)
                     and (g.verb in ('offer_place', 'change_dates', 'undo')
                         or (g.to_status = 'active' and g.from_status <> 'active'))
                     and not exists (select 1 from enrollment_events u where u.undoes_id = g.id))",
        )?
        .query_row(params![enrollment_id, event_id], |row| row.get(0))?)
}
