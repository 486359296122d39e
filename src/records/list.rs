//! The office's list of students, with search, filters, sorting and pages.
//!
//! The ids are found first, from an index or in one scan; then the rows of the page are loaded.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::{Connection, ToSql};
use serde::Serialize;
use utoipa::ToSchema;

use super::flags::{FlagDates, StudentFlag};
use super::query::{Order, StudentsFilter, StudentsQuery};
use super::student_sheet::{self, RecordedRow};
use crate::audit;
use crate::base::closed_set::ClosedSet;
use crate::base::error::{ErrorBody, Result};
use crate::base::json::Json;
use crate::base::money::Money;
use crate::config::{Config, Office};
use crate::money::ledger;
use crate::staff::{CurrentStaff, Duty, Staff, may};
use crate::storage::search::Terms;
use crate::storage::statements::{Statements, params};
use crate::students::status::StudentStatus;
use crate::students::{Student, age, lacks};
use crate::web::app::App;
use crate::web::id::Numbered;
use crate::web::pagination::{Listed, ROWS, SheetQuery, SheetRequest};
use crate::web::sheet::{Cell, SheetCell, SheetRow};

/// A student in the office's list.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudentRow {
    /// Number of the account.
    pub id: i64,
    /// The student number.
    #[schema(required)]
    pub number: Option<String>,
    /// Name, once the profile has it.
    #[schema(required)]
    pub full_name: Option<String>,
    /// Preferred name.
    #[schema(required)]
    pub preferred_name: Option<String>,
    /// Address.
    pub email: String,
    /// The state of the account.
    pub status: StudentStatus,
    /// Whole years; null for a role that reads no records.
    #[schema(required)]
    pub age: Option<i16>,
    /// Flags for the office.
    pub flags: Vec<StudentFlag>,
    /// Null for a role that reads no records.
    #[schema(required)]
    pub documents: Option<AcceptedDocuments>,
    /// Pending requests, waiting list places and active courses.
    pub open_enrollments: i64,
    /// What the student owes, in dollars; null for a role that reads no balances.
    #[schema(value_type = Option<f64>, required)]
    pub balance: Option<Money>,
    /// When the account was created.
    pub created_at: Timestamp,
    /// Last activity of the student.
    #[schema(required)]
    pub last_activity_at: Option<Timestamp>,
}

/// Progress of a student's documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct AcceptedDocuments {
    /// Required documents accepted by the office.
    pub accepted: i64,
    /// Documents that the school wants of this student.
    pub required: i64,
}

/// Number of students matching a filter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FlagCount {
    /// The filter.
    pub flag: StudentFlag,
    /// Number of open accounts it matches; closed ones for `closed`.
    pub count: i64,
}

/// Students, by default sorted by name; search by name, number, email address, telephone number, guardian and course
/// code. Closed accounts only on request. `format=csv` exports all rows, with profiles for roles with access to
/// records.
#[utoipa::path(get, path = "/api/admin/students", tag = "students", params(StudentsQuery, SheetQuery),
    responses((status = 200, content((Vec<StudentRow> = "application/json"), (String = "text/csv")),
            headers(("X-Total-Count" = i64, description = "Rows that match, on every page"))),
        (status = 403, body = ErrorBody, description = "The role takes no sheets")))]
pub(super) async fn list_students(
    staff: Staff<may::AnyRole>,
    State(app): State<App>,
    query: StudentsQuery,
    SheetRequest(page): SheetRequest,
) -> Result<Response> {
    if page.is_sheet() {
        // It contains balances, which bursars need, too.
        staff.require(Duty::Balances)?;
    }
    let reading = ListContext::new(&app, &staff);
    let wish = query.parse(reading.duties, page.is_sheet())?;
    if page.is_sheet() && reading.has(Duty::Records) {
        let listed = app.db.query(move |connection| {
            RecordedRow::of(connection, &list(connection, &wish, &reading)?, |row| row.id)
        });
        return audit::respond(&app, staff.actor(), &page, listed.await?).await;
    }
    let listed = app.db.query(move |connection| list(connection, &wish, &reading)).await?;
    audit::respond(&app, staff.actor(), &page, listed).await
}

