//! Registration, verification, login and profile of students.

mod lacks;
mod second_factor;
mod takeover;

use argon2::{Algorithm, Argon2, Params, Version};
use base64::Engine;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use jiff::SignedDuration;
use reqwest::StatusCode;
use serde_json::json;

use crate::support::{PASSWORD, School, profile, wait_for};

const VERIFY: &str = "Verify your email address";

#[tokio::test]
async fn a_student_registers_verifies_and_logs_in() {
    let school = School::open().await;
    let visitor = school.visitor();
    let answer = visitor.register(" New.Student@Mail.Example ").await;
    assert_eq!(answer.message(), "Please check your email to verify your account.");

    let email = "new.student@mail.example";
    school.mail(email, VERIFY).await;
    let refused = visitor.log_in(email, PASSWORD).await.expect(StatusCode::FORBIDDEN);
    assert!(refused.message().contains("verify your email"), "{}", refused.message());

    let mail = school.mail(email, VERIFY).await;
    let token = mail.token(&school.url("/student/verify/"));
    assert!(mail.html.contains(&token));
    let verified = visitor.get(&format!("/api/students/verify/{token}")).await.expect(StatusCode::OK);
    assert_eq!(verified.message(), "Your email has been successfully verified!");

    let student = visitor.log_in("NEW.student@mail.example", PASSWORD).await.expect(StatusCode::OK).json();
    assert_eq!(student["student"]["email"], email);
    assert_eq!(student["student"]["isVerified"], true);
    let me = visitor.get("/api/students/me").await.expect(StatusCode::OK).json();
    assert_eq!(me, student["student"]);
    assert!(me.get("passwordHash").is_none() && me.get("password").is_none());
}

#[tokio::test]
async fn registration_names_every_broken_rule_at_once() {
    let school = School::open().await;
    let visitor = school.visitor();
    let table = [
        (
            json!({}),
            json!({ "email": "Please enter a valid email address",
            "password": "Password must be at least 8 characters",
            "confirmPassword": "Password must be at least 8 characters" }),
        ),
        (
            json!({ "email": "a@b.example", "password": "1234567", "confirmPassword": "1234567" }),
            json!({ "password": "Password must be at least 8 characters",
                "confirmPassword": "Password must be at least 8 characters" }),
        ),
        (
            json!({ "email": "a@b.example", "password": "quiet heron", "confirmPassword": "quiet herons" }),
            json!({ "confirmPassword": "Passwords don't match" }),
        ),
        (
            json!({ "email": "a@b", "password": "quiet heron", "confirmPassword": "quiet heron" }),
            json!({ "email": "Please enter a valid email address" }),
        ),
        (
            json!({ "email": 7, "password": ["12345678"], "confirmPassword": null }),
            json!({ "email": "Please enter a valid email address",
                "password": "Password must be at least 8 characters",
                "confirmPassword": "Password must be at least 8 characters" }),
        ),
    ];
    for (body, expected) in table {
        assert_eq!(visitor.post("/api/students/register", &body).await.fields(), expected, "{body}");
    }
    assert_eq!(school.count("select count(*) from students"), 0);
}

