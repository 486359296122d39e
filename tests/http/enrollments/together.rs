//! Approving many: the sheet computes what will happen together, and exactly that comes. And whether a student reads why a
//! mark is early.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{Actor, School, Student, profile};

const APPROVE: &str = "/api/admin/enrollments/approve";

/// A course with `seats` seats, and a request of each of five students for it; two of them have a guardian with an address.
async fn five_requests(school: &School, staff: &Actor, seats: i64) -> (Vec<Student>, Vec<i64>) {
    let course = school.course(staff, "MHF4U", json!(500)).await;
    let path = format!("/api/admin/courses/{course}");
    staff.patch(&path, &json!({ "capacity": seats })).await.expect(StatusCode::OK);
    let (mut students, mut ids) = (Vec::new(), Vec::new());
    for number in 0..5 {
        let student = school.student().await;
        let mut facts = profile(&student.email);
        if number < 2 {
            facts["parentName"] = "Chidi Okonkwo".into();
            facts["parentContact"] = format!("guardian{number}@mail.example").into();
        }
        student.patch("/api/students/me", &facts).await.expect(StatusCode::OK);
        let made = student.enroll(course).await.expect(StatusCode::CREATED).json();
        ids.push(made["id"].as_i64().unwrap());
        students.push(student);
    }
    (students, ids)
}

/// What the sheet shows, and what has come; equal in everything that the sheet promises.
async fn preview_and_outcome(school: &School, staff: &Actor, body: &Value) -> (Value, Value) {
    let counts = || {
        let emails = school.count("select count(*) from outbox where decision_id is not null");
        let charged = school.count("select coalesce(sum(amount_cents), 0) from ledger where kind = 'charge'");
        let active = school.count("select count(*) from enrollments where status = 'active'");
        [emails, charged, active]
    };
    let before = counts();
    let preview = staff.post(&format!("{APPROVE}/preview"), body).await.expect(StatusCode::OK).json();
    assert_eq!(counts(), before, "nothing is changed");
    let outcome = staff.post(APPROVE, body).await.expect(StatusCode::OK).json();
    let [emails, charged, active] = counts();
    assert_eq!(preview["emails"], emails - before[0]);
    assert_eq!(preview["total"].as_f64().unwrap() * 100.0, (charged - before[1]) as f64);
    assert_eq!(
        (&preview["approved"], &preview["seats"]),
        (&json!(active - before[2]), &json!(active - before[2]))
    );
    let words = |answer: &Value| {
        let results = answer["results"].as_array().unwrap().iter();
        results.map(|one| (one["id"].clone(), one["ok"].clone(), one["message"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(words(&preview), words(&outcome));
    (preview, outcome)
}

#[tokio::test]
async fn three_seats_are_promised_to_the_first_three_of_five_requests() {
    let school = School::open_with(|config| config.office.undo_seconds = 60).await;
    let staff = school.staff().await;
    let (_, ids) = five_requests(&school, &staff, 3).await;
    // The order of the list decides, not the age of the requests.
    let listed = [ids[4], ids[0], ids[1], ids[2], ids[3]];
    let (preview, _) = preview_and_outcome(&school, &staff, &json!({ "ids": listed })).await;
    assert_eq!((&preview["approved"], &preview["total"]), (&json!(3), &json!(1500)));
    assert_eq!(preview["emails"], 5, "three students, two of them with a guardian");
    let reasons: Vec<_> =
        preview["results"].as_array().unwrap().iter().map(|one| one["reason"].clone()).collect();
    assert_eq!(
        reasons,
        [Value::Null, Value::Null, Value::Null, json!("capacity_full"), json!("capacity_full")]
    );
    assert_eq!(preview["results"][0]["price"], 500);
    // Approving them again changes nothing, so nothing is promised.
    let again = staff.post(&format!("{APPROVE}/preview"), &json!({ "ids": &listed[..3] })).await.json();
    assert_eq!(
        (&again["approved"], &again["emails"], &again["results"][0]["ok"]),
        (&json!(0), &json!(0), &json!(true))
    );
}

#[tokio::test]
async fn a_reason_counts_for_those_that_are_named_alone() {
    let school = School::open_with(|config| config.office.undo_seconds = 60).await;
    let staff = school.staff().await;
    let (students, ids) = five_requests(&school, &staff, 2).await;
    let suspend = format!("/api/admin/students/{}/suspend", students[0].id);
    staff.post(&suspend, &json!({ "reason": "Shared the password" })).await.expect(StatusCode::OK);
    let body = json!({ "ids": ids, "overrideIds": [ids[4]], "override": { "capacity": "One more chair" } });
    let (preview, outcome) = preview_and_outcome(&school, &staff, &body).await;
    let oks: Vec<_> = preview["results"].as_array().unwrap().iter().map(|one| one["ok"].clone()).collect();
    assert_eq!(oks, [false, true, true, false, true], "suspended, two seats, full, and one more");
    assert!(outcome["results"][0]["message"].as_str().unwrap().contains("suspended"));
    let wrong =
        staff.post(&format!("{APPROVE}/preview"), &json!({ "ids": [], "overrideIds": 7 })).await.fields();
    assert!(wrong["ids"].is_string() && wrong["overrideIds"].is_string(), "{wrong}");
}

#[tokio::test]
async fn the_reason_of_an_early_mark_is_for_the_office_unless_it_is_to_be_mailed() {
    const WHY: &str = "The family moves abroad in January.";
    for is_mailed in [false, true] {
        let school = School::open().await;
        let staff = school.staff().await;
        let (students, ids) = five_requests(&school, &staff, 5).await;
        let (student, id) = (&students[0], ids[0]);
        staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await.expect(StatusCode::OK);
        let sql = "update enrollments set start_date = '2026-11-02'";
        school.database().execute(sql, []).unwrap();
        let mut body = json!({ "finalMark": 80, "reason": WHY });
        if is_mailed {
            body["mailReason"] = json!(true);
        }
        staff.post(&format!("/api/admin/enrollments/{id}/complete"), &body).await.expect(StatusCode::OK);
        let letter = school.mail(&student.email, "You have completed a course").await;
        assert_eq!(letter.text.contains(WHY), is_mailed, "{}", letter.text);
        let own = student.get(&format!("/api/students/enrollments/{id}/history")).await.text();
        assert_eq!(own.contains(WHY), is_mailed, "{own}");
        let file = staff.get(&format!("/api/admin/students/{}", student.id)).await.text();
        assert!(file.contains(WHY), "the office reads it");
    }
}
