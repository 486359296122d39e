//! The office's review: every transition, and the emails about it.

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use crate::support::{Actor, Answer, PDF, School, Student, profile};

/// A school whose decisions can be undone for a minute.
pub(super) async fn school() -> School {
    School::open_with(|config| config.office.undo_seconds = 60).await
}

pub(super) async fn upload(student: &Student, of_type: &str) -> i64 {
    let made = student.upload(of_type, "a.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED).json();
    made["id"].as_i64().unwrap()
}

pub(super) async fn decide(staff: &Actor, id: i64, verb: &str, body: &Value) -> Answer {
    staff.post(&format!("/api/admin/documents/{id}/{verb}"), body).await
}

pub(super) async fn accept(staff: &Actor, id: i64) -> Value {
    decide(staff, id, "accept", &json!({})).await.expect(StatusCode::OK).json()
}

async fn reject(staff: &Actor, id: i64) -> Value {
    let body = json!({ "code": "unreadable", "text": "The lower half is black." });
    decide(staff, id, "reject", &body).await.expect(StatusCode::OK).json()
}

async fn undo(staff: &Actor, decided: &Value) -> Answer {
    let id = decided["undo"]["id"].as_str().expect("a decision that can be undone");
    staff.post(&format!("/api/admin/decisions/{id}/undo"), &json!({})).await
}

async fn delete(staff: &Actor, id: i64, body: &Value) -> Answer {
    let request = staff.request("DELETE", &format!("/api/admin/documents/{id}")).json(body);
    staff.send(request).await
}

async fn own(student: &Student, id: i64) -> Value {
    let all = student.get("/api/students/documents").await.expect(StatusCode::OK).json();
    all.as_array().unwrap().iter().find(|one| one["id"] == id).cloned().unwrap_or_default()
}

pub(super) async fn wanted(student: &Student) -> Value {
    student.get("/api/students/wanted").await.expect(StatusCode::OK).json()
}

pub(super) async fn wanted_document(student: &Student, of_type: &str) -> Option<Value> {
    wanted(student).await.as_array().unwrap().iter().find(|one| one["documentType"] == of_type).cloned()
}

pub(super) async fn file(staff: &Actor, student: &Student) -> Value {
    staff.get(&format!("/api/admin/students/{}", student.id)).await.expect(StatusCode::OK).json()
}

/// Emails about documents that wait or have left, by their subjects.
fn written(school: &School) -> Vec<String> {
    let connection = school.database();
    let mut select = connection
        .prepare("select subject from outbox where kind = 'document_decision' order by id")
        .unwrap();
    select.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

#[tokio::test]
async fn a_document_is_missing_then_with_the_office_then_accepted_or_rejected_with_words() {
    let school = school().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let missing = wanted_document(&student, "transcript").await.unwrap();
    assert_eq!((&missing["isWithOffice"], &missing["label"]), (&json!(false), &json!("School Transcript")));
    assert_eq!(missing.get("reason"), None);
    let id = upload(&student, "transcript").await;
    assert_eq!(wanted_document(&student, "transcript").await.unwrap()["isWithOffice"], true);

    let rejected = reject(&staff, id).await;
    assert_eq!((&rejected["status"], &rejected["reviewedBy"]), (&json!("rejected"), &json!("staff0")));
    let seen = own(&student, id).await;
    assert_eq!(
        (&seen["status"], &seen["rejectCode"], &seen["reason"], &seen["expiresOn"]),
        (&json!("rejected"), &json!("unreadable"), &json!("The lower half is black."), &Value::Null)
    );
    let missing = wanted_document(&student, "transcript").await.unwrap();
    assert_eq!(missing["isWithOffice"], false);
    assert_eq!(missing["reason"], "It cannot be read. The lower half is black.");
    assert_eq!(file(&staff, &student).await["wanted"], wanted(&student).await);
    school.advance(SignedDuration::from_secs(61));
    let mail = school.mail(&student.email, "Please upload your document again: School Transcript").await;
    assert!(mail.text.contains("School Transcript: rejected. It cannot be read. The lower half is black."));
    assert!(mail.text.contains("Still needed: ") && mail.text.contains("Government ID"), "{}", mail.text);

    // A new one takes its place, and the old one stays as it was decided.
    let again = upload(&student, "transcript").await;
    assert_eq!(wanted_document(&student, "transcript").await.unwrap()["isWithOffice"], true);
    let body = json!({ "expiresOn": "2027-06-30", "expected": "pending_review" });
    let accepted = decide(&staff, again, "accept", &body).await.expect(StatusCode::OK).json();
    assert_eq!((&accepted["status"], &accepted["expiresOn"]), (&json!("accepted"), &json!("2027-06-30")));
    assert_eq!(wanted_document(&student, "transcript").await, None);
    assert_eq!(own(&student, id).await["status"], "rejected");
    let history = file(&staff, &student).await["history"].clone();
    let fields: Vec<_> = history.as_array().unwrap().iter().map(|one| &one["field"]).collect();
    assert!(fields.contains(&&json!("documentAccepted")) && fields.contains(&&json!("documentRejected")));

    // A newer one that is accepted supersedes it, which stays as dated evidence.
    let newest = upload(&student, "transcript").await;
    assert_eq!(own(&student, again).await["status"], "accepted", "until the office has looked");
    accept(&staff, newest).await;
    assert_eq!(own(&student, again).await["status"], "superseded");
    assert_eq!(own(&student, again).await["expiresOn"], "2027-06-30");
}

#[tokio::test]
async fn a_verdict_is_given_once_and_the_other_one_is_told_how_it_stands() {
    let school = school().await;
    let (staff, other, student) = (school.staff().await, school.staff().await, school.student().await);
    let id = upload(&student, "transcript").await;
    let later = json!({ "expected": "rejected" });
    let conflict = decide(&other, id, "accept", &later).await.expect(StatusCode::CONFLICT).json();
    assert_eq!(conflict["current"]["status"], "pending_review");
    for _ in 0..2 {
        assert_eq!(accept(&staff, id).await["status"], "accepted");
    }
    assert_eq!(accept(&other, id).await["undo"], Value::Null, "it changed nothing");
    let refused =
        decide(&other, id, "reject", &json!({ "code": "expired" })).await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.json()["current"]["reviewedBy"], "staff0");
    assert_eq!(refused.message(), "This document is accepted already. Reopen it to decide again.");
    school.advance(SignedDuration::from_secs(61));
    for _ in 0..2 {
        let reopened = decide(&other, id, "reopen", &json!({})).await.expect(StatusCode::OK).json();
        assert_eq!((&reopened["status"], &reopened["reviewedBy"]), (&json!("pending_review"), &Value::Null));
    }
    reject(&other, id).await;
    assert_eq!(reject(&staff, id).await["undo"], Value::Null);
    // Of one that a newer one has replaced nothing is decided.
    upload(&student, "government_id").await;
    let first = upload(&student, "government_id").await;
    let old = school.count("select id from student_documents where status = 'superseded'");
    for (verb, body) in
        [("accept", json!({})), ("reject", json!({ "code": "expired" })), ("reopen", json!({}))]
    {
        let refused = decide(&staff, old, verb, &body).await.expect(StatusCode::CONFLICT);
        assert_eq!(refused.json()["current"]["status"], "superseded");
        decide(&staff, 999_999, verb, &body).await.expect(StatusCode::NOT_FOUND);
    }
    // While a newer one waits, the rejected one stays rejected.
    reject(&staff, first).await;
    school.advance(SignedDuration::from_secs(61));
    upload(&student, "government_id").await;
    let refused = decide(&staff, first, "reopen", &json!({})).await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.message(), "A newer document of this type waits. Decide about that one.");
}

