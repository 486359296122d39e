//! Seats and final marks.

use std::rc::Rc;

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{LATER, OVER, Place, RUNNING, WHY};

async fn small_class(place: &Place) -> i64 {
    let (course, _) = place.course().await;
    let one = json!({ "capacity": 1 });
    place.staff.patch(&format!("/api/admin/courses/{course}"), &one).await.expect(StatusCode::OK);
    course
}

async fn refused_as_full(place: &Place, course: i64, dates: [&str; 2]) -> Value {
    let student = place.student().await;
    let id = place.request(&student, course, dates).await["id"].clone();
    let row = place.row(&place.staff, &student, &id).await;
    assert!(row["missing"].as_array().unwrap().contains(&json!("capacity")), "{row}");
    let other = json!({ "override": { "guardian": WHY, "documents": WHY } });
    let body = if place.is_strict() { other } else { json!({}) };
    let refused = place.decide("approve", &id, &body).await.expect(StatusCode::CONFLICT).json();
    assert_eq!(refused["reason"], "capacity_full", "{refused}");
    id
}

async fn approved(place: &Place, course: i64, dates: [&str; 2]) -> Value {
    let student = place.student().await;
    let id = place.request(&student, course, dates).await["id"].clone();
    let row = place.row(&place.staff, &student, &id).await;
    assert!(!row["missing"].as_array().unwrap().contains(&json!("capacity")), "{row}");
    place.approve(&student, &id).await;
    id
}

pub async fn seats_are_taken_by_dates(place: Rc<Place>) {
    let course = small_class(&place).await;
    // One that has ended holds no seat, though its mark is missing.
    approved(&place, course, OVER).await;
    approved(&place, course, LATER).await;
    approved(&place, course, RUNNING).await;
    refused_as_full(&place, course, RUNNING).await;
    refused_as_full(&place, course, LATER).await;
    let page = place.staff.get(&format!("/api/admin/courses/{course}")).await.expect(StatusCode::OK).json();
    assert_eq!(json!([page["seatsTaken"], page["seatsTakenToday"], page["active"]]), json!([1, 1, 3]));
}

pub async fn a_seat_is_taken_until_the_day_of_leaving(place: Rc<Place>) {
    let course = small_class(&place).await;
    let id = approved(&place, course, RUNNING).await;
    let leave = json!({ "reason": WHY, "effectiveOn": "2027-01-10" });
    place.decide("withdraw", &id, &leave).await.expect(StatusCode::OK);
    refused_as_full(&place, course, ["2027-01-09", "2027-03-31"]).await;
    approved(&place, course, ["2027-01-10", "2027-03-31"]).await;
    // A student who left today frees the seat today.
    let other = small_class(&place).await;
    let id = approved(&place, other, RUNNING).await;
    let leave = json!({ "reason": WHY, "effectiveOn": "2026-11-21" });
    place.decide("withdraw", &id, &leave).await.expect(StatusCode::OK);
    approved(&place, other, RUNNING).await;
}

pub async fn a_final_mark_waits_for_the_course(place: Rc<Place>) {
    let (_, _, later) = place.enrolled(LATER).await;
    let early = json!({ "finalMark": 80, "reason": WHY });
    let refused = place.decide("complete", &later, &early).await.expect(StatusCode::CONFLICT);
    assert!(refused.message().contains("begins on February 1, 2027"), "{}", refused.message());

    let (student, course, running) = place.enrolled(RUNNING).await;
    let version = place.row(&place.staff, &student, &running).await["version"].clone();
    let sheet = json!({ "rows": [{ "enrollmentId": running, "version": version, "final": 80 }] });
    let path = format!("/api/admin/courses/{course}/marks");
    let result = place.staff.post(&path, &sheet).await.expect(StatusCode::OK).json()["results"][0].clone();
    assert_eq!((&result["ok"], &result["status"]), (&json!(false), &json!(400)), "{result}");
    for reason in [Value::Null, json!("too short")] {
        let body = json!({ "finalMark": 80, "reason": reason });
        let fields = place.decide("complete", &running, &body).await.fields();
        assert!(fields["reason"].as_str().unwrap().contains("runs until January 31, 2027"), "{fields}");
    }
    let done = place.decide("complete", &running, &early).await.expect(StatusCode::OK).json();
    assert_eq!((&done["status"], &done["earnedCredits"]), (&json!("completed"), &json!(1)));
    let events = place.file(student.id).await["enrollments"][0]["events"].clone();
    let completed = events.as_array().unwrap().iter().find(|event| event["verb"] == "complete").unwrap();
    assert_eq!(completed["reason"], WHY);

    let (_, _, over) = place.enrolled(OVER).await;
    place.decide("complete", &over, &json!({ "finalMark": 80 })).await.expect(StatusCode::OK);
}