/// Number of students that each filter of the list finds
#[utoipa::path(get, path = "/api/admin/students/flags", tag = "students")]
pub(super) async fn count_student_flags(
    staff: Staff<may::AnyRole>,
    State(app): State<App>,
) -> Result<Json<Vec<FlagCount>>> {
    let reading = ListContext::new(&app, &staff);
    app.db.query(move |connection| count_flags(connection, &reading)).await.map(Json)
}

/// Context for reading students.
#[derive(Debug, Clone)]
pub(super) struct ListContext {
    /// Duties of the caller's role.
    pub(super) duties: &'static [Duty],
    /// Today at the school.
    pub(super) today: Date,
    /// Configuration.
    pub(super) config: Arc<Config>,
}

impl ListContext {
    pub(super) fn new(app: &App, staff: &CurrentStaff) -> Self {
        Self { duties: staff.user.duties, today: app.today(), config: app.config.clone() }
    }

    /// Whether the role includes a duty.
    pub(super) fn has(&self, duty: Duty) -> bool {
        self.duties.contains(&duty)
    }
}

impl SheetRow for StudentRow {
    const LIST: &'static str = "students";
    const HEADINGS: &'static [&'static str] = student_sheet::LISTED;

    fn cells(&self) -> Vec<SheetCell> {
        let documents = self.documents.as_ref();
        let flags: Vec<_> = self.flags.iter().map(|flag| flag.as_str()).collect();
        vec![
            self.number.cell(),
            self.full_name.cell(),
            self.preferred_name.cell(),
            self.email.cell(),
            self.status.cell(),
            self.age.cell(),
            flags.join(" ").cell(),
            documents.map(|count| count.accepted).cell(),
            documents.map(|count| count.required).cell(),
            self.open_enrollments.cell(),
            self.balance.cell(),
            self.created_at.cell(),
            self.last_activity_at.cell(),
        ]
    }
}

/// Codes of all courses a student has requested.
const CODES: &str = "(select group_concat(c.code, ' ') from enrollments e join courses c on c.id = e.course_id \
    where e.student_id = s.id)";

/// Whether a word may be part of a course code, which has letters and a digit.
fn may_be_code(q: &str) -> bool {
    let is_code = |word: &str| {
        word.len() <= 10
            && word.chars().any(|c| c.is_ascii_digit())
            && word.chars().any(|c| c.is_ascii_alphabetic())
    };
    q.split_whitespace().any(is_code)
}

/// The rows of a page.
pub(super) fn list(
    connection: &Connection,
    wish: &StudentsFilter,
    reading: &ListContext,
) -> Result<Listed<StudentRow>> {
    let days = FlagDates::new(reading.today);
    let found = find(connection, wish, &reading.config.office, &days)?;
    let mut rows = Vec::with_capacity(found.rows.len());
    for id in found.rows {
        rows.push(row(connection, id, reading)?);
    }
    Ok(Listed { rows, total: found.total })
}

/// Ids of the students on a page, in order.
fn find(
    connection: &Connection,
    wish: &StudentsFilter,
    office: &Office,
    days: &FlagDates,
) -> Result<Listed<i64>> {
    let condition = wish.condition(office, may_be_code(&wish.q).then_some(CODES));
    let words = Terms::new(&wish.q);
    let is_paged = wish.is_plain();
    let (limit, offset) = match wish.skipped {
        Some(skipped) if is_paged => (ROWS, skipped),
        _ => (-1, 0),
    };
    let sql = numbers(&condition, wish.order);
    let mut parameters = days.parameters(&sql);
    let own: [(&str, &dyn ToSql); 3] = [(":words", &words), (":limit", &limit), (":offset", &offset)];
    parameters.extend(own.into_iter().filter(|(name, _)| sql.contains(name)));
    parameters.extend(wish.parameters());
    let ids = connection.list(&sql, &*parameters)?;
    let Some(skipped) = wish.skipped else {
        let total = count(ids.len());
        return Ok(Listed { rows: ids, total });
    };
    if !is_paged {
        let total = count(ids.len());
        let skipped = usize::try_from(skipped).unwrap_or(usize::MAX);
        let rows = ids.into_iter().skip(skipped).take(usize::try_from(ROWS).unwrap_or(usize::MAX)).collect();
        return Ok(Listed { rows, total });
    }
    let total = connection.one(COUNT, [])?;
    Ok(Listed { rows: ids, total })
}

