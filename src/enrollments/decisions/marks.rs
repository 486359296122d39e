//! Marks: one in the middle of a course, and the final one, which completes it.

use axum::extract::State;
use jiff::civil::Date;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::{Decided, DecisionContext, conflict};
use crate::audit::By;
use crate::base::dates::date_in_words;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::enrollments::events::Event;
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::transitions::Transition;
use crate::enrollments::{Enrollment, emails, store};
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::Id;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![complete_enrollment, set_midterm_mark]
}

form! {
    /// `POST /api/admin/enrollments/{id}/complete`'s body.
    pub struct CompleteForm {
        /// The final mark, 0 to 100; 50 earns the credit.
        final_mark: i64,
        /// Reason for correcting an existing final mark, or for one before the last day of the course: 10 to 1,000
        /// characters.
        reason: Option<String>,
        /// Whether the student reads in the email why the mark comes early; otherwise the reason is for the office.
        mail_reason: Option<bool>,
        /// Expected state; refused if it has changed.
        expected: Option<EnrollmentStatus>,
    }
}

form! {
    /// `POST /api/admin/enrollments/{id}/midterm`'s body.
    pub struct MidtermForm {
        /// The mark, 0 to 100; null removes it.
        mark: Option<i64>,
        /// The day it was given; otherwise today.
        on: Option<Date>,
    }
}

/// A validated final mark.
#[derive(Debug)]
pub struct Complete {
    /// 0 to 100.
    pub final_mark: i64,
    /// Reason for a correction or an early mark.
    pub reason: Option<String>,
    /// Whether the student reads the reason of an early mark.
    pub mails_reason: bool,
    /// The state that the office saw.
    pub expected: Option<EnrollmentStatus>,
}

/// A mark in the middle of a course.
#[derive(Debug)]
pub struct Midterm {
    /// 0 to 100; `None` removes it.
    pub mark: Option<i64>,
    /// The day it was given.
    pub on: Date,
}

/// A mark that may be left out.
pub(super) fn mark(field: &Field<i64>) -> Result<Option<i64>, &'static str> {
    match field {
        Field::Absent | Field::Null => Ok(None),
        Field::Value(mark) if (0..=100).contains(mark) => Ok(Some(*mark)),
        Field::Value(_) | Field::Wrong => Err("Mark must be a whole number from 0 to 100"),
    }
}

impl Complete {
    fn parse(form: &CompleteForm) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let final_mark = mark(&form.final_mark).and_then(|mark| mark.ok_or("Final mark is required"));
        let final_mark = errors.take("finalMark", final_mark);
        let reason = errors.take("reason", form.reason.optional(1000));
        let mails_reason = match form.mail_reason {
            Field::Absent | Field::Null => Ok(false),
            Field::Value(is_mailed) => Ok(is_mailed),
            Field::Wrong => Err("Must be true or false"),
        };
        let mails_reason = errors.take("mailReason", mails_reason);
        let expected = errors.take("expected", form.expected.optional_one_of());
        let complete = || {
            let reason = reason?;
            let mails_reason = mails_reason?;
            Some(Self { final_mark: final_mark?, reason, mails_reason, expected: expected? })
        };
        errors.finish(complete())
    }

    /// The reason, if it is long enough.
    fn explained(&self) -> Option<&str> {
        self.reason.as_deref().filter(|words| words.chars().count() >= 10)
    }

    /// Why a mark is corrected.
    fn correction(&self) -> Result<Option<&str>> {
        let words = "Please say in at least 10 characters why the mark is corrected; the student reads it";
        self.explained().map(Some).ok_or_else(|| Error::field("reason", words))
    }
}

/// Complete an active enrollment with its final mark, or correct the mark of a completed one
#[utoipa::path(post, path = "/api/admin/enrollments/{id}/complete", tag = "enrollments",
    responses((status = 409, body = ErrorBody, description = "It is in another state, or the course has not \
            begun; `current` is the enrollment")))]
