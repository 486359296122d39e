//! Two reviewers at one pipeline.

use futures_util::future::join_all;
use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use super::{application, apply, call};
use crate::support::{Actor, School};

/// Decides about the oldest application that waits, until none does; how many it decided, and how often a colleague
/// was first.
async fn review(staff: &Actor, verb: &str, body: &Value) -> (i64, i64) {
    let (mut decided, mut refused) = (0, 0);
    loop {
        let queue = staff.get("/api/admin/admission-requests?status=pending&sort=created&page=1").await;
        let Some(id) = queue.column("id").first().and_then(Value::as_i64) else { return (decided, refused) };
        let answer = staff.post(&call(id, verb), body).await;
        match answer.status {
            StatusCode::OK => decided += i64::from(!answer.json()["undo"].is_null()),
            StatusCode::CONFLICT => {
                refused += 1;
                assert_ne!(answer.json()["current"]["status"], "pending");
            }
            status => panic!("{status}: {}", answer.text()),
        }
    }
}

#[tokio::test]
async fn two_reviewers_decide_none_of_sixty_applications_twice() {
    let school = School::open_with(|config| {
        config.limits.applications_per_hour = 60;
        config.office.undo_seconds = 60;
    })
    .await;
    let visitor = school.visitor();
    let forms: Vec<_> =
        (0..60).map(|number| application(&format!("Mei {number}"), &format!("tanaka{number}"))).collect();
    join_all(forms.iter().map(|form| apply(&visitor, form))).await;
    let (first, second) = (school.staff().await, school.staff_as(Role::Registrar).await);
    let offer = json!({ "feeDue": 1250.5, "expiresOn": "2026-12-09", "expected": "pending" });
    let decline = json!({ "reason": "The grade is full.", "expected": "pending" });
    let ((offered, beaten), (declined, also_beaten)) =
        tokio::join!(review(&first, "offer", &offer), review(&second, "decline", &decline));
    assert_eq!(offered + declined, 60);
    assert!(beaten + also_beaten > 0, "they never met");
    for (sql, expected) in [
        ("select count(*) from admission_requests where status = 'offered'", offered),
        ("select count(*) from admission_requests where status = 'declined'", declined),
        ("select count(*) from admission_offers", offered),
        ("select count(*) from admission_events where verb in ('offer', 'decline')", 60),
        ("select count(distinct request_id) from admission_events where verb in ('offer', 'decline')", 60),
        ("select count(*) from decisions", 60),
        // To the family's mailbox and to the guardian's.
        ("select count(*) from outbox where kind = 'application_decision'", 120),
        ("select count(distinct recipient) from outbox where kind = 'application_decision'", 120),
    ] {
        assert_eq!(school.count(sql), expected, "{sql}");
    }
}
