//! The table `enrollment_events`: every transition of every enrollment. Rows are only added.

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::status::EnrollmentStatus;
use super::store;
use super::verb::Verb;
use crate::audit::By;
use crate::base::error::Result;
use crate::enrollments::requests::requirements::Requirement;
use crate::storage::statements::{Statements, from_row, params};

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
        let sql = "insert into enrollment_events (enrollment_id, at, actor_kind, user_id, verb, from_status,
                to_status, reason, effective_on, mark, decision_id, undoes_id, overrides, missing, before)
            values (:enrollment_id, :at, :actor_kind, :user_id, :verb, :from, :to, :reason,
                :effective_on, :mark, :decision_id, :undoes_id, :overrides, :missing, :before)";
        let values = params! {
            enrollment_id = self.enrollment_id, at = now.as_second(), actor_kind = self.by.kind(),
            user_id = self.by.user_id(), verb = self.verb, from = self.from, to = self.to,
            reason = self.reason, effective_on = self.effective_on,
            mark = self.mark, decision_id = self.decision, undoes_id = self.undoes_id,
            overrides = self.overrides.map(Value::to_string),
            missing = self.missing.map(|all| json!(all).to_string()), before,
        };
        connection.run(sql, values)
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
    let sql = "select id, enrollment_id, verb, from_status, to_status, before from enrollment_events
        where decision_id = :decision order by id";
    connection.list(sql, params![decision])
}

from_row!(Decided { id, enrollment_id, verb, from = "from_status", to = "to_status", before });

/// The number of an enrollment's newest transition.
pub fn last(connection: &Connection, enrollment_id: i64) -> Result<Option<i64>> {
    let sql =
        "select id from enrollment_events where enrollment_id = :enrollment_id order by id desc limit 1";
    connection.find(sql, params![enrollment_id])
}

/// Whether a seat of the same course was given to another student after this event of an enrollment, and was
/// not taken back.
pub fn is_seat_given_since(connection: &Connection, enrollment_id: i64, event_id: i64) -> Result<bool> {
    // The cross join makes SQLite start with the few events since then instead of all enrollments of the course.
    let sql =
        "select exists (select 1 from enrollment_events g cross join enrollments e on e.id = g.enrollment_id
            where g.id > :event_id and e.id <> :enrollment_id
                and e.course_id = (select course_id from enrollments where id = :enrollment_id)
                and (g.verb in ('offer_place', 'change_dates', 'undo')
                    or (g.to_status = 'active' and g.from_status <> 'active'))
                and not exists (select 1 from enrollment_events u where u.undoes_id = g.id))";
    connection.one(sql, params![enrollment_id, event_id])
}
