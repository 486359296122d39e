//! A code of an authenticator app beside the password, and what stands in for a lost app.

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::{Role, code_at};
use serde_json::{Value, json};

use crate::support::{Actor, Answer, PASSWORD, School};

/// Somebody's app: the secret, and the school whose clock it goes by.
pub struct App {
    secret: String,
    pub recovery_codes: Vec<String>,
}

impl App {
    /// Sets one up for whoever is signed in.
    pub async fn set_up(school: &School, actor: &Actor) -> Self {
        let setup = actor.post("/api/user/second-factor", &json!({})).await.expect(StatusCode::OK).json();
        let secret = setup["secret"].as_str().unwrap().to_owned();
        let mut app = Self { secret, recovery_codes: Vec::new() };
        let proof = json!({ "code": app.code(school), "current": PASSWORD });
        let codes = actor.post("/api/user/second-factor/confirm", &proof).await.expect(StatusCode::OK).json();
        let codes = codes["recoveryCodes"].as_array().unwrap().iter();
        app.recovery_codes = codes.map(|code| code.as_str().unwrap().to_owned()).collect();
        app
    }

    /// What it shows now.
    pub fn code(&self, school: &School) -> String {
        code_at(&self.secret, school.clock.now()).unwrap()
    }

    /// What it shows next, once it does.
    pub fn next_code(&self, school: &School) -> String {
        school.clock.advance(SignedDuration::from_secs(30));
        self.code(school)
    }
}

async fn log_in(actor: &Actor, name: &str, code: Option<&str>) -> Answer {
    actor.post("/api/login", &json!({ "username": name, "password": PASSWORD, "code": code })).await
}

fn wanted(answer: &Answer) -> (Value, Value) {
    let body = answer.json();
    (body["reason"].clone(), body["fields"]["code"].clone())
}

#[tokio::test]
async fn who_has_set_up_an_app_logs_in_with_its_code() {
    let school = School::open().await;
    school.hire("clerk", Role::Registrar).await;
    let clerk = school.visitor();
    log_in(&clerk, "clerk", None).await.expect(StatusCode::OK);
    let other = school.visitor();
    log_in(&other, "clerk", None).await.expect(StatusCode::OK);
    assert_eq!(clerk.get("/api/user").await.json()["hasSecondFactor"], false);
    let app = App::set_up(&school, &clerk).await;
    assert_eq!(clerk.get("/api/user").await.expect(StatusCode::OK).json()["hasSecondFactor"], true);
    other.get("/api/user").await.expect(StatusCode::UNAUTHORIZED);
    school.mail("clerk@school.example", "Your second factor is set up").await;

    let visitor = school.visitor();
    // The right password is asked for a code, the wrong one is not.
    let asked = log_in(&visitor, "clerk", None).await.expect(StatusCode::UNAUTHORIZED);
    assert_eq!(wanted(&asked), (json!("second_factor"), Value::Null));
    assert!(asked.header("content-type").starts_with("application/json"));
    for code in [Value::Null, json!(app.code(&school))] {
        let body = json!({ "username": "clerk", "password": "not this one", "code": code });
        let refused = visitor.post("/api/login", &body).await.expect(StatusCode::UNAUTHORIZED);
        assert_eq!(refused.text(), "Invalid username or password");
    }
    visitor.get("/api/user").await.expect(StatusCode::UNAUTHORIZED);
    // What set it up was used up by that.
    let used = log_in(&visitor, "clerk", Some(&app.code(&school))).await.expect(StatusCode::UNAUTHORIZED);
    assert_eq!(wanted(&used).1, "This code was used already. Please wait for the next one.");
    let wrong = log_in(&visitor, "clerk", Some("000 000")).await.expect(StatusCode::UNAUTHORIZED);
    assert_eq!(wanted(&wrong).0, "second_factor");
    assert!(wanted(&wrong).1.as_str().unwrap().starts_with("This code is not right."), "{}", wrong.text());
    let code = app.next_code(&school);
    let spaced = format!(" {} {} ", &code[..3], &code[3..]);
    log_in(&visitor, "clerk", Some(&spaced)).await.expect(StatusCode::OK);
    visitor.get("/api/user").await.expect(StatusCode::OK);
    let again = log_in(&school.visitor(), "clerk", Some(&code)).await.expect(StatusCode::UNAUTHORIZED);
    assert!(wanted(&again).1.as_str().unwrap().contains("used already"));
}

