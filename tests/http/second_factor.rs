//! Authenticator codes beside the password, and recovery codes for a lost app, in both portals.

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::{Role, code_at};
use serde_json::{Value, json};

use crate::support::{Actor, Answer, PASSWORD, School};

/// Portal of a login.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Portal {
    Staff,
    Student,
}

pub const BOTH: [Portal; 2] = [Portal::Staff, Portal::Student];

/// A user who is logged in.
pub struct Owner {
    pub portal: Portal,
    pub actor: Actor,
    /// What they log in with.
    pub name: String,
    pub email: String,
}

impl Portal {
    pub fn me(self) -> &'static str {
        match self {
            Self::Staff => "/api/user",
            Self::Student => "/api/students/me",
        }
    }

    /// The endpoints of the second factor.
    pub fn factor(self, verb: &str) -> String {
        match self {
            Self::Staff => format!("/api/user/second-factor{verb}"),
            Self::Student => format!("/api/students/second-factor{verb}"),
        }
    }

    pub async fn owner(self, school: &School) -> Owner {
        let (name, email) = match self {
            Self::Staff => {
                school.hire("colleague", Role::Registrar).await;
                ("colleague".to_owned(), "colleague@school.example".to_owned())
            }
            Self::Student => {
                let email = school.student().await.email;
                (email.clone(), email)
            }
        };
        let owner = Owner { portal: self, actor: school.visitor(), name, email };
        owner.log_in(&owner.actor, None).await.expect(StatusCode::OK);
        owner
    }

    /// The audit rows about an account's second factor.
    fn noted(self, school: &School) -> String {
        let sql = match self {
            Self::Staff => {
                "select group_concat(action, ', ') from
                     (select action from audit where object = 'user' order by id)"
            }
            Self::Student => {
                "select group_concat(field || ' ' || coalesce(after, 'off'), ', ') from
                     (select field, after from student_history where actor_kind = 'student' order by id)"
            }
        };
        school.database().query_row(sql, [], |row| row.get(0)).unwrap()
    }
}

impl Owner {
    /// Tries the password, and a code with it.
    pub async fn log_in(&self, at: &Actor, code: Option<&str>) -> Answer {
        self.log_in_with(at, PASSWORD, code).await
    }

    async fn log_in_with(&self, at: &Actor, password: &str, code: Option<&str>) -> Answer {
        let (path, name) = match self.portal {
            Portal::Staff => ("/api/login", "username"),
            Portal::Student => ("/api/students/login", "email"),
        };
        at.post(path, &json!({ name: self.name, "password": password, "code": code })).await
    }

    async fn me(&self, at: &Actor) -> Answer {
        at.get(self.portal.me()).await
    }

    /// Sends a proof to one of the endpoints.
    async fn change(&self, verb: &str, code: &str, current: &str) -> Answer {
        let proof = json!({ "code": code, "current": current });
        self.actor.post(&self.portal.factor(verb), &proof).await
    }
}

/// A user's app: the secret, and the school with its clock.
pub struct App {
    secret: String,
    pub recovery_codes: Vec<String>,
}

impl App {
    /// Sets one up for a member of the staff who is signed in.
    pub async fn set_up(school: &School, actor: &Actor) -> Self {
        Self::set_up_in(Portal::Staff, school, actor).await
    }

    /// The same in any portal.
    pub async fn set_up_in(portal: Portal, school: &School, actor: &Actor) -> Self {
        let setup = actor.post(&portal.factor(""), &json!({})).await.expect(StatusCode::OK).json();
        let secret = setup["secret"].as_str().unwrap().to_owned();
        let mut app = Self { secret, recovery_codes: Vec::new() };
        let proof = json!({ "code": app.code(school), "current": PASSWORD });
        let codes = actor.post(&portal.factor("/confirm"), &proof).await.expect(StatusCode::OK).json();
        let codes = codes["recoveryCodes"].as_array().unwrap().iter();
        app.recovery_codes = codes.map(|code| code.as_str().unwrap().to_owned()).collect();
        app
    }

    /// For its owner.
    pub async fn of(school: &School, owner: &Owner) -> Self {
        Self::set_up_in(owner.portal, school, &owner.actor).await
    }