#[tokio::test]
async fn an_address_that_has_an_account_gets_the_same_answer_and_a_different_mail() {
    let school = School::open().await;
    let student = school.student().await;
    let visitor = school.visitor();
    let fresh = visitor.register("fresh@mail.example").await;
    let known = visitor.register(&student.email).await;
    assert_eq!(fresh.bytes, known.bytes);
    let mail = school.mail(&student.email, "You already have an account").await;
    // The link works.
    let token = mail.token("/student/reset-password/");
    let body =
        json!({ "token": token, "password": "another password", "confirmPassword": "another password" });
    visitor.post("/api/students/reset-password", &body).await.expect(StatusCode::OK);
    visitor.log_in(&student.email, "another password").await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_scanner_that_opens_the_link_first_breaks_nothing() {
    let school = School::open().await;
    let (scanner, visitor) = (school.visitor(), school.visitor());
    visitor.register("scanned@mail.example").await;
    let token = school.mail("scanned@mail.example", VERIFY).await.token("/student/verify/");
    for _ in 0..3 {
        scanner.get(&format!("/api/students/verify/{token}")).await.expect(StatusCode::OK);
    }
    visitor.get(&format!("/api/students/verify/{token}")).await.expect(StatusCode::OK);
    visitor.log_in("scanned@mail.example", PASSWORD).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_verification_link_runs_out_after_48_hours_and_a_new_one_can_be_had() {
    let school = School::open().await;
    let visitor = school.visitor();
    visitor.register("slow@mail.example").await;
    let old = school.mail("slow@mail.example", VERIFY).await.token("/student/verify/");
    school.advance(SignedDuration::from_hours(48));
    let answer = visitor.get(&format!("/api/students/verify/{old}")).await.expect(StatusCode::NOT_FOUND);
    let text = "We couldn't verify your email address. The link may have expired or is invalid.";
    assert_eq!(answer.message(), text);
    let wrong = visitor.get("/api/students/verify/wrong").await.expect(StatusCode::NOT_FOUND);
    assert_eq!(wrong.message(), text);

    let known =
        visitor.post("/api/students/resend-verification", &json!({ "email": "slow@mail.example" })).await;
    let unknown =
        visitor.post("/api/students/resend-verification", &json!({ "email": "none@mail.example" })).await;
    assert_eq!((known.status, &known.bytes), (unknown.status, &unknown.bytes));
    let mails = school.all_mails().await;
    assert_eq!(mails.len(), 2, "no mail to an unknown address");
    let token = mails[1].token("/student/verify/");
    visitor.get(&format!("/api/students/verify/{token}")).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn no_token_is_stored_as_it_was_sent() {
    let school = School::open().await;
    let visitor = school.visitor();
    visitor.register("secret@mail.example").await;
    let token = school.mail("secret@mail.example", VERIFY).await.token("/student/verify/");
    school.all_mails().await;
    let mut found = school
        .database()
        .prepare("select concat(content, text_body, html_body) from outbox")
        .unwrap()
        .query_map([], |row| row.get::<_, String>(0))
        .unwrap()
        .collect::<Result<Vec<_>, _>>()
        .unwrap();
    assert_eq!(found.pop().as_deref(), Some(""), "a sent email is forgotten");
    let stored: Vec<u8> =
        school.database().query_row("select token_hash from student_tokens", [], |row| row.get(0)).unwrap();
    assert!(!token.as_bytes().windows(32).any(|part| part == stored));
}

#[tokio::test]
async fn login_has_its_own_messages_and_tells_nothing_about_accounts() {
    let school = School::open().await;
    let student = school.student().await;
    let visitor = school.visitor();
    let fields =
        visitor.post("/api/students/login", &json!({ "email": "x", "password": "1234567" })).await.fields();
    assert_eq!(
        fields,
        json!({ "email": "Please enter a valid email address.",
        "password": "Password must be at least 8 characters." })
    );
    let known = visitor.log_in(&student.email, "wrong password").await.expect(StatusCode::UNAUTHORIZED);
    let unknown =
        visitor.log_in("unknown@mail.example", "wrong password").await.expect(StatusCode::UNAUTHORIZED);
    assert_eq!(known.bytes, unknown.bytes);
    assert_eq!(known.message(), "Invalid email or password");
}

#[tokio::test]
async fn a_student_stays_signed_in_until_logout_and_the_cookie_is_worthless_after() {
    let school = School::open().await;
    let student = school.student().await;
    let login = school.visitor().log_in(&student.email, PASSWORD).await;
    let cookie = login.header("set-cookie").to_owned();
    assert!(
        cookie.starts_with("schoolhouse_student=")
            && cookie.contains("HttpOnly")
            && cookie.contains("SameSite=Lax"),
        "{cookie}"
    );
    assert!(cookie.contains("Max-Age=7776000"), "{cookie}");
    for _ in 0..4 {
        school.advance(SignedDuration::from_hours(80 * 24));
        let me = student.get("/api/students/me").await.expect(StatusCode::OK);
        assert!(me.header("set-cookie").contains("Max-Age=7776000"), "the cookie rolls");
    }
    let value = cookie.split(';').next().unwrap();
    let stranger = school.visitor();
    let with_cookie = || stranger.request("GET", "/api/students/me").header("cookie", value);
    stranger.send(with_cookie()).await.expect(StatusCode::UNAUTHORIZED);

    let again = school.visitor();
    let login = again.log_in(&student.email, PASSWORD).await;
    let value = login.header("set-cookie").split(';').next().unwrap().to_owned();
    again.post("/api/students/logout", &json!({})).await.expect(StatusCode::OK);
    stranger
        .send(stranger.request("GET", "/api/students/me").header("cookie", value))
        .await
        .expect(StatusCode::UNAUTHORIZED);
    student.get("/api/students/me").await.expect(StatusCode::OK);
    school.advance(SignedDuration::from_hours(91 * 24));
    student.get("/api/students/me").await.expect(StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn the_database_keeps_no_cookie() {
    let school = School::open().await;
    let student = school.student().await;
    let login = school.visitor().log_in(&student.email, PASSWORD).await;
    let value = login.header("set-cookie").split(['=', ';']).nth(1).unwrap().to_owned();
    let bytes = std::fs::read(school.path().join("schoolhouse.db-wal")).unwrap();
    assert!(!bytes.windows(value.len()).any(|part| part == value.as_bytes()));
}

#[tokio::test]
async fn a_forgotten_password_is_replaced_once_and_every_other_session_ends() {
    let school = School::open().await;
    let student = school.student().await;
    let visitor = school.visitor();
    let known = visitor.post("/api/students/forgot-password", &json!({ "email": student.email })).await;
    let unknown = visitor.post("/api/students/forgot-password", &json!({ "email": "no@mail.example" })).await;
    assert_eq!((known.status, &known.bytes), (unknown.status, &unknown.bytes));
    let token = school.mail(&student.email, "Choose a new password").await.token("/student/reset-password/");
    let body = json!({ "token": token, "password": "brand new one", "confirmPassword": "brand new one" });
    visitor.post("/api/students/reset-password", &body).await.expect(StatusCode::OK);
    student.get("/api/students/me").await.expect(StatusCode::UNAUTHORIZED);
    visitor.log_in(&student.email, PASSWORD).await.expect(StatusCode::UNAUTHORIZED);
    visitor.log_in(&student.email, "brand new one").await.expect(StatusCode::OK);
    visitor.post("/api/students/reset-password", &body).await.expect(StatusCode::NOT_FOUND);
    school.mail(&student.email, "Your password was changed").await;
    // A password reset link does not verify an address.
    visitor.get(&format!("/api/students/verify/{token}")).await.expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_password_link_runs_out_after_an_hour() {
    let school = School::open().await;
    let student = school.student().await;
    let visitor = school.visitor();
    visitor.post("/api/students/forgot-password", &json!({ "email": student.email })).await;
    let token = school.mail(&student.email, "Choose a new password").await.token("/student/reset-password/");
    school.advance(SignedDuration::from_mins(60));
    let body = json!({ "token": token, "password": "brand new one", "confirmPassword": "brand new one" });
    visitor.post("/api/students/reset-password", &body).await.expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_profile_is_completed_and_changed_and_nothing_else_can_be_set() {
    let school = School::open().await;
    let student = school.student().await;
    let missing = student.patch("/api/students/me", &json!({})).await.fields();
    assert_eq!(missing["fullName"], "Full name is required");
    assert_eq!(missing["postalCode"], "Postal code is required");

    let mut body = profile(&student.email);
    body["id"] = json!(99);
    body["isVerified"] = json!(false);
    body["status"] = json!("closed");
    let saved = student.patch("/api/students/me", &body).await.expect(StatusCode::OK).json();
    assert_eq!(saved["id"], student.id);
    assert_eq!(saved["isVerified"], true);
    assert_eq!(saved["postalCode"], "L5B 0A1");
    assert_eq!(saved["dateOfBirth"], "2009-03-01");
    assert_eq!(student.get("/api/students/me").await.json(), saved);

    // A part of the profile can be changed alone once the whole profile exists.
    let changed =
        student.patch("/api/students/me", &json!({ "city": "Toronto" })).await.expect(StatusCode::OK).json();
    assert_eq!((changed["city"].as_str(), changed["province"].as_str()), (Some("Toronto"), Some("ON")));
}

#[tokio::test]
async fn a_new_address_counts_only_when_its_own_mailbox_confirms_it() {
    let school = School::open().await;
    let student = school.student().await;
    let saved =
        student.patch("/api/students/me", &profile("moved@mail.example")).await.expect(StatusCode::OK).json();
    assert_eq!(saved["email"], student.email.as_str());
    assert_eq!(saved["pendingEmail"], "moved@mail.example");
    school.mail(&student.email, "Your email address is about to change").await;
    // Another change leaves it waiting, and writes no further emails.
    let emails = school.all_mails().await.len();
    let saved = student.patch("/api/students/me", &json!({ "city": "Ottawa" })).await.expect(StatusCode::OK);
    assert_eq!(saved.json()["pendingEmail"], "moved@mail.example");
    assert_eq!(school.all_mails().await.len(), emails);
    let token =
        school.mail("moved@mail.example", "Confirm your new email address").await.token("/student/verify/");
    for _ in 0..2 {
        student.get(&format!("/api/students/verify/{token}")).await.expect(StatusCode::OK);
    }
    let me = student.get("/api/students/me").await.expect(StatusCode::OK).json();
    assert_eq!(me["email"], "moved@mail.example");
    assert_eq!(me["pendingEmail"], json!(null));
    school.mail(&student.email, "Your email address was changed").await;
    school.visitor().log_in("moved@mail.example", PASSWORD).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn the_old_address_can_be_kept_after_all() {
    let school = School::open().await;
    let student = school.student().await;
    student.patch("/api/students/me", &profile("moved@mail.example")).await.expect(StatusCode::OK);
    let body = json!({ "email": student.email });
    let kept = student.patch("/api/students/me", &body).await.expect(StatusCode::OK).json();
    assert_eq!(kept["pendingEmail"], json!(null));
    let token =
        school.mail("moved@mail.example", "Confirm your new email address").await.token("/student/verify/");
    student.get(&format!("/api/students/verify/{token}")).await.expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_address_of_another_student_cannot_be_taken_and_is_not_revealed() {
    let school = School::open().await;
    let (one, other) = (school.student().await, school.student().await);
    let answer = one.patch("/api/students/me", &profile(&other.email)).await.expect(StatusCode::OK).json();
    assert_eq!(answer["pendingEmail"], other.email.as_str(), "as for any address");
    let mails = school.all_mails().await;
    assert!(!mails.iter().any(|mail| mail.subject == "Confirm your new email address"));
}

#[tokio::test]
async fn the_attempt_after_the_allowed_ones_waits() {
    let school = School::open_with(|config| {
        config.limits.logins_per_minute = 3;
        config.limits.registrations_per_hour = 2;
    })
    .await;
    let visitor = school.visitor();
    for _ in 0..3 {
        visitor.log_in("a@mail.example", "wrong password").await.expect(StatusCode::UNAUTHORIZED);
    }
    let answer =
        visitor.log_in("a@mail.example", "wrong password").await.expect(StatusCode::TOO_MANY_REQUESTS);
    assert!(answer.header("retry-after").parse::<u64>().unwrap() <= 20);
    // The office's login counts by itself, and answers in plain text.
    let body = json!({ "username": "a", "password": "b" });
    for _ in 0..3 {
        visitor.post("/api/login", &body).await.expect(StatusCode::UNAUTHORIZED);
    }
    let answer = visitor.post("/api/login", &body).await.expect(StatusCode::TOO_MANY_REQUESTS);
    assert!(answer.text().starts_with("Too many attempts."), "{}", answer.text());
    visitor.register("1@mail.example").await;
    visitor.register("2@mail.example").await;
    let body = json!({ "email": "3@mail.example", "password": PASSWORD, "confirmPassword": PASSWORD });
    visitor.post("/api/students/register", &body).await.expect(StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn an_address_is_understood_as_it_is_pasted_and_a_password_in_whatever_form_it_is_typed() {
    let school = School::open().await;
    let visitor = school.visitor();
    let (composed, decomposed) = ("café au lait et sucre", "cafe\u{301} au lait et sucre");
    for (typed, email) in [
        ("smith&jones@mail.example", "smith&jones@mail.example"),
        ("a=b@mail.example", "a=b@mail.example"),
        ("user@xn--e1afmkfd.xn--p1ai", "user@xn--e1afmkfd.xn--p1ai"),
        ("zero\u{200B}@mail.example", "zero@mail.example"),
        ("Learner <learner@mail.example>", "learner@mail.example"),
        ("mailto:reader@mail.example", "reader@mail.example"),
    ] {
        let form = json!({ "email": typed, "password": decomposed, "confirmPassword": composed });
        visitor.post("/api/students/register", &form).await.expect(StatusCode::CREATED);
        let token = school.mail(email, VERIFY).await.token("/student/verify/");
        visitor.get(&format!("/api/students/verify/{token}")).await.expect(StatusCode::OK);
        for password in [composed, decomposed] {
            visitor.log_in(typed, password).await.expect(StatusCode::OK);
        }
        visitor.log_in(email, "cafe au lait et sucre").await.expect(StatusCode::UNAUTHORIZED);
    }
    let refused = visitor.log_in("a b@mail.example", composed).await.fields();
    assert_eq!(refused["email"], "Please enter a valid email address: there is a space in it.");
}

#[tokio::test]
async fn a_hash_of_another_form_opens_once_as_it_was_typed_and_from_then_on_in_every_form() {
    let school = School::open().await;
    let student = school.student().await;
    let (composed, decomposed) = ("café au lait et sucre", "cafe\u{301} au lait et sucre");
    // As it was stored before there was one form: the hash of what was typed.
    let salt = b"sixteen old salt";
    let mut out = [0; 32];
    let params = Params::new(1024, 2, 1, Some(out.len())).unwrap();
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into(decomposed.as_bytes(), salt, &mut out)
        .unwrap();
    let [salt, out] = [BASE64_STANDARD_NO_PAD.encode(salt), BASE64_STANDARD_NO_PAD.encode(out)];
    let hash = format!("$argon2id$v=19$m=1024,t=2,p=1${salt}${out}");
    school.database().execute("update students set password_hash = ?1", [&hash]).unwrap();
    let visitor = school.visitor();
    visitor.log_in(&student.email, composed).await.expect(StatusCode::UNAUTHORIZED);
    visitor.log_in(&student.email, decomposed).await.expect(StatusCode::OK);
    wait_for(|| {
        let stored: String =
            school.database().query_row("select password_hash from students", [], |row| row.get(0)).unwrap();
        (stored != hash).then_some(())
    })
    .await;
    for password in [composed, decomposed] {
        visitor.log_in(&student.email, password).await.expect(StatusCode::OK);
    }
}
