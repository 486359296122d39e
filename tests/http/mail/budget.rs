//! The mail budget: the school cannot be used to flood a mailbox or to send a stranger's text to one.

use jiff::SignedDuration;
use reqwest::{RequestBuilder, StatusCode};
use schoolhouse::testing::{Limits, Mail as MailSettings};
use serde_json::json;

use crate::support::{Actor, Mail, School, profile, wait_for};

/// A school with the limits that a real one begins with, behind a proxy on the same machine.
async fn school() -> School {
    school_with(|_| {}).await
}

async fn school_with(change: impl FnOnce(&mut MailSettings)) -> School {
    School::open_with(|config| {
        config.server.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
        config.mail = MailSettings::default();
        change(&mut config.mail);
    })
    .await
}

/// A request as the proxy passes it on for the client with this number.
fn from(client: usize, request: RequestBuilder) -> RequestBuilder {
    request.header("x-forwarded-for", format!("203.0.113.{client}"))
}

fn naming(actor: &Actor, path: &str, email: &str) -> RequestBuilder {
    actor.request("POST", path).json(&json!({ "email": email }))
}

fn count(mails: &[Mail], to: &str, subject: &str) -> usize {
    mails.iter().filter(|mail| mail.to == to && mail.subject == subject).count()
}

/// Waits until so many emails were not sent: what a visitor asks for is done after the answer.
async fn refused(school: &School, count: i64) {
    let refused = "select coalesce(sum(count), 0) from mail_hours where outcome in ('recipient', 'account', 'block', 'school')";
    wait_for(|| (school.count(refused) == count).then_some(())).await;
}

#[tokio::test]
async fn a_changing_profile_writes_to_few_strangers_and_with_none_of_its_words() {
    let school = school().await;
    let student = school.student().await;
    let mut body = profile(&student.email);
    body["fullName"] = "Buy cheap pills at pills.example".into();
    for number in 0..300 {
        body["email"] = format!("stranger{number}@victims.example").into();
        student.patch("/api/students/me", &body).await.expect(StatusCode::OK);
    }
    let mails = school.all_mails().await;
    let strangers: Vec<&Mail> = mails.iter().filter(|mail| mail.to.ends_with("@victims.example")).collect();
    assert_eq!(strangers.len(), 20);
    for mail in strangers {
        assert!(!mail.text.contains("pills") && !mail.html.contains("pills"), "{}", mail.text);
    }
    assert_eq!(count(&mails, &student.email, "Your email address is about to change"), 3);
    let waiting = "select count(*) from outbox where state = 'queued'";
    assert_eq!(school.count(waiting), 1, "the owner still gets an email about the last change");
    school.advance(SignedDuration::from_hours(1));
    school.app().mailer_wakeup.notify_one();
    assert_eq!(count(&school.all_mails().await, &student.email, "Your email address is about to change"), 4);
}

#[tokio::test]
async fn fifty_clients_cannot_flood_one_mailbox() {
    let school = school().await;
    let visitor = school.visitor();
    let victim = "victim@mail.example";
    for client in 0..50 {
        let spelling =
            if client % 2 == 0 { victim.to_owned() } else { format!("Victim+{client}@mail.example") };
        for request in [
            visitor.registration(&spelling),
            naming(&visitor, "/api/students/resend-verification", &spelling),
            naming(&visitor, "/api/students/forgot-password", &spelling),
            visitor.message("Buy cheap pills", &spelling, "Pills at pills.example"),
        ] {
            let answer = visitor.send(from(client, request)).await;
            assert!(answer.status.is_success(), "{}", answer.text());
        }
    }
    let mails = school.all_mails().await;
    let received: Vec<&Mail> = mails.iter().filter(|mail| mail.to.contains("victim")).collect();
    assert_eq!(received.len(), 3, "an hour's, whatever they are about");
    for mail in received {
        assert!(!mail.text.to_lowercase().contains("pills"), "{}", mail.text);
    }
    assert_eq!(school.count("select count(*) from contact_messages"), 50, "every message is kept");
    assert_eq!(mails.iter().filter(|mail| mail.to == "office@northgate.example").count(), 30);
}

