//! Requests for a place at the school.

use reqwest::StatusCode;
use schoolhouse::testing::{Email, Grade, NewAdmissionRequest, Role, insert_admission_request};
use serde_json::json;

use crate::support::School;

/// Keeps a request and moves the clock on by an hour.
async fn ask(school: &School, first_name: &'static str, last_name: &'static str, email: &str) -> i64 {
    let (now, email) = (school.clock.now(), Email::parse(email).unwrap());
    school.advance(jiff::SignedDuration::from_hours(1));
    school
        .app()
        .db
        .write(move |connection| {
            let new = NewAdmissionRequest {
                first_name,
                last_name,
                email: &email,
                phone: "(514) 555-0176",
                address: "9 rue de l'Exemple, Montréal",
                grade: Grade::ALL[1],
                previous_school: None,
            };
            insert_admission_request(connection, &new, now)
        })
        .await
        .unwrap()
}

#[tokio::test]
async fn the_office_reads_searches_and_counts_the_requests() {
    let school = School::open().await;
    let first = ask(&school, "Anaïs", "Gagné", "famille@mail.example").await;
    let second = ask(&school, "Łukasz", "Nowak", "gagne@mail.example").await;
    let staff = school.staff_as(Role::Viewer).await;

    let list = staff.get("/api/admin/admission-requests").await.expect(StatusCode::OK);
    assert_eq!((list.column("id"), list.total()), (vec![json!(second), json!(first)], 2));
    assert_eq!(
        list.json()[1],
        json!({ "id": first, "firstName": "Anaïs", "lastName": "Gagné", "email": "famille@mail.example",
        "phone": "(514) 555-0176", "address": "9 rue de l'Exemple, Montréal", "grade": 10,
        "previousSchool": null, "status": "pending", "createdAt": "2026-11-21T15:00:00Z" })
    );
    for (query, ids) in [
        ("?q=gagne", vec![second, first]),
        ("?q=anais%20gagne&page=1", vec![first]),
        ("?q=lukasz", vec![second]),
        ("?q=famille%40", vec![first]),
        // What only the row's other columns hold is not looked into.
        ("?q=montreal", vec![]),
    ] {
        let found = staff.get(&format!("/api/admin/admission-requests{query}")).await.expect(StatusCode::OK);
        assert_eq!(found.column("id"), ids, "{query}");
        assert_eq!(found.total(), ids.len() as i64, "{query}");
    }

    assert_eq!(staff.get("/api/admin/dashboard").await.json()["pendingAdmissionRequestsCount"], 2);
    school
        .database()
        .execute("update admission_requests set status = 'in_review' where id = ?", [first])
        .unwrap();
    assert_eq!(staff.get("/api/admin/dashboard").await.json()["pendingAdmissionRequestsCount"], 1);
    let reviewed = staff.get("/api/admin/admission-requests?status=in_review&page=1").await;
    assert_eq!((reviewed.column("id"), reviewed.total()), (vec![json!(first)], 1));
}
