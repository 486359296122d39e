//! Repeats, credits from elsewhere, and prerequisites.

use std::rc::Rc;

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{LATER, OVER, Place, RUNNING};
use crate::support::Student;

async fn completed(place: &Place, student: &Student, course: i64, mark: i64) -> Value {
    let request = place.request(student, course, OVER).await;
    place.approve(student, &request["id"]).await;
    let body = json!({ "finalMark": mark });
    place.decide("complete", &request["id"], &body).await.expect(StatusCode::OK);
    request
}

async fn sum(student: &Student) -> Value {
    student.get("/api/students/credits").await.expect(StatusCode::OK).json()["sum"].clone()
}

pub async fn a_repeat_is_a_repeat(place: Rc<Place>) {
    let student = place.student().await;
    let (course, _) = place.course().await;
    let failed = completed(&place, &student, course, 41).await;
    assert_eq!((&failed["repeatOf"], &sum(&student).await["here"]), (&Value::Null, &json!(0)));
    let passed = completed(&place, &student, course, 62).await;
    assert_eq!(
        json!([passed["repeatOf"], passed["repeat"], passed["repeatedMark"]]),
        json!([failed["id"], "failed", 41])
    );
    let better = completed(&place, &student, course, 78).await;
    assert_eq!(json!([better["repeatOf"], better["repeat"]]), json!([passed["id"], "upgrade"]));
    assert_eq!(sum(&student).await["here"], 1, "the better mark earns the credit once");
    let own = student.get("/api/students/enrollments").await.json();
    let marks: Vec<_> = own.as_array().unwrap().iter().map(|one| one["finalMark"].clone()).collect();
    for mark in [41, 62, 78] {
        assert!(marks.contains(&json!(mark)), "every attempt stays on the record: {marks:?}");
    }
}

pub async fn credits_from_elsewhere_are_recorded(place: Rc<Place>) {
    let student = place.student().await;
    let path = format!("/api/admin/students/{}/external-credits", student.id);
    let credit = json!({ "code": "eng 3u", "name": "English", "credits": 1, "mark": 81, "completedOn": "2026-06-20",
        "school": "Sample Park Collegiate" });
    let made = place.staff.post(&path, &credit).await.expect(StatusCode::CREATED).json();
    let (course, _) = place.course().await;
    completed(&place, &student, course, 70).await;
    let both = json!({ "here": 1, "elsewhere": 1, "underWay": 0 });
    assert_eq!((sum(&student).await, &place.file(student.id).await["credits"]), (both.clone(), &both));
    let one = format!("{path}/{}", made["id"]);
    let void = json!({ "version": made["version"], "voided": true });
    assert!(place.staff.patch(&one, &void).await.fields()["reason"].is_string());
    let void = json!({ "version": made["version"], "voided": true, "reason": "Entered twice" });
    place.staff.patch(&one, &void).await.expect(StatusCode::OK);
    assert_eq!(sum(&student).await["elsewhere"], 0);
    assert_eq!(
        place.staff.get(&path).await.json()[0]["voidedReason"],
        "Entered twice",
        "it is never deleted"
    );
}

pub async fn the_row_shows_what_the_course_asks_for(place: Rc<Place>) {
    let student = place.student().await;
    let (here, here_code) = place.course().await;
    completed(&place, &student, here, 78).await;
    let (running, running_code) = place.course().await;
    let id = place.request(&student, running, RUNNING).await["id"].clone();
    place.approve(&student, &id).await;
    let credit = json!({ "code": "XYZ3U", "name": "Science", "credits": 1, "mark": 66, "completedOn": "2025-06-20",
        "school": "Sample Park Collegiate" });
    let path = format!("/api/admin/students/{}/external-credits", student.id);
    place.staff.post(&path, &credit).await.expect(StatusCode::CREATED);
    let own = student.get("/api/students/prerequisites").await.expect(StatusCode::OK);
    assert!(own.column("courseId").iter().all(|id| *id != here), "a course that asks for nothing");
    for (asked, state, reason) in [
        (here_code.clone(), "here", Some(format!("{here_code}, completed here with 78"))),
        (
            running_code.clone(),
            "in_progress",
            Some(format!("{running_code}, taken here until January 31, 2027")),
        ),
        ("XYZ3U".into(), "elsewhere", Some("XYZ3U, completed at Sample Park Collegiate with 66".to_owned())),
        ("XYZ3C".into(), "nothing", Some("no credit in XYZ3C is recorded".to_owned())),
        ("Any two courses in science".into(), "check_by_hand", None),
    ] {
        let (course, _) = place.course().await;
        let change = json!({ "prerequisite": asked });
        place.staff.patch(&format!("/api/admin/courses/{course}"), &change).await.expect(StatusCode::OK);
        let id = place.request(&student, course, LATER).await["id"].clone();
        let check = json!({ "text": asked, "state": state, "reason": reason });
        assert_eq!(place.row(&place.staff, &student, &id).await["prerequisite"], check);
        let own = student.get("/api/students/prerequisites").await.json();
        let own = own.as_array().unwrap().iter().find(|one| one["courseId"] == course).unwrap().clone();
        assert_eq!(
            (&own["state"], &own["reason"]),
            (&check["state"], &check["reason"]),
            "the student reads the same"
        );
    }
    // Every request that waits has a word beside what its course asks for.
    let rows = place.staff.get("/api/admin/enrollments?status=pending").await.expect(StatusCode::OK).json();
    let asks = place.staff.get("/api/admin/courses").await.json();
    for row in rows.as_array().unwrap() {
        let course = asks.as_array().unwrap().iter().find(|one| one["id"] == row["courseId"]);
        let text = course.and_then(|one| one["prerequisite"].as_str()).unwrap_or("None");
        let is_asked = !text.trim_end_matches('.').eq_ignore_ascii_case("none");
        assert!(!is_asked || row["prerequisite"]["state"].is_string(), "{row}");
    }
}
