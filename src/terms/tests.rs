//! Terms, sections and their classes, by the school's clock.

use jiff::civil::{Date, date};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::rules::{SectionInput, TermCopyForm, TermInput};
use super::*;
use crate::base::clock::Clock;
use crate::base::zone_rules;

fn term(body: Value) -> Result<Term, Value> {
    let input: TermInput = serde_json::from_value(body).unwrap();
    Term::parse(&input).map_err(|errors| json!(errors))
}

fn fall() -> Term {
    let body = json!({
        "name": "Fall 2026", "startsOn": "2026-09-08", "endsOn": "2026-12-18", "joinUntil": "2026-09-30",
        "midtermOn": "2026-10-30", "daysOff": ["2026-12-01", "2026-10-12", "2026-10-12"], "isPublished": true,
    });
    term(body).unwrap()
}

fn section() -> Section {
    Section {
        id: 1,
        course_id: 1,
        course_code: "MHF4U".into(),
        course_name: "Advanced Functions".into(),
        term_id: Some(1),
        term_name: Some("Fall 2026".into()),
        label: "A".into(),
        kind: SectionKind::Regular,
        delivery: Delivery::Synchronous,
        starts_on: date(2026, 9, 8),
        ends_on: date(2026, 12, 18),
        capacity: Some(25),
        price: None,
        teacher_name: None,
        meetings: Vec::new(),
        status: SectionStatus::Open,
        taken: 0,
        waiting: 0,
        version: 1,
    }
}

fn changed(body: Value) -> Result<Section, Value> {
    let input: SectionInput = serde_json::from_value(body).unwrap();
    section().changed(&input).map_err(|errors| json!(errors))
}

#[test]
fn every_rule_about_a_term_speaks_for_itself() {
    assert_eq!(
        term(json!({})).unwrap_err(),
        json!({ "name": "Name is required", "startsOn": "First day is required", "endsOn": "Last day is required" })
    );
    let base = json!({ "name": "F", "startsOn": "2026-09-08", "endsOn": "2026-12-18" });
    assert_eq!(
        term(base.clone()).unwrap().join_until,
        date(2026, 9, 8),
        "no late entry unless the office says so"
    );
    for (field, value) in [
        ("endsOn", json!("2026-09-08")),
        ("joinUntil", json!("2026-09-07")),
        ("joinUntil", json!("2026-12-19")),
        ("joinUntil", json!("soon")),
        ("daysOff", json!(["2026-02-30"])),
        ("daysOff", json!("Mondays")),
        ("midtermOn", json!("1-1-1")),
        ("isPublished", json!("yes")),
    ] {
        let mut body = base.clone();
        body[field] = value.clone();
        let errors = term(body).unwrap_err();
        assert!(
            errors[field].is_string() && errors.as_object().unwrap().len() == 1,
            "{field} {value}: {errors}"
        );
    }
    let off = fall().days_off;
    assert_eq!(off, [date(2026, 10, 12), date(2026, 12, 1)], "in order, each once");
}

#[test]
fn every_rule_about_a_section_speaks_for_itself() {
    let hour = |weekday: i64, starts: &str, ends: &str| json!({ "weekday": weekday, "startsAt": starts, "endsAt": ends });
    for (field, value) in [
        ("label", json!(" ")),
        ("kind", json!("short")),
        ("delivery", json!("live")),
        ("endsOn", json!("2026-09-08")),
        ("capacity", json!(0)),
        ("price", json!(-1)),
        ("status", json!("cancelled")),
        ("meetings", json!([hour(8, "19:00", "20:00")])),
        ("meetings", json!([hour(1, "7pm", "20:00")])),
        ("meetings", json!([hour(1, "9:00", "20:00")])),
        ("meetings", json!([hour(1, "19:00", "24:00")])),
        ("meetings", json!([hour(1, "19:00", "19:00")])),
        ("meetings", json!([hour(1, "19:00", "20:00"), hour(1, "19:30", "21:00")])),
        (
            "meetings",
            json!([{ "weekday": 1, "startsAt": "19:00", "endsAt": "20:00", "link": "javascript:alert(1)" }]),
        ),
    ] {
        let errors = changed(json!({ field: value.clone() })).unwrap_err();
        assert!(
            errors[field].is_string() && errors.as_object().unwrap().len() == 1,
            "{field} {value}: {errors}"
        );
    }
    let hours = json!([hour(4, "19:00", "20:30"), hour(2, "19:00", "20:30"), hour(2, "20:30", "21:00")]);
    let found =
        changed(json!({ "meetings": hours, "price": null, "capacity": null, "teacherName": "" })).unwrap();
    let hours: Vec<_> =
        found.meetings.iter().map(|one| format!("{} {}", one.weekday, one.starts_at)).collect();
    assert_eq!((hours, found.capacity), (vec!["2 19:00".into(), "2 20:30".into(), "4 19:00".into()], None));
    assert_eq!(changed(json!({})).unwrap(), section(), "what is not sent stays");
}

