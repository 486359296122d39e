//! How the users sign in, and take their cookies along.

use std::path::Path;

use jiff::ToSpan as _;
use jiff::civil::Date;
use jiff::tz::{self, TimeZone};
use reqwest::StatusCode;
use schoolhouse::testing::Clock;
use serde_json::json;

use crate::support::{Actor, PASSWORD, browser, profile, read_spool, wait_for};

/// A new student.
pub async fn student(visitor: &Actor, folder: &Path, email: &str) -> Actor {
    visitor.register(email).await;
    let token = token(folder, email, "/student/verify/").await;
    visitor.get(&format!("/api/students/verify/{token}")).await.expect(StatusCode::OK);
    let student = person(&visitor.base);
    student.log_in(email, PASSWORD).await.expect(StatusCode::OK);
    student
}

/// Makes a student fifteen years old, with a guardian who opens the family page.
pub async fn guardian_of(minor: &Actor, folder: &Path) -> Actor {
    let mut facts = profile("minor@mail.example");
    facts["dateOfBirth"] = today().saturating_sub(15.years()).to_string().into();
    minor.patch("/api/students/me", &facts).await.expect(StatusCode::OK);
    let email = "chidi@mail.example";
    let guardians = json!([{ "name": "Chidi Okonkwo", "email": email }]);
    let sent = minor.request("PUT", "/api/students/guardians").json(&guardians);
    minor.send(sent).await.expect(StatusCode::OK);
    let guardian = person(&minor.base);
    guardian.post("/api/family/link", &json!({ "email": email })).await.expect(StatusCode::OK);
    let token = json!({ "token": token(folder, email, "/family/").await });
    guardian.post("/api/family/session", &token).await.expect(StatusCode::OK);
    guardian
}

/// The token of the first email to this mailbox.
async fn token(folder: &Path, email: &str, path: &str) -> String {
    let mail = wait_for(|| read_spool(&folder.join("mail")).into_iter().find(|mail| mail.to == email)).await;
    mail.token(path)
}

/// Today at the school, five hours behind UTC (in summer four): in its night it is tomorrow in UTC already, when no payment can
/// have been received.
pub fn today() -> Date {
    Clock::System.today(&TimeZone::fixed(tz::offset(-5)))
}

/// A client that opens a new connection for each errand: a connection that was idle for ten seconds is ended, perhaps
/// just when the next errand is sent.
pub fn person(address: &str) -> Actor {
    Actor::with(browser().pool_max_idle_per_host(0), address)
}

/// The same person, with the same cookies, at another address of the server.
pub fn moved(actor: &Actor, base: &str) -> Actor {
    Actor { client: actor.client.clone(), base: base.to_owned() }
}
