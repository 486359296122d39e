//! Injection: text meant to run as SQL, HTML, a formula, a header or a path.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{Actor, PDF};
use crate::table::{Plan, Row};
use crate::target::{Endpoint, Target, body, endpoints};

const SQL: [&str; 14] = [
    "'; drop table students; --",
    "' or '1'='1",
    "\" or \"\"=\"",
    "') or 1=1 --",
    "x' union select username, password_hash from users --",
    "%' union select null,null,null,email from students --",
    "1; update users set role='admin'; --",
    "'||(select password_hash from users limit 1)||'",
    "\\'; delete from audit; --",
    "%",
    "_",
    "*",
    "name desc, (select 1/0)",
    "1 and randomblob(100000000) is not null",
];

const HTML: [&str; 6] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "'-alert(1)-'",
    "</script><svg onload=alert(1)>",
    "<a href=\"javascript:alert(1)\">x</a>",
    "{{7*7}}${7*7}<%= 7*7 %>",
];

const FORMULAS: [&str; 6] = [
    "=HYPERLINK(\"http://evil.example\")",
    "+1+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "\t=1+1",
    "＝1+1",
];

const HEADERS: [&str; 5] = [
    "x\r\nBcc: victim@mail.example",
    "x\nBcc: victim@mail.example",
    "x%0d%0aSet-Cookie: a=b",
    "x\u{2028}Bcc: victim@mail.example",
    "x\0\r\n\r\n<script>alert(1)</script>",
];

const PATHS: [&str; 12] = [
    "../schoolhouse.db",
    "..%2fschoolhouse.db",
    "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "..%252f..%252fetc%252fpasswd",
    "....//....//etc/passwd",
    "..%5c..%5cschoolhouse.db",
    "%00/etc/passwd",
    "assets/..%2f..%2fschoolhouse.db",
    "assets/%2e%2e/%2e%2e/lock",
    "/etc/passwd",
    ".git/config",
    "backups/",
];

pub async fn attack(plan: Plan) -> Vec<Row> {
    let target = Target::open().await;
    let office = target.office().await;
    let (student, _) = target.student("amara").await;
    let (_, victim) = target.student("victim").await;
    let guardian = target.guardian(&student).await;
    let course = target.course(&office, "ENG4U").await;
    student.enroll(course).await.expect(StatusCode::CREATED);
    student.upload("transcript", "a.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    vec![
        sql_in_queries(plan, &target, [&office, &student, &guardian]).await,
        sql_in_bodies(plan, &target, &office, &student, victim).await,
        html(plan, &target, &office, &student).await,
        formulas(plan, &target, &office).await,
        headers(plan, &target, &office, &student).await,
        paths(plan, &target, &office).await,
    ]
}

/// An address with a text behind its question mark.
fn with(path: &str, name: &str, text: &str) -> String {
    let text: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
    format!("{path}?{name}={text}")
}

/// What no attack may change: the accounts of the office, its tables, one student who takes no part.
fn kept(target: &Target, victim: i64) -> Vec<String> {
    let database = target.database();
    let mut rows = Vec::new();
    for sql in [
        "select group_concat(coalesce(sql, name), ';') from sqlite_schema".to_owned(),
        "select group_concat(username || password_hash || role, ';') from users".to_owned(),
        format!(
            "select email || password_hash || status || full_name || city from students where id = {victim}"
        ),
    ] {
        rows.push(database.query_row(&sql, [], |row| row.get(0)).unwrap());
    }
    rows
}

fn counts(target: &Target) -> Vec<i64> {
    ["students", "courses", "enrollments", "audit", "ledger", "student_documents"]
        .map(|table| target.count(&format!("select count(*) from {table}")))
        .to_vec()
}

/// Every text behind a question mark. None of it fits a row, unless it says more than a text.
async fn sql_in_queries(plan: Plan, target: &Target, [office, student, guardian]: [&Actor; 3]) -> Row {
    let mut row = Row::new("SQL behind every question mark");
    let before = (kept(target, 2), counts(target));
    for endpoint in endpoints().iter().filter(|endpoint| endpoint.is_get()) {
        let portals = endpoint.portals();
        let actor = match () {
            () if portals.contains(&"student") => student,
            () if portals.contains(&"family") => guardian,
            () => office,
        };
        for name in endpoint.queries() {
            for text in plan.some(SQL.to_vec(), 6) {
                let request = actor.request("GET", &with(&endpoint.path("1"), name, text));
                let answer = actor.send(request).await;
                let said =
                    || format!("{} {name}={text}: {} {}", endpoint.template, answer.status, answer.text());
                row.tried(matches!(answer.status.as_u16(), 200 | 400 | 404), said);
                let rows = serde_json::from_slice::<Value>(&answer.bytes).ok();
                let rows = rows.and_then(|rows| rows.as_array().map(Vec::len)).unwrap_or(0);
                row.check(name != "q" || rows == 0, said);
                row.check(!answer.text().contains("$argon2"), said);
            }
        }
    }
    row.check((kept(target, 2), counts(target)) == before, || "the database was changed".into());
    row
}

