//! What is missing of a student, who is told, and what voids a check.

use reqwest::StatusCode;
use schoolhouse::testing::{Demand, Role};
use serde_json::{Value, json};

use crate::support::{Actor, PDF, School, Student, profile};

async fn file(staff: &Actor, id: i64) -> Value {
    staff.get(&format!("/api/admin/students/{id}")).await.expect(StatusCode::OK).json()
}

async fn known(school: &School) -> Student {
    let student = school.student().await;
    let mut facts = profile(&student.email);
    facts["parentName"] = "Chidi Okonkwo".into();
    facts["parentContact"] = "chidi@mail.example".into();
    student.patch("/api/students/me", &facts).await.expect(StatusCode::OK);
    student
}

async fn row(staff: &Actor, id: &Value) -> Value {
    let rows = staff.get("/api/admin/enrollments").await.expect(StatusCode::OK).json();
    rows.as_array().unwrap().iter().find(|row| row["id"] == *id).unwrap().clone()
}

async fn missing(staff: &Actor, id: &Value) -> Value {
    row(staff, id).await["missing"].clone()
}

async fn changes(staff: &Actor) -> Value {
    let listed = staff.get("/api/admin/students/identity-changes").await.expect(StatusCode::OK).json();
    let count = staff.get("/api/admin/dashboard").await.json()["identityChangesCount"].clone();
    assert_eq!(count, listed.as_array().unwrap().len());
    listed
}

async fn confirm(staff: &Actor, id: i64) {
    let path = format!("/api/admin/students/{id}/guardian-confirmed");
    staff.post(&path, &json!({ "how": "phone" })).await.expect(StatusCode::OK);
}

async fn approve(staff: &Actor, id: &Value) {
    staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await.expect(StatusCode::OK);
}

fn wanted(kind: &str, document: &Value, is_with_office: bool) -> Value {
    let label = match (kind, document.as_str()) {
        ("profile", _) => "Complete profile",
        ("guardian_confirmation", _) => "Guardian’s confirmation",
        (_, Some("government_id")) => "Government ID",
        (_, Some("transcript")) => "School Transcript",
        _ => "Proof of Address",
    };
    json!({ "kind": kind, "documentType": document, "label": label, "isWithOffice": is_with_office })
}

