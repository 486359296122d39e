//! History of an enrollment for its student: staff are not named, and decisions undone before an email was sent are
//! left out.

use axum::extract::State;
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::status::EnrollmentStatus;
use super::verb::Verb;
use super::{Enrollment, store};
use crate::audit::ActorKind;
use crate::base::error::Result;
use crate::base::json::Json;
use crate::storage::statements::{Statements, from_row, params};
use crate::students::CurrentStudent;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::{Id, Numbered};

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_enrollment_history]
}

/// An event of an enrollment.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryOfEnrollment {
    /// Number of the event.
    pub id: i64,
    /// What happened.
    #[schema(required)]
    pub verb: Option<Verb>,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor_kind: ActorKind,
    /// The state after.
    pub to: EnrollmentStatus,
    /// Why.
    #[schema(required)]
    pub reason: Option<String>,
    /// The day from which it counts, where that is not the day of the event.
    #[schema(required)]
    pub effective_on: Option<Date>,
    /// The mark concerned.
    #[schema(required)]
    pub mark: Option<i64>,
}

/// History of an enrollment of the signed-in student, oldest first
#[utoipa::path(get, path = "/api/students/enrollments/{id}/history", tag = "enrollments")]
async fn list_enrollment_history(
    student: CurrentStudent,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
) -> Result<Json<Vec<HistoryOfEnrollment>>> {
    app.db
        .query(move |connection| {
            store::own_status(connection, id, student.id)?.ok_or_else(Enrollment::not_found)?;
            history(connection, id)
        })
        .await
        .map(Json)
}

fn history(connection: &Connection, id: i64) -> Result<Vec<HistoryOfEnrollment>> {
    let sql = "select v.id, v.verb, v.at, v.actor_kind, v.to_status, v.reason, v.effective_on, v.mark
        from enrollment_events v
        where v.enrollment_id = :id and v.undoes_id is null
            and not exists (select 1 from enrollment_events u where u.undoes_id = v.id)
        order by v.id";
    connection.list(sql, params![id])
}

from_row!(HistoryOfEnrollment { id, verb, at, actor_kind, to = "to_status", reason, effective_on, mark });
