//! Credits from other schools: recorded, corrected and voided by the office, seen by their student.

use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use crate::support::{Actor, PDF, School, Student};

fn english() -> Value {
    json!({ "code": "eng 3u", "name": "English", "credits": 1, "mark": 81, "completedOn": "2026-06-20",
        "school": "Sample Park Collegiate" })
}

fn path(student: &Student) -> String {
    format!("/api/admin/students/{}/external-credits", student.id)
}

async fn record(staff: &Actor, student: &Student, credit: &Value) -> Value {
    staff.post(&path(student), credit).await.expect(StatusCode::CREATED).json()
}

async fn sum(student: &Student) -> Value {
    student.get("/api/students/credits").await.expect(StatusCode::OK).json()["sum"].clone()
}

#[tokio::test]
async fn a_credit_is_recorded_corrected_and_voided_and_never_lost() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let document =
        student.upload("transcript", "transcript.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    let document = document.json()["id"].clone();
    let mut credit = english();
    credit["documentId"] = document.clone();
    let made = record(&staff, &student, &credit).await;
    let mut expected = json!({ "id": made["id"], "code": "ENG3U", "name": "English", "credits": 1, "mark": 81,
        "completedOn": "2026-06-20", "school": "Sample Park Collegiate", "documentId": document,
        "recordedAt": made["recordedAt"], "recordedBy": "staff0", "changedAt": null, "changedBy": null,
        "voidedAt": null, "voidedBy": null, "voidedReason": null, "version": 1 });
    assert_eq!(made, expected);
    assert_eq!(staff.get(&path(&student)).await.json(), json!([expected]));

    let one = format!("{}/{}", path(&student), made["id"]);
    let change = json!({ "version": 1, "mark": 83, "documentId": null, "reason": "Misread" });
    let changed = staff.patch(&one, &change).await.expect(StatusCode::OK).json();
    for (field, value) in [("mark", json!(83)), ("documentId", json!(null)), ("version", json!(2))] {
        expected[field] = value;
    }
    for field in ["changedAt", "changedBy"] {
        expected[field] = changed[field].clone();
        assert!(changed[field].is_string(), "{field}");
    }
    assert_eq!(changed, expected);
    let stale = staff.patch(&one, &change).await.expect(StatusCode::CONFLICT).json();
    assert_eq!(stale["current"], expected);
    assert_eq!(staff.patch(&one, &json!({ "version": 2 })).await.expect(StatusCode::OK).json(), expected);

    let seen = student.get("/api/students/credits").await.expect(StatusCode::OK).json();
    let own = json!({ "id": made["id"], "code": "ENG3U", "name": "English", "credits": 1, "mark": 83,
        "completedOn": "2026-06-20", "school": "Sample Park Collegiate", "documentId": null });
    assert_eq!(seen, json!({ "sum": { "here": 0, "elsewhere": 1, "underWay": 0 }, "external": [own] }));

    let fields = staff.patch(&one, &json!({ "version": 2, "voided": true })).await.fields();
    assert_eq!(fields, json!({ "reason": "Say in at least 3 characters why this credit is void" }));
    let void = json!({ "version": 2, "voided": true, "reason": "Another student’s" });
    let voided = staff.patch(&one, &void).await.expect(StatusCode::OK).json();
    assert_eq!(
        (&voided["voidedBy"], &voided["voidedReason"]),
        (&json!("staff0"), &json!("Another student’s"))
    );
    assert_eq!(staff.patch(&one, &void).await.expect(StatusCode::OK).json(), voided, "again changes nothing");
    let refused = staff.patch(&one, &json!({ "version": 3, "mark": 90 })).await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.message(), "This credit is void. If it counts after all, record it again.");
    let seen = student.get("/api/students/credits").await.json();
    assert_eq!(seen, json!({ "sum": { "here": 0, "elsewhere": 0, "underWay": 0 }, "external": [] }));
    assert_eq!(staff.get(&path(&student)).await.json(), json!([voided]));

    let file = staff.get(&format!("/api/admin/students/{}", student.id)).await.json();
    let history: Vec<_> =
        file["history"].as_array().unwrap().iter().filter(|e| e["field"] == "externalCredit").collect();
    let after = |place: usize| {
        (history[place]["before"].clone(), history[place]["after"].clone(), history[place]["reason"].clone())
    };
    let words = |mark: i64, rest: &str| {
        json!(format!("ENG3U English, 1 credit, mark {mark}, June 20, 2026, Sample Park Collegiate{rest}"))
    };
    assert_eq!(after(0), (words(83, ""), json!(null), json!("Another student’s")));
    let with_document = words(81, &format!(", document {document}"));
    assert_eq!(after(1), (with_document.clone(), words(83, ""), json!("Misread")));
    assert_eq!(after(2), (json!(null), with_document, json!(null)));
    let entries = school.count("select count(*) from audit where action in ('record credit', 'change credit', 'void credit') and object = 'student'");
    assert_eq!(entries, 3);
    let deleted = school.database().execute("delete from external_credits", []);
    assert!(deleted.unwrap_err().to_string().contains("never deleted"));
}

