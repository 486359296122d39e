//! Nobody takes a student's account: what a new password ends, and who chooses it.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{Actor, Answer, PASSWORD, School, profile};

const NEW: &str = "an even quieter heron";

fn new_password(token: &str) -> Value {
    json!({ "token": token, "password": NEW, "confirmPassword": NEW })
}

/// The cookie of a login, as somebody would copy it.
fn cookie(login: &Answer) -> String {
    login.header("set-cookie").split(';').next().unwrap().to_owned()
}

/// Asks with a copied cookie from elsewhere.
async fn with_cookie(school: &School, cookie: &str, path: &str) -> StatusCode {
    let thief = school.visitor();
    thief.send(thief.request("GET", path).header("cookie", cookie)).await.status
}

/// A link to a new password, by e-mail.
async fn reset_token(school: &School, actor: &Actor, email: &str) -> String {
    let body = json!({ "email": email });
    actor.post("/api/students/forgot-password", &body).await.expect(StatusCode::OK);
    school.mail(email, "Choose a new password").await.token("/student/reset-password/")
}

#[tokio::test]
async fn a_new_password_ends_every_link_the_waiting_address_and_every_session() {
    let school = School::open().await;
    let student = school.student().await;
    student.patch("/api/students/me", &profile("thief@mail.example")).await.expect(StatusCode::OK);
    let change =
        school.mail("thief@mail.example", "Confirm your new email address").await.token("/student/verify/");
    let token = reset_token(&school, &school.visitor(), &student.email).await;
    school.visitor().post("/api/students/reset-password", &new_password(&token)).await.expect(StatusCode::OK);

    let path = format!("/api/students/verify/{change}");
    school.visitor().get(&path).await.expect(StatusCode::NOT_FOUND);
    student.get("/api/students/me").await.expect(StatusCode::UNAUTHORIZED);
    let owner = school.visitor();
    let me = owner.log_in(&student.email, NEW).await.expect(StatusCode::OK).json();
    assert_eq!(me["student"]["email"], student.email.as_str());
    assert_eq!(me["student"]["pendingEmail"], json!(null));
    assert_eq!(school.count("select count(*) from student_tokens"), 0);
}

#[tokio::test]
async fn the_browser_that_chose_the_password_goes_on_and_a_copy_of_its_cookie_does_not() {
    let school = School::open().await;
    let email = school.student().await.email;
    let browser = school.visitor();
    let copied = cookie(&browser.log_in(&email, PASSWORD).await.expect(StatusCode::OK));
    assert_eq!(with_cookie(&school, &copied, "/api/students/me").await, StatusCode::OK);

    let token = reset_token(&school, &browser, &email).await;
    browser.post("/api/students/reset-password", &new_password(&token)).await.expect(StatusCode::OK);
    assert_eq!(with_cookie(&school, &copied, "/api/students/me").await, StatusCode::UNAUTHORIZED);
    browser.get("/api/students/me").await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_link_that_is_used_in_somebody_elses_browser_leaves_them_logged_in_as_themselves() {
    let school = School::open().await;
    let (student, sibling) = (school.student().await, school.student().await);
    let token = reset_token(&school, &sibling, &student.email).await;
    sibling.post("/api/students/reset-password", &new_password(&token)).await.expect(StatusCode::OK);
    let me = sibling.get("/api/students/me").await.expect(StatusCode::OK).json();
    assert_eq!(me["id"], sibling.id);
    student.get("/api/students/me").await.expect(StatusCode::UNAUTHORIZED);
}
