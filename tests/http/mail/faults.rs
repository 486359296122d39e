//! Mail servers that refuse, are slow, hang up or are down: nothing is lost, and no request waits.

use std::collections::BTreeSet;

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::MailSecurity;
use serde_json::json;

use crate::support::mail_server::MailServer;
use crate::support::{Actor, Program, School, free_port, parse, wait_for};

fn message_id(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let line = text.lines().find(|line| line.starts_with("Message-ID: "));
    line.unwrap_or_else(|| panic!("no Message-ID: {text}")).to_owned()
}

/// Waits until the one email's attempt has failed, and returns its state and why.
async fn failed(school: &School) -> (String, String) {
    let sql = "select state, last_error from outbox where last_error is not null";
    let database = school.database();
    wait_for(|| database.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?))).ok()).await
}

/// Moves the clock past the pause and wakes the mailer.
fn pass(school: &School, pause: SignedDuration) {
    school.advance(pause);
    school.app().mailer_wakeup.notify_one();
}

#[tokio::test]
async fn a_server_that_puts_an_email_off_gets_it_later() {
    let replies = ["421 4.3.2 closing", "450 4.2.1 busy", "451 4.7.1 greylisted", "452 4.2.2 full"];
    let cases = ["MAIL", "RCPT", "DATA", "END"].into_iter().zip(replies);
    for (step, answer) in cases.chain([("END", "421 4.3.2 closing"), ("RCPT", "421 4.7.0 slow down")]) {
        let server = MailServer::with(json!({ "faults": [[step, answer]] }));
        let school = server.school().await;
        school.visitor().register("mei@mail.example").await;
        let (state, reason) = failed(&school).await;
        assert_eq!(state, "queued", "{step} {answer}");
        let what = if step == "MAIL" { "the sender" } else { "the " };
        assert!(reason.starts_with(&format!("The mail server refused {what}")), "{step}: {reason}");
        assert!(reason.contains(answer), "{step}: {reason}");
        assert!(server.received().is_empty());
        pass(&school, SignedDuration::from_secs(60));
        assert_eq!(parse(&server.receive(1).await[0]).to, "mei@mail.example");
        let left = "select count(*) from outbox where state != 'sent'";
        wait_for(|| (school.count(left) == 0).then_some(())).await;
        assert_eq!(server.received().len(), 1, "{step} {answer}");
    }
}

#[tokio::test]
async fn a_refused_email_is_shown_to_the_office_and_leaves_once_that_is_mended() {
    for (step, what) in
        [("MAIL", "the sender"), ("RCPT", "the recipient"), ("DATA", "the message"), ("END", "the message")]
    {
        let server = MailServer::with(json!({ "faults": [[step, "554 5.7.1 <mei@mail.example> not here"]] }));
        let school = server.school().await;
        school.visitor().register("mei@mail.example").await;
        let (state, reason) = failed(&school).await;
        assert_eq!(state, "dead", "{step}");
        let expected =
            format!("The mail server refused {what}: the server answered 554 5.7.1 (address) not here");
        assert_eq!(reason, expected);
        let staff = school.staff().await;
        assert_eq!(staff.get("/api/admin/dashboard").await.json()["deadMailCount"], 1);
        let list = staff.get("/api/admin/mail?status=dead").await;
        assert_eq!(list.column("lastError"), [reason]);
        let path = format!("/api/admin/mail/{}/retry", list.column("id")[0]);
        staff.post(&path, &json!({})).await.expect(StatusCode::OK);
        assert_eq!(parse(&server.receive(1).await[0]).to, "mei@mail.example", "{step}");
    }
}

#[tokio::test]
async fn a_server_that_hangs_up_instead_of_answering_gets_the_same_email_once_more() {
    let server = MailServer::with(json!({ "faults": [["END", "drop"]] }));
    let school = server.school().await;
    school.visitor().register("mei@mail.example").await;
    let (state, reason) = failed(&school).await;
    assert_eq!(state, "queued");
    assert!(reason.starts_with("The mail server did not take the message: "), "{reason}");
    for _ in 0..3 {
        pass(&school, SignedDuration::from_hours(1));
    }
    let both = server.receive(2).await;
    let sent = "select count(*) from outbox where state = 'sent' and attempts = 2";
    wait_for(|| (school.count(sent) == 1).then_some(())).await;
    pass(&school, SignedDuration::from_hours(48));
    assert_eq!(message_id(&both[0]), message_id(&both[1]), "a reader's program shows one of them");
    assert!(both[0] == both[1], "every byte is the same");
    assert_eq!(server.received().len(), 2);
}

