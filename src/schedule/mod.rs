//! The schedule as students live by it: their classes of a week, and calendars for calendar programs.
//!
//! Promise: the link to a class reaches only students who are enrolled, from the day before their first day to their
//! last.

mod clock_changes;
mod feeds;
mod ics;
mod own;
mod week;

use utoipa_axum::router::OpenApiRouter;

use crate::web::app::App;

/// The endpoints for every caller.
pub fn public_routes() -> OpenApiRouter<App> {
    feeds::public_routes()
}

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    week::routes().merge(feeds::routes())
}
