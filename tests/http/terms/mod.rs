//! Terms and sections.

mod asking;
mod cancelled;
mod moving;
mod office;
mod public;

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{Actor, School};

/// A published term that is running: by the clock of the tests, its last day to join is today.
async fn running_term(staff: &Actor) -> Value {
    let body = json!({ "name": "Fall 2026", "startsOn": "2026-11-02", "endsOn": "2027-02-26",
        "joinUntil": "2026-11-21", "isPublished": true });
    staff.post("/api/admin/terms", &body).await.expect(StatusCode::CREATED).json()["id"].clone()
}

/// A section of a course in a term, open unless `more` says otherwise.
async fn section(staff: &Actor, course: i64, term: &Value, more: Value) -> Value {
    let mut body = json!({ "courseId": course, "termId": term, "status": "open" });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    staff.post("/api/admin/sections", &body).await.expect(StatusCode::CREATED).json()["id"].clone()
}

/// A course with a running term.
async fn course(school: &School, staff: &Actor) -> (i64, Value) {
    (school.course(staff, "MHF4U", json!(549)).await, running_term(staff).await)
}