#[tokio::test]
async fn asking_and_withdrawing_two_hundred_times_sends_few_and_the_last_word_arrives() {
    let school = school().await;
    let staff = school.staff().await;
    let (student, course) = (school.student().await, school.course(&staff, "ENG4U", json!(500)).await);
    for _ in 0..200 {
        let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].as_i64().unwrap();
        student
            .post(&format!("/api/students/enrollments/{id}/withdraw"), &json!({}))
            .await
            .expect(StatusCode::OK);
    }
    let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].as_i64().unwrap();
    staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await.expect(StatusCode::OK);
    school.mail(&student.email, "Your enrollment is approved").await;
    let receipts = "We have your enrollment request";
    assert_eq!(count(&school.all_mails().await, &student.email, receipts), 3);
    for (hours, received) in [(1, 4), (1, 4), (24, 4)] {
        school.advance(SignedDuration::from_hours(hours));
        school.app().mailer_wakeup.notify_one();
        assert_eq!(count(&school.all_mails().await, &student.email, receipts), received);
    }
}

#[tokio::test]
async fn a_student_who_asks_for_eight_courses_has_eight_receipts_at_once() {
    let school = school().await;
    let staff = school.staff().await;
    let student = school.student().await;
    for number in 0..8 {
        let course = school.course(&staff, &format!("ENG{number}U"), json!(500)).await;
        student.enroll(course).await.expect(StatusCode::CREATED);
    }
    assert_eq!(count(&school.all_mails().await, &student.email, "We have your enrollment request"), 8);
}

#[tokio::test]
async fn staff_approve_two_hundred_requests_and_every_student_hears_of_it() {
    let school = school_with(|mail| mail.strangers_per_day = 2).await;
    let staff = school.staff().await;
    let student = school.student().await;
    for number in 0..200 {
        let course = school.course(&staff, &format!("C{number}"), json!(500)).await;
        let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].as_i64().unwrap();
        staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await.expect(StatusCode::OK);
    }
    let approved = "select count(*) from outbox where subject = 'Your enrollment is approved'";
    assert_eq!(school.count(approved), 200);
}

#[tokio::test]
async fn a_link_that_was_sent_goes_on_working_while_strangers_ask_for_more() {
    let school = school().await;
    let visitor = school.visitor();
    let email = "family@mail.example";
    visitor.register(email).await;
    let token = school.mail(email, "Verify your email address").await.token("/student/verify/");
    for client in 0..20 {
        let again = naming(&visitor, "/api/students/resend-verification", email);
        visitor.send(from(client, again)).await.expect(StatusCode::OK);
    }
    // All are worked off while the account still waits.
    school.all_mails().await;
    visitor.get(&format!("/api/students/verify/{token}")).await.expect(StatusCode::OK);
    let tokens = "select count(*) from student_tokens where purpose = 'verify'";
    assert_eq!(
        school.count(tokens),
        3,
        "the family's and two of the strangers': no link is created without its email"
    );
}

#[tokio::test]
async fn a_budget_survives_a_restart_and_has_room_again_after_an_hour() {
    let school = school().await;
    let email = "family@mail.example";
    for _ in 0..4 {
        school.visitor().register(email).await;
    }
    assert_eq!(school.all_mails().await.len(), 3);
    let school = school.reopen().await;
    school.visitor().register(email).await;
    assert_eq!(school.all_mails().await.len(), 3);
    school.advance(SignedDuration::from_hours(1));
    school.visitor().register(email).await;
    assert_eq!(school.all_mails().await.len(), 4);
}

/// A school with every limit that a real one begins with.
async fn real_school() -> School {
    School::open_with(|config| {
        config.server.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
        (config.limits, config.mail) = (Limits::default(), MailSettings::default());
    })
    .await
}

async fn sent_from(actor: &Actor, address: &str, request: RequestBuilder) -> StatusCode {
    actor.send(request.header("x-forwarded-for", address)).await.status
}

