//! Decisions of the office, and undoing them before their emails are sent.

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use crate::support::{Actor, Answer, School, Student, profile};

const APPROVED: &str = "Your enrollment is approved";
const DECLINED: &str = "Your enrollment request was declined";
const REASON: &str = "The class of this winter is full.";

/// A school whose decisions can be undone for a minute.
async fn school() -> School {
    School::open_with(|config| config.office.undo_seconds = 60).await
}

async fn decide(staff: &Actor, verb: &str, id: &Value) -> Answer {
    let body = if verb == "decline" { json!({ "reason": REASON, "code": "class_full" }) } else { json!({}) };
    staff.post(&format!("/api/admin/enrollments/{id}/{verb}"), &body).await
}

async fn undo(staff: &Actor, decided: &Value) -> Answer {
    let id = decided["undo"]["id"].as_str().expect("a decision that can be undone");
    staff.post(&format!("/api/admin/decisions/{id}/undo"), &json!({})).await
}

async fn request(school: &School, staff: &Actor, price: Value) -> (Student, i64, Value) {
    let student = school.student().await;
    student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);
    let course = school.course(staff, "ENG4U", price).await;
    let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone();
    (student, course, id)
}

async fn due(staff: &Actor) -> Value {
    staff.get("/api/admin/dashboard").await.json()["totalFeeDue"].clone()
}

async fn own(student: &Student) -> Value {
    unversioned(student.get("/api/students/enrollments").await.json()[0].clone())
}

/// The version grows whatever is done, and undone.
fn unversioned(mut enrollment: Value) -> Value {
    enrollment.as_object_mut().expect("an enrollment").remove("version");
    enrollment
}

/// How many emails of this subject wait or have left.
fn written(school: &School, subject: &str) -> i64 {
    school.count(&format!("select count(*) from outbox where subject = '{subject}'"))
}

#[tokio::test]
async fn a_refusal_is_shown_as_its_student_will_read_it_and_decides_nothing() {
    let school = School::open().await;
    let staff = school.staff().await;
    let (student, _, id) = request(&school, &staff, json!(500)).await;
    let path = format!("/api/admin/enrollments/{id}/decline/preview");
    assert!(staff.post(&path, &json!({ "reason": "No." })).await.fields()["reason"].is_string());
    let shown = staff.post(&path, &json!({ "reason": REASON })).await.expect(StatusCode::OK).json();
    assert_eq!((&shown["recipient"], &shown["subject"]), (&json!(student.email), &json!(DECLINED)));
    assert_eq!(own(&student).await["status"], "pending");
    assert_eq!(school.count("select count(*) from outbox where kind = 'enrollment_decision'"), 0);
    decide(&staff, "decline", &id).await.expect(StatusCode::OK);
    let mail = school.mail(&student.email, DECLINED).await;
    assert_eq!(mail.text.replace("\r\n", "\n").trim(), shown["text"].as_str().unwrap().trim());
    staff
        .post("/api/admin/enrollments/999999/decline/preview", &json!({ "reason": REASON }))
        .await
        .expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn an_undone_approval_leaves_no_email_no_debt_and_its_events() {
    let school = school().await;
    let staff = school.staff().await;
    let (student, _, id) = request(&school, &staff, json!(500)).await;
    let before = own(&student).await;

    let approved = decide(&staff, "approve", &id).await.expect(StatusCode::OK).json();
    let until = school.clock.now() + SignedDuration::from_secs(60);
    assert_eq!(approved["undo"]["until"], until.to_string());
    assert_eq!((due(&staff).await, written(&school, APPROVED)), (json!(500), 1));
    assert_eq!(decide(&staff, "approve", &id).await.json()["undo"], Value::Null, "it changed nothing");

    school.advance(SignedDuration::from_secs(59));
    for _ in 0..2 {
        let undone = undo(&staff, &approved).await.expect(StatusCode::OK).json();
        assert_eq!(unversioned(undone["restored"][0].clone()), before);
        assert_eq!(own(&student).await, before);
        assert_eq!((due(&staff).await, written(&school, APPROVED)), (json!(0), 0));
    }
    let ledger = "select count(*) from ledger where kind = 'charge' or reverses_id is not null";
    assert_eq!(school.count(ledger), 2);
    let events = "select count(*) from enrollment_events e join enrollment_events u on u.undoes_id = e.id
        where e.to_status = 'active' and u.from_status = 'active' and u.to_status = 'pending'";
    assert_eq!(school.count(events), 1);
    assert_eq!(school.count("select count(*) from audit where action = 'undo'"), 1);
    assert_eq!(school.count("select count(*) from students where identity_checked_at is not null"), 0);

    // It is a request like any other again.
    decide(&staff, "approve", &id).await.expect(StatusCode::OK);
    assert_eq!(due(&staff).await, 500);
    school.advance(SignedDuration::from_secs(61));
    school.mail(&student.email, APPROVED).await;
}

#[tokio::test]
async fn a_decision_is_final_once_its_email_may_be_sent() {
    let school = school().await;
    let staff = school.staff().await;
    let (student, _, id) = request(&school, &staff, json!(500)).await;
    let approved = decide(&staff, "approve", &id).await.json();
    school.advance(SignedDuration::from_secs(60));
    let refused = undo(&staff, &approved).await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.message(), "The email about this decision has left, so it can no longer be undone.");
    assert_eq!((&own(&student).await["status"], due(&staff).await), (&json!("active"), json!(500)));
}

