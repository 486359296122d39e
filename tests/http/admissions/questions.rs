//! What the office asked of a family: its line, reminders, and a document as the answer.

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use super::{application, apply, call, number, open};
use crate::dashboard::{rows, waiting};
use crate::support::{Actor, School, numbered_pdf};

const LIST: &str = "/api/admin/admission-requests";

async fn line(staff: &Actor, kind: &str) -> Value {
    waiting(staff).await.into_iter().find(|line| line["kind"] == kind).unwrap()
}

/// Asks a new family something; returns its reference, number and browser.
async fn asked(school: &School, staff: &Actor, mailbox: &str, wants: Value) -> (String, i64, Actor) {
    let reference = apply(&school.visitor(), &application("Mei", mailbox)).await;
    let subject = format!("We have your application {reference}");
    let family = open(school, &format!("{mailbox}@mail.example"), &subject).await;
    let id = number(staff, &reference).await;
    let question = json!({ "text": "Which grade are you in now?", "wants": wants });
    staff.post(&call(id, "ask"), &question).await.expect(StatusCode::OK);
    (reference, id, family)
}

#[tokio::test]
async fn an_asked_family_is_reminded_once_a_day_and_an_undone_reminder_never_left() {
    let school = School::open_with(|config| config.office.undo_seconds = 60).await;
    let staff = school.staff_as(Role::Registrar).await;
    let (reference, id, _) = asked(&school, &staff, "tanaka", json!(["transcript"])).await;
    let questions = line(&staff, "questions").await;
    assert_eq!((&questions["group"], &questions["count"]), (&json!("them"), &json!(1)));
    assert_eq!(questions["oldest"], "2026-11-21T15:00:00Z");
    let listed = rows(&staff, &questions).await;
    assert_eq!(listed[0]["id"], id);
    let question = json!({ "askedAt": "2026-11-21T15:00:00Z", "remindedAt": null, "answered": null,
        "canBeReminded": false });
    assert_eq!(listed[0]["question"], question, "it was asked today");
    let early = staff.post(&call(id, "remind"), &json!({})).await.expect(StatusCode::CONFLICT);
    assert_eq!(early.message(), "The family was asked today. It can be reminded again tomorrow.");

    school.advance(SignedDuration::from_hours(24));
    let (staff, colleague) = (school.staff_as(Role::Registrar).await, school.staff().await);
    let reminded = staff.post(&call(id, "remind"), &json!({})).await.expect(StatusCode::OK).json();
    assert_eq!(reminded["status"], "info_requested");
    let second = colleague.post(&call(id, "remind"), &json!({})).await.expect(StatusCode::CONFLICT);
    assert_eq!(second.message(), "The family was reminded today. It can be reminded again tomorrow.");
    assert_eq!(second.json()["current"]["id"], id);
    let undo = format!("/api/admin/decisions/{}/undo", reminded["undo"]["id"].as_str().unwrap());
    staff.post(&undo, &json!({})).await.expect(StatusCode::OK);
    let subject = format!("Reminder: we have a question for you ({reference})");
    let count = format!("select count(*) from outbox where subject = '{subject}'");
    assert_eq!(school.count(&count), 0);

    // Undone, it can be sent again; sent, it waits for the next day at the school.
    staff.post(&call(id, "remind"), &json!({ "expected": "in_review" })).await.expect(StatusCode::CONFLICT);
    staff.post(&call(id, "remind"), &json!({})).await.expect(StatusCode::OK);
    school.advance(SignedDuration::from_secs(61));
    let mail = school.mail("tanaka@mail.example", &subject).await;
    for words in ["On November 21, 2026", "Mei Tanaka", "Which grade are you in now?", "School Transcript"] {
        assert!(mail.text.contains(words), "{words}: {}", mail.text);
    }
    school.mail("tanaka.mother@mail.example", &subject).await;
    staff.post(&call(id, "remind"), &json!({})).await.expect(StatusCode::CONFLICT);
    let record = staff.get(&format!("{LIST}/{id}")).await.json();
    assert_eq!(record["question"]["remindedAt"], "2026-11-22T15:00:00Z");
    assert_eq!(record["stateSince"], "2026-11-21T15:00:00Z", "it still waits since the question");
    school.advance(SignedDuration::from_hours(14));
    let staff = school.staff_as(Role::Registrar).await;
    staff.post(&call(id, "remind"), &json!({})).await.expect(StatusCode::OK);
    assert_eq!(school.count("select count(*) from audit where action = 'remind'"), 3);

    let family = open(&school, "tanaka@mail.example", &subject).await;
    family.post("/api/applications/me/answers", &json!({ "text": "Ten." })).await.expect(StatusCode::OK);
    assert_eq!(line(&staff, "questions").await["count"], 0);
    let late = staff.post(&call(id, "remind"), &json!({})).await.expect(StatusCode::CONFLICT);
    assert_eq!(late.message(), "This application is in review, and no question is open.");
    let viewer = school.staff_as(Role::Viewer).await;
    viewer.post(&call(id, "remind"), &json!({})).await.expect(StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn many_families_are_reminded_at_once_with_one_undo() {
    let school = School::open_with(|config| config.office.undo_seconds = 60).await;
    let staff = school.staff().await;
    let (_, first, _) = asked(&school, &staff, "first", json!([])).await;
    let (_, second, _) = asked(&school, &staff, "second", json!([])).await;
    school.advance(SignedDuration::from_hours(24));
    let staff = school.staff().await;
    staff.post(&call(first, "remind"), &json!({})).await.expect(StatusCode::OK);
    let body = json!({ "ids": [first, second, 999] });
    let done = staff.post(&format!("{LIST}/remind"), &body).await.expect(StatusCode::OK).json();
    let results = done["results"].as_array().unwrap();
    let statuses: Vec<_> = results.iter().map(|one| (one["ok"].clone(), one["status"].clone())).collect();
    assert_eq!(
        statuses,
        [(json!(false), json!(409)), (json!(true), json!(null)), (json!(false), json!(404))]
    );
    let undo = format!("/api/admin/decisions/{}/undo", done["undo"]["id"].as_str().unwrap());
    staff.post(&undo, &json!({})).await.expect(StatusCode::OK);
    let again = json!({ "ids": [first, second] });
    let done = staff.post(&format!("{LIST}/remind"), &again).await.expect(StatusCode::OK).json();
    assert_eq!((&done["results"][0]["ok"], &done["results"][1]["ok"]), (&json!(false), &json!(true)));
}

#[tokio::test]
async fn a_document_alone_answers_and_the_family_can_still_add_words() {
    let school = School::open_with(|config| config.office.undo_seconds = 60).await;
    let staff = school.staff().await;
    let (reference, id, _) = asked(&school, &staff, "tanaka", json!(["transcript", "study_permit"])).await;
    school.advance(SignedDuration::from_hours(24));
    let staff = school.staff().await;
    let subject = format!("We have a question about your application ({reference})");
    let family = open(&school, "tanaka@mail.example", &subject).await;
    let reminded = staff.post(&call(id, "remind"), &json!({})).await.expect(StatusCode::OK).json();
    let send = async |document_type: &str, number: u64| {
        let part = reqwest::multipart::Part::bytes(numbered_pdf(number, 3000))
            .file_name("t.pdf")
            .mime_str("application/pdf")
            .unwrap();
        let form = reqwest::multipart::Form::new()
            .text("documentType", document_type.to_owned())
            .part("document", part);
        let request = family.request("POST", "/api/applications/me/documents").multipart(form);
        family.send(request).await.expect(StatusCode::CREATED);
    };
    send("transcript", 1).await;
    let record = staff.get(&format!("{LIST}/{id}")).await.json();
    assert_eq!(
        (&record["status"], &record["question"]["answered"]),
        (&json!("in_review"), &json!("document"))
    );
    assert_eq!(record["question"]["canBeReminded"], false);
    assert_eq!(
        (&line(&staff, "questions").await["count"], &line(&staff, "applications").await["count"]),
        (&json!(0), &json!(1))
    );
    let undo = format!("/api/admin/decisions/{}/undo", reminded["undo"]["id"].as_str().unwrap());
    staff.post(&undo, &json!({})).await.expect(StatusCode::CONFLICT);
    let waiting = "select count(*) from outbox where subject like 'Reminder: we have a question%'";
    assert_eq!(school.count(waiting), 0, "it answered before the reminder left");

    let own = family.get("/api/applications/me").await.expect(StatusCode::OK).json();
    assert_eq!(
        (&own["status"], &own["asked"]["wants"]),
        (&json!("in_review"), &json!(["transcript", "study_permit"]))
    );
    send("study_permit", 2).await;
    let words = json!({ "text": "Both are there now." });
    let own = family.post("/api/applications/me/answers", &words).await.expect(StatusCode::OK).json();
    assert_eq!((&own["status"], &own["asked"]), (&json!("in_review"), &json!(null)));
    family.post("/api/applications/me/answers", &words).await.expect(StatusCode::CONFLICT);
    let record = staff.get(&format!("{LIST}/{id}")).await.json();
    assert_eq!(record["question"]["answered"], "text");
    let moves: Vec<_> =
        record["events"].as_array().unwrap().iter().map(|event| event["verb"].clone()).collect();
    assert_eq!(moves, ["receive", "ask", "remind", "upload", "upload", "answer"]);
    // Without a question, a document moves nothing.
    staff.post(&call(id, "waitlist"), &json!({})).await.expect(StatusCode::OK);
    send("other", 3).await;
    assert_eq!(staff.get(&format!("{LIST}/{id}")).await.json()["status"], "waitlisted");
}
