//! Seats, lines and class lists, read from the enrollments.

use std::collections::HashMap;

use jiff::civil::Date;
use rusqlite::{Connection, OptionalExtension, Row, named_params};

use super::{ClassMember, CoursePage, CourseRow, Seats, Waiting};
use crate::base::clock::from_seconds;
use crate::base::error::Result;
use crate::courses::{self, Course};
use crate::enrollments::requirements::Moment;
use crate::enrollments::seats::{FULLEST, TODAY};
use crate::enrollments::store::{date, optional_date};
use crate::storage::columns::Columns;
use crate::web::id::Numbered;
use crate::web::pagination::{List, Listed, PageRequest};

/// The seats of the course `c`, each figure from an index of its own.
fn columns() -> String {
    let of = |status: &str| {
        format!("(select count(*) from enrollments e where e.course_id = c.id and e.status = '{status}')")
    };
    format!(
        "c.id, (select taken from {}) as taken, {} as today, {} as active, {} as waitlisted, {} as requests",
        *FULLEST,
        *TODAY,
        of("active"),
        of("waitlisted"),
        of("pending")
    )
}

fn seats(row: &Row<'_>) -> rusqlite::Result<Seats> {
    let count = |column| Ok::<_, rusqlite::Error>(row.get::<_, Option<i64>>(column)?.unwrap_or(0));
    Ok(Seats {
        seats_taken: count("taken")?,
        seats_taken_today: count("today")?,
        active: count("active")?,
        waitlist_length: count("waitlisted")?,
        requests: count("requests")?,
    })
}

/// The courses of the catalogue, or the archived ones, with their seats.
pub fn list(connection: &Connection, is_archived: bool, at: Moment) -> Result<Vec<CourseRow>> {
    let courses = if is_archived {
        courses::store::list_archived(connection)?
    } else {
        courses::store::list(connection)?
    };
    let seats: HashMap<i64, Seats> = connection
        .prepare_cached(&format!(
            "select {} from courses c where c.archived_at is {}null",
            columns(),
            if is_archived { "not " } else { "" }
        ))?
        .query_map(named_params! { ":now": at.now.as_second(), ":today": at.today.to_string() }, |row| {
            Ok((row.get("id")?, seats(row)?))
        })?
        .collect::<rusqlite::Result<_>>()?;
    let row = |course: Course| CourseRow {
        seats: seats.get(&course.id).copied().unwrap_or_default(),
        course: course.into(),
    };
    Ok(courses.into_iter().map(row).collect())
}

/// A course with its seats and its line, if there is one of this number.
pub fn find(connection: &Connection, id: i64, at: Moment) -> Result<Option<CoursePage>> {
    // One read transaction, so that the seats and the line are of the same moment.
    let reading = connection.unchecked_transaction()?;
    let Some(course) = courses::store::find(&reading, id)? else {
        return Ok(None);
    };
    let (seats, fullest_on) = reading
        .prepare_cached(&format!(
            "select {}, (select day from {}) as day from courses c where c.id = :id",
            columns(),
            *FULLEST
        ))?
        .query_row(
            named_params! { ":id": id, ":now": at.now.as_second(), ":today": at.today.to_string() },
            |row| Ok((seats(row)?, optional_date(&Columns::of(row), "day")?)),
        )?;
    let waitlist = waitlist(&reading, id)?;
    Ok(Some(CoursePage { row: CourseRow { course: course.into(), seats }, fullest_on, waitlist }))
}