#[tokio::test]
async fn without_a_time_to_undo_the_email_leaves_at_once() {
    let school = School::open().await;
    let staff = school.staff().await;
    let (student, _, id) = request(&school, &staff, json!(500)).await;
    let declined = decide(&staff, "decline", &id).await.expect(StatusCode::OK).json();
    assert_eq!((&declined["undo"], &declined["isChanged"]), (&Value::Null, &json!(true)));
    let email = school.mail(&student.email, DECLINED).await;
    assert!(email.text.contains(REASON), "{}", email.text);
}

#[tokio::test]
async fn a_declined_request_says_why_and_comes_back_when_that_is_undone() {
    let school = school().await;
    let staff = school.staff().await;
    let (student, _, id) = request(&school, &staff, json!(500)).await;
    let before = own(&student).await;
    let declined = decide(&staff, "decline", &id).await.expect(StatusCode::OK).json();
    assert_eq!((&declined["status"], &declined["reason"]), (&json!("declined"), &json!(REASON)));
    assert_eq!(own(&student).await["reason"], REASON);
    assert_eq!(staff.get("/api/admin/enrollments/pending").await.json(), json!([]));
    let again = decide(&staff, "decline", &id).await.expect(StatusCode::OK).json();
    assert_eq!((&again["isChanged"], &again["undo"]), (&json!(false), &Value::Null));
    undo(&staff, &declined).await.expect(StatusCode::OK);
    assert_eq!((own(&student).await, written(&school, DECLINED)), (before, 0));

    // A repeated decision is a new one: undoing the first again does not affect it.
    decide(&staff, "approve", &id).await.expect(StatusCode::OK);
    undo(&staff, &declined).await.expect(StatusCode::OK);
    assert_eq!(own(&student).await["status"], "active");
}

#[tokio::test]
async fn a_request_that_was_asked_again_is_not_brought_back_beside_the_new_one() {
    let school = school().await;
    let staff = school.staff().await;
    let (student, course, id) = request(&school, &staff, json!(500)).await;
    let declined = decide(&staff, "decline", &id).await.json();
    student.enroll(course).await.expect(StatusCode::CREATED);
    let refused = undo(&staff, &declined).await.expect(StatusCode::CONFLICT);
    assert!(refused.message().starts_with("The student has asked for this course again"));
    assert_eq!(written(&school, DECLINED), 1, "its email leaves all the same");
}

#[tokio::test]
async fn a_price_that_was_taken_back_counts_as_none() {
    let school = school().await;
    let staff = school.staff().await;
    let (_, course, id) = request(&school, &staff, Value::Null).await;
    let price = |price: Value| {
        let (staff, path) = (&staff, format!("/api/admin/courses/{course}"));
        async move { staff.patch(&path, &json!({ "price": price })).await.expect(StatusCode::OK) }
    };
    price(json!(500)).await;
    let approved = decide(&staff, "approve", &id).await.json();
    undo(&staff, &approved).await.expect(StatusCode::OK);
    price(Value::Null).await;
    decide(&staff, "approve", &id).await.expect(StatusCode::OK);
    let dashboard = staff.get("/api/admin/dashboard").await.json();
    assert_eq!((&dashboard["unpricedEnrollmentsCount"], &dashboard["totalFeeDue"]), (&json!(1), &json!(0)));
}

#[tokio::test]
async fn a_refusal_needs_a_reason_a_valid_state_and_permission() {
    let school = school().await;
    let staff = school.staff().await;
    let (student, _, id) = request(&school, &staff, json!(500)).await;
    let path = format!("/api/admin/enrollments/{id}/decline");
    for (body, field) in [
        (json!({}), "reason"),
        (json!({ "reason": "  Too full " }), "reason"),
        (json!({ "reason": "x".repeat(1001) }), "reason"),
        (json!({ "reason": REASON, "code": "mood" }), "code"),
        (json!({ "reason": REASON, "expected": "new" }), "expected"),
    ] {
        let refused = staff.post(&path, &body).await.expect(StatusCode::BAD_REQUEST);
        assert_eq!(refused.fields().as_object().unwrap().keys().collect::<Vec<_>>(), [field], "{body}");
    }
    let seen = json!({ "reason": REASON, "expected": "waitlisted" });
    staff.post(&path, &seen).await.expect(StatusCode::CONFLICT);
    let viewer = school.staff_as(Role::Viewer).await;
    decide(&viewer, "decline", &id).await.expect(StatusCode::FORBIDDEN);
    decide(&staff, "decline", &json!(999)).await.expect(StatusCode::NOT_FOUND);
    staff.post("/api/admin/decisions/none/undo", &json!({})).await.expect(StatusCode::NOT_FOUND);

    let approved = decide(&staff, "approve", &id).await.json();
    let refused = decide(&staff, "decline", &id).await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.message(), "This enrollment is active and can no longer be declined.");
    assert_eq!(refused.json()["current"]["status"], "active");
    let id = approved["undo"]["id"].as_str().unwrap();
    viewer.post(&format!("/api/admin/decisions/{id}/undo"), &json!({})).await.expect(StatusCode::FORBIDDEN);
    assert_eq!(own(&student).await["status"], "active");
}

