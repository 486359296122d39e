//! Links, reminders, and copies of what the office decides.

use jiff::SignedDuration;
use reqwest::StatusCode;
use serde_json::json;

use super::{ASKED, CHIDI, chidi, child, confirm, family, guardian, request};
use crate::support::{School, eventually};
use schoolhouse::testing::Role;

const REMINDED: &str = "Reminder: please confirm a request";
const LINK: &str = "Your family page";

#[tokio::test]
async fn a_link_is_sent_to_the_addresses_that_students_name_and_the_answer_is_the_same() {
    let school = School::open().await;
    let student = child(&school, "Ada", "2010-02-28", chidi()).await;
    let visitor = school.visitor();
    assert!(visitor.post("/api/family/link", &json!({ "email": "x" })).await.fields()["email"].is_string());
    let mut answers = Vec::new();
    for email in ["unknown@mail.example", student.email.as_str(), "CHIDI@mail.example"] {
        let answer =
            visitor.post("/api/family/link", &json!({ "email": email })).await.expect(StatusCode::OK);
        answers.push(answer.text());
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    let visitor = guardian(&school, CHIDI, LINK).await;
    assert_eq!(family(&visitor).await["children"][0]["fullName"], "Ada");
    let token = school.mail(CHIDI, LINK).await.token("/family/");
    let mails = school.all_mails().await;
    assert_eq!(mails.iter().filter(|mail| mail.subject == LINK).count(), 1);
    // It works again until it expires, and what it began goes on.
    school.advance(SignedDuration::from_mins(29));
    visitor.post("/api/family/session", &json!({ "token": token })).await.expect(StatusCode::OK);
    school.advance(SignedDuration::from_mins(2));
    school
        .visitor()
        .post("/api/family/session", &json!({ "token": token }))
        .await
        .expect(StatusCode::NOT_FOUND);
    family(&visitor).await;
}

#[tokio::test]
async fn guardians_are_reminded_after_3_and_7_days_and_get_copies_while_the_student_is_under_18() {
    let school = School::open().await;
    let staff = school.staff().await;
    let [english, maths] =
        [school.course(&staff, "ENG4U", json!(500)).await, school.course(&staff, "MHF4U", json!(500)).await];
    // 18 in nine days.
    let student = child(&school, "Ada Okonkwo", "2008-11-30", chidi()).await;
    let other =
        child(&school, "Mei", "2010-01-01", json!([{ "name": "Wei", "email": "wei@mail.example" }])).await;
    let (first, second) = (request(&student, english).await, request(&student, maths).await);
    let done = request(&other, english).await;
    let wei = guardian(&school, "wei@mail.example", ASKED).await;
    confirm(&wei, &done, json!({ "name": "Wei" })).await.expect(StatusCode::OK);
    let count = async |school: &School, subject: &str, to: &str| {
        school.all_mails().await.iter().filter(|mail| mail.subject == subject && mail.to == to).count()
    };
    assert_eq!(count(&school, ASKED, CHIDI).await, 2);
    let mut school = school;
    for (days, reminders) in [(2, 0), (1, 1), (1, 1), (3, 2), (1, 2)] {
        school.advance(SignedDuration::from_hours(24 * days));
        // What is due is looked at right after the start.
        school = school.reopen().await;
        // What comes too often shows in the end.
        eventually(async || (count(&school, REMINDED, CHIDI).await >= reminders).then_some(())).await;
    }
    assert_eq!(count(&school, REMINDED, CHIDI).await, 2);
    let mail = school.mail(CHIDI, REMINDED).await;
    assert!(
        mail.text.contains("ENG4U") && mail.text.contains("MHF4U"),
        "one email about both: {}",
        mail.text
    );
    assert_eq!(count(&school, REMINDED, "wei@mail.example").await, 0);

    let school = school.reopen_with(|config| config.office.undo_seconds = 60).await;
    let approve = |id: &serde_json::Value| format!("/api/admin/enrollments/{id}/approve");
    let approved = staff_of(&school).await;
    let undo =
        approved.post(&approve(&first), &json!({})).await.expect(StatusCode::OK).json()["undo"]["id"].clone();
    approved
        .post(&format!("/api/admin/decisions/{}/undo", undo.as_str().unwrap()), &json!({}))
        .await
        .expect(StatusCode::OK);
    approved.post(&approve(&first), &json!({})).await.expect(StatusCode::OK);
    school.advance(SignedDuration::from_secs(61));
    let copy = school.mail(CHIDI, "Your enrollment is approved").await;
    for words in ["wrote this to Ada Okonkwo", "$500.00", "/family"] {
        assert!(copy.text.contains(words), "{words}: {}", copy.text);
    }
    assert!(!copy.text.contains("/student/dashboard"), "{}", copy.text);
    assert_eq!(count(&school, "Your enrollment is approved", CHIDI).await, 1, "what was undone was not sent");
    school.advance(SignedDuration::from_hours(48));
    // A session of the office ends after a day.
    let approved = staff_of(&school).await;
    approved.post(&approve(&second), &json!({})).await.expect(StatusCode::OK);
    school.advance(SignedDuration::from_secs(61));
    assert_eq!(count(&school, "Your enrollment is approved", &student.email).await, 2);
    assert_eq!(count(&school, "Your enrollment is approved", CHIDI).await, 1, "the student is 18");
}

#[tokio::test]
async fn the_office_reminds_guardians_whose_answer_is_awaited_once_a_day() {
    let school = School::open().await;
    let registrar = school.staff_as(Role::Registrar).await;
    let course = school.course(&registrar, "ENG4U", json!(500)).await;
    let student = child(&school, "Ada Okonkwo", "2010-11-30", chidi()).await;
    let adult = child(&school, "Bo", "1999-01-01", json!([])).await;
    let enrollment = request(&student, course).await;
    let both = json!({ "ids": [student.id, adult.id] });
    let remind = async |school: &School| {
        let staff = school.staff_as(Role::Registrar).await;
        let done =
            staff.post("/api/admin/students/remind-guardians", &both).await.expect(StatusCode::OK).json();
        done["results"].as_array().unwrap().iter().map(|one| one["message"].clone()).collect::<Vec<_>>()
    };
    let nothing =
        json!("No request of this student waits for a guardian who can be written to. Look at the address.");
    let today = json!("The guardian was written to today, and can be reminded tomorrow.");
    assert_eq!(remind(&school).await, [today.clone(), nothing.clone()], "the question left today");
    let sent = format!("select count(*) from outbox where subject = '{REMINDED}'");
    for reminders in [1, 2] {
        school.advance(SignedDuration::from_hours(24));
        assert_eq!(remind(&school).await, [json!(null), nothing.clone()]);
        assert_eq!(remind(&school).await[0], today);
        assert_eq!(school.count(&sent), reminders);
    }
    assert_eq!(school.count("select count(*) from audit where action = 'remind guardians'"), 2);
    let chidi = guardian(&school, CHIDI, REMINDED).await;
    confirm(&chidi, &enrollment, json!({ "name": "Chidi" })).await.expect(StatusCode::OK);
    school.advance(SignedDuration::from_hours(24));
    assert_eq!(remind(&school).await[0], nothing, "there is nothing to answer any more");
    let viewer = school.staff_as(Role::Viewer).await;
    viewer.post("/api/admin/students/remind-guardians", &both).await.expect(StatusCode::FORBIDDEN);
}

async fn staff_of(school: &School) -> crate::support::Actor {
    school.staff_as(Role::Registrar).await
}