#[tokio::test]
async fn the_portal_lists_what_the_office_refuses_for() {
    let school = School::open_with(|config| {
        config.office.guardian_confirmation = Demand::Required;
        config.office.documents = Demand::Required;
        config.office.required_documents.push(schoolhouse::testing::RequiredDocument::ProofOfAddress);
    })
    .await;
    let (staff, student) = (school.staff().await, school.student().await);
    let portal = async || student.get("/api/students/wanted").await.expect(StatusCode::OK).json();
    let same = async |expected: Value| {
        assert_eq!(portal().await, expected);
        assert_eq!(file(&staff, student.id).await["wanted"], expected);
    };
    // An unknown birth date is asked for, and counts as a minor's.
    let documents =
        ["government_id", "transcript", "proof_of_address"].map(|one| wanted("document", &one.into(), false));
    let all = [
        vec![wanted("profile", &json!(null), false), wanted("guardian_confirmation", &json!(null), false)],
        documents.to_vec(),
    ];
    same(json!(all.concat())).await;
    let mail_course = school.course(&staff, "ENG4U", json!(500)).await;
    let id = student.enroll(mail_course).await.expect(StatusCode::CREATED).json()["id"].clone();
    let mail = school.mail(&student.email, "We have your enrollment request").await;
    assert!(mail.text.contains("Proof of Address") && mail.text.contains("date of birth"), "{}", mail.text);
    student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);
    for one in ["government_id", "transcript"] {
        student.upload(one, "a.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    }
    assert_eq!(missing(&staff, &id).await, json!(["guardian", "documents"]));
    same(json!([
        wanted("guardian_confirmation", &json!(null), false),
        wanted("document", &json!("government_id"), true),
        wanted("document", &json!("transcript"), true),
        wanted("document", &json!("proof_of_address"), false),
    ]))
    .await;
    let path = format!("/api/admin/enrollments/{id}/approve");
    assert_eq!(
        staff.post(&path, &json!({})).await.expect(StatusCode::CONFLICT).json()["reason"],
        "guardian_missing"
    );
    school.visitor().get("/api/students/wanted").await.expect(StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn documents_that_are_not_required_are_requested_nowhere() {
    let school = School::open_with(|config| {
        config.office.guardian_confirmation = Demand::Off;
        config.office.documents = Demand::Off;
        config.office.profile = Demand::Off;
    })
    .await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone();
    assert_eq!(student.get("/api/students/wanted").await.json(), json!([]));
    let file = file(&staff, student.id).await;
    assert_eq!((&file["wanted"], &file["flags"]), (&json!([]), &json!(["request_waiting"])));
    assert_eq!(missing(&staff, &id).await, json!([]));
    assert_eq!(staff.get("/api/admin/enrollments?status=pending&ready=1").await.json()[0]["id"], id);
    approve(&staff, &id).await;
}

#[tokio::test]
async fn a_changed_guardian_voids_the_confirmation() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, known(&school).await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone();
    confirm(&staff, student.id).await;
    assert_eq!(missing(&staff, &id).await, json!(["documents"]));
    student.patch("/api/students/me", &json!({ "city": "Ottawa" })).await.expect(StatusCode::OK);
    assert_eq!((missing(&staff, &id).await, changes(&staff).await), (json!(["documents"]), json!([])));

    let body = json!({ "parentName": "Ngozi Okonkwo", "parentContact": "+1 416 555 0101" });
    student.patch("/api/students/me", &body).await.expect(StatusCode::OK);
    assert_eq!(missing(&staff, &id).await, json!(["guardian", "documents"]));
    let record = file(&staff, student.id).await;
    assert_eq!(
        (&record["student"]["guardianConfirmed"], &record["guardians"][0]["confirmed"]),
        (&json!(null), &json!(null))
    );
    let mail = school.mail("chidi@mail.example", "You are no longer the guardian we have on record").await;
    // The office has not looked at what the student typed.
    assert!(!mail.text.contains("Amara") && !mail.text.contains("Ngozi"), "{}", mail.text);
    let listed = changes(&staff).await;
    let fields: Vec<_> =
        listed[0]["changes"].as_array().unwrap().iter().map(|one| (&one["field"], &one["before"])).collect();
    assert_eq!(
        fields,
        [
            (&json!("parentName"), &json!("Chidi Okonkwo")),
            (&json!("parentContact"), &json!("chidi@mail.example"))
        ]
    );
    assert_eq!(
        (&listed[0]["isGuardianChanged"], &listed[0]["isIdentityChanged"], &listed[0]["checkedAt"]),
        (&json!(true), &json!(false), &json!(null))
    );
    // The new one confirms, and nothing waits any more.
    confirm(&staff, student.id).await;
    assert_eq!((missing(&staff, &id).await, changes(&staff).await), (json!(["documents"]), json!([])));

    // What the office writes voids it too; that it was seen is noted without a confirmation.
    let version = file(&staff, student.id).await["student"]["version"].clone();
    let path = format!("/api/admin/students/{}", student.id);
    let body = json!({ "version": version, "parentContact": "+1 416 555 0102" });
    staff.patch(&path, &body).await.expect(StatusCode::OK);
    assert_eq!(missing(&staff, &id).await, json!(["guardian", "documents"]));
    assert_eq!(changes(&staff).await.as_array().unwrap().len(), 1);
    staff.delete(&format!("{path}/guardian-confirmed")).await.expect(StatusCode::OK);
    assert_eq!(
        (missing(&staff, &id).await, changes(&staff).await),
        (json!(["guardian", "documents"]), json!([]))
    );
    assert_eq!(school.count("select count(*) from audit where action = 'see changed guardian'"), 1);

    // So does an import.
    confirm(&staff, student.id).await;
    let sheet = format!("email,fullName,parentName\n{},Amara Okonkwo,Obi Okonkwo\n", student.email);
    let import =
        staff.request("POST", "/api/admin/students/import").header("content-type", "text/csv").body(sheet);
    staff.send(import).await.expect(StatusCode::OK);
    assert_eq!(missing(&staff, &id).await, json!(["guardian", "documents"]));
    assert_eq!(changes(&staff).await[0]["isGuardianChanged"], true);
}

#[tokio::test]
async fn a_confirmation_counts_for_the_requests_of_its_day() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, known(&school).await);
    let (first, second) =
        (school.course(&staff, "ENG4U", json!(500)).await, school.course(&staff, "MHF4U", json!(500)).await);
    let first = student.enroll(first).await.expect(StatusCode::CREATED).json()["id"].clone();
    confirm(&staff, student.id).await;
    let second = student.enroll(second).await.expect(StatusCode::CREATED).json()["id"].clone();
    assert_eq!(missing(&staff, &first).await, json!(["documents"]));
    assert_eq!(missing(&staff, &second).await, json!(["guardian", "documents"]));
    let is_wanted = async || {
        let all = student.get("/api/students/wanted").await.json();
        all.as_array().unwrap().iter().any(|one| one["kind"] == "guardian_confirmation")
    };
    assert!(is_wanted().await);
    assert!(
        file(&staff, student.id).await["flags"]
            .as_array()
            .unwrap()
            .contains(&json!("guardian_not_confirmed"))
    );
    // The same words again are another confirmation, which counts for both.
    confirm(&staff, student.id).await;
    assert_eq!(missing(&staff, &second).await, json!(["documents"]));
    assert!(!is_wanted().await);
    staff
        .delete(&format!("/api/admin/students/{}/guardian-confirmed", student.id))
        .await
        .expect(StatusCode::OK);
    assert_eq!(missing(&staff, &first).await, json!(["guardian", "documents"]));
    assert!(is_wanted().await);
}

