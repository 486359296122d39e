//! The queue of documents that wait, and two reviewers at it.

use jiff::SignedDuration;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::review::{accept, decide, school, upload};
use crate::support::{Actor, PDF, School};

#[tokio::test]
async fn two_reviewers_decide_none_of_sixty_documents_twice() {
    let school = school().await;
    let (first, second) = (school.staff().await, school.staff().await);
    for _ in 0..6 {
        let student = school.student().await;
        for _ in 0..10 {
            upload(&student, "other").await;
        }
    }
    let review = async |staff: &Actor, verb: &str, body: Value| {
        let (mut decided, mut refused) = (0, 0);
        loop {
            let queue = staff.get("/api/admin/documents?status=pending_review&sort=uploaded&page=1").await;
            let Some(id) = queue.column("id").first().and_then(Value::as_i64) else {
                return (decided, refused);
            };
            let answer = decide(staff, id, verb, &body).await;
            match answer.status {
                StatusCode::OK => decided += i32::from(!answer.json()["undo"].is_null()),
                StatusCode::CONFLICT => refused += 1,
                status => panic!("{status}"),
            }
        }
    };
    let ((accepted, beaten), (rejected, also_beaten)) = tokio::join!(
        review(&first, "accept", json!({ "expected": "pending_review" })),
        review(&second, "reject", json!({ "code": "unreadable", "expected": "pending_review" })),
    );
    assert_eq!(accepted + rejected, 60);
    assert!(beaten + also_beaten > 0, "they never met");
    let twice = "select count(*) from (select document_id from document_events group by document_id having count(*) > 1)";
    assert_eq!((school.count("select count(*) from document_events"), school.count(twice)), (60, 0));
    assert_eq!(school.count("select count(*) from decisions"), 60);
    assert_eq!(
        school.count("select count(*) from student_documents where status = 'accepted'"),
        i64::from(accepted)
    );
}

#[tokio::test]
async fn the_queue_is_counted_as_it_is_listed_and_reaches_zero() {
    let school = School::open().await;
    let (staff, rana, student) = (school.staff().await, school.staff().await, school.student().await);
    let waiting = async || {
        let all = staff.get("/api/admin/waiting").await.expect(StatusCode::OK).json();
        all.as_array().unwrap().iter().find(|one| one["kind"] == "documents").cloned().unwrap()
    };
    assert_eq!(waiting().await["count"], 0);
    let form = reqwest::multipart::Form::new()
        .text("documentType", "other")
        .text("label", "Letter of the coach")
        .part("document", reqwest::multipart::Part::bytes(PDF.to_vec()).file_name("a.pdf"));
    let made = student.send(student.request("POST", "/api/students/documents").multipart(form)).await;
    let id = made.expect(StatusCode::CREATED).json()["id"].as_i64().unwrap();
    upload(&student, "iep").await;
    let line = waiting().await;
    assert_eq!(
        (&line["count"], &line["href"]),
        (&json!(2), &json!("/admin/documents?status=pending_review"))
    );
    let listed = staff.get("/api/admin/documents?status=pending_review&sort=uploaded&page=1").await;
    assert_eq!((listed.total(), &listed.column("label")[0]), (2, &json!("Letter of the coach")));
    assert_eq!(staff.get("/api/admin/dashboard").await.json()["pendingDocumentsCount"], 2);
    let query = format!("type=iep&student={}&status=pending_review", student.id);
    assert_eq!(staff.get(&format!("/api/admin/documents?{query}&page=1")).await.total(), 1);
    assert_eq!(staff.get("/api/admin/documents?q=coach").await.total(), 1);
    // Of two reviewers at one document each is told of the other.
    let look = async |staff: &Actor| {
        staff
            .post(&format!("/api/admin/documents/{id}/looking"), &json!({}))
            .await
            .expect(StatusCode::OK)
            .json()
    };
    assert_eq!(look(&rana).await["others"], json!([]));
    assert_eq!(look(&staff).await["others"].as_array().unwrap().len(), 1);
    for id in listed.column("id") {
        accept(&staff, id.as_i64().unwrap()).await;
    }
    assert_eq!(waiting().await["count"], 0);
    assert_eq!(staff.get("/api/admin/dashboard").await.json()["pendingDocumentsCount"], 0);
    school.advance(SignedDuration::from_mins(3));
    assert_eq!(look(&rana).await["others"], json!([]), "a look counts for two minutes");
}
