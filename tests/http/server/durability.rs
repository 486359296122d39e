//! The real binary killed with -9 while it writes: no acknowledged write is lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use reqwest::Client;
use serde_json::json;

use crate::support::Program;

/// Nothing here is about limits.
const NO_LIMITS: [(&str, &str); 7] = [
    ("SCHOOLHOUSE_LIMITS_CONTACTS_PER_HOUR", "1000000"),
    ("SCHOOLHOUSE_LIMITS_CONTACTS_PER_BLOCK_PER_HOUR", "1000000"),
    ("SCHOOLHOUSE_MAIL_RECIPIENT_PER_HOUR", "1000000"),
    ("SCHOOLHOUSE_MAIL_RECIPIENT_PER_DAY", "1000000"),
    ("SCHOOLHOUSE_MAIL_RECIPIENT_IN_ALL_PER_DAY", "1000000"),
    ("SCHOOLHOUSE_MAIL_STRANGERS_PER_DAY", "1000000"),
    ("SCHOOLHOUSE_MAIL_OFFICE_COPIES_PER_HOUR", "1000000"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_acknowledged_write_is_lost_to_kill_9() {
    let folder = tempfile::tempdir().unwrap();
    let (mut acknowledged, mut sent) = (0, 0);
    for round in 0..5 {
        let mut program = Program::serve(folder.path(), &NO_LIMITS);
        let answered = Arc::new(AtomicI64::new(0));
        let clients: Vec<_> = (0..16)
            .map(|client| {
                let (answered, address) = (answered.clone(), program.address.clone());
                tokio::spawn(async move {
                    let http = Client::new();
                    let mut tried = 0;
                    loop {
                        let body = json!({ "name": format!("Ada {round}-{client}-{tried}"), "email": "a@mail.example",
                            "subject": "general", "message": "Is it still there?" });
                        tried += 1;
                        match http.post(format!("{address}/api/contact")).json(&body).send().await {
                            Ok(answer) if answer.status().is_success() => answered.fetch_add(1, Ordering::SeqCst),
                            Ok(answer) => panic!("{}", answer.status()),
                            Err(_) => return tried,
                        };
                    }
                })
            })
            .collect();
        // Killed in the middle of its work, once some of it is acknowledged.
        while answered.load(Ordering::SeqCst) < 100 {
            assert!(
                !clients.iter().any(tokio::task::JoinHandle::is_finished),
                "no client ends before the school"
            );
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        program.child.kill().unwrap();
        program.child.wait().unwrap();
        for client in clients {
            sent += client.await.unwrap();
        }
        acknowledged += answered.load(Ordering::SeqCst);
        let database = rusqlite::Connection::open(folder.path().join("schoolhouse.db")).unwrap();
        let kept: i64 =
            database.query_row("select count(*) from contact_messages", [], |row| row.get(0)).unwrap();
        let whole: String = database.query_row("pragma integrity_check", [], |row| row.get(0)).unwrap();
        let emails: i64 = database.query_row("select count(*) from outbox", [], |row| row.get(0)).unwrap();
        assert_eq!(whole, "ok");
        assert!(kept >= acknowledged, "{kept} kept of {acknowledged} acknowledged");
        assert!(kept <= sent, "{kept} kept of {sent} sent");
        assert_eq!(emails, kept * 2, "a message and its two emails are one");
    }
}

#[tokio::test]
async fn sigterm_ends_the_school_cleanly() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::serve(folder.path(), &[]);
    let http = Client::new();
    assert!(http.get(format!("{}/healthz", program.address)).send().await.unwrap().status().is_success());
    rustix::process::kill_process(
        rustix::process::Pid::from_child(&program.child),
        rustix::process::Signal::TERM,
    )
    .unwrap();
    assert!(program.child.wait().unwrap().success());
    let log = folder.path().join("schoolhouse.db-wal");
    assert!(log.metadata().map_or(0, |file| file.len()) == 0, "the log is emptied into the database");
}
