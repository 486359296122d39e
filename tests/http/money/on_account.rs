//! Money on account: it covers what is due wherever that is shown, and is applied, set aside or refunded.

use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use super::{PAYMENTS, charged, paid, payment};
use crate::admissions::{application, apply, call, number, open};
use crate::support::{Actor, School, Student};

const APPLY: &str = "/api/admin/money/apply";

/// What lies on account from the beginning.
async fn keep(bursar: &Actor, student: &Student, amount: f64) {
    let mut held = payment(student, &json!(amount), "CA1");
    held["allocations"] = json!([]);
    paid(&bursar.post(PAYMENTS, &held).await);
}

/// What every reader says is covered and overdue at the end of a day long after all due dates: they agree.
async fn readers(bursar: &Actor, student: &Student) -> [Value; 2] {
    let day = "2027-08-01";
    let summary = bursar.get(&format!("/api/admin/money/summary?asOf={day}")).await.json();
    let rows = bursar.get(&format!("/api/admin/money/balances?asOf={day}")).await.json();
    let row = rows.as_array().unwrap().iter().find(|row| row["studentId"] == student.id).unwrap().clone();
    for name in ["covered", "overdue", "totalDue", "aging", "unapplied"] {
        assert_eq!(row[name], summary[name], "{name}: the only student who owes");
    }
    let listed = bursar.get(&format!("/api/admin/money/balances?asOf={day}&filter=overdue")).await.json();
    assert_eq!(listed.as_array().unwrap().len(), usize::from(row["overdue"] != json!(0)));
    let fees = student.get("/api/students/fees").await.json();
    let statement = student.get("/api/students/statement").await.json();
    assert_eq!((&fees["covered"], &statement["covered"]), (&row["covered"], &row["covered"]));
    let to_pay = row["totalDue"].as_f64().unwrap() - row["covered"].as_f64().unwrap();
    assert!((fees["howToPay"]["amount"].as_f64().unwrap() - to_pay).abs() < 0.001, "{fees}");
    assert_eq!(statement["howToPay"]["amount"], fees["howToPay"]["amount"]);
    [row["covered"].clone(), row["overdue"].clone()]
}

async fn waits(bursar: &Actor) -> [Value; 2] {
    let lines = bursar.get("/api/admin/waiting").await.expect(StatusCode::OK).json();
    let line =
        lines.as_array().unwrap().iter().find(|line| line["kind"] == "money_on_account").unwrap().clone();
    let rows = bursar.get("/api/admin/money/balances?filter=free").await.json();
    assert_eq!(line["count"], rows.as_array().unwrap().len());
    [line["count"].clone(), line["oldest"].clone()]
}

