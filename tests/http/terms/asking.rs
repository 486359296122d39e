//! Asking for a section: its days, its price, its seats, and until when.

use jiff::SignedDuration;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{course, section};
use crate::support::{Actor, Answer, School};

async fn ask(student: &Actor, course: i64, section: &Value) -> Answer {
    student.post("/api/students/enrollments", &json!({ "courseId": course, "sectionId": section })).await
}

#[tokio::test]
async fn a_section_is_asked_for_at_its_price_until_the_day_has_ended_at_the_school() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let (id, term) = course(&school, &staff).await;
    let live = section(&staff, id, &term, json!({ "price": 600 })).await;
    let own_pace = section(&staff, id, &term, json!({ "price": 450, "delivery": "asynchronous" })).await;
    let planned = section(&staff, id, &term, json!({ "status": "planned" })).await;
    let other = school.course(&staff, "SBI4U", json!(500)).await;
    let elsewhere = section(&staff, other, &term, json!({})).await;
    // With open sections, one of them or own days; the semester's form of a course without sections stays as it was.
    for body in [json!({ "courseId": id }), json!({ "courseId": id, "startDate": "2026-12-01" })] {
        let fields = student.post("/api/students/enrollments", &body).await.fields();
        assert_eq!(fields, json!({ "sectionId": "Please choose a section of this course" }), "{body}");
    }
    for wrong in [&planned, &elsewhere, &json!(999), &json!("A")] {
        assert!(ask(&student, id, wrong).await.fields()["sectionId"].is_string(), "{wrong}");
    }
    let own = json!({ "courseId": id, "startDate": "2026-12-01", "endDate": "2027-03-31" });
    let own =
        school.student().await.post("/api/students/enrollments", &own).await.expect(StatusCode::CREATED);
    assert_eq!((&own.json()["quotedPrice"], &own.json()["isLateEntry"]), (&json!(549), &json!(false)));
    // Days and quote are the section's, whatever is typed.
    let body = json!({ "courseId": id, "sectionId": live, "startDate": "soon", "endDate": "1999-01-01" });
    let made = student.post("/api/students/enrollments", &body).await.expect(StatusCode::CREATED).json();
    assert_eq!(
        [&made["startDate"], &made["endDate"], &made["quotedPrice"], &made["isLateEntry"]],
        [&json!("2026-11-02"), &json!("2027-02-26"), &json!(600), &json!(true)]
    );
    let mail = school.mail(&student.email, "We have your enrollment request").await;
    assert!(mail.text.contains("began on November 2, 2026, so you join late"), "{}", mail.text);
    // The office charges the section's price of today once the quote has lapsed, not the course's.
    staff
        .patch(&format!("/api/admin/sections/{live}"), &json!({ "price": 610 }))
        .await
        .expect(StatusCode::OK);
    let row = staff.get("/api/admin/enrollments/pending").await.column("current_fee");
    assert!(row.contains(&json!(610)) && row.contains(&json!(549)), "{row:?}");
    // 23:59:59 in Toronto, when it is tomorrow in Lagos and Shanghai.
    school.advance(
        "2026-11-22T04:59:59Z".parse::<jiff::Timestamp>().unwrap().duration_since(school.clock.now()),
    );
    let late = school.student().await;
    ask(&late, id, &own_pace).await.expect(StatusCode::CREATED);
    // Midnight there, when it is still the last day in Honolulu; without a section to join, own days are asked for.
    school.advance(SignedDuration::from_secs(1));
    let late = school.student().await;
    let over =
        "Section B could be joined until November 21, 2026. Please choose another one, or ask the office.";
    assert_eq!(ask(&late, id, &own_pace).await.fields(), json!({ "sectionId": over }));
    let fields = late.post("/api/students/enrollments", &json!({ "courseId": id })).await.fields();
    assert_eq!(fields.as_object().unwrap().keys().collect::<Vec<_>>(), ["endDate", "startDate"]);
    // The office enrolls a student for a reason; the session of before has ended.
    let staff = school.staff().await;
    let body = json!({ "studentId": late.id, "courseId": id, "sectionId": own_pace, "reason": "Agreed on the phone." });
    let made = staff.post("/api/admin/enrollments", &body).await.expect(StatusCode::CREATED).json();
    assert_eq!([&made["startDate"], &made["chargedPrice"]], [&json!("2026-11-02"), &json!(450)]);
}

