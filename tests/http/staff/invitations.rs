//! A colleague is invited and creates the account.

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use crate::support::{Actor, PASSWORD, School};

async fn invite(admin: &Actor, email: &str) -> Value {
    let form = json!({ "email": email, "fullName": "Noor Haddad", "role": "registrar" });
    admin.post("/api/admin/staff/invitations", &form).await.expect(StatusCode::CREATED).json()
}

async fn token(school: &School, email: &str) -> String {
    let mail = school.mail(email, "Your account in the office of Northgate Academy").await;
    assert!(mail.text.contains("Noor Haddad") && mail.text.contains("Registrar"), "{}", mail.text);
    mail.token("/admin/invitation/")
}

fn acceptance(username: &str) -> Value {
    json!({ "username": username, "password": PASSWORD, "confirmPassword": PASSWORD })
}

#[tokio::test]
async fn an_invitation_can_be_opened_repeatedly_and_accepted_once() {
    let school = School::open().await;
    let admin = school.staff().await;
    let made = invite(&admin, "noor@school.example").await;
    let path = format!("/api/staff/invitations/{}", token(&school, "noor@school.example").await);
    let visitor = school.visitor();
    for _ in 0..3 {
        let seen = visitor.get(&path).await.expect(StatusCode::OK).json();
        assert_eq!((&seen["email"], &seen["role"]), (&json!("noor@school.example"), &json!("registrar")));
        assert_eq!(seen["expiresAt"], "2026-11-24T15:00:00Z");
    }
    let wrong = json!({ "username": "a b", "password": "short", "confirmPassword": "x" });
    let fields = visitor.post(&path, &wrong).await.fields();
    assert_eq!(fields["username"], "Username must be 1 to 64 letters (a to z), digits or . _ -");
    assert_eq!(fields["password"], "Password must be at least 8 characters");
    // With a Cyrillic с it would be another account that looks like the office's.
    let fields = visitor.post(&path, &acceptance("offi\u{441}e")).await.fields();
    assert_eq!(fields, json!({ "username": "Username must be 1 to 64 letters (a to z), digits or . _ -" }));
    for password in ["NoorHaddad1", "schoolhouse", "northgate-2026"] {
        let own = json!({ "username": "noor", "password": password, "confirmPassword": password });
        assert!(visitor.post(&path, &own).await.fields()["password"].is_string(), "{password}");
    }
    let taken = visitor.post(&path, &acceptance("STAFF0")).await.fields();
    assert_eq!(taken, json!({ "username": "An account with this username already exists" }));

    visitor.post(&path, &acceptance("noor")).await.expect(StatusCode::CREATED);
    for answer in [visitor.get(&path).await, visitor.post(&path, &acceptance("noor2")).await] {
        let message = answer.expect(StatusCode::NOT_FOUND).message();
        assert!(message.contains("accepted already"), "{message}");
    }
    let login = json!({ "username": "noor", "password": PASSWORD });
    let user = visitor.post("/api/login", &login).await.expect(StatusCode::OK).json();
    assert_eq!((&user["fullName"], &user["role"]), (&json!("Noor Haddad"), &json!("registrar")));
    assert_eq!(admin.get("/api/admin/staff/invitations").await.json(), json!([]));
    let again = format!("/api/admin/staff/invitations/{}/resend", made["id"]);
    admin.post(&again, &json!({})).await.expect(StatusCode::CONFLICT);
    let sql = "select group_concat(actor || ' ' || action || ' ' || object, ', ') from audit";
    let trail: String = school.database().query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(trail, "staff0 invite invitation, noor accept invitation user");
}

#[tokio::test]
async fn a_dead_link_says_why_and_what_to_do() {
    let school = School::open().await;
    let admin = school.staff().await;
    let made = invite(&admin, "noor@school.example").await;
    let first = token(&school, "noor@school.example").await;
    let visitor = school.visitor();
    let words = async |token: &str| {
        let answer = visitor.get(&format!("/api/staff/invitations/{token}")).await;
        answer.expect(StatusCode::NOT_FOUND).message()
    };
    school.advance(SignedDuration::from_hours(73));
    let admin = {
        drop(admin);
        school.staff().await
    };
    assert!(
        words(&first).await.contains("has expired. Please ask staff0 or another"),
        "{}",
        words(&first).await
    );
    let path = |verb: &str| format!("/api/admin/staff/invitations/{}/{verb}", made["id"]);
    admin.post(&path("resend"), &json!({})).await.expect(StatusCode::OK);
    let mails = school.all_mails().await;
    let second = mails.iter().rev().find(|mail| mail.to == "noor@school.example").unwrap();
    let second = second.token("/admin/invitation/");
    assert_ne!(first, second);
    assert!(words(&first).await.contains("use the newest"), "{}", words(&first).await);
    visitor.get(&format!("/api/staff/invitations/{second}")).await.expect(StatusCode::OK);
    for _ in 0..2 {
        admin.post(&path("withdraw"), &json!({})).await.expect(StatusCode::NO_CONTENT);
    }
    assert!(words(&second).await.contains("was withdrawn"), "{}", words(&second).await);
    let accept = visitor.post(&format!("/api/staff/invitations/{second}"), &acceptance("noor")).await;
    accept.expect(StatusCode::NOT_FOUND);
    assert!(words("nonsense").await.contains("This link is not valid"));
}

