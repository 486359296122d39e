//! A family's money is one figure: brothers and sisters, one payment divided among them, one reminder for each mailbox.

use reqwest::StatusCode;
use schoolhouse::testing::{Role, reminder_clock};
use serde_json::{Value, json};

use super::{charged, paid};
use crate::support::{School, Student};

const MOTHER: &str = "emi@mail.example";

async fn child_of(student: &Student, email: &str, relationship: &str) {
    let guardians = json!([{ "name": "Emi Tanaka", "email": email, "relationship": relationship }]);
    let path = "/api/students/guardians";
    student.send(student.request("PUT", path).json(&guardians)).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn brothers_and_sisters_are_one_family_for_the_office_the_parent_and_the_reminder() {
    let school = School::open().await;
    let (admin, bursar) = (school.staff().await, school.staff_as(Role::Bursar).await);
    let (elder, _) = charged(&school, &admin, &[("ENG4U", json!(500))]).await;
    let (younger, _) = charged(&school, &admin, &[("MHF4U", json!(300))]).await;
    let (other, _) = charged(&school, &admin, &[("CHV2O", json!(50))]).await;
    let family = async |student: &Student| {
        bursar.get(&format!("/api/admin/students/{}", student.id)).await.json()["family"].clone()
    };
    assert_eq!(family(&elder).await, Value::Null);
    for student in [&elder, &younger] {
        child_of(student, MOTHER, "mother").await;
    }
    child_of(&other, "agency@mail.example", "agency").await;
    let found = family(&elder).await;
    assert_eq!(found["total"], 800);
    let members = found["members"].as_array().unwrap();
    assert_eq!(members.len(), 1);
    assert_eq!(
        (&members[0]["studentId"], &members[0]["due"], &members[0]["overdue"]),
        (&json!(younger.id), &json!(300), &json!(0))
    );
    assert_eq!(family(&other).await, Value::Null);

    // Both are reminded, and the mother is written to once.
    let ids = json!({ "studentIds": [elder.id, younger.id] });
    bursar.post("/api/admin/reminders", &ids).await.expect(StatusCode::OK);
    school.advance(
        "2026-11-23T15:00:00Z".parse::<jiff::Timestamp>().unwrap().duration_since(school.clock.now()),
    );
    reminder_clock(school.app()).await.unwrap();
    let mails = school.all_mails().await;
    let to = |email: &str| {
        let told = mails.iter().filter(|mail| mail.to == email && mail.subject.starts_with("Reminder: "));
        told.map(|mail| (mail.subject.clone(), mail.text.clone())).collect::<Vec<_>>()
    };
    assert_eq!((to(&elder.email).len(), to(&younger.email).len()), (1, 1));
    let [(subject, text)] = &to(MOTHER)[..] else { panic!("{:?}", to(MOTHER)) };
    assert!(subject.starts_with("Reminder: $800.00 due"), "{subject}");
    let codes = [&elder, &younger].map(async |student| {
        student.get("/api/students/fees").await.json()["howToPay"]["code"].as_str().unwrap().to_owned()
    });
    for code in codes {
        let code = code.await;
        assert!(text.contains(&code), "{code}: {text}");
    }
    for part in ["ENG4U", "MHF4U", "Amount owing: $800.00", "all your children"] {
        assert!(text.contains(part), "{part}: {text}");
    }

    // One payment, divided: a payment and a receipt for each, or nothing at all.
    let bursar = school.staff_as(Role::Bursar).await;
    let path = "/api/admin/payments/divided";
    let divide = |parts: Value| {
        json!({ "allocations": parts, "method": "e_transfer", "reference": "CA77", "receivedOn": "2026-11-23",
            "payerName": "Emi Tanaka" })
    };
    let part = |student: &Student, amount: Value| json!({ "studentId": student.id, "amount": amount });
    for wrong in [
        json!([part(&elder, json!(500))]),
        json!([part(&elder, json!(500)), part(&elder, json!(300))]),
        json!("both"),
    ] {
        assert!(bursar.post(path, &divide(wrong)).await.fields()["allocations"].is_string());
    }
    let wrong = divide(json!([part(&elder, json!(500)), part(&younger, json!(0))]));
    assert!(bursar.post(path, &wrong).await.fields()["amount"].is_string());
    let unknown = divide(json!([part(&elder, json!(500)), { "studentId": 999, "amount": 5 }]));
    bursar.post(path, &unknown).await.expect(StatusCode::NOT_FOUND);
    assert_eq!(school.count("select count(*) from payments"), 0);
    let both = divide(json!([part(&elder, json!(500)), part(&younger, json!("320.50"))]));
    let done = paid(&bursar.post(path, &both).await);
    let numbers = done["payments"].as_array().unwrap().iter().map(|one| one["receipt"]["number"].clone());
    assert_eq!(numbers.collect::<Vec<_>>(), ["2026-000001", "2026-000002"]);
    assert_eq!(done["payments"][1]["unapplied"], 20.5);
    let found = bursar.get(&format!("/api/admin/students/{}", elder.id)).await.json()["family"].clone();
    assert_eq!(found["total"], 0);
    let again = bursar.post(path, &both).await.expect(StatusCode::CONFLICT).json();
    assert_eq!(again["reason"], "possible_duplicate");
    let registrar = school.staff_as(Role::Registrar).await;
    registrar.post(path, &both).await.expect(StatusCode::FORBIDDEN);
}