/// Every text of every body. What is taken is taken as a text.
async fn sql_in_bodies(plan: Plan, target: &Target, office: &Actor, student: &Actor, victim: i64) -> Row {
    let mut row = Row::new("SQL in every text of every body");
    let before = (kept(target, victim), counts(target));
    for endpoint in endpoints().iter().filter(|endpoint| is_tried(endpoint)) {
        let actor = if endpoint.portals().contains(&"student") { student } else { office };
        for text in plan.some(SQL.to_vec(), 8) {
            let Some(body) = body(endpoint, text) else { continue };
            let answer = actor.send(actor.request(&endpoint.method, &endpoint.path("1")).json(&body)).await;
            row.tried(!answer.status.is_server_error() && !answer.text().contains("$argon2"), || {
                format!("{} {}: {} {}", endpoint.method, endpoint.template, answer.status, answer.text())
            });
        }
    }
    let after = (kept(target, victim), counts(target));
    row.check(before.0 == after.0, || format!("{:?} became {:?}", before.0, after.0));
    let is_less = before.1.iter().zip(&after.1).any(|(before, after)| after < before);
    row.check(!is_less, || format!("rows are gone: {:?} became {:?}", before.1, after.1));
    let sound: String = target.database().query_row("pragma integrity_check", [], |row| row.get(0)).unwrap();
    row.check(sound == "ok", || sound);
    row
}

/// What neither ends the callers' sessions nor takes away what others here use.
fn is_tried(endpoint: &Endpoint) -> bool {
    let ends = ["/close", "/suspend", "/merge", "/password", "/staff/{id}", "/email"];
    !endpoint.is_get()
        && endpoint.method != "DELETE"
        && !ends.iter().any(|end| endpoint.template.ends_with(end))
}

/// Names and texts of people and of the office, and where they are shown: pages, emails, JSON.
async fn html(plan: Plan, target: &Target, office: &Actor, student: &Actor) -> Row {
    let mut row = Row::new("HTML and scripts in every text, and where it is shown");
    for (number, text) in plan.some(HTML.to_vec(), 3).into_iter().enumerate() {
        for endpoint in endpoints().iter().filter(|endpoint| is_tried(endpoint)) {
            let actor = if endpoint.portals().contains(&"student") { student } else { office };
            let Some(body) = body(endpoint, text) else { continue };
            let answer = actor.send(actor.request(&endpoint.method, &endpoint.path("1")).json(&body)).await;
            let is_safe = is_no_page(&answer) && !answer.status.is_server_error();
            row.tried(is_safe, || format!("{} {}: {}", endpoint.method, endpoint.template, answer.text()));
        }
        // Where such a text is right.
        let long = format!("{text} and a text that is long enough for any of the forms.");
        let profile = json!({ "fullName": text, "city": text, "address": text });
        student.patch("/api/students/me", &profile).await;
        // A name has letters.
        let name = format!("Amara {text}");
        student.write_message(&name, "amara@mail.example", &long).await.expect(StatusCode::OK);
        let course = json!({ "code": format!("XSS{number}"), "name": text, "description": long, "grade": 12,
            "courseType": "University", "prerequisite": text });
        office.post("/api/admin/courses", &course).await;
        let id = target.course(office, &format!("XS{number}U")).await;
        office
            .patch(&format!("/api/admin/courses/{id}"), &json!({ "name": text, "description": long }))
            .await;
        let made = student.enroll(id).await.expect(StatusCode::CREATED).json();
        let decline = format!("/api/admin/enrollments/{}/decline", made["id"]);
        office.post(&decline, &json!({ "reason": long })).await.expect(StatusCode::OK);
        let email = json!({ "subject": text, "body": long });
        office.post("/api/admin/students/1/emails", &email).await.expect(StatusCode::CREATED);
        for path in ["/", "/courses", "/contact", "/student/dashboard", "/admin/dashboard", "/no-such-page"] {
            let page = office.get(path).await;
            row.tried(!is_shown(&page, text), || format!("{path} shows {text} as it was typed"));
        }
        let refused =
            office.request("GET", &with("/api/documents/999", "x", text)).header("accept", "text/html");
        let refused = office.send(refused).await;
        row.tried(!is_shown(&refused, text), || format!("a refusal shows {text}"));
    }
    let mails = target.all_mails().await;
    let about: Vec<_> = mails.iter().filter(|mail| mail.text.contains("long enough for any")).collect();
    row.check(!about.is_empty(), || "no email holds the texts".into());
    for mail in mails {
        let bad = ["<script", "<img src=x", "<svg", "href=\"javascript:"]
            .iter()
            .find(|tag| mail.html.contains(**tag));
        row.tried(bad.is_none(), || format!("{bad:?} in an email: {}", mail.subject));
    }
    row
}

/// Whether a text is in a page as it was typed. One without a tag means nothing there: texts stand between
/// tags and in double quotes.
fn is_shown(page: &crate::support::Answer, text: &str) -> bool {
    text.contains('<') && page.text().contains(text)
}

