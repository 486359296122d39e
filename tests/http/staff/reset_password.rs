//! `reset-password`: links from the command line, and what they open.

use std::io::Write;
use std::process::{Output, Stdio};

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use crate::cli::{err, out, schoolhouse};
use crate::support::{PASSWORD, School};

const NEW: &str = "an even quieter heron";

fn reset(school: &School, options: &[&str]) -> Output {
    schoolhouse(school.path())
        .arg("reset-password")
        .args(options)
        .env("SCHOOLHOUSE_SERVER_PUBLIC_URL", "https://school.example/")
        .output()
        .unwrap()
}

/// The token of the link that was printed.
#[track_caller]
fn token(output: &Output, path: &str) -> String {
    assert!(output.status.success(), "{}", err(output));
    let link = out(output);
    let token =
        link.strip_prefix(&format!("https://school.example{path}/")).unwrap_or_else(|| panic!("{link}"));
    token.trim_end().to_owned()
}

fn body(token: &str) -> Value {
    json!({ "token": token, "password": NEW, "confirmPassword": NEW })
}

/// The command runs by the machine's clock; the server's is set to it.
fn in_step(school: &School) {
    let now: i64 = school.count("select unixepoch()");
    school.advance(SignedDuration::from_secs(now - school.clock.now().as_second()));
}

