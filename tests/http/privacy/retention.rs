//! Retention: expired items are proposed at night and deleted by an admin only.

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::{propose_retention, sweep_files};
use serde_json::{Value, json};

use crate::support::{Actor, PASSWORD, PDF, School, Student, profile};

const PATH: &str = "/api/admin/retention";

async fn after_years(school: &School, staff: &Actor, years: i64) {
    school.advance(SignedDuration::from_hours(24 * 366 * years));
    staff
        .post("/api/login", &json!({ "username": "keeper", "password": PASSWORD }))
        .await
        .expect(StatusCode::OK);
    propose_retention(school.app()).await.unwrap();
}

async fn keeper(school: &School) -> Actor {
    school.hire("keeper", schoolhouse::testing::Role::Admin).await;
    let staff = school.visitor();
    staff
        .post("/api/login", &json!({ "username": "keeper", "password": PASSWORD }))
        .await
        .expect(StatusCode::OK);
    staff
}

/// A student with a course that is over, with a mark, a document, and a whole profile.
async fn alumna(school: &School, staff: &Actor) -> Student {
    let student = school.student().await;
    student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);
    student.upload("transcript", "a.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    let course = school.course(staff, "ENG4U", json!(500)).await;
    let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].as_i64().unwrap();
    let done = format!(
        "update enrollments set status = 'completed', final_mark = 91, approved_at = 1, decided_at = 1 where id = {id}"
    );
    school.database().execute_batch(&done).unwrap();
    student
}

async fn proposals(staff: &Actor) -> Vec<Value> {
    let retention = staff.get(PATH).await.expect(StatusCode::OK).json();
    retention["proposals"].as_array().unwrap().clone()
}

fn counts(proposals: &[Value]) -> Vec<(String, i64)> {
    let count = |row: &Value| (row["class"].as_str().unwrap().to_owned(), row["count"].as_i64().unwrap());
    proposals.iter().map(count).collect()
}

async fn confirm(staff: &Actor, class: &str, count: i64) -> crate::support::Answer {
    staff.post(&format!("{PATH}/{class}/confirm"), &json!({ "count": count })).await
}

#[tokio::test]
async fn the_night_proposes_and_deletes_nothing_and_the_admin_types_how_many_go() {
    let school = School::open().await;
    let staff = keeper(&school).await;
    let student = alumna(&school, &staff).await;
    school
        .visitor()
        .write_message("Mei", "mei@mail.example", "Is the office open?")
        .await
        .expect(StatusCode::OK);
    after_years(&school, &staff, 1).await;
    assert_eq!(proposals(&staff).await, Vec::<Value>::new());
    after_years(&school, &staff, 5).await;
    let found = proposals(&staff).await;
    assert_eq!(counts(&found), [("documents".into(), 1), ("profile".into(), 1), ("messages".into(), 1)]);
    assert_eq!(found[0]["sample"][0]["about"], "School Transcript of Amara Okonkwo");
    assert_eq!(school.count("select count(*) from student_documents"), 1, "the night deletes nothing");
    // A number that is not what waits lets nothing go.
    let refused = confirm(&staff, "documents", 2).await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.message(), "1 wait now, not 2. Please look at the list again.");
    for class in ["documents", "profile", "messages"] {
        let done = confirm(&staff, class, 1).await.expect(StatusCode::OK).json();
        assert_eq!(done, json!({ "deleted": 1 }));
    }
    assert_eq!(proposals(&staff).await, Vec::<Value>::new());
    assert_eq!(school.count("select count(*) from student_documents"), 0);
    assert_eq!(school.count("select count(*) from contact_messages"), 0);
    let file = staff.get(&format!("/api/admin/students/{}", student.id)).await.json();
    assert_eq!(file["student"]["phoneNumber"], Value::Null);
    assert_eq!(file["student"]["address"], Value::Null);
    assert_eq!(school.count("select count(*) from student_history where after = '88 Sample Crescent'"), 0);
    // What a school has to keep.
    assert_eq!(file["student"]["fullName"], "Amara Okonkwo");
    assert_eq!(file["student"]["dateOfBirth"], "2009-03-01");
    assert_eq!(school.count("select count(*) from enrollments where final_mark = 91"), 1);
    let entries = staff.get("/api/admin/audit?object=retention&action=delete").await.json();
    assert_eq!(entries[0]["detail"]["count"], 1);
    // Its file goes as that of any removed document.
    assert_eq!(sweep_files(school.app()).await.unwrap(), 0, "a backup that runs now still finds it");
}

