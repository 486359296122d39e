//! Restores into empty and used folders, and every step at which a kill can stop one.

use std::fs;

use super::*;
use crate::operations::backup::restore::{LockedDataDir, RESTORED_CONFIGURATION};
use crate::storage::data_dir::DataDir;

const ASIDE: &str = "before-restore-20261121-120000";

fn restore(archive: &Path, data_dir: &DataDir) -> anyhow::Result<Option<PathBuf>> {
    LockedDataDir::lock(data_dir)?.restore(archive, None, &noon(), &mut |_, _| {})?.put_in_place()
}

/// The email address of the only student, which identifies the school.
fn student(data_dir: &DataDir) -> String {
    let connection = rusqlite::Connection::open(data_dir.database()).unwrap();
    connection.one("select email from students", []).unwrap()
}

fn documents(data_dir: &DataDir) -> Vec<String> {
    let mut found: Vec<_> = fs::read_dir(data_dir.documents())
        .unwrap()
        .flat_map(|folder| fs::read_dir(folder.unwrap().path()).unwrap())
        .map(|file| fs::read_to_string(file.unwrap().path()).unwrap())
        .collect();
    found.sort();
    found
}

/// An archive of a school with two documents whose student is Mei.
fn archive() -> (School, PathBuf) {
    let school = School::open();
    school.add_document(1, b"%PDF-1.7 one");
    school.add_document(2, b"%PDF-1.7 two");
    let archive = school.backup(None).unwrap();
    (school, archive)
}

/// Another school, with one document, whose student is Tom.
fn another() -> School {
    let school = School::open();
    school.add_document(1, b"%PDF-1.7 tom");
    school.connection().run("update students set email = 'tom@example.org'", []).unwrap();
    school
}

#[track_caller]
fn assert_holds(data_dir: &DataDir, email: &str, texts: &[&str]) {
    assert_eq!((student(data_dir).as_str(), documents(data_dir).len()), (email, texts.len()));
    assert_eq!(documents(data_dir), texts);
}

#[test]
fn a_new_folder_receives_the_school() {
    let (school, archive) = archive();
    let place = tempfile::tempdir().unwrap();
    let data_dir = DataDir::new(place.path().join("data"));
    assert!(LockedDataDir::lock(&data_dir).unwrap().is_empty().unwrap());
    assert_eq!(restore(&archive, &data_dir).unwrap(), None);
    assert_holds(&data_dir, "mei@example.org", &["%PDF-1.7 one", "%PDF-1.7 two"]);
    for path in [data_dir.database(), school.dir().join("backups")] {
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o077, 0, "{}", path.display());
    }
    let configuration = fs::read_to_string(data_dir.join(RESTORED_CONFIGURATION)).unwrap();
    assert!(configuration.contains("smtp_port = 587"), "{configuration}");
    let left: Vec<_> = fs::read_dir(&data_dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with("restore.")), "{left:?}");
    backup(&data_dir, None, &[], &Config::default(), &noon(), &mut |_, _, _| {}).unwrap();
}

#[test]
fn old_data_is_kept_aside_and_mail_and_backups_stay() {
    let (_mei, archive) = archive();
    let tom = another();
    fs::create_dir_all(tom.dir().join("mail")).unwrap();
    fs::write(tom.dir().join("mail/1.eml"), "Dear Tom").unwrap();
    let old_archive = tom.backup(None).unwrap();
    assert!(!LockedDataDir::lock(tom.dir()).unwrap().is_empty().unwrap());
    let aside = restore(&archive, tom.dir()).unwrap().unwrap();
    assert_eq!(aside, tom.dir().join(ASIDE));
    assert_holds(tom.dir(), "mei@example.org", &["%PDF-1.7 one", "%PDF-1.7 two"]);
    assert_holds(&DataDir::new(&aside), "tom@example.org", &["%PDF-1.7 tom"]);
    assert!(tom.dir().join("mail/1.eml").exists());
    // And back again, from an archive within the folder.
    assert_eq!(restore(&old_archive, tom.dir()).unwrap().unwrap(), tom.dir().join(format!("{ASIDE}-2")));
    assert_holds(tom.dir(), "tom@example.org", &["%PDF-1.7 tom"]);
}

