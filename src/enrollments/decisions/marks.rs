//! Marks: one in the middle of a course, and the final one, which completes it.

use axum::extract::State;
use jiff::civil::Date;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::{Decided, DecisionContext, check_expected, expected};
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::enrollments::rules::long;
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::verb::Verb;
use crate::enrollments::{Enrollment, emails, store};
use crate::staff::{Staff, may};
use crate::web::access::endpoint;
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::{Id, Numbered};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(endpoint!(complete_enrollment)).routes(endpoint!(set_midterm_mark))
}

form! {
    /// `POST /api/admin/enrollments/{id}/complete`'s body.
    pub struct CompleteForm {
        /// The final mark, 0 to 100; 50 earns the credit.
        final_mark: i64,
        /// Why a final mark that is there already is corrected, or why it comes before the last day of the
        /// course: 10 to 1,000 characters.
        reason: Option<String>,
        /// The state that the office saw; in any other nothing happens.
        expected: Option<EnrollmentStatus>,
    }
}

form! {
    /// `POST /api/admin/enrollments/{id}/midterm`'s body.
    pub struct MidtermForm {
        /// The mark, 0 to 100; null takes it away.
        mark: Option<i64>,
        /// The day it was given; otherwise today.
        on: Option<Date>,
    }
}

/// A final mark whose every field is right.
#[derive(Debug)]
pub struct Complete {
    /// 0 to 100.
    pub final_mark: i64,
    /// Why one that is there is corrected, or comes before the last day.
    pub reason: Option<String>,
    /// The state that the office saw.
    pub expected: Option<EnrollmentStatus>,
}

/// A mark in the middle of a course.
#[derive(Debug)]
pub struct Midterm {
    /// 0 to 100; none takes it away.
    pub mark: Option<i64>,
    /// The day it was given.
    pub on: Date,
}

/// A mark that may be left out.
pub(super) fn mark(field: &Field<i64>) -> Result<Option<i64>, &'static str> {
    match field {
        Field::Absent | Field::Null => Ok(None),
        Field::Value(mark) if (0..=100).contains(mark) => Ok(Some(*mark)),
        Field::Value(_) | Field::Wrong => Err("Complete must be a whole number from 0 to 100"),
    }
}

impl Complete {
    fn parse(form: &CompleteForm) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let final_mark = mark(&form.final_mark).and_then(|mark| mark.ok_or("Final mark is required"));
        let final_mark = errors.take("finalMark", final_mark);
        let reason = errors.take("reason", form.reason.optional(1000));
        let expected = errors.take("expected", expected(&form.expected));
        let mark = || Some(Self { final_mark: final_mark?, reason: reason?, expected: expected? });
        errors.finish(mark())
    }
}

/// Complete an active enrollment with its final mark, or correct the mark of a completed one
#[utoipa::path(post, path = "/api/admin/enrollments/{id}/complete", tag = "enrollments",
    params(("id" = i64, Path, description = "Number of the enrollment")), request_body = CompleteForm,
    responses((status = 200, body = Decided), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "It is in another state, or the course has not begun; \
            `current` is the enrollment")))]
async fn complete_enrollment(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
    Json(form): Json<CompleteForm>,
) -> Result<Json<Decided>> {
    let mark = Complete::parse(&form)?;
    let context = DecisionContext::new(&app, &staff);
    app.write_and_notify(move |connection| context.complete(connection, id, &mark, None)).await.map(Json)
}

/// Note the mark in the middle of an active course
#[utoipa::path(post, path = "/api/admin/enrollments/{id}/midterm", tag = "enrollments",
    params(("id" = i64, Path, description = "Number of the enrollment")), request_body = MidtermForm,
    responses((status = 200, body = Enrollment), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "It is in another state; `current` is the enrollment")))]
async fn set_midterm_mark(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
    Json(form): Json<MidtermForm>,
) -> Result<Json<Enrollment>> {
    let context = DecisionContext::new(&app, &staff);
    let mut errors = FieldErrors::default();
    let mark = errors.take("mark", mark(&form.mark));
    let today = context.terms.today;
    let on = if form.on.text().is_empty() { Ok(today) } else { form.on.date("") };
    let on = errors.take("on", on);
    let midterm = || Some(Midterm { mark: mark?, on: on? });
    let midterm = errors.finish(midterm())?;
    app.db.write(move |connection| context.midterm(connection, id, &midterm)).await.map(Json)
}

