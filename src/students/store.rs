//! The table `students`.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension, Row, named_params};

use super::Student;
use super::profile::Profile;
use crate::base::clock::from_seconds;
use crate::base::email::Email;
use crate::base::error::Result;

const COLUMNS: &str = "id, email, pending_email, status, full_name, date_of_birth, gender, \
    canadian_status, address, city, country, coalesce(province, region) as province, postal_code, phone_number, parent_name, parent_contact, \
    last_school, last_grade_completed, transferring_credits, created_at";

/// How long an account waits for its verification: a family on holiday finds it still there, and an
/// address that somebody else typed is not kept for good.
const UNVERIFIED_FOR: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Makes an unverified account.
///
/// # Errors
/// When the database refuses.
pub fn insert(connection: &Connection, email: &Email, password_hash: &str, now: Timestamp) -> Result<i64> {
    connection
        .prepare_cached(
            "insert into students (email, password_hash, status, created_at, updated_at)
             values (:email, :password_hash, 'unverified', :now, :now)",
        )?
        .execute(named_params! {
            ":email": email.as_str(), ":password_hash": password_hash, ":now": now.as_second(),
        })?;
    Ok(connection.last_insert_rowid())
}

/// A student by number.
///
/// # Errors
/// When the database refuses.
pub fn find(connection: &Connection, id: i64) -> Result<Option<Student>> {
    Ok(connection
        .prepare_cached(&format!("select {COLUMNS} from students where id = :id"))?
        .query_row(named_params! { ":id": id }, student)
        .optional()?)
}

/// A student by address.
///
/// # Errors
/// When the database refuses.
pub fn find_by_email(connection: &Connection, email: &Email) -> Result<Option<Student>> {
    Ok(connection
        .prepare_cached(&format!("select {COLUMNS} from students where email = :email"))?
        .query_row(named_params! { ":email": email.as_str() }, student)
        .optional()?)
}

/// A student by address, with the hash of the password.
///
/// # Errors
/// When the database refuses.
pub fn find_for_login(connection: &Connection, email: &Email) -> Result<Option<(Student, String)>> {
    Ok(connection
        .prepare_cached(&format!("select {COLUMNS}, password_hash from students where email = :email"))?
        .query_row(named_params! { ":email": email.as_str() }, |row| {
            Ok((student(row)?, row.get("password_hash")?))
        })
        .optional()?)
}

/// The hash of a student's password.
///
/// # Errors
/// When the database refuses.
pub fn password_hash(connection: &Connection, id: i64) -> Result<Option<String>> {
    Ok(connection
        .prepare_cached("select password_hash from students where id = :id")?
        .query_row(named_params! { ":id": id }, |row| row.get(0))
        .optional()?)
}

/// Writes a checked profile; the address is not part of it.
///
/// # Errors
/// When the database refuses.
pub fn update_profile(connection: &Connection, id: i64, profile: &Profile, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached(
            "update students set full_name = :full_name, phone_number = :phone_number,
                 date_of_birth = :date_of_birth, gender = :gender, canadian_status = :canadian_status,
                 address = :address, city = :city, country = :country,
                 province = iif(:country = 'CA', :province, null),
                 region = iif(:country = 'CA', null, :province), postal_code = :postal_code,
                 parent_name = :parent_name, parent_contact = :parent_contact,
                 last_school = :last_school, last_grade_completed = :last_grade_completed,
                 transferring_credits = :transferring_credits, updated_at = :now
             where id = :id",
        )?
        .execute(named_params! {
            ":id": id, ":full_name": profile.full_name, ":phone_number": profile.phone_number,
            ":date_of_birth": profile.date_of_birth.to_string(), ":gender": profile.gender,
            ":canadian_status": profile.canadian_status, ":address": profile.address,
            ":city": profile.city, ":country": profile.country, ":province": profile.province, ":postal_code": profile.postal_code,
            ":parent_name": profile.parent_name, ":parent_contact": profile.parent_contact,
            ":last_school": profile.last_school,
            ":last_grade_completed": profile.last_grade_completed,
            ":transferring_credits": profile.transferring_credits, ":now": now.as_second(),
        })?;
    Ok(())
}

/// Opens an unverified account; leaves any other state alone.
///
/// # Errors
/// When the database refuses.
pub fn mark_verified(connection: &Connection, id: i64, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached(
            "update students set status = 'active', updated_at = :now
             where id = :id and status = 'unverified'",
        )?
        .execute(named_params! { ":id": id, ":now": now.as_second() })?;
    Ok(())
}

