//! A member of the staff's own account: a forgotten password, and another address.

use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::json;

use crate::support::{PASSWORD, School};

#[tokio::test]
async fn a_forgotten_password_gets_the_same_response_for_any_name_and_an_email_to_the_owner() {
    let school = School::open().await;
    school.hire("colleague", Role::Registrar).await;
    school.hire("gone", Role::Registrar).await;
    school.database().execute("update users set disabled_at = 1 where username = 'gone'", []).unwrap();
    let visitor = school.visitor();
    let ask = async |name: &str| visitor.post("/api/forgot-password", &json!({ "username": name })).await;
    let known = ask("COLLEAGUE").await.expect(StatusCode::OK);
    for name in ["absent", "gone"] {
        assert_eq!(ask(name).await.expect(StatusCode::OK).bytes, known.bytes, "{name}");
    }
    assert_eq!(ask(" ").await.fields(), json!({ "username": "Username is required" }));
    let mail = school.mail("colleague@school.example", "Choose a new password").await;
    let token = mail.token("/admin/reset-password/");
    assert_eq!(school.all_mails().await.len(), 1);
    let new = "an even quieter heron";
    let body = json!({ "token": token, "password": new, "confirmPassword": new });
    visitor.post("/api/reset-password", &body).await.expect(StatusCode::OK);
    visitor.post("/api/reset-password", &body).await.expect(StatusCode::NOT_FOUND);
    let login = json!({ "username": "colleague", "password": new });
    visitor.post("/api/login", &login).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn asking_is_limited_by_name_whatever_its_case() {
    let school = School::open_with(|config| config.limits.password_resets_per_hour = 2).await;
    let visitor = school.visitor();
    let ask = async |name: &str| visitor.post("/api/forgot-password", &json!({ "username": name })).await;
    for name in ["absent", "Absent"] {
        ask(name).await.expect(StatusCode::OK);
    }
    ask("ABSENT").await.expect(StatusCode::TOO_MANY_REQUESTS);
    ask("unknown").await.expect(StatusCode::OK);
}

#[tokio::test]
async fn an_address_changes_when_the_new_mailbox_says_so() {
    let school = School::open().await;
    school.hire("head", Role::Admin).await;
    let colleague = school.staff_as(Role::Registrar).await;
    let ask = async |email: &str, current: &str| {
        colleague.post("/api/user/email", &json!({ "email": email, "current": current })).await
    };
    let fields = ask("x", "").await.fields();
    assert_eq!(fields["current"], "Current password is required");
    assert_eq!(fields["email"], "Please enter a valid email address");
    let wrong = ask("new@school.example", "not it").await.fields();
    assert_eq!(wrong, json!({ "current": "This is not your current password" }));
    let taken = ask("head@school.example", PASSWORD).await.fields();
    assert!(taken["email"].as_str().unwrap().contains("already"), "{taken}");
    ask("new@school.example", PASSWORD).await.expect(StatusCode::OK);
    school.mail("staff0@school.example", "Your email address is about to change").await;
    assert_eq!(colleague.get("/api/user").await.json()["email"], "staff0@school.example", "not yet");
    let mail = school.mail("new@school.example", "Confirm your new email address").await;
    let body = json!({ "token": mail.token("/admin/confirm-email/") });
    // It opens that and nothing else.
    let reset = json!({ "token": body["token"], "password": PASSWORD, "confirmPassword": PASSWORD });
    school.visitor().post("/api/reset-password", &reset).await.expect(StatusCode::NOT_FOUND);
    school.visitor().post("/api/confirm-email", &body).await.expect(StatusCode::OK);
    assert_eq!(colleague.get("/api/user").await.json()["email"], "new@school.example");
    for to in ["staff0@school.example", "new@school.example"] {
        school.mail(to, "Your email address was changed").await;
    }
    school.visitor().post("/api/confirm-email", &body).await.expect(StatusCode::NOT_FOUND);
}
