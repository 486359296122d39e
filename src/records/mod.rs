//! Student records for the office: list with filters, search, the complete record of a student; creating, importing,
//! changing, merging and closing accounts, notes, and emails to students.
//!
//! Promises: every change leaves an entry in the student's history and an audit row; a change based on an outdated
//! version is refused. What a role may not read is not read for it. The table `students` is written by
//! [`crate::students::store`]; this room owns `student_notes`, `document_requirements` and `document_waivers`.

pub mod account;
mod account_emails;
pub mod bulk;
mod change_email;
pub mod closing;
mod create;
mod decisions;
pub mod document_requirements;
mod document_waivers;
mod file;
mod flags;
mod guardian;
pub mod identity;
pub mod import;
mod list;
mod merge;
pub mod notes;
mod profile;
mod query;
mod search;
pub mod sheets;
mod store;
mod student_sheet;
#[cfg(test)]
mod tests;
pub mod write_email;

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

pub use self::flags::StudentFlag;
use crate::base::email::Email;
use crate::base::error::{Error, Result};
use crate::students::confirmations::GuardianConfirmation;
use crate::students::status::{Origin, StudentStatus};
use crate::students::{Student, links};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::Numbered;

/// The office's endpoints.
pub fn routes() -> OpenApiRouter<App> {
    use file::{__path_get_student, get_student};
    use list::{__path_count_student_flags, __path_list_students, count_student_flags, list_students};
    use merge::{__path_merge_students, merge_students};
    use search::{__path_search_office, search_office};
    endpoints![list_students, count_student_flags, get_student, merge_students, search_office]
        .merge(account::routes())
        .merge(bulk::routes())
        .merge(change_email::routes())
        .merge(closing::routes())
        .merge(create::routes())
        .merge(decisions::routes())
        .merge(document_requirements::routes())
        .merge(document_waivers::routes())
        .merge(guardian::routes())
        .merge(identity::routes())
        .merge(import::routes())
        .merge(notes::routes())
        .merge(profile::routes())
        .merge(write_email::routes())
}

/// A student, as shown to the office.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudentRecord {
    /// The data shown to the student.
    #[serde(flatten)]
    pub student: Student,
    /// `2026-0042`; `None` before the account was first active.
    #[schema(required)]
    pub number: Option<String>,
    /// The state of the account.
    pub status: StudentStatus,
    /// Age in whole years.
    #[schema(required)]
    pub age: Option<i16>,
    /// Who created the account.
    pub origin: Origin,
    /// Why it is suspended.
    #[schema(required)]
    pub suspended_reason: Option<String>,
    /// Why it is closed.
    #[schema(required)]
    pub closed_reason: Option<String>,
    /// When it was closed.
    #[schema(required)]
    pub closed_at: Option<Timestamp>,
    /// The account that this one was merged into.
    #[schema(required)]
    pub merged_into: Option<i64>,
    /// The guardian's confirmation.
    #[schema(required)]
    pub guardian_confirmed: Option<GuardianConfirmation>,
    /// When the office checked the student's identity.
    #[schema(required)]
    pub identity_checked_at: Option<Timestamp>,
    /// When name, birth date or status in Canada changed afterwards.
    #[schema(required)]
    pub identity_changed_at: Option<Timestamp>,
    /// Since when the student, being of age, has the guardians keep the family page.
    #[schema(required)]
    pub family_page_since: Option<Timestamp>,
    /// Last activity of the student.
    #[schema(required)]
    pub last_activity_at: Option<Timestamp>,
}

/// A student's name in messages to the office.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudentName {
    /// Number of the account.
    pub id: i64,
    /// The student number.
    #[schema(required)]
    pub number: Option<String>,
    /// Name, once the profile has it.
    #[schema(required)]
    pub full_name: Option<String>,
    /// Address.
    pub email: String,
}

impl StudentName {
    /// "Jane Doe (2026-0042)".
    pub fn words(&self) -> String {
        let name = self.full_name.clone().unwrap_or_else(|| format!("Student #{}", self.id));
        self.number.as_ref().map_or(name.clone(), |number| format!("{name} ({number})"))
    }
}

/// The record of a student.
///
/// # Errors
/// 404 when there is none.
pub fn read(connection: &Connection, id: i64, today: Date) -> Result<StudentRecord> {
    store::find(connection, id, today)?.ok_or_else(Student::not_found)
}

/// Refuses an address that another student gave up and can still take back.
///
/// # Errors
/// 409 with that student's name.
fn check_not_reserved(
    connection: &Connection,
    email: &Email,
    but_for: Option<i64>,
    now: Timestamp,
) -> Result<()> {
    let Some(id) = links::reserved_by(connection, email, but_for, now)? else { return Ok(()) };
    let message = "Another student gave this email address up a few days ago and can still take it back.";
    Err(Error::conflict(message, &store::name(connection, id)?))
}

/// The error for an address used by another student, with that student's name.
fn taken(other: &StudentName) -> Error {
    let message = format!("This email address belongs to {}.", other.words());
    Error::conflict(message, other)
}
