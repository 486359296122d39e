//! Changing one's own password, and signed-in devices, for students and staff.

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use crate::support::{Actor, PASSWORD, School};

const NEW: &str = "an even quieter heron";
const FIREFOX: &str = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0) Gecko/20100101 Firefox/142.0";
const PHONE: &str =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Mobile/15E148 Safari/604.1";

/// One of the two portals, with an account that exists.
#[derive(Clone)]
struct Portal {
    account: &'static str,
    log_in: &'static str,
    credentials: fn(&str) -> Value,
    mailbox: &'static str,
}

const STUDENT: Portal = Portal {
    account: "/api/students",
    log_in: "/api/students/login",
    credentials: |password| json!({ "email": "student0@mail.example", "password": password }),
    mailbox: "student0@mail.example",
};
const STAFF: Portal = Portal {
    account: "/api/user",
    log_in: "/api/login",
    credentials: |password| json!({ "username": "colleague", "password": password }),
    mailbox: "colleague@school.example",
};

impl Portal {
    async fn attempt(&self, school: &School, user_agent: &str, password: &str) -> (Actor, StatusCode) {
        let browser = crate::support::browser().user_agent(user_agent).default_headers(
            [(reqwest::header::ORIGIN, school.url("").parse().unwrap())].into_iter().collect(),
        );
        let actor = Actor::with(browser, &school.url(""));
        let status = actor.post(self.log_in, &(self.credentials)(password)).await.status;
        (actor, status)
    }

    async fn enter(&self, school: &School, user_agent: &str) -> Actor {
        let (actor, status) = self.attempt(school, user_agent, PASSWORD).await;
        assert_eq!(status, StatusCode::OK);
        actor
    }

    fn sessions(&self) -> String {
        format!("{}/sessions", self.account)
    }

    async fn change(&self, actor: &Actor, current: &str, password: &str) -> crate::support::Answer {
        let body = json!({ "current": current, "password": password, "confirmPassword": password });
        actor.post(&format!("{}/password", self.account), &body).await
    }
}

async fn school() -> School {
    let school = School::open().await;
    school.student().await;
    school.hire("colleague", Role::Bursar).await;
    school.database().execute("delete from sessions", []).unwrap();
    school
}

#[tokio::test]
async fn a_new_password_needs_the_current_one_and_ends_everything_else() {
    let school = school().await;
    for portal in [STUDENT, STAFF] {
        let (here, elsewhere) = (portal.enter(&school, FIREFOX).await, portal.enter(&school, PHONE).await);
        let copy = cookies(&school, &portal);
        let fields = portal.change(&here, "wrong horse battery", NEW).await.fields();
        assert_eq!(fields, json!({ "current": "This is not your current password" }));
        let fields = portal.change(&here, "", "short").await.fields();
        assert_eq!(fields["current"], "Current password is required");
        assert_eq!(fields["password"], "Password must be at least 8 characters");
        assert!(portal.change(&here, PASSWORD, PASSWORD).await.fields()["password"].is_string());
        assert!(portal.change(&here, PASSWORD, portal.mailbox).await.fields()["password"].is_string());
        elsewhere.get(&portal.sessions()).await.expect(StatusCode::OK);

        let answer = portal.change(&here, PASSWORD, NEW).await.expect(StatusCode::OK);
        assert!(answer.message().contains("Every other device was logged out"), "{}", answer.text());
        elsewhere.get(&portal.sessions()).await.expect(StatusCode::UNAUTHORIZED);
        let left = here.get(&portal.sessions()).await.expect(StatusCode::OK).json();
        assert_eq!(left.as_array().unwrap().len(), 1, "{left}");
        assert_eq!((&left[0]["device"], &left[0]["isCurrent"]), (&json!("Firefox on Windows"), &json!(true)));
        assert!(
            cookies(&school, &portal).iter().all(|id| !copy.contains(id)),
            "this browser goes on under a new id"
        );
        assert_eq!(portal.attempt(&school, PHONE, PASSWORD).await.1, StatusCode::UNAUTHORIZED);
        assert_eq!(portal.attempt(&school, PHONE, NEW).await.1, StatusCode::OK);
        school.mail(portal.mailbox, "Your password was changed").await;
    }
    let trail = "select count(*) from audit where action = 'change_password' and actor = 'colleague'";
    assert_eq!(school.count(trail), 1);
}

