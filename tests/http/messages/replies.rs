//! What the office does with a message: reply in the visitor's thread, answers, notes, assignment, states, undo.

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use crate::support::{Actor, School};

/// A school with a message of Zoë, number 1, and one of José, number 2.
async fn school() -> School {
    let school = School::open_with(|config| config.office.undo_seconds = 60).await;
    for (name, email, text) in [
        ("Zoë Müller", "zoe@mail.example", "Do you teach physics?"),
        ("José Núñez", "jose@mail.example", "Where do I send the transcript?"),
    ] {
        school.visitor().write_message(name, email, text).await.expect(StatusCode::OK);
    }
    school
}

async fn act(staff: &Actor, path: &str, body: Value) -> Value {
    let answer = staff.post(&format!("/api/admin/messages/{path}"), &body).await;
    assert!(answer.status.is_success(), "{path}: {}", answer.text());
    answer.json()
}

async fn undo(staff: &Actor, decided: &Value) -> Value {
    let id = decided["undo"]["id"].as_str().unwrap();
    let answer = staff.post(&format!("/api/admin/decisions/{id}/undo"), &json!({})).await;
    answer.expect(StatusCode::OK).json()["restored"][0].clone()
}

#[tokio::test]
async fn a_reply_leaves_in_the_visitors_thread_and_quotes_the_beginning_of_the_message() {
    let school = School::open_with(|config| config.office.undo_seconds = 0).await;
    let student = school.student().await;
    let long = format!("Do you teach physics? {}", "§".repeat(600));
    school.visitor().write_message("{school} Müller", &student.email, &long).await.expect(StatusCode::OK);
    let confirmation = school.mail(&student.email, "We have your message").await;
    let staff = school.staff_as(Role::Registrar).await;
    let message = staff.get("/api/admin/messages/1").await.json();
    assert_eq!(message["studentId"], student.id, "the address is a student's");
    let reference = message["reference"].as_str().unwrap();
    assert_eq!((&reference[..5], reference.len()), ("M-26-", 9));

    let body = json!({ "body": "Dear {name},\n\n{school} teaches SPH4U. Please quote {reference}.",
        "expectedReplies": 0 });
    let replied = staff.post("/api/admin/messages/1/reply", &body).await.expect(StatusCode::CREATED).json();
    assert_eq!((&replied["status"], &replied["undo"]), (&json!("replied"), &Value::Null));
    let words =
        format!("Dear {{school}} Müller,\n\nNorthgate Academy teaches SPH4U. Please quote {reference}.");
    let reply = &replied["replies"][0];
    assert_eq!((&reply["body"], &reply["kind"]), (&json!(words), &json!("reply")), "filled in once");
    assert_eq!(reply["by"], staff.get("/api/user").await.json()["username"]);

    let email = school.mail(&student.email, "Re: We have your message").await;
    assert_eq!(email.in_reply_to.as_deref(), Some(&*confirmation.id));
    assert_eq!(email.reply_to.as_deref(), Some("office@northgate.example"));
    assert!(email.text.contains("Northgate Academy teaches SPH4U."), "{}", email.text);
    assert_eq!(email.text.matches('§').count(), 500 - "Do you teach physics? ".len());
    assert!(email.text.contains("§…"), "{}", email.text);

    // The record of sent emails is swept after 90 days; the thread stays.
    school.database().execute("delete from outbox", []).unwrap();
    let own = json!({ "body": "See you soon.", "subject": "Physics at {school}", "close": true });
    assert_eq!(act(&staff, "1/reply", own).await["status"], "closed");
    let email = school.mail(&student.email, "Physics at Northgate Academy").await;
    assert_eq!(email.in_reply_to.as_deref(), Some(&*confirmation.id));
}

#[tokio::test]
async fn a_reply_waits_ten_seconds_at_most_and_undo_gives_the_former_state_back() {
    let school = school().await;
    let staff = school.staff().await;
    let replied = act(&staff, "1/reply", json!({ "body": "Yes.", "close": true })).await;
    assert_eq!(replied["status"], "closed");
    assert_eq!(replied["undo"]["until"], "2026-11-21T15:00:10Z");
    let restored = undo(&staff, &replied).await;
    assert_eq!((&restored["status"], &restored["replies"]), (&json!("new"), &json!([])));
    assert_eq!(undo(&staff, &replied).await, restored, "again is no error");
    assert_eq!(school.count("select count(*) from outbox where kind = 'message_reply'"), 0);
    assert_eq!(school.count("select count(*) from audit where object = 'message'"), 2);

    let replied = act(&staff, "1/reply", json!({ "body": "Yes." })).await;
    act(&staff, "1/close", json!({})).await;
    let id = replied["undo"]["id"].as_str().unwrap();
    let path = format!("/api/admin/decisions/{id}/undo");
    let changed = staff.post(&path, &json!({})).await.expect(StatusCode::CONFLICT);
    assert_eq!(changed.message(), "This message has changed since, so the decision can no longer be undone.");
    assert_eq!(school.count("select count(*) from outbox where kind = 'message_reply'"), 1, "it still waits");
    school.advance(SignedDuration::from_secs(11));
    let late = staff.post(&path, &json!({})).await.expect(StatusCode::CONFLICT).json();
    assert_eq!(late["message"], "The reply has left, so it can no longer be undone.");
    assert_eq!(late["current"]["status"], "closed");
}

