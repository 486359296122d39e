//! The demo's terms and sections: a term that has begun, the next one with open sections, and one without sections yet.

use jiff::civil::Date;
use jiff::{SignedDuration, ToSpan as _};
use rusqlite::Connection;
use serde_json::json;

use super::calendar::Calendar;
use super::form;
use super::plan::{Code, PlannedSection};
use super::scene::course;
use crate::base::error::Result;
use crate::base::money::Money;
use crate::school::semesters::{self, Semester};
use crate::terms::rules::{SectionInput, TermInput};
use crate::terms::store::{self, SectionsFilter};
use crate::terms::{Section, Term};

/// Weekday, first and last hour.
type Hours = &'static [(i8, &'static str, &'static str)];

/// Code, label, teacher, seats, hours.
type Class = (Code, &'static str, &'static str, Option<i64>, Hours);

const EVENINGS: Hours = &[(2, "19:00", "20:30"), (4, "19:00", "20:30")];
const AFTERNOONS: Hours = &[(1, "16:00", "17:30"), (3, "16:00", "17:30")];
const MORNINGS: Hours = &[(1, "09:00", "10:15"), (3, "09:00", "10:15"), (5, "09:00", "10:15")];
const SATURDAYS: Hours = &[(6, "10:00", "13:00")];
const OWN_PACE: Hours = &[];

/// Taken by students since weeks; closed.
const BEGUN: [Class; 15] = [
    ("MHF4U", "A", "Imani Sample", Some(25), EVENINGS),
    ("MHF4U", "B", "Imani Sample", None, OWN_PACE),
    ("ENG4U", "A", "Tomas Sample", Some(25), AFTERNOONS),
    ("SCH4U", "A", "Ruth Sample", Some(20), EVENINGS),
    ("SPH4U", "A", "Ruth Sample", Some(20), MORNINGS),
    ("MDM4U", "A", "Kofi Sample", Some(25), AFTERNOONS),
    ("HSB4U", "A", "Ana Sample", Some(25), EVENINGS),
    ("ENG3U", "A", "Tomas Sample", Some(25), MORNINGS),
    ("MCR3U", "A", "Kofi Sample", Some(25), EVENINGS),
    ("MCR3U", "B", "Kofi Sample", Some(25), SATURDAYS),
    ("SCH3U", "A", "Ruth Sample", Some(20), AFTERNOONS),
    ("SPH3U", "A", "Mei Sample", Some(20), EVENINGS),
    ("ENG2D", "A", "Ana Sample", Some(25), AFTERNOONS),
    ("MPM2D", "A", "Mei Sample", Some(25), MORNINGS),
    ("SNC2D", "A", "Mei Sample", Some(20), AFTERNOONS),
];

/// Open, until [`PLANNED`].
const NEXT: [Class; 15] = [
    ("MHF4U", "A", "Imani Sample", Some(25), EVENINGS),
    ("MHF4U", "B", "Imani Sample", None, OWN_PACE),
    ("MHF4U", "U", "Imani Sample", Some(12), SATURDAYS),
    ("MCV4U", "A", "Kofi Sample", Some(20), AFTERNOONS),
    ("SCH4U", "A", "Ruth Sample", Some(20), EVENINGS),
    (FULL.0, "A", "Ruth Sample", Some(FULL.1), MORNINGS),
    ("MDM4U", "A", "Kofi Sample", Some(25), EVENINGS),
    ("HSB4U", "A", "Ana Sample", Some(25), EVENINGS),
    ("MCR3U", "A", "Mei Sample", Some(25), EVENINGS),
    ("MCR3U", "B", "Mei Sample", None, OWN_PACE),
    ("SPH3U", "A", "Mei Sample", Some(20), AFTERNOONS),
    ("CHW3M", "A", "Ana Sample", Some(25), AFTERNOONS),
    // The same teacher at the same hour as in MHF4U: the list warns.
    ("ICS4U", "A", "Imani Sample", Some(20), EVENINGS),
    ("PSK4U", "A", "Tomas Sample", Some(25), AFTERNOONS),
    ("SNC2D", "A", "Mei Sample", Some(20), MORNINGS),
];
const PLANNED: usize = 12;

/// The section of the next term that is full, and its seats.
pub const FULL: (Code, i64) = ("SPH4U", 8);

