//! Filters of the audit trail.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use jiff::ToSpan;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rusqlite::ToSql;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::base::error::{Error, FieldErrors, Result};
use crate::web::description::{Description, Parameter};
use crate::web::query;

/// Query parameters of the audit trail.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct TrailQuery {
    /// Who did it: a username, or the number of the account.
    #[param(value_type = Option<String>)]
    user: String,
    /// What was done: a verb, as the rows have it.
    #[param(value_type = Option<String>)]
    action: String,
    /// To what kind of thing it was done, as the rows have it.
    #[param(value_type = Option<String>)]
    object: String,
    /// The number of the one thing, together with `object`.
    #[param(value_type = Option<i64>)]
    object_id: String,
    /// Only entries about the student with this id: account, courses, documents, payments, notes.
    #[param(value_type = Option<i64>)]
    student: String,
    /// The first day, in the school's time zone.
    #[param(value_type = Option<Date>)]
    from: String,
    /// The last day, in the school's time zone.
    #[param(value_type = Option<Date>)]
    to: String,
}

impl Parameter for TrailQuery {
    fn describe(description: &mut Description<'_>) {
        description.refusal("400");
    }
}

impl<S: Send + Sync> FromRequestParts<S> for TrailQuery {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        query::of(&parts.uri)
    }
}

/// A validated filter.
#[derive(Debug, Default)]
pub struct TrailFilter {
    own: Option<i64>,
    user_id: Option<i64>,
    actor: Option<String>,
    action: Option<String>,
    object: Option<String>,
    object_id: Option<i64>,
    student: Option<i64>,
    from: Option<i64>,
    before: Option<i64>,
}

impl TrailQuery {
    /// Validates the filter; `own` limits it to one staff member's entries.
    ///
    /// # Errors
    /// A field error for each invalid value.
    pub fn parse(&self, own: Option<i64>, zone: &TimeZone) -> Result<TrailFilter, FieldErrors> {
        let mut errors = FieldErrors::default();
        let text = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        let mut number = |name: &'static str, typed: &str| {
            let typed = text(typed)?;
            errors.take(name, typed.parse::<i64>().map_err(|_| "Must be a number"))
        };
        let object_id = number("objectId", &self.object_id);
        let student = number("student", &self.student);
        let mut midnight = |name: &'static str, typed: &str, days: i64| {
            let typed = text(typed)?;
            let start = typed.parse::<Date>().ok().and_then(|day| {
                let day = day.checked_add(days.days()).ok()?;
                day.to_zoned(zone.clone()).ok().map(|zoned| zoned.timestamp().as_second())
            });
            errors.take(name, start.ok_or("Must be a real date in the form YYYY-MM-DD"))
        };
        let from = midnight("from", &self.from, 0);
        let before = midnight("to", &self.to, 1);
        if let (Some(from), Some(before)) = (from, before)
            && from >= before
        {
            errors.add("to", "Must not be before the first day");
        }
        let user_id = text(&self.user).and_then(|user| user.parse().ok());
        errors.finish(Some(TrailFilter {
            own,
            user_id,
            actor: text(&self.user).filter(|_| user_id.is_none()),
            action: text(&self.action),
            object: text(&self.object),
            object_id,
            student,
            from,
            before,
        }))
    }
}

impl TrailFilter {
    /// SQL conditions on a row `a` of the audit trail.
    pub(super) fn conditions(&self) -> String {
        let parts = [
            (self.own.is_some(), "a.user_id = :own"),
            (self.user_id.is_some(), "a.user_id = :user_id"),
            (self.actor.is_some(), "a.actor = :actor"),
            (self.action.is_some(), "a.action = :action"),
            (self.object.is_some(), "a.object = :object"),
            (self.object_id.is_some(), "a.object_id = :object_id"),
            (self.student.is_some(), ABOUT_STUDENT),
            (self.from.is_some(), "a.at >= :from"),
            (self.before.is_some(), "a.at < :before"),
        ];
        let asked: Vec<_> = parts.into_iter().filter(|(is_asked, _)| *is_asked).map(|(_, sql)| sql).collect();
        if asked.is_empty() { "true".to_owned() } else { asked.join(" and ") }
    }

    /// Parameters of [`Self::conditions`], including unused ones.
    pub(super) fn parameters(&self) -> [(&'static str, &dyn ToSql); 9] {
        [
            (":own", &self.own),
            (":user_id", &self.user_id),
            (":actor", &self.actor),
            (":action", &self.action),
            (":object", &self.object),
            (":object_id", &self.object_id),
            (":student", &self.student),
            (":from", &self.from),
            (":before", &self.before),
        ]
    }
}

/// Rows about a student, found from the student's data: a few hundred at most. SQLite reads the left side of a cross
/// join first.
const ABOUT_STUDENT: &str = "a.id in (
    select id from audit where object = 'student' and object_id = :student
    union all select b.id from enrollments e cross join audit b on b.object = 'enrollment' and b.object_id = e.id
        where e.student_id = :student
    union all select b.id from student_documents d cross join audit b on b.object = 'document' and b.object_id = d.id
        where d.student_id = :student
    union all select b.id from student_payments p cross join audit b on b.object = 'payment' and b.object_id = p.id
        where p.student_id = :student
    union all select b.id from invoices i cross join audit b on b.object = 'invoice' and b.object_id = i.id
        where i.student_id = :student)";
