//! Emails to a class: preview with the number of recipients, then one email each.

use axum::extract::State;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::store::{self, ClassPart};
use crate::audit;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::config::Config;
use crate::courses::{self, Course};
use crate::enrollments::requests::guardian_emails::AskContext;
use crate::records::bulk::EmailToManyPreview;
use crate::records::write_email::EmailText;
use crate::staff::{Recent, Staff, may};
use crate::students::guardians;
use crate::students::status::StudentStatus;
use crate::students::{self, Student};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::{Id, Numbered};
use crate::web::idempotency::{Idempotent, Once};

/// The endpoints of emails to a class.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![write_to_class, preview_email_to_class]
}

form! {
    /// `POST /api/admin/courses/{id}/emails`' body.
    pub struct EmailToClass {
        /// One line.
        subject: String,
        /// Plain text; its line breaks are kept.
        body: String,
        /// Only students who started on this day; default: all current students.
        start_date: Option<Date>,
        /// Only students of this section.
        section_id: Option<i64>,
        /// Expected number of recipients; if it differs, nothing is sent.
        expected: Option<i64>,
    }
}

/// A validated email to a class.
struct ClassEmail {
    words: EmailText,
    part: ClassPart,
    expected: Option<i64>,
}

impl ClassEmail {
    fn parse(form: &EmailToClass) -> Result<Self, FieldErrors> {
        let (words, mut errors) = match EmailText::parse(&form.subject, &form.body) {
            Ok(words) => (Some(words), FieldErrors::default()),
            Err(errors) => (None, errors),
        };
        let start_date = match &form.start_date {
            Field::Absent | Field::Null => Ok(None),
            Field::Value(_) | Field::Wrong => form.start_date.date("").map(Some),
        };
        let start_date = errors.take("startDate", start_date);
        let number = |field: &Field<i64>| match field {
            Field::Absent | Field::Null => Ok(None),
            Field::Value(number) => Ok(Some(*number)),
            Field::Wrong => Err("Must be a whole number"),
        };
        let section_id = errors.take("sectionId", number(&form.section_id));
        let expected = errors.take("expected", number(&form.expected));
        let email = || {
            let part = ClassPart { section_id: section_id?, start_date: start_date? };
            Some(Self { words: words?, part, expected: expected? })
        };
        errors.finish(email())
    }
}

/// Result of an email to a class.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClassEmailed {
    /// Number of queued emails, one per student; copies to guardians are not counted.
    queued: usize,
}

/// Recipients in a class.
struct Recipients {
    students: Vec<Student>,
    /// Number of members with closed accounts.
    left_out: usize,
    /// Number of copies to guardians of students under 18.
    copies: i64,
}

impl Recipients {
    /// # Errors
    /// 404 when there is no such course.
    fn find(connection: &Connection, course_id: i64, part: ClassPart, today: Date) -> Result<(Course, Self)> {
        let course = courses::store::find(connection, course_id)?.ok_or_else(Course::not_found)?;
        let ids = store::class_members(connection, course_id, part)?;
        let mut students = Vec::with_capacity(ids.len());
        for id in &ids {
            let student = students::store::find(connection, *id)?.ok_or_else(Student::not_found)?;
            if student.status != StudentStatus::Closed {
                students.push(student);
            }
        }
        let copies = guardians::store::count_mailed(connection, &ids, today)?;
        Ok((course, Self { left_out: ids.len() - students.len(), copies, students }))
    }

    fn preview(&self, email: &ClassEmail, config: &Config) -> Result<EmailToManyPreview> {
        let Self { students, left_out, copies } = self;
        let sample = students.first().map(|student| email.words.to(student)?.preview(&config.school()));
        Ok(EmailToManyPreview {
            recipients: students.len(),
            left_out: *left_out,
            copies: *copies,
            sample: sample.transpose()?,
        })
    }

    /// They must be those that were shown.
    fn check(&self, email: &ClassEmail, config: &Config) -> Result<()> {
        let count = self.students.len();
        let message = match email.expected {
            _ if count == 0 => {
                "This course has no students at the moment, so there is no recipient.".to_owned()
            }
            Some(expected) if usize::try_from(expected) != Ok(count) => format!(
                "The class has changed meanwhile: {count} would get this email, not {expected}. Nothing was sent; \
                 please look at it again."
            ),
            Some(_) | None => return Ok(()),
        };
        Err(Error::conflict(message, &self.preview(email, config)?))
    }
}

/// Preview an email to a class, with the number of recipients; sends nothing
#[utoipa::path(post, path = "/api/admin/courses/{id}/emails/preview", tag = "courses")]
async fn preview_email_to_class(
    _: Staff<may::Students>,
    State(app): State<App>,
    Id(id, ..): Id<Course>,
    Json(form): Json<EmailToClass>,
) -> Result<Json<EmailToManyPreview>> {
    let email = ClassEmail::parse(&form)?;
    let config = app.config.clone();
    let today = app.today();
    app.db
        .query(move |connection| {
            let (_, recipients) = Recipients::find(connection, id, email.part, today)?;
            recipients.preview(&email, &config)
        })
        .await
        .map(Json)
}

/// Send an email to all current students of a course, or to those who started on a certain day, and to the
/// guardians of those under 18; the same words to the same class are sent once a day
#[utoipa::path(post, path = "/api/admin/courses/{id}/emails", tag = "courses", request_body = EmailToClass,
    responses((status = 409, body = ErrorBody, description = "It has no recipients, or not as many as \
            expected")))]
async fn write_to_class(
    staff: Staff<may::Students, Recent>,
    State(app): State<App>,
    Id(id, ..): Id<Course>,
    Idempotent { key, body: form }: Idempotent<EmailToClass>,
) -> Result<Once<ClassEmailed, 200>> {
    let now = app.clock.now();
    let today = app.today();
    let config = app.config.clone();
    let email = ClassEmail::parse(&form)?;
    let key = key.or_of_day(today);
    app.write_and_notify(move |connection| {
        key.once(connection, staff.id, now, || {
        let (course, recipients) = Recipients::find(connection, id, email.part, today)?;
        recipients.check(&email, &config)?;
        let students = recipients.students;
        let context = AskContext { config: &config, now };
        for student in &students {
            email.words.send_with_copies(connection, student, staff.id, &context)?;
        }
        let detail = json!({ "course": course.code, "subject": email.words.subject, "students": students.len(),
            "startDate": email.part.start_date, "section": email.part.section_id });
        audit::record(connection, &staff.actor(), "write email", "course", id, detail, now)?;
        Ok(ClassEmailed { queued: students.len() })
        })
    })
    .await
}
