//! The nightly backup and the weekly restore drill of an unattended school.

use std::os::unix::fs::FileExt;

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::maintenance::{self, TaskName};
use serde_json::{Value, json};

use crate::support::{Actor, PDF, School};

async fn pass(school: &School, hours: i64) {
    // What is due is counted from the first pass: it must be over before the clock moves.
    maintenance::run_due(school.app()).await.unwrap();
    school.advance(SignedDuration::from_hours(hours));
    maintenance::run_due(school.app()).await.unwrap();
}

fn archives(school: &School) -> usize {
    std::fs::read_dir(school.path().join("backups")).unwrap().count()
}

async fn readiness(school: &School) -> (StatusCode, Value) {
    let answer = school.visitor().get("/readyz").await;
    (answer.status, answer.json()["backup"].clone())
}

async fn backup_state(staff: &Actor) -> Value {
    staff.get("/api/admin/dashboard").await.expect(StatusCode::OK).json()["backup"].clone()
}

#[tokio::test]
async fn a_school_backs_itself_up_at_night_and_tries_a_restore() {
    let school = School::open().await;
    let (student, staff) = (school.student().await, school.staff().await);
    student.upload("other", "a.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    maintenance::run_due(school.app()).await.unwrap();
    assert_eq!(archives(&school), 0, "it is ten in the morning");
    let nothing = json!({ "lastBackupAt": null, "lastDrillAt": null, "hasFailed": false, "isLate": false });
    assert_eq!(backup_state(&staff).await, nothing);

    pass(&school, 17).await;
    assert_eq!(archives(&school), 1);
    let staff = school.staff().await;
    let at = "2026-11-22T08:00:00Z";
    let done = json!({ "lastBackupAt": at, "lastDrillAt": at, "hasFailed": false, "isLate": false });
    assert_eq!(backup_state(&staff).await, done);
    let detail: String = school
        .database()
        .query_row("select detail from upkeep where task = 'drill'", [], |row| row.get(0))
        .unwrap();
    let detail: Value = serde_json::from_str(&detail).unwrap();
    assert_eq!((&detail["students"], &detail["documents"]), (&json!(1), &json!(1)));

    pass(&school, 1).await;
    assert_eq!(archives(&school), 1, "once a night");
    pass(&school, 24).await;
    assert_eq!(archives(&school), 2);
    assert_eq!(
        school.count("select count(*) from upkeep where task = 'drill' and succeeded_at = tried_at"),
        1
    );
    assert_eq!(readiness(&school).await, (StatusCode::OK, json!(true)));
    assert_eq!(school.count("select count(*) from outbox where subject like '%backup%'"), 0);
}

#[tokio::test]
async fn a_backup_that_fails_is_shown_and_mailed_once_a_day_until_it_works_again() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("disk");
    let school = School::open_with(|config| config.backup.folder.clone_from(&missing)).await;
    school.staff().await;
    pass(&school, 17).await;
    let staff = school.staff().await;
    assert_eq!(backup_state(&staff).await["hasFailed"], true);
    let emails = "select count(*) from outbox where subject = 'The nightly backup is overdue'";
    assert_eq!((school.count(emails), readiness(&school).await.1), (0, json!(true)), "not yet 26 hours");

    pass(&school, 10).await;
    let mail = school.mail("staff0@school.example", "The nightly backup is overdue").await;
    assert!(mail.text.contains("has been due for 27 hours and has never succeeded"), "{}", mail.text);
    assert!(
        mail.text
            .contains("it does not exist. Is its disk mounted? The program does not create this folder.")
            && mail.text.contains("take a backup by hand"),
        "{}",
        mail.text
    );
    assert_eq!(school.count(emails), 2, "each administrator");
    assert_eq!(readiness(&school).await, (StatusCode::SERVICE_UNAVAILABLE, json!(false)));
    pass(&school, 2).await;
    assert_eq!(school.count(emails), 2, "once a day");
    pass(&school, 22).await;
    assert_eq!(school.count(emails), 4);

    std::fs::create_dir(&missing).unwrap();
    pass(&school, 2).await;
    school.mail("staff0@school.example", "The nightly backup works again").await;
    assert_eq!(readiness(&school).await, (StatusCode::OK, json!(true)));
    let staff = school.staff().await;
    assert_eq!(backup_state(&staff).await["isLate"], false);
    pass(&school, 1).await;
    assert_eq!(
        school.count("select count(*) from outbox where subject like '%works again'"),
        2,
        "reported once, both of them"
    );
}

