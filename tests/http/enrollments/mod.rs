//! From a student's request to the office's approval, with its charges.

mod credits;
mod decisions;
mod prerequisites;
mod prices;
mod repeats;
mod seats;
mod standing;
mod together;
mod transitions;
mod waiting_list;

use reqwest::StatusCode;
use serde_json::json;

use crate::support::{School, profile};

#[tokio::test]
async fn a_request_is_approved_and_the_three_figures_follow() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(549.5)).await;
    let free = school.course(&staff, "ZZZ4U", json!(null)).await;
    student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);

    let requested = student.enroll(course).await.expect(StatusCode::CREATED).json();
    assert_eq!(requested["status"], "pending");
    assert_eq!(
        requested["course"],
        json!({ "name": "A course", "code": "ENG4U", "grade": 12, "credits": 1, "price": 549.5 })
    );
    student.enroll(free).await.expect(StatusCode::CREATED);
    school.mail(&student.email, "We have your enrollment request").await;

    let figures = staff.get("/api/admin/dashboard").await.expect(StatusCode::OK).json();
    assert_eq!(
        (&figures["pendingEnrollmentsCount"], &figures["approvedEnrollmentsCount"], &figures["totalFeeDue"]),
        (&json!(2), &json!(0), &json!(0))
    );

    let rows = staff.get("/api/admin/enrollments/pending").await.expect(StatusCode::OK).json();
    let id = requested["id"].clone();
    assert_eq!(
        rows[0],
        json!({ "id": id, "student_name": "Amara Okonkwo", "student_email": student.email,
        "course_name": "A course", "course_code": "ENG4U", "course_grade": 12, "start_date": "2026-12-01",
        "end_date": "2027-04-01", "course_fee": 549.5, "quoted_fee": 549.5, "quoted_until": "2026-12-21",
        "current_fee": 549.5, "identity_changed": false, "section": null, "status": "pending" })
    );

    let approve = format!("/api/admin/enrollments/{id}/approve");
    let approved = staff.post(&approve, &json!({})).await.expect(StatusCode::OK).json();
    assert_eq!(approved["status"], "active");
    school.mail(&student.email, "Your enrollment is approved").await;
    // Again is no error, and charges nothing again.
    staff.post(&approve, &json!({})).await.expect(StatusCode::OK);
    staff
        .post(&format!("/api/admin/enrollments/{}/approve", rows[1]["id"]), &json!({}))
        .await
        .expect(StatusCode::OK);

    let figures = staff.get("/api/admin/dashboard").await.json();
    assert_eq!(figures["pendingEnrollmentsCount"], 0);
    assert_eq!(figures["approvedEnrollmentsCount"], 2);
    assert_eq!(figures["totalFeeDue"], 549.5);
    assert_eq!(figures["unpricedEnrollmentsCount"], 1);
    let own = student.get("/api/students/enrollments").await.expect(StatusCode::OK).json();
    assert_eq!(own.as_array().unwrap().iter().filter(|one| one["status"] == "active").count(), 2);
    assert_eq!(
        school.count("select count(*) from audit where action = 'approve' and object = 'enrollment'"),
        2
    );
}

#[tokio::test]
async fn the_office_finds_requests_by_student_and_course() {
    let school = School::open().await;
    let (staff, named, unnamed) = (school.staff().await, school.student().await, school.student().await);
    let mut complete = profile(&named.email);
    complete["fullName"] = "Zoë Müller".into();
    named.patch("/api/students/me", &complete).await.expect(StatusCode::OK);
    let english = school.course(&staff, "ENG4U", json!(500)).await;
    let french = json!({ "code": "FSF4U", "name": "Français", "description": "Parler et écrire.", "grade": 12,
        "courseType": "University" });
    let french = staff.post("/api/admin/courses", &french).await.json()["id"].as_i64().unwrap();
    for (student, course) in [(&named, english), (&unnamed, french), (&named, french), (&unnamed, english)] {
        student.enroll(course).await.expect(StatusCode::CREATED);
    }
    staff.post("/api/admin/enrollments/4/approve", &json!({})).await.expect(StatusCode::OK);
    for (query, ids) in [
        ("", vec![1, 2, 3]),
        ("?page=1", vec![1, 2, 3]),
        ("?page=2", vec![]),
        ("?q=muller", vec![1, 3]),
        ("?q=muller+francais", vec![3]),
        ("?q=fsf4u", vec![2, 3]),
        (&*format!("?q={}", unnamed.email), vec![2]),
        (&*format!("?q=student%20%23{}&page=1", unnamed.id), vec![2]),
        ("?q=absent", vec![]),
    ] {
        let found = staff.get(&format!("/api/admin/enrollments/pending{query}")).await.expect(StatusCode::OK);
        assert_eq!(found.column("id"), ids, "{query}");
        let total = if query == "?page=2" { 3 } else { ids.len() as i64 };
        assert_eq!(found.total(), total, "{query}");
    }
}

