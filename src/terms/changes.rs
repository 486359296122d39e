//! Changes of a section, each with an event that keeps what it was before, so that undoing gives back all of it.

use jiff::Timestamp;
use rusqlite::Connection;

use super::{Section, Term, store};
use crate::base::closed_set::closed_set;
use crate::base::error::{Error, Result};
use crate::storage::statements::{Statements, params};
use crate::web::id::Numbered as _;

closed_set! {
    /// What happened to a section.
    pub enum SectionVerb {
        /// Its facts, days or hours were changed.
        Change = "change",
        /// It was cancelled.
        Cancel = "cancel",
        /// One of its classes was cancelled.
        CancelClass = "cancel_class",
        /// A cancelled class takes place after all.
        RestoreClass = "restore_class",
    }
}

/// What happens to a section, and why.
#[derive(Debug, Clone, Copy)]
pub struct SectionEvent<'a> {
    /// Number of the section.
    pub section_id: i64,
    /// What.
    pub verb: SectionVerb,
    /// Who.
    pub user_id: i64,
    /// Why.
    pub reason: Option<&'a str>,
    /// The decision with which it is undone.
    pub decision: Option<&'a str>,
    /// The event that it undoes.
    pub undoes: Option<i64>,
}

impl SectionEvent<'_> {
    /// An event without reason or decision.
    pub fn new(section_id: i64, verb: SectionVerb, user_id: i64) -> Self {
        Self { section_id, verb, user_id, reason: None, decision: None, undoes: None }
    }

    /// Records it with the section as it is, and returns its number: before the change that it is about.
    pub fn record(&self, connection: &Connection, now: Timestamp) -> Result<i64> {
        let Self { section_id, verb, user_id, reason, decision, undoes } = self;
        let sql = "insert into section_events (section_id, at, user_id, verb, reason, before, decision_id, undoes_id)
            select s.id, :now, :user_id, :verb, :reason,
                json_object('label', s.label, 'kind', s.kind, 'delivery', s.delivery, 'starts_on', s.starts_on,
                    'ends_on', s.ends_on, 'capacity', s.capacity, 'price_cents', s.price_cents,
                    'teacher_name', s.teacher_name, 'status', s.status,
                    'meetings', json((select json_group_array(json_object('id', m.id, 'weekday', m.weekday,
                        'starts_at', m.starts_at, 'ends_at', m.ends_at, 'link', m.link))
                        from meetings m where m.section_id = s.id)),
                    'cancelled', json((select json_group_array(json_object('held_on', x.held_on, 'starts_at', x.starts_at,
                        'reason', x.reason)) from cancelled_classes x where x.section_id = s.id))),
                :decision, :undoes
            from sections s where s.id = :section_id";
        let values = params![section_id, now = now.as_second(), user_id, verb, reason, decision, undoes];
        connection.insert(sql, values)
    }
}

/// What a change is about, beside the section's other facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScheduleChange {
    /// Its first or last day.
    pub dates: bool,
    /// Days or hours of its classes.
    pub hours: bool,
}

impl ScheduleChange {
    /// What differs between a section before and after a change; a link that leads elsewhere is not told.
    pub fn between(before: &Section, after: &Section) -> Self {
        let hours =
            |section: &Section| section.meetings.iter().map(super::Meeting::hours).collect::<Vec<_>>();
        Self {
            dates: (before.starts_on, before.ends_on) != (after.starts_on, after.ends_on),
            hours: hours(before) != hours(after),
        }
    }

    /// Whether students have to be told.
    pub fn is_any(self) -> bool {
        self.dates || self.hours
    }
}

/// Records the event, then writes a section as it is to be; returns it as it is then. A section that no student has asked
/// for needs no event, and can still be deleted.
///
/// # Errors
/// A field error when its label is taken.
pub fn change(
    connection: &Connection,
    after: &Section,
    event: &SectionEvent<'_>,
    now: Timestamp,
) -> Result<Section> {
    if event.decision.is_some() || store::has_enrollments(connection, after.id)? {
        event.record(connection, now)?;
    }
    store::update(connection, after)?;
    store::find(connection, after.id)?.ok_or_else(Section::not_found)
}

/// An event that undoing takes back.
struct Undoable {
    id: i64,
    section_id: i64,
}

crate::storage::statements::from_row!(Undoable { id, section_id });

/// What undoing a decision has changed back.
pub struct Restored {
    /// The sections' numbers.
    pub sections: Vec<i64>,
    /// The term's number.
    pub term: Option<i64>,
}

