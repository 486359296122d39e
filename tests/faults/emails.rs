//! Mail servers that are down, slow, refuse or hang up, and `kill -9` in the middle of a delivery.
//!
//! Every email arrives, or lies before the office as given up; at most one arrives twice for each
//! time that an answer was lost; and no request waits for any of it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::crowd::{CLIENTS, Errand};
use crate::figures::{Kind, Row};
use crate::inspection::{count, look_into};
use crate::plan::Plan;
use crate::stage::Stage;
use crate::support::mail_server::MailServer;
use crate::support::{free_port, wait_for};
use crate::tracer::{Tracer, kill_at_sync};

const QUEUED: &str = "select count(*) from outbox where state = 'queued'";

fn emails(_: usize) -> Vec<Errand> {
    vec![Errand::Write, Errand::Enroll]
}

fn all_clients() -> Vec<Vec<Errand>> {
    (0..CLIENTS).map(emails).collect()
}

/// One thing after the other that a mail server does wrong.
pub async fn servers(plan: Plan) -> Vec<Row> {
    let many = |step: &str, answer: &str| json!({ "faults": vec![json!([step, answer]); 10] });
    let wrongs: [(&str, Value, usize); 7] = [
        ("is slow", json!({ "held": "MAIL" }), 1),
        ("puts off the recipient (4xx)", many("RCPT", "450 busy"), 0),
        ("puts off the message (4xx)", many("END", "451 later"), 0),
        ("refuses the recipient (5xx)", many("RCPT", "550 no such mailbox"), 0),
        ("refuses the message (5xx)", many("END", "554 no"), 0),
        ("hangs up after the message", many("END", "drop"), 10),
        ("is down", Value::Null, 0),
    ];
    let mut stage = Stage::open().await;
    forget(&mut stage).await;
    let mut rows = Vec::new();
    for (wrong, wanted, max_twice) in wrongs.into_iter().skip(plan.pick(0, 4)) {
        let mut row = Row::new(&format!("the mail server {wrong}"), Kind::Other);
        let server = (!wanted.is_null()).then(|| MailServer::with(wanted));
        let port = server.as_ref().map_or_else(free_port, |server| server.port);
        stage.deliver_to(port).await;
        let begun = Instant::now();
        let outcome = stage.crowd.send(&stage.program.address, all_clients()).await;
        let took = begun.elapsed();
        let mut problems = Vec::new();
        if outcome.refused + outcome.cut > 0 {
            problems.push(format!("requests are affected: {outcome:?}"));
        }
        if wrong == "is slow" {
            // It holds every email back until now: no client can have waited for one.
            wait_for(|| server.as_ref()?.is_holding().then_some(())).await;
            server.as_ref().unwrap().release();
        } else {
            stage.all_attempted().await;
        }
        // The next attempts would come after a minute or more.
        stage.kill();
        hurry(&stage);
        let mended = MailServer::start();
        stage.deliver_to(mended.port).await;
        row.recovered(all_sent(&stage).await);
        let received =
            [server.map(|server| server.received()).unwrap_or_default(), mended.received()].concat();
        let (missing, twice, dead) = compare(&stage, &received);
        row.tried = received.len() as u64 + dead;
        if missing > 0 || twice > max_twice {
            problems.push(format!("{missing} emails are missing, {twice} came twice"));
        }
        problems.extend(stage.inspect());
        row.count("", &problems);
        row.tried -= 1;
        row.survived = row.tried;
        row.note = format!("emails; {twice} twice, {dead} given up; 64 requests in {} ms", took.as_millis());
        rows.push(row);
        forget(&mut stage).await;
    }
    rows.push(killed_deliveries(plan, &mut stage).await);
    rows
}

/// Killed at the commits that record a delivery, after the server took the email.
async fn killed_deliveries(plan: Plan, stage: &mut Stage) -> Row {
    let mut row = Row::new("kill -9 while an email is delivered", Kind::Kill);
    let server = MailServer::with(json!({ "delays": { "END": 0.002 } }));
    stage.deliver_to(server.port).await;
    let commits = stage.database_files();
    let occasions = plan.pick(&[3, 8, 15, 22, 30, 37, 44, 51, 58, 65][..], &[8, 22]);
    for nth in occasions.iter().copied() {
        let tracer = Tracer::attach(&stage.program.child, &kill_at_sync(nth, &commits));
        stage.crowd.send(&stage.program.address, all_clients()).await;
        let has_ended = stage.has_ended().await;
        drop(tracer);
        assert!(has_ended || stage.has_ended().await, "there are fewer commits than emails");
        hurry(stage);
        let (recovery, problems) = stage.restart_and_inspect().await;
        row.recovered(recovery);
        row.count(&format!("at commit {nth}"), &problems);
    }
    all_sent(stage).await;
    let (missing, twice, dead) = compare(stage, &server.received());
    if missing > 0 || twice > 10 || dead > 0 {
        row.count(
            "at the end",
            &[format!("{missing} emails are missing, {twice} came twice, {dead} given up")],
        );
    }
    row.note = format!("{} emails arrived, {twice} twice", server.received().len());
    row
}

/// Lets every email that waits be due now.
fn hurry(stage: &Stage) {
    let database = Connection::open(stage.data().join("schoolhouse.db")).unwrap();
    database.execute("update outbox set next_attempt_at = 0 where state = 'queued'", []).unwrap();
}

/// Begins the next fault with an empty outbox, without its messages and enrollments.
async fn forget(stage: &mut Stage) {
    stage.kill();
    let database = Connection::open(stage.data().join("schoolhouse.db")).unwrap();
    // Events and consents are kept for ever: the triggers that keep them step aside for this.
    for table in ["enrollment_events", "consents"] {
        let trigger = format!("{table}_are_never_shortened");
        let sql: String = database
            .query_row("select sql from sqlite_schema where name = ?1", [&trigger], |row| row.get(0))
            .unwrap();
        database.execute_batch(&format!("drop trigger {trigger}; delete from {table}; {sql}")).unwrap();
    }
    database
        .execute_batch("delete from outbox; delete from contact_messages; delete from enrollments")
        .unwrap();
    drop(database);
    *stage.crowd.promises.lock().unwrap() = crate::crowd::Promises::default();
    stage.restart().await;
}

async fn all_sent(stage: &Stage) -> Duration {
    let begun = Instant::now();
    wait_for(|| (count(stage.data(), QUEUED) == 0).then_some(())).await;
    begun.elapsed()
}

/// Emails that neither arrived nor were given up, emails that arrived more than once, and emails
/// that were given up.
fn compare(stage: &Stage, received: &[Vec<u8>]) -> (usize, usize, u64) {
    let mut copies: BTreeMap<String, usize> = BTreeMap::new();
    for email in received {
        *copies.entry(message_id(email)).or_insert(0) += 1;
    }
    let database = look_into(stage.data());
    let mut select = database.prepare("select message_id, state from outbox").unwrap();
    let rows = select.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))).unwrap();
    let rows: Vec<_> = rows.map(Result::unwrap).collect();
    let is_missing = |(id, state): &&(String, String)| state != "dead" && !copies.contains_key(id);
    let missing = rows.iter().filter(is_missing).count();
    let dead = rows.iter().filter(|(_, state)| state == "dead").count() as u64;
    (missing, copies.values().filter(|copies| **copies > 1).count(), dead)
}

fn message_id(email: &[u8]) -> String {
    let text = String::from_utf8_lossy(email);
    text.lines()
        .find_map(|line| line.strip_prefix("Message-ID: "))
        .expect("every email has one")
        .trim()
        .to_owned()
}
