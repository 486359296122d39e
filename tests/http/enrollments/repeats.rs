//! A completed course taken once more: after a failure, or for a better mark. It earns its credit once.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{Actor, School, Student, profile};

const WHY: &str = "The family asked the office for it.";

async fn request(student: &Student, course: i64) -> Value {
    student.enroll(course).await.expect(StatusCode::CREATED).json()
}

async fn approve(staff: &Actor, id: &Value) {
    let path = format!("/api/admin/enrollments/{id}/approve");
    staff.post(&path, &json!({})).await.expect(StatusCode::OK);
}

/// Approves a request if it waits, and completes it on its last day.
async fn complete(school: &School, staff: &Actor, id: &Value, mark: i64) -> Value {
    approve(staff, id).await;
    let over = "start_date = '2026-07-06', end_date = '2026-11-20'";
    school.count(&format!("update enrollments set {over} where id = {id} returning 1"));
    let path = format!("/api/admin/enrollments/{id}/complete");
    staff.post(&path, &json!({ "finalMark": mark })).await.expect(StatusCode::OK).json()
}

async fn own(student: &Student, id: &Value) -> Value {
    let all = student.get("/api/students/enrollments").await.json();
    all.as_array().unwrap().iter().find(|one| one["id"] == *id).unwrap().clone()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn credits(all: &Value) -> f64 {
    all.as_array().unwrap().iter().filter_map(|one| one["earnedCredits"].as_f64()).sum()
}

#[tokio::test]
async fn a_failed_course_is_asked_for_again_and_the_better_mark_earns_the_credit_once() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let first = request(&student, course).await["id"].clone();
    assert_eq!(complete(&school, &staff, &first, 41).await["earnedCredits"], 0);

    let again = request(&student, course).await;
    let id = again["id"].clone();
    assert_eq!(
        json!([again["repeatOf"], again["repeat"], again["repeatedMark"], again["status"]]),
        json!([first, "failed", 41, "pending"])
    );
    let twice = student.enroll(course).await.expect(StatusCode::CONFLICT);
    assert_eq!(twice.message(), "You have already requested this course. The office has your request.");
    let row = staff.get("/api/admin/enrollments?status=pending").await.json()[0].clone();
    assert_eq!(json!([row["repeatOf"], row["repeat"], row["repeatedMark"]]), json!([first, "failed", 41]));
    approve(&staff, &id).await;
    let told = |mails: Vec<crate::support::Mail>, words: &str| -> Vec<String> {
        let about = |mail: &crate::support::Mail| one_line(&mail.text).contains(words);
        mails.into_iter().filter(about).map(|mail| mail.subject).collect()
    };
    assert_eq!(
        told(school.all_mails().await, "You completed this course before with 41%, so this is a repeat."),
        ["We have your enrollment request", "Your enrollment is approved"]
    );

    assert_eq!(complete(&school, &staff, &id, 78).await["earnedCredits"], 1);
    let (lower, better) = (own(&student, &first).await, own(&student, &id).await);
    assert_eq!(
        json!([lower["finalMark"], lower["betterAttempt"]]),
        json!([41, id]),
        "it stays on the record"
    );
    assert_eq!(json!([better["finalMark"], better["betterAttempt"]]), json!([78, null]));
}

