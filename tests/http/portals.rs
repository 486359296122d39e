//! The portals' forms without scripts: login, forgotten and new password, logout.

use reqwest::StatusCode;
use reqwest::redirect::Policy;
use schoolhouse::testing::Role;
use serde_json::json;

use crate::second_factor::{App, Portal};
use crate::support::{Actor, Answer, PASSWORD, School, browser};

const NEW: &str = "another long password";

/// A browser that does not follow redirects.
fn visitor(school: &School) -> Actor {
    Actor::with(browser().redirect(Policy::none()), &school.url(""))
}

async fn submit(actor: &Actor, address: &str, fields: &[(&str, &str)]) -> Answer {
    let form = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    let request = actor.request("POST", address).body(form);
    actor.send(request.header("content-type", "application/x-www-form-urlencoded")).await
}

/// Expects a redirect.
#[track_caller]
fn expect_sent_to(answer: &Answer, address: &str) {
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text());
    assert_eq!(answer.header("location"), address);
}

/// Expects the form with an error and without the password.
#[track_caller]
fn expect_refused(answer: &Answer, status: StatusCode, words: &str) -> String {
    assert_eq!(answer.status, status, "{}", answer.text());
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(answer.header("cache-control"), "private, no-store");
    assert_eq!(answer.header("referrer-policy"), "no-referrer");
    let html = answer.text();
    assert!(html.contains(words) && html.contains("<form method=\"post\""), "{html}");
    assert!(!html.contains("<script type=\"module\"") && !html.contains("password\" value=\"a"), "{html}");
    html
}