async fn complete_enrollment(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
    Json(form): Json<CompleteForm>,
) -> Result<Json<Decided>> {
    let complete = Complete::parse(&form)?;
    let context = DecisionContext::new(&app, &staff);
    app.carry_out_and_notify(move |connection| context.complete(connection, id, &complete, None)).await
}

/// Record the midterm mark of an active course
#[utoipa::path(post, path = "/api/admin/enrollments/{id}/midterm", tag = "enrollments",
    responses((status = 409, body = ErrorBody, description = "It is in another state; `current` is the \
            enrollment")))]
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
    app.carry_out(move |connection| context.midterm(connection, id, &midterm)).await
}

impl DecisionContext {
    /// Completes an active enrollment, alone or as one of a bulk, or corrects the mark of a completed one.
    pub fn complete(
        &self,
        connection: &Connection,
        id: i64,
        complete: &Complete,
        bulk: Option<&str>,
    ) -> Result<Decided> {
        let before = store::find(connection, id)?;
        let is_correction = before.status == EnrollmentStatus::Completed;
        if is_correction && before.final_mark == Some(complete.final_mark) {
            return Decided::unchanged(connection, id);
        }
        let transition = if is_correction { Transition::CORRECT_MARK } else { Transition::COMPLETE };
        let Some(pending) = self.begin(connection, id, &transition, complete.expected, bulk)? else {
            return Decided::unchanged(connection, id);
        };
        let reason = if is_correction { complete.correction()? } else { self.early(&before, complete)? };
        // What is for the office stands beside the event, where no student reads it.
        let is_shown = is_correction || complete.mails_reason;
        let office = reason.filter(|_| !is_shown).map(|words| json!({ "early": words }));
        let shown = reason.filter(|_| is_shown);
        let event = Event { reason: shown, overrides: office.as_ref(), ..pending.event() };
        store::complete(connection, event, complete.final_mark, self.user_id, self.now)?;
        let mut detail =
            json!({ "course": before.course.code, "mark": complete.final_mark, "reason": reason });
        if is_correction {
            detail["before"] = json!(before.final_mark);
        }
        self.finish(connection, &pending, detail, |to, enrollment| match shown {
            Some(reason) if is_correction => emails::mark_corrected(to, enrollment, reason, &self.config),
            early => emails::completed(to, enrollment, early, &self.config),
        })
    }

    /// Reason for a final mark before the last day of the course; `None` from that day on.
    ///
    /// # Errors
    /// 409 before the first day; 400 on `reason` when it is too short to say why.
    fn early<'a>(&self, enrollment: &Enrollment, complete: &'a Complete) -> Result<Option<&'a str>> {
        let Enrollment { start_date, end_date, .. } = *enrollment;
        if self.terms.today < start_date {
            let words = format!(
                "This course begins on {} for the student, so there is no final mark yet. Enter it from that \
                 day on, or change the dates first.",
                date_in_words(start_date)
            );
            return Err(conflict(words, enrollment));
        }
        if self.terms.today >= end_date {
            return Ok(None);
        }
        complete.explained().map(Some).ok_or_else(|| {
            let words = format!(
                "This course runs until {}. Please say in at least 10 characters why the final mark comes \
                 before that",
                date_in_words(end_date)
            );
            Error::field("reason", words)
        })
    }

    /// Records the midterm mark of an active course; sends no email.
    pub fn midterm(&self, connection: &Connection, id: i64, midterm: &Midterm) -> Result<Enrollment> {
        let before = store::find(connection, id)?;
        let verb = Transition::MIDTERM.verb;
        Transition::MIDTERM.after(before.status).map_err(|words| conflict(words, &before))?;
        if before.midterm_mark == midterm.mark {
            return Ok(before);
        }
        let event = Event::new(id, By::Staff(self.user_id), verb, Some(before.status), before.status);
        store::midterm(connection, event, midterm, self.user_id, self.now)?;
        let detail =
            json!({ "course": before.course.code, "mark": midterm.mark, "before": before.midterm_mark });
        self.record(connection, verb, id, detail)?;
        store::find(connection, id)
    }
}
