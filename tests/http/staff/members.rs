//! Commands that manage staff, with the real binary, while the server runs.

use std::process::Output;

use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::json;

use crate::cli::{err, out, run};
use crate::second_factor::{App, Portal};
use crate::support::{Actor, PASSWORD, School};

#[track_caller]
fn done(output: &Output, words: &str) {
    assert_eq!((output.status.code(), out(output).as_str()), (Some(0), words), "{}", err(output));
}

#[track_caller]
fn refused(output: &Output, words: &str) {
    assert_eq!((output.status.code(), out(output).as_str()), (Some(1), ""), "{}", err(output));
    assert!(err(output).contains(words), "{}", err(output));
}

async fn log_in(school: &School, username: &str) -> (Actor, StatusCode) {
    let actor = school.visitor();
    let answer = actor.post("/api/login", &json!({ "username": username, "password": PASSWORD })).await;
    (actor, answer.status)
}

fn trail(school: &School) -> String {
    let sql =
        "select group_concat(actor || ' ' || action || ' ' || object_id || ' ' || detail, ', ') from audit";
    school.database().query_row(sql, [], |row| row.get(0)).unwrap()
}

#[tokio::test]
async fn disabling_staff_ends_sessions_and_links_and_enabling_restores_neither() {
    let school = School::open().await;
    school.hire("head", Role::Admin).await;
    school.hire("leaver", Role::Registrar).await;
    let (office, _) = log_in(&school, "leaver").await;
    let (phone, _) = log_in(&school, "leaver").await;
    let (head, _) = log_in(&school, "head").await;
    run(school.path(), &["reset-password", "--username", "leaver"]);
    assert_eq!(school.count("select count(*) from staff_tokens"), 1);

    // The server keeps both sessions in memory from now on.
    for actor in [&office, &phone] {
        actor.get("/api/user").await.expect(StatusCode::OK);
    }
    let output = run(school.path(), &["disable-staff", "--username", "Leaver"]);
    done(&output, "disabled Leaver\n");
    assert!(err(&output).contains("2 sessions ended"), "{}", err(&output));
    for actor in [&office, &phone] {
        actor.get("/api/user").await.expect(StatusCode::UNAUTHORIZED);
        actor.get("/api/admin/enrollments/pending").await.expect(StatusCode::UNAUTHORIZED);
    }
    head.get("/api/user").await.expect(StatusCode::OK);
    assert_eq!(log_in(&school, "leaver").await.1, StatusCode::UNAUTHORIZED);
    assert_eq!(school.count("select count(*) from staff_tokens"), 0);
    done(&run(school.path(), &["disable-staff", "--username", "leaver"]), "leaver is disabled already\n");

    // As a login that was on its way would leave it.
    school
        .database()
        .execute(
            "insert into sessions select zeroblob(32), kind, 2, data, created_at, last_seen_at, \
             expires_at from sessions",
            [],
        )
        .unwrap();
    let output = run(school.path(), &["enable-staff", "--username", "leaver"]);
    done(&output, "enabled leaver\n");
    assert!(err(&output).contains("reset-password --username leaver"), "{}", err(&output));
    assert_eq!(school.count("select count(*) from sessions where subject_id = 2"), 0);
    office.get("/api/user").await.expect(StatusCode::UNAUTHORIZED);
    assert_eq!(log_in(&school, "leaver").await.1, StatusCode::OK);
    done(&run(school.path(), &["enable-staff", "--username", "leaver"]), "leaver is enabled already\n");
    assert_eq!(
        trail(&school),
        "command line reset_password 2 {}, command line disable 2 {}, command line enable 2 {}"
    );
}

