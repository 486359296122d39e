//! The office's list of requests, and its decisions.

use axum::extract::State;
use axum::http::StatusCode;
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::store::NewPrivacyRequest;
use super::{
    AskedBy, ListedPrivacyRequest, PrivacyRequest, PrivacyRequestKind, PrivacyRequestStatus, emails, store,
};
use crate::audit::{self, Actor};
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::config::Config;
use crate::consents;
use crate::enrollments::decisions::DecisionContext;
use crate::mail::{Cause, outbox};
use crate::privacy::retention;
use crate::records::{self, closing};
use crate::staff::{Recent, Staff, may};
use crate::students;
use crate::students::status::StudentStatus;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::Id;

/// The endpoints.
pub(super) fn routes() -> OpenApiRouter<App> {
    endpoints![list_privacy_requests, note_privacy_request, decide_privacy_request]
}

form! {
    /// `POST /api/admin/privacy-requests`' body.
    pub struct NotedRequest {
        /// Id of the student.
        student_id: i64,
        asked_by: AskedBy,
        kind: PrivacyRequestKind,
        /// Details, at most 2,000 characters.
        details: Option<String>,
        /// Date received: today or earlier.
        received_on: Date,
    }
}

closed_set! {
    /// Decision of the office.
    pub enum PrivacyDecision {
        /// Grants the request.
        Grant = "grant",
        /// Refuses it, with a reason.
        Refuse = "refuse",
    }
}

form! {
    /// `PATCH /api/admin/privacy-requests/{id}`'s body.
    pub struct DecidedRequest {
        decision: PrivacyDecision,
        /// Explanation for the requester, at most 2,000 characters; a refusal needs at least 10.
        reason: Option<String>,
    }
}

impl NotedRequest {
    /// Validates the form.
    ///
    /// # Errors
    /// Field errors.
    pub fn parse(&self, noted_by: i64, today: Date) -> Result<NewPrivacyRequest, FieldErrors> {
        let mut errors = FieldErrors::default();
        let student_id = match self.student_id {
            Field::Value(id) => Ok(id),
            Field::Absent | Field::Null | Field::Wrong => Err("Name the student by number"),
        };
        let student_id = errors.take("studentId", student_id);
        let asked_by = AskedBy::parse(self.asked_by.text());
        let asked_by = errors.take("askedBy", asked_by.ok_or("Say who asks"));
        let kind = PrivacyRequestKind::parse(self.kind.text());
        let kind = errors.take("kind", kind.ok_or("Say what is asked for"));
        let details = errors.take("details", self.details.optional(2000));
        let received_on =
            self.received_on.date("Must be a real date in the form YYYY-MM-DD").and_then(|day| {
                if day > today { Err("Must not be later than today".to_owned()) } else { Ok(day) }
            });
        let received_on = errors.take("receivedOn", received_on);
        let new = || {
            Some(NewPrivacyRequest {
                student_id: student_id?,
                kind: kind?,
                asked_by: asked_by?,
                details: details?,
                received_on: received_on?,
                noted_by: Some(noted_by),
            })
        };
        errors.finish(new())
    }
}

impl DecidedRequest {
    fn parse(&self) -> Result<(PrivacyDecision, Option<String>), FieldErrors> {
        let mut errors = FieldErrors::default();
        let decision = PrivacyDecision::parse(self.decision.text());
        let decision = errors.take("decision", decision.ok_or("Grant it or refuse it"));
        let reason = if decision == Some(PrivacyDecision::Refuse) {
            self.reason
                .between(10, 2000, "Please say in at least 10 characters why: the person reads it")
                .map(Some)
        } else {
            self.reason.optional(2000)
        };
        let reason = errors.take("reason", reason);
        let both = || Some((decision?, reason?));
        errors.finish(both())
    }
}

/// Requests about personal data: open ones first, with the days left
#[utoipa::path(get, path = "/api/admin/privacy-requests", tag = "privacy")]
async fn list_privacy_requests(
    _: Staff<may::Privacy>,
    State(app): State<App>,
) -> Result<Json<Vec<ListedPrivacyRequest>>> {
    let today = app.today();
    app.db.query(move |connection| store::list(connection, today)).await.map(Json)
}

/// Record a request received by telephone, on paper or in person
#[utoipa::path(post, path = "/api/admin/privacy-requests", tag = "privacy",
    responses((status = 409, body = ErrorBody)))]
