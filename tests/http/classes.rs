//! Class lists in the office.

use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use crate::support::{Actor, School, profile};

/// Enrollments of a course, in the given states; the time of each is its place.
async fn class(school: &School, course: i64, states: &[&str]) -> Vec<i64> {
    let mut ids = Vec::new();
    for state in states {
        let student = school.student().await;
        student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);
        let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].as_i64().unwrap();
        school.count(&format!(
            "update enrollments set status = '{state}', final_mark = iif('{state}' = 'completed', 81, null),
                 waitlisted_at = iif('{state}' = 'waitlisted', 1000 - id, null) where id = {id} returning 1"
        ));
        ids.push(id);
    }
    ids
}

#[tokio::test]
async fn seats_are_counted_and_the_line_is_in_order() {
    let school = School::open().await;
    let staff = school.staff().await;
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let other = school.course(&staff, "ENG3U", json!(500)).await;
    let path = format!("/api/admin/courses/{course}");
    staff.patch(&path, &json!({ "capacity": 3 })).await.expect(StatusCode::OK);
    let states = ["active", "active", "completed", "waitlisted", "waitlisted", "pending", "declined"];
    let ids = class(&school, course, &states).await;

    let seats =
        |row: &Value| json!([row["capacity"], row["seatsTaken"], row["waitlistLength"], row["requests"]]);
    let page = staff.get(&path).await.expect(StatusCode::OK).json();
    assert_eq!(seats(&page), json!([3, 2, 2, 1]));
    let line = |page: &Value| -> Vec<(Value, Value)> {
        let line = page["waitlist"].as_array().unwrap();
        line.iter().map(|one| (one["position"].clone(), one["enrollmentId"].clone())).collect()
    };
    assert_eq!(line(&page), [(json!(1), json!(ids[4])), (json!(2), json!(ids[3]))]);
    // A reserved seat counts as taken until the reservation expires.
    let (soon, past) = (school.clock.now().as_second() + 60, school.clock.now().as_second());
    for (until, taken) in [(soon, 3), (past, 2)] {
        let keep =
            format!("update enrollments set offered_until = {until} where id = {} returning 1", ids[4]);
        school.count(&keep);
        assert_eq!(seats(&staff.get(&path).await.json()), json!([3, taken, 2, 1]), "{until}");
        let rows = staff.get("/api/admin/courses").await.json();
        let row = rows.as_array().unwrap().iter().find(|row| row["id"] == course).unwrap().clone();
        assert_eq!(seats(&row), json!([3, taken, 2, 1]));
    }
    let empty = staff.get(&format!("/api/admin/courses/{other}")).await.json();
    assert_eq!((seats(&empty), line(&empty)), (json!([null, 0, 0, 0]), vec![]));
    staff.get("/api/admin/courses/999").await.expect(StatusCode::NOT_FOUND);
}

/// One row of a class list.
async fn member(staff: &Actor, course: i64, id: i64) -> Value {
    let list = staff.get(&format!("/api/admin/courses/{course}/class-list")).await.json();
    list.as_array().unwrap().iter().find(|row| row["enrollmentId"] == id).unwrap().clone()
}

