//! Weeks and calendars: hours at the school and elsewhere, days off, and the link to a class, which reaches only who is
//! enrolled.

use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use super::{LINK, Scene, WHY};
use crate::support::Student;

async fn week(student: &Student, date: &str) -> Vec<Value> {
    let week = student.get(&format!("/api/students/week?date={date}")).await.expect(StatusCode::OK).json();
    week.as_array().unwrap().clone()
}

async fn own_link(student: &Student) -> Value {
    let rows = student.get("/api/students/enrollments").await.expect(StatusCode::OK).json();
    rows[0]["section"]["meetings"][0]["link"].clone()
}

#[tokio::test]
async fn a_week_has_the_schools_hours_and_the_link_reaches_only_the_enrolled() {
    let scene = Scene::open().await;
    let (school, section) = (&scene.school, scene.section(scene.course).await);
    let (student, other) = (school.student().await, school.student().await);
    let id = scene.enroll(&student, &section).await;

    // By the school's clock, also on the other side of the clock change: in Lagos it is an hour earlier from then on.
    let first = week(&student, "2026-11-29").await;
    assert_eq!(
        first[0],
        json!({ "date": "2026-11-24", "startsAt": "19:00", "endsAt": "20:30", "timeZone": "America/Toronto",
            "startsAtUtc": "2026-11-25T00:00:00Z", "course": { "code": "MHF4U", "name": "A course" },
            "section": { "label": "A", "teacherName": "Imani Sample" }, "link": null, "isCancelled": false })
    );
    let starts = async |date: &str| {
        let week = week(&student, date).await;
        week.iter().map(|class| class["startsAtUtc"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(starts("2027-03-08").await, ["2027-03-10T00:00:00Z", "2027-03-12T00:00:00Z"]);
    assert_eq!(starts("2027-03-15").await, ["2027-03-16T23:00:00Z", "2027-03-18T23:00:00Z"]);
    assert_eq!(starts("2026-12-22").await, [""; 0], "days off of the school");
    assert_eq!(starts("2026-11-16").await, [""; 0], "before it begins");
    assert_eq!(week(&other, "2026-11-24").await, [] as [Value; 0]);
    student.get("/api/students/week?date=2026-02-30").await.expect(StatusCode::BAD_REQUEST);

    // The day before begins at midnight in Toronto, at 05:00 UTC.
    school.advance(jiff::SignedDuration::from_mins(13 * 60 + 59));
    assert_eq!(own_link(&student).await, Value::Null);
    school.advance(jiff::SignedDuration::from_mins(1));
    assert_eq!(
        (own_link(&student).await, &week(&student, "2026-11-24").await[0]["link"]),
        (json!(LINK), &json!(LINK))
    );

    // The viewer's rows and sheets, the class list, the catalogue: the section, and no link.
    let (viewer, course) = (school.staff_as(Role::Viewer).await, scene.course);
    let row =
        viewer.get("/api/admin/enrollments?status=active").await.expect(StatusCode::OK).json()[0].clone();
    assert_eq!(
        json!([
            row["section"]["label"],
            row["section"]["termName"],
            row["section"]["delivery"],
            row["section"]["meetings"][0]["startsAt"],
            row["section"]["meetings"][0]["link"]
        ]),
        json!(["A", "Winter 2027", "synchronous", "19:00", null])
    );
    let staff = school.staff().await;
    for path in [
        "/api/admin/enrollments".to_owned(),
        "/api/admin/enrollments?format=csv".to_owned(),
        format!("/api/admin/students/{}", student.id),
        format!("/api/admin/courses/{course}/class-list"),
        format!("/api/admin/courses/{course}/class-list?format=csv"),
    ] {
        let answer = staff.get(&path).await.expect(StatusCode::OK).text();
        assert!(answer.contains("Winter 2027") && !answer.contains("secret-room"), "{path}: {answer}");
    }
    for path in [format!("/api/admin/courses/{course}"), format!("/api/admin/sections?course={course}")] {
        assert!(!viewer.get(&path).await.expect(StatusCode::OK).text().contains("secret-room"), "{path}");
        assert!(staff.get(&path).await.text().contains("secret-room"), "{path}");
    }
    let leave = json!({ "effectiveOn": "2026-11-22", "reason": WHY });
    staff.post(&format!("/api/admin/enrollments/{id}/withdraw"), &leave).await.expect(StatusCode::OK);
    assert_eq!((own_link(&student).await, week(&student, "2026-11-24").await.len()), (Value::Null, 0));
}

#[tokio::test]
async fn calendar_programs_read_the_classes_until_the_address_is_renewed() {
    let scene = Scene::open().await;
    let (school, section) = (&scene.school, scene.section(scene.course).await);
    let (student, visitor) = (school.student().await, school.visitor());
    let id = scene.enroll(&student, &section).await;
    let address = async |method, path| {
        let answer = student.send(student.request(method, path)).await.expect(StatusCode::OK).json();
        let url = answer["url"].as_str().unwrap().to_owned();
        url[url.find("/api/").unwrap()..].to_owned()
    };
    let feed = address("GET", "/api/students/calendar").await;
    assert_eq!(address("GET", "/api/students/calendar").await, feed, "shown again");
    assert!(
        !school
            .database()
            .query_row("select exists (select 1 from calendar_addresses)", [], |row| row.get(0))
            .unwrap_or(true)
    );
    let early = visitor.get(&feed).await.expect(StatusCode::OK);
    assert_eq!(early.header("content-type"), "text/calendar; charset=utf-8");
    assert_eq!(early.header("cache-control"), "private, max-age=43200");
    let lines = early.text().replace("\r\n ", "");
    for line in [
        "BEGIN:VTIMEZONE\r\nTZID:America/Toronto\r\n",
        "DTSTART;TZID=America/Toronto:20261124T190000\r\nDTEND;TZID=America/Toronto:20261124T203000\r\n",
        "DTSTART;TZID=America/Toronto:20270316T190000\r\n",
        "SUMMARY:MHF4U A course\r\n",
        "TZOFFSETFROM:-0500\r\nTZOFFSETTO:-0400\r\n",
    ] {
        assert!(lines.contains(line), "{line} in {lines}");
    }
    // 18 weeks of two classes, less two days off.
    assert_eq!(lines.matches("BEGIN:VEVENT").count(), 34, "{lines}");
    assert!(!lines.contains("20261222") && !lines.contains("secret-room"), "{lines}");
    let known = visitor.request("GET", &feed).header("if-none-match", early.header("etag"));
    visitor.send(known).await.expect(StatusCode::NOT_MODIFIED);
    school.advance(jiff::SignedDuration::from_hours(14));
    let lines = visitor.get(&feed).await.text().replace("\r\n ", "");
    assert!(lines.contains("/student/dashboard\r\n") && !lines.contains("secret-room"), "{lines}");

    // One class is cancelled; then the student leaves.
    let (path, staff) =
        (format!("/api/admin/sections/{}/classes/cancel", section["id"]), school.staff().await);
    let class = json!({ "date": "2026-11-26", "reason": WHY });
    staff.post(&path, &class).await.expect(StatusCode::OK);
    let lines = visitor.get(&feed).await.text();
    assert!(
        lines.contains(
            "SUMMARY:Cancelled: MHF4U A course\r\nDESCRIPTION:Section A\\, Imani Sample\r\nSTATUS:CANCELLED"
        ),
        "{lines}"
    );
    assert_eq!(lines.matches("STATUS:CANCELLED").count(), 1, "{lines}");
    let renewed = address("POST", "/api/students/calendar/renew").await;
    assert_ne!(renewed, feed);
    visitor.get(&feed).await.expect(StatusCode::NOT_FOUND);
    assert!(visitor.get(&renewed).await.expect(StatusCode::OK).text().contains("BEGIN:VEVENT"));
    for wrong in ["", "1", "1-", "x-00", &feed[feed.find("token=").unwrap() + 6..]] {
        visitor.get(&format!("/api/students/calendar.ics?token={wrong}")).await.expect(StatusCode::NOT_FOUND);
    }
    let leave = json!({ "effectiveOn": "2026-11-22", "reason": WHY });
    staff.post(&format!("/api/admin/enrollments/{id}/withdraw"), &leave).await.expect(StatusCode::OK);
    let empty = visitor.get(&renewed).await.expect(StatusCode::OK).text();
    assert!(!empty.contains("BEGIN:VEVENT") && !empty.contains("secret-room"), "{empty}");
    staff
        .post(&format!("/api/admin/students/{}/suspend", student.id), &json!({ "reason": WHY }))
        .await
        .expect(StatusCode::OK);
    visitor.get(&renewed).await.expect(StatusCode::NOT_FOUND);

    // The school's own calendar has whole days, of what is published.
    let planned = json!({ "name": "Spring 2027", "startsOn": "2027-04-01", "endsOn": "2027-06-30" });
    staff.post("/api/admin/terms", &planned).await.expect(StatusCode::CREATED);
    let school_days = visitor.get("/calendar.ics").await.expect(StatusCode::OK);
    assert_eq!(school_days.header("cache-control"), "public, max-age=43200");
    let known = visitor.request("GET", "/calendar.ics").header("if-none-match", school_days.header("etag"));
    visitor.send(known).await.expect(StatusCode::NOT_MODIFIED);
    let lines = school_days.text();
    for line in [
        "DTSTART;VALUE=DATE:20261123\r\nDTEND;VALUE=DATE:20261124\r\nTRANSP:TRANSPARENT\r\nSUMMARY:Winter 2027 begins\r\n",
        "DTSTART;VALUE=DATE:20261222\r\n",
        "SUMMARY:Winter 2027 ends\r\n",
    ] {
        assert!(lines.contains(line), "{line} in {lines}");
    }
    assert!(!lines.contains("Spring"), "{lines}");
}

/// `SEQUENCE` and `LAST-MODIFIED` of the event with a text in its identifier.
fn revision(feed: &str, uid: &str) -> (u32, String) {
    let feed = feed.replace("\r\n ", "");
    let event =
        feed.split("BEGIN:VEVENT\r\n").find(|event| event.starts_with(&format!("UID:{uid}"))).unwrap();
    let value = |name: &str| event.lines().find_map(|line| line.strip_prefix(name)).unwrap().to_owned();
    (value("SEQUENCE:").parse().unwrap(), value("LAST-MODIFIED:"))
}

#[tokio::test]
async fn events_say_that_they_were_changed_and_stay_the_same_bytes_otherwise() {
    let scene = Scene::open().await;
    let (school, staff, section) = (&scene.school, &scene.staff, scene.section(scene.course).await);
    let (student, visitor) = (school.student().await, school.visitor());
    let id = scene.enroll(&student, &section).await;
    let url = student.get("/api/students/calendar").await.expect(StatusCode::OK).json()["url"].clone();
    let own = url.as_str().unwrap().split_once("/api/").unwrap().1.to_owned();
    let own = format!("/api/{own}");
    let minute = jiff::SignedDuration::from_mins(1);
    let uid = format!("class-{}-20270316T", section["id"]);
    let read = async |feed: &str| visitor.get(feed).await.expect(StatusCode::OK).text();
    // The changed event, and that nothing comes after it.
    let raised = async |what: &str, feed: &str, uid: &str, before: &str| {
        let after = read(feed).await;
        let (old, new) = (revision(before, uid), revision(&after, uid));
        assert!(new.0 > old.0 && new.1 > old.1, "{what}: {old:?} to {new:?}");
        school.advance(minute);
        assert_eq!(read(feed).await, after, "{what}: nothing was changed since");
        after
    };

    let section_path = format!("/api/admin/sections/{}", section["id"]);
    let mut meetings = section["meetings"].clone();
    meetings[1]["startsAt"] = json!("18:30");
    let class = json!({ "date": "2026-11-26", "reason": WHY });
    let term = format!("/api/admin/terms/{}", scene.term["id"]);
    let dates = json!({ "startDate": "2026-11-30", "endDate": "2027-03-26", "reason": WHY });
    let mut feed = read(&own).await;
    for (what, method, path, body) in [
        ("hours", "PATCH", section_path.clone(), json!({ "meetings": meetings })),
        ("teacher", "PATCH", section_path.clone(), json!({ "teacherName": "Noor Sample" })),
        ("class", "POST", format!("{section_path}/classes/cancel"), class.clone()),
        ("class again", "POST", format!("{section_path}/classes/restore"), class),
        ("days off", "PATCH", term.clone(), json!({ "daysOff": ["2026-12-22"] })),
        (
            "name",
            "PATCH",
            format!("/api/admin/courses/{}", scene.course),
            json!({ "name": "Another course" }),
        ),
        ("enrollment", "POST", format!("/api/admin/enrollments/{id}/dates"), dates),
    ] {
        school.advance(minute);
        assert_eq!(read(&own).await, feed, "{what}: not yet");
        let answer = staff.send(staff.request(method, &path).json(&body)).await;
        assert!(answer.status.is_success(), "{what}: {}", answer.text());
        feed = raised(what, &own, &uid, &feed).await;
    }
    // The school's own days; a term's change is one of its classes, too.
    let days = "/calendar.ics";
    let before = read(days).await;
    staff.patch(&term, &json!({ "name": "Second Term" })).await.expect(StatusCode::OK);
    raised("term", days, "term-ends-", &before).await;
    // More seats are not in it.
    let feed = read(&own).await;
    let courses = format!("/api/admin/courses/{}", scene.course);
    staff.patch(&courses, &json!({ "capacity": 40 })).await.expect(StatusCode::OK);
    assert_eq!(read(&own).await, feed);
    // The portal's address appears the day before the student begins, on November 29 since the change.
    school.advance(jiff::SignedDuration::from_hours(9 * 24));
    let after = raised("link", &own, &uid, &feed).await;
    assert!(!feed.contains("/student/dashboard") && after.contains("/student/dashboard"));
    assert_eq!(revision(&after, &uid).1, "20261129T050000Z");
}
