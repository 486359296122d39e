//! The schedule of students: their weeks and calendars, changes of sections, and transfers.

mod calendars;
mod changes;
mod readers;
mod transfers;
mod zones;

pub use zones::write_rules;

use reqwest::StatusCode;
use rusqlite::params;
use schoolhouse::testing::Config;
use serde_json::{Value, json};

use crate::support::{Actor, School, Student};

/// Leads into a class.
const LINK: &str = "https://meet.example/secret-room";

const WHY: &str = "The teacher is away in these weeks.";

/// A course with sections of a published term, which begins two days after the clock of the tests.
struct Scene {
    school: School,
    staff: Actor,
    course: i64,
    term: Value,
}

impl Scene {
    async fn open() -> Self {
        Self::open_with(|_| ()).await
    }

    async fn open_with(change: impl FnOnce(&mut Config)) -> Self {
        let school = School::open_with(|config| {
            config.office.undo_seconds = 60;
            change(config);
        })
        .await;
        let staff = school.staff().await;
        let course = school.course(&staff, "MHF4U", json!(500)).await;
        let term = json!({ "name": "Winter 2027", "startsOn": "2026-11-23", "endsOn": "2027-03-26",
            "joinUntil": "2026-12-11", "daysOff": ["2026-12-22", "2026-12-24"], "isPublished": true });
        let term = staff.post("/api/admin/terms", &term).await.expect(StatusCode::CREATED).json();
        Self { school, staff, course, term }
    }

    /// An open section on Tuesdays and Thursdays from 19:00 to 20:30.
    async fn section(&self, course: i64) -> Value {
        let meeting =
            |weekday| json!({ "weekday": weekday, "startsAt": "19:00", "endsAt": "20:30", "link": LINK });
        let body = json!({ "courseId": course, "termId": self.term["id"], "status": "open",
            "teacherName": "Imani Sample", "meetings": [meeting(2), meeting(4)] });
        self.staff.post("/api/admin/sections", &body).await.expect(StatusCode::CREATED).json()
    }

    /// Enrolls a student in a section; returns the enrollment's number.
    async fn enroll(&self, student: &Student, section: &Value) -> i64 {
        let body = json!({ "studentId": student.id, "courseId": section["courseId"], "sectionId": section["id"],
            "reason": "The family asked the office for it." });
        let made = self.staff.post("/api/admin/enrollments", &body).await.expect(StatusCode::CREATED).json();
        made["id"].as_i64().unwrap()
    }

    /// Fills a section with students who have no session.
    fn fill(&self, section: &Value, students: i64) {
        let database = self.school.database();
        for number in 0..students {
            let email = format!("pupil{number}@mail.example");
            database
                .execute(
                    "insert into students (email, password_hash, status, created_at, updated_at)
                     values (?1, 'x', 'active', 0, 0)",
                    [email],
                )
                .unwrap();
            database
                .execute(
                    "insert into enrollments (student_id, course_id, section_id, start_date, end_date, status, created_at,
                         charged_price_cents)
                     values (last_insert_rowid(), ?1, ?2, '2026-11-23', '2027-03-26', 'active', 0, 50000)",
                    params![section["courseId"].as_i64(), section["id"].as_i64()],
                )
                .unwrap();
        }
    }

    async fn undo(&self, decided: &Value) -> crate::support::Answer {
        let id = decided["undo"]["id"].as_str().unwrap_or_else(|| panic!("no undo: {decided}"));
        self.staff.post(&format!("/api/admin/decisions/{id}/undo"), &json!({})).await
    }

    /// Emails that wait for the end of a decision's undo.
    fn held(&self) -> i64 {
        self.school.count("select count(*) from outbox where state = 'queued' and decision_id is not null")
    }

    /// Lets the time for undoing pass.
    async fn pass(&self) {
        self.school.advance(jiff::SignedDuration::from_secs(61));
        self.school.all_mails().await;
    }
}
