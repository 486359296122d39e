//! Global search of the office: students, applicants, courses, receipts; at most eight of each.

use axum::extract::State;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::query::TEXT;
use crate::admissions::AdmissionRequestStatus;
use crate::base::error::Result;
use crate::base::json::Json;
use crate::staff::{Duty, Staff, may};
use crate::storage::search::Terms;
use crate::storage::statements::{Statements, from_row, params};
use crate::students::status::StudentStatus;
use crate::web::app::App;
use crate::web::query::Query;

/// Maximum results per kind.
const MAX: i64 = 8;

/// Query parameters.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct SearchQuery {
    /// At least two characters, or one Chinese, Japanese or Korean character; each word must occur.
    #[serde(default)]
    q: String,
}

/// Search results.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct SearchResult {
    /// Students, open accounts first, newest first.
    pub students: Vec<FoundStudent>,
    /// Requests for a place, newest first.
    pub applications: Vec<FoundApplication>,
    /// Courses of the catalogue, by code.
    pub courses: Vec<FoundCourse>,
    /// Receipts by their numbers, newest first.
    pub receipts: Vec<FoundReceipt>,
}

/// A matching student.
#[derive(Debug, Serialize, ToSchema)]
pub struct FoundStudent {
    /// Number of the account.
    pub id: i64,
    /// Full name, or the number of the account.
    pub name: String,
    /// The student number.
    #[schema(required)]
    pub number: Option<String>,
    /// Address.
    pub email: String,
    /// The state of the account.
    pub status: StudentStatus,
}

/// A matching request for a place.
#[derive(Debug, Serialize, ToSchema)]
pub struct FoundApplication {
    /// Number of the request.
    pub id: i64,
    /// What the family and the office call it.
    pub reference: String,
    /// The student's name.
    pub name: String,
    /// Address.
    pub email: String,
    /// Status of the request.
    pub status: AdmissionRequestStatus,
}

/// A matching course.
#[derive(Debug, Serialize, ToSchema)]
pub struct FoundCourse {
    /// Number of the course.
    pub id: i64,
    /// Its code.
    pub code: String,
    /// Its name.
    pub name: String,
}

/// A matching receipt.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundReceipt {
    /// Its number.
    pub number: String,
    /// The student; null for a family whose application has none.
    #[schema(required)]
    pub student_id: Option<i64>,
    /// The student whose payment it is for.
    pub name: String,
    /// Whether it is void.
    pub is_void: bool,
}

/// Search students, applicants, courses and receipts; no results for less than two characters (or one Chinese, Japanese or Korean
/// character), nor for items the role may not open
#[utoipa::path(get, path = "/api/admin/search", tag = "students", params(SearchQuery))]
pub(super) async fn search_office(
    staff: Staff<may::AnyRole>,
    State(app): State<App>,
    Query(query): Query<SearchQuery>,
) -> Result<Json<SearchResult>> {
    let duties = staff.user.duties;
    let words = Terms::new(&query.q);
    if !words.is_enough() {
        return Ok(Json(SearchResult::default()));
    }
    app.db.query(move |connection| search(connection, &query.q, &words, duties)).await.map(Json)
}

fn search(connection: &Connection, text: &str, words: &Terms, duties: &[Duty]) -> Result<SearchResult> {
    let reads_applications = duties.contains(&Duty::Admissions);
    let reads_money = duties.contains(&Duty::Balances);
    Ok(SearchResult {
        students: students(connection, words)?,
        applications: if reads_applications { applications(connection, words)? } else { Vec::new() },
        courses: courses(connection, words)?,
        receipts: if reads_money { receipts(connection, text)? } else { Vec::new() },
    })
}

fn students(connection: &Connection, words: &Terms) -> Result<Vec<FoundStudent>> {
    let sql = format!(
            "select s.id, coalesce(s.full_name, 'Student #' || s.id) as name, s.student_number, s.email,
                 s.status
             from students s where matches_terms({TEXT}, :words)
             order by s.status = 'closed', not matches_terms(coalesce(s.full_name, ''), :words), s.created_at desc, s.id desc limit :limit"
        );
    connection.list(&sql, params![words, limit = MAX])
}

from_row!(FoundStudent { id, name, number = "student_number", email, status });

fn applications(connection: &Connection, words: &Terms) -> Result<Vec<FoundApplication>> {
    let sql =
        "select id, reference, first_name || ' ' || last_name as name, email, status from admission_requests
        where matches_terms(concat_ws(' ', first_name, last_name, email, phone, guardian_name, guardian_email, guardian_phone, reference), :words)
        order by created_at desc, id desc limit :limit";
    connection.list(sql, params![words, limit = MAX])
}

from_row!(FoundApplication { id, reference, name, email, status });

fn courses(connection: &Connection, words: &Terms) -> Result<Vec<FoundCourse>> {
    let sql = "select id, code, name from courses
        where archived_at is null and matches_terms(concat_ws(' ', code, name), :words)
        order by code limit :limit";
    connection.list(sql, params![words, limit = MAX])
}

from_row!(FoundCourse { id, code, name });

/// Receipts of a number, with its year or of every year: `2026-000123`, or its last digits.
fn receipts(connection: &Connection, text: &str) -> Result<Vec<FoundReceipt>> {
    let (year, number) = match text.trim().split_once('-') {
        Some((year, number)) => (Some(year), number),
        None => (None, text.trim()),
    };
    let (Ok(year), Ok(number)) = (year.map(str::parse::<i64>).transpose(), number.parse::<i64>()) else {
        return Ok(Vec::new());
    };
    let sql = "select t.number, s.id as student_id, t.voided_at is not null as is_void,
            coalesce(s.full_name, 'Student #' || s.id, q.first_name || ' ' || q.last_name) as name
        from counters c cross join receipts t on t.number = printf('%d-%06d', c.year, :number)
            cross join payments p on p.id = t.payment_id
            left join admission_requests q on q.id = p.request_id
            left join students o on o.id = coalesce(p.student_id, q.student_id)
            left join students s on s.id = coalesce(o.merged_into, o.id)
        where c.name = 'receipt' and (:year is null or c.year = :year)
        order by c.year desc limit :limit";
    connection.list(sql, params![number, year, limit = MAX])
}

from_row!(FoundReceipt { number, student_id, name, is_void });
