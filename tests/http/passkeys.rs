//! Passkeys beside the password in both portals: adding, using once, and losing one.

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use crate::authenticator::Authenticator;
use crate::second_factor::{App, BOTH, Owner, Portal};
use crate::support::{PASSWORD, School};

pub const ORIGIN: &str = "http://localhost:8080";

async fn open() -> School {
    School::open_with(|config| config.server.public_url = ORIGIN.parse().ok()).await
}

impl Portal {
    pub fn passkeys(self, verb: &str) -> String {
        match self {
            Self::Staff => format!("/api/user/passkeys{verb}"),
            Self::Student => format!("/api/students/passkeys{verb}"),
        }
    }

    pub fn proof(self) -> &'static str {
        match self {
            Self::Staff => "/api/user/proof",
            Self::Student => "/api/students/proof",
        }
    }
}

impl Owner {
    pub async fn wish(&self) -> Value {
        let begun = self.actor.post(&self.portal.passkeys("/begin"), &json!({})).await;
        begun.expect(StatusCode::OK).json()
    }

    /// Adds one; returns the recovery codes that came with it.
    pub async fn add(&self, key: &Authenticator, name: &str) -> Vec<Value> {
        let made = key.make(name, &self.wish().await);
        let added = self.actor.post(&self.portal.passkeys(""), &made).await.expect(StatusCode::OK).json();
        added["recoveryCodes"].as_array().unwrap().clone()
    }

    /// What a login with the right password asks a passkey.
    async fn asked(&self, school: &School) -> Value {
        let answer = self.log_in(&school.visitor(), None).await.expect(StatusCode::UNAUTHORIZED).json();
        assert_eq!(answer["reason"], "second_factor");
        answer["passkey"].clone()
    }

    async fn log_in_by(&self, school: &School, passkey: &Value) -> StatusCode {
        let (path, name) = match self.portal {
            Portal::Staff => ("/api/login", "username"),
            Portal::Student => ("/api/students/login", "email"),
        };
        let body = json!({ name: self.name, "password": PASSWORD, "passkey": passkey });
        school.visitor().post(path, &body).await.status
    }

    pub async fn factor(&self) -> Value {
        self.actor.get(&self.portal.factor("")).await.expect(StatusCode::OK).json()
    }
}

#[tokio::test]
async fn a_passkey_opens_the_login_beside_the_password_and_each_answer_works_once() {
    for portal in BOTH {
        let school = open().await;
        let owner = portal.owner(&school).await;
        let mut key = Authenticator::new(ORIGIN, 1);
        assert_eq!(owner.factor().await["takesPasskeys"], true);
        assert_eq!(owner.add(&key, "  Key of\u{202E} mine ").await.len(), 10, "the first comes with codes");
        let kept = owner.factor().await;
        assert_eq!(kept["passkeys"][0]["name"], "Key of mine");
        assert_eq!(kept["passkeys"][0]["lastUsedAt"], Value::Null);
        assert_eq!(kept["since"], Value::Null);
        school.mail(&owner.email, "Your second factor is set up").await;

        let asked = owner.asked(&school).await;
        assert_eq!(asked["rpId"], "localhost");
        assert_eq!(asked["hasApp"], false);
        assert_eq!(asked["allow"][0]["transports"], json!(["usb", "internal"]));
        let answer = key.answer(&asked);
        assert_eq!(owner.log_in_by(&school, &answer).await, StatusCode::OK);
        assert_eq!(owner.log_in_by(&school, &answer).await, StatusCode::UNAUTHORIZED, "a second time");
        assert!(owner.factor().await["passkeys"][0]["lastUsedAt"].is_string());
    }
}

#[tokio::test]
async fn passkey_responses_from_others_or_to_other_challenges_are_refused() {
    for portal in BOTH {
        let school = open().await;
        let owner = portal.owner(&school).await;
        let mut key = Authenticator::new(ORIGIN, 1);
        owner.add(&key, "Key").await;
        let refused = async |passkey: &Value, why: &str| {
            assert_eq!(owner.log_in_by(&school, passkey).await, StatusCode::UNAUTHORIZED, "{why}");
        };

        key.origin = "https://login.example".into();
        refused(&key.answer(&owner.asked(&school).await), "another page asked").await;
        key.origin = ORIGIN.into();
        let mut elsewhere = owner.asked(&school).await;
        elsewhere["rpId"] = "login.example".into();
        refused(&key.answer(&elsewhere), "another site").await;
        let mut invented = owner.asked(&school).await;
        invented["challenge"] = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA".into();
        refused(&key.answer(&invented), "an unknown challenge").await;
        let mut other = Authenticator::new(ORIGIN, 1);
        other.counter = 50;
        refused(&other.answer(&owner.asked(&school).await), "another key under the same id").await;
        let mut unknown = Authenticator::new(ORIGIN, 9);
        refused(&unknown.answer(&owner.asked(&school).await), "an unknown id").await;
        let late = owner.asked(&school).await;
        school.advance(SignedDuration::from_mins(5));
        refused(&key.answer(&late), "too late").await;

        // Waits between guesses are another test's.
        school.advance(SignedDuration::from_hours(2));
        let asked = owner.asked(&school).await;
        assert_eq!(owner.log_in_by(&school, &key.answer(&asked)).await, StatusCode::OK);
        key.counter = 2;
        refused(&key.answer(&owner.asked(&school).await), "a copy that counts behind").await;
    }
}

