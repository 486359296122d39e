//! What an administrator does with the accounts of colleagues, over HTTP.

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use crate::support::{Actor, PASSWORD, School};

async fn log_in(school: &School, username: &str) -> Actor {
    let actor = school.visitor();
    let body = json!({ "username": username, "password": PASSWORD });
    actor.post("/api/login", &body).await.expect(StatusCode::OK);
    actor
}

/// The row of a colleague, as an administrator sees it.
async fn row(admin: &Actor, username: &str) -> Value {
    let rows = admin.get("/api/admin/staff").await.expect(StatusCode::OK).json();
    let found = rows.as_array().unwrap().iter().find(|row| row["username"] == username);
    found.unwrap_or_else(|| panic!("no {username} in {rows}")).clone()
}

async fn change(admin: &Actor, row: &Value, mut change: Value) -> crate::support::Answer {
    change["version"] = row["version"].clone();
    admin.patch(&format!("/api/admin/staff/{}", row["id"]), &change).await
}

async fn act(admin: &Actor, row: &Value, verb: &str) -> crate::support::Answer {
    admin.post(&format!("/api/admin/staff/{}/{verb}", row["id"]), &json!({})).await
}

#[tokio::test]
async fn the_list_says_who_they_are_and_when_they_were_here() {
    let school = School::open().await;
    school.hire("head", Role::Admin).await;
    school.hire("colleague", Role::Registrar).await;
    let head = log_in(&school, "head").await;
    let colleague = row(&head, "colleague").await;
    assert_eq!(
        (&colleague["role"], &colleague["state"], &colleague["lastLoginAt"], &colleague["devices"]),
        (&json!("registrar"), &json!("active"), &json!(null), &json!(0))
    );
    log_in(&school, "colleague").await;
    log_in(&school, "colleague").await;
    let colleague = row(&head, "colleague").await;
    assert_eq!(
        (&colleague["lastLoginAt"], &colleague["devices"]),
        (&json!("2026-11-21T15:00:00Z"), &json!(2))
    );
    assert_eq!(
        (&colleague["isLastAdmin"], &row(&head, "head").await["isLastAdmin"]),
        (&json!(false), &json!(true))
    );
}