#[tokio::test]
async fn a_student_takes_a_request_back_and_may_ask_again() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let mut requested = student.enroll(course).await.json();
    assert_eq!(requested.as_object_mut().unwrap().remove("isLateEntry"), Some(json!(false)));
    let withdraw = format!("/api/students/enrollments/{}/withdraw", requested["id"]);
    let withdrawn = student.post(&withdraw, &json!({})).await.expect(StatusCode::OK).json();
    let mut expected = requested.clone();
    expected["status"] = "withdrawn".into();
    expected["decidedAt"] = "2026-11-21T15:00:00Z".into();
    expected["withdrawnOn"] = "2026-11-21".into();
    expected["version"] = 2.into();
    assert_eq!(withdrawn, expected);
    let day = "select count(*) from enrollments where withdrawn_on = '2026-11-21' and decided_by is null";
    assert_eq!(school.count(day), 1);
    assert_eq!(staff.get("/api/admin/enrollments/pending").await.json(), json!([]));
    let approve = format!("/api/admin/enrollments/{}/approve", requested["id"]);
    staff.post(&approve, &json!({})).await.expect(StatusCode::CONFLICT);

    let again = student.enroll(course).await.expect(StatusCode::CREATED).json();
    assert_eq!((&again["repeatOf"], &again["status"]), (&requested["id"], &json!("pending")));
    assert_eq!(school.count(day), 1, "the first stays as it was");
    staff
        .post(&format!("/api/admin/enrollments/{}/waitlist", again["id"]), &json!({}))
        .await
        .expect(StatusCode::OK);
    let withdraw = format!("/api/students/enrollments/{}/withdraw", again["id"]);
    student.post(&withdraw, &json!({})).await.expect(StatusCode::OK);
    let by_office = "select count(*) from audit where object = 'enrollment' and action <> 'waitlist'";
    assert_eq!(school.count(by_office), 0);
}

#[tokio::test]
async fn decided_requests_and_those_of_others_cannot_be_withdrawn() {
    let school = School::open().await;
    let (staff, student, other) = (school.staff().await, school.student().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let id = student.enroll(course).await.json()["id"].clone();
    let withdraw = format!("/api/students/enrollments/{id}/withdraw");
    let theirs = other.post(&withdraw, &json!({})).await.expect(StatusCode::NOT_FOUND);
    let none = other.post("/api/students/enrollments/4242/withdraw", &json!({})).await;
    assert_eq!(theirs.bytes, none.expect(StatusCode::NOT_FOUND).bytes);
    other.post("/api/students/enrollments/x/withdraw", &json!({})).await.expect(StatusCode::NOT_FOUND);
    for (status, words) in [
        (
            "active",
            "The office has already approved this enrollment. Please contact the office to leave the course.",
        ),
        ("declined", "The office has declined this request, so there is nothing to withdraw."),
        ("withdrawn", "You have already withdrawn this request."),
        ("completed", "You have already completed this course."),
    ] {
        school.database().execute("update enrollments set status = ?", [status]).unwrap();
        let answer = student.post(&withdraw, &json!({})).await.expect(StatusCode::CONFLICT);
        assert_eq!(answer.message(), words);
        assert_eq!(student.get("/api/students/enrollments").await.column("status"), [status]);
    }
}

#[tokio::test]
async fn repeated_requests_create_one_enrollment() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let statuses = futures(&student, course).await;
    let created = statuses.iter().filter(|status| **status == StatusCode::CREATED).count();
    let conflicts = statuses.iter().filter(|status| **status == StatusCode::CONFLICT).count();
    assert_eq!((created, conflicts), (1, 4), "{statuses:?}");
    let answer = student.enroll(course).await.expect(StatusCode::CONFLICT);
    assert_eq!(answer.message(), "You have already requested this course. The office has your request.");
}

