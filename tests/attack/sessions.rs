//! Cookies that are invented, taken over or altered; links that are used again; other websites that make a
//! browser act; methods and hosts that are not what they say.

use reqwest::StatusCode;
use serde_json::json;

use crate::support::{Actor, PASSWORD};
use crate::table::{Plan, Row};
use crate::target::{Target, endpoints};

pub async fn attack(plan: Plan) -> Vec<Row> {
    let target = Target::open().await;
    let (office, (student, _)) = (target.office().await, target.student("amara").await);
    vec![
        fixation(&target).await,
        forged(plan, &target).await,
        cross_site(plan, &target, &office, &student).await,
        overridden(plan, &target, &office).await,
        hosts(plan, &target).await,
        before_the_proxy(plan).await,
        replayed(plan, &target).await,
    ]
}

/// The pair `name=value` of the session of a login.
async fn session(actor: &Actor) -> String {
    let answer = actor.log_in("amara@mail.example", PASSWORD).await.expect(StatusCode::OK);
    let pairs = answer.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap());
    let pair = pairs.rev().find(|pair| pair.starts_with("schoolhouse_student=")).unwrap();
    pair.split(';').next().unwrap().to_owned()
}

async fn me(visitor: &Actor, cookie: &str) -> StatusCode {
    visitor.send(visitor.request("GET", "/api/students/me").header("cookie", cookie)).await.status
}

async fn fixation(target: &Target) -> Row {
    let mut row = Row::new("a session that was there before the login");
    let (victim, visitor) = (target.visitor(), target.visitor());
    for planted in
        ["schoolhouse_student=AAAAAAAAAAAAAAAAAAAAAA", "schoolhouse_student=1", "schoolhouse_student="]
    {
        let request = victim.request("POST", "/api/students/login").header("cookie", planted);
        let body = json!({ "email": "amara@mail.example", "password": PASSWORD });
        victim.send(request.json(&body)).await.expect(StatusCode::OK);
        let planted = me(&visitor, planted).await;
        row.tried(planted == StatusCode::UNAUTHORIZED, || {
            format!("the planted cookie is answered {planted}")
        });
    }
    let before = session(&victim).await;
    let after = session(&victim).await;
    row.tried(before != after, || "a second login keeps the cookie".into());
    let old = me(&visitor, &before).await;
    row.tried(old == StatusCode::UNAUTHORIZED, || format!("the cookie before it is answered {old}"));
    row
}

async fn forged(plan: Plan, target: &Target) -> Row {
    let (mut row, visitor) = (Row::new("forged and altered cookies"), target.visitor());
    let cookie = session(&target.visitor()).await;
    row.check(me(&visitor, &cookie).await == StatusCode::OK, || "the true one opens nothing".into());
    let (name, value) = cookie.split_once('=').unwrap();
    let mut random = fastrand::Rng::with_seed(11);
    for number in 0..plan.pick(2_000, 60) {
        let mut bytes = value.as_bytes().to_vec();
        match number % 4 {
            0 => {
                // Not the last one, of whose bits some carry nothing.
                let at = random.usize(..bytes.len() - 1);
                bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
            }
            1 => bytes.truncate(random.usize(..bytes.len())),
            2 => bytes.extend(b"A".repeat(random.usize(1..4_000))),
            _ => bytes = (0..22).map(|_| random.alphanumeric() as u8).collect(),
        }
        let forged = format!("{name}={}", String::from_utf8(bytes).unwrap());
        let status = me(&visitor, &forged).await;
        row.tried(status == StatusCode::UNAUTHORIZED, || format!("{forged} is answered {status}"));
    }
    let other = cookie.replace("schoolhouse_student", "schoolhouse_staff");
    let crossed = visitor.send(visitor.request("GET", "/api/user").header("cookie", other)).await.status;
    row.tried(crossed == StatusCode::UNAUTHORIZED, || {
        format!("a student's is answered {crossed} in the office")
    });
    row
}