#[tokio::test]
async fn of_two_who_send_the_same_code_at_once_one_gets_in() {
    let school = School::open().await;
    school.hire("clerk", Role::Registrar).await;
    let clerk = school.visitor();
    log_in(&clerk, "clerk", None).await.expect(StatusCode::OK);
    let app = App::set_up(&school, &clerk).await;
    let code = app.next_code(&school);
    let (one, other) = (school.visitor(), school.visitor());
    let answers = tokio::join!(log_in(&one, "clerk", Some(&code)), log_in(&other, "clerk", Some(&code)));
    let mut statuses = [answers.0.status, answers.1.status];
    statuses.sort();
    assert_eq!(statuses, [StatusCode::OK, StatusCode::UNAUTHORIZED]);
}

#[tokio::test]
async fn setting_up_takes_the_password_and_a_code_of_the_newest_secret() {
    let school = School::open().await;
    let staff = school.staff().await;
    let confirm = async |code: &str, current: &str| {
        let body = json!({ "code": code, "current": current });
        staff.post("/api/user/second-factor/confirm", &body).await
    };
    confirm("123456", PASSWORD).await.expect(StatusCode::CONFLICT);
    let begin = async || staff.post("/api/user/second-factor", &json!({})).await;
    let first = begin().await.expect(StatusCode::OK).json();
    let setup = begin().await.expect(StatusCode::OK).json();
    assert_ne!(setup["secret"], first["secret"]);
    assert!(setup["uri"].as_str().unwrap().starts_with("otpauth://totp/Northgate%20Academy:staff0?secret="));
    assert!(setup["qrCode"].as_str().unwrap().starts_with("data:image/svg+xml;base64,"));
    let shown = |setup: &Value| code_at(setup["secret"].as_str().unwrap(), school.clock.now()).unwrap();
    let fields = confirm("", "").await.fields();
    assert_eq!(fields, json!({ "code": "Code is required", "current": "Current password is required" }));
    let fields = confirm(&shown(&setup), "not this one").await.fields();
    assert_eq!(fields, json!({ "current": "This is not your current password" }));
    let fields = confirm(&shown(&first), PASSWORD).await.fields();
    assert!(fields["code"].as_str().unwrap().starts_with("This code is not right."), "{fields}");
    assert_eq!(
        staff.get("/api/user/second-factor").await.json(),
        json!({ "since": null, "recoveryCodesLeft": 0 })
    );
    let codes = confirm(&shown(&setup), PASSWORD).await.expect(StatusCode::OK).json();
    assert_eq!(codes["recoveryCodes"].as_array().unwrap().len(), 10);
    let state = staff.get("/api/user/second-factor").await.json();
    assert_eq!(state, json!({ "since": "2026-11-21T15:00:00Z", "recoveryCodesLeft": 10 }));
    begin().await.expect(StatusCode::CONFLICT);
    // Whoever has the database reads no recovery code in it.
    let kept = std::fs::read(school.path().join("schoolhouse.db")).unwrap();
    let kept = [kept, std::fs::read(school.path().join("schoolhouse.db-wal")).unwrap()].concat();
    for code in codes["recoveryCodes"].as_array().unwrap() {
        for written in [code.as_str().unwrap().to_owned(), code.as_str().unwrap().replace('-', "")] {
            assert!(!kept.windows(written.len()).any(|bytes| bytes == written.as_bytes()));
        }
    }
}

#[tokio::test]
async fn a_recovery_code_lets_in_once_and_its_owner_hears_of_it() {
    let school = School::open().await;
    school.hire("clerk", Role::Registrar).await;
    let clerk = school.visitor();
    log_in(&clerk, "clerk", None).await.expect(StatusCode::OK);
    let app = App::set_up(&school, &clerk).await;
    let visitor = school.visitor();
    let code = app.recovery_codes[3].to_uppercase().replace('-', " ");
    log_in(&visitor, "clerk", Some(&code)).await.expect(StatusCode::OK);
    let mail = school.mail("clerk@school.example", "A recovery code was used").await;
    assert!(mail.text.contains("9 codes are left."), "{}", mail.text);
    let again = log_in(&school.visitor(), "clerk", Some(&code)).await.expect(StatusCode::UNAUTHORIZED);
    assert!(wanted(&again).1.as_str().unwrap().contains("used already"));
    let none = log_in(&school.visitor(), "clerk", Some("abcdef-abcdef-abcdef-abcdef")).await;
    assert_eq!(wanted(&none).1, "This is none of your recovery codes");

    // A new set ends the old one.
    let proof = json!({ "code": app.recovery_codes[4], "current": PASSWORD });
    let fresh = visitor.post("/api/user/second-factor/recovery-codes", &proof).await;
    let fresh = fresh.expect(StatusCode::OK).json()["recoveryCodes"][0].as_str().unwrap().to_owned();
    log_in(&school.visitor(), "clerk", Some(&app.recovery_codes[5])).await.expect(StatusCode::UNAUTHORIZED);
    log_in(&school.visitor(), "clerk", Some(&fresh)).await.expect(StatusCode::OK);
    let actions =
        "select group_concat(action, ', ') from (select action from audit where object = 'user' order by id)";
    let recorded: String = school.database().query_row(actions, [], |row| row.get(0)).unwrap();
    assert_eq!(
        recorded,
        "set up second factor, use recovery code, use recovery code, draw recovery codes, use recovery code"
    );
}

