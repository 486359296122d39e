//! The limits, on a table in memory.

use super::super::outbox::tests::table;
use super::super::outbox::{claim, enqueue, next_due};
use super::super::{EmailMessage, Kind};
use super::*;
use crate::base::clock::from_seconds;

fn email(text: &str) -> Email {
    Email::parse(text).unwrap()
}

fn send(connection: &Connection, kind: Kind, to: &str, cause: Cause, at: i64) -> bool {
    let message = EmailMessage::to(kind, &email(to), "Hello").paragraph(&format!("Written at {at}."));
    enqueue(connection, &message, cause, &Config::default(), from_seconds(at)).unwrap().is_accepted()
}

#[test]
fn spellings_of_one_mailbox_share_its_limits() {
    for (address, reached) in [
        ("Mei@Example.org", "mei@example.org"),
        ("mei+school@example.org", "mei@example.org"),
        ("mei+a+b@example.org", "mei@example.org"),
        ("+a@example.org", "+a@example.org"),
        ("mei.li@example.org", "mei.li@example.org"),
        ("M.e.i+x@gmail.com", "mei@gmail.com"),
        ("mei@googlemail.com", "mei@gmail.com"),
    ] {
        assert_eq!(mailbox(&email(address)), reached, "{address}");
    }
}

#[test]
fn strangers_letters_to_a_mailbox_share_one_count_whatever_they_are_about() {
    let kinds = [
        Kind::ContactConfirmation,
        Kind::ApplicationReceipt,
        Kind::Verification,
        Kind::EmailChange,
        Kind::FamilyLink,
        Kind::PasswordReset,
    ];
    let connection = table();
    let mut accepted = Vec::new();
    for minute in 0..(48 * 60) {
        for (number, kind) in (0..).zip(kinds) {
            if send(&connection, kind, "mei@example.org", asker(number, false), minute * 60) {
                accepted.push((minute, kind));
            }
        }
    }
    let minutes: Vec<_> = accepted.iter().map(|(minute, _)| *minute).collect();
    assert_eq!(minutes[..6], [0, 0, 0, 60, 60, 60]);
    for window in minutes.windows(11) {
        assert!(window[10] - window[0] >= 24 * 60, "ten a day: {accepted:?}");
    }
    for window in minutes.windows(4) {
        assert!(window[3] - window[0] >= 60, "three an hour: {accepted:?}");
    }
    let links: Vec<_> =
        accepted.iter().filter(|(_, kind)| kind.lets_in()).map(|(minute, _)| *minute).collect();
    assert!(links.windows(2).all(|two| two[1] - two[0] <= 6 * 60), "a link in six hours: {links:?}");
}

#[test]
fn a_flood_of_other_emails_leaves_links_for_the_owner() {
    let connection = table();
    let mut courtesies = 0;
    for minute in 0..(24 * 60) {
        let cause = asker(u8::try_from(minute % 200).unwrap(), false);
        courtesies +=
            i32::from(send(&connection, Kind::ContactConfirmation, "mei@example.org", cause, minute * 60));
    }
    assert_eq!(courtesies, 6);
    let ask = |cause, at| send(&connection, Kind::PasswordReset, "mei@example.org", cause, at);
    let home = asker(201, false);
    assert!(ask(home, 12 * HOUR) && !ask(home, 12 * HOUR + 1), "one in six hours");
    assert!(ask(asker(202, true), 12 * HOUR + 1), "a browser in which the owner has logged in");
    assert!(ask(home, 18 * HOUR));
    let refused = "select sum(count) from mail_hours where outcome = 'recipient'";
    assert_eq!(connection.one::<i64>(refused, []).unwrap(), 24 * 60 - 6 + 1);
}

#[test]
fn a_known_browser_causes_three_of_a_kind_in_an_hour_and_ten_in_a_day() {
    let connection = table();
    let mut accepted = Vec::new();
    for minute in 0..(24 * 60) {
        if send(&connection, Kind::PasswordReset, "mei@example.org", asker(1, true), minute * 60) {
            accepted.push(minute);
        }
    }
    assert_eq!(accepted, [0, 1, 2, 60, 61, 62, 120, 121, 122, 180]);
    assert!(
        send(&connection, Kind::PasswordReset, "mei@example.org", asker(2, true), DAY - 60),
        "another account"
    );
    assert!(
        send(&connection, Kind::PasswordReset, "mei@example.org", asker(3, false), DAY - 60),
        "and a stranger"
    );
}

