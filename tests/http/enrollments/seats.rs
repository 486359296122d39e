//! Seats are taken by dates: the class of the winter does not fill that of the fall.

use jiff::civil::Date;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{Actor, Answer, School, Student, wait_for};

const WHY: &str = "The family asked the office for it.";
const FALL: [&str; 2] = ["2026-10-01", "2027-01-31"];
const WINTER: [&str; 2] = ["2027-02-01", "2027-06-20"];

/// A course of one seat.
struct Class {
    school: School,
    staff: Actor,
    course: i64,
}

impl Class {
    async fn open() -> Self {
        let school = School::open_with(|config| config.office.undo_seconds = 60).await;
        let staff = school.staff().await;
        let course = school.course(&staff, "ENG4U", json!(500)).await;
        let one = json!({ "capacity": 1 });
        staff.patch(&format!("/api/admin/courses/{course}"), &one).await.expect(StatusCode::OK);
        Self { school, staff, course }
    }

    async fn request(&self, [start, end]: [&str; 2]) -> (Student, Value) {
        let student = self.school.student().await;
        let body = json!({ "courseId": self.course, "startDate": start, "endDate": end });
        let made = student.post("/api/students/enrollments", &body).await.expect(StatusCode::CREATED);
        (student, made.json()["id"].clone())
    }

    async fn decide(&self, verb: &str, id: &Value, body: Value) -> Answer {
        self.staff.post(&format!("/api/admin/enrollments/{id}/{verb}"), &body).await
    }

    async fn approved(&self, dates: [&str; 2]) -> Value {
        let (_, id) = self.request(dates).await;
        self.decide("approve", &id, json!({})).await.expect(StatusCode::OK);
        id
    }

    async fn waitlisted(&self, dates: [&str; 2]) -> (Student, Value) {
        let (student, id) = self.request(dates).await;
        self.decide("waitlist", &id, json!({})).await.expect(StatusCode::OK);
        self.school.advance(jiff::SignedDuration::from_secs(1));
        (student, id)
    }

    async fn refused(&self, verb: &str, id: &Value, body: Value) {
        let full = self.decide(verb, id, body).await.expect(StatusCode::CONFLICT).json();
        assert_eq!(full["reason"], "capacity_full", "{full}");
    }

    async fn page(&self) -> Value {
        self.staff.get(&format!("/api/admin/courses/{}", self.course)).await.expect(StatusCode::OK).json()
    }

    fn offered(&self) -> i64 {
        self.school.count("select coalesce((select id from enrollments where offered_until > 0), 0)")
    }
}

#[tokio::test]
async fn a_seat_in_the_winter_is_none_in_the_fall() {
    let class = Class::open().await;
    class.approved(WINTER).await;
    class.approved(FALL).await;
    // One day in common is one too many.
    for dates in [FALL, WINTER, ["2026-11-30", "2027-02-01"], ["2027-01-31", "2027-02-01"]] {
        let (_, id) = class.request(dates).await;
        class.refused("approve", &id, json!({})).await;
    }
    class.approved(["2027-06-21", "2027-08-31"]).await;
    let page = class.page().await;
    assert_eq!(
        json!([page["seatsTaken"], page["seatsTakenToday"], page["active"], page["fullestOn"]]),
        json!([1, 1, 3, "2026-11-21"])
    );
    let rows = class.staff.get("/api/admin/enrollments?status=pending&ready=1").await;
    assert_eq!(rows.json(), json!([]), "none of the others lacks nothing");
}

#[tokio::test]
async fn a_course_that_ended_holds_no_seat_while_its_mark_is_missing() {
    let class = Class::open().await;
    let ended = class.approved(FALL).await;
    let (_, next) = class.request(FALL).await;
    class.refused("approve", &next, json!({})).await;
    let ends = |day: &str| {
        class
            .school
            .count(&format!("update enrollments set end_date = '{day}' where id = {ended} returning 1"))
    };
    ends("2026-11-21");
    class.refused("approve", &next, json!({})).await;
    ends("2026-11-20");
    assert_eq!(class.page().await["seatsTaken"], 0);
    class.decide("approve", &next, json!({})).await.expect(StatusCode::OK);
    assert_eq!(json!([class.page().await["seatsTaken"], class.page().await["active"]]), json!([1, 2]));
}