#[tokio::test]
async fn turning_it_off_takes_the_password_and_a_code() {
    let school = School::open().await;
    let staff = school.staff().await;
    let turn_off = async |code: &str, current: &str| {
        let body = json!({ "code": code, "current": current });
        staff.post("/api/user/second-factor/turn-off", &body).await
    };
    turn_off("123456", PASSWORD).await.expect(StatusCode::CONFLICT);
    let app = App::set_up(&school, &staff).await;
    let code = app.next_code(&school);
    assert!(turn_off(&code, "not this one").await.fields()["current"].is_string());
    assert!(turn_off("000000", PASSWORD).await.fields()["code"].is_string());
    turn_off(&code, PASSWORD).await.expect(StatusCode::OK);
    school.mail("staff0@school.example", "Your second factor was turned off").await;
    log_in(&school.visitor(), "staff0", None).await.expect(StatusCode::OK);
    assert_eq!(
        school
            .count("select (select count(*) from staff_totp) + (select count(*) from staff_recovery_codes)"),
        0
    );
    assert_eq!(school.count("select count(*) from audit where action = 'turn off second factor'"), 1);
    App::set_up(&school, &staff).await;
}

#[tokio::test]
async fn guessing_codes_is_held_up_and_a_known_browser_is_not_held_up_by_others() {
    let school = School::open_with(|config| config.limits.wrong_passwords = 5).await;
    school.hire("clerk", Role::Registrar).await;
    let clerk = school.visitor();
    log_in(&clerk, "clerk", None).await.expect(StatusCode::OK);
    let app = App::set_up(&school, &clerk).await;
    let code = app.next_code(&school);
    let visitor = school.visitor();
    for _ in 0..5 {
        log_in(&visitor, "clerk", Some("000000")).await.expect(StatusCode::UNAUTHORIZED);
    }
    // Whoever guesses waits now, whatever the code, and a restart forgets nothing of it.
    log_in(&visitor, "clerk", Some(&code)).await.expect(StatusCode::TOO_MANY_REQUESTS);
    let clerk_again = clerk;
    log_in(&clerk_again, "clerk", Some(&code)).await.expect(StatusCode::OK);
    let school = school.reopen().await;
    let visitor = school.visitor();
    let answer = log_in(&visitor, "clerk", Some("000000")).await.expect(StatusCode::TOO_MANY_REQUESTS);
    assert!(answer.text().contains("can reset it"), "{}", answer.text());
    school.clock.advance(SignedDuration::from_mins(2));
    log_in(&visitor, "clerk", Some(&app.code(&school))).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn an_administrator_resets_the_second_factor_of_a_colleague_who_lost_it() {
    let school = School::open().await;
    let admin = school.staff().await;
    school.hire("clerk", Role::Registrar).await;
    let clerk = school.visitor();
    log_in(&clerk, "clerk", None).await.expect(StatusCode::OK);
    let app = App::set_up(&school, &clerk).await;
    let row = async || {
        let rows = admin.get("/api/admin/staff").await.expect(StatusCode::OK).json();
        rows.as_array().unwrap().iter().find(|row| row["username"] == "clerk").unwrap().clone()
    };
    assert_eq!(row().await["hasSecondFactor"], true);
    let reset = format!("/api/admin/staff/{}/reset-second-factor", row().await["id"]);
    admin.post("/api/admin/staff/1/reset-second-factor", &json!({})).await.expect(StatusCode::CONFLICT);
    for _ in 0..2 {
        let answer = admin.post(&reset, &json!({})).await.expect(StatusCode::OK).json();
        assert_eq!((&answer["hasSecondFactor"], &answer["devices"]), (&json!(false), &json!(0)));
    }
    clerk.get("/api/user").await.expect(StatusCode::UNAUTHORIZED);
    school.mail("clerk@school.example", "Your second factor was reset").await;
    assert_eq!(school.count("select count(*) from audit where action = 'reset second factor'"), 1);
    log_in(&clerk, "clerk", None).await.expect(StatusCode::OK);
    // What it was opened with opens it no more.
    let setup = json!({ "code": app.recovery_codes[0], "current": PASSWORD });
    clerk.post("/api/user/second-factor/turn-off", &setup).await.expect(StatusCode::CONFLICT);
}
