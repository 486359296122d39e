//! What a student is charged, as the ledger has it: it rises with an approval and falls when the charge is taken back.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{Actor, School};

async fn approve(staff: &Actor, id: &Value) -> Value {
    staff
        .post(&format!("/api/admin/enrollments/{id}/approve"), &json!({}))
        .await
        .expect(StatusCode::OK)
        .json()
}

#[tokio::test]
async fn the_fees_of_a_student_follow_the_ledger_up_and_down() {
    let school = School::open_with(|config| config.office.undo_seconds = 60).await;
    let (staff, student, other) = (school.staff().await, school.student().await, school.student().await);
    school.visitor().get("/api/students/fees").await.expect(StatusCode::UNAUTHORIZED);
    let fees = async || student.get("/api/students/fees").await.expect(StatusCode::OK).json();
    let nothing = fees().await;
    assert_eq!(
        (&nothing["balance"], &nothing["nextDueOn"], &nothing["entries"]),
        (&json!(0), &Value::Null, &json!([]))
    );
    assert_eq!(nothing["howToPay"]["text"], "Please ask the office how to pay before you send any money.");

    let english = student.enroll(school.course(&staff, "ENG4U", json!(500)).await).await.json()["id"].clone();
    let maths = student.enroll(school.course(&staff, "MHF4U", json!(769.5)).await).await.json()["id"].clone();
    assert_eq!(fees().await["entries"], json!([]), "a request is no charge");
    approve(&staff, &english).await;
    let first = fees().await;
    let due = first["nextDueOn"].clone();
    assert_eq!(first["entries"][0]["dueOn"], due);
    assert!(due.as_str().unwrap() > "2026-11-21", "{due}");
    school.advance(jiff::SignedDuration::from_hours(48));
    let staff = school.staff().await;
    let decision = approve(&staff, &maths).await["undo"]["id"].clone();
    let both = fees().await;
    assert_eq!((&both["balance"], &both["nextDueOn"]), (&json!(1269.5), &due), "the earlier one");
    let rows: Vec<_> = both["entries"].as_array().unwrap().iter().collect();
    assert_eq!(
        (&rows[0]["courseCode"], &rows[0]["amount"], &rows[0]["kind"]),
        (&json!("MHF4U"), &json!(769.5), &json!("charge"))
    );
    assert_eq!((&rows[0]["enrollmentId"], &rows[1]["enrollmentId"]), (&maths, &english));
    assert_eq!(other.get("/api/students/fees").await.json()["entries"], json!([]), "no other student's");

    staff
        .post(&format!("/api/admin/decisions/{}/undo", decision.as_str().unwrap()), &json!({}))
        .await
        .expect(StatusCode::OK);
    let undone = fees().await;
    assert_eq!(
        (&undone["balance"], undone["entries"].as_array().unwrap().len()),
        (&json!(500), 1),
        "{undone}"
    );
    approve(&staff, &maths).await;
    let reverse = json!({ "reason": "It was approved for the wrong student." });
    staff
        .post(&format!("/api/admin/enrollments/{english}/reverse-approval"), &reverse)
        .await
        .expect(StatusCode::OK);
    let reversed = fees().await;
    assert_eq!(
        (&reversed["balance"], &reversed["entries"][0]["courseCode"]),
        (&json!(769.5), &json!("MHF4U"))
    );
    assert_eq!(reversed["entries"].as_array().unwrap().len(), 1);
    assert!(reversed["nextDueOn"].as_str() > due.as_str(), "{reversed}");
    assert_eq!(staff.get("/api/admin/dashboard").await.json()["totalFeeDue"], 769.5);
}
