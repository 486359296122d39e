//! Every act that ends or moves a right, at every door to the same child: `identities` of the sheet.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::identities::{CHILD, Family, MOTHER, open_account, reads};
use super::{application, call};
use crate::support::{Actor, PASSWORD, School, profile};

/// What leads to one child, the session before the link that would begin another.
const DOORS: [&str; 12] = [
    "account",
    "login",
    "calendar",
    "application of the child",
    "link for the child",
    "application of the guardian",
    "link for the guardian",
    "family page",
    "link to the family page",
    "statement",
    "receipt",
    "copy of a receipt",
];

/// What a row of the table says of each door: open, or shut.
const OPEN: &str = "o";

/// A child with an account that its mailbox opened, and with every door open.
struct World {
    school: School,
    staff: Actor,
    family: Family,
    student_id: Value,
    account: Actor,
    calendar: String,
    page: Actor,
}

impl World {
    async fn open() -> Self {
        let school = School::open_with(|config| config.office.undo_seconds = 0).await;
        let staff = school.staff().await;
        let family = Family::apply(&school, &staff, &application("Mei", "tanaka")).await;
        family.accept(&staff, &family.mother, None).await;
        let student_id = family.record(&staff).await["studentId"].clone();
        let account = open_account(&school, CHILD).await;
        let address =
            account.get("/api/students/calendar").await.expect(StatusCode::OK).json()["url"].clone();
        let (_, calendar) = address.as_str().unwrap().split_once("/api/").unwrap();
        let page = school.visitor();
        page.post("/api/family/link", &json!({ "email": MOTHER })).await.expect(StatusCode::OK);
        let token = school.mail(MOTHER, "Your family page").await.token("/family/");
        page.post("/api/family/session", &json!({ "token": token })).await.expect(StatusCode::OK);
        let world =
            Self { calendar: format!("/api/{calendar}"), school, staff, family, student_id, account, page };
        world.pay("CA1").await;
        world
    }

    async fn pay(&self, reference: &str) {
        let payment = json!({ "studentId": self.student_id, "amount": 10, "method": "e_transfer",
            "reference": reference, "receivedOn": "2026-11-21", "sendReceipt": true });
        self.staff.post("/api/admin/payments", &payment).await.expect(StatusCode::CREATED);
    }

    /// How many emails a mailbox has with the subject's beginning, after an act that may cause one.
    async fn mails(&self, to: &str, subject: &str) -> usize {
        let mails = self.school.all_mails().await;
        mails.iter().filter(|mail| mail.to == to && mail.subject.starts_with(subject)).count()
    }

    /// Whether asking for a link to a page brings one.
    async fn is_sent(&self, path: &str, to: &str, subject: &str) -> bool {
        let before = self.mails(to, subject).await;
        self.school.visitor().post(path, &json!({ "email": to })).await.expect(StatusCode::OK);
        self.mails(to, subject).await > before
    }

    /// Which doors are open, in their order.
    async fn doors(&self) -> [bool; DOORS.len()] {
        let is_open = async |actor: &Actor, path: &str| actor.get(path).await.status == StatusCode::OK;
        let children = self.page.get("/api/family").await.json()["children"].clone();
        // A merged child goes on under the other number.
        let id = if children[0]["id"].is_null() { &self.student_id } else { &children[0]["id"] };
        let statement = format!("/api/family/students/{id}/statement");
        let copies = self.mails(MOTHER, "Receipt").await;
        self.pay("CA2").await;
        [
            is_open(&self.account, "/api/students/me").await,
            self.school.visitor().log_in(CHILD, PASSWORD).await.status == StatusCode::OK,
            is_open(&self.school.visitor(), &self.calendar).await,
            reads(&self.family.child).await,
            self.is_sent("/api/applications/link", CHILD, "The link to your application").await,
            reads(&self.family.mother).await,
            self.is_sent("/api/applications/link", MOTHER, "The link to your application").await,
            children.as_array().is_some_and(|children| !children.is_empty()),
            self.is_sent("/api/family/link", MOTHER, "Your family page").await,
            is_open(&self.page, &statement).await,
            is_open(&self.page, "/api/family/receipts/2026-000001").await,
            self.mails(MOTHER, "Receipt").await > copies,
        ]
    }

