//! The table `external_credits`.

use jiff::Timestamp;
use rusqlite::Connection;

use super::{CreditFacts, ExternalCredit};
use crate::base::error::{Error, Result};
use crate::storage::statements::{Statements, from_row, params};
use crate::web::id::Numbered;

const COLUMNS: &str =
    "x.id, x.code, x.name, x.credits_hundredths, x.mark, x.completed_on, x.school, x.document_id, \
    x.recorded_at, r.username as recorded_by, x.changed_at, c.username as changed_by, x.voided_at, \
    v.username as voided_by, x.voided_reason, x.version
    from external_credits x join users r on r.id = x.recorded_by left join users c on c.id = x.changed_by
        left join users v on v.id = x.voided_by";

/// A student's credits from other schools, the latest first, voided ones among them.
pub fn list(connection: &Connection, student_id: i64) -> Result<Vec<ExternalCredit>> {
    let sql =
        format!("select {COLUMNS} where x.student_id = :student_id order by x.completed_on desc, x.id desc");
    connection.list(&sql, params![student_id])
}

/// A credit of any student, for an export.
pub struct ListedCredit {
    /// The student number.
    pub student_number: Option<String>,
    /// The student's name, once the profile has it.
    pub student_name: Option<String>,
    /// The student's address.
    pub student_email: String,
    /// The credit.
    pub credit: ExternalCredit,
}

/// Every credit from other schools, student by student, voided ones among them.
pub fn list_all(connection: &Connection) -> Result<Vec<ListedCredit>> {
    let sql = format!(
        "select s.student_number, s.full_name, s.email, {COLUMNS} join students s on s.id = x.student_id
         order by x.student_id, x.completed_on, x.id"
    );
    connection.list(&sql, [])
}

from_row!(ListedCredit {
    student_number, student_name = "full_name", student_email = "email",
} and credit);

/// One of them.
///
/// # Errors
/// 404 when this student has no such credit.
pub fn find(connection: &Connection, student_id: i64, id: i64) -> Result<ExternalCredit> {
    let sql = format!("select {COLUMNS} where x.id = :id and x.student_id = :student_id");
    connection.find(&sql, params![id, student_id])?.ok_or_else(ExternalCredit::not_found)
}

/// Refuses another student's document, and a duplicate credit.
pub(super) fn check(
    connection: &Connection,
    student_id: i64,
    id: Option<i64>,
    facts: &CreditFacts,
) -> Result<()> {
    let sql = "select :document_id is null or exists (select 1 from student_documents
            where id = :document_id and student_id = :student_id),
        exists (select 1 from external_credits where student_id = :student_id
            and completed_on = :completed_on and code = :code and school = :school
            and voided_at is null and id is not :id)";
    let values = params! {
        student_id, document_id = facts.document_id, id, code = facts.code,
        completed_on = facts.completed_on.to_string(), school = facts.school,
    };
    let (has_document, is_there): (bool, bool) = connection.one(sql, values)?;
    if !has_document {
        return Err(Error::field("documentId", "Choose one of this student’s documents"));
    }
    if is_there {
        let message = format!("{} of this school and day is recorded already", facts.code);
        return Err(Error::field("code", message));
    }
    Ok(())
}

pub(super) fn insert(
    connection: &Connection,
    student_id: i64,
    facts: &CreditFacts,
    user_id: i64,
    now: Timestamp,
) -> Result<i64> {
    let sql = "insert into external_credits (student_id, code, name, credits_hundredths, mark, completed_on, school,
            document_id, recorded_at, recorded_by)
        values (:student_id, :code, :name, :credits, :mark, :completed_on, :school, :document_id, :now, :user_id)";
    let values = params! {
        student_id, code = facts.code, name = facts.name, credits = facts.credits, mark = facts.mark,
        completed_on = facts.completed_on.to_string(), school = facts.school, document_id = facts.document_id,
        now = now.as_second(), user_id,
    };
    connection.insert(sql, values)
}

pub(super) fn update(
    connection: &Connection,
    id: i64,
    facts: &CreditFacts,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    let sql =
        "update external_credits set code = :code, name = :name, credits_hundredths = :credits, mark = :mark,
            completed_on = :completed_on, school = :school, document_id = :document_id, changed_at = :now,
            changed_by = :user_id, version = version + 1
        where id = :id";
    let values = params! {
        id, code = facts.code, name = facts.name, credits = facts.credits, mark = facts.mark,
        completed_on = facts.completed_on.to_string(), school = facts.school, document_id = facts.document_id,
        now = now.as_second(), user_id,
    };
    connection.run(sql, values)
}

pub(super) fn void(
    connection: &Connection,
    id: i64,
    reason: &str,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    let sql = "update external_credits set voided_at = :now, voided_by = :user_id, voided_reason = :reason,
            version = version + 1
        where id = :id";
    connection.run(sql, params![id, reason, user_id, now = now.as_second()])
}

/// Moves the credits of one student to another, when accounts are merged.
pub fn hand_over(connection: &Connection, from: i64, to: i64) -> Result<usize> {
    let sql = "update external_credits set student_id = :to where student_id = :from";
    connection.change(sql, params![from, to])
}

from_row!(ExternalCredit {
    id, recorded_at, recorded_by, changed_at, changed_by, voided_at, voided_by, voided_reason, version,
} and facts);
from_row!(CreditFacts {
    code, name, credits = "credits_hundredths", mark, completed_on, school, document_id,
});
