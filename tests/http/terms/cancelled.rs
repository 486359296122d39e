//! A section that the school cancels: what becomes of each state, at each reader, and the ways out.

use reqwest::StatusCode;
use schoolhouse::testing::Demand;
use serde_json::{Value, json};

use super::{course, section};
use crate::support::{Actor, School, Student, profile};

const WHY: &str = "The teacher has left the school.";

/// One student in each state that a section can have: two take it and one of them has paid, one asks, and one waits.
struct Scene {
    school: School,
    staff: Actor,
    from: Value,
    to: Value,
    students: Vec<Student>,
    ids: Vec<Value>,
}

impl Scene {
    async fn open() -> Self {
        let school = School::open_with(|config| config.office.undo_seconds = 60).await;
        let staff = school.staff().await;
        let (id, term) = course(&school, &staff).await;
        let from = section(&staff, id, &term, json!({ "price": 600 })).await;
        let to = section(&staff, id, &term, json!({ "price": 650 })).await;
        let (mut students, mut ids) = (Vec::new(), Vec::new());
        for act in ["approve", "approve", "", "waitlist"] {
            let student = school.student().await;
            student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);
            let body = json!({ "courseId": id, "sectionId": from });
            let made =
                student.post("/api/students/enrollments", &body).await.expect(StatusCode::CREATED).json();
            if !act.is_empty() {
                let path = format!("/api/admin/enrollments/{}/{act}", made["id"]);
                staff.post(&path, &json!({})).await.expect(StatusCode::OK);
            }
            ids.push(made["id"].clone());
            students.push(student);
        }
        let payment = json!({ "studentId": students[0].id, "amount": 600, "method": "e_transfer",
            "reference": "CA1", "receivedOn": "2026-11-21" });
        staff.post("/api/admin/payments", &payment).await.expect(StatusCode::CREATED);
        let scene = Self { school, staff, from, to, students, ids };
        assert_eq!(scene.states().await, ["active 0", "active 600", "pending 0", "waitlisted 0"]);
        scene
    }

    /// State and balance of each, as the office and the student read them alike.
    async fn states(&self) -> Vec<String> {
        let mut states = Vec::new();
        for student in &self.students {
            let own = student.get("/api/students/enrollments").await.expect(StatusCode::OK).json();
            let path = format!("/api/admin/enrollments?student={}", student.id);
            let office = self.staff.get(&path).await.expect(StatusCode::OK).json();
            let words = |rows: &Value| {
                let rows = rows.as_array().unwrap();
                let mut rows: Vec<_> =
                    rows.iter().map(|row| (row["id"].as_i64(), row["status"].clone())).collect();
                rows.sort_by_key(|(id, _)| *id);
                rows.iter().map(|(_, status)| status.as_str().unwrap()).collect::<Vec<_>>().join(" ")
            };
            assert_eq!(words(&own), words(&office));
            let fees = student.get("/api/students/fees").await.expect(StatusCode::OK).json();
            let record = self.staff.get(&format!("/api/admin/students/{}", student.id)).await.json();
            assert_eq!(record["money"]["balance"], fees["balance"], "{record}");
            states.push(format!("{} {}", words(&own), fees["balance"]));
        }
        states
    }

    async fn cancel(&self) -> Value {
        let path = format!("/api/admin/sections/{}/cancel", self.from);
        self.staff.post(&path, &json!({ "reason": WHY })).await.expect(StatusCode::OK).json()
    }

    async fn undo(&self, decided: &Value) {
        let id = decided["undo"]["id"].as_str().expect("an undo");
        let path = format!("/api/admin/decisions/{id}/undo");
        self.staff.post(&path, &json!({})).await.expect(StatusCode::OK);
    }

    async fn act(&self, at: usize, verb: &str, body: Value) -> crate::support::Answer {
        self.staff.post(&format!("/api/admin/enrollments/{}/{verb}", self.ids[at]), &body).await
    }

    async fn counts(&self) -> [Value; 4] {
        let counts = self.staff.get("/api/admin/enrollments/counts").await.expect(StatusCode::OK).json();
        ["active", "pending", "transferring", "needsMark"].map(|name| counts[name].clone())
    }
}

const CANCELLED: [&str; 4] = ["cancelled -600", "cancelled 0", "pending 0", "waitlisted 0"];

