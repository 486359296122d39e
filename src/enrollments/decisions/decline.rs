//! Declining a request, with a reason that its student reads.

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
    /// Why a request is declined, for the school's own figures; the student reads the words.
    pub enum DeclineCode {
        /// No seat is left.
        ClassFull = "class_full",
        /// A course that comes first is missing.
        PrerequisiteMissing = "prerequisite_missing",
        /// Papers are missing.
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
        /// Why, in words that the student reads: 10 to 1,000 characters.
        pub reason: String,
        /// Why, in a word for the school's figures; otherwise `other`.
        pub code: Option<DeclineCode>,
        /// The state that the office saw; in any other the request is not declined.
        pub expected: Option<EnrollmentStatus>,
    }
}

/// A refusal whose every field is right.
pub struct Decline {
    /// In words that the student reads.
    pub words: String,
    /// In a word for the school's figures.
    pub code: DeclineCode,
    /// The state that the office saw.
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
    app.write_and_notify(move |connection| context.decline(connection, id, &decline, None)).await.map(Json)
}

/// The email that a student would read if this request were declined; nothing is decided or sent
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
            let (enrollment, to) = (store::find(connection, id)?, store::student_of(connection, id)?);
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
