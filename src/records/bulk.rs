//! Emails and verification links to many students at once, processed independently with a result for each.

use axum::extract::State;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::write_email::EmailText;
use super::{StudentRecord, account, read};
use crate::audit::{self, Actor};
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::enrollments::requests::guardian_emails::{self, AskContext};
use crate::mail::{Cause, EmailPreview};
use crate::staff::{Recent, Staff, may};
use crate::students::guardians;
use crate::students::requests::AccountLinks;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::bulk;
use crate::web::form::{Field, form};
use crate::web::idempotency::{Idempotent, Once};

/// The endpoints of many students at once.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![write_to_students, preview_email_to_students, resend_verifications, remind_guardians]
}

form! {
    /// Body of `POST /api/admin/students/resend-verification` and `/remind-guardians`.
    pub struct SomeStudents {
        /// 1 to 200 students.
        ids: Vec<i64>,
    }
}

form! {
    /// `POST /api/admin/students/emails`' body.
    pub struct EmailToStudents {
        /// 1 to 200 students.
        ids: Vec<i64>,
        /// One line.
        subject: String,
        /// Plain text; its line breaks are kept.
        body: String,
    }
}

impl EmailToStudents {
    fn parse(&self) -> Result<(Vec<i64>, EmailText), FieldErrors> {
        match (ids(&self.ids), EmailText::parse(&self.subject, &self.body)) {
            (Ok(ids), Ok(words)) => Ok((ids, words)),
            (Ok(_), Err(errors)) => Err(errors),
            (Err(message), words) => {
                let mut errors = words.err().unwrap_or_default();
                errors.add("ids", message);
                Err(errors)
            }
        }
    }
}

fn ids(field: &Field<Vec<i64>>) -> Result<Vec<i64>, String> {
    bulk::ids(field, "students")
}

/// Results for many students.
#[derive(Debug, Serialize, ToSchema)]
pub struct StudentsDone {
    /// A result for each student, in request order.
    results: Vec<StudentDone>,
}

/// Result for one student.
#[derive(Debug, Serialize, ToSchema)]
pub struct StudentDone {
    /// Id of the student.
    id: i64,
    /// Whether it succeeded.
    ok: bool,
    /// The student.
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<StudentRecord>,
    /// HTTP status of the refusal for this student.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    /// Reason of the refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

impl StudentsDone {
    fn new(results: Vec<(i64, Result<StudentRecord, Error>)>) -> Self {
        let results = results.into_iter().map(|(id, result)| match result {
            Ok(row) => StudentDone { id, ok: true, row: Some(row), status: None, message: None },
            Err(error) => StudentDone {
                id,
                ok: false,
                row: None,
                status: Some(error.status().as_u16()),
                message: Some(error.to_string()),
            },
        });
        Self { results: results.collect() }
    }

    /// What is kept for who repeats the call: no records of students; nothing where no one was reached.
    fn kept(&self) -> Option<Value> {
        let mut kept = json!(self);
        for result in kept["results"].as_array_mut()? {
            result.as_object_mut()?.remove("row");
        }
        self.results.iter().any(|result| result.ok).then_some(kept)
    }
}

/// Preview of an email to many: the number of recipients, and the first recipient's email.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EmailToManyPreview {
    /// Number of recipients.
    pub recipients: usize,
    /// Number of students skipped because their account is closed.
    pub left_out: usize,
    /// Number of copies to guardians of students under 18.
    pub copies: i64,
    /// The first recipient's email; null without recipients.
    #[schema(required)]
    pub sample: Option<EmailPreview>,
}

