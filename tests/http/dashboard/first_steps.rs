//! What a new school sets up first.

use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use crate::support::{Actor, School};

const STEPS: &str = "/api/admin/first-steps";

async fn done(staff: &Actor) -> Vec<(String, bool)> {
    let steps = staff.get(STEPS).await.expect(StatusCode::OK).json();
    let read = |step: &Value| (step["step"].as_str().unwrap().to_owned(), step["isDone"].as_bool().unwrap());
    steps.as_array().unwrap().iter().map(read).collect()
}

async fn is_done(staff: &Actor, step: &str) -> bool {
    done(staff).await.iter().find(|(name, _)| name == step).unwrap().1
}

#[tokio::test]
async fn each_step_is_ticked_by_its_fact() {
    let school = School::open().await;
    let staff = school.staff().await;
    for (step, is_done) in done(&staff).await {
        assert!(!is_done, "{step}: the school is empty");
    }
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    assert!(is_done(&staff, "catalogue").await);
    staff.delete(&format!("/api/admin/courses/{course}")).await;
    assert!(!is_done(&staff, "catalogue").await);
    let page = staff.get("/api/admin/settings").await.expect(StatusCode::OK).json();
    let mut settings = page["settings"].clone();
    settings["semesters"] = page["defaults"]["semesters"].clone();
    settings["texts"]["refunds"] = json!("All of it before the first day.");
    settings["texts"]["howToPay"] = json!("By Interac e-Transfer to the office.");
    let draft = json!({ "version": page["version"], "settings": settings });
    let saved = staff.send(staff.request("PUT", "/api/admin/settings/draft").json(&draft)).await;
    let version = saved.expect(StatusCode::OK).json()["version"].clone();
    assert!(!is_done(&staff, "semesters").await, "a draft is no semester");
    assert!(!is_done(&staff, "texts").await, "nor a text that is in force");
    let publish = json!({ "version": version });
    staff.post("/api/admin/settings/publish", &publish).await.expect(StatusCode::OK);
    assert!(is_done(&staff, "semesters").await);
    assert!(is_done(&staff, "texts").await);
    school.hire("mei", Role::Registrar).await;
    assert!(is_done(&staff, "colleagues").await);
    let server = crate::support::mail_server::MailServer::start();
    let school = server.school().await;
    assert!(is_done(&school.staff().await, "mail").await);
}

#[tokio::test]
async fn an_administrator_hides_them_and_shows_them_again() {
    let school = School::open().await;
    let staff = school.staff().await;
    let hidden = async || staff.get("/api/admin/dashboard").await.json()["areFirstStepsHidden"].clone();
    assert_eq!(hidden().await, false);
    for (verb, is_hidden) in
        [("hide", true), ("hide", true), ("show", false), ("show", false), ("hide", true)]
    {
        staff.post(&format!("{STEPS}/{verb}"), &json!({})).await.expect(StatusCode::NO_CONTENT);
        assert_eq!(hidden().await, is_hidden);
    }
    let recorded = "select count(*) from audit where object = 'first_steps'";
    assert_eq!(school.count(recorded), 3, "a repetition is not recorded");
    let school = school.reopen().await;
    let staff = school.staff().await;
    assert_eq!(staff.get("/api/admin/dashboard").await.json()["areFirstStepsHidden"], true);
    let registrar = school.staff_as(Role::Registrar).await;
    registrar.get(STEPS).await.expect(StatusCode::FORBIDDEN);
    assert_eq!(registrar.get("/api/admin/dashboard").await.json()["areFirstStepsHidden"], Value::Null);
}