#[tokio::test]
async fn marks_are_entered_as_a_column_with_a_result_for_each_row() {
    let school = School::open_with(|config| config.office.undo_seconds = 60).await;
    let staff = school.staff().await;
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let other = school.course(&staff, "ENG3U", json!(500)).await;
    let ids = class(&school, course, &["active", "active", "active", "pending"]).await;
    let stranger = class(&school, other, &["active"]).await[0];
    let path = format!("/api/admin/courses/{course}/marks");
    let over = "start_date = '2026-07-06', end_date = '2026-11-20'";
    school.count(&format!("update enrollments set {over} where course_id = {course} returning 1"));
    let version = member(&staff, course, ids[0]).await["version"].clone();

    for wrong in [json!({}), json!({ "rows": [] }), json!({ "rows": "x" })] {
        assert!(staff.post(&path, &wrong).await.fields()["rows"].is_string());
    }
    let row = |id: i64, marks: Value| {
        let mut row = json!({ "enrollmentId": id, "version": version });
        row.as_object_mut().unwrap().extend(marks.as_object().unwrap().clone());
        row
    };
    let rows = json!({ "rows": [
        row(ids[0], json!({ "midterm": 71, "final": 82 })), row(ids[1], json!({ "midterm": 49, "final": null })),
        row(ids[2], json!({ "final": 49 })), row(ids[3], json!({ "final": 90 })), row(stranger, json!({ "final": 90 })),
        row(ids[1], json!({ "final": 101 })), row(ids[1], json!({ "final": 60 })),
    ] });
    let entered = staff.post(&path, &rows).await.expect(StatusCode::OK).json();
    let results: Vec<(Value, Value)> = entered["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| (result["ok"].clone(), result["status"].clone()))
        .collect();
    let refused = |status: u16| (json!(false), json!(status));
    let ok = || (json!(true), Value::Null);
    assert_eq!(results, [ok(), ok(), ok(), refused(409), refused(404), refused(400), refused(409)]);
    assert_eq!(entered["results"][5]["message"], "Mark must be a whole number from 0 to 100");
    let conflict = &entered["results"][6];
    assert_eq!(
        (&conflict["current"]["midtermMark"], &conflict["current"]["finalMark"]),
        (&json!(49), &Value::Null)
    );
    assert_eq!(entered["results"][0]["row"]["status"], "completed");
    assert_eq!(member(&staff, course, ids[1]).await["status"], "active", "a midterm mark completes nothing");
    let credits =
        format!("select sum(credits_hundredths) from enrollments where id in ({}, {})", ids[0], ids[2]);
    assert_eq!(school.count(&credits), 100);

    // The same once more, as after a lost answer, changes nothing.
    let again =
        staff.post(&path, &json!({ "rows": [row(ids[0], json!({ "midterm": 71, "final": 82 }))] })).await;
    assert_eq!((&again.json()["results"][0]["ok"], &again.json()["undo"]), (&json!(true), &Value::Null));
    let events =
        format!("select count(*) from enrollment_events where enrollment_id = {} and mark = 82", ids[0]);
    assert_eq!(school.count(&events), 1);

    let undo = format!("/api/admin/decisions/{}/undo", entered["undo"]["id"].as_str().unwrap());
    staff.post(&undo, &json!({})).await.expect(StatusCode::OK);
    let back = member(&staff, course, ids[0]).await;
    assert_eq!(
        (&back["status"], &back["finalMark"], &back["midtermMark"]),
        (&json!("active"), &Value::Null, &json!(71))
    );
}

#[tokio::test]
async fn a_final_mark_sends_an_email_and_another_one_needs_a_reason() {
    let school = School::open().await;
    let staff = school.staff().await;
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let student = school.student().await;
    let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].as_i64().unwrap();
    staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await.expect(StatusCode::OK);
    let path = format!("/api/admin/courses/{course}/marks");
    let enter = async |marks: Value| {
        let mut row = marks;
        row["enrollmentId"] = json!(id);
        row["version"] = member(&staff, course, id).await["version"].clone();
        staff.post(&path, &json!({ "rows": [row] })).await.expect(StatusCode::OK).json()["results"][0].clone()
    };
    let over = "start_date = '2026-07-06', end_date = '2026-11-20'";
    school.count(&format!("update enrollments set {over} where id = {id} returning 1"));
    assert_eq!(enter(json!({ "final": 61 })).await["ok"], true);
    assert_eq!(school.count("select count(*) from outbox where subject like '%complete%'"), 1);
    let refused = enter(json!({ "final": 64 })).await;
    assert_eq!((&refused["status"], &refused["current"]["finalMark"]), (&json!(400), &json!(61)));
    assert!(refused["message"].as_str().unwrap().contains("why the mark is corrected"), "{refused}");
    let corrected = enter(json!({ "final": 64, "reason": "An essay was counted twice." })).await;
    assert_eq!((&corrected["ok"], &corrected["row"]["finalMark"]), (&json!(true), &json!(64)));
    let events = "select count(*) from enrollment_events where from_status = 'completed'
        and to_status = 'completed' and mark = 64 and reason = 'An essay was counted twice.'";
    assert_eq!(school.count(events), 1);
    school.staff_as(Role::Viewer).await.post(&path, &json!({})).await.expect(StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn one_reason_serves_the_whole_sheet_of_courses_that_still_run() {
    let school = School::open().await;
    let staff = school.staff().await;
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let ids = class(&school, course, &["active", "active", "active", "completed"]).await;
    for (id, start, end) in [
        (ids[0], "2026-09-08", "2027-01-31"),
        (ids[1], "2026-07-06", "2026-11-21"),
        (ids[2], "2026-11-22", "2027-03-31"),
    ] {
        let dates = format!("start_date = '{start}', end_date = '{end}'");
        school.count(&format!("update enrollments set {dates} where id = {id} returning 1"));
    }
    let path = format!("/api/admin/courses/{course}/marks");
    let enter = async |reason: Value| {
        let mut rows = Vec::new();
        for id in &ids {
            let version = member(&staff, course, *id).await["version"].clone();
            rows.push(json!({ "enrollmentId": id, "version": version, "final": 77 }));
        }
        let body = json!({ "rows": rows, "reason": reason });
        staff.post(&path, &body).await.expect(StatusCode::OK).json()["results"].clone()
    };
    let statuses = |results: &Value| -> Vec<Value> {
        results.as_array().unwrap().iter().map(|result| result["status"].clone()).collect()
    };
    let refused = enter(Value::Null).await;
    assert_eq!(statuses(&refused), [json!(400), Value::Null, json!(409), json!(400)]);
    assert!(refused[0]["message"].as_str().unwrap().contains("runs until January 31, 2027"), "{refused}");
    assert!(refused[2]["message"].as_str().unwrap().contains("begins on November 22, 2026"), "{refused}");
    let why = "The class was taught in the summer.";
    let entered = enter(why.into()).await;
    assert_eq!(
        statuses(&entered),
        [Value::Null, Value::Null, json!(409), json!(400)],
        "a correction says why by itself"
    );
    let reasons = format!(
        "select count(*) from enrollment_events where mark = 77 and overrides ->> '$.early' = '{why}'"
    );
    assert_eq!(school.count(&reasons), 1);
}

#[tokio::test]
async fn the_class_list_names_who_takes_the_course_and_leaves_as_a_sheet() {
    let school = School::open().await;
    let staff = school.staff().await;
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let path = format!("/api/admin/courses/{course}/class-list");
    let ids = class(&school, course, &["active", "completed", "pending", "withdrawn"]).await;
    let list = staff.get(&path).await.expect(StatusCode::OK);
    assert_eq!((list.column("enrollmentId"), list.total()), (vec![json!(ids[0]), json!(ids[1])], 2));
    let first = &list.json()[0];
    assert_eq!(
        (&first["studentName"], &first["status"], &first["midtermMark"], &first["version"]),
        (&json!("Amara Okonkwo"), &json!("active"), &Value::Null, &json!(2))
    );
    assert_eq!(list.json()[1]["finalMark"], 81);
    let sheet = staff.get(&format!("{path}?format=csv")).await.expect(StatusCode::OK);
    assert_eq!(sheet.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(sheet.text().lines().count(), 3);
    assert!(sheet.text().contains("Amara Okonkwo"));
    assert_eq!(
        school.count("select count(*) from audit where action = 'export' and object = 'class-list'"),
        1
    );
    // Archived, it keeps its class.
    staff.delete(&format!("/api/admin/courses/{course}")).await.expect(StatusCode::NO_CONTENT);
    assert_eq!(staff.get(&path).await.expect(StatusCode::OK).total(), 2);
    staff.get("/api/admin/courses/999/class-list").await.expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_sheets_of_a_class_and_of_all_enrollments_call_a_student_by_the_same_number() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].as_i64().unwrap();
    staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await.expect(StatusCode::OK);
    let cell = async |path: &str, column: usize| {
        let sheet = staff.get(path).await.expect(StatusCode::OK).text();
        sheet.lines().nth(1).unwrap().split(',').nth(column).unwrap().to_owned()
    };
    let number = cell("/api/admin/enrollments?format=csv", 1).await;
    assert!(number.starts_with("2026-"), "{number}");
    assert_eq!(number, cell(&format!("/api/admin/courses/{course}/class-list?format=csv"), 0).await);
}

#[tokio::test]
async fn a_student_reads_what_happened_to_their_own_enrollment_and_to_no_other() {
    let school = School::open_with(|config| config.office.undo_seconds = 60).await;
    let (staff, student, other) = (school.staff().await, school.student().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].as_i64().unwrap();
    let path = format!("/api/students/enrollments/{id}/history");
    let verbs = async || student.get(&path).await.expect(StatusCode::OK).column("verb");
    let approved = staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await.json();
    assert_eq!(verbs().await, [json!("request"), json!("approve")]);
    let undo = format!("/api/admin/decisions/{}/undo", approved["undo"]["id"].as_str().unwrap());
    staff.post(&undo, &json!({})).await.expect(StatusCode::OK);
    assert_eq!(verbs().await, [json!("request")], "what was taken back in time never was");
    let refusal = json!({ "reason": "The class of this winter is full.", "code": "class_full" });
    staff.post(&format!("/api/admin/enrollments/{id}/decline"), &refusal).await.expect(StatusCode::OK);
    let history = student.get(&path).await.json();
    assert_eq!((&history[1]["verb"], &history[1]["reason"]), (&json!("decline"), &refusal["reason"]));
    assert!(history[1].get("by").is_none(), "no member of the staff is named");
    other.get(&path).await.expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_class_is_shown_an_email_first_and_each_of_it_gets_one() {
    let school = School::open().await;
    let staff = school.staff().await;
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let ids = class(&school, course, &["active", "active", "active", "completed", "pending"]).await;
    // Amara, the first of the list; one who began later; one whose account is closed, which ends the course.
    let student = |id: i64| school.count(&format!("select student_id from enrollments where id = {id}"));
    let email = |id: i64| {
        let sql = "select s.email from students s join enrollments e on e.student_id = s.id where e.id = ?1";
        school.database().query_row(sql, [id], |row| row.get::<_, String>(0)).unwrap()
    };
    school.count(&format!(
        "update enrollments set start_date = '2026-12-08' where id = {} returning 1",
        ids[1]
    ));
    let close = format!("/api/admin/students/{}/close", student(ids[2]));
    staff.post(&close, &json!({ "reason": "Moved away" })).await.expect(StatusCode::OK);
    let path = format!("/api/admin/courses/{course}/emails");
    let fields =
        staff.post(&path, &json!({ "subject": "x", "startDate": "soon", "expected": "two" })).await.fields();
    assert_eq!(fields.as_object().unwrap().len(), 4, "{fields}");

    let mut body = json!({ "subject": "Room 204", "body": "On Monday we meet in room 204." });
    let preview = format!("{path}/preview");
    let shown = staff.post(&preview, &body).await.expect(StatusCode::OK).json();
    assert_eq!((&shown["recipients"], &shown["leftOut"]), (&json!(2), &json!(0)));
    assert_eq!(shown["sample"]["recipient"], email(ids[1]), "the latest dates first, as in the class list");
    body["startDate"] = "2026-12-08".into();
    assert_eq!(staff.post(&preview, &body).await.json()["recipients"], 1);
    body["startDate"] = "2020-01-01".into();
    assert_eq!(staff.post(&preview, &body).await.json()["sample"], json!(null));
    staff.post(&path, &body).await.expect(StatusCode::CONFLICT);
    body["startDate"] = json!(null);
    body["expected"] = 3.into();
    let refused = staff.post(&path, &body).await.expect(StatusCode::CONFLICT);
    assert!(refused.message().contains("2 would get this email, not 3"), "{}", refused.message());
    assert_eq!(school.count("select count(*) from outbox where kind = 'office_message'"), 0);
    body["expected"] = 2.into();
    assert_eq!(staff.post(&path, &body).await.expect(StatusCode::OK).json(), json!({ "queued": 2 }));
    let mail = school.mail(&email(ids[1]), "Room 204").await;
    assert_eq!(mail.text.replace("\r\n", "\n").trim(), shown["sample"]["text"].as_str().unwrap().trim());
    school.mail(&email(ids[0]), "Room 204").await;
    assert_eq!(school.count("select count(*) from outbox where kind = 'office_message'"), 2);
    assert_eq!(
        school.count("select count(*) from audit where action = 'write email' and object = 'course'"),
        1
    );
    for id in &ids[..2] {
        let page = staff.get(&format!("/api/admin/students/{}", student(*id))).await.json();
        assert_eq!(
            (&page["emails"][0]["subject"], &page["history"][0]["after"]),
            (&json!("Room 204"), &json!("Room 204"))
        );
    }
    staff.post("/api/admin/courses/999/emails", &body).await.expect(StatusCode::NOT_FOUND);
    for role in [Role::Bursar, Role::Viewer] {
        school.staff_as(role).await.post(&path, &body).await.expect(StatusCode::FORBIDDEN);
    }
}

#[tokio::test]
async fn a_class_of_two_hundred_leaves_the_mail_budget_as_it_was() {
    let school = School::open_with(|config| {
        config.mail.strangers_per_day = 3;
        config.mail.recipient_per_hour = 2;
    })
    .await;
    let staff = school.staff().await;
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    school
        .database()
        .execute_batch(&format!(
            "begin;
         with recursive n(i) as (select 1001 union all select i + 1 from n where i < 1200)
         insert into students (id, email, password_hash, status, full_name, created_at, updated_at)
         select i, 'pupil' || i || '@mail.example', 'x', 'active', 'Pupil ' || i, 0, 0 from n;
         insert into enrollments (student_id, course_id, status, start_date, end_date, created_at)
         select id, {course}, 'active', '2026-12-01', '2027-04-01', 0 from students where id > 1000;
         commit"
        ))
        .unwrap();
    let path = format!("/api/admin/courses/{course}/emails");
    for sent in [200, 400] {
        let words = format!("On Monday we meet in room {sent}.");
        let body = json!({ "subject": "Another room", "body": words, "expected": 200 });
        assert_eq!(staff.post(&path, &body).await.expect(StatusCode::OK).json()["queued"], 200);
        assert_eq!(school.count("select count(*) from outbox where kind = 'office_message'"), sent);
    }
    // The same words from another window are the same email.
    let again =
        json!({ "subject": "Another room", "body": "On Monday we meet in room 400.", "expected": 200 });
    assert_eq!(staff.post(&path, &again).await.expect(StatusCode::OK).json()["queued"], 200);
    assert_eq!(school.count("select count(*) from outbox where kind = 'office_message'"), 400);
    assert_eq!(
        school.count("select count(*) from outbox where next_attempt_at > created_at + 60 and attempts = 0"),
        0
    );
    // A visitor who registers afterwards still gets the link.
    school.visitor().register("mei@mail.example").await.expect(StatusCode::CREATED);
    school.mail("mei@mail.example", "Verify your email address").await;
}
