//! What the office should know of a student at a glance, and filters its list by.

use jiff::civil::Date;
use rusqlite::{Connection, ToSql};

use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::Result;
use crate::config::Office;
use crate::staff::Duty;
use crate::storage::waiting::Waits;
use crate::students::{age, lacks};

closed_set! {
    /// Something about a student that the office may have to do something about.
    pub enum StudentFlag {
        /// Nobody has proved the mailbox.
        Unverified = "unverified",
        /// Name, birth date, telephone number or address are missing.
        ProfileIncomplete = "profile_incomplete",
        /// A document waits for review.
        DocumentWaiting = "document_waiting",
        /// A request for a course waits.
        RequestWaiting = "request_waiting",
        /// Under 18, or of unknown age, and no parent or guardian has confirmed.
        GuardianNotConfirmed = "guardian_not_confirmed",
        /// An active course is past its last day and has no mark.
        PastEndNoMark = "past_end_no_mark",
        /// Under 18.
        Under18 = "under_18",
        /// In Canada to study.
        International = "international",
        /// Shut out for a while.
        Suspended = "suspended",
        /// Shut out for good.
        Closed = "closed",
    }
}

impl StudentFlag {
    /// The condition in SQL on the student `s`; reads `:today` and `:of_age`. Each is a look into an index.
    pub fn condition(self, office: &Office) -> &'static str {
        match self {
            Self::Unverified => "s.status = 'unverified'",
            Self::ProfileIncomplete => lacks::no_profile(office),
            Self::DocumentWaiting => {
                "exists (select 1 from student_documents d
                     where d.student_id = s.id and d.status = 'pending_review')"
            }
            Self::RequestWaiting => {
                "exists (select 1 from enrollments e where e.student_id = s.id and e.status = 'pending')"
            }
            Self::GuardianNotConfirmed => lacks::no_guardian(office),
            Self::PastEndNoMark => {
                "exists (select 1 from enrollments e indexed by enrollments_running
                     where e.student_id = s.id and e.status = 'active' and e.final_mark is null
                         and e.end_date < :today)"
            }
            Self::Under18 => "(s.date_of_birth > :of_age)",
            Self::International => "s.canadian_status = 'international_student'",
            Self::Suspended => "s.status = 'suspended'",
            Self::Closed => "s.status = 'closed'",
        }
    }

    /// Students who have a request that waits while a parent or guardian still has to confirm.
    ///
    /// # Errors
    /// Of the database.
    pub fn guardians_waiting(connection: &Connection, today: Date) -> Result<Waits> {
        // Few requests wait: they lead to their students.
        let sql = format!(
            "select count(*) as count, min(since) as oldest from (
                 select min(e.created_at) as since from enrollments e indexed by enrollments_requested
                     cross join students s on s.id = e.student_id
                 where e.status = 'pending' and s.status <> 'closed' and {}
                 group by e.student_id)",
            // Asked only where the office asks for guardians at all.
            Self::GuardianNotConfirmed.condition(&Office::default())
        );
        Waits::read(connection, &sql, &*FlagDates::new(today).parameters(&sql))
    }

    /// What a role may know: whoever reads no records sees what concerns accounts and courses.
    pub fn known_to(duties: &[Duty]) -> Vec<Self> {
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

/// The two days that the conditions compare with.
#[derive(Debug, Clone)]
pub struct FlagDates {
    today: String,
    of_age: String,
}

impl FlagDates {
    /// As of a day at the school.
    pub fn new(today: Date) -> Self {
        Self { today: today.to_string(), of_age: age::last_birth_of_age(today) }
    }

    /// Those that a statement names.
    pub fn parameters(&self, sql: &str) -> Vec<(&'static str, &dyn ToSql)> {
        let all: [(&'static str, &dyn ToSql); 2] = [(":today", &self.today), (":of_age", &self.of_age)];
        all.into_iter().filter(|(name, _)| sql.contains(name)).collect()
    }
}
