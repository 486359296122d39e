//! What is owed: on a day, by month and by family; the figures of `/admin/money`; and the reminders of it.

pub mod balances;
mod months;
pub mod reminders;
pub mod report;
mod student_ledger;

use utoipa_axum::router::OpenApiRouter;

use crate::web::app::App;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    balances::routes().merge(student_ledger::routes()).merge(months::routes()).merge(reminders::routes())
}
