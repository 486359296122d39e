//! One decision about many — a section is cancelled, its students go on in another one, money is applied, an account is
//! closed, work is handed over — struck at every sync: whole or not there, and once when it is sent again.

use std::collections::BTreeMap;

use jiff::ToSpan as _;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::calls::list;
use crate::figures::{Kind, Row};
use crate::inspection::{check_database, look_into};
use crate::people::{moved, person, student, today};
use crate::plan::Plan;
use crate::stage::{Stage, give, schoolhouse, succeed};
use crate::support::{Actor, PASSWORD};
use crate::tracer::{Tracer, kill_at_sync};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    Cancel,
    Transfer,
    Apply,
    Close,
    HandOver,
}

const ACTS: [Act; 5] = [Act::Cancel, Act::Transfer, Act::Apply, Act::Close, Act::HandOver];

/// How many rows of each table there are, and how many of each state.
type Census = BTreeMap<String, i64>;

/// What a decision changes of a census.
fn difference(before: &Census, after: &Census) -> Census {
    let keys = before.keys().chain(after.keys());
    let of = |census: &Census, key| census.get(key).copied().unwrap_or(0);
    let all = keys.map(|key| (key.clone(), of(after, key) - of(before, key)));
    all.filter(|(_, change)| *change != 0).collect()
}

/// An act that waits to be done: the same each time, with students, sections and messages of its own.
struct Scene {
    who: Actor,
    path: String,
    key: Option<String>,
    body: Value,
}

impl Scene {
    /// Whether it was answered with success; `None` if it was not answered.
    async fn act(&self, address: &str) -> Option<StatusCode> {
        let request = moved(&self.who, address).request("POST", &self.path).json(&self.body);
        let request = match &self.key {
            Some(key) => request.header("Idempotency-Key", key),
            None => request,
        };
        moved(&self.who, address).attempt(request).await.ok().map(|answer| answer.status)
    }
}

struct Office {
    stage: Stage,
    term: Value,
    colleague: i64,
    scenes: i64,
}

impl Office {
    async fn open() -> Self {
        let mut stage = Stage::open_with(&[("SCHOOLHOUSE_OFFICE_UNDO_SECONDS", "600")]).await;
        stage.end();
        let mut hire = schoolhouse(stage.data());
        hire.args([
            "create-admin",
            "--username",
            "leaver",
            "--email",
            "leaver@school.example",
            "--password-stdin",
        ]);
        succeed(&give(hire, PASSWORD.as_bytes()));
        stage.restart().await;
        let staff = Self::sign_in(&stage).await;
        let (starts_on, ends_on) = (today(), today().saturating_add(4.months()));
        let term = json!({ "name": "Fall", "startsOn": starts_on.to_string(), "endsOn": ends_on.to_string(),
            "joinUntil": starts_on.saturating_add(7.days()).to_string(), "isPublished": true });
        let term =
            staff.post("/api/admin/terms", &term).await.expect(StatusCode::CREATED).json()["id"].clone();
        let colleague =
            list(stage.data(), "select id from users where username = 'leaver'", |row| row.get(0))[0];
        Self { stage, term, colleague, scenes: 0 }
    }

    /// A session that has just begun, as closing an account asks for a recent proof.
    async fn sign_in(stage: &Stage) -> Actor {
        let staff = person(&stage.program.address);
        let login = json!({ "username": "office", "password": PASSWORD });
        staff.post("/api/login", &login).await.expect(StatusCode::OK);
        staff
    }

    async fn section(&self, staff: &Actor, course: i64) -> Value {
        let body = json!({ "courseId": course, "termId": self.term, "status": "open", "price": 100 });
        staff.post("/api/admin/sections", &body).await.expect(StatusCode::CREATED).json()["id"].clone()
    }

    async fn enroll(staff: &Actor, student: &Actor, course: i64, section: &Value) {
        let body = json!({ "courseId": course, "sectionId": section });
        let made = student.post("/api/students/enrollments", &body).await.expect(StatusCode::CREATED).json();
        let approve = format!("/api/admin/enrollments/{}/approve", made["id"]);
        staff.post(&approve, &json!({})).await.expect(StatusCode::OK);
    }

