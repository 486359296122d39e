//! Changes of a section with students: held for undo, undone whole, and told once they stand.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{LINK, Scene, WHY};

#[tokio::test]
async fn a_class_of_25_that_moves_is_told_once_or_not_at_all() {
    let scene = Scene::open().await;
    let (school, staff, section) = (&scene.school, &scene.staff, scene.section(scene.course).await);
    scene.fill(&section, 25);
    // A parent who gets emails, and one of a student of age.
    school
        .database()
        .execute_batch(
            "insert into guardians (student_id, name, email, is_primary, gets_mail, created_at)
             select id, 'Chidi', 'chidi@mail.example', 1, 1, 0 from students order by id limit 1;
         insert into guardians (student_id, name, email, is_primary, gets_mail, created_at)
             select id, 'Ngozi', 'ngozi@mail.example', 1, 0, 0 from students order by id limit 1 offset 1;",
        )
        .unwrap();
    let path = format!("/api/admin/sections/{}", section["id"]);
    let hours = |weekday| {
        let mut meetings = section["meetings"].clone();
        meetings[0]["weekday"] = json!(weekday);
        json!({ "meetings": meetings })
    };
    let current = async || {
        let rows = staff.get(&format!("/api/admin/sections?course={}", scene.course)).await.json();
        rows[0].clone()
    };
    let moved = staff.patch(&path, &hours(3)).await.expect(StatusCode::OK).json();
    assert_eq!((&moved["meetings"][0]["weekday"], scene.held()), (&json!(3), 26), "{moved}");
    scene.undo(&moved).await.expect(StatusCode::OK);
    scene.undo(&moved).await.expect(StatusCode::OK);
    assert_eq!((current().await["meetings"].clone(), scene.held()), (section["meetings"].clone(), 0));

    // Dates move with the section, each with an event; those that the office gave a student stay.
    school.count("update enrollments set end_date = '2027-04-30' where id = 1 returning 1");
    let dates = json!({ "startsOn": "2026-11-24", "endsOn": "2027-03-30" });
    let moved = staff.patch(&path, &dates).await.expect(StatusCode::OK).json();
    let on = |start: &str, end: &str| {
        school.count(&format!(
            "select count(*) from enrollments where start_date = '{start}' and end_date = '{end}'"
        ))
    };
    assert_eq!((on("2026-11-24", "2027-03-30"), on("2026-11-24", "2027-04-30")), (24, 1));
    let decision = moved["undo"]["id"].as_str().unwrap();
    let events = format!(
        "select count(*) from enrollment_events where verb = 'change_dates' and decision_id = '{decision}'"
    );
    assert_eq!((school.count(&events), scene.held()), (25, 26));
    scene.undo(&moved).await.expect(StatusCode::OK);
    assert_eq!((on("2026-11-23", "2027-03-26"), on("2026-11-23", "2027-04-30"), scene.held()), (24, 1, 0));
    scene.pass().await;
    let emails = school.all_mails().await;
    assert!(!emails.iter().any(|mail| mail.subject.contains("hours of your course")), "none has left");

    // A price or a link is told to no student; a second change stands in the way of undoing the first.
    let priced = staff.patch(&path, &json!({ "price": 450 })).await.expect(StatusCode::OK).json();
    assert_eq!((&priced["undo"], scene.held()), (&Value::Null, 0));
    let first = staff.patch(&path, &hours(3)).await.expect(StatusCode::OK).json();
    staff.patch(&path, &json!({ "price": 460 })).await.expect(StatusCode::OK);
    let late = scene.undo(&first).await.expect(StatusCode::CONFLICT);
    assert!(late.message().contains("changed since"), "{}", late.text());
    assert_eq!(scene.held(), 26, "still to be told");
    scene.pass().await;
    let told = school.mail("pupil24@mail.example", "The hours of your course have changed").await;
    for words in [
        "Tuesday and Thursday 19:00 to 20:30 (Toronto time)",
        "Thursday and Wednesday 19:00 to 20:30",
        "A course (MHF4U), section A",
    ] {
        let words = words.replace("Thursday and Wednesday", "Wednesday and Thursday");
        assert!(told.text.replace('\n', " ").contains(&words), "{words} in {}", told.text);
    }
    let all = school.all_mails().await;
    assert!(all.iter().any(|mail| mail.to == "chidi@mail.example"));
    assert!(!all.iter().any(|mail| mail.to == "ngozi@mail.example" || mail.text.contains(LINK)));
    assert_eq!(all.iter().filter(|mail| mail.subject.contains("hours of your course")).count(), 26);
    scene.undo(&first).await.expect(StatusCode::CONFLICT);
}

