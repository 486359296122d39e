//! The table `admissions`: a place that was accepted. What it costs and what was paid is summed up over the ledger.

use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::AdmissionRequest;
use crate::base::closed_set::closed_set;
use crate::base::error::Result;
use crate::base::money::Money;
use crate::money::ledger::{self, Fees, Payer};
use crate::storage::statements::{Statements, from_row, params};
use crate::web::id::{Numbered, numbered};

closed_set! {
    /// The state of an admission.
    pub enum AdmissionStatus {
        /// The student has the place.
        Active = "active",
        /// The student has finished.
        Completed = "completed",
        /// The place was given up.
        Cancelled = "cancelled",
    }
}

/// An admission with its fee.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Admission {
    /// Number of the admission.
    pub id: i64,
    /// Number of the application.
    pub request_id: i64,
    /// Status.
    pub status: AdmissionStatus,
    /// What was charged and not taken back, in dollars.
    #[schema(value_type = f64)]
    pub fee_due: Money,
    /// What was paid and not paid back, in dollars.
    #[schema(value_type = f64)]
    pub fee_paid: Money,
}

numbered!(Admission, "Admission");

struct AdmissionRow {
    id: i64,
    request_id: i64,
    status: AdmissionStatus,
}

from_row!(AdmissionRow { id, request_id, status });

fn read(connection: &Connection, row: &AdmissionRow) -> Result<Admission> {
    let AdmissionRow { id, request_id, status } = *row;
    let fees = Fees::read(connection, Payer::Request(request_id))?.per_item();
    let own = || fees.iter().filter(|item| item.admission_id == Some(id));
    let fee_due = own().map(|item| item.charged - item.waived).sum();
    let fee_paid = own().map(|item| item.paid - item.refunded).sum();
    Ok(Admission { id, request_id, status, fee_due, fee_paid })
}

/// The admission that followed from an application.
pub fn of_request(connection: &Connection, request_id: i64) -> Result<Option<Admission>> {
    let sql = "select id, request_id, status from admissions where request_id = :request_id";
    connection.find(sql, params![request_id])?.map(|found| read(connection, &found)).transpose()
}

/// Finds an admission.
///
/// # Errors
/// 404 when there is none.
pub fn find(connection: &Connection, id: i64) -> Result<Admission> {
    let sql = "select id, request_id, status from admissions where id = :id";
    let found = connection.find(sql, params![id])?.map(|found| read(connection, &found)).transpose()?;
    found.ok_or_else(Admission::not_found)
}

/// Adds an admission, and returns its number.
pub fn insert(connection: &Connection, request_id: i64, offer_id: i64, now: Timestamp) -> Result<i64> {
    let sql = "insert into admissions (request_id, offer_id, enrollment_date) values (:request_id, :offer_id, :now)";
    connection.insert(sql, params![request_id, offer_id, now = now.as_second()])
}

/// Puts an admission into another state.
pub fn set_status(connection: &Connection, id: i64, status: AdmissionStatus) -> Result<()> {
    connection.run("update admissions set status = :status where id = :id", params![id, status])
}

/// Has an admission stand again whose cancellation is undone, and charges its fee again.
///
/// # Errors
/// 409 when money of it was refunded meanwhile.
pub fn restore(
    connection: &Connection,
    request: &AdmissionRequest,
    decision: &str,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    if let Some(admission) = of_request(connection, request.id)? {
        set_status(connection, admission.id, AdmissionStatus::Active)?;
    }
    ledger::take_back(connection, decision, user_id, now, request)
}