#[test]
fn security_notices_are_delayed_and_a_newer_one_replaces_the_waiting_one() {
    let connection = table();
    for second in 0..200 {
        assert!(send(&connection, Kind::AccountNotice, "mei@example.org", Cause::Student(1), second));
    }
    assert_eq!(claim(&connection, from_seconds(200), 16).unwrap().len(), 3);
    assert_eq!(next_due(&connection, from_seconds(200)).unwrap(), Some(260), "the pause of the first");
    connection.run("update outbox set state = 'dead' where attempts > 0", []).unwrap();
    assert_eq!(next_due(&connection, from_seconds(200)).unwrap(), Some(HOUR));
    assert!(claim(&connection, from_seconds(HOUR - 1), 16).unwrap().is_empty());
    let last = claim(&connection, from_seconds(HOUR), 16).unwrap();
    let text = &last[0].bodies(&Config::default().school()).text;
    assert!(last.len() == 1 && text.contains("Written at 199."), "{last:?}");
}

#[test]
fn emails_of_the_office_are_never_limited_and_use_no_budget() {
    let connection = table();
    for _ in 0..200 {
        for kind in [Kind::EnrollmentDecision, Kind::Verification] {
            assert!(send(&connection, kind, "mei@example.org", Cause::Office, 0));
        }
    }
    assert_eq!(next_due(&connection, from_seconds(0)).unwrap(), Some(0), "none waits");
    let charged = "select count(*) from outbox where charged_at is not null or caused_by is not null";
    assert_eq!(connection.one::<i64>(charged, []).unwrap(), 0);
    assert!(send(&connection, Kind::Verification, "mei@example.org", Cause::Visitor(Asker::default()), 0));
}

/// An address block or a known browser, by number.
fn asker(number: u8, is_owner: bool) -> Cause {
    Cause::Visitor(Asker { key: Some([number; 16]), is_owner })
}

/// Number of emails of a kind, each to a different mailbox, that are accepted before one is refused.
fn flood(connection: &Connection, kind: Kind, cause: Cause, at: i64) -> usize {
    let to = |number: i32| format!("{}{number}.{at}@example.org", kind.as_str());
    (0..10_000).take_while(|number| send(connection, kind, &to(*number), cause, at)).count()
}

#[test]
fn each_kind_has_its_daily_share_and_a_flood_does_not_use_up_others() {
    let connection = table();
    let visitor = Cause::Visitor(Asker::default());
    assert_eq!(flood(&connection, Kind::ContactConfirmation, visitor, 0), 100);
    assert_eq!(flood(&connection, Kind::EmailChange, visitor, 0), 100);
    assert_eq!(flood(&connection, Kind::Verification, visitor, HOUR), 600);
    assert_eq!(flood(&connection, Kind::PasswordReset, visitor, HOUR), 300);
    assert_eq!(flood(&connection, Kind::AccountExists, visitor, HOUR), 0, "it is the same share");
    assert!(send(&connection, Kind::EnrollmentReceipt, "mei@example.org", Cause::Student(1), HOUR));
    assert!(
        send(&connection, Kind::PasswordReset, "mei@example.org", asker(1, true), HOUR),
        "a known browser"
    );
    assert_eq!(flood(&connection, Kind::Verification, visitor, 25 * HOUR - 1), 0);
    assert_eq!(flood(&connection, Kind::Verification, visitor, 25 * HOUR), 600, "the first hour is over");
}

#[test]
fn one_address_block_gets_a_tenth_of_what_the_others_left() {
    let connection = table();
    let mut taken = 0;
    for block in 0..20 {
        let accepted = flood(&connection, Kind::Verification, asker(block, false), i64::from(block));
        assert_eq!(accepted, ((600 - taken) / 10).max(3), "block {block}");
        taken += accepted;
    }
    assert!(
        send(&connection, Kind::Verification, "mei@example.org", asker(99, false), 100),
        "{taken} of 600"
    );
    let count = |outcome: &str| {
        let sql = "select coalesce(sum(count), 0) from mail_hours where outcome = ?";
        connection.one::<i64>(sql, [outcome]).unwrap()
    };
    assert_eq!((count("block"), count("school")), (20, 0));
    assert_eq!(flood(&connection, Kind::ContactConfirmation, asker(0, false), 100), 10);
    sweep(&connection, from_seconds(100 + DAY)).unwrap();
    assert_eq!(connection.one::<i64>("select count(asker) from outbox", []).unwrap(), 0);
}

#[test]
fn a_clock_that_was_ahead_does_not_block_emails() {
    let connection = table();
    for _ in 0..4 {
        send(&connection, Kind::Verification, "mei@example.org", Cause::Student(1), 900 * DAY);
    }
    assert!(send(&connection, Kind::Verification, "mei@example.org", Cause::Student(1), DAY));
}