impl DecisionContext {
    /// Completes an active enrollment, alone or as one of a bulk; another mark of one that is completed
    /// already needs a reason.
    pub fn complete(
        &self,
        connection: &Connection,
        id: i64,
        mark: &Complete,
        bulk: Option<&str>,
    ) -> Result<Decided> {
        let status = store::status(connection, id)?.ok_or_else(Enrollment::not_found)?;
        if status == EnrollmentStatus::Completed {
            return self.correct_mark(connection, id, mark, bulk);
        }
        let rule = EnrollmentStatus::end;
        let Some(pending) = self.begin(connection, id, Verb::Complete, rule, mark.expected, bulk)? else {
            return Decided::unchanged(connection, id);
        };
        let before = store::find(connection, id)?;
        let early = self.early(connection, &before, mark)?;
        let event = pending.event(Verb::Complete, EnrollmentStatus::Completed);
        let event = super::Event { reason: early, ..event };
        store::complete(connection, event, mark.final_mark, self.user_id, self.now)?;
        let detail = json!({ "course": before.course.code, "mark": mark.final_mark, "reason": early });
        self.record(connection, Verb::Complete, id, detail)?;
        self.finish(connection, &pending, |to, enrollment| {
            emails::completed(to, enrollment, early, &self.config)
        })
    }

    /// Why a final mark comes before the last day of its course; none on that day and afterwards.
    ///
    /// # Errors
    /// 409 before the first day; 400 on `reason` when it is too short to say why.
    fn early<'a>(
        &self,
        connection: &Connection,
        enrollment: &Enrollment,
        mark: &'a Complete,
    ) -> Result<Option<&'a str>> {
        let Enrollment { id, start_date, end_date, .. } = *enrollment;
        if self.terms.today < start_date {
            let words = format!(
                "This course begins on {} for the student, so there is no final mark yet. Enter it from that \
                 day on, or change the dates first.",
                long(start_date)
            );
            return Err(super::moved(connection, id, &Error::Conflict(words)));
        }
        if self.terms.today >= end_date {
            return Ok(None);
        }
        let reason = mark.reason.as_deref().filter(|words| words.chars().count() >= 10);
        reason.map(Some).ok_or_else(|| {
            let words = format!(
                "This course runs until {}. Please say in at least 10 characters why the final mark comes \
                 before that; the student reads it",
                long(end_date)
            );
            Error::field("reason", words)
        })
    }

    fn correct_mark(
        &self,
        connection: &Connection,
        id: i64,
        mark: &Complete,
        bulk: Option<&str>,
    ) -> Result<Decided> {
        let before = store::find(connection, id)?;
        if before.final_mark == Some(mark.final_mark) {
            return Decided::unchanged(connection, id);
        }
        check_expected(connection, id, EnrollmentStatus::Completed, mark.expected)?;
        let Some(reason) = mark.reason.as_deref().filter(|words| words.chars().count() >= 10) else {
            let message =
                "Please say in at least 10 characters why the mark is corrected; the student reads it";
            return Err(Error::field("reason", message));
        };
        let rule = |_| Ok(true);
        let Some(pending) = self.begin(connection, id, Verb::CorrectMark, rule, None, bulk)? else {
            return Decided::unchanged(connection, id);
        };
        let event = pending.event(Verb::CorrectMark, EnrollmentStatus::Completed);
        let event = super::Event { reason: Some(reason), ..event };
        store::complete(connection, event, mark.final_mark, self.user_id, self.now)?;
        let detail = json!({
            "course": before.course.code, "mark": mark.final_mark, "before": before.final_mark,
            "reason": reason,
        });
        self.record(connection, Verb::CorrectMark, id, detail)?;
        self.finish(connection, &pending, |to, enrollment| {
            emails::mark_corrected(to, enrollment, reason, &self.config)
        })
    }

    /// Notes the mark in the middle of an active course; no e-mail tells of it.
    pub fn midterm(&self, connection: &Connection, id: i64, midterm: &Midterm) -> Result<Enrollment> {
        let status = store::status(connection, id)?.ok_or_else(Enrollment::not_found)?;
        status.end().map_err(|error| super::moved(connection, id, &error))?;
        let before = store::find(connection, id)?;
        if before.midterm_mark == midterm.mark {
            return Ok(before);
        }
        let by = crate::audit::By::Staff(self.user_id);
        let event = super::Event::new(id, by, Verb::Midterm, Some(status), status);
        store::midterm(connection, event, midterm, self.user_id, self.now)?;
        let detail =
            json!({ "course": before.course.code, "mark": midterm.mark, "before": before.midterm_mark });
        self.record(connection, Verb::Midterm, id, detail)?;
        store::find(connection, id)
    }
}