    /// What it shows now.
    pub fn code(&self, school: &School) -> String {
        code_at(&self.secret, school.clock.now()).unwrap()
    }

    /// What it shows next, once it does.
    pub fn next_code(&self, school: &School) -> String {
        school.advance(SignedDuration::from_secs(30));
        self.code(school)
    }
}

fn wanted(answer: &Answer) -> (Value, Value) {
    let body = answer.json();
    (body["reason"].clone(), body["fields"]["code"].clone())
}

#[tokio::test]
async fn a_user_with_an_authenticator_app_logs_in_with_its_code() {
    for portal in BOTH {
        let school = School::open().await;
        let owner = portal.owner(&school).await;
        let other = school.visitor();
        owner.log_in(&other, None).await.expect(StatusCode::OK);
        assert_eq!(owner.me(&owner.actor).await.json()["hasSecondFactor"], false);
        let app = App::of(&school, &owner).await;
        assert_eq!(owner.me(&owner.actor).await.expect(StatusCode::OK).json()["hasSecondFactor"], true);
        owner.me(&other).await.expect(StatusCode::UNAUTHORIZED);
        school.mail(&owner.email, "Your second factor is set up").await;

        let visitor = school.visitor();
        // The right password is asked for a code, the wrong one is not.
        let asked = owner.log_in(&visitor, None).await.expect(StatusCode::UNAUTHORIZED);
        assert_eq!(wanted(&asked), (json!("second_factor"), Value::Null));
        assert!(asked.header("content-type").starts_with("application/json"));
        for code in [None, Some(app.code(&school))] {
            let refused = owner.log_in_with(&visitor, "not this one", code.as_deref()).await;
            let refused = refused.expect(StatusCode::UNAUTHORIZED).text();
            assert!(refused.contains("Invalid") && !refused.contains("second_factor"), "{refused}");
        }
        owner.me(&visitor).await.expect(StatusCode::UNAUTHORIZED);
        // What set it up was used up by that.
        let used = owner.log_in(&visitor, Some(&app.code(&school))).await.expect(StatusCode::UNAUTHORIZED);
        assert_eq!(wanted(&used).1, "This code was used already. Please wait for the next one.");
        let wrong = owner.log_in(&visitor, Some("000 000")).await.expect(StatusCode::UNAUTHORIZED);
        assert_eq!(wanted(&wrong).0, "second_factor");
        assert!(
            wanted(&wrong).1.as_str().unwrap().starts_with("This code is not right."),
            "{}",
            wrong.text()
        );
        let code = app.next_code(&school);
        let spaced = format!(" {} {} ", &code[..3], &code[3..]);
        owner.log_in(&visitor, Some(&spaced)).await.expect(StatusCode::OK);
        owner.me(&visitor).await.expect(StatusCode::OK);
        let again = owner.log_in(&school.visitor(), Some(&code)).await.expect(StatusCode::UNAUTHORIZED);
        assert!(wanted(&again).1.as_str().unwrap().contains("used already"));
    }
}

#[tokio::test]
async fn of_two_who_send_the_same_code_at_once_one_gets_in() {
    for portal in BOTH {
        let school = School::open().await;
        let owner = portal.owner(&school).await;
        let app = App::of(&school, &owner).await;
        let code = app.next_code(&school);
        let (one, other) = (school.visitor(), school.visitor());
        let answers = tokio::join!(owner.log_in(&one, Some(&code)), owner.log_in(&other, Some(&code)));
        let mut statuses = [answers.0.status, answers.1.status];
        statuses.sort();
        assert_eq!(statuses, [StatusCode::OK, StatusCode::UNAUTHORIZED], "{portal:?}");
    }
}