#[tokio::test]
async fn a_member_of_the_staff_chooses_a_new_password_by_a_link_from_the_command_line() {
    let school = School::open().await;
    in_step(&school);
    let elsewhere = school.staff_as(Role::Registrar).await;
    let earlier = token(&reset(&school, &["--username", "STAFF0"]), "/admin/reset-password");
    let link = token(&reset(&school, &["--username", "staff0"]), "/admin/reset-password");

    let visitor = school.visitor();
    let fields = visitor
        .post("/api/reset-password", &json!({ "token": link, "password": "1234567", "confirmPassword": "x" }))
        .await
        .fields();
    assert_eq!(fields["password"], "Password must be at least 8 characters");
    let superseded = visitor.post("/api/reset-password", &body(&earlier)).await;
    let unknown = visitor.post("/api/reset-password", &body("nonsense")).await;
    visitor.post("/api/reset-password", &body(&link)).await.expect(StatusCode::OK);
    let used = visitor.post("/api/reset-password", &body(&link)).await;
    for dead in [&superseded, &unknown, &used] {
        assert_eq!((dead.status, &dead.bytes), (StatusCode::NOT_FOUND, &unknown.bytes), "{}", dead.text());
    }

    elsewhere.get("/api/user").await.expect(StatusCode::UNAUTHORIZED);
    let log_in = async |password: &str| {
        visitor.post("/api/login", &json!({ "username": "staff0", "password": password })).await
    };
    log_in(PASSWORD).await.expect(StatusCode::UNAUTHORIZED);
    log_in(NEW).await.expect(StatusCode::OK);
    let email = school.mail("staff0@school.example", "Your password was changed").await;
    assert!(email.text.contains("office account staff0"), "{}", email.text);

    let trail: String = school
        .database()
        .query_row(
            "select group_concat(actor || ' ' || action || ' ' || object, ', ') from audit",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(
        trail,
        "command line reset_password user, command line reset_password user, staff0 change_password user"
    );
}

#[tokio::test]
async fn a_staff_link_runs_out_after_an_hour_and_dies_with_the_account() {
    let school = School::open().await;
    in_step(&school);
    school.hire("head", Role::Admin).await;
    let link = token(&reset(&school, &["--username", "head"]), "/admin/reset-password");
    school.database().execute("update users set disabled_at = 1", []).unwrap();
    school.visitor().post("/api/reset-password", &body(&link)).await.expect(StatusCode::NOT_FOUND);
    school.database().execute("update users set disabled_at = null", []).unwrap();
    school.advance(SignedDuration::from_mins(61));
    school.visitor().post("/api/reset-password", &body(&link)).await.expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_student_chooses_a_new_password_by_a_link_from_the_command_line() {
    let school = School::open().await;
    in_step(&school);
    let student = school.student().await;
    let link = token(&reset(&school, &["--student", "Student0@Mail.example"]), "/student/reset-password");
    let visitor = school.visitor();
    visitor.post("/api/students/reset-password", &body(&link)).await.expect(StatusCode::OK);
    student.get("/api/students/me").await.expect(StatusCode::UNAUTHORIZED);
    visitor.log_in(&student.email, NEW).await.expect(StatusCode::OK);
    // A student's link does nothing in the office.
    let link = token(&reset(&school, &["--student", &student.email]), "/student/reset-password");
    visitor.post("/api/reset-password", &body(&link)).await.expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn an_unverified_student_is_verified_by_the_link_and_the_command_says_so() {
    let school = School::open().await;
    in_step(&school);
    school.visitor().register("stuck@mail.example").await;
    school.mail("stuck@mail.example", "Verify your email address").await;
    let output = reset(&school, &["--student", "stuck@mail.example"]);
    assert!(err(&output).contains("is not verified yet"), "{}", err(&output));
    let link = token(&output, "/student/reset-password");
    school.visitor().post("/api/students/reset-password", &body(&link)).await.expect(StatusCode::OK);
    school.visitor().log_in("stuck@mail.example", NEW).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn accounts_that_cannot_log_in_get_no_reset_link() {
    let school = School::open().await;
    school.hire("gone", Role::Admin).await;
    let student = school.student().await;
    school
        .database()
        .execute_batch("update users set disabled_at = 1; update students set status = 'suspended'")
        .unwrap();
    for (options, words) in [
        (["--username", "absent"], "there is no member of the staff named \"absent\""),
        (["--username", "gone"], "the account \"gone\" is disabled"),
        (["--student", "no@mail.example"], "there is no student with the address no@mail.example"),
        (["--student", "no"], "--student: Please enter a valid email address (found \"no\")"),
        (["--student", &student.email], "is suspended; a new password would not open it"),
    ] {
        let output = reset(&school, &options);
        assert_eq!(output.status.code(), Some(1), "{options:?}");
        assert!(err(&output).contains(words) && out(&output).is_empty(), "{options:?}: {}", err(&output));
    }
    assert_eq!(school.count("select count(*) from staff_tokens"), 0);
    assert_eq!(school.count("select count(*) from audit"), 0);
    assert_eq!(reset(&school, &[]).status.code(), Some(2));
    assert_eq!(reset(&school, &["--username", "a", "--student", "b"]).status.code(), Some(2));
    let nowhere = school.path().join("nowhere");
    let output = schoolhouse(&nowhere).args(["reset-password", "--username", "head"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        err(&output).contains("is not a data folder of schoolhouse") && !nowhere.exists(),
        "{}",
        err(&output)
    );
}

#[tokio::test]
async fn a_copy_of_the_cookie_ends_with_the_password_and_the_browser_goes_on() {
    let school = School::open().await;
    in_step(&school);
    school.hire("staff9", Role::Admin).await;
    let browser = school.visitor();
    let body_of_login = json!({ "username": "staff9", "password": PASSWORD });
    let login = browser.post("/api/login", &body_of_login).await.expect(StatusCode::OK);
    let copied = login.header("set-cookie").split(';').next().unwrap().to_owned();
    let link = token(&reset(&school, &["--username", "staff9"]), "/admin/reset-password");
    browser.post("/api/reset-password", &body(&link)).await.expect(StatusCode::OK);

    let thief = school.visitor();
    let request = thief.request("GET", "/api/user").header("cookie", copied);
    thief.send(request).await.expect(StatusCode::UNAUTHORIZED);
    browser.get("/api/user").await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_password_that_is_guessed_first_is_refused_wherever_one_is_chosen() {
    let school = School::open().await;
    in_step(&school);
    let student = school.student().await;
    school.hire("frontdesk", Role::Registrar).await;
    let students = token(&reset(&school, &["--student", &student.email]), "/student/reset-password");
    let staffs = token(&reset(&school, &["--username", "frontdesk"]), "/admin/reset-password");
    let visitor = school.visitor();
    let refused = async |path: &str, body: Value| visitor.post(path, &body).await.fields();

    for password in ["password", "Password1!", "12345678", "Northgate2026", "northgate academy"] {
        let chosen =
            json!({ "email": "mei@mail.example", "password": password, "confirmPassword": password });
        let fields = refused("/api/students/register", chosen).await;
        assert!(fields["password"].as_str().unwrap().contains("Try three or four words"), "{fields}");
        assert!(fields.get("confirmPassword").is_none(), "said once: {fields}");
        for (path, token) in [("/api/students/reset-password", &students), ("/api/reset-password", &staffs)] {
            let chosen = json!({ "token": token, "password": password, "confirmPassword": password });
            assert_eq!(refused(path, chosen).await["password"], fields["password"], "{path} {password}");
        }
    }
    // What only the account knows.
    for (path, token, own) in [
        ("/api/students/reset-password", &students, "student0@mail.example"),
        ("/api/reset-password", &staffs, "FrontDesk2026"),
    ] {
        let fields = refused(path, json!({ "token": token, "password": own, "confirmPassword": own })).await;
        assert!(fields["password"].as_str().unwrap().contains("your username"), "{fields}");
    }
    let own =
        json!({ "email": "mei.lin@mail.example", "password": "meilin2026", "confirmPassword": "meilin2026" });
    assert!(refused("/api/students/register", own).await["password"].is_string());
    // A refusal uses up no link, and every link still works.
    visitor.post("/api/students/reset-password", &body(&students)).await.expect(StatusCode::OK);
    visitor.post("/api/reset-password", &body(&staffs)).await.expect(StatusCode::OK);
}

#[test]
fn a_first_account_gets_no_password_that_is_guessed_first() {
    let folder = tempfile::tempdir().unwrap();
    for password in ["password", "FrontDesk-1", "Hillside2026", "head.office@hillside.example"] {
        let mut child = schoolhouse(folder.path())
            .args(["create-admin", "--username", "frontdesk", "--email", "head.office@hillside.example"])
            .arg("--password-stdin")
            .env("SCHOOLHOUSE_SCHOOL_NAME", "Hillside College")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that refuses the name exits before it reads.
        let _ = child.stdin.take().unwrap().write_all(password.as_bytes());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{password}: {}", out(&output));
        assert!(err(&output).contains("Try three or four words"), "{}", err(&output));
    }
}

#[tokio::test]
async fn a_password_from_before_the_rule_still_opens_its_account() {
    let school = School::open().await;
    let student = school.student().await;
    // The hash of "password123", as an earlier version kept it.
    let hash =
        "$argon2id$v=19$m=19456,t=2,p=1$GmqQucLi09c6Yd1JinqQ4w$wkn4slRMUtDYrEfmeNIZsl8ZeannuKifPA9l9RvFCIY";
    school.database().execute("update students set password_hash = ?1", [hash]).unwrap();
    student.log_in(&student.email, "password123").await.expect(StatusCode::OK);
}