#[tokio::test]
async fn what_cannot_be_understood_is_refused_by_field() {
    let school = school().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let id = upload(&student, "transcript").await;
    for (verb, body, field) in [
        ("reject", json!({}), "code"),
        ("reject", json!({ "code": "ugly" }), "code"),
        ("reject", json!({ "code": "expired", "text": "x".repeat(501) }), "text"),
        ("reject", json!({ "code": "expired", "expected": "new" }), "expected"),
        ("accept", json!({ "expiresOn": "2026-02-30" }), "expiresOn"),
        ("accept", json!({ "expiresOn": "2026-11-20" }), "expiresOn"),
        ("accept", json!({ "isNameCompared": "yes" }), "isNameCompared"),
        ("reopen", json!({ "expected": "new" }), "expected"),
    ] {
        assert!(decide(&staff, id, verb, &body).await.fields()[field].is_string(), "{verb} {body}");
    }
    assert!(delete(&staff, id, &json!({ "reason": " " })).await.fields()["reason"].is_string());
    for query in ["status=new", "type=passport", "student=me", "sort=name"] {
        staff.get(&format!("/api/admin/documents?{query}")).await.expect(StatusCode::BAD_REQUEST);
    }
    assert_eq!(own(&student, id).await["status"], "pending_review");
    for role in [Role::Bursar, Role::Viewer] {
        let actor = school.staff_as(role).await;
        decide(&actor, id, "accept", &json!({})).await.expect(StatusCode::FORBIDDEN);
        delete(&actor, id, &json!({ "reason": "Mine" })).await.expect(StatusCode::FORBIDDEN);
    }
}

