//! The documents that the school requires: the office's list, which begins with the configuration, and waivers.

use reqwest::StatusCode;
use schoolhouse::testing::{Demand, Role};
use serde_json::{Value, json};

use super::review::{accept, file, upload, wanted, wanted_document};
use crate::support::{School, profile};

#[tokio::test]
async fn requirements_begin_with_the_configuration_and_are_the_offices_from_then_on() {
    let school = School::open_with(|config| config.office.documents = Demand::Required).await;
    let (staff, student) = (school.staff().await, school.student().await);
    let path = "/api/admin/document-requirements";
    let list = async || staff.get(path).await.expect(StatusCode::OK).json();
    let begun = list().await;
    let everyone = json!({ "canadianStatus": null, "minAge": null, "maxAge": null, "gradeMin": null,
        "hasPrerequisite": null });
    assert_eq!(
        begun[0],
        json!({ "id": begun[0]["id"], "documentType": "government_id", "label": "Government ID", "applies": everyone,
            "neededFor": "request", "validMonths": null, "isActive": true })
    );
    assert_eq!(begun.as_array().unwrap().len(), 2);
    let mut transcript = begun[1].clone();
    transcript["neededFor"] = "approval".into();
    transcript["validMonths"] = 6.into();
    let permit =
        json!({ "documentType": "study_permit", "applies": { "canadianStatus": ["international_student"] } });
    let minor = json!({ "documentType": "custodianship", "label": "Custodian’s letter", "applies": { "maxAge": 17 } });
    let put = async |rows: Value| {
        let request = staff.request("PUT", path).json(&rows);
        staff.send(request).await
    };
    let replaced = put(json!([transcript, permit, minor])).await.expect(StatusCode::OK).json();
    assert_eq!(replaced, list().await);
    let active: Vec<_> =
        replaced.as_array().unwrap().iter().map(|row| (&row["label"], &row["isActive"])).collect();
    assert_eq!(
        active,
        [
            (&json!("School Transcript"), &json!(true)),
            (&json!("Study Permit"), &json!(true)),
            (&json!("Custodian’s letter"), &json!(true)),
            (&json!("Government ID"), &json!(false)),
        ]
    );
    let labels = async || -> Vec<Value> {
        let all = wanted(&student).await;
        let documents = all.as_array().unwrap().iter().filter(|one| one["kind"] == "document");
        documents.map(|one| one["label"].clone()).collect()
    };
    // A student without a birth date counts as a minor; the status decides whether the student is international.
    assert_eq!(labels().await, ["School Transcript", "Custodian’s letter"]);
    let mut facts = profile(&student.email);
    facts["dateOfBirth"] = "2008-11-21".into();
    facts["canadianStatus"] = "international_student".into();
    student.patch("/api/students/me", &facts).await.expect(StatusCode::OK);
    assert_eq!(labels().await, ["School Transcript", "Study Permit"], "18 today");

    // For an approval the transcript has to be accepted, the permit only uploaded.
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let enrollment = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone();
    let approve =
        async || staff.post(&format!("/api/admin/enrollments/{enrollment}/approve"), &json!({})).await;
    upload(&student, "study_permit").await;
    let id = upload(&student, "transcript").await;
    assert_eq!(approve().await.expect(StatusCode::CONFLICT).json()["reason"], "documents_missing");
    let accepted = accept(&staff, id).await;
    assert_eq!(accepted["expiresOn"], "2027-05-21", "six months");
    approve().await.expect(StatusCode::OK);

    // A restart with another configuration changes nothing.
    let school = school.reopen_with(|config| config.office.required_documents.clear()).await;
    let staff = school.staff().await;
    assert_eq!(staff.get(path).await.expect(StatusCode::OK).json(), replaced);
}

