//! A full class: its line, the seats that become free, and who may have them.

use jiff::SignedDuration;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{Actor, Answer, School, Student, eventually, profile};

const WHY: &str = "The family asked the office for it.";

struct Class {
    school: School,
    staff: Actor,
    students: Vec<(Student, Value)>,
}

impl Class {
    /// A course of one seat for which so many students have asked.
    async fn of(count: usize) -> Self {
        let school = School::open_with(|config| config.office.undo_seconds = 60).await;
        let staff = school.staff().await;
        let course = school.course(&staff, "ENG4U", json!(500)).await;
        staff
            .patch(&format!("/api/admin/courses/{course}"), &json!({ "capacity": 1 }))
            .await
            .expect(StatusCode::OK);
        let mut students = Vec::new();
        for _ in 0..count {
            let student = school.student().await;
            student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);
            let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone();
            school.advance(SignedDuration::from_secs(1));
            students.push((student, id));
        }
        Self { school, staff, students }
    }

    async fn decide(&self, verb: &str, one: usize, body: Value) -> Answer {
        self.staff.post(&format!("/api/admin/enrollments/{}/{verb}", self.students[one].1), &body).await
    }

    async fn own(&self, one: usize) -> Value {
        self.students[one].0.get("/api/students/enrollments").await.json()[0].clone()
    }

    async fn answer(&self, one: usize, verb: &str) -> Answer {
        let (student, id) = &self.students[one];
        student.post(&format!("/api/students/enrollments/{id}/{verb}"), &json!({})).await
    }

    /// The first has the seat, the others wait for it in their order.
    async fn fill(&self) {
        self.decide("approve", 0, json!({})).await.expect(StatusCode::OK);
        for one in 1..self.students.len() {
            self.decide("waitlist", one, json!({})).await.expect(StatusCode::OK);
            self.school.advance(SignedDuration::from_secs(1));
        }
    }

    async fn leave(&self, one: usize) -> Value {
        let body = json!({ "reason": WHY, "effectiveOn": "2026-12-01" });
        self.decide("withdraw", one, body).await.expect(StatusCode::OK).json()
    }
}

#[tokio::test]
async fn a_full_class_stops_the_next_approval_and_a_named_reason_makes_room_for_one_more() {
    let class = Class::of(3).await;
    class.decide("approve", 0, json!({})).await.expect(StatusCode::OK);
    let full = class.decide("approve", 1, json!({})).await.expect(StatusCode::CONFLICT).json();
    assert_eq!((&full["reason"], &full["current"]["status"]), (&json!("capacity_full"), &json!("pending")));
    let rows = class.staff.get("/api/admin/enrollments?status=pending&ready=1").await;
    assert_eq!(rows.json(), json!([]));
    class
        .decide("approve", 1, json!({ "override": { "capacity": "A chair was found." } }))
        .await
        .expect(StatusCode::OK);
    let ids = json!({ "ids": [class.students[2].1] });
    let bulk = class.staff.post("/api/admin/enrollments/waitlist", &ids).await.expect(StatusCode::OK).json();
    assert_eq!(bulk["results"][0]["row"]["waitlistPosition"], 1);
}

#[tokio::test]
async fn a_free_seat_is_offered_in_order_and_taken_at_the_price_that_was_named() {
    let class = Class::of(3).await;
    class.fill().await;
    assert_eq!(
        (class.own(1).await["waitlistPosition"].clone(), class.own(2).await["waitlistPosition"].clone()),
        (json!(1), json!(2))
    );
    class.answer(1, "accept-place").await.expect(StatusCode::CONFLICT);
    class.leave(0).await;
    let (next, last) = (class.own(1).await, class.own(2).await);
    // The end of the third day at the school, which is five hours behind in winter.
    assert_eq!(
        (&next["offeredUntil"], &last["offeredUntil"]),
        (&json!("2026-11-25T04:59:59Z"), &Value::Null)
    );
    class.decide("approve", 2, json!({})).await.expect(StatusCode::CONFLICT);
    class.school.advance(SignedDuration::from_secs(61));
    let email = class.school.mail(&class.students[1].0.email, "A place is free for you").await;
    assert!(
        email.text.contains("November 24, 2026, 23:59 Toronto time.") && email.text.contains("$500.00"),
        "{}",
        email.text
    );

    class.staff.patch("/api/admin/courses/1", &json!({ "price": 900 })).await.expect(StatusCode::OK);
    class.answer(2, "accept-place").await.expect(StatusCode::CONFLICT);
    for _ in 0..2 {
        let taken = class.answer(1, "accept-place").await.expect(StatusCode::OK).json();
        assert_eq!((&taken["status"], &taken["chargedPrice"]), (&json!("active"), &json!(500)));
    }
    assert_eq!(class.school.count("select count(*) from ledger where kind = 'charge'"), 2);
    class.school.mail(&class.students[1].0.email, "Your enrollment is approved").await;
    assert_eq!(class.own(2).await["waitlistPosition"], 1);
}

