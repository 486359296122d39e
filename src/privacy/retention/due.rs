//! Finds data past its retention period, and deletes or blanks it.

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan};
use rusqlite::Connection;

use super::rules::RetentionRule;
use super::{RetentionAction, RetentionClass};
use crate::base::error::Result;
use crate::documents::rules::{DocumentType, RemovalCause};
use crate::privacy::breaches;
use crate::records::notes;
use crate::storage::statements::{Statements, from_row, params};
use crate::students;
use crate::{admissions, documents, messages};

/// Maximum proposals per class and night.
const MAX: i64 = 5_000;

/// An item that may be deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DueItem {
    /// Id of the student, document, message, request or breach.
    pub(super) object_id: i64,
    /// Id of the student it belongs to.
    pub(super) student_id: Option<i64>,
    /// Date since which it may be deleted.
    pub(super) due_on: String,
}

/// Documents of students who left.
const DOCUMENTS: &str = "with gone as (
        select s.id, max(date(coalesce(s.last_activity_at, s.created_at), 'unixepoch'),
            coalesce((select max(coalesce(e.withdrawn_on, e.end_date)) from enrollments e
                where e.student_id = s.id and e.status <> 'declined'), '')) as left_on
        from students s
        where {student} and ({asked} or not exists (select 1 from enrollments e
            where e.student_id = s.id and e.status in ('pending', 'waitlisted', 'active'))))
    select d.id as object_id, g.id as student_id, date(g.left_on, '+' || :years || ' years') as due_on
    from gone g cross join student_documents d on d.student_id = g.id
    where g.left_on <= :before order by g.left_on, d.id limit :limit";

/// Students who left and whose profile still has more than identifying data.
const PROFILES: &str = "with gone as (
        select s.id, max(date(coalesce(s.last_activity_at, s.created_at), 'unixepoch'),
            coalesce((select max(coalesce(e.withdrawn_on, e.end_date)) from enrollments e
                where e.student_id = s.id and e.status <> 'declined'), '')) as left_on
        from students s
        where {student} and ({asked} or not exists (select 1 from enrollments e
                where e.student_id = s.id and e.status in ('pending', 'waitlisted', 'active')))
            and (coalesce(s.address, s.city, s.postal_code, s.phone_number, s.parent_name, s.parent_contact,
                    s.gender, s.canadian_status) is not null
                or exists (select 1 from student_notes n where n.student_id = s.id and n.deleted_at is null)))
    select g.id as object_id, g.id as student_id, date(g.left_on, '+' || :years || ' years') as due_on
    from gone g where g.left_on <= :before order by g.left_on, g.id limit :limit";

const MESSAGES: &str = "select id as object_id, null as student_id,
        date(created_at, 'unixepoch', '+' || :years || ' years') as due_on
    from contact_messages where created_at < unixepoch(:before) order by created_at, id limit :limit";

/// Admitted families belong to a student with a ledger.
const ADMISSION_REQUESTS: &str = "select r.id as object_id, null as student_id,
        date(r.created_at, 'unixepoch', '+' || :years || ' years') as due_on
    from admission_requests r where r.created_at < unixepoch(:before) and r.status <> 'accepted'
        and not exists (select 1 from admissions a where a.request_id = r.id)
    order by r.created_at, r.id limit :limit";

const BREACHES: &str = "select id as object_id, null as student_id,
        date(discovered_on, '+' || :years || ' years') as due_on
    from breaches where discovered_on <= :before order by discovered_on, id limit :limit";

/// Items due by a rule.
pub(super) fn find(connection: &Connection, rule: &RetentionRule, today: Date) -> Result<Vec<DueItem>> {
    let years = i64::from(rule.years.unwrap_or_default());
    select(connection, rule, today.saturating_sub(years.years()), Scope::All)
}

/// All items of a class of a student who requested deletion, regardless of age and open courses: due today.
pub(super) fn find_asked(
    connection: &Connection,
    rule: &RetentionRule,
    today: Date,
    student_id: i64,
) -> Result<Vec<DueItem>> {
    let mut found = select(connection, rule, Date::MAX, Scope::ErasureRequest(student_id))?;
    for due in &mut found {
        due.due_on = today.to_string();
    }
    Ok(found)
}