#[tokio::test]
async fn the_second_of_two_writers_sees_what_came_before_sending() {
    let school = school().await;
    let (first, second) = (school.staff().await, school.staff_as(Role::Registrar).await);
    act(&first, "1/reply", json!({ "body": "Which grade?", "expectedReplies": 0 })).await;
    let late = json!({ "body": "No.", "expectedReplies": 0 });
    let late = second.post("/api/admin/messages/1/reply", &late).await.expect(StatusCode::CONFLICT).json();
    assert_eq!(
        (&late["reason"], &late["current"]["replies"][0]["body"]),
        (&json!("new_reply"), &json!("Which grade?"))
    );
    assert_eq!(school.count("select count(*) from message_replies"), 1);

    let answered = act(&second, "1/answers", json!({ "body": "Grade 12, by telephone." })).await;
    assert_eq!((&answered["status"], &answered["replies"][1]["kind"]), (&json!("open"), &json!("answer")));
    let noted = act(&second, "1/notes", json!({ "body": "Speaks French." })).await;
    assert_eq!((&noted["notes"][0]["body"], &noted["status"]), (&json!("Speaks French."), &json!("open")));
    let undone = undo(&second, &answered).await;
    assert_eq!((&undone["status"], undone["replies"].as_array().unwrap().len()), (&json!("replied"), 1));
    act(&second, "1/reply", json!({ "body": "And SPH3U.", "expectedReplies": 1 })).await;
    assert_eq!(school.count("select count(*) from outbox where kind = 'message_reply'"), 2);
    for path in ["1/reply", "1/answers", "1/notes"] {
        let path = format!("/api/admin/messages/{path}");
        let fields = second.post(&path, &json!({ "body": " " })).await.fields();
        assert!(fields["body"].is_string(), "{path}: {fields}");
    }
}

#[tokio::test]
async fn each_change_of_state_is_made_once_and_refused_where_it_does_not_fit() {
    let school = school().await;
    let staff = school.staff().await;
    let status = async |path: &str| act(&staff, path, json!({})).await["status"].clone();
    assert_eq!(status("1/close").await, "closed");
    let audit = "select count(*) from audit where object = 'message'";
    assert_eq!((status("1/close").await, school.count(audit)), (json!("closed"), 1));
    assert_eq!(status("1/reopen").await, "open");
    assert_eq!(status("1/spam").await, "spam");
    for verb in ["reply", "answers", "close"] {
        let path = format!("/api/admin/messages/1/{verb}");
        let refused =
            staff.post(&path, &json!({ "body": "Hello" })).await.expect(StatusCode::CONFLICT).json();
        assert_eq!(refused["message"], "This message is marked as spam. Choose Not Spam first.");
        assert_eq!(refused["current"]["status"], "spam");
    }
    assert_eq!(status("1/not-spam").await, "open");
    let stale = staff.post("/api/admin/messages/1/close", &json!({ "expected": "replied" })).await;
    assert_eq!(stale.expect(StatusCode::CONFLICT).message(), "This message is open now.");
    for path in ["77/close", "77/reply", "77/assign", "77/notes", "77/answers"] {
        let body = json!({ "body": "Hello", "userId": null });
        staff.post(&format!("/api/admin/messages/{path}"), &body).await.expect(StatusCode::NOT_FOUND);
    }

    let done = act(&staff, "spam", json!({ "ids": [1, 77, 2] })).await;
    let ok = |place: usize| done["results"][place]["ok"].clone();
    assert_eq!((ok(0), ok(1), ok(2)), (json!(true), json!(false), json!(true)));
    assert_eq!(
        (&done["results"][1]["status"], &done["results"][0]["row"]["status"]),
        (&json!(404), &json!("spam"))
    );
    undo(&staff, &done).await;
    assert_eq!(school.count("select count(*) from contact_messages where status in ('new', 'open')"), 2);
    let none = staff.post("/api/admin/messages/close", &json!({ "ids": [] })).await.fields();
    assert_eq!(none, json!({ "ids": "Choose 1 to 200 messages" }));
}

