//! Consents, guardians, identity, and what is missing of a student.

use std::rc::Rc;

use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use super::{LATER, Place};
use crate::support::{PASSWORD, PDF};

pub async fn consents_are_acts(place: Rc<Place>) {
    let (visitor, student) = (place.school.visitor(), place.student().await);
    let texts = visitor.get("/api/texts").await.expect(StatusCode::OK).json();
    for text in texts.as_array().unwrap() {
        assert_eq!(text["version"].as_str().unwrap().len(), 64, "{text}");
        let page = visitor.get(text["url"].as_str().unwrap()).await.expect(StatusCode::OK).text();
        assert!(page.contains(text["title"].as_str().unwrap()), "{text}");
    }
    // Calls that name no text leave no row, and a message never does.
    visitor.write_message("Mei", "mei@mail.example", "Is the office open?").await.expect(StatusCode::OK);
    let (course, _) = place.course().await;
    let id = place.request(&student, course, LATER).await["id"].clone();
    let consents = async || student.get("/api/students/privacy").await.json()["consents"].clone();
    assert_eq!(consents().await, json!([]));
    let counts = place.staff.get("/api/admin/consents").await.expect(StatusCode::OK).json();
    for count in counts.as_array().unwrap() {
        assert_eq!((&count["wasAsked"], &count["messages"]), (&json!(true), &json!(0)), "{count}");
    }
    // One that is not in force is refused.
    student
        .post(&format!("/api/students/enrollments/{id}/withdraw"), &json!({}))
        .await
        .expect(StatusCode::OK);
    let registration =
        json!({ "email": "a@mail.example", "password": PASSWORD, "confirmPassword": PASSWORD });
    let mut request = json!({ "courseId": course, "startDate": LATER[0], "endDate": LATER[1] });
    for (path, body) in [("/api/students/register", &registration), ("/api/students/enrollments", &request)] {
        for versions in [json!(["2023-06-01"]), json!(["0".repeat(64)])] {
            let mut body = body.clone();
            body["acceptedTextVersions"] = versions;
            let fields = student.post(path, &body).await.fields();
            assert!(fields["acceptedTextVersions"].is_string(), "{path}: {fields}");
        }
    }
    // A row for each text that was shown.
    request["acceptedTextVersions"] =
        texts.as_array().unwrap().iter().map(|text| text["version"].clone()).collect();
    let id = student.post("/api/students/enrollments", &request).await.expect(StatusCode::CREATED).json();
    let rows = consents().await;
    assert_eq!(rows.as_array().unwrap().len(), texts.as_array().unwrap().len());
    for row in rows.as_array().unwrap() {
        let told = (&row["enrollmentId"], &row["wasAsked"], &row["isGiven"]);
        assert_eq!(told, (&id["id"], &json!(true), &json!(true)));
    }
    assert_eq!(place.file(student.id).await["consents"], rows, "the office reads the same");
}

pub async fn a_confirmation_is_about_its_guardian(place: Rc<Place>) {
    let student = place.student().await;
    let (first, second) = (place.course().await.0, place.course().await.0);
    let first = place.request(&student, first, LATER).await["id"].clone();
    let path = format!("/api/admin/students/{}/guardian-confirmed", student.id);
    let confirm = async || {
        place.staff.post(&path, &json!({ "how": "phone" })).await.expect(StatusCode::OK);
    };
    let lacks_guardian = async |id: &Value| {
        let missing = place.row(&place.staff, &student, id).await["missing"].clone();
        missing.as_array().unwrap().contains(&json!("guardian"))
    };
    assert!(lacks_guardian(&first).await);
    confirm().await;
    assert!(!lacks_guardian(&first).await);
    let second = place.request(&student, second, LATER).await["id"].clone();
    assert!(lacks_guardian(&second).await, "a confirmation holds for the requests that there were");
    confirm().await;
    assert!(!lacks_guardian(&second).await);
    let other = json!({ "parentName": "Ngozi Okonkwo" });
    student.patch("/api/students/me", &other).await.expect(StatusCode::OK);
    assert!(lacks_guardian(&first).await && lacks_guardian(&second).await, "and for no one else");
    let changes = place.staff.get("/api/admin/students/identity-changes").await.expect(StatusCode::OK).json();
    let own = changes.as_array().unwrap().iter().find(|one| one["id"] == student.id).unwrap();
    assert_eq!(own["isGuardianChanged"], true);
    let former = format!("guardian-of-{}", student.email);
    place.school.mail(&former, "You are no longer the guardian we have on record").await;
    let fields =
        student.patch("/api/students/me", &json!({ "parentName": "", "parentContact": null })).await.fields();
    assert!(fields["parentName"].is_string() && fields["parentContact"].is_string(), "{fields}");
}

