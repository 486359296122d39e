//! Passwords, links and accounts that are guessed at; mailboxes that are flooded. The limits are those of
//! the configuration.

use reqwest::StatusCode;
use serde_json::json;

use crate::support::{Actor, Answer, PASSWORD};
use crate::table::{Plan, Row};
use crate::target::Target;

const WRONG: &str = "a wrong password";

pub async fn attack(plan: Plan) -> Vec<Row> {
    let one_account = async move {
        let target = Target::limited().await;
        let (student, _) = target.student("amara").await;
        let row = one_account(plan, &target, &student).await;
        vec![row, the_link_lets_the_owner_in(&target).await]
    };
    // A school of its own for each, since what all guesses together may be is limited, too; and a task of
    // its own, since making two hundred browsers takes a while.
    let rows = [
        tokio::spawn(one_account),
        tokio::spawn(async move { vec![many_accounts_from_one_address(plan).await] }),
        tokio::spawn(async move { vec![many_accounts_from_many_addresses(plan).await] }),
        tokio::spawn(async move { vec![links(plan).await] }),
        tokio::spawn(async move { vec![does_not_reveal_accounts(plan).await] }),
        tokio::spawn(async move { vec![mail_flood(plan).await] }),
    ];
    let mut all = Vec::new();
    for row in rows {
        all.extend(row.await.unwrap());
    }
    all
}

async fn log_in(actor: &Actor, email: &str, password: &str) -> Answer {
    actor.log_in(email, password).await
}

/// Twenty wrong passwords an hour are looked at, however many addresses they come from.
async fn one_account(plan: Plan, target: &Target, owner: &Actor) -> Row {
    let mut row = Row::new("passwords for one account, from many addresses");
    let visitors: Vec<_> = (0..plan.pick(60, 20)).map(|number| target.visitor_at(number)).collect();
    let mut verified = 0;
    for number in 0..plan.pick(600, 60) {
        let answer = log_in(&visitors[number % visitors.len()], "amara@mail.example", WRONG).await;
        verified += u32::from(answer.status == StatusCode::UNAUTHORIZED);
        let is_refusal = matches!(answer.status, StatusCode::UNAUTHORIZED | StatusCode::TOO_MANY_REQUESTS);
        row.tried(is_refusal, || format!("answered {}", answer.status));
    }
    row.check(verified <= 20, || format!("{verified} of them were looked at"));
    let own = log_in(owner, "amara@mail.example", PASSWORD).await;
    row.check(own.status == StatusCode::OK, || format!("the owner's browser is answered {}", own.status));
    row.noted(format!("{verified} were looked at; the owner's browser logs in meanwhile"))
}

async fn the_link_lets_the_owner_in(target: &Target) -> Row {
    let mut row = Row::new("locking a user out by guessing: recovery by email");
    let visitor = target.visitor_at(900);
    let held_up = log_in(&visitor, "amara@mail.example", PASSWORD).await.status;
    row.check(held_up == StatusCode::TOO_MANY_REQUESTS, || format!("nothing was guessed: {held_up}"));
    visitor.post("/api/students/forgot-password", &json!({ "email": "amara@mail.example" })).await;
    let path = "/student/reset-password/";
    let token = target.mail("amara@mail.example", path).await.token(path);
    let new = "an even quieter heron";
    let body = json!({ "token": token, "password": new, "confirmPassword": new });
    let answer = visitor.post("/api/students/reset-password", &body).await;
    row.tried(answer.status == StatusCode::OK, || format!("the link is answered {}", answer.status));
    let answer = log_in(&visitor, "amara@mail.example", new).await;
    row.tried(answer.status == StatusCode::OK, || format!("the login is answered {}", answer.status));
    row
}

async fn many_accounts_from_one_address(plan: Plan) -> Row {
    let mut row = Row::new("one password for many accounts, from one address");
    let target = Target::limited().await;
    let (visitor, mut verified) = (target.visitor_at(1), 0);
    for number in 0..plan.pick(400, 60) {
        let answer = log_in(&visitor, &format!("unknown{number}@mail.example"), WRONG).await;
        verified += u32::from(answer.status == StatusCode::UNAUTHORIZED);
        row.tried(answer.status != StatusCode::OK, || format!("answered {}", answer.status));
    }
    // Thirty in a minute, and the attack may take more than one.
    let allowed = plan.pick(100, 30) + 30;
    row.check(verified <= allowed, || format!("{verified} of them were looked at"));
    row.noted(format!("{verified} were looked at"))
}

