//! A request: what it must be, what it lacks, what it costs, and what its student and guardians do about it.

pub mod guardian_emails;
pub mod leaving;
pub mod own;
pub mod pending;
pub mod prices;
pub mod requirements;
pub mod rules;
pub mod unpriced;

use utoipa_axum::router::OpenApiRouter;

use crate::web::app::App;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    leaving::routes().merge(own::routes()).merge(pending::routes()).merge(unpriced::routes())
}
