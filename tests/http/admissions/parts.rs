//! An offer is in the ledger as it was promised: every sum and day of it is a row, and every reader has the same.

use jiff::SignedDuration;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{application, apply, call, number, open};
use crate::support::{Actor, School, Student, profile};

/// A student whose application was offered a place and accepted it: number of the application, and its family.
pub(super) async fn accepted(
    school: &School,
    staff: &Actor,
    student: &Student,
    terms: &Value,
) -> (i64, String, Actor) {
    student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);
    let mut body = application("Mei", "tanaka");
    body["email"] = json!(student.email);
    body["dateOfBirth"] = json!("2009-03-01");
    let reference = apply(&school.visitor(), &body).await;
    let id = number(staff, &reference).await;
    let offer = staff.post(&call(id, "offer"), terms).await.expect(StatusCode::OK).json();
    school.advance(SignedDuration::from_secs(61));
    let family = open(school, &student.email, &format!("We offer you a place ({reference})")).await;
    let accept = json!({ "name": "Emi Tanaka", "agreed": true, "offerId": offer["offer"]["id"] });
    let own = family.post("/api/applications/me/accept", &accept).await.expect(StatusCode::OK).json();
    assert_eq!(own["status"], "accepted");
    (id, reference, family)
}

fn part(item: &str, amount: f64, due_on: &str) -> Value {
    let amount = if amount.fract() == 0.0 { json!(amount as i64) } else { json!(amount) };
    json!({ "item": item, "amount": amount, "dueOn": due_on })
}

/// Amounts with due dates of what is open of the admission.
fn open_parts(fees: &Value) -> Vec<(Value, Value)> {
    let item = fees["perItem"].as_array().unwrap().iter().find(|item| !item["admissionId"].is_null());
    let open = item.map(|item| item["open"].as_array().unwrap().clone()).unwrap_or_default();
    open.iter().map(|part| (part["amount"].clone(), part["dueOn"].clone())).collect()
}

#[tokio::test]
async fn deposit_and_rest_are_charges_with_their_own_days_wherever_they_are_read() {
    let school = School::open_with(|config| config.office.undo_seconds = 0).await;
    let (staff, student) = (school.staff().await, school.student().await);
    let terms = json!({ "feeDue": 1250.5, "deposit": 500, "depositDueOn": "2026-12-20", "feeDueOn": "2027-01-15",
        "expiresOn": "2026-12-09" });
    let (id, reference, family) = accepted(&school, &staff, &student, &terms).await;
    let parts = json!([part("deposit", 500.0, "2026-12-20"), part("admission", 750.5, "2027-01-15")]);
    let rows = "select count(*) from ledger where kind = 'charge' and admission_id is not null
        and (item, amount_cents, due_on) in (values ('deposit', 50000, '2026-12-20'), ('admission', 75050, '2027-01-15'))";
    assert_eq!(school.count(rows), 2);
    assert_eq!(school.count("select count(*) from ledger"), 2);
    // Letters, the applicant's page and the office's.
    for subject in ["We offer you a place", "You have accepted the offer"] {
        let mail = school.mail(&student.email, &format!("{subject} ({reference})")).await;
        for words in ["$1,250.50", "$500.00, due December 20, 2026", "$750.50, due January 15, 2027"] {
            assert!(mail.text.contains(words), "{subject}: {words}: {}", mail.text);
        }
    }
    let own = family.get("/api/applications/me").await.json();
    let record = async || staff.get(&format!("/api/admin/admission-requests/{id}")).await.json();
    assert_eq!((&own["feeParts"], &record().await["feeParts"]), (&parts, &parts));
    // The portal, the statement, the ledger, the invoice.
    let fees = student.get("/api/students/fees").await.json();
    let expected = vec![(json!(500), json!("2026-12-20")), (json!(750.5), json!("2027-01-15"))];
    assert_eq!((open_parts(&fees), &fees["nextDueOn"]), (expected.clone(), &json!("2026-12-20")));
    let statement = student.get("/api/students/statement").await.json();
    let rows = statement["rows"].as_array().unwrap();
    let told: Vec<_> = rows.iter().map(|row| (row["amount"].clone(), row["dueOn"].clone())).collect();
    assert_eq!(told, expected);
    assert_eq!(rows[0]["description"], "Admission fee: Deposit");
    let ledger = staff.get(&format!("/api/admin/students/{}/ledger", student.id)).await.json();
    let entries = ledger["entries"].as_array().unwrap().iter();
    let told: Vec<_> = entries.rev().map(|row| (row["amount"].clone(), row["dueOn"].clone())).collect();
    assert_eq!(told, expected);
    let ask = json!({ "studentIds": [student.id], "send": true });
    let issued = staff.post("/api/admin/invoices", &ask).await.expect(StatusCode::CREATED).json();
    let lines = issued["invoices"][0]["lines"].as_array().unwrap();
    let told: Vec<_> = lines.iter().map(|row| (row["amount"].clone(), row["dueOn"].clone())).collect();
    assert_eq!(told, expected);
    let page = student.get("/api/students/invoices/INV-2026-000001").await;
    let mail = school.mail(&student.email, "Invoice INV-2026-000001").await;
    for words in ["$500.00 due on December 20, 2026", "$750.50 due on January 15, 2027"] {
        assert!(page.text().contains(words) && mail.text.contains(words), "{words}: {}", mail.text);
    }
    // The deposit is paid, and the place given up: the money is on account.
    let admission = record().await["admission"]["id"].clone();
    let pay = json!({ "admissionId": admission, "amount": 500, "method": "wire", "reference": "W1",
        "receivedOn": "2026-11-21" });
    staff.post("/api/admin/payments", &pay).await.expect(StatusCode::CREATED);
    let now = record().await;
    assert_eq!((&now["deposit"]["received"], &now["deposit"]["due"]), (&json!(500), &json!(0)));
    let fees = student.get("/api/students/fees").await.json();
    assert_eq!(open_parts(&fees), expected[1..]);
    let cancel = format!("/api/admin/admissions/{admission}/cancel");
    staff.post(&cancel, &json!({ "reason": "They move." })).await.expect(StatusCode::OK);
    let fees = student.get("/api/students/fees").await.json();
    assert_eq!((&fees["due"], &fees["unapplied"], open_parts(&fees)), (&json!(0), &json!(500), vec![]));
    let now = record().await;
    assert_eq!((&now["feeParts"], &now["deposit"]), (&json!([]), &Value::Null));
}

