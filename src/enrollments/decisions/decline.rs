//! Declining a request, with a reason for the student.

use axum::extract::State;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::{Decided, DecisionContext, reason};
use crate::base::closed_set::closed_set;
use crate::base::error::{ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::transitions::Transition;
use crate::enrollments::{Enrollment, emails, store};
use crate::mail::EmailPreview;
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::form;
use crate::web::id::Id;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![decline_enrollment, preview_decline]
}

closed_set! {
    /// Reason code for the school's statistics; the student gets the text.
    pub enum DeclineCode {
        /// No seat is left.
        ClassFull = "class_full",
        /// A course that comes first is missing.
        PrerequisiteMissing = "prerequisite_missing",
        /// Documents are missing.
        DocumentsMissing = "documents_missing",
        /// The course does not run on these dates.
        Dates = "dates",
        /// Anything else.
        Other = "other",
    }
}

form! {
    /// `POST /api/admin/enrollments/{id}/decline`'s body.
    pub struct DeclineForm {
        /// Reason for the student: 10 to 1,000 characters.
        pub reason: String,
        /// Reason code; default `other`.
        pub code: Option<DeclineCode>,
        /// Expected state; refused if it has changed.
        pub expected: Option<EnrollmentStatus>,
    }
}

/// A validated decline.
pub struct Decline {
    /// Reason for the student.
    pub words: String,
    /// Reason code for statistics.
    pub code: DeclineCode,
    /// Expected state.
    pub expected: Option<EnrollmentStatus>,
}

impl Decline {
    /// Checks the form.
    pub fn parse(form: &DeclineForm) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let words = errors.take("reason", reason(&form.reason));
        let code = errors.take("code", form.code.optional_one_of());
        let expected = errors.take("expected", form.expected.optional_one_of());
        let decline =
            || Some(Self { words: words?, code: code?.unwrap_or(DeclineCode::Other), expected: expected? });
        errors.finish(decline())
    }
}

/// Decline a request, with a reason that the student reads; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/enrollments/{id}/decline", tag = "enrollments",
    responses((status = 409, body = ErrorBody, description = "It is in another state; `current` is the \
            enrollment")))]
async fn decline_enrollment(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
    Json(form): Json<DeclineForm>,
) -> Result<Json<Decided>> {
    let decline = Decline::parse(&form)?;
    let context = DecisionContext::new(&app, &staff);
    app.carry_out_and_notify(move |connection| context.decline(connection, id, &decline, None)).await
}

/// Preview the email for declining this request; changes and sends nothing
#[utoipa::path(post, path = "/api/admin/enrollments/{id}/decline/preview", tag = "enrollments")]
async fn preview_decline(
    _: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
    Json(form): Json<DeclineForm>,
) -> Result<Json<EmailPreview>> {
    let decline = Decline::parse(&form)?;
    let config = app.config.clone();
    app.db
        .query(move |connection| {
            let enrollment = store::find(connection, id)?;
            let to = store::student_of(connection, id)?;
            emails::declined(&to, &enrollment, &decline.words, &config).preview(&config.school())
        })
        .await
        .map(Json)
}

impl DecisionContext {
    /// Declines a request, alone or as one of a bulk.
    pub fn decline(
        &self,
        connection: &Connection,
        id: i64,
        decline: &Decline,
        bulk: Option<&str>,
    ) -> Result<Decided> {
        let begun = self.begin(connection, id, &Transition::DECLINE, decline.expected, bulk)?;
        let Some(pending) = begun else { return Decided::unchanged(connection, id) };
        store::decline(connection, pending.event(), &decline.words, self.user_id, self.now)?;
        self.promote(connection, &pending)?;
        let detail =
            json!({ "course": pending.before.course.code, "code": decline.code, "reason": decline.words });
        self.finish(connection, &pending, detail, |to, enrollment| {
            emails::declined(to, enrollment, &decline.words, &self.config)
        })
    }
}
