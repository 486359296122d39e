//! Courses in the database and in the cached catalogue.

use std::path::Path;
use std::sync::Arc;

use axum::body::to_bytes;
use serde_json::json;

use super::catalogue::{Catalogue, TOPIC};
use super::*;
use crate::base::error::Error;
use crate::storage::db::{self, Db};
use crate::storage::statements::{Statements, params};

const TODAY: jiff::civil::Date = jiff::civil::date(2026, 11, 24);

fn now() -> Timestamp {
    Timestamp::from_second(1_750_000_000).unwrap()
}

fn open(folder: &Path) -> Connection {
    db::open(&folder.join("school.db")).unwrap()
}

fn new(code: &str, grade: u8) -> NewCourse {
    let body = json!({
        "code": code, "name": "A course", "description": "About something.",
        "grade": grade, "courseType": "Open", "price": 0.3,
    });
    NewCourse::parse(&serde_json::from_value(body).unwrap()).unwrap()
}

fn add(connection: &Connection, code: &str, grade: u8) -> Result<Course> {
    create(connection, &new(code, grade), &Actor::command_line(), now())
}

fn enroll(connection: &Connection, course_id: i64) {
    let sql = "insert into students (email, password_hash, created_at, updated_at)
        values ('a@b.ca', 'x', 0, 0)";
    connection.run(sql, []).unwrap();
    let sql = "insert into enrollments (student_id, course_id, start_date, end_date, created_at)
        values (last_insert_rowid(), :course, '2026-01-05', '2026-05-05', 0)";
    connection.run(sql, params![course = course_id]).unwrap();
}

fn actions(connection: &Connection, id: i64) -> Vec<String> {
    let sql = "select action from audit where object = 'course' and object_id = :id order by id";
    connection.list(sql, params![id]).unwrap()
}

#[test]
fn the_wire_course_has_the_specifications_fields() {
    let folder = tempfile::tempdir().unwrap();
    let course = add(&open(folder.path()), "eng4u", 12).unwrap();
    assert_eq!(
        json!(course),
        json!({
            "id": course.id, "code": "ENG4U", "name": "A course", "description": "About something.",
            "prerequisite": null, "courseType": "Open", "isCompulsory": false, "grade": 12,
            "price": 0.3, "credits": 1, "isOpen": true, "subject": "English", "level": "O",
        })
    );
}

#[test]
fn the_list_is_by_grade_then_by_age() {
    let folder = tempfile::tempdir().unwrap();
    let connection = open(folder.path());
    for (code, grade) in [("CC", 12), ("BB", 9), ("AA", 12), ("DD", 9)] {
        add(&connection, code, grade).unwrap();
    }
    let codes: Vec<_> =
        store::list(&connection).unwrap().iter().map(|course| course.code.to_string()).collect();
    assert_eq!(codes, ["BB", "DD", "CC", "AA"]);
}

#[test]
fn a_code_is_taken_in_any_case_until_its_course_is_archived() {
    let folder = tempfile::tempdir().unwrap();
    let connection = open(folder.path());
    let first = add(&connection, "ENG4U", 12).unwrap();
    let other = add(&connection, "ENG3U", 11).unwrap();
    let taken = |result: Result<Course>| match result {
        Err(Error::Invalid(errors)) => errors.iter().map(|(f, m)| format!("{f}: {m}")).collect(),
        _ => String::new(),
    };
    let expected = "code: A course with this code already exists";
    assert_eq!(taken(add(&connection, "eng4u", 12)), expected);
    let renamed = Course { code: first.code.clone(), ..other.clone() };
    let renaming = change(&connection, &other, &renamed, &Actor::command_line(), now());
    assert_eq!(taken(renaming.map(|_| other)), expected);

    enroll(&connection, first.id);
    remove(&connection, first.id, &Actor::command_line(), now()).unwrap();
    let second = add(&connection, "ENG4U", 12).unwrap();
    assert_eq!(store::find_by_code(&connection, &second.code).unwrap(), Some(second));
}

fn exists(connection: &Connection, id: i64) -> bool {
    let sql = "select exists (select 1 from courses where id = :id)";
    connection.one(sql, params![id]).unwrap()
}