async fn note_privacy_request(
    staff: Staff<may::Privacy>,
    State(app): State<App>,
    Json(form): Json<NotedRequest>,
) -> Result<(StatusCode, Json<PrivacyRequest>)> {
    let now = app.clock.now();
    let today = app.today();
    let new = form.parse(staff.id, today)?;
    let actor = staff.actor();
    let config = app.config.clone();
    app.write_and_notify(move |connection| note(connection, &new, &actor, &config, now))
        .await
        .map(|request| (StatusCode::CREATED, Json(request)))
}

/// Records a request received outside the portal, and confirms it to the student.
///
/// # Errors
/// A field error without such a student, 409 when the same is open already.
pub fn note(
    connection: &Connection,
    new: &NewPrivacyRequest,
    by: &Actor,
    config: &Config,
    now: Timestamp,
) -> Result<PrivacyRequest> {
    let student = students::store::find(connection, new.student_id)?
        .ok_or_else(|| Error::field("studentId", "There is no such student"))?;
    let request = store::insert(connection, new, now)?;
    let detail = json!({ "requestId": request.id, "kind": request.kind });
    audit::record(connection, by, "note privacy request", "student", student.id, detail, now)?;
    if student.is_verified {
        let name = student.profile.full_name.as_deref();
        let email = emails::received(&student.address()?, name, &request, config);
        outbox::enqueue(connection, &email, Cause::Office, config, now)?;
    }
    Ok(request)
}

/// Grant or refuse a request; granting a deletion or a withdrawal of consent closes the account
#[utoipa::path(patch, path = "/api/admin/privacy-requests/{id}", tag = "privacy",
    responses((status = 409, body = ErrorBody)))]
async fn decide_privacy_request(
    staff: Staff<may::Privacy, Recent>,
    State(app): State<App>,
    Id(id, ..): Id<PrivacyRequest>,
    Json(form): Json<DecidedRequest>,
) -> Result<Json<PrivacyRequest>> {
    let now = app.clock.now();
    let today = app.today();
    let config = app.config.clone();
    let context = DecisionContext::of(&app, &staff);
    let request = app
        .write_and_notify(move |connection| {
            let before = store::find(connection, id)?;
            let (decision, reason) = form.parse()?;
            before.status.check_open().map_err(|words| Error::conflict(words, &before))?;
            let student_id = store::student_of(connection, id)?;
            let status = match decision {
                PrivacyDecision::Grant => PrivacyRequestStatus::Granted,
                PrivacyDecision::Refuse => PrivacyRequestStatus::Refused,
            };
            store::decide(connection, id, status, reason.as_deref(), staff.id, now)?;
            let detail = json!({ "requestId": id, "kind": before.kind, "from": before.status, "to": status });
            let verb = format!("{} privacy request", decision.as_str());
            audit::record(connection, &staff.actor(), &verb, "student", student_id, detail, now)?;
            let is_granted = decision == PrivacyDecision::Grant;
            if is_granted && before.kind.closes() {
                let record = records::read(connection, student_id, today)?;
                if record.status != StudentStatus::Closed {
                    let reason = "Asked for by the student";
                    closing::close(connection, &context, &staff, &record, reason, None)?;
                }
                if before.kind == PrivacyRequestKind::ConsentWithdrawal {
                    consents::withdraw(connection, student_id, now)?;
                }
                retention::propose_asked(connection, student_id, today, now)?;
            }
            notify(connection, id, student_id, is_granted, &config, now)?;
            store::find(connection, id)
        })
        .await?;
    // Seats reserved for a leaving student may be offered again.
    app.seats_wakeup.notify_one();
    Ok(Json(request))
}

fn notify(
    connection: &Connection,
    id: i64,
    student_id: i64,
    is_granted: bool,
    config: &Config,
    now: Timestamp,
) -> Result<()> {
    let Some(student) = students::store::find(connection, student_id)? else { return Ok(()) };
    // The address is not verified.
    if !student.is_verified {
        return Ok(());
    }
    let request = store::find(connection, id)?;
    let name = student.profile.full_name.as_deref();
    let email = emails::decided(&student.address()?, name, &request, is_granted, config);
    outbox::enqueue(connection, &email, Cause::Office, config, now).map(drop)
}
