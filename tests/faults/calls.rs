//! Errands of one call each: applications, offers, acceptances, confirmations, replies, and all that is done with money
//! (`money`). A call that was not
//! answered is sent again with the same words once the server is back, and must be carried out once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jiff::ToSpan as _;
use jiff::civil::Date;
use reqwest::{RequestBuilder, StatusCode};
use rusqlite::Row;
use serde_json::{Value, json};

use crate::crowd::Errand;
use crate::inspection::look_into;
use crate::money::MoneyWaiting;
use crate::people::{moved, person};
use crate::support::{Actor, read_spool};

/// What a call is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Apply,
    Offer,
    Accept,
    Confirm,
    Reply,
    Pay,
    /// A payment of which all stays on account.
    Hold,
    Charge,
    ChargeUnpriced,
    Waive,
    Refund,
    /// Of what lies on account.
    PayOut,
    Reverse,
    /// The reversal of a payment.
    Void,
    Plan,
    Allocate,
    Move,
    Deposit,
    /// A file of the bank.
    Import,
    PostLine,
    UndoImport,
    Invoice,
    CancelInvoice,
    ReversePayout,
}

impl Kind {
    /// What is done where nothing waits for this.
    pub fn instead(self) -> Errand {
        match self {
            Self::Apply | Self::Offer | Self::Accept => Errand::Call(Self::Apply),
            Self::Confirm => Errand::Ask,
            Self::Reply => Errand::Write,
            Self::Pay | Self::Hold | Self::ChargeUnpriced => Errand::Enroll,
            Self::Charge | Self::Waive | Self::Plan | Self::Import | Self::Invoice => Errand::Approve,
            Self::Refund | Self::Move | Self::Deposit => Errand::Call(Self::Pay),
            Self::PayOut | Self::Void | Self::Allocate => Errand::Call(Self::Hold),
            Self::Reverse => Errand::Call(Self::Charge),
            Self::PostLine | Self::UndoImport => Errand::Call(Self::Import),
            Self::CancelInvoice => Errand::Call(Self::Invoice),
            Self::ReversePayout => Errand::Call(Self::PayOut),
        }
    }
}

/// A call that can be sent again.
pub struct Call {
    pub who: Actor,
    pub kind: Kind,
    path: String,
    key: Option<String>,
    body: Value,
    /// What it is about, by which the inspection finds it.
    subject: String,
}

impl Call {
    pub fn request(&self) -> RequestBuilder {
        let method = if self.kind == Kind::Plan { "PUT" } else { "POST" };
        let request = self.who.request(method, &self.path);
        let request = match &self.body {
            Value::String(file) => request.header("Content-Type", "text/csv").body(file.clone()),
            body => request.json(body),
        };
        match &self.key {
            Some(key) => request.header("Idempotency-Key", key),
            None => request,
        }
    }

    pub fn name(&self) -> String {
        format!("{:?} {}", self.kind, self.subject)
    }

    /// What an answer promises.
    pub fn promise(&self, body: &Value) -> String {
        match self.kind {
            Kind::Apply => format!("{} {}", self.subject, body["reference"].as_str().unwrap()),
            Kind::Pay | Kind::Hold => {
                format!("{} {}", self.subject, body["receipt"]["number"].as_str().unwrap())
            }
            _ => self.subject.clone(),
        }
    }

    /// Whether this answer to the repeated call says that it was carried out, now or before: the office told what it
    /// had seen, and is told that this has changed.
    pub fn is_carried_out(&self, status: StatusCode) -> bool {
        let is_stale = status == StatusCode::CONFLICT && matches!(self.kind, Kind::Offer | Kind::Reply);
        status.is_success() || is_stale
    }

    pub fn at(self, address: &str) -> Self {
        Self { who: moved(&self.who, address), ..self }
    }
}

/// What waits at a school for a call, by its numbers.
#[derive(Default)]
pub struct Waiting {
    applications: Vec<i64>,
    /// Number of the application, of its offer, and its family.
    offers: Vec<(i64, i64, Actor)>,
    requests: Vec<i64>,
    messages: Vec<i64>,
    money: MoneyWaiting,
    /// The families that have opened their application, by its reference.
    families: BTreeMap<String, Actor>,
}

/// Those who call.
pub struct Callers<'a> {
    pub visitor: &'a Actor,
    pub staff: &'a Actor,
    pub guardian: &'a Actor,
}