/// Gives sections what they were before the events of a decision, the latest first, and the term too. Each section is
/// recorded as an event that undoes the other.
///
/// # Errors
/// [`Error::Conflict`] when a section or the term has changed since.
pub fn undo(connection: &Connection, decision: &str, user_id: i64, now: Timestamp) -> Result<Restored> {
    let sql = "select id, section_id from section_events
        where decision_id = :decision and undoes_id is null order by id desc";
    let events: Vec<Undoable> = connection.list(sql, params![decision])?;
    for Undoable { id, section_id } in &events {
        let sql = "select max(id) from section_events where section_id = :section_id";
        let newest: i64 = connection.one(sql, params![section_id])?;
        if newest != *id {
            let words = "This section has changed since, so the decision can no longer be undone.";
            return Err(conflict(connection, decision, words)?);
        }
        let undoing = SectionEvent {
            undoes: Some(*id),
            ..SectionEvent::new(*section_id, SectionVerb::Change, user_id)
        };
        undoing.record(connection, now)?;
        restore(connection, *section_id, *id)?;
    }
    let term = undo_term(connection, decision, now)?;
    Ok(Restored { sections: events.into_iter().map(|event| event.section_id).collect(), term })
}

/// Notes what a term is before a change of its days, with the decision that undoes it.
pub fn note_term(connection: &Connection, before: &Term, decision: &str) -> Result<()> {
    let sql = "insert into term_changes (decision_id, term_id, before, version)
        select :decision, id, json_object('name', name, 'starts_on', starts_on, 'ends_on', ends_on,
            'requests_from', requests_from, 'requests_until', requests_until, 'join_until', join_until,
            'midterm_on', midterm_on, 'first_report_on', first_report_on, 'final_on', final_on,
            'days_off', json(days_off), 'is_published', is_published), version + 1
        from terms where id = :id";
    connection.run(sql, params![decision, id = before.id])
}

/// Gives the term that a decision changed what it was before, with its sections that no student has asked for; returns its
/// number.
///
/// # Errors
/// [`Error::Conflict`] when it has changed since.
fn undo_term(connection: &Connection, decision: &str, now: Timestamp) -> Result<Option<i64>> {
    let sql = "select term_id, version from term_changes where decision_id = :decision";
    let Some((id, version)) = connection.find::<(i64, i64)>(sql, params![decision])? else { return Ok(None) };
    let term = store::find_term(connection, id)?.ok_or_else(Term::not_found)?;
    if term.version != version {
        let words = "This term has changed since, so the decision can no longer be undone.";
        return Err(Error::conflict(words, &term));
    }
    let sql = "update terms set (name, starts_on, ends_on, requests_from, requests_until, join_until, midterm_on,
                first_report_on, final_on, days_off, is_published)
            = (select before ->> '$.name', before ->> '$.starts_on', before ->> '$.ends_on',
                before ->> '$.requests_from', before ->> '$.requests_until', before ->> '$.join_until',
                before ->> '$.midterm_on', before ->> '$.first_report_on', before ->> '$.final_on',
                before -> '$.days_off', before ->> '$.is_published' from term_changes where decision_id = :decision)
        where id = :id";
    connection.run(sql, params![decision, id])?;
    let before = store::find_term(connection, id)?.ok_or_else(Term::not_found)?;
    // Its version goes on, and the sections go back with it.
    store::update_term(connection, &term, &before, now)?;
    Ok(Some(id))
}

/// A conflict with the section that a decision changed last.
///
/// # Errors
/// 404 when it changed none.
pub fn conflict(connection: &Connection, decision: &str, words: &str) -> Result<Error> {
    let sql = "select section_id from section_events where decision_id = :decision order by id desc limit 1";
    let id: i64 = connection.find(sql, params![decision])?.ok_or_else(Section::not_found)?;
    let section = store::find(connection, id)?.ok_or_else(Section::not_found)?;
    Ok(Error::conflict(words, &section.without_links()))
}

fn restore(connection: &Connection, section_id: i64, event_id: i64) -> Result<()> {
    let sql = "update sections set (label, kind, delivery, starts_on, ends_on, capacity, price_cents, teacher_name, status)
            = (select before ->> '$.label', before ->> '$.kind', before ->> '$.delivery', before ->> '$.starts_on',
                before ->> '$.ends_on', before ->> '$.capacity', before ->> '$.price_cents',
                before ->> '$.teacher_name', before ->> '$.status' from section_events where id = :event_id),
            version = version + 1
        where id = :section_id";
    connection.run(sql, params![section_id, event_id])?;
    connection.run("delete from meetings where section_id = :section_id", params![section_id])?;
    let sql = "insert into meetings (id, section_id, weekday, starts_at, ends_at, link)
        select m.value ->> '$.id', v.section_id, m.value ->> '$.weekday', m.value ->> '$.starts_at',
            m.value ->> '$.ends_at', m.value ->> '$.link'
        from section_events v cross join json_each(v.before, '$.meetings') m where v.id = :event_id";
    connection.run(sql, params![event_id])?;
    connection.run("delete from cancelled_classes where section_id = :section_id", params![section_id])?;
    let sql = "insert into cancelled_classes (section_id, held_on, starts_at, reason)
        select v.section_id, x.value ->> '$.held_on', x.value ->> '$.starts_at', x.value ->> '$.reason'
        from section_events v cross join json_each(v.before, '$.cancelled') x where v.id = :event_id";
    connection.run(sql, params![event_id])
}