/// Send the same email to many students individually, and to the guardians of those under 18; the same words to the
/// same students are sent once a day
#[utoipa::path(post, path = "/api/admin/students/emails", tag = "students", request_body = EmailToStudents)]
async fn write_to_students(
    staff: Staff<may::Students, Recent>,
    State(app): State<App>,
    Idempotent { key, body: form }: Idempotent<EmailToStudents>,
) -> Result<Once<StudentsDone, 200>> {
    let now = app.clock.now();
    let today = app.today();
    let (ids, words) = form.parse()?;
    let config = app.config.clone();
    let key = key.or_of_day(today);
    app.write_and_notify(move |connection| {
        let send = || {
            let results = bulk::each(connection, &ids, |connection, id| {
                let record = read(connection, id, today)?;
                let context = AskContext { config: &config, now };
                words.send_with_copies(connection, &record.student, staff.id, &context)?;
                let detail = json!({ "subject": words.subject, "students": ids.len() });
                audit::record(connection, &staff.actor(), "write email", "student", id, detail, now)?;
                Ok(record)
            });
            results.map(StudentsDone::new)
        };
        key.once_kept(connection, staff.id, now, send, StudentsDone::kept)
    })
    .await
}

/// Preview an email to many students; sends nothing
#[utoipa::path(post, path = "/api/admin/students/emails/preview", tag = "students",
    responses((status = 404, body = ErrorBody)))]
async fn preview_email_to_students(
    _: Staff<may::Students>,
    State(app): State<App>,
    Json(form): Json<EmailToStudents>,
) -> Result<Json<EmailToManyPreview>> {
    let today = app.today();
    let (ids, words) = form.parse()?;
    let config = app.config.clone();
    app.db
        .query(move |connection| {
            let first = ids.first().copied().unwrap_or_default();
            let student = read(connection, first, today)?.student;
            let sample = words.to(&student)?.preview(&config.school())?;
            let copies = guardians::store::count_mailed(connection, &ids, today)?;
            Ok(EmailToManyPreview { recipients: ids.len(), left_out: 0, copies, sample: Some(sample) })
        })
        .await
        .map(Json)
}

/// Send many students a new verification link, or their invitation again
#[utoipa::path(post, path = "/api/admin/students/resend-verification", tag = "students")]
async fn resend_verifications(
    staff: Staff<may::Students, Recent>,
    State(app): State<App>,
    Json(form): Json<SomeStudents>,
) -> Result<Json<StudentsDone>> {
    let now = app.clock.now();
    let config = app.config.clone();
    act_on_each(&app, &form, staff.actor(), account::RESEND, move |connection, record| {
        let desk = AccountLinks { connection, config: &config, cause: Cause::Office, next: None, now };
        account::resend_verification(&desk, record)
    })
    .await
}

/// Remind the guardians of many students whose requests wait for them; a student's guardians once a day
#[utoipa::path(post, path = "/api/admin/students/remind-guardians", tag = "students")]
async fn remind_guardians(
    staff: Staff<may::Students>,
    State(app): State<App>,
    Json(form): Json<SomeStudents>,
) -> Result<Json<StudentsDone>> {
    let now = app.clock.now();
    let config = app.config.clone();
    act_on_each(&app, &form, staff.actor(), "remind guardians", move |connection, record| {
        let context = AskContext { config: &config, now };
        guardian_emails::remind(connection, &context, record.student.id)
    })
    .await
}

/// Does something about each student, and notes it in the trail as this action of this actor.
async fn act_on_each(
    app: &App,
    form: &SomeStudents,
    actor: Actor,
    action: &'static str,
    act: impl Fn(&Connection, &StudentRecord) -> Result<()> + Send + 'static,
) -> Result<Json<StudentsDone>> {
    let today = app.today();
    let now = app.clock.now();
    let ids = ids(&form.ids).map_err(|message| FieldErrors::one("ids", message))?;
    app.carry_out_and_notify(move |connection| {
        let results = bulk::each(connection, &ids, |connection, id| {
            let record = read(connection, id, today)?;
            act(connection, &record)?;
            audit::record(connection, &actor, action, "student", id, json!({}), now)?;
            Ok(record)
        });
        results.map(StudentsDone::new)
    })
    .await
}