impl Waiting {
    /// Looks at what waits, and opens the applications with an offer by their emails.
    pub async fn take_stock(&mut self, data: &Path, address: &str) {
        self.applications =
            list(data, "select id from admission_requests where status = 'pending'", |row| row.get(0));
        self.requests = list(
            data,
            "select e.id from enrollments e join students s on s.id = e.student_id
             where s.email = 'minor@mail.example' and e.status = 'pending'
                 and not exists (select 1 from confirmations k where k.enrollment_id = e.id)",
            |row| row.get(0),
        );
        self.messages = list(data, "select id from contact_messages where status = 'new'", |row| row.get(0));
        self.money = MoneyWaiting::take_stock(data);
        let offers = list(
            data,
            "select r.id, o.id, r.reference from admission_requests r join admission_offers o on o.request_id = r.id
             where r.status = 'offered' and o.ended_at is null",
            |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?)),
        );
        let mut mails = Vec::new();
        if offers.iter().any(|(.., reference)| !self.families.contains_key(reference)) {
            mails = read_spool(&data.join("mail"));
        }
        self.offers.clear();
        for (request, offer, reference) in offers {
            let subject = format!("We have your application {reference}");
            if let Some(mail) = mails.iter().find(|mail| mail.subject == subject) {
                let family = person(address);
                let token = json!({ "token": mail.token("/application/") });
                family.post("/api/applications/session", &token).await.expect(StatusCode::OK);
                self.families.insert(reference.clone(), family);
            }
            // Its email may have been struck, and comes a minute later.
            if let Some(family) = self.families.get(&reference) {
                self.offers.push((request, offer, moved(family, "")));
            }
        }
    }

    /// The next call of a kind, if anything waits for one; with a number that no other has.
    pub fn next(&mut self, kind: Kind, number: u64, callers: &Callers<'_>, today: Date) -> Option<Call> {
        let name = || format!("Family {number}");
        let (who, path, subject, body) = match kind {
            Kind::Apply => {
                let email = format!("family{number}@mail.example");
                (callers.visitor, "/api/applications".to_owned(), email.clone(), application(number, &email))
            }
            Kind::Offer => {
                let id = self.applications.pop()?;
                let expires_on = today.saturating_add(14.days()).to_string();
                let body = json!({ "feeDue": 1250.5, "expiresOn": expires_on, "expected": "pending" });
                let path = format!("/api/admin/admission-requests/{id}/offer");
                (callers.staff, path, id.to_string(), body)
            }
            Kind::Accept => {
                let (id, offer, family) = self.offers.pop()?;
                let body = json!({ "name": name(), "agreed": true, "offerId": offer });
                let path = "/api/applications/me/accept".to_owned();
                return Some(Call { who: family, kind, path, key: None, body, subject: id.to_string() });
            }
            Kind::Confirm => {
                let id = self.requests.pop()?;
                let path = format!("/api/family/enrollments/{id}/confirm");
                (callers.guardian, path, id.to_string(), json!({ "name": "Chidi Okonkwo" }))
            }
            Kind::Reply => {
                let id = self.messages.pop()?;
                let body = json!({ "body": "Yes, it is.", "expectedReplies": 0 });
                (callers.staff, format!("/api/admin/messages/{id}/reply"), id.to_string(), body)
            }
            _ => {
                let (subject, path, body) = self.money.next(kind, number, today)?;
                let (who, key) = (moved(callers.staff, ""), Some(subject.clone()));
                return Some(Call { who, kind, path, key, body, subject });
            }
        };
        Some(Call { who: moved(who, ""), kind, path, key: None, body, subject })
    }
}

fn application(number: u64, email: &str) -> Value {
    json!({ "firstName": format!("Mei {number}"), "lastName": "Tanaka", "email": email, "phone": "647 555 0199",
        "address": "88 Sample Crescent, Toronto", "grade": 12, "dateOfBirth": "2005-03-01",
        "consents": ["privacy"] })
}

pub fn list<T>(data: &Path, sql: &str, read: impl Fn(&Row<'_>) -> rusqlite::Result<T>) -> Vec<T> {
    let database = look_into(data);
    let mut select = database.prepare(sql).unwrap();
    let rows = select.query_map([], |row| read(row)).unwrap();
    rows.map(Result::unwrap).collect()
}

/// What each kind's promises are found by: a query of all of them.
pub const KEPT: &[(Kind, &str)] = &[
    (Kind::Apply, "select email || ' ' || reference from admission_requests"),
    (Kind::Offer, "select cast(request_id as text) from admission_offers"),
    (Kind::Accept, "select cast(request_id as text) from admissions"),
    (Kind::Confirm, "select cast(enrollment_id as text) from confirmations where void_at is null"),
    (Kind::Reply, "select cast(message_id as text) from message_replies"),
    (Kind::Pay, PAID),
    (Kind::Hold, PAID),
    (Kind::Charge, DONE),
    (Kind::ChargeUnpriced, DONE),
    (Kind::Waive, DONE),
    (Kind::Refund, DONE),
    (Kind::PayOut, DONE),
    (Kind::Reverse, DONE),
    (Kind::Void, DONE),
    (Kind::Plan, DONE),
    (Kind::Allocate, DONE),
    (Kind::Move, DONE),
    (Kind::Deposit, DONE),
    (Kind::Import, DONE),
    (Kind::PostLine, DONE),
    (Kind::UndoImport, DONE),
    (Kind::Invoice, DONE),
    (Kind::CancelInvoice, DONE),
    (Kind::ReversePayout, DONE),
];

const PAID: &str =
    "select idempotency_key || ' ' || number from payments p join receipts t on t.payment_id = p.id";
/// What it did is found by its key (`pairs`).
const DONE: &str = "select key from idempotency";

/// What was promised, by kind.
pub type Promised = BTreeMap<Kind, BTreeSet<String>>;