/// Closes an account until its address is verified anew.
///
/// # Errors
/// When the database refuses.
pub fn mark_unverified(connection: &Connection, id: i64, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached(
            "update students set status = 'unverified', updated_at = :now
             where id = :id and status = 'active'",
        )?
        .execute(named_params! { ":id": id, ":now": now.as_second() })?;
    Ok(())
}

/// Removes an account with its links and answers true, unless anything else belongs to it: documents,
/// enrollments and whatever a later table keeps of a student stay, and so does the account then.
///
/// # Errors
/// When the database refuses.
pub fn remove_untouched(connection: &Connection, id: i64) -> Result<bool> {
    let removed = connection
        .prepare_cached("delete from students where id = :id")?
        .execute(named_params! { ":id": id });
    match removed {
        Err(error) if refers_to_missing(&error) => Ok(false),
        removed => Ok(removed? > 0),
    }
}

fn refers_to_missing(error: &rusqlite::Error) -> bool {
    error
        .sqlite_error()
        .is_some_and(|error| error.extended_code == rusqlite::ffi::SQLITE_CONSTRAINT_FOREIGNKEY)
}

/// Removes accounts that nobody verified for so long, as far as nothing belongs to them.
///
/// # Errors
/// When the database refuses.
pub fn sweep_unverified(connection: &Connection, now: Timestamp) -> Result<()> {
    let before = (now - UNVERIFIED_FOR).as_second();
    let mut select = connection.prepare_cached(
        "select id from students where status = 'unverified' and updated_at <= :before limit 500",
    )?;
    let ids = select
        .query_map(named_params! { ":before": before }, |row| row.get(0))?
        .collect::<rusqlite::Result<Vec<i64>>>()?;
    for id in ids {
        remove_untouched(connection, id)?;
    }
    Ok(())
}

/// Sets the hash of a new password and forgets a new address that waits for confirmation.
///
/// # Errors
/// When the database refuses.
pub fn set_password(connection: &Connection, id: i64, hash: &str, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached(
            "update students set password_hash = :hash, pending_email = null, updated_at = :now
             where id = :id",
        )?
        .execute(named_params! { ":id": id, ":hash": hash, ":now": now.as_second() })?;
    Ok(())
}

/// Notes a new address that waits for confirmation.
///
/// # Errors
/// When the database refuses.
pub fn set_pending_email(connection: &Connection, id: i64, email: &Email) -> Result<()> {
    connection
        .prepare_cached("update students set pending_email = :email where id = :id")?
        .execute(named_params! { ":id": id, ":email": email.as_str() })?;
    Ok(())
}

/// Forgets a new address that waits for confirmation.
///
/// # Errors
/// When the database refuses.
pub fn drop_pending_email(connection: &Connection, id: i64) -> Result<()> {
    connection
        .prepare_cached("update students set pending_email = null where id = :id")?
        .execute(named_params! { ":id": id })?;
    Ok(())
}

/// Puts a confirmed address in the place of the old one.
///
/// # Errors
/// When the database refuses, also because another account has the address.
pub fn change_email(connection: &Connection, id: i64, email: &Email, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached(
            "update students set email = :email, pending_email = null, updated_at = :now where id = :id",
        )?
        .execute(named_params! { ":id": id, ":email": email.as_str(), ":now": now.as_second() })?;
    Ok(())
}

fn student(row: &Row<'_>) -> rusqlite::Result<Student> {
    let status: String = row.get("status")?;
    let born: Option<String> = row.get("date_of_birth")?;
    Ok(Student {
        id: row.get("id")?,
        email: row.get("email")?,
        pending_email: row.get("pending_email")?,
        is_verified: status != "unverified",
        full_name: row.get("full_name")?,
        date_of_birth: born.and_then(|date| date.parse().ok()),
        gender: row.get("gender")?,
        canadian_status: row.get("canadian_status")?,
        address: row.get("address")?,
        city: row.get("city")?,
        country: row.get("country")?,
        province: row.get("province")?,
        postal_code: row.get("postal_code")?,
        phone_number: row.get("phone_number")?,
        parent_name: row.get("parent_name")?,
        parent_contact: row.get("parent_contact")?,
        last_school: row.get("last_school")?,
        last_grade_completed: row.get("last_grade_completed")?,
        transferring_credits: row.get("transferring_credits")?,
        created_at: from_seconds(row.get("created_at")?),
        status,
    })
}
