//! A student's calendar as another program reads it: `icalendar` for Python, which `make tools` installs.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{LINK, Scene, WHY};

/// The events in a calendar, with their hours in UTC.
fn read(calendar: &[u8]) -> Vec<Value> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = root.join("target/readers/bin/python");
    assert!(python.exists(), "the readers are not there: sh .ci/install-readers");
    let mut command = Command::new(python);
    command.arg(root.join("tests/support/read_calendar.py"));
    let mut reader =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    reader.stdin.take().unwrap().write_all(calendar).unwrap();
    let run = reader.wait_with_output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    serde_json::from_slice(&run.stdout).unwrap()
}

#[tokio::test]
async fn another_program_reads_hours_days_off_the_clock_change_and_what_was_changed() {
    let scene = Scene::open().await;
    let (school, staff, section) = (&scene.school, &scene.staff, scene.section(scene.course).await);
    let student = school.student().await;
    scene.enroll(&student, &section).await;
    let path = format!("/api/admin/sections/{}", section["id"]);
    // Thursdays begin half an hour earlier, the first of them is cancelled.
    let mut meetings = section["meetings"].clone();
    meetings[1]["startsAt"] = json!("18:30");
    staff.patch(&path, &json!({ "meetings": meetings })).await.expect(StatusCode::OK);
    let class = json!({ "date": "2026-11-26", "reason": WHY });
    staff.post(&format!("{path}/classes/cancel"), &class).await.expect(StatusCode::OK);
    scene.pass().await;
    school.advance(jiff::SignedDuration::from_hours(14));

    let url = student.get("/api/students/calendar").await.expect(StatusCode::OK).json();
    let url = url["url"].as_str().unwrap();
    let feed = school.visitor().get(&url[url.find("/api/").unwrap()..]).await.expect(StatusCode::OK);
    let events = read(&feed.bytes);
    // 18 weeks of two classes, less two days off.
    assert_eq!(events.len(), 34);
    let on = |day: &str| events.iter().find(|event| event["uid"].as_str().unwrap().contains(day));
    let hours = |day: &str| on(day).map(|event| [&event["start"], &event["end"]]);
    for (day, start, end) in [
        ("-20261124T", "2026-11-25T00:00", "2026-11-25T01:30"),
        // The last ones before the clocks change on March 14, and the first after it.
        ("-20270309T", "2027-03-10T00:00", "2027-03-10T01:30"),
        ("-20270311T", "2027-03-11T23:30", "2027-03-12T01:30"),
        ("-20270316T", "2027-03-16T23:00", "2027-03-17T00:30"),
        ("-20270318T", "2027-03-18T22:30", "2027-03-19T00:30"),
    ] {
        assert_eq!(hours(day), Some([&json!(start), &json!(end)]), "{day}");
    }
    for day_off in ["-20261222T", "-20261224T"] {
        assert_eq!(on(day_off), None);
    }
    let facts = |event: &Value| ["summary", "description", "status", "url"].map(|name| event[name].clone());
    // The room's own link stands in the portal only.
    let portal = facts(&events[0])[3].as_str().unwrap().to_owned();
    assert!(portal.ends_with("/student/dashboard") && portal != LINK, "{portal}");
    assert_eq!(
        facts(&events[0]),
        ["MHF4U A course", "Section A, Imani Sample", "CONFIRMED", &*portal].map(|text| json!(text))
    );
    assert_eq!(
        facts(on("-20261126T").unwrap()),
        [
            json!("Cancelled: MHF4U A course"),
            json!("Section A, Imani Sample"),
            json!("CANCELLED"),
            Value::Null
        ]
    );
    assert_eq!(events.iter().filter(|event| event["status"] == "CANCELLED").count(), 1);
}
