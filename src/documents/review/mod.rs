//! The office's review of a document: accepted, rejected with a code and words, looked at again, deleted.
//!
//! A decision is one write transaction: it checks the state, changes the row, leaves an event, an entry in the student's
//! history and an audit row, and queues the email. Accepting a government ID whose name and birth date were compared is
//! the identity check. Of two reviewers the second hears how the first decided.

pub mod clock;
mod events;
mod looking;
mod mailing;
mod transitions;
mod undo;

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use jiff::civil::Date;
use jiff::{Timestamp, ToSpan as _};
use rusqlite::{Connection, named_params};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use self::events::{Event, IdentityBefore, Mailing, RowBefore};
pub use self::transitions::DocumentVerb;
use super::removal::{self, RemovedDocument};
use super::rules::{DocumentStatus, DocumentType, RemovalCause};
use super::{Document, ListedDocument, file, store};
use crate::audit::{self, Actor, By};
use crate::base::closed_set::ClosedSet as _;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::config::Config;
use crate::decisions::{Decision, Undo};
use crate::mail::outbox;
use crate::staff::{CurrentStaff, Staff, may};
use crate::students::history::{self, HistoryChange};
use crate::students::identity;
use crate::students::rejection::RejectCode;
use crate::web::access::endpoint;
use crate::web::app::App;
use crate::web::form::{Field, OptionalJson, form};
use crate::web::id::{Id, Numbered};

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
    /// How to take the decision back; null when it changed nothing, or emails leave at once.
    #[schema(required)]
    pub undo: Option<Undo>,
}

form! {
    /// `POST /api/admin/documents/{id}/accept`'s body, which may be left out.
    pub struct AcceptForm {
        /// The last day on which it counts; otherwise what its requirement says of how long it counts.
        expires_on: Option<Date>,
        /// The state that the office saw; in another one nothing is decided.
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
        /// More about it, in words that the student reads: at most 500 characters.
        text: Option<String>,
        /// The state that the office saw; in another one nothing is decided.
        expected: Option<DocumentStatus>,
    }
}

