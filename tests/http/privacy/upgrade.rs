//! Consents that an earlier program wrote by itself are marked as not asked once its database is brought up to date.

use reqwest::StatusCode;
use rusqlite::named_params;
use schoolhouse::testing::{Password, db, hash_now};
use serde_json::{Value, json};

use crate::support::{PASSWORD, School};

/// The schema before consents had a version by content.
const BEFORE: i32 = 48;

mod migrations {
    refinery::embed_migrations!("migrations");
}

/// A school as that program left it: a student who registered and asked for a course, and a visitor who wrote.
/// It noted consents for all three, though only the registration's form had asked for one.
fn old_school(folder: &std::path::Path) {
    let mut database = db::connect(&folder.join("schoolhouse.db")).unwrap();
    database.pragma_update(None, "application_id", db::APPLICATION_ID).unwrap();
    let target = refinery::Target::Version(BEFORE);
    migrations::migrations::runner().set_grouped(true).set_target(target).run(&mut database).unwrap();
    let hash = hash_now(&Password::parse(PASSWORD, &[]).unwrap()).unwrap();
    database
        .execute(
            "insert into students (id, email, password_hash, status, full_name, created_at, updated_at)
             values (1, 'mei@mail.example', :hash, 'active', 'Mei Tanaka', 0, 0)",
            named_params! { ":hash": hash },
        )
        .unwrap();
    database
        .execute_batch(
            "insert into courses (id, code, name, description, grade, course_type, created_at, updated_at)
                 values (1, 'ENG4U', 'English', 'Reading and writing.', 12, 'University', 0, 0);
             insert into enrollments (id, student_id, course_id, start_date, end_date, status, created_at)
                 values (7, 1, 1, '2026-12-01', '2027-03-31', 'pending', 30);
             insert into contact_messages (id, name, email, subject, message, created_at)
                 values (1, 'Ann', 'ann@mail.example', 'general', 'Is the office open?', 40);
             insert into consents (student_id, message_id, enrollment_id, kind, text_version, is_given, at)
                 values (1, null, null, 'terms', '2023-06-01', 1, 10), (1, null, null, 'privacy', '2023-06-01', 1, 10),
                     (1, null, 7, 'enrollment', '2023-06-01', 1, 30), (null, 1, null, 'privacy', '2023-06-01', 1, 40)",
        )
        .unwrap();
}

#[tokio::test]
async fn consents_assumed_by_earlier_versions_are_marked_after_the_upgrade() {
    let folder = tempfile::tempdir().unwrap();
    old_school(folder.path());
    let school = School::open_in(folder, |_| {}).await;
    let (student, staff) = (school.visitor(), school.staff().await);
    student.log_in("mei@mail.example", PASSWORD).await.expect(StatusCode::OK);
    let own = student.get("/api/students/privacy").await.expect(StatusCode::OK).json()["consents"].clone();
    let told = |rows: &Value| -> Vec<Value> {
        let rows = rows.as_array().unwrap().iter();
        rows.map(|row| json!([row["kind"], row["enrollmentId"], row["wasAsked"]])).collect()
    };
    let expected =
        [json!(["enrollment", 7, false]), json!(["privacy", null, true]), json!(["terms", null, true])];
    assert_eq!(told(&own), expected);
    let file = staff.get("/api/admin/students/1").await.expect(StatusCode::OK).json();
    assert_eq!(file["consents"], own, "the office reads the same");
    let counts = staff.get("/api/admin/consents").await.expect(StatusCode::OK).json();
    let counts: Vec<_> = counts
        .as_array()
        .unwrap()
        .iter()
        .map(|row| json!([row["kind"], row["wasAsked"], row["students"], row["messages"], row["isCurrent"]]))
        .collect();
    assert_eq!(
        counts,
        [
            json!(["privacy", true, 1, 0, false]),
            json!(["terms", true, 1, 0, false]),
            json!(["privacy", false, 0, 1, false]),
            json!(["enrollment", false, 1, 0, false]),
        ]
    );
}