#[tokio::test]
async fn setting_up_takes_the_password_and_a_code_of_the_newest_secret() {
    for portal in BOTH {
        let school = School::open().await;
        let owner = portal.owner(&school).await;
        let confirm = async |code: &str, current: &str| owner.change("/confirm", code, current).await;
        confirm("123456", PASSWORD).await.expect(StatusCode::CONFLICT);
        let begin = async || owner.actor.post(&portal.factor(""), &json!({})).await;
        let first = begin().await.expect(StatusCode::OK).json();
        let setup = begin().await.expect(StatusCode::OK).json();
        assert_ne!(setup["secret"], first["secret"]);
        let begins = format!("otpauth://totp/Northgate%20Academy:{}?secret=", owner.name.replace('@', "%40"));
        assert!(setup["uri"].as_str().unwrap().starts_with(&begins), "{}", setup["uri"]);
        assert!(setup["qrCode"].as_str().unwrap().starts_with("data:image/svg+xml;base64,"));
        let shown = |setup: &Value| code_at(setup["secret"].as_str().unwrap(), school.clock.now()).unwrap();
        let fields = confirm("", "").await.fields();
        assert_eq!(fields, json!({ "code": "Code is required", "current": "Current password is required" }));
        let fields = confirm(&shown(&setup), "not this one").await.fields();
        assert_eq!(fields, json!({ "current": "This is not your current password" }));
        let fields = confirm(&shown(&first), PASSWORD).await.fields();
        assert!(fields["code"].as_str().unwrap().starts_with("This code is not right."), "{fields}");
        let state = async || owner.actor.get(&portal.factor("")).await.expect(StatusCode::OK).json();
        assert_eq!(
            state().await,
            json!({ "since": null, "recoveryCodesLeft": 0, "passkeys": [], "takesPasskeys": false })
        );
        // What is not confirmed is asked for nowhere.
        owner.log_in(&school.visitor(), None).await.expect(StatusCode::OK);
        let codes = confirm(&shown(&setup), PASSWORD).await.expect(StatusCode::OK).json();
        assert_eq!(codes["recoveryCodes"].as_array().unwrap().len(), 10);
        assert_eq!(state().await["since"], "2026-11-21T15:00:00Z");
        assert_eq!(state().await["recoveryCodesLeft"], 10);
        begin().await.expect(StatusCode::CONFLICT);
        // The database contains no readable recovery codes.
        let kept = std::fs::read(school.path().join("schoolhouse.db")).unwrap();
        let kept = [kept, std::fs::read(school.path().join("schoolhouse.db-wal")).unwrap()].concat();
        for code in codes["recoveryCodes"].as_array().unwrap() {
            for written in [code.as_str().unwrap().to_owned(), code.as_str().unwrap().replace('-', "")] {
                assert!(!kept.windows(written.len()).any(|bytes| bytes == written.as_bytes()));
            }
        }
    }
}

#[tokio::test]
async fn a_recovery_code_works_once_and_its_owner_gets_an_email() {
    for portal in BOTH {
        let school = School::open().await;
        let owner = portal.owner(&school).await;
        let app = App::of(&school, &owner).await;
        let visitor = school.visitor();
        let code = app.recovery_codes[3].to_uppercase().replace('-', " ");
        owner.log_in(&visitor, Some(&code)).await.expect(StatusCode::OK);
        let mail = school.mail(&owner.email, "A recovery code was used").await;
        assert!(mail.text.contains("9 codes are left."), "{}", mail.text);
        let again = owner.log_in(&school.visitor(), Some(&code)).await.expect(StatusCode::UNAUTHORIZED);
        assert!(wanted(&again).1.as_str().unwrap().contains("used already"));
        let none = owner.log_in(&school.visitor(), Some("abcdef-abcdef-abcdef-abcdef")).await;
        assert_eq!(wanted(&none).1, "This is none of your recovery codes");

        // A new set ends the old one.
        let fresh = owner.change("/recovery-codes", &app.recovery_codes[4], PASSWORD).await;
        let fresh = fresh.expect(StatusCode::OK).json()["recoveryCodes"][0].as_str().unwrap().to_owned();
        school.mail(&owner.email, "You have new recovery codes").await;
        let old = owner.log_in(&school.visitor(), Some(&app.recovery_codes[5])).await;
        old.expect(StatusCode::UNAUTHORIZED);
        owner.log_in(&school.visitor(), Some(&fresh)).await.expect(StatusCode::OK);
        let noted = match portal {
            Portal::Staff => {
                "set up second factor, use recovery code, use recovery code, draw recovery codes, use recovery code"
            }
            Portal::Student => {
                "secondFactor on, recoveryCodes one used, 9 left, recoveryCodes one used, 8 left, \
                 recoveryCodes new ones, recoveryCodes one used, 9 left"
            }
        };
        assert_eq!(portal.noted(&school), noted);
    }
}