#[tokio::test]
async fn the_guardian_of_a_minor_is_replaced_and_never_removed() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, known(&school).await);
    let empty = json!({ "parentName": "", "parentContact": null });
    let fields = student.patch("/api/students/me", &empty).await.fields();
    assert_eq!(
        fields["parentName"],
        "A student under 18 needs a parent or guardian. Enter the new name instead of removing this one."
    );
    assert!(fields["parentContact"].is_string());
    let path = format!("/api/admin/students/{}", student.id);
    let version = file(&staff, student.id).await["student"]["version"].clone();
    let fields = staff.patch(&path, &json!({ "version": version, "parentName": " " })).await.fields();
    assert!(fields["parentName"].as_str().unwrap().contains("Enter the new name"), "{fields}");
    // Two accounts do not lose the one that only one of them names.
    let other = school.student().await;
    other.patch("/api/students/me", &profile(&other.email)).await.expect(StatusCode::OK);
    let merge = json!({ "otherId": other.id, "keep": { "parentName": "other" } });
    let fields = staff.post(&format!("{path}/merge"), &merge).await.fields();
    assert!(fields["keep"].as_str().unwrap().contains("under 18"), "{fields}");
    // A student without a guardian may continue, and an adult student may remove the guardian.
    other
        .patch("/api/students/me", &json!({ "parentName": "", "city": "Ottawa" }))
        .await
        .expect(StatusCode::OK);
    let adult = json!({ "dateOfBirth": "2000-01-01", "parentName": "", "parentContact": "" });
    student.patch("/api/students/me", &adult).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_merge_that_brings_another_guardian_voids_the_confirmation() {
    let school = School::open().await;
    let (staff, kept, gone) = (school.staff().await, known(&school).await, known(&school).await);
    gone.patch("/api/students/me", &json!({ "parentName": "Obi" })).await.expect(StatusCode::OK);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let id = kept.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone();
    confirm(&staff, kept.id).await;
    let body = json!({ "otherId": gone.id, "keep": { "parentName": "other" } });
    staff.post(&format!("/api/admin/students/{}/merge", kept.id), &body).await.expect(StatusCode::OK);
    assert_eq!(missing(&staff, &id).await, json!(["guardian", "documents"]));
    assert_eq!(changes(&staff).await[0]["id"], kept.id);
    school.mail("chidi@mail.example", "You are no longer the guardian we have on record").await;
}

