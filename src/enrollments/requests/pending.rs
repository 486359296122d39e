//! The office's list of requests that wait for a decision.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;

use crate::base::error::Result;
use crate::enrollments::{PendingEnrollment, quote_terms, store};
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::pagination::{ListQuery, Listed, PageRequest};

/// The office's endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_pending_enrollments]
}

/// Enrollments awaiting approval, oldest first; searched by student and course
#[utoipa::path(get, path = "/api/admin/enrollments/pending", tag = "enrollments", params(ListQuery))]
async fn list_pending_enrollments(
    _: Staff<may::AnyRole>,
    State(app): State<App>,
    page: PageRequest,
) -> Result<Listed<PendingEnrollment>> {
    let terms = quote_terms(&app);
    page.ask(&app.db, move |page, connection| store::list_pending(connection, page, &terms)).await
}
