//! Limits on guessing, which do not affect other people.

use jiff::SignedDuration;
use reqwest::{RequestBuilder, StatusCode};
use schoolhouse::testing::{Config, Limits, Role, find_student, reset_link};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::support::{Actor, Answer, PASSWORD, School, eventually, numbered_pdf};

const BUSY: StatusCode = StatusCode::SERVICE_UNAVAILABLE;
const WRONG: &str = "a wrong password";
const RESET: &str = "Choose a new password";

/// A school with the default limits, behind a proxy that forwards client addresses.
async fn open() -> School {
    School::open_with(|config: &mut Config| {
        config.limits = Limits {
            registrations_per_hour: 10_000,
            registrations_per_block_per_hour: 10_000,
            ..Limits::default()
        };
        config.server.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
    })
    .await
}

fn student_login(actor: &Actor, email: &str, password: &str) -> RequestBuilder {
    actor.request("POST", "/api/students/login").json(&json!({ "email": email, "password": password }))
}

async fn student_at(actor: &Actor, address: &str, email: &str, password: &str) -> Answer {
    actor.send(student_login(actor, email, password).header("x-forwarded-for", address)).await
}

async fn staff_at(actor: &Actor, address: &str, username: &str, password: &str) -> Answer {
    let body = json!({ "username": username, "password": password });
    actor.send(actor.request("POST", "/api/login").json(&body).header("x-forwarded-for", address)).await
}

async fn post_at(actor: &Actor, address: &str, path: &str, body: &Value) -> Answer {
    actor.send(actor.request("POST", path).json(body).header("x-forwarded-for", address)).await
}

/// How many of these guesses were looked at; the rest were refused.
async fn guess(school: &School, email: &str, addresses: impl Iterator<Item = String>) -> usize {
    let stranger = school.visitor();
    let mut verified = 0;
    for address in addresses {
        match student_at(&stranger, &address, email, WRONG).await.status {
            StatusCode::UNAUTHORIZED => verified += 1,
            status => assert_eq!(status, StatusCode::TOO_MANY_REQUESTS),
        }
    }
    verified
}

#[tokio::test]
async fn of_600_guesses_at_one_account_from_60_addresses_20_are_looked_at() {
    let school = open().await;
    let student = school.student().await;
    let addresses = || (0..600).map(|number| format!("198.51.100.{}", number % 60 + 1));
    assert_eq!(guess(&school, &student.email, addresses()).await, 20);
    // An account that is none answers the same.
    assert_eq!(guess(&school, "unknown@mail.example", addresses()).await, 20);

    let owner_elsewhere = student_at(&school.visitor(), "203.0.113.5", &student.email, PASSWORD).await;
    let refused = owner_elsewhere.expect(StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.header("retry-after"), "180");
    assert_eq!(
        refused.message(),
        "Too many attempts. Please wait 3 minutes, then try again. If you have forgotten your password, \
         \"Forgot password?\" lets you choose a new one."
    );
    // In an hour, 20 more.
    school.advance(SignedDuration::from_hours(1));
    assert_eq!(guess(&school, &student.email, addresses()).await, 20);
}

