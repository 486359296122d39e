//! The office's log of emails: the outcome of each, and sending again.

use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use crate::support::mail_server::MailServer;
use crate::support::{School, wait_for};

const LIST: &str = "/api/admin/mail";

/// A school without a mail server and with one email in each state; numbers 1, 2 and 3. Its clock
/// stands still, so that the mailer leaves the one that waits where it is.
async fn school_with_mail() -> School {
    let school = School::open().await;
    let now = school.clock.now().as_second();
    let database = school.database();
    for (id, to, subject, state, attempts, next, error, sent) in [
        (1, "sent@mail.example", "Your enrollment was approved", "sent", 1, now, None, Some(now)),
        (2, "zoe.muller@mail.example", "Vérifiez", "queued", 3, now + 240, Some("no answer"), None),
        (3, "gone@mail.example", "Choose a new password", "dead", 1, now, Some("550 no mailbox"), None),
    ] {
        let body = (state != "sent").then_some("https://school.example/reset?token=secret");
        database
            .execute(
                "insert into outbox (id, message_id, recipient, subject, text_body, html_body, state, attempts,
                     next_attempt_at, last_error, created_at, sent_at)
                 values (?1, 'm' || ?1, ?2, ?3, ?4, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                (id, to, subject, body, state, attempts, next, error, now + id - 10, sent),
            )
            .unwrap();
    }
    school
}

#[tokio::test]
async fn the_office_sees_what_became_of_each_email_and_never_its_text() {
    let school = school_with_mail().await;
    let viewer = school.staff_as(Role::Registrar).await;
    let list = viewer.get(LIST).await.expect(StatusCode::OK);
    assert_eq!(
        (list.column("status"), list.total()),
        (["dead", "queued", "sent"].map(Value::from).into(), 3)
    );
    assert_eq!(
        list.json()[1],
        json!({ "id": 2, "recipient": "zoe.muller@mail.example", "subject": "Vérifiez", "status": "queued",
            "attempts": 3, "nextAttemptAt": "2026-11-21T15:04:00Z", "lastError": "no answer",
            "createdAt": "2026-11-21T14:59:52Z", "sentAt": null, "isInFile": false })
    );
    let sheet = viewer.get(&format!("{LIST}?q=muller&page=2&format=csv")).await.expect(StatusCode::OK);
    assert!(sheet.header("content-disposition").contains("mail-2026-11-21.csv"));
    assert_eq!(sheet.text().lines().count(), 2, "{}", sheet.text());
    assert!(sheet.text().contains("zoe.muller@mail.example,Vérifiez,queued"), "{}", sheet.text());
    assert_eq!(school.count("select count(*) from audit where action = 'export' and object = 'mail'"), 1);
    assert_eq!(list.json()[0]["nextAttemptAt"], Value::Null, "a dead email is not tried again");
    assert!(!list.text().contains("secret"), "{}", list.text());
    for (query, ids) in [
        ("?status=dead", json!([3])),
        ("?status=queued&page=1", json!([2])),
        ("?status=sent&q=zoe", json!([])),
        ("?q=muller+verifiez", json!([2])),
        ("?q=mail.example&page=1", json!([3, 2, 1])),
        ("?page=2", json!([])),
    ] {
        let found = viewer.get(&format!("{LIST}{query}")).await.expect(StatusCode::OK);
        assert_eq!(json!(found.column("id")), ids, "{query}");
    }
    let fields = viewer.get(&format!("{LIST}?status=failed")).await.fields();
    assert_eq!(fields, json!({ "status": "Must be one of queued, sent, dead" }));
}