#[tokio::test]
async fn a_single_class_is_cancelled_and_held_after_all() {
    let scene = Scene::open().await;
    let (school, staff, section) = (&scene.school, &scene.staff, scene.section(scene.course).await);
    let student = school.student().await;
    scene.enroll(&student, &section).await;
    scene.pass().await;
    let path = |verb: &str| format!("/api/admin/sections/{}/classes/{verb}", section["id"]);
    let is_cancelled = async || {
        let week = student.get("/api/students/week?date=2026-11-24").await.json();
        (week[0]["isCancelled"].clone(), week[1]["isCancelled"].clone())
    };
    let class = json!({ "date": "2026-11-24", "reason": WHY });
    let cancelled = staff.post(&path("cancel"), &class).await.expect(StatusCode::OK).json();
    assert_eq!(
        cancelled["cancelledClasses"],
        json!([{ "date": "2026-11-24", "startsAt": null, "reason": WHY }])
    );
    assert_eq!((is_cancelled().await, scene.held()), ((json!(true), json!(false)), 1));
    let listed = staff.get("/api/admin/sections").await.json();
    assert_eq!(listed[0]["cancelledClasses"], cancelled["cancelledClasses"]);
    let again = staff.post(&path("cancel"), &class).await.expect(StatusCode::OK).json();
    assert_eq!((&again["undo"], scene.held()), (&Value::Null, 1), "changes nothing");
    assert!(cancelled["decidedAt"].is_string() && again["decidedAt"].is_null(), "{cancelled}");
    scene.undo(&cancelled).await.expect(StatusCode::OK);
    assert_eq!((is_cancelled().await, scene.held()), ((json!(false), json!(false)), 0));

    let class = json!({ "date": "2026-11-24", "startsAt": "19:00", "reason": WHY });
    staff.post(&path("cancel"), &class).await.expect(StatusCode::OK);
    scene.pass().await;
    let told = school.mail(&student.email, "A class is cancelled").await.text.replace('\n', " ");
    assert!(told.contains("Tuesday, November 24, 2026, Tuesday 19:00 to 20:30 (Toronto time)"), "{told}");
    assert!(told.contains(WHY) && !told.contains(LINK), "{told}");
    let page = staff.get(&format!("/api/admin/courses/{}", scene.course)).await.json();
    assert_eq!(page["sections"][0]["cancelledClasses"][0]["startsAt"], "19:00");
    let restored = staff.post(&path("restore"), &class).await.expect(StatusCode::OK).json();
    assert_eq!(
        (&restored["cancelledClasses"], is_cancelled().await),
        (&json!([]), (json!(false), json!(false)))
    );
    scene.undo(&restored).await.expect(StatusCode::OK);
    assert_eq!(is_cancelled().await.0, true, "the email has left, and stands");

    for (body, field) in [
        (json!({ "date": "2026-11-25", "reason": WHY }), "date"),
        (json!({ "date": "2026-12-22", "reason": WHY }), "date"),
        (json!({ "date": "2026-11-17", "reason": WHY }), "date"),
        (json!({ "date": "2026-11-26", "reason": "Ill" }), "reason"),
        (json!({ "date": "2026-11-26", "startsAt": "7 pm", "reason": WHY }), "startsAt"),
    ] {
        let refused = staff.post(&path("cancel"), &body).await.fields();
        assert!(refused[field].is_string(), "{body}: {refused}");
    }
}

