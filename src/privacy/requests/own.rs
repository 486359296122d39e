//! A student's privacy requests in the portal, and their withdrawal.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::store::NewPrivacyRequest;
use super::{AskedBy, PrivacyRequest, PrivacyRequestKind, emails, store};
use crate::base::closed_set::ClosedSet;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::consents::{self, Consent};
use crate::mail::{Cause, outbox};
use crate::staff;
use crate::students::CurrentStudent;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::form;
use crate::web::id::{Id, Numbered};

/// Requests per student and day, as the office gets an email for each.
const A_DAY: i64 = 5;

/// The endpoints.
pub(super) fn routes() -> OpenApiRouter<App> {
    endpoints![get_own_privacy, ask_about_privacy, withdraw_privacy_request]
}

/// A student's consents and requests.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnPrivacy {
    /// Consents, newest first.
    consents: Vec<Consent>,
    /// Requests, newest first.
    requests: Vec<PrivacyRequest>,
}

form! {
    /// `POST /api/students/privacy-requests`' body.
    pub struct PrivacyRequestForm {
        kind: PrivacyRequestKind,
        /// At most 2,000 characters; a correction needs at least 10 to say what is wrong.
        details: Option<String>,
    }
}

impl PrivacyRequestForm {
    fn parse(&self) -> Result<(PrivacyRequestKind, Option<String>), FieldErrors> {
        let mut errors = FieldErrors::default();
        let kind = PrivacyRequestKind::parse(self.kind.text());
        let kind = errors.take("kind", kind.ok_or("Please choose what you ask for"));
        let details = if kind == Some(PrivacyRequestKind::Correction) {
            self.details.between(10, 2000, "Please say in at least 10 characters what is wrong").map(Some)
        } else {
            self.details.optional(2000)
        };
        let details = errors.take("details", details);
        let both = || Some((kind?, details?));
        errors.finish(both())
    }
}

/// Consents and privacy requests of the signed-in student
#[utoipa::path(get, path = "/api/students/privacy", tag = "privacy")]
async fn get_own_privacy(student: CurrentStudent, State(app): State<App>) -> Result<Json<OwnPrivacy>> {
    app.db
        .query(move |connection| {
            let consents = consents::of_student(connection, student.id)?;
            Ok(OwnPrivacy { consents, requests: store::of_student(connection, student.id)? })
        })
        .await
        .map(Json)
}

/// Request access, correction or deletion of data, or withdraw consent; the office answers within 30 days
#[utoipa::path(post, path = "/api/students/privacy-requests", tag = "privacy",
    responses((status = 409, body = ErrorBody, description = "The same is asked for already, or five \
            requests were made since yesterday")))]
async fn ask_about_privacy(
    student: CurrentStudent,
    State(app): State<App>,
    Json(form): Json<PrivacyRequestForm>,
) -> Result<(StatusCode, Json<PrivacyRequest>)> {
    let (kind, details) = form.parse()?;
    let now = app.clock.now();
    let config = app.config.clone();
    let today = app.clock.today(&config.school().zone());
    app.write_and_notify(move |connection| {
        if store::count_since(connection, student.id, now.as_second() - 86_400)? >= A_DAY {
            let message = "You have asked five times since yesterday. Please write to the office instead.";
            let newest =
                store::of_student(connection, student.id)?.into_iter().max_by_key(|request| request.id);
            return Err(Error::conflict(message, &newest));
        }
        let asked_by = AskedBy::Student;
        let new = NewPrivacyRequest {
            student_id: student.id,
            kind,
            asked_by,
            details,
            received_on: today,
            noted_by: None,
        };
        let request = store::insert(connection, &new, now)?;
        let name = student.profile.full_name.as_deref();
        let email = emails::received(&student.address()?, name, &request, &config);
        outbox::enqueue(connection, &email, Cause::Student(student.id), &config, now)?;
        for admin in staff::store::admin_emails(connection)? {
            let email = emails::to_office(&admin, &request, student.id, &config);
            outbox::enqueue(connection, &email, Cause::Office, &config, now)?;
        }
        Ok(request)
    })
    .await
    .map(|request| (StatusCode::CREATED, Json(request)))
}

/// Withdraw a request that the office has not decided; repeating it changes nothing
#[utoipa::path(post, path = "/api/students/privacy-requests/{id}/withdraw", tag = "privacy",
    responses((status = 409, body = ErrorBody)))]
async fn withdraw_privacy_request(
    student: CurrentStudent,
    State(app): State<App>,
    Id(id, ..): Id<PrivacyRequest>,
) -> Result<Json<PrivacyRequest>> {
    let now = app.clock.now();
    app.carry_out(move |connection| {
        let mine = store::of_student(connection, student.id)?.into_iter().find(|request| request.id == id);
        let request = mine.ok_or_else(PrivacyRequest::not_found)?;
        if request.status == super::PrivacyRequestStatus::Withdrawn {
            return Ok(request);
        }
        request.status.check_open().map_err(|words| Error::conflict(words, &request))?;
        store::withdraw(connection, id, now)?;
        store::find(connection, id)
    })
    .await
}
