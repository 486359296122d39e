//! Putting a request on the waiting list of its course.

use axum::extract::State;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::{Decided, DecisionContext};
use crate::base::error::{ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::transitions::Transition;
use crate::enrollments::{Enrollment, emails, store};
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{OptionalJson, form};
use crate::web::id::Id;

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![waitlist_enrollment]
}

form! {
    /// `POST /api/admin/enrollments/{id}/waitlist`'s body, which may be left out.
    pub struct WaitlistForm {
        /// Expected state; refused if it has changed.
        pub expected: Option<EnrollmentStatus>,
    }
}

/// Put a pending request on the waiting list of its course; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/enrollments/{id}/waitlist", tag = "enrollments",
    request_body = Option<WaitlistForm>,
    responses((status = 409, body = ErrorBody, description = "It is in another state; `current` is the \
            enrollment")))]
async fn waitlist_enrollment(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
    OptionalJson(form): OptionalJson<WaitlistForm>,
) -> Result<Json<Decided>> {
    let expected =
        form.expected.optional_one_of().map_err(|message| FieldErrors::one("expected", message))?;
    let context = DecisionContext::new(&app, &staff);
    app.carry_out_and_notify(move |connection| context.waitlist(connection, id, expected, None)).await
}

impl DecisionContext {
    /// Adds a request to the end of the waiting list, alone or as part of a bulk.
    pub fn waitlist(
        &self,
        connection: &Connection,
        id: i64,
        expected: Option<EnrollmentStatus>,
        bulk: Option<&str>,
    ) -> Result<Decided> {
        let begun = self.begin(connection, id, &Transition::WAITLIST, expected, bulk)?;
        let Some(pending) = begun else { return Decided::unchanged(connection, id) };
        store::waitlist(connection, pending.event(), self.user_id, self.now)?;
        let detail = json!({ "course": pending.before.course.code });
        self.finish(connection, &pending, detail, |to, enrollment| {
            emails::waitlisted(to, enrollment, enrollment.waitlist_position.unwrap_or(1), &self.config)
        })
    }
}
