//! Money for a place at the school: paid by a family, and the student's once there is one.

use reqwest::StatusCode;
use serde_json::json;

use super::{PAYMENTS, paid};
use crate::admissions::{application, apply, call, number, open};
use crate::support::School;

#[tokio::test]
async fn what_a_family_pays_for_a_place_is_the_students_once_there_is_one() {
    let school = School::open_with(|config| config.office.undo_seconds = 0).await;
    let staff = school.staff().await;
    // The address has an account with another birth date, so that the office links by hand.
    let (student, kept) = (school.student().await, school.student().await);
    let mut body = application("Mei", "tanaka");
    body["email"] = json!(student.email);
    let reference = apply(&school.visitor(), &body).await;
    let id = number(&staff, &reference).await;
    let offer = json!({ "feeDue": 1250.5, "deposit": 250, "expiresOn": "2026-12-09" });
    let offer =
        staff.post(&call(id, "offer"), &offer).await.expect(StatusCode::OK).json()["offer"]["id"].clone();
    let family = open(&school, &student.email, &format!("We offer you a place ({reference})")).await;
    let accept = json!({ "name": "Emi Tanaka", "agreed": true, "offerId": offer });
    family.post("/api/applications/me/accept", &accept).await.expect(StatusCode::OK);
    let record = async || staff.get(&format!("/api/admin/admission-requests/{id}")).await.json();
    let (admission, linked) =
        (record().await["admission"]["id"].clone(), record().await["studentId"].clone());
    assert!(linked.is_null(), "{linked}");

    let pay = |amount: f64, reference: &str| {
        json!({ "admissionId": admission, "amount": amount, "method": "wire", "reference": reference,
            "receivedOn": "2026-11-20", "payerName": "Emi Tanaka", "sendReceipt": true })
    };
    let deposit = paid(&staff.post(PAYMENTS, &pay(250.0, "W1")).await);
    assert_eq!(
        (&deposit["payment"]["studentId"], &deposit["payment"]["studentName"], &deposit["unapplied"]),
        (&json!(null), &json!("Mei Tanaka"), &json!(0))
    );
    assert_eq!(record().await["admission"]["feePaid"], 250);
    let mail = school.mail(&student.email, "Receipt 2026-000001").await;
    assert!(mail.text.contains("Admission fee: $250.00"), "{}", mail.text);
    let again = staff.post(PAYMENTS, &pay(250.0, "w1")).await.expect(StatusCode::CONFLICT).json();
    assert_eq!(again["reason"], "possible_duplicate");
    assert_eq!(paid(&staff.post(PAYMENTS, &pay(2000.0, "W2")).await)["unapplied"], 999.5);

    // The office links the application, then joins two accounts: the money goes along, whole.
    let money = async |id: i64| staff.get(&format!("/api/admin/students/{id}")).await.json()["money"].clone();
    staff.post(&call(id, "link"), &json!({ "studentId": student.id })).await.expect(StatusCode::OK);
    for owner in [&student, &kept] {
        if owner.id == kept.id {
            let merge = format!("/api/admin/students/{}/merge", kept.id);
            staff.post(&merge, &json!({ "otherId": student.id })).await.expect(StatusCode::OK);
        }
        let of = money(owner.id).await;
        let item = &of["perItem"][0];
        assert_eq!(
            (&of["balance"], &of["unapplied"], &item["for"], &item["paid"], &item["admissionId"]),
            (&json!(-999.5), &json!(999.5), &json!("Admission fee"), &json!(1250.5), &admission)
        );
        assert_eq!(of["payments"].as_array().unwrap().len(), 2);
        let deposit = json!({ "admissionId": admission, "amount": 250, "dueOn": "2026-11-21", "received": 250, "due": 0 });
        assert_eq!(of["deposits"], json!([deposit]));
        let fees = owner.get("/api/students/fees").await.json();
        assert_eq!((&fees["balance"], &fees["due"]), (&json!(-999.5), &json!(0)));
        owner.get("/api/students/receipts/2026-000002").await.expect(StatusCode::OK);
    }
    assert_eq!(staff.get(&format!("{PAYMENTS}?page=1")).await.column("studentId"), vec![json!(kept.id); 2]);
    assert_eq!(staff.get("/api/admin/dashboard").await.json()["totalFeeDue"], 0, "course fees alone");
    // A place that is given up: what was paid for it is on account.
    let cancel = format!("/api/admin/admissions/{admission}/cancel");
    staff.post(&cancel, &json!({ "reason": "They move." })).await.expect(StatusCode::OK);
    let of = money(kept.id).await;
    assert_eq!((&of["balance"], &of["unapplied"]), (&json!(-2250), &json!(2250)));
    assert_eq!(of["deposits"], json!([]));
    assert_eq!(record().await["admission"]["feePaid"], 0);
}
