//! The signed-in student's own list of guardians.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;

use crate::audit::By;
use crate::base::error::{Error, Result};
use crate::base::json::Json;
use crate::enrollments::guardian_emails::{self, AskContext};
use crate::students::guardians::{Guardian, GuardianContext, GuardianInput, store as guardians};
use crate::students::{CurrentStudent, store};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::JsonList;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_guardians, replace_guardians]
}

/// The signed-in student's parents or guardians, the primary one first
#[utoipa::path(get, path = "/api/students/guardians", tag = "students")]
async fn list_guardians(student: CurrentStudent, State(app): State<App>) -> Result<Json<Vec<Guardian>>> {
    app.db.read(|connection| guardians::list(connection, student.id)).await.map(Json)
}

/// Replace the signed-in student's parents or guardians; a student under 18 cannot remove the last one
#[utoipa::path(put, path = "/api/students/guardians", tag = "students", request_body = Vec<GuardianInput>)]
async fn replace_guardians(
    owner: CurrentStudent,
    State(app): State<App>,
    JsonList(rows): JsonList<GuardianInput>,
) -> Result<Json<Vec<Guardian>>> {
    let (id, now, config) = (owner.id, app.clock.now(), app.config.clone());
    app.carry_out_and_notify(move |connection| {
        let student = store::find(connection, id)?.ok_or_else(Error::signed_out)?;
        let context =
            GuardianContext { connection, student: &student, by: By::Student, config: &config, now };
        let (after, is_changed) = context.replace(&rows)?;
        if is_changed {
            guardian_emails::ask(connection, &AskContext { config: &config, now }, Some(id))?;
        }
        Ok(after)
    })
    .await
}