#[tokio::test]
async fn every_rule_names_its_field() {
    let school = School::open().await;
    let (staff, student, other) = (school.staff().await, school.student().await, school.student().await);
    let document = other.upload("transcript", "t.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED).json();
    assert_eq!(
        staff.post(&path(&student), &json!({})).await.expect(StatusCode::BAD_REQUEST).fields(),
        json!({ "code": "Code is required", "name": "Name is required", "credits": "Credits are required",
            "completedOn": "Completion date is required", "school": "Name the school in at least 2 characters" })
    );
    let halves = "Credits must be from 0.5 to 30, in steps of 0.5";
    for (field, value, message) in [
        ("code", json!("MATHEMATICS 12"), "Code must be at most 12 characters"),
        ("name", json!("x".repeat(101)), "Must be at most 100 characters"),
        ("credits", json!(0), halves),
        ("credits", json!(0.3), halves),
        ("credits", json!(30.5), halves),
        ("credits", json!(-1), halves),
        ("mark", json!(101), "Mark must be a whole number from 0 to 100"),
        ("mark", json!(-1), "Mark must be a whole number from 0 to 100"),
        ("completedOn", json!("2026-11-22"), "Completion date must be today or earlier"),
        ("completedOn", json!("2026-02-30"), "Must be a real date in the form YYYY-MM-DD"),
        ("school", json!("x"), "Name the school in at least 2 characters"),
        ("documentId", document["id"].clone(), "Choose one of this student’s documents"),
    ] {
        let mut credit = english();
        credit[field] = value.clone();
        let fields = staff.post(&path(&student), &credit).await.expect(StatusCode::BAD_REQUEST).fields();
        assert_eq!(fields, json!({ field: message }), "{field}: {value}");
    }
    let made = record(&staff, &student, &english()).await;
    let again = staff.post(&path(&student), &english()).await.expect(StatusCode::BAD_REQUEST).fields();
    assert_eq!(again, json!({ "code": "ENG3U of this school and day is recorded already" }));
    // Years abroad are granted in one row, under a code of no course.
    let years = json!({ "code": "Equiv 9", "name": "Equivalent of grade 9", "credits": 8, "completedOn": "2024-06-30", "school": "Liceo Ejemplo" });
    assert_eq!(record(&staff, &student, &years).await["code"], "EQUIV 9");
    let one = format!("{}/{}", path(&student), made["id"]);
    let fields = staff.patch(&one, &json!({ "mark": 101 })).await.expect(StatusCode::BAD_REQUEST).fields();
    assert_eq!(
        fields,
        json!({ "version": "Version is required", "mark": "Mark must be a whole number from 0 to 100" })
    );
    for wrong in [format!("{}/{}", path(&other), made["id"]), format!("{}/x", path(&student))] {
        staff.patch(&wrong, &json!({ "version": 1 })).await.expect(StatusCode::NOT_FOUND);
    }
    staff.get("/api/admin/students/999/external-credits").await.expect(StatusCode::NOT_FOUND);
    staff.post("/api/admin/students/999/external-credits", &english()).await.expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_course_counts_once_here_and_elsewhere() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    for (code, mark) in [("ENG3U", Some(78)), ("SPH3U", Some(41)), ("MCR3U", None)] {
        let course = school.course(&staff, code, json!(500)).await;
        let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone();
        staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await.expect(StatusCode::OK);
        if let Some(mark) = mark {
            school
                .database()
                .execute(
                    "update enrollments set status = 'completed', final_mark = ?1, credits_hundredths = iif(?1 < 50, 0, 100)
                     where id = ?2",
                    (mark, id.as_i64()),
                )
                .unwrap();
        }
    }
    assert_eq!(sum(&student).await, json!({ "here": 1, "elsewhere": 0, "underWay": 1 }));
    for code in ["ENG3U", "SPH3U", "CHV2O"] {
        let mut credit = english();
        credit["code"] = code.into();
        credit["credits"] = json!(if code == "CHV2O" { 0.5 } else { 1.0 });
        record(&staff, &student, &credit).await;
    }
    assert_eq!(sum(&student).await, json!({ "here": 1, "elsewhere": 1.5, "underWay": 1 }));
    let file = staff.get(&format!("/api/admin/students/{}", student.id)).await.json();
    assert_eq!(file["credits"], json!({ "here": 1, "elsewhere": 1.5, "underWay": 1 }));
}

#[tokio::test]
async fn reading_and_recording_follow_the_duties() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    record(&staff, &student, &english()).await;
    for (role, reads, writes) in
        [(Role::Registrar, true, true), (Role::Viewer, true, false), (Role::Bursar, false, false)]
    {
        let actor = school.staff_as(role).await;
        let status = |may, good| if may { good } else { StatusCode::FORBIDDEN };
        actor.get(&path(&student)).await.expect(status(reads, StatusCode::OK));
        let mut credit = english();
        credit["code"] = "MPM2D".into();
        actor.post(&path(&student), &credit).await.expect(status(writes, StatusCode::CREATED));
        let file =
            actor.get(&format!("/api/admin/students/{}", student.id)).await.expect(StatusCode::OK).json();
        assert_eq!(file["credits"].is_object(), reads, "{role:?}");
    }
    student.get(&path(&student)).await.expect(StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn credits_go_with_a_merged_account_and_outlive_their_document() {
    let school = School::open().await;
    let (staff, kept, other) = (school.staff().await, school.student().await, school.student().await);
    let document = other.upload("transcript", "t.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED).json();
    let mut credit = english();
    credit["documentId"] = document["id"].clone();
    record(&staff, &other, &credit).await;
    other.delete(&format!("/api/students/documents/{}", document["id"])).await.expect(StatusCode::NO_CONTENT);
    let left = staff.get(&path(&other)).await.json();
    assert_eq!((&left[0]["documentId"], &left[0]["mark"]), (&json!(null), &json!(81)));
    let merge = format!("/api/admin/students/{}/merge", kept.id);
    staff.post(&merge, &json!({ "otherId": other.id })).await.expect(StatusCode::OK);
    assert_eq!(staff.get(&path(&kept)).await.json(), left);
    assert_eq!(staff.get(&path(&other)).await.json(), json!([]));
    assert_eq!(sum(&kept).await["elsewhere"], 1);
}
