//! A damaged database: reads continue, writes are refused, and everyone is warned.

use std::os::unix::fs::FileExt;
use std::path::Path;

use reqwest::StatusCode;
use serde_json::json;

use crate::support::{Actor, Program};

const CATALOGUE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/ontario-courses.csv");

/// A school with a catalogue, closed cleanly.
fn school(folder: &Path) {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_schoolhouse"))
        .args(["--data-dir", folder.to_str().unwrap(), "import-courses", CATALOGUE])
        .env_clear()
        .output()
        .unwrap();
    assert!(output.status.success());
}

/// Overwrites the first page of a table.
fn break_table(folder: &Path, table: &str) {
    let path = folder.join("schoolhouse.db");
    let connection = rusqlite::Connection::open(&path).unwrap();
    let (page, size): (u64, u64) = connection
        .query_row(
            "select rootpage, page_size from sqlite_schema, pragma_page_size where name = :table",
            rusqlite::named_params! { ":table": table },
            |row| Ok((row.get::<_, i64>(0)?.unsigned_abs(), row.get::<_, i64>(1)?.unsigned_abs())),
        )
        .unwrap();
    connection.execute_batch("pragma wal_checkpoint(truncate)").unwrap();
    drop(connection);
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    file.write_all_at(&[0xAA; 64], (page - 1) * size).unwrap();
}

/// What `/readyz` says of the database once it was looked over; until then the server is ready.
async fn wait_until_inspected(visitor: &Actor) -> String {
    for _ in 0..2000 {
        let answer = visitor.get("/readyz").await;
        let integrity = answer.json()["integrity"].as_str().unwrap().to_owned();
        if integrity != "checking" {
            return integrity;
        }
        answer.expect(StatusCode::OK);
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    panic!("it is never looked over");
}

#[tokio::test]
async fn a_school_whose_database_is_damaged_is_read_and_takes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    school(folder.path());
    break_table(folder.path(), "audit");
    let program = Program::serve(folder.path(), &[]);
    let visitor = Actor::new(&program.address);
    assert_eq!(
        visitor.get("/api/courses").await.expect(StatusCode::OK).json().as_array().unwrap().len(),
        158
    );
    visitor.get("/courses").await.expect(StatusCode::OK);
    assert_eq!(wait_until_inspected(&visitor).await, "damaged");
    let body = json!({ "name": "Mei", "email": "mei@mail.example", "subject": "general", "message": "Is the office open?" });
    let refused = visitor.post("/api/contact", &body).await.expect(StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(
        refused.message(),
        "The site is in read-only mode: its database needs repair. Nothing was changed. \
         Please try again later."
    );
    let ready = visitor.get("/readyz").await.expect(StatusCode::SERVICE_UNAVAILABLE).json();
    assert_eq!((&ready["database_read"], &ready["database_write"]), (&json!(true), &json!(false)));
    visitor.get("/healthz").await.expect(StatusCode::OK);
}

#[test]
fn a_database_that_cannot_be_opened_is_named_with_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    school(folder.path());
    let file = std::fs::File::options().write(true).open(folder.path().join("schoolhouse.db")).unwrap();
    file.write_all_at(b"no header", 0).unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_schoolhouse"))
        .args(["--data-dir", folder.path().to_str().unwrap(), "serve", "--listen", "127.0.0.1:0"])
        .env_clear()
        .output()
        .unwrap();
    let report = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(report.contains("damaged") && report.contains("schoolhouse restore ARCHIVE"), "{report}");
}

#[tokio::test]
async fn a_login_that_cannot_be_saved_is_refused_in_a_sentence() {
    let school = crate::support::School::open().await;
    school.hire("head", schoolhouse::testing::Role::Admin).await;
    school.app().db.declare_damaged("for this test");
    let credentials = json!({ "username": "head", "password": crate::support::PASSWORD });
    let refused = school.visitor().post("/api/login", &credentials).await;
    assert_eq!(
        refused.expect(StatusCode::SERVICE_UNAVAILABLE).text(),
        "Your login could not be saved. Please try again later."
    );
}

#[tokio::test]
async fn signed_in_users_can_still_read_when_the_database_is_damaged() {
    let school = crate::support::School::open().await;
    let student = school.student().await;
    school.app().db.declare_damaged("for this test");
    // Long enough for the visit to be worth noting, which is a write.
    school.advance(jiff::SignedDuration::from_hours(25));
    student.get("/api/students/me").await.expect(StatusCode::OK);
    student.enroll(1).await.expect(StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn a_folder_of_an_older_program_starts_without_its_checksums() {
    let folder = tempfile::tempdir().unwrap();
    school(folder.path());
    let kept = ["schoolhouse.db.sum", "schoolhouse.db.changed"].map(|name| folder.path().join(name));
    for path in &kept {
        std::fs::write(path, "schoolhouse pages 1\n").unwrap();
    }
    let program = Program::serve(folder.path(), &[]);
    assert_eq!(wait_until_inspected(&Actor::new(&program.address)).await, "ok");
    assert_eq!(kept.map(|path| path.exists()), [false, false]);
}
