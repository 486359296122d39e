//! A clock that jumps: years forward, hours and years back, as after an empty battery or a bad time
//! server. In this process, whose clock can be set.

use std::time::Duration;

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::MailSecurity;
use serde_json::json;

use crate::figures::{Kind, Row};
use crate::plan::Plan;
use crate::support::mail_server::MailServer;
use crate::support::{Actor, PASSWORD, School, parse, wait_for};

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
    let mut scene = Scene::open(by).await;
    scene.school.advance(by);
    scene.office().await;
    scene.waiting_email().await;
    scene.new_emails_and_limits().await;
    scene.end().await;
    scene.problems
}

const SENT: &str = "select count(*) from outbox where state = 'sent'";

/// A school with a member of the staff, and an email that waits for its second attempt.
struct Scene {
    by: SignedDuration,
    server: MailServer,
    school: School,
    staff: Actor,
    visitor: Actor,
    course: i64,
    problems: Vec<String>,
}

impl Scene {
    async fn open(by: SignedDuration) -> Self {
        let server = MailServer::with(json!({ "faults": [["RCPT", "450 busy"]] }));
        let school = School::open_with(|config| {
            server.configure(config, MailSecurity::None);
            config.limits.contacts_per_hour = 3;
        })
        .await;
        let staff = school.staff().await;
        let course = school.course(&staff, "ENG4U", json!(100)).await;
        let visitor = school.visitor();
        visitor.register("mei@mail.example").await;
        let waits = "select count(*) from outbox where state = 'queued' and last_error is not null";
        wait_for(|| (school.count(waits) == 1).then_some(())).await;
        Self { by, server, school, staff, visitor, course, problems: Vec::new() }
    }

    fn expect(&mut self, what: &str, holds: bool) {
        if !holds {
            self.problems.push(what.to_owned());
        }
    }

    /// Staff stay signed in when time went back, and are signed out by time that passed.
    async fn office(&mut self) {
        let status = self.staff.get("/api/admin/dashboard").await.status;
        let is_short = self.by <= SignedDuration::from_mins(30);
        let expected = if is_short { StatusCode::OK } else { StatusCode::UNAUTHORIZED };
        self.expect("the office's session", status == expected);
    }

    /// The email that waited leaves within its longest pause, and what it leads to works.
    async fn waiting_email(&mut self) {
        self.school.advance(SignedDuration::from_secs(4 * HOUR + 60));
        self.comes(|school| school.count(SENT) == 1).await;
        let Some(email) = self.server.received().pop() else {
            return self.expect("the waiting email leaves", false);
        };
        if self.by > SignedDuration::from_hours(40) {
            return;
        }
        let token = parse(&email).token("/student/verify/");
        let answer = self.visitor.get(&format!("/api/students/verify/{token}")).await;
        self.expect("the link of the email", answer.status == StatusCode::OK);
        let login = self.visitor.log_in("mei@mail.example", PASSWORD).await;
        self.expect("a login", login.status == StatusCode::OK);
        let enrolled = self.visitor.enroll(self.course).await;
        self.expect("an enrollment", enrolled.status == StatusCode::CREATED);
    }

    /// What is written now leaves now; a jump of an hour ends a limit, and one back extends it by an hour at most.
    async fn new_emails_and_limits(&mut self) {
        let before = self.school.count(SENT);
        let first = self.write().await;
        self.expect("a message", first == StatusCode::OK);
        let left = self.comes(|school| school.count(SENT) >= before + 2).await;
        self.expect("its emails", left);
        for _ in 0..2 {
            self.write().await;
        }
        let fourth = self.write().await;
        self.expect("the limit", fourth == StatusCode::TOO_MANY_REQUESTS);
        self.school.advance(self.by);
        let fifth = self.write().await;
        let is_over = self.by >= SignedDuration::from_hours(1);
        let expected = if is_over { StatusCode::OK } else { StatusCode::TOO_MANY_REQUESTS };
        self.expect("the limit after a jump", fifth == expected);
        self.school.advance(SignedDuration::from_hours(1));
        let later = self.write().await;
        self.expect("no client waits for longer than the limit's hour", later == StatusCode::OK);
    }

    async fn write(&self) -> StatusCode {
        self.visitor.write_message("Ada", "ada@mail.example", "Is the office open?").await.status
    }

    async fn end(&mut self) {
        self.school.advance(SignedDuration::from_hours(49));
        let queued = "select count(*) from outbox where state = 'queued'";
        let is_empty = self.comes(|school| school.count(queued) == 0).await;
        self.expect("nothing is stuck", is_empty);
        let (received, sent) = (self.server.received().len(), self.school.count(SENT));
        self.expect("nothing leaves twice", i64::try_from(received) == Ok(sent));
    }

    /// Wakes the mailer, whose pauses are real time, until something is so; whether it came.
    async fn comes(&self, is_so: impl Fn(&School) -> bool) -> bool {
        for _ in 0..100 {
            if is_so(&self.school) {
                return true;
            }
            self.school.app().mailer_wakeup.notify_one();
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        false
    }
}