#[tokio::test]
async fn what_is_covered_is_overdue_nowhere_until_it_is_set_aside() {
    let school = School::open_with(|config| config.office.undo_seconds = 60).await;
    let (admin, bursar) = (school.staff().await, school.staff_as(Role::Bursar).await);
    let (student, _) = charged(&school, &admin, &[("ENG4U", json!(500)), ("MHF4U", json!(769.5))]).await;
    assert_eq!(readers(&bursar, &student).await, [json!(0), json!(1269.5)]);
    keep(&bursar, &student, 921.0).await;
    assert_eq!(readers(&bursar, &student).await, [json!(921), json!(348.5)]);
    assert_eq!(waits(&bursar).await, [json!(1), json!("2026-11-21")]);

    // Set aside, it covers nothing and waits in no list, until the day after its own.
    let path = format!("/api/admin/students/{}/hold", student.id);
    let fields =
        bursar.post(&path, &json!({ "amount": 0, "heldFor": "", "until": "2026-11-20" })).await.fields();
    assert_eq!(fields.as_object().unwrap().keys().collect::<Vec<_>>(), ["amount", "heldFor", "until"]);
    let much = json!({ "amount": 921.01, "heldFor": "The spring term", "until": "2026-12-20" });
    assert_eq!(bursar.post(&path, &much).await.fields()["amount"], "Only $921.00 is on account");
    let hold = json!({ "heldFor": "The spring term", "until": "2026-12-20" });
    let held = bursar.post(&path, &hold).await.expect(StatusCode::OK).json();
    assert_eq!(held["hold"], json!({ "amount": 921, "heldFor": "The spring term", "until": "2026-12-20" }));
    assert_eq!(readers(&bursar, &student).await, [json!(0), json!(1269.5)]);
    assert_eq!(waits(&bursar).await, [json!(0), Value::Null]);
    let row = bursar.get("/api/admin/money/balances?filter=unapplied").await.json()[0].clone();
    assert_eq!(row["hold"]["heldFor"], "The spring term");
    let refused =
        bursar.post(APPLY, &json!({ "studentIds": [student.id] })).await.expect(StatusCode::OK).json();
    assert_eq!(refused["results"][0]["status"], 409, "{refused}");
    let part = json!({ "amount": 900, "heldFor": "The spring term", "until": "2026-12-20" });
    bursar.post(&path, &part).await.expect(StatusCode::OK);
    assert_eq!(readers(&bursar, &student).await, [json!(21), json!(1248.5)]);
    assert_eq!(waits(&bursar).await[0], 1);
    for _ in 0..2 {
        let released = bursar.send(bursar.request("DELETE", &path)).await.expect(StatusCode::OK).json();
        assert_eq!(released["hold"], Value::Null);
    }
    assert_eq!(readers(&bursar, &student).await, [json!(921), json!(348.5)]);
    assert_eq!(school.count("select count(*) from audit where action in ('hold_money', 'release_money')"), 3);
    let registrar = school.staff_as(Role::Registrar).await;
    registrar.post(&path, &hold).await.expect(StatusCode::FORBIDDEN);
    registrar.post(APPLY, &json!({ "studentIds": [student.id] })).await.expect(StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn money_is_applied_for_many_at_once_and_back_on_account_by_undo() {
    let school = School::open_with(|config| config.office.undo_seconds = 60).await;
    let (admin, bursar) = (school.staff().await, school.staff_as(Role::Bursar).await);
    let (student, _) = charged(&school, &admin, &[("ENG4U", json!(500)), ("MHF4U", json!(769.5))]).await;
    let (other, _) = charged(&school, &admin, &[("CHV2O", json!(300))]).await;
    keep(&bursar, &student, 600.0).await;
    keep(&bursar, &other, 350.0).await;
    let ids = json!({ "studentIds": [student.id, other.id, 999] });
    let done = bursar.post(APPLY, &ids).await.expect(StatusCode::OK).json();
    let of = |at: usize, name: &str| done["results"][at]["row"][name].clone();
    assert_eq!(["applied", "unapplied", "due"].map(|name| of(0, name)), [json!(600), json!(0), json!(669.5)]);
    assert_eq!(["applied", "unapplied", "due"].map(|name| of(1, name)), [json!(300), json!(50), json!(0)]);
    assert_eq!(done["results"][2]["status"], 404);
    let paid_of = async |student: &Student| {
        let items = student.get("/api/students/fees").await.json()["perItem"].clone();
        items.as_array().unwrap().iter().map(|item| item["paid"].as_f64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(paid_of(&student).await, [100.0, 500.0], "the newest first, the oldest due paid first");
    // A colleague who presses a moment later is told.
    let again = bursar.post(APPLY, &json!({ "studentIds": [student.id, other.id] })).await.json();
    let said = |at: usize| again["results"][at]["message"].clone();
    assert_eq!(
        [said(0), said(1)],
        [json!("Nothing is on account."), json!("Nothing is due. Refund the money, or set it aside.")]
    );

    let decision = done["undo"]["id"].as_str().unwrap();
    admin
        .post(&format!("/api/admin/decisions/{decision}/undo"), &json!({}))
        .await
        .expect(StatusCode::NOT_FOUND);
    let undo = format!("{APPLY}/{decision}/undo");
    for _ in 0..2 {
        let undone = bursar.post(&undo, &json!({})).await.expect(StatusCode::OK).json();
        assert_eq!(undone["restored"].as_array().unwrap().len(), 2);
    }
    assert_eq!(paid_of(&student).await, [0.0, 0.0]);
    assert_eq!(other.get("/api/students/fees").await.json()["unapplied"], 350);
    assert_eq!(waits(&bursar).await[0], 2);
    // What was applied, and is refunded already, is not on account again.
    let applied =
        bursar.post(APPLY, &json!({ "studentIds": [other.id] })).await.expect(StatusCode::OK).json();
    let item = other.get("/api/students/fees").await.json()["perItem"][0]["enrollmentId"].clone();
    let refund = json!({ "enrollmentId": item, "amount": 300, "method": "cash", "paidOn": "2026-11-21", "reason": "Left" });
    paid(&bursar.post(&format!("/api/admin/students/{}/refunds", other.id), &refund).await);
    let undo = format!("{APPLY}/{}/undo", applied["undo"]["id"].as_str().unwrap());
    bursar.post(&undo, &json!({})).await.expect(StatusCode::CONFLICT);
    assert_eq!(other.get("/api/students/fees").await.json()["unapplied"], 50);
    let approval: String = school
        .database()
        .query_row("select id from decisions where verb = 'approve' limit 1", [], |row| row.get(0))
        .unwrap();
    bursar.post(&format!("{APPLY}/{approval}/undo"), &json!({})).await.expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn an_admission_fee_is_owed_like_any_other_and_asked_for_at_the_applications_address() {
    let school = School::open_with(|config| config.office.undo_seconds = 0).await;
    let (staff, bursar) = (school.staff().await, school.staff_as(Role::Bursar).await);
    let reference = apply(&school.visitor(), &application("Mei", "mei")).await;
    let id = number(&staff, &reference).await;
    let offer = json!({ "feeDue": 1250.5, "expiresOn": "2026-12-09" });
    let offer =
        staff.post(&call(id, "offer"), &offer).await.expect(StatusCode::OK).json()["offer"]["id"].clone();
    let family = open(&school, "mei@mail.example", &format!("We offer you a place ({reference})")).await;
    let accept = json!({ "name": "Emi Tanaka", "agreed": true, "offerId": offer });
    family.post("/api/applications/me/accept", &accept).await.expect(StatusCode::OK);
    let student = staff.get(&format!("/api/admin/admission-requests/{id}")).await.json()["studentId"].clone();
    let on = "asOf=2027-02-01";
    let summary = bursar.get(&format!("/api/admin/money/summary?{on}")).await.json();
    assert_eq!(
        ["due", "admissionFeesDue", "totalDue", "overdue"].map(|name| summary[name].clone()),
        [json!(0), json!(1250.5), json!(1250.5), json!(1250.5)]
    );
    let row = bursar.get(&format!("/api/admin/money/balances?{on}&filter=overdue")).await.json()[0].clone();
    assert_eq!(
        (&row["studentId"], &row["totalDue"], &row["balance"]),
        (&student, &json!(1250.5), &json!(1250.5))
    );
    assert_eq!(staff.get("/api/admin/dashboard").await.json()["totalFeeDue"], 0, "course fees alone");
    let sheet = bursar.get("/api/admin/money/balances?format=csv").await.text();
    assert!(sheet.contains("Courses,Admission,Total due,Overdue"), "{sheet}");
    assert!(sheet.contains("mei@mail.example,0.00,1250.50,1250.50,"), "{sheet}");
    // The account is not opened: the mailbox that opened the application is written to, and no other.
    let reminder = bursar.post("/api/admin/reminders", &json!({ "studentIds": [student] })).await.json();
    let reminder = &reminder["reminders"][0];
    assert_eq!((&reminder["send"], &reminder["amount"]), (&json!(true), &json!(1250.5)), "{reminder}");
    school.advance(
        "2026-11-23T15:00:00Z".parse::<jiff::Timestamp>().unwrap().duration_since(school.clock.now()),
    );
    schoolhouse::testing::reminder_clock(school.app()).await.unwrap();
    let mails = school.all_mails().await;
    let told =
        mails.iter().filter(|mail| mail.subject.starts_with("Reminder: $1,250.50")).collect::<Vec<_>>();
    assert_eq!(told.iter().map(|mail| mail.to.as_str()).collect::<Vec<_>>(), ["mei@mail.example"]);
    assert!(
        told[0].text.contains("address of the application") && !told[0].text.contains("/student/dashboard")
    );
}
