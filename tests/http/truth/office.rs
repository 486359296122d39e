//! Re-imported sheets, the office's to-do list, and a new school's first steps.

use std::rc::Rc;

use reqwest::StatusCode;
use schoolhouse::testing::{Role, send_waiting};
use serde_json::{Value, json};

use super::{LATER, Place, WHY};
use crate::dashboard::{rows, waiting};

pub async fn sheets_come_back_unchanged(place: Rc<Place>) {
    place.student().await;
    let import = async |path: &str, text: String| {
        let request = place.staff.request("POST", path).header("content-type", "text/csv").body(text);
        place.staff.send(request).await.expect(StatusCode::OK).json()
    };
    let students = "/api/admin/students/import?dryRun=1";
    let sheet = place.staff.get("/api/admin/students?format=csv").await.expect(StatusCode::OK).text();
    let count = place.staff.get("/api/admin/students?page=1").await.total();
    let back = import(students, sheet).await;
    let told = json!([back["unchanged"], back["added"], back["updated"], back["problems"]]);
    assert_eq!(told, json!([count, 0, 0, []]), "{back}");
    // Dates and provinces as people write them; what can be two days is asked back.
    let heading = "email,fullName,dateOfBirth,country,province";
    let asked = import(students, format!("{heading}\na@mail.example,Ann,3/1/2009,,\n")).await;
    let problem = asked["problems"][0].as_str().unwrap();
    assert!(problem.contains("This can be March 1, 2009 or January 3, 2009"), "{problem}");
    let written =
        import(students, format!("{heading}\nb@mail.example,Bea,\"March 1, 2009\",Canada,Ontario\n")).await;
    assert_eq!((&written["problems"], &written["added"]), (&json!([]), &json!(1)));
    // The catalogue takes the sample in the browser, and a dry run changes nothing.
    let courses = place.staff.get("/api/admin/courses").await.column("id");
    let sample = import("/api/admin/courses/import?sample=1&dryRun=1", String::new()).await;
    let rows: i64 = ["added", "updated", "unchanged"].iter().map(|key| sample[key].as_i64().unwrap()).sum();
    assert_eq!((rows, &sample["problems"]), (158, &json!([])));
    assert_eq!(place.staff.get("/api/admin/courses").await.column("id"), courses);
}

pub async fn waiting_counts_match_their_lists(place: Rc<Place>) {
    let of = async |kind: &str| {
        let lines = waiting(&place.staff).await;
        lines.iter().find(|line| line["kind"] == kind).unwrap_or_else(|| panic!("no {kind}"))["count"].clone()
    };
    // That no term is open is no row of a list.
    let lines = waiting(&place.staff).await.into_iter().filter(|line| line["kind"] != "no_open_term");
    for line in lines {
        assert_eq!(line["count"], rows(&place.staff, &line).await.len(), "{line}");
        assert_eq!(line["oldest"].is_null(), line["count"] == 0, "{line}");
    }
    let bursar = place.school.staff_as(Role::Bursar).await;
    let money = [json!("charges"), json!("refunds_due"), json!("money_on_account"), json!("bank_lines")];
    assert!(waiting(&bursar).await.iter().all(|line| money.contains(&line["kind"])));
    let more = |count: &Value| json!(count.as_i64().unwrap() + 1);
    let before = (of("requests").await, of("leave_requests").await);
    let student = place.student().await;
    let (course, code) = place.course().await;
    let id = place.request(&student, course, LATER).await["id"].clone();
    assert_eq!(of("requests").await, more(&before.0));
    place.approve(&student, &id).await;
    assert_eq!(of("requests").await, before.0);
    let leave = format!("/api/students/enrollments/{id}/leave");
    student.post(&leave, &json!({ "reason": WHY })).await.expect(StatusCode::OK);
    assert_eq!(of("leave_requests").await, more(&before.1));
    let office = student.get("/api/school").await.json()["email"].as_str().unwrap().to_owned();
    place.school.mail(&office, &format!("Request to leave: {code}")).await;
    place.decide("refuse-leave", &id, &json!({ "reason": WHY })).await.expect(StatusCode::OK);
    assert_eq!(of("leave_requests").await, before.1);
    let before = of("documents").await;
    let made = student.upload("transcript", "a.pdf", crate::support::PDF.to_vec()).await;
    let document = made.expect(StatusCode::CREATED).json()["id"].clone();
    assert_eq!(of("documents").await, more(&before));
    let path = format!("/api/admin/documents/{document}/accept");
    place.staff.post(&path, &json!({})).await.expect(StatusCode::OK);
    assert_eq!(of("documents").await, before);
    let before = of("applications").await;
    let application = json!({ "firstName": "Mei", "lastName": "Tanaka", "email": "mei@mail.example",
        "phone": "4165550199", "address": "1 Sample Street, Toronto", "grade": 12, "dateOfBirth": "2001-05-01",
        "source": "phone" });
    let entered = place.staff.post("/api/admin/admission-requests", &application).await;
    let entered = entered.expect(StatusCode::CREATED).json()["id"].clone();
    assert_eq!(of("applications").await, more(&before));
    let path = format!("/api/admin/admission-requests/{entered}/decline");
    place.staff.post(&path, &json!({ "reason": WHY })).await.expect(StatusCode::OK);
    assert_eq!(of("applications").await, before);
}

/// On a Monday morning, once nothing else needs the sessions of today.
pub async fn the_office_gets_a_summary_on_weekday_mornings(place: &Place) {
    let monday: jiff::Timestamp = "2026-11-23T12:30:00Z".parse().unwrap();
    send_waiting(place.school.app()).await.unwrap();
    place.school.advance(monday.duration_since(place.school.clock.now()));
    send_waiting(place.school.app()).await.unwrap();
    let office = place.school.visitor().get("/api/school").await.json()["email"].as_str().unwrap().to_owned();
    let mails = place.school.all_mails().await;
    let told = mails.iter().filter(|mail| mail.to == office && mail.subject.ends_with("for the office"));
    assert_eq!(told.count(), 1);
}

pub async fn first_steps_follow_the_facts(place: Rc<Place>) {
    let staff = &place.staff;
    let steps = staff.get("/api/admin/first-steps").await.expect(StatusCode::OK).json();
    let settings = staff.get("/api/admin/settings").await.json();
    let texts = staff.get("/api/texts").await.json();
    let has_text = |kind: &str| texts.as_array().unwrap().iter().any(|text| text["kind"] == kind);
    let facts = staff.get("/api/school").await.json();
    let count = async |path: &str| staff.get(path).await.json().as_array().unwrap().len();
    let expected = [
        ("school", facts["isSample"] == false),
        ("mail", staff.get("/api/admin/dashboard").await.json()["isMailDelivered"] == true),
        ("semesters", settings["settings"]["semesters"] != json!([])),
        ("catalogue", count("/api/courses").await > 0),
        ("texts", has_text("refunds") && has_text("how_to_pay")),
        ("colleagues", count("/api/admin/staff").await > 1),
    ];
    let told: Vec<_> = steps
        .as_array()
        .unwrap()
        .iter()
        .map(|step| (step["step"].as_str().unwrap(), step["isDone"].as_bool().unwrap()))
        .collect();
    assert_eq!(told, expected);
}
