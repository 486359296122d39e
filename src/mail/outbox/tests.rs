//! Claiming, attempts and their pauses, on tables in memory.

use super::*;
use crate::base::clock::from_seconds;
use crate::base::email::Email;
use crate::mail::{Asker, Kind};

const HOUR: i64 = 3600;

pub(in crate::mail) fn table() -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    connection
        .execute_batch("create table students (id integer primary key); insert into students values (1);
             create table account_requests (id integer primary key); create table staff_requests (id integer primary key)")
        .unwrap();
    for migration in [
        include_str!("../../../migrations/V10__mail.sql"),
        include_str!("../../../migrations/V13__mail_office.sql"),
        include_str!("../../../migrations/V17__mail_budget.sql"),
        include_str!("../../../migrations/V22__decisions.sql"),
        include_str!("../../../migrations/V39__mail_content.sql"),
        include_str!("../../../migrations/V44__askers.sql"),
        include_str!("../../../migrations/V108__strangers.sql"),
        // Of V62, whose other tables need more than these.
        "alter table outbox add column in_reply_to text;",
    ] {
        connection.execute_batch(migration).unwrap();
    }
    connection
}

pub(in crate::mail) fn sample() -> EmailMessage {
    EmailMessage::to(Kind::Verification, &Email::parse("mei@example.org").unwrap(), "Verify")
        .greeting(None)
        .button("Verify", "https://school.example/verify?token=secret")
}

fn at(seconds: i64) -> Timestamp {
    from_seconds(seconds)
}

fn state(connection: &Connection) -> (String, i64, Option<String>, Option<String>) {
    connection.one("select state, attempts, content, last_error from outbox", []).unwrap()
}

#[test]
fn the_pause_doubles_from_a_minute_to_four_hours_and_ends_after_two_days() {
    let minutes =
        |failed, at_minute: i64| (next_attempt(0, failed, at(at_minute * 60)) - at_minute * 60) / 60;
    let table = [(0, 1), (1, 2), (2, 4), (3, 8), (4, 16), (5, 32), (6, 64), (7, 128), (8, 240), (99, 240)];
    for (failed, pause) in table {
        assert_eq!(minutes(failed, 300), pause, "after {failed} failures");
    }
    assert_eq!(minutes(15, 47 * 60), 60, "the last attempt falls on the 48th hour");
    assert_eq!(minutes(15, 49 * 60), 1, "an attempt that was cut off is repeated soon");
}

#[test]
fn a_failing_email_is_given_up_in_the_48th_hour() {
    let connection = table();
    enqueue(&connection, &sample(), Cause::Office, &Config::default(), at(0)).unwrap();
    let mut now = 0;
    let mut attempts = 0;
    loop {
        assert_eq!(claim(&connection, at(now), 16).unwrap().len(), 1);
        assert!(claim(&connection, at(now), 16).unwrap().is_empty(), "claimed twice");
        attempts += 1;
        if mark_failed(&connection, 1, "no answer", false, at(now)).unwrap() {
            break;
        }
        now = next_due(&connection, at(now)).unwrap().unwrap();
    }
    assert_eq!((now, attempts), (48 * HOUR, 20));
    let (state, counted, text, error) = state(&connection);
    assert_eq!((state.as_str(), counted, error.as_deref()), ("dead", attempts, Some("no answer")));
    assert!(text.is_some(), "a dead email can be sent again");
    assert_eq!(next_due(&connection, at(0)).unwrap(), None);
}

#[test]
fn only_emails_scheduled_before_the_clock_was_set_back_are_due_at_once() {
    let connection = table();
    let look = |now: i64| {
        if has_stragglers(&connection, at(now)).unwrap() {
            bring_forward(&connection, at(now)).unwrap();
        }
        next_due(&connection, at(now)).unwrap().unwrap()
    };
    enqueue(&connection, &sample(), Cause::Office, &Config::default(), at(9 * HOUR)).unwrap();
    assert_eq!(look(HOUR), HOUR, "it was never tried");
    assert_eq!(claim(&connection, at(HOUR), 16).unwrap().len(), 1);
    let mut now = HOUR;
    for failed in 0..20 {
        let next = look(now);
        assert!(next > now && look(next - 1) == next, "early after {failed}");
        assert!(claim(&connection, at(next - 1), 16).unwrap().is_empty(), "early after {failed}");
        assert_eq!(look(now - 1), now - 1, "put back by a second");
        now = next;
        assert_eq!(claim(&connection, at(now), 16).unwrap().len(), 1);
    }
}

#[test]
fn a_final_failure_kills_at_once() {
    let connection = table();
    enqueue(&connection, &sample(), Cause::Office, &Config::default(), at(0)).unwrap();
    claim(&connection, at(0), 16).unwrap();
    assert!(mark_failed(&connection, 1, "no such mailbox", true, at(1)).unwrap());
    assert_eq!(oldest_due_age(&connection, at(100)).unwrap(), None);
}