/// Every endpoint that changes something, as another website would make a browser call it.
async fn cross_site(plan: Plan, target: &Target, office: &Actor, student: &Actor) -> Row {
    let mut row = Row::new("requests from other websites, on every route that writes");
    let host = target.program.address.trim_start_matches("http://").to_owned();
    let kinds: [&[(&str, &str)]; 6] = [
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
        &[("user-agent", "Mozilla/5.0")],
        &[("sec-fetch-site", "cross-site"), ("x-forwarded-host", "evil.example"), ("referer", "http://own/")],
    ];
    let near = format!("http://{host}.evil.example");
    let writing: Vec<_> = endpoints().into_iter().filter(|endpoint| !endpoint.is_get()).collect();
    for endpoint in plan.some(writing, 4) {
        let actor = if endpoint.portals().contains(&"student") { student } else { office };
        let mut requests: Vec<_> = kinds
            .iter()
            .map(|headers| {
                let request = actor.request(&endpoint.method, &endpoint.path("1")).json(&json!({}));
                headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))
            })
            .collect();
        requests.push(actor.request(&endpoint.method, &endpoint.path("1")).header("origin", &near));
        for request in requests {
            let answer = actor.send(request).await;
            let is_refused =
                answer.status == StatusCode::FORBIDDEN && answer.text().contains("another website");
            row.tried(is_refused, || format!("{} {}: {}", endpoint.method, endpoint.template, answer.status));
        }
    }
    row
}

