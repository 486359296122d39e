//! Guardians: their list, their mailed page, confirmations, refusals, reminders, copies and custody.

mod emails;

use reqwest::StatusCode;
use schoolhouse::testing::Demand;
use serde_json::{Value, json};

use crate::support::{Actor, Answer, School, Student, profile};

const CHIDI: &str = "chidi@mail.example";
const ASKED: &str = "Please confirm a request";

/// A student under 18 with a complete profile, whose guardians are these.
async fn child(school: &School, name: &str, born: &str, guardians: Value) -> Student {
    let student = school.student().await;
    let mut facts = profile(&student.email);
    facts["fullName"] = name.into();
    facts["dateOfBirth"] = born.into();
    student.patch("/api/students/me", &facts).await.expect(StatusCode::OK);
    put(&student, "/api/students/guardians", guardians).await.expect(StatusCode::OK);
    student
}

fn chidi() -> Value {
    json!([{ "name": "Chidi Okonkwo", "email": CHIDI, "relationship": "father" }])
}

async fn put(actor: &Actor, path: &str, body: Value) -> Answer {
    actor.send(actor.request("PUT", path).json(&body)).await
}

async fn request(student: &Student, course: i64) -> Value {
    student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone()
}

/// A visitor who opened the link of the newest email with this subject.
async fn guardian(school: &School, email: &str, subject: &str) -> Actor {
    let token = school.mail(email, subject).await.token("/family/");
    let visitor = school.visitor();
    visitor.post("/api/family/session", &json!({ "token": token })).await.expect(StatusCode::OK);
    visitor
}

async fn family(visitor: &Actor) -> Value {
    visitor.get("/api/family").await.expect(StatusCode::OK).json()
}

async fn missing(staff: &Actor, id: &Value) -> Value {
    let rows = staff.get("/api/admin/enrollments").await.expect(StatusCode::OK).json();
    rows.as_array().unwrap().iter().find(|row| row["id"] == *id).unwrap()["missing"].clone()
}

async fn confirm(visitor: &Actor, id: &Value, body: Value) -> Answer {
    visitor.post(&format!("/api/family/enrollments/{id}/confirm"), &body).await
}