#[tokio::test]
async fn a_lost_document_does_not_stop_backups_and_is_reported_once() {
    let school = School::open().await;
    let (student, _admin) = (school.student().await, school.staff().await);
    student.upload("other", "a.pdf", crate::support::PDF.to_vec()).await.expect(StatusCode::CREATED);
    let sql = "select document_path from student_documents";
    let path: String = school.database().query_row(sql, [], |row| row.get(0)).unwrap();
    std::fs::remove_file(school.path().join(path)).unwrap();
    pass(&school, 17).await;
    pass(&school, 24).await;
    assert_eq!(archives(&school), 2);
    let staff = school.staff().await;
    assert_eq!(backup_state(&staff).await["hasFailed"], false);
    assert_eq!(staff.get("/api/admin/dashboard").await.json()["lostDocumentsCount"], 1);
    let mail = school.mail("staff1@school.example", "A document's file is lost").await;
    assert!(mail.text.contains("backups go on without it"), "{}", mail.text);
    assert_eq!(school.count("select count(*) from outbox where subject = 'A document''s file is lost'"), 1);
    let bursar = school.staff_as(schoolhouse::testing::Role::Bursar).await;
    assert_eq!(bursar.get("/api/admin/dashboard").await.json()["lostDocumentsCount"], Value::Null);
}

