//! The tables `terms`, `sections` and `meetings`.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::{Connection, ToSql};

use super::{Meeting, Section, SectionStatus, SectionWait, Term};
use crate::base::error::{Error, Result};
use crate::storage::columns::{Columns, stored_as_json};
use crate::storage::db;
use crate::storage::statements::{FromRow, Statements, from_row, params};
use crate::storage::waiting::Waits;

stored_as_json!(Vec<Date>);

from_row!(Term {
    id,
    name,
    starts_on,
    ends_on,
    requests_from,
    requests_until,
    join_until,
    midterm_on,
    first_report_on,
    final_on,
    days_off,
    is_published,
    version,
});

macro_rules! select_terms {
    ($rest:literal) => {
        concat!(
            "select id, name, starts_on, ends_on, requests_from, requests_until, join_until, midterm_on,
                first_report_on, final_on, days_off, is_published, version from terms ",
            $rest
        )
    };
}

/// Every term, newest first.
pub fn list_terms(connection: &Connection) -> Result<Vec<Term>> {
    connection.list(select_terms!("order by starts_on desc, id desc"), [])
}

/// The published terms that end on a day or after it, in order.
pub fn published_terms(connection: &Connection, today: Date) -> Result<Vec<Term>> {
    let sql = select_terms!(
        "indexed by terms_published where is_published = 1 and ends_on >= :today order by starts_on, id"
    );
    connection.list(sql, params![today = today.to_string()])
}

/// One if no term is open for requests on a day or later, with the day on which the last one closed; none in a school
/// that has no terms.
pub fn no_open_term(connection: &Connection, today: Date) -> Result<Waits> {
    const SQL: &str = "with last (day) as (
            select max(min(join_until, coalesce(requests_until, join_until)))
            from terms indexed by terms_published where is_published = 1 and ends_on >= :today),
        earlier (day) as (select max(min(join_until, coalesce(requests_until, join_until)))
            from (select * from terms indexed by terms_published where is_published = 1
                order by ends_on desc limit 3))
        select is_missing as count, iif(is_missing, coalesce((select day from earlier),
            (select date(created_at, 'unixepoch') from terms order by starts_on desc limit 1)), null) as oldest
        from (select exists (select 1 from terms) and coalesce((select day from last), '') < :today as is_missing)";
    Waits::read(connection, SQL, params![today = today.to_string()])
}

/// A term, if there is one of this number.
pub fn find_term(connection: &Connection, id: i64) -> Result<Option<Term>> {
    connection.find(select_terms!("where id = :id"), params![id])
}

/// A term with the name of another one, or with its first and last day.
pub fn find_equal(connection: &Connection, term: &Term) -> Result<Option<Term>> {
    let sql = select_terms!(
        "where name = :name collate nocase or starts_on = :starts_on and ends_on = :ends_on order by id desc limit 1"
    );
    let starts_on = term.starts_on.to_string();
    let ends_on = term.ends_on.to_string();
    connection.find(sql, params![name = term.name, starts_on, ends_on])
}

/// Adds a term, and returns it with its number.
pub fn insert_term(connection: &Connection, term: Term, now: Timestamp) -> Result<Term> {
    let sql =
        "insert into terms (name, starts_on, ends_on, requests_from, requests_until, join_until, midterm_on,
            first_report_on, final_on, days_off, is_published, created_at)
        values (:name, :starts_on, :ends_on, :requests_from, :requests_until, :join_until, :midterm_on,
            :first_report_on, :final_on, :days_off, :is_published, :now)";
    let id = with_term(&term, |values| {
        let now = now.as_second();
        connection.insert(sql, &*[values, &[(":now", &now)]].concat())
    })?;
    Ok(Term { id, version: 1, ..term })
}

