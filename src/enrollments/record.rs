//! A student's enrollments with events, for the student's page in the office.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::status::EnrollmentStatus;
use super::verb::Verb;
use super::{Enrollment, store};
use crate::audit::ActorKind;
use crate::base::error::Result;
use crate::enrollments::requests::requirements::Requirement;
use crate::storage::columns::stored_as_json;
use crate::storage::statements::{Statements, from_row, params};

/// An enrollment and its events.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordedEnrollment {
    /// The enrollment.
    #[serde(flatten)]
    pub enrollment: Enrollment,
    /// All transitions, oldest first.
    pub events: Vec<RecordedEvent>,
}

/// A transition of an enrollment.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordedEvent {
    /// Number of the event.
    pub id: i64,
    /// What happened.
    #[schema(required)]
    pub verb: Option<Verb>,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor_kind: ActorKind,
    /// Username of the staff member.
    #[schema(required)]
    pub by: Option<String>,
    /// The state before; none for a new request.
    #[schema(required)]
    pub from: Option<EnrollmentStatus>,
    /// The state after.
    pub to: EnrollmentStatus,
    /// Why.
    #[schema(required)]
    pub reason: Option<String>,
    /// The day from which it counts, where that is not the day of the event.
    #[schema(required)]
    pub effective_on: Option<Date>,
    /// The mark that it is about.
    #[schema(required)]
    pub mark: Option<i64>,
    /// What was missing at the approval; null if not recorded or not visible to the role.
    #[schema(required)]
    pub missing: Option<Vec<Requirement>>,
    /// Whether it undoes an earlier one.
    pub is_undo: bool,
}

stored_as_json!(Vec<Requirement>);

struct EventRow {
    enrollment_id: i64,
    event: RecordedEvent,
}

from_row!(EventRow { enrollment_id } and event);
from_row!(RecordedEvent {
    id, verb, at, actor_kind, by = "username", from = "from_status", to = "to_status", reason, effective_on, mark,
    missing, is_undo,
});

/// A student's enrollments, newest first, with their events. What was missing concerns records.
pub fn of_student(
    connection: &Connection,
    student_id: i64,
    reads_records: bool,
) -> Result<Vec<RecordedEnrollment>> {
    let mut events = events(connection, student_id)?;
    if !reads_records {
        events.values_mut().flatten().for_each(|event| event.missing = None);
    }
    let enrollments = store::list_for_student(connection, student_id)?;
    let with_events = |enrollment: Enrollment| {
        let events = events.remove(&enrollment.id).unwrap_or_default();
        RecordedEnrollment { enrollment, events }
    };
    Ok(enrollments.into_iter().map(with_events).collect())
}

fn events(connection: &Connection, student_id: i64) -> Result<HashMap<i64, Vec<RecordedEvent>>> {
    let sql = "select v.enrollment_id, v.id, v.verb, v.at, v.actor_kind, u.username, v.from_status, v.to_status,
            coalesce(v.reason, v.overrides ->> '$.early') as reason, v.effective_on, v.mark, v.missing, v.undoes_id is not null as is_undo
        from enrollments e join enrollment_events v on v.enrollment_id = e.id
            left join users u on u.id = v.user_id
        where e.student_id = :student_id order by v.id";
    let mut events: HashMap<i64, Vec<RecordedEvent>> = HashMap::new();
    for EventRow { enrollment_id, event } in connection.list(sql, params![student_id])? {
        events.entry(enrollment_id).or_default().push(event);
    }
    Ok(events)
}
