//! TLS to the mail server, its login, and rejected certificates.

use schoolhouse::testing::MailSecurity;
use serde_json::json;

use crate::support::mail_server::{MailServer, mail_test};
use crate::support::{School, parse, wait_for};

const ACCOUNT: &str = "username = \"school\"\npassword = \"right horse\"\n";

#[tokio::test]
async fn emails_arrive_with_either_encryption_and_a_login() {
    for (protection, security) in [("starttls", MailSecurity::Starttls), ("tls", MailSecurity::Tls)] {
        let wanted = json!({ "account": ["school", "right horse"] });
        let server = MailServer::encrypted(protection, "localhost", wanted);
        let school = School::open_with(|config| {
            server.configure(config, security);
            config.mail.username = "school".into();
            config.mail.password = "right horse".into();
        })
        .await;
        school.visitor().register("mei@mail.example").await;
        let received = server.receive(1).await;
        assert_eq!(parse(&received[0]).to, "mei@mail.example", "{protection}");

        let (advice, report) = mail_test(&server.section(protection, ACCOUNT));
        assert!(advice.is_none() && report.contains("encrypted, with a valid certificate"), "{report}");
        assert!(report.contains("logged in as school"), "{report}");
    }
}

#[tokio::test]
async fn a_wrong_password_keeps_emails_until_it_is_right() {
    let server = MailServer::encrypted("tls", "localhost", json!({ "account": ["school", "right horse"] }));
    let school = School::open_with(|config| {
        server.configure(config, MailSecurity::Tls);
        config.mail.username = "school".into();
        config.mail.password = "wrong horse".into();
    })
    .await;
    school.visitor().register("mei@mail.example").await;
    let reason = waiting(&school).await;
    assert!(reason.starts_with("The mail server did not let us log in: the server answered 535"), "{reason}");
    assert!(server.received().is_empty());
}

/// Why the one email waits.
async fn waiting(school: &School) -> String {
    let sql = "select last_error from outbox where state = 'queued' and last_error is not null";
    let database = school.database();
    wait_for(|| database.query_row(sql, [], |row| row.get(0)).ok()).await
}

#[tokio::test]
async fn a_mail_server_with_another_certificate_gets_no_email_and_its_own_error() {
    for (protection, security) in [("starttls", MailSecurity::Starttls), ("tls", MailSecurity::Tls)] {
        let server = MailServer::encrypted(protection, "mail.elsewhere.example", json!({}));
        let school = School::open_with(|config| server.configure(config, security)).await;
        school.visitor().register("mei@mail.example").await;
        let reason = waiting(&school).await;
        assert!(reason.contains("the certificate belongs to another server"), "{reason}");
        assert!(reason.contains("mail.elsewhere.example"), "{reason}");

        let section = server.section(protection, "").replace("ca_file", "# ca_file");
        let (advice, report) = mail_test(&section);
        let last = report.lines().last().unwrap();
        assert!(
            advice.is_some() && last.starts_with("failed  TLS") && last.contains("mail.ca_file"),
            "{report}"
        );
        assert!(server.received().is_empty());
    }
}

/// An attacker appends replies to the plain "220 ready". With them believed, the last of these answers would say that
/// the email was taken although the server refused it.
#[tokio::test]
async fn an_answer_that_was_put_in_before_the_encryption_is_never_believed() {
    let injected = "250-mail.test\r\n250 SMTPUTF8\r\n250 fine\r\n250 fine\r\n354 go on\r\n250 taken";
    let wanted = json!({ "injected": injected, "always": { "RCPT": "550 unknown here" } });
    let server = MailServer::encrypted("starttls", "localhost", wanted);
    let school = School::open_with(|config| server.configure(config, MailSecurity::Starttls)).await;
    school.visitor().register("mei@mail.example").await;
    let sql =
        "select state || ': ' || coalesce(last_error, '') from outbox where sent_at or last_error != ''";
    let database = school.database();
    let fate: String = wait_for(|| database.query_row(sql, [], |row| row.get(0)).ok()).await;
    assert!(fate.starts_with("queued: "), "{fate}");
    assert!(fate.contains("the connection is being tampered with"), "{fate}");
}