#[tokio::test]
async fn marks_and_the_ledger_are_in_no_proposal_after_a_hundred_years() {
    let school = School::open().await;
    let staff = keeper(&school).await;
    alumna(&school, &staff).await;
    after_years(&school, &staff, 100).await;
    let found = counts(&proposals(&staff).await);
    assert!(found.iter().all(|(class, _)| class != "marks" && class != "ledger"), "{found:?}");
    for class in ["marks", "ledger"] {
        confirm(&staff, class, 0).await.expect(StatusCode::OK);
        let rule =
            json!({ "class": class, "years": 1, "inForceFrom": "2200-01-01", "reason": "To save some room" });
        staff.post(PATH, &rule).await.expect(StatusCode::CONFLICT);
    }
    assert_eq!(school.count("select count(*) from enrollments where final_mark = 91"), 1);
    confirm(&staff, "gossip", 0).await.expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn held_records_stay_and_returning_students_keep_everything() {
    let school = School::open().await;
    let staff = keeper(&school).await;
    let student = alumna(&school, &staff).await;
    after_years(&school, &staff, 6).await;
    let documents = proposals(&staff).await[0].clone();
    let id = documents["sample"][0]["id"].as_i64().unwrap();
    let hold = format!("{PATH}/proposals/{id}/hold");
    assert_eq!(
        staff.post(&hold, &json!({})).await.fields(),
        json!({ "reason": "Please say why it is kept" })
    );
    staff.post(&hold, &json!({ "reason": "A dispute about a mark" })).await.expect(StatusCode::NO_CONTENT);
    confirm(&staff, "documents", 1).await.expect(StatusCode::CONFLICT);
    propose_retention(school.app()).await.unwrap();
    let held = proposals(&staff).await[0].clone();
    assert_eq!(
        (&held["count"], &held["held"][0]["heldReason"]),
        (&json!(0), &json!("A dispute about a mark"))
    );
    let release = format!("{PATH}/proposals/{id}/release");
    staff.post(&release, &json!({})).await.expect(StatusCode::NO_CONTENT);
    // A student logs in between the proposal and the confirmation.
    student.log_in(&student.email, PASSWORD).await.expect(StatusCode::OK);
    let done = confirm(&staff, "documents", 1).await.expect(StatusCode::OK).json();
    assert_eq!(done, json!({ "deleted": 0 }));
    assert_eq!(school.count("select count(*) from student_documents"), 1);
    // And the next night takes back what it proposed.
    propose_retention(school.app()).await.unwrap();
    assert_eq!(proposals(&staff).await, Vec::<Value>::new());
    staff.post(&release, &json!({})).await.expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_granted_wish_to_be_deleted_is_proposed_at_once_whatever_the_years() {
    let school = School::open().await;
    let staff = keeper(&school).await;
    let student = alumna(&school, &staff).await;
    let credit = json!({ "code": "ENG3U", "name": "English", "credits": 1, "mark": 81, "completedOn": "2025-06-20",
        "school": "Sample Park Collegiate", "documentId": school.count("select id from student_documents") });
    let credits = format!("/api/admin/students/{}/external-credits", student.id);
    staff.post(&credits, &credit).await.expect(StatusCode::CREATED);
    let ask = json!({ "kind": "deletion" });
    let asked = student.post("/api/students/privacy-requests", &ask).await.expect(StatusCode::CREATED).json();
    let path = format!("/api/admin/privacy-requests/{}", asked["id"]);
    staff.patch(&path, &json!({ "decision": "grant" })).await.expect(StatusCode::OK);
    propose_retention(school.app()).await.unwrap();
    let found = proposals(&staff).await;
    assert_eq!(counts(&found), [("documents".into(), 1), ("profile".into(), 1)]);
    assert_eq!(found[0]["asked"], 1);
    for class in ["documents", "profile"] {
        assert_eq!(confirm(&staff, class, 1).await.expect(StatusCode::OK).json(), json!({ "deleted": 1 }));
    }
    assert_eq!(school.count("select count(*) from student_documents"), 0);
    assert_eq!(school.count("select count(*) from enrollments where final_mark = 91"), 1);
    let kept = staff.get(&credits).await.expect(StatusCode::OK).json();
    assert_eq!((&kept[0]["mark"], &kept[0]["documentId"]), (&json!(81), &json!(null)));
}

#[tokio::test]
async fn a_rule_is_followed_by_another_from_a_day_on_and_never_changed() {
    let school = School::open().await;
    let staff = keeper(&school).await;
    let rule = json!({ "class": "messages", "years": 0, "inForceFrom": "2026-11-01", "reason": "short" });
    let fields = staff.post(PATH, &rule).await.fields();
    let wanted = json!({
        "inForceFrom": "Must not be before today",
        "reason": "Please say in at least 10 characters why: it is shown beside the rule",
    });
    assert_eq!(fields, wanted);
    let rule =
        json!({ "class": "breaches", "years": 1, "inForceFrom": "2026-12-01", "reason": "We have no room" });
    assert_eq!(
        staff.post(PATH, &rule).await.fields(),
        json!({ "years": "Must be a whole number of years from 2 to 100" })
    );
    let rule =
        json!({ "class": "messages", "years": 1, "inForceFrom": "2026-12-01", "reason": "A year is enough" });
    staff.post(PATH, &rule).await.expect(StatusCode::CREATED);
    let years = async || {
        let rules = staff.get(PATH).await.json()["rules"].as_array().unwrap().clone();
        let of_messages = rules.into_iter().filter(|rule| rule["class"] == "messages");
        of_messages.map(|rule| rule["years"].as_i64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(years().await, [2, 1], "the one that holds, and the one that will");
    school.advance(SignedDuration::from_hours(24 * 11));
    staff
        .post("/api/login", &json!({ "username": "keeper", "password": PASSWORD }))
        .await
        .expect(StatusCode::OK);
    assert_eq!(years().await, [1]);
    assert_eq!(school.count("select count(*) from retention where class = 'messages'"), 2);
    let refused = school.database().execute("update retention set years = 9", []).unwrap_err();
    assert!(refused.to_string().contains("append-only"));
}
