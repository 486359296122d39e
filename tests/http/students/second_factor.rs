//! What a student's second factor protects beside the login, and who resets a lost one.

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::json;

use crate::cli::{err, out, run};
use crate::second_factor::{App, Portal};
use crate::support::{PASSWORD, School, profile};

const NEW: &str = "another long password";

#[tokio::test]
async fn account_access_changes_need_the_code_and_not_only_the_password() {
    let school = School::open().await;
    let owner = Portal::Student.owner(&school).await;
    let student = &owner.actor;
    let password = json!({ "current": PASSWORD, "password": NEW, "confirmPassword": NEW });
    let move_away = async || student.patch("/api/students/me", &profile("moved@mail.example")).await;
    let prove = async |proof| student.post("/api/students/proof", &proof).await;
    // Without a second factor the password is.
    school.advance(SignedDuration::from_mins(10));
    move_away().await.expect(StatusCode::OK);
    student.patch("/api/students/me", &json!({ "email": owner.email })).await.expect(StatusCode::OK);
    assert!(prove(json!({ "current": "not this one" })).await.fields()["current"].is_string());
    prove(json!({ "current": PASSWORD })).await.expect(StatusCode::NO_CONTENT);

    let app = App::of(&school, &owner).await;
    school.advance(SignedDuration::from_mins(10));
    let refused = [move_away().await, student.post("/api/students/password", &password).await];
    for refused in refused {
        assert_eq!(refused.expect(StatusCode::FORBIDDEN).json()["reason"], "step_up");
    }
    // What leads nowhere is changed as ever.
    student.patch("/api/students/me", &json!({ "city": "Ottawa" })).await.expect(StatusCode::OK);
    let by_password = prove(json!({ "current": PASSWORD })).await.fields();
    assert_eq!(by_password, json!({ "code": "Code is required" }));
    assert!(prove(json!({ "code": "000000" })).await.fields()["code"].is_string());
    move_away().await.expect(StatusCode::FORBIDDEN);
    prove(json!({ "code": app.code(&school) })).await.expect(StatusCode::NO_CONTENT);
    move_away().await.expect(StatusCode::OK);
    student.post("/api/students/password", &password).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_new_password_by_e_mail_leaves_it_on() {
    let school = School::open().await;
    let owner = Portal::Student.owner(&school).await;
    let app = App::of(&school, &owner).await;
    let visitor = school.visitor();
    visitor.post("/api/students/forgot-password", &json!({ "email": owner.email })).await;
    let token = school.mail(&owner.email, "Choose a new password").await.token("/student/reset-password/");
    let reset = json!({ "token": token, "password": NEW, "confirmPassword": NEW });
    visitor.post("/api/students/reset-password", &reset).await.expect(StatusCode::OK);
    visitor.get("/api/students/me").await.expect(StatusCode::UNAUTHORIZED);
    let asked = visitor.log_in(&owner.email, NEW).await.expect(StatusCode::UNAUTHORIZED);
    assert_eq!(asked.json()["reason"], "second_factor");
    let body = json!({ "email": owner.email, "password": NEW, "code": app.next_code(&school) });
    visitor.post("/api/students/login", &body).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn the_office_resets_the_second_factor_of_a_student_who_lost_it() {
    let school = School::open().await;
    let office = school.staff_as(Role::Registrar).await;
    let owner = Portal::Student.owner(&school).await;
    let id = owner.actor.get("/api/students/me").await.json()["id"].as_i64().unwrap();
    let reset = format!("/api/admin/students/{id}/reset-second-factor");
    let record = async || office.get(&format!("/api/admin/students/{id}")).await.json()["student"].clone();
    // Repeating it changes nothing, and neither does doing it too early.
    office.post(&reset, &json!({})).await.expect(StatusCode::OK);
    let app = App::of(&school, &owner).await;
    assert_eq!(record().await["hasSecondFactor"], true);
    for _ in 0..2 {
        let answer = office.post(&reset, &json!({})).await.expect(StatusCode::OK).json();
        assert_eq!(answer["hasSecondFactor"], false);
    }
    owner.actor.get("/api/students/me").await.expect(StatusCode::UNAUTHORIZED);
    school.mail(&owner.email, "Your second factor was reset").await;
    assert_eq!(school.count("select count(*) from audit where action = 'reset second factor'"), 1);
    let entries =
        "select count(*) from student_history where field = 'secondFactor' and actor_kind = 'staff'";
    assert_eq!(school.count(entries), 1);
    owner.log_in(&owner.actor, None).await.expect(StatusCode::OK);
    // What it was opened with opens it no more.
    let old = json!({ "code": app.recovery_codes[0], "current": PASSWORD });
    owner.actor.post("/api/students/second-factor/turn-off", &old).await.expect(StatusCode::CONFLICT);
    office.post("/api/admin/students/77/reset-second-factor", &json!({})).await.expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_lost_second_factor_is_reset_on_the_server() {
    let school = School::open().await;
    let owner = Portal::Student.owner(&school).await;
    App::of(&school, &owner).await;
    let reset = |email: &str| run(school.path(), &["reset-second-factor", "--student", email]);
    let output = reset(&owner.email);
    assert_eq!(out(&output), format!("reset the second factor of {}\n", owner.email), "{}", err(&output));
    assert!(err(&output).contains("1 session ended"), "{}", err(&output));
    owner.actor.get("/api/students/me").await.expect(StatusCode::UNAUTHORIZED);
    owner.log_in(&owner.actor, None).await.expect(StatusCode::OK);
    assert_eq!(out(&reset(&owner.email)), format!("{} has no second factor\n", owner.email));
    school.mail(&owner.email, "Your second factor was reset").await;
    let refused = reset("unknown@mail.example");
    assert_eq!(refused.status.code(), Some(1));
    assert!(err(&refused).contains("no student with the address"), "{}", err(&refused));
}

#[tokio::test]
async fn it_goes_with_the_account() {
    let school = School::open().await;
    let owner = Portal::Student.owner(&school).await;
    App::of(&school, &owner).await;
    let kept = "select (select count(*) from second_factors) + (select count(*) from recovery_codes)";
    assert_eq!(school.count(kept), 11);
    school
        .database()
        .execute_batch(
            "drop trigger consents_are_never_shortened; drop trigger student_history_is_never_shortened; delete from consents; delete from student_history; delete from student_tokens; delete from students",
        )
        .unwrap();
    assert_eq!(school.count(kept), 0);
}