#[tokio::test]
async fn malformed_browser_input_is_refused() {
    let school = open().await;
    let owner = Portal::Student.owner(&school).await;
    owner.add(&Authenticator::new(ORIGIN, 1), "Key").await;
    for passkey in [json!({}), json!("x"), json!({ "id": "AA" }), json!({ "id": 1 }), json!({ "id": "*" })] {
        assert_eq!(owner.log_in_by(&school, &passkey).await, StatusCode::BAD_REQUEST, "{passkey}");
    }
    let mut made = Authenticator::new(ORIGIN, 2).make("", &owner.wish().await);
    made["clientData"] = "not base64url!".into();
    made["attestation"] = "A".repeat(9_000).into();
    let errors = owner.actor.post(&owner.portal.passkeys(""), &made).await.fields();
    for field in ["name", "clientData", "attestation"] {
        assert!(errors[field].is_string(), "{field}: {errors}");
    }
    // Made for another request, and for none.
    let made =
        Authenticator::new(ORIGIN, 2).make("Two", &json!({ "challenge": "AAAA", "rpId": "localhost" }));
    owner.actor.post(&owner.portal.passkeys(""), &made).await.expect(StatusCode::CONFLICT);
    // A credential can be registered once, with one account.
    let again = Authenticator::new(ORIGIN, 1).make("Again", &owner.wish().await);
    let refused = owner.actor.post(&owner.portal.passkeys(""), &again).await.expect(StatusCode::CONFLICT);
    assert!(refused.message().contains("belongs to an account already"), "{}", refused.text());
    for number in 2..=10 {
        assert!(owner.add(&Authenticator::new(ORIGIN, number), "More").await.is_empty());
    }
    let full = owner.actor.post(&owner.portal.passkeys("/begin"), &json!({})).await;
    assert!(full.expect(StatusCode::CONFLICT).message().contains("ten passkeys"));
}

#[tokio::test]
async fn a_passkey_proves_who_sits_there_and_changes_nothing_without_a_proof() {
    for portal in BOTH {
        let school = open().await;
        let owner = portal.owner(&school).await;
        let (actor, mut key) = (&owner.actor, Authenticator::new(ORIGIN, 1));
        owner.add(&key, "Key").await;
        let id = owner.factor().await["passkeys"][0]["id"].as_i64().unwrap();
        let one = portal.passkeys(&format!("/{id}"));
        school.advance(SignedDuration::from_mins(11));
        for refused in [
            actor.post(&portal.passkeys("/begin"), &json!({})).await,
            actor.post(&portal.passkeys(""), &json!({})).await,
            actor.delete(&one).await,
        ] {
            assert_eq!(refused.expect(StatusCode::FORBIDDEN).json()["reason"], "step_up");
        }
        // A name leads nowhere.
        let renamed = actor.patch(&one, &json!({ "name": "Phone" })).await.expect(StatusCode::OK).json();
        assert_eq!(renamed["passkeys"][0]["name"], "Phone");
        assert!(actor.patch(&one, &json!({ "name": " " })).await.fields()["name"].is_string());
        let question =
            async || actor.post(&portal.passkeys("/ask"), &json!({})).await.expect(StatusCode::OK).json();
        let wrong = actor.post(portal.proof(), &json!({ "code": "123456" })).await.fields();
        assert!(wrong["code"].as_str().unwrap().contains("no authenticator app"), "{wrong}");
        let passkey = key.answer(&question().await);
        actor.post(portal.proof(), &json!({ "passkey": passkey })).await.expect(StatusCode::NO_CONTENT);

        // It stands in for a code where the second factor itself is changed.
        let draw = portal.factor("/recovery-codes");
        let proof = json!({ "current": PASSWORD, "passkey": key.answer(&question().await) });
        actor.post(&draw, &proof).await.expect(StatusCode::OK);
        actor.post(&draw, &proof).await.expect(StatusCode::BAD_REQUEST);
        actor.delete(&one).await.expect(StatusCode::OK);
        actor.delete(&one).await.expect(StatusCode::NOT_FOUND);
        school.mail(&owner.email, "Your second factor was turned off").await;
        let gone = owner.factor().await;
        assert_eq!((gone["passkeys"].clone(), gone["recoveryCodesLeft"].clone()), (json!([]), json!(0)));
        owner.log_in(&school.visitor(), None).await.expect(StatusCode::OK);
        actor.post(&portal.passkeys("/ask"), &json!({})).await.expect(StatusCode::CONFLICT);
    }
}

