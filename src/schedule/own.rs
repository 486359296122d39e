//! The sections in which a student is enrolled, and their dated classes.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rusqlite::Connection;

use crate::base::error::Result;
use crate::enrollments::sections::SEES_LINKS;
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
    /// When it last changed.
    pub changed_at: Timestamp,
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
    changed_at: Timestamp,
}

from_row!(SectionRow { id, code, name, label, teacher_name, status, first, last, days_off, changed_at });

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
    pub fn classes(&self, (from, until): (Date, Date), zone: &TimeZone) -> Vec<Occurrence<'_>> {
        let days = (self.first.max(from), self.last.min(until));
        occurrences(&self.meetings, days, &self.days_off, zone)
    }

    /// First and last day of its classes.
    pub fn days(&self) -> (Date, Date) {
        (self.first, self.last)
    }

    /// Whether a class does not take place.
    pub fn is_cancelled(&self, class: &Occurrence<'_>) -> bool {
        let is_cancelled = |one: &CancelledClass| one.is(class.date, class.meeting.starts_at);
        self.status == SectionStatus::Cancelled || self.cancelled.iter().any(is_cancelled)
    }
}

/// The sections of a student's active enrollments; their meetings have links where the student sees them.
pub fn sections(connection: &Connection, student_id: i64, today: Date) -> Result<Vec<OwnSection>> {
    let sql = "select s.id, c.code, c.name, s.label, s.teacher_name, s.status,
            max(e.start_date, s.starts_on) as first, min(e.end_date, s.ends_on) as last,
            coalesce(t.days_off, '[]') as days_off,
            coalesce((select max(at) from section_events v where v.section_id = s.id), s.created_at) as changed_at
        from enrollments e indexed by enrollments_student_course cross join sections s on s.id = e.section_id cross join courses c on c.id = e.course_id
            left join terms t on t.id = s.term_id
        where e.student_id = :student_id and e.status = 'active' order by c.code, s.id";
    let rows: Vec<SectionRow> = connection.list(sql, params![student_id])?;
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
        let SectionRow { id, code, name, label, teacher_name, status, first, last, days_off, changed_at } =
            row;
        let meetings = meetings.remove(&id).unwrap_or_default();
        let cancelled = cancelled.remove(&id).unwrap_or_default();
        OwnSection {
            id,
            code,
            name,
            label,
            teacher_name,
            changed_at,
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
