//! What accepted applications still wait for: a student, where the program linked none, a deposit that an offer asked
//! for, and the student who opens the account. A deposit waits from its day on, or from the acceptance, until it is paid, the fee is taken back,
//! or the admission is cancelled; nothing follows from it by itself.

use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::deposits::{self, OPEN, PAID, WAIVED};
use super::status::AdmissionRequestStatus;
use super::unopened::IS_UNOPENED;
use crate::base::closed_set::{ClosedSet as _, closed_set};
use crate::base::error::Result;
use crate::staff::Colleague;
use crate::storage::statements::{Statements, params};
use crate::storage::waiting::Waits;

closed_set! {
    /// What an accepted application waits for.
    pub enum AdmissionWait {
        /// The office links it to a student, or gives the account that the family does not know another address.
        Student = "student",
        /// A deposit is due.
        Deposit = "deposit",
        /// The student has not opened the account.
        Account = "account",
    }
}

impl AdmissionWait {
    /// SQL: the application `q` with its admission `a` and offer `o`, since when it waits.
    fn rows(self) -> String {
        match self {
            Self::Student => "select q.id, q.state_since as since
                from admission_requests q indexed by admission_requests_without_student
                    cross join admissions a on a.request_id = q.id
                where q.status = 'accepted' and q.student_id is null and a.status = 'active'
                union all
                select q.id, q.state_since
                from admission_requests q indexed by admission_requests_disowned
                    cross join admissions a on a.request_id = q.id cross join students s on s.id = q.student_id
                where q.disowned_email is not null and q.disowned_email = s.email and a.status = 'active'"
                .to_owned(),
            Self::Deposit => format!(
                "select a.request_id as id, coalesce({day}, date(o.accepted_at, 'unixepoch')) as since
                 from admission_offers o indexed by admission_offers_deposit
                     cross join admissions a on a.offer_id = o.id
                 where o.deposit_cents is not null and o.accepted_at is not null and a.status = 'active'
                     and coalesce(o.deposit_due_on, '') <= :today and coalesce({day}, '') <= :today
                     and {PAID} + {WAIVED} < {} and {OPEN} > 0",
                deposits::asked(),
                day = deposits::day()
            ),
            Self::Account => format!(
                "select q.id, q.state_since as since
                 from students s indexed by students_state
                     cross join admission_requests q indexed by admission_requests_student on q.student_id = s.id
                     cross join admissions a on a.request_id = q.id
                 where {IS_UNOPENED} and q.status = 'accepted' and a.status = 'active'"
            ),
        }
    }

    /// SQL: an application of `admission_requests` waits for it. Takes `:today`.
    pub fn condition(self) -> String {
        format!("id in (select id from ({}))", self.rows())
    }

    /// Number that wait, and since when.
    pub fn waiting(self, connection: &Connection, today: Date) -> Result<Waits> {
        let sql = format!(
            "select count(*) as count, min(since) as oldest from ({}) where :today = :today",
            self.rows()
        );
        Waits::read(connection, &sql, params![today = today.to_string()])
    }
}

/// Number of applications in a state.
#[derive(Debug, Serialize, ToSchema)]
pub struct StatusCount {
    status: AdmissionRequestStatus,
    count: i64,
}

/// Number of applications that wait for something.
#[derive(Debug, Serialize, ToSchema)]
pub struct WaitCount {
    waits: AdmissionWait,
    count: i64,
}

/// What the office's list can be narrowed down to, with its numbers.
#[derive(Debug, Serialize, ToSchema)]
pub struct AdmissionCounts {
    /// Every state.
    statuses: Vec<StatusCount>,
    /// What accepted applications wait for.
    waits: Vec<WaitCount>,
    /// Those who work on an open one, by name.
    assignees: Vec<Colleague>,
}

impl AdmissionCounts {
    /// Counts them.
    pub fn read(connection: &Connection, today: Date) -> Result<Self> {
        let statuses = AdmissionRequestStatus::ALL.iter();
        let statuses = statuses
            .map(|&status| {
                let sql = "select count(*) from admission_requests where status = :status";
                Ok(StatusCount { status, count: connection.one(sql, params![status])? })
            })
            .collect::<Result<_>>()?;
        let waits = AdmissionWait::ALL.iter();
        let waits = waits
            .map(|&waits| Ok(WaitCount { waits, count: waits.waiting(connection, today)?.count }))
            .collect::<Result<_>>()?;
        let sql = "select u.id, u.username from users u where exists (
                select 1 from admission_requests q indexed by admission_requests_open
                where q.assignee_id = u.id
                    and q.status in ('pending', 'in_review', 'info_requested', 'waitlisted', 'offered'))
            order by u.username";
        Ok(Self { statuses, waits, assignees: connection.list(sql, [])? })
    }
}