/// An item of a student.
#[derive(Debug, Clone, Copy)]
pub(super) struct StudentItem {
    /// Id of the item.
    pub(super) object_id: i64,
    /// Id of the student.
    pub(super) student_id: i64,
}

/// Whether an item is still due: data of a student who has returned since is kept.
pub(super) fn is_due(
    connection: &Connection,
    rule: &RetentionRule,
    item: StudentItem,
    today: Date,
) -> Result<bool> {
    let years = i64::from(rule.years.unwrap_or_default());
    let found =
        select(connection, rule, today.saturating_sub(years.years()), Scope::Student(item.student_id))?;
    Ok(found.iter().any(|due| due.object_id == item.object_id))
}

/// Students to search for.
#[derive(Clone, Copy)]
enum Scope {
    All,
    Student(i64),
    /// A student who requested erasure: due regardless of open courses.
    ErasureRequest(i64),
}

fn select(connection: &Connection, rule: &RetentionRule, before: Date, scope: Scope) -> Result<Vec<DueItem>> {
    let (Some(years), false) = (rule.years, rule.action == RetentionAction::Keep) else {
        return Ok(Vec::new());
    };
    let sql = match rule.class {
        RetentionClass::Marks | RetentionClass::Ledger => return Ok(Vec::new()),
        RetentionClass::Documents => DOCUMENTS,
        RetentionClass::Profile => PROFILES,
        RetentionClass::Messages => MESSAGES,
        RetentionClass::AdmissionRequests => ADMISSION_REQUESTS,
        RetentionClass::Breaches => BREACHES,
    };
    let before = before.to_string();
    let (student_id, student, asked) = match scope {
        Scope::All => (None, "true", "false"),
        Scope::Student(id) => (Some(id), "s.id = :student_id", "false"),
        Scope::ErasureRequest(id) => (Some(id), "s.id = :student_id", "true"),
    };
    let sql = sql.replace("{student}", student).replace("{asked}", asked);
    let all = params![years, before, student_id, limit = MAX];
    connection.list(&sql, &*connection.named(&sql, all)?)
}

from_row!(DueItem { object_id, student_id, due_on });

/// Applies the rule's action to an item; returns the path of a file to delete. A missing item is not an error.
pub(super) fn carry_out(
    connection: &Connection,
    class: RetentionClass,
    id: i64,
    now: Timestamp,
) -> Result<Option<String>> {
    match class {
        // Never proposed.
        RetentionClass::Marks | RetentionClass::Ledger => {}
        RetentionClass::Documents => {
            if documents::store::find(connection, id)?.is_some() {
                return documents::removal::remove(connection, id, RemovalCause::Removed, now).map(Some);
            }
        }
        RetentionClass::Profile => {
            students::store::blank(connection, id, now)?;
            notes::blank_all(connection, id, now)?;
        }
        RetentionClass::Messages => messages::store::delete(connection, id)?,
        RetentionClass::AdmissionRequests => admissions::store::delete(connection, id)?,
        RetentionClass::Breaches => breaches::delete(connection, id)?,
    }
    Ok(None)
}

/// Name of an item in the office's sample.
pub(super) fn name(connection: &Connection, class: RetentionClass, id: i64) -> Result<Option<String>> {
    let sql = match class {
        RetentionClass::Marks | RetentionClass::Ledger => return Ok(None),
        RetentionClass::Documents => {
            "select coalesce(s.full_name, s.email), d.document_type from student_documents d
             join students s on s.id = d.student_id where d.id = :id"
        }
        RetentionClass::Profile => "select coalesce(full_name, email), null from students where id = :id",
        RetentionClass::Messages => "select name, null from contact_messages where id = :id",
        RetentionClass::AdmissionRequests => {
            "select first_name || ' ' || last_name, null from admission_requests where id = :id"
        }
        RetentionClass::Breaches => "select substr(what, 1, 80), null from breaches where id = :id",
    };
    let found: Option<(String, Option<DocumentType>)> = connection.find(sql, params![id])?;
    Ok(found.map(|(name, document)| match document {
        Some(document) => format!("{} of {name}", document.label()),
        None => name,
    }))
}
