//! The users of the server during a fault, and what it acknowledged to them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use reqwest::{RequestBuilder, StatusCode};
use schoolhouse::testing::{Keys, hex};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::calls::{Call, Callers, Kind, Promised, Waiting};
use crate::people::{guardian_of, moved, person, student, today};
use crate::support::{Actor, PASSWORD, Program, numbered_pdf};

/// Connections at once.
pub const CLIENTS: usize = 32;
const STUDENTS: usize = 8;

/// An errand of a client.
#[derive(Debug, Clone, Copy)]
pub enum Errand {
    Write,
    Register,
    Enroll,
    Approve,
    /// A document of about so many bytes.
    Upload(usize),
    /// A request of a student under 18.
    Ask,
    Call(Kind),
}

/// Everything that was answered with success.
#[derive(Default)]
pub struct Promises {
    /// Senders of messages, each with one message.
    pub messages: BTreeSet<String>,
    pub registrations: BTreeSet<String>,
    pub enrollments: BTreeSet<i64>,
    pub approvals: BTreeSet<i64>,
    /// SHA-256 by number.
    pub documents: BTreeMap<i64, String>,
    pub calls: Promised,
    /// Sessions that the server forgot, and answers that no fault explains.
    pub broken: Vec<String>,
    awaiting_approval: Vec<i64>,
    unanswered: Vec<Call>,
}

impl Promises {
    fn keep(&mut self, call: &Call, body: &serde_json::Value) {
        self.calls.entry(call.kind).or_default().insert(call.promise(body));
    }
}

/// How errands ended.
#[derive(Debug, Default, Clone, Copy)]
pub struct Outcome {
    pub kept: u64,
    /// Answered 5xx, with a sentence.
    pub refused: u64,
    /// Not answered.
    pub cut: u64,
}

pub struct Crowd {
    visitor: Actor,
    staff: Actor,
    students: Vec<Actor>,
    minor: Actor,
    guardian: Actor,
    courses: u64,
    number: AtomicU64,
    enrollments: AtomicU64,
    requests_of_minor: AtomicU64,
    waiting: tokio::sync::Mutex<Waiting>,
    pub promises: Mutex<Promises>,
    /// Under which the server encrypts documents; none where it does not.
    pub keys: Keys,
}

impl Crowd {
    /// Signs all clients in at a school with `courses` courses, numbered from 1, and the staff member `office`.
    pub async fn sign_in(program: &Program, folder: &Path, courses: u64) -> Self {
        let visitor = person(&program.address);
        let staff = person(&program.address);
        let login = json!({ "username": "office", "password": PASSWORD });
        staff.post("/api/login", &login).await.expect(StatusCode::OK);
        let mut students = Vec::new();
        for number in 0..STUDENTS {
            students.push(student(&visitor, folder, &format!("student{number}@mail.example")).await);
        }
        let minor = student(&visitor, folder, "minor@mail.example").await;
        let guardian = guardian_of(&minor, folder).await;
        Self { courses, ..Self::of(visitor, staff, students, minor, guardian) }
    }

    fn of(visitor: Actor, staff: Actor, students: Vec<Actor>, minor: Actor, guardian: Actor) -> Self {
        Self {
            visitor,
            staff,
            students,
            minor,
            guardian,
            courses: 0,
            number: AtomicU64::new(0),
            enrollments: AtomicU64::new(0),
            requests_of_minor: AtomicU64::new(0),
            waiting: tokio::sync::Mutex::default(),
            promises: Mutex::default(),
            keys: Keys::default(),
        }
    }

    /// The same people, with the same cookies, at a copy of the data folder.
    pub fn at_a_copy(&self) -> Self {
        let here = |actor: &Actor| moved(actor, "");
        let students = self.students.iter().map(here).collect();
        let [visitor, staff, minor, guardian] =
            [&self.visitor, &self.staff, &self.minor, &self.guardian].map(here);
        Self { courses: self.courses, ..Self::of(visitor, staff, students, minor, guardian) }
    }

    /// The member of the staff.
    pub fn staff(&self, address: &str) -> Actor {
        moved(&self.staff, address)
    }

    /// The students.
    pub fn students(&self, address: &str) -> Vec<Actor> {
        self.students.iter().map(|student| moved(student, address)).collect()
    }

    /// One of the students.
    pub fn student(&self, address: &str) -> Actor {
        moved(&self.students[0], address)
    }

    /// Looks at what waits at the school for calls.
    pub async fn take_stock(&self, data: &Path, address: &str) {
        self.waiting.lock().await.take_stock(data, address).await;
    }

    /// Sends the calls again that were not answered.
    pub async fn send_again(&self, address: &str) {
        let unanswered = std::mem::take(&mut self.promises.lock().unwrap().unanswered);
        for call in unanswered {
            let call = call.at(address);
            let answer = call.who.send(call.request()).await;
            let mut promises = self.promises.lock().unwrap();
            if !call.is_carried_out(answer.status) {
                promises.broken.push(format!("{}, sent again: {}", call.name(), answer.text()));
            } else if answer.status.is_success() {
                promises.keep(&call, &answer.json());
            }
        }
    }

