//! Accepted students who have not opened their account: their line, and the invitation that is sent again.

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use super::{application, call};
use crate::admissions::offers::offered;
use crate::dashboard::{rows, waiting};
use crate::support::{Actor, PASSWORD, School};

async fn invitations(staff: &Actor) -> (Value, Vec<Value>) {
    let line = waiting(staff).await.into_iter().find(|line| line["kind"] == "invitations").unwrap();
    let rows = rows(staff, &line).await;
    assert_eq!(line["count"], rows.len());
    (line, rows)
}

async fn accepted(school: &School, staff: &Actor, mailbox: &str) -> i64 {
    let (id, family, offer) = offered(school, staff, &application("Mei", mailbox)).await;
    let body = json!({ "name": "Emi", "agreed": true, "offerId": offer });
    family.post("/api/applications/me/accept", &body).await.expect(StatusCode::OK);
    id
}

#[tokio::test]
async fn an_invitation_is_renewed_after_it_expired_until_the_account_is_open() {
    let school = School::open().await;
    let staff = school.staff_as(Role::Registrar).await;
    let id = accepted(&school, &staff, "tanaka").await;
    let (line, listed) = invitations(&staff).await;
    assert_eq!((&line["group"], &line["oldest"]), (&json!("them"), &json!("2026-11-21T15:00:00Z")));
    let account = json!({ "email": "tanaka@mail.example", "invitedAt": "2026-11-21T15:00:00Z",
        "expiresAt": "2026-11-28T15:00:00Z" });
    assert_eq!((&listed[0]["id"], &listed[0]["account"]), (&json!(id), &account));

    school.advance(SignedDuration::from_hours(8 * 24));
    let staff = school.staff_as(Role::Registrar).await;
    let renewed = staff.post(&call(id, "invite"), &json!({})).await.expect(StatusCode::OK).json();
    assert_eq!(renewed["account"]["expiresAt"], "2026-12-06T15:00:00Z");
    // A colleague whose list is older is told; without what was seen it is sent again.
    let seen = json!({ "lastInvitedAt": account["invitedAt"] });
    let late = school.staff().await.post(&call(id, "invite"), &seen).await.expect(StatusCode::CONFLICT);
    assert_eq!(late.message(), "A colleague has just sent a new invitation.");
    assert_eq!(late.json()["current"]["account"], renewed["account"]);
    let mails = "select count(*) from outbox where recipient = 'tanaka@mail.example'";
    let before = school.count(mails);
    let bulk = json!({ "ids": [id, 999], "lastInvitedAt": account["invitedAt"] });
    let done = staff.post("/api/admin/admission-requests/invite", &bulk).await.expect(StatusCode::OK).json();
    let statuses: Vec<_> =
        done["results"].as_array().unwrap().iter().map(|one| one["status"].clone()).collect();
    assert_eq!(statuses, [json!(409), json!(404)]);
    assert_eq!(school.count(mails), before);
    school.advance(SignedDuration::from_hours(1));
    let staff = school.staff_as(Role::Registrar).await;
    let bulk = json!({ "ids": [id], "lastInvitedAt": renewed["account"]["invitedAt"] });
    let done = staff.post("/api/admin/admission-requests/invite", &bulk).await.expect(StatusCode::OK).json();
    assert_eq!(done["results"][0]["row"]["account"]["expiresAt"], "2026-12-06T16:00:00Z");
    let wrong = staff.post(&call(id, "invite"), &json!({ "lastInvitedAt": "soon" })).await.fields();
    assert_eq!(wrong, json!({ "lastInvitedAt": "Must be an instant" }));

    let link: Vec<String> = school
        .all_mails()
        .await
        .into_iter()
        .filter(|mail| mail.to == "tanaka@mail.example" && mail.text.contains("/student/choose-password/"))
        .map(|mail| mail.token("/student/choose-password/"))
        .collect();
    assert_eq!(link.len(), 3, "the first and two renewed");
    let chosen = json!({ "token": link[2], "password": PASSWORD, "confirmPassword": PASSWORD });
    school.visitor().post("/api/students/reset-password", &chosen).await.expect(StatusCode::OK);
    assert_eq!(invitations(&staff).await.0["count"], 0);
    let open = staff.post(&call(id, "invite"), &json!({})).await.expect(StatusCode::CONFLICT);
    assert!(open.message().starts_with("No account waits to be opened"), "{}", open.message());
    assert_eq!(school.count("select count(*) from audit where action = 'renew invitation'"), 2);
}