#[tokio::test]
async fn an_undone_verdict_leaves_no_email_and_gives_everything_back() {
    let school = school().await;
    let (staff, student) = (school.staff().await, school.student().await);
    student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);
    let first = upload(&student, "government_id").await;
    accept(&staff, first).await;
    school.advance(SignedDuration::from_hours(2));
    let staff = school.staff().await;
    let id = upload(&student, "government_id").await;
    let before = own(&student, id).await;
    let body = json!({ "isNameCompared": true, "isBirthDateCompared": true });
    let accepted = decide(&staff, id, "accept", &body).await.expect(StatusCode::OK).json();
    let checked = async || file(&staff, &student).await["student"]["identityCheckedAt"].clone();
    assert_eq!((checked().await, written(&school).len()), (json!("2026-11-21T17:00:00Z"), 2));
    assert_eq!(own(&student, first).await["status"], "superseded");
    school.advance(SignedDuration::from_secs(59));
    for _ in 0..2 {
        let undone = undo(&staff, &accepted).await.expect(StatusCode::OK).json();
        assert_eq!(undone["restored"][0]["status"], "pending_review");
        assert_eq!(own(&student, id).await, before);
        assert_eq!(own(&student, first).await["status"], "accepted");
        assert_eq!((checked().await, written(&school).len()), (Value::Null, 1));
    }
    // After its minute a verdict stands; to reopen it within that is to undo it.
    let rejected = reject(&staff, id).await;
    decide(&staff, id, "reopen", &json!({})).await.expect(StatusCode::OK);
    assert_eq!((own(&student, id).await, written(&school).len()), (before, 1));
    undo(&staff, &rejected).await.expect(StatusCode::OK);
    let rejected = reject(&staff, id).await;
    school.advance(SignedDuration::from_secs(60));
    undo(&staff, &rejected).await.expect(StatusCode::CONFLICT);
    school.mail(&student.email, "Please upload your document again: Government ID").await;
    // A verdict that another one followed is not taken back behind it.
    let reopened = decide(&staff, id, "reopen", &json!({})).await.expect(StatusCode::OK).json();
    accept(&staff, id).await;
    let refused = undo(&staff, &reopened).await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.json()["current"]["status"], "accepted");
}