#[test]
fn a_kill_at_any_step_leaves_one_school_and_the_next_start_finishes() {
    // The state after a kill at each step; a start creates its folders before it checks.
    type Step = fn(&Path);
    let steps: [(&str, Step); 8] = [
        ("decided", |_| {}),
        ("the log is aside", |dir| {
            fs::create_dir(dir.join(ASIDE)).unwrap();
            fs::rename(dir.join("schoolhouse.db-wal"), dir.join(ASIDE).join("schoolhouse.db-wal")).unwrap();
        }),
        ("the database is aside", |dir| {
            fs::rename(dir.join(DATABASE), dir.join(ASIDE).join(DATABASE)).unwrap();
        }),
        ("the new database is in", |dir| {
            fs::rename(dir.join("restore.ready").join(DATABASE), dir.join(DATABASE)).unwrap();
        }),
        ("the documents are aside", |dir| {
            fs::rename(dir.join(DOCUMENTS), dir.join(ASIDE).join(DOCUMENTS)).unwrap();
        }),
        ("the new documents are in", |dir| {
            fs::rename(dir.join("restore.ready").join(DOCUMENTS), dir.join(DOCUMENTS)).unwrap();
        }),
        ("the plan is gone", |dir| fs::remove_file(dir.join("restore.ready/restore.json")).unwrap()),
        ("all is done", |dir| fs::remove_dir(dir.join("restore.ready")).unwrap()),
    ];
    let (_mei, archive) = archive();
    for count in 1..=steps.len() {
        let tom = another();
        fs::write(tom.dir().join("schoolhouse.db-wal"), b"").unwrap();
        let restored =
            LockedDataDir::lock(tom.dir()).unwrap().restore(&archive, None, &noon(), &mut |_, _| {}).unwrap();
        // The commit, without the steps after it.
        fs::write(tom.dir().join("restore.partial/restore.json"), format!("{{\"aside\":\"{ASIDE}\"}}"))
            .unwrap();
        fs::rename(tom.dir().join("restore.partial"), tom.dir().join("restore.ready")).unwrap();
        drop(restored);
        for (_, step) in &steps[..count] {
            step(tom.dir());
        }
        let step = steps[count - 1].0;
        tom.dir().make().unwrap();
        settle(tom.dir()).unwrap_or_else(|error| panic!("{step}: {error:#}"));
        assert_holds(tom.dir(), "mei@example.org", &["%PDF-1.7 one", "%PDF-1.7 two"]);
        assert_holds(&DataDir::new(tom.dir().join(ASIDE)), "tom@example.org", &["%PDF-1.7 tom"]);
        assert!(!tom.dir().join("restore.ready").exists(), "{step}");
    }
}

#[test]
fn a_kill_before_the_decision_leaves_the_old_school() {
    let (_mei, archive) = archive();
    let tom = another();
    let restored =
        LockedDataDir::lock(tom.dir()).unwrap().restore(&archive, None, &noon(), &mut |_, _| {}).unwrap();
    std::mem::forget(restored);
    assert!(tom.dir().join("restore.partial").join(DATABASE).exists());
    complete(tom.dir()).unwrap();
    assert!(!tom.dir().join("restore.partial").exists());
    assert_holds(tom.dir(), "tom@example.org", &["%PDF-1.7 tom"]);
}

#[test]
fn a_damaged_archive_changes_nothing() {
    let (_mei, archive) = archive();
    let tom = another();
    let bytes = fs::read(&archive).unwrap();
    fs::write(&archive, &bytes[..bytes.len() - 1]).unwrap();
    restore(&archive, tom.dir()).unwrap_err();
    assert_holds(tom.dir(), "tom@example.org", &["%PDF-1.7 tom"]);
    assert!(!tom.dir().join("restore.partial").exists());
}

#[test]
fn a_school_in_use_is_refused() {
    let (_mei, archive) = archive();
    let tom = another();
    tom.dir().make().unwrap();
    let lock = tom.dir().lock().unwrap();
    assert!(restore(&archive, tom.dir()).unwrap_err().to_string().contains("already serving"));
    drop(lock);
    let open = tom.connection();
    open.run("update students set updated_at = 1", []).unwrap();
    let error = restore(&archive, tom.dir()).unwrap_err().to_string();
    assert!(error.contains("another program has"), "{error}");
    drop(open);
    restore(&archive, tom.dir()).unwrap();
}