/// An answer that no browser takes for a page.
fn is_no_page(answer: &crate::support::Answer) -> bool {
    let kind = answer.header("content-type");
    answer.header("x-content-type-options") == "nosniff" && !kind.starts_with("text/html")
}

/// Every list that is given out as a sheet.
async fn formulas(plan: Plan, target: &Target, office: &Actor) -> Row {
    let mut row = Row::new("formulas in every sheet");
    for (number, text) in plan.some(FORMULAS.to_vec(), 2).into_iter().enumerate() {
        let email = format!("formula{number}@mail.example");
        let new = json!({ "fullName": text, "email": email, "parentName": text, "parentContact": text });
        office.post("/api/admin/students", &new).await;
        let long = format!("{text} and a text that is long enough.");
        office.write_message(text, &email, &long).await;
        let course = json!({ "code": format!("FOR{number}"), "name": format!("{text} longer"), "description": long,
            "grade": 12, "courseType": "University", "prerequisite": text });
        office.post("/api/admin/courses", &course).await;
    }
    for endpoint in endpoints().iter().filter(|endpoint| endpoint.is_get()) {
        let is_sheet = endpoint.operation["responses"]["200"]["content"]["text/csv"].is_object()
            || endpoint.queries().contains(&"format");
        let lists = ["/documents", "/messages", "/admission-requests", "/mail", "/courses"];
        let is_list = lists.iter().any(|list| endpoint.template == format!("/api/admin{list}"));
        if !is_sheet && !is_list {
            continue;
        }
        let answer = office.send(office.request("GET", &format!("{}?format=csv", endpoint.path("1")))).await;
        if answer.status != StatusCode::OK || !answer.header("content-type").starts_with("text/csv") {
            continue;
        }
        row.check(answer.header("content-disposition").starts_with("attachment"), || {
            endpoint.template.clone()
        });
        let text = answer.text();
        let mut sheet = csv::ReaderBuilder::new()
            .flexible(true)
            .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
        for record in sheet.records() {
            for cell in &record.unwrap() {
                let is_formula =
                    cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err();
                row.tried(!is_formula, || format!("{}: {cell:?}", endpoint.template));
            }
        }
    }
    row.check(target.is_well().await, || "the server is not well".into());
    row
}

/// Whatever becomes a header: of an email, of an answer, of a download.
async fn headers(plan: Plan, target: &Target, office: &Actor, student: &Actor) -> Row {
    let mut row = Row::new("line breaks in whatever becomes a header");
    let before = target.all_mails().await.len();
    for text in plan.some(HEADERS.to_vec(), 2) {
        let long = format!("{text} and a text that is long enough for any of the forms.");
        for answer in [
            student.write_message(text, "amara@mail.example", &long).await,
            student.write_message("Amara", &format!("amara@mail.example{text}"), &long).await,
            student.send(student.registration(&format!("x{text}@mail.example"))).await,
            student.patch("/api/students/me", &json!({ "fullName": text })).await,
            office.post("/api/admin/students/1/emails", &json!({ "subject": text, "body": long })).await,
            student.upload("other", &format!("{}.pdf", text.replace('\0', "")), PDF.to_vec()).await,
            office.get(&format!("/%0d%0aset-cookie:%20a=b{}", text.replace(['\0', '\r', '\n'], ""))).await,
        ] {
            let is_safe = !answer.status.is_server_error() && !answer.header("set-cookie").contains("a=b");
            row.tried(is_safe, || format!("{} {}", answer.status, answer.text()));
        }
    }
    for document in student.get("/api/students/documents").await.json().as_array().unwrap() {
        let shown = student.get(&format!("/api/documents/{}", document["id"])).await.expect(StatusCode::OK);
        let name = shown.header("content-disposition");
        row.tried(!name.contains(['\r', '\n']) && shown.header("bcc").is_empty(), || name.to_owned());
    }
    let mails = target.all_mails().await;
    for mail in &mails[before..] {
        row.tried(mail.to != "victim@mail.example", || mail.subject.clone());
    }
    for entry in std::fs::read_dir(target.path().join("mail")).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let head = text.split("\r\n\r\n").next().unwrap().to_lowercase();
        row.tried(!head.lines().any(|line| line.starts_with("bcc:")), || head.clone());
    }
    row
}

/// Files that are none of a visitor's, by pages, assets and numbers of documents.
async fn paths(plan: Plan, target: &Target, office: &Actor) -> Row {
    let mut row = Row::new("paths that climb out of their folder");
    for path in plan.some(PATHS.to_vec(), 2) {
        for before in ["/", "/assets/", "/api/documents/", "/api/admin/students/", "/static/"] {
            let words = format!("GET {before}{path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
            let answer = crate::wire::exchange(target.address(), words.as_bytes()).await;
            let leaks =
                ["SQLite format 3", "root:", "[core]", "$argon2"].iter().any(|word| answer.contains(word));
            row.tried(!leaks && answer.starts_with("HTTP/1.1 "), || format!("{before}{path}: {answer}"));
        }
    }
    row.check(office.get("/api/user").await.status == StatusCode::OK, || "the office is out".into());
    row
}
