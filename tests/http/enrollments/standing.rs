//! States by readers: what each state of an enrollment is for everyone who reads it. A new state has no cells in `cells`, a
//! new reader is a field that each of them lacks: neither compiles until it is decided.

use reqwest::StatusCode;
use schoolhouse::testing::{ClosedSet as _, EnrollmentStatus, Role};
use serde_json::{Value, json};

use crate::support::{Actor, School, Student, profile};

const WHY: &str = "For the sake of this test.";

/// The states, each written once.
macro_rules! states {
    ($($name:ident)+) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        enum State { $($name),+ }

        use State::{$($name),+};

        const STATES: &[State] = &[$($name),+];
    };
}

states! {
    Pending PendingOfCancelled PendingEnded PendingArchived Waitlisted Active MarkDue Cancelled Completed Failed Withdrawn
    Declined
}

/// What each reader makes of a state. A price is $600, of which $200 were paid where it was ever charged.
#[derive(Debug, PartialEq)]
struct Cells {
    /// The office's row: its state, and the first of what it lacks that only a decision settles.
    row: [&'static str; 2],
    /// The sheet's state.
    sheet: &'static str,
    /// Whether it may be approved, and why not.
    approve: [&'static str; 2],
    /// Whether it takes a final mark.
    mark: bool,
    /// The office's lists that it waits in.
    to_do: &'static [&'static str],
    /// What is owed for it.
    due: i64,
    /// What the family has on account.
    on_account: i64,
    /// What is late a year later, in the list, the figures and the aging alike.
    overdue: i64,
    /// Why no reminder is sent; empty if one is.
    reminder: &'static str,
    /// Whether the refund policy is asked.
    refund: bool,
    /// The student's portal.
    portal: &'static str,
    /// The family page: whether the reader is asked to confirm.
    family_is_asked: bool,
    /// Which of the office's counts it is in.
    count: &'static str,
    /// Whether it is on the class list.
    class_list: bool,
    /// Whether it has classes in the week.
    week: bool,
    /// Credits that it gives, in hundredths.
    credits: i64,
}

fn cells(state: State) -> Cells {
    // Of nothing: each state says what differs.
    let nothing = |status: &'static str| Cells {
        row: [status, ""],
        sheet: status,
        approve: ["409", ""],
        mark: false,
        to_do: &[],
        due: 0,
        on_account: 0,
        overdue: 0,
        reminder: "nothing_due",
        refund: false,
        portal: status,
        family_is_asked: false,
        count: "ended",
        class_list: false,
        week: false,
        credits: 0,
    };
    let request =
        || Cells { to_do: &["pending"], family_is_asked: true, count: "pending", ..nothing("pending") };
    let charged = |status| Cells { due: 400, overdue: 400, reminder: "", refund: true, ..nothing(status) };
    match state {
        Pending => Cells { approve: ["200", ""], ..request() },
        PendingOfCancelled => Cells {
            row: ["pending", "section_cancelled"],
            approve: ["409", "section_cancelled"],
            to_do: &["pending", "transfer"],
            ..request()
        },
        PendingEnded => Cells {
            row: ["pending", "ended"],
            approve: ["409", "ended"],
            to_do: &["pending", "ended"],
            family_is_asked: false,
            ..request()
        },
        PendingArchived => Cells { row: ["pending", "archived"], approve: ["409", "archived"], ..request() },
        Waitlisted => Cells {
            approve: ["200", ""],
            to_do: &[],
            family_is_asked: true,
            count: "waitlisted",
            ..nothing("waitlisted")
        },
        Active => Cells {
            approve: ["200", ""],
            mark: true,
            count: "active",
            class_list: true,
            week: true,
            ..charged("active")
        },
        MarkDue => Cells {
            approve: ["200", ""],
            mark: true,
            to_do: &["mark"],
            count: "active",
            class_list: true,
            ..charged("active")
        },
        Cancelled => {
            Cells { to_do: &["transfer"], on_account: 200, refund: true, count: "", ..nothing("cancelled") }
        }
        Completed => Cells { mark: true, class_list: true, credits: 100, ..charged("completed") },
        Failed => Cells { mark: true, class_list: true, ..charged("completed") },
        Withdrawn => charged("withdrawn"),
        Declined => nothing("declined"),
    }
}