#[tokio::test]
async fn existing_and_already_invited_staff_cannot_be_invited() {
    let school = School::open().await;
    let admin = school.staff().await;
    invite(&admin, "noor@school.example").await;
    let refused = async |email: &str| {
        let form = json!({ "email": email, "fullName": " \u{200B}", "role": "king" });
        let fields = admin.post("/api/admin/staff/invitations", &form).await.fields();
        assert!(fields["fullName"].is_string() && fields["role"].is_string(), "{fields}");
        let form = json!({ "email": email, "fullName": "Noor Haddad", "role": "viewer" });
        admin.post("/api/admin/staff/invitations", &form).await.fields()["email"].as_str().unwrap().to_owned()
    };
    assert!(refused("Noor@School.example").await.contains("invited already"));
    assert!(refused("staff0@school.example").await.contains("has this address already"));
}

#[tokio::test]
async fn of_two_who_accept_at_once_one_gets_the_account() {
    let school = School::open().await;
    let admin = school.staff_as(Role::Admin).await;
    invite(&admin, "noor@school.example").await;
    let path = format!("/api/staff/invitations/{}", token(&school, "noor@school.example").await);
    let (one, two) = (school.visitor(), school.visitor());
    let (first, second) = (acceptance("noor1"), acceptance("noor2"));
    let (one, two) = tokio::join!(one.post(&path, &first), two.post(&path, &second));
    let mut answers = [one.status, two.status];
    answers.sort();
    assert_eq!(answers, [StatusCode::CREATED, StatusCode::NOT_FOUND]);
    assert_eq!(school.count("select count(*) from users where username like 'noor%'"), 1);
}

#[tokio::test]
async fn losing_the_right_to_invite_withdraws_open_invitations() {
    let school = School::open().await;
    let (rogue, principal) = (school.staff().await, school.staff().await);
    let invited = invite(&rogue, "rogue@mail.example").await;
    let other = invite(&principal, "noor@school.example").await;
    let visitor = school.visitor();
    let path = async |email: &str| format!("/api/staff/invitations/{}", token(&school, email).await);
    let (own, others) = (path("rogue@mail.example").await, path("noor@school.example").await);
    visitor.get(&own).await.expect(StatusCode::OK);

    let colleagues = principal.get("/api/admin/staff").await.json();
    let row = colleagues.as_array().unwrap().iter().find(|row| row["username"] == "staff0").unwrap();
    let change = json!({ "role": "viewer", "version": row["version"] });
    principal.patch(&format!("/api/admin/staff/{}", row["id"]), &change).await.expect(StatusCode::OK);
    let dead = visitor.get(&own).await.expect(StatusCode::NOT_FOUND).message();
    assert!(dead.contains("ask staff0 or another administrator"), "{dead}");
    visitor.post(&own, &acceptance("rogue2")).await.expect(StatusCode::NOT_FOUND);
    visitor.get(&others).await.expect(StatusCode::OK);

    // Another administrator who sends it again answers for it.
    let resend = format!("/api/admin/staff/invitations/{}/resend", invited["id"]);
    let again = principal.post(&resend, &json!({})).await.expect(StatusCode::OK).json();
    assert_eq!(again["invitedBy"], other["invitedBy"]);
}

#[tokio::test]
async fn an_account_from_before_the_rule_about_usernames_is_logged_in_to() {
    let school = School::open().await;
    school.hire("mueller", Role::Registrar).await;
    school.database().execute("update users set username = 'Frau Müller, 王' where id = 1", []).unwrap();
    let visitor = school.visitor();
    let ask = json!({ "username": "Frau Müller, 王" });
    visitor.post("/api/forgot-password", &ask).await.expect(StatusCode::OK);
    let login = json!({ "username": "Frau Müller, 王", "password": PASSWORD });
    visitor.post("/api/login", &login).await.expect(StatusCode::OK);
}