#[tokio::test]
async fn a_passed_course_is_repeated_for_a_better_mark_under_any_of_its_codes() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let other = school.course(&staff, "ENG4UX", json!(500)).await;
    let first = request(&student, course).await["id"].clone();
    complete(&school, &staff, &first, 62).await;
    let again = request(&student, other).await;
    assert_eq!(json!([again["repeatOf"], again["repeat"]]), json!([first, "upgrade"]));
    // One that came to nothing is no attempt: the completed one is repeated still.
    let withdraw = format!("/api/students/enrollments/{}/withdraw", again["id"]);
    student.post(&withdraw, &json!({})).await.expect(StatusCode::OK);
    let second = request(&student, course).await;
    assert_eq!(second["repeatOf"], first);
    let id = second["id"].clone();
    assert_eq!(complete(&school, &staff, &id, 55).await["earnedCredits"], 0);
    let all = student.get("/api/students/enrollments").await.json();
    assert_eq!(credits(&all), 1.0);
    assert_eq!(own(&student, &id).await["betterAttempt"], first, "the lower one is the repeat");
    let about_the_other =
        |text: &str| one_line(text).contains("Your other mark in this course is as good or better");
    let mails = school.all_mails().await;
    assert_eq!(mails.iter().filter(|mail| about_the_other(&mail.text)).count(), 1);

    // A correction turns it round, and its undoing back.
    let path = format!("/api/admin/enrollments/{id}/complete");
    let body = json!({ "finalMark": 81, "reason": "An essay was counted twice." });
    staff.post(&path, &body).await.expect(StatusCode::OK);
    let file = staff.get(&format!("/api/admin/students/{}", student.id)).await.json()["enrollments"].clone();
    assert_eq!(credits(&file), 1.0);
    assert_eq!(own(&student, &first).await["betterAttempt"], id);

    let sheet = staff.get("/api/admin/enrollments?format=csv&sort=created").await.text();
    let cells = |line: &str| line.trim_end().rsplit(',').next().unwrap().trim_matches('"').to_owned();
    let repeats: Vec<_> = sheet.lines().map(cells).collect();
    assert_eq!(repeats, ["Repeat of", "", &first.to_string(), &first.to_string()]);
}

#[tokio::test]
async fn the_office_enrolls_for_a_repeat_and_undoes_it() {
    let school = School::open_with(|config| config.office.undo_seconds = 60).await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let first = request(&student, course).await["id"].clone();
    complete(&school, &staff, &first, 62).await;
    let body = json!({ "studentId": student.id, "courseId": course, "startDate": "2026-12-01",
        "endDate": "2027-04-01", "reason": WHY });
    let made = staff.post("/api/admin/enrollments", &body).await.expect(StatusCode::CREATED).json();
    assert_eq!(
        json!([made["status"], made["repeatOf"], made["repeat"]]),
        json!(["active", first, "upgrade"])
    );
    staff.post("/api/admin/enrollments", &body).await.expect(StatusCode::CONFLICT);
    let reopen = format!("/api/admin/enrollments/{first}/reopen");
    staff.post(&reopen, &json!({ "reason": WHY })).await.expect(StatusCode::CONFLICT);
    let undo = format!("/api/admin/decisions/{}/undo", made["undo"]["id"].as_str().unwrap());
    staff.post(&undo, &json!({})).await.expect(StatusCode::OK);
    let after = own(&student, &made["id"]).await;
    assert_eq!(json!([after["status"], after["repeatOf"]]), json!(["withdrawn", first]));
    assert_eq!(own(&student, &first).await["earnedCredits"], 1);
}

#[tokio::test]
async fn a_course_taken_in_two_merged_accounts_is_a_repeat() {
    let school = School::open().await;
    let staff = school.staff().await;
    let (kept, gone) = (school.student().await, school.student().await);
    for student in [&kept, &gone] {
        student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);
    }
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let first = request(&gone, course).await["id"].clone();
    complete(&school, &staff, &first, 66).await;
    school.advance(jiff::SignedDuration::from_secs(1));
    let second = request(&kept, course).await;
    assert_eq!(second["repeatOf"], Value::Null);
    let merge = format!("/api/admin/students/{}/merge", kept.id);
    staff.post(&merge, &json!({ "otherId": gone.id })).await.expect(StatusCode::OK);
    let after = own(&kept, &second["id"]).await;
    assert_eq!(
        json!([after["repeatOf"], after["repeat"], after["repeatedMark"]]),
        json!([first, "upgrade", 66])
    );
    assert_eq!(own(&kept, &first).await["repeatOf"], Value::Null);
}
