//! `doctor`: a healthy school, and each fault it reports.

use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use reqwest::StatusCode;
use rusqlite::Connection;
use serde_json::Value;
use tempfile::TempDir;

use crate::cli::{err, out, schoolhouse};
use crate::schedule::write_rules;
use crate::support::{Actor, PASSWORD, PDF, Program, eventually, read_spool, wait_for};

/// The folder of a school that had a student with a document, and was ended.
async fn seeded_folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::serve(&folder.path().join("data"), &[]);
    let visitor = Actor::new(&program.address);
    visitor.register("amara@mail.example").await;
    let mail = wait_for(|| read_spool(&folder.path().join("data/mail")).pop()).await;
    let token = mail.token("/student/verify/");
    visitor.get(&format!("/api/students/verify/{token}")).await.expect(StatusCode::OK);
    visitor.log_in("amara@mail.example", PASSWORD).await.expect(StatusCode::OK);
    visitor.upload("other", "a.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    let pid = rustix::process::Pid::from_child(&program.child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    assert!(program.child.wait().unwrap().success());
    folder
}

fn examine(data_dir: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    // Port 9 has no listener: a server of another test on 8080 is none of this school's.
    schoolhouse(data_dir)
        .args(["doctor", "--json"])
        .args(arguments)
        .env("SCHOOLHOUSE_SERVER_LISTEN", "127.0.0.1:9")
        .env("SCHOOLHOUSE_SERVER_DISK_RESERVE_MB", "1")
        .envs(environment.iter().copied())
        .output()
        .unwrap()
}

/// Status and words of one check.
#[track_caller]
fn finding(output: &Output, name: &str) -> (String, String) {
    let report: Value = serde_json::from_str(&out(output)).unwrap_or_else(|_| panic!("{}", err(output)));
    let checks = report["checks"].as_array().unwrap();
    let check =
        checks.iter().find(|check| check["name"] == name).unwrap_or_else(|| panic!("no {name}: {report}"));
    let status = check["status"].as_str().unwrap().to_owned();
    assert_eq!(status == "ok", check["advice"] == "", "whatever is wrong has advice: {check}");
    (status, check["found"].as_str().unwrap().to_owned())
}

/// Every file with its content and the time it was changed.
fn picture(folder: &Path) -> Vec<(PathBuf, std::time::SystemTime, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (path, found) = (entry.path(), entry.metadata().unwrap());
        if found.is_dir() {
            all.push((path.clone(), found.modified().unwrap(), Vec::new()));
            all.extend(picture(&path));
        } else {
            all.push((path.clone(), found.modified().unwrap(), std::fs::read(&path).unwrap()));
        }
    }
    all.sort();
    all
}

#[tokio::test]
async fn a_school_that_serves_is_sound_and_so_is_one_that_was_ended() {
    let folder = seeded_folder().await;
    let data = folder.path().join("data");
    let before = picture(&data);
    for arguments in [&[][..], &["--full"]] {
        let output = examine(&data, arguments, &[]);
        assert!(output.status.success(), "{}", out(&output));
        assert_eq!(finding(&output, "Server").0, "warning");
        let words = if arguments.is_empty() { "in its place" } else { "read and unchanged" };
        assert_eq!(finding(&output, "Documents"), ("ok".into(), format!("1 documents, every one {words}")));
    }
    assert!(picture(&data) == before, "the doctor changed something");

    let program = Program::serve(&data, &[]);
    let listen = program.address.strip_prefix("http://").unwrap();
    let output = eventually(async || {
        let output = examine(&data, &[], &[("SCHOOLHOUSE_SERVER_LISTEN", listen)]);
        (!finding(&output, "Server").1.ends_with("still checking its database")).then_some(output)
    })
    .await;
    assert!(output.status.success(), "{}", out(&output));
    let ready = format!("process {} answers on {listen} and is ready", program.child.id());
    assert_eq!(finding(&output, "Server"), ("ok".into(), ready));
    for name in [
        "Data folder",
        "Permissions",
        "Clock",
        "Database",
        "References",
        "Schema",
        "Total due",
        "Documents",
        "Documents' room",
        "Stray files",
    ] {
        assert_eq!(finding(&output, name).0, "ok", "{name}: {}", out(&output));
    }
    // For people it says the same in words.
    let words =
        out(&schoolhouse(&data).arg("doctor").env("SCHOOLHOUSE_SERVER_LISTEN", listen).output().unwrap());
    assert!(words.contains("Nothing is broken; ") && words.contains("-> Set mail.smtp_host"), "{words}");
    // Only a sample may leave its emails, with the links in them, in files.
    let real = [
        ("SCHOOLHOUSE_SCHOOL_NAME", "Harbour School"),
        ("SCHOOLHOUSE_SCHOOL_EMAIL", "office@harbour.example"),
        ("SCHOOLHOUSE_SCHOOL_INSPECTION_ID", "887766"),
    ];
    let output = examine(&data, &[], &real);
    assert_eq!((finding(&output, "Mail server").0, output.status.success()), ("problem".into(), false));
}

