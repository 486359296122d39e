//! What the office decides beyond approving and declining, each with its event, its ledger and its email.

use jiff::SignedDuration;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{Actor, Answer, School, Student, profile};

const WHY: &str = "The family asked the office for it.";

async fn with_undo() -> School {
    School::open_with(|config| config.office.undo_seconds = 60).await
}

async fn decide(staff: &Actor, verb: &str, id: &Value, body: Value) -> Answer {
    staff.post(&format!("/api/admin/enrollments/{id}/{verb}"), &body).await
}

/// A student with a profile, enrolled in a course of $500.
async fn enrolled(school: &School, staff: &Actor) -> (Student, Value) {
    let student = school.student().await;
    student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);
    let course = school.course(staff, "ENG4U", json!(500)).await;
    let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone();
    decide(staff, "approve", &id, json!({})).await.expect(StatusCode::OK);
    (student, id)
}

/// The course of an enrollment ended yesterday.
fn is_over(school: &School, id: &Value) {
    let dates = "start_date = '2026-07-06', end_date = '2026-11-20'";
    school.count(&format!("update enrollments set {dates} where id = {id} returning 1"));
}

async fn due(staff: &Actor) -> Value {
    staff.get("/api/admin/dashboard").await.json()["totalFeeDue"].clone()
}

async fn undo(staff: &Actor, decided: &Value) -> Value {
    let id = decided["undo"]["id"].as_str().expect("a decision that can be undone");
    let path = format!("/api/admin/decisions/{id}/undo");
    staff.post(&path, &json!({})).await.expect(StatusCode::OK).json()["restored"][0].clone()
}

async fn own(student: &Student) -> Value {
    student.get("/api/students/enrollments").await.json()[0].clone()
}

#[tokio::test]
async fn withdrawing_before_the_first_day_is_free_and_afterwards_the_office_decides() {
    let school = with_undo().await;
    let staff = school.staff().await;
    let (student, id) = enrolled(&school, &staff).await;
    let leave = |body: Value| decide(&staff, "withdraw", &id, body);
    for (body, field) in [
        (json!({ "reason": WHY }), "effectiveOn"),
        (json!({ "reason": WHY, "effectiveOn": "2031-01-01" }), "effectiveOn"),
        (json!({ "reason": "no", "effectiveOn": "2026-12-01" }), "reason"),
        (json!({ "reason": WHY, "effectiveOn": "2026-12-01", "mark": 101 }), "mark"),
        (json!({ "reason": WHY, "effectiveOn": "2026-12-01", "refund": "half" }), "refund"),
    ] {
        let answer = leave(body).await.expect(StatusCode::BAD_REQUEST);
        assert!(answer.fields()[field].is_string(), "{field}: {:?}", answer.json());
    }

    let later = json!({ "reason": WHY, "effectiveOn": "2027-01-10", "mark": 61, "expected": "active" });
    let left = leave(later).await.expect(StatusCode::OK).json();
    assert_eq!(
        (&left["status"], &left["finalMark"], due(&staff).await),
        (&json!("withdrawn"), &json!(61), json!(500))
    );
    assert_eq!(left["withdrawnOn"], "2027-01-10");
    undo(&staff, &left).await;
    assert_eq!(own(&student).await["status"], "active");

    let left =
        leave(json!({ "reason": WHY, "effectiveOn": "2026-12-01" })).await.expect(StatusCode::OK).json();
    assert_eq!(due(&staff).await, 0);
    undo(&staff, &left).await;
    assert_eq!(due(&staff).await, 500, "what was taken back is owed again");

    leave(json!({ "reason": WHY, "effectiveOn": "2027-01-10", "refund": "full" }))
        .await
        .expect(StatusCode::OK);
    assert_eq!(due(&staff).await, 0);
    leave(json!({ "reason": WHY, "effectiveOn": "2027-01-10" })).await.expect(StatusCode::CONFLICT);
    school.advance(SignedDuration::from_secs(61));
    let email = school.mail(&student.email, "You have left a course").await;
    assert!(email.text.contains(WHY) && email.text.contains("January 10, 2027"), "{}", email.text);
    assert!(email.text.contains("has been reversed"), "{}", email.text);
    assert_eq!(own(&student).await["reason"], WHY);
}

