//! From the money that came to what is due: payments, receipts, reversals.

mod admissions;
mod bank;
mod bank_cases;
mod bank_files;
mod family;
mod invoice_states;
mod ledger;
mod on_account;
mod own_fees;
mod papers;
mod refunds;
mod reminders;
mod reversals;

use futures_util::future::join_all;
use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use crate::support::{Actor, Answer, School, Student};

const PAYMENTS: &str = "/api/admin/payments";

/// A student who is charged these prices, one a day, so that the first is due first; with their enrollments.
async fn charged(school: &School, staff: &Actor, courses: &[(&str, Value)]) -> (Student, Vec<i64>) {
    let student = school.student().await;
    let mut ids = Vec::new();
    for (code, price) in courses {
        let id = student.enroll(school.course(staff, code, price.clone()).await).await.json()["id"].clone();
        staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await.expect(StatusCode::OK);
        ids.push(id.as_i64().unwrap());
    }
    (student, ids)
}

fn payment(student: &Student, amount: &Value, reference: &str) -> Value {
    json!({ "studentId": student.id, "amount": amount, "method": "e_transfer", "reference": reference,
        "receivedOn": "2026-11-21" })
}

fn keyed(staff: &Actor, path: &str, key: &str, body: &Value) -> reqwest::RequestBuilder {
    staff.request("POST", path).header("Idempotency-Key", key).json(body)
}

fn paid(answer: &Answer) -> Value {
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
    answer.json()
}

