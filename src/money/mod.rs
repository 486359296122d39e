//! Money: what families owe, what they paid, and what the office knows of both.
//!
//! Everything is posted in `ledger`, which knows no other room; what each item comes to is read from the view `balances`.
//! `refunds` says what leaving costs and what has to be refunded, `payments` what was received with its receipts, invoices
//! and statements, `bank` reads the bank's files into payments, `charges` has what the office posts by hand, and `reports`
//! what is owed on a day, by month and by family, and who is reminded.

pub mod bank;
pub mod charges;
pub mod ledger;
pub mod payments;
pub mod refunds;
pub mod reports;
#[cfg(test)]
mod tests;

use utoipa_axum::router::OpenApiRouter;

use crate::web::app::App;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    payments::routes()
        .merge(charges::routes())
        .merge(reports::routes())
        .merge(refunds::routes())
        .merge(bank::routes())
}