/// What is missing of a student, as the student's list of what is wanted says it.
fn wanted_of(wanted: &Value) -> Vec<&'static str> {
    let all = wanted.as_array().unwrap();
    let is = |kind: &str| all.iter().any(|one| one["kind"] == kind && one["isWithOffice"] == false);
    [("profile", "profile"), ("guardian", "guardian_confirmation"), ("documents", "document")]
        .into_iter()
        .filter_map(|(missing, kind)| is(kind).then_some(missing))
        .collect()
}

pub async fn all_agree_on_what_is_missing(place: Rc<Place>) {
    let student = place.school.student().await;
    let (course, _) = place.course().await;
    let id = place.request(&student, course, LATER).await["id"].clone();
    let portal = async || student.get("/api/students/wanted").await.expect(StatusCode::OK).json();
    let agree = async |is_complete: bool| {
        let (wanted, row) = (portal().await, place.row(&place.staff, &student, &id).await);
        assert_eq!(place.file(student.id).await["wanted"], wanted);
        assert_eq!(json!(wanted_of(&wanted)), row["missing"]);
        assert_eq!(row["missing"] == json!([]), is_complete, "{row}");
        let is_refused = place.is_strict() && !is_complete;
        assert_eq!(row["required"], if is_refused { row["missing"].clone() } else { json!([]) });
        if is_refused {
            let refused = place.decide("approve", &id, &json!({})).await.expect(StatusCode::CONFLICT).json();
            let words = row["missing"][0].as_str().unwrap();
            assert!(refused["reason"].as_str().unwrap().starts_with(words), "{refused}");
        }
    };
    agree(false).await;
    let mut facts = crate::support::profile(&student.email);
    facts["dateOfBirth"] = "2000-03-01".into();
    student.patch("/api/students/me", &facts).await.expect(StatusCode::OK);
    agree(false).await;
    for one in place.school.app().config.office.required_documents.clone() {
        let one = serde_json::to_value(one).unwrap();
        student.upload(one.as_str().unwrap(), "a.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    }
    agree(true).await;
    place.decide("approve", &id, &json!({})).await.expect(StatusCode::OK);

    // All others: exactly what any open request lacks is wanted of its student.
    let mut rows = Vec::new();
    for status in ["pending", "waitlisted"] {
        let found = place.staff.get(&format!("/api/admin/enrollments?status={status}")).await.json();
        rows.extend(found.as_array().unwrap().clone());
    }
    assert!(!rows.is_empty());
    for id in place.staff.get("/api/admin/students").await.expect(StatusCode::OK).column("id") {
        let own: Vec<_> = rows.iter().filter(|row| row["studentId"] == id).collect();
        if own.is_empty() {
            continue;
        }
        let wanted = place.file(id.as_i64().unwrap()).await["wanted"].clone();
        let is_missing =
            |one: &&str| own.iter().any(|row| row["missing"].as_array().unwrap().contains(&json!(one)));
        let missing: Vec<_> = ["profile", "guardian", "documents"].into_iter().filter(is_missing).collect();
        assert_eq!(wanted_of(&wanted), missing, "student {id}: {wanted}");
    }
}

pub async fn only_a_comparison_is_an_identity_check(place: Rc<Place>) {
    let (student, _, _) = place.enrolled(LATER).await;
    let checked = async || place.file(student.id).await["student"]["identityCheckedAt"].clone();
    assert_eq!(checked().await, json!(null), "an approval compares nothing");
    let path = format!("/api/admin/students/{}/confirm-identity", student.id);
    place.staff.post(&path, &json!({})).await.expect(StatusCode::NO_CONTENT);
    assert_eq!(checked().await, "2026-11-21T15:00:00Z");
    // Of all the others, too, a person made each check that stands.
    for id in place.staff.get("/api/admin/students").await.column("id") {
        let file = place.file(id.as_i64().unwrap()).await;
        let by_person = |entry: &Value| entry["field"] == "identityChecked" && entry["by"].is_string();
        let is_made = file["history"].as_array().unwrap().iter().any(by_person);
        assert!(is_made || file["student"]["identityCheckedAt"].is_null(), "{}", file["student"]);
    }
    let version = place.file(student.id).await["student"]["version"].clone();
    let corrected = json!({ "version": version, "fullName": "Amara Chioma Okonkwo" });
    let path = format!("/api/admin/students/{}", student.id);
    place.staff.patch(&path, &corrected).await.expect(StatusCode::OK);
    assert_eq!(checked().await, json!(null), "it ends with what was compared");
    student.patch("/api/students/me", &json!({ "fullName": "Chioma" })).await.expect(StatusCode::OK);
    let changes = place.staff.get("/api/admin/students/identity-changes").await.json();
    assert!(changes.as_array().unwrap().iter().any(|one| one["id"] == student.id), "{changes}");
}

pub async fn an_approval_keeps_what_was_missing(place: Rc<Place>) {
    let student = place.student().await;
    let (course, _) = place.course().await;
    let id = place.request(&student, course, LATER).await["id"].clone();
    let click = place.decide("approve", &id, &json!({})).await;
    if place.is_strict() {
        assert_eq!(click.expect(StatusCode::CONFLICT).json()["reason"], "guardian_missing");
        place.approve(&student, &id).await;
    } else {
        click.expect(StatusCode::OK);
    }
    let file = place.file(student.id).await;
    let events = file["enrollments"][0]["events"].as_array().unwrap();
    let approved = events.iter().find(|event| event["verb"] == "approve").unwrap();
    assert_eq!(approved["missing"], json!(["guardian", "documents"]));
}

pub async fn a_role_does_not_see_whether_something_is_missing(place: Rc<Place>) {
    let student = place.student().await;
    let (course, _) = place.course().await;
    let id = place.request(&student, course, LATER).await["id"].clone();
    let bursar = place.school.staff_as(Role::Bursar).await;
    let seen = place.row(&bursar, &student, &id).await;
    assert_eq!(
        (&seen["documents"], &seen["prerequisite"]),
        (&Value::Null, &Value::Null),
        "null is not known"
    );
    assert_eq!(seen["missing"], json!(["guardian"]));
    let all = place.row(&place.staff, &student, &id).await;
    assert_eq!(all["missing"], json!(["guardian", "documents"]));
    assert_eq!(all["documents"]["present"], 0);
    let file = bursar.get(&format!("/api/admin/students/{}", student.id)).await.expect(StatusCode::OK).json();
    for unknown in ["wanted", "documents", "history", "notes", "consents", "credits"] {
        assert_eq!(file[unknown], Value::Null, "{unknown}");
    }
    let row = bursar.get(&format!("/api/admin/students?q={}", student.email)).await.json()[0].clone();
    assert_eq!(row["documents"], Value::Null);
    assert!(row["balance"].is_number(), "{row}");
}

pub async fn words_say_what_is_so(place: Rc<Place>) {
    // An account that the office made was never used, whatever the office does with it.
    let body = json!({ "email": "made-by-the-office@mail.example", "fullName": "Ann Lee" });
    let made = place.staff.post("/api/admin/students", &body).await.expect(StatusCode::CREATED).json();
    assert_eq!(place.file(made["id"].as_i64().unwrap()).await["student"]["lastActivityAt"], Value::Null);
    // Where decisions cannot be undone nothing speaks of it.
    let student = place.student().await;
    assert_eq!(place.file(student.id).await["student"]["lastActivityAt"], "2026-11-21T15:00:00Z");
    let document =
        student.upload("transcript", "a.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED).json();
    let (course, code) = place.course().await;
    let id = place.request(&student, course, LATER).await["id"].clone();
    assert_eq!(place.approve(&student, &id).await["undo"], Value::Null);
    // What an approval has counted does not go without a trace.
    let path = format!("/api/students/documents/{}", document["id"]);
    student.delete(&path).await.expect(StatusCode::NO_CONTENT);
    let history = place.file(student.id).await["history"].clone();
    let removed =
        history.as_array().unwrap().iter().find(|entry| entry["field"] == "documentRemoved").unwrap();
    assert_eq!(removed["reason"], format!("Removed by the student after the approval of {code}"));
}