#[tokio::test]
async fn what_was_paid_counts_wherever_money_is_shown() {
    let school = School::open().await;
    let (admin, bursar) = (school.staff().await, school.staff_as(Role::Bursar).await);
    let courses = [("ENG4U", json!(500)), ("MHF4U", json!(769.5))];
    let (student, ids) = charged(&school, &admin, &courses).await;
    let (other, _) = charged(&school, &admin, &[("CHV2O", json!(300))]).await;
    let due = async || admin.get("/api/admin/dashboard").await.json()["totalFeeDue"].clone();
    assert_eq!(due().await, json!(1569.5));

    let mut body = payment(&student, &json!("1,000.25"), "CA4711");
    body["payerName"] = json!("Chidi Okonkwo");
    body["sendReceipt"] = json!(true);
    let recorded = paid(&bursar.post(PAYMENTS, &body).await);
    assert_eq!(
        (&recorded["payment"]["amount"], &recorded["receipt"]["number"], &recorded["unapplied"]),
        (&json!(1000.25), &json!("2026-000001"), &json!(0))
    );
    assert_eq!(recorded["ledgerIds"].as_array().unwrap().len(), 2);
    // What is over stays on account, and is told from what is due.
    let mut over = payment(&student, &json!(300), "CA4712");
    over["enrollmentId"] = json!(ids[1]);
    let over = paid(&bursar.post(PAYMENTS, &over).await);
    assert_eq!((&over["unapplied"], &over["receipt"]["number"]), (&json!(30.75), &json!("2026-000002")));
    assert_eq!(due().await, json!(300));

    let file = admin.get(&format!("/api/admin/students/{}", student.id)).await.json()["money"].clone();
    assert_eq!((&file["balance"], &file["unapplied"]), (&json!(-30.75), &json!(30.75)));
    let of = |id: i64, what: &str| {
        let items = file["perItem"].as_array().unwrap().iter();
        items.clone().find(|item| item["enrollmentId"] == id).unwrap()[what].clone()
    };
    assert_eq!(
        (of(ids[0], "paid"), of(ids[0], "due"), of(ids[0], "for")),
        (json!(500), json!(0), json!("ENG4U · A course"))
    );
    assert_eq!(
        (of(ids[1], "paid"), of(ids[1], "due"), of(ids[1], "dueOn")),
        (json!(769.5), json!(0), Value::Null)
    );
    assert_eq!(file["payments"].as_array().unwrap().len(), 2);
    let row = &admin.get("/api/admin/students?sort=balance&page=1").await.json()[0];
    assert_eq!((&row["id"], &row["balance"]), (&json!(student.id), &json!(-30.75)));

    let fees = student.get("/api/students/fees").await.json();
    assert_eq!(
        (&fees["balance"], &fees["due"], &fees["unapplied"], &fees["nextDueOn"]),
        (&json!(-30.75), &json!(0), &json!(30.75), &Value::Null)
    );
    let sum: f64 =
        fees["entries"].as_array().unwrap().iter().map(|entry| entry["amount"].as_f64().unwrap()).sum();
    assert!(sum.abs() < 0.001, "{fees}");
    assert_eq!(
        fees["receipts"][1],
        json!({ "number": "2026-000001", "amount": 1000.25, "receivedOn": "2026-11-21",
        "method": "e_transfer", "voidedAt": null })
    );

    // The receipt: for the office, its student and their mailbox; no other student reads it.
    let page = student.get("/api/students/receipts/2026-000001").await.expect(StatusCode::OK);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert!(page.header("content-security-policy").contains("sha256-"));
    for words in
        ["2026-000001", "Chidi Okonkwo", "CA4711", "ENG4U · A course", "$500.00", "$500.25", "$269.25"]
    {
        assert!(page.text().contains(words), "{words}: {}", page.text());
    }
    assert_eq!(
        bursar.get("/api/admin/receipts/2026-000001").await.expect(StatusCode::OK).text(),
        page.text()
    );
    other.get("/api/students/receipts/2026-000001").await.expect(StatusCode::NOT_FOUND);
    student.get("/api/students/receipts/2026-000009").await.expect(StatusCode::NOT_FOUND);
    school.visitor().get("/api/students/receipts/2026-000001").await.expect(StatusCode::UNAUTHORIZED);
    let mail = school.mail(&student.email, "Receipt 2026-000001").await;
    for words in ["Amount: $1,000.25", "Paid by: Chidi Okonkwo", "Balance owing: $269.25"] {
        assert!(mail.text.contains(words), "{words}: {}", mail.text);
    }
    let mails = school.all_mails().await;
    assert!(!mails.iter().any(|mail| mail.subject == "Receipt 2026-000002"), "it was not asked for");

    let list = admin.get("/api/admin/payments?page=1").await.expect(StatusCode::OK);
    assert_eq!(
        (list.total(), list.column("receiptNumber")),
        (2, vec![json!("2026-000002"), json!("2026-000001")])
    );
    for (query, found) in [
        ("q=ca4711", 1),
        ("day=2026-11-21", 2),
        ("day=2026-11-20", 0),
        ("method=cash", 0),
        ("method=e_transfer&day=2026-11-21&page=1", 2),
    ] {
        assert_eq!(admin.get(&format!("{PAYMENTS}?{query}")).await.total(), found, "{query}");
    }
    for query in ["day=yesterday", "method=gold"] {
        admin.get(&format!("{PAYMENTS}?{query}")).await.expect(StatusCode::BAD_REQUEST);
    }
    let sheet = bursar.get(&format!("{PAYMENTS}?format=csv")).await.expect(StatusCode::OK).text();
    let heading =
        "Received on,Receipt,Number,Student,Payer,Method,Reference,Amount,On account,Deposited on,Void";
    assert!(sheet.contains(heading) && sheet.contains("1000.25"), "{sheet}");
    let registrar = school.staff_as(Role::Registrar).await;
    registrar.get(&format!("{PAYMENTS}?format=csv")).await.expect(StatusCode::FORBIDDEN);
    registrar.get(PAYMENTS).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_payment_names_whose_it_is_and_pays_for_no_more_than_is_due() {
    let school = School::open().await;
    let staff = school.staff().await;
    let (student, ids) = charged(&school, &staff, &[("ENG4U", json!(500))]).await;
    let (_, others) = charged(&school, &staff, &[("MHF4U", json!(700))]).await;
    let with = |name: &str, value: Value| {
        let mut body = payment(&student, &json!(100), "");
        body[name] = value;
        body
    };
    let part = |id: i64, amount: f64| json!([{ "enrollmentId": id, "amount": amount }]);
    for (body, status) in [
        (with("studentId", json!(999_999)), StatusCode::NOT_FOUND),
        (with("enrollmentId", json!(others[0])), StatusCode::NOT_FOUND),
        (with("admissionId", json!(1)), StatusCode::NOT_FOUND),
        (with("allocations", part(others[0], 5.0)), StatusCode::NOT_FOUND),
        (with("allocations", part(999_999, 5.0)), StatusCode::NOT_FOUND),
        (with("allocations", part(ids[0], 100.01)), StatusCode::BAD_REQUEST),
        (with("receivedOn", json!("2026-11-22")), StatusCode::BAD_REQUEST),
    ] {
        staff.post(PAYMENTS, &body).await.expect(status);
    }
    let mut much = with("allocations", part(ids[0], 600.0));
    much["amount"] = json!(600);
    let fields = staff.post(PAYMENTS, &much).await.fields();
    assert_eq!(fields, json!({ "allocations": "Only $500.00 of it is due, so $600.00 cannot go to it" }));
    assert_eq!(school.count("select count(*) from payments"), 0);
    // An enrollment says whose it is; an empty list keeps all of it on account.
    let mut body = with("enrollmentId", json!(ids[0]));
    body.as_object_mut().unwrap().remove("studentId");
    assert_eq!(paid(&staff.post(PAYMENTS, &body).await)["payment"]["studentId"], student.id);
    let mut kept = with("allocations", json!([]));
    kept["reference"] = json!("CA2");
    let kept = paid(&staff.post(PAYMENTS, &kept).await);
    assert_eq!((&kept["unapplied"], &kept["ledgerIds"]), (&json!(100), &json!([])));
    assert_eq!(student.get("/api/students/fees").await.json()["due"], 400);
}

#[tokio::test]
async fn a_payment_that_is_sent_again_is_recorded_once() {
    let school = School::open().await;
    let (one, two) = (school.staff().await, school.staff_as(Role::Bursar).await);
    let (student, _) = charged(&school, &one, &[("ENG4U", json!(500))]).await;
    let mut body = payment(&student, &json!(200), "CA1");
    body["sendReceipt"] = json!(true);
    // A refused call uses up no key.
    keyed(&one, PAYMENTS, "key-of-the-form-1", &json!({})).send().await.unwrap();
    // Enter was pressed twice, and once more after the answer.
    let twice = join_all((0..2).map(|_| one.send(keyed(&one, PAYMENTS, "key-of-the-form-1", &body)))).await;
    let mut statuses: Vec<_> = twice.iter().map(|answer| answer.status).collect();
    statuses.sort();
    assert_eq!(statuses, [StatusCode::OK, StatusCode::CREATED]);
    assert_eq!(twice[0].json(), twice[1].json());
    // The server died before it could answer: the browser sends the same again after the restart.
    let first = twice[0].json();
    let school = school.reopen().await;
    let login = |school: &School, actor: &Actor| Actor { client: actor.client.clone(), base: school.url("") };
    let (one, two) = (login(&school, &one), login(&school, &two));
    let again = one.send(keyed(&one, PAYMENTS, "key-of-the-form-1", &body)).await.expect(StatusCode::OK);
    assert_eq!(again.json(), first);
    assert_eq!(school.count("select count(*) from payments"), 1);
    let mails = school.all_mails().await;
    assert_eq!(mails.iter().filter(|mail| mail.subject == "Receipt 2026-000001").count(), 1);

    let mut other = body.clone();
    other["amount"] = json!(201);
    let refused =
        one.send(keyed(&one, PAYMENTS, "key-of-the-form-1", &other)).await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.json()["reason"], "idempotency_key_reused");
    let short = one.send(keyed(&one, PAYMENTS, "short", &body)).await.expect(StatusCode::BAD_REQUEST);
    assert!(short.message().contains("8 to 64"), "{}", short.message());

    // After seven days a key may come again.
    school.database().execute("delete from idempotency", []).unwrap();
    other["reference"] = json!("CA2");
    one.send(keyed(&one, PAYMENTS, "key-of-the-form-1", &other)).await.expect(StatusCode::CREATED);

    // The same money recorded by a colleague: asked about, and recorded when it is meant.
    body["reference"] = json!(" ca1 ");
    body["receivedOn"] = json!("2026-11-20");
    let asked =
        two.send(keyed(&two, PAYMENTS, "key-of-the-form-1", &body)).await.expect(StatusCode::CONFLICT).json();
    assert_eq!(
        (&asked["reason"], &asked["current"]["receiptNumber"]),
        (&json!("possible_duplicate"), &json!("2026-000001"))
    );
    assert!(asked["message"].as_str().unwrap().contains("receipt 2026-000001"), "{asked}");
    body["confirmDuplicate"] = json!(true);
    two.send(keyed(&two, PAYMENTS, "key-of-the-form-2", &body)).await.expect(StatusCode::CREATED);
    body["confirmDuplicate"] = json!(false);
    body["receivedOn"] = json!("2026-11-12");
    two.post(PAYMENTS, &body).await.expect(StatusCode::CREATED);
    // Without a reference: the same amount in the same way on the same day.
    let cash = json!({ "studentId": student.id, "amount": 20, "method": "cash", "receivedOn": "2026-11-20" });
    one.post(PAYMENTS, &cash).await.expect(StatusCode::CREATED);
    assert_eq!(
        one.post(PAYMENTS, &cash).await.expect(StatusCode::CONFLICT).json()["reason"],
        "possible_duplicate"
    );
    let unnamed =
        json!({ "studentId": student.id, "amount": 200, "method": "e_transfer", "receivedOn": "2026-11-21" });
    let asked = two.post(PAYMENTS, &unnamed).await.expect(StatusCode::CONFLICT).json();
    assert_eq!(asked["current"]["reference"], "CA1", "the earlier one has a reference");
}

