//! What proves that the owner sits at a session: every way to come to one or to go on with one, in both portals,
//! with and without a second factor. A link proves the mailbox and nothing else.

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::{Role, code_at};
use serde_json::{Value, json};

use crate::authenticator::Authenticator;
use crate::cli::{err, out, schoolhouse};
use crate::passkeys::ORIGIN;
use crate::second_factor::{App, BOTH, Owner, Portal};
use crate::support::{Actor, Answer, PASSWORD, PDF, School, profile};

const NEW: &str = "an even quieter heron";

/// How a session comes to be, or goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// The password, and with a second factor its code.
    Login,
    /// Nothing but half an hour.
    Waiting,
    PasswordAsked,
    CodeAsked,
    ForgottenPasswordLink,
    OfficePasswordLink,
    CommandLineLink,
    AddressLink,
    VerificationLink,
    NewPassword,
    NewPasswordAfterProof,
    AppBegun,
    AppConfirmed,
    PasskeyAdded,
    PasskeyRenamed,
    RecoveryCodesDrawn,
    AppTurnedOff,
}

/// What a session counts for afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counts {
    Proved,
    Unproved,
}

use Counts::{Proved, Unproved};

/// A way; the portals where it is; what it counts for without a second factor, and with one.
const TABLE: &[(Way, &[Portal], Counts, Counts)] = &[
    (Way::Login, &BOTH, Proved, Proved),
    (Way::Waiting, &BOTH, Unproved, Unproved),
    (Way::PasswordAsked, &BOTH, Proved, Unproved),
    (Way::CodeAsked, &BOTH, Unproved, Proved),
    (Way::ForgottenPasswordLink, &BOTH, Unproved, Unproved),
    (Way::OfficePasswordLink, &BOTH, Unproved, Unproved),
    (Way::CommandLineLink, &BOTH, Unproved, Unproved),
    (Way::AddressLink, &BOTH, Unproved, Unproved),
    (Way::VerificationLink, &[Portal::Student], Unproved, Unproved),
    (Way::NewPassword, &BOTH, Proved, Unproved),
    // The second factor was given nine minutes before, and the password a minute ago adds nothing to it.
    (Way::NewPasswordAfterProof, &BOTH, Proved, Unproved),
    (Way::AppBegun, &BOTH, Unproved, Unproved),
    (Way::AppConfirmed, &BOTH, Unproved, Unproved),
    (Way::PasskeyAdded, &BOTH, Unproved, Unproved),
    (Way::PasskeyRenamed, &BOTH, Unproved, Unproved),
    (Way::RecoveryCodesDrawn, &BOTH, Unproved, Unproved),
    (Way::AppTurnedOff, &BOTH, Unproved, Unproved),
];

