//! Whatever waits reaches zero by what the office does, on the day of the demo and nine months later.

use jiff::ToSpan as _;
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use reqwest::StatusCode;
use schoolhouse::testing::{document_clock, offer_clock, reminder_clock, send_waiting};
use serde_json::{Value, json};

use super::{about, busy_school, rows, waiting};
use crate::support::{Actor, School};

/// A student without a guardian has a request that waits: the one is settled before the other.
const KINDS: [&str; 22] = [
    "guardians",
    "ended_requests",
    "requests",
    "leave_requests",
    "transfers",
    "marks_due",
    "lost_documents",
    "documents",
    "identity_changes",
    "messages",
    "open_messages",
    "questions",
    "applications",
    "deposits",
    "applications_to_link",
    "invitations",
    "planned_sections",
    "charges",
    "refunds_due",
    "money_on_account",
    "bank_lines",
    "mail",
];

fn today(school: &School) -> Date {
    school.clock.now().to_zoned(jiff::tz::TimeZone::UTC).date()
}

/// What the office does about a row of a line.
async fn handle(staff: &Actor, kind: &str, row: &Value, today: Date) {
    let reason = json!({ "reason": "Agreed with the family on the phone." });
    let id = &row["id"];
    let enrollment = |verb: &str| format!("/api/admin/enrollments/{id}/{verb}");
    let (path, body) = match kind {
        "guardians" => (format!("/api/admin/students/{id}/guardian-confirmed"), json!({ "how": "phone" })),
        "requests" | "ended_requests" => (enrollment("decline"), reason.clone()),
        "leave_requests" => (enrollment("refuse-leave"), reason.clone()),
        "transfers" => (
            enrollment("withdraw"),
            json!({ "effectiveOn": today, "reason": "Agreed with the family on the phone." }),
        ),
        "marks_due" => (enrollment("complete"), json!({ "finalMark": 71 })),
        "lost_documents" => (format!("/api/admin/documents/{id}/write-off"), reason.clone()),
        "documents" => (format!("/api/admin/documents/{id}/reject"), json!({ "code": "unreadable" })),
        "identity_changes" => (format!("/api/admin/students/{id}/confirm-identity"), json!({})),
        "messages" => (format!("/api/admin/messages/{id}/read"), json!({})),
        "open_messages" => (format!("/api/admin/messages/{id}/close"), json!({})),
        "applications" => (format!("/api/admin/admission-requests/{id}/waitlist"), json!({})),
        "questions" => (format!("/api/admin/admission-requests/{id}/start-review"), json!({})),
        "invitations" => {
            // The student opens the account; until then the office can end it.
            (format!("/api/admin/students/{}/close", row["studentId"]), reason.clone())
        }
        "planned_sections" => {
            let open = json!({ "status": "open", "version": row["version"] });
            let path = format!("/api/admin/sections/{id}");
            staff.patch(&path, &open).await.expect(StatusCode::OK);
            return;
        }
        "applications_to_link" => {
            let student = staff.get("/api/admin/students?page=1").await.json()[0]["id"].clone();
            (about(id.as_i64().unwrap(), "link"), json!({ "studentId": student }))
        }
        "deposits" => {
            let request = staff.get(&format!("/api/admin/admission-requests/{id}")).await.json();
            let (admission, deposit) = (&request["admission"]["id"], &request["offer"]["deposit"]);
            let paid = json!({ "admissionId": admission, "amount": deposit, "method": "cash",
                "receivedOn": today });
            ("/api/admin/payments".to_owned(), paid)
        }
        "charges" => (
            format!("/api/admin/students/{}/charges", row["student_id"]),
            json!({ "enrollmentId": id, "amount": 500 }),
        ),
        "refunds_due" => (
            format!("/api/admin/money/refunds-due/{id}/settle"),
            json!({ "reason": "The family keeps it for the next term" }),
        ),
        "money_on_account" => (
            format!("/api/admin/students/{}/hold", row["studentId"]),
            json!({ "heldFor": "The next term", "until": today + 30.days() }),
        ),
        "bank_lines" => {
            (format!("/api/admin/bank-imports/{}/ignore", row["import"]), json!({ "lines": [id] }))
        }
        _ => (format!("/api/admin/mail/{id}/settle"), json!({})),
    };
    let answer = staff.post(&path, &body).await;
    assert!(answer.status.is_success(), "{path}: {}", answer.text());
}

/// Brings every line to zero, and returns the kinds of which there were any.
async fn handle_all(school: &School, staff: &Actor) -> Vec<&'static str> {
    let mut found = Vec::new();
    for kind in KINDS {
        let of = async || waiting(staff).await.into_iter().find(|line| line["kind"] == kind);
        let Some(line) = of().await else { continue };
        let rows = rows(staff, &line).await;
        assert_eq!(line["count"], rows.len(), "{line}");
        for row in &rows {
            handle(staff, kind, row, today(school)).await;
        }
        if let Some(line) = of().await {
            assert_eq!((&line["count"], &line["oldest"]), (&json!(0), &Value::Null), "{kind}");
        }
        if !rows.is_empty() {
            found.push(kind);
        }
    }
    found
}

#[tokio::test]
async fn everything_that_waits_reaches_zero_by_what_the_office_does() {
    let school = busy_school().await;
    let staff = school.staff().await;
    assert_eq!(handle_all(&school, &staff).await, KINDS);
    let acts = "from audit where action in ('confirm guardian', 'decline', 'refuse_leave', 'withdraw', 'complete',
        'write_off', 'reject', 'confirm identity', 'read', 'close', 'charge', 'settle_refund', 'hold_money', 'settle') and user_id = (select max(id) from users)";
    assert_eq!(school.count(&format!("select count(distinct action) {acts}")), 14, "each is recorded");
}

#[tokio::test]
async fn and_so_it_does_at_a_school_that_was_left_alone_for_nine_months() {
    let school = busy_school().await;
    for _ in 0..39 {
        school.advance(SignedDuration::from_hours(7 * 24));
        let app = school.app();
        offer_clock(app).await.unwrap();
        document_clock(app).await.unwrap();
        reminder_clock(app).await.unwrap();
        send_waiting(app).await.unwrap();
    }
    let school = school.reopen().await;
    let now: Timestamp = school.clock.now();
    assert_eq!(today(&school).to_string(), "2027-08-21", "{now}");
    let staff = school.staff().await;
    let kinds = |lines: &[Value]| lines.iter().map(|line| line["kind"].clone()).collect::<Vec<_>>();
    assert!(kinds(&waiting(&staff).await).contains(&json!("no_open_term")), "the summer");
    let found = handle_all(&school, &staff).await;
    for kind in ["ended_requests", "marks_due", "invitations"] {
        assert!(found.contains(&kind), "{found:?}");
    }
    let term = json!({ "name": "Fall 2027", "startsOn": "2027-09-07", "endsOn": "2028-01-28",
        "joinUntil": "2027-09-20", "isPublished": true });
    staff.post("/api/admin/terms", &term).await.expect(StatusCode::CREATED);
    let left: Vec<_> = waiting(&staff).await.into_iter().filter(|line| line["count"] != 0).collect();
    assert_eq!(left, [json!(null); 0], "nothing waits");
}
