//! What the office reads and writes of the table `students`.

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::{Connection, OptionalExtension, ToSql, named_params};

use super::{StudentName, StudentRecord};
use crate::base::clock::from_seconds;
use crate::base::email::Email;
use crate::base::error::Result;
use crate::students::profile::Profile;
use crate::students::status::StudentStatus;
use crate::students::store::UPDATE_PROFILE;
use crate::students::{age, guardian, history, store};

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

/// Makes an account that waits for its owner to choose a password; nobody can log in to it before.
pub fn insert(connection: &Connection, email: &Email, nobody: &str, now: Timestamp) -> Result<i64> {
    connection
        .prepare_cached(
            "insert into students (email, password_hash, status, origin, created_at, updated_at)
             values (:email, :password_hash, 'unverified', 'office', :now, :now)",
        )?
        .execute(named_params! {
            ":email": email.as_str(), ":password_hash": nobody, ":now": now.as_second(),
        })?;
    Ok(connection.last_insert_rowid())
}

/// Writes a profile, which may be incomplete.
pub fn update_profile(connection: &Connection, id: i64, profile: &Profile, now: Timestamp) -> Result<()> {
    let now = now.as_second();
    let mut parameters = profile.parameters();
    parameters.extend([(":id", &id as &dyn ToSql), (":now", &now)]);
    connection.prepare_cached(&UPDATE_PROFILE)?.execute(&*parameters)?;
    Ok(())
}

/// Puts an account into another state, with the office's reason.
pub fn set_status(
    connection: &Connection,
    id: i64,
    status: StudentStatus,
    reason: Option<&str>,
    now: Timestamp,
) -> Result<()> {
    connection
        .prepare_cached(
            "update students set status = :status,
                 suspended_reason = iif(:status = 'suspended', :reason, null),
                 closed_reason = iif(:status = 'closed', :reason, null),
                 closed_at = iif(:status = 'closed', :now, null), updated_at = :now
             where id = :id",
        )?
        .execute(named_params! {
            ":id": id, ":status": status, ":reason": reason, ":now": now.as_second(),
        })?;
    Ok(())
}

/// Empties what a profile says beyond who the student was, and the same in its history: name, birth date,
/// number and address of the account stay with the marks.
pub fn blank(connection: &Connection, id: i64, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached(
            "update students set preferred_name = null, gender = null, canadian_status = null, address = null,
                 city = null, province = null, region = null, postal_code = null, phone_number = null,
                 parent_name = null, parent_contact = null, last_school = null, last_grade_completed = null,
                 updated_at = :now
             where id = :id",
        )?
        .execute(named_params! { ":id": id, ":now": now.as_second() })?;
    history::blank(connection, id)
}

/// Notes that another account goes on in the place of this one.
pub fn set_merged(connection: &Connection, id: i64, into: i64) -> Result<()> {
    connection
        .prepare_cached("update students set merged_into = :into where id = :id")?
        .execute(named_params! { ":id": id, ":into": into })?;
    Ok(())
}