#[tokio::test]
async fn turning_it_off_takes_the_password_and_a_code() {
    for portal in BOTH {
        let school = School::open().await;
        let owner = portal.owner(&school).await;
        let turn_off = async |code: &str, current: &str| owner.change("/turn-off", code, current).await;
        turn_off("123456", PASSWORD).await.expect(StatusCode::CONFLICT);
        let app = App::of(&school, &owner).await;
        let code = app.next_code(&school);
        assert!(turn_off(&code, "not this one").await.fields()["current"].is_string());
        assert!(turn_off("000000", PASSWORD).await.fields()["code"].is_string());
        let other = school.visitor();
        owner.log_in(&other, Some(&app.recovery_codes[0])).await.expect(StatusCode::OK);
        turn_off(&code, PASSWORD).await.expect(StatusCode::OK);
        owner.me(&other).await.expect(StatusCode::UNAUTHORIZED);
        school.mail(&owner.email, "Your second factor was turned off").await;
        owner.log_in(&school.visitor(), None).await.expect(StatusCode::OK);
        let left = "select (select count(*) from second_factors) + (select count(*) from recovery_codes)";
        assert_eq!(school.count(left), 0);
        let ends = ["turn off second factor", "secondFactor off"];
        assert!(ends.iter().any(|end| portal.noted(&school).ends_with(end)), "{}", portal.noted(&school));
        App::of(&school, &owner).await;
    }
}

#[tokio::test]
async fn guessing_codes_is_held_up_and_a_known_browser_is_not_held_up_by_others() {
    for portal in BOTH {
        let school = School::open_with(|config| config.limits.wrong_passwords = 5).await;
        let owner = portal.owner(&school).await;
        let app = App::of(&school, &owner).await;
        let code = app.next_code(&school);
        let visitor = school.visitor();
        for _ in 0..5 {
            owner.log_in(&visitor, Some("000000")).await.expect(StatusCode::UNAUTHORIZED);
        }
        // Guessing is delayed now, whatever the code, also after a restart.
        owner.log_in(&visitor, Some(&code)).await.expect(StatusCode::TOO_MANY_REQUESTS);
        owner.log_in(&owner.actor, Some(&code)).await.expect(StatusCode::OK);
        let school = school.reopen().await;
        let visitor = school.visitor();
        let answer = owner.log_in(&visitor, Some("000000")).await.expect(StatusCode::TOO_MANY_REQUESTS);
        assert!(answer.text().contains("can reset it"), "{}", answer.text());
        school.advance(SignedDuration::from_mins(2));
        owner.log_in(&visitor, Some(&app.code(&school))).await.expect(StatusCode::OK);
    }
}

/// Two accounts of one number, a portal each: neither's second factor is the other's.
#[tokio::test]
async fn the_portals_share_no_second_factor() {
    let school = School::open().await;
    let (staff, student) = (Portal::Staff.owner(&school).await, Portal::Student.owner(&school).await);
    assert_eq!(school.count("select count(*) from users u join students s on s.id = u.id"), 1);
    let app = App::of(&school, &staff).await;
    student.log_in(&school.visitor(), None).await.expect(StatusCode::OK);
    let own = App::of(&school, &student).await;
    staff.log_in(&school.visitor(), Some(&own.recovery_codes[0])).await.expect(StatusCode::UNAUTHORIZED);
    student.log_in(&school.visitor(), Some(&app.recovery_codes[0])).await.expect(StatusCode::UNAUTHORIZED);
    student.change("/turn-off", &own.recovery_codes[1], PASSWORD).await.expect(StatusCode::OK);
    staff.log_in(&school.visitor(), None).await.expect(StatusCode::UNAUTHORIZED);
    staff.log_in(&school.visitor(), Some(&app.recovery_codes[1])).await.expect(StatusCode::OK);
}
