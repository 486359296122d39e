//! A payment that was a mistake, and money under a decision that is taken back.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{PAYMENTS, charged, paid, payment};
use crate::support::School;

#[tokio::test]
async fn a_reversed_payment_counts_nowhere_and_its_receipt_is_void() {
    let school = School::open().await;
    let staff = school.staff().await;
    let (student, _) = charged(&school, &staff, &[("ENG4U", json!(500))]).await;
    let guardians = json!([{ "name": "Chidi Okonkwo", "email": "chidi@mail.example", "relationship": "father",
        "isPrimary": true, "getsMail": true },
        { "name": "Emeka Okonkwo", "email": "emeka@mail.example", "relationship": "other", "getsMail": true }]);
    let path = format!("/api/admin/students/{}/guardians", student.id);
    let guardians =
        staff.send(staff.request("PUT", &path).json(&guardians)).await.expect(StatusCode::OK).json();
    let mut body = payment(&student, &json!(600), "CA1");
    body["sendReceipt"] = json!(true);
    let recorded = paid(&staff.post(PAYMENTS, &body).await);
    school.mail("emeka@mail.example", "Receipt 2026-000001").await;
    let stop = format!("{path}/{}/stop", guardians[1]["id"]);
    staff.post(&stop, &json!({ "reason": "Court order of May 3" })).await.expect(StatusCode::OK);
    let before = staff.get("/api/admin/receipts/2026-000001").await.text();
    let path = format!("{PAYMENTS}/{}/reverse", recorded["payment"]["id"]);
    for reason in ["", "no"] {
        assert!(staff.post(&path, &json!({ "reason": reason })).await.fields()["reason"].is_string());
    }
    let why = json!({ "reason": "The cheque bounced" });
    let reversed = paid(&staff.post(&path, &why).await);
    assert!(reversed["payment"]["voidedAt"].is_string(), "{reversed}");
    assert_eq!((&reversed["unapplied"], &reversed["payment"]["unapplied"]), (&json!(0), &json!(0)));
    let again = staff.post(&path, &why).await.expect(StatusCode::CONFLICT).json();
    assert_eq!(again["current"]["receiptNumber"], "2026-000001");
    staff.post(&format!("{PAYMENTS}/999999/reverse"), &why).await.expect(StatusCode::NOT_FOUND);

    let fees = student.get("/api/students/fees").await.json();
    assert_eq!((&fees["balance"], &fees["due"], &fees["unapplied"]), (&json!(500), &json!(500), &json!(0)));
    assert!(fees["receipts"][0]["voidedAt"].is_string(), "{fees}");
    assert_eq!(staff.get("/api/admin/dashboard").await.json()["totalFeeDue"], 500);
    let page = student.get("/api/students/receipts/2026-000001").await.text();
    assert!(
        page.contains("VOID") && page.contains("The cheque bounced") && !before.contains("VOID"),
        "{page}"
    );
    for to in [student.email.as_str(), "chidi@mail.example"] {
        let mail = school.mail(to, "Receipt 2026-000001 is void").await;
        let what = "what it paid for is due again, and the rest is no longer on your account";
        assert!(mail.text.contains("The cheque bounced") && mail.text.contains(what), "{}", mail.text);
    }
    let sheet = staff.get(&format!("{PAYMENTS}?format=csv")).await.expect(StatusCode::OK).text();
    assert!(sheet.trim_end().ends_with(",2026-11-21"), "{sheet}");
    let to_stopped = school.all_mails().await.into_iter().filter(|mail| mail.to == "emeka@mail.example");
    assert_eq!(to_stopped.count(), 1, "nothing after the office stopped disclosing");
    let trail = staff.get(&format!("/api/admin/audit?student={}&object=payment", student.id)).await;
    assert_eq!(trail.column("action"), [json!("reverse"), json!("record")]);
    // A void one is no duplicate, and its number is not used again.
    body["allocations"] = json!([]);
    let second = paid(&staff.post(PAYMENTS, &body).await);
    assert_eq!(second["receipt"]["number"], "2026-000002");
    // It paid for nothing.
    paid(&staff.post(&format!("{PAYMENTS}/{}/reverse", second["payment"]["id"]), &why).await);
    let mail = school.mail(&student.email, "Receipt 2026-000002 is void").await;
    let what = "Receipt 2026-000002 is void, and the money is no longer on your account.";
    assert!(mail.text.contains(what) && !mail.text.contains("due again"), "{}", mail.text);

    // Nothing of it can be changed past the program, either.
    let connection = school.database();
    for sql in [
        "update payments set amount_cents = 1",
        "update payments set note = 'x' where reverses_id is not null",
        "delete from payments",
        "update receipts set body_json = '{}'",
        "update receipts set voided_at = 1 where voided_at is not null",
        "update receipts set voided_at = null, void_reason = null where voided_at is not null",
        "delete from receipts",
        "update counters set next = next + 2",
        "update counters set next = next - 1",
        "delete from counters",
        "update ledger set payment_id = null",
    ] {
        assert!(connection.execute_batch(sql).is_err(), "{sql}");
    }
    connection.execute_batch("update payments set deposited_on = '2026-11-21'").unwrap();
    connection.execute_batch("update payments set deposited_on = null").unwrap();
}

