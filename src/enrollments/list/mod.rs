//! The office's list of all enrollments: by state, searched, filtered and sorted by the server.

mod row;
mod statements;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use jiff::civil::Date;
use jiff::{Timestamp, ToSpan as _};
use rusqlite::{Connection, ToSql};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

pub use self::row::OfficeEnrollment;
use self::statements::EnrollmentOrder;
use super::quote_terms;
use super::status::EnrollmentStatus;
use super::store;
use super::waiting;
use crate::audit;
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::{Error, ErrorBody, Result};
use crate::base::json::Json;
use crate::config::Config;
use crate::courses::values::Grade;
use crate::enrollments::credits::prerequisites::Checks;
use crate::enrollments::requests::prices::QuoteTerms;
use crate::enrollments::requests::requirements::Moment;
use crate::staff::{CurrentStaff, Duty, Staff, may};
use crate::storage::statements::{Statements, params};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::pagination::{List, ListQuery, Listed, PageRequest, SheetQuery, SheetRequest, Sort};
use crate::web::query;

/// The endpoints of the list.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_enrollments, count_enrollments]
}

closed_set! {
    /// Action due for an enrollment.
    pub enum Due {
        /// It ends within 14 days.
        Ending = "ending",
        /// It has ended, and the final mark is missing.
        Mark = "mark",
        /// The student asked to leave the course.
        Leave = "leave",
        /// It was asked for and not decided before the course ended.
        Ended = "ended",
        /// Its section was cancelled, so the student needs another one.
        Transfer = "transfer",
    }
}

/// Days before the end at which an enrollment counts as ending.
const ENDING_DAYS: i32 = 14;

/// Additional query parameters of the list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
struct EnrollmentQuery {
    /// Only those of this course, by its number.
    #[param(value_type = Option<i64>)]
    course: String,
    /// Only those of this section, by its number.
    #[param(value_type = Option<i64>)]
    section: String,
    /// Only those of this student, by their number.
    #[param(value_type = Option<i64>)]
    student: String,
    /// Only those of courses of this grade.
    #[param(value_type = Option<i64>)]
    grade: String,
    /// `1` for only those ready for approval.
    #[param(value_type = Option<String>)]
    ready: String,
    /// Only those with this action due.
    #[param(value_type = Option<Due>, inline)]
    due: String,
    /// Only those that begin in this month (`2026-09`).
    #[param(value_type = Option<String>)]
    term: String,
}

/// Filter of the list.
#[derive(Debug, Default)]
struct Filter {
    statuses: Vec<EnrollmentStatus>,
    course: Option<i64>,
    section: Option<i64>,
    student: Option<i64>,
    grade: Option<Grade>,
    is_ready: bool,
    due: Option<Due>,
    term: Option<Date>,
}

impl Filter {
    fn parse(uri: &Uri, page: &PageRequest) -> Result<Self> {
        let query: EnrollmentQuery = query::of(uri)?;
        let number = |name, text: &str| match text.trim() {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| Error::field(name, "Must be a number")),
        };
        let due = match query.due.trim() {
            "" => None,
            word => Some(Due::choose(word).map_err(|message| Error::field("due", message))?),
        };
        let grade = number("grade", &query.grade)?.map(|grade| {
            let known = Grade::ALL.into_iter().find(|known| i64::from(known.number()) == grade);
            known.ok_or_else(|| Error::field("grade", "Grade must be 9, 10, 11 or 12"))
        });
        let term = match query.term.trim() {
            "" => None,
            month => Some(
                format!("{month}-01").parse().map_err(|_| Error::field("term", "Must be like 2026-09"))?,
            ),
        };
        let mut statuses = page.statuses()?;
        match due {
            // The condition on the section says the rest.
            Some(Due::Transfer) => statuses = Vec::new(),
            Some(Due::Ended) => statuses = vec![EnrollmentStatus::Pending, EnrollmentStatus::Waitlisted],
            Some(_) => statuses = vec![EnrollmentStatus::Active],
            None => {}
        }
        Ok(Self {
            statuses,
            course: number("course", &query.course)?,
            section: number("section", &query.section)?,
            student: number("student", &query.student)?,
            grade: grade.transpose()?,
            is_ready: matches!(query.ready.trim(), "1" | "true"),
            due,
            term,
        })
    }
}

/// Context for reading the list.
struct Reading {
    terms: QuoteTerms,
    at: Moment,
    config: Arc<Config>,
    /// Whether the role may see the state of a student's documents.
    reads_records: bool,
}

impl Reading {
    fn new(app: &App, staff: &CurrentStaff) -> Self {
        let terms = quote_terms(app);
        let at = Moment::new(app.clock.now(), terms.today);
        let reads_records = staff.user.duties.contains(&Duty::Records);
        Self { terms, at, config: app.config.clone(), reads_records }
    }
}