/// A school with a student under 18 in each state, who has a guardian, and a course with a section of its own.
struct Scene {
    staff: Actor,
    bursar: Actor,
    all: Vec<(State, Student, i64, i64)>,
    families: Vec<Actor>,
    _school: School,
}

async fn post(staff: &Actor, path: &str, body: Value) -> Value {
    let answer = staff.post(path, &body).await;
    assert!(answer.status.is_success(), "{path}: {}", answer.text());
    answer.json()
}

/// Brings a request into a state by the calls of the office; only the calendar is set by hand.
async fn bring(school: &School, staff: &Actor, state: State, student: &Student, id: i64, course: i64) {
    let act = async |verb: &str, body: Value| {
        post(staff, &format!("/api/admin/enrollments/{id}/{verb}"), body).await
    };
    if matches!(state, Active | MarkDue | Cancelled | Completed | Failed | Withdrawn) {
        act("approve", json!({})).await;
        let paid =
            json!({ "studentId": student.id, "amount": 200, "method": "cash", "receivedOn": "2026-11-21" });
        post(staff, "/api/admin/payments", paid).await;
    }
    if matches!(state, PendingEnded | MarkDue | Completed | Failed) {
        let sql = "update enrollments set start_date = '2026-09-01', end_date = '2026-11-20' where id = ?1";
        school.database().execute(sql, [id]).unwrap();
    }
    match state {
        Pending | PendingEnded | Active | MarkDue => {}
        PendingOfCancelled | Cancelled => {
            let page = staff.get(&format!("/api/admin/courses/{course}")).await.json();
            let path = format!("/api/admin/sections/{}/cancel", page["sections"][0]["id"]);
            post(staff, &path, json!({ "reason": WHY })).await;
        }
        PendingArchived => {
            let path = format!("/api/admin/courses/{course}");
            staff.send(staff.request("DELETE", &path)).await;
        }
        Waitlisted => drop(act("waitlist", json!({})).await),
        Completed => drop(act("complete", json!({ "finalMark": 81 })).await),
        Failed => drop(act("complete", json!({ "finalMark": 44 })).await),
        Withdrawn => drop(act("withdraw", json!({ "effectiveOn": "2026-11-21", "reason": WHY })).await),
        Declined => drop(act("decline", json!({ "reason": WHY })).await),
    }
}

impl Scene {
    async fn open() -> Self {
        let school = School::open_with(|config| config.office.undo_seconds = 60).await;
        let (staff, bursar) = (school.staff().await, school.staff_as(Role::Bursar).await);
        let body = json!({ "name": "Fall 2026", "startsOn": "2026-11-02", "endsOn": "2027-02-26",
            "joinUntil": "2026-11-21", "isPublished": true });
        let term = post(&staff, "/api/admin/terms", body).await["id"].clone();
        let policy = json!({ "policies": [{ "name": "Full", "provinces": null, "effectiveOn": "2026-01-01",
            "rules": [{ "until": "end", "percent": 100, "keep": 0 }] }] });
        bursar
            .send(bursar.request("PUT", "/api/admin/refund-policies").json(&policy))
            .await
            .expect(StatusCode::OK);
        let (mut all, mut families) = (Vec::new(), Vec::new());
        for (at, &state) in (0..).zip(STATES) {
            let course = school.course(&staff, &format!("MH{}4U", char::from(b'A' + at)), json!(600)).await;
            let hours = [1, 2, 3, 4, 5].map(|weekday| {
                json!({ "weekday": weekday, "startsAt": "19:00", "endsAt": "20:30", "link": "https://meet.example/a" })
            });
            let section = json!({ "courseId": course, "termId": term, "status": "open", "price": 600, "meetings": hours });
            let section = post(&staff, "/api/admin/sections", section).await["id"].clone();
            let student = school.student().await;
            let mut facts = profile(&student.email);
            facts["dateOfBirth"] = json!("2010-03-01");
            student.patch("/api/students/me", &facts).await.expect(StatusCode::OK);
            let email = format!("emi{at}@mail.example");
            let guardians = json!([{ "name": "Emi Tanaka", "email": email, "relationship": "mother" }]);
            let put = student.request("PUT", "/api/students/guardians").json(&guardians);
            student.send(put).await.expect(StatusCode::OK);
            let body = json!({ "courseId": course, "sectionId": section });
            let made =
                student.post("/api/students/enrollments", &body).await.expect(StatusCode::CREATED).json();
            let id = made["id"].as_i64().unwrap();
            let token = school.mail(&email, "Please confirm a request").await.token("/family/");
            let family = school.visitor();
            family.post("/api/family/session", &json!({ "token": token })).await.expect(StatusCode::OK);
            bring(&school, &staff, state, &student, id, course).await;
            families.push(family);
            all.push((state, student, id, course));
        }
        Self { staff, bursar, all, families, _school: school }
    }