/// Writes every field of a term that exists. Sections on all days of the term that no student has asked for move with
/// it; those with students are moved by their own events.
pub fn update_term(connection: &Connection, before: &Term, after: &Term, now: Timestamp) -> Result<()> {
    let sql = "update terms set name = :name, starts_on = :starts_on, ends_on = :ends_on,
            requests_from = :requests_from, requests_until = :requests_until, join_until = :join_until,
            midterm_on = :midterm_on, first_report_on = :first_report_on, final_on = :final_on, days_off = :days_off,
            is_published = :is_published, version = version + 1, changed_at = :now
        where id = :id";
    let now = now.as_second();
    with_term(after, |values| {
        connection.run(sql, &*[values, &[(":id", &after.id), (":now", &now)]].concat())
    })?;
    let sql = "update sections set starts_on = :starts_on, ends_on = :ends_on, version = version + 1
        where term_id = :id and starts_on = :from and ends_on = :until
            and (starts_on <> :starts_on or ends_on <> :ends_on)
            and not exists (select 1 from enrollments e where e.section_id = sections.id)";
    let values = params![
        id = after.id,
        starts_on = after.starts_on.to_string(),
        ends_on = after.ends_on.to_string(),
        from = before.starts_on.to_string(),
        until = before.ends_on.to_string(),
    ];
    connection.run(sql, values)
}

fn with_term<T>(term: &Term, work: impl FnOnce(&[(&str, &dyn ToSql)]) -> Result<T>) -> Result<T> {
    let text = |date: Date| date.to_string();
    let days_off = serde_json::to_string(&term.days_off).map_err(anyhow::Error::new)?;
    work(params![
        name = term.name,
        starts_on = text(term.starts_on),
        ends_on = text(term.ends_on),
        requests_from = term.requests_from.map(text),
        requests_until = term.requests_until.map(text),
        join_until = text(term.join_until),
        midterm_on = term.midterm_on.map(text),
        first_report_on = term.first_report_on.map(text),
        final_on = term.final_on.map(text),
        days_off,
        is_published = term.is_published,
    ])
}

/// Seats of a section `s` that are taken: its active enrollments, and those that a seat is kept for.
pub const TAKEN: &str = "((select count(*) from enrollments e indexed by enrollments_section
            where e.section_id = s.id and e.status = 'active')
        + (select count(*) from enrollments e indexed by enrollments_section
            where e.section_id = s.id and e.status = 'waitlisted' and e.offered_until is not null))";

/// One list of columns for every query, with `t` for the term and `c` for the course.
fn select(rest: &str) -> String {
    let waiting = "(select count(*) from enrollments e indexed by enrollments_section
        where e.section_id = s.id and e.status = 'waitlisted')";
    select_counting(&SeatCounts { taken: TAKEN, waiting }, rest)
}

/// The same, without counting who takes and who waits for the seats.
fn select_uncounted(rest: &str) -> String {
    select_counting(&SeatCounts { taken: "0", waiting: "0" }, rest)
}

/// SQL that counts the seats of a section `s`.
struct SeatCounts<'a> {
    /// Seats taken.
    taken: &'a str,
    /// Students who wait for one.
    waiting: &'a str,
}

fn select_counting(counts: &SeatCounts<'_>, rest: &str) -> String {
    let SeatCounts { taken, waiting } = counts;
    format!(
        "select s.id, s.course_id, c.code as course_code, c.name as course_name, s.term_id, t.name as term_name, s.label,
             s.kind, s.delivery, s.starts_on, s.ends_on, s.capacity, s.price_cents, s.teacher_name, s.status, {taken} as taken,
             {waiting} as waiting, s.version
         from {rest}"
    )
}

const JOINS: &str = "cross join courses c on c.id = s.course_id left join terms t on t.id = s.term_id";

