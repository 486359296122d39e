//! The `enrollments` table, read together with the course it names.

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::{Connection, OptionalExtension, Row, named_params};

use super::rules::{self, NewEnrollment, Repeat};
use super::{EnrolledCourse, Enrollment, PendingEnrollment};
use crate::plumbing::error::Result;
use crate::plumbing::form::Email;
use crate::plumbing::money::Money;
use crate::plumbing::page::{List, Listed, Page};

/// Whom a letter about an enrollment goes to.
pub struct Addressee {
    /// The student's address.
    pub email: Email,
    /// The student's name, once the profile has it.
    pub full_name: Option<String>,
}

/// Stores a request as pending, on the row of an earlier one that came to nothing if there is one.
///
/// # Errors
/// [`crate::plumbing::error::Error::Conflict`] while an earlier request counts.
pub fn request(connection: &Connection, student_id: i64, new: &NewEnrollment, now: Timestamp) -> Result<i64> {
    // The one that counts comes first, else the latest.
    let earlier: Option<(i64, String, bool)> = connection
        .prepare_cached(
            "select id, status, approved_at is not null as was_approved from enrollments
             where student_id = :student_id and course_id = :course_id
             order by status in ('pending', 'waitlisted', 'active', 'completed') desc, id desc
             limit 1",
        )?
        .query_row(named_params! { ":student_id": student_id, ":course_id": new.course_id }, |row| {
            Ok((row.get("id")?, row.get("status")?, row.get("was_approved")?))
        })
        .optional()?;
    if let Some((id, status, was_approved)) = earlier
        && rules::may_repeat(&status, was_approved)? == Repeat::Reopen
    {
        reopen(connection, id, new, now)?;
        return Ok(id);
    }
    connection
        .prepare_cached(
            "insert into enrollments (student_id, course_id, start_date, end_date, status, created_at)
             values (:student_id, :course_id, :start_date, :end_date, 'pending', :now)",
        )?
        .execute(named_params! {
            ":student_id": student_id, ":course_id": new.course_id,
            ":start_date": new.start_date.to_string(), ":end_date": new.end_date.to_string(),
            ":now": now.as_second(),
        })?;
    Ok(connection.last_insert_rowid())
}

fn reopen(connection: &Connection, id: i64, new: &NewEnrollment, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached(
            "update enrollments set status = 'pending', start_date = :start_date, end_date = :end_date,
                 reason = null, withdrawn_on = null, decided_at = null, decided_by = null, created_at = :now
             where id = :id",
        )?
        .execute(named_params! {
            ":id": id, ":start_date": new.start_date.to_string(),
            ":end_date": new.end_date.to_string(), ":now": now.as_second(),
        })?;
    Ok(())
}

/// The state of an enrollment.
///
/// # Errors
/// When the database refuses.
pub fn status(connection: &Connection, id: i64) -> Result<Option<String>> {
    Ok(connection
        .prepare_cached("select status from enrollments where id = :id")?
        .query_row(named_params! { ":id": id }, |row| row.get(0))
        .optional()?)
}

/// The state of an enrollment, if it is this student's.
///
/// # Errors
/// When the database refuses.
pub fn own_status(connection: &Connection, id: i64, student_id: i64) -> Result<Option<String>> {
    Ok(connection
        .prepare_cached("select status from enrollments where id = :id and student_id = :student_id")?
        .query_row(named_params! { ":id": id, ":student_id": student_id }, |row| row.get(0))
        .optional()?)
}

/// Notes that the student took a request back.
///
/// # Errors
/// When the database refuses.
pub fn withdraw(connection: &Connection, id: i64, today: Date, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached(
            "update enrollments set status = 'withdrawn', withdrawn_on = :today, decided_at = :now,
                 decided_by = null
             where id = :id and status in ('pending', 'waitlisted')",
        )?
        .execute(named_params! { ":id": id, ":today": today.to_string(), ":now": now.as_second() })?;
    Ok(())
}

/// Makes an enrollment active.
///
/// # Errors
/// When the database refuses.
pub fn approve(connection: &Connection, id: i64, user_id: i64, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached(
            "update enrollments set status = 'active', decided_at = :now, approved_at = :now,
                 decided_by = :user_id
             where id = :id",
        )?
        .execute(named_params! { ":id": id, ":now": now.as_second(), ":user_id": user_id })?;
    Ok(())
}

/// Ends an active enrollment with its mark.
///
/// # Errors
/// When the database refuses.
pub fn complete(
    connection: &Connection,
    id: i64,
    final_mark: i64,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    connection
        .prepare_cached(
            "update enrollments set status = 'completed', final_mark = :final_mark, decided_at = :now,
                 decided_by = :user_id
             where id = :id and status = 'active'",
        )?
        .execute(named_params! {
            ":id": id, ":final_mark": final_mark, ":now": now.as_second(), ":user_id": user_id,
        })?;
    Ok(())
}

/// Declines a pending request with a reason that the student reads.
///
/// # Errors
/// When the database refuses.
pub fn decline(connection: &Connection, id: i64, reason: &str, user_id: i64, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached(
            "update enrollments set status = 'declined', reason = :reason, decided_at = :now,
                 decided_by = :user_id
             where id = :id and status = 'pending'",
        )?
        .execute(named_params! {
            ":id": id, ":reason": reason, ":now": now.as_second(), ":user_id": user_id,
        })?;
    Ok(())
}