#[tokio::test]
async fn nothing_is_owed_marked_or_approved_in_a_cancelled_section_and_undo_restores_all() {
    let scene = Scene::open().await;
    let cancelled = scene.cancel().await;
    assert_eq!(scene.states().await, CANCELLED);
    assert_eq!(scene.counts().await, [json!(0), json!(1), json!(4), json!(0)]);
    let listed = scene.staff.get("/api/admin/enrollments?due=transfer&page=1").await.expect(StatusCode::OK);
    assert_eq!(listed.total(), 4, "all three kinds");
    let balances = scene.staff.get("/api/admin/dashboard").await.json();
    assert_eq!(balances["totalFeeDue"], json!(0), "{balances}");
    for (verb, body) in [
        ("complete", json!({ "finalMark": 80 })),
        ("midterm", json!({ "mark": 80 })),
        ("approve", json!({})),
        ("decline", json!({ "reason": WHY })),
        ("reopen", json!({ "reason": WHY })),
    ] {
        let refused = scene.act(0, verb, body).await.expect(StatusCode::CONFLICT);
        assert!(
            refused.message().starts_with("This enrollment is cancelled"),
            "{verb}: {}",
            refused.message()
        );
    }
    for at in [2, 3] {
        let all = json!({ "override": { "capacity": "One more", "documents": "Later", "profile": "Later", "guardian": "By phone" } });
        let refused = scene.act(at, "approve", all).await.expect(StatusCode::CONFLICT).json();
        assert_eq!(refused["reason"], "section_cancelled");
        let row = scene
            .staff
            .get(&format!("/api/admin/enrollments?student={}", scene.students[at].id))
            .await
            .json();
        assert_eq!(row[0]["missing"][0], "section_cancelled");
    }
    let own = scene.students[0].get("/api/students/week?date=2026-11-25").await.expect(StatusCode::OK).json();
    assert_eq!(own, json!([]), "no class");
    let body = json!({ "reason": "I would rather not go on." });
    let leave = format!("/api/students/enrollments/{}/leave", scene.ids[0]);
    let refused = scene.students[0].post(&leave, &body).await.expect(StatusCode::CONFLICT);
    assert!(refused.message().contains("The school has cancelled this class"), "{}", refused.message());
    // The row says what was waived, and that it is on account.
    let fees = scene.students[0].get("/api/students/fees").await.json();
    assert_eq!((&fees["unapplied"], &fees["due"], &fees["overdue"]), (&json!(600), &json!(0), &json!(0)));
    let kinds: Vec<_> =
        fees["entries"].as_array().unwrap().iter().map(|entry| entry["kind"].clone()).collect();
    assert!(kinds.contains(&json!("waiver")), "{kinds:?}");
    scene.undo(&cancelled).await;
    assert_eq!(scene.states().await, ["active 0", "active 600", "pending 0", "waitlisted 0"]);
    assert_eq!(scene.counts().await, [json!(2), json!(1), json!(0), json!(0)]);
}

#[tokio::test]
async fn the_students_of_a_cancelled_section_go_on_in_another_one_in_one_act() {
    let scene = Scene::open().await;
    scene.cancel().await;
    let path = format!("/api/admin/sections/{}/transfer", scene.from);
    for (body, field) in [
        (json!({}), "toSectionId"),
        (json!({ "toSectionId": scene.from }), "toSectionId"),
        (json!({ "toSectionId": 999 }), "toSectionId"),
        (json!({ "toSectionId": scene.to, "reason": "short" }), "reason"),
        (json!({ "toSectionId": scene.to, "enrollmentIds": [] }), "enrollmentIds"),
    ] {
        assert!(scene.staff.post(&path, &body).await.fields()[field].is_string(), "{body}");
    }
    let body = json!({ "toSectionId": scene.to });
    let moved = scene.staff.post(&path, &body).await.expect(StatusCode::OK).json();
    let results = moved["results"].as_array().unwrap();
    assert!(results.len() == 4 && results.iter().all(|one| one["ok"] == true), "{moved}");
    // The new price is charged, and what was paid for the old section is applied to it.
    let there = ["withdrawn active 50", "withdrawn active 650", "pending 0", "waitlisted 0"];
    assert_eq!(scene.states().await, there);
    for at in [2, 3] {
        let own = scene.students[at].get("/api/students/enrollments").await.json();
        assert_eq!((&own[0]["section"]["id"], &own[0]["quotedPrice"]), (&scene.to, &json!(650)));
    }
    let again = scene.staff.post(&path, &body).await.expect(StatusCode::OK).json();
    assert_eq!((again["results"].as_array().unwrap().len(), &again["undo"]), (0, &Value::Null));
    assert_eq!(scene.counts().await[2], json!(0));
    scene.undo(&moved).await;
    let closed = ["cancelled withdrawn -600", "cancelled withdrawn 0", "pending 0", "waitlisted 0"];
    assert_eq!(scene.states().await, closed);
    let own = scene.students[2].get("/api/students/enrollments").await.json();
    assert_eq!((&own[0]["section"]["id"], &own[0]["quotedPrice"]), (&scene.from, &json!(600)));
}