    async fn guardian(&self) -> Value {
        let record = self.staff.get(&format!("/api/admin/students/{}", self.student_id)).await.json();
        record["guardians"].as_array().unwrap().iter().find(|one| one["email"] == MOTHER).unwrap()["id"]
            .clone()
    }

    async fn act(&self, act: &str) {
        let student = |verb: &str| format!("/api/admin/students/{}/{verb}", self.student_id);
        let reason = json!({ "reason": "Because." });
        let put = async |actor: &Actor, path: &str, body: &Value| {
            actor.send(actor.request("PUT", path).json(body)).await.expect(StatusCode::OK);
        };
        let aunt = json!([{ "name": "Aunt", "email": "aunt@mail.example" }]);
        match act {
            "nothing" => {}
            "stop at the application" | "stop and resume at the application" => {
                let stop = json!({ "email": MOTHER, "reason": "Custody" });
                self.staff.post(&call(self.family.id, "stop"), &stop).await.expect(StatusCode::OK);
                if act.contains("resume") {
                    let resume = json!({ "email": MOTHER });
                    self.staff.post(&call(self.family.id, "resume"), &resume).await.expect(StatusCode::OK);
                }
            }
            "stop at the account" | "stop and resume at the account" => {
                let guardian = student(&format!("guardians/{}", self.guardian().await));
                self.staff.post(&format!("{guardian}/stop"), &reason).await.expect(StatusCode::OK);
                if act.contains("resume") {
                    self.staff.post(&format!("{guardian}/resume"), &json!({})).await.expect(StatusCode::OK);
                }
            }
            "suspend" | "close" => {
                self.staff.post(&student(act), &reason).await.expect(StatusCode::OK);
            }
            "merge" => {
                let other = self.school.student().await;
                let mut facts = profile(&other.email);
                facts["dateOfBirth"] = json!("2010-03-01");
                other.patch("/api/students/me", &facts).await.expect(StatusCode::OK);
                let merge = format!("/api/admin/students/{}/merge", other.id);
                self.staff.post(&merge, &json!({ "otherId": self.student_id })).await.expect(StatusCode::OK);
            }
            "the office names another guardian" => put(&self.staff, &student("guardians"), &aunt).await,
            "the student names another guardian" => {
                put(&self.account, "/api/students/guardians", &aunt).await;
            }
            "the office asks for another address" | "the office sets another address" => {
                let other = json!({ "email": "mei@other.example", "confirmed": act.contains("sets"),
                    "reason": "Asked by telephone" });
                self.staff.post(&student("email"), &other).await.expect(StatusCode::OK);
            }
            other => unreachable!("{other}"),
        }
    }
}

#[tokio::test]
async fn what_ends_a_right_ends_it_at_every_door_to_the_child() {
    // Columns as in DOORS; a session that has ended stays so, whatever a link would open.
    let table = [
        ("nothing", "o o o o o o o o o o o o"),
        ("stop at the application", "o o o o o - - - - - - -"),
        ("stop at the account", "o o o o o - - - - - - -"),
        ("stop and resume at the application", "o o o o o - o o o o o o"),
        ("stop and resume at the account", "o o o o o - o o o o o o"),
        ("suspend", "- - - o o o o o o o o o"),
        ("close", "- - - o o o o - - - - -"),
        ("merge", "- - - o o o o o o o o o"),
        ("the office names another guardian", "o o o o o o o - - - - -"),
        ("the student names another guardian", "o o o o o o o - - - - -"),
        // Until the new mailbox confirms, the old one is the account's; sessions stay, as the office was told.
        ("the office asks for another address", "o o o o o o o o o o o o"),
        ("the office sets another address", "o - o o o o o o o o o o"),
    ];
    let mut wrong = Vec::new();
    for (act, expected) in table {
        let world = World::open().await;
        world.act(act).await;
        let expected = expected.split(' ').map(|cell| cell == OPEN);
        for ((door, found), expected) in DOORS.iter().zip(world.doors().await).zip(expected) {
            if found != expected {
                wrong.push(format!("{act} × {door}: {}", if found { "open" } else { "shut" }));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