#[tokio::test]
async fn a_damaged_archive_fails_the_drill() {
    let school = School::open().await;
    school.student().await;
    pass(&school, 17).await;
    let newest = |school: &School| {
        let mut paths: Vec<_> = std::fs::read_dir(school.path().join("backups"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        paths.sort();
        paths.pop().unwrap()
    };
    for _ in 0..6 {
        pass(&school, 24).await;
    }
    assert_eq!(school.count("select count(*) from upkeep where failure is not null"), 0);
    // In the seventh night the backup is made by hand, and the disk changes a byte of it.
    school.advance(SignedDuration::from_hours(24));
    let context = maintenance::TaskContext {
        data_dir: school.app().data_dir.clone(),
        config: school.app().config.clone(),
        clock: school.clock.clone(),
    };
    (maintenance::BACKUP.run)(&context).unwrap();
    let now = school.clock.now();
    maintenance::succeeded(&school.database(), TaskName::Backup, &json!({}), now).unwrap();
    let path = newest(&school);
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&path, bytes).unwrap();
    maintenance::run_due(school.app()).await.unwrap();
    let failure: String = school
        .database()
        .query_row("select failure from upkeep where task = 'drill'", [], |row| row.get(0))
        .unwrap();
    assert!(failure.contains("cannot be used"), "{failure}");
}

#[tokio::test]
async fn encrypted_backups_are_drilled_with_a_copy_of_their_own() {
    let recipient = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";
    let school =
        School::open_with(|config| config.backup.age_recipient = vec![recipient.parse().unwrap()]).await;
    school.student().await;
    pass(&school, 17).await;
    assert_eq!(school.count("select count(*) from upkeep where succeeded_at is not null"), 4);
    let name = std::fs::read_dir(school.path().join("backups")).unwrap().next().unwrap().unwrap().file_name();
    assert!(name.to_str().unwrap().ends_with(".tar.zst.age"), "{name:?}");
}

#[tokio::test]
async fn without_an_hour_nothing_is_done_and_nothing_is_missed() {
    let school = School::open_with(|config| config.backup.nightly_at = None).await;
    pass(&school, 100).await;
    assert_eq!((archives(&school), readiness(&school).await), (0, (StatusCode::OK, json!(true))));
    assert_eq!(backup_state(&school.staff().await).await, Value::Null);
}

#[tokio::test]
async fn damage_that_a_night_finds_ends_writing_and_is_mailed_past_the_outbox() {
    let school = School::open().await;
    let staff = school.staff().await;
    let path = school.path().join("schoolhouse.db");
    // An index that lacks a row: no query meets it, and only the full check sees it.
    let database = school.database();
    database
        .execute_batch(
            "pragma writable_schema=on;
             update sqlite_schema set sql = 'create index users_lost on users (email) where id > 0'
             where name = 'users_lost'",
        )
        .unwrap();
    database.execute_batch("create index users_lost on users (email) where id > 100").unwrap();
    database
        .execute_batch(
            "pragma writable_schema=on;
             update sqlite_schema set sql = 'create index users_lost on users (email) where id > 0'
             where name = 'users_lost';
             pragma writable_schema=reset",
        )
        .unwrap();
    drop(database);
    assert!(path.exists());
    pass(&school, 17).await;
    assert!(school.app().db.damage().unwrap().contains("users_lost"), "{:?}", school.app().db.damage());
    assert_eq!(archives(&school), 0, "a damaged school is not backed up");
    let reported_at = maintenance::report_damage(school.app(), None).await.unwrap();
    assert!(reported_at.is_some());
    let mail = school.mail("staff0@school.example", "The school's database is damaged").await;
    assert!(
        mail.text.contains("users_lost") && mail.text.contains("schoolhouse restore ARCHIVE"),
        "{}",
        mail.text
    );
    school.advance(SignedDuration::from_hours(22));
    assert_eq!(
        maintenance::report_damage(school.app(), reported_at).await.unwrap(),
        reported_at,
        "once a day"
    );
    let staff_sees = staff.get("/api/admin/dashboard").await;
    assert!(staff_sees.status == StatusCode::UNAUTHORIZED || staff_sees.json()["isReadOnly"] == true);
}

#[tokio::test]
async fn damage_in_the_file_of_the_open_school_is_found_at_night_and_spares_the_archives() {
    let school = School::open().await;
    maintenance::run_due(school.app()).await.unwrap();
    pass(&school, 17).await;
    assert_eq!((school.app().db.damage(), archives(&school)), (None, 1));
    let database = school.database();
    let page: i64 = database
        .query_row("select rootpage - 1 from sqlite_schema where name = 'contact_messages'", [], |row| {
            row.get(0)
        })
        .unwrap();
    database.execute_batch("pragma wal_checkpoint(truncate)").unwrap();
    drop(database);
    let file = std::fs::File::options().write(true).open(school.path().join("schoolhouse.db")).unwrap();
    file.write_all_at(&[0xAA; 64], page.unsigned_abs() * 4096).unwrap();
    pass(&school, 24).await;
    assert!(school.app().db.damage().is_some());
    assert_eq!(archives(&school), 1);
}

#[tokio::test]
async fn a_backup_by_a_command_is_noted_and_missed_when_it_stays_away() {
    let school = School::open_with(|config| config.backup.nightly_at = None).await;
    let staff = school.staff().await;
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_schoolhouse"))
        .arg("--data-dir")
        .arg(school.path())
        .arg("backup")
        .env_clear()
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let noted = "select count(*) from upkeep where task = 'backup' and detail ->> 'by' = 'command'
                 and detail ->> 'size_bytes' > 1000";
    assert_eq!(school.count(noted), 1);
    // The command went by the clock on the wall; from here on the test's counts.
    let now = school.clock.now();
    maintenance::succeeded(&school.database(), TaskName::Backup, &json!({ "by": maintenance::COMMAND }), now)
        .unwrap();
    assert_eq!(backup_state(&staff).await["isLate"], false);
    pass(&school, 25).await;
    assert_eq!(readiness(&school).await, (StatusCode::OK, json!(true)));
    pass(&school, 2).await;
    assert_eq!(readiness(&school).await, (StatusCode::SERVICE_UNAVAILABLE, json!(false)));
    assert_eq!(backup_state(&school.staff().await).await["isLate"], true);
    let alarms = "select count(*) from outbox where subject = 'The nightly backup is overdue'";
    assert!(school.count(alarms) > 0);
    assert_eq!(archives(&school), 1, "the server makes none of its own");
}