#[tokio::test]
async fn a_login_redirects_or_shows_its_errors_and_logout_is_a_form_too() {
    let school = School::open().await;
    let owner = school.student().await;
    let student = visitor(&school);
    let wrong = [("email", owner.email.as_str()), ("password", "a wrong password")];
    let refused = submit(&student, "/student/auth", &wrong).await;
    let html = expect_refused(&refused, StatusCode::UNAUTHORIZED, "Invalid email or password");
    assert!(
        html.contains(&format!("value=\"{}\"", owner.email)) && html.contains("Student Login</h1>"),
        "{html}"
    );
    let unreadable = submit(&student, "/student/auth", &[("email", "<b>"), ("password", "short")]).await;
    let html = expect_refused(&unreadable, StatusCode::BAD_REQUEST, "Please enter a valid email address.");
    assert!(
        html.contains("value=\"&lt;b&gt;\"") && html.contains("aria-describedby=\"login-password-error\"")
    );
    student.get("/api/students/me").await.expect(StatusCode::UNAUTHORIZED);

    let right = [("email", owner.email.as_str()), ("password", PASSWORD), ("code", "")];
    let answer = submit(&student, "/student/auth?next=/student/courses%3Fgrade%3Dall", &right).await;
    expect_sent_to(&answer, "/student/courses?grade=all");
    assert_eq!(student.get("/api/students/me").await.json()["email"], json!(owner.email));
    let answer = submit(&student, "/student/logout", &[]).await;
    expect_sent_to(&answer, "/student/auth");
    assert_eq!(answer.header("clear-site-data"), "\"cache\", \"storage\"");
    student.get("/api/students/me").await.expect(StatusCode::UNAUTHORIZED);

    school.hire("margaret", Role::Registrar).await;
    let staff = visitor(&school);
    let refused = submit(&staff, "/admin/login", &[("username", "margaret"), ("password", "")]).await;
    let html = expect_refused(&refused, StatusCode::BAD_REQUEST, "Password is required");
    assert!(
        html.contains("value=\"margaret\"") && html.contains("href=\"/admin/forgot-password\""),
        "{html}"
    );
    let credentials = [("username", "margaret"), ("password", PASSWORD)];
    expect_sent_to(
        &submit(&staff, "/admin/login?next=//evil.example", &credentials).await,
        "/admin/dashboard",
    );
    staff.get("/api/user").await.expect(StatusCode::OK);
    expect_sent_to(&submit(&staff, "/admin/logout", &[]).await, "/admin/login");
    staff.get("/api/user").await.expect(StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_second_factor_is_asked_for_together_with_the_password() {
    let school = School::open().await;
    let owner = Portal::Student.owner(&school).await;
    let app = App::of(&school, &owner).await;
    let student = visitor(&school);
    let log_in = async |code: &str| {
        let fields = [("email", owner.email.as_str()), ("password", PASSWORD), ("code", code)];
        submit(&student, "/student/auth", &fields).await
    };
    let asked = log_in("").await;
    let html = expect_refused(&asked, StatusCode::UNAUTHORIZED, "Please enter your password once more");
    assert!(html.contains("name=\"code\"") && html.contains(&format!("value=\"{}\"", owner.email)), "{html}");
    let html = expect_refused(&log_in("000000").await, StatusCode::UNAUTHORIZED, "This code is not right.");
    assert!(html.contains("id=\"login-code-error\"") && !html.contains("value=\"000000\""), "{html}");
    student.get("/api/students/me").await.expect(StatusCode::UNAUTHORIZED);
    expect_sent_to(&log_in(&app.next_code(&school)).await, "/student/dashboard");
    student.get("/api/students/me").await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_forgotten_password_is_replaced_by_a_link() {
    let school = School::open().await;
    let owner = school.student().await;
    school.hire("margaret", Role::Registrar).await;
    let names = [
        (
            "/student/forgot-password",
            "email",
            owner.email.as_str(),
            owner.email.as_str(),
            "/student/reset-password",
        ),
        (
            "/admin/forgot-password",
            "username",
            "margaret",
            "margaret@school.example",
            "/admin/reset-password",
        ),
    ];
    for (address, field, name, mailbox, page) in names {
        let browser = visitor(&school);
        let nameless = submit(&browser, address, &[(field, "")]).await;
        expect_refused(&nameless, StatusCode::BAD_REQUEST, "field-error");
        expect_sent_to(&submit(&browser, address, &[(field, name)]).await, &format!("{address}?sent"));
        let sent = browser.get(&format!("{address}?sent")).await.expect(StatusCode::OK);
        assert!(sent.text().contains("Check Your Inbox</h1>"), "{}", sent.text());
        let mails = school.all_mails().await;
        let mail = mails.iter().rev().find(|mail| mail.to == mailbox).unwrap();
        let link = format!("{page}/{}", mail.token(&format!("{page}/")));

        let short = submit(&browser, &link, &[("password", "abc"), ("confirmPassword", "abcd")]).await;
        expect_refused(&short, StatusCode::BAD_REQUEST, "Password must be at least 8 characters");
        let fields = [("password", NEW), ("confirmPassword", NEW)];
        expect_sent_to(&submit(&browser, &link, &fields).await, &format!("{page}/done"));
        let done = browser.get(&format!("{page}/done")).await.expect(StatusCode::OK);
        assert!(done.text().contains("Your Password Was Changed</h1>"), "{}", done.text());
        let dead = submit(&browser, &link, &fields).await.expect(StatusCode::NOT_FOUND);
        assert!(
            dead.text().contains("Ask for a New Link") && !dead.text().contains("<form"),
            "{}",
            dead.text()
        );
    }
    visitor(&school).log_in(&owner.email, NEW).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn forms_share_the_limits_of_the_api_and_refuse_other_sites() {
    let school = School::open().await;
    let owner = school.student().await;
    let student = visitor(&school);
    let fields = [("email", owner.email.as_str()), ("password", "a wrong password")];
    let held_up = loop {
        let answer = submit(&student, "/student/auth", &fields).await;
        if answer.status != StatusCode::UNAUTHORIZED {
            break answer;
        }
    };
    expect_refused(&held_up, StatusCode::TOO_MANY_REQUESTS, "Too many attempts.");
    assert!(!held_up.header("retry-after").is_empty());
    visitor(&school).log_in(&owner.email, PASSWORD).await.expect(StatusCode::TOO_MANY_REQUESTS);

    for address in [
        "/student/auth",
        "/student/forgot-password",
        "/student/reset-password/x",
        "/student/choose-password/x",
        "/student/logout",
        "/admin/login",
        "/admin/forgot-password",
        "/admin/reset-password/x",
        "/admin/logout",
    ] {
        let foreign = student.request("POST", address).header("origin", "https://evil.example").body("");
        student.send(foreign).await.expect(StatusCode::FORBIDDEN);
        let no_form = student.post(address, &json!({})).await;
        assert!(no_form.status.is_client_error() || address.ends_with("logout"), "{address}");
    }
}