#[tokio::test]
async fn who_leaves_a_cancelled_section_is_refunded_in_full_by_the_day_of_cancelling() {
    let scene = Scene::open().await;
    scene.cancel().await;
    let leave = json!({ "effectiveOn": "2026-11-25", "reason": "Takes no other class.", "refund": "policy" });
    let left = scene.act(0, "withdraw", leave).await.expect(StatusCode::OK).json();
    assert_eq!(scene.states().await[0], "withdrawn -600");
    let fees = scene.students[0].get("/api/students/fees").await.json();
    let due = &fees["refundsDue"][0];
    assert_eq!((&due["amount"], &due["dueOn"]), (&json!(600), &json!("2026-12-06")), "{fees}");
    scene.undo(&left).await;
    assert_eq!(scene.states().await[0], "cancelled -600");
    let fees = scene.students[0].get("/api/students/fees").await.json();
    assert_eq!(fees["refundsDue"], json!([]), "the undo takes the refund back");
}

#[tokio::test]
async fn a_request_is_neither_approved_nor_signed_once_its_course_has_ended_or_gone() {
    let school = School::open().await;
    let staff = school.staff().await;
    let (ended, gone) =
        (school.course(&staff, "ENG4U", json!(500)).await, school.course(&staff, "SBI4U", json!(500)).await);
    let student = school.student().await;
    student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);
    let mut ids = Vec::new();
    for course in [ended, gone] {
        let body = json!({ "courseId": course, "startDate": "2026-11-22", "endDate": "2027-02-22" });
        let made = student.post("/api/students/enrollments", &body).await.expect(StatusCode::CREATED).json();
        ids.push(made["id"].clone());
    }
    let approve = |id: &Value| format!("/api/admin/enrollments/{id}/approve");
    staff.delete(&format!("/api/admin/courses/{gone}")).await.expect(StatusCode::NO_CONTENT);
    let missing = async |id: &Value| {
        let rows = staff.get(&format!("/api/admin/enrollments?student={}", student.id)).await.json();
        rows.as_array().unwrap().iter().find(|row| row["id"] == *id).unwrap()["missing"][0].clone()
    };
    assert_eq!(missing(&ids[1]).await, json!("archived"));
    let refused = staff.post(&approve(&ids[1]), &json!({})).await.expect(StatusCode::CONFLICT).json();
    assert_eq!(refused["reason"], "archived");
    let reason = json!({ "override": { "archived": "It is taught once more." } });
    staff.post(&approve(&ids[1]), &reason).await.expect(StatusCode::OK);
    // The last day counts; on the next one the request waits for new dates.
    let shift = |to: &str| {
        school
            .database()
            .execute(
                "update enrollments set start_date = '2026-09-01', end_date = ? where status = 'pending'",
                [to],
            )
            .unwrap()
    };
    shift("2026-11-21");
    assert_ne!(missing(&ids[0]).await, json!("ended"));
    shift("2026-11-20");
    assert_eq!(missing(&ids[0]).await, json!("ended"));
    let all = json!({ "override": { "archived": "Still", "capacity": "One more", "documents": "Later", "profile": "Later", "guardian": "By phone" } });
    let refused = staff.post(&approve(&ids[0]), &all).await.expect(StatusCode::CONFLICT).json();
    assert_eq!(refused["reason"], "ended");
    let counts = staff.get("/api/admin/enrollments/counts").await.json();
    let listed = staff.get("/api/admin/enrollments?due=ended&page=1").await.expect(StatusCode::OK);
    assert_eq!((&counts["endedRequests"], listed.total()), (&json!(1), 1));
    let dates = json!({ "startDate": "2026-12-01", "endDate": "2027-03-01", "reason": "The next class." });
    staff.post(&format!("/api/admin/enrollments/{}/dates", ids[0]), &dates).await.expect(StatusCode::OK);
    staff.post(&approve(&ids[0]), &json!({})).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_move_is_held_up_by_a_missing_guardian_unless_a_reason_says_why_it_is_not() {
    let scene = Scene::open().await;
    scene.cancel().await;
    let Scene { school, students, from, to, ids, .. } = scene;
    let school = school.reopen_with(|config| config.office.guardian_confirmation = Demand::Required).await;
    let staff = school.staff().await;
    let path = format!("/api/admin/sections/{from}/transfer");
    let mut body = json!({ "toSectionId": to, "enrollmentIds": &ids[..1] });
    let refused = staff.post(&path, &body).await.expect(StatusCode::OK).json();
    assert_eq!(refused["results"][0]["reason"], "guardian_missing", "{refused}");
    body["override"] = json!({ "guardian": "" });
    assert!(staff.post(&path, &body).await.fields()["override"].is_string());
    body["override"] = json!({ "guardian": "Agreed on the phone" });
    let moved = staff.post(&path, &body).await.expect(StatusCode::OK).json();
    let row = &moved["results"][0]["row"];
    assert_eq!((&row["status"], &row["missing"][0]), (&json!("withdrawn"), &json!("guardian")), "{moved}");
    // The list says that the guardian is asked again.
    let rows = staff.get(&format!("/api/admin/enrollments?student={}", students[0].id)).await.json();
    let next = rows.as_array().unwrap().iter().find(|row| row["status"] == "active").unwrap().clone();
    assert!(next["missing"].as_array().unwrap().contains(&json!("guardian")), "{next}");
    assert_eq!(next["transferredFrom"], ids[0]);
}

