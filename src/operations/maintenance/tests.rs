//! Schedules of tasks, also across clock changes.

use super::*;
use crate::base::zone_rules;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn last(since: &str, succeeded_at: Option<&str>) -> LastRun {
    let succeeded_at = succeeded_at.map(at);
    LastRun {
        since: at(since),
        tried_at: succeeded_at,
        succeeded_at,
        failure: None,
        detail: Value::Null,
        alerted_at: None,
    }
}

fn due(task: &Task, last: &LastRun, now: &str) -> bool {
    let zone = zone_rules::IN_FORCE.zone("America/Toronto").unwrap();
    is_due(task, last, jiff::civil::time(2, 30, 0, 0), &zone, at(now))
}

#[test]
fn a_backup_is_due_at_the_schools_hour_and_once_a_night() {
    let new = last("2026-11-21T15:00:00Z", None);
    assert!(!due(&BACKUP, &new, "2026-11-22T07:29:00Z"), "02:29 in Toronto");
    assert!(due(&BACKUP, &new, "2026-11-22T07:30:00Z"));
    let done = last("2026-11-21T15:00:00Z", Some("2026-11-22T07:31:00Z"));
    assert!(!due(&BACKUP, &done, "2026-11-22T07:32:00Z"));
    assert!(!due(&BACKUP, &done, "2026-11-23T07:29:00Z"));
    assert!(due(&BACKUP, &done, "2026-11-23T07:30:00Z"));
    let by_hand = last("2026-11-21T15:00:00Z", Some("2026-11-22T22:00:00Z"));
    assert!(due(&BACKUP, &by_hand, "2026-11-23T07:30:00Z"), "a backup by hand does not replace the night's");
}

#[test]
fn a_missed_night_is_made_up_for_at_any_hour() {
    let done = last("2026-11-01T00:00:00Z", Some("2026-11-20T07:31:00Z"));
    assert!(due(&BACKUP, &done, "2026-11-24T15:00:00Z"));
    let late = last("2026-11-01T00:00:00Z", Some("2026-11-24T15:01:00Z"));
    assert!(!due(&BACKUP, &late, "2026-11-24T16:00:00Z"));
    assert!(due(&BACKUP, &late, "2026-11-25T07:30:00Z"));
}

#[test]
fn a_failure_is_tried_again_after_an_hour() {
    let mut failed = last("2026-11-01T00:00:00Z", Some("2026-11-20T07:31:00Z"));
    failed.failure = Some("the disk is full".into());
    failed.tried_at = Some(at("2026-11-21T07:31:00Z"));
    assert!(!due(&BACKUP, &failed, "2026-11-21T08:30:00Z"));
    assert!(due(&BACKUP, &failed, "2026-11-21T08:31:00Z"));
}

#[test]
fn the_drill_comes_every_seventh_night_at_the_same_hour() {
    // It runs after the backup, so it ends a little after the hour.
    let done = last("2026-11-01T00:00:00Z", Some("2026-11-08T07:40:00Z"));
    assert!(!due(&DRILL, &done, "2026-11-14T08:00:00Z"));
    assert!(due(&DRILL, &done, "2026-11-15T07:30:00Z"));
}

#[test]
fn the_nights_of_the_clock_changes_have_one_backup() {
    // 2026-03-08: from 01:59 to 03:00. 2026-11-01: from 01:59 back to 01:00.
    for (before, night) in
        [("2026-03-07T07:31:00Z", "2026-03-08T07:30:00Z"), ("2026-10-31T06:31:00Z", "2026-11-01T07:30:00Z")]
    {
        let done = last("2026-01-01T00:00:00Z", Some(before));
        assert!(due(&BACKUP, &done, night), "{night}");
        let again = last("2026-01-01T00:00:00Z", Some(night));
        let hours_later = at(night) + SignedDuration::from_hours(22);
        assert!(!due(&BACKUP, &again, &hours_later.to_string()), "{night}");
    }
}

#[test]
fn timestamps_from_a_wrong_clock_are_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let connection = crate::storage::db::open(&folder.path().join("school.db")).unwrap();
    let then = at("2036-01-01T00:00:00Z");
    let now = at("2026-11-21T15:00:00Z");
    succeeded(&connection, TaskName::Backup, &Value::Null, then).unwrap();
    let found = store::begin(&connection, TaskName::Backup, now).unwrap();
    assert_eq!((found.since, found.succeeded_at, found.tried_at), (now, None, None));
    assert!(due(&BACKUP, &found, "2026-11-22T07:30:00Z"));
}

#[test]
fn lateness_counts_from_the_last_success_or_from_the_first_due_time() {
    let hours = |task, last: &LastRun, now: &str| is_late(task, Some(last), at(now));
    let new = last("2026-11-21T15:00:00Z", None);
    assert!(!hours(&BACKUP, &new, "2026-11-22T17:00:00Z") && hours(&BACKUP, &new, "2026-11-22T17:00:01Z"));
    assert!(!hours(&DRILL, &new, "2026-11-29T15:00:00Z") && hours(&DRILL, &new, "2026-11-29T15:00:01Z"));
    assert!(!is_late(&BACKUP, None, at("2026-11-22T17:00:00Z")));
}