fn waitlist(connection: &Connection, course_id: i64) -> Result<Vec<Waiting>> {
    let rows = connection
        .prepare_cached(
            "select e.id, row_number() over (order by e.waitlisted_at, e.id) as position, e.student_id,
                 coalesce(s.full_name, 'Student #' || s.id) as student_name, s.email,
                 e.waitlisted_at, e.offered_until, e.start_date, e.end_date
             from enrollments e join students s on s.id = e.student_id
             where e.course_id = :course_id and e.status = 'waitlisted'
             order by e.waitlisted_at, e.id",
        )?
        .query_map(named_params! { ":course_id": course_id }, |row| {
            let row = Columns::of(row);
            let instant =
                |column| Ok::<_, rusqlite::Error>(row.get::<Option<i64>>(column)?.map(from_seconds));
            Ok(Waiting {
                enrollment_id: row.get("id")?,
                position: row.get("position")?,
                student_id: row.get("student_id")?,
                student_name: row.get("student_name")?,
                student_email: row.get("email")?,
                waitlisted_at: instant("waitlisted_at")?,
                offered_until: instant("offered_until")?,
                start_date: date(&row, "start_date")?,
                end_date: date(&row, "end_date")?,
            })
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(rows)
}

/// The class of a course, archived or not.
///
/// # Errors
/// 404 when there is no such course.
pub fn class_list(
    connection: &Connection,
    course_id: i64,
    page: &PageRequest,
) -> Result<Listed<ClassMember>> {
    courses::store::find(connection, course_id)?.ok_or_else(Course::not_found)?;
    let list = List {
        rows: format!(
            "select {MEMBER} from enrollments e join students s on s.id = e.student_id
             where e.course_id = :course_id and e.status in ('active', 'completed')
                 and matches_terms(concat_ws(' ', {NAME}, s.student_number, s.email), :words)
             order by e.start_date desc, student_name collate nocase, e.id
             limit :limit offset :offset"
        ),
        count: "select count(*) from enrollments
                where course_id = :course_id and status in ('active', 'completed')"
            .into(),
        filter: &[(":course_id", &course_id)],
    };
    page.read(connection, &list, member)
}

/// The students who take a course now, in the order of the class list; only those who began on that day, if
/// one is named.
pub fn class_members(connection: &Connection, course_id: i64, start_date: Option<Date>) -> Result<Vec<i64>> {
    Ok(connection
        .prepare_cached(&format!(
            "select e.student_id from enrollments e indexed by enrollments_seats join students s on s.id = e.student_id
             where e.course_id = :course_id and e.status = 'active'
                 and (:start_date is null or e.start_date = :start_date)
             order by e.start_date desc, {NAME} collate nocase, e.id"
        ))?
        .query_map(
            named_params! { ":course_id": course_id, ":start_date": start_date.map(|day| day.to_string()) },
            |row| row.get(0),
        )?
        .collect::<rusqlite::Result<_>>()?)
}

/// One of a class, whatever became of the enrollment since, if it is of this course.
pub fn find_member(connection: &Connection, course_id: i64, id: i64) -> Result<Option<ClassMember>> {
    Ok(connection
        .prepare_cached(&format!(
            "select {MEMBER} from enrollments e join students s on s.id = e.student_id
             where e.id = :id and e.course_id = :course_id"
        ))?
        .query_row(named_params! { ":id": id, ":course_id": course_id }, |row| member(&Columns::of(row)))
        .optional()?)
}

const NAME: &str = "coalesce(s.full_name, 'Student #' || s.id)";

const MEMBER: &str = "e.id, e.student_id, s.student_number, coalesce(s.full_name, 'Student #' || s.id) as student_name, \
    s.email, s.parent_name, s.parent_contact, e.start_date, e.end_date, e.status, e.midterm_mark, e.final_mark, \
    e.version";

fn member(row: &Columns<'_, '_>) -> rusqlite::Result<ClassMember> {
    Ok(ClassMember {
        enrollment_id: row.get("id")?,
        student_id: row.get("student_id")?,
        number: row.get("student_number")?,
        student_name: row.get("student_name")?,
        student_email: row.get("email")?,
        guardian_name: row.get("parent_name")?,
        guardian_contact: row.get("parent_contact")?,
        start_date: date(row, "start_date")?,
        end_date: date(row, "end_date")?,
        status: row.get("status")?,
        midterm_mark: row.get("midterm_mark")?,
        final_mark: row.get("final_mark")?,
        version: row.get("version")?,
    })
}
