//! Proving one's identity again before a sensitive action.

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::json;

use crate::second_factor::App;
use crate::support::{Actor, PASSWORD, PDF, School};

async fn prove(actor: &Actor, body: serde_json::Value) -> crate::support::Answer {
    actor.post("/api/user/proof", &body).await
}

#[tokio::test]
async fn the_password_opens_it_for_ten_minutes() {
    let school = School::open().await;
    let admin = school.staff().await;
    school.hire("colleague", Role::Registrar).await;
    let disable = async || admin.post("/api/admin/staff/2/disable", &json!({})).await;
    let sheet = async || admin.get("/api/admin/students?format=csv").await;
    school.advance(SignedDuration::from_mins(10));
    let refused = disable().await.expect(StatusCode::FORBIDDEN);
    assert_eq!(refused.json()["reason"], "step_up");
    assert_eq!(refused.message(), "Please confirm that it is you, then try again.");
    sheet().await.expect(StatusCode::FORBIDDEN);
    admin.get("/api/user/proof").await.expect(StatusCode::FORBIDDEN);
    for (body, field, message) in [
        (json!({}), "current", "Current password is required"),
        (json!({ "code": "123456" }), "current", "Current password is required"),
        (json!({ "current": "not this one" }), "current", "This is not your current password"),
    ] {
        assert_eq!(prove(&admin, body).await.fields(), json!({ field: message }));
    }
    sheet().await.expect(StatusCode::FORBIDDEN);
    prove(&admin, json!({ "current": PASSWORD })).await.expect(StatusCode::NO_CONTENT);
    admin.get("/api/user/proof").await.expect(StatusCode::NO_CONTENT);
    school.advance(SignedDuration::from_secs(599));
    sheet().await.expect(StatusCode::OK);
    disable().await.expect(StatusCode::OK);
    school.advance(SignedDuration::from_secs(1));
    disable().await.expect(StatusCode::FORBIDDEN);
    // A visitor gets 401.
    school.visitor().get("/api/user/proof").await.expect(StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn with_a_second_factor_its_code_is_asked_for_and_the_password_is_not_enough() {
    let school = School::open().await;
    let colleague = school.staff_as(Role::Registrar).await;
    let app = App::set_up(&school, &colleague).await;
    school.advance(SignedDuration::from_mins(10));
    let change = json!({ "email": "new@school.example", "current": PASSWORD });
    for path in ["/api/user/email", "/api/user/password"] {
        let refused = colleague.post(path, &change).await.expect(StatusCode::FORBIDDEN);
        assert_eq!(refused.json()["reason"], "step_up");
    }
    let by_password = prove(&colleague, json!({ "current": PASSWORD })).await.fields();
    assert_eq!(by_password, json!({ "code": "Code is required" }));
    assert!(prove(&colleague, json!({ "code": "000000" })).await.fields()["code"].is_string());
    let code = app.code(&school);
    prove(&colleague, json!({ "code": code })).await.expect(StatusCode::NO_CONTENT);
    assert!(
        prove(&colleague, json!({ "code": code })).await.fields()["code"].as_str().unwrap().contains("used")
    );
    colleague.post("/api/user/email", &change).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn guessing_at_the_proof_is_held_up() {
    let school = School::open_with(|config| config.limits.wrong_passwords = 3).await;
    let staff = school.staff().await;
    for _ in 0..3 {
        prove(&staff, json!({ "current": "not this one" })).await.expect(StatusCode::BAD_REQUEST);
    }
    prove(&staff, json!({ "current": PASSWORD })).await.expect(StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn opening_many_documents_in_an_hour_requires_the_password_again() {
    let school = School::open_with(|config| config.limits.documents_opened_per_hour = 2).await;
    let (staff, student) = (school.staff().await, school.student().await);
    student.upload("transcript", "a.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    let open = async |actor: &Actor| actor.get("/api/documents/1").await;
    for _ in 0..2 {
        staff.get("/api/admin/documents/proof").await.expect(StatusCode::NO_CONTENT);
        open(&staff).await.expect(StatusCode::OK);
    }
    let refused = staff.get("/api/admin/documents/proof").await.expect(StatusCode::FORBIDDEN);
    assert_eq!(refused.json()["reason"], "step_up");
    open(&staff).await.expect(StatusCode::FORBIDDEN);
    assert_eq!(school.count("select count(*) from audit where action = 'view'"), 2);
    // Its owner is not counted, and neither is another session.
    for _ in 0..3 {
        open(&student).await.expect(StatusCode::OK);
    }
    open(&school.staff().await).await.expect(StatusCode::OK);
    // Each authentication restarts the period, even in the same second as the login.
    prove(&staff, json!({ "current": PASSWORD })).await.expect(StatusCode::NO_CONTENT);
    open(&staff).await.expect(StatusCode::OK);
    open(&staff).await.expect(StatusCode::OK);
    open(&staff).await.expect(StatusCode::FORBIDDEN);
    school.advance(SignedDuration::from_mins(59));
    open(&staff).await.expect(StatusCode::FORBIDDEN);
    school.advance(SignedDuration::from_mins(1));
    open(&staff).await.expect(StatusCode::OK);
}
