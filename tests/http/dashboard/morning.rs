//! The email to the office on weekday mornings.

use jiff::{SignedDuration, Timestamp};
use reqwest::StatusCode;
use schoolhouse::testing::{Config, Role, send_waiting};
use serde_json::{Value, json};

use crate::support::{Actor, Answer, Mail, PASSWORD, School};

const OFFICE: &str = "office@northgate.example";

/// Moves the clock to an instant, and has the office told what is due then.
async fn at(school: &School, instant: &str) {
    let instant: Timestamp = instant.parse().unwrap();
    school.advance(instant.duration_since(school.clock.now()));
    send_waiting(school.app()).await.unwrap();
}

async fn told(school: &School) -> Vec<Mail> {
    told_to(school, OFFICE).await
}

async fn told_to(school: &School, address: &str) -> Vec<Mail> {
    let mails = school.all_mails().await.into_iter();
    mails.filter(|mail| mail.to == address && mail.subject.ends_with("for the office")).collect()
}

/// A school on a Saturday, where a message waits.
async fn with_a_message(change: impl FnOnce(&mut Config)) -> School {
    let school = School::open_with(change).await;
    send_waiting(school.app()).await.unwrap();
    let visitor = school.visitor();
    visitor
        .write_message("Mei Tanaka", "mei@mail.example", "Is the office open?")
        .await
        .expect(StatusCode::OK);
    school
}

#[tokio::test]
async fn the_office_gets_a_summary_without_names_on_weekdays_at_half_past_seven() {
    let school = with_a_message(|_| ()).await;
    for early in ["2026-11-22T15:00:00Z", "2026-11-23T12:29:59Z"] {
        at(&school, early).await;
        assert_eq!(told(&school).await.len(), 0, "{early}");
    }
    at(&school, "2026-11-23T12:30:00Z").await;
    let mails = told(&school).await;
    assert_eq!((mails.len(), &*mails[0].subject), (1, "1 thing waits for the office"));
    let text = &mails[0].text;
    assert!(text.contains("1 unread message, since November 21, 2026"), "{text}");
    assert!(text.contains("/admin/messages?status=new"), "{text}");
    assert!(!text.contains("Mei") && !text.contains("mail.example"), "{text}");
    let school = school.reopen().await;
    for again in
        ["2026-11-23T12:31:00Z", "2026-11-23T11:00:00Z", "2026-11-23T22:00:00Z", "2026-11-24T12:29:00Z"]
    {
        at(&school, again).await;
        assert_eq!(told(&school).await.len(), 1, "{again}");
    }
    at(&school, "2026-11-24T12:30:00Z").await;
    assert_eq!(told(&school).await.len(), 2);
}

#[tokio::test]
async fn nothing_is_sent_where_nothing_waits_or_the_office_turned_it_off() {
    let school = with_a_message(|_| ()).await;
    let staff = school.staff().await;
    let page = staff.get("/api/admin/settings").await.expect(StatusCode::OK).json();
    assert_eq!(page["settings"]["waitingEmail"], true, "on by default");
    let mut settings = page["settings"].clone();
    settings["waitingEmail"] = json!(false);
    let draft = json!({ "version": page["version"], "settings": settings });
    let saved = staff.send(staff.request("PUT", "/api/admin/settings/draft").json(&draft)).await;
    let saved = saved.expect(StatusCode::OK).json();
    assert_eq!(saved["changes"], json!(["Weekday email"]));
    let version = json!({ "version": saved["version"] });
    staff.post("/api/admin/settings/publish", &version).await.expect(StatusCode::OK);
    at(&school, "2026-11-23T12:30:00Z").await;
    assert_eq!(told(&school).await.len(), 0);

    let school = School::open().await;
    send_waiting(school.app()).await.unwrap();
    at(&school, "2026-11-23T12:30:00Z").await;
    school.visitor().write_message("Mei", "mei@mail.example", "Is the office open?").await;
    at(&school, "2026-11-23T18:00:00Z").await;
    assert_eq!(told(&school).await.len(), 0, "the next morning tells of it");
    at(&school, "2026-11-24T12:30:00Z").await;
    assert_eq!(told(&school).await.len(), 1);
}

