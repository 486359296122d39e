//! The privacy desk: what people ask about what the school holds of them, what they take home of it, how
//! long what is kept, and what went wrong.
//!
//! Promises: whoever asks is told within 30 days, and the office sees how many are left; what a student
//! downloads is everything, and nobody else's; nothing is deleted before an admin has seen what and how much;
//! marks and the ledger are never deleted. `tests/http/privacy` holds each sentence of the Privacy page.

pub mod archive;
pub mod breaches;
mod consents;
pub mod requests;
pub mod retention;

use utoipa_axum::router::OpenApiRouter;

use crate::web::app::App;

/// The endpoints of students and of the office.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(archive::routes())
        .merge(breaches::routes())
        .merge(consents::routes())
        .merge(requests::routes())
        .merge(retention::routes())
}
