//! A clock that jumps: years forward, hours and years back, as after an empty battery or a bad time
//! server. In this process, whose clock can be set.

use std::time::Duration;

use jiff::SignedDuration;
use reqwest::StatusCode;
use serde_json::json;

use crate::figures::{Kind, Row};
use crate::mail_server::MailServer;
use crate::plan::Plan;
use crate::support::{School, wait_for};

const HOUR: i64 = 3600;
const YEAR: i64 = 365 * 24 * HOUR;

/// Jumps, and what goes on across each.
pub async fn jumps(_: Plan) -> Vec<Row> {
    let mut row = Row::new("the clock jumps", Kind::Other);
    for (name, seconds) in [
        ("5 hours back", -5 * HOUR),
        ("3 years back", -3 * YEAR),
        ("10 minutes forward", 600),
        ("3 years forward", 3 * YEAR),
        ("20 years forward", 20 * YEAR),
    ] {
        let problems = jump(SignedDuration::from_secs(seconds)).await;
        row.count(name, &problems);
    }
    vec![row]
}

async fn jump(by: SignedDuration) -> Vec<String> {
    let mut problems = Vec::new();
    let mut expect = |what: &str, holds: bool| {
        if !holds {
            problems.push(what.to_owned());
        }
    };
    // The first letter of the test waits for its second attempt when the clock jumps.
    let server = MailServer::with(json!({ "faults": [["RCPT", "450 busy"]] }));
    let school = School::open_with(|config| {
        server.configure(config, schoolhouse::plumbing::config::MailSecurity::None);
        config.limits.contacts_per_hour = 3;
    })
    .await;
    let staff = school.staff().await;
    let course = school.course(&staff, "ENG4U", json!(100)).await;
    let visitor = school.visitor();
    visitor.register("mei@mail.example").await;
    let waits = "select count(*) from outbox where state = 'queued' and last_error is not null";
    wait_for(|| (school.count(waits) == 1).then_some(())).await;
    school.clock.advance(by);
    let is_back = by.is_negative();
    // Staff stay signed in when time went back, and are signed out by time that passed.
    let status = staff.get("/api/admin/dashboard").await.status;
    let is_short = by <= SignedDuration::from_mins(30);
    expect(
        "the office's session",
        status == if is_short { StatusCode::OK } else { StatusCode::UNAUTHORIZED },
    );
    // The letter that waited leaves within its longest pause, and once.
    school.clock.advance(SignedDuration::from_secs(4 * HOUR + 60));
    school.app().mail_bell.notify_one();
    let sent = "select count(*) from outbox where state = 'sent'";
    comes(&school, || school.count(sent) == 1).await;
    expect("the waiting letter leaves", server.received().len() == 1);
    let link =
        server.received().first().map(|letter| crate::support::parse(letter).token("/student/verify/"));
    if let (Some(token), true) = (link, by < SignedDuration::from_hours(40)) {
        let answer = visitor.get(&format!("/api/students/verify/{token}")).await;
        expect("the link of the letter", answer.status == StatusCode::OK);
        let login = visitor.log_in("mei@mail.example", crate::support::PASSWORD).await;
        expect("a login", login.status == StatusCode::OK);
        expect("an enrollment", visitor.enroll(course).await.status == StatusCode::CREATED);
    }
    // What is written now leaves now, whatever the time.
    let before = server.received().len();
    let writes = async |text| visitor.write_message("Ada", "ada@mail.example", text).await.status;
    expect("a message", writes("Is the office open?").await == StatusCode::OK);
    let all_sent = || school.count(sent) >= i64::try_from(before).unwrap() + 2;
    expect("its letters", comes(&school, all_sent).await);
    // Limits count time that passes, not the time of day.
    for _ in 0..2 {
        writes("Is it open now?").await;
    }
    expect("the limit", writes("This is one too many").await == StatusCode::TOO_MANY_REQUESTS);
    school.clock.advance(by);
    expect("the limit after a jump", writes("Still too many").await == StatusCode::TOO_MANY_REQUESTS);
    expect("readiness", !is_back || school.visitor().get("/healthz").await.status == StatusCode::OK);
    let all = server.received().len();
    school.clock.advance(SignedDuration::from_hours(49));
    let queued = "select count(*) from outbox where state = 'queued'";
    expect("nothing is stuck", comes(&school, || school.count(queued) == 0).await);
    expect(
        "nothing leaves twice",
        server.received().len() == all.max(usize::try_from(school.count(sent)).unwrap()),
    );
    problems
}

/// Rings for the postman, whose pauses are real time, until something is so; whether it came.
async fn comes(school: &School, is_so: impl Fn() -> bool) -> bool {
    for _ in 0..100 {
        if is_so() {
            return true;
        }
        school.app().mail_bell.notify_one();
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    false
}