/// Prices below the course's: at the student's own pace, and the upgrade.
const OWN_PACE_CENTS: i64 = 44_900;
const UPGRADE_CENTS: i64 = 29_900;

/// The demo's semesters: as the school proposes them, the first of which may have begun.
pub fn semesters(today: Date) -> Vec<Semester> {
    semesters::proposal(today.saturating_sub(3.months()))
}

/// The section in which a student takes a course that has begun; none for own days, also while no term
/// is in full swing.
pub fn begun(calendar: &Calendar, code: Code, number: usize) -> Option<PlannedSection> {
    let semesters = semesters(calendar.today);
    let Semester { start_date: start, end_date: end, .. } = *semesters.first()?;
    let is_running = start <= calendar.day(-40) && end >= calendar.day(15);
    let labels: Vec<_> = BEGUN.iter().filter(|class| class.0 == code).map(|class| class.1).collect();
    let label = labels.get(number % labels.len().max(1)).filter(|_| is_running)?;
    Some(PlannedSection { label, start, end })
}

/// The section of the next term that a student asks for, likewise.
pub fn next(calendar: &Calendar, code: Code) -> Option<PlannedSection> {
    let class = NEXT[..PLANNED].iter().find(|class| class.0 == code)?;
    let semesters = semesters(calendar.today);
    let Semester { start_date: start, end_date: end, .. } = *semesters.get(1)?;
    Some(PlannedSection { label: class.1, start, end })
}

/// Adds terms and sections, long before the first request.
pub fn insert(connection: &Connection, calendar: &Calendar) -> Result<()> {
    let at = calendar.now - SignedDuration::from_hours(24 * 300);
    for (number, semester) in semesters(calendar.today).into_iter().enumerate() {
        let Semester { name, start_date, end_date, join_until } = semester;
        let middle = start_date.saturating_add(54.days());
        // Monday to Friday.
        let monday = middle.saturating_add((14 - i64::from(middle.weekday().to_monday_zero_offset())).days());
        let week_off = (0..5).map(|day| monday.saturating_add(day.days()));
        let body: TermInput = form(json!({
            "name": name, "startsOn": start_date, "endsOn": end_date, "joinUntil": join_until,
            "midtermOn": middle, "firstReportOn": middle.saturating_add(7.days()), "finalOn": end_date,
            "daysOff": week_off.collect::<Vec<_>>(), "isPublished": true,
        }))?;
        let term = store::insert_term(connection, Term::parse(&body)?, at)?;
        let classes = [&BEGUN[..], &NEXT[..]].get(number).copied().unwrap_or_default();
        for (place, class) in classes.iter().enumerate() {
            let status = match number {
                0 => "closed",
                _ if place < PLANNED => "open",
                _ => "planned",
            };
            store::insert(connection, &section(connection, &term, *class, status)?, at)?;
        }
    }
    Ok(())
}

fn section(
    connection: &Connection,
    term: &Term,
    (code, label, teacher, seats, hours): Class,
    status: &str,
) -> Result<Section> {
    let (kind, delivery, price) = match (label, hours.is_empty()) {
        ("U", _) => ("upgrade", "synchronous", Some(Money::from_cents(UPGRADE_CENTS))),
        (_, true) => ("regular", "asynchronous", Some(Money::from_cents(OWN_PACE_CENTS))),
        _ => ("regular", "synchronous", None),
    };
    let link = format!("https://meet.northgate.example/{}-{}", code.to_lowercase(), label.to_lowercase());
    let meetings = hours.iter().map(|(weekday, starts_at, ends_at)| {
        json!({ "weekday": weekday, "startsAt": starts_at, "endsAt": ends_at, "link": link })
    });
    let input: SectionInput = form(json!({
        "courseId": course(connection, code)?.id, "termId": term.id, "label": label, "kind": kind,
        "delivery": delivery, "price": price, "capacity": seats, "teacherName": teacher, "status": status,
        "meetings": meetings.collect::<Vec<_>>(),
    }))?;
    crate::terms::new_section(connection, &input)
}

/// The section of a course by its label and its first day.
pub fn find(connection: &Connection, course_id: i64, label: &str, start: Date) -> Result<Option<Section>> {
    let filter = SectionsFilter { course: Some(course_id), ..SectionsFilter::default() };
    let all = store::list(connection, filter)?;
    Ok(all.into_iter().find(|section| section.label == label && section.starts_on == start))
}