#[tokio::test]
async fn a_bursar_reads_what_is_assigned_to_them_and_nothing_else() {
    let school = school().await;
    let (staff, bursar) = (school.staff().await, school.staff_as(Role::Bursar).await);
    let user = bursar.get("/api/user").await.json();
    assert_eq!(bursar.get("/api/admin/messages").await.expect(StatusCode::OK).total(), 0);
    let colleagues = staff.get("/api/admin/messages/assignees").await.expect(StatusCode::OK).json();
    let bursar_row = json!({ "id": user["id"], "username": user["username"] });
    assert!(!colleagues.as_array().unwrap().contains(&bursar_row), "who cannot answer: {colleagues}");
    let refused = staff.post("/api/admin/messages/2/assign", &json!({ "userId": user["id"] })).await.fields();
    assert_eq!(refused, json!({ "userId": "Choose a colleague who may answer messages, or none" }));
    // From before that was so.
    let assigned = "update contact_messages set assignee_id = ? where id = 2";
    school.database().execute(assigned, [user["id"].as_i64().unwrap()]).unwrap();
    let list = bursar.get("/api/admin/messages?assignee=none").await.expect(StatusCode::OK);
    assert_eq!(list.column("id"), [json!(2)], "the filter cannot show more");
    bursar.get("/api/admin/messages?format=csv").await.expect(StatusCode::FORBIDDEN);
    let sheet = staff.get("/api/admin/messages?assignee=none&format=csv").await.expect(StatusCode::OK).text();
    assert!(sheet.starts_with("\u{feff}Id,Name,Email,") && sheet.lines().count() == 2, "{sheet}");
    bursar.get("/api/admin/messages/2").await.expect(StatusCode::OK);
    bursar.get("/api/admin/messages/1").await.expect(StatusCode::NOT_FOUND);
    for verb in ["reply", "answers", "notes", "close", "spam", "read"] {
        let path = format!("/api/admin/messages/2/{verb}");
        bursar.post(&path, &json!({ "body": "Hello" })).await.expect(StatusCode::FORBIDDEN);
    }
    let viewer = school.staff_as(Role::Viewer).await;
    viewer.get("/api/admin/messages").await.expect(StatusCode::FORBIDDEN);

    for (query, ids) in
        [(format!("assignee={}", user["id"]), json!([2])), ("assignee=none".into(), json!([1]))]
    {
        let list = staff.get(&format!("/api/admin/messages?{query}")).await.expect(StatusCode::OK);
        assert_eq!(json!(list.column("id")), ids, "{query}");
    }
    let wrong = staff.get("/api/admin/messages?assignee=me").await.fields();
    assert_eq!(wrong, json!({ "assignee": "Must be the number of a colleague, or none" }));
    let viewer = viewer.get("/api/user").await.json()["id"].clone();
    for user in [viewer, json!(99)] {
        let refused = staff.post("/api/admin/messages/1/assign", &json!({ "userId": user })).await.fields();
        assert_eq!(refused, json!({ "userId": "Choose a colleague who may answer messages, or none" }));
    }
    assert_eq!(act(&staff, "2/assign", json!({ "userId": null })).await["assigneeId"], Value::Null);
}

#[tokio::test]
async fn reply_templates_are_kept_by_name_and_version() {
    let school = School::open().await;
    let staff = school.staff_as(Role::Registrar).await;
    let path = "/api/admin/reply-templates";
    let body = json!({ "name": "Hours", "subject": "Our hours", "body": "Dear {name}, until 4 p.m." });
    let made = staff.post(path, &body).await.expect(StatusCode::CREATED).json();
    assert_eq!((&made["language"], &made["version"]), (&json!("en"), &json!(1)));
    let again = staff.post(path, &body).await.fields();
    assert_eq!(again, json!({ "name": "A template with this name already exists" }));
    let empty = staff.post(path, &json!({ "subject": "Two\nlines" })).await.fields();
    assert_eq!(empty.as_object().unwrap().len(), 3, "{empty}");

    let own = format!("{path}/{}", made["id"]);
    let changed = json!({ "name": "Office hours", "language": "fr", "version": 1 });
    let changed = staff.patch(&own, &changed).await.expect(StatusCode::OK).json();
    assert_eq!(
        (&changed["name"], &changed["body"], &changed["version"]),
        (&json!("Office hours"), &body["body"], &json!(2))
    );
    let stale = json!({ "name": "Mine", "version": 1 });
    let stale = staff.patch(&own, &stale).await.expect(StatusCode::CONFLICT).json();
    assert_eq!(stale["current"]["name"], "Office hours");
    assert_eq!(staff.get(path).await.json(), json!([changed]));
    staff.delete(&own).await.expect(StatusCode::NO_CONTENT);
    staff.delete(&own).await.expect(StatusCode::NOT_FOUND);
    school.staff_as(Role::Bursar).await.get(path).await.expect(StatusCode::FORBIDDEN);
}