#[test]
fn a_sent_email_keeps_no_secret() {
    let connection = table();
    enqueue(&connection, &sample(), Cause::Office, &Config::default(), at(0)).unwrap();
    assert_eq!(oldest_due_age(&connection, at(90)).unwrap(), Some(90));
    let claimed = claim(&connection, at(90), 16).unwrap();
    let bodies = claimed[0].bodies(&School::default());
    assert!(bodies.text.contains("token=secret") && bodies.html.contains("token=secret"));
    assert_eq!(oldest_due_age(&connection, at(120)).unwrap(), Some(120), "still waiting");
    mark_sent(&connection, 1, false, at(121)).unwrap();
    assert_eq!(state(&connection), ("sent".into(), 1, None, None));
    let bodies: Option<String> =
        connection.one("select concat(text_body, html_body) from outbox", []).unwrap();
    assert_eq!((bodies.as_deref(), oldest_due_age(&connection, at(200)).unwrap()), (Some(""), None));
}

#[test]
fn every_email_has_a_message_id_of_its_own() {
    let connection = table();
    for _ in 0..2 {
        enqueue(&connection, &sample(), Cause::Office, &Config::default(), at(0)).unwrap();
    }
    let claimed = claim(&connection, at(0), 16).unwrap();
    assert_ne!(claimed[0].message_id, claimed[1].message_id);
    assert!(claimed.iter().all(|one| one.message_id.ends_with("@northgate.example>")));
}

#[test]
fn a_refused_email_leaves_no_row() {
    let connection = table();
    let message = EmailMessage::to(
        Kind::Verification,
        &Email::parse("mei@example.org").unwrap(),
        "Hi\r\nBcc: all@example.org",
    );
    assert!(enqueue(&connection, &message, Cause::Office, &Config::default(), at(0)).is_err());
    assert_eq!(next_due(&connection, at(0)).unwrap(), None);
}

#[test]
fn an_urgent_email_does_not_wait_behind_eighteen_hundred_others() {
    let connection = table();
    let notice =
        EmailMessage::to(Kind::EnrollmentDecision, &Email::parse("li@example.org").unwrap(), "Approved");
    for second in 0..1800 {
        enqueue(&connection, &notice, Cause::Office, &Config::default(), at(second)).unwrap();
    }
    enqueue(&connection, &sample(), Cause::Visitor(Asker::default()), &Config::default(), at(1800)).unwrap();
    let batch = claim(&connection, at(1800), 16).unwrap();
    assert_eq!((batch.len(), batch[0].recipient.as_str()), (16, "mei@example.org"));
    assert_eq!((batch[1].id, batch[15].id), (1, 15), "then the longest due");
}

#[test]
fn due_and_charged_emails_are_read_from_an_index_in_order() {
    let connection = table();
    for (sql, index) in [
        (CLAIMABLE, "outbox_queue (urgency=? AND next_attempt_at<?)"),
        (budget::TO_MAILBOX, "outbox_mailbox (mailbox=? AND kind=? AND topic=? AND charged_at>?)"),
        (budget::BY_STRANGERS, "outbox_strangers (mailbox=? AND charged_at>?)"),
        (budget::BY_ACCOUNT, "outbox_account (caused_by=? AND charged_at>?)"),
    ] {
        let plan = format!("explain query plan {sql}");
        let plan: Vec<String> = connection.list_by(&plan, params![], |row| row.read("detail")).unwrap();
        assert!(plan.len() == 1 && plan[0].ends_with(index), "{sql}: {plan:#?}");
    }
}

#[test]
fn an_email_rendered_by_an_older_program_is_sent_unchanged() {
    let connection = table();
    enqueue(&connection, &sample(), Cause::Office, &Config::default(), at(0)).unwrap();
    connection
        .run("update outbox set content = null, text_body = 'as text', html_body = '<p>as HTML</p>'", [])
        .unwrap();
    let bodies = claim(&connection, at(0), 16).unwrap()[0].bodies(&School::default()).into_owned();
    assert_eq!((&*bodies.text, &*bodies.html), ("as text", "<p>as HTML</p>"));
}

#[test]
fn a_delayed_email_has_the_schools_name_at_the_time_of_sending() {
    let connection = table();
    enqueue(&connection, &sample(), Cause::Office, &Config::default(), at(0)).unwrap();
    let mut later = School::default();
    later.name = "Lakeside School".into();
    let bodies = claim(&connection, at(0), 16).unwrap()[0].bodies(&later).into_owned();
    assert!(bodies.text.contains("Lakeside School") && bodies.html.contains("Lakeside School"));
}