#[tokio::test]
async fn another_role_holds_at_the_next_request_and_asks_for_a_new_login() {
    let school = School::open().await;
    school.hire("head", Role::Admin).await;
    school.hire("colleague", Role::Registrar).await;
    let (colleague, _) = log_in(&school, "colleague").await;
    colleague.get("/api/admin/documents").await.expect(StatusCode::OK);
    let output = run(school.path(), &["set-role", "--username", "colleague", "--role", "bursar"]);
    done(&output, "colleague is bursar now\n");
    assert!(err(&output).contains("1 session ended"), "{}", err(&output));
    colleague.get("/api/admin/documents").await.expect(StatusCode::UNAUTHORIZED);
    let (colleague, _) = log_in(&school, "colleague").await;
    assert_eq!(colleague.get("/api/user").await.json()["role"], "bursar");
    colleague.get("/api/admin/documents").await.expect(StatusCode::FORBIDDEN);
    let again = run(school.path(), &["set-role", "--username", "colleague", "--role", "bursar"]);
    done(&again, "colleague is bursar already\n");
    colleague.get("/api/user").await.expect(StatusCode::OK);
    assert_eq!(trail(&school), r#"command line set_role 2 {"from":"registrar","to":"bursar"}"#);
}

#[tokio::test]
async fn a_lost_second_factor_is_reset_on_the_server() {
    let school = School::open().await;
    school.hire("head", Role::Admin).await;
    let (head, _) = log_in(&school, "head").await;
    App::set_up(&school, &head).await;
    assert_eq!(log_in(&school, "head").await.1, StatusCode::UNAUTHORIZED);
    let reset = ["reset-second-factor", "--username", "head"];
    let output = run(school.path(), &reset);
    done(&output, "reset the second factor of head\n");
    assert!(err(&output).contains("1 session ended"), "{}", err(&output));
    head.get("/api/user").await.expect(StatusCode::UNAUTHORIZED);
    assert_eq!(log_in(&school, "head").await.1, StatusCode::OK);
    done(&run(school.path(), &reset), "head has no second factor\n");
    assert!(
        trail(&school).ends_with(r#"command line reset second factor 1 {"sessions":1}"#),
        "{}",
        trail(&school)
    );
    school.mail("head@school.example", "Your second factor was reset").await;
    refused(&run(school.path(), &["reset-second-factor", "--username", "absent"]), "no member of the staff");
}

#[tokio::test]
async fn an_administrator_resets_the_second_factor_of_a_colleague_who_lost_it() {
    let school = School::open().await;
    let admin = school.staff().await;
    let owner = Portal::Staff.owner(&school).await;
    let colleague = &owner.actor;
    let app = App::of(&school, &owner).await;
    let row = async || {
        let rows = admin.get("/api/admin/staff").await.expect(StatusCode::OK).json();
        rows.as_array().unwrap().iter().find(|row| row["username"] == "colleague").unwrap().clone()
    };
    assert_eq!(row().await["hasSecondFactor"], true);
    let reset = format!("/api/admin/staff/{}/reset-second-factor", row().await["id"]);
    admin.post("/api/admin/staff/1/reset-second-factor", &json!({})).await.expect(StatusCode::CONFLICT);
    for _ in 0..2 {
        let answer = admin.post(&reset, &json!({})).await.expect(StatusCode::OK).json();
        assert_eq!((&answer["hasSecondFactor"], &answer["devices"]), (&json!(false), &json!(0)));
    }
    colleague.get("/api/user").await.expect(StatusCode::UNAUTHORIZED);
    school.mail("colleague@school.example", "Your second factor was reset").await;
    assert_eq!(school.count("select count(*) from audit where action = 'reset second factor'"), 1);
    owner.log_in(colleague, None).await.expect(StatusCode::OK);
    // What it was opened with opens it no more.
    let setup = json!({ "code": app.recovery_codes[0], "current": PASSWORD });
    colleague.post("/api/user/second-factor/turn-off", &setup).await.expect(StatusCode::CONFLICT);
}

#[tokio::test]
async fn the_last_administrator_who_can_log_in_stays_one() {
    let school = School::open().await;
    school.hire("head", Role::Admin).await;
    school.hire("former", Role::Admin).await;
    done(&run(school.path(), &["disable-staff", "--username", "former"]), "disabled former\n");
    refused(&run(school.path(), &["disable-staff", "--username", "head"]), "the last administrator");
    let demote = ["set-role", "--username", "head", "--role", "viewer"];
    refused(&run(school.path(), &demote), "the last administrator");
    // A disabled administrator may lose the role; with a second administrator, so may the first.
    done(
        &run(school.path(), &["set-role", "--username", "former", "--role", "viewer"]),
        "former is viewer now\n",
    );
    school.hire("deputy", Role::Registrar).await;
    done(
        &run(school.path(), &["set-role", "--username", "deputy", "--role", "admin"]),
        "deputy is admin now\n",
    );
    done(&run(school.path(), &demote), "head is viewer now\n");
    refused(&run(school.path(), &["disable-staff", "--username", "deputy"]), "the last administrator");
    assert_eq!(school.count("select count(*) from users where role = 'admin' and disabled_at is null"), 1);
    assert_eq!(school.count("select count(*) from audit"), 4, "a refusal is not recorded");
}

#[tokio::test]
async fn two_administrators_cannot_shut_each_other_out_at_the_same_moment() {
    let school = School::open().await;
    school.hire("one", Role::Admin).await;
    school.hire("two", Role::Admin).await;
    let path = school.path().to_owned();
    let other = std::thread::spawn(move || run(&path, &["disable-staff", "--username", "one"]));
    let here = run(school.path(), &["set-role", "--username", "two", "--role", "viewer"]);
    let codes = [here.status.code(), other.join().unwrap().status.code()];
    assert!(codes.contains(&Some(0)) && codes.contains(&Some(1)), "{codes:?}");
    assert_eq!(school.count("select count(*) from users where role = 'admin' and disabled_at is null"), 1);
}

#[tokio::test]
async fn the_staff_are_listed_for_people_and_for_scripts() {
    let school = School::open().await;
    let empty = run(school.path(), &["list-staff"]);
    done(&empty, "USERNAME  ROLE  STATE  SINCE  EMAIL\n");
    assert!(err(&empty).contains("create-admin"), "{}", err(&empty));
    school.hire("head", Role::Admin).await;
    school.hire("a-bursar", Role::Bursar).await;
    done(&run(school.path(), &["disable-staff", "--username", "a-bursar"]), "disabled a-bursar\n");
    done(
        &run(school.path(), &["list-staff"]),
        "USERNAME  ROLE    STATE     SINCE       EMAIL\n\
         a-bursar  bursar  disabled  2026-11-21  a-bursar@school.example\n\
         head      admin   enabled   2026-11-21  head@school.example\n",
    );
}

#[tokio::test]
async fn an_unknown_name_role_or_folder_is_reported() {
    let school = School::open().await;
    school.hire("head", Role::Admin).await;
    for command in ["disable-staff", "enable-staff"] {
        let absent = run(school.path(), &[command, "--username", "absent"]);
        refused(&absent, "there is no member of the staff named \"absent\"");
        assert_eq!(run(school.path(), &[command]).status.code(), Some(2));
    }
    let absent = run(school.path(), &["set-role", "--username", "absent", "--role", "admin"]);
    refused(&absent, "there is no member of the staff named \"absent\"");
    let king = run(school.path(), &["set-role", "--username", "head", "--role", "king"]);
    assert_eq!(king.status.code(), Some(2));
    assert!(err(&king).contains("admin, registrar, bursar, viewer"), "{}", err(&king));
    let nowhere = school.path().join("nowhere");
    for arguments in [&["list-staff"][..], &["disable-staff", "--username", "head"]] {
        refused(&run(&nowhere, arguments), "is not a data folder of schoolhouse");
    }
    assert!(!nowhere.exists());
}
