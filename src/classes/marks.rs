//! Entering the marks of a class: a result for each row, with optimistic locking.

use axum::extract::State;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::{ClassMember, store};
use crate::base::error::{Error, FieldErrors, Result};
use crate::base::json::Json;
use crate::courses::{self, Course};
use crate::decisions::{self, Undo};
use crate::enrollments::Enrollment;
use crate::enrollments::decisions::{Complete, DecisionContext, Midterm};
use crate::staff::{Staff, may};
use crate::storage::db;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form, read_as};
use crate::web::id::{Id, Numbered};

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![enter_marks]
}

/// Maximum rows per request.
const MAX: usize = 200;

form! {
    /// The marks of one student.
    pub struct MarkRow {
        /// The enrollment.
        enrollment_id: i64,
        /// The mark in the middle of the course, 0 to 100; null removes it, absent keeps it.
        midterm: Option<i64>,
        /// The final mark, 0 to 100, which completes the course; absent or null means none yet.
        r#final: Option<i64>,
        /// Version when it was read; an outdated one is refused with the current row.
        version: i64,
        /// Reason for correcting an existing final mark, or for one before the last day of the course: 10 to 1,000
        /// characters.
        reason: Option<String>,
    }
}

read_as!(Vec<MarkRow> => Vec<MarkRow>);

form! {
    /// `POST /api/admin/courses/{id}/marks`' body.
    pub struct MarkSheet {
        /// 1 to 200 students of the class.
        rows: Vec<MarkRow>,
        /// Reason for final marks before the last day of the course, for rows without their own reason: 10 to 1,000
        /// characters.
        reason: Option<String>,
        /// Whether the students read in the email why their marks come early; otherwise the reason is for the office.
        mail_reason: Option<bool>,
    }
}

/// Results of entering marks.
#[derive(Debug, Serialize, ToSchema)]
pub struct MarksEntered {
    /// A result for each row, in order.
    results: Vec<MarkResult>,
    /// Undo of the final marks; null if there are none or emails are sent at once.
    undo: Option<Undo>,
}

/// Result of one row.
#[derive(Debug, Serialize, ToSchema)]
pub struct MarkResult {
    /// Number of the enrollment.
    id: i64,
    /// Whether the marks were saved.
    ok: bool,
    /// The current row.
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<ClassMember>,
    /// The current row, if nothing was saved.
    #[serde(skip_serializing_if = "Option::is_none")]
    current: Option<ClassMember>,
    /// HTTP status of the refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    /// Reason of the refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// A mark, or that there is none.
#[derive(Clone, Copy)]
struct MarkInput(Option<i64>);

/// A validated row.
struct Marks {
    /// The midterm mark to write, if any.
    midterm: Option<MarkInput>,
    r#final: Option<i64>,
    version: i64,
    reason: Option<String>,
}

impl Marks {
    fn parse(row: &MarkRow) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let midterm = errors.take("midterm", mark(&row.midterm));
        let r#final = errors.take("final", mark(&row.r#final));
        let version = match row.version {
            Field::Value(version) => Ok(version),
            _ => Err("Version is required"),
        };
        let version = errors.take("version", version);
        let reason = errors.take("reason", row.reason.optional(1000));
        let marks = || {
            Some(Self {
                midterm: Some(MarkInput(midterm?)).filter(|_| row.midterm.is_sent()),
                r#final: r#final?,
                version: version?,
                reason: reason?,
            })
        };
        errors.finish(marks())
    }

    /// Whether the marks are saved already, so that a repeated request is not a conflict.
    fn hold_in(&self, member: &ClassMember) -> bool {
        self.midterm.is_none_or(|MarkInput(mark)| mark == member.midterm_mark)
            && self.r#final.is_none_or(|mark| Some(mark) == member.final_mark)
    }
}

fn mark(field: &Field<i64>) -> Result<Option<i64>, &'static str> {
    match field {
        Field::Absent | Field::Null => Ok(None),
        Field::Value(mark) if (0..=100).contains(mark) => Ok(Some(*mark)),
        Field::Value(_) | Field::Wrong => Err("Mark must be a whole number from 0 to 100"),
    }
}

