//! The sections in which a student is enrolled, and their dated classes.

use std::collections::HashMap;

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use rusqlite::Connection;

use super::ics::Revision;
use crate::base::dates::DateRange;
use crate::base::error::Result;
use crate::enrollments::seats::sections::SEES_LINKS;
use crate::storage::statements::{Statements, from_row, params};
use crate::terms::cancelled::CancelledClass;
use crate::terms::{Meeting, Occurrence, SectionStatus, occurrences};

/// A section in which a student is enrolled.
#[derive(Debug)]
pub struct OwnSection {
    /// Number of the section.
    pub id: i64,
    /// The course's code.
    pub code: String,
    /// The course's name.
    pub name: String,
    /// Label.
    pub label: String,
    /// The teacher.
    pub teacher_name: Option<String>,
    /// Changes of what its classes show.
    pub changes: Changes,
    status: SectionStatus,
    first: Date,
    last: Date,
    days_off: Vec<Date>,
    meetings: Vec<Meeting>,
    cancelled: Vec<CancelledClass>,
}

struct SectionRow {
    id: i64,
    code: String,
    name: String,
    label: String,
    teacher_name: Option<String>,
    status: SectionStatus,
    first: Date,
    last: Date,
    days_off: Vec<Date>,
    changes: Changes,
}

from_row!(SectionRow { id, code, name, label, teacher_name, status, first, last, days_off } and changes);

/// Changes of a section, its term, its course's name and the student's enrollment in it.
#[derive(Debug, Clone, Copy)]
pub struct Changes {
    count: i64,
    last: Timestamp,
    enrolled_from: Date,
    enrolled_until: Date,
}

from_row!(Changes { count = "changes", last = "changed_at", enrolled_from, enrolled_until });

impl Changes {
    /// What a reader of a day has to know. Links appear the day before the enrollment and go after it, which changes what
    /// is read as well.
    pub fn at(&self, today: Date, zone: &TimeZone) -> Revision {
        let days = [self.enrolled_from.saturating_sub(1.day()), self.enrolled_until.saturating_add(1.day())];
        let passed: Vec<Date> = days.into_iter().filter(|day| *day <= today).collect();
        let midnight = |day: &Date| zone.to_zoned(day.to_datetime(Time::midnight())).ok();
        let times = passed.iter().filter_map(midnight).map(|at| at.timestamp());
        Revision {
            // Of three numbers: dates that move put a day ahead again, but not without a change.
            sequence: 3 * self.count + i64::try_from(passed.len()).unwrap_or_default(),
            changed_at: times.fold(self.last, Timestamp::max),
        }
    }
}

struct CancelledClassRow {
    section_id: i64,
    class: CancelledClass,
}

from_row!(CancelledClassRow { section_id } and class);

struct MeetingRow {
    section_id: i64,
    meeting: Meeting,
}

from_row!(MeetingRow { section_id } and meeting);

impl OwnSection {
    /// Its classes from one day to another at the school, as far as the student is enrolled then.
    pub fn classes(&self, days: DateRange, zone: &TimeZone) -> Vec<Occurrence<'_>> {
        let days = DateRange { first: self.first.max(days.first), last: self.last.min(days.last) };
        occurrences(&self.meetings, days, &self.days_off, zone)
    }

    /// First and last day of its classes.
    pub fn days(&self) -> DateRange {
        DateRange { first: self.first, last: self.last }
    }

    /// Whether a class does not take place.
    pub fn is_cancelled(&self, class: &Occurrence<'_>) -> bool {
        let is_cancelled = |one: &CancelledClass| one.is(class.date, class.meeting.starts_at);
        self.status == SectionStatus::Cancelled || self.cancelled.iter().any(is_cancelled)
    }
}

/// Transitions of a student's enrollments in the section `s`, without those that no calendar shows.
const OWN_EVENTS: &str = "enrollments o indexed by enrollments_student_course
    cross join enrollment_events v on v.enrollment_id = o.id
    where o.student_id = e.student_id and o.course_id = e.course_id and o.section_id = s.id
        and coalesce(v.verb, '') not in ('midterm', 'correct_mark', 'ask_to_leave', 'stay', 'refuse_leave')";

/// The sections of a student's active enrollments; their meetings have links where the student sees them.
pub fn sections(connection: &Connection, student_id: i64, today: Date) -> Result<Vec<OwnSection>> {
    let sql = format!(
        "select s.id, c.code, c.name, s.label, s.teacher_name, s.status,
            max(e.start_date, s.starts_on) as first, min(e.end_date, s.ends_on) as last,
            coalesce(t.days_off, '[]') as days_off,
            e.start_date as enrolled_from, e.end_date as enrolled_until,
            (select count(*) from section_events v where v.section_id = s.id) + coalesce(t.version - 1, 0) + c.renames
                + (select count(*) from {OWN_EVENTS}) as changes,
            max(s.created_at, coalesce(t.changed_at, 0), coalesce(c.renamed_at, 0),
                coalesce((select max(v.at) from section_events v where v.section_id = s.id), 0),
                coalesce((select max(v.at) from {OWN_EVENTS}), 0)) as changed_at
        from enrollments e indexed by enrollments_student_course cross join sections s on s.id = e.section_id cross join courses c on c.id = e.course_id
            left join terms t on t.id = s.term_id
        where e.student_id = :student_id and e.status = 'active' order by c.code, s.id"
    );
    let rows: Vec<SectionRow> = connection.list(&sql, params![student_id])?;
    let sql = format!(
        "select m.section_id, m.id as meeting_id, m.weekday, m.starts_at, m.ends_at, iif({SEES_LINKS}, m.link, null) as link
         from enrollments e indexed by enrollments_student_course cross join meetings m on m.section_id = e.section_id
         where e.student_id = :student_id and e.status = 'active' order by m.section_id, m.weekday, m.starts_at"
    );
    let mut meetings: HashMap<i64, Vec<Meeting>> = HashMap::new();
    for MeetingRow { section_id, meeting } in
        connection.list(&sql, params![student_id, today = today.to_string()])?
    {
        meetings.entry(section_id).or_default().push(meeting);
    }
    let sql = "select x.section_id, x.held_on, x.starts_at, x.reason
        from enrollments e indexed by enrollments_student_course cross join cancelled_classes x on x.section_id = e.section_id
        where e.student_id = :student_id and e.status = 'active'";
    let mut cancelled: HashMap<i64, Vec<CancelledClass>> = HashMap::new();
    for CancelledClassRow { section_id, class } in connection.list(sql, params![student_id])? {
        cancelled.entry(section_id).or_default().push(class);
    }
    let own = |row: SectionRow| {
        let SectionRow { id, code, name, label, teacher_name, status, first, last, days_off, changes } = row;
        let meetings = meetings.remove(&id).unwrap_or_default();
        let cancelled = cancelled.remove(&id).unwrap_or_default();
        OwnSection {
            id,
            code,
            name,
            label,
            teacher_name,
            changes,
            status,
            first,
            last,
            days_off,
            meetings,
            cancelled,
        }
    };
    Ok(rows.into_iter().map(own).collect())
}