impl FromRow for Section {
    fn read(row: &Columns<'_, '_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.read("id")?,
            course_id: row.read("course_id")?,
            course_code: row.read("course_code")?,
            course_name: row.read("course_name")?,
            term_id: row.read("term_id")?,
            term_name: row.read("term_name")?,
            label: row.read("label")?,
            kind: row.read("kind")?,
            delivery: row.read("delivery")?,
            starts_on: row.read("starts_on")?,
            ends_on: row.read("ends_on")?,
            capacity: row.read("capacity")?,
            price: row.read("price_cents")?,
            teacher_name: row.read("teacher_name")?,
            status: row.read("status")?,
            taken: row.read("taken")?,
            waiting: row.read("waiting")?,
            version: row.read("version")?,
            meetings: Vec::new(),
        })
    }
}

/// What the list of sections is narrowed down to.
#[derive(Debug, Clone, Copy, Default)]
pub struct SectionsFilter {
    /// Those of this term.
    pub term: Option<i64>,
    /// Those of this course.
    pub course: Option<i64>,
    /// Those in this state.
    pub status: Option<SectionStatus>,
    /// Those that wait for this.
    pub waits: Option<SectionWait>,
}

/// The sections of a filter: those of the latest term first, by course and label.
pub fn list(connection: &Connection, filter: SectionsFilter) -> Result<Vec<Section>> {
    let SectionsFilter { term, course, status, .. } = filter;
    let mut conditions: Vec<&str> = Vec::new();
    let mut values: Vec<(&str, &dyn ToSql)> = Vec::new();
    let index = match (term, course) {
        (Some(_), _) => " indexed by sections_term",
        (None, Some(_)) => " indexed by sections_label",
        (None, None) => "",
    };
    if let Some(term) = &term {
        conditions.push("s.term_id = :term");
        values.push((":term", term));
    }
    if let Some(course) = &course {
        conditions.push("s.course_id = :course");
        values.push((":course", course));
    }
    if let Some(status) = &status {
        conditions.push("s.status = :status");
        values.push((":status", status));
    }
    let condition = if conditions.is_empty() { "true".to_owned() } else { conditions.join(" and ") };
    let sql = select(&format!(
        "sections s{index} {JOINS} where {condition}
         order by t.starts_on is null, t.starts_on desc, t.id desc, c.code, s.label, s.id"
    ));
    with_meetings(connection, connection.list(&sql, &*values)?)
}

/// SQL: planned sections `s` of published terms `t` that do not end before `:today`.
const PLANNED: &str = "terms t indexed by terms_published
        cross join sections s indexed by sections_planned on s.term_id = t.id and s.status = 'planned'";
const IS_AHEAD: &str = "t.is_published = 1 and t.ends_on >= :today and s.ends_on >= :today";

/// Planned sections of published terms: the office opens or deletes each.
pub fn list_planned(connection: &Connection, today: Date) -> Result<Vec<Section>> {
    let sql = select(&format!(
        "{PLANNED} cross join courses c on c.id = s.course_id where {IS_AHEAD}
         order by t.starts_on desc, t.id desc, c.code, s.label, s.id"
    ));
    with_meetings(connection, connection.list(&sql, params![today = today.to_string()])?)
}

/// Number of planned sections of published terms, and when the oldest was added.
pub fn planned_waiting(connection: &Connection, today: Date) -> Result<Waits> {
    let sql =
        format!("select count(*) as count, min(s.created_at) as oldest from {PLANNED} where {IS_AHEAD}");
    Waits::read(connection, &sql, params![today = today.to_string()])
}

/// The open sections of a course, or of all, that end on a day or after it, of published terms and of none, in the order
/// of a course's page and without their seats.
pub fn list_open(connection: &Connection, course: Option<i64>, today: Date) -> Result<Vec<Section>> {
    let today = today.to_string();
    let mut values: Vec<(&str, &dyn ToSql)> = vec![(":today", &today)];
    let mut condition = "";
    if let Some(course) = &course {
        condition = "and s.course_id = :course";
        values.push((":course", course));
    }
    let sql = select_uncounted(&format!(
        "sections s indexed by sections_open {JOINS}
         where s.status = 'open' and s.ends_on >= :today and (s.term_id is null or t.is_published = 1) {condition}
         order by s.course_id, s.starts_on, s.label, s.id"
    ));
    with_meetings(connection, connection.list(&sql, &*values)?)
}

