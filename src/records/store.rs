//! Queries of the office on the table `students`.

use jiff::civil::Date;
use rusqlite::Connection;

use super::{StudentName, StudentRecord};
use crate::base::email::Email;
use crate::base::error::Result;
use crate::storage::statements::{Statements, from_row, params};
use crate::students::{age, confirmations, store};

/// The record of a student.
pub fn find(connection: &Connection, id: i64, today: Date) -> Result<Option<StudentRecord>> {
    let Some(student) = store::find(connection, id)? else { return Ok(None) };
    let guardian_confirmed = confirmations::newest(connection, id)?;
    let sql = "select student_number, origin, suspended_reason, closed_reason, closed_at, merged_into,
            identity_checked_at, identity_changed_at, family_page_since, last_activity_at
        from students where id = :id";
    connection.find_by(sql, params![id], |row| {
        Ok(StudentRecord {
            number: row.read("student_number")?,
            status: student.status,
            age: student.profile.date_of_birth.map(|born| age::years(born, today)),
            origin: row.read("origin")?,
            suspended_reason: row.read("suspended_reason")?,
            closed_reason: row.read("closed_reason")?,
            closed_at: row.read("closed_at")?,
            merged_into: row.read("merged_into")?,
            guardian_confirmed,
            identity_checked_at: row.read("identity_checked_at")?,
            identity_changed_at: row.read("identity_changed_at")?,
            family_page_since: row.read("family_page_since")?,
            last_activity_at: row.read("last_activity_at")?,
            student,
        })
    })
}

/// Name of a student.
pub fn name(connection: &Connection, id: i64) -> Result<StudentName> {
    let sql = "select id as student_id, student_number, full_name, email from students where id = :id";
    connection.one(sql, params![id])
}

/// Name of the student with this address.
pub fn name_by_email(connection: &Connection, email: &Email) -> Result<Option<StudentName>> {
    let sql = "select id as student_id, student_number, full_name, email from students where email = :email";
    connection.find(sql, params![email = email.as_str()])
}

from_row!(StudentName { id = "student_id", number = "student_number", full_name, email });
