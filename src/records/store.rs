//! What the office reads of the table `students`.

use jiff::civil::Date;
use rusqlite::{Connection, OptionalExtension, named_params};

use super::{StudentName, StudentRecord};
use crate::base::clock::from_seconds;
use crate::base::email::Email;
use crate::base::error::Result;
use crate::students::{age, guardian, store};

/// The record of a student.
pub fn find(connection: &Connection, id: i64, today: Date) -> Result<Option<StudentRecord>> {
    let Some(student) = store::find(connection, id)? else { return Ok(None) };
    let guardian_confirmed = guardian::confirmation(connection, id)?;
    let mut select = connection.prepare_cached(
        "select student_number, origin, suspended_reason, closed_reason, closed_at, merged_into,
             identity_checked_at, identity_changed_at, last_activity_at
         from students where id = :id",
    )?;
    let record = select
        .query_row(named_params! { ":id": id }, |row| {
            let instant =
                |column| Ok::<_, rusqlite::Error>(row.get::<_, Option<i64>>(column)?.map(from_seconds));
            Ok(StudentRecord {
                number: row.get("student_number")?,
                status: student.status,
                age: student.profile.date_of_birth.map(|born| age::years(born, today)),
                origin: row.get("origin")?,
                suspended_reason: row.get("suspended_reason")?,
                closed_reason: row.get("closed_reason")?,
                closed_at: instant("closed_at")?,
                merged_into: row.get("merged_into")?,
                guardian_confirmed,
                identity_checked_at: instant("identity_checked_at")?,
                identity_changed_at: instant("identity_changed_at")?,
                last_activity_at: instant("last_activity_at")?,
                student,
            })
        })
        .optional()?;
    Ok(record)
}

/// How a student with this address is named.
pub fn name_by_email(connection: &Connection, email: &Email) -> Result<Option<StudentName>> {
    Ok(connection
        .prepare_cached("select id, student_number, full_name, email from students where email = :email")?
        .query_row(named_params! { ":email": email.as_str() }, |row| {
            Ok(StudentName {
                id: row.get("id")?,
                number: row.get("student_number")?,
                full_name: row.get("full_name")?,
                email: row.get("email")?,
            })
        })
        .optional()?)
}