#[tokio::test]
async fn a_final_mark_completes_and_is_corrected_only_with_a_reason() {
    let school = School::open().await;
    let staff = school.staff().await;
    let (student, id) = enrolled(&school, &staff).await;
    let complete = |body: Value| decide(&staff, "complete", &id, body);
    for wrong in
        [json!({}), json!({ "finalMark": 100.5 }), json!({ "finalMark": -1 }), json!({ "finalMark": "87" })]
    {
        assert!(complete(wrong).await.expect(StatusCode::BAD_REQUEST).fields()["finalMark"].is_string());
    }
    is_over(&school, &id);
    let midterm = decide(&staff, "midterm", &id, json!({ "mark": 70 })).await.expect(StatusCode::OK).json();
    assert_eq!((&midterm["midtermMark"], &midterm["status"]), (&json!(70), &json!("active")));

    let done = complete(json!({ "finalMark": 49 })).await.expect(StatusCode::OK).json();
    assert_eq!((&done["status"], &done["earnedCredits"]), (&json!("completed"), &json!(0)));
    let email = school.mail(&student.email, "Your final mark in ENG4U").await.text.replace('\n', " ");
    assert!(
        email.contains("49%") && email.contains("earns no credit. You can take the course again"),
        "{email}"
    );
    assert_eq!(complete(json!({ "finalMark": 49 })).await.expect(StatusCode::OK).json()["isChanged"], false);
    decide(&staff, "midterm", &id, json!({ "mark": 71 })).await.expect(StatusCode::CONFLICT);

    let refused = complete(json!({ "finalMark": 50 })).await.expect(StatusCode::BAD_REQUEST);
    assert!(refused.fields()["reason"].is_string());
    let corrected = complete(json!({ "finalMark": 50, "reason": "An essay was counted twice." })).await;
    assert_eq!(corrected.expect(StatusCode::OK).json()["earnedCredits"], 1);
    let email = school.mail(&student.email, "Your final mark was corrected").await;
    assert!(email.text.contains("An essay was counted twice."), "{}", email.text);
    let marks = "select count(*) from enrollment_events where mark in (49, 50) and to_status = 'completed'";
    assert_eq!(school.count(marks), 2, "both marks are in the events");

    let reopened =
        decide(&staff, "reopen", &id, json!({ "reason": WHY })).await.expect(StatusCode::OK).json();
    assert_eq!((&reopened["status"], &reopened["finalMark"]), (&json!("active"), &Value::Null));
    assert_eq!(due(&staff).await, 500);
    school.mail(&student.email, "Your enrollment is open again").await;
}

#[tokio::test]
async fn a_final_mark_waits_for_the_first_day_and_before_the_last_one_says_why() {
    let school = School::open_with(|config| {
        config.school_file.time_zone = Some("Pacific/Auckland".to_owned().try_into().unwrap());
    })
    .await;
    let staff = school.staff().await;
    let (student, id) = enrolled(&school, &staff).await;
    let dates = |start: &str, end: &str| {
        let set = format!("start_date = '{start}', end_date = '{end}'");
        school.count(&format!("update enrollments set {set} where id = {id} returning 1"));
    };
    let complete = |body: Value| decide(&staff, "complete", &id, body);
    // It is the 22nd at this school already.
    dates("2026-11-23", "2027-01-31");
    let early = complete(json!({ "finalMark": 80, "reason": WHY })).await.expect(StatusCode::CONFLICT);
    assert_eq!(
        early.message(),
        "This course begins on November 23, 2026 for the student, so there is no final mark yet. Enter it from \
         that day on, or change the dates first."
    );
    assert_eq!(early.json()["current"]["status"], "active");
    dates("2026-11-22", "2027-01-31");
    for body in [json!({ "finalMark": 80 }), json!({ "finalMark": 80, "reason": "too short" })] {
        let refused = complete(body).await.expect(StatusCode::BAD_REQUEST);
        let words = refused.fields()["reason"].as_str().unwrap().to_owned();
        assert!(words.starts_with("This course runs until January 31, 2027."), "{words}");
    }
    assert_eq!(school.count("select count(*) from outbox where subject like '%completed%'"), 0);
    let done = complete(json!({ "finalMark": 80, "reason": WHY })).await.expect(StatusCode::OK).json();
    assert_eq!((&done["status"], &done["earnedCredits"]), (&json!("completed"), &json!(1)));
    let event = format!(
        "select count(*) from enrollment_events where verb = 'complete' and overrides ->> '$.early' = '{WHY}'"
    );
    assert_eq!(school.count(&event), 1);
    let email = school.mail(&student.email, "You have completed a course").await;
    assert!(!email.text.contains(WHY), "the reason is for the office: {}", email.text);
    let history = student.get(&format!("/api/students/enrollments/{id}/history")).await.json();
    assert_eq!(history[2]["reason"], Value::Null);

    // On the last day nothing needs to be said.
    decide(&staff, "reopen", &id, json!({ "reason": WHY })).await.expect(StatusCode::OK);
    dates("2026-09-08", "2026-11-22");
    complete(json!({ "finalMark": 81 })).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn an_approval_whose_email_has_left_is_reversed_and_the_student_reads_why() {
    let school = with_undo().await;
    let staff = school.staff().await;
    let (student, id) = enrolled(&school, &staff).await;
    school.advance(SignedDuration::from_secs(61));
    let reversed = decide(&staff, "reverse-approval", &id, json!({ "reason": WHY })).await;
    let reversed = reversed.expect(StatusCode::OK).json();
    assert_eq!((&reversed["status"], &reversed["chargedPrice"]), (&json!("pending"), &Value::Null));
    assert_eq!(due(&staff).await, 0);
    let again = undo(&staff, &reversed).await;
    assert_eq!((&again["status"], &again["chargedPrice"]), (&json!("active"), &json!(500)));
    assert_eq!(due(&staff).await, 500);
    decide(&staff, "reverse-approval", &id, json!({ "reason": WHY })).await.expect(StatusCode::OK);
    school.advance(SignedDuration::from_secs(61));
    let email = school.mail(&student.email, "Correction: your enrollment is not approved yet").await;
    assert!(email.text.contains(WHY), "{}", email.text);
    decide(&staff, "approve", &id, json!({})).await.expect(StatusCode::OK);
    assert_eq!(due(&staff).await, 500);
}

#[tokio::test]
async fn a_declined_request_is_reopened_but_not_beside_a_newer_one() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let first = student.enroll(course).await.json()["id"].clone();
    decide(&staff, "decline", &first, json!({ "reason": WHY })).await.expect(StatusCode::OK);
    let open = decide(&staff, "reopen", &first, json!({ "reason": WHY })).await.expect(StatusCode::OK).json();
    assert_eq!((&open["status"], &open["reason"]), (&json!("pending"), &Value::Null));
    decide(&staff, "reopen", &first, json!({ "reason": WHY })).await.expect(StatusCode::CONFLICT);
    decide(&staff, "decline", &first, json!({ "reason": WHY })).await.expect(StatusCode::OK);
    student.enroll(course).await.expect(StatusCode::CREATED);
    let refused =
        decide(&staff, "reopen", &first, json!({ "reason": WHY })).await.expect(StatusCode::CONFLICT);
    assert!(refused.message().contains("asked for this course again"), "{}", refused.message());
}