form! {
    /// `POST /api/admin/documents/{id}/reopen`'s body, which may be left out.
    pub struct ReopenForm {
        /// The state that the office saw; in another one nothing is decided.
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

/// What is decided about a document.
#[derive(Debug, Clone)]
pub enum Verdict {
    /// It is what it should be, until a day, if one is named; and whether it was the identity check.
    Accept {
        /// The last day on which it counts.
        expires_on: Option<Date>,
        /// Whether name and birth date were compared with the profile.
        is_compared: bool,
    },
    /// It is not.
    Reject {
        /// Why.
        code: RejectCode,
        /// More about it.
        text: Option<String>,
    },
    /// It waits for a verdict again.
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

/// Accept a document; repeating it changes nothing. An earlier accepted one of its type is superseded.
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

/// Have an accepted or rejected document wait for a verdict again; repeating it changes nothing
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
    Json(form): Json<DeleteForm>,
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

/// A conflict with the document as it is now, which the answer carries.
fn conflict(words: impl Into<String>, current: &ListedDocument) -> Error {
    match serde_json::to_value(current) {
        Ok(current) => Error::Moved(words.into(), Box::new(current)),
        Err(error) => Error::Internal(error.into()),
    }
}

/// The reviewer, the time, and the rules.
pub struct ReviewContext {
    user_id: i64,
    actor: Actor,
    config: Arc<Config>,
    now: Timestamp,
    today: Date,
}

impl ReviewContext {
    /// The context of a member of the staff, now.
    pub fn new(app: &App, staff: &CurrentStaff) -> Self {
        Self {
            user_id: staff.id,
            actor: staff.actor(),
            config: app.config.clone(),
            now: app.clock.now(),
            today: app.today(),
        }
    }

    /// The context of a staff user at a given time, for the history of the demo school.
    pub fn at(config: Arc<Config>, user_id: i64, username: &str, now: Timestamp) -> Self {
        let today = now.to_zoned(config.school().zone()).date();
        Self { user_id, actor: Actor::staff(user_id, username), config, now, today }
    }

    /// Carries out a verdict.
    ///
    /// # Errors
    /// 404 when there is no such document; 409 when its state does not allow the verdict, or is not the one that the
    /// office saw.
    pub fn decide(
        &self,
        connection: &Connection,
        id: i64,
        verdict: &Verdict,
        expected: Option<DocumentStatus>,
    ) -> Result<ReviewedDocument> {
        let before = store::find_listed(connection, id)?.ok_or_else(Document::not_found)?;
        let (verb, status) = (verdict.verb(), before.document.status);
        if verb == DocumentVerb::Reopen
            && let Some(document) = self.take_back_unsent(connection, &before, expected)?
        {
            return Ok(ReviewedDocument { document, undo: None });
        }
        let after = verb.after(status).map_err(|words| conflict(words, &before))?;
        let Some(to) = after else { return Ok(ReviewedDocument { document: before, undo: None }) };
        if expected.is_some_and(|expected| expected != status) {
            return Err(conflict(format!("This document is {} now.", status.in_words()), &before));
        }
        let office = &self.config.office;
        let decision = Decision::begin(connection, verb.as_str(), self.user_id, None, office, self.now)?;
        let mut row = RowBefore::of(connection, id)?;
        let mut event = Event::new(&before.document, By::Staff(self.user_id), verb, to);
        event.decision = Some(decision.id());
        let approved = match verdict {
            Verdict::Accept { expires_on, is_compared } => {
                let expires_on = self.expires_on(connection, &before, *expires_on)?;
                event.expires_on = expires_on;
                row.superseded = self.accept(connection, &before.document, expires_on)?;
                row.identity = self.check_identity(connection, &before, *is_compared)?;
                Vec::new()
            }
            Verdict::Reject { code, text } => {
                (event.code, event.reason) = (Some(*code), text.as_deref());
                self.reject(connection, &before.document, *code, text.as_deref())?
            }
            Verdict::Reopen => {
                Self::check_none_waits(connection, &before)?;
                self.reopen(connection, &before.document)?;
                Vec::new()
            }
        };
        let student_id = before.document.student_id;
        let mailing = match verb {
            DocumentVerb::Reopen => Mailing::Never,
            _ => {
                mailing::open_batch(connection, student_id, self.now)?.map_or(Mailing::AtOnce, Mailing::With)
            }
        };
        event.mailing = mailing;
        event.record(connection, &row, self.now)?;
        self.note(connection, &before.document, verdict, &approved)?;
        match mailing {
            Mailing::AtOnce => self.write_at_once(connection, id, &decision)?,
            Mailing::With(batch) => self.write_later(connection, student_id, batch)?,
            Mailing::Never => self.rewrite_batch(connection, student_id)?,
        }
        let document = store::find_listed(connection, id)?.ok_or_else(Document::not_found)?;
        Ok(ReviewedDocument { document, undo: decision.undo() })
    }

    /// The last day on which an accepted document counts: as its reviewer says, or as long as its requirement does.
    fn expires_on(
        &self,
        connection: &Connection,
        before: &ListedDocument,
        named: Option<Date>,
    ) -> Result<Option<Date>> {
        if before.document.fault.is_some() {
            let words = "The file of this document is lost. Replace it first, or write it off.";
            return Err(conflict(words, before));
        }
        if named.is_some_and(|day| day < self.today) {
            return Err(Error::field(
                "expiresOn",
                "This day has passed. Reject the document as expired instead.",
            ));
        }
        let months = store::valid_months(connection, before.document.document_type)?;
        Ok(named.or_else(|| months.and_then(|months| self.today.checked_add(months.months()).ok())))
    }

    /// Accepts it; returns those of its type that it supersedes.
    fn accept(
        &self,
        connection: &Connection,
        document: &Document,
        expires_on: Option<Date>,
    ) -> Result<Vec<i64>> {
        let superseded = connection
            .prepare_cached(
                "update student_documents indexed by student_documents_student set status = 'superseded'
                 where student_id = :student_id and document_type = :of_type and document_type <> 'other'
                     and status = 'accepted' returning id",
            )?
            .query_map(
                named_params! { ":student_id": document.student_id, ":of_type": document.document_type },
                |row| row.get(0),
            )?
            .collect::<rusqlite::Result<_>>()?;
        connection
            .prepare_cached(
                "update student_documents set status = 'accepted', expires_on = :expires_on, reject_code = null,
                     reason = null, reminded_days = null, reminder_sent_at = null, reviewed_by = :user_id,
                     reviewed_at = :now
                 where id = :id",
            )?
            .execute(named_params! {
                ":id": document.id, ":expires_on": expires_on.map(|day| day.to_string()),
                ":user_id": self.user_id, ":now": self.now.as_second(),
            })?;
        Ok(superseded)
    }

    /// Notes the identity check, if the document is one and was compared; returns what was noted before.
    fn check_identity(
        &self,
        connection: &Connection,
        before: &ListedDocument,
        is_compared: bool,
    ) -> Result<Option<IdentityBefore>> {
        if !is_compared || before.document.document_type != DocumentType::GovernmentId {
            return Ok(None);
        }
        let id = before.document.student_id;
        if !identity::is_comparable(connection, id)? {
            let words = "There is nothing to compare yet: the profile has no full name or no date of birth.";
            return Err(conflict(words, before));
        }
        let noted = IdentityBefore::of(connection, id)?;
        identity::check(connection, id, (self.user_id, &self.actor), self.now)?;
        Ok(Some(noted))
    }

    /// Rejects it; returns the courses whose approval may have counted it.
    fn reject(
        &self,
        connection: &Connection,
        document: &Document,
        code: RejectCode,
        text: Option<&str>,
    ) -> Result<Vec<String>> {
        connection
            .prepare_cached(
                "update student_documents set status = 'rejected', reject_code = :code, reason = :text,
                     expires_on = null, reviewed_by = :user_id, reviewed_at = :now
                 where id = :id",
            )?
            .execute(named_params! {
                ":id": document.id, ":code": code, ":text": text, ":user_id": self.user_id,
                ":now": self.now.as_second(),
            })?;
        removal::approved_since(connection, &RemovedDocument::of(document))
    }

    /// One document of a type waits at a time: a newer one is to be decided instead.
    fn check_none_waits(connection: &Connection, before: &ListedDocument) -> Result<()> {
        let waits: bool = connection
            .prepare_cached(
                "select exists (select 1 from student_documents indexed by student_documents_student
                     where student_id = :student_id and document_type = :of_type and document_type <> 'other'
                         and status = 'pending_review')",
            )?
            .query_row(
                named_params! {
                    ":student_id": before.document.student_id, ":of_type": before.document.document_type,
                },
                |row| row.get(0),
            )?;
        if waits {
            return Err(conflict("A newer document of this type waits. Decide about that one.", before));
        }
        Ok(())
    }

    /// Has it wait again. An identity check that was made with it is void.
    fn reopen(&self, connection: &Connection, document: &Document) -> Result<()> {
        connection
            .prepare_cached(
                "update student_documents set status = 'pending_review', reject_code = null, reason = null,
                     expires_on = null, reminded_days = null, reminder_sent_at = null, reviewed_by = null,
                     reviewed_at = null
                 where id = :id",
            )?
            .execute(named_params! { ":id": document.id })?;
        if events::is_identity_check(connection, document.id, document.student_id)? {
            let zone = self.config.school().zone();
            identity::void(connection, document.student_id, By::Staff(self.user_id), &zone, self.now)?;
        }
        Ok(())
    }

    /// Leaves an entry in the student's history and an audit row.
    fn note(
        &self,
        connection: &Connection,
        document: &Document,
        verdict: &Verdict,
        approved: &[String],
    ) -> Result<()> {
        let student_id = document.student_id;
        let mut detail = json!({ "studentId": student_id, "documentType": document.document_type });
        let (field, reason) = match verdict {
            Verdict::Accept { expires_on, is_compared } => {
                detail["expiresOn"] = json!(expires_on);
                detail["isCompared"] = json!(is_compared);
                ("documentAccepted", None)
            }
            Verdict::Reject { code, text } => {
                detail["code"] = json!(code);
                detail["approved"] = json!(approved);
                let words = code.sentence(text.as_deref());
                let after = format!("{words} An approval had counted it: {}.", approved.join(", "));
                ("documentRejected", Some(if approved.is_empty() { words } else { after }))
            }
            Verdict::Reopen => ("documentReopened", None),
        };
        let after = Some(document.name());
        let change = HistoryChange { field, before: None, after, reason: reason.as_deref() };
        history::add(connection, student_id, By::Staff(self.user_id), change, self.now)?;
        self.audit(connection, verdict.verb().audited(), document.id, detail)
    }

    fn audit(&self, connection: &Connection, action: &str, id: i64, detail: Value) -> Result<()> {
        audit::record(connection, &self.actor, action, "document", id, detail, self.now)
    }

    fn delete(&self, connection: &Connection, id: i64, reason: &str) -> Result<String> {
        let document = store::find(connection, id)?.ok_or_else(Document::not_found)?;
        let (student_id, of_type) = (document.student_id, document.document_type);
        let change = HistoryChange {
            field: "documentRemoved",
            before: None,
            after: Some(document.name()),
            reason: Some(reason),
        };
        history::add(connection, student_id, By::Staff(self.user_id), change, self.now)?;
        let detail = json!({ "studentId": student_id, "documentType": of_type, "reason": reason });
        self.audit(connection, "delete", id, detail)?;
        let path = removal::remove(connection, id, RemovalCause::Removed, self.now)?;
        if document.status == DocumentStatus::PendingReview && of_type != DocumentType::Other {
            removal::restore_replaced(connection, student_id, of_type)?;
        }
        if let Some(decision) = events::last_decision(connection, id)? {
            outbox::delete_held(connection, &decision)?;
        }
        self.rewrite_batch(connection, student_id)?;
        Ok(path)
    }
}