#[tokio::test]
async fn a_session_is_proved_by_its_owner_and_never_by_a_link() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (way, portals, without, with) in TABLE {
        for portal in *portals {
            for (has_factor, expected) in [(false, *without), (true, *with)] {
                let seat = Seat::open(*portal, has_factor).await;
                seat.come_by(*way).await;
                count += 1;
                if seat.counts().await != expected {
                    wrong.push(format!("{way:?}, {portal:?}, second factor: {has_factor}: not {expected:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty() && count > 60, "{count}: {}", wrong.join("\n"));
}

/// An unattended browser, logged in half an hour ago, with the mailbox open.
struct Seat {
    school: School,
    owner: Owner,
    /// With a second factor.
    app: Option<App>,
}

impl Seat {
    async fn open(portal: Portal, has_factor: bool) -> Self {
        let school = School::open_with(|config| config.server.public_url = ORIGIN.parse().ok()).await;
        // The commands run by the machine's clock.
        let now: i64 = school.count("select unixepoch()");
        school.advance(SignedDuration::from_secs(now - school.clock.now().as_second()));
        let owner = portal.owner(&school).await;
        let app = if has_factor { Some(App::of(&school, &owner).await) } else { None };
        school.advance(SignedDuration::from_mins(30));
        Self { school, owner, app }
    }

    async fn post(&self, path: &str, body: &Value) -> Answer {
        self.owner.actor.post(path, body).await
    }

    fn code(&self) -> Option<String> {
        self.app.as_ref().map(|app| app.code(&self.school))
    }

    async fn prove(&self, body: &Value) -> Answer {
        self.post(self.owner.portal.proof(), body).await
    }

    /// Whether the session counts as proved, by what the server then lets it do.
    async fn counts(&self) -> Counts {
        let answer = self.post(&self.owner.portal.passkeys("/begin"), &json!({})).await;
        match answer.status {
            StatusCode::OK => Proved,
            StatusCode::FORBIDDEN => {
                assert_eq!(answer.json()["reason"], "step_up");
                Unproved
            }
            other => panic!("{other}: {}", answer.text()),
        }
    }

    async fn come_by(&self, way: Way) {
        let (school, owner, portal) = (&self.school, &self.owner, self.owner.portal);
        let has_factor = self.app.is_some();
        match way {
            Way::Login => {
                let code = self.code();
                owner.log_in(&owner.actor, code.as_deref()).await.expect(StatusCode::OK);
            }
            Way::Waiting => {}
            Way::PasswordAsked => {
                self.prove(&json!({ "current": PASSWORD })).await;
            }
            Way::CodeAsked => {
                self.prove(&json!({ "code": self.code().unwrap_or_else(|| "123456".into()) })).await;
            }
            Way::ForgottenPasswordLink => self.choose_password(&self.forgotten().await).await,
            Way::OfficePasswordLink => {
                let admin = school.staff().await;
                let id = owner.actor.get(portal.me()).await.expect(StatusCode::OK).json()["id"].clone();
                let room = if portal == Portal::Staff { "staff" } else { "students" };
                let send = format!("/api/admin/{room}/{id}/send-password-link");
                admin.post(&send, &json!({})).await.expect(StatusCode::OK);
                self.choose_password(&self.mailed_link().await).await;
            }
            Way::CommandLineLink => {
                let name = if portal == Portal::Staff { "--username" } else { "--student" };
                let mut command = schoolhouse(school.path());
                let output = command.args(["reset-password", name, &owner.name]).output().unwrap();
                assert!(output.status.success(), "{}", err(&output));
                self.choose_password(out(&output).trim_end().rsplit_once('/').unwrap().1).await;
            }
            Way::AddressLink => self.move_address().await,
            Way::VerificationLink => {
                let mail = school.mail(&owner.email, "Verify your email address").await;
                let path = format!("/api/students/verify/{}", mail.token("/student/verify/"));
                owner.actor.get(&path).await.expect(StatusCode::OK);
            }
            Way::NewPassword => {
                let expected = if has_factor { StatusCode::FORBIDDEN } else { StatusCode::OK };
                self.change_password().await.expect(expected);
            }
            Way::NewPasswordAfterProof => {
                let proof =
                    self.code().map_or(json!({ "current": PASSWORD }), |code| json!({ "code": code }));
                self.prove(&proof).await.expect(StatusCode::NO_CONTENT);
                school.advance(SignedDuration::from_mins(9));
                self.change_password().await.expect(StatusCode::OK);
                assert_eq!(self.counts().await, Proved);
                school.advance(SignedDuration::from_mins(1));
            }
            // With a second factor there is an app already: see the next test for one beside a passkey.
            Way::AppBegun => {
                self.post(&portal.factor(""), &json!({})).await;
            }
            Way::AppConfirmed if !has_factor => {
                App::of(school, owner).await;
            }
            Way::AppConfirmed => {
                let proof = json!({ "code": self.code(), "current": PASSWORD });
                self.post(&portal.factor("/confirm"), &proof).await;
            }
            Way::PasskeyAdded => {
                let wish = json!({ "challenge": "AAAA", "rpId": "localhost" });
                let made = Authenticator::new(ORIGIN, 1).make("Key", &wish);
                self.post(&portal.passkeys(""), &made).await.expect(StatusCode::FORBIDDEN);
            }
            Way::PasskeyRenamed => {
                owner.actor.patch(&portal.passkeys("/1"), &json!({ "name": "Key" })).await;
            }
            Way::RecoveryCodesDrawn | Way::AppTurnedOff => {
                let verb = if way == Way::AppTurnedOff { "/turn-off" } else { "/recovery-codes" };
                let proof =
                    json!({ "code": self.code().unwrap_or_else(|| "123456".into()), "current": PASSWORD });
                let expected = if has_factor { StatusCode::OK } else { StatusCode::CONFLICT };
                self.post(&portal.factor(verb), &proof).await.expect(expected);
            }
        }
    }

    async fn change_password(&self) -> Answer {
        let path =
            if self.owner.portal == Portal::Staff { "/api/user/password" } else { "/api/students/password" };
        self.post(path, &json!({ "current": PASSWORD, "password": NEW, "confirmPassword": NEW })).await
    }

    /// The token of the link that "forgot password" sends.
    async fn forgotten(&self) -> String {
        let (path, name) = match self.owner.portal {
            Portal::Staff => ("/api/forgot-password", "username"),
            Portal::Student => ("/api/students/forgot-password", "email"),
        };
        self.post(path, &json!({ name: self.owner.name })).await.expect(StatusCode::OK);
        self.mailed_link().await
    }

    async fn mailed_link(&self) -> String {
        let mail = self.school.mail(&self.owner.email, "Choose a new password").await;
        let page = if self.owner.portal == Portal::Staff { "admin" } else { "student" };
        mail.token(&format!("/{page}/reset-password/"))
    }

    /// Opens a link to a new password in this browser, which goes on.
    async fn choose_password(&self, token: &str) {
        let path = if self.owner.portal == Portal::Staff {
            "/api/reset-password"
        } else {
            "/api/students/reset-password"
        };
        let body = json!({ "token": token, "password": NEW, "confirmPassword": NEW });
        self.post(path, &body).await.expect(StatusCode::OK);
        self.owner.actor.get(self.owner.portal.me()).await.expect(StatusCode::OK);
    }

    /// Asks for another address, as the owner does, waits half an hour and opens its link.
    async fn move_address(&self) {
        let (school, owner) = (&self.school, &self.owner);
        let proof = self.code().map_or(json!({ "current": PASSWORD }), |code| json!({ "code": code }));
        self.prove(&proof).await.expect(StatusCode::NO_CONTENT);
        let new = "moved@mail.example";
        match owner.portal {
            Portal::Staff => {
                let change = json!({ "email": new, "current": PASSWORD });
                self.post("/api/user/email", &change).await.expect(StatusCode::OK);
            }
            Portal::Student => {
                owner.actor.patch("/api/students/me", &profile(new)).await.expect(StatusCode::OK);
            }
        }
        school.advance(SignedDuration::from_mins(30));
        let mail = school.mail(new, "Confirm your new email address").await;
        match owner.portal {
            Portal::Staff => {
                let token = json!({ "token": mail.token("/admin/confirm-email/") });
                self.post("/api/confirm-email", &token).await.expect(StatusCode::OK);
            }
            Portal::Student => {
                let path = format!("/api/students/verify/{}", mail.token("/student/verify/"));
                owner.actor.get(&path).await.expect(StatusCode::OK);
            }
        }
        owner.actor.get(owner.portal.me()).await.expect(StatusCode::OK);
    }
}

#[track_caller]
fn refused(answer: Answer) {
    assert_eq!(answer.expect(StatusCode::FORBIDDEN).json()["reason"], "step_up");
}

/// The attack: a browser that stands open, its owner's mailbox beside it, and a passkey out of reach.
#[tokio::test]
async fn an_open_browser_with_the_mailbox_does_not_get_past_a_passkey() {
    for portal in BOTH {
        let seat = Seat::open(portal, false).await;
        let (school, owner) = (&seat.school, &seat.owner);
        seat.prove(&json!({ "current": PASSWORD })).await.expect(StatusCode::NO_CONTENT);
        owner.add(&Authenticator::new(ORIGIN, 1), "Key").await;
        let passkey = &owner.factor().await["passkeys"][0]["id"];
        school.advance(SignedDuration::from_mins(30));
        seat.choose_password(&seat.forgotten().await).await;

        // The thief knows the password from now on, and nothing of the passkey.
        seat.prove(&json!({ "current": NEW })).await.expect(StatusCode::BAD_REQUEST);
        refused(owner.actor.delete(&portal.passkeys(&format!("/{passkey}"))).await);
        refused(seat.post(&portal.passkeys("/begin"), &json!({})).await);
        refused(seat.post(&portal.factor(""), &json!({})).await);
        refused(seat.post(&portal.factor("/confirm"), &json!({ "code": "123456", "current": NEW })).await);
        let change = json!({ "current": NEW, "password": PASSWORD, "confirmPassword": PASSWORD });
        let off = json!({ "code": "123456", "current": NEW });
        seat.post(&portal.factor("/turn-off"), &off).await.expect(StatusCode::BAD_REQUEST);
        match portal {
            Portal::Staff => {
                refused(seat.post("/api/user/password", &change).await);
                let email = json!({ "email": "thief@mail.example", "current": NEW });
                refused(seat.post("/api/user/email", &email).await);
            }
            Portal::Student => {
                refused(seat.post("/api/students/password", &change).await);
                refused(owner.actor.patch("/api/students/me", &profile("thief@mail.example")).await);
            }
        }
        assert_eq!(owner.factor().await["passkeys"].as_array().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn a_link_opened_in_an_administrators_browser_sends_no_invitation() {
    let school = School::open().await;
    let admin = school.staff().await;
    App::set_up(&school, &admin).await;
    school.advance(SignedDuration::from_mins(30));
    admin.post("/api/forgot-password", &json!({ "username": "staff0" })).await.expect(StatusCode::OK);
    let mail = school.mail("staff0@school.example", "Choose a new password").await;
    let body =
        json!({ "token": mail.token("/admin/reset-password/"), "password": NEW, "confirmPassword": NEW });
    admin.post("/api/reset-password", &body).await.expect(StatusCode::OK);
    let invitation = json!({ "email": "thief@mail.example", "fullName": "A Thief", "role": "admin" });
    refused(admin.post("/api/admin/staff/invitations", &invitation).await);
}

/// A session under a new id has opened as many documents as before it.
#[tokio::test]
async fn a_link_opens_no_further_documents() {
    let school = School::open_with(|config| config.limits.documents_opened_per_hour = 2).await;
    let (colleague, student) = (school.staff_as(Role::Registrar).await, school.student().await);
    student.upload("transcript", "a.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    let open = async |actor: &Actor| actor.get("/api/documents/1").await;
    for _ in 0..2 {
        open(&colleague).await.expect(StatusCode::OK);
    }
    colleague.post("/api/forgot-password", &json!({ "username": "staff0" })).await.expect(StatusCode::OK);
    let mail = school.mail("staff0@school.example", "Choose a new password").await;
    let body =
        json!({ "token": mail.token("/admin/reset-password/"), "password": NEW, "confirmPassword": NEW });
    colleague.post("/api/reset-password", &body).await.expect(StatusCode::OK);
    refused(open(&colleague).await);
}

/// A first second factor ends every other session, and what those had begun with it.
#[tokio::test]
async fn of_two_sessions_that_set_up_a_first_second_factor_at_once_one_does() {
    for portal in BOTH {
        for _ in 0..3 {
            let school = School::open_with(|config| config.server.public_url = ORIGIN.parse().ok()).await;
            let (owner, thief) = (portal.owner(&school).await, school.visitor());
            owner.log_in(&thief, None).await.expect(StatusCode::OK);
            let setup = thief.post(&portal.factor(""), &json!({})).await.expect(StatusCode::OK).json();
            let code = code_at(setup["secret"].as_str().unwrap(), school.clock.now()).unwrap();
            let made = Authenticator::new(ORIGIN, 1).make("Key", &owner.wish().await);
            let (confirm, add) = (portal.factor("/confirm"), portal.passkeys(""));
            let proof = json!({ "code": code, "current": PASSWORD });
            let answers = tokio::join!(thief.post(&confirm, &proof), owner.actor.post(&add, &made));
            let mut statuses = [answers.0.status, answers.1.status];
            statuses.sort();
            assert_eq!(statuses, [StatusCode::OK, StatusCode::UNAUTHORIZED], "{portal:?}");
        }
    }
}