#[test]
fn a_course_without_enrollments_is_deleted_and_its_number_stays_unused() {
    let folder = tempfile::tempdir().unwrap();
    let connection = open(folder.path());
    let course = add(&connection, "ENG4U", 12).unwrap();
    remove(&connection, course.id, &Actor::command_line(), now()).unwrap();
    assert!(!exists(&connection, course.id));
    assert!(add(&connection, "ENG4U", 12).unwrap().id > course.id);
    assert_eq!(actions(&connection, course.id), ["create", "delete"]);
    let again = remove(&connection, course.id, &Actor::command_line(), now());
    assert!(matches!(again, Err(Error::NotFound(message)) if message == "Course not found"));
}

#[test]
fn a_course_with_an_enrollment_is_archived() {
    let folder = tempfile::tempdir().unwrap();
    let connection = open(folder.path());
    let course = add(&connection, "ENG4U", 12).unwrap();
    enroll(&connection, course.id);
    remove(&connection, course.id, &Actor::command_line(), now()).unwrap();
    assert_eq!(store::list(&connection).unwrap(), []);
    assert_eq!(store::find_open(&connection, course.id).unwrap(), None);
    assert!(exists(&connection, course.id));
    assert_eq!(actions(&connection, course.id), ["create", "archive"]);
    let again = remove(&connection, course.id, &Actor::command_line(), now());
    assert!(matches!(again, Err(Error::NotFound(_))));
}

#[test]
fn a_change_is_recorded_with_what_it_was_and_no_change_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let connection = open(folder.path());
    let before = add(&connection, "ENG4U", 12).unwrap();
    let revision = db::revision(&connection, TOPIC).unwrap();
    assert!(!change(&connection, &before, &before, &Actor::command_line(), now()).unwrap());
    assert_eq!(db::revision(&connection, TOPIC).unwrap(), revision);

    let after = Course { grade: Grade::ALL[2], price: None, ..before.clone() };
    assert!(change(&connection, &before, &after, &Actor::command_line(), now()).unwrap());
    assert_eq!(store::find_open(&connection, before.id).unwrap(), Some(after.clone()));
    assert!(db::revision(&connection, TOPIC).unwrap() > revision);
    assert_eq!(actions(&connection, before.id), ["create", "update"]);
    assert_eq!(
        differences(&json!(before), &json!(after)),
        json!({ "grade": { "from": 12, "to": 11 }, "price": { "from": 0.3, "to": null } })
    );
}

#[tokio::test]
async fn the_cached_catalogue_follows_another_process_and_is_rebuilt_once() {
    let folder = tempfile::tempdir().unwrap();
    let other_process = open(folder.path());
    let (db, _writer) = Db::start(
        &folder.path().join("school.db"),
        std::sync::Arc::new(crate::storage::disk::Disk::new(folder.path(), 0)),
    )
    .unwrap();
    let catalogue = Arc::new(Catalogue::default());
    let empty = catalogue.current(&db, TODAY).await.unwrap();
    assert_eq!(&empty.json.identity()[..], b"[]");
    assert!(Arc::ptr_eq(&empty, &catalogue.current(&db, TODAY).await.unwrap()));

    let course = add(&other_process, "ENG4U", 12).unwrap();
    let askers = (0..8).map(|_| {
        let catalogue = catalogue.clone();
        let db = db.clone();
        tokio::spawn(async move { catalogue.current(&db, TODAY).await.unwrap() })
    });
    let mut answers = Vec::new();
    for asker in askers.collect::<Vec<_>>() {
        answers.push(asker.await.unwrap());
    }
    assert_eq!(answers[0].courses, [course]);
    assert!(answers.iter().all(|answer| Arc::ptr_eq(answer, &answers[0])));
}

#[tokio::test]
async fn an_unchanged_catalogue_is_not_sent_again() {
    let folder = tempfile::tempdir().unwrap();
    add(&open(folder.path()), "ENG4U", 12).unwrap();
    let (db, _writer) = Db::start(
        &folder.path().join("school.db"),
        std::sync::Arc::new(crate::storage::disk::Disk::new(folder.path(), 0)),
    )
    .unwrap();
    let snapshot = Catalogue::default().current(&db, TODAY).await.unwrap();
    let first = snapshot.json.respond(&HeaderMap::new());
    assert_eq!(first.headers()["cache-control"], "no-cache");
    let mut request = HeaderMap::new();
    request.insert("if-none-match", first.headers()["etag"].clone());
    let body = to_bytes(first.into_body(), usize::MAX).await.unwrap();
    let rows: Vec<_> = snapshot.courses.iter().cloned().map(|course| snapshot.row(course)).collect();
    assert_eq!(serde_json::from_slice::<Value>(&body).unwrap(), json!(rows));
    assert_eq!(snapshot.json.respond(&request).status(), StatusCode::NOT_MODIFIED);
}
