//! Privacy: requests about personal data, data downloads, retention, and breaches.
//!
//! Promises: requests are answered within 30 days, and the office sees the days left; a student's download contains all
//! of their data and no one else's; nothing is deleted before an admin has reviewed what and how much; marks and the
//! ledger are never deleted. `tests/http/privacy` tests each sentence of the Privacy page.

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
