//! Emails reach a real mail server.

mod budget;
mod faults;
mod mail_test;
mod protection;
mod relay;

use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Command;

use reqwest::StatusCode;

use crate::support::mail_server::MailServer;
use crate::support::{Actor, Program, School, parse, wait_for};

#[tokio::test]
async fn a_verification_mail_reaches_a_real_mail_server_from_the_real_binary() {
    let server = MailServer::start();
    let folder = tempfile::tempdir().unwrap();
    let port = server.port.to_string();
    let environment = [
        ("SCHOOLHOUSE_MAIL_SMTP_HOST", "localhost"),
        ("SCHOOLHOUSE_MAIL_SMTP_PORT", port.as_str()),
        ("SCHOOLHOUSE_MAIL_SECURITY", "none"),
    ];
    let program = Program::serve(folder.path(), &environment);
    let visitor = Actor::new(&program.address);
    visitor.register("real@mail.example").await;
    let mail = parse(&wait_for(|| server.received().pop()).await);
    assert_eq!((mail.to.as_str(), mail.subject.as_str()), ("real@mail.example", "Verify your email address"));
    let token = mail.token("/student/verify/");
    visitor.get(&format!("/api/students/verify/{token}")).await.expect(StatusCode::OK);
    let database = rusqlite::Connection::open(folder.path().join("schoolhouse.db")).unwrap();
    let sent = || -> i64 {
        database.query_row("select count(*) from outbox where state = 'sent'", [], |row| row.get(0)).unwrap()
    };
    wait_for(|| (sent() == 1).then_some(())).await;

    let output = Command::new(env!("CARGO_BIN_EXE_schoolhouse"))
        .args(["--data-dir", folder.path().to_str().unwrap(), "mail-test", "head@school.example"])
        .env_clear()
        .envs(environment)
        .output()
        .unwrap();
    let report = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && !report.contains("failed"), "{report}");
    assert!(server.received().iter().any(|bytes| parse(bytes).to == "head@school.example"));
}

#[tokio::test]
async fn a_mail_server_that_is_down_slows_nothing_and_loses_nothing() {
    // A port without a listener.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let school = School::open_with(|config| {
        config.mail.smtp_host = "127.0.0.1".into();
        config.mail.smtp_port = port;
        config.mail.security = schoolhouse::testing::MailSecurity::None;
    })
    .await;
    school.visitor().register("later@mail.example").await;
    let waiting =
        "select count(*) from outbox where state = 'queued' and attempts = 1 and last_error is not null";
    wait_for(|| (school.count(waiting) == 1).then_some(())).await;
    school.visitor().get("/readyz").await.expect(StatusCode::OK);
    school.advance(jiff::SignedDuration::from_hours(2));
    let ready = school.visitor().get("/readyz").await.expect(StatusCode::SERVICE_UNAVAILABLE).json();
    assert_eq!(ready["mail"], false);
}

#[tokio::test]
async fn a_mail_server_that_refuses_for_good_is_not_asked_again() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.write_all(b"220 test\r\n");
            let mut buffer = [0; 1024];
            while let Ok(size) = stream.read(&mut buffer) {
                if size == 0 {
                    break;
                }
                let line = String::from_utf8_lossy(&buffer[..size]).to_uppercase();
                let answer: &[u8] =
                    if line.starts_with("EHLO") { b"250 test\r\n" } else { b"550 no such mailbox\r\n" };
                let _ = stream.write_all(answer);
            }
        }
    });
    let school = School::open_with(|config| {
        config.mail.smtp_host = "127.0.0.1".into();
        config.mail.smtp_port = port;
        config.mail.security = schoolhouse::testing::MailSecurity::None;
    })
    .await;
    school.visitor().register("refused@mail.example").await;
    wait_for(|| (school.count("select count(*) from outbox where state = 'dead'") == 1).then_some(())).await;
}
