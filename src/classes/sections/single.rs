//! Single classes of a section: cancelled, and held after all.

use axum::extract::State;
use jiff::civil::Date;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::{ChangedSection, Consequences, find_taught, reason};
use crate::base::closed_set::ClosedSet as _;
use crate::base::dates::DateRange;
use crate::base::error::{Error, FieldErrors, Result};
use crate::base::json::Json;
use crate::decisions::Decision;
use crate::enrollments::decisions::{DecisionContext, NotifiedStudents};
use crate::enrollments::{SectionNews, section_hours};
use crate::staff::{Staff, may};
use crate::terms::cancelled::{self, CancelledClass};
use crate::terms::changes::{SectionEvent, SectionVerb};
use crate::terms::{self, Section, TimeOfDay, occurrences};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::Id;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![cancel_class, restore_class]
}

form! {
    /// `POST /api/admin/sections/{id}/classes/cancel`'s body.
    pub struct CancelClassForm {
        /// The date at the school, from today on.
        date: Date,
        /// `19:00`, where the section has several classes on that day; otherwise all of them.
        starts_at: Option<String>,
        /// Reason for the students: 10 to 1,000 characters.
        reason: String,
    }
}

form! {
    /// `POST /api/admin/sections/{id}/classes/restore`'s body.
    pub struct RestoreClassForm {
        /// The date at the school, from today on.
        date: Date,
        /// As it was cancelled.
        starts_at: Option<String>,
    }
}

/// A date with the hour of a class, or all of them.
#[derive(Debug, Clone, Copy)]
struct ClassDay {
    date: Date,
    starts_at: Option<TimeOfDay>,
}

impl ClassDay {
    fn parse(date: &Field<String>, starts_at: &Field<String>, today: Date) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let date = date
            .date("Date is required")
            .and_then(|date| if date < today { Err("This day is over".to_owned()) } else { Ok(date) });
        let date = errors.take("date", date);
        let starts_at = match starts_at {
            Field::Absent | Field::Null => Ok(None),
            field => TimeOfDay::parse(field.text()).map(Some).ok_or("An hour must be in the form 19:00"),
        };
        let starts_at = errors.take("startsAt", starts_at);
        let day = || Some(Self { date: date?, starts_at: starts_at? });
        errors.finish(day())
    }

    /// The hours of these classes, in words.
    ///
    /// # Errors
    /// A field error when the section has none then.
    fn hours(&self, connection: &Connection, section: &Section, context: &DecisionContext) -> Result<String> {
        let days =
            DateRange { first: self.date.max(section.starts_on), last: self.date.min(section.ends_on) };
        let days_off = terms::store::days_off(connection, section.id)?;
        let classes = occurrences(&section.meetings, days, &days_off, &context.zone());
        let hours =
            classes.iter().filter(|class| self.starts_at.is_none_or(|at| at == class.meeting.starts_at));
        let meetings: Vec<_> = hours.map(|class| class.meeting.clone()).collect();
        section_hours(&meetings, context.config())
            .ok_or_else(|| Error::field("date", "The section has no class then"))
    }
}

/// Cancel a class of a section, or all of a day: its students are told; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/sections/{id}/classes/cancel", tag = "terms",
    responses((status = 409, body = crate::base::error::ErrorBody, description = "The section is cancelled")))]
async fn cancel_class(
    staff: Staff<may::Courses>,
    State(app): State<App>,
    Id(id, ..): Id<Section>,
    Json(form): Json<CancelClassForm>,
) -> Result<Json<ChangedSection>> {
    let mut day = ClassDay::parse(&form.date, &form.starts_at, app.today());
    let reason = reason(&form.reason);
    if let (Err(errors), Err(others)) = (&mut day, &reason) {
        others.iter().for_each(|(name, message)| errors.add(name.to_owned(), message));
    }
    let day = day?;
    let reason = reason?;
    let context = DecisionContext::of(&app, &staff);
    app.carry_out_and_notify(move |connection| {
        let section = find_taught(connection, id)?;
        let hours = day.hours(connection, &section, &context)?;
        let known = cancelled::list(connection, id)?;
        let is_known = |one: &CancelledClass| {
            one.date == day.date && (one.starts_at.is_none() || one.starts_at == day.starts_at)
        };
        if known.iter().any(is_known) {
            return ChangedSection::new(connection, section, None, Consequences::default());
        }
        let decision = begin(&context, connection, id, SectionVerb::CancelClass, Some(&reason))?;
        // All of a day includes what was cancelled of it before.
        for one in known.iter().filter(|one| one.date == day.date && day.starts_at.is_none()) {
            cancelled::remove(connection, id, one)?;
        }
        let class = CancelledClass { date: day.date, starts_at: day.starts_at, reason: reason.clone() };
        cancelled::add(connection, id, &class)?;
        let news = SectionNews::ClassCancelled { date: day.date, hours: &hours, reason: &reason };
        finish(&context, connection, section, day, &decision, SectionVerb::CancelClass, news)
    })
    .await
}

/// Hold a cancelled class after all: its students are told; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/sections/{id}/classes/restore", tag = "terms",
    responses((status = 409, body = crate::base::error::ErrorBody, description = "The section is cancelled")))]
async fn restore_class(
    staff: Staff<may::Courses>,
    State(app): State<App>,
    Id(id, ..): Id<Section>,
    Json(form): Json<RestoreClassForm>,
) -> Result<Json<ChangedSection>> {
    let day = ClassDay::parse(&form.date, &form.starts_at, app.today())?;
    let context = DecisionContext::of(&app, &staff);
    app.carry_out_and_notify(move |connection| {
        let section = find_taught(connection, id)?;
        let hours = day.hours(connection, &section, &context)?;
        let known = cancelled::list(connection, id)?;
        let is_meant = |one: &&CancelledClass| {
            one.date == day.date && (day.starts_at.is_none() || one.starts_at == day.starts_at)
        };
        let meant: Vec<_> = known.iter().filter(is_meant).collect();
        if meant.is_empty() {
            return ChangedSection::new(connection, section, None, Consequences::default());
        }
        let decision = begin(&context, connection, id, SectionVerb::RestoreClass, None)?;
        for one in meant {
            cancelled::remove(connection, id, one)?;
        }
        let news = SectionNews::ClassRestored { date: day.date, hours: &hours };
        finish(&context, connection, section, day, &decision, SectionVerb::RestoreClass, news)
    })
    .await
}

fn begin(
    context: &DecisionContext,
    connection: &Connection,
    id: i64,
    verb: SectionVerb,
    reason: Option<&str>,
) -> Result<Decision> {
    let decision = context.begin_decision(connection, verb.as_str())?;
    let event = SectionEvent::new(id, verb, context.user_id());
    SectionEvent { reason, decision: Some(decision.id()), ..event }.record(connection, context.now())?;
    Ok(decision)
}

fn finish(
    context: &DecisionContext,
    connection: &Connection,
    section: Section,
    day: ClassDay,
    decision: &Decision,
    verb: SectionVerb,
    news: SectionNews<'_>,
) -> Result<ChangedSection> {
    let told = context.tell_section(
        connection,
        (section.id, NotifiedStudents::TakingItOn(day.date)),
        decision,
        news,
    )?;
    let detail = json!({ "course": section.course_code, "label": section.label, "date": day.date,
        "startsAt": day.starts_at, "told": told });
    context.record_section(connection, verb.as_str(), section.id, detail)?;
    let consequences = Consequences { told, ..Consequences::default() };
    ChangedSection::new(connection, section, Some(decision), consequences)
}
