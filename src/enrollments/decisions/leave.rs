//! Answering a student who asked to leave a course: whoever may not, reads why. Letting them go is
//! withdrawing them.

use axum::extract::State;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::reopen::{Explain, ExplainForm};
use super::{Decided, DecisionContext};
use crate::base::error::{Error, ErrorBody, Result};
use crate::base::json::Json;
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::verb::Verb;
use crate::enrollments::{Enrollment, emails, store};
use crate::staff::{Staff, may};
use crate::web::access::endpoint;
use crate::web::app::App;
use crate::web::id::Id;

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(endpoint!(refuse_leave))
}

/// Keep a student in a course who asked to leave it, with a reason that they read
#[utoipa::path(post, path = "/api/admin/enrollments/{id}/refuse-leave", tag = "enrollments",
    params(("id" = i64, Path, description = "Number of the enrollment")), request_body = ExplainForm,
    responses((status = 200, body = Decided), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "It is in another state, or the student did not ask; \
            `current` is the enrollment")))]
async fn refuse_leave(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
    Json(form): Json<ExplainForm>,
) -> Result<Json<Decided>> {
    let explained = Explain::parse(&form)?;
    let context = DecisionContext::new(&app, &staff);
    app.write_and_notify(move |connection| context.refuse_leave(connection, id, &explained)).await.map(Json)
}

impl DecisionContext {
    /// Keeps a student in a course who asked to leave it.
    pub fn refuse_leave(&self, connection: &Connection, id: i64, explained: &Explain) -> Result<Decided> {
        let (verb, rule) = (Verb::RefuseLeave, EnrollmentStatus::end);
        let Some(pending) = self.begin(connection, id, verb, rule, explained.expected, None)? else {
            return Decided::unchanged(connection, id);
        };
        let before = store::find(connection, id)?;
        if before.leave_asked_at.is_none() {
            let refusal = Error::Conflict("The student has not asked to leave this course.".into());
            return Err(super::moved(connection, id, &refusal));
        }
        let event = pending.event(verb, pending.from);
        store::forget_leave(connection, super::Event { reason: Some(&explained.reason), ..event }, self.now)?;
        let detail = json!({ "course": before.course.code, "reason": explained.reason });
        self.record(connection, verb, id, detail)?;
        self.finish(connection, &pending, |to, enrollment| {
            emails::leave_refused(to, enrollment, &explained.reason, &self.config)
        })
    }
}
