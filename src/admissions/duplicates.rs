//! Students and applications that may be about the same person: the same birth date, and the same last name or email
//! address. The program points them out; the office decides.

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

const SAME_NAME: &str = "'Same birth date and last name'";
const SAME_EMAIL: &str = "'Same birth date and email address'";

/// Finds them: applications first, the newest first.
pub fn find(connection: &Connection, request: &AdmissionRequest) -> Result<Vec<Duplicate>> {
    let sql = format!(
        "select 'application' as kind, d.id, d.first_name || ' ' || d.last_name as name, d.reference,
                 null as number, iif(d.last_name = :last_name, {SAME_NAME}, {SAME_EMAIL}) as why
             from admission_requests d indexed by admission_requests_birth
             where d.date_of_birth = :born and d.id <> :id and (d.last_name = :last_name or d.email = :email)
         union all
         select 'student', s.id, coalesce(s.full_name, s.email), null, s.student_number,
             iif(s.full_name like '% ' || :last_name, {SAME_NAME}, {SAME_EMAIL})
         from students s indexed by students_birth
         where s.date_of_birth = :born and s.status <> 'closed' and s.id is not :student_id
             and (s.email = :email or s.full_name like '% ' || :last_name)
         order by 1, 2 desc limit 20"
    );
    let values = params! {
        id = request.id, born = request.date_of_birth.map(|born| born.to_string()), email = request.email,
        last_name = request.last_name, student_id = request.student_id,
    };
    connection.list(&sql, values)
}