/// Enrollments in every state, for the office; as a sheet with `format=csv`
#[utoipa::path(get, path = "/api/admin/enrollments", tag = "enrollments",
    params(ListQuery, EnrollmentQuery,
        ("status" = Option<String>, Query, description = "Only those in one of these states: \
            `pending,waitlisted`"),
        ("sort" = Option<String>, Query, description = "created, waitlisted, decided, start, end, student \
            or course; with a `-` before it the other way round"),
        SheetQuery),
    responses((status = 200, content((Vec<OfficeEnrollment> = "application/json"), (String = "text/csv")),
            headers(("X-Total-Count" = i64, description = "Rows that match, on every page"))),
        (status = 403, body = ErrorBody, description = "The role takes no sheets")))]
async fn list_enrollments(
    staff: Staff<may::AnyRole>,
    State(app): State<App>,
    SheetRequest(page): SheetRequest,
    uri: Uri,
) -> Result<Response> {
    let page = staff.may_take(page)?;
    let filter = Filter::parse(&uri, &page)?;
    let sort = page.sort()?;
    let reading = Reading::new(&app, &staff);
    let asked = page.clone();
    let listed = app.db.query(move |connection| read(connection, &asked, &filter, sort, &reading)).await?;
    audit::respond(&app, staff.actor(), &page, listed).await
}

/// All enrollments, for an export from the command line.
pub fn every(
    connection: &Connection,
    config: &Arc<Config>,
    now: Timestamp,
    today: Date,
) -> Result<Vec<OfficeEnrollment>> {
    let terms = QuoteTerms { days: config.money.quote_days, today, zone: config.school().zone() };
    let reading = Reading { terms, at: Moment::new(now, today), config: config.clone(), reads_records: true };
    read(connection, &PageRequest::default(), &Filter::default(), None, &reading).map(|listed| listed.rows)
}

fn read(
    connection: &Connection,
    page: &PageRequest,
    filter: &Filter,
    sort: Option<Sort<EnrollmentOrder>>,
    Reading { terms, at, config, reads_records }: &Reading,
) -> Result<Listed<OfficeEnrollment>> {
    let of_age = at.of_age();
    let now = at.now.as_second();
    let today = terms.today.to_string();
    let soon = terms.today.saturating_add(ENDING_DAYS.days()).to_string();
    let month = filter.term.map(|first| (first.to_string(), first.last_of_month().to_string()));
    let (first, last) = month.unwrap_or_default();
    let bound: [(&str, &dyn ToSql); 10] = [
        (":of_age", &of_age),
        (":now", &now),
        (":today", &today),
        (":soon", &soon),
        (":course", &filter.course),
        (":section", &filter.section),
        (":student", &filter.student),
        (":grade", &filter.grade),
        (":first", &first),
        (":last", &last),
    ];
    let sql = List { filter: &bound, ..statements::list(filter, sort, &config.office) };
    let mut listed = page.read_by(connection, &sql, |row| {
        let enrollment = OfficeEnrollment::read(row, terms, &config.office)?;
        Ok(if *reads_records { enrollment } else { enrollment.without_records() })
    })?;
    if *reads_records {
        let mut checks = Checks::new(connection, terms.today);
        for row in &mut listed.rows {
            row.prerequisite = checks.of(row.student_id, row.course_id)?;
        }
    }
    Ok(listed)
}

/// Numbers of enrollments for the office's tabs.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EnrollmentCounts {
    /// Waiting for the office.
    pending: i64,
    /// Waiting for a seat.
    waitlisted: i64,
    /// Running or about to start.
    active: i64,
    /// Of those, the ones that end within 14 days.
    ending: i64,
    /// Of those, the ones that have ended without a final mark.
    needs_mark: i64,
    /// Requests whose course ended before they were decided.
    ended_requests: i64,
    /// Of the active ones, those whose students asked to leave.
    leaving: i64,
    /// In sections that were cancelled, in whatever open state.
    transferring: i64,
    /// Declined, withdrawn or completed.
    ended: i64,
}

/// Numbers of enrollments by state, and pending actions
#[utoipa::path(get, path = "/api/admin/enrollments/counts", tag = "enrollments")]
async fn count_enrollments(_: Staff<may::AnyRole>, State(app): State<App>) -> Result<Json<EnrollmentCounts>> {
    let today = quote_terms(&app).today;
    app.db.query(move |connection| counts(connection, today)).await.map(Json)
}

fn counts(connection: &Connection, today: Date) -> Result<EnrollmentCounts> {
    let soon = today.saturating_add(ENDING_DAYS.days()).to_string();
    let of = |status| store::count(connection, status);
    let sql =
        "select count(*) from enrollments where status = 'active' and end_date between :today and :soon";
    let ending = connection.one(sql, params![today, soon])?;
    Ok(EnrollmentCounts {
        pending: of(EnrollmentStatus::Pending)?,
        waitlisted: of(EnrollmentStatus::Waitlisted)?,
        active: of(EnrollmentStatus::Active)?,
        ending,
        needs_mark: waiting::marks_due(connection, today)?.count,
        ended_requests: waiting::ended_requests(connection, today)?.count,
        leaving: waiting::leave_requests(connection)?.count,
        transferring: waiting::transfers(connection)?.count,
        ended: of(EnrollmentStatus::Declined)?
            + of(EnrollmentStatus::Withdrawn)?
            + of(EnrollmentStatus::Completed)?,
    })
}