    async fn listed(&self, query: &str, id: i64) -> bool {
        let rows =
            self.staff.get(&format!("/api/admin/enrollments?{query}")).await.expect(StatusCode::OK).json();
        rows.as_array().unwrap().iter().any(|row| row["id"] == id)
    }

    /// What each reader makes of it; nothing is changed that is not undone.
    async fn read(&self, at: usize) -> Cells {
        let (staff, bursar) = (&self.staff, &self.bursar);
        let (_, student, id, course) = &self.all[at];
        let id = *id;
        let rows = staff.get(&format!("/api/admin/enrollments?student={}", student.id)).await.json();
        let row = &rows[0];
        let settled = ["section_cancelled", "ended", "archived"];
        let missing = row["missing"]
            .as_array()
            .into_iter()
            .flatten()
            .find_map(|reason| settled.into_iter().find(|settled| reason == settled));
        let own = student.get("/api/students/enrollments").await.json()[0].clone();
        let fees = student.get("/api/students/fees").await.json();
        let item = fees["perItem"].as_array().unwrap().iter().find(|item| item["enrollmentId"] == id);
        let money = |value: &Value| value.as_f64().unwrap_or_default() as i64;
        let late = "asOf=2027-11-21";
        let overdue = bursar.get(&format!("/api/admin/money/balances?{late}&filter=overdue")).await.json();
        let overdue = overdue.as_array().unwrap().iter().find(|row| row["studentId"] == student.id).cloned();
        let aged = overdue.as_ref().map_or(0, |row| {
            money(&row["aging"]["days61plus"])
                + money(&row["aging"]["days1to30"])
                + money(&row["aging"]["days31to60"])
        });
        assert_eq!(aged, overdue.as_ref().map_or(0, |row| money(&row["overdue"])));
        let ask = json!({ "studentIds": [student.id], "dryRun": true });
        let reminder = bursar.post("/api/admin/reminders", &ask).await.json()["reminders"][0].clone();
        let proposal = format!("/api/admin/enrollments/{id}/refund-proposal");
        let proposal = bursar.post(&proposal, &json!({ "effectiveOn": "2026-11-21" })).await;
        let child = self.families[at].get("/api/family").await.json()["children"][0].clone();
        assert_eq!(
            (&child["enrollments"][0]["status"], &child["balance"]),
            (&own["status"], &fees["balance"])
        );
        let members = staff.get(&format!("/api/admin/courses/{course}/class-list")).await.json();
        let week = student.get("/api/students/week?date=2026-11-25").await.json();
        let sheet = staff.get("/api/admin/enrollments?format=csv").await.text();
        let sheet = status_in(sheet.trim_start_matches('\u{feff}'), &student.email);
        let record = staff.get(&format!("/api/admin/students/{}", student.id)).await.json();
        let mut to_do = Vec::new();
        for (name, query) in [
            ("pending", "status=pending"),
            ("ended", "due=ended"),
            ("mark", "due=mark"),
            ("transfer", "due=transfer"),
        ] {
            if self.listed(query, id).await {
                to_do.push(name);
            }
        }
        let status = word(&row["status"]);
        Cells {
            row: [status, missing.unwrap_or_default()],
            sheet: word(&json!(sheet)),
            approve: self.approve(id).await,
            mark: self.mark(id).await,
            to_do: Box::leak(to_do.into_boxed_slice()),
            due: item.map_or(0, |item| money(&item["due"])),
            on_account: money(&fees["unapplied"]),
            overdue: aged,
            reminder: word(&reminder["why"]),
            refund: proposal.status == StatusCode::OK,
            portal: word(&own["status"]),
            family_is_asked: child["enrollments"][0]["isAsked"] == true,
            count: "",
            class_list: members.as_array().unwrap().iter().any(|member| member["enrollmentId"] == id),
            week: !week.as_array().unwrap().is_empty(),
            credits: (record["credits"]["here"].as_f64().unwrap_or_default() * 100.0) as i64,
        }
    }