type Fault = (&'static str, fn(&Path), &'static str, &'static str, &'static str);

fn sql(data: &Path, statements: &str) {
    Connection::open(data.join("schoolhouse.db")).unwrap().execute_batch(statements).unwrap();
}

fn overwrite(path: &Path, at: u64, bytes: &[u8]) {
    std::fs::File::options().write(true).open(path).unwrap().write_all_at(bytes, at).unwrap();
}

fn mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

fn document(data: &Path) -> PathBuf {
    let file: String = Connection::open(data.join("schoolhouse.db"))
        .unwrap()
        .query_row("select document_path from student_documents", [], |row| row.get(0))
        .unwrap();
    data.join(file)
}

/// What is done, to which check it shows, how, and in which words.
const FAULTS: [Fault; 25] = [
    ("an open folder", |data| mode(data, 0o755), "Data folder", "problem", "mode 755"),
    (
        "an open file",
        |data| mode(&data.join("schoolhouse.db"), 0o644),
        "Permissions",
        "problem",
        "schoolhouse.db",
    ),
    ("no folder", |data| std::fs::remove_dir_all(data).unwrap(), "Data folder", "problem", "is not there"),
    (
        "no database",
        |data| std::fs::remove_file(data.join("schoolhouse.db")).unwrap(),
        "Database",
        "problem",
        "is not there",
    ),
    (
        "no database at all",
        |data| overwrite(&data.join("schoolhouse.db"), 0, &[7; 4096]),
        "Database",
        "problem",
        "not a database",
    ),
    (
        "a damaged page",
        |data| overwrite(&data.join("schoolhouse.db"), 8192, &[0xAB; 4096]),
        "Database",
        "problem",
        "damaged",
    ),
    (
        "a newer schema",
        |data| {
            sql(
                data,
                "insert into refinery_schema_history (version, name, applied_on, checksum) values (9999, 'later', '2030-01-01T00:00:00Z', '1')",
            );
        },
        "Schema",
        "problem",
        "schema 9999 was written by a newer program; this one knows ",
    ),
    (
        "an older schema",
        |data| {
            sql(
                data,
                "delete from refinery_schema_history where version > 5; drop table upkeep; drop table outbox",
            );
        },
        "Schema",
        "warning",
        "schema 5; this program writes ",
    ),
    (
        "a row without its other",
        |data| {
            sql(
                data,
                "pragma foreign_keys=off; update payment_codes set student_id = null; delete from students",
            );
        },
        "References",
        "problem",
        "a row of student_documents",
    ),
    (
        "a total that is not what is there",
        |data| sql(data, "update total_due set cents = cents + 1"),
        "Total due",
        "problem",
        "1 cents are kept as owed",
    ),
    (
        "a row of the future",
        |data| sql(data, "update student_documents set uploaded_at = unixepoch() + 86400"),
        "Clock",
        "problem",
        "but the database knows of",
    ),
    (
        "a missing document",
        |data| std::fs::remove_file(document(data)).unwrap(),
        "Documents",
        "problem",
        "document 1 is missing",
    ),
    (
        "a cut document",
        |data| overwrite_all(&document(data), b"cut"),
        "Documents",
        "problem",
        "document 1 has 3 bytes instead of",
    ),
    (
        "a changed document",
        |data| overwrite(&document(data), 4, b"X"),
        "Documents",
        "problem",
        "document 1 has changed",
    ),
    (
        "documents beyond their share",
        |data| {
            document(data);
            sql(
                data,
                "pragma ignore_check_constraints = on; update student_documents set size_bytes = 1 << 60",
            );
        },
        "Documents' room",
        "problem",
        "50 % of the disk: uploads are refused",
    ),
    (
        "an unreferenced file",
        |data| {
            let stray = data.join("documents/ab");
            std::fs::create_dir_all(&stray).unwrap();
            let stray = stray.join("ab12");
            std::fs::write(&stray, "x").unwrap();
            let long_ago = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_600_000_000);
            std::fs::File::options().write(true).open(&stray).unwrap().set_modified(long_ago).unwrap();
        },
        "Stray files",
        "warning",
        "documents/ab/ab12",
    ),
    (
        "a failed backup",
        |data| {
            sql(
                data,
                "delete from upkeep; insert into upkeep (task, since, tried_at, succeeded_at, failure) values ('backup', 0, unixepoch(), unixepoch() - 7200, 'the disk is full')",
            );
        },
        "Backup",
        "problem",
        "the last attempt failed (the disk is full); the last good one: 2 hours ago",
    ),
    (
        "an overdue backup",
        |data| {
            sql(
                data,
                "delete from upkeep; insert into upkeep (task, since, succeeded_at) values ('backup', 0, unixepoch() - 30 * 3600)",
            );
        },
        "Backup",
        "problem",
        "overdue: 30 hours ago",
    ),
    (
        "notes that cannot be read",
        |data| sql(data, "alter table upkeep rename column since to began"),
        "Backup",
        "problem",
        "could not be checked",
    ),
    (
        "a drill that never was",
        |data| sql(data, "delete from upkeep; insert into upkeep (task, since) values ('drill', 1)"),
        "Drill",
        "problem",
        "overdue: never succeeded",
    ),
    (
        "a dead email",
        |data| sql(data, "update outbox set state = 'dead', sent_at = null, text_body = '', html_body = ''"),
        "Outbox",
        "warning",
        "1 email could not be delivered, 0 waiting",
    ),
    (
        "a day's emails that are used up",
        |data| sql(data, "insert into mail_hours values (unixepoch() / 3600, 'verification', 'school', 7)"),
        "Outbox",
        "warning",
        "the daily limit of emails was used up: 7 not sent within the last 24 hours",
    ),
    (
        "a browser with old time-zone rules",
        |data| sql(data, "insert into old_browsers values ('student', date()), ('staff', '2026-01-01')"),
        "Browsers",
        "warning",
        "with other time-zone rules than the school's",
    ),
    (
        "an email that waits",
        |data| {
            sql(
                data,
                "update outbox set state = 'queued', sent_at = null, text_body = '', html_body = '', created_at = unixepoch() - 7205, next_attempt_at = unixepoch()",
            );
        },
        "Outbox",
        "problem",
        "1 email waiting, the oldest for 2 hours",
    ),
    (
        "no lock",
        |data| std::fs::remove_file(data.join("lock")).unwrap(),
        "Server",
        "warning",
        "no server is running",
    ),
];