#[tokio::test]
async fn a_cancellation_that_is_undone_charges_both_parts_again() {
    let school = School::open_with(|config| config.office.undo_seconds = 60).await;
    let (staff, student) = (school.staff().await, school.student().await);
    let terms = json!({ "feeDue": 900, "deposit": 300, "depositDueOn": "2026-12-01", "feeDueOn": "2027-02-01",
        "expiresOn": "2026-12-09" });
    let (id, ..) = accepted(&school, &staff, &student, &terms).await;
    let record = async || staff.get(&format!("/api/admin/admission-requests/{id}")).await.json();
    let before = record().await;
    let pay = json!({ "admissionId": before["admission"]["id"], "amount": 100, "method": "cash",
        "receivedOn": "2026-11-21" });
    staff.post("/api/admin/payments", &pay).await.expect(StatusCode::CREATED);
    let cancel = format!("/api/admin/admissions/{}/cancel", before["admission"]["id"]);
    let done = staff.post(&cancel, &json!({ "reason": "A mistake." })).await.expect(StatusCode::OK).json();
    let undo = format!("/api/admin/decisions/{}/undo", done["undo"]["id"].as_str().unwrap());
    staff.post(&undo, &json!({})).await.expect(StatusCode::OK);
    let after = record().await;
    assert_eq!(after["feeParts"], before["feeParts"]);
    let deposit = &after["deposit"];
    assert_eq!(
        (&deposit["amount"], &deposit["received"], &deposit["due"], &deposit["dueOn"]),
        (&json!(300), &json!(100), &json!(200), &json!("2026-12-01"))
    );
}

#[tokio::test]
async fn an_offer_without_a_deposit_or_with_nothing_else_is_one_charge_and_its_days_are_checked() {
    let school = School::open_with(|config| config.office.undo_seconds = 0).await;
    let staff = school.staff().await;
    let whole =
        json!({ "feeDue": 800, "deposit": 800, "depositDueOn": "2026-12-04", "expiresOn": "2026-12-09" });
    let plain = json!({ "feeDue": 800, "feeDueOn": "2027-01-04", "expiresOn": "2026-12-09" });
    let usual = json!({ "feeDue": 800, "deposit": 100, "expiresOn": "2026-12-09" });
    for (terms, parts) in [
        (whole, vec![part("deposit", 800.0, "2026-12-04")]),
        (plain, vec![part("admission", 800.0, "2027-01-04")]),
        // A deposit without a day is due on the day of the acceptance, the rest after four weeks.
        (usual, vec![part("deposit", 100.0, "2026-11-21"), part("admission", 700.0, "2026-12-19")]),
    ] {
        let student = school.student().await;
        let (id, ..) = accepted(&school, &staff, &student, &terms).await;
        let record = staff.get(&format!("/api/admin/admission-requests/{id}")).await.json();
        assert_eq!(record["feeParts"], json!(parts), "{terms}");
        let fees = student.get("/api/students/fees").await.json();
        let expected: Vec<_> =
            parts.iter().map(|part| (part["amount"].clone(), part["dueOn"].clone())).collect();
        assert_eq!(open_parts(&fees), expected, "{terms}");
    }
    let reference = apply(&school.visitor(), &application("Hana", "hana")).await;
    let id = number(&staff, &reference).await;
    for (wrong, field) in [
        (json!({ "depositDueOn": "2027-01-16", "feeDueOn": "2027-01-15" }), "depositDueOn"),
        (json!({ "feeDueOn": "2026-11-20" }), "feeDueOn"),
        (json!({ "feeDueOn": "soon" }), "feeDueOn"),
    ] {
        let mut terms = json!({ "feeDue": 800, "deposit": 100, "expiresOn": "2026-12-09" });
        terms.as_object_mut().unwrap().extend(wrong.as_object().unwrap().clone());
        let fields = staff.post(&call(id, "offer"), &terms).await.fields();
        assert!(fields[field].is_string() && fields.as_object().unwrap().len() == 1, "{fields}");
    }
}