#[tokio::test]
async fn of_200_guesses_at_one_account_from_one_48_20_are_looked_at_and_of_those_at_many_100() {
    let school = open().await;
    let student = school.student().await;
    let address = |number: usize| format!("2001:db8:1:{number:x}::1");
    assert_eq!(guess(&school, &student.email, (0..200).map(address)).await, 20);
    let stranger = school.visitor();
    let mut verified = 20;
    for number in 0..200 {
        let email = format!("unknown{number}@mail.example");
        let answer = student_at(&stranger, &address(number), &email, WRONG).await;
        verified += usize::from(answer.status == StatusCode::UNAUTHORIZED);
    }
    assert_eq!(verified, 100);
    student_at(&stranger, "2001:db8:2::1", "other@mail.example", WRONG)
        .await
        .expect(StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_botnet_has_one_budget_and_does_not_lock_out_known_browsers() {
    let school = School::open_with(|config: &mut Config| {
        config.limits.failed_logins_in_all_per_hour = 30;
        config.server.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
    })
    .await;
    let (student, stranger) = (school.student().await, school.visitor());
    let mut verified = 0;
    for number in 0..100 {
        let email = format!("unknown{number}@mail.example");
        let answer = student_at(&stranger, &format!("198.51.{number}.1"), &email, WRONG).await;
        verified += usize::from(answer.status == StatusCode::UNAUTHORIZED);
    }
    assert_eq!(verified, 30);
    let newcomer = student_at(&stranger, "203.0.113.5", &student.email, PASSWORD).await;
    assert_eq!(newcomer.expect(StatusCode::TOO_MANY_REQUESTS).header("retry-after"), "120");
    student_at(&student, "203.0.113.6", &student.email, PASSWORD).await.expect(StatusCode::OK);
    // The office is not the students.
    school.hire("head", Role::Admin).await;
    staff_at(&school.visitor(), "203.0.113.7", "head", PASSWORD).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_browser_that_logged_in_before_gets_in_while_others_guess() {
    let school = open().await;
    let student = school.student().await;
    school.hire("head", Role::Admin).await;
    let office = school.visitor();
    staff_at(&office, "203.0.113.9", "head", PASSWORD).await.expect(StatusCode::OK);
    guess(&school, &student.email, (0..100).map(|number| format!("198.51.100.{number}"))).await;
    for number in 0..100 {
        staff_at(&school.visitor(), &format!("198.51.100.{number}"), "head", WRONG).await;
    }
    staff_at(&school.visitor(), "203.0.113.9", "head", PASSWORD).await.expect(StatusCode::TOO_MANY_REQUESTS);
    for _ in 0..2 {
        student.post("/api/students/logout", &json!({})).await.expect(StatusCode::OK);
        office.post("/api/logout", &json!({})).await.expect(StatusCode::OK);
        student_at(&student, "198.51.100.7", &student.email, PASSWORD).await.expect(StatusCode::OK);
        staff_at(&office, "198.51.100.7", "head", PASSWORD).await.expect(StatusCode::OK);
    }
    // It has its own few tries, which grow expensive.
    for _ in 0..5 {
        student_at(&student, "203.0.113.5", &student.email, WRONG).await.expect(StatusCode::UNAUTHORIZED);
    }
    let answer = student_at(&student, "203.0.113.6", &student.email, PASSWORD).await;
    assert_eq!(answer.expect(StatusCode::TOO_MANY_REQUESTS).header("retry-after"), "60");
}

#[tokio::test]
async fn the_known_browsers_cookie_is_anonymous_grants_nothing_and_holds_for_one_account() {
    let school = open().await;
    let (student, other) = (school.student().await, school.student().await);
    let login = student.log_in(&student.email, PASSWORD).await.expect(StatusCode::OK);
    let cookies: Vec<_> =
        login.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap().to_owned()).collect();
    assert!(cookies[0].starts_with("schoolhouse_student="), "{cookies:?}");
    let device = cookies.iter().find(|cookie| cookie.starts_with("schoolhouse_device=")).unwrap();
    assert!(device.contains("; HttpOnly; SameSite=Strict") && device.contains("Path=/;"), "{device}");
    let pair = device.split(';').next().unwrap();
    assert_eq!(pair.len(), "schoolhouse_device=".len() + 59);

    let bearer = school.visitor();
    bearer
        .send(bearer.request("GET", "/api/students/me").header("cookie", pair))
        .await
        .expect(StatusCode::UNAUTHORIZED);
    for email in [&student.email, &other.email] {
        guess(&school, email, (0..30).map(|number| format!("198.51.100.{number}"))).await;
    }
    // The last character carries four bits: one cookie in sixteen really ends with an "A".
    let forged = format!("{}{}", &pair[..pair.len() - 1], if pair.ends_with('A') { 'E' } else { 'A' });
    for (cookie, email, expected) in [
        (pair, &student.email, StatusCode::OK),
        (pair, &other.email, StatusCode::TOO_MANY_REQUESTS),
        (&forged, &student.email, StatusCode::TOO_MANY_REQUESTS),
        ("schoolhouse_device=.....", &student.email, StatusCode::TOO_MANY_REQUESTS),
        ("schoolhouse_device", &student.email, StatusCode::TOO_MANY_REQUESTS),
    ] {
        let asked = student_login(&bearer, email, PASSWORD).header("cookie", cookie);
        assert_eq!(
            bearer.send(asked.header("x-forwarded-for", "203.0.113.7")).await.status,
            expected,
            "{cookie}"
        );
    }
}

#[tokio::test]
async fn a_new_password_ends_what_old_browsers_are_known_for_and_lets_its_owner_in() {
    let school = open().await;
    let student = school.student().await;
    let email = student.email.clone();
    school
        .visitor()
        .post("/api/students/forgot-password", &json!({ "email": email }))
        .await
        .expect(StatusCode::OK);
    let link = school.mail(&email, RESET).await.token("/student/reset-password/");
    guess(&school, &email, (0..30).map(|number| format!("198.51.100.{number}"))).await;
    let phone = school.visitor();
    let new = "an even quieter heron";
    let body = json!({ "token": link, "password": new, "confirmPassword": new });
    post_at(&phone, "198.51.100.1", "/api/students/reset-password", &body).await.expect(StatusCode::OK);
    student_at(&phone, "198.51.100.1", &email, new).await.expect(StatusCode::OK);
    student_at(&student, "203.0.113.5", &email, new).await.expect(StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn two_who_share_a_browser_are_both_known_to_it() {
    let school = open().await;
    let (one, other) = (school.student().await, school.student().await);
    one.log_in(&other.email, PASSWORD).await.expect(StatusCode::OK);
    for email in [&one.email, &other.email] {
        guess(&school, email, (0..30).map(|number| format!("198.51.100.{number}"))).await;
        student_at(&one, "198.51.100.1", email, PASSWORD).await.expect(StatusCode::OK);
    }
}

#[tokio::test]
async fn counts_survive_a_restart_and_hold_no_personal_data() {
    let school = open().await;
    let student = school.student().await;
    guess(&school, &student.email, (0..40).map(|number| format!("198.51.100.{}", number % 4))).await;
    let school = school.reopen().await;
    assert_eq!(guess(&school, &student.email, (0..40).map(|n| format!("198.51.100.{n}"))).await, 0);
    let student = Actor { base: school.url(""), client: student.client.clone() };
    student_at(&student, "198.51.100.1", "student0@mail.example", PASSWORD).await.expect(StatusCode::OK);
    let bytes = std::fs::read(school.path().join("schoolhouse.db-wal")).unwrap_or_default();
    for word in [&b"198.51.100"[..], b"unknown@mail"] {
        assert!(!bytes.windows(word.len()).any(|window| window == word));
    }
}

#[tokio::test]
async fn a_class_of_25_behind_one_address_logs_in_without_a_refusal_each_with_a_typing_mistake() {
    let school = open().await;
    let mut class = Vec::new();
    for _ in 0..25 {
        class.push(school.student().await.email.clone());
    }
    let building = "203.0.113.1";
    let visitor = school.visitor();
    for email in &class {
        student_at(&visitor, building, email, WRONG).await.expect(StatusCode::UNAUTHORIZED);
    }
    // At once, and each of them three times.
    let mut logins = tokio::task::JoinSet::new();
    for number in 0..75 {
        let (pupil, email) = (school.visitor(), class[number % 25].clone());
        logins.spawn(async move {
            // A busy machine may ask them to try again in a moment, as any place of theirs would.
            let log_in = || student_at(&pupil, building, &email, PASSWORD);
            let answer = eventually(async || Some(log_in().await).filter(|answer| answer.status != BUSY));
            answer.await
        });
    }
    for login in logins.join_all().await {
        login.expect(StatusCode::OK);
    }
}

#[tokio::test]
async fn a_pupils_wrong_guesses_hold_up_neither_the_office_nor_the_other_pupils() {
    let school = open().await;
    let (pupil, other) = (school.student().await, school.student().await);
    school.hire("head", Role::Admin).await;
    let building = "203.0.113.1";
    let visitor = school.visitor();
    for _ in 0..10 {
        student_at(&visitor, building, &pupil.email, WRONG).await;
        staff_at(&visitor, building, "principal", "a guess").await;
    }
    student_at(&visitor, building, &pupil.email, PASSWORD).await.expect(StatusCode::TOO_MANY_REQUESTS);
    staff_at(&school.visitor(), building, "head", PASSWORD).await.expect(StatusCode::OK);
    student_at(&school.visitor(), building, &other.email, PASSWORD).await.expect(StatusCode::OK);
    // All that the address may get wrong as a student is nothing to the office.
    for number in 0..40 {
        student_at(&visitor, building, &format!("pupil{number}@mail.example"), WRONG).await;
    }
    student_at(&school.visitor(), building, &other.email, PASSWORD)
        .await
        .expect(StatusCode::TOO_MANY_REQUESTS);
    let refused = staff_at(&visitor, building, "principal", "a guess").await;
    let refused = refused.expect(StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(
        refused.text(),
        "Too many attempts. Please wait 60 seconds, then try again. If you have forgotten your password, \
         \"Forgot password?\" lets you choose a new one."
    );
    staff_at(&school.visitor(), building, "head", PASSWORD).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn the_delay_grows_with_each_wrong_password_and_a_right_one_ends_it() {
    let school = open().await;
    let student = school.student().await;
    let (visitor, home) = (school.visitor(), "203.0.113.1");
    let mut waits = Vec::new();
    for _ in 0..10 {
        let answer = student_at(&visitor, home, &student.email, WRONG).await;
        if answer.status == StatusCode::TOO_MANY_REQUESTS {
            let seconds: i64 = answer.header("retry-after").parse().unwrap();
            waits.push(seconds);
            school.advance(SignedDuration::from_secs(seconds - 1));
            student_at(&visitor, home, &student.email, WRONG).await.expect(StatusCode::TOO_MANY_REQUESTS);
            school.advance(SignedDuration::from_secs(1));
        }
    }
    assert_eq!(waits, [60, 120, 240]);
    school.advance(SignedDuration::from_mins(8));
    student_at(&visitor, home, &student.email, PASSWORD).await.expect(StatusCode::OK);
    student_at(&school.visitor(), home, &student.email, WRONG).await.expect(StatusCode::UNAUTHORIZED);
    student_at(&school.visitor(), home, &student.email, PASSWORD).await.expect(StatusCode::OK);
    school.advance(SignedDuration::from_hours(13));
    let (app, count) = (school.app(), "select count(*) from attempts");
    assert!(school.count(count) > 0);
    let clock = app.clock.clone();
    app.db
        .write(move |connection| schoolhouse::testing::sweep_rate_limits(connection, &clock))
        .await
        .unwrap();
    assert_eq!(school.count(count), 0, "what has run out is swept");
}

#[tokio::test]
async fn guesses_that_are_sent_at_once_are_counted_like_those_sent_one_by_one() {
    let school = open().await;
    let student = school.student().await;
    let mut guesses = tokio::task::JoinSet::new();
    for number in 0..60 {
        let (stranger, email) = (school.visitor(), student.email.clone());
        let address = format!("198.51.100.{}", number + 1);
        guesses.spawn(async move { student_at(&stranger, &address, &email, WRONG).await.status });
    }
    let statuses = guesses.join_all().await;
    assert_eq!(statuses.iter().filter(|status| **status == StatusCode::UNAUTHORIZED).count(), 20);
}

#[tokio::test]
async fn ten_reset_requests_from_a_building_do_not_block_the_next_one() {
    let school = open().await;
    let student = school.student().await;
    let (visitor, building) = (school.visitor(), "203.0.113.1");
    let ask =
        async |path: &str, email: &str| post_at(&visitor, building, path, &json!({ "email": email })).await;
    let (forgot, resend) = ("/api/students/forgot-password", "/api/students/resend-verification");
    for _ in 0..10 {
        ask(forgot, "pupil@mail.example").await.expect(StatusCode::OK);
    }
    let refused = ask(forgot, "Pupil@mail.example").await.expect(StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.header("retry-after"), "360");
    assert!(refused.message().ends_with("junk mail for our email."), "{}", refused.message());
    ask(resend, "pupil@mail.example").await.expect(StatusCode::OK);
    ask(forgot, &student.email).await.expect(StatusCode::OK);
    let link = school.mail(&student.email, RESET).await.token("/student/reset-password/");
    let new = "an even quieter heron";
    let body = |token: &str| json!({ "token": token, "password": new, "confirmPassword": new });
    post_at(&visitor, building, "/api/students/reset-password", &body(&link)).await.expect(StatusCode::OK);
    // Neither does requesting links for many mailboxes, or trying invalid links.
    for number in 0..100 {
        ask(resend, &format!("pupil{number}@mail.example")).await;
    }
    ask(resend, "another@mail.example").await.expect(StatusCode::TOO_MANY_REQUESTS);
    ask(forgot, "another@mail.example").await.expect(StatusCode::OK);
}

#[tokio::test]
async fn invalid_links_are_counted_and_do_not_block_valid_ones() {
    let school = School::open_with(|config| config.limits.links_per_hour = 3).await;
    let student = school.student().await;
    let visitor = school.visitor();
    let new = "an even quieter heron";
    let body = |token: &str| json!({ "token": token, "password": new, "confirmPassword": new });
    let dead = async |path: &str| match path {
        "/api/students/verify" => visitor.get("/api/students/verify/nonsense").await,
        path => visitor.post(path, &body("nonsense")).await,
    };
    let students = ["reset-password", "not-me", "undo-email-change", "verify"];
    for path in students.iter().take(3) {
        dead(&format!("/api/students/{path}")).await.expect(StatusCode::NOT_FOUND);
    }
    for path in students {
        let refused = dead(&format!("/api/students/{path}")).await.expect(StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(refused.header("retry-after"), "1200", "{path}");
    }
    for _ in 0..3 {
        dead("/api/reset-password").await.expect(StatusCode::NOT_FOUND);
    }
    dead("/api/reset-password").await.expect(StatusCode::TOO_MANY_REQUESTS);
    // A link that opens something else opens nothing here.
    visitor.register("other@mail.example").await;
    let other =
        school.mail("other@mail.example", "Verify your email address").await.token("/student/verify/");
    for path in students.iter().take(3).filter(|path| **path != "not-me") {
        let path = format!("/api/students/{path}");
        visitor.post(&path, &body(&other)).await.expect(StatusCode::TOO_MANY_REQUESTS);
    }
    // A building in which others open dead links all day.
    let (app, id) = (school.app(), student.id);
    for _ in 0..5 {
        let (config, now) = (app.config.clone(), app.clock.now());
        let made = app.db.write(move |connection| {
            let student = find_student(connection, id)?.unwrap();
            reset_link(connection, &config, &student, now)
        });
        let link = made.await.unwrap();
        let token = link.rsplit('/').next().unwrap();
        visitor.post("/api/students/reset-password", &body(token)).await.expect(StatusCode::OK);
    }
}

#[tokio::test]
async fn clients_without_a_forwarded_address_do_not_use_up_others_limits() {
    let school = open().await;
    let student = school.student().await;
    let visitor = school.visitor();
    for header in ["", "unknown", " ,"] {
        for number in 0..50 {
            let email = format!("unknown{number}@mail.example");
            student_at(&visitor, header, &email, WRONG).await.expect(StatusCode::UNAUTHORIZED);
        }
        student_at(&school.visitor(), header, &student.email, PASSWORD).await.expect(StatusCode::OK);
    }
    // With and without a port it is the same visitor.
    for number in 0..30 {
        let (address, email) = (format!("198.51.100.7:{number}"), format!("other{number}@mail.example"));
        student_at(&visitor, &address, &email, WRONG).await.expect(StatusCode::UNAUTHORIZED);
    }
    for address in ["198.51.100.7", "198.51.100.7:5555", "1.1.1.1, 198.51.100.7:1,"] {
        let answer = student_at(&visitor, address, &student.email, PASSWORD).await;
        answer.expect(StatusCode::TOO_MANY_REQUESTS);
    }
    student_at(&visitor, "198.51.100.8:5555", &student.email, PASSWORD).await.expect(StatusCode::OK);
}

/// Over HTTP/2 one connection carries many of them; here a proxy's, which have no limit of their own.
#[tokio::test]
async fn bodies_that_one_client_lets_wait_leave_room_for_the_others() {
    let school = School::open_with(|config| {
        config.server.max_connections_per_client = 2;
        config.server.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
    })
    .await;
    let mut held = Vec::new();
    for _ in 0..2 {
        let mut stream = TcpStream::connect(school.address()).await.unwrap();
        let head = "POST /api/contact HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 203.0.113.5\r\n\
            content-type: application/json\r\ncontent-length: 60000\r\n\r\n{";
        stream.write_all(head.as_bytes()).await.unwrap();
        held.push(stream);
    }
    let visitor = school.visitor();
    let write = async |client: &str| {
        let request = visitor.request("POST", "/api/contact").header("x-forwarded-for", client);
        visitor.send(request.json(&json!({}))).await
    };
    let until = async |status| {
        eventually(async || {
            let answer = write("203.0.113.5").await;
            (answer.status == status).then_some(answer)
        })
        .await
    };
    let refused = until(StatusCode::SERVICE_UNAVAILABLE).await;
    assert_eq!(refused.header("retry-after"), "1");
    assert!(refused.message().starts_with("Too many requests from your network"), "{}", refused.message());
    write("203.0.113.6").await.expect(StatusCode::BAD_REQUEST);
    held.clear();
    until(StatusCode::BAD_REQUEST).await;
}

/// Of one customer's /48: each limit counts what was begun, so an empty form is enough.
#[tokio::test]
async fn a_block_of_addresses_shares_what_a_stranger_can_start() {
    let school = School::open_with(|config| {
        config.limits = Limits {
            applications_per_block_per_hour: 4,
            contacts_per_block_per_hour: 5,
            registrations_per_block_per_hour: 6,
            uploads_per_block_per_hour: 7,
            ..Limits::default()
        };
        config.server.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
    })
    .await;
    let student = school.student().await;
    let form = |number: u16| {
        json!({ "firstName": "Mei", "lastName": "Tanaka", "email": format!("m{number}@mail.example"),
            "phone": "647 555 0199", "address": "88 Sample Crescent, Toronto", "grade": 12,
            "dateOfBirth": "2006-03-01", "consents": ["privacy"] })
    };
    let message = json!({ "name": "Mei", "email": "m@mail.example", "subject": "general",
        "message": "Is there a place in grade 11?" });
    let account = |number: u16| json!({ "email": format!("r{number}@mail.example"), "password": PASSWORD, "confirmPassword": PASSWORD });
    let begin = async |what: &str, number: u16, from: String| {
        let request = match what {
            "applications" => student.request("POST", "/api/applications").json(&form(number)),
            "messages" => student.request("POST", "/api/contact").json(&message),
            "accounts" => student.request("POST", "/api/students/register").json(&account(number)),
            _ => student.document("transcript", "t.pdf", numbered_pdf(number.into(), 900)),
        };
        student.send(request.header("x-forwarded-for", from)).await.status
    };
    for (what, allowed) in [("applications", 4), ("messages", 5), ("accounts", 6), ("uploads", 7)] {
        for number in 0..allowed {
            let status = begin(what, number, format!("2001:db8:7:{number:x}::1")).await;
            assert!(status.is_success(), "{what} {number}: {status}");
        }
        let refused = begin(what, 98, "2001:db8:7:ffff::1".into()).await;
        assert_eq!(refused, StatusCode::TOO_MANY_REQUESTS, "{what}");
        let elsewhere = begin(what, 99, "2001:db8:8::1".into()).await;
        assert!(elsewhere.is_success(), "{what} of the neighbours: {elsewhere}");
    }
}
