//! Every rule of the settings, by table.

use serde_json::{Value, json};

use super::*;
use crate::school::hours::Day;
use crate::settings::SettingsInput;

fn parse(body: Value) -> Result<Settings, Vec<(String, String)>> {
    let input: SettingsInput = serde_json::from_value(body).unwrap();
    let text = |(name, message): (&str, &str)| (name.to_owned(), message.to_owned());
    input.parse().map_err(|errors| errors.iter().map(text).collect())
}

fn whole() -> Value {
    json!({
        "facts": { "name": "Lakeview College", "foundedYear": 2003 },
        "texts": { "terms": "These are our own terms.", "privacy": "This is our own policy.",
            "refunds": "All of it, until the first day.", "howToPay": "By e-Transfer to the office." },
        "hours": [{ "days": ["friday", "monday"], "opens": "08:30", "closes": "16:30" }],
        "universities": ["McGill University"],
        "banner": { "text": "Open house on Saturday", "linkText": "Come", "linkTo": "/contact",
            "from": "2026-09-01", "until": "2026-09-30" },
        "questions": [{ "question": "Do credits count?", "answer": "They do." }],
        "colour": "#7A0019", "accent": "#ffd100", "crest": "0123456789abcdef",
        "hero": { "picture": "0123456789abcdef", "alt": "A classroom" },
        "campus": [{ "picture": "0123456789abcdef", "alt": "The house" }],
        "people": [{ "picture": "0123456789abcdef", "name": "A. Li", "role": "Principal" }],
        "semesters": [{ "name": "Winter 2027", "startDate": "2027-01-04", "endDate": "2027-04-30",
            "joinUntil": "2027-01-18" }],
        "showFees": true, "showSeats": true,
    })
}

#[test]
fn whole_settings_are_kept_as_they_are_read() {
    let settings = parse(whole()).unwrap();
    assert_eq!(settings.hours[0].days, [Day::Monday, Day::Friday], "in the order of the week");
    assert_eq!(settings.colour.unwrap().to_string(), "#7a0019");
    assert_eq!(settings.pictures().count(), 4);
    let kept: Settings = serde_json::from_str(&serde_json::to_string(&settings).unwrap()).unwrap();
    assert_eq!(kept, settings);
    assert_eq!(parse(json!({})).unwrap(), Settings::default());
    assert_eq!(settings.changes(&Settings::default()).len(), 17);
    assert!(settings.changes(&settings).is_empty());
}

#[test]
fn every_rule_names_its_field() {
    let table: [(&str, Value, &str); 32] = [
        ("/facts", json!(7), "facts"),
        ("/facts/name", json!("X"), "facts.name"),
        ("/texts", json!(7), "texts"),
        ("/texts/refunds", json!("None"), "texts.refunds"),
        ("/hours", json!("always"), "hours"),
        ("/hours/0/days", json!([]), "hours.0.days"),
        ("/hours/0/days", json!(["someday"]), "hours.0.days"),
        ("/hours/0/opens", json!("8:30"), "hours.0.opens"),
        ("/hours/0/closes", json!("08:30"), "hours.0.closes"),
        ("/universities/0", json!("X"), "universities.0"),
        ("/universities", json!(vec!["McGill University"; 61]), "universities"),
        ("/banner", json!(7), "banner"),
        ("/banner/text", json!(""), "banner.text"),
        ("/banner/linkText", json!(""), "banner.linkText"),
        ("/banner/linkTo", json!("javascript:alert(1)"), "banner.linkTo"),
        ("/banner/linkTo", json!("//evil.example"), "banner.linkTo"),
        ("/banner/linkTo", json!("/\\evil.example"), "banner.linkTo"),
        ("/banner/from", json!("2026-02-30"), "banner.from"),
        ("/banner/until", json!("2026-08-31"), "banner.until"),
        ("/questions/0/answer", json!("No"), "questions.0.answer"),
        ("/colour", json!("navy"), "colour"),
        ("/accent", json!("#12345"), "accent"),
        ("/crest", json!("../x"), "crest"),
        ("/hero/alt", json!(""), "hero.alt"),
        ("/campus/0/picture", json!("0123"), "campus.0.picture"),
        ("/people/0/role", Value::Null, "people.0.role"),
        ("/semesters/0/name", json!("W"), "semesters.0.name"),
        ("/semesters/0/endDate", json!("2027-01-04"), "semesters.0.endDate"),
        ("/semesters/0/joinUntil", json!("2027-01-03"), "semesters.0.joinUntil"),
        ("/semesters/0/joinUntil", json!("2027-05-01"), "semesters.0.joinUntil"),
        ("/showFees", json!(1), "showFees"),
        ("/showSeats", json!(1), "showSeats"),
    ];
    for (pointer, value, field) in table {
        let mut body = whole();
        *body.pointer_mut(pointer).unwrap() = value;
        let errors = parse(body).unwrap_err();
        assert_eq!(errors.len(), 1, "{pointer}: {errors:?}");
        assert_eq!(errors[0].0, field, "{pointer}");
    }
}

#[test]
fn duplicate_rows_are_refused_by_name() {
    for (list, name) in [
        ("questions", "questions.1.question"),
        ("universities", "universities.1"),
        ("campus", "campus.1.picture"),
    ] {
        let mut body = whole();
        let row = body[list][0].clone();
        body[list].as_array_mut().unwrap().push(row);
        assert_eq!(parse(body).unwrap_err(), [(name.to_owned(), "This is here already".to_owned())]);
    }
}

#[test]
fn an_announcement_is_shown_on_its_days() {
    let day = |text: &str| text.parse::<Date>().unwrap();
    let banner = parse(whole()).unwrap().banner.unwrap();
    for (on, is_shown) in
        [("2026-08-31", false), ("2026-09-01", true), ("2026-09-30", true), ("2026-10-01", false)]
    {
        assert_eq!(banner.is_shown_on(day(on)), is_shown, "{on}");
    }
    assert!(Banner { from: None, until: None, ..banner }.is_shown_on(day("2030-01-01")));
}
