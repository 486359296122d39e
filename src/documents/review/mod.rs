//! The office's review of a document: accepted, rejected with a code and words, reopened, deleted.
//!
//! A decision is one write transaction: it checks the state, changes the row, leaves an event, an entry in the student's
//! history and an audit row, and queues the email. Accepting a government ID whose name and birth date were compared is
//! the identity check. The second of two reviewers is told what the first decided.

pub mod clock;
mod context;
mod events;
mod looking;
mod mailing;
mod transitions;
mod undo;

use axum::extract::State;
use axum::http::StatusCode;
use jiff::civil::Date;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

pub use self::context::ReviewContext;
use self::context::conflict;
pub use self::transitions::DocumentVerb;
use super::rules::DocumentStatus;
use super::{Document, ListedDocument, file};
use crate::base::error::{ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::decisions::Undo;
use crate::staff::{CurrentStaff, Staff, may};
use crate::students::rejection::RejectCode;
use crate::web::access::endpoint;
use crate::web::app::App;
use crate::web::form::{Field, OptionalJson, form};
use crate::web::id::Id;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(endpoint!(accept_document))
        .routes(endpoint!(reject_document))
        .routes(endpoint!(reopen_document))
        .routes(endpoint!(delete_document))
        .merge(looking::routes())
}

/// A document after a decision.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReviewedDocument {
    /// The document as it is now.
    #[serde(flatten)]
    pub document: ListedDocument,
    /// How to undo the decision; null if it changed nothing, or emails are sent at once.
    #[schema(required)]
    pub undo: Option<Undo>,
}

form! {
    /// `POST /api/admin/documents/{id}/accept`'s body, which may be left out.
    pub struct AcceptForm {
        /// Last valid day; if absent, the requirement's number of months from today.
        expires_on: Option<Date>,
        /// Expected current state; in any other, nothing is decided.
        expected: Option<DocumentStatus>,
        /// Whether the name on a government ID was compared with the profile.
        is_name_compared: Option<bool>,
        /// Whether its birth date was compared with the profile. Both together are the identity check.
        is_birth_date_compared: Option<bool>,
    }
}

form! {
    /// `POST /api/admin/documents/{id}/reject`'s body.
    pub struct RejectForm {
        /// Why.
        code: RejectCode,
        /// Details for the student: at most 500 characters.
        text: Option<String>,
        /// Expected current state; in any other, nothing is decided.
        expected: Option<DocumentStatus>,
    }
}

form! {
    /// `POST /api/admin/documents/{id}/reopen`'s body, which may be left out.
    pub struct ReopenForm {
        /// Expected current state; in any other, nothing is decided.
        expected: Option<DocumentStatus>,
    }
}

form! {
    /// `DELETE /api/admin/documents/{id}`'s body.
    pub struct DeleteForm {
        /// Why, for the audit trail: 3 to 500 characters.
        reason: String,
    }
}

/// A decision about a document.
#[derive(Debug, Clone)]
pub enum Verdict {
    /// Accept.
    Accept {
        /// Last valid day.
        expires_on: Option<Date>,
        /// Whether name and birth date were compared with the profile.
        is_compared: bool,
    },
    /// Reject.
    Reject {
        /// Why.
        code: RejectCode,
        /// Details for the student.
        text: Option<String>,
    },
    /// Put back into review.
    Reopen,
}

