//! The table `enrollment_events`: every transition of every enrollment. Rows are only ever added.

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::{Connection, named_params};

use super::status::EnrollmentStatus;
use crate::audit::By;
use crate::base::error::Result;

/// A transition.
#[derive(Debug, Clone, Copy)]
pub struct Event<'a> {
    /// The enrollment.
    pub enrollment_id: i64,
    /// Who did it.
    pub by: By,
    /// The state before; none for a new request.
    pub from: Option<EnrollmentStatus>,
    /// The state after.
    pub to: EnrollmentStatus,
    /// Why, in words that the student reads.
    pub reason: Option<&'a str>,
    /// The day from which it counts, where that is not today.
    pub effective_on: Option<Date>,
    /// The final mark.
    pub mark: Option<i64>,
}

impl Event<'_> {
    /// A transition that needs no further words.
    pub fn new(enrollment_id: i64, by: By, from: Option<EnrollmentStatus>, to: EnrollmentStatus) -> Self {
        Self { enrollment_id, by, from, to, reason: None, effective_on: None, mark: None }
    }

    /// Records it, in the transaction of the change.
    pub fn record(self, connection: &Connection, now: Timestamp) -> Result<()> {
        connection
            .prepare_cached(
                "insert into enrollment_events (enrollment_id, at, actor_kind, user_id, from_status,
                     to_status, reason, effective_on, mark)
                 values (:enrollment_id, :at, :actor_kind, :user_id, :from, :to, :reason, :effective_on,
                     :mark)",
            )?
            .execute(named_params! {
                ":enrollment_id": self.enrollment_id, ":at": now.as_second(),
                ":actor_kind": self.by.kind(), ":user_id": self.by.user_id(), ":from": self.from,
                ":to": self.to, ":reason": self.reason,
                ":effective_on": self.effective_on.map(|date| date.to_string()), ":mark": self.mark,
            })?;
        Ok(())
    }
}
