//! The office's money: who owes what, since when, and what is posted, waived, refunded or reversed.
//!
//! Payments are in `payments`, the ledger in `fees`. What each item comes to is read from the view `balances`.

mod adjustments;
mod balances;
mod charges;
pub mod context;
mod emails;
mod instalments;
mod ledger;
mod months;
pub mod on_account;
mod payouts;
mod refunds_due;
pub mod reminders;
mod report;
pub mod rules;
#[cfg(test)]
mod tests;

use utoipa_axum::router::OpenApiRouter;

use crate::web::app::App;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    balances::routes()
        .merge(ledger::routes())
        .merge(charges::routes())
        .merge(adjustments::routes())
        .merge(instalments::routes())
        .merge(months::routes())
        .merge(on_account::routes())
        .merge(payouts::routes())
        .merge(refunds_due::routes())
        .merge(reminders::routes())
}
