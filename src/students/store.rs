//! The tables `students` and `student_tokens`.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, named_params};

use super::Student;
use super::profile::Profile;
use crate::plumbing::clock::from_seconds;
use crate::plumbing::error::Result;
use crate::plumbing::form::Email;

const COLUMNS: &str = "id, email, pending_email, status, full_name, date_of_birth, gender, \
    canadian_status, address, city, province, postal_code, phone_number, parent_name, parent_contact, \
    last_school, last_grade_completed, transferring_credits, created_at";

/// What a link is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Confirms the address of a new account.
    Verify,
    /// Confirms a changed address.
    ChangeEmail,
    /// Allows a new password.
    ResetPassword,
}

impl Purpose {
    fn name(self) -> &'static str {
        match self {
            Self::Verify => "verify",
            Self::ChangeEmail => "change_email",
            Self::ResetPassword => "reset_password",
        }
    }
}

/// A link that has not run out.
pub struct Link {
    /// Whose it is.
    pub student_id: i64,
    /// What it is for.
    pub purpose: Purpose,
    /// The mailbox it was sent to.
    pub email: String,
    /// Whether it was opened before.
    pub used: bool,
}

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

/// Writes a checked profile; the address is not part of it.
///
/// # Errors
/// When the database refuses.
pub fn update_profile(connection: &Connection, id: i64, profile: &Profile, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached(
            "update students set full_name = :full_name, phone_number = :phone_number,
                 date_of_birth = :date_of_birth, gender = :gender, canadian_status = :canadian_status,
                 address = :address, city = :city, province = :province, postal_code = :postal_code,
                 parent_name = :parent_name, parent_contact = :parent_contact,
                 last_school = :last_school, last_grade_completed = :last_grade_completed,
                 transferring_credits = :transferring_credits, updated_at = :now
             where id = :id",
        )?
        .execute(named_params! {
            ":id": id, ":full_name": profile.full_name, ":phone_number": profile.phone_number,
            ":date_of_birth": profile.date_of_birth.to_string(), ":gender": profile.gender,
            ":canadian_status": profile.canadian_status, ":address": profile.address,
            ":city": profile.city, ":province": profile.province, ":postal_code": profile.postal_code,
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

/// Forgets a new address that waits for confirmation, and its links.
///
/// # Errors
/// When the database refuses.
pub fn drop_email_change(connection: &Connection, id: i64) -> Result<()> {
    connection
        .prepare_cached("update students set pending_email = null where id = :id")?
        .execute(named_params! { ":id": id })?;
    delete_tokens(connection, id, Purpose::ChangeEmail)
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

/// Stores the hash of a link's token.
///
/// # Errors
/// When the database refuses.
pub fn insert_token(
    connection: &Connection,
    hash: &[u8; 32],
    student_id: i64,
    purpose: Purpose,
    email: &Email,
    now: Timestamp,
    expires_at: Timestamp,
) -> Result<()> {
    connection
        .prepare_cached(
            "insert into student_tokens (token_hash, student_id, purpose, email, created_at, expires_at)
             values (:hash, :student_id, :purpose, :email, :now, :expires_at)",
        )?
        .execute(named_params! {
            ":hash": hash, ":student_id": student_id, ":purpose": purpose.name(),
            ":email": email.as_str(), ":now": now.as_second(), ":expires_at": expires_at.as_second(),
        })?;
    Ok(())
}

/// A link by its token's hash, unless it has run out.
///
/// # Errors
/// When the database refuses.
pub fn find_token(connection: &Connection, hash: &[u8; 32], now: Timestamp) -> Result<Option<Link>> {
    Ok(connection
        .prepare_cached(
            "select student_id, purpose, email, used_at is not null as used from student_tokens
             where token_hash = :hash and expires_at > :now",
        )?
        .query_row(named_params! { ":hash": hash, ":now": now.as_second() }, |row| {
            let purpose: String = row.get("purpose")?;
            Ok(Link {
                student_id: row.get("student_id")?,
                purpose: match purpose.as_str() {
                    "verify" => Purpose::Verify,
                    "change_email" => Purpose::ChangeEmail,
                    _ => Purpose::ResetPassword,
                },
                email: row.get("email")?,
                used: row.get("used")?,
            })
        })
        .optional()?)
}

/// Notes that a link was opened.
///
/// # Errors
/// When the database refuses.
pub fn mark_token_used(connection: &Connection, hash: &[u8; 32], now: Timestamp) -> Result<()> {
    connection
        .prepare_cached(
            "update student_tokens set used_at = coalesce(used_at, :now) where token_hash = :hash",
        )?
        .execute(named_params! { ":hash": hash, ":now": now.as_second() })?;
    Ok(())
}

/// Makes a student's links of one kind worthless.
///
/// # Errors
/// When the database refuses.
pub fn delete_tokens(connection: &Connection, student_id: i64, purpose: Purpose) -> Result<()> {
    connection
        .prepare_cached("delete from student_tokens where student_id = :student_id and purpose = :purpose")?
        .execute(named_params! { ":student_id": student_id, ":purpose": purpose.name() })?;
    Ok(())
}

/// Makes every link of a student worthless.
///
/// # Errors
/// When the database refuses.
pub fn delete_all_tokens(connection: &Connection, student_id: i64) -> Result<()> {
    connection
        .prepare_cached("delete from student_tokens where student_id = :student_id")?
        .execute(named_params! { ":student_id": student_id })?;
    Ok(())
}

/// Deletes links that have run out.
///
/// # Errors
/// When the database refuses.
pub fn sweep_tokens(connection: &Connection, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached("delete from student_tokens where expires_at <= :now")?
        .execute(named_params! { ":now": now.as_second() })?;
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
