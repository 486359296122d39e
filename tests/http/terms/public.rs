//! What visitors read of terms and sections: what is published and open, and never a link.

use jiff::SignedDuration;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{course, section};
use crate::settings::{publish, save};
use crate::support::School;

const LINK: &str = "https://meet.example/secret-room";

#[tokio::test]
async fn visitors_read_open_sections_of_published_terms_without_links_prices_and_seats() {
    let school = School::open().await;
    let (staff, visitor, student) = (school.staff().await, school.visitor(), school.student().await);
    let (id, term) = course(&school, &staff).await;
    assert_eq!(visitor.get("/api/courses").await.column("hasSections"), [json!(false)]);
    let hours = json!([{ "weekday": 4, "startsAt": "19:00", "endsAt": "20:30", "link": LINK },
        { "weekday": 2, "startsAt": "19:00", "endsAt": "20:30", "link": LINK }]);
    let live = json!({ "price": 600, "capacity": 4, "teacherName": "Imani Sample", "meetings": hours });
    let live = section(&staff, id, &term, live).await;
    let own_pace = section(&staff, id, &term, json!({ "delivery": "asynchronous" })).await;
    section(&staff, id, &term, json!({ "status": "planned" })).await;
    let draft = json!({ "name": "Winter", "startsOn": "2027-03-01", "endsOn": "2027-06-25" });
    let draft = staff.post("/api/admin/terms", &draft).await.expect(StatusCode::CREATED).json()["id"].clone();
    section(&staff, id, &draft, json!({})).await;
    // Listed at once, by every page and call that lists courses.
    assert_eq!(visitor.get("/api/courses").await.column("hasSections"), [json!(true)]);
    let sections = |body: Value| body["sections"].as_array().unwrap().clone();
    let found = sections(visitor.get("/api/courses/mhf4u").await.expect(StatusCode::OK).json());
    assert_eq!(
        found[0],
        json!({ "id": live, "term": { "id": term, "name": "Fall 2026" }, "label": "A", "kind": "regular",
            "delivery": "synchronous", "deliveryText": "Live", "startsOn": "2026-11-02", "endsOn": "2027-02-26",
            "datesText": "November 2, 2026 to February 26, 2027", "joinText": "Join by November 21, 2026", "joinUntil": "2026-11-21",
            "teacherName": "Imani Sample", "timeZone": "America/Toronto", "price": null, "priceText": null,
            "seatsLeft": null, "seatsText": null, "isOpen": true,
            "whenText": "Tue and Thu 19:00–20:30 Toronto time",
            "meetings": [{ "weekday": 2, "startsAt": "19:00", "endsAt": "20:30" },
                { "weekday": 4, "startsAt": "19:00", "endsAt": "20:30" }] })
    );
    assert_eq!((found.len(), &found[1]["id"]), (2, &own_pace));
    assert_eq!(found[1]["whenText"], "At your own pace until February 26, 2027");
    // A student agrees to the price, and so reads it; a section without one costs what the course costs.
    let prices = |found: &[Value]| found.iter().map(|one| one["price"].clone()).collect::<Vec<_>>();
    assert_eq!(prices(&sections(student.get("/api/courses/MHF4U").await.json())), [600, 549]);
    // Once the office shows both, the seats are those of the moment.
    publish(&staff, &save(&staff, json!({ "showFees": true, "showSeats": true })).await).await;
    assert_eq!(visitor.get("/api/school").await.json()["showSeats"], true);
    let shown = async || sections(visitor.get("/api/courses/MHF4U").await.json());
    let before = shown().await;
    assert_eq!(
        (prices(&before), &before[0]["seatsText"]),
        (vec![json!(600), json!(549)], &json!("4 of 4 left"))
    );
    assert_eq!(before[1]["seatsLeft"], Value::Null, "unlimited");
    let body = json!({ "courseId": id, "sectionId": live });
    let made = student.post("/api/students/enrollments", &body).await.expect(StatusCode::CREATED).json();
    assert_eq!(shown().await[0]["seatsLeft"], 4);
    let approve = format!("/api/admin/enrollments/{}/approve", made["id"]);
    staff.post(&approve, &json!({})).await.expect(StatusCode::OK);
    assert_eq!(shown().await[0]["seatsLeft"], 3);
    // The page and its data for machines say the same hours, and the page keeps no seats, which change behind it.
    let page = visitor.get("/courses/MHF4U").await.expect(StatusCode::OK).text();
    assert!(
        page.contains("\"@type\":\"CourseInstance\"")
            && page.contains("\"byDay\":\"https://schema.org/Tuesday\"")
    );
    assert!(
        page.contains("\"scheduleTimezone\":\"America/Toronto\"") && page.contains("\"startTime\":\"19:00\"")
    );
    assert!(page.contains("Tue and Thu 19:00–20:30 Toronto time") && !page.contains("of 4 left"));
    let home = visitor.get("/").await.text();
    assert!(
        home.contains("Fall 2026") && home.contains("has begun; you may join until Saturday, November 21")
    );
    for path in
        ["/courses/MHF4U", "/api/courses/MHF4U", "/api/courses", "/courses", "/api/terms", "/sitemap.xml"]
    {
        assert!(!visitor.get(path).await.text().contains("secret-room"), "{path}");
    }
    // A day on, no student can join: the section is listed until it ends, and the home page looks ahead.
    school.advance(SignedDuration::from_hours(24));
    let page = school.visitor();
    assert_eq!(sections(page.get("/api/courses/MHF4U").await.json())[0]["isOpen"], false);
    assert!(!page.get("/").await.text().contains("Fall 2026"));
    let staff = school.staff().await;
    staff
        .patch(&format!("/api/admin/terms/{draft}"), &json!({ "isPublished": true }))
        .await
        .expect(StatusCode::OK);
    assert!(page.get("/").await.text().contains("begins Monday, March 1"));
    school.advance(SignedDuration::from_hours(24 * 98));
    let page = school.visitor();
    assert_eq!(page.get("/api/terms").await.column("name"), ["Winter"]);
    assert_eq!(sections(page.get("/api/courses/MHF4U").await.json()).len(), 1);
}