fn overwrite_all(path: &Path, bytes: &[u8]) {
    std::fs::write(path, bytes).unwrap();
}

#[tokio::test]
async fn every_fault_is_found_and_reported_in_words() {
    let folder = seeded_folder().await;
    let sound = folder.path().join("data");
    for (what, spoil, check, status, words) in FAULTS {
        let data = folder.path().join("spoiled");
        assert!(Command::new("cp").arg("-a").args([&sound, &data]).status().unwrap().success());
        spoil(&data);
        let output = examine(&data, &["--full"], &[]);
        let (found_status, found) = finding(&output, check);
        assert_eq!(found_status, status, "{what}: {found}");
        assert!(found.contains(words), "{what}: {found}");
        let report: Value = serde_json::from_str(&out(&output)).unwrap();
        let worst = i32::from(report["status"] == "problem");
        assert_eq!(output.status.code(), Some(worst), "{what}");
        assert!(status != "problem" || worst == 1, "{what}");
        let _ = std::fs::remove_dir_all(&data);
    }
}

/// A flag names another address than the configuration.
#[tokio::test]
async fn the_server_is_found_at_its_configured_address() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::serve(folder.path(), &[]);
    let output = examine(folder.path(), &[], &[]);
    let listen = program.address.strip_prefix("http://").unwrap();
    let (status, found) = finding(&output, "Server");
    assert!(status == "ok" && found.contains(&format!("answers on {listen}")), "{found}");
}