#[tokio::test]
async fn only_a_comparison_is_an_identity_check_and_it_ends_with_what_was_compared() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone();
    let checked = async || file(&staff, student.id).await["student"]["identityCheckedAt"].clone();
    let path = format!("/api/admin/students/{}/confirm-identity", student.id);
    let refused = staff.post(&path, &json!({})).await.expect(StatusCode::CONFLICT);
    assert_eq!(
        refused.message(),
        "There is nothing to compare yet: enter the student's full name and date of birth first."
    );
    student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);
    approve(&staff, &id).await;
    assert_eq!(checked().await, json!(null), "an approval compares nothing");
    for _ in 0..2 {
        staff.post(&path, &json!({})).await.expect(StatusCode::NO_CONTENT);
    }
    assert_eq!(checked().await, "2026-11-21T15:00:00Z");
    assert_eq!(school.count("select count(*) from audit where action = 'confirm identity'"), 1);
    let history = file(&staff, student.id).await["history"][0].clone();
    assert_eq!((&history["field"], &history["by"]), (&json!("identityChecked"), &json!("staff0")));
    // The office corrects the name: the comparison is out of date.
    let version = file(&staff, student.id).await["student"]["version"].clone();
    let body = json!({ "version": version, "fullName": "Amara Chioma Okonkwo" });
    staff.patch(&format!("/api/admin/students/{}", student.id), &body).await.expect(StatusCode::OK);
    assert_eq!((checked().await, changes(&staff).await), (json!(null), json!([])));
    // The student changes it: the office is asked to look again, though nothing was ever compared since.
    student.patch("/api/students/me", &json!({ "fullName": "Chioma" })).await.expect(StatusCode::OK);
    let listed = changes(&staff).await;
    assert_eq!((&listed[0]["id"], &listed[0]["isIdentityChanged"]), (&json!(student.id), &json!(true)));
    staff.post(&path, &json!({ "changedAt": listed[0]["changedAt"] })).await.expect(StatusCode::NO_CONTENT);
    assert_eq!(changes(&staff).await, json!([]));
    assert_eq!(checked().await, "2026-11-21T15:00:00Z");
}

#[tokio::test]
async fn an_approval_keeps_what_was_missing() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, known(&school).await);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone();
    approve(&staff, &id).await;
    confirm(&staff, student.id).await;
    let events = file(&staff, student.id).await["enrollments"][0]["events"].clone();
    assert_eq!((&events[0]["verb"], &events[0]["missing"]), (&json!("request"), &json!(null)));
    assert_eq!(
        (&events[1]["verb"], &events[1]["missing"]),
        (&json!("approve"), &json!(["guardian", "documents"]))
    );
    let audited =
        "select count(*) from audit where action = 'approve' and detail ->> '$.missing[0]' = 'guardian'";
    assert_eq!(school.count(audited), 1);
    let bursar = school.staff_as(Role::Bursar).await;
    assert_eq!(file(&bursar, student.id).await["enrollments"][0]["events"][1]["missing"], json!(null));
    // What is enrolled on behalf keeps it too.
    let other = school.course(&staff, "MHF4U", json!(500)).await;
    let body = json!({ "studentId": student.id, "courseId": other, "startDate": "2026-12-01", "endDate": "2027-03-01",
        "reason": "Agreed on the phone." });
    staff.post("/api/admin/enrollments", &body).await.expect(StatusCode::CREATED);
    let kept = "select count(*) from enrollment_events where missing = '[\"guardian\",\"documents\"]'";
    assert_eq!(school.count(kept), 2);
}

#[tokio::test]
async fn an_edit_that_saw_an_older_profile_changes_nothing() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, known(&school).await);
    let me = async || student.get("/api/students/me").await.expect(StatusCode::OK).json();
    let seen = me().await["version"].clone();
    let version = file(&staff, student.id).await["student"]["version"].clone();
    assert_eq!(seen, version);
    let body = json!({ "version": version, "fullName": "Amara Chioma Okonkwo" });
    staff.patch(&format!("/api/admin/students/{}", student.id), &body).await.expect(StatusCode::OK);
    let late = json!({ "version": seen, "city": "Ottawa" });
    let refused = student.patch("/api/students/me", &late).await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.json()["current"]["fullName"], "Amara Chioma Okonkwo");
    assert_eq!(me().await["city"], "Mississauga");
    let again = json!({ "version": refused.json()["current"]["version"], "city": "Ottawa" });
    student.patch("/api/students/me", &again).await.expect(StatusCode::OK);
    assert_eq!(
        (&me().await["city"], &me().await["fullName"]),
        (&json!("Ottawa"), &json!("Amara Chioma Okonkwo"))
    );
    // Without a version the call is what it always was.
    student.patch("/api/students/me", &json!({ "city": "Toronto" })).await.expect(StatusCode::OK);
    let fields = student.patch("/api/students/me", &json!({ "version": "x" })).await.fields();
    assert_eq!(fields, json!({ "version": "Must be a whole number" }));
}