#[tokio::test]
async fn each_part_of_a_second_factor_goes_on_without_the_other() {
    for portal in BOTH {
        let school = open().await;
        let owner = portal.owner(&school).await;
        let app = App::of(&school, &owner).await;
        let mut key = Authenticator::new(ORIGIN, 1);
        assert!(owner.add(&key, "Key").await.is_empty(), "there are recovery codes already");
        school.mail(&owner.email, "You have a new passkey").await;
        let asked = owner.asked(&school).await;
        assert_eq!(owner.log_in_by(&school, &key.answer(&asked)).await, StatusCode::OK);
        let visitor = school.visitor();
        owner.log_in(&visitor, Some(&app.next_code(&school))).await.expect(StatusCode::OK);
        let off = json!({ "code": app.recovery_codes[0], "current": PASSWORD });
        owner.actor.post(&portal.factor("/turn-off"), &off).await.expect(StatusCode::OK);
        school.mail(&owner.email, "Your authenticator app was turned off").await;
        assert_eq!(owner.factor().await["recoveryCodesLeft"], 9);
        owner.log_in(&visitor, Some(&app.recovery_codes[1])).await.expect(StatusCode::OK);
        let asked = owner.asked(&school).await;
        assert_eq!(owner.log_in_by(&school, &key.answer(&asked)).await, StatusCode::OK);
    }
}

#[tokio::test]
async fn a_passkey_of_one_account_is_none_of_another() {
    let school = open().await;
    let (first, second) = (Portal::Staff.owner(&school).await, Portal::Student.owner(&school).await);
    let (mut own, mut others) = (Authenticator::new(ORIGIN, 1), Authenticator::new(ORIGIN, 2));
    first.add(&own, "Key").await;
    second.add(&others, "Key").await;
    let id = first.factor().await["passkeys"][0]["id"].as_i64().unwrap();
    let theirs = second.portal.passkeys(&format!("/{id}"));
    second.actor.delete(&theirs).await.expect(StatusCode::NOT_FOUND);
    second.actor.patch(&theirs, &json!({ "name": "Mine" })).await.expect(StatusCode::NOT_FOUND);
    second.actor.patch(&theirs, &json!({})).await.expect(StatusCode::NOT_FOUND);
    let asked = first.asked(&school).await;
    assert_eq!(first.log_in_by(&school, &others.answer(&asked)).await, StatusCode::UNAUTHORIZED);
    // A question that was put to one is not answered for another.
    let asked = second.asked(&school).await;
    assert_eq!(first.log_in_by(&school, &own.answer(&asked)).await, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_role_that_takes_a_second_factor_is_content_with_a_passkey_and_a_reset_takes_it() {
    let school = School::open_with(|config| {
        config.server.public_url = ORIGIN.parse().ok();
        config.office.second_factor_required = vec![Role::Registrar];
    })
    .await;
    let owner = Portal::Staff.owner(&school).await;
    owner.actor.get("/api/admin/students").await.expect(StatusCode::FORBIDDEN);
    owner.add(&Authenticator::new(ORIGIN, 1), "Key").await;
    owner.actor.get("/api/admin/students").await.expect(StatusCode::OK);
    let admin = school.staff_as(Role::Admin).await;
    App::set_up(&school, &admin).await;
    let id = owner.actor.get("/api/user").await.json()["id"].as_i64().unwrap();
    let reset = format!("/api/admin/staff/{id}/reset-second-factor");
    admin.post(&reset, &json!({})).await.expect(StatusCode::OK);
    assert_eq!(school.count("select count(*) from passkeys"), 0);
    owner.actor.get("/api/user").await.expect(StatusCode::UNAUTHORIZED);
    owner.log_in(&school.visitor(), None).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_site_without_a_name_takes_none() {
    let school = School::open().await;
    let owner = Portal::Student.owner(&school).await;
    assert_eq!(owner.factor().await["takesPasskeys"], false);
    let refused = owner.actor.post(&owner.portal.passkeys("/begin"), &json!({})).await;
    assert!(refused.expect(StatusCode::CONFLICT).message().contains("by its name over HTTPS"));
}
