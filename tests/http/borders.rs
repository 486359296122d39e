//! Facts at the borders: each field of a form is read somewhere afterwards. The fields come from the OpenAPI document:
//! a new one fails here until a cell says who reads it.

use std::collections::BTreeMap;

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::admissions::{apply, call, number, open};
use crate::support::{Actor, PASSWORD, School, Student, profile};

const EMAIL: &str = "emi@mail.example";
const PHONE: &str = "(416) 555-0101";

/// The names of a form's fields.
async fn fields(school: &School, form: &str) -> Vec<String> {
    let document = school.visitor().get("/api/openapi.json").await.expect(StatusCode::OK).json();
    let properties = &document["components"]["schemas"][form]["properties"];
    properties.as_object().unwrap().keys().cloned().collect()
}

/// What readers see of a field: a place in one of these answers, and the value there.
type Cell = (&'static str, &'static str, Value);

/// Compares every field of a form with its cells.
async fn compare(
    school: &School,
    form: &str,
    answers: &BTreeMap<&str, Value>,
    cells: impl Fn(&str) -> Option<Vec<Cell>>,
) {
    let mut wrong = Vec::new();
    for field in fields(school, form).await {
        let Some(cells) = cells(&field) else {
            wrong.push(format!("{field}: a new field; say here who reads it"));
            continue;
        };
        for (reader, place, expected) in cells {
            let found = answers[reader].pointer(place);
            if found != Some(&expected) {
                wrong.push(format!("{field}: {reader}{place} is {found:?} and not {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{form}:\n{}", wrong.join("\n"));
}

/// A form with every field of an application.
fn whole_application() -> Value {
    json!({ "door": "place", "firstName": "Mei-Lin", "lastName": "Tanaka", "email": "family@mail.example",
        "phone": "647 555 0199", "address": "88 Sample Crescent, ".repeat(12), "grade": 11, "dateOfBirth": "2010-03-01",
        "consents": ["privacy", "marketing"], "guardianName": "Emi Tanaka", "guardianEmail": EMAIL,
        "country": "CA", "city": "Toronto", "province": "Ontario", "postalCode": "M5V 0A0", "gender": "female",
        "guardianPhone": PHONE, "relationship": "mother", "previousSchool": "Lakeview", "startTerm": "February 2027",
        "wantedCourses": ["ENG4U", "MHF4U"], "message": "She likes physics.", "language": "fr", "website": "",
        "askedBirthDate": "" })
}

/// Applies, is offered a place and accepts; returns the student's page in the office.
async fn admitted(school: &School, staff: &Actor, application: &Value, student_email: Option<&str>) -> Value {
    let reference = apply(&school.visitor(), application).await;
    let id = number(staff, &reference).await;
    let offer = json!({ "feeDue": 100, "expiresOn": "2026-12-09" });
    let offer =
        staff.post(&call(id, "offer"), &offer).await.expect(StatusCode::OK).json()["offer"]["id"].clone();
    let mailbox = application["email"].as_str().unwrap();
    let family = open(school, mailbox, &format!("We offer you a place ({reference})")).await;
    let mut acceptance = json!({ "name": "Emi Tanaka", "agreed": true, "offerId": offer });
    if let Some(email) = student_email {
        acceptance["studentEmail"] = email.into();
    }
    family.post("/api/applications/me/accept", &acceptance).await.expect(StatusCode::OK);
    let request =
        staff.get(&format!("/api/admin/admission-requests/{id}")).await.expect(StatusCode::OK).json();
    file(staff, &request["studentId"]).await
}

async fn file(staff: &Actor, student: &Value) -> Value {
    staff.get(&format!("/api/admin/students/{student}")).await.expect(StatusCode::OK).json()
}

#[tokio::test]
async fn each_field_of_an_application_is_read_after_the_acceptance() {
    let school = School::open().await;
    let staff = school.staff().await;
    let application = whole_application();
    let file = admitted(&school, &staff, &application, Some("mei@mail.example")).await;
    let answers = BTreeMap::from([("file", file)]);
    let sent = |field: &str| application[field].clone();
    compare(&school, "ApplicationForm", &answers, |field| {
        // Corrections and the request's own page write them again.
        let shown = |place, value: Value| ("file", place, value);
        Some(match field {
            // The only door, and two fields that people do not see.
            "door" | "website" | "askedBirthDate" => vec![],
            "firstName" => vec![
                shown("/student/fullName", json!("Mei-Lin Tanaka")),
                shown("/applications/0/firstName", sent(field)),
            ],
            "lastName" => vec![shown("/applications/0/lastName", sent(field))],
            "email" => vec![
                shown("/student/email", json!("mei@mail.example")),
                shown("/applications/0/email", sent(field)),
            ],
            "phone" => vec![shown("/student/phoneNumber", json!("(647) 555-0199"))],
            "address" => vec![shown("/student/address", json!(sent(field).as_str().unwrap().trim()))],
            "grade" => vec![shown("/applications/0/grade", sent(field))],
            "dateOfBirth" => vec![shown("/student/dateOfBirth", sent(field))],
            "consents" => vec![
                shown("/consents/0/kind", json!("offer")),
                shown("/consents/1/kind", json!("marketing")),
                shown("/consents/2/kind", json!("privacy")),
            ],
            "guardianName" => {
                vec![shown("/guardians/0/name", sent(field)), shown("/student/parentName", sent(field))]
            }
            "guardianEmail" => vec![
                shown("/guardians/0/email", sent(field)),
                shown("/student/parentContact", json!(format!("{EMAIL}, {PHONE}"))),
                shown("/guardians/0/contact", json!(format!("{EMAIL}, {PHONE}"))),
            ],
            "guardianPhone" => vec![shown("/guardians/0/phone", sent(field))],
            "relationship" => vec![shown("/guardians/0/relationship", sent(field))],
            "country" => vec![shown("/student/country", sent(field))],
            "city" => vec![shown("/student/city", sent(field))],
            "province" => {
                vec![shown("/student/province", json!("ON")), shown("/applications/0/province", json!("ON"))]
            }
            "postalCode" => vec![shown("/student/postalCode", sent(field))],
            "gender" => vec![shown("/student/gender", sent(field))],
            "previousSchool" => vec![shown("/student/lastSchool", sent(field))],
            "startTerm" => vec![shown("/applications/0/startTerm", sent(field))],
            "wantedCourses" => vec![shown("/applications/0/wantedCourses", sent(field))],
            "message" => vec![shown("/applications/0/message", sent(field))],
            "language" => vec![shown("/applications/0/language", sent(field))],
            _ => return None,
        })
    })
    .await;
    // The guardian gets copies, and the family page.
    let file = &answers["file"];
    let dates = json!({ "courseId": school.course(&staff, "ENG4U", json!(500)).await, "studentId": file["student"]["id"],
        "startDate": "2026-12-01", "endDate": "2027-03-31", "status": "pending", "reason": "Wanted in the application." });
    staff.post("/api/admin/enrollments", &dates).await.expect(StatusCode::CREATED);
    let asked = school.mail(EMAIL, "Please confirm a request").await;
    let guardian = school.visitor();
    let session = json!({ "token": asked.token("/family/") });
    guardian.post("/api/family/session", &session).await.expect(StatusCode::OK);
    let page = guardian.get("/api/family").await.expect(StatusCode::OK).json();
    assert_eq!(page["children"][0]["fullName"], "Mei-Lin Tanaka");
}

#[tokio::test]
async fn a_parent_who_applies_with_the_own_address_stays_the_guardian() {
    let school = School::open().await;
    let staff = school.staff().await;
    let mut application = whole_application();
    application["email"] = EMAIL.into();
    let first = admitted(&school, &staff, &application, Some("mei@mail.example")).await;
    let contact =
        |file: &Value| (file["guardians"][0]["email"].clone(), file["guardians"][0]["phone"].clone());
    assert_eq!(contact(&first), (json!(EMAIL), json!(PHONE)));
    assert_eq!(first["student"]["email"], "mei@mail.example");

    // One address for both: the parent opens the account, and confirms by a link to the mailbox alone.
    for name in ["guardianEmail", "email"] {
        application[name] = "one@mail.example".into();
    }
    application["firstName"] = "Ken".into();
    let second = admitted(&school, &staff, &application, None).await;
    assert_eq!(contact(&second), (json!("one@mail.example"), json!(PHONE)));
    let invitation = school.mail("one@mail.example", "Your student account").await;
    let chosen = json!({ "token": invitation.token("/student/choose-password/"), "password": PASSWORD,
        "confirmPassword": PASSWORD });
    let student = school.visitor();
    student.post("/api/students/reset-password", &chosen).await.expect(StatusCode::OK);
    student.log_in("one@mail.example", PASSWORD).await.expect(StatusCode::OK);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone();
    let confirm = format!("/api/family/enrollments/{id}/confirm");
    let name = json!({ "name": "Emi" });
    student.post(&confirm, &name).await.expect(StatusCode::UNAUTHORIZED);
    staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await.expect(StatusCode::OK);
    school.advance(jiff::SignedDuration::from_mins(2));
    let mails = school.all_mails().await;
    let mut subjects: Vec<_> =
        mails.iter().filter(|mail| mail.to == "one@mail.example").map(|mail| &mail.subject).collect();
    let all = subjects.len();
    subjects.sort_unstable();
    subjects.dedup();
    assert!(subjects.len() == all && all > 4, "one mailbox gets one copy: {subjects:?}");
    // A list that names this address stays as it is; typed by hand it is refused.
    let guardians = student.get("/api/students/guardians").await.expect(StatusCode::OK).json();
    let put =
        async |body: &Value| student.send(student.request("PUT", "/api/students/guardians").json(body)).await;
    assert_eq!(put(&guardians).await.expect(StatusCode::OK).json(), guardians);
    let other = json!({ "parentContact": "ONE@mail.example, 416 555 0102" });
    assert!(student.patch("/api/students/me", &other).await.fields()["parentContact"].is_string());
}

/// A form with every field of a profile.
fn whole_profile(email: &str) -> Value {
    let mut facts = profile(email);
    for (name, value) in [
        ("preferredName", "Ama"),
        ("country", "CA"),
        ("postalCode", "L5B 0A1"),
        ("parentName", "Emi Tanaka"),
        ("parentContact", "(416) 555-0101 / Emi@mail.example"),
        ("lastSchool", "Lakeview"),
        ("lastGradeCompleted", "10"),
        ("homeSchool", "Northgate High"),
    ] {
        facts[name] = value.into();
    }
    facts["transferringCredits"] = true.into();
    facts
}

#[tokio::test]
async fn each_field_of_a_profile_survives_a_sheet_and_a_second_school() {
    let (school, other) = (School::open().await, School::open().await);
    let (staff, there) = (school.staff().await, other.staff().await);
    let student = school.student().await;
    let sent = whole_profile(&student.email);
    student.patch("/api/students/me", &sent).await.expect(StatusCode::OK);
    let guardians = student.get("/api/students/guardians").await.expect(StatusCode::OK).json();
    assert_eq!((&guardians[0]["email"], &guardians[0]["phone"]), (&json!(EMAIL), &json!(PHONE)));

    // Saved unchanged it changes nothing.
    let own = student.get("/api/students/me").await.expect(StatusCode::OK).json();
    student.patch("/api/students/me", &own).await.expect(StatusCode::OK);
    assert_eq!(student.get("/api/students/guardians").await.json(), guardians);
    let history = "select count(*) from student_history where field in ('parentContact', 'guardian')";
    assert_eq!(school.count(history), 1);

    let sheet = staff.get("/api/admin/students?format=csv").await.expect(StatusCode::OK).text();
    let import = async |staff: &Actor| {
        let request = staff.request("POST", "/api/admin/students/import").header("content-type", "text/csv");
        staff.send(request.body(sheet.clone())).await.expect(StatusCode::OK).json()
    };
    let again = import(&staff).await;
    assert_eq!((&again["unchanged"], &again["problems"]), (&json!(1), &json!([])));
    let added = import(&there).await;
    assert_eq!((&added["added"], &added["problems"]), (&json!(1), &json!([])));
    let answers = BTreeMap::from([
        ("own", own),
        ("file", file(&staff, &json!(student.id)).await),
        ("there", file(&there, &json!(1)).await),
    ]);
    compare(&school, "ProfileForm", &answers, |field| {
        if matches!(field, "currentPassword" | "version") {
            return Some(vec![]);
        }
        let value = sent.get(field)?.clone();
        let own: &str = Box::leak(format!("/{field}").into_boxed_str());
        let office: &str = Box::leak(format!("/student/{field}").into_boxed_str());
        let mut cells =
            vec![("own", own, value.clone()), ("file", office, value.clone()), ("there", office, value)];
        if field == "parentContact" {
            for reader in ["file", "there"] {
                cells.push((reader, "/guardians/0/email", json!(EMAIL)));
                cells.push((reader, "/guardians/0/phone", json!(PHONE)));
            }
        }
        Some(cells)
    })
    .await;
}

#[tokio::test]
async fn a_contact_is_read_alike_at_every_door() {
    let school = School::open().await;
    let staff = school.staff().await;
    let both = format!("{EMAIL}, {PHONE}");
    let contact = async |student: i64| {
        let file = file(&staff, &json!(student)).await;
        let guardian = &file["guardians"][0];
        assert_eq!(
            (&guardian["email"], &guardian["phone"], &file["student"]["parentContact"]),
            (&json!(EMAIL), &json!(PHONE), &json!(both))
        );
    };
    let typed: Student = school.student().await;
    let facts = json!({ "parentName": "Emi", "parentContact": both });
    let mut body = profile(&typed.email);
    body["parentName"] = "Emi".into();
    body["parentContact"] = both.clone().into();
    typed.patch("/api/students/me", &body).await.expect(StatusCode::OK);
    contact(typed.id).await;
    // The office's form and its new account.
    let mut new = json!({ "fullName": "Ken", "email": "ken@mail.example", "invite": false });
    new["parentName"] = facts["parentName"].clone();
    new["parentContact"] = facts["parentContact"].clone();
    let new = staff.post("/api/admin/students", &new).await.expect(StatusCode::CREATED).json();
    contact(new["id"].as_i64().unwrap()).await;
    let changed = school.student().await;
    let path = format!("/api/admin/students/{}", changed.id);
    let mut change = facts.clone();
    change["version"] = file(&staff, &json!(changed.id)).await["student"]["version"].clone();
    staff.patch(&path, &change).await.expect(StatusCode::OK);
    contact(changed.id).await;
    // A list of guardians: two fields, or all of it in the one for the number.
    for row in
        [json!({ "name": "Emi", "email": EMAIL, "phone": PHONE }), json!({ "name": "Emi", "phone": both })]
    {
        let student = school.student().await;
        let request = student.request("PUT", "/api/students/guardians").json(&json!([row]));
        student.send(request).await.expect(StatusCode::OK);
        contact(student.id).await;
        // A number that is added or corrected is the same guardian's.
        let facts = json!({ "version": file(&staff, &json!(student.id)).await["student"]["version"],
            "parentContact": format!("{EMAIL}, 416 555 0109") });
        staff.patch(&format!("/api/admin/students/{}", student.id), &facts).await.expect(StatusCode::OK);
        let listed = student.get("/api/students/guardians").await.expect(StatusCode::OK).json();
        assert_eq!((&listed[0]["email"], &listed[0]["phone"]), (&json!(EMAIL), &json!("416 555 0109")));
    }
}

#[tokio::test]
async fn each_field_of_an_offer_reaches_its_family() {
    let school = School::open().await;
    let staff = school.staff().await;
    let reference = apply(&school.visitor(), &whole_application()).await;
    let id = number(&staff, &reference).await;
    let texts = staff.get("/api/admin/texts").await.expect(StatusCode::OK).json();
    let agreement = texts.as_array().unwrap().iter().find(|text| text["kind"] == "offer_agreement").unwrap();
    let sent = json!({ "feeDue": 1250.5, "deposit": 250, "depositDueOn": "2026-12-04", "feeDueOn": "2027-01-15", "expiresOn": "2026-12-09",
        "conditions": "With a transcript.", "textVersionId": agreement["id"], "expected": "pending" });
    staff.post(&call(id, "offer"), &sent).await.expect(StatusCode::OK);
    let family = open(&school, EMAIL, &format!("We offer you a place ({reference})")).await;
    let own = family.get("/api/applications/me").await.expect(StatusCode::OK).json();
    let answers = BTreeMap::from([("family", own)]);
    compare(&school, "OfferForm", &answers, |field| {
        let value = sent.get(field)?.clone();
        let place: &str = Box::leak(format!("/offer/{field}").into_boxed_str());
        Some(if field == "expected" { vec![] } else { vec![("family", place, value)] })
    })
    .await;
}

#[tokio::test]
async fn each_field_of_a_registration_reaches_the_account() {
    let school = School::open().await;
    let visitor = school.visitor();
    let texts = visitor.get("/api/texts").await.expect(StatusCode::OK).json();
    let is_shown = |text: &&Value| ["terms", "privacy"].contains(&text["kind"].as_str().unwrap());
    let versions: Vec<Value> =
        texts.as_array().unwrap().iter().filter(is_shown).map(|text| text["version"].clone()).collect();
    // The class that was chosen on a course's page.
    let next = "/student/courses?grade=all&q=ENG4U&section=7";
    let mut body = json!({ "email": "mei@mail.example", "password": PASSWORD, "confirmPassword": PASSWORD,
        "acceptedTextVersions": versions, "next": next });
    let register = async |body: &Value| visitor.post("/api/students/register", body).await;
    for outside in ["https://elsewhere.example/", "//elsewhere.example", "/admin", "/student/a b", "/student"]
    {
        body["next"] = outside.into();
        assert!(register(&body).await.fields()["next"].is_string(), "{outside}");
    }
    body["next"] = next.into();
    register(&body).await.expect(StatusCode::CREATED);
    let leads_on = "?next=%2Fstudent%2Fcourses%3Fgrade%3Dall%26q%3DENG4U%26section%3D7";
    let verify =
        async || school.mail("mei@mail.example", "Verify your email address").await.token("/student/verify/");
    let first = verify().await;
    assert!(first.ends_with(leads_on), "{first}");
    let account = json!({ "email": "mei@mail.example", "next": next });
    visitor.post("/api/students/resend-verification", &account).await.expect(StatusCode::OK);
    school.all_mails().await;
    let second = verify().await;
    assert!(second != first && second.ends_with(leads_on), "{second}");
    let token = second.strip_suffix(leads_on).unwrap();
    visitor.get(&format!("/student/verify/{second}")).await.expect(StatusCode::OK);
    visitor.get(&format!("/api/students/verify/{token}")).await.expect(StatusCode::OK);
    visitor.log_in("mei@mail.example", PASSWORD).await.expect(StatusCode::OK);
    let own = visitor.get("/api/students/me").await.expect(StatusCode::OK).json();
    let consents =
        visitor.get("/api/students/privacy").await.expect(StatusCode::OK).json()["consents"].clone();
    let answers = BTreeMap::from([("own", own), ("consents", consents)]);
    compare(&school, "Registration", &answers, |field| {
        Some(match field {
            "email" => vec![("own", "/email", json!("mei@mail.example"))],
            "acceptedTextVersions" => vec![("consents", "/1/wasAsked", json!(true))],
            // Held by the login and by the links above.
            "password" | "confirmPassword" | "next" => vec![],
            _ => return None,
        })
    })
    .await;
}

#[tokio::test]
async fn each_field_of_a_term_is_read_by_office_and_visitors() {
    let school = School::open().await;
    let staff = school.staff().await;
    let sent = json!({ "name": "Winter 2027", "startsOn": "2027-02-01", "endsOn": "2027-06-25",
        "requestsFrom": "2026-11-01", "requestsUntil": "2027-02-05", "joinUntil": "2027-02-19",
        "midtermOn": "2027-04-01", "firstReportOn": "2027-03-01", "finalOn": "2027-06-20",
        "daysOff": ["2027-02-15", "2027-03-16"], "isPublished": true });
    staff.post("/api/admin/terms", &sent).await.expect(StatusCode::CREATED);
    let office = staff.get("/api/admin/terms").await.expect(StatusCode::OK).json();
    let public = school.visitor().get("/api/terms").await.expect(StatusCode::OK).json();
    let answers = BTreeMap::from([("office", office), ("public", public)]);
    compare(&school, "TermInput", &answers, |field| {
        if field == "version" {
            return Some(vec![]);
        }
        let value = sent.get(field)?.clone();
        let place: &str = Box::leak(format!("/0/{field}").into_boxed_str());
        let is_public = ["name", "startsOn", "endsOn", "joinUntil"].contains(&field);
        let readers = ["office", "public"].into_iter().filter(|reader| is_public || *reader == "office");
        Some(readers.map(|reader| (reader, place, value.clone())).collect())
    })
    .await;
}
