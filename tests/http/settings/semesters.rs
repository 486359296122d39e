//! Semesters: proposed to an empty school, written and published by the office, offered while they may be joined.

use jiff::SignedDuration;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{publish, put, save};
use crate::support::School;

fn semester(name: &str, start: &str, end: &str, join: &str) -> Value {
    json!({ "name": name, "startDate": start, "endDate": end, "joinUntil": join })
}

/// Around the clock's day, November 21, 2026, and not in their order.
fn semesters() -> Value {
    json!([
        semester("Winter 2027", "2027-01-11", "2027-05-07", "2027-01-29"),
        semester("Fall 2026", "2026-09-08", "2026-12-18", "2026-11-22"),
        semester("Summer 2026", "2026-06-01", "2026-08-31", "2026-06-30"),
    ])
}

#[tokio::test]
async fn a_running_semester_is_offered_while_one_may_join_in_the_schools_zone() {
    let school = School::open().await;
    let (staff, visitor) = (school.staff().await, school.visitor());
    let saved = save(&staff, json!({ "semesters": semesters() })).await;
    let listed: Vec<_> =
        saved["settings"]["semesters"].as_array().unwrap().iter().map(|one| one["name"].clone()).collect();
    assert_eq!(listed, ["Summer 2026", "Fall 2026", "Winter 2027"], "by date");
    publish(&staff, &saved).await;
    let offered = async || visitor.get("/api/school").await.json()["semesters"].clone();
    let both = offered().await;
    assert_eq!(
        both[0],
        json!({ "name": "Fall 2026", "startDate": "2026-09-08", "endDate": "2026-12-18",
            "joinUntil": "2026-11-22", "startText": "Tuesday, September 8",
            "whenText": "has begun; you may join until Sunday, November 22" })
    );
    assert_eq!(both[1]["whenText"], "begins Monday, January 11");
    assert_eq!(both.as_array().unwrap().len(), 2);
    // The clock stands on November 21, 10:00 in Toronto: 23:59 on the 22nd, and the next midnight.
    for (minutes, next) in [(24 * 60 + 13 * 60 + 59, "Fall 2026"), (1, "Winter 2027")] {
        school.advance(SignedDuration::from_mins(minutes));
        assert_eq!(offered().await[0]["name"], next);
        assert!(visitor.get("/").await.text().contains(next));
    }
    school.advance(SignedDuration::from_hours(24 * 200));
    assert_eq!(offered().await, json!([]), "all have ended");
    assert!(!visitor.get("/").await.text().contains("begins"));
}

#[tokio::test]
async fn every_rule_about_semesters_names_its_row_and_says_what_is_wrong() {
    let school = School::open().await;
    let staff = school.staff().await;
    let table = [
        (
            json!([semester("", "2027-01-11", "2027-01-11", "2027-01-10")]),
            json!({ "semesters.0.name": "Please enter a name of at least 2 characters",
                "semesters.0.endDate": "The last day must be after the first day",
                "semesters.0.joinUntil": "The last day to join must not be before the first day" }),
        ),
        (
            json!([semester("Winter", "2027-01-11", "2027-05-07", "2027-05-08")]),
            json!({ "semesters.0.joinUntil": "The last day to join must not be after the last day" }),
        ),
        (
            json!([semester("Winter", "2027-01-11", "2028-01-12", "2027-01-11")]),
            json!({ "semesters.0.endDate": "A semester lasts at most 12 months" }),
        ),
        (
            json!([{}]),
            json!({ "semesters.0.name": "Please enter a name of at least 2 characters",
                "semesters.0.startDate": "Please enter the first day", "semesters.0.endDate": "Please enter the last day",
                "semesters.0.joinUntil": "Please enter the last day to join" }),
        ),
        (
            json!([
                semester("Spring", "2027-05-07", "2027-08-31", "2027-05-31"),
                semester("Winter", "2027-01-11", "2027-05-07", "2027-01-29")
            ]),
            json!({ "semesters.0.startDate": "Must be after May 7, 2027, the last day of Winter" }),
        ),
        (
            json!([
                semester("Winter", "2027-01-11", "2027-05-07", "2027-01-29"),
                semester("winter", "2027-05-08", "2027-08-31", "2027-05-31")
            ]),
            json!({ "semesters.1.name": "This is here already" }),
        ),
        (
            json!(vec![semester("Winter", "2027-01-11", "2027-05-07", "2027-01-29"); 13]),
            json!({ "semesters": "12 are the most; these are 13" }),
        ),
    ];
    for (semesters, expected) in table {
        let body = json!({ "version": 0, "settings": { "semesters": semesters } });
        assert_eq!(put(&staff, &body).await.fields(), expected, "{semesters}");
    }
}

#[tokio::test]
async fn a_request_may_name_the_dates_of_whichever_semester_is_offered() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let ask = async |start: &str, end: &str| {
        let body = json!({ "courseId": course, "startDate": start, "endDate": end });
        student.post("/api/students/enrollments", &body).await
    };
    let early = ask("2026-09-08", "2026-12-18").await.fields();
    assert!(early["startDate"].as_str().unwrap().contains("8 weeks back"), "{early}");
    let far = semester("Fall 2028", "2028-09-05", "2028-12-20", "2028-09-19");
    let mut all = semesters();
    all.as_array_mut().unwrap().push(far);
    publish(&staff, &save(&staff, json!({ "semesters": all })).await).await;
    assert!(
        ask("2026-09-08", "2026-12-19").await.fields()["startDate"].is_string(),
        "other dates keep their rule"
    );
    assert!(
        ask("2026-06-01", "2026-08-31").await.fields()["startDate"].is_string(),
        "one may no longer join"
    );
    let asked = ask("2026-09-08", "2026-12-18").await.expect(StatusCode::CREATED).json();
    assert_eq!((&asked["startDate"], &asked["endDate"]), (&json!("2026-09-08"), &json!("2026-12-18")));
    student
        .post(&format!("/api/students/enrollments/{}/withdraw", asked["id"]), &json!({}))
        .await
        .expect(StatusCode::OK);
    ask("2028-09-05", "2028-12-20").await.expect(StatusCode::CREATED);
}