impl Verdict {
    fn accept(form: &AcceptForm) -> Result<(Self, Option<DocumentStatus>), FieldErrors> {
        let mut errors = FieldErrors::default();
        let expires_on = match &form.expires_on {
            Field::Absent | Field::Null => Ok(None),
            field => field.date("").map(Some),
        };
        let expires_on = errors.take("expiresOn", expires_on);
        let expected = errors.take("expected", form.expected.optional_one_of());
        let mut tick = |name: &'static str, field: &Field<bool>| match field {
            Field::Value(is_ticked) => *is_ticked,
            Field::Absent | Field::Null => false,
            Field::Wrong => {
                errors.add(name, "Must be true or false");
                false
            }
        };
        let name = tick("isNameCompared", &form.is_name_compared);
        let is_compared = tick("isBirthDateCompared", &form.is_birth_date_compared) && name;
        let verdict = || Some((Self::Accept { expires_on: expires_on?, is_compared }, expected?));
        errors.finish(verdict())
    }

    fn reject(form: &RejectForm) -> Result<(Self, Option<DocumentStatus>), FieldErrors> {
        let mut errors = FieldErrors::default();
        let code = errors.take("code", form.code.one_of());
        let text = errors.take("text", form.text.optional(500));
        let expected = errors.take("expected", form.expected.optional_one_of());
        let verdict = || Some((Self::Reject { code: code?, text: text? }, expected?));
        errors.finish(verdict())
    }

    fn verb(&self) -> DocumentVerb {
        match self {
            Self::Accept { .. } => DocumentVerb::Accept,
            Self::Reject { .. } => DocumentVerb::Reject,
            Self::Reopen => DocumentVerb::Reopen,
        }
    }
}

/// Accept a document, which supersedes an earlier accepted one of its type; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/documents/{id}/accept", tag = "documents",
    request_body = Option<AcceptForm>,
    responses((status = 409, body = ErrorBody, description = "It is in another state; `current` is the document")))]
async fn accept_document(
    staff: Staff<may::Students>,
    State(app): State<App>,
    Id(id, ..): Id<Document>,
    OptionalJson(form): OptionalJson<AcceptForm>,
) -> Result<Json<ReviewedDocument>> {
    let (verdict, expected) = Verdict::accept(&form)?;
    decide(&app, &staff, id, verdict, expected).await
}

/// Reject a document, with a reason that its student reads; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/documents/{id}/reject", tag = "documents",
    responses((status = 409, body = ErrorBody, description = "It is in another state; `current` is the document")))]
async fn reject_document(
    staff: Staff<may::Students>,
    State(app): State<App>,
    Id(id, ..): Id<Document>,
    Json(form): Json<RejectForm>,
) -> Result<Json<ReviewedDocument>> {
    let (verdict, expected) = Verdict::reject(&form)?;
    decide(&app, &staff, id, verdict, expected).await
}

/// Put an accepted or rejected document back into review; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/documents/{id}/reopen", tag = "documents",
    request_body = Option<ReopenForm>,
    responses((status = 409, body = ErrorBody, description = "It is in another state, or a newer one of its type \
            waits; `current` is the document")))]
async fn reopen_document(
    staff: Staff<may::Students>,
    State(app): State<App>,
    Id(id, ..): Id<Document>,
    OptionalJson(form): OptionalJson<ReopenForm>,
) -> Result<Json<ReviewedDocument>> {
    let expected =
        form.expected.optional_one_of().map_err(|message| FieldErrors::one("expected", message))?;
    decide(&app, &staff, id, Verdict::Reopen, expected).await
}

/// Delete a document that was uploaded in error, in whatever state; its file is deleted a day later
#[utoipa::path(delete, path = "/api/admin/documents/{id}", tag = "documents", request_body = DeleteForm)]
async fn delete_document(
    staff: Staff<may::Students>,
    State(app): State<App>,
    Id(id, ..): Id<Document>,
    OptionalJson(form): OptionalJson<DeleteForm>,
) -> Result<StatusCode> {
    let reason = form.reason.between(3, 500, "Please say why it is deleted");
    let reason = reason.map_err(|message| FieldErrors::one("reason", message))?;
    let context = ReviewContext::new(&app, &staff);
    let path = app.write_and_notify(move |connection| context.delete(connection, id, &reason)).await?;
    file::keep_for_a_day(&app.data_dir, &[path]);
    Ok(StatusCode::NO_CONTENT)
}

async fn decide(
    app: &App,
    staff: &CurrentStaff,
    id: i64,
    verdict: Verdict,
    expected: Option<DocumentStatus>,
) -> Result<Json<ReviewedDocument>> {
    let context = ReviewContext::new(app, staff);
    app.carry_out_and_notify(move |connection| context.decide(connection, id, &verdict, expected)).await
}
