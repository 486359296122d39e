//! Global search of the office: students, applicants, courses; at most eight of each.

use axum::extract::{Query, State};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::list::typed;
use super::query::TEXT;
use crate::admissions::AdmissionRequestStatus;
use crate::base::error::Result;
use crate::base::json::Json;
use crate::staff::{Duty, Staff, may};
use crate::storage::search::Terms;
use crate::storage::statements::{Statements, from_row, params};
use crate::students::status::StudentStatus;
use crate::web::app::App;

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
    /// Always empty: there are no receipts yet.
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
pub struct FoundReceipt {
    /// Its number.
    pub number: String,
}

/// Search students, applicants and courses; no results for less than two characters (or one Chinese, Japanese or Korean
/// character), nor for items the role may not open
#[utoipa::path(get, path = "/api/admin/search", tag = "students", params(SearchQuery))]
pub(super) async fn search_office(
    staff: Staff<may::AnyRole>,
    State(app): State<App>,
    Query(query): Query<SearchQuery>,
) -> Result<Json<SearchResult>> {
    let duties = staff.user.duties;
    let words = typed(&query.q);
    if !words.is_enough() {
        return Ok(Json(SearchResult::default()));
    }
    app.db.query(move |connection| search(connection, &words, duties)).await.map(Json)
}

fn search(connection: &Connection, words: &Terms, duties: &[Duty]) -> Result<SearchResult> {
    let reads_applications = duties.contains(&Duty::Admissions);
    Ok(SearchResult {
        students: students(connection, words)?,
        applications: if reads_applications { applications(connection, words)? } else { Vec::new() },
        courses: courses(connection, words)?,
        receipts: Vec::new(),
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
        where matches_terms(concat_ws(' ', first_name, last_name, email, phone, reference), :words)
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
