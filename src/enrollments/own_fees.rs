//! A student's fees from the ledger: balance, next due date, and entries.
//!
//! Payments and overdue amounts are not included, as payments are not recorded yet.

use axum::extract::State;
use jiff::civil::Date;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::base::error::Result;
use crate::base::json::Json;
use crate::base::money::Money;
use crate::fees::{self, FeeEntry};
use crate::students::CurrentStudent;
use crate::web::access::endpoints;
use crate::web::app::App;

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![get_own_fees]
}

/// Fees of a student.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnFees {
    /// Balance in dollars; negative if overpaid.
    #[schema(value_type = f64)]
    balance: Money,
    /// Next due date, if any.
    #[schema(required)]
    next_due_on: Option<Date>,
    /// Entries of the balance, newest first, without reversed ones.
    entries: Vec<FeeEntry>,
    /// How to pay it.
    how_to_pay: HowToPay,
}

/// Payment instructions.
#[derive(Debug, Serialize, ToSchema)]
pub struct HowToPay {
    /// The school's text.
    text: String,
}

/// Fees of the signed-in student, with due dates
#[utoipa::path(get, path = "/api/students/fees", tag = "enrollments")]
async fn get_own_fees(student: CurrentStudent, State(app): State<App>) -> Result<Json<OwnFees>> {
    let how_to_pay = HowToPay { text: app.config.how_to_pay() };
    let read = app.db.read(|connection| {
        let entries = fees::entries_of_student(connection, student.id)?;
        let next_due_on = fees::next_due_on(&entries);
        let balance = fees::balance_of_student(connection, student.id)?;
        Ok(OwnFees { balance, next_due_on, entries, how_to_pay })
    });
    read.await.map(Json)
}