#[tokio::test]
async fn one_48_and_one_24_that_flood_both_forms_leave_every_family_its_verification() {
    let school = real_school().await;
    let (visitor, mut contacts, mut registrations) = (school.visitor(), 0, 0);
    for number in 0..120 {
        // Sixty networks of one /48, and sixty addresses of one /24.
        let (block, within) = (number % 2, number / 2);
        let address = [format!("2001:db8:66:{within:x}::1"), format!("198.51.100.{within}")];
        let email = format!("unknown{number}@mail.example");
        let message = visitor.message("Pills", &email, "Pills at pills.example");
        contacts += usize::from(sent_from(&visitor, &address[block], message).await.is_success());
        let registration = visitor.registration(&email);
        registrations += usize::from(sent_from(&visitor, &address[block], registration).await.is_success());
    }
    assert_eq!((contacts, registrations), (60, 60), "thirty an hour of each from a block");
    for (number, address) in ["192.0.2.1", "2001:db8:67::1", "203.0.113.9"].into_iter().enumerate() {
        let email = format!("family{number}@mail.example");
        let registration = visitor.registration(&email);
        assert_eq!(sent_from(&visitor, address, registration).await, StatusCode::CREATED, "{address}");
        school.mail(&email, "Verify your email address").await;
    }
    let neighbour = visitor.registration("neighbour@mail.example");
    assert_eq!(sent_from(&visitor, "198.51.100.99", neighbour).await, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn an_owner_gets_a_reset_though_strangers_asked_all_day() {
    let school = real_school().await;
    let (student, visitor) = (school.student().await, school.visitor());
    let ask = async |actor: &Actor, address: &str| {
        let request = naming(actor, "/api/students/forgot-password", &student.email);
        sent_from(actor, address, request).await
    };
    let resets = async || count(&school.all_mails().await, &student.email, "Choose a new password");
    for number in 0..10 {
        assert_eq!(ask(&visitor, &format!("198.51.{number}.7")).await, StatusCode::OK);
    }
    assert_eq!(resets().await, 2, "with the verification an hour's three");
    for hour in 1..24 {
        school.advance(SignedDuration::from_hours(1));
        for number in 0..10 {
            ask(&visitor, &format!("198.18.{hour}{number}.7")).await;
        }
        school.all_mails().await;
    }
    assert_eq!(resets().await, 8, "with the verification nine, of which three in six hours each");
    // The owner's own browser, even at an address that has used up everything.
    for _ in 0..20 {
        ask(&visitor, "198.51.1.7").await;
    }
    assert_eq!(ask(&visitor, "198.51.1.7").await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(ask(&student, "198.51.1.7").await, StatusCode::OK);
    assert_eq!(resets().await, 9);
    let other = school.student().await;
    ask(&other, "198.18.77.7").await;
    assert_eq!(resets().await, 9, "another student's browser is a stranger's");
}

#[tokio::test]
async fn the_office_gets_its_link_in_its_own_browser_though_strangers_asked_all_day() {
    let school = real_school().await;
    let staff = school.staff().await;
    let user = staff.get("/api/user").await.json();
    let ask = async |actor: &Actor, address: &str| {
        let body = json!({ "username": user["username"] });
        sent_from(actor, address, actor.request("POST", "/api/forgot-password").json(&body)).await
    };
    let resets =
        async || count(&school.all_mails().await, user["email"].as_str().unwrap(), "Choose a new password");
    for number in 0..30 {
        assert_eq!(ask(&school.visitor(), &format!("198.51.{number}.7")).await, StatusCode::OK);
    }
    assert_eq!(resets().await, 3);
    assert_eq!(ask(&staff, "198.51.0.7").await, StatusCode::OK);
    assert_eq!(resets().await, 4);
}

#[tokio::test]
async fn contacts_and_receipts_touch_nothing_that_lets_people_in() {
    let school = school_with(|mail| mail.strangers_per_day = 20).await;
    let (student, other, staff) = (school.student().await, school.student().await, school.staff().await);
    for client in 0..10 {
        let visitor = school.visitor();
        let request = visitor.message("Zoe", &format!("zoe{client}@mail.example"), "May I join the school?");
        visitor.send(from(client, request)).await.expect(StatusCode::OK);
        let course = school.course(&staff, &format!("ENG{client}U"), json!(500)).await;
        student.enroll(course).await.expect(StatusCode::CREATED);
    }
    school.all_mails().await;
    let of_kind = |kind: &str| school.count(&format!("select count(*) from outbox where kind = '{kind}'"));
    assert_eq!((of_kind("contact_confirmation"), of_kind("enrollment_receipt")), (1, 10));
    naming(&student, "/api/students/forgot-password", &student.email).send().await.unwrap();
    school.mail(&student.email, "Choose a new password").await;
    school.visitor().register("family@mail.example").await;
    school.mail("family@mail.example", "Verify your email address").await;
    // Nor do registrations touch what lets those in who have an account.
    for client in 0..30 {
        let visitor = school.visitor();
        let request = visitor.registration(&format!("unknown{client}@mail.example"));
        visitor
            .send(request.header("x-forwarded-for", format!("198.18.{client}.7")))
            .await
            .expect(StatusCode::CREATED);
    }
    school.all_mails().await;
    assert_eq!(of_kind("verification"), 6, "30 % of the day");
    naming(&other, "/api/students/forgot-password", &other.email).send().await.unwrap();
    school.mail(&other.email, "Choose a new password").await;
}

#[tokio::test]
async fn the_office_gets_one_email_a_day_when_the_daily_budget_is_used_up() {
    let school = school_with(|mail| mail.strangers_per_day = 4).await;
    let staff = school.staff().await;
    let admin = staff.get("/api/user").await.json()["email"].as_str().unwrap().to_owned();
    let subject = "Today's limit of emails is used up";
    let alarms = async || {
        schoolhouse::testing::maintenance::report_unsent(school.app()).await.unwrap();
        count(&school.all_mails().await, &admin, subject)
    };
    let register = async |number: usize| school.visitor().register(&format!("n{number}@mail.example")).await;
    for number in 0..2 {
        register(number).await;
    }
    assert_eq!(alarms().await, 0, "the share of the day, and nothing was turned away");
    for number in 2..5 {
        register(number).await;
    }
    refused(&school, 3).await;
    assert_eq!(alarms().await, 1);
    assert_eq!(alarms().await, 1, "not again");
    let warning = school.mail(&admin, subject).await;
    assert!(
        warning.text.contains("4 emails within 24 hours")
            && warning.text.contains("Links to new addresses: 3"),
        "{}",
        warning.text
    );
    assert!(!warning.text.contains("mail.example"), "{}", warning.text);
    let not_sent = json!({ "mailbox": 0, "account": 0, "block": 0, "school": 3 });
    assert_eq!(staff.get("/api/admin/dashboard").await.json()["mailNotSent"], not_sent);
    school.advance(SignedDuration::from_hours(25));
    let staff = school.staff().await;
    let not_sent = json!({ "mailbox": 0, "account": 0, "block": 0, "school": 0 });
    assert_eq!(staff.get("/api/admin/dashboard").await.json()["mailNotSent"], not_sent);
    assert_eq!(alarms().await, 1, "it is over");
    for number in 10..13 {
        register(number).await;
    }
    refused(&school, 4).await;
    let admins = 2;
    schoolhouse::testing::maintenance::report_unsent(school.app()).await.unwrap();
    let sent = school.all_mails().await.iter().filter(|mail| mail.subject == subject).count();
    assert_eq!(sent, 1 + admins);
}

#[tokio::test]
async fn unsent_emails_are_counted_by_reason_without_personal_data() {
    let school = school().await;
    let staff = school.staff().await;
    for _ in 0..5 {
        school.visitor().register("family@mail.example").await;
    }
    refused(&school, 2).await;
    let not_sent = json!({ "mailbox": 2, "account": 0, "block": 0, "school": 0 });
    assert_eq!(staff.get("/api/admin/dashboard").await.json()["mailNotSent"], not_sent);
    assert_eq!(
        staff.get("/api/admin/mail").await.total(),
        3,
        "the list does not grow with what was not sent"
    );
    let columns: String = school
        .database()
        .query_row("select group_concat(name) from pragma_table_info('mail_hours')", [], |row| row.get(0))
        .unwrap();
    assert_eq!(columns, "hour,kind,outcome,count");
}

#[tokio::test]
async fn twelve_applications_that_name_one_guardian_write_to_that_mailbox_three_times_an_hour() {
    let school = real_school().await;
    let visitor = school.visitor();
    for number in 0..12 {
        let mut body = crate::admissions::application("Mei", &format!("child{number}"));
        body["guardianEmail"] = "victim@victims.example".into();
        let request = visitor.request("POST", "/api/applications").json(&body);
        let status = sent_from(&visitor, &format!("198.51.{number}.7"), request).await;
        assert_eq!(status, StatusCode::CREATED);
    }
    naming(&visitor, "/api/applications/link", "victim@victims.example").send().await.unwrap();
    let mails = school.all_mails().await;
    assert_eq!(mails.iter().filter(|mail| mail.to == "victim@victims.example").count(), 3);
    assert_eq!(school.count("select count(*) from admission_requests"), 12, "every application is kept");
}

#[tokio::test]
async fn one_48_files_thirty_applications_an_hour() {
    let school = real_school().await;
    let visitor = school.visitor();
    let mut accepted = 0;
    for number in 0..60 {
        let body = crate::admissions::application("Mei", &format!("child{number}"));
        let request = visitor.request("POST", "/api/applications").json(&body);
        let answer =
            visitor.send(request.header("x-forwarded-for", format!("2001:db8:66:{number:x}::1"))).await;
        if answer.status == StatusCode::CREATED {
            accepted += 1;
        } else {
            assert!(
                answer.expect(StatusCode::TOO_MANY_REQUESTS).header("retry-after").parse::<u32>().is_ok()
            );
        }
    }
    assert_eq!(accepted, 30);
}