/// Requests of one student for courses of these codes at 100 each; returns their numbers.
async fn requests(school: &School, staff: &Actor, codes: &[&str]) -> (Student, Vec<Value>) {
    let student = school.student().await;
    let mut ids = Vec::new();
    for code in codes {
        let course = school.course(staff, code, json!(100)).await;
        ids.push(student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone());
    }
    (student, ids)
}

async fn decide_all(staff: &Actor, verb: &str, ids: &[Value]) -> Answer {
    let body = json!({ "ids": ids, "reason": REASON });
    staff.post(&format!("/api/admin/enrollments/{verb}"), &body).await
}

#[tokio::test]
async fn a_bulk_answers_for_each_row_and_is_undone_by_row_or_as_a_whole() {
    let school = school().await;
    let staff = school.staff().await;
    let (student, mut ids) = requests(&school, &staff, &["AAA4U", "BBB4U", "CCC4U", "DDD4U"]).await;
    let withdraw = format!("/api/students/enrollments/{}/withdraw", ids[3]);
    student.post(&withdraw, &json!({})).await.expect(StatusCode::OK);
    ids.extend([json!(999), ids[0].clone()]);

    let answer = decide_all(&staff, "approve", &ids).await.expect(StatusCode::OK).json();
    let results = answer["results"].as_array().unwrap();
    let found: Vec<_> = results.iter().map(|each| (&each["ok"], &each["status"])).collect();
    let (yes, no) = (json!(true), json!(false));
    let (none, gone, moved) = (Value::Null, json!(404), json!(409));
    assert_eq!(found, [(&yes, &none), (&yes, &none), (&yes, &none), (&no, &moved), (&no, &gone)]);
    assert_eq!(results[3]["message"], "This enrollment is withdrawn and can no longer be approved.");
    assert_eq!((due(&staff).await, written(&school, APPROVED)), (json!(300), 3));

    let own = results[1]["row"].clone();
    assert_eq!(undo(&staff, &own).await.expect(StatusCode::OK).json()["restored"][0]["id"], ids[1]);
    assert_eq!((due(&staff).await, written(&school, APPROVED)), (json!(200), 2));
    // It is decided again, and so is no longer part of the bulk.
    decide(&staff, "approve", &ids[1]).await.expect(StatusCode::OK);
    let undone = undo(&staff, &answer).await.expect(StatusCode::OK).json();
    assert_eq!(undone["restored"].as_array().unwrap().len(), 2);
    assert_eq!((due(&staff).await, written(&school, APPROVED)), (json!(100), 1));

    let again = decide_all(&staff, "approve", &ids[1..2]).await.expect(StatusCode::OK).json();
    assert_eq!((&again["results"][0]["row"]["isChanged"], &again["undo"]), (&no, &Value::Null));
    decide_all(&staff, "decline", &[ids[0].clone(), ids[2].clone()]).await.expect(StatusCode::OK);
    assert_eq!(written(&school, DECLINED), 2);
    for body in [json!({}), json!({ "ids": [] }), json!({ "ids": vec![1; 201] }), json!({ "ids": ["1"] })] {
        let refused =
            staff.post("/api/admin/enrollments/approve", &body).await.expect(StatusCode::BAD_REQUEST);
        assert_eq!(refused.fields(), json!({ "ids": "Choose 1 to 200 enrollments" }));
    }
}

#[tokio::test]
async fn two_who_approve_the_same_requests_at_once_charge_and_write_once() {
    let school = school().await;
    let staff = school.staff().await;
    let codes: Vec<String> = ('A'..='T').map(|letter| format!("{letter}XX4U")).collect();
    let (_, ids) = requests(&school, &staff, &codes.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let other = school.staff_as(Role::Registrar).await;
    let backwards: Vec<_> = ids.iter().rev().cloned().collect();
    let (one, two) =
        tokio::join!(decide_all(&staff, "approve", &ids), decide_all(&other, "approve", &backwards));
    for answer in [one, two] {
        let answer = answer.expect(StatusCode::OK).json();
        assert!(answer["results"].as_array().unwrap().iter().all(|each| each["ok"] == true));
    }
    assert_eq!((due(&staff).await, written(&school, APPROVED)), (json!(2000), 20));
    assert_eq!(school.count("select count(*) from ledger"), 20);
}