/// A method that a header or a field claims to be another one.
async fn overridden(plan: Plan, target: &Target, office: &Actor) -> Row {
    let mut row = Row::new("a method that claims to be another one");
    let course = target.course(office, "OVR4U").await;
    let path = format!("/api/admin/courses/{course}");
    for header in ["x-http-method-override", "x-method-override", "x-http-method"] {
        for method in ["GET", "POST"] {
            let request = office.request(method, &path).header(header, "DELETE");
            let status = office.send(request).await.status;
            row.tried(matches!(status.as_u16(), 200 | 405), || format!("{method} with {header}: {status}"));
        }
    }
    for method in ["TRACE", "CONNECT", "PROPFIND", "get", "DEBUG"] {
        let words = format!("{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
        let answer = crate::wire::exchange(target.address(), words.as_bytes()).await;
        let is_refused = answer.is_empty() || answer.starts_with("HTTP/1.1 4");
        row.tried(is_refused && !answer.contains("schoolhouse_"), || format!("{method}: {answer}"));
    }
    let there = target.count(&format!("select count(*) from courses where id = {course}"));
    row.check(there == 1 || plan.pick(false, false), || "the course is gone".into());
    row
}

/// The host and the address of a request are not what a stranger says: neither in links nor for the limits.
async fn hosts(plan: Plan, target: &Target) -> Row {
    let mut row = Row::new("claimed hosts and addresses, from no trusted proxy");
    let names =
        ["x-forwarded-host", "x-host", "forwarded", "x-forwarded-proto", "x-original-url", "x-rewrite-url"];
    for number in 0..plan.pick(30, 1) {
        for name in names {
            let visitor = target.visitor();
            let value = if name == "forwarded" { "host=evil.example;for=6.6.6.6" } else { "evil.example" };
            let request = visitor.registration(&format!("host{number}{name}@mail.example"));
            let status =
                visitor.send(request.header(name, value).header("host", "evil.example")).await.status;
            row.tried(status == StatusCode::CREATED, || format!("{name}: {status}"));
            let hidden = visitor.request("GET", "/courses").header(name, "/api/admin/students");
            let page = visitor.send(hidden).await;
            row.tried(page.header("content-type").starts_with("text/html"), || {
                format!("{name} leads elsewhere")
            });
        }
    }
    let mails = target.all_mails().await;
    let is_led_away =
        mails.iter().any(|mail| mail.text.contains("evil.example") || mail.html.contains("evil.example"));
    row.check(!is_led_away, || "a link in an email leads to the claimed host".into());
    let limited = Target::limited().await;
    let visitor = limited.visitor();
    let mut verified = 0;
    for number in 0..plan.pick(200, 50) {
        let body = json!({ "email": "unknown@mail.example", "password": "a wrong password" });
        let mut request = visitor.request("POST", "/api/students/login").json(&body);
        for name in ["x-forwarded-for", "x-real-ip", "forwarded", "true-client-ip", "cf-connecting-ip"] {
            request = request.header(name, format!("198.51.100.{number}"));
        }
        let status = visitor.send(request).await.status;
        verified += u32::from(status == StatusCode::UNAUTHORIZED);
        row.tried(!status.is_success(), || format!("answered {status}"));
    }
    row.check(verified <= 6, || format!("{verified} guesses from one address were looked at"));
    row
}

/// What a stranger writes into the header that a trusted proxy goes on with: each guess claims to come from another,
/// and all are one client's.
async fn before_the_proxy(plan: Plan) -> Row {
    let mut row = Row::new("claimed addresses, before the one of a trusted proxy");
    let target = Target::start(&[("SCHOOLHOUSE_SERVER_TRUSTED_PROXIES", "[\"127.0.0.1/32\"]")]).await;
    let (visitor, mut verified) = (target.visitor(), 0);
    let body = json!({ "email": "unknown@mail.example", "password": "a wrong password" });
    for number in 0..plan.pick(400, 40) {
        let lie = format!("6.6.{}.{}", number / 200, number % 200 + 1);
        let lies: [&[&[u8]]; 5] = [
            &[lie.as_bytes(), b", 203.0.113.9"],
            &[lie.as_bytes(), b", caf\xE9, 203.0.113.9"],
            &[b"\xFF\xFE, 203.0.113.9:5555"],
            &[b"[", lie.as_bytes(), b"], \", 203.0.113.9"],
            &[b"127.0.0.1, ", lie.as_bytes(), b",, 203.0.113.9, 127.0.0.1"],
        ];
        let mut request = visitor.request("POST", "/api/students/login").json(&body);
        if number % 2 == 0 {
            request = request.header("x-forwarded-for", &lie);
        }
        let value = lies[number % lies.len()].concat();
        let status = visitor.send(request.header("x-forwarded-for", value)).await.status;
        verified += u32::from(status == StatusCode::UNAUTHORIZED);
        row.tried(!status.is_success(), || format!("answered {status}"));
    }
    row.check(verified <= 6, || format!("{verified} guesses from one address were looked at"));
    row.noted(format!("{verified} were looked at"))
}

/// A link that is used up opens nothing again.
async fn replayed(plan: Plan, target: &Target) -> Row {
    let mut row = Row::new("links that were used already");
    for number in 0..plan.pick(20, 1) {
        let email = format!("replay{number}@mail.example");
        let visitor = target.visitor();
        visitor.register(&email).await;
        let verify = target.mail(&email, "/student/verify/").await.token("/student/verify/");
        visitor.get(&format!("/api/students/verify/{verify}")).await.expect(StatusCode::OK);
        visitor.post("/api/students/forgot-password", &json!({ "email": email })).await;
        let path = "/student/reset-password/";
        let token = target.mail(&email, path).await.token(path);
        let body =
            |password: &str| json!({ "token": token, "password": password, "confirmPassword": password });
        let first = visitor.post("/api/students/reset-password", &body("a first quiet heron")).await;
        first.expect(StatusCode::OK);
        for _ in 0..3 {
            let again =
                visitor.post("/api/students/reset-password", &body("a second quiet heron")).await.status;
            row.tried(again == StatusCode::NOT_FOUND, || format!("a new password again: {again}"));
        }
        // The links of the registration end with the new password.
        for path in ["/api/students/not-me", "/api/students/undo-email-change"] {
            let again = visitor.post(path, &json!({ "token": verify })).await.status;
            row.tried(again == StatusCode::NOT_FOUND, || format!("{path}: {again}"));
        }
    }
    row
}
