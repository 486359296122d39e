//! Emails from the office to a student.

use axum::extract::State;
use axum::http::StatusCode;
use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::read;
use crate::audit::{self, By};
use crate::base::error::{Error, FieldErrors, Result};
use crate::base::json::Json;
use crate::enrollments::requests::guardian_emails::{self, AskContext, SendTime};
use crate::enrollments::store::Addressee;
use crate::mail::records::{self, MailRecord};
use crate::mail::{Cause, EmailMessage, QueueOutcome, outbox};
use crate::staff::{Staff, may};
use crate::students::history::{self, HistoryChange};
use crate::students::{Student, emails};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::Id;

/// The endpoint of this part.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![write_to_student]
}

form! {
    /// `POST /api/admin/students/{id}/emails`' body.
    pub struct EmailToStudent {
        /// One line.
        subject: String,
        /// Plain text; its line breaks are kept.
        body: String,
    }
}

/// Text of an email to one or many students.
#[derive(Debug)]
pub struct EmailText {
    /// One line.
    pub subject: String,
    /// Plain text; an empty line begins a paragraph.
    pub body: String,
}

impl EmailText {
    /// Validates both fields of a form.
    pub fn parse(subject: &Field<String>, body: &Field<String>) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let subject = subject.between(2, 150, "Subject is required").and_then(|subject| {
            if subject.contains(['\n', '\r', '\t']) {
                Err("Must be one line".to_owned())
            } else {
                Ok(subject)
            }
        });
        let subject = errors.take("subject", subject);
        let body = errors.take("body", body.between(10, 10_000, "Write at least 10 characters"));
        let both = || Some(Self { subject: subject?, body: body? });
        errors.finish(both())
    }

    /// The email to a student.
    pub fn to(&self, student: &Student) -> Result<EmailMessage> {
        emails::from_office(student, &self.subject, &self.body)
    }

    /// Queues it to a student, with copies to the guardians of one under 18, and records it.
    ///
    /// # Errors
    /// As [`outbox::enqueue`].
    pub fn send_with_copies(
        &self,
        connection: &Connection,
        student: &Student,
        user_id: i64,
        context: &AskContext<'_>,
    ) -> Result<()> {
        self.note(connection, student.id, user_id, context.now)?;
        let to = Addressee::asking(student)?;
        guardian_emails::send_with_copies(connection, &to, &self.to(student)?, SendTime::Now, context)
    }

    /// Records it in the student's history, which is kept longer than the outbox.
    fn note(&self, connection: &Connection, id: i64, user_id: i64, now: Timestamp) -> Result<()> {
        let change =
            HistoryChange { field: "officeEmail", before: None, after: Some(&self.subject), reason: None };
        history::add(connection, id, By::Staff(user_id), change, now)
    }
}

/// Send an email to a student; it is queued, and replies go to the school
#[utoipa::path(post, path = "/api/admin/students/{id}/emails", tag = "students")]
async fn write_to_student(
    staff: Staff<may::Students>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
    Json(form): Json<EmailToStudent>,
) -> Result<(StatusCode, Json<MailRecord>)> {
    let now = app.clock.now();
    let today = app.today();
    let config = app.config.clone();
    app.write_and_notify(move |connection| {
        let record = read(connection, id, today)?;
        let words = EmailText::parse(&form.subject, &form.body)?;
        words.note(connection, id, staff.id, now)?;
        let message = words.to(&record.student)?;
        let missing = || Error::Internal(anyhow::anyhow!("the email just queued is not there"));
        let QueueOutcome::Accepted(email) =
            outbox::enqueue(connection, &message, Cause::Office, &config, now)?
        else {
            return Err(missing());
        };
        let detail = json!({ "subject": words.subject });
        audit::record(connection, &staff.actor(), "write email", "student", id, detail, now)?;
        records::find(connection, email)?.ok_or_else(missing)
    })
    .await
    .map(|queued| (StatusCode::CREATED, Json(queued)))
}
