//! Offering places to many families at once.

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use super::{application, apply, call, number};
use crate::support::{Actor, School};

const OFFER: &str = "/api/admin/admission-requests/offer";

async fn applications(school: &School, staff: &Actor, count: usize) -> Vec<i64> {
    let mut ids = Vec::new();
    for n in 0..count {
        let reference = apply(&school.visitor(), &application("Mei", &format!("family{n}"))).await;
        ids.push(number(staff, &reference).await);
    }
    ids
}

async fn offers(school: &School) -> usize {
    let mails = school.all_mails().await;
    mails.iter().filter(|mail| mail.subject.starts_with("We offer you a place")).count()
}

#[tokio::test]
async fn the_usual_offer_is_made_to_many_with_a_reason_for_each_refusal_and_one_undo() {
    let school = School::open_with(|config| config.office.undo_seconds = 60).await;
    let (staff, bursar) = (school.staff_as(Role::Registrar).await, school.staff_as(Role::Bursar).await);
    let ids = applications(&school, &staff, 4).await;
    staff.post(&call(ids[2], "withdraw"), &json!({ "reason": "They called." })).await.expect(StatusCode::OK);
    for email in ["family3@mail.example", "family3.mother@mail.example"] {
        let stop = json!({ "email": email, "reason": "A custody order." });
        staff.post(&call(ids[3], "stop"), &stop).await.expect(StatusCode::OK);
    }
    let all = json!({ "ids": [ids[0], ids[1], ids[2], ids[3], 999] });
    // Nothing is usual yet: the fee is asked for.
    let fields = staff.post(OFFER, &all).await.fields();
    assert_eq!(fields, json!({ "feeDue": "Please enter the fee; 0 if there is none" }));
    let path = "/api/admin/settings/money";
    let put = async |body: &Value| bursar.send(bursar.request("PUT", path).json(body)).await;
    for (wrong, field) in [
        (json!({ "offerFee": 100, "offerDeposit": 200 }), "offerDeposit"),
        (json!({ "offerDeposit": 200 }), "offerDeposit"),
        (json!({ "offerFee": -1 }), "offerFee"),
        (
            json!({ "offerFee": 300, "offerDeposit": 200, "offerDepositDays": 40, "offerFeeDays": 30 }),
            "offerDepositDays",
        ),
        (json!({ "offerAnswerDays": 400 }), "offerAnswerDays"),
    ] {
        assert!(put(&wrong).await.fields()[field].is_string(), "{wrong}");
    }
    let usual = json!({ "offerFee": 6400, "offerDeposit": 1500, "offerAnswerDays": 10, "offerDepositDays": 20, "offerFeeDays": 60 });
    put(&usual).await.expect(StatusCode::OK);
    let usual = staff.get("/api/admin/admission-requests/usual-offer").await.expect(StatusCode::OK).json();
    assert_eq!(
        usual,
        json!({ "feeDue": 6400, "deposit": 1500, "expiresOn": "2026-12-01", "depositDueOn": "2026-12-11",
            "feeDueOn": "2027-01-20" })
    );

    // What would happen, then what happens.
    let preview = staff.post(&format!("{OFFER}/preview"), &all).await.expect(StatusCode::OK).json();
    assert_eq!(
        (&preview["offers"], &preview["emails"], &preview["total"], &preview["expiresOn"]),
        (&json!(2), &json!(4), &json!(12800), &json!("2026-12-01"))
    );
    assert_eq!(
        preview["feeParts"],
        json!([{ "item": "deposit", "amount": 1500, "dueOn": "2026-12-11" },
            { "item": "admission", "amount": 4900, "dueOn": "2027-01-20" }])
    );
    assert_eq!(
        preview["results"][0]["row"]["emails"],
        json!(["family0@mail.example", "family0.mother@mail.example"])
    );
    assert!(
        preview["email"]["text"].as_str().unwrap().contains("$4,900.00, due January 20, 2027"),
        "{preview}"
    );
    assert_eq!(school.count("select count(*) from admission_offers"), 0);
    let done = staff.post(OFFER, &all).await.expect(StatusCode::OK).json();
    let told = |answer: &Value| -> Vec<(bool, Value, Value)> {
        let results = answer["results"].as_array().unwrap().iter();
        results.map(|one| (one["ok"] == true, one["status"].clone(), one["message"].clone())).collect()
    };
    assert_eq!(told(&done), told(&preview));
    let refused: Vec<_> =
        told(&done).into_iter().skip(2).map(|(_, status, message)| (status, message)).collect();
    assert_eq!(
        refused,
        [
            (json!(409), json!("This application is withdrawn. Reopen it to decide again.")),
            (
                json!(409),
                json!("No email reaches this family: each address is stopped or invalid. Correct it first.")
            ),
            (json!(404), json!("Application not found")),
        ]
    );
    let undo = format!("/api/admin/decisions/{}/undo", done["undo"]["id"].as_str().unwrap());
    let undone = staff.post(&undo, &json!({})).await.expect(StatusCode::OK).json();
    assert_eq!(undone["restored"].as_array().unwrap().len(), 2);
    assert_eq!(school.count("select count(*) from admission_requests where status = 'pending'"), 3);
    school.advance(SignedDuration::from_secs(61));
    assert_eq!(offers(&school).await, 0, "they were taken back");
    // With the rest of it typed; a deposit of nothing is none.
    let typed =
        json!({ "ids": [ids[0]], "deposit": null, "feeDueOn": "2027-03-01", "conditions": "A transcript." });
    let done = staff.post(OFFER, &typed).await.expect(StatusCode::OK).json();
    let offer = &done["results"][0]["row"]["offer"];
    assert_eq!(
        (&offer["feeDue"], &offer["deposit"], &offer["feeDueOn"], &offer["conditions"]),
        (&json!(6400), &Value::Null, &json!("2027-03-01"), &json!("A transcript."))
    );
    for ids in [json!([]), json!(vec![1; 201])] {
        assert!(staff.post(OFFER, &json!({ "ids": ids })).await.fields()["ids"].is_string());
    }
}

#[tokio::test]
async fn two_colleagues_at_once_make_one_offer() {
    let school = School::open_with(|config| config.office.undo_seconds = 0).await;
    let (one, other) = (school.staff_as(Role::Registrar).await, school.staff().await);
    let ids = applications(&school, &one, 2).await;
    let body = json!({ "ids": ids, "feeDue": 800, "expiresOn": "2026-12-09" });
    let (first, second) = tokio::join!(one.post(OFFER, &body), other.post(OFFER, &body));
    for answer in [first, second] {
        let answer = answer.expect(StatusCode::OK).json();
        assert!(answer["results"].as_array().unwrap().iter().all(|one| one["ok"] == true), "{answer}");
    }
    assert_eq!(school.count("select count(*) from admission_offers"), 2);
    assert_eq!(school.count("select count(*) from admission_events where verb = 'offer'"), 2);
    assert_eq!(offers(&school).await, 4, "one to each mailbox");
    // On other terms the offer that stands is kept.
    let dearer = json!({ "ids": ids, "feeDue": 900, "expiresOn": "2026-12-09" });
    let refused = other.post(OFFER, &dearer).await.expect(StatusCode::OK).json();
    assert_eq!(
        refused["results"][0]["message"],
        "A place is offered already. Make a new offer on the page of the application."
    );
    assert_eq!(school.count("select count(*) from admission_offers"), 2);
}