#[test]
fn a_copied_term_moves_every_date_and_days_off_keep_their_weekday() {
    // A Tuesday to a Wednesday: 365 days.
    let form: TermCopyForm =
        serde_json::from_value(json!({ "name": "Fall 2027", "startsOn": "2027-09-08" })).unwrap();
    let copy = fall().copied(&form).unwrap();
    assert_eq!((copy.ends_on, copy.join_until), (date(2027, 12, 18), date(2027, 9, 30)));
    assert_eq!((copy.midterm_on, copy.is_published), (Some(date(2027, 10, 30)), false));
    assert_eq!(copy.days_off, [date(2027, 10, 11), date(2027, 11, 30)]);
    let weekdays = |days: &[Date]| days.iter().map(|day| day.weekday()).collect::<Vec<_>>();
    assert_eq!(weekdays(&copy.days_off), weekdays(&fall().days_off));
    // A shorter one cuts what lies behind its end, and sections on all days of the term follow it.
    let form = json!({ "name": "Fall 2027", "startsOn": "2027-09-07", "endsOn": "2027-09-20" });
    let short = fall().copied(&serde_json::from_value(form).unwrap()).unwrap();
    assert_eq!((short.join_until, &*short.days_off), (date(2027, 9, 20), &[][..]));
    let copied = fall().copied_section(&section(), &Term { id: 9, ..short });
    assert_eq!((copied.starts_on, copied.ends_on), (date(2027, 9, 7), date(2027, 9, 20)));
    assert_eq!((copied.term_id, copied.status), (Some(9), SectionStatus::Planned));
    let own = Section { starts_on: date(2026, 10, 6), ..section() };
    let copied = fall().copied_section(&own, &Term { id: 9, ..copy });
    assert_eq!((copied.starts_on, copied.ends_on), (date(2027, 10, 6), date(2027, 12, 18)));
}

#[test]
fn a_section_can_be_joined_until_the_day_has_ended_at_the_school() {
    let toronto = zone_rules::IN_FORCE.zone("America/Toronto").unwrap();
    // The last evening in Toronto: tomorrow in Lagos and Shanghai already, and afternoon in Honolulu.
    let clock = Clock::set_to("2026-10-01T03:59:59Z".parse::<Timestamp>().unwrap());
    let local = |name: &str| clock.today(&zone_rules::IN_FORCE.zone(name).unwrap());
    assert_eq!([local("Asia/Shanghai"), local("Africa/Lagos")], [date(2026, 10, 1); 2]);
    assert_eq!(joining(&section(), Some(&fall()), clock.today(&toronto)), Ok(Joining { is_late: true }));
    // A second later it is over at the school, while it is still the last day in Honolulu.
    clock.advance(SignedDuration::from_secs(1));
    assert_eq!(local("Pacific/Honolulu"), date(2026, 9, 30));
    let over = Err(NotJoinable::Over(date(2026, 9, 30)));
    assert_eq!(joining(&section(), Some(&fall()), clock.today(&toronto)), over);
}

#[test]
fn only_an_open_and_published_section_can_be_asked_for() {
    let day = date(2026, 9, 8);
    let ask = |section: &Section, term: &Term| joining(section, Some(term), day);
    assert_eq!(ask(&section(), &fall()), Ok(Joining { is_late: false }), "the first day is not late");
    for status in [SectionStatus::Planned, SectionStatus::Closed, SectionStatus::Cancelled] {
        assert_eq!(ask(&Section { status, ..section() }, &fall()), Err(NotJoinable::NotOpen));
    }
    assert_eq!(ask(&section(), &Term { is_published: false, ..fall() }), Err(NotJoinable::NotOpen));
    let from = Some(date(2026, 9, 9));
    assert_eq!(
        ask(&section(), &Term { requests_from: from, ..fall() }),
        Err(NotJoinable::NotYet(date(2026, 9, 9)))
    );
    let until = Some(date(2026, 9, 7));
    assert_eq!(
        ask(&section(), &Term { requests_until: until, ..fall() }),
        Err(NotJoinable::Over(date(2026, 9, 7)))
    );
    // One that begins after the term's last day to join can be joined until it begins; one without a term until it ends.
    let later = Section { starts_on: date(2026, 11, 2), ..section() };
    assert_eq!(later.join_until(Some(&fall())), date(2026, 11, 2));
    assert_eq!(section().join_until(None), date(2026, 12, 18));
}