/// Seats taken of each open section of a course.
pub fn taken(connection: &Connection, course_id: i64) -> Result<HashMap<i64, i64>> {
    let sql = format!(
        "select s.id, {TAKEN} from sections s indexed by sections_open
         where s.course_id = :course_id and s.status = 'open'"
    );
    let rows: Vec<(i64, i64)> = connection.list(&sql, params![course_id])?;
    Ok(rows.into_iter().collect())
}

/// A section with its weekly hours, if there is one of this number.
pub fn find(connection: &Connection, id: i64) -> Result<Option<Section>> {
    let sql = select(&format!("sections s {JOINS} where s.id = :id"));
    let found: Option<Section> = connection.find(&sql, params![id])?;
    Ok(with_meetings(connection, found.into_iter().collect())?.pop())
}

/// The dates without classes of a section, by its term.
pub fn days_off(connection: &Connection, section_id: i64) -> Result<Vec<Date>> {
    let sql = "select t.days_off from sections s join terms t on t.id = s.term_id where s.id = :section_id";
    Ok(connection.find(sql, params![section_id])?.unwrap_or_default())
}

/// Numbers as a parameter for `json_each`.
fn as_list(ids: &[i64]) -> String {
    let words: Vec<_> = ids.iter().map(ToString::to_string).collect();
    format!("[{}]", words.join(","))
}

struct MeetingRow {
    section_id: i64,
    meeting: Meeting,
}

from_row!(MeetingRow { section_id } and meeting);

fn with_meetings(connection: &Connection, mut sections: Vec<Section>) -> Result<Vec<Section>> {
    let ids: Vec<_> = sections.iter().map(|section| section.id).collect();
    let sql = "select m.section_id, m.id as meeting_id, m.weekday, m.starts_at, m.ends_at, m.link
        from json_each(:ids) i cross join meetings m indexed by meetings_section on m.section_id = i.value
        order by m.section_id, m.weekday, m.starts_at, m.id";
    let mut meetings: HashMap<i64, Vec<Meeting>> = HashMap::new();
    for MeetingRow { section_id, meeting } in connection.list(sql, params![ids = as_list(&ids)])? {
        meetings.entry(section_id).or_default().push(meeting);
    }
    for section in &mut sections {
        section.meetings = meetings.remove(&section.id).unwrap_or_default();
    }
    Ok(sections)
}

/// Whether an enrollment names the section, in any state.
pub fn has_enrollments(connection: &Connection, id: i64) -> Result<bool> {
    let sql =
        "select exists (select 1 from enrollments indexed by enrollments_section where section_id = :id)";
    connection.one(sql, params![id])
}

/// Whether a student has asked for the section, waits for it or takes it.
pub fn has_open_enrollments(connection: &Connection, id: i64) -> Result<bool> {
    let sql = "select exists (select 1 from enrollments indexed by enrollments_section
        where section_id = :id and status in ('pending', 'waitlisted', 'active'))";
    connection.one(sql, params![id])
}

/// The course of a new section that is not archived: code, name and capacity.
pub fn course_of_new(connection: &Connection, id: i64) -> Result<Option<(String, String, Option<i64>)>> {
    let sql = "select code, name, capacity from courses where id = :id and archived_at is null";
    connection.find(sql, params![id])
}

/// The next letter that no section of the course has in the term; a number once all letters are taken.
pub fn next_label(connection: &Connection, course_id: i64, term_id: Option<i64>) -> Result<String> {
    let sql = "select label from sections indexed by sections_label
        where course_id = :course_id and ifnull(term_id, 0) = ifnull(:term_id, 0)";
    let taken: Vec<String> = connection.list(sql, params![course_id, term_id])?;
    let letters = ('A'..='Z').map(String::from).chain((1..).map(|number: u32| number.to_string()));
    let mut free = letters.filter(|label| !taken.contains(label));
    Ok(free.next().unwrap_or_default())
}

