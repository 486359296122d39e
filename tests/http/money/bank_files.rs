//! Files that other programs read wrong, each through the call: `tests/cases/bank`, with what is right in `cases.json`.
//!
//! In the files `@D-1@` is a day counted from today (`@U-1@` with the month first), `@CODE:A@` a student's payment code,
//! `@PRICE@` what that student owes, `@INVOICE:K@` and `@NUMBER:K@` the numbers of the school's papers.

use std::fs;
use std::path::PathBuf;

use jiff::ToSpan as _;
use jiff::civil::{Date, date};
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::bank::{IMPORTS, code, named, send};
use super::charged;
use crate::support::{Actor, Answer, School, Student};

const TODAY: Date = date(2026, 11, 21);

struct Learner {
    letter: char,
    student: Student,
    code: String,
    price: i64,
}

struct Place {
    _school: School,
    staff: Actor,
    learners: Vec<Learner>,
    invoice: String,
    number: String,
}

impl Place {
    async fn open() -> Self {
        let school = School::open().await;
        let staff = school.staff().await;
        let mut learners = Vec::new();
        for (letter, name, price) in [
            ('A', "Alpha Sample", 769),
            ('S', "Sigma Example", 559),
            ('Z', "Zeta Sample-Example", 649),
            ('K', "Kappa Minor", 589),
        ] {
            let (student, _) = charged(&school, &staff, &[(&format!("C{letter}4U"), json!(price))]).await;
            let sql = "update students set full_name = ?1 where id = ?2";
            school.database().execute(sql, rusqlite::params![name, student.id]).unwrap();
            let code = code(&staff, &student).await;
            learners.push(Learner { letter, student, code, price });
        }
        let kappa = learners[3].student.id;
        let guardians = json!([{ "name": "Omega Guardian", "email": "omega@mail.example", "relationship": "mother",
            "isPrimary": true, "getsMail": true }]);
        let path = format!("/api/admin/students/{kappa}/guardians");
        staff.send(staff.request("PUT", &path).json(&guardians)).await.expect(StatusCode::OK);
        let invoices = json!({ "studentIds": [kappa], "send": false });
        let invoices = staff.post("/api/admin/invoices", &invoices).await.expect(StatusCode::CREATED).json();
        let invoice = invoices["invoices"][0]["number"].as_str().unwrap().to_owned();
        let number = format!("select student_number from students where id = {kappa}");
        let number: String = school.database().query_row(&number, [], |row| row.get(0)).unwrap();
        Self { _school: school, staff, learners, invoice, number }
    }

    fn learner(&self, letter: char) -> &Learner {
        self.learners.iter().find(|learner| learner.letter == letter).unwrap()
    }

    /// A file with its placeholders filled in; prices are those of the students that its lines name.
    fn fill(&self, name: &str, owner: char) -> Vec<u8> {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases/bank").join(name);
        let bytes = fs::read(path).unwrap();
        let Ok(text) = String::from_utf8(bytes.clone()) else { return bytes };
        let lines = text.lines().map(|line| {
            let named = self.learners.iter().find(|one| {
                ["CODE:", "CODE0-AS-O"].iter().any(|word| line.contains(&format!("@{word}{}", one.letter)))
            });
            let price = named.unwrap_or_else(|| self.learner(owner)).price;
            let mut line = line.replace("@PRICE@", &format!("{price}.00"));
            for days in -3..=3_i64 {
                let day = TODAY + days.days();
                let sign = if days < 0 { '-' } else { '+' };
                let count = days.abs();
                line = line.replace(&format!("@D{sign}{count}@"), &day.to_string());
                line = line.replace(&format!("@U{sign}{count}@"), &day.strftime("%m/%d/%Y").to_string());
            }
            for Learner { letter, code, .. } in &self.learners {
                let (letters, digits) = code.split_once('-').unwrap();
                line = line.replace(&format!("@CODE:{letter}@"), code);
                for between in ["\u{2014}", "_", "."] {
                    line = line.replace(
                        &format!("@CODE:{letter}:{between}@"),
                        &format!("{letters}{between}{digits}"),
                    );
                }
                line = line.replace(&format!("@CODE:{letter}::@"), &format!("{letters}:{digits}"));
            }
            let with_zero = self.learners.iter().find(|one| one.code.contains('0'));
            let with_zero =
                with_zero.map_or_else(|| self.learner('A').code.clone(), |one| one.code.replace('0', "O"));
            line.replace("@CODE0-AS-O@", &with_zero)
                .replace("@INVOICE:K@", &self.invoice)
                .replace("@NUMBER:K@", &self.number)
        });
        lines.collect::<Vec<_>>().join("\n").into_bytes()
    }

    async fn import(&self, case: &Value, file: &str, is_named: bool) -> Answer {
        let mut query = form_urlencoded::Serializer::new(format!("account={}", case["id"].as_str().unwrap()));
        for (name, column) in case["query"].as_object().unwrap().iter().filter(|_| is_named) {
            query.append_pair(name, column.as_str().unwrap());
        }
        let owner = match case["id"].as_str().unwrap() {
            "name-hyphen-is-a-blank" => 'Z',
            "name-with-an-initial" => 'S',
            "guardians-name" | "invoice-number" | "student-number" => 'K',
            _ => 'A',
        };
        send(&self.staff, &query.finish(), self.fill(file, owner)).await
    }