#[tokio::test]
async fn done_ends_the_session_of_a_link_and_the_link_opens_the_page_again() {
    let school = School::open().await;
    let staff = school.staff().await;
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let student = child(&school, "Ada Okonkwo", "2010-02-28", chidi()).await;
    request(&student, course).await;
    let visitor = guardian(&school, CHIDI, ASKED).await;
    let answer = visitor.send(visitor.request("DELETE", "/api/family/session")).await;
    assert!(answer.expect(StatusCode::NO_CONTENT).header("set-cookie").contains("Max-Age=0"));
    visitor.get("/api/family").await.expect(StatusCode::UNAUTHORIZED);
    assert_eq!(school.count("select count(*) from links where is_session = 1"), 0);
    let again = guardian(&school, CHIDI, ASKED).await;
    again.get("/api/family").await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_transfer_does_not_go_round_the_guardian_where_the_confirmation_is_required() {
    let school = School::open_with(|config| config.office.guardian_confirmation = Demand::Required).await;
    let staff = school.staff().await;
    let english = school.course(&staff, "ENG4U", json!(500)).await;
    let maths = school.course(&staff, "MHF4U", json!(500)).await;
    let student = child(&school, "Ada Okonkwo", "2010-02-28", chidi()).await;
    let id = request(&student, english).await;
    let visitor = guardian(&school, CHIDI, ASKED).await;
    confirm(&visitor, &id, json!({ "name": "Chidi Okonkwo" })).await.expect(StatusCode::OK);
    let path = |verb: &str| format!("/api/admin/enrollments/{id}/{verb}");
    staff.post(&path("approve"), &json!({})).await.expect(StatusCode::OK);
    let mut body = json!({ "courseId": maths, "reason": "The family asked for mathematics." });
    let refused = staff.post(&path("transfer"), &body).await.expect(StatusCode::CONFLICT).json();
    assert_eq!(refused["reason"], json!("guardian_missing"), "{refused}");
    assert_eq!(school.count("select count(*) from enrollments"), 1, "nothing was moved");
    body["override"] = json!({ "guardian": "The mother agreed by telephone" });
    let moved = staff.post(&path("transfer"), &body).await.expect(StatusCode::OK).json();
    let next = moved["transferredTo"].clone();
    assert_eq!(missing(&staff, &next).await[0], json!("guardian"), "the row says so");
    let seen = family(&visitor).await;
    let rows = seen["children"][0]["enrollments"].as_array().unwrap();
    let row = rows.iter().find(|row| row["id"] == next).unwrap();
    assert_eq!(row["isAsked"], json!(true), "the guardian is asked again");
    confirm(&visitor, &next, json!({ "name": "Chidi Okonkwo" })).await.expect(StatusCode::OK);
    assert_ne!(missing(&staff, &next).await[0], json!("guardian"));
}

#[tokio::test]
async fn a_guardian_of_two_confirms_by_a_mailed_link_that_decides_nothing_itself() {
    let school = School::open_with(|config| config.office.guardian_confirmation = Demand::Required).await;
    let staff = school.staff().await;
    let [english, maths, physics] = [
        school.course(&staff, "ENG4U", json!(500)).await,
        school.course(&staff, "MHF4U", json!(null)).await,
        school.course(&staff, "SPH4U", json!(0)).await,
    ];
    // The elder turns 18 tomorrow.
    let elder = child(&school, "Ada Okonkwo", "2008-11-22", chidi()).await;
    let younger = child(&school, "Bola Okonkwo", "2010-02-28", chidi()).await;
    let stranger =
        child(&school, "Mei Chen", "2010-01-01", json!([{ "name": "Wei", "email": "wei@mail.example" }]))
            .await;
    let first = request(&elder, english).await;
    let foreign = request(&stranger, english).await;
    let mail = school.mail(CHIDI, ASKED).await;
    assert!(!mail.text.contains("Okonkwo"), "names that the office has not seen: {}", mail.text);
    for words in [
        "A student who named you as a parent or guardian",
        "ENG4U",
        "$500.00",
        "Payment code: NA-",
        "Start date",
        "Refunds",
        "seven days",
        "Northgate",
    ] {
        assert!(mail.text.contains(words), "{words}: {}", mail.text);
    }
    // A scanner opens the page, as often as it likes.
    let token = mail.token("/family/");
    let scanner = school.visitor();
    let page = scanner.get(&format!("/family/{token}")).await.expect(StatusCode::OK);
    assert_eq!(
        (page.header("referrer-policy"), page.meta("robots")),
        ("no-referrer", Some("noindex".into()))
    );
    assert_eq!(missing(&staff, &first).await, json!(["guardian", "documents"]));
    scanner.get("/api/family").await.expect(StatusCode::UNAUTHORIZED);
    let refused = scanner.post("/api/family/session", &json!({ "token": "x".repeat(43) })).await;
    assert!(refused.expect(StatusCode::NOT_FOUND).message().contains("expired"));

    let visitor = guardian(&school, CHIDI, ASKED).await;
    let second = request(&younger, maths).await;
    let seen = family(&visitor).await;
    let children = seen["children"].as_array().unwrap();
    let names: Vec<_> = children.iter().map(|child| child["fullName"].as_str().unwrap()).collect();
    assert_eq!(names, ["Ada Okonkwo", "Bola Okonkwo"]);
    let row = &children[0]["enrollments"][0];
    assert_eq!((&row["id"], &row["status"], &row["price"]), (&first, &json!("pending"), &json!(500)));
    assert_eq!((&row["guardianConfirmed"], &row["isAsked"]), (&json!(false), &json!(true)));
    assert_eq!(children[0]["balance"], json!(0));
    assert_eq!(children[0]["wanted"][0]["kind"], "guardian_confirmation");

    assert!(confirm(&visitor, &first, json!({ "name": " " })).await.fields()["name"].is_string());
    confirm(&visitor, &foreign, json!({ "name": "Chidi" })).await.expect(StatusCode::NOT_FOUND);
    confirm(&visitor, &json!(99_999), json!({ "name": "Chidi" })).await.expect(StatusCode::NOT_FOUND);
    for _ in 0..2 {
        let row =
            confirm(&visitor, &first, json!({ "name": "Chidi Okonkwo" })).await.expect(StatusCode::OK).json();
        assert_eq!((&row["guardianConfirmed"], &row["isAsked"]), (&json!(true), &json!(false)));
    }
    assert_eq!(school.count("select count(*) from confirmations"), 1);
    assert_eq!(missing(&staff, &first).await, json!(["documents"]));
    assert_eq!(missing(&staff, &second).await, json!(["guardian", "documents"]), "another child's request");
    let record = staff.get(&format!("/api/admin/students/{}", elder.id)).await.json();
    let confirmed = &record["guardians"][0]["confirmed"];
    assert_eq!(
        (&confirmed["how"], &confirmed["by"], &confirmed["name"]),
        (&json!("link"), &json!(null), &json!("Chidi Okonkwo"))
    );
    assert_eq!(record["history"][0]["actorKind"], "guardian");

    // For the school year: later requests need no other confirmation.
    let year = json!({ "name": "Chidi", "scope": "school_year" });
    confirm(&visitor, &second, year).await.expect(StatusCode::OK);
    let third = request(&younger, physics).await;
    assert_eq!(missing(&staff, &third).await, json!(["documents"]));
    // Another contact is another guardian: the office and the replaced one are told.
    let id = younger.get("/api/students/guardians").await.json()[0]["id"].clone();
    let other = json!([{ "id": id, "name": "Chidi Okonkwo", "email": "other@mail.example" }]);
    put(&younger, "/api/students/guardians", other).await.expect(StatusCode::OK);
    assert_eq!(missing(&staff, &third).await, json!(["guardian", "documents"]));
    school.mail(CHIDI, "You are no longer the guardian we have on record").await;
    let mail = school.mail("other@mail.example", ASKED).await;
    assert!(mail.text.contains("MHF4U") && mail.text.contains("SPH4U"), "{}", mail.text);
    assert_eq!(staff.get("/api/admin/students/identity-changes").await.json()[0]["isGuardianChanged"], true);
    assert_eq!(family(&visitor).await["children"].as_array().unwrap().len(), 1);

    school.advance(jiff::SignedDuration::from_hours(14));
    assert_eq!(family(&visitor).await["children"], json!([]), "the elder is 18 at the school");
    confirm(&visitor, &first, json!({ "name": "Chidi" })).await.expect(StatusCode::NOT_FOUND);
    // Of age, the elder may have the guardians keep the page; the younger's is theirs in any case.
    let page = "/api/students/family-page";
    put(&younger, page, json!({ "isKept": false })).await.expect(StatusCode::CONFLICT);
    for _ in 0..2 {
        let kept = put(&elder, page, json!({ "isKept": true })).await.expect(StatusCode::OK).json();
        assert_eq!(kept, json!({ "isOfAge": true, "isKept": true }));
    }
    assert_eq!(family(&visitor).await["children"][0]["fullName"], "Ada Okonkwo");
    let staff = school.staff().await;
    let record = staff.get(&format!("/api/admin/students/{}", elder.id)).await.json();
    assert!(record["student"]["familyPageSince"].is_string());
    assert_eq!(record["history"][0]["field"], "familyPage");
    put(&elder, page, json!({ "isKept": false })).await.expect(StatusCode::OK);
    assert_eq!(family(&visitor).await["children"], json!([]));
    school.advance(jiff::SignedDuration::from_hours(24));
    visitor.get("/api/family").await.expect(StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_guardian_refuses_with_a_reason_that_student_and_office_read() {
    let school = School::open().await;
    let staff = school.staff().await;
    let [english, maths] =
        [school.course(&staff, "ENG4U", json!(500)).await, school.course(&staff, "MHF4U", json!(500)).await];
    let student = child(&school, "Ada Okonkwo", "2010-02-28", chidi()).await;
    let (first, second) = (request(&student, english).await, request(&student, maths).await);
    let visitor = guardian(&school, CHIDI, ASKED).await;
    let refuse = |id: &Value| format!("/api/family/enrollments/{id}/refuse");
    assert!(visitor.post(&refuse(&first), &json!({ "reason": "" })).await.fields()["reason"].is_string());
    let why = json!({ "reason": "Two courses are too many" });
    for _ in 0..2 {
        let row = visitor.post(&refuse(&first), &why).await.expect(StatusCode::OK).json();
        assert_eq!((&row["status"], &row["reason"]), (&json!("withdrawn"), &why["reason"]));
    }
    let own = student.get("/api/students/enrollments").await.json();
    let own = own.as_array().unwrap().iter().find(|one| one["id"] == first).unwrap().clone();
    assert_eq!((&own["status"], &own["reason"]), (&json!("withdrawn"), &why["reason"]));
    let mail = school.mail(&student.email, "Your request was withdrawn by your parent or guardian").await;
    assert!(mail.text.contains("Two courses are too many"), "{}", mail.text);
    let record = staff.get(&format!("/api/admin/students/{}", student.id)).await.json();
    let enrollment = record["enrollments"].as_array().unwrap().iter().find(|one| one["id"] == first).unwrap();
    let event =
        enrollment["events"].as_array().unwrap().iter().find(|event| event["to"] == "withdrawn").unwrap();
    assert_eq!((&event["actorKind"], &event["reason"]), (&json!("guardian"), &why["reason"]));
    // What the office has decided is for the office to undo.
    staff.post(&format!("/api/admin/enrollments/{second}/approve"), &json!({})).await.expect(StatusCode::OK);
    let late = visitor.post(&refuse(&second), &why).await.expect(StatusCode::CONFLICT).json();
    assert_eq!((&late["current"]["id"], &late["current"]["status"]), (&second, &json!("active")));
    let late =
        confirm(&visitor, &first, json!({ "name": "Chidi" })).await.expect(StatusCode::CONFLICT).json();
    assert_eq!(late["current"]["status"], "withdrawn");
    let copies = school.all_mails().await;
    assert_eq!(copies.iter().filter(|mail| mail.subject.contains("withdrawn by your parent")).count(), 1);
}

#[tokio::test]
async fn the_list_of_guardians_is_kept_by_student_and_office() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);
    let path = "/api/students/guardians";
    assert_eq!(student.get(path).await.expect(StatusCode::OK).json(), json!([]));
    put(&student, path, json!([])).await.expect(StatusCode::OK);
    let wrong = json!([{ "name": "", "email": student.email, "relationship": "aunt" }, { "name": "B", "email": "b", "id": 9 }]);
    let fields = put(&student, path, wrong).await.fields();
    for name in ["0.name", "0.relationship", "1.email"] {
        assert!(fields[name].is_string(), "{name}: {fields}");
    }
    let own = json!([{ "name": "Me", "email": student.email.to_uppercase() }]);
    assert!(put(&student, path, own).await.fields()["0.email"].as_str().unwrap().contains("student’s own"));
    let both = json!([{ "name": "A", "phone": "1", "isPrimary": true }, { "name": "B", "phone": "2", "isPrimary": true }]);
    assert!(put(&student, path, both).await.fields()["guardians"].is_string());

    let two = json!([
        { "name": "Ngozi", "email": "Ngozi@Mail.example", "phone": "416 555 0101", "relationship": "mother" },
        { "name": "Chidi", "email": CHIDI, "relationship": "father", "getsMail": false },
    ]);
    let listed = put(&student, path, two).await.expect(StatusCode::OK).json();
    assert_eq!((&listed[0]["email"], &listed[0]["isPrimary"]), (&json!("ngozi@mail.example"), &json!(true)));
    assert_eq!((&listed[1]["getsMail"], &listed[1]["isPrimary"]), (&json!(false), &json!(false)));
    let me = student.get("/api/students/me").await.json();
    let contact = json!("ngozi@mail.example, 416 555 0101");
    assert_eq!((&me["parentName"], &me["parentContact"]), (&json!("Ngozi"), &contact));
    // The profile's two fields are the primary one's, in both directions.
    let facts = json!({ "parentName": "Ngozi O.", "parentContact": "647 555 0102" });
    student.patch("/api/students/me", &facts).await.expect(StatusCode::OK);
    let listed = student.get(path).await.json();
    assert_eq!(
        (&listed[0]["name"], &listed[0]["phone"], &listed[0]["email"]),
        (&json!("Ngozi O."), &json!("647 555 0102"), &json!(null))
    );
    assert_eq!(listed[1]["name"], "Chidi");
    assert!(
        put(&student, path, json!([])).await.fields()["guardians"].as_str().unwrap().contains("under 18")
    );

    let office = format!("/api/admin/students/{}/guardians", student.id);
    let swapped = json!([
        { "id": listed[0]["id"], "name": "Ngozi O.", "phone": "647 555 0102", "relationship": "mother" },
        { "id": listed[1]["id"], "name": "Chidi", "email": CHIDI, "relationship": "father", "isPrimary": true },
    ]);
    let swapped = put(&staff, &office, swapped).await.expect(StatusCode::OK).json();
    assert_eq!((&swapped[0]["id"], &swapped[0]["isPrimary"]), (&listed[1]["id"], &json!(true)));
    assert_eq!(student.get("/api/students/me").await.json()["parentContact"], CHIDI);
    let record = staff.get(&format!("/api/admin/students/{}", student.id)).await.json();
    assert_eq!(
        (&record["guardians"][0]["contact"], &record["guardians"][1]["relationship"]),
        (&json!(CHIDI), &json!("mother"))
    );
    assert_eq!(
        school.count(
            "select count(*) from audit where action = 'change' and detail ->> '$.guardians' is not null"
        ),
        1
    );
    put(&staff, "/api/admin/students/999/guardians", json!([])).await.expect(StatusCode::NOT_FOUND);
    put(&school.visitor(), path, json!([])).await.expect(StatusCode::UNAUTHORIZED);
}

async fn publish_every_guardian(staff: &Actor, choice: Value) {
    let page = staff.get("/api/admin/settings").await.expect(StatusCode::OK).json();
    assert_eq!(page["defaults"]["everyGuardianConfirms"], true);
    let mut settings = page["settings"].clone();
    settings["everyGuardianConfirms"] = choice;
    let draft = json!({ "version": page["version"], "settings": settings });
    let saved = put(staff, "/api/admin/settings/draft", draft).await.expect(StatusCode::OK).json();
    assert_eq!(saved["changes"], json!(["Guardians"]));
    let version = json!({ "version": saved["version"] });
    staff.post("/api/admin/settings/publish", &version).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn every_guardian_confirms_where_the_school_asks_all() {
    let school = School::open_with(|config| config.office.every_guardian_confirms = true).await;
    let staff = school.staff().await;
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let parents = json!([
        { "name": "Chidi", "email": CHIDI, "relationship": "father" },
        { "name": "Ngozi", "email": "ngozi@mail.example", "relationship": "mother" },
        { "name": "An Agency", "email": "agency@mail.example", "relationship": "agency", "getsMail": false },
    ]);
    let student = child(&school, "Ada", "2010-02-28", parents).await;
    let id = request(&student, course).await;
    let visitor = guardian(&school, CHIDI, ASKED).await;
    let row = confirm(&visitor, &id, json!({ "name": "Chidi" })).await.expect(StatusCode::OK).json();
    assert_eq!((&row["guardianConfirmed"], &row["isWaitingForOthers"]), (&json!(true), &json!(true)));
    assert_eq!(missing(&staff, &id).await, json!(["guardian", "documents"]));
    // Site Settings own the choice; the file has the default.
    publish_every_guardian(&staff, json!(false)).await;
    assert_eq!(missing(&staff, &id).await, json!(["documents"]));
    publish_every_guardian(&staff, json!(null)).await;
    assert_eq!(missing(&staff, &id).await, json!(["guardian", "documents"]));
    let listed = student.get("/api/students/guardians").await.json();
    let heard = json!({ "how": "phone", "guardianId": listed[1]["id"] });
    staff
        .post(&format!("/api/admin/students/{}/guardian-confirmed", student.id), &heard)
        .await
        .expect(StatusCode::OK);
    assert_eq!(missing(&staff, &id).await, json!(["documents"]), "an agency is not asked");
    let linked = json!({ "how": "link" });
    let refused =
        staff.post(&format!("/api/admin/students/{}/guardian-confirmed", student.id), &linked).await;
    assert!(refused.fields()["how"].is_string());
}

#[tokio::test]
async fn the_office_stops_disclosing_to_a_guardian_and_resumes() {
    let school = School::open().await;
    let staff = school.staff().await;
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let student = child(&school, "Ada", "2010-02-28", chidi()).await;
    let id = request(&student, course).await;
    let visitor = guardian(&school, CHIDI, ASKED).await;
    confirm(&visitor, &id, json!({ "name": "Chidi" })).await.expect(StatusCode::OK);
    let guardian_id = student.get("/api/students/guardians").await.json()[0]["id"].clone();
    let verb = |verb: &str| format!("/api/admin/students/{}/guardians/{guardian_id}/{verb}", student.id);
    assert!(staff.post(&verb("stop"), &json!({ "reason": "" })).await.fields()["reason"].is_string());
    for _ in 0..2 {
        let listed = staff
            .post(&verb("stop"), &json!({ "reason": "Court order of May 3" }))
            .await
            .expect(StatusCode::OK)
            .json();
        assert!(listed[0]["stoppedAt"].is_string());
    }
    assert_eq!(family(&visitor).await["children"], json!([]), "the open session sees nothing more");
    confirm(&visitor, &id, json!({ "name": "Chidi" })).await.expect(StatusCode::NOT_FOUND);
    assert_eq!(missing(&staff, &id).await, json!(["guardian", "documents"]));
    let record = staff.get(&format!("/api/admin/students/{}", student.id)).await.json();
    assert_eq!(record["guardians"][0]["stoppedReason"], "Court order of May 3");
    // The student neither reads why, nor gets around it.
    let seen = student.get("/api/students/guardians").await;
    assert!(!seen.text().contains("Court order"));
    let around = json!([{ "name": "Chidi O.", "email": CHIDI }]);
    assert!(put(&student, "/api/students/guardians", around).await.fields()["0.email"].is_string());
    let ngozi = json!([{ "name": "Ngozi", "email": "ngozi@mail.example" }]);
    let listed = put(&student, "/api/students/guardians", ngozi).await.expect(StatusCode::OK).json();
    assert_eq!(listed.as_array().unwrap().len(), 2, "the stop outlasts the list");
    let facts = json!({ "parentName": "Chidi", "parentContact": CHIDI });
    student.patch("/api/students/me", &facts).await.expect(StatusCode::OK);
    assert_eq!(family(&visitor).await["children"], json!([]), "and the profile");
    visitor.post("/api/family/link", &json!({ "email": CHIDI })).await.expect(StatusCode::OK);
    student
        .post(&format!("/api/students/enrollments/{id}/withdraw"), &json!({}))
        .await
        .expect(StatusCode::OK);
    let mails = school.all_mails().await;
    assert_eq!(mails.iter().filter(|mail| mail.to == CHIDI).count(), 1, "the question before the stop");

    for _ in 0..2 {
        staff.post(&verb("resume"), &json!({})).await.expect(StatusCode::OK);
    }
    assert_eq!(family(&visitor).await["children"][0]["fullName"], "Ada");
    let acts = "select group_concat(action) from (select action from audit where action like '% guardian' order by id)";
    let acts: String = school.database().query_row(acts, [], |row| row.get(0)).unwrap();
    assert_eq!(acts, "stop guardian,resume guardian");
    let foreign = format!("/api/admin/students/{}/guardians/999/stop", student.id);
    staff.post(&foreign, &json!({ "reason": "Court order" })).await.expect(StatusCode::NOT_FOUND);
}