#[tokio::test]
async fn what_is_decided_within_the_hour_leaves_as_one_email() {
    let school = school().await;
    let (staff, student, other) = (school.staff().await, school.student().await, school.student().await);
    let mut ids = Vec::new();
    for of_type in ["government_id", "transcript", "proof_of_address", "health_insurance"] {
        ids.push(upload(&student, of_type).await);
    }
    let foreign = upload(&other, "transcript").await;
    accept(&staff, ids[0]).await;
    school.advance(SignedDuration::from_secs(61));
    school.mail(&student.email, "Your document is accepted: Government ID").await;
    reject(&staff, ids[1]).await;
    accept(&staff, ids[2]).await;
    let last = accept(&staff, ids[3]).await;
    undo(&staff, &last).await.expect(StatusCode::OK);
    accept(&staff, foreign).await;
    school.advance(SignedDuration::from_mins(58));
    school.mail(&other.email, "Your document is accepted: School Transcript").await;
    let told = "select count(*) from outbox where subject = 'The office has reviewed your documents' and attempts > 0";
    assert_eq!(school.count(told), 0);
    school.advance(SignedDuration::from_mins(1));
    let mail = school.mail(&student.email, "The office has reviewed your documents").await;
    assert!(
        mail.text.contains("School Transcript: rejected.")
            && mail.text.contains("Proof of Address: accepted.")
    );
    assert!(!mail.text.contains("Health Insurance"), "it was undone: {}", mail.text);
    // The hour is over: the next one leaves at once.
    accept(&staff, ids[3]).await;
    school.advance(SignedDuration::from_secs(61));
    school.mail(&student.email, "Your document is accepted: Health Insurance").await;
}

#[tokio::test]
async fn a_deleted_document_is_gone_for_everyone_and_its_reason_stays() {
    let school = school().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let first = upload(&student, "transcript").await;
    let id = upload(&student, "transcript").await;
    assert_eq!(own(&student, first).await["status"], "superseded");
    let without = staff.delete(&format!("/api/admin/documents/{id}")).await.fields();
    assert_eq!(without, json!({ "reason": "Please say why it is deleted" }));
    assert_eq!(delete(&staff, id, &json!({ "reason": " " })).await.fields(), without);
    delete(&staff, id, &json!({ "reason": "The scan of another student" }))
        .await
        .expect(StatusCode::NO_CONTENT);
    for actor in [&*student, &staff] {
        actor.get(&format!("/api/documents/{id}")).await.expect(StatusCode::NOT_FOUND);
    }
    staff.get(&format!("/api/admin/documents/{id}")).await.expect(StatusCode::NOT_FOUND);
    delete(&staff, id, &json!({ "reason": "Again" })).await.expect(StatusCode::NOT_FOUND);
    assert_eq!(own(&student, first).await["status"], "pending_review", "it counts again");
    let audited = "select count(*) from audit where action = 'delete' and object = 'document'
        and detail ->> '$.reason' = 'The scan of another student'";
    assert_eq!(school.count(audited), 1);
    // Whatever its state is; nothing is written to its student any more.
    accept(&staff, first).await;
    delete(&staff, first, &json!({ "reason": "The same again" })).await.expect(StatusCode::NO_CONTENT);
    assert_eq!(written(&school), [""; 0]);
    assert_eq!(wanted_document(&student, "transcript").await.unwrap()["isWithOffice"], false);
}

#[tokio::test]
async fn accepting_an_id_that_was_compared_is_the_identity_check() {
    let school = school().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let both = json!({ "isNameCompared": true, "isBirthDateCompared": true });
    let id = upload(&student, "government_id").await;
    let refused = decide(&staff, id, "accept", &both).await.expect(StatusCode::CONFLICT);
    assert!(refused.message().starts_with("There is nothing to compare yet"), "{}", refused.message());
    student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);
    let review = staff.get(&format!("/api/admin/documents/{id}")).await.expect(StatusCode::OK).json();
    assert_eq!(
        (&review["facts"]["fullName"], &review["facts"]["dateOfBirth"], &review["earlier"]),
        (&json!("Amara Okonkwo"), &json!("2009-03-01"), &json!([]))
    );
    decide(&staff, id, "accept", &json!({ "isNameCompared": true })).await.expect(StatusCode::OK);
    assert_eq!(file(&staff, &student).await["student"]["identityCheckedAt"], Value::Null, "both, or none");
    school.advance(SignedDuration::from_hours(2));
    let staff = school.staff().await;
    let checked = async || file(&staff, &student).await["student"]["identityCheckedAt"].clone();
    decide(&staff, id, "reopen", &json!({})).await.expect(StatusCode::OK);
    decide(&staff, id, "accept", &both).await.expect(StatusCode::OK);
    assert_eq!(checked().await, "2026-11-21T17:00:00Z");
    // A changed name is told to the office and to the student.
    student.patch("/api/students/me", &json!({ "fullName": "Chioma" })).await.expect(StatusCode::OK);
    let changes = staff.get("/api/admin/students/identity-changes").await.json();
    assert_eq!((&changes[0]["id"], &changes[0]["isIdentityChanged"]), (&json!(student.id), &json!(true)));
    // Looked at again, the document is no check any more.
    school.advance(SignedDuration::from_secs(61));
    decide(&staff, id, "reopen", &json!({})).await.expect(StatusCode::OK);
    assert_eq!(checked().await, Value::Null);
    assert_eq!(staff.get("/api/admin/students/identity-changes").await.json()[0]["id"], student.id);
    decide(&staff, id, "accept", &both).await.expect(StatusCode::OK);
    assert_eq!(staff.get("/api/admin/students/identity-changes").await.json(), json!([]));
    // A transcript is no identity check.
    let transcript = upload(&student, "transcript").await;
    let before = checked().await;
    decide(&staff, transcript, "accept", &both).await.expect(StatusCode::OK);
    assert_eq!(checked().await, before);
}

