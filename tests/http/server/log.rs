//! What the log records about requests, and the personal data it never holds.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use reqwest::StatusCode;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cli::run;
use crate::support::{Actor, PASSWORD, PDF, Program, TIMEOUT, profile, read_spool, wait_for};

/// The real binary, whose log is kept.
struct Logged {
    child: Child,
    folder: TempDir,
    address: String,
    lines: Receiver<String>,
    first: Vec<String>,
}

impl Logged {
    fn serve(environment: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_schoolhouse"))
            .args(["--data-dir", folder.path().to_str().unwrap(), "serve", "--listen", "127.0.0.1:0"])
            .env_clear()
            .envs(environment.iter().copied())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            stderr.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let mut first = Vec::new();
        let address = loop {
            let line = lines.recv_timeout(TIMEOUT).expect("the server ended");
            first.push(line.clone());
            if let Some((_, rest)) = line.split_once(" on http://") {
                let end = rest
                    .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ':')))
                    .unwrap_or(rest.len());
                break format!("http://{}", &rest[..end]);
            }
        };
        Self { child, folder, address, lines, first }
    }

    /// Stops it and returns everything it logged.
    fn stop(mut self) -> Vec<String> {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        assert!(self.child.wait().unwrap().success());
        let mut lines = std::mem::take(&mut self.first);
        lines.extend(self.lines.iter());
        lines
    }
}

impl Drop for Logged {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The one line of a request with this message.
#[track_caller]
fn line<'a>(lines: &'a [String], request: &str, message: &str) -> &'a str {
    lines
        .iter()
        .find(|line| line.contains(request) && line.contains(message))
        .unwrap_or_else(|| panic!("no {message:?} of {request} in {lines:#?}"))
}