/// What the database keeps of the cookies.
fn cookies(school: &School, portal: &Portal) -> Vec<Vec<u8>> {
    let database = school.database();
    let kind = if portal.account == STAFF.account { "staff" } else { "student" };
    let mut select = database.prepare("select id_hash from sessions where kind = ?1").unwrap();
    select.query_map([kind], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

#[tokio::test]
async fn a_new_password_kills_the_links_that_were_sent_before() {
    let school = school().await;
    let student = STUDENT.enter(&school, FIREFOX).await;
    student
        .post("/api/students/forgot-password", &json!({ "email": STUDENT.mailbox }))
        .await
        .expect(StatusCode::OK);
    let link = school.mail(STUDENT.mailbox, "Choose a new password").await.token("/student/reset-password/");
    STUDENT.change(&student, PASSWORD, NEW).await.expect(StatusCode::OK);
    let body =
        json!({ "token": link, "password": "a third long one", "confirmPassword": "a third long one" });
    school.visitor().post("/api/students/reset-password", &body).await.expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn users_see_and_end_only_their_own_sessions() {
    let school = school().await;
    for portal in [STUDENT, STAFF] {
        let old = portal.enter(&school, PHONE).await;
        school.advance(SignedDuration::from_mins(5));
        let third = portal.enter(&school, "curl/8.5").await;
        school.advance(SignedDuration::from_mins(5));
        let here = portal.enter(&school, FIREFOX).await;

        let answer = here.get(&portal.sessions()).await.expect(StatusCode::OK);
        assert_eq!(answer.column("device"), ["Firefox on Windows", "Unknown device", "Safari on iPhone"]);
        assert_eq!(answer.column("isCurrent"), [true, false, false]);
        let text = answer.text();
        assert!(!text.contains("Mozilla") && !text.contains("127.0.0.1"), "{text}");
        let hashes = cookies(&school, &portal);
        let ids = answer.column("id");
        for id in &ids {
            let id = id.as_str().unwrap();
            assert_eq!(id.len(), 32);
            assert!(hashes.iter().all(|hash| !schoolhouse::testing::hex(hash).contains(id)), "{id}");
        }

        // Neither a stranger's id nor nonsense, and the other portal knows none of them.
        let stranger = if portal.account == STAFF.account {
            school.student().await.get(&STUDENT.sessions()).await
        } else {
            school.staff().await.get(&STAFF.sessions()).await
        };
        let foreign = stranger.column("id")[0].as_str().unwrap().to_owned();
        for id in [foreign.as_str(), "nonsense", "..%2f"] {
            here.delete(&format!("{}/{id}", portal.sessions())).await.expect(StatusCode::NOT_FOUND);
        }

        let phone = format!("{}/{}", portal.sessions(), ids[2].as_str().unwrap());
        here.delete(&phone).await.expect(StatusCode::NO_CONTENT);
        old.get(&portal.sessions()).await.expect(StatusCode::UNAUTHORIZED);
        here.delete(&phone).await.expect(StatusCode::NOT_FOUND);
        third.get(&portal.sessions()).await.expect(StatusCode::OK);
        here.delete(&portal.sessions()).await.expect(StatusCode::NO_CONTENT);
        third.get(&portal.sessions()).await.expect(StatusCode::UNAUTHORIZED);
        assert_eq!(here.get(&portal.sessions()).await.column("isCurrent"), [true]);
    }
}

#[tokio::test]
async fn a_colleague_of_the_same_portal_is_a_stranger_too() {
    let school = school().await;
    let (mine, theirs) = (school.staff().await, STAFF.enter(&school, PHONE).await);
    let id = theirs.get(&STAFF.sessions()).await.column("id")[0].as_str().unwrap().to_owned();
    mine.delete(&format!("{}/{id}", STAFF.sessions())).await.expect(StatusCode::NOT_FOUND);
    mine.delete(&STAFF.sessions()).await.expect(StatusCode::NO_CONTENT);
    theirs.get(&STAFF.sessions()).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn guessing_the_current_password_is_held_up_like_a_login() {
    let school = School::open_with(|config| config.limits.wrong_passwords = 4).await;
    let student = school.student().await;
    let mut last = StatusCode::OK;
    for _ in 0..12 {
        last = STUDENT.change(&student, "wrong horse battery", NEW).await.status;
    }
    assert_eq!(last, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn a_students_session_ends_in_the_end_however_often_it_is_used() {
    let school = School::open_with(|config| config.limits.student_session_days = 30).await;
    let student = school.student().await;
    for _ in 0..3 {
        student.get("/api/students/me").await.expect(StatusCode::OK);
        school.advance(SignedDuration::from_hours(9 * 24));
    }
    student.get("/api/students/me").await.expect(StatusCode::OK);
    school.advance(SignedDuration::from_hours(3 * 24));
    student.get("/api/students/me").await.expect(StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn one_session_too_many_ends_the_one_that_was_used_least_lately() {
    let school = School::open_with(|config| config.limits.sessions_per_account = 3).await;
    school.student().await;
    school.hire("colleague", Role::Bursar).await;
    for portal in [STUDENT, STAFF] {
        school.database().execute("delete from sessions", []).unwrap();
        let mut browsers = Vec::new();
        for _ in 0..3 {
            browsers.push(portal.enter(&school, FIREFOX).await);
            school.advance(SignedDuration::from_mins(5));
        }
        // The first is used again, so that the second is the one.
        // An hour for a visit of a student to be noted; before an hour the office is signed out.
        school.advance(SignedDuration::from_mins(if portal.account == STAFF.account { 40 } else { 90 }));
        browsers[0].get(&portal.sessions()).await.expect(StatusCode::OK);
        browsers.push(portal.enter(&school, PHONE).await);
        let expected = [StatusCode::OK, StatusCode::UNAUTHORIZED, StatusCode::OK, StatusCode::OK];
        for (browser, expected) in browsers.iter().zip(expected) {
            browser.get(&portal.sessions()).await.expect(expected);
        }
    }
}