#[tokio::test]
async fn a_wrong_requirement_is_named_by_its_row_and_changes_nothing() {
    let school = School::open().await;
    let staff = school.staff().await;
    let path = "/api/admin/document-requirements";
    let put = async |rows: Value| staff.send(staff.request("PUT", path).json(&rows)).await;
    let before = staff.get(path).await.json();
    let good = before[0].clone();
    for (row, field) in [
        (json!({}), "1.documentType"),
        (json!({ "documentType": "other" }), "1.documentType"),
        (json!({ "documentType": "iep", "id": 999 }), "1.id"),
        (good.clone(), "1.id"),
        (json!({ "documentType": "iep", "label": "x".repeat(101) }), "1.label"),
        (json!({ "documentType": "iep", "neededFor": "fun" }), "1.neededFor"),
        (json!({ "documentType": "iep", "validMonths": 0 }), "1.validMonths"),
        (json!({ "documentType": "iep", "isActive": "no" }), "1.isActive"),
        (json!({ "documentType": "iep", "applies": 5 }), "1.applies"),
        (json!({ "documentType": "iep", "applies": { "gradeMin": 8 } }), "1.applies.gradeMin"),
        (json!({ "documentType": "iep", "applies": { "minAge": 18, "maxAge": 17 } }), "1.applies.maxAge"),
        (
            json!({ "documentType": "iep", "applies": { "canadianStatus": ["alien"] } }),
            "1.applies.canadianStatus",
        ),
    ] {
        let fields = put(json!([good, row])).await.fields();
        assert!(fields[field].is_string(), "{row}: {fields}");
    }
    put(json!({ "documentType": "iep" })).await.expect(StatusCode::BAD_REQUEST);
    put(json!([["iep"]])).await.expect(StatusCode::BAD_REQUEST);
    assert_eq!(staff.get(path).await.json(), before);
    assert_eq!(put(json!([])).await.expect(StatusCode::OK).json()[0]["isActive"], false);
    for role in [Role::Bursar, Role::Viewer] {
        school.staff_as(role).await.get(path).await.expect(StatusCode::FORBIDDEN);
    }
}

#[tokio::test]
async fn a_waived_document_is_asked_for_no_longer_and_can_be_asked_for_again() {
    let school = School::open_with(|config| config.office.documents = Demand::Required).await;
    let (staff, student) = (school.staff().await, school.student().await);
    let requirements = staff.get("/api/admin/document-requirements").await.json();
    let path = format!("/api/admin/students/{}/waivers", student.id);
    assert!(staff.post(&path, &json!({ "requirementId": 999 })).await.fields()["reason"].is_string());
    for requirement in requirements.as_array().unwrap() {
        let body = json!({ "requirementId": requirement["id"], "reason": "Known to the school for years" });
        for _ in 0..2 {
            let made = staff.post(&path, &body).await.expect(StatusCode::CREATED).json();
            assert_eq!((&made["label"], &made["by"]), (&requirement["label"], &json!("staff0")));
        }
    }
    assert_eq!(school.count("select count(*) from audit where action = 'waive'"), 2);
    assert_eq!(wanted_document(&student, "transcript").await, None);
    let record = file(&staff, &student).await;
    assert_eq!(record["waivers"].as_array().unwrap().len(), 2);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone();
    let rows = staff.get("/api/admin/enrollments").await.json();
    assert_eq!((&rows[0]["id"], &rows[0]["documents"]), (&id, &json!({ "present": 2, "required": 2 })));
    let taken = format!("{path}/{}", requirements[1]["id"]);
    staff.delete(&taken).await.expect(StatusCode::NO_CONTENT);
    staff.delete(&taken).await.expect(StatusCode::NOT_FOUND);
    assert!(wanted_document(&student, "transcript").await.is_some());
    let other = json!({ "requirementId": requirements[0]["id"] });
    staff.post("/api/admin/students/999999/waivers", &other).await.expect(StatusCode::NOT_FOUND);
    // Without the duty to write money only a document is waived, whatever else the body is.
    let registrar = school.staff_as(Role::Registrar).await;
    for body in ["{}", "{not json", "[]", r#"{"requirementId":null}"#, r#"{"enrollmentId":1,"amount":5}"#] {
        let request = registrar.request("POST", &path).header("content-type", "application/json").body(body);
        registrar.send(request).await.expect(StatusCode::FORBIDDEN);
    }
    registrar.post(&path, &other).await.expect(StatusCode::BAD_REQUEST);
    let bursar = school.staff_as(Role::Bursar).await;
    bursar.post(&path, &other).await.expect(StatusCode::FORBIDDEN);
    assert!(bursar.post(&path, &json!({})).await.fields()["amount"].is_string());
}