#[tokio::test]
async fn money_under_a_decision_that_is_taken_back_goes_on_account() {
    let school = School::open_with(|config| config.office.undo_seconds = 60).await;
    let staff = school.staff().await;
    let (student, ids) = charged(&school, &staff, &[("ENG4U", json!(500)), ("MHF4U", json!(300))]).await;
    let paid_for = async |id: i64| {
        let fees = student.get("/api/students/fees").await.json();
        let items = fees["perItem"].as_array().unwrap().clone();
        let item = items.into_iter().find(|item| item["enrollmentId"] == id).unwrap();
        (item["paid"].clone(), item["credit"].clone(), fees["unapplied"].clone(), fees["balance"].clone())
    };
    let mut body = payment(&student, &json!(450), "CA1");
    body["enrollmentId"] = json!(ids[0]);
    let number = paid(&staff.post(PAYMENTS, &body).await)["payment"]["id"].clone();
    let undo = async |decided: &Value| {
        let path = format!("/api/admin/decisions/{}/undo", decided["undo"]["id"].as_str().unwrap());
        staff.post(&path, &json!({})).await.expect(StatusCode::OK);
    };
    let leave = json!({ "reason": "The family moves away.", "effectiveOn": "2026-11-21", "refund": "full" });
    let withdraw = format!("/api/admin/enrollments/{}/withdraw", ids[0]);
    let withdrawn = staff.post(&withdraw, &leave).await.expect(StatusCode::OK).json();
    assert_eq!(paid_for(ids[0]).await, (json!(0), json!(0), json!(450), json!(-150)));
    // Undone, the money is where it was; not so if it has gone meanwhile.
    undo(&withdrawn).await;
    assert_eq!(paid_for(ids[0]).await, (json!(450), json!(0), json!(0), json!(350)));
    let withdrawn = staff.post(&withdraw, &leave).await.expect(StatusCode::OK).json();
    let why = json!({ "reason": "The cheque bounced" });
    staff.post(&format!("{PAYMENTS}/{number}/reverse"), &why).await.expect(StatusCode::CREATED);
    undo(&withdrawn).await;
    assert_eq!(paid_for(ids[0]).await, (json!(0), json!(0), json!(0), json!(800)));

    // An approval that is undone, or reversed, is no credit on an enrollment, either.
    body["reference"] = json!("CA2");
    paid(&staff.post(PAYMENTS, &body).await);
    let reverse = json!({ "reason": "It was approved for another student." });
    let path = format!("/api/admin/enrollments/{}/reverse-approval", ids[0]);
    staff.post(&path, &reverse).await.expect(StatusCode::OK);
    assert_eq!(paid_for(ids[0]).await, (json!(0), json!(0), json!(450), json!(-150)));
    assert_eq!(staff.get("/api/admin/dashboard").await.json()["totalFeeDue"], 300);
    assert_eq!(schoolhouse::testing::total_due_difference(&school.database()).unwrap(), None);
    // Two accounts of one student: what was paid goes along.
    let (kept, _) = charged(&school, &staff, &[("CHV2O", json!(100))]).await;
    let merge = format!("/api/admin/students/{}/merge", kept.id);
    staff.post(&merge, &json!({ "otherId": student.id })).await.expect(StatusCode::OK);
    let money = staff.get(&format!("/api/admin/students/{}", kept.id)).await.json()["money"].clone();
    assert_eq!((&money["balance"], &money["unapplied"]), (&json!(-50), &json!(450)));
    assert_eq!(money["payments"].as_array().unwrap().len(), 2);
    kept.get("/api/students/receipts/2026-000002").await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_decision_is_not_undone_once_its_money_was_refunded_elsewhere() {
    let school = School::open_with(|config| config.office.undo_seconds = 600).await;
    let staff = school.staff().await;
    let (student, ids) = charged(&school, &staff, &[("ENG4U", json!(500))]).await;
    paid(&staff.post(PAYMENTS, &payment(&student, &json!(500), "CA1")).await);
    let course = school.course(&staff, "MHF4U", json!(500)).await;
    let wish = json!({ "courseId": course, "reason": "Agreed with the family on the phone." });
    let path = format!("/api/admin/enrollments/{}/transfer", ids[0]);
    let moved = staff.post(&path, &wish).await.expect(StatusCode::OK).json();
    let undo = format!("/api/admin/decisions/{}/undo", moved["undo"]["id"].as_str().unwrap());
    let refunds = format!("/api/admin/students/{}/refunds", student.id);
    let newest = school.count("select max(id) from enrollments");
    let refund = json!({ "enrollmentId": newest, "amount": 100, "method": "cheque", "paidOn": "2026-11-21",
        "reason": "Paid too much" });
    let refund = staff.post(&refunds, &refund).await.expect(StatusCode::CREATED).json();
    let refused = staff.post(&undo, &json!({})).await.expect(StatusCode::CONFLICT);
    assert_eq!(
        refused.message(),
        "Then $100.00 more would be refunded than was paid. Reverse the refund first."
    );
    let entry = format!("/api/admin/ledger/{}/reverse", refund["entry"]["id"]);
    staff.post(&entry, &json!({ "reason": "It was never sent" })).await.expect(StatusCode::CREATED);
    staff.post(&undo, &json!({})).await.expect(StatusCode::OK);
    assert_eq!(school.count("select count(*) from enrollment_balances where refunded > paid"), 0);
}
