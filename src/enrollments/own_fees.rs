//! What a student is charged, as the ledger has it: the balance, the next day on which something is due, and the rows.
//!
//! Absent until payments are recorded: what was received, and what is overdue.

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

/// What a student is charged.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnFees {
    /// Dollars that are owed in all, as charged; less than zero where more was paid.
    #[schema(value_type = f64)]
    balance: Money,
    /// The first day on which some of it is due; null where nothing is.
    #[schema(required)]
    next_due_on: Option<Date>,
    /// What the balance is made of, the newest first. What was taken back is not in it.
    entries: Vec<FeeEntry>,
    /// How to pay it.
    how_to_pay: HowToPay,
}

/// How a fee is paid.
#[derive(Debug, Serialize, ToSchema)]
pub struct HowToPay {
    /// The school's own words.
    text: String,
}

/// What the signed-in student is charged, and when it is due
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
