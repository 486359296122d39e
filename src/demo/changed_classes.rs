//! What changed in the term that has begun: a class that is cancelled, one that begins later in the day, and a section that is
//! cancelled with its students.

use jiff::SignedDuration;
use rusqlite::Connection;
use serde_json::json;

use super::calendar::Calendar;
use super::plan::Code;
use super::plan::PlannedSection;
use super::scene::course;
use super::schedule;
use super::staff::{REGISTRAR, Team};
use crate::base::closed_set::ClosedSet as _;
use crate::base::dates::DateRange;
use crate::base::error::Result;
use crate::classes;
use crate::enrollments::decisions::{DecisionContext, NotifiedStudents};
use crate::enrollments::{SectionNews, section_hours};
use crate::terms::cancelled::{self, CancelledClass};
use crate::terms::changes::{self, SectionEvent, SectionVerb};
use crate::terms::{self, Meeting, Section, TimeOfDay, occurrences};
use crate::web::app::App;

/// Adds them, unless no term is in full swing.
pub fn add(app: &App, connection: &Connection, team: Team, calendar: &Calendar) -> Result<()> {
    let two_days_ago = calendar.now - SignedDuration::from_hours(48);
    let context = DecisionContext::at(app, team.registrar, REGISTRAR, two_days_ago);
    if let Some(section) = begun(connection, calendar, "ENG4U")? {
        cancel_next(&context, connection, calendar, &section)?;
    }
    if let Some(section) = begun(connection, calendar, "SPH4U")? {
        begin_later(&context, connection, &section)?;
    }
    cancel_one(&context, connection, calendar)
}

/// The first of these sections that students take is not taught any more: they wait for another one.
fn cancel_one(context: &DecisionContext, connection: &Connection, calendar: &Calendar) -> Result<()> {
    const CODES: [Code; 4] = ["HSB4U", "MDM4U", "MCR3U", "SCH4U"];
    for code in CODES {
        if let Some(section) = begun(connection, calendar, code)?
            && terms::store::has_open_enrollments(connection, section.id)?
        {
            let reason = "The teacher is on leave until the summer. The office is looking for another class.";
            return classes::cancel_section(context, connection, section.id, reason, None).map(drop);
        }
    }
    Ok(())
}

fn begun(connection: &Connection, calendar: &Calendar, code: Code) -> Result<Option<Section>> {
    let Some(PlannedSection { label, start, .. }) = schedule::begun(calendar, code, 0) else {
        return Ok(None);
    };
    schedule::find(connection, course(connection, code)?.id, label, start)
}

fn cancel_next(
    context: &DecisionContext,
    connection: &Connection,
    calendar: &Calendar,
    section: &Section,
) -> Result<()> {
    let days_off = terms::store::days_off(connection, section.id)?;
    let coming = DateRange { first: calendar.day(1), last: section.ends_on };
    let classes = occurrences(&section.meetings, coming, &days_off, &context.zone());
    let Some(class) = classes.first() else { return Ok(()) };
    let date = class.date;
    let verb = SectionVerb::CancelClass;
    let reason = "The teacher is at a conference. What would have been covered is in the next class.";
    let decision = context.begin_decision(connection, verb.as_str())?;
    let event = SectionEvent::new(section.id, verb, context.user_id());
    let event = SectionEvent { reason: Some(reason), decision: Some(decision.id()), ..event };
    event.record(connection, context.now())?;
    let cancelled = CancelledClass { date, starts_at: None, reason: reason.to_owned() };
    cancelled::add(connection, section.id, &cancelled)?;
    let hours = section_hours(std::slice::from_ref(class.meeting), context.config()).unwrap_or_default();
    let news = SectionNews::ClassCancelled { date, hours: &hours, reason };
    let told = context.tell_section(
        connection,
        (section.id, NotifiedStudents::TakingItOn(date)),
        &decision,
        news,
    )?;
    let detail = json!({ "course": section.course_code, "label": section.label, "date": date, "told": told });
    context.record_section(connection, verb.as_str(), section.id, detail)
}

fn begin_later(context: &DecisionContext, connection: &Connection, before: &Section) -> Result<()> {
    let half_past = |meeting: &Meeting| Meeting {
        starts_at: TimeOfDay::parse("09:30").unwrap_or(meeting.starts_at),
        ends_at: TimeOfDay::parse("10:45").unwrap_or(meeting.ends_at),
        ..meeting.clone()
    };
    let after = Section { meetings: before.meetings.iter().map(half_past).collect(), ..before.clone() };
    let decision = context.begin_decision(connection, "change_section")?;
    let event = SectionEvent::new(before.id, SectionVerb::Change, context.user_id());
    let event = SectionEvent { decision: Some(decision.id()), ..event };
    let after = changes::change(connection, &after, &event, context.now())?;
    let news = SectionNews::Changed { before, after: &after };
    context.tell_section(connection, (before.id, NotifiedStudents::Everyone), &decision, news)?;
    let detail = terms::differences(&terms::detail(before), &terms::detail(&after));
    context.record_section(connection, "update", before.id, detail)
}