#[tokio::test]
async fn a_rejection_after_an_approval_that_counted_the_document_is_noted() {
    let school = school().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let id = upload(&student, "transcript").await;
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let enrollment = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone();
    let path = format!("/api/admin/enrollments/{enrollment}/approve");
    staff.post(&path, &json!({})).await.expect(StatusCode::OK);
    reject(&staff, id).await;
    let entry = file(&staff, &student).await["history"][0].clone();
    assert_eq!((&entry["field"], &entry["by"]), (&json!("documentRejected"), &json!("staff0")));
    let reason = entry["reason"].as_str().unwrap();
    assert!(reason.ends_with("An approval had counted it: ENG4U."), "{reason}");
}

#[tokio::test]
async fn an_accepted_document_is_reminded_of_twice_and_ends_with_its_day_at_the_school() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    // 2026-11-21, 15:00 in London and 10:00 at the school.
    let id = upload(&student, "transcript").await;
    decide(&staff, id, "accept", &json!({ "expiresOn": "2026-12-25" })).await.expect(StatusCode::OK);
    let tick = async || schoolhouse::testing::document_clock(school.app()).await.unwrap();
    let sent = |days: i64| {
        let sql = format!("select count(*) from student_documents where reminded_days = {days}");
        (school.count(&sql), school.count("select count(*) from outbox where kind = 'document_reminder'"))
    };
    tick().await;
    assert_eq!(sent(30), (0, 0), "34 days are left");
    school.advance(SignedDuration::from_hours(4 * 24));
    for _ in 0..2 {
        tick().await;
        assert_eq!(sent(30), (1, 1), "30 days are left");
    }
    school.advance(SignedDuration::from_hours(23 * 24));
    for _ in 0..2 {
        tick().await;
        assert_eq!(sent(7), (1, 2), "7 days are left");
    }
    // December 25 ends at the school five hours after it ends in London.
    school.advance(SignedDuration::from_hours(7 * 24 + 13) + SignedDuration::from_mins(59));
    tick().await;
    assert_eq!(own(&student, id).await["status"], "accepted");
    school.advance(SignedDuration::from_mins(2));
    for _ in 0..2 {
        tick().await;
        assert_eq!((own(&student, id).await["status"].clone(), sent(7)), (json!("expired"), (1, 3)));
    }
    let missing = wanted_document(&student, "transcript").await.unwrap();
    assert_eq!(missing["reason"], "It expired on December 25, 2026.");
    school.mail(&student.email, "Your document has expired: School Transcript").await;
    // What is accepted with few days left is reminded of once.
    let staff = school.staff().await;
    let id = upload(&student, "transcript").await;
    decide(&staff, id, "accept", &json!({ "expiresOn": "2026-12-30" })).await.expect(StatusCode::OK);
    for _ in 0..2 {
        tick().await;
        assert_eq!(sent(7), (2, 4));
    }
}
