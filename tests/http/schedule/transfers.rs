//! Transfers: one decision, a pair of events, a ledger that nets to the difference; and classes by section.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{LINK, Scene, WHY};
use crate::support::Student;

async fn row(student: &Student, id: &Value) -> Value {
    let rows = student.get("/api/students/enrollments").await.expect(StatusCode::OK).json();
    rows.as_array().unwrap().iter().find(|row| row["id"] == *id).unwrap().clone()
}

/// Balance, and what each enrollment has: charged, paid and due.
async fn money(student: &Student) -> (Value, Vec<Value>) {
    let fees = student.get("/api/students/fees").await.expect(StatusCode::OK).json();
    let entries = fees["entries"].as_array().unwrap();
    let all = entries.iter().map(|one| json!([one["enrollmentId"], one["kind"], one["amount"]])).collect();
    (fees["balance"].clone(), all)
}

#[tokio::test]
async fn a_transfer_moves_what_was_charged_and_paid_and_nets_to_the_difference() {
    let scene = Scene::open().await;
    let (school, staff, course) = (&scene.school, &scene.staff, scene.course);
    let chemistry = school.course(staff, "SCH4U", json!(550)).await;
    let (a, b) = (scene.section(course).await, scene.section(course).await);
    let student = school.student().await;
    let id = json!(scene.enroll(&student, &a).await);
    let paid = json!({ "studentId": student.id, "amount": 200, "method": "e_transfer", "receivedOn": "2026-11-20",
        "allocate": "auto" });
    staff.post("/api/admin/payments", &paid).await.expect(StatusCode::CREATED);
    scene.pass().await;
    assert_eq!(money(&student).await.0, 300);
    let transfer = async |id: &Value, body: Value| {
        staff.post(&format!("/api/admin/enrollments/{id}/transfer"), &body).await
    };

    // Another section costs nothing: the charge keeps its due date, and the payment goes with it.
    let due = student.get("/api/students/fees").await.json()["nextDueOn"].clone();
    let moved =
        transfer(&id, json!({ "sectionId": b["id"], "reason": WHY })).await.expect(StatusCode::OK).json();
    let next = moved["transferredTo"].clone();
    assert_eq!((&moved["status"], &moved["isChanged"], scene.held()), (&json!("withdrawn"), &json!(true), 1));
    let new = row(&student, &next).await;
    assert_eq!(
        json!([
            new["status"],
            new["transferredFrom"],
            new["section"]["label"],
            new["startDate"],
            new["chargedPrice"]
        ]),
        json!(["active", id, "B", "2026-11-23", 500])
    );
    assert_eq!(
        money(&student).await,
        (json!(300), vec![json!([next, "payment", -200]), json!([next, "charge", 500])])
    );
    assert_eq!(student.get("/api/students/fees").await.json()["nextDueOn"], due);
    let events = school.count("select count(*) from enrollment_events where verb = 'transfer'");
    let again =
        transfer(&id, json!({ "sectionId": b["id"], "reason": WHY })).await.expect(StatusCode::OK).json();
    assert_eq!(
        (events, &again["isChanged"], scene.held()),
        (2, &json!(false), 1),
        "one pair; repeating changes nothing"
    );
    scene.undo(&moved).await.expect(StatusCode::OK);
    let back = row(&student, &id).await;
    assert_eq!(
        json!([back["status"], back["transferredTo"], back["section"]["label"]]),
        json!(["active", null, "A"])
    );
    assert_eq!(
        (money(&student).await.0, row(&student, &next).await["status"].clone(), scene.held()),
        (json!(300), json!("withdrawn"), 0)
    );

    // Another course costs the difference, in one email.
    let swap = json!({ "courseId": chemistry, "reason": WHY });
    let moved = transfer(&id, swap).await.expect(StatusCode::OK).json();
    let next = moved["transferredTo"].clone();
    assert_eq!(
        money(&student).await,
        (json!(350), vec![json!([next, "payment", -200]), json!([next, "charge", 550])])
    );
    scene.pass().await;
    let told = school.mail(&student.email, "Your course has changed").await.text.replace('\n', " ");
    for words in ["A course (MHF4U), section A to A course (SCH4U)", "$550.00, instead of $500.00", WHY] {
        assert!(told.contains(words), "{words} in {told}");
    }
    assert!(!told.contains(LINK), "{told}");

    // And back, for less than was paid: the rest is on account.
    let back = json!({ "sectionId": a["id"], "price": "new", "reason": WHY });
    staff
        .patch(&format!("/api/admin/sections/{}", a["id"]), &json!({ "price": 150 }))
        .await
        .expect(StatusCode::OK);
    let moved = transfer(&next, back).await.expect(StatusCode::OK).json();
    let last = moved["transferredTo"].clone();
    let (balance, entries) = money(&student).await;
    assert_eq!(
        (balance, &entries[0], &entries[1]),
        (json!(-50), &json!([last, "payment", -150]), &json!([last, "charge", 150]))
    );
    scene.undo(&moved).await.expect(StatusCode::OK);
    assert_eq!(money(&student).await.0, 350);
    assert_eq!(row(&student, &next).await["transferredFrom"], id, "the earlier transfer stands");

    refuses(&scene, (&id, &next), (&a, &b), chemistry).await;
}