#[tokio::test]
async fn a_fault_is_found_by_the_reference_that_the_person_was_shown() {
    for format in ["json", "text"] {
        let school = Logged::serve(&[("SCHOOLHOUSE_LOG_FORMAT", format)]);
        let database = rusqlite::Connection::open(school.folder.path().join("schoolhouse.db")).unwrap();
        database.execute("alter table contact_messages rename to gone", []).unwrap();
        let visitor = Actor::new(&school.address);
        visitor.get("/api/courses").await.expect(StatusCode::OK);
        let answer = visitor.write_message("Li", "li@mail.example", "Ten letters").await;
        let answer = answer.expect(StatusCode::INTERNAL_SERVER_ERROR);
        let id = answer.header("x-request-id").to_owned();
        assert_eq!(id.len(), 16, "{id}");
        assert_eq!(
            answer.message(),
            format!("Something went wrong on our side (reference {id}). Please try again in a moment.")
        );
        let lines = school.stop();
        let (cause, end) = (line(&lines, &id, "internal error"), line(&lines, &id, "request failed"));
        assert!(cause.contains("no such table"), "{cause}");
        assert!(
            !lines.iter().any(|line| line.contains("/api/courses")),
            "a good request is for debug: {lines:#?}"
        );
        if format == "json" {
            let end: Value = serde_json::from_str(end).unwrap();
            assert_eq!(
                (&end["level"], &end["request"], &end["method"], &end["route"], &end["status"]),
                (&json!("warn"), &json!(id), &json!("POST"), &json!("/api/contact"), &json!(500))
            );
            assert!(end["ms"].is_f64() && end["time"].is_string(), "{end}");
            assert!(lines.iter().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{lines:#?}");
        } else {
            assert!(end.contains("method=POST") && end.contains("route=/api/contact"), "{end}");
        }
    }
}

#[tokio::test]
async fn a_request_keeps_the_number_that_a_trusted_proxy_gave_it_and_no_other() {
    let given = "0123456789abcdef0123456789abcdef";
    for (proxies, header, kept) in [
        ("[\"127.0.0.1/32\"]", given, true),
        ("[]", given, false),
        ("[\"127.0.0.1/32\"]", "amara@mail.example", false),
        ("[\"127.0.0.1/32\"]", "short", false),
    ] {
        let school = Logged::serve(&[("SCHOOLHOUSE_SERVER_TRUSTED_PROXIES", proxies)]);
        let visitor = Actor::new(&school.address);
        for path in ["/api/school", "/about", "/nothing", "/api/nothing"] {
            let answer = visitor.send(visitor.request("GET", path).header("x-request-id", header)).await;
            assert_eq!(answer.header("x-request-id") == header, kept, "{proxies} {header} {path}");
            assert!(answer.header("x-request-id").len() >= 16);
        }
    }
}

#[tokio::test]
async fn the_log_says_everything_about_requests_and_nothing_about_people() {
    let school = Logged::serve(&[
        ("SCHOOLHOUSE_LOG", "trace"),
        ("SCHOOLHOUSE_SERVER_TRUSTED_PROXIES", "[\"127.0.0.1/32\"]"),
    ]);
    let (email, name) = ("amara.very.recognisable@mail.example", "Amara Recognisable-Okonkwo");
    let visitor = Actor::new(&school.address);
    visitor.register(email).await;
    let mail = wait_for(|| read_spool(&school.folder.path().join("mail")).pop()).await;
    let token = mail.token(&format!("{}/student/verify/", school.address));
    visitor.get(&format!("/student/verify/{token}")).await.expect(StatusCode::OK);
    visitor.get(&format!("/api/students/verify/{token}")).await.expect(StatusCode::OK);
    visitor.log_in(email, "a wrong password-xyz").await.expect(StatusCode::UNAUTHORIZED);
    let login = visitor.log_in(email, PASSWORD).await.expect(StatusCode::OK);
    let cookie = login.header("set-cookie").split(['=', ';']).nth(1).unwrap().to_owned();
    let mut form = profile(email);
    form["fullName"] = json!(name);
    visitor.patch("/api/students/me", &form).await.expect(StatusCode::OK);
    visitor.upload("other", "recognisable-passport.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    visitor.upload("other", "recognisable-broken.pdf", b"no".to_vec()).await;
    let forwarded =
        visitor.request("GET", "/courses?q=recognisable-query").header("x-forwarded-for", "203.0.113.77");
    visitor.send(forwarded).await.expect(StatusCode::OK);
    visitor.write_message(name, email, "A recognisable message").await.expect(StatusCode::OK);
    visitor.post("/api/login", &json!({ "username": "recognisable-name", "password": "x" })).await;
    let reset = run(school.folder.path(), &["reset-password", "--student", email]);
    let link = String::from_utf8(reset.stdout).unwrap();
    let reset_token = link.trim().rsplit('/').next().unwrap().to_owned();
    let body =
        json!({ "token": reset_token, "password": "brand new one", "confirmPassword": "brand new one" });
    visitor.post("/api/students/reset-password", &body).await.expect(StatusCode::OK);
    // Faults during requests: a file that is not there, a table that is not there.
    let database = rusqlite::Connection::open(school.folder.path().join("schoolhouse.db")).unwrap();
    visitor.log_in(email, "brand new one").await.expect(StatusCode::OK);
    std::fs::remove_dir_all(school.folder.path().join("documents")).unwrap();
    visitor.get("/api/documents/1").await.expect(StatusCode::CONFLICT);
    database.execute("alter table students rename to gone", []).unwrap();
    visitor.log_in(email, PASSWORD).await.expect(StatusCode::INTERNAL_SERVER_ERROR);
    let lines = school.stop();

    assert!(lines.iter().any(|line| line.contains("route=/api/students/verify/{token}")), "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains("route=(page)")), "{lines:#?}");
    for secret in [
        "recognisable",
        "Okonkwo",
        "555-0188",
        "Sample Crescent",
        "203.0.113.77",
        PASSWORD,
        "brand new one",
        &token,
        &cookie,
        &reset_token,
    ] {
        let leaks: Vec<_> =
            lines.iter().filter(|line| line.to_lowercase().contains(&secret.to_lowercase())).collect();
        assert!(leaks.is_empty(), "{secret:?} is logged: {leaks:#?}");
    }
}

/// A client at an address sends requests that are refused, including stale and broken cookies.
async fn misbehave(visitor: &Actor, address: &str) {
    let from = |method: &str, path: &str| visitor.request(method, path).header("x-forwarded-for", address);
    let wrong = json!({ "username": "recognisable", "password": "a wrong guess" });
    visitor.send(from("POST", "/api/login").json(&wrong)).await.expect(StatusCode::UNAUTHORIZED);
    let wrong = json!({ "email": "recognisable@mail.example", "password": "a wrong guess" });
    for _ in 0..2 {
        let answer = visitor.send(from("POST", "/api/students/login").json(&wrong)).await;
        answer.expect(StatusCode::UNAUTHORIZED);
    }
    let refused = visitor.send(from("POST", "/api/students/login").json(&wrong)).await;
    refused.expect(StatusCode::TOO_MANY_REQUESTS);
    let forged = from("POST", "/api/contact").header("sec-fetch-site", "cross-site").json(&json!({}));
    visitor.send(forged).await.expect(StatusCode::FORBIDDEN);
    for cookie in ["schoolhouse_student=AAAAAAAAAAAAAAAAAAAAAA", "schoolhouse_staff=rubbish"] {
        let stale = from("GET", "/api/students/me").header("cookie", cookie);
        visitor.send(stale).await.expect(StatusCode::UNAUTHORIZED);
    }
}

#[tokio::test]
async fn a_lock_of_another_program_is_waited_for_and_logged() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::serve(folder.path(), &[]);
    let database = rusqlite::Connection::open(folder.path().join("schoolhouse.db")).unwrap();
    database.execute_batch("begin immediate").unwrap();
    let visitor = Actor::new(&program.address);
    let message =
        tokio::spawn(async move { visitor.write_message("Li", "li@mail.example", "Ten letters").await });
    wait_for(|| program.has_printed("event=database.locked").then_some(())).await;
    database.execute_batch("rollback").unwrap();
    message.await.unwrap().expect(StatusCode::OK);
}

fn events(lines: &[String]) -> Vec<&str> {
    let named = lines.iter().filter_map(|line| {
        let at = line.find("event").filter(|_| !line.contains("events"))?;
        let rest = line[at + 5..].trim_start_matches(['"', ':', '=']);
        Some(rest.split(['"', ' ']).next().unwrap())
    });
    named.collect()
}

#[tokio::test]
async fn a_refusal_is_one_line_without_personal_data_and_a_stale_cookie_is_none() {
    for format in ["json", "text"] {
        let school = Logged::serve(&[
            ("SCHOOLHOUSE_LOG_FORMAT", format),
            ("SCHOOLHOUSE_LIMITS_WRONG_PASSWORDS", "2"),
            ("SCHOOLHOUSE_SERVER_TRUSTED_PROXIES", "[\"127.0.0.1/32\"]"),
        ]);
        misbehave(&Actor::new(&school.address), "203.0.113.77").await;
        let lines = school.stop();
        assert_eq!(
            events(&lines),
            ["login.failed", "login.failed", "login.failed", "limit.refused", "csrf.refused"],
            "{lines:#?}"
        );
        for word in ["203.0.113.77", "recognisable", "suspicious", "client"] {
            assert!(!lines.iter().any(|line| line.contains(word)), "{word}: {lines:#?}");
        }
    }
}

#[tokio::test]
async fn fail2ban_reads_the_security_log_in_both_formats() {
    for format in ["json", "text"] {
        let school = Logged::serve(&[
            ("SCHOOLHOUSE_LOG_FORMAT", format),
            ("SCHOOLHOUSE_LOG_SECURITY_ADDRESSES", "true"),
            ("SCHOOLHOUSE_LIMITS_WRONG_PASSWORDS", "2"),
            ("SCHOOLHOUSE_SERVER_TRUSTED_PROXIES", "[\"127.0.0.1/32\"]"),
        ]);
        let visitor = Actor::new(&school.address);
        misbehave(&visitor, "203.0.113.77").await;
        misbehave(&visitor, "2001:db8::77").await;
        let innocent =
            visitor.request("GET", "/courses?q=event=login.failed").header("x-forwarded-for", "203.0.113.1");
        visitor.send(innocent).await.expect(StatusCode::OK);
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        std::fs::write(&log, school.stop().join("\n") + "\n").unwrap();
        let filter = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/fail2ban/filter.conf");
        let output =
            Command::new("fail2ban-regex").args(["-o", "ip"]).arg(&log).arg(filter).output().unwrap();
        let found = String::from_utf8(output.stdout).unwrap();
        let count = |address: &str| found.lines().filter(|line| *line == address).count();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((count("203.0.113.77"), count("2001:db8::77")), (5, 5), "{format}: {found} {said}");
        assert_eq!(found.lines().count(), 10, "{format}: {found}");
    }
}

#[tokio::test]
async fn a_flood_of_refusals_does_not_fill_the_log() {
    let school = Logged::serve(&[("SCHOOLHOUSE_LOG_FORMAT", "text")]);
    let visitor = Actor::new(&school.address);
    for _ in 0..200 {
        let forged = visitor.request("POST", "/api/contact").header("sec-fetch-site", "cross-site");
        visitor.send(forged.json(&json!({}))).await.expect(StatusCode::FORBIDDEN);
    }
    let lines = school.stop();
    assert_eq!(events(&lines).len(), 10, "{lines:#?}");
}

#[test]
fn a_line_for_the_journal_carries_its_importance_and_no_second_time() {
    let folder = tempfile::tempdir().unwrap();
    let log = std::fs::File::create(folder.path().join("log")).unwrap();
    let stat = rustix::fs::fstat(&log).unwrap();
    let stream = format!("{}:{}", stat.st_dev, stat.st_ino);
    let mut child = Command::new(env!("CARGO_BIN_EXE_schoolhouse"))
        .args([
            "--data-dir",
            folder.path().join("data").to_str().unwrap(),
            "serve",
            "--listen",
            "127.0.0.1:0",
        ])
        .env_clear()
        .env("JOURNAL_STREAM", stream)
        .stderr(log)
        .spawn()
        .unwrap();
    let text = || std::fs::read_to_string(folder.path().join("log")).unwrap();
    while !text().contains(" on http://") && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let text = text();
    assert!(text.contains("<6>serving Northgate Academy"), "{text}");
    assert!(text.contains("<4>no mail server is configured") || !text.contains("no mail server"), "{text}");
}