#[tokio::test]
async fn the_letter_of_a_transfer_names_what_is_owed_by_when_and_the_new_hours() {
    let school = School::open().await;
    let staff = school.staff().await;
    let (id, term) = course(&school, &staff).await;
    let hours = |weekday: i64| json!([{ "weekday": weekday, "startsAt": "19:00", "endsAt": "20:30" }]);
    let from = section(&staff, id, &term, json!({ "price": 600, "meetings": hours(2) })).await;
    let to = section(&staff, id, &term, json!({ "price": 650, "meetings": hours(4) })).await;
    let student = school.student().await;
    student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);
    let body = json!({ "courseId": id, "sectionId": from });
    let made = student.post("/api/students/enrollments", &body).await.expect(StatusCode::CREATED).json();
    staff
        .post(&format!("/api/admin/enrollments/{}/approve", made["id"]), &json!({}))
        .await
        .expect(StatusCode::OK);
    let payment = json!({ "studentId": student.id, "amount": 600, "method": "e_transfer",
        "reference": "CA1", "receivedOn": "2026-11-21" });
    staff.post("/api/admin/payments", &payment).await.expect(StatusCode::CREATED);
    let cancel = format!("/api/admin/sections/{from}/cancel");
    staff.post(&cancel, &json!({ "reason": WHY })).await.expect(StatusCode::OK);
    let path = format!("/api/admin/sections/{from}/transfer");
    staff.post(&path, &json!({ "toSectionId": to })).await.expect(StatusCode::OK);
    let letter = school.mail(&student.email, "Your course has changed").await.text;
    let fees = student.get("/api/students/fees").await.json();
    let due_on: jiff::civil::Date = fees["nextDueOn"].as_str().unwrap_or("2026-12-21").parse().unwrap();
    let words = due_on.strftime("%B %-d, %Y").to_string();
    for words in
        ["Still to be paid: $50.00 by ", &words, "The hours are new:", "Tuesday 19:00", "Thursday 19:00"]
    {
        assert!(letter.contains(words), "{words}: {letter}");
    }
}

#[tokio::test]
async fn who_was_active_in_a_section_cancelled_long_ago_is_cancelled_at_the_next_start() {
    let scene = Scene::open().await;
    let expected = CANCELLED;
    // As an older program left it: the section is cancelled, and its enrollments are active.
    let sql = "update sections set status = 'cancelled' where id = ?";
    scene.school.database().execute(sql, [scene.from.as_i64().unwrap()]).unwrap();
    let letters = |school: &School| school.count("select count(*) from outbox");
    let Scene { school, students, from, to, ids, .. } = scene;
    let school = school.reopen().await;
    let staff = school.staff().await;
    let count = letters(&school);
    let mut states = Vec::new();
    for student in &students {
        let rows = staff.get(&format!("/api/admin/enrollments?student={}", student.id)).await.json();
        let file = staff.get(&format!("/api/admin/students/{}", student.id)).await.json();
        states.push(format!("{} {}", rows[0]["status"].as_str().unwrap(), file["money"]["balance"]));
    }
    assert_eq!(states, expected);
    let audit =
        "select count(*) from audit where action = 'cancel' and object = 'enrollment' and actor = 'system'";
    assert_eq!(school.count(audit), 2);
    // Once: the next start finds nothing to do; and no letter was written.
    let events = "select count(*) from enrollment_events";
    let events_before = school.count(events);
    let school = school.reopen().await;
    assert_eq!((school.count(events), letters(&school)), (events_before, count));
    // The way out is the same: what was paid counts for the new section.
    let staff = school.staff().await;
    let path = format!("/api/admin/sections/{from}/transfer");
    let body = json!({ "toSectionId": to, "enrollmentIds": [ids[1]] });
    staff.post(&path, &body).await.expect(StatusCode::OK);
    staff.post(&path, &json!({ "toSectionId": to, "enrollmentIds": [ids[0]] })).await.expect(StatusCode::OK);
    let file = staff.get(&format!("/api/admin/students/{}", students[0].id)).await.json();
    assert_eq!(file["money"]["balance"], 50);
}