#[tokio::test]
async fn a_refused_email_does_not_delay_others() {
    let server = MailServer::with(json!({ "faults": [["RCPT", "550 no"], ["RCPT", "450 busy"]] }));
    let school = server.school().await;
    for number in 0..6 {
        let email = format!("family{number}@mail.example");
        school.visitor().write_message("Li Wei", &email, "May I visit?").await.expect(StatusCode::OK);
    }
    let received = server.receive(10).await;
    wait_for(|| (school.count("select count(*) from outbox where state = 'sent'") == 10).then_some(())).await;
    assert_eq!(received.iter().map(|bytes| message_id(bytes)).collect::<BTreeSet<_>>().len(), 10);
    assert_eq!(school.count("select count(*) from outbox where state = 'dead'"), 1);
    assert_eq!(school.count("select count(*) from outbox where state = 'queued'"), 1);
}

#[tokio::test]
async fn a_server_that_recovers_gets_every_email_and_no_request_waits_meanwhile() {
    let port = free_port();
    let school = School::open_with(|config| {
        config.mail.smtp_host = "127.0.0.1".into();
        config.mail.smtp_port = port;
        config.mail.security = MailSecurity::None;
    })
    .await;
    for number in 0..20 {
        let email = format!("family{number}@mail.example");
        school.visitor().write_message("Li Wei", &email, "May I visit?").await.expect(StatusCode::OK);
    }
    let tried = "select count(*) from outbox where state = 'queued' and attempts > 0";
    wait_for(|| (school.count(tried) == 40).then_some(())).await;
    let server = MailServer::with(json!({ "port": port }));
    pass(&school, SignedDuration::from_hours(4));
    let received = server.receive(40).await;
    wait_for(|| (school.count("select count(*) from outbox where state = 'sent'") == 40).then_some(())).await;
    let ids: BTreeSet<_> = received.iter().map(|bytes| message_id(bytes)).collect();
    assert_eq!((ids.len(), server.received().len()), (40, 40));
}

#[tokio::test]
async fn a_slow_server_slows_no_request() {
    // It answers once all requests were: none of them can have waited for it.
    let slow = MailServer::with(json!({ "held": "MAIL" }));
    let school = slow.school().await;
    let write = async |number: usize| {
        let email = format!("li{number}@mail.example");
        school.visitor().write_message("Li Wei", &email, "May I visit?").await.expect(StatusCode::OK);
    };
    write(0).await;
    wait_for(|| slow.is_holding().then_some(())).await;
    for number in 1..20 {
        write(number).await;
    }
    assert_eq!(school.count("select count(*) from outbox where state = 'sent'"), 0);
    slow.release();
    slow.receive(1).await;
}

#[tokio::test]
async fn a_program_that_is_killed_repeats_one_email_at_most() {
    const EMAILS: usize = 24;
    let server = MailServer::with(json!({ "delays": { "END": 0.01 } }));
    let folder = tempfile::tempdir().unwrap();
    let port = server.port.to_string();
    let environment = [
        ("SCHOOLHOUSE_MAIL_SMTP_HOST", "127.0.0.1"),
        ("SCHOOLHOUSE_MAIL_SMTP_PORT", port.as_str()),
        ("SCHOOLHOUSE_MAIL_SECURITY", "none"),
        ("SCHOOLHOUSE_LIMITS_CONTACTS_PER_HOUR", "100"),
        ("SCHOOLHOUSE_LIMITS_CONTACTS_PER_BLOCK_PER_HOUR", "100"),
        // One block gets a tenth of a twentieth of these.
        ("SCHOOLHOUSE_MAIL_STRANGERS_PER_DAY", "10000"),
    ];
    let mut max = 0;
    // Each round kills it a little later: between two emails, and in the middle of one.
    for round in 0..3 {
        let program = Program::serve(folder.path(), &environment);
        let visitor = Actor::new(&program.address);
        for number in 0..EMAILS / 6 {
            let email = format!("li{round}{number}@mail.example");
            visitor.write_message("Li Wei", &email, "May I visit?").await.expect(StatusCode::OK);
        }
        server.receive(max + 2 + round).await;
        // Dropping it is kill -9.
        drop(program);
        max = server.received().len();
        let database = rusqlite::Connection::open(folder.path().join("schoolhouse.db")).unwrap();
        // What was claimed is due after a minute; this test does not wait for it.
        database.execute("update outbox set next_attempt_at = 0 where state = 'queued'", []).unwrap();
    }
    let _program = Program::serve(folder.path(), &environment);
    let database = rusqlite::Connection::open(folder.path().join("schoolhouse.db")).unwrap();
    let left = "select count(*) from outbox where state != 'sent'";
    wait_for(|| (database.query_row(left, [], |row| row.get(0)) == Ok(0_i64)).then_some(())).await;
    let received = server.received();
    let ids: BTreeSet<_> = received.iter().map(|bytes| message_id(bytes)).collect();
    println!("3 kills: {} emails, {} of them twice", ids.len(), received.len() - ids.len());
    assert_eq!(ids.len(), EMAILS, "none is lost");
    assert!(received.len() <= EMAILS + 3, "each kill repeats one at most: {}", received.len());
}