async fn many_accounts_from_many_addresses(plan: Plan) -> Row {
    let mut row = Row::new("one password for many accounts, from many addresses");
    let allowed = 100;
    let target = Target::start(&[("SCHOOLHOUSE_LIMITS_FAILED_LOGINS_IN_ALL_PER_HOUR", "100")]).await;
    let (owner, _) = target.student("amara").await;
    let visitors: Vec<_> = (0..plan.pick(200, 30)).map(|number| target.visitor_at(number)).collect();
    let mut verified = 0;
    for number in 0..plan.pick(1_000, 120) {
        let email = format!("unknown{number}@mail.example");
        let answer = log_in(&visitors[number % visitors.len()], &email, WRONG).await;
        verified += u32::from(answer.status == StatusCode::UNAUTHORIZED);
        row.tried(answer.status != StatusCode::OK, || format!("answered {}", answer.status));
    }
    row.check(verified <= allowed, || format!("{verified} of them were looked at"));
    let own = log_in(&owner, "amara@mail.example", PASSWORD).await;
    row.check(own.status == StatusCode::OK, || format!("the owner's browser is answered {}", own.status));
    let office = target.visitor();
    let body = json!({ "username": "office", "password": PASSWORD });
    let own = office.post("/api/login", &body).await.status;
    row.check(own == StatusCode::OK, || format!("the office is answered {own}"));
    row.noted(format!("{verified} were looked at; owner and office log in meanwhile"))
}

/// Links of every kind; a hundred wrong ones an hour are looked at.
async fn links(plan: Plan) -> Row {
    let mut row = Row::new("guessed links");
    let target = Target::limited().await;
    let visitor = target.visitor_at(1);
    let mut random = fastrand::Rng::with_seed(7);
    let mut looked_at = 0;
    for number in 0..plan.pick(2_000, 130) {
        let token: String = (0..43).map(|_| random.alphanumeric()).collect();
        let new = json!({ "token": token, "password": PASSWORD, "confirmPassword": PASSWORD });
        let answer = match number % 7 {
            0 => visitor.get(&format!("/api/students/verify/{token}")).await,
            1 => visitor.post("/api/students/reset-password", &new).await,
            2 => visitor.post("/api/reset-password", &new).await,
            3 => visitor.post("/api/students/not-me", &json!({ "token": token })).await,
            4 => visitor.post("/api/students/undo-email-change", &json!({ "token": token })).await,
            5 => visitor.get(&format!("/api/staff/invitations/{token}")).await,
            _ => visitor.post("/api/confirm-email", &json!({ "token": token })).await,
        };
        let is_refusal = matches!(answer.status, StatusCode::NOT_FOUND | StatusCode::TOO_MANY_REQUESTS);
        looked_at += u32::from(answer.status == StatusCode::NOT_FOUND);
        row.tried(is_refusal, || format!("answered {}: {}", answer.status, answer.text()));
    }
    row.check(looked_at < 720, || format!("{looked_at} of them were looked at"));
    row.noted(format!("{looked_at} were looked at; a link has 256 bits"))
}

/// An account and none get the same words, status and headers.
async fn does_not_reveal_accounts(plan: Plan) -> Row {
    let mut row = Row::new("asking whether an address has an account");
    let target = Target::open().await;
    target.student("amara").await;
    let visitor = target.visitor();
    for number in 0..plan.pick(40, 4) {
        for path in [
            "/api/students/login",
            "/api/students/forgot-password",
            "/api/students/register",
            "/api/students/resend-verification",
            "/api/login",
            "/api/forgot-password",
        ] {
            let body = |who: &str| match path {
                "/api/login" => json!({ "username": who, "password": WRONG }),
                _ => {
                    let email = format!("{who}@mail.example");
                    json!({ "email": email, "password": PASSWORD.to_uppercase(), "confirmPassword": PASSWORD.to_uppercase() })
                }
            };
            let known = if path.contains("students") { "amara" } else { "office" };
            let found = visitor.post(path, &body(known)).await;
            let none = visitor.post(path, &body(&format!("absent{number}"))).await;
            let names = |answer: &Answer| {
                let mut names: Vec<_> = answer.headers.keys().map(ToString::to_string).collect();
                names.sort();
                (names, answer.status, answer.text().replace(&format!("absent{number}"), known))
            };
            row.tried(names(&found) == names(&none), || {
                format!("{path}: {} {} or {} {}", found.status, found.text(), none.status, none.text())
            });
        }
    }
    row
}

/// Three emails of a kind in an hour, ten in a day: for a stranger who types an address into forms.
async fn mail_flood(plan: Plan) -> Row {
    let mut row = Row::new("flooding a mailbox through the forms");
    let target = Target::limited().await;
    target.student("amara").await;
    let before = target.all_mails().await.len();
    let visitors: Vec<_> = (0..20).map(|number| target.visitor_at(number)).collect();
    for number in 0..plan.pick(300, 30) {
        let visitor = &visitors[number % 20];
        let email = json!({ "email": "amara@mail.example" });
        let answer = match number % 4 {
            0 => visitor.send(visitor.registration("amara@mail.example")).await,
            1 => visitor.post("/api/students/forgot-password", &email).await,
            2 => visitor.post("/api/students/resend-verification", &email).await,
            _ => visitor.write_message("Amara", "amara@mail.example", "A message of some length.").await,
        };
        row.tried(!answer.status.is_server_error(), || format!("answered {}", answer.status));
    }
    let mails = target.all_mails().await;
    let to = |address: &str| mails[before..].iter().filter(|mail| mail.to == address).count();
    let (mailbox, office) = (to("amara@mail.example"), to("office@northgate.example"));
    row.check(mailbox <= 12, || format!("{mailbox} emails reached the mailbox"));
    row.check(office <= 30, || format!("{office} copies reached the office"));
    row.noted(format!("{mailbox} emails reached the mailbox, {office} the office"))
}