    /// Approves, and takes it back.
    async fn approve(&self, id: i64) -> [&'static str; 2] {
        let answer = self.staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await;
        if answer.status == StatusCode::OK {
            self.undo(&answer.json()).await;
            return ["200", ""];
        }
        assert_eq!(answer.status, StatusCode::CONFLICT, "{}", answer.text());
        ["409", word(&answer.json()["reason"])]
    }

    /// Enters a final mark, and takes it back.
    async fn mark(&self, id: i64) -> bool {
        let body = json!({ "finalMark": 70, "reason": WHY });
        let answer = self.staff.post(&format!("/api/admin/enrollments/{id}/complete"), &body).await;
        if answer.status == StatusCode::OK {
            self.undo(&answer.json()).await;
        }
        answer.status == StatusCode::OK
    }

    async fn undo(&self, decided: &Value) {
        if let Some(undo) = decided["undo"]["id"].as_str() {
            post(&self.staff, &format!("/api/admin/decisions/{undo}/undo"), json!({})).await;
        }
    }
}

/// The state that a sheet has of the student with an address.
fn status_in(sheet: &str, email: &str) -> String {
    let mut reader = csv::Reader::from_reader(sheet.as_bytes());
    let place = reader.headers().unwrap().iter().position(|heading| heading == "State").unwrap();
    let mut rows = reader.records().map(Result::unwrap);
    rows.find(|row| row.iter().any(|cell| cell == email)).unwrap()[place].to_lowercase()
}

/// One of the words of the wire.
fn word(value: &Value) -> &'static str {
    value.as_str().map_or("", |word| Box::leak(word.to_owned().into_boxed_str()))
}

#[tokio::test]
async fn each_state_is_for_each_reader_what_was_decided() {
    let scene = Scene::open().await;
    let counts = scene.staff.get("/api/admin/enrollments/counts").await.expect(StatusCode::OK).json();
    for name in ["pending", "waitlisted", "active", "ended"] {
        let expected = STATES.iter().filter(|state| cells(**state).count == name).count();
        assert_eq!(counts[name], expected, "{name}: {counts}");
    }
    let mut wrong = Vec::new();
    for (at, &state) in STATES.iter().enumerate() {
        let expected = Cells { count: "", ..cells(state) };
        let found = scene.read(at).await;
        if found != expected {
            wrong.push(format!("{state:?}\n   found {found:?}\nexpected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The sums of the whole school are those of the cells.
    let sum = |part: fn(&Cells) -> i64| STATES.iter().map(|state| part(&cells(*state))).sum::<i64>();
    let summary = scene.bursar.get("/api/admin/money/summary?asOf=2027-11-21").await.json();
    assert_eq!(
        ["due", "totalDue", "overdue", "unapplied"].map(|name| summary[name].clone()),
        [sum(|of| of.due), sum(|of| of.due), sum(|of| of.overdue), sum(|of| of.on_account)]
            .map(|sum| json!(sum))
    );
    let figures = scene.staff.get("/api/admin/dashboard").await.json();
    assert_eq!(figures["totalFeeDue"], sum(|of| of.due));
}

#[test]
fn every_status_has_a_state() {
    for status in EnrollmentStatus::ALL {
        assert!(STATES.iter().any(|state| cells(*state).row[0] == status.as_str()), "{status:?}");
    }
}
