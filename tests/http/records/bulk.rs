//! What the office does with many students at once.

use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use crate::support::{School, profile};

#[tokio::test]
async fn a_bulk_email_reaches_each_student_separately_and_skips_unknown_numbers() {
    let school = School::open().await;
    let staff = school.staff().await;
    let (first, second, third) = (school.student().await, school.student().await, school.student().await);
    second.patch("/api/students/me", &profile(&second.email)).await.expect(StatusCode::OK);
    let path = "/api/admin/students/emails";
    for wrong in [json!([]), json!((1..=201).collect::<Vec<i64>>()), json!("all")] {
        let fields = staff.post(path, &json!({ "ids": wrong, "subject": "x" })).await.fields();
        assert_eq!(
            fields,
            json!({ "ids": "Choose 1 to 200 students", "subject": "Subject is required",
                "body": "Write at least 10 characters" })
        );
    }
    let body = json!({ "ids": [second.id, 999_999, first.id, second.id], "subject": "No school on Friday",
        "body": "The building is closed.\n\nThe office" });
    let shown = staff.post(&format!("{path}/preview"), &body).await.expect(StatusCode::OK).json();
    assert_eq!((&shown["recipients"], &shown["sample"]["recipient"]), (&json!(3), &json!(second.email)));
    assert_eq!(school.count("select count(*) from outbox where kind = 'office_message'"), 0, "only shown");
    let done = staff.post(path, &body).await.expect(StatusCode::OK).json();
    let results: Vec<_> =
        done["results"].as_array().unwrap().iter().map(|one| json!([one["id"], one["ok"]])).collect();
    assert_eq!(results, [json!([second.id, true]), json!([999_999, false]), json!([first.id, true])]);
    assert_eq!(
        (&done["results"][1]["status"], &done["results"][1]["message"]),
        (&json!(404), &json!("Student not found"))
    );
    let mail = school.mail(&second.email, "No school on Friday").await;
    assert_eq!(
        mail.text.replace("\r\n", "\n").trim(),
        shown["sample"]["text"].as_str().unwrap().trim(),
        "as it was shown"
    );
    assert!(mail.text.starts_with("Hello Amara Okonkwo,"), "{}", mail.text);
    school.mail(&first.email, "No school on Friday").await;
    let count = |what: &str| school.count(&format!("select count(*) from {what}"));
    assert_eq!(count("outbox where kind = 'office_message'"), 2);
    assert_eq!(count("audit where action = 'write email' and object = 'student'"), 2);
    assert_eq!(count("student_history where field = 'officeEmail'"), 2);
    let page = staff.get(&format!("/api/admin/students/{}", third.id)).await.json();
    assert!(page["history"].as_array().unwrap().is_empty());
    school.staff_as(Role::Bursar).await.post(path, &body).await.expect(StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn an_email_to_many_goes_to_guardians_of_the_minors_too_as_the_preview_says() {
    let school = School::open().await;
    let staff = school.staff().await;
    let (minor, adult) = (school.student().await, school.student().await);
    let path = "/api/admin/students/emails";
    for (student, born) in [(&minor, "2010-03-04"), (&adult, "2000-03-04")] {
        school.count(&format!(
            "update students set date_of_birth = '{born}' where id = {} returning 1",
            student.id
        ));
        let guardians = json!([
            { "name": "Ngozi Okonkwo", "email": "ngozi@mail.example", "relationship": "mother", "isPrimary": true },
            { "name": "Emeka Okonkwo", "email": "emeka@mail.example", "relationship": "father", "getsMail": false },
        ]);
        let path = format!("/api/admin/students/{}/guardians", student.id);
        staff.send(staff.request("PUT", &path).json(&guardians)).await.expect(StatusCode::OK);
    }
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    school
        .database()
        .execute(
            "insert into enrollments (student_id, course_id, status, start_date, end_date, created_at)
             select id, ?1, 'active', '2026-11-01', '2027-04-01', 0 from students",
            [course],
        )
        .unwrap();
    let class = format!("/api/admin/courses/{course}/emails");
    let all = json!([minor.id, adult.id]);
    for (path, subject) in [(path.to_owned(), "No school on Friday"), (class, "Room 204")] {
        let body =
            json!({ "ids": all, "subject": subject, "body": "Please read this today.", "expected": 2 });
        let shown = staff.post(&format!("{path}/preview"), &body).await.expect(StatusCode::OK).json();
        assert_eq!((&shown["recipients"], &shown["copies"]), (&json!(2), &json!(1)), "{path}");
        staff.post(&path, &body).await.expect(StatusCode::OK);
        let copy = school.mail("ngozi@mail.example", subject).await;
        assert!(copy.text.contains("Please read this today."), "{}", copy.text);
        assert!(copy.text.contains("You get a copy as a parent or guardian."), "{}", copy.text);
        assert_eq!(school.count(&format!("select count(*) from outbox where subject = '{subject}'")), 3);
    }
    // A guardian who was stopped is not written to, by either door.
    school.count("update guardians set stopped_at = 1, stopped_reason = 'Court order' where email = 'ngozi@mail.example' returning 1");
    let body = json!({ "ids": all, "subject": "Snow day", "body": "Please read this today." });
    assert_eq!(staff.post(&format!("{path}/preview"), &body).await.json()["copies"], 0);
    staff.post(path, &body).await.expect(StatusCode::OK);
    assert_eq!(school.count("select count(*) from outbox where subject = 'Snow day'"), 2);
}

#[tokio::test]
async fn many_get_their_verification_link_again_but_for_those_who_need_none() {
    let school = School::open().await;
    let (staff, verified) = (school.staff().await, school.student().await);
    let mut ids = vec![verified.id];
    for number in 0..3 {
        let new = json!({ "fullName": "Mei Tanaka", "email": format!("mei{number}@mail.example"), "invite": false });
        ids.push(staff.post("/api/admin/students", &new).await.json()["id"].as_i64().unwrap());
    }
    let path = "/api/admin/students/resend-verification";
    assert!(staff.post(path, &json!({})).await.fields()["ids"].is_string());
    let done = staff.post(path, &json!({ "ids": ids })).await.expect(StatusCode::OK).json();
    let oks: Vec<&Value> = done["results"].as_array().unwrap().iter().map(|one| &one["ok"]).collect();
    assert_eq!(oks, [false, true, true, true]);
    assert_eq!(done["results"][0]["message"], "This student’s email address is verified already.");
    let queued = "select count(*) from outbox where recipient like 'mei%@mail.example'";
    assert_eq!(school.count(queued), 3);
    assert_eq!(school.count("select count(*) from audit where action = 'resend verification'"), 3);
    school
        .staff_as(Role::Viewer)
        .await
        .post(path, &json!({ "ids": ids }))
        .await
        .expect(StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn the_same_email_to_the_same_students_is_sent_once_a_day() {
    let school = School::open().await;
    let staff = school.staff().await;
    let student = school.student().await;
    let email =
        json!({ "ids": [student.id], "subject": "No classes on Friday", "body": "The school is closed." });
    let sent = "select count(*) from outbox where subject = 'No classes on Friday'";
    let first = staff.post("/api/admin/students/emails", &email).await.expect(StatusCode::OK).json();
    // From another window, and again after an answer that was lost.
    for _ in 0..2 {
        let again = staff.post("/api/admin/students/emails", &email).await.expect(StatusCode::OK).json();
        assert_eq!(again, json!({ "results": [{ "id": student.id, "ok": true }] }));
    }
    assert_eq!(first["results"][0]["row"]["id"], student.id);
    // What reached no one can be tried again.
    let mut unknown = email.clone();
    unknown["ids"] = json!([999_999]);
    for _ in 0..2 {
        let refused = staff.post("/api/admin/students/emails", &unknown).await.expect(StatusCode::OK).json();
        assert_eq!(refused["results"][0]["status"], 404);
    }
    assert_eq!(school.count("select count(*) from idempotency"), 1);
    assert_eq!(school.count(sent), 1);
    let mut other = email.clone();
    other["body"] = json!("The school is closed all day.");
    staff.post("/api/admin/students/emails", &other).await.expect(StatusCode::OK);
    assert_eq!(school.count(sent), 2, "other words are another email");
    school.advance(jiff::SignedDuration::from_hours(24));
    let staff = school.staff().await;
    staff.post("/api/admin/students/emails", &email).await.expect(StatusCode::OK);
    assert_eq!(school.count(sent), 3, "and so are the same words another day");
}
