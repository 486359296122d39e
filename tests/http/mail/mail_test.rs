//! `schoolhouse mail-test` against servers with each fault: the step, its reason, and what to do.

use serde_json::json;

use crate::support::free_port;
use crate::support::mail_server::{MailServer, mail_test};

#[track_caller]
fn assert_stops(section: &str, step: &str, reason: &str, next: &str) {
    let (advice, report) = mail_test(section);
    let (advice, last) = (advice.unwrap(), report.lines().last().unwrap());
    assert!(last.starts_with(&format!("failed  {step:<13} ")) && last.contains(reason), "{report}");
    assert!(advice.starts_with(&format!("error: the test stopped at {step}: ")), "{advice}");
    assert!(advice.contains(next), "{advice}");
}

fn section(host: &str, port: u16, rest: &str) -> String {
    format!("[mail]\nsmtp_host = \"{host}\"\nsmtp_port = {port}\n{rest}")
}

#[test]
fn an_unreachable_server_is_reported_by_step() {
    let closed = section("127.0.0.1", free_port(), "");
    assert_stops(&closed, "TCP", "Connection refused", "mail.smtp_port");
    let missing = section("127.0.0.1", 25, "ca_file = \"/nowhere/mail.pem\"\n");
    assert_stops(&missing, "Configuration", "mail.ca_file /nowhere/mail.pem", "[mail]");
    let other = section("127.0.0.1", 25, "ca_file = \"/etc/passwd\"\n");
    assert_stops(&other, "Configuration", "holds no certificate", "[mail]");
}

#[test]
fn a_server_with_another_tls_mode_is_reported() {
    let plain = MailServer::start();
    assert_stops(&plain.section("starttls", ""), "TLS", "try port 465", "fix what the line above names");
    assert_stops(&plain.section("tls", ""), "TLS", "the port does not fit mail.security", "fix what");
    let encrypted = MailServer::encrypted("starttls", "localhost", json!({}));
    assert_stops(&encrypted.section("none", ""), "MAIL FROM", "530", "mail.security = \"starttls\"");
}

#[test]
fn a_refused_login_is_distinguished_from_a_missing_one() {
    let server = MailServer::encrypted("tls", "localhost", json!({ "account": ["school", "right"] }));
    let wrong = server.section("tls", "username = \"school\"\npassword = \"wrong\"\n");
    assert_stops(&wrong, "AUTH", "the server answered 535", "app password");
    assert_stops(&server.section("tls", ""), "MAIL FROM", "the server answered 530", "set mail.username");
    let open = MailServer::start();
    let needless = open.section("none", "username = \"school\"\npassword = \"x\"\n");
    assert_stops(&needless, "AUTH", "clear mail.username if it needs none", "check mail.username");
}

#[test]
fn every_response_to_an_email_is_reported_with_advice() {
    for (step, answer, name, next) in [
        ("MAIL", "550 5.7.1 not your address", "MAIL FROM", "set mail.from"),
        ("RCPT", "554 5.7.1 Relay access denied", "RCPT TO", "set mail.username"),
        ("RCPT", "550 5.1.1 unknown", "RCPT TO", "try another one"),
        ("RCPT", "451 4.7.1 greylisted", "RCPT TO", "test again in some minutes"),
        ("DATA", "452 4.3.1 full", "DATA", "test again in some minutes"),
        ("END", "554 5.6.0 looks like spam", "DATA", "the operator of the mail server"),
    ] {
        let server = MailServer::with(json!({ "always": { step: answer } }));
        assert_stops(&server.section("none", ""), name, answer, next);
    }
    let server = MailServer::with(json!({ "always": { "END": "drop" } }));
    assert_stops(
        &server.section("none", ""),
        "DATA",
        "the server hung up",
        "the operator of the mail server",
    );
}