#[tokio::test]
async fn an_email_that_was_only_written_to_a_file_does_not_count_as_delivered() {
    let school = School::open().await;
    school.visitor().register("mei@mail.example").await;
    school.all_mails().await;
    let staff = school.staff_as(Role::Registrar).await;
    assert_eq!(staff.get("/api/admin/dashboard").await.json()["isMailDelivered"], false);
    let list = staff.get(LIST).await.expect(StatusCode::OK);
    assert_eq!((list.column("status"), list.column("isInFile")), (vec!["sent".into()], vec![true.into()]));

    let server = MailServer::start();
    let school = server.school().await;
    school.visitor().register("mei@mail.example").await;
    server.receive(1).await;
    let sent = "select count(*) from outbox where state = 'sent' and is_in_file = 0";
    wait_for(|| (school.count(sent) == 1).then_some(())).await;
    let list = school.staff().await.get(LIST).await.expect(StatusCode::OK);
    assert_eq!((list.column("status"), list.column("isInFile")), (vec!["sent".into()], vec![false.into()]));
}

#[tokio::test]
async fn another_try_sends_what_was_given_up_and_what_waits() {
    let school = school_with_mail().await;
    let registrar = school.staff_as(Role::Registrar).await;
    assert_eq!(registrar.get("/api/admin/dashboard").await.json()["deadMailCount"], 1);
    for (id, to) in [(3, "gone@mail.example"), (2, "zoe.muller@mail.example")] {
        let path = format!("{LIST}/{id}/retry");
        let email = registrar.post(&path, &json!({})).await.expect(StatusCode::OK).json();
        assert_eq!((&email["id"], &email["recipient"]), (&json!(id), &json!(to)));
        assert_ne!(email["status"], "dead");
        let sent = format!("select count(*) from outbox where id = {id} and state = 'sent'");
        wait_for(|| (school.count(&sent) == 1).then_some(())).await;
        let again = registrar.post(&path, &json!({})).await.expect(StatusCode::CONFLICT);
        assert_eq!(again.message(), "This email has already been sent.");
    }
    assert_eq!(school.all_mails().await.len(), 2);
    assert_eq!(registrar.get("/api/admin/dashboard").await.json()["deadMailCount"], 0);
    let recorded: String = school
        .database()
        .query_row(
            "select group_concat(action || ' ' || object_id || ' ' || detail, '; ' order by id) from audit
             where object = 'mail'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(recorded, r#"retry 3 {"attempts":1,"from":"dead"}; retry 2 {"attempts":3,"from":"queued"}"#);
}

#[tokio::test]
async fn every_failed_email_can_be_retried_at_once() {
    let school = school_with_mail().await;
    let staff = school.staff().await;
    let answer = staff.post(&format!("{LIST}/retry"), &json!({})).await.expect(StatusCode::OK);
    assert_eq!(answer.json(), json!({ "count": 1 }));
    let sent = "select count(*) from outbox where id = 3 and state = 'sent'";
    wait_for(|| (school.count(sent) == 1).then_some(())).await;
    let again = staff.post(&format!("{LIST}/retry"), &json!({})).await.expect(StatusCode::OK);
    assert_eq!(again.json(), json!({ "count": 0 }));
    assert_eq!(school.count("select count(*) from audit where object = 'mail' and action = 'retry'"), 1);
    assert_eq!(school.count("select count(*) from outbox where state = 'queued'"), 1, "what waits, waits");
}

#[tokio::test]
async fn other_roles_cannot_retry_emails_and_unknown_emails_are_not_found() {
    let school = school_with_mail().await;
    let staff = school.staff().await;
    for id in ["77", "0", "-1", "x", "99999999999999999999"] {
        let answer = staff.post(&format!("{LIST}/{id}/retry"), &json!({})).await;
        assert_eq!(answer.expect(StatusCode::NOT_FOUND).message(), "Email not found", "{id}");
    }
    for role in [Role::Viewer, Role::Bursar] {
        let reader = school.staff_as(role).await;
        reader.post(&format!("{LIST}/3/retry"), &json!({})).await.expect(StatusCode::FORBIDDEN);
        reader.post(&format!("{LIST}/retry"), &json!({})).await.expect(StatusCode::FORBIDDEN);
    }
    assert_eq!(school.count("select count(*) from outbox where state = 'dead'"), 1);
    assert_eq!(school.count("select count(*) from audit where object = 'mail'"), 0);
}