const COLUMNS: &str = "e.id, e.course_id, e.status, e.start_date, e.end_date, e.reason, e.final_mark, \
    c.name, c.code, c.grade, c.credits_hundredths, c.price_cents";

/// One enrollment.
///
/// # Errors
/// 404 when there is none.
pub fn find(connection: &Connection, id: i64) -> Result<Enrollment> {
    connection
        .prepare_cached(&format!(
            "select {COLUMNS} from enrollments e join courses c on c.id = e.course_id where e.id = :id"
        ))?
        .query_row(named_params! { ":id": id }, enrollment)
        .optional()?
        .ok_or_else(rules::not_found)
}

/// A student's enrollments, newest first.
///
/// # Errors
/// When the database refuses.
pub fn list_for_student(connection: &Connection, student_id: i64) -> Result<Vec<Enrollment>> {
    let rows = connection
        .prepare_cached(&format!(
            "select {COLUMNS} from enrollments e join courses c on c.id = e.course_id
             where e.student_id = :student_id order by e.created_at desc, e.id desc"
        ))?
        .query_map(named_params! { ":student_id": student_id }, enrollment)?
        .collect::<rusqlite::Result<_>>()?;
    Ok(rows)
}

fn enrollment(row: &Row<'_>) -> rusqlite::Result<Enrollment> {
    Ok(Enrollment {
        id: row.get("id")?,
        course_id: row.get("course_id")?,
        course: EnrolledCourse {
            name: row.get("name")?,
            code: row.get("code")?,
            grade: row.get("grade")?,
            credits: row.get("credits_hundredths")?,
            price: row.get::<_, Option<i64>>("price_cents")?.map(Money::from_cents),
        },
        status: row.get("status")?,
        start_date: date(row, "start_date")?,
        end_date: date(row, "end_date")?,
        reason: row.get("reason")?,
        final_mark: row.get("final_mark")?,
    })
}

/// The requests of a page that wait for the office, oldest first.
///
/// # Errors
/// When the database refuses.
pub fn list_pending(connection: &Connection, page: &Page) -> Result<Listed<PendingEnrollment>> {
    page.read(connection, &pending(), |row| {
        Ok(PendingEnrollment {
            id: row.get("id")?,
            student_name: row.get("student_name")?,
            student_email: row.get("email")?,
            course_name: row.get("name")?,
            course_code: row.get("code")?,
            course_grade: row.get("grade")?,
            start_date: date(row, "start_date")?,
            end_date: date(row, "end_date")?,
            course_fee: row.get::<_, Option<i64>>("price_cents")?.map(Money::from_cents),
            status: row.get("status")?,
        })
    })
}

fn pending() -> List<'static> {
    List {
        rows: "select e.id, e.start_date, e.end_date, e.status,
                   coalesce(s.full_name, 'Student #' || s.id) as student_name, s.email,
                   c.name, c.code, c.grade, c.price_cents
               from enrollments e
               join students s on s.id = e.student_id
               join courses c on c.id = e.course_id
               where e.status = 'pending' and holds_words(concat_ws(' ',
                   coalesce(s.full_name, 'Student #' || s.id), s.email, c.code, c.name), :words)
               order by e.created_at, e.id limit :limit offset :offset"
            .into(),
        count: "select count(*) from enrollments where status = 'pending'".into(),
        filter: &[],
    }
}

/// Whom a letter about this enrollment goes to.
///
/// # Errors
/// 404 when there is no such enrollment.
pub fn student_of(connection: &Connection, id: i64) -> Result<Addressee> {
    let student_id = connection
        .prepare_cached("select student_id from enrollments where id = :id")?
        .query_row(named_params! { ":id": id }, |row| row.get(0))
        .optional()?
        .ok_or_else(rules::not_found)?;
    let student = crate::students::store::find(connection, student_id)?.ok_or_else(rules::not_found)?;
    Ok(Addressee { email: student.address()?, full_name: student.full_name })
}

/// How many enrollments are in a state.
///
/// # Errors
/// When the database refuses.
pub fn count(connection: &Connection, status: &str) -> Result<i64> {
    Ok(connection
        .prepare_cached("select count(*) from enrollments where status = :status")?
        .query_row(named_params! { ":status": status }, |row| row.get(0))?)
}

/// Whether anybody ever enrolled in a course, whatever became of it.
///
/// # Errors
/// When the database refuses.
pub fn is_course_named(connection: &Connection, course_id: i64) -> Result<bool> {
    Ok(connection
        .prepare_cached("select exists(select 1 from enrollments where course_id = :course_id)")?
        .query_row(named_params! { ":course_id": course_id }, |row| row.get(0))?)
}

fn date(row: &Row<'_>, column: &str) -> rusqlite::Result<jiff::civil::Date> {
    let text: String = row.get(column)?;
    text.parse().map_err(|error: jiff::Error| {
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(error))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plumbing::db;
    use crate::plumbing::page::testing::assert_comes_from_index;

    #[test]
    fn the_first_page_of_requests_comes_from_an_index() {
        let folder = tempfile::tempdir().unwrap();
        let connection = db::open(&folder.path().join("school.db")).unwrap();
        assert_comes_from_index(&connection, &pending(), "enrollments_status");
    }
}