#[tokio::test]
async fn two_approvers_give_away_the_last_seat_of_a_section_once_and_the_next_in_its_line_gets_it() {
    let school = School::open().await;
    let (staff, other) = (school.staff().await, school.staff().await);
    let (id, term) = course(&school, &staff).await;
    let small = section(&staff, id, &term, json!({ "capacity": 1 })).await;
    let large = section(&staff, id, &term, json!({ "capacity": 30 })).await;
    let (mut students, mut asked) = (Vec::new(), Vec::new());
    for section in [&small, &small, &large] {
        let student = school.student().await;
        asked.push(ask(&student, id, section).await.expect(StatusCode::CREATED).json()["id"].clone());
        students.push(student);
    }
    let approve = |id: &Value| format!("/api/admin/enrollments/{id}/approve");
    let body = json!({});
    let (first, second) = (approve(&asked[0]), approve(&asked[1]));
    let (one, two) = tokio::join!(staff.post(&first, &body), other.post(&second, &body));
    let mut statuses = [one.status, two.status];
    statuses.sort();
    assert_eq!(statuses, [StatusCode::OK, StatusCode::CONFLICT]);
    let (seated, refused) = if one.status == StatusCode::OK { (0, 1) } else { (1, 0) };
    let full = if refused == 0 { one } else { two };
    assert_eq!(full.json()["reason"], "capacity_full");
    // The other section has its own seats and its own line.
    staff.post(&approve(&asked[2]), &body).await.expect(StatusCode::OK);
    let waitlist = format!("/api/admin/enrollments/{}/waitlist", asked[refused]);
    let waiting = staff.post(&waitlist, &body).await.expect(StatusCode::OK).json();
    assert_eq!(waiting["waitlistPosition"], 1);
    let sections = staff.get(&format!("/api/admin/sections?course={id}")).await;
    assert_eq!(
        (sections.column("taken"), sections.column("waiting")),
        (vec![json!(1); 2], vec![json!(1), json!(0)])
    );
    let leave = json!({ "reason": "Moved to another city.", "effectiveOn": "2026-11-21", "refund": "none" });
    let path = format!("/api/admin/enrollments/{}/withdraw", asked[2]);
    staff.post(&path, &leave).await.expect(StatusCode::OK);
    assert_eq!(
        school.count("select count(*) from enrollments where offered_until > 0"),
        0,
        "another section's seat"
    );
    let path = format!("/api/admin/enrollments/{}/withdraw", asked[seated]);
    staff.post(&path, &leave).await.expect(StatusCode::OK);
    let path = format!("/api/students/enrollments/{}/accept-place", asked[refused]);
    students[refused].post(&path, &body).await.expect(StatusCode::OK);
    // A larger class takes one more.
    let one_more = school.student().await;
    let last = ask(&one_more, id, &small).await.expect(StatusCode::CREATED).json()["id"].clone();
    staff.post(&approve(&last), &body).await.expect(StatusCode::CONFLICT);
    staff
        .patch(&format!("/api/admin/sections/{small}"), &json!({ "capacity": 2 }))
        .await
        .expect(StatusCode::OK);
    staff.post(&approve(&last), &body).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn an_upgrade_is_for_students_who_completed_the_course_and_explained_to_others() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let (id, term) = course(&school, &staff).await;
    let upgrade = section(&staff, id, &term, json!({ "kind": "upgrade", "price": 300 })).await;
    let words = ask(&student, id, &upgrade).await.fields()["sectionId"].as_str().unwrap().to_owned();
    assert!(
        words.contains("completed MHF4U") && words.contains("send its transcript to the office"),
        "{words}"
    );
    let credit = json!({ "code": "MHF4U", "name": "Advanced Functions", "credits": 1, "mark": 61,
        "completedOn": "2026-06-20", "school": "Sample Park Collegiate" });
    let path = format!("/api/admin/students/{}/external-credits", student.id);
    staff.post(&path, &credit).await.expect(StatusCode::CREATED);
    assert_eq!(ask(&student, id, &upgrade).await.expect(StatusCode::CREATED).json()["quotedPrice"], 300);
    // The office may enroll a newcomer, with its reason.
    let newcomer = school.student().await;
    let body = json!({ "studentId": newcomer.id, "courseId": id, "sectionId": upgrade, "reason": "Agreed on the phone." });
    staff.post("/api/admin/enrollments", &body).await.expect(StatusCode::CREATED);
}
