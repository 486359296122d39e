//! Refusing a student's request to leave a course. Granting it is withdrawing the student.

use axum::extract::State;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::reopen::{ExplainForm, Explanation};
use super::{Decided, DecisionContext, conflict};
use crate::base::error::{ErrorBody, Result};
use crate::base::json::Json;
use crate::enrollments::events::Event;
use crate::enrollments::transitions::Transition;
use crate::enrollments::{Enrollment, emails, store};
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::Id;

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![refuse_leave]
}

/// Refuse a student's request to leave a course, with a reason for the student
#[utoipa::path(post, path = "/api/admin/enrollments/{id}/refuse-leave", tag = "enrollments",
    responses((status = 409, body = ErrorBody, description = "It is in another state, or the student did \
            not ask; `current` is the enrollment")))]
async fn refuse_leave(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
    Json(form): Json<ExplainForm>,
) -> Result<Json<Decided>> {
    let explain = Explanation::parse(&form)?;
    let context = DecisionContext::new(&app, &staff);
    app.carry_out_and_notify(move |connection| context.refuse_leave(connection, id, &explain)).await
}

impl DecisionContext {
    /// Refuses a student's request to leave a course.
    pub fn refuse_leave(&self, connection: &Connection, id: i64, explain: &Explanation) -> Result<Decided> {
        let begun = self.begin(connection, id, &Transition::REFUSE_LEAVE, explain.expected, None)?;
        let Some(pending) = begun else { return Decided::unchanged(connection, id) };
        if pending.before.leave_asked_at.is_none() {
            return Err(conflict("The student has not asked to leave this course.", &pending.before));
        }
        let event = Event { reason: Some(&explain.reason), ..pending.event() };
        store::forget_leave(connection, event, self.now)?;
        let detail = json!({ "course": pending.before.course.code, "reason": explain.reason });
        self.finish(connection, &pending, detail, |to, enrollment| {
            emails::leave_refused(to, enrollment, &explain.reason, &self.config)
        })
    }
}
