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
fn one_mailbox_is_one_however_its_address_is_spelled() {
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
fn a_mailbox_gets_three_of_a_kind_in_an_hour_and_ten_in_a_day() {
    let connection = table();
    let mut accepted = Vec::new();
    for minute in 0..(24 * 60) {
        let is_accepted =
            send(&connection, Kind::Verification, "mei@example.org", Cause::Visitor, minute * 60);
        if is_accepted {
            accepted.push(minute);
        }
    }
    assert_eq!(accepted, [0, 1, 2, 60, 61, 62, 120, 121, 122, 180]);
    let other = send(&connection, Kind::PasswordReset, "mei@example.org", Cause::Visitor, DAY - 60);
    assert!(other, "each kind has its own");
    assert!(send(&connection, Kind::Verification, "mei@example.org", Cause::Visitor, DAY));
    let refused = "select sum(count) from mail_hours where outcome = 'recipient'";
    assert_eq!(connection.query_row(refused, [], |row| row.get(0)), Ok(24 * 60_i64 - 10));
}

#[test]
fn what_an_owner_must_hear_waits_its_turn_and_the_newest_takes_the_place_of_the_one_that_waits() {
    let connection = table();
    for second in 0..200 {
        assert!(send(&connection, Kind::AccountNotice, "mei@example.org", Cause::Student(1), second));
    }
    assert_eq!(claim(&connection, from_seconds(200), 16).unwrap().len(), 3);
    assert_eq!(next_due(&connection, from_seconds(200)).unwrap(), Some(260), "the pause of the first");
    connection.execute("update outbox set state = 'dead' where attempts > 0", []).unwrap();
    assert_eq!(next_due(&connection, from_seconds(200)).unwrap(), Some(HOUR));
    assert!(claim(&connection, from_seconds(HOUR - 1), 16).unwrap().is_empty());
    let last = claim(&connection, from_seconds(HOUR), 16).unwrap();
    let text = &last[0].bodies(&Config::default().school).text;
    assert!(last.len() == 1 && text.contains("Written at 199."), "{last:?}");
}

#[test]
fn what_the_office_causes_is_never_limited_and_costs_nobody_a_thing() {
    let connection = table();
    for _ in 0..200 {
        for kind in [Kind::EnrollmentDecision, Kind::Verification] {
            assert!(send(&connection, kind, "mei@example.org", Cause::Office, 0));
        }
    }
    assert_eq!(next_due(&connection, from_seconds(0)).unwrap(), Some(0), "none waits");
    let charged = "select count(*) from outbox where charged_at is not null or caused_by is not null";
    assert_eq!(connection.query_row(charged, [], |row| row.get(0)), Ok(0_i64));
    assert!(send(&connection, Kind::Verification, "mei@example.org", Cause::Visitor, 0));
}

#[test]
fn a_school_has_its_day_and_half_of_it_for_addresses_that_nobody_proved() {
    let connection = table();
    let mut config = Config::default();
    config.mail.strangers_per_day = 10;
    let count = |kind: Kind, at: i64| {
        (0..20)
            .filter(|number| {
                let to = email(&format!("{}{number}@example.org", kind.as_str()));
                let message = EmailMessage::to(kind, &to, "Hello");
                enqueue(&connection, &message, Cause::Visitor, &config, from_seconds(at))
                    .unwrap()
                    .is_accepted()
            })
            .count()
    };
    assert_eq!(count(Kind::Verification, 0), 5);
    assert_eq!(count(Kind::ContactConfirmation, 0), 0);
    assert_eq!(count(Kind::PasswordReset, HOUR), 5);
    assert_eq!(count(Kind::AccountExists, 24 * HOUR - 1), 0);
    assert_eq!(count(Kind::AccountExists, 24 * HOUR), 5, "the first hour is over");
    assert_eq!(count(Kind::AccountExists, 25 * HOUR), 5);
}

#[test]
fn a_clock_that_was_ahead_shuts_nobody_out() {
    let connection = table();
    for _ in 0..4 {
        send(&connection, Kind::Verification, "mei@example.org", Cause::Student(1), 900 * DAY);
    }
    assert!(send(&connection, Kind::Verification, "mei@example.org", Cause::Student(1), DAY));
}
