//! Enrollments that were approved without a price: the office's list of them, and what follows from the
//! charge that is posted later.

use axum::extract::State;
use jiff::civil::Date;
use rusqlite::Connection;
use utoipa_axum::router::OpenApiRouter;

use crate::base::error::Result;
use crate::base::json::Json;
use crate::base::money::Money;
use crate::enrollments::requests::guardian_emails::{AskContext, SendTime, send_with_copies};
use crate::enrollments::{UnpricedEnrollment, emails, quote_terms, store};
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;

/// The office's endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_unpriced_enrollments]
}

/// Active enrollments that were approved without a price and never charged, oldest first
#[utoipa::path(get, path = "/api/admin/enrollments/unpriced", tag = "enrollments")]
async fn list_unpriced_enrollments(
    _: Staff<may::AnyRole>,
    State(app): State<App>,
) -> Result<Json<Vec<UnpricedEnrollment>>> {
    let usual_due_on = app.config.money.due_on(quote_terms(&app).today);
    app.db.query(move |connection| store::list_unpriced(connection, usual_due_on)).await.map(Json)
}

/// Notes what an enrollment costs that had no price, and tells the student. Its charge has been posted.
///
/// # Errors
/// Database errors.
pub fn set_first_price(
    connection: &Connection,
    id: i64,
    amount: Money,
    due_on: Date,
    context: &AskContext<'_>,
) -> Result<()> {
    store::set_charged_price(connection, id, amount)?;
    let enrollment = store::find(connection, id)?;
    let student = store::student_of(connection, id)?;
    let email = emails::charge_posted(&student, &enrollment, due_on, context.config);
    send_with_copies(connection, &student, &email, SendTime::Now, context)
}
