//! Admissions: requests for a place, for the office.
//!
//! Absent until its own issue: the page on which a family asks (`/apply`), the decisions about a
//! request, and the admission that follows.

use axum::extract::State;
use jiff::Timestamp;
use rusqlite::{Connection, ToSql};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::base::closed_set::closed_set;
use crate::base::email::Email;
use crate::base::error::Result;
use crate::courses::values::Grade;
use crate::staff::{Staff, may};
use crate::storage::statements::{Statements, from_row, params};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::pagination::{List, ListQuery, Listed, PageRequest};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_admission_requests]
}

closed_set! {
    /// The state of a request for a place, in the order in which it passes through them.
    pub enum AdmissionRequestStatus {
        /// Not reviewed yet.
        Pending = "pending",
        /// Under review.
        InReview = "in_review",
        /// More information was requested.
        InfoRequested = "info_requested",
        /// Waits for a place.
        Waitlisted = "waitlisted",
        /// A place is offered.
        Offered = "offered",
        /// The family takes it.
        Accepted = "accepted",
        /// The offer ran out.
        Expired = "expired",
        /// Refused by the office.
        Declined = "declined",
        /// Withdrawn by the family.
        Withdrawn = "withdrawn",
    }
}

/// A family's request for a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdmissionRequest {
    /// Number of the request.
    pub id: i64,
    /// The student's first name.
    pub first_name: String,
    /// The student's last name.
    pub last_name: String,
    /// Where the family is reached.
    pub email: String,
    /// Telephone number.
    pub phone: String,
    /// Postal address.
    pub address: String,
    /// The grade asked for.
    pub grade: Grade,
    /// The school attended so far.
    #[schema(required)]
    pub previous_school: Option<String>,
    /// Status.
    pub status: AdmissionRequestStatus,
    /// When it arrived.
    pub created_at: Timestamp,
}

/// A request to be kept.
pub struct NewAdmissionRequest<'a> {
    /// The student's first name.
    pub first_name: &'a str,
    /// The student's last name.
    pub last_name: &'a str,
    /// Where the family is reached.
    pub email: &'a Email,
    /// Telephone number.
    pub phone: &'a str,
    /// Postal address.
    pub address: &'a str,
    /// The grade asked for.
    pub grade: Grade,
    /// The school attended so far.
    pub previous_school: Option<&'a str>,
}

/// Families who ask for a place, newest first; searched by name and address
#[utoipa::path(get, path = "/api/admin/admission-requests", tag = "admissions",
    params(ListQuery,
        ("status" = Option<AdmissionRequestStatus>, Query, description = "Only requests in this state")))]
async fn list_admission_requests(
    _: Staff<may::Admissions>,
    State(app): State<App>,
    page: PageRequest,
) -> Result<Listed<AdmissionRequest>> {
    let status = page.status()?;
    page.ask(&app.db, move |page, connection| list(connection, page, status)).await
}

/// Stores a pending request and returns its id.
pub fn insert(connection: &Connection, new: &NewAdmissionRequest<'_>, now: Timestamp) -> Result<i64> {
    let sql = "insert into admission_requests (first_name, last_name, email, phone, address, grade,
            previous_school, status, created_at)
        values (:first_name, :last_name, :email, :phone, :address, :grade,
            :previous_school, 'pending', :now)";
    let values = params! {
        first_name = new.first_name, last_name = new.last_name, email = new.email.as_str(), phone = new.phone,
        address = new.address, grade = new.grade, previous_school = new.previous_school,
        now = now.as_second(),
    };
    connection.insert(sql, values)
}

/// Deletes a request that led to no admission.
pub fn delete(connection: &Connection, id: i64) -> Result<()> {
    connection.run("delete from admission_requests where id = :id", params![id])
}

/// How many requests are in a state.
pub fn count(connection: &Connection, status: AdmissionRequestStatus) -> Result<i64> {
    connection.one("select count(*) from admission_requests where status = :status", params![status])
}

/// The requests of a page, newest first: all of them, or those in one state.
pub fn list(
    connection: &Connection,
    page: &PageRequest,
    status: Option<AdmissionRequestStatus>,
) -> Result<Listed<AdmissionRequest>> {
    match status {
        None => page.read(connection, &all()),
        Some(status) => page.read(connection, &in_state(&[(":status", &status)])),
    }
}

const COLUMNS: &str =
    "id, first_name, last_name, email, phone, address, grade, previous_school, status, created_at";
const FOUND: &str = "matches_terms(concat_ws(' ', first_name, last_name, email), :words)";
const ORDER: &str = "order by created_at desc, id desc limit :limit offset :offset";

fn all() -> List<'static> {
    List {
        rows: format!("select {COLUMNS} from admission_requests where {FOUND} {ORDER}"),
        count: "select count(*) from admission_requests".into(),
        filter: &[],
    }
}

fn in_state<'a>(filter: &'a [(&'a str, &'a dyn ToSql)]) -> List<'a> {
    List {
        rows: format!("select {COLUMNS} from admission_requests where status = :status and {FOUND} {ORDER}"),
        count: "select count(*) from admission_requests where status = :status".into(),
        filter,
    }
}

from_row! { AdmissionRequest {
    id, first_name, last_name, email, phone, address, grade, previous_school, status, created_at,
} }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::db;
    use crate::web::pagination::testing::assert_comes_from_index;

    #[test]
    fn the_first_page_of_requests_comes_from_an_index() {
        let folder = tempfile::tempdir().unwrap();
        let connection = db::open(&folder.path().join("school.db")).unwrap();
        assert_comes_from_index(&connection, &all(), "admission_requests_created");
        assert_comes_from_index(&connection, &in_state(&[]), "admission_requests_status");
    }
}
