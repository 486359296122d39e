//! Closing an account: what is open is shown before, ends with it in one decision, and comes back with its undo.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{Actor, PASSWORD, PDF, School, Student, profile};

const WHY: &str = "Left the school";

/// A student with an enrollment in each state, a document in the queue, a payment, and another student who waits for the
/// seat.
struct Scene {
    school: School,
    staff: Actor,
    student: Student,
    other: Student,
}

/// The states of the enrollments before the closing, and after it.
const STATES: [(&str, &str); 6] = [
    ("pending", "withdrawn"),
    ("waitlisted", "withdrawn"),
    ("active", "withdrawn"),
    ("declined", "declined"),
    ("completed", "completed"),
    ("active", "active"),
];

impl Scene {
    async fn open() -> Self {
        let school = School::open_with(|config| config.office.undo_seconds = 60).await;
        let (staff, student, other) = (school.staff().await, school.student().await, school.student().await);
        for one in [&student, &other] {
            one.patch("/api/students/me", &profile(&one.email)).await.expect(StatusCode::OK);
        }
        let guardian = json!({ "parentName": "Chidi Okonkwo", "parentContact": "chidi@mail.example" });
        student.patch("/api/students/me", &guardian).await.expect(StatusCode::OK);
        let scene = Self { school, staff, student, other };
        for (number, (state, _)) in STATES.iter().enumerate() {
            let course = scene.school.course(&scene.staff, &format!("C00{number}U"), json!(500)).await;
            let made = scene.student.enroll(course).await.expect(StatusCode::CREATED).json();
            let act = async |verb: &str, body: Value| {
                let path = format!("/api/admin/enrollments/{}/{verb}", made["id"]);
                scene.staff.post(&path, &body).await.expect(StatusCode::OK);
            };
            match *state {
                "waitlisted" => act("waitlist", json!({})).await,
                "declined" => act("decline", json!({ "reason": "The class is not taught." })).await,
                "active" | "completed" => act("approve", json!({})).await,
                _ => {}
            }
            let day = |start: &str, end: &str| {
                let sql = "update enrollments set start_date = ?, end_date = ? where id = ?";
                let id = made["id"].as_i64().unwrap();
                scene.school.database().execute(sql, (start, end, id)).unwrap();
            };
            match number {
                // It is taught now; only one seat, for which the other student waits.
                2 => {
                    day("2026-11-02", "2027-02-26");
                    let path = format!("/api/admin/courses/{course}");
                    scene.staff.patch(&path, &json!({ "capacity": 1 })).await.expect(StatusCode::OK);
                    let made = scene.other.enroll(course).await.expect(StatusCode::CREATED).json();
                    let path = format!("/api/admin/enrollments/{}/waitlist", made["id"]);
                    scene.staff.post(&path, &json!({})).await.expect(StatusCode::OK);
                }
                4 => {
                    day("2026-09-01", "2026-11-20");
                    act("complete", json!({ "finalMark": 80 })).await;
                }
                // It has ended, and its mark is missing.
                5 => day("2026-09-01", "2026-11-20"),
                _ => {}
            }
        }
        let payment = json!({ "studentId": scene.student.id, "amount": 500, "method": "e_transfer",
            "reference": "CA1", "receivedOn": "2026-11-21" });
        scene.staff.post("/api/admin/payments", &payment).await.expect(StatusCode::CREATED);
        scene.student.upload("transcript", "marks.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
        scene.let_letters_leave();
        scene
    }

    /// The letters about decisions begin to leave.
    fn let_letters_leave(&self) {
        let sql = "update outbox set attempts = 1 where decision_id is not null";
        self.school.database().execute(sql, []).unwrap();
    }

    fn path(&self, verb: &str) -> String {
        format!("/api/admin/students/{}/{verb}", self.student.id)
    }

    /// State of each enrollment, in the order in which they were made.
    async fn states(&self) -> Vec<String> {
        let file =
            self.staff.get(&self.path("")[..self.path("").len() - 1]).await.expect(StatusCode::OK).json();
        let mut rows = file["enrollments"].as_array().unwrap().clone();
        rows.sort_by_key(|row| row["id"].as_i64());
        rows.iter().map(|row| row["status"].as_str().unwrap().to_owned()).collect()
    }

    async fn queue(&self) -> i64 {
        let listed = self.staff.get("/api/admin/documents?status=pending_review&page=1").await.total();
        let page = self.staff.get("/api/admin/waiting").await.json();
        let waits = page.as_array().into_iter().flatten().find(|one| one["kind"] == "documents").cloned();
        if let Some(waits) = waits {
            assert_eq!(waits["count"], listed, "the list and its count agree");
        }
        listed
    }

    fn held(&self, to: &str) -> Vec<String> {
        let database = self.school.database();
        let sql = "select o.subject from outbox o where o.decision_id is not null and o.attempts = 0 and o.recipient = ?";
        let mut found = database.prepare(sql).unwrap();
        found.query_map([to], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    }

    async fn balance(&self) -> Value {
        self.staff.get(&format!("/api/admin/students/{}", self.student.id)).await.json()["money"]["balance"]
            .clone()
    }
}

#[tokio::test]
async fn what_is_open_is_shown_ends_with_the_account_and_comes_back_with_its_undo() {
    let scene = Scene::open().await;
    let (before, after): (Vec<_>, Vec<_>) = STATES.into_iter().unzip();
    assert_eq!(scene.states().await, before);
    let shown = scene.staff.get(&scene.path("closing")).await.expect(StatusCode::OK).json();
    let states = |rows: &Value| {
        let mut rows: Vec<_> = rows.as_array().unwrap().iter().map(|row| row["status"].clone()).collect();
        rows.reverse();
        rows
    };
    assert_eq!(states(&shown["ending"]), ["pending", "waitlisted", "active"]);
    assert_eq!(states(&shown["toMark"]), ["active"]);
    assert_eq!((&shown["documents"], &shown["emails"]), (&json!(1), &json!(2)), "{shown}");
    let balance = scene.balance().await;
    assert_eq!(shown["balance"], balance);
    assert_eq!(scene.queue().await, 1);

    let body = json!({ "reason": WHY, "message": "Thank you for the time with us.", "expected": "active" });
    let closed = scene.staff.post(&scene.path("close"), &body).await.expect(StatusCode::OK).json();
    assert_eq!((&closed["status"], &closed["closedReason"]), (&json!("closed"), &json!(WHY)));
    assert_eq!(scene.states().await, after);
    assert_eq!(scene.queue().await, 0);
    scene.student.log_in(&scene.student.email, PASSWORD).await.expect(StatusCode::FORBIDDEN);
    // What was charged for a course that has begun stays due: a refund is an act of its own.
    assert_eq!(scene.balance().await, balance);
    // The seat is offered to the next student; the family gets one letter, and a copy of it.
    assert_eq!(scene.held(&scene.other.email), ["A place is free for you"]);
    assert_eq!(scene.held(&scene.student.email), ["Your student account was closed"]);
    assert_eq!(scene.held("chidi@mail.example").len(), 1);
    // Closing it again changes nothing; a colleague who saw it open is told.
    let again =
        scene.staff.post(&scene.path("close"), &json!({ "reason": "Again" })).await.expect(StatusCode::OK);
    assert_eq!((&again.json()["closedReason"], &again.json()["undo"]), (&json!(WHY), &Value::Null));
    let late = scene.staff.post(&scene.path("close"), &body).await.expect(StatusCode::CONFLICT);
    assert_eq!(
        (late.message().as_str(), &late.json()["current"]["status"]),
        ("This account is closed now.", &json!("closed"))
    );

    let undo = format!("/api/admin/decisions/{}/undo", closed["undo"]["id"].as_str().unwrap());
    for _ in 0..2 {
        let undone = scene.staff.post(&undo, &json!({})).await.expect(StatusCode::OK).json();
        assert_eq!(undone["restored"][0]["status"], "active");
    }
    assert_eq!(scene.states().await, before);
    assert_eq!((scene.queue().await, scene.balance().await), (1, balance));
    assert!(scene.held(&scene.other.email).is_empty() && scene.held(&scene.student.email).is_empty());
    scene.student.log_in(&scene.student.email, PASSWORD).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_closing_is_not_undone_after_a_change_or_once_its_letter_has_left() {
    let scene = Scene::open().await;
    let close = async || {
        let body = json!({ "reason": WHY });
        let closed = scene.staff.post(&scene.path("close"), &body).await.expect(StatusCode::OK).json();
        format!("/api/admin/decisions/{}/undo", closed["undo"]["id"].as_str().unwrap())
    };
    let undo = close().await;
    scene.staff.post(&scene.path("reinstate"), &json!({})).await.expect(StatusCode::OK);
    let refused = scene.staff.post(&undo, &json!({})).await.expect(StatusCode::CONFLICT);
    assert!(refused.message().starts_with("This account has changed since"), "{}", refused.message());
    let undo = close().await;
    scene.let_letters_leave();
    let refused = scene.staff.post(&undo, &json!({})).await.expect(StatusCode::CONFLICT).json();
    assert_eq!(refused["current"]["status"], "closed");
}

#[tokio::test]
async fn a_suspended_account_comes_back_suspended_and_an_unconfirmed_address_gets_no_letter() {
    let scene = Scene::open().await;
    scene
        .staff
        .post(&scene.path("suspend"), &json!({ "reason": "Shared the password" }))
        .await
        .expect(StatusCode::OK);
    let closed =
        scene.staff.post(&scene.path("close"), &json!({ "reason": WHY })).await.expect(StatusCode::OK).json();
    let undo = format!("/api/admin/decisions/{}/undo", closed["undo"]["id"].as_str().unwrap());
    let undone = scene.staff.post(&undo, &json!({})).await.expect(StatusCode::OK).json();
    let restored = &undone["restored"][0];
    assert_eq!(
        (&restored["status"], &restored["suspendedReason"]),
        (&json!("suspended"), &json!("Shared the password"))
    );
    let new = json!({ "email": "new@mail.example", "fullName": "Mei Tanaka" });
    let made = scene.staff.post("/api/admin/students", &new).await.expect(StatusCode::CREATED).json();
    let path = format!("/api/admin/students/{}", made["id"]);
    assert_eq!(scene.staff.get(&format!("{path}/closing")).await.json()["emails"], 0);
    scene.staff.post(&format!("{path}/close"), &json!({ "reason": WHY })).await.expect(StatusCode::OK);
    assert!(scene.held("new@mail.example").is_empty());
}

#[tokio::test]
async fn a_family_is_told_of_a_suspension_and_its_end_in_the_words_of_the_office() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let mut facts = profile(&student.email);
    facts["parentName"] = "Chidi Okonkwo".into();
    facts["parentContact"] = "chidi@mail.example".into();
    student.patch("/api/students/me", &facts).await.expect(StatusCode::OK);
    let path = |verb: &str| format!("/api/admin/students/{}/{verb}", student.id);
    let message = "Please call us about the password.\n\nWe are here until five.";
    let body = json!({ "reason": "Shared the password", "message": message, "expected": "active" });
    staff.post(&path("suspend"), &body).await.expect(StatusCode::OK);
    for to in [student.email.as_str(), "chidi@mail.example"] {
        let letter = school.mail(to, "Your student account is suspended").await;
        assert!(letter.text.contains("Please call us about the password."), "{}", letter.text);
        assert!(!letter.text.contains("Shared the password"), "the reason is for the office");
    }
    let refused = student.log_in(&student.email, PASSWORD).await.expect(StatusCode::FORBIDDEN);
    let contacts = school.app().config.school().contacts();
    assert_eq!(refused.message(), format!("This account is not open. Please contact the office{contacts}."));
    let late = staff.post(&path("suspend"), &body).await.expect(StatusCode::CONFLICT).json();
    assert_eq!(late["current"]["status"], "suspended");
    staff.post(&path("reinstate"), &json!({ "message": "Welcome back." })).await.expect(StatusCode::OK);
    for to in [student.email.as_str(), "chidi@mail.example"] {
        let letter = school.mail(to, "Your student account is open again").await;
        assert!(letter.text.contains("Welcome back."), "{}", letter.text);
    }
}