#[tokio::test]
async fn a_wish_to_leave_is_mailed_to_the_office_at_once_and_so_is_its_end() {
    let school = School::open().await;
    let staff = school.staff().await;
    let student = school.student().await;
    student.patch("/api/students/me", &crate::support::profile(&student.email)).await.expect(StatusCode::OK);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone();
    let approve = format!("/api/admin/enrollments/{id}/approve");
    staff.post(&approve, &json!({})).await.expect(StatusCode::OK);
    let leave = format!("/api/students/enrollments/{id}/leave");
    let reason = json!({ "reason": "We are moving to Halifax in January." });
    student.post(&leave, &reason).await.expect(StatusCode::OK);
    student.post(&leave, &reason).await.expect(StatusCode::OK);
    let mail = school.mail(OFFICE, "Request to leave: ENG4U").await;
    for words in [
        "Amara Okonkwo",
        "> We are moving to Halifax in January.",
        "November 21, 2026",
        "/admin/enrollments?tab=leaving",
    ] {
        assert!(mail.text.contains(words), "{words}: {}", mail.text);
    }
    student.post(&format!("{leave}/cancel"), &json!({})).await.expect(StatusCode::OK);
    school.mail(OFFICE, "No longer wants to leave: ENG4U").await;
    let count = |subject: &str| format!("select count(*) from outbox where subject like '{subject}%'");
    assert_eq!(school.count(&count("Request to leave")), 1, "the same words again are not another wish");
}

#[tokio::test]
async fn a_student_who_changes_their_mind_all_day_cannot_flood_the_office() {
    let school = School::open_with(|config| config.mail.recipient_per_hour = 2).await;
    let staff = school.staff().await;
    let student = school.student().await;
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone();
    staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await.expect(StatusCode::OK);
    let leave = format!("/api/students/enrollments/{id}/leave");
    for round in 0..6 {
        let reason = json!({ "reason": format!("This is reason number {round}.") });
        student.post(&leave, &reason).await.expect(StatusCode::OK);
        if round < 5 {
            student.post(&format!("{leave}/cancel"), &json!({})).await.expect(StatusCode::OK);
        }
    }
    let all = "select count(*) from outbox where kind = 'leave_request'";
    assert_eq!(school.count(all), 3, "two at once, and one that waits its turn");
    school.advance(SignedDuration::from_hours(1));
    let mails = school.all_mails().await;
    let last = mails.iter().rfind(|mail| mail.to == OFFICE).unwrap();
    assert!(last.text.contains("This is reason number 5."), "the office ends with what is so: {}", last.text);
}

async fn choose(staff: &Actor, is_on: bool) -> Answer {
    staff.send(staff.request("PUT", "/api/user/digest").json(&json!({ "isOn": is_on }))).await
}

#[tokio::test]
async fn a_staff_member_chooses_the_email_about_what_the_own_role_acts_on() {
    let school = with_a_message(|_| ()).await;
    let admin = school.staff().await;
    let bursar = school.staff_as(Role::Bursar).await;
    let user = admin.get("/api/user").await.json();
    assert_eq!(user["digest"], false, "off by default");
    let wrong = admin.send(admin.request("PUT", "/api/user/digest").json(&json!({ "isOn": "yes" }))).await;
    assert_eq!(wrong.fields(), json!({ "isOn": "Must be true or false" }));
    for staff in [&admin, &admin, &bursar] {
        assert_eq!(choose(staff, true).await.expect(StatusCode::OK).json()["digest"], true);
    }
    assert_eq!(school.count("select count(*) from audit where action = 'set weekday email'"), 2);
    assert_eq!(admin.get("/api/user").await.json()["digest"], true);
    let address = |user: &Value| user["email"].as_str().unwrap().to_owned();
    let (own, others) = (address(&user), address(&bursar.get("/api/user").await.json()));
    at(&school, "2026-11-23T12:30:00Z").await;
    let mails = told_to(&school, &own).await;
    assert_eq!(mails.len(), 1);
    assert!(mails[0].text.contains("Your account page turns it off."), "{}", mails[0].text);
    assert_eq!(told_to(&school, &others).await.len(), 0, "a bursar reads no messages");
    assert_eq!(told(&school).await.len(), 1);

    let login = json!({ "username": user["username"], "password": PASSWORD });
    admin.post("/api/login", &login).await.expect(StatusCode::OK);
    choose(&admin, false).await.expect(StatusCode::OK);
    at(&school, "2026-11-24T12:30:00Z").await;
    assert_eq!((told_to(&school, &own).await.len(), told(&school).await.len()), (1, 2));
}

#[tokio::test]
async fn a_disabled_account_and_one_without_its_second_factor_get_no_email() {
    let school = with_a_message(|config| config.office.second_factor_required = vec![Role::Registrar]).await;
    let admin = school.staff().await;
    let (former, registrar) = (school.staff_as(Role::Admin).await, school.staff_as(Role::Registrar).await);
    let mut addresses = Vec::new();
    for staff in [&admin, &former, &registrar] {
        let user = choose(staff, true).await.expect(StatusCode::OK).json();
        addresses.push((user["id"].clone(), user["email"].as_str().unwrap().to_owned()));
    }
    let disable = format!("/api/admin/staff/{}/disable", addresses[1].0);
    admin.post(&disable, &json!({})).await.expect(StatusCode::OK);
    at(&school, "2026-11-23T12:30:00Z").await;
    let mut told = Vec::new();
    for (_, address) in &addresses {
        told.push(told_to(&school, address).await.len());
    }
    assert_eq!(told, [1, 0, 0]);
}