/// Adds a section with its weekly hours, and returns its number.
///
/// # Errors
/// A field error when its label is taken.
pub fn insert(connection: &Connection, section: &Section, now: Timestamp) -> Result<i64> {
    let sql = "insert into sections (course_id, term_id, label, kind, delivery, starts_on, ends_on, capacity, price_cents,
            teacher_name, status, created_at)
        values (:course_id, :term_id, :label, :kind, :delivery, :starts_on, :ends_on, :capacity, :price,
            :teacher_name, :status, :now)";
    let values = params![
        course_id = section.course_id,
        term_id = section.term_id,
        label = section.label,
        kind = section.kind,
        delivery = section.delivery,
        starts_on = section.starts_on.to_string(),
        ends_on = section.ends_on.to_string(),
        capacity = section.capacity,
        price = section.price,
        teacher_name = section.teacher_name,
        status = section.status,
        now = now.as_second(),
    ];
    let id = connection.insert(sql, values).map_err(on_taken_label)?;
    insert_meetings(connection, id, &section.meetings)?;
    Ok(id)
}

/// Writes every field of a section that exists, and its weekly hours.
///
/// # Errors
/// A field error when its label is taken.
pub(super) fn update(connection: &Connection, section: &Section) -> Result<()> {
    let sql =
        "update sections set label = :label, kind = :kind, delivery = :delivery, starts_on = :starts_on,
            ends_on = :ends_on, capacity = :capacity, price_cents = :price, teacher_name = :teacher_name,
            status = :status, version = version + 1
        where id = :id";
    let values = params![
        id = section.id,
        label = section.label,
        kind = section.kind,
        delivery = section.delivery,
        starts_on = section.starts_on.to_string(),
        ends_on = section.ends_on.to_string(),
        capacity = section.capacity,
        price = section.price,
        teacher_name = section.teacher_name,
        status = section.status,
    ];
    connection.run(sql, values).map_err(on_taken_label)?;
    let kept: Vec<_> = section.meetings.iter().map(|meeting| meeting.id).collect();
    let sql =
        "delete from meetings where section_id = :id and id not in (select value from json_each(:kept))";
    connection.run(sql, params![id = section.id, kept = as_list(&kept)])?;
    let sql =
        "update meetings set weekday = :weekday, starts_at = :starts_at, ends_at = :ends_at, link = :link
        where id = :id and section_id = :section_id";
    for Meeting { id, weekday, starts_at, ends_at, link } in &section.meetings {
        connection.run(sql, params![id, section_id = section.id, weekday, starts_at, ends_at, link])?;
    }
    let new: Vec<_> = section.meetings.iter().filter(|meeting| meeting.id == 0).cloned().collect();
    insert_meetings(connection, section.id, &new)
}

fn insert_meetings(connection: &Connection, section_id: i64, meetings: &[Meeting]) -> Result<()> {
    let sql = "insert into meetings (section_id, weekday, starts_at, ends_at, link)
        values (:section_id, :weekday, :starts_at, :ends_at, :link)";
    for Meeting { weekday, starts_at, ends_at, link, .. } in meetings {
        connection.run(sql, params![section_id, weekday, starts_at, ends_at, link])?;
    }
    Ok(())
}

/// Deletes a section; returns false if an enrollment or an event names it.
pub fn delete(connection: &Connection, id: i64) -> Result<bool> {
    match connection.run("delete from sections where id = :id", params![id]) {
        Err(error) if db::is_still_named(&error) => Ok(false),
        deleted => deleted.map(|()| true),
    }
}

fn on_taken_label(error: Error) -> Error {
    if db::is_taken(&error, "sections_label") {
        return Error::field("label", "The course has a section of this label in the same term");
    }
    error
}