    /// Makes what an act needs.
    async fn prepare(&mut self, act: Act) -> Scene {
        self.scenes += 1;
        let (number, address) = (self.scenes, self.stage.program.address.clone());
        let staff = Self::sign_in(&self.stage).await;
        let mut key = None;
        let (path, body) = match act {
            Act::Cancel | Act::Transfer => {
                let sections = [self.section(&staff, number).await, self.section(&staff, number).await];
                for student in self.stage.crowd.students(&address).iter().take(3) {
                    Self::enroll(&staff, student, number, &sections[0]).await;
                }
                let cancel = format!("/api/admin/sections/{}/cancel", sections[0]);
                let why = json!({ "reason": "The teacher has left the school." });
                if act == Act::Cancel {
                    (cancel, why)
                } else {
                    staff.post(&cancel, &why).await.expect(StatusCode::OK);
                    let transfer = format!("/api/admin/sections/{}/transfer", sections[0]);
                    (transfer, json!({ "toSectionId": sections[1] }))
                }
            }
            Act::Apply => {
                let section = self.section(&staff, number).await;
                let payer = self.stage.crowd.student(&address);
                Self::enroll(&staff, &payer, number, &section).await;
                let id = payer.get("/api/students/me").await.expect(StatusCode::OK).json()["id"].clone();
                let paid = json!({ "studentId": id, "amount": 100, "method": "cheque", "allocations": [],
                    "reference": format!("C{number}"), "receivedOn": today().to_string(), "sendReceipt": false });
                let paid = staff.request("POST", "/api/admin/payments").json(&paid);
                let paid = paid.header("Idempotency-Key", format!("account-{number:06}"));
                staff.send(paid).await.expect(StatusCode::CREATED);
                key = Some(format!("apply-{number:06}"));
                ("/api/admin/money/apply".to_owned(), json!({ "studentIds": [id] }))
            }
            Act::Close => {
                let email = format!("leaver{number}@mail.example");
                let leaver = student(&person(&address), self.stage.data(), &email).await;
                let section = self.section(&staff, number).await;
                Self::enroll(&staff, &leaver, number, &section).await;
                let id = leaver.get("/api/students/me").await.expect(StatusCode::OK).json()["id"].clone();
                let why =
                    json!({ "reason": "The family has moved away.", "message": "We wish you all the best." });
                (format!("/api/admin/students/{id}/close"), why)
            }
            Act::HandOver => {
                let colleague = format!("/api/admin/staff/{}", self.colleague);
                staff.post(&format!("{colleague}/enable"), &json!({})).await.expect(StatusCode::OK);
                for place in 0..2 {
                    let visitor = person(&address);
                    let sender = format!("asks{number}.{place}@mail.example");
                    visitor.write_message("Li Wei", &sender, "Is it open?").await.expect(StatusCode::OK);
                }
                let newest = "select id from contact_messages order by id desc limit 2";
                for id in list(self.stage.data(), newest, |row| row.get::<_, i64>(0)) {
                    let assign = format!("/api/admin/messages/{id}/assign");
                    let to = json!({ "userId": self.colleague });
                    staff.post(&assign, &to).await.expect(StatusCode::OK);
                }
                let heir = staff.get("/api/user").await.expect(StatusCode::OK).json()["id"].clone();
                (format!("{colleague}/disable"), json!({ "handOverTo": heir }))
            }
        };
        self.stage.drain_mail().await;
        Scene { who: staff, path, key, body }
    }

    fn census(&self) -> Census {
        let database = look_into(self.stage.data());
        let count = |sql: &str| -> i64 { database.query_row(sql, [], |row| row.get(0)).unwrap() };
        // Counters of a day or an hour, which several decisions share or time empties.
        let tables = "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'
            and name not in ('owed_days', 'mail_hours', 'attempts')";
        let mut census: Census = list(self.stage.data(), tables, |row| row.get::<_, String>(0))
            .into_iter()
            .map(|table| (table.clone(), count(&format!("select count(*) from \"{table}\""))))
            .collect();
        for (name, sql) in [
            ("cancelled enrollments", "select count(*) from enrollments where status = 'cancelled'"),
            ("active enrollments", "select count(*) from enrollments where status = 'active'"),
            ("cancelled sections", "select count(*) from sections where status = 'cancelled'"),
            ("cents of the ledger", "select coalesce(sum(amount_cents), 0) from ledger"),
            ("kept balances", "select coalesce(sum(balance), 0) from enrollment_balances"),
            ("closed accounts", "select count(*) from students where status = 'closed'"),
            ("messages of colleagues", "select coalesce(sum(assignee_id), 0) from contact_messages"),
            ("disabled colleagues", "select count(*) from users where disabled_at is not null"),
        ] {
            census.insert(name.to_owned(), count(sql));
        }
        census
    }

    /// What an act changes where nothing disturbs it.
    async fn learn(&mut self, act: Act) -> Census {
        let scene = self.prepare(act).await;
        let before = self.census();
        let status = scene.act(&self.stage.program.address).await;
        assert!(status.is_some_and(|status| status.is_success()), "{act:?}: {status:?}");
        self.stage.restart().await;
        let change = difference(&before, &self.census());
        assert!(!change.is_empty(), "{act:?} changes something");
        change
    }

    /// Strikes at one sync; whether there was one.
    async fn strike(&mut self, act: Act, nth: u32, whole: &Census, row: &mut Row) -> bool {
        let scene = self.prepare(act).await;
        let before = self.census();
        let tracer = Tracer::attach(&self.stage.program.child, &kill_at_sync(nth, &[]));
        let answer = scene.act(&self.stage.program.address).await;
        if answer.is_some() {
            self.stage.drain_mail().await;
        }
        let trace = tracer.finish();
        if answer.is_some() && !trace.was_struck() {
            return false;
        }
        assert!(self.stage.has_ended().await, "the connection was cut but the program goes on");
        row.recovered(self.stage.restart().await);
        let mut problems = check_database(&look_into(self.stage.data()));
        let change = difference(&before, &self.census());
        let is_there = change == *whole;
        if !is_there && !change.is_empty() {
            problems.push(format!("a part is there: {change:?} of {whole:?}"));
        } else if !is_there && answer.is_some_and(|status| status.is_success()) {
            problems.push("it was answered and is gone".to_owned());
        }
        let again = scene.act(&self.stage.program.address).await;
        if !again.is_some_and(|status| status.is_success()) {
            problems.push(format!("sent again it is answered {again:?}"));
        }
        let change = difference(&before, &self.census());
        if change != *whole {
            problems.push(format!("sent again it is not done once: {change:?} instead of {whole:?}"));
        }
        row.count(&format!("{act:?} at sync {nth}"), &problems);
        true
    }
}

/// At every sync of each act.
pub async fn struck(plan: Plan) -> Vec<Row> {
    let mut office = Office::open().await;
    let mut row = Row::new("kill -9 at each sync of a decision about many", Kind::Kill);
    let mut notes = Vec::new();
    for act in ACTS {
        let whole = office.learn(act).await;
        let before = row.tried;
        for nth in plan.occasions() {
            if !office.strike(act, nth, &whole, &mut row).await {
                break;
            }
        }
        notes.push(format!("{act:?} {}", row.tried - before));
    }
    row.note = notes.join(" ");
    vec![row]
}
