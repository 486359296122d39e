//! Everybody uses the large school once: its lists in every form, and what people do in it.

use reqwest::StatusCode;
use rusqlite::types::Value as Sql;
use schoolhouse::testing::{db::Costs, maintenance};
use serde_json::json;

use crate::support::{Actor, PASSWORD, PDF, School, Student, profile, wait_for};

/// A value for a parameter of this name, of somebody who has a history in the large school.
pub fn typical(name: &str) -> Sql {
    let now = super::NOW.parse::<jiff::Timestamp>().unwrap().as_second();
    match name {
        ":now" | ":at" | ":today_at" => Sql::Integer(now),
        ":before" | ":since" => Sql::Integer(now - 90 * 86_400),
        ":expires_at" | ":expires" => Sql::Integer(now + 86_400),
        ":limit" => Sql::Integer(25),
        ":offset" | ":is_final" => Sql::Integer(0),
        ":email" | ":recipient" => Sql::Text("pupil77@mail.example".into()),
        ":username" => Sql::Text("clerk7".into()),
        ":hash" | ":token_hash" | ":keep" => Sql::Blob(vec![7; 32]),
        ":sha256" => Sql::Text("7".repeat(64)),
        ":status" | ":state" => Sql::Text("pending".into()),
        ":kind" => Sql::Text("student".into()),
        ":purpose" => Sql::Text("verify".into()),
        ":start_date" | ":today" => Sql::Text("2026-12-01".into()),
        ":end_date" => Sql::Text("2027-04-01".into()),
        ":code" => Sql::Text("C077".into()),
        ":task" => Sql::Text("backup".into()),
        _ => Sql::Integer(77),
    }
}

pub async fn visit_everything(school: &School, costs: &Costs) -> Actor {
    let student = school.student().await;
    let staff = school.staff().await;
    visitors(school).await;
    students(school, &student).await;
    office(school, &staff, &student).await;
    lists(&staff).await;
    maintenance::run_due(school.app()).await.unwrap();
    // The first housekeeping comes soon after the start; what it swept last is what it does last.
    wait_for(|| {
        costs
            .lock()
            .unwrap()
            .keys()
            .any(|sql| sql.starts_with("delete from student_tokens where exp"))
            .then_some(())
    })
    .await;
    staff
}

async fn visitors(school: &School) {
    let visitor = school.visitor();
    for page in ["/", "/courses", "/api/courses", "/readyz"] {
        visitor.get(page).await.expect(StatusCode::OK);
    }
    visitor.write_message("Mei", "mei@mail.example", "Is the office open?").await.expect(StatusCode::OK);
    for path in ["/api/students/resend-verification", "/api/students/forgot-password"] {
        visitor.post(path, &json!({ "email": "pupil77@mail.example" })).await;
    }
}

async fn students(school: &School, student: &Student) {
    student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);
    for path in ["/api/students/me", "/api/students/documents", "/api/students/enrollments"] {
        student.get(path).await.expect(StatusCode::OK);
    }
    student.upload("transcript", "a.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    let id = student.enroll(7).await.expect(StatusCode::CREATED).json()["id"].as_i64().unwrap();
    student
        .post(&format!("/api/students/enrollments/{id}/withdraw"), &json!({}))
        .await
        .expect(StatusCode::OK);
    student.enroll(7).await.expect(StatusCode::CREATED);
    student.post("/api/students/logout", &json!({})).await;
    student.log_in(&student.email, PASSWORD).await.expect(StatusCode::OK);
    let visitor = school.visitor();
    visitor.post("/api/students/forgot-password", &json!({ "email": student.email })).await;
}

async fn office(school: &School, staff: &Actor, student: &Student) {
    let id = student.enroll(8).await.expect(StatusCode::CREATED).json()["id"].as_i64().unwrap();
    staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await.expect(StatusCode::OK);
    let course = school.course(staff, "NEW1O", json!(500)).await;
    staff.patch(&format!("/api/admin/courses/{course}"), &json!({ "price": 600 })).await;
    for course in [course, 9] {
        staff.delete(&format!("/api/admin/courses/{course}")).await;
    }
    staff.get("/api/documents/77").await;
    for id in [77, 200] {
        staff.get(&format!("/api/admin/messages/{id}")).await.expect(StatusCode::OK);
        staff.post(&format!("/api/admin/messages/{id}/read"), &json!({})).await;
        staff.post(&format!("/api/admin/messages/{id}/unread"), &json!({})).await;
    }
}

/// The office's lists, and the states that each can be limited to.
const LISTS: [(&str, &[&str]); 5] = [
    ("enrollments/pending", &[]),
    ("documents", &[]),
    ("messages", &["new", "closed"]),
    ("admission-requests", &["pending", "declined"]),
    ("mail", &["sent", "queued", "dead"]),
];

/// The first pages of each list, in each state.
async fn lists(staff: &Actor) {
    for path in ["/api/user", "/api/admin/dashboard", "/api/admin/courses"] {
        staff.get(path).await.expect(StatusCode::OK);
    }
    ask(staff, &["?page=1", "?page=3"]).await;
    staff.post("/api/admin/mail/retry", &json!({})).await.expect(StatusCode::OK);
}

/// Searches each list, and turns to a page far from its first.
pub async fn search(staff: &Actor) {
    ask(staff, &["?q=renee+77&page=1", "?page=200"]).await;
}

async fn ask(staff: &Actor, queries: &[&str]) {
    for (list, states) in LISTS {
        for query in queries {
            staff.get(&format!("/api/admin/{list}{query}")).await.expect(StatusCode::OK);
            for state in states {
                staff.get(&format!("/api/admin/{list}{query}&status={state}")).await.expect(StatusCode::OK);
            }
        }
    }
}