fn count(rows: usize) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}

fn numbers(condition: &str, order: Order) -> String {
    let balances = if order.is_by_balance() {
        "left join (select student_id, sum(cents) as cents from student_entries group by student_id) b
             on b.student_id = s.id"
    } else {
        ""
    };
    let order = order.sql();
    format!(
        "select s.id from students s {balances} where {condition} order by {order} limit :limit offset :offset"
    )
}

/// Length of the unfiltered list: all accounts except closed ones.
const COUNT: &str = "select count(*) from students where status <> 'closed'";

/// Loads a row.
fn row(connection: &Connection, id: i64, reading: &ListContext) -> Result<StudentRow> {
    let reads_records = reading.has(Duty::Records);
    let flags = flags_of(connection, id, reading)?;
    let balance =
        reading.has(Duty::Balances).then(|| ledger::balance_of_student(connection, id)).transpose()?;
    let sql =
        "select s.id, s.student_number, s.full_name, s.preferred_name, s.email, s.status, s.date_of_birth,
            s.created_at, s.last_activity_at,
            (select count(*) from enrollments e
                where e.student_id = s.id and e.status in ('pending', 'waitlisted', 'active')) as open
        from students s where s.id = :id";
    let documents = reads_records
        .then(|| lacks::document_totals(connection, id, &reading.config.office, reading.today))
        .transpose()?
        .map(|totals| AcceptedDocuments { accepted: totals.accepted, required: totals.required });
    let found = connection.find_by(sql, params![id], |row| {
        let born: Option<Date> = row.read("date_of_birth")?;
        Ok(StudentRow {
            id: row.read("id")?,
            number: row.read("student_number")?,
            full_name: row.read("full_name")?,
            preferred_name: row.read("preferred_name")?,
            email: row.read("email")?,
            status: row.read("status")?,
            age: born.filter(|_| reads_records).map(|born| age::years(born, reading.today)),
            flags,
            documents,
            open_enrollments: row.read("open")?,
            balance,
            created_at: row.read("created_at")?,
            last_activity_at: row.read("last_activity_at")?,
        })
    })?;
    found.ok_or_else(Student::not_found)
}

/// The flags of one student that a role may know of.
///
/// # Errors
/// 404 when there is no such student.
pub(super) fn flags_of(connection: &Connection, id: i64, reading: &ListContext) -> Result<Vec<StudentFlag>> {
    let known = StudentFlag::visible_to(reading.duties);
    let conditions: Vec<_> = known.iter().map(|flag| flag.condition(&reading.config.office)).collect();
    let sql = format!("select {} from students s where s.id = :id", conditions.join(", "));
    let days = FlagDates::new(reading.today);
    let mut parameters = days.parameters(&sql);
    parameters.push((":id", &id));
    let found = connection.find_by(&sql, &*parameters, |row| {
        let mut flags = Vec::new();
        for (place, flag) in known.into_iter().enumerate() {
            if row.read_at::<Option<bool>>(place)? == Some(true) {
                flags.push(flag);
            }
        }
        Ok(flags)
    })?;
    found.ok_or_else(Student::not_found)
}

fn count_flags(connection: &Connection, reading: &ListContext) -> Result<Vec<FlagCount>> {
    let known = StudentFlag::visible_to(reading.duties);
    let counts: Vec<_> = (known.iter())
        .map(|flag| {
            let of_all = if *flag == StudentFlag::Closed { "" } else { "s.status <> 'closed' and " };
            format!("count(*) filter (where {of_all}{})", flag.condition(&reading.config.office))
        })
        .collect();
    let sql = format!("select {} from students s", counts.join(", "));
    let days = FlagDates::new(reading.today);
    let counts = connection.find_by(&sql, &*days.parameters(&sql), |row| {
        let count =
            |(place, flag): (usize, &StudentFlag)| Ok(FlagCount { flag: *flag, count: row.read_at(place)? });
        known.iter().enumerate().map(count).collect()
    })?;
    Ok(counts.unwrap_or_default())
}

#[cfg(test)]
mod tests;