    async fn post(&self, statement: &Value) {
        let matched = named(statement, "matched");
        if !matched.is_empty() {
            let path = format!("{IMPORTS}/{}/post", statement["id"]);
            self.staff.post(&path, &json!({ "lines": matched })).await.expect(StatusCode::OK);
        }
    }
}

const MONEY: [&str; 5] = ["matched", "suggested", "unknown", "looks_recorded", "posted"];

/// The line of a file, unless it is left out.
fn line(statement: &Value, number: &Value) -> Option<Value> {
    let number = number.as_i64().or_else(|| number.as_str()?.parse().ok());
    statement["lines"].as_array()?.iter().find(|line| line["line"].as_i64() == number).cloned()
}

fn is_money(statement: &Value, number: &Value) -> bool {
    line(statement, number).is_some_and(|line| MONEY.iter().any(|state| line["state"] == *state))
}

/// Everything that is not as the case expects it.
async fn wrong(place: &Place, case: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let files: Vec<&str> =
        case["files"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let expected = case["expect"].as_object().unwrap();
    if let Some(by_hand) = case["by_hand"].as_object() {
        let payment = json!({ "studentId": place.learner('A').student.id, "amount": by_hand["amount"],
            "method": by_hand["method"], "receivedOn": "2026-11-20" });
        place.staff.post("/api/admin/payments", &payment).await.expect(StatusCode::CREATED);
    }
    let mut answer = place.import(case, files[0], true).await;
    if let Some(second) = files.get(1) {
        let first = answer.expect(StatusCode::CREATED).json();
        place.post(&first).await;
        answer = place.import(case, second, case["remembered"] != true).await;
    }
    if answer.status == StatusCode::BAD_REQUEST {
        let said = answer.text();
        let asks = answer.json()["reason"] == "columns_unknown";
        let words = expected.get("or_refused").and_then(Value::as_array).cloned().unwrap_or_default();
        let is_right = words.iter().any(|word| said.contains(word.as_str().unwrap()))
            || (asks
                && ["or_asked", "or_moved", "account_told", "out"]
                    .iter()
                    .any(|key| expected.contains_key(*key)))
            || (asks
                && expected.get("heading").is_some_and(|heading| said.contains(heading.as_str().unwrap())));
        if !is_right {
            wrong.push(format!("refused: {said}"));
        }
        return wrong;
    }
    let statement = answer.expect(StatusCode::CREATED).json();
    let mut expect = |is_so: bool, what: String| {
        if !is_so {
            wrong.push(format!("{what}: {statement}"));
        }
    };
    for (key, value) in expected {
        let numbers = value.as_array().cloned().unwrap_or_default();
        let pairs = value.as_object().cloned().unwrap_or_default();
        match key.as_str() {
            "ok" | "heading" | "or_refused" | "or_asked" | "or_moved" => {}
            "out" | "not_money" | "money" | "account_told" | "pointed" => {
                for at in &numbers {
                    let line = line(&statement, at);
                    let is_so = match key.as_str() {
                        "money" => is_money(&statement, at),
                        "account_told" => line.is_none_or(|line| !line["account"].is_null()),
                        "pointed" => line.is_some_and(|line| line["known"].is_object()),
                        _ => !is_money(&statement, at),
                    };
                    expect(is_so, format!("{key} {at}"));
                }
            }
            "once" => {
                let state = line(&statement, value).unwrap()["state"].clone();
                expect(state == "seen" || state == "looks_recorded", format!("once, and is {state}"));
            }
            _ => {
                for (at, wanted) in pairs {
                    let found = line(&statement, &json!(at)).unwrap_or_default();
                    let is_so = match key.as_str() {
                        "amounts" => found["amount"].as_f64() == wanted.as_f64(),
                        "dates" => found["date"] == wanted,
                        "methods" => wanted.as_array().unwrap().contains(&found["method"]),
                        _ => {
                            let letter = wanted.as_str().unwrap().chars().next().unwrap();
                            match place.learners.iter().find(|learner| learner.letter == letter) {
                                Some(learner) => found["match"]["studentId"] == learner.student.id,
                                None => !found["match"].is_null(),
                            }
                        }
                    };
                    expect(is_so, format!("{key} of line {at} is not {wanted}"));
                }
            }
        }
    }
    wrong
}

#[tokio::test]
async fn files_that_others_read_wrong_are_read_right() {
    let cases = include_str!("../../cases/bank/cases.json");
    let cases: Vec<Value> = serde_json::from_str(cases).unwrap();
    let place = Place::open().await;
    // A cheque is returned that was paid.
    let paid = json!({ "studentId": place.learner('A').student.id, "amount": 769, "method": "cheque", "receivedOn": "2026-11-02" });
    let mut problems = Vec::new();
    for case in &cases {
        if case["id"] == "cheque-returned" {
            place.staff.post("/api/admin/payments", &paid).await.expect(StatusCode::CREATED);
        }
        problems.extend(
            wrong(&place, case).await.into_iter().map(|problem| format!("{}: {problem}", case["id"])),
        );
    }
    assert!(problems.is_empty(), "{problems:#?}");
    assert!(cases.len() >= 32, "{}", cases.len());
}