#[tokio::test]
async fn of_two_who_approve_at_once_one_has_the_last_seat() {
    let class = Class::open().await;
    let ((_, one), (_, other)) =
        (class.request(FALL).await, class.request(["2027-01-31", "2027-03-01"]).await);
    let colleague = class.school.staff().await;
    let path = |id: &Value| format!("/api/admin/enrollments/{id}/approve");
    let (path_one, path_other, body) = (path(&one), path(&other), json!({}));
    let (first, second) =
        tokio::join!(class.staff.post(&path_one, &body), colleague.post(&path_other, &body));
    let mut statuses = [first.status, second.status];
    statuses.sort();
    assert_eq!(statuses, [StatusCode::OK, StatusCode::CONFLICT]);
    assert_eq!(class.page().await["seatsTaken"], 1);
}

#[tokio::test]
async fn a_seat_is_offered_to_the_first_in_the_line_whose_dates_it_fits() {
    let mut class = Class::open().await;
    let fall = class.approved(FALL).await;
    class.approved(WINTER).await;
    let (_, whole_year) = class.waitlisted(["2026-10-01", "2027-06-20"]).await;
    let (_, in_winter) = class.waitlisted(WINTER).await;
    let (student, in_fall) = class.waitlisted(["2026-10-15", "2027-01-15"]).await;
    assert_eq!(class.offered(), 0);
    class
        .decide("withdraw", &fall, json!({ "reason": WHY, "effectiveOn": "2026-11-22" }))
        .await
        .expect(StatusCode::OK);
    assert_eq!(class.offered(), 0, "the seat is taken until the day before");
    class.school.advance(jiff::SignedDuration::from_hours(14));
    class.school.app().seats_wakeup.notify_one();
    // The two before ask for days that are taken.
    wait_for(|| (json!(class.offered()) == in_fall).then_some(())).await;
    class.staff = class.school.staff().await;
    assert_eq!(student.get("/api/students/enrollments").await.json()[0]["waitlistPosition"], 3);
    // Their turn comes as soon as the office moves their dates to days that are free.
    student
        .post(&format!("/api/students/enrollments/{in_fall}/decline-place"), &json!({}))
        .await
        .expect(StatusCode::OK);
    let moved = json!({ "startDate": "2026-12-01", "endDate": "2027-01-31", "reason": WHY });
    class.decide("dates", &in_winter, moved).await.expect(StatusCode::OK);
    assert_eq!(json!(class.offered()), in_winter);
    // While it is kept for one, it is no other's.
    class.refused("approve", &whole_year, json!({})).await;
}

#[tokio::test]
async fn no_student_is_moved_into_a_full_class_but_for_a_reason_or_back_into_a_seat_that_was_given() {
    let class = Class::open().await;
    let (winter, fall) = (class.approved(WINTER).await, class.approved(FALL).await);
    let to = |[start, end]: [&str; 2]| json!({ "startDate": start, "endDate": end, "reason": WHY });
    class.refused("dates", &winter, to(["2027-01-31", "2027-06-20"])).await;
    let shorter = class.decide("dates", &winter, to(["2027-02-08", "2027-06-18"])).await;
    shorter.expect(StatusCode::OK);
    let summer =
        class.decide("dates", &winter, to(["2027-07-01", "2027-08-31"])).await.expect(StatusCode::OK).json();
    class.approved(WINTER).await;
    let undo = format!("/api/admin/decisions/{}/undo", summer["undo"]["id"].as_str().unwrap());
    let gone = class.staff.post(&undo, &json!({})).await.expect(StatusCode::CONFLICT);
    assert!(gone.message().contains("given to another student"), "{}", gone.message());
    let mut with_room = to(WINTER);
    with_room["override"] = json!({ "capacity": "A chair was found." });
    class.decide("dates", &fall, with_room).await.expect(StatusCode::OK);
    let noted = "select count(*) from enrollment_events where overrides like '%A chair was found.%'";
    assert_eq!(class.school.count(noted), 1);
    let page = class.page().await;
    assert_eq!(json!([page["seatsTaken"], page["fullestOn"]]), json!([2, "2027-02-01"]));
}

#[tokio::test]
async fn the_line_says_from_when_to_when_each_asks() {
    let class = Class::open().await;
    let (_, id) = class.waitlisted(WINTER).await;
    let line = class.page().await["waitlist"].clone();
    assert_eq!(
        json!([line[0]["enrollmentId"], line[0]["startDate"], line[0]["endDate"]]),
        json!([id, WINTER[0], WINTER[1]])
    );
    let last: Date = line[0]["endDate"].as_str().unwrap().parse().unwrap();
    assert_eq!(last.to_string(), WINTER[1]);
}