    /// Sends as many clients as there are lists, each with its errands, and waits for all.
    pub async fn send(self: &Arc<Self>, address: &str, lists: Vec<Vec<Errand>>) -> Outcome {
        let clients: Vec<_> = lists
            .into_iter()
            .enumerate()
            .map(|(client, errands)| {
                let (crowd, address) = (self.clone(), address.to_owned());
                tokio::spawn(async move { crowd.run_errands(client, &address, &errands).await })
            })
            .collect();
        let mut sum = Outcome::default();
        for client in clients {
            let outcome = client.await.unwrap();
            sum.kept += outcome.kept;
            sum.refused += outcome.refused;
            sum.cut += outcome.cut;
        }
        sum
    }

    async fn run_errands(&self, client: usize, address: &str, errands: &[Errand]) -> Outcome {
        let mut outcome = Outcome::default();
        for errand in errands {
            match self.run_errand(client, address, *errand).await {
                Some(status) if status.is_success() => outcome.kept += 1,
                Some(status) if status.is_server_error() => outcome.refused += 1,
                Some(status) => self.promises.lock().unwrap().broken.push(format!("{errand:?}: {status}")),
                None => outcome.cut += 1,
            }
        }
        outcome
    }

    /// The answer's status, or none; what is promised is noted. Where nothing waits for approval,
    /// something is asked for.
    async fn run_errand(&self, client: usize, address: &str, mut errand: Errand) -> Option<StatusCode> {
        let number = self.number.fetch_add(1, Ordering::SeqCst);
        let student = moved(&self.students[client % STUDENTS], address);
        let visitor = moved(&self.visitor, address);
        let email = format!("guest{number}@mail.example");
        while let Errand::Call(kind) = errand {
            let callers = Callers { visitor: &self.visitor, staff: &self.staff, guardian: &self.guardian };
            let call = self.waiting.lock().await.next(kind, number, &callers, today());
            match call {
                Some(call) => return self.make(call.at(address)).await,
                None => errand = kind.instead(),
            }
        }
        let mut approval = None;
        if let Errand::Approve = errand {
            approval = self.promises.lock().unwrap().awaiting_approval.pop();
        }
        match errand {
            Errand::Write => {
                let sent = visitor.message(&format!("Guest {number}"), &email, "Is it still there?");
                self.note(&visitor, sent, |promises, _| _ = promises.messages.insert(email)).await
            }
            Errand::Register => {
                let sent = visitor.registration(&email);
                self.note(&visitor, sent, |promises, _| _ = promises.registrations.insert(email)).await
            }
            Errand::Enroll | Errand::Approve if approval.is_none() => {
                // Every student asks for every course once.
                let turn = self.enrollments.fetch_add(1, Ordering::SeqCst);
                let student = moved(&self.students[turn as usize % STUDENTS], address);
                let course = turn / STUDENTS as u64 % self.courses + 1;
                let sent = student.enrollment(i64::try_from(course).unwrap(), today());
                self.note(&student, sent, |promises, body| {
                    let id = body["id"].as_i64().unwrap();
                    promises.enrollments.insert(id);
                    promises.awaiting_approval.push(id);
                })
                .await
            }
            Errand::Ask => {
                let course = self.requests_of_minor.fetch_add(1, Ordering::SeqCst) % self.courses + 1;
                let minor = moved(&self.minor, address);
                let sent = minor.enrollment(i64::try_from(course).unwrap(), today());
                self.note(&minor, sent, |promises, body| {
                    promises.enrollments.insert(body["id"].as_i64().unwrap());
                })
                .await
            }
            Errand::Approve | Errand::Enroll => {
                let id = approval?;
                let staff = moved(&self.staff, address);
                let sent = staff.request("POST", &format!("/api/admin/enrollments/{id}/approve"));
                self.note(&staff, sent.json(&json!({})), |promises, _| _ = promises.approvals.insert(id))
                    .await
            }
            Errand::Upload(size) => {
                let bytes = numbered_pdf(number, size);
                // Equal contents are equal files under one key.
                let file =
                    self.keys.current().map_or_else(|| bytes.clone(), |key| key.encrypt(&bytes).unwrap().0);
                let sha256 = hex(&Sha256::digest(&file));
                let sent = student.document("other", "transcript.pdf", bytes);
                self.note(&student, sent, |promises, body| {
                    promises.documents.insert(body["id"].as_i64().unwrap(), sha256);
                })
                .await
            }
            Errand::Call(_) => unreachable!("a call is made, or something else instead"),
        }
    }

    async fn make(&self, call: Call) -> Option<StatusCode> {
        let status = self.note(&call.who, call.request(), |promises, body| promises.keep(&call, body)).await;
        if status.is_none() {
            self.promises.lock().unwrap().unanswered.push(call);
        }
        status
    }

    async fn note(
        &self,
        actor: &Actor,
        request: RequestBuilder,
        promise: impl FnOnce(&mut Promises, &serde_json::Value),
    ) -> Option<StatusCode> {
        let answer = actor.attempt(request).await.ok()?;
        if answer.status.is_success() {
            promise(&mut self.promises.lock().unwrap(), &answer.json());
        } else if answer.status.is_server_error() {
            assert!(!answer.message().is_empty(), "an honest refusal has a sentence");
        }
        Some(answer.status)
    }
}