#[test]
fn what_the_configuration_names_is_tried() {
    let folder = tempfile::tempdir().unwrap();
    // A free port without a listener.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let mail = [("SCHOOLHOUSE_MAIL_SMTP_HOST", "127.0.0.1"), ("SCHOOLHOUSE_MAIL_SMTP_PORT", &free)];
    let (status, found) = finding(&examine(folder.path(), &[], &mail), "Mail server");
    assert!(status == "problem" && found.contains("failed TCP"), "{found}");

    let url = [("SCHOOLHOUSE_SERVER_PUBLIC_URL", "http://127.0.0.1")];
    let output = examine(folder.path(), &[], &url);
    assert!(finding(&output, "Public address").1.contains("is not encrypted"));
    assert_eq!(finding(&output, "Names"), ("ok".into(), "127.0.0.1 is 127.0.0.1".into()));

    let file = folder.path().join("config.toml");
    std::fs::write(&file, "[mail]\npassword = \"hunter22\"").unwrap();
    mode(&file, 0o644);
    let with_file = ["--config", file.to_str().unwrap()];
    let (status, found) = finding(&examine(folder.path(), &with_file, &[]), "Configuration");
    assert!(status == "problem" && found.contains("can read the secret"), "{found}");
    mode(&file, 0o640);
    assert_eq!(finding(&examine(folder.path(), &with_file, &[]), "Configuration").0, "ok");
}

/// Hours of a class come from the newer of the program's and the machine's rules; which, and what time they make it.
#[test]
fn the_time_zone_rules_in_force_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let (rules, data) = (folder.path().join("rules"), folder.path().join("data"));
    let machine = rules.to_str().unwrap();
    // Tokyo's rules in place of Winnipeg's show which are in force, on any day of the year.
    for (release, status, ahead, source) in [
        ("2025b", "ok", "UTC-0", "built in; the machine's (2025b) are older and not used"),
        ("2099a", "warning", "UTC+09:00", "are older"),
    ] {
        write_rules(&rules, release, "Asia/Tokyo");
        let environment = [("TZDIR", machine), ("SCHOOLHOUSE_SCHOOL_TIME_ZONE", "America/Winnipeg")];
        let output = examine(&data, &[], &environment);
        let (found_status, found) = finding(&output, "Time zones");
        assert_eq!(found_status, status, "{found}");
        assert!(
            found.contains(source) && found.contains("; Winnipeg time is ") && found.contains(ahead),
            "{found}"
        );
        let report: Value = serde_json::from_str(&out(&output)).unwrap();
        let in_force = report["timeZoneRules"].as_str().unwrap();
        assert_eq!(in_force == release, status == "warning", "{in_force}");
        let version = out(&schoolhouse(&data).arg("--version").env("TZDIR", machine).output().unwrap());
        let (first, second) = version.split_once('\n').unwrap();
        assert!(
            first.starts_with("schoolhouse ") && second.contains(in_force) && second.contains(source),
            "{version}"
        );
    }
}