#[tokio::test]
async fn a_place_that_is_refused_or_not_taken_in_time_goes_to_the_next() {
    let class = Class::of(4).await;
    class.fill().await;
    class.leave(0).await;
    class.answer(1, "decline-place").await.expect(StatusCode::OK);
    assert_eq!(class.own(1).await["status"], "withdrawn");
    assert!(class.own(2).await["offeredUntil"].is_string());

    class.school.advance(SignedDuration::from_hours(4 * 24));
    class.school.app().seats_wakeup.notify_one();
    let last =
        eventually(|| async { Some(class.own(3).await).filter(|own| own["offeredUntil"].is_string()) }).await;
    assert_eq!(last["offeredUntil"], "2026-11-29T04:59:59Z");
    let lapsed = class.own(2).await;
    assert_eq!(lapsed["status"], "withdrawn");
    class.school.mail(&class.students[2].0.email, "The place was given to the next on the list").await;
    class.answer(2, "accept-place").await.expect(StatusCode::CONFLICT);
    class.students[2].0.enroll(1).await.expect(StatusCode::CREATED);
}

#[tokio::test]
async fn a_larger_class_offers_its_new_seats() {
    let class = Class::of(3).await;
    class.fill().await;
    class.staff.patch("/api/admin/courses/1", &json!({ "capacity": 2 })).await.expect(StatusCode::OK);
    eventually(|| async {
        Some(())
            .filter(|()| class.school.count("select count(*) from enrollments where offered_until > 0") > 0)
    })
    .await;
    assert!(class.own(1).await["offeredUntil"].is_string());
    assert_eq!(class.own(2).await["offeredUntil"], Value::Null);
}

#[tokio::test]
async fn undoing_a_withdrawal_cancels_the_seat_offer_before_its_email_is_sent() {
    let class = Class::of(2).await;
    class.fill().await;
    let left = class.leave(0).await;
    assert!(class.own(1).await["offeredUntil"].is_string());
    let undo = format!("/api/admin/decisions/{}/undo", left["undo"]["id"].as_str().unwrap());
    let restored = class.staff.post(&undo, &json!({})).await.expect(StatusCode::OK).json();
    assert_eq!(restored["restored"].as_array().unwrap().len(), 1, "the other one is not affected");
    assert_eq!(
        (class.own(0).await["status"].clone(), class.own(1).await["offeredUntil"].clone()),
        (json!("active"), Value::Null)
    );
    assert_eq!(
        class.school.count("select count(*) from outbox where subject = 'A place is free for you'"),
        0
    );

    // Once the next one has taken it, the seat is gone.
    let left = class.leave(0).await;
    class.answer(1, "accept-place").await.expect(StatusCode::OK);
    let undo = format!("/api/admin/decisions/{}/undo", left["undo"]["id"].as_str().unwrap());
    class.staff.post(&undo, &json!({})).await.expect(StatusCode::CONFLICT);
    assert_eq!(class.own(0).await["status"], "withdrawn");
}

#[tokio::test]
async fn suspended_students_are_not_enrolled_or_offered_seats_until_reinstated() {
    let class = Class::of(3).await;
    class.fill().await;
    let account = async |one: usize, verb: &str| {
        let path = format!("/api/admin/students/{}/{verb}", class.students[one].0.id);
        let body = if verb == "reinstate" { json!({}) } else { json!({ "reason": "Shared the password" }) };
        class.staff.post(&path, &body).await.expect(StatusCode::OK)
    };
    account(1, "suspend").await;
    class.leave(0).await;
    let offers = "select coalesce((select student_id from enrollments where offered_until > 0), 0)";
    assert_eq!(class.school.count(offers), class.students[2].0.id, "the next but one");
    let with_room = json!({ "override": { "capacity": "A chair was found." } });
    let refused = class.decide("approve", 1, with_room.clone()).await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.message(), "This student's account is suspended. Reinstate the student first.");
    assert_eq!(refused.json()["current"]["status"], "waitlisted");

    class.answer(2, "decline-place").await.expect(StatusCode::OK);
    assert_eq!(class.school.count(offers), 0);
    account(1, "reinstate").await;
    eventually(|| async { Some(()).filter(|()| class.school.count(offers) == class.students[1].0.id) }).await;
    account(1, "close").await;
    let refused = class.decide("approve", 1, with_room).await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.message(), "This enrollment is withdrawn and can no longer be approved.");
}
