//! What the public site says of the school: its facts and its semesters.

use std::rc::Rc;

use jiff::ToSpan;
use jiff::civil::date;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{Place, office};
use crate::settings::{publish, save};
use crate::support::Actor;

/// What only the sample has, in the words in which pages, data and emails would say it.
const SAMPLES: [&str; 16] = [
    "Northgate",
    "northgate",
    "Example Street",
    "M5V 0A0",
    "555-0142",
    "5550142",
    "880000",
    "Since 2008",
    "since 2008",
    "in 2008",
    "\"2008\"",
    ":2008",
    "8:30 AM",
    "McGill University",
    "Private secondary school, Ontario",
    "\"Toronto",
];

/// What a school says of itself only once it has a founding year.
const OF_ITS_YEAR: [&str; 2] = ["Since ", "+ years"];

/// Everything that visitors and programs read of the school without an account.
pub async fn read_all(visitor: &Actor) -> Vec<(String, String)> {
    let mut read = Vec::new();
    let sitemap = visitor.get("/sitemap.xml").await.text();
    let addresses = sitemap.split("<loc>").skip(1).map(|part| part.split('<').next().unwrap().to_owned());
    let paths =
        addresses.map(|address| address.splitn(4, '/').nth(3).map(|path| format!("/{path}")).unwrap());
    // Of the courses one is as good as the others.
    let mut courses = 0;
    let paths = paths.filter(|path| {
        courses += usize::from(path.starts_with("/courses/"));
        courses < 3 || !path.starts_with("/courses/")
    });
    let others =
        ["/nowhere", "/student/auth", "/admin/login", "/site.webmanifest", "/.well-known/security.txt"];
    for path in paths.chain(others.map(String::from)).chain(["/api/school".to_owned()]) {
        read.push((path.clone(), visitor.get(&path).await.text().replace("&#x2f;", "/")));
    }
    assert!(read.len() > 12, "the sitemap names the pages: {sitemap}");
    read
}

pub async fn semesters_are_the_offices(place: Rc<Place>) {
    let visitor = place.school.visitor();
    let (_, code) = place.course().await;
    let page = place.staff.get("/api/admin/settings").await.expect(StatusCode::OK).json();
    let offered = async || visitor.get("/api/school").await.json()["semesters"].clone();
    if page["settings"]["semesters"] == json!([]) {
        for path in
            ["/", "/about", "/services", "/courses", "/contact", "/terms", &format!("/courses/{code}")]
        {
            let html = visitor.get(path).await.expect(StatusCode::OK).text();
            // The zone's offsets of the coming years are no semesters.
            let (before, offsets) = html.split_once("\"offsets\":[").unwrap_or((&html, "]"));
            let rest = offsets.split_once(']').map_or("", |(_, rest)| rest);
            let html = format!("{before}{rest}");
            assert!(!html.contains("2027") && !html.contains("begins"), "{path}");
        }
        assert_eq!(offered().await, json!([]), "a proposal is not published");
        let mut settings = page["settings"].clone();
        settings["semesters"] = page["defaults"]["semesters"].clone();
        assert_eq!(settings["semesters"].as_array().unwrap().len(), 3);
        let saved = save(&place.staff, settings.clone()).await;
        assert_eq!(
            saved["settings"]["semesters"], settings["semesters"],
            "what is proposed holds every rule"
        );
        assert_eq!(offered().await, json!([]), "nor is a draft");
        publish(&place.staff, &saved).await;
    }
    let all = place.staff.get("/api/admin/settings").await.json()["settings"]["semesters"].clone();
    let mut before = "";
    for one in all.as_array().unwrap() {
        assert!(before < one["startDate"].as_str().unwrap(), "they overlap: {all}");
        before = one["endDate"].as_str().unwrap();
    }
    let offered = offered().await;
    assert!(!offered.as_array().unwrap().is_empty());
    for one in offered.as_array().unwrap() {
        assert!(one["joinUntil"].as_str().unwrap() >= "2026-11-21", "{one}");
    }
    for path in ["/", &format!("/courses/{code}")] {
        assert!(visitor.get(path).await.text().contains(offered[0]["name"].as_str().unwrap()), "{path}");
    }
}

pub async fn dates_of_a_request(place: Rc<Place>) {
    let student = place.student().await;
    let today = date(2026, 11, 21);
    let others = json!({ "startDate": today, "endDate": today.saturating_add(4.months()) });
    let semesters = student.get("/api/school").await.json()["semesters"].clone();
    for dates in std::iter::once(&others).chain(semesters.as_array().unwrap()) {
        let (course, _) = place.course().await;
        let [start, end] = ["startDate", "endDate"].map(|day| dates[day].as_str().unwrap());
        let asked = place.request(&student, course, [start, end]).await;
        assert_eq!(json!([asked["startDate"], asked["endDate"]]), json!([start, end]));
    }
}

pub async fn every_fact_has_an_owner(place: Rc<Place>) {
    // After the last email of all, and with every email that the other checks caused.
    office::the_office_gets_a_summary_on_weekday_mornings(&place).await;
    let (visitor, staff) = (place.school.visitor(), place.school.staff().await);
    let mut read = read_all(&visitor).await;
    read.extend(
        place.school.all_mails().await.into_iter().map(|mail| (mail.subject.clone(), mail.text.clone())),
    );
    assert!(read.iter().any(|(name, _)| name == "We have your message"));
    let facts = visitor.get("/api/school").await.json();
    let missing = staff.get("/api/admin/dashboard").await.json()["missingFacts"].clone();
    let is_missing = |key: &str| missing.as_array().unwrap().iter().any(|fact| fact["key"] == key);
    let address = &facts["address"];
    let told = [
        ("phone", &facts["phone"]),
        ("street", &address["street"]),
        ("city", &address["city"]),
        ("postal_code", &address["postalCode"]),
        ("inspection_id", &facts["inspectionId"]),
        ("registration_number", &facts["registrationNumber"]),
        ("founded_year", &facts["foundedYear"]),
        ("tagline", &facts["tagline"]),
        ("hours", &facts["hours"]),
        ("universities", &facts["universities"]),
    ];
    let is_named = facts["isNamed"] == true;
    // The demo's office has set them all, as those of a school that is called like the sample.
    let is_own =
        staff.get("/api/admin/settings").await.json()["settings"]["facts"]["name"].is_string() || is_named;
    for (key, fact) in told {
        let is_empty = matches!(fact, Value::Null) || *fact == "" || *fact == json!([]);
        // The sample stands as a whole, and none of it is the school's.
        assert_eq!(is_missing(key), !is_own || is_empty, "{key}: {fact}");
    }
    let required = missing.as_array().unwrap().iter().any(|fact| fact["isRequired"] == true);
    assert_eq!(facts["isSample"] == true, !is_named || required, "{missing}");
    let notice = match (is_named, facts["isSample"] == true) {
        (false, _) => Some("Sample school: its names and numbers are examples."),
        (true, true) => Some("This site is being set up. Some facts are missing."),
        (true, false) => None,
    };
    let home = visitor.get("/").await.text();
    assert_eq!(home.contains("aria-label=\"Sample school\""), notice.is_some());
    assert!(notice.is_none_or(|words| home.contains(words)), "{home}");
    if !is_named {
        return;
    }
    let unowned = if facts["foundedYear"].is_null() { &OF_ITS_YEAR[..] } else { &[] };
    for (name, text) in &read {
        for words in SAMPLES.iter().chain(unowned) {
            assert!(!text.contains(words), "{name} says {words}: {text}");
        }
    }
}