#[tokio::test]
async fn the_office_moves_a_course_to_other_days() {
    let school = School::open().await;
    let staff = school.staff().await;
    let (student, id) = enrolled(&school, &staff).await;
    let body = |start: &str, end: &str| json!({ "startDate": start, "endDate": end, "reason": WHY });
    let wrong =
        decide(&staff, "dates", &id, body("2027-02-01", "2027-01-31")).await.expect(StatusCode::BAD_REQUEST);
    assert_eq!(wrong.fields()["endDate"], "End date must be after start date");
    let moved =
        decide(&staff, "dates", &id, body("2027-02-01", "2027-06-20")).await.expect(StatusCode::OK).json();
    assert_eq!((&moved["startDate"], &moved["endDate"]), (&json!("2027-02-01"), &json!("2027-06-20")));
    let email = school.mail(&student.email, "The dates of your course have changed").await;
    assert!(email.text.contains("February 1, 2027") && email.text.contains(WHY), "{}", email.text);
    is_over(&school, &id);
    decide(&staff, "complete", &id, json!({ "finalMark": 80 })).await.expect(StatusCode::OK);
    decide(&staff, "dates", &id, body("2027-02-01", "2027-06-20")).await.expect(StatusCode::CONFLICT);
}

#[tokio::test]
async fn a_student_asks_to_leave_and_the_office_answers() {
    let school = School::open().await;
    let staff = school.staff().await;
    let (student, id) = enrolled(&school, &staff).await;
    let leave = format!("/api/students/enrollments/{id}/leave");
    assert!(
        student.post(&leave, &json!({})).await.expect(StatusCode::BAD_REQUEST).fields()["reason"].is_string()
    );
    school.student().await.post(&leave, &json!({ "reason": WHY })).await.expect(StatusCode::NOT_FOUND);
    decide(&staff, "refuse-leave", &id, json!({ "reason": WHY })).await.expect(StatusCode::CONFLICT);
    let asked = student.post(&leave, &json!({ "reason": WHY })).await.expect(StatusCode::OK).json();
    assert_eq!((&asked["status"], &asked["leaveReason"]), (&json!("active"), &json!(WHY)));
    let waiting = staff.get("/api/admin/enrollments?due=leave").await.json();
    assert_eq!((waiting[0]["id"].clone(), waiting[0]["leaveReason"].clone()), (id.clone(), json!(WHY)));
    assert_eq!(staff.get("/api/admin/enrollments/counts").await.json()["leaving"], 1);

    student.post(&format!("{leave}/cancel"), &json!({})).await.expect(StatusCode::OK);
    assert_eq!(staff.get("/api/admin/enrollments/counts").await.json()["leaving"], 0);
    student.post(&leave, &json!({ "reason": WHY })).await.expect(StatusCode::OK);
    let no = "The course ends in a week; please stay for the exam.";
    decide(&staff, "refuse-leave", &id, json!({ "reason": no })).await.expect(StatusCode::OK);
    let email = school.mail(&student.email, "You remain enrolled").await;
    assert!(email.text.contains(no), "{}", email.text);
    assert_eq!(own(&student).await["leaveAskedAt"], Value::Null);
}

