//! The `courses` table.

use jiff::Timestamp;
use rusqlite::Connection;

use super::Course;
use super::rules::NewCourse;
use super::subjects::Subject;
use super::values::{CourseCode, CourseType};
use crate::base::error::{Error, Result};
use crate::storage::columns::Columns;
use crate::storage::db;
use crate::storage::statements::{FromRow, Statements, params};

/// One list of columns for every query, joined at compile time.
macro_rules! select_courses {
    ($rest:literal) => {
        concat!(
            "select id, code, name, description, prerequisite, course_type, is_compulsory, grade, \
             price_cents, credits_hundredths, is_open, capacity, archived_at from courses ",
            $rest
        )
    };
}

/// The course with this number, archived or not.
pub fn find(connection: &Connection, id: i64) -> Result<Option<Course>> {
    connection.find(select_courses!("where id = :id"), params![id])
}

/// The course with this number, unless it is archived.
pub fn find_open(connection: &Connection, id: i64) -> Result<Option<Course>> {
    connection.find(select_courses!("where id = :id and archived_at is null"), params![id])
}

/// The course that has this code now; archived ones have given theirs up.
pub fn find_by_code(connection: &Connection, code: &CourseCode) -> Result<Option<Course>> {
    connection.find(select_courses!("where code = :code and archived_at is null"), params![code])
}

/// Every course that is not archived, by grade, then in the order of their adding.
pub fn list(connection: &Connection) -> Result<Vec<Course>> {
    connection.list(select_courses!("where archived_at is null order by grade, id"), [])
}

/// Whether there is a course that is not archived.
pub fn has_any(connection: &Connection) -> Result<bool> {
    connection.one("select exists (select 1 from courses where archived_at is null)", [])
}

/// Every archived course, the last one first.
pub fn list_archived(connection: &Connection) -> Result<Vec<Course>> {
    connection.list(select_courses!("where archived_at is not null order by archived_at desc, id desc"), [])
}

/// Adds a course; what was left out takes its default.
///
/// # Errors
/// A field error when the code is taken.
pub fn insert(connection: &Connection, new: &NewCourse, now: Timestamp) -> Result<Course> {
    let NewCourse { code, name, description, grade, course_type, optional } = new.clone();
    let mut course = Course {
        id: 0,
        subject: Subject::of(&code),
        level: course_type.level(&code),
        code,
        name,
        description,
        prerequisite: optional.prerequisite.flatten(),
        course_type,
        is_compulsory: optional.is_compulsory.unwrap_or(false),
        grade,
        price: optional.price.flatten(),
        credits: optional.credits.unwrap_or_default(),
        is_open: optional.is_open.unwrap_or(true),
        capacity: optional.capacity.flatten(),
        archived_at: None,
    };
    let sql = "insert into courses (code, name, description, prerequisite, course_type, is_compulsory,
            grade, price_cents, credits_hundredths, is_open, capacity, created_at, updated_at)
        values (:code, :name, :description, :prerequisite, :course_type, :is_compulsory,
            :grade, :price, :credits, :is_open, :capacity, :now, :now)";
    let values = params! {
        code = course.code, name = course.name, description = course.description,
        prerequisite = course.prerequisite, course_type = course.course_type,
        is_compulsory = course.is_compulsory, grade = course.grade, price = course.price,
        credits = course.credits, is_open = course.is_open, capacity = course.capacity, now = now.as_second(),
    };
    course.id = connection.insert(sql, values).map_err(on_taken_code)?;
    Ok(course)
}

/// Writes every field of a course that exists.
///
/// # Errors
/// A field error when the code is taken.
pub fn update(connection: &Connection, course: &Course, now: Timestamp) -> Result<()> {
    let sql = "update courses set code = :code, name = :name, description = :description,
            prerequisite = :prerequisite, course_type = :course_type,
            is_compulsory = :is_compulsory, grade = :grade, price_cents = :price,
            credits_hundredths = :credits, is_open = :is_open, capacity = :capacity,
            renamed_at = iif((code, name) is (:code, :name), renamed_at, :now),
            renames = renames + ((code, name) is not (:code, :name)), updated_at = :now
        where id = :id";
    let values = params! {
        id = course.id, code = course.code, name = course.name, description = course.description,
        prerequisite = course.prerequisite, course_type = course.course_type,
        is_compulsory = course.is_compulsory, grade = course.grade, price = course.price,
        credits = course.credits, is_open = course.is_open, capacity = course.capacity, now = now.as_second(),
    };
    connection.run(sql, values).map_err(on_taken_code)
}

/// Deletes a course without references. Returns false if foreign keys prevent it; such a course is archived instead.
pub fn delete_unnamed(connection: &Connection, id: i64) -> Result<bool> {
    match connection.run("delete from courses where id = :id", params![id]) {
        Err(error) if db::is_still_named(&error) => Ok(false),
        deleted => deleted.map(|()| true),
    }
}

/// Archives a course and frees its code.
pub fn archive(connection: &Connection, id: i64, now: Timestamp) -> Result<()> {
    let sql = "update courses set archived_at = :now, updated_at = :now
        where id = :id and archived_at is null";
    connection.run(sql, params![id, now = now.as_second()])
}

/// Puts an archived course back into the lists.
///
/// # Errors
/// A field error when its code is taken.
pub fn restore(connection: &Connection, id: i64, now: Timestamp) -> Result<()> {
    let sql = "update courses set archived_at = null, updated_at = :now where id = :id";
    connection.run(sql, params![id, now = now.as_second()]).map_err(on_taken_code)
}

fn on_taken_code(error: Error) -> Error {
    if db::is_taken(&error, "courses.code") {
        return Error::field("code", "A course with this code already exists");
    }
    error
}

impl FromRow for Course {
    fn read(row: &Columns<'_, '_>) -> rusqlite::Result<Self> {
        let code: CourseCode = row.read("code")?;
        let course_type: CourseType = row.read("course_type")?;
        Ok(Course {
            id: row.read("id")?,
            subject: Subject::of(&code),
            level: course_type.level(&code),
            code,
            name: row.read("name")?,
            description: row.read("description")?,
            prerequisite: row.read("prerequisite")?,
            course_type,
            is_compulsory: row.read("is_compulsory")?,
            grade: row.read("grade")?,
            price: row.read("price_cents")?,
            credits: row.read("credits_hundredths")?,
            is_open: row.read("is_open")?,
            capacity: row.read("capacity")?,
            archived_at: row.read("archived_at")?,
        })
    }
}