#[test]
fn a_broken_database_can_be_replaced() {
    let (_mei, archive) = archive();
    let tom = another();
    fs::write(tom.dir().join(DATABASE), b"not a database any more").unwrap();
    let aside = restore(&archive, tom.dir()).unwrap().unwrap();
    assert_eq!(student(tom.dir()), "mei@example.org");
    assert_eq!(fs::read(aside.join(DATABASE)).unwrap(), b"not a database any more");
}

#[test]
fn sessions_and_mailed_links_are_ended_and_queued_emails_are_held_back() {
    let school = School::open();
    school
        .connection()
        .execute_batch(
            "insert into sessions (id_hash, kind, subject_id, data, created_at, last_seen_at, expires_at)
             values (randomblob(32), 'student', 1, '{}', 0, 0, 9999999999);
             insert into links (token_hash, purpose, subject_id, email, is_session, created_at, expires_at)
             values (randomblob(32), 'family', null, 'ann@example.org', 1, 0, 9999999999),
                 (randomblob(32), 'family', null, 'ann@example.org', 0, 0, 9999999999),
                 (randomblob(32), 'application', 1, 'ann@example.org', 1, 0, 9999999999),
                 (randomblob(32), 'application_undo', 1, 'ann@example.org', 0, 0, 9999999999);
             insert into student_tokens (token_hash, student_id, purpose, email, created_at, expires_at)
             values (randomblob(32), 1, 'reset_password', 'mei@example.org', 0, 9999999999),
                 (randomblob(32), 1, 'undo_email', 'mei@example.org', 0, 9999999999);
             insert into users (id, username, password_hash, email, created_at)
             values (1, 'head', 'x', 'head@example.org', 0);
             insert into staff_tokens (token_hash, user_id, created_at, expires_at)
             values (randomblob(32), 1, 0, 9999999999);
             insert into staff_invitations (token_hash, email, full_name, role, invited_by, created_at, sent_at, expires_at)
             values (randomblob(32), 'kim@example.org', 'Kim', 'viewer', 1, 0, 0, 9999999999);
             insert into outbox (message_id, recipient, subject, text_body, html_body, next_attempt_at, created_at)
             values ('<1@x>', 'mei@example.org', 'Verify', 'text', 'html', 0, 0);",
        )
        .unwrap();
    let archive = school.backup(None).unwrap();
    restore(&archive, school.dir()).unwrap();
    let count = |sql: &str| school.connection().one::<i64>(sql, []).unwrap();
    for (table, left) in
        [("sessions", 0), ("links", 1), ("student_tokens", 1), ("staff_tokens", 0), ("staff_invitations", 0)]
    {
        let living = format!("select count(*) from {table} where expires_at > {}", noon().now().as_second());
        assert_eq!(count(&living), left, "{table}");
    }
    // Every table whose rows let their holder in is looked at.
    let holders = "select count(*) from sqlite_schema where type = 'table'
        and (sql like '%token_hash blob%' or name = 'sessions')";
    assert_eq!(count(holders), 5);
    let held = "select count(*) from outbox where state = 'dead' and last_error like '%Send it again%' and text_body = 'text'";
    assert_eq!(count(held), 1);
    let audited = "select count(*) from audit where actor = 'command line' and action = 'restore'";
    assert_eq!(count(audited), 1);
}

#[test]
fn a_part_that_cannot_be_moved_is_reported_before_anything_is() {
    let (_mei, archive) = archive();
    let tom = another();
    let elsewhere = tempfile::tempdir().unwrap();
    let moved = elsewhere.path().join("documents");
    fs::rename(tom.dir().join(DOCUMENTS), &moved).unwrap();
    std::os::unix::fs::symlink(&moved, tom.dir().join(DOCUMENTS)).unwrap();
    let error = restore(&archive, tom.dir()).unwrap_err().to_string();
    assert!(error.contains("is a link or a mount point"), "{error}");
    assert_holds(tom.dir(), "tom@example.org", &["%PDF-1.7 tom"]);
}