async fn futures(student: &crate::support::Student, course: i64) -> Vec<StatusCode> {
    let (a, b, c, d, e) = tokio::join!(
        student.enroll(course),
        student.enroll(course),
        student.enroll(course),
        student.enroll(course),
        student.enroll(course)
    );
    [a, b, c, d, e].iter().map(|answer| answer.status).collect()
}

#[tokio::test]
async fn every_field_is_validated_and_the_course_must_be_offered() {
    let school = School::open().await;
    let student = school.student().await;
    let fields = student.post("/api/students/enrollments", &json!({})).await.fields();
    assert_eq!(
        fields,
        json!({ "courseId": "Course is required", "startDate": "Start date is required",
        "endDate": "End date is required" })
    );
    let body = json!({ "courseId": 1, "startDate": "2026-12-01", "endDate": "2026-12-01" });
    let fields = student.post("/api/students/enrollments", &body).await.fields();
    assert_eq!(fields, json!({ "endDate": "End date must be after start date" }));
    let fields = student.enroll(12345).await.fields();
    assert_eq!(fields, json!({ "courseId": "This course is not offered any more" }));
}

#[tokio::test]
async fn status_and_student_are_not_the_callers_to_set() {
    let school = School::open().await;
    let (staff, student, other) = (school.staff().await, school.student().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let body = json!({ "courseId": course, "startDate": "2026-12-01", "endDate": "2027-04-01",
        "status": "active", "studentId": other.id, "id": 77 });
    let made = student.post("/api/students/enrollments", &body).await.expect(StatusCode::CREATED).json();
    assert_eq!(made["status"], "pending");
    assert_eq!(other.get("/api/students/enrollments").await.json(), json!([]));
}

#[tokio::test]
async fn a_declined_request_cannot_be_approved() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let id = student.enroll(course).await.json()["id"].clone();
    school.database().execute("update enrollments set status = 'declined', reason = 'full'", []).unwrap();
    let answer = staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await;
    assert_eq!(
        answer.expect(StatusCode::CONFLICT).message(),
        "This enrollment is declined and can no longer be approved."
    );
    staff.post("/api/admin/enrollments/99/approve", &json!({})).await.expect(StatusCode::NOT_FOUND);
    staff.post("/api/admin/enrollments/x/approve", &json!({})).await.expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn fees_count_waivers_payments_refunds_and_reversals_and_never_below_zero() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let mut ids = Vec::new();
    for code in ["AAA4U", "BBB4U"] {
        let course = school.course(&staff, code, json!(100)).await;
        let id = student.enroll(course).await.json()["id"].as_i64().unwrap();
        staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await.expect(StatusCode::OK);
        ids.push(id);
    }
    let database = school.database();
    let post = |kind: &str, cents: i64, enrollment: i64, reverses: Option<i64>| {
        database
            .execute(
                "insert into ledger (kind, amount_cents, enrollment_id, reverses_id, created_at) values (?, ?, ?, ?, 0)",
                rusqlite::params![kind, cents, enrollment, reverses],
            )
            .unwrap();
        database.last_insert_rowid()
    };
    post("payment", 25_000, ids[0], None);
    let due = || async { staff.get("/api/admin/dashboard").await.json()["totalFeeDue"].clone() };
    assert_eq!(due().await, 100, "what one overpaid does not pay for the other");
    post("waiver", 4_000, ids[1], None);
    assert_eq!(due().await, 60);
    let payment = post("payment", 1_001, ids[1], None);
    assert_eq!(due().await, 49.99);
    post("reversal", 1_001, ids[1], Some(payment));
    post("refund", 500, ids[1], None);
    assert_eq!(due().await, 65);
    assert!(database.execute("update ledger set amount_cents = 1", []).is_err());
    assert!(database.execute("delete from ledger", []).is_err());
    assert!(database.execute("delete from audit", []).is_err());
}