#[tokio::test]
async fn the_office_enrolls_a_student_on_their_behalf() {
    let school = with_undo().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let (course, other) =
        (school.course(&staff, "ENG4U", json!(500)).await, school.course(&staff, "MHF4U", json!(600)).await);
    let number = school.count("select id from students");
    let body = |course: i64, more: Value| {
        let mut body = json!({ "studentId": number, "courseId": course, "startDate": "2026-12-01",
            "endDate": "2027-04-01", "reason": WHY });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let enroll = |body: Value| {
        let staff = &staff;
        async move { staff.post("/api/admin/enrollments", &body).await }
    };
    let wrong = enroll(json!({ "price": -1, "status": "declined" })).await.expect(StatusCode::BAD_REQUEST);
    let fields = wrong.fields();
    for field in ["studentId", "courseId", "startDate", "endDate", "reason", "price", "status"] {
        assert!(fields[field].is_string(), "{field}: {fields}");
    }
    let active = enroll(body(course, json!({ "price": 450 }))).await.expect(StatusCode::CREATED).json();
    assert_eq!(
        (&active["status"], &active["chargedPrice"], due(&staff).await),
        (&json!("active"), &json!(450), json!(450))
    );
    let undone = undo(&staff, &active).await;
    assert_eq!((&undone["status"], due(&staff).await), (&json!("withdrawn"), json!(0)));
    enroll(body(course, json!({}))).await.expect(StatusCode::CREATED);
    enroll(body(course, json!({}))).await.expect(StatusCode::CONFLICT);
    let pending =
        enroll(body(other, json!({ "status": "pending" }))).await.expect(StatusCode::CREATED).json();
    assert_eq!((&pending["status"], due(&staff).await), (&json!("pending"), json!(500)));
    school.advance(SignedDuration::from_secs(61));
    school.mail(&student.email, "Your enrollment is approved").await;
    school.mail(&student.email, "We have your enrollment request").await;
}

#[tokio::test]
async fn a_missing_requirement_stops_an_approval_until_staff_give_a_reason() {
    use schoolhouse::testing::Demand;
    let school = School::open_with(|config| {
        config.office.profile = Demand::Required;
        config.office.documents = Demand::Required;
    })
    .await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let id = student.enroll(course).await.json()["id"].clone();
    let row = staff.get("/api/admin/enrollments?status=pending").await.json()[0].clone();
    assert_eq!(row["missing"], json!(["profile", "guardian", "documents"]));
    assert_eq!(row["documents"], json!({ "present": 0, "required": 2 }));

    let refused = decide(&staff, "approve", &id, json!({})).await.expect(StatusCode::CONFLICT).json();
    assert_eq!((&refused["reason"], &refused["current"]["id"]), (&json!("profile_incomplete"), &id));
    let bulk = staff.post("/api/admin/enrollments/approve", &json!({ "ids": [id] })).await.json();
    assert_eq!(
        (&bulk["results"][0]["ok"], &bulk["results"][0]["reason"]),
        (&json!(false), &json!("profile_incomplete"))
    );
    let wrong = decide(&staff, "approve", &id, json!({ "override": { "profile": "" } })).await;
    assert!(wrong.expect(StatusCode::BAD_REQUEST).fields()["override"].is_string());
    let half = decide(&staff, "approve", &id, json!({ "override": { "profile": "Known to us." } })).await;
    assert_eq!(half.expect(StatusCode::CONFLICT).json()["reason"], "documents_missing");
    let both = json!({ "override": { "profile": "Known to us.", "documents": "Seen on paper." } });
    decide(&staff, "approve", &id, both).await.expect(StatusCode::OK);
    let kept = "select count(*) from enrollment_events where overrides ->> '$.documents' = 'Seen on paper.'";
    assert_eq!(school.count(kept), 1);
}
