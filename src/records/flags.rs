//! Flags of students, for display and for filtering the list.

use std::borrow::Cow;

use jiff::civil::Date;
use rusqlite::{Connection, ToSql};

use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::Result;
use crate::config::Office;
use crate::staff::Duty;
use crate::storage::waiting::Waits;
use crate::students::{age, lacks};

closed_set! {
    /// A flag of a student that may need action.
    pub enum StudentFlag {
        /// The email address is not verified.
        Unverified = "unverified",
        /// Name, birth date, telephone number or address are missing.
        ProfileIncomplete = "profile_incomplete",
        /// A document waits for review.
        DocumentWaiting = "document_waiting",
        /// A request for a course waits.
        RequestWaiting = "request_waiting",
        /// Under 18 or of unknown age, without a guardian's confirmation.
        GuardianNotConfirmed = "guardian_not_confirmed",
        /// An active course is past its last day and has no mark.
        PastEndNoMark = "past_end_no_mark",
        /// Under 18.
        Under18 = "under_18",
        /// In Canada to study.
        International = "international",
        /// Suspended.
        Suspended = "suspended",
        /// Closed.
        Closed = "closed",
    }
}

impl StudentFlag {
    /// The condition in SQL on the student `s`; reads `:today` and `:of_age`. Each uses an index.
    pub fn condition(self, office: &Office) -> Cow<'static, str> {
        let condition = match self {
            Self::Unverified => "s.status = 'unverified'",
            Self::ProfileIncomplete => lacks::no_profile(office),
            Self::DocumentWaiting => {
                "exists (select 1 from student_documents d indexed by student_documents_waiting
                     where d.student_id = s.id and d.status = 'pending_review')"
            }
            Self::RequestWaiting => {
                "exists (select 1 from enrollments e where e.student_id = s.id and e.status = 'pending')"
            }
            Self::GuardianNotConfirmed => return lacks::no_guardian(office).into(),
            Self::PastEndNoMark => {
                "exists (select 1 from enrollments e indexed by enrollments_running
                     where e.student_id = s.id and e.status = 'active' and e.final_mark is null
                         and e.end_date < :today)"
            }
            Self::Under18 => "(s.date_of_birth > :of_age)",
            Self::International => "s.canadian_status = 'international_student'",
            Self::Suspended => "s.status = 'suspended'",
            Self::Closed => "s.status = 'closed'",
        };
        condition.into()
    }

    /// Counts students with a pending request and a missing guardian confirmation.
    ///
    /// # Errors
    /// Database errors.
    pub fn guardians_waiting(connection: &Connection, office: &Office, today: Date) -> Result<Waits> {
        // Starts from the few pending requests.
        let sql = format!(
            "select count(*) as count, min(since) as oldest from (
                 select min(e.created_at) as since from enrollments e indexed by enrollments_requested
                     cross join students s on s.id = e.student_id
                 where e.status = 'pending' and s.status <> 'closed' and {}
                 group by e.student_id)",
            Self::GuardianNotConfirmed.condition(office)
        );
        Waits::read(connection, &sql, &*FlagDates::new(today).parameters(&sql))
    }

    /// Flags visible to a role: without access to records, only those about accounts and courses.
    pub fn visible_to(duties: &[Duty]) -> Vec<Self> {
        let reads_records = duties.contains(&Duty::Records);
        let is_known = |flag: &Self| match flag {
            Self::Unverified
            | Self::RequestWaiting
            | Self::PastEndNoMark
            | Self::Suspended
            | Self::Closed => true,
            Self::ProfileIncomplete
            | Self::DocumentWaiting
            | Self::GuardianNotConfirmed
            | Self::Under18
            | Self::International => reads_records,
        };
        Self::ALL.iter().copied().filter(is_known).collect()
    }
}

/// The two dates used by the conditions.
#[derive(Debug, Clone)]
pub struct FlagDates {
    today: String,
    of_age: String,
}

impl FlagDates {
    /// The dates for a day at the school.
    pub fn new(today: Date) -> Self {
        Self { today: today.to_string(), of_age: age::last_birth_of_age(today) }
    }

    /// The parameters that a statement uses.
    pub fn parameters(&self, sql: &str) -> Vec<(&'static str, &dyn ToSql)> {
        let all: [(&'static str, &dyn ToSql); 2] = [(":today", &self.today), (":of_age", &self.of_age)];
        all.into_iter().filter(|(name, _)| sql.contains(name)).collect()
    }
}
