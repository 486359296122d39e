//! What a course asks for beside what its student has, where the office decides and where the student chooses.

use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use crate::support::{Actor, School, Student};

async fn course(school: &School, staff: &Actor, code: &str, prerequisite: &str) -> i64 {
    let id = school.course(staff, code, json!(500)).await;
    let change = json!({ "prerequisite": prerequisite });
    staff.patch(&format!("/api/admin/courses/{id}"), &change).await.expect(StatusCode::OK);
    id
}

async fn take(staff: &Actor, student: &Student, course: i64) -> Value {
    let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone();
    staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await.expect(StatusCode::OK);
    id
}

/// Beside each course of the office's list, by code.
async fn checks(staff: &Actor, query: &str) -> Value {
    let rows = staff.get(&format!("/api/admin/enrollments?{query}")).await.expect(StatusCode::OK).json();
    let pair = |row: &Value| (row["courseCode"].as_str().unwrap().to_owned(), row["prerequisite"].clone());
    Value::Object(rows.as_array().unwrap().iter().map(pair).collect())
}

#[tokio::test]
async fn the_row_says_what_the_course_asks_for_and_what_the_student_has() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let english = course(&school, &staff, "ENG3U", "").await;
    let id = take(&staff, &student, english).await;
    school
        .database()
        .execute("update enrollments set status = 'completed', final_mark = 78, credits_hundredths = 100 where id = ?1", [id.as_i64()])
        .unwrap();
    let functions = course(&school, &staff, "MCR3U", "").await;
    take(&staff, &student, functions).await;
    let credit = json!({ "code": "SNC2D", "name": "Science", "credits": 1, "mark": 66, "completedOn": "2025-06-20", "school": "Sample Park Collegiate" });
    let credits = format!("/api/admin/students/{}/external-credits", student.id);
    let credit = staff.post(&credits, &credit).await.expect(StatusCode::CREATED).json();
    for (code, prerequisite) in [
        ("ENG4U", "ENG3U or ENG3C"),
        ("MHF4U", "MCR3U"),
        ("SBI3U", "SNC2D"),
        ("FSF4U", "FSF3U"),
        ("CHY4U", "Any university course in Canadian and world studies"),
        ("PPL4O", ""),
    ] {
        let id = course(&school, &staff, code, prerequisite).await;
        student.enroll(id).await.expect(StatusCode::CREATED);
    }
    let check = |text, state, reason| json!({ "text": text, "state": state, "reason": reason });
    let mut expected = json!({
        "ENG4U": check("ENG3U or ENG3C", "here", json!("ENG3U, completed here with 78")),
        "MHF4U": check("MCR3U", "in_progress", json!("MCR3U, taken here until April 1, 2027")),
        "SBI3U": check("SNC2D", "elsewhere", json!("SNC2D, completed at Sample Park Collegiate with 66")),
        "FSF4U": check("FSF3U", "nothing", json!("no credit in FSF3U is recorded")),
        "CHY4U": check("Any university course in Canadian and world studies", "check_by_hand", json!(null)),
        "PPL4O": null,
    });
    assert_eq!(checks(&staff, "status=pending&page=1").await, expected);
    assert_eq!(checks(&staff, &format!("status=pending&student={}", student.id)).await, expected);

    // The student reads the same beside every course that is offered.
    let own = student.get("/api/students/prerequisites").await.expect(StatusCode::OK).json();
    let catalogue = student.get("/api/courses").await.json();
    let code = |id: &Value| {
        let all = catalogue.as_array().unwrap();
        all.iter().find(|course| course["id"] == *id).unwrap()["code"].as_str().unwrap().to_owned()
    };
    let own: serde_json::Map<String, Value> = own
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            (
                code(&one["courseId"]),
                json!({ "text": one["text"], "state": one["state"], "reason": one["reason"] }),
            )
        })
        .collect();
    expected.as_object_mut().unwrap().remove("PPL4O");
    assert_eq!(Value::Object(own), expected);

    // The trail keeps what it was when the office approved.
    let rows = staff.get("/api/admin/enrollments?status=pending&q=FSF4U").await.json();
    let id = &rows[0]["id"];
    staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await.expect(StatusCode::OK);
    let entries =
        staff.get(&format!("/api/admin/audit?action=approve&object=enrollment&objectId={id}")).await.json();
    assert_eq!(entries[0]["detail"]["prerequisite"], expected["FSF4U"]);
    let undone = format!("update enrollments set status = 'pending' where id = {id}");
    school.database().execute_batch(&undone).unwrap();

    // A role without records reads neither; a voided credit is none.
    let bursar = school.staff_as(Role::Bursar).await;
    assert!(checks(&bursar, "status=pending&page=1").await.as_object().unwrap().values().all(Value::is_null));
    let void = json!({ "version": 1, "voided": true, "reason": "Entered twice" });
    staff.patch(&format!("{credits}/{}", credit["id"]), &void).await.expect(StatusCode::OK);
    assert_eq!(checks(&staff, "status=pending&page=1").await["SBI3U"]["state"], "nothing");
}