/// Context for entering marks.
struct MarksContext<'a> {
    context: &'a DecisionContext,
    course_id: i64,
    today: Date,
    bulk: String,
    /// Reason for marks before the last day.
    reason: Option<String>,
    /// Whether students read it.
    mails_reason: bool,
}

/// Enter marks of a class: a final one completes the course and notifies the student
#[utoipa::path(post, path = "/api/admin/courses/{id}/marks", tag = "courses")]
async fn enter_marks(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(course_id, ..): Id<Course>,
    Json(sheet): Json<MarkSheet>,
) -> Result<Json<MarksEntered>> {
    let context = DecisionContext::new(&app, &staff);
    let today = app.today();
    app.carry_out_and_notify(move |connection| {
        courses::store::find(connection, course_id)?.ok_or_else(Course::not_found)?;
        let rows = match sheet.rows {
            Field::Value(rows) if (1..=MAX).contains(&rows.len()) => rows,
            _ => return Err(Error::field("rows", format!("Send the marks of 1 to {MAX} students"))),
        };
        let reason = sheet.reason.optional(1000).map_err(|words| FieldErrors::one("reason", words))?;
        let entering = MarksContext {
            context: &context,
            course_id,
            today,
            bulk: decisions::draw_id()?,
            reason,
            mails_reason: matches!(sheet.mail_reason, Field::Value(true)),
        };
        let mut undo = None;
        let mut results = Vec::with_capacity(rows.len());
        for row in &rows {
            let (result, own) = entering.enter(connection, row)?;
            results.push(result);
            undo = own.map(|own| Undo { id: entering.bulk.clone(), until: own.until }).or(undo);
        }
        Ok(MarksEntered { results, undo })
    })
    .await
}

impl MarksContext<'_> {
    /// Enters one row in its own savepoint. An internal error rolls all rows back.
    fn enter(&self, connection: &Connection, row: &MarkRow) -> Result<(MarkResult, Option<Undo>)> {
        let id = if let Field::Value(id) = row.enrollment_id { id } else { 0 };
        let entered = db::in_savepoint(connection, |connection| self.save(connection, id, row));
        let member = store::find_member(connection, self.course_id, id)?;
        match entered {
            Ok(undo) => Ok((
                MarkResult { id, ok: true, row: member, current: None, status: None, message: None },
                undo,
            )),
            Err(error) if error.status().is_server_error() => Err(error),
            Err(error) => {
                let message = match &error {
                    Error::Invalid(fields) => fields.iter().map(|(_, words)| words).next().map(str::to_owned),
                    _ => None,
                };
                let result = MarkResult {
                    id,
                    ok: false,
                    row: None,
                    current: member,
                    status: Some(error.status().as_u16()),
                    message: Some(message.unwrap_or_else(|| error.to_string())),
                };
                Ok((result, None))
            }
        }
    }

    fn save(&self, connection: &Connection, id: i64, row: &MarkRow) -> Result<Option<Undo>> {
        let member = store::find_member(connection, self.course_id, id)?.ok_or_else(Enrollment::not_found)?;
        let marks = Marks::parse(row)?;
        if marks.hold_in(&member) {
            return Ok(None);
        }
        if marks.version != member.version {
            let words = "Another user changed this row meanwhile. Check its current values, then save again.";
            return Err(Error::conflict(words, &member));
        }
        if let Some(MarkInput(mark)) = marks.midterm.filter(|MarkInput(mark)| *mark != member.midterm_mark) {
            self.context.midterm(connection, id, &Midterm { mark, on: self.today })?;
        }
        let Some(final_mark) = marks.r#final else {
            return Ok(None);
        };
        // A correction needs its own reason.
        let reason =
            if member.final_mark.is_none() { marks.reason.or(self.reason.clone()) } else { marks.reason };
        let mark = Complete { final_mark, reason, mails_reason: self.mails_reason, expected: None };
        Ok(self.context.complete(connection, id, &mark, Some(&self.bulk))?.undo)
    }
}
