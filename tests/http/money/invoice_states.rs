//! The state of an invoice, which each list of invoices reads from the ledger.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{PAYMENTS, charged, paid, payment};
use crate::support::{Actor, School, Student};

const WHY: &str = "A bursary.";

struct Place {
    school: School,
    staff: Actor,
    student: Student,
    enrollments: Vec<i64>,
}

impl Place {
    /// A student with one invoice over two courses, $1,000.00 together.
    async fn open() -> Self {
        let school = School::open().await;
        let staff = school.staff().await;
        let (student, enrollments) =
            charged(&school, &staff, &[("ENG4U", json!(600)), ("MHF4U", json!(400))]).await;
        let place = Self { school, staff, student, enrollments };
        place.post("/api/admin/invoices", json!({ "studentIds": [place.student.id] })).await;
        place
    }

    async fn post(&self, path: &str, body: Value) -> Value {
        let answer = self.staff.post(path, &body).await;
        assert!([200, 201].contains(&answer.status.as_u16()), "{path}: {}", answer.text());
        answer.json()
    }

    async fn pay(&self, amount: i64) -> Value {
        paid(&self.staff.post(PAYMENTS, &payment(&self.student, &json!(amount), &format!("P{amount}"))).await)
    }

    /// The states of all invoices, the newest first, as the office and the student read them.
    async fn states(&self) -> Vec<Value> {
        let office = self.staff.get("/api/admin/invoices").await.expect(StatusCode::OK).column("state");
        let fees = self.student.get("/api/students/fees").await.expect(StatusCode::OK).json();
        let own: Vec<_> =
            fees["invoices"].as_array().unwrap().iter().map(|one| one["state"].clone()).collect();
        assert_eq!(office, own);
        office
    }

    fn of_student(&self, what: &str) -> String {
        format!("/api/admin/students/{}/{what}", self.student.id)
    }
}

#[tokio::test]
async fn an_invoice_is_open_partly_paid_or_paid_as_the_ledger_says() {
    let place = Place::open().await;
    assert_eq!(place.states().await, ["open"]);
    let first = place.pay(250).await;
    assert_eq!(place.states().await, ["partly_paid"]);
    place.pay(750).await;
    assert_eq!(place.states().await, ["paid"]);
    // What is charged later is on another invoice.
    let later = json!({ "enrollmentId": place.enrollments[0], "amount": 80, "description": "Trip", "item": "other",
        "dueOn": "2026-12-20" });
    place.post(&place.of_student("charges"), later).await;
    assert_eq!(place.states().await, ["paid"]);
    place.post("/api/admin/invoices", json!({ "studentIds": [place.student.id] })).await;
    assert_eq!(place.states().await, ["open", "paid"]);
    place.pay(80).await;
    assert_eq!(place.states().await, ["paid", "paid"]);
    // Paid back, and a payment that was a mistake.
    let back = json!({ "enrollmentId": place.enrollments[1], "amount": 100, "method": "e_transfer",
        "paidOn": "2026-11-21", "reason": "Overpaid." });
    place.post(&place.of_student("refunds"), back).await;
    assert_eq!(place.states().await, ["paid", "partly_paid"]);
    place
        .post(&format!("{PAYMENTS}/{}/reverse", first["payment"]["id"]), json!({ "reason": "It bounced." }))
        .await;
    assert_eq!(place.states().await[1], "partly_paid");
}

#[tokio::test]
async fn an_invoice_has_changed_after_a_waiver_or_a_reversal_until_that_is_taken_back() {
    let place = Place::open().await;
    let waiver = json!({ "enrollmentId": place.enrollments[0], "amount": 100, "reason": WHY });
    let waived = place.post(&place.of_student("waivers"), waiver.clone()).await;
    assert_eq!(place.states().await, ["changed"]);
    place.pay(900).await;
    assert_eq!(place.states().await, ["changed"]);
    place
        .post(&format!("/api/admin/ledger/{}/reverse", waived["entry"]["id"]), json!({ "reason": WHY }))
        .await;
    assert_eq!(place.states().await, ["partly_paid"]);
    // A charge of it is reversed.
    let charge = place.school.count("select ledger_id from invoice_entries order by 1 desc limit 1");
    place.post(&format!("/api/admin/ledger/{charge}/reverse"), json!({ "reason": WHY })).await;
    assert_eq!(place.states().await, ["changed"]);
    // Cancelled, whatever else; the next one begins with what is paid by then.
    place.post("/api/admin/invoices/INV-2026-000001/cancel", json!({ "reason": WHY })).await;
    assert_eq!(place.states().await, ["cancelled"]);
    place.post("/api/admin/invoices", json!({ "studentIds": [place.student.id] })).await;
    assert_eq!(place.states().await, ["partly_paid", "cancelled"]);
}

#[tokio::test]
async fn a_waiver_that_is_on_an_invoice_changes_it_not() {
    let place = Place::open().await;
    place.post("/api/admin/invoices/INV-2026-000001/cancel", json!({ "reason": WHY })).await;
    let waiver = json!({ "enrollmentId": place.enrollments[0], "amount": 100, "reason": WHY });
    place.post(&place.of_student("waivers"), waiver).await;
    place.post("/api/admin/invoices", json!({ "studentIds": [place.student.id] })).await;
    assert_eq!(place.states().await, ["open", "cancelled"]);
    place.pay(900).await;
    assert_eq!(place.states().await, ["paid", "cancelled"]);
}