#[tokio::test]
async fn the_students_of_a_cancelled_section_wait_until_each_is_moved_or_has_left() {
    let scene = Scene::open().await;
    let (school, staff) = (&scene.school, &scene.staff);
    let (section, other) = (scene.section(scene.course).await, scene.section(scene.course).await);
    let (one, two) = (school.student().await, school.student().await);
    let ids = [scene.enroll(&one, &section).await, scene.enroll(&two, &section).await];
    let asking = school.student().await;
    let body = json!({ "courseId": scene.course, "sectionId": section["id"] });
    let asked = asking.post("/api/students/enrollments", &body).await.expect(StatusCode::CREATED).json();
    assert_eq!(
        (&asked["section"]["label"], &asked["section"]["meetings"][0]["link"]),
        (&json!("A"), &Value::Null)
    );
    scene.pass().await;
    let waiting = async || {
        let lines = staff.get("/api/admin/waiting").await.expect(StatusCode::OK).json();
        let line = lines.as_array().unwrap().iter().find(|line| line["kind"] == "transfers").unwrap().clone();
        let listed = staff.get("/api/admin/enrollments?due=transfer&page=1").await.expect(StatusCode::OK);
        assert_eq!(line["count"], listed.total());
        assert_eq!(staff.get("/api/admin/enrollments/counts").await.json()["transferring"], listed.total());
        listed.total()
    };
    let path = format!("/api/admin/sections/{}/cancel", section["id"]);
    staff.post(&path, &json!({ "reason": "Ill" })).await.expect(StatusCode::BAD_REQUEST);
    let cancelled = staff.post(&path, &json!({ "reason": WHY })).await.expect(StatusCode::OK).json();
    assert_eq!(
        (&cancelled["status"], scene.held(), waiting().await),
        (&json!("cancelled"), 3, 3),
        "those who take it, and who asked for it"
    );
    scene.undo(&cancelled).await.expect(StatusCode::OK);
    assert_eq!((scene.held(), waiting().await), (0, 0));
    staff.post(&path, &json!({ "reason": WHY })).await.expect(StatusCode::OK);
    let again = staff.post(&path, &json!({ "reason": WHY })).await.expect(StatusCode::OK).json();
    assert_eq!(again["undo"], Value::Null);
    scene.pass().await;
    let told = school.mail(&one.email, "Your class is cancelled").await.text.replace('\n', " ");
    assert!(told.contains(WHY) && told.contains("Section B, Winter 2027: Tuesday and Thursday"), "{told}");
    staff
        .patch(&format!("/api/admin/sections/{}", section["id"]), &json!({ "price": 1 }))
        .await
        .expect(StatusCode::CONFLICT);

    let approve = format!("/api/admin/enrollments/{}/approve", asked["id"]);
    staff.post(&approve, &json!({})).await.expect(StatusCode::CONFLICT);
    let body = json!({ "sectionId": other["id"], "reason": WHY });
    staff.post(&format!("/api/admin/enrollments/{}/transfer", ids[0]), &body).await.expect(StatusCode::OK);
    assert_eq!(waiting().await, 2);
    let body = json!({ "sectionId": section["id"], "reason": WHY });
    let refused = staff.post(&format!("/api/admin/enrollments/{}/transfer", ids[1]), &body).await.fields();
    assert!(refused["sectionId"].is_string(), "{refused}");
    let leave = json!({ "effectiveOn": "2026-11-22", "reason": WHY });
    staff.post(&format!("/api/admin/enrollments/{}/withdraw", ids[1]), &leave).await.expect(StatusCode::OK);
    assert_eq!(waiting().await, 1, "who has asked");
}