/// What a transfer refuses: a full section, wrong input, and an enrollment that has ended.
async fn refuses(scene: &Scene, (id, next): (&Value, &Value), (a, b): (&Value, &Value), chemistry: i64) {
    let Scene { school, staff, course, .. } = scene;
    let transfer = async |id: &Value, body: Value| {
        staff.post(&format!("/api/admin/enrollments/{id}/transfer"), &body).await
    };
    let tiny = json!({ "capacity": 1 });
    staff.patch(&format!("/api/admin/sections/{}", b["id"]), &tiny).await.expect(StatusCode::OK);
    scene.enroll(&school.student().await, b).await;
    let into_full = json!({ "sectionId": b["id"], "reason": WHY });
    let full = transfer(next, into_full).await.expect(StatusCode::CONFLICT).json();
    assert_eq!((&full["reason"], &full["current"]["status"]), (&json!("capacity_full"), &json!("active")));

    for (body, field) in [
        (json!({ "reason": WHY }), "sectionId"),
        (json!({ "sectionId": 999, "reason": WHY }), "sectionId"),
        (json!({ "sectionId": a["id"], "courseId": chemistry, "reason": WHY }), "sectionId"),
        (json!({ "courseId": 999, "reason": WHY }), "courseId"),
        (json!({ "sectionId": a["id"], "reason": "No" }), "reason"),
        (json!({ "sectionId": a["id"], "price": "half", "reason": WHY }), "price"),
        (
            json!({ "courseId": course, "startDate": "2027-01-01", "endDate": "2026-12-01", "reason": WHY }),
            "endDate",
        ),
    ] {
        let refused = transfer(next, body.clone()).await.fields();
        assert!(refused[field].is_string(), "{body}: {refused}");
    }
    let ended =
        transfer(id, json!({ "sectionId": b["id"], "reason": WHY })).await.expect(StatusCode::CONFLICT);
    assert_eq!(ended.json()["current"]["status"], "withdrawn");
}

#[tokio::test]
async fn classes_are_listed_marked_and_written_to_by_section_and_a_longer_course_may_cost() {
    let scene = Scene::open().await;
    let (school, staff, course) = (&scene.school, &scene.staff, scene.course);
    let (a, b) = (scene.section(course).await, scene.section(course).await);
    let (one, two) = (school.student().await, school.student().await);
    let first = scene.enroll(&one, &a).await;
    scene.enroll(&two, &b).await;
    let path = format!("/api/admin/courses/{course}");
    let of = |section: &Value| format!("{path}/class-list?page=1&section={}", section["id"]);
    let (all, of_b) = (staff.get(&format!("{path}/class-list?page=1")).await, staff.get(&of(&b)).await);
    assert_eq!((all.total(), of_b.total(), of_b.column("studentId")), (2, 1, vec![json!(two.id)]));
    assert_eq!(of_b.json()[0]["section"]["meetings"][1]["weekday"], 4);
    let sheet = staff.get(&format!("{}&format=csv", of(&a))).await.expect(StatusCode::OK).text();
    assert!(
        sheet.contains("Section,Term") && sheet.contains("A,Winter 2027") && !sheet.contains("B,Winter"),
        "{sheet}"
    );
    staff.get(&format!("{path}/class-list?section=b")).await.expect(StatusCode::BAD_REQUEST);
    let page = staff.get(&path).await.expect(StatusCode::OK).json();
    let sections = page["sections"].as_array().unwrap();
    assert_eq!(sections.iter().map(|section| &section["label"]).collect::<Vec<_>>(), ["A", "B"]);
    assert_eq!((&sections[0]["taken"], &sections[0]["meetings"][0]["link"]), (&json!(1), &json!(LINK)));
    let rows = staff.get(&format!("/api/admin/enrollments?section={}", b["id"])).await;
    assert_eq!(rows.column("studentId"), [json!(two.id)]);

    let words =
        json!({ "subject": "Bring a ruler", "body": "We draw graphs.", "sectionId": a["id"], "expected": 1 });
    staff.post(&format!("{path}/emails"), &words).await.expect(StatusCode::OK);
    school.mail(&one.email, "Bring a ruler").await;
    assert!(
        !school.all_mails().await.iter().any(|mail| mail.to == two.email && mail.subject == "Bring a ruler")
    );

    // The fee of an extension is charged with it, and taken back with it.
    let dates = format!("/api/admin/enrollments/{first}/dates");
    let longer = json!({ "startDate": "2026-11-23", "endDate": "2027-04-30", "reason": WHY, "fee": "75.00" });
    let moved = staff.post(&dates, &longer).await.expect(StatusCode::OK).json();
    assert_eq!(money(&one).await.0, 575);
    scene.undo(&moved).await.expect(StatusCode::OK);
    assert_eq!(
        (money(&one).await.0, row(&one, &json!(first)).await["endDate"].clone()),
        (json!(500), json!("2027-03-26"))
    );
    staff.post(&dates, &longer).await.expect(StatusCode::OK);
    scene.pass().await;
    let told = school.mail(&one.email, "The dates of your course have changed").await.text;
    assert!(told.contains("$75.00") && told.contains("April 30, 2027"), "{told}");
    let shorter = json!({ "startDate": "2026-11-23", "endDate": "2027-01-30", "reason": WHY, "fee": 10 });
    let refused = staff.post(&dates, &shorter).await.fields();
    assert!(refused["fee"].is_string(), "{refused}");
}