#[tokio::test]
async fn two_who_record_at_once_do_not_pay_a_course_twice_and_leave_no_gap_in_the_numbers() {
    let school = School::open().await;
    let (one, two) = (school.staff().await, school.staff_as(Role::Bursar).await);
    let (student, ids) = charged(&school, &one, &[("ENG4U", json!(500))]).await;
    let bodies: Vec<_> = (0..12).map(|n| payment(&student, &json!(100), &format!("CA{n}"))).collect();
    let calls =
        bodies.iter().enumerate().map(|(n, body)| if n % 2 == 0 { &one } else { &two }.post(PAYMENTS, body));
    let answers = join_all(calls).await;
    let mut numbers: Vec<_> =
        answers.iter().map(|answer| paid(answer)["receipt"]["number"].clone()).collect();
    numbers.sort_by_key(Value::to_string);
    let expected: Vec<_> = (1..=12).map(|n| json!(format!("2026-{n:06}"))).collect();
    assert_eq!(numbers, expected);
    let file = one.get(&format!("/api/admin/students/{}", student.id)).await.json()["money"].clone();
    let item = &file["perItem"][0];
    assert_eq!(
        (&item["enrollmentId"], &item["paid"], &item["credit"], &file["unapplied"]),
        (&json!(ids[0]), &json!(500), &json!(0), &json!(700))
    );

    // 11:30 p.m. of the last day of the year in Toronto, and an hour later.
    let at = |text: &str| text.parse::<jiff::Timestamp>().unwrap();
    school.advance(at("2027-01-01T04:30:00Z").duration_since(school.app().clock.now()));
    let staff = school.staff().await;
    let mut body = payment(&student, &json!(5), "CA20");
    body["receivedOn"] = json!("2026-12-31");
    assert_eq!(paid(&staff.post(PAYMENTS, &body).await)["receipt"]["number"], "2026-000013");
    school.advance(jiff::SignedDuration::from_hours(1));
    let staff = school.staff().await;
    body["reference"] = json!("CA21");
    assert_eq!(paid(&staff.post(PAYMENTS, &body).await)["receipt"]["number"], "2027-000001");
}
