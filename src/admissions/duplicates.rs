//! Students and applications that may be about the same person: the same birth date, also with day and month exchanged,
//! and the same email address or a name that the search would take for the same. The program points them out; the office
//! decides.

use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::AdmissionRequest;
use crate::base::closed_set::closed_set;
use crate::base::error::Result;
use crate::storage::statements::{Statements, from_row, params};

closed_set! {
    /// What else there is of a person.
    pub enum DuplicateKind {
        /// An account.
        Student = "student",
        /// Another application.
        Application = "application",
    }
}

/// A student or an application that may be about the same person.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Duplicate {
    /// What it is.
    pub kind: DuplicateKind,
    /// Its number.
    pub id: i64,
    /// The student's name.
    pub name: String,
    /// Reference of the application; absent for a student.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Student number, once there is one; absent for an application.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// What is the same.
    pub why: String,
}

from_row!(Duplicate { kind, id, name, reference, number, why });

/// Rows `kind`, `id`, `name`, `reference`, `number`, `why`: one birth date, or one whose day and month are exchanged, and
/// one email address or a name that may be the same.
const ROWS: &str = "
    select 'application' as kind, d.id, d.first_name || ' ' || d.last_name as name, d.reference, null as number,
        case when d.date_of_birth <> :born then 'Same name, and day and month of birth exchanged'
            when may_be_same_name(:first_name, :last_name, d.first_name || ' ' || d.last_name, 0)
            then 'Same birth date and last name' else 'Same birth date and email address' end as why
    from admission_requests d indexed by admission_requests_birth
    where d.date_of_birth in (:born, :exchanged) and d.id <> :id and (d.email = :email
        or may_be_same_name(:first_name, :last_name, d.first_name || ' ' || d.last_name, d.date_of_birth <> :born))
    union all
    select 'student', s.id, coalesce(s.full_name, s.email), null, s.student_number,
        case when s.date_of_birth <> :born then 'Same name, and day and month of birth exchanged'
            when may_be_same_name(:first_name, :last_name, s.full_name, 0)
            then 'Same birth date and last name' else 'Same birth date and email address' end
    from students s indexed by students_birth
    where s.date_of_birth in (:born, :exchanged) and s.status <> 'closed' and s.id is not :student_id
        and (s.email = :email
            or may_be_same_name(:first_name, :last_name, s.full_name, s.date_of_birth <> :born))";

/// The date with day and month exchanged, where it is one.
fn exchanged(born: Date) -> Option<Date> {
    Date::new(born.year(), born.day(), born.month()).ok()
}

/// Finds them: applications first, the newest first.
pub fn find(connection: &Connection, request: &AdmissionRequest) -> Result<Vec<Duplicate>> {
    let born = request.date_of_birth;
    let values = params! {
        id = request.id, born = born.map(|born| born.to_string()),
        exchanged = born.and_then(exchanged).map(|born| born.to_string()), email = request.email,
        first_name = request.first_name, last_name = request.last_name, student_id = request.student_id,
    };
    connection.list(&format!("{ROWS} order by 1, 2 desc limit 20"), values)
}

/// Whether there is any.
pub fn has_any(connection: &Connection, request: &AdmissionRequest) -> Result<bool> {
    find(connection, request).map(|found| !found.is_empty())
}
