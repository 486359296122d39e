//! Seats, waiting lists and class lists, read from the enrollments.

use std::collections::HashMap;

use jiff::civil::Date;
use rusqlite::Connection;

use super::{ClassMember, CoursePage, CourseRow, Seats, Waiting};
use crate::base::error::Result;
use crate::courses::{self, Course};
use crate::enrollments::requests::requirements::Moment;
use crate::enrollments::seats::sections::SECTION;
use crate::enrollments::seats::{FULLEST, TODAY};
use crate::enrollments::store::POSITION;
use crate::storage::statements::{Statements, from_row, params};
use crate::terms::store::SectionsFilter;
use crate::terms::{self, SectionRow};
use crate::web::id::Numbered;
use crate::web::pagination::{List, Listed, PageRequest};

/// The seats of the course `c`, each figure from an index of its own, and the fullest day where it is asked for.
fn columns(day: &str) -> String {
    let of = |status: &str| {
        format!("(select count(*) from enrollments e where e.course_id = c.id and e.status = '{status}')")
    };
    format!(
        "c.id, coalesce((select taken from {}), 0) as taken, {} as today, {} as active, {} as waitlisted,
         {} as requests, {day} as day",
        *FULLEST,
        *TODAY,
        of("active"),
        of("waitlisted"),
        of("pending")
    )
}

from_row!(Seats {
    seats_taken = "taken", seats_taken_today = "today", active, waitlist_length = "waitlisted", requests,
});

struct CourseSeats {
    id: i64,
    seats: Seats,
    fullest_on: Option<Date>,
}

from_row!(CourseSeats { id, fullest_on = "day" } and seats);

/// The courses of the catalogue, or the archived ones, with their seats.
pub fn list(connection: &Connection, is_archived: bool, at: Moment) -> Result<Vec<CourseRow>> {
    let courses = if is_archived {
        courses::store::list_archived(connection)?
    } else {
        courses::store::list(connection)?
    };
    let not = if is_archived { "not " } else { "" };
    let sql = format!("select {} from courses c where c.archived_at is {not}null", columns("null"));
    let seats = connection.list(&sql, params![now = at.now.as_second(), today = at.today.to_string()])?;
    let seats: HashMap<_, _> = seats.into_iter().map(|row: CourseSeats| (row.id, row.seats)).collect();
    let row = |course: Course| CourseRow {
        seats: seats.get(&course.id).copied().unwrap_or_default(),
        course: course.into(),
    };
    Ok(courses.into_iter().map(row).collect())
}

/// A course with its seats and its line, if there is one of this number.
pub fn find(connection: &Connection, id: i64, at: Moment, sees_links: bool) -> Result<Option<CoursePage>> {
    // One read transaction, so that the seats and the line are of the same moment.
    let reading = connection.unchecked_transaction()?;
    let Some(course) = courses::store::find(&reading, id)? else {
        return Ok(None);
    };
    let day = format!("(select day from {})", *FULLEST);
    let sql = format!("select {} from courses c where c.id = :id", columns(&day));
    let CourseSeats { seats, fullest_on, .. } =
        reading.one(&sql, params![id, now = at.now.as_second(), today = at.today.to_string()])?;
    let waitlist = waitlist(&reading, id)?;
    let sections = sections(&reading, id, sees_links)?;
    Ok(Some(CoursePage { row: CourseRow { course: course.into(), seats }, fullest_on, waitlist, sections }))
}

fn sections(connection: &Connection, course_id: i64, sees_links: bool) -> Result<Vec<SectionRow>> {
    let filter = SectionsFilter { course: Some(course_id), ..SectionsFilter::default() };
    let all = terms::store::list(connection, filter)?;
    let all = all.into_iter().map(|section| if sees_links { section } else { section.without_links() });
    terms::with_clashes(connection, all.collect())
}

fn waitlist(connection: &Connection, course_id: i64) -> Result<Vec<Waiting>> {
    let sql = format!(
        "select e.id, {POSITION} as position, e.student_id,
            coalesce(s.full_name, 'Student #' || s.id) as student_name, s.email,
            e.waitlisted_at, e.offered_until, e.start_date, e.end_date, {} as section
        from enrollments e join students s on s.id = e.student_id
        where e.course_id = :course_id and e.status = 'waitlisted'
        order by e.waitlisted_at, e.id",
        *SECTION
    );
    connection.list(&sql, params![course_id])
}

from_row!(Waiting {
    enrollment_id = "id", position, student_id, student_name, student_email = "email", waitlisted_at,
    offered_until, start_date, end_date, section,
});

/// The class of a course, archived or not.
///
/// # Errors
/// 404 when there is no such course.
pub fn class_list(
    connection: &Connection,
    course_id: i64,
    section_id: Option<i64>,
    page: &PageRequest,
) -> Result<Listed<ClassMember>> {
    courses::store::find(connection, course_id)?.ok_or_else(Course::not_found)?;
    let in_section = if section_id.is_some() { "and e.section_id = :section_id" } else { "" };
    let list = List {
        rows: format!(
            "select {MEMBER}, {} as section from enrollments e join students s on s.id = e.student_id
             where e.course_id = :course_id and e.status in ('active', 'completed') {in_section}
                 and matches_terms(concat_ws(' ', {NAME}, s.student_number, s.email), :words)
             order by e.start_date desc, student_name collate nocase, e.id
             limit :limit offset :offset",
            *SECTION
        ),
        count: format!(
            "select count(*) from enrollments e
             where e.course_id = :course_id and e.status in ('active', 'completed') {in_section}"
        ),
        filter: &[(":course_id", &course_id), (":section_id", &section_id)],
    };
    page.read(connection, &list)
}

/// Which students of a class; without any of them, all.
#[derive(Debug, Clone, Copy)]
pub struct ClassPart {
    /// Those of this section.
    pub section_id: Option<i64>,
    /// Those who began on this day.
    pub start_date: Option<Date>,
}

/// The students who take a course now, in the order of the class list.
pub fn class_members(connection: &Connection, course_id: i64, part: ClassPart) -> Result<Vec<i64>> {
    let ClassPart { section_id, start_date } = part;
    let sql = format!(
            "select e.student_id from enrollments e indexed by enrollments_seats join students s on s.id = e.student_id
             where e.course_id = :course_id and e.status = 'active'
                 and (:start_date is null or e.start_date = :start_date)
                 and (:section_id is null or e.section_id = :section_id)
             order by e.start_date desc, {NAME} collate nocase, e.id"
        );
    connection.list(&sql, params![course_id, section_id, start_date = start_date.map(|day| day.to_string())])
}

/// A member of this class, in any state.
pub fn find_member(connection: &Connection, course_id: i64, id: i64) -> Result<Option<ClassMember>> {
    let sql = format!(
        "select {MEMBER}, {} as section from enrollments e join students s on s.id = e.student_id
             where e.id = :id and e.course_id = :course_id",
        *SECTION
    );
    connection.find(&sql, params![id, course_id])
}

const NAME: &str = "coalesce(s.full_name, 'Student #' || s.id)";

const MEMBER: &str = "e.id, e.student_id, s.student_number, coalesce(s.full_name, 'Student #' || s.id) as student_name, \
    s.email, s.parent_name, s.parent_contact, e.start_date, e.end_date, e.status, e.midterm_mark, e.final_mark, \
    e.version";

from_row!(ClassMember {
    enrollment_id = "id", student_id, number = "student_number", student_name, student_email = "email",
    guardian_name = "parent_name", guardian_contact = "parent_contact", start_date, end_date, status,
    midterm_mark, final_mark, version, section,
});