#[tokio::test]
async fn a_new_role_applies_at_the_next_request_and_those_concerned_get_an_email() {
    let school = School::open().await;
    school.hire("head", Role::Admin).await;
    school.hire("deputy", Role::Admin).await;
    school.hire("colleague", Role::Registrar).await;
    let (head, colleague) = (log_in(&school, "head").await, log_in(&school, "colleague").await);
    colleague.get("/api/admin/documents").await.expect(StatusCode::OK);
    let before = row(&head, "colleague").await;
    let after = change(&head, &before, json!({ "role": "bursar" })).await.expect(StatusCode::OK).json();
    assert_eq!(after["role"], "bursar");
    colleague.get("/api/admin/documents").await.expect(StatusCode::FORBIDDEN);
    assert_eq!(colleague.get("/api/user").await.expect(StatusCode::OK).json()["role"], "bursar");
    let own = school.mail("colleague@school.example", "Your role was changed").await;
    assert!(
        own.text.contains("from Registrar to Bursar") && own.text.contains("Post charges"),
        "{}",
        own.text
    );
    for admin in ["head", "deputy"] {
        let told = school.mail(&format!("{admin}@school.example"), "A colleague’s role was changed").await;
        assert!(told.text.contains("colleague"), "{}", told.text);
    }
    // An edit based on an outdated row is refused.
    let late = change(&head, &before, json!({ "role": "viewer" })).await.expect(StatusCode::CONFLICT).json();
    assert_eq!(late["current"]["role"], "bursar");
    let sql = "select detail from audit where action = 'set_role' and object = 'user'";
    let detail: String = school.database().query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(detail, r#"{"from":"registrar","to":"bursar"}"#);
}

#[tokio::test]
async fn a_disabled_user_is_refused_at_the_next_request_until_enabled() {
    let school = School::open().await;
    school.hire("head", Role::Admin).await;
    school.hire("leaver", Role::Registrar).await;
    let (head, leaver) = (log_in(&school, "head").await, log_in(&school, "leaver").await);
    let one = row(&head, "leaver").await;
    for _ in 0..2 {
        let shut = act(&head, &one, "disable").await.expect(StatusCode::OK).json();
        assert_eq!((&shut["state"], &shut["devices"]), (&json!("disabled"), &json!(0)));
    }
    leaver.get("/api/user").await.expect(StatusCode::UNAUTHORIZED);
    leaver.get("/api/admin/students").await.expect(StatusCode::UNAUTHORIZED);
    school.mail("leaver@school.example", "Your account was disabled").await;
    act(&head, &one, "send-password-link").await.expect(StatusCode::CONFLICT);
    act(&head, &one, "enable").await.expect(StatusCode::OK);
    leaver.get("/api/user").await.expect(StatusCode::UNAUTHORIZED);
    log_in(&school, "leaver").await;
    assert_eq!(school.count("select count(*) from audit where action in ('disable', 'enable')"), 2);
}

#[tokio::test]
async fn sessions_end_and_a_link_to_a_new_password_is_sent() {
    let school = School::open().await;
    school.hire("head", Role::Admin).await;
    school.hire("colleague", Role::Registrar).await;
    let (head, colleague) = (log_in(&school, "head").await, log_in(&school, "colleague").await);
    let one = row(&head, "colleague").await;
    act(&head, &one, "end-sessions").await.expect(StatusCode::OK);
    colleague.get("/api/user").await.expect(StatusCode::UNAUTHORIZED);
    act(&head, &one, "send-password-link").await.expect(StatusCode::OK);
    let mail = school.mail("colleague@school.example", "Choose a new password").await;
    let token = mail.token("/admin/reset-password/");
    let new = "an even quieter heron";
    let body = json!({ "token": token, "password": new, "confirmPassword": new });
    colleague.post("/api/reset-password", &body).await.expect(StatusCode::OK);
    let body = json!({ "username": "colleague", "password": new });
    colleague.post("/api/login", &body).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn own_roles_cannot_be_changed_and_the_last_administrator_stays() {
    let school = School::open().await;
    school.hire("head", Role::Admin).await;
    let head = log_in(&school, "head").await;
    let own = row(&head, "head").await;
    let refused = change(&head, &own, json!({ "role": "viewer" })).await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.message(), "You cannot change your own role. Another administrator can.");
    act(&head, &own, "disable").await.expect(StatusCode::CONFLICT);
    let refused = change(&head, &own, json!({ "email": "new@school.example" })).await;
    assert!(refused.expect(StatusCode::CONFLICT).message().contains("account page"));
    change(&head, &own, json!({ "fullName": "Mei Lin" })).await.expect(StatusCode::OK);
    assert_eq!(row(&head, "head").await["fullName"], "Mei Lin");
}

#[tokio::test]
async fn of_two_administrators_who_demote_each_other_at_once_one_wins() {
    let school = School::open().await;
    for round in 0..8 {
        let (one, two) = (format!("one{round}"), format!("two{round}"));
        school.hire(&one, Role::Admin).await;
        school.hire(&two, Role::Admin).await;
        // A third one stays, so that neither of the two is the last.
        let (first, second) = (log_in(&school, &one).await, log_in(&school, &two).await);
        let (row_of_one, row_of_two) = (row(&first, &one).await, row(&first, &two).await);
        let (demote, disable) = tokio::join!(
            change(&first, &row_of_two, json!({ "role": "viewer" })),
            act(&second, &row_of_one, "disable")
        );
        let won = [demote.status, disable.status].iter().filter(|status| **status == StatusCode::OK).count();
        assert_eq!(won, 1, "{} {}", demote.text(), disable.text());
        let left = format!(
            "select count(*) from users where username in ('{one}', '{two}')
            and role = 'admin' and disabled_at is null"
        );
        assert_eq!(school.count(&left), 1);
    }
}

#[tokio::test]
async fn a_changed_address_notifies_both_mailboxes_and_ends_links_to_the_old_one() {
    let school = School::open().await;
    school.hire("head", Role::Admin).await;
    school.hire("colleague", Role::Registrar).await;
    let head = log_in(&school, "head").await;
    let one = row(&head, "colleague").await;
    act(&head, &one, "send-password-link").await.expect(StatusCode::OK);
    assert_eq!(school.count("select count(*) from staff_tokens"), 1);
    let one = row(&head, "colleague").await;
    let taken = change(&head, &one, json!({ "email": "head@school.example" })).await.fields();
    assert_eq!(taken, json!({ "email": "Another staff member has this address already" }));
    let wrong =
        change(&head, &one, json!({ "email": "x", "fullName": "\u{200B}", "role": "king" })).await.fields();
    assert_eq!(wrong.as_object().unwrap().len(), 3, "{wrong}");
    let form = json!({ "email": "Colleague.New@school.example", "fullName": "Clara Klerk" });
    let after = change(&head, &one, form).await.expect(StatusCode::OK).json();
    assert_eq!(
        (&after["email"], &after["fullName"]),
        (&json!("colleague.new@school.example"), &json!("Clara Klerk"))
    );
    for to in ["colleague@school.example", "colleague.new@school.example"] {
        let mail = school.mail(to, "Your email address was changed").await;
        assert!(
            mail.text.contains("from colleague@school.example to colleague.new@school.example"),
            "{}",
            mail.text
        );
        assert!(mail.text.contains("Clara Klerk"), "{}", mail.text);
    }
    assert_eq!(school.count("select count(*) from staff_tokens"), 0);
}

#[tokio::test]
async fn unknown_accounts_are_not_found_and_changes_need_a_version() {
    let school = School::open().await;
    let head = school.staff().await;
    for verb in ["disable", "enable", "end-sessions", "send-password-link"] {
        let answer = head.post(&format!("/api/admin/staff/99/{verb}"), &json!({})).await;
        assert_eq!(answer.expect(StatusCode::NOT_FOUND).message(), "Member of the staff not found");
    }
    let fields = head.patch("/api/admin/staff/1", &json!({ "fullName": "Mei Lin" })).await.fields();
    assert_eq!(fields, json!({ "version": "The version of the row is required" }));
}

#[tokio::test]
async fn every_role_is_explained_from_the_list_that_decides() {
    let school = School::open().await;
    let roles = school.staff().await.get("/api/admin/staff/roles").await.expect(StatusCode::OK).json();
    let may = |role: &str| {
        let found = roles.as_array().unwrap().iter().find(|one| one["role"] == role).unwrap();
        found["may"]
            .as_array()
            .unwrap()
            .iter()
            .map(|words| words.as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert!(
        may("bursar").contains(&"Post charges and record payments".to_owned())
            && !may("viewer").contains(&"Post charges and record payments".to_owned())
    );
    assert_eq!(may("admin").iter().filter(|words| words.contains("audit trail")).count(), 1);
}

#[tokio::test]
async fn a_new_device_sends_an_email_unless_it_is_the_first_or_known() {
    let school = School::open().await;
    school.hire("colleague", Role::Registrar).await;
    let office = log_in(&school, "colleague").await;
    office.post("/api/logout", &json!({})).await.expect(StatusCode::OK);
    let body = json!({ "username": "colleague", "password": PASSWORD });
    office.post("/api/login", &body).await.expect(StatusCode::OK);
    let told = |mails: Vec<crate::support::Mail>| {
        mails.into_iter().filter(|mail| mail.subject == "A new device logged in to your account").count()
    };
    assert_eq!(told(school.all_mails().await), 0);
    school.advance(SignedDuration::from_mins(5));
    let phone = school.visitor();
    let login = phone
        .request("POST", "/api/login")
        .json(&body)
        .header(
            "user-agent",
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0) Gecko/20100101 Firefox/142.0",
        )
        .header("origin", school.url(""));
    phone.send(login).await.expect(StatusCode::OK);
    let mail = school.mail("colleague@school.example", "A new device logged in to your account").await;
    assert!(mail.text.contains("Firefox on Windows"), "{}", mail.text);
    assert_eq!(told(school.all_mails().await), 1);
}
