//! What leaving a course costs by when: for its student, and for the office.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;

use super::{Enrollment, store};
use crate::base::error::Result;
use crate::base::json::Json;
use crate::refunds::{self, LeavingTerms};
use crate::staff::{Staff, may};
use crate::students::CurrentStudent;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::{Id, Numbered};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![get_own_leaving_terms, get_leaving_terms]
}

/// What leaving a course costs until which day, as the refund policy says
#[utoipa::path(get, path = "/api/students/enrollments/{id}/leaving", tag = "enrollments")]
async fn get_own_leaving_terms(
    student: CurrentStudent,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
) -> Result<Json<LeavingTerms>> {
    let zone = app.config.school().zone();
    app.db
        .query(move |connection| {
            store::own_status(connection, id, student.id)?.ok_or_else(Enrollment::not_found)?;
            refunds::leaving_terms(connection, id, &zone)
        })
        .await
        .map(Json)
}

/// What leaving the course of an enrollment costs until which day, as the refund policy says
#[utoipa::path(get, path = "/api/admin/enrollments/{id}/leaving", tag = "enrollments")]
async fn get_leaving_terms(
    _: Staff<may::AnyRole>,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
) -> Result<Json<LeavingTerms>> {
    let zone = app.config.school().zone();
    app.db.query(move |connection| refunds::leaving_terms(connection, id, &zone)).await.map(Json)
}
