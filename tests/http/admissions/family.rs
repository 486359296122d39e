//! What a family does with its application.

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::{Role, hex};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::{application, apply, call, number, open};
use crate::support::{School, numbered_pdf};

#[tokio::test]
async fn many_corrections_are_few_events_and_a_hundred_a_day() {
    let school = School::open().await;
    let visitor = school.visitor();
    let reference = apply(&visitor, &application("Mei", "tanaka")).await;
    let subject = format!("We have your application {reference}");
    let family = open(&school, "tanaka@mail.example", &subject).await;
    let change = async |field: &str, value: String| {
        family.patch("/api/applications/me", &json!({ field: value })).await
    };
    for number in 0..30 {
        change("address", format!("{number} Sample Crescent")).await.expect(StatusCode::OK);
    }
    let events = "select count(*) from admission_events where verb = 'edit'";
    assert_eq!(school.count(events), 1, "of the same field within the hour");
    for hour in 0..20 {
        for field in ["address", "city", "province", "postalCode", "guardianPhone"] {
            for number in 0..2 {
                let value = match field {
                    "province" => ["ON", "Québec"][number].to_owned(),
                    "postalCode" => format!("M5V 0A{number}"),
                    _ => format!("{hour}-{number}"),
                };
                change(field, value).await.expect(StatusCode::OK);
            }
        }
        school.advance(SignedDuration::from_hours(1));
    }
    assert_eq!(school.count(events), 100);
    let refused = change("address", "1 Other Street".into()).await.expect(StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.header("retry-after").parse::<u32>().unwrap() <= 24 * 3600);
    let own = family.get("/api/applications/me").await.json();
    assert_eq!(own["address"], json!("19-1"), "nothing of it was saved");
    let staff = school.staff().await;
    let id = number(&staff, &reference).await;
    let record = staff.get(&format!("/api/admin/admission-requests/{id}")).await.json();
    assert_eq!(record["events"].as_array().unwrap().len(), 101);
}

#[tokio::test]
async fn a_filled_trap_field_keeps_the_application_and_marks_it_until_the_office_has_looked() {
    let school = School::open().await;
    let (visitor, staff) = (school.visitor(), school.staff().await);
    let mut body = application("Alpha", "autofill");
    body["website"] = json!("https://shop.example.org");
    let reference = apply(&visitor, &body).await;
    let listed = staff.get("/api/admin/admission-requests?q=autofill").await.json();
    assert_eq!((&listed[0]["reference"], &listed[0]["lookTwice"]), (&json!(reference), &json!(true)));
    let to = async |address: &str| school.all_mails().await.iter().filter(|mail| mail.to == address).count();
    assert_eq!(to("autofill@mail.example").await, 1, "the applicant was thanked");
    assert_eq!(to("autofill.mother@mail.example").await, 0, "an address that a program may have typed");
    let path = format!("/api/admin/admission-requests/{}", listed[0]["id"]);
    for _ in 0..2 {
        let record = staff.post(&format!("{path}/real"), &json!({})).await.expect(StatusCode::OK).json();
        assert_eq!(record["lookTwice"], json!(false));
    }
    assert_eq!(to("autofill.mother@mail.example").await, 1);
    let events = staff.get(&path).await.json()["events"].as_array().unwrap().len();
    assert_eq!(events, 2, "it arrived, and was found to be real");
}

#[tokio::test]
async fn a_family_applies_once_and_opens_its_application_by_the_mailed_link() {
    let school = School::open_with(|config| config.limits.applications_per_hour = 6).await;
    let visitor = school.visitor();
    let body = application("Mei", "tanaka");
    let reference = apply(&visitor, &body).await;
    assert!(reference.starts_with("A-26-") && reference.len() == 9, "{reference}");

    // The same form again is the same application; another child is another.
    let mut again = body.clone();
    again["email"] = json!("TANAKA@mail.example");
    again["firstName"] = json!("mei");
    assert_eq!(apply(&visitor, &again).await, reference);
    let sister = apply(&visitor, &application("Hana", "tanaka")).await;
    assert_ne!(sister, reference);

    assert_eq!(school.count("select count(*) from admission_requests"), 2);

    // Everything that is wrong is named at once, and what is refused does not count.
    let wrong = visitor.post("/api/applications", &json!({ "grade": 8, "dateOfBirth": "2012-01-01" })).await;
    let fields = wrong.fields();
    for name in ["firstName", "lastName", "email", "phone", "address", "grade", "consents", "guardianName"] {
        assert!(fields[name].is_string(), "{name}: {fields}");
    }

    // The privacy policy as it was shown, and its words.
    let consents = "select count(*) from consents c join accepted_texts t on t.version = c.text_version
        where c.kind = 'privacy' and c.request_id is not null and c.was_asked";
    assert_eq!(school.count(consents), 2);

    // The link opens it for the family, whichever of its mailboxes it came to, and as often as one likes.
    let subject = format!("We have your application {reference}");
    let mother = open(&school, "tanaka.mother@mail.example", &subject).await;
    let mail = school.mail("tanaka@mail.example", &subject).await;
    assert!(mail.text.contains(&reference) && !mail.text.contains("Mei"), "{}", mail.text);
    let token = mail.token("/application/");
    let family = school.visitor();
    family.get("/api/applications/me").await.expect(StatusCode::UNAUTHORIZED);
    for _ in 0..2 {
        let opened = family.post("/api/applications/session", &json!({ "token": token })).await;
        let opened = opened.expect(StatusCode::OK);
        let cookie = opened.header("set-cookie");
        assert!(cookie.contains("HttpOnly; SameSite=Lax") && cookie.contains("Max-Age=86400"), "{cookie}");
        let own = family.get("/api/applications/me").await.expect(StatusCode::OK).json();
        assert_eq!(opened.json(), own);
        assert_eq!(own["reference"], json!(reference));
        assert_eq!((&own["status"], &own["country"]), (&json!("pending"), &json!("CA")));
        assert_eq!((&own["asked"], &own["offer"]), (&json!(null), &json!(null)));
        assert!(own.get("assigneeId").is_none() && own.get("notes").is_none(), "{own}");
    }
    // The secret itself is not stored, and one link does not fill the disk with sessions.
    let stored = format!("select count(*) from links where instr(cast(token_hash as text), '{token}') > 0");
    assert_eq!(school.count(&stored), 0);
    let hashed = format!("select count(*) from links where token_hash = x'{}'", hex(&Sha256::digest(&token)));
    assert_eq!(school.count(&hashed), 1);
    for _ in 0..60 {
        family.post("/api/applications/session", &json!({ "token": token })).await.expect(StatusCode::OK);
    }
    let sessions = "select count(*) from links where is_session = 1 and email = 'tanaka@mail.example'";
    assert_eq!(school.count(sessions), 50);
    family.get("/api/applications/me").await.expect(StatusCode::OK);
    family
        .post("/api/applications/session", &json!({ "token": "0".repeat(64) }))
        .await
        .expect(StatusCode::NOT_FOUND);

    // A corrected address: the old mailbox's links are dead, this browser and the mother's stay.
    let change = json!({ "email": "mei.tanaka@mail.example", "phone": "647 555 0111", "city": "Toronto" });
    let changed = family.patch("/api/applications/me", &change).await.expect(StatusCode::OK).json();
    assert_eq!(changed["phone"], json!("(647) 555-0111"));
    family.patch("/api/applications/me", &json!({ "email": "x" })).await.expect(StatusCode::BAD_REQUEST);
    family.post("/api/applications/session", &json!({ "token": token })).await.expect(StatusCode::NOT_FOUND);
    mother.get("/api/applications/me").await.expect(StatusCode::OK);
    family.get("/api/applications/me").await.expect(StatusCode::OK);
    open(&school, "mei.tanaka@mail.example", &format!("Application {reference} has a new email address"))
        .await;

    // No question is open; withdrawing happens once.
    let answer = family.post("/api/applications/me/answers", &json!({ "text": "Here." })).await;
    let current = answer.expect(StatusCode::CONFLICT).json();
    assert_eq!(current["current"]["status"], json!("pending"));
    for _ in 0..2 {
        let own = family.post("/api/applications/me/withdraw", &json!({ "reason": "We move." })).await;
        assert_eq!(own.expect(StatusCode::OK).json()["status"], json!("withdrawn"));
    }
    family.patch("/api/applications/me", &json!({ "city": "Ajax" })).await.expect(StatusCode::CONFLICT);
    let withdrawn = "select count(*) from admission_events where verb = 'withdraw' and reason = 'We move.'";
    assert_eq!(school.count(withdrawn), 1);

    // A day later the form is a new application again, and the session has ended; the link has not.
    school.advance(SignedDuration::from_hours(25));
    mother.get("/api/applications/me").await.expect(StatusCode::UNAUTHORIZED);
    assert_ne!(apply(&visitor, &body).await, reference);
    for expected in [StatusCode::CREATED, StatusCode::CREATED, StatusCode::CREATED, StatusCode::CREATED] {
        visitor.post("/api/applications", &body).await.expect(expected);
    }
    for _ in 0..3 {
        visitor.post("/api/applications", &body).await;
    }
    let refused = visitor.post("/api/applications", &body).await.expect(StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.header("retry-after").parse::<u64>().unwrap() > 0);
}

#[tokio::test]
async fn a_lost_link_is_sent_again_to_its_mailbox_and_says_nothing_to_others() {
    let school = School::open().await;
    let visitor = school.visitor();
    let references = [
        apply(&visitor, &application("Mei", "tanaka")).await,
        apply(&visitor, &application("Hana", "tanaka")).await,
    ];
    let ask = async |email: &str| {
        visitor.post("/api/applications/link", &json!({ "email": email })).await.expect(StatusCode::OK).text()
    };
    let known = ask("tanaka@mail.example").await;
    assert_eq!(ask("unknown@mail.example").await, known);
    let mail = school.mail("tanaka@mail.example", "The links to your applications").await;
    for reference in &references {
        assert!(mail.text.contains(reference.as_str()), "{}", mail.text);
    }
    let family = open(&school, "tanaka@mail.example", "The links to your applications").await;
    let own = family.get("/api/applications/me").await.expect(StatusCode::OK).json();
    assert_eq!(own["reference"], json!(references[1]), "the newest first");
    assert_eq!(own["needsStudentEmail"], json!(true), "a sister applies from the same address");
    assert!(school.all_mails().await.iter().all(|mail| mail.to != "unknown@mail.example"));
    // The mother's mailbox has its own links.
    ask("tanaka.mother@mail.example").await;
    open(&school, "tanaka.mother@mail.example", "The links to your applications").await;
    // A link is good for thirty days.
    school.advance(SignedDuration::from_hours(24 * 31));
    let token = mail.token("/application/");
    visitor.post("/api/applications/session", &json!({ "token": token })).await.expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn documents_of_an_application_are_examined_shown_and_become_the_students() {
    let school = School::open_with(|config| config.documents.files_per_student = 3).await;
    let reference = apply(&school.visitor(), &application("Mei", "tanaka")).await;
    let family = open(&school, "tanaka@mail.example", &format!("We have your application {reference}")).await;
    let (staff, viewer) = (school.staff_as(Role::Registrar).await, school.staff_as(Role::Viewer).await);
    let id = number(&staff, &reference).await;
    let upload = async |document_type: &str, number: u64| {
        let bytes = numbered_pdf(number, 3000);
        let part = reqwest::multipart::Part::bytes(bytes).file_name("Zeugnis.pdf");
        let form = reqwest::multipart::Form::new()
            .text("documentType", document_type.to_owned())
            .part("document", part);
        family.send(family.request("POST", "/api/applications/me/documents").multipart(form)).await
    };
    upload("passport", 1).await.expect(StatusCode::BAD_REQUEST);
    let first = upload("transcript", 1).await.expect(StatusCode::CREATED).json();
    upload("government_id", 2).await.expect(StatusCode::CREATED);
    upload("other", 3).await.expect(StatusCode::CREATED);
    upload("other", 4).await.expect(StatusCode::PAYLOAD_TOO_LARGE);
    let own = family.get("/api/applications/me").await.expect(StatusCode::OK).json();
    assert_eq!((&own["status"], own["documents"].as_array().unwrap().len()), (&json!("pending"), 3));
    assert_eq!(own["documents"][2], first);
    assert_eq!((&first["status"], &first["originalName"]), (&json!("pending_review"), &json!("Zeugnis.pdf")));

    // The family and the office open it, no other family does, and the office's look is in the trail.
    let shown =
        family.get(&format!("/api/applications/me/documents/{}", first["id"])).await.expect(StatusCode::OK);
    assert_eq!((shown.header("content-type"), shown.bytes.len()), ("application/pdf", 3000));
    let path = format!("/api/admin/admission-documents/{}", first["id"]);
    staff.get(&path).await.expect(StatusCode::OK);
    viewer.get(&path).await.expect(StatusCode::FORBIDDEN);
    staff.get("/api/admin/admission-documents/99").await.expect(StatusCode::NOT_FOUND);
    assert_eq!(
        school.count("select count(*) from audit where action = 'view' and object = 'application'"),
        1
    );
    apply(&school.visitor(), &application("Hana", "hana")).await;
    let stranger = school.mail("hana@mail.example", &hana_subject(&school)).await.token("/application/");
    let other = school.visitor();
    other.post("/api/applications/session", &json!({ "token": stranger })).await.expect(StatusCode::OK);
    other.get(&format!("/api/applications/me/documents/{}", first["id"])).await.expect(StatusCode::NOT_FOUND);

    // Their files are no strays, and count as stored.
    assert_eq!(school.count("select bytes from documents_total"), 9000);
    schoolhouse::testing::sweep_files(school.app()).await.unwrap();
    let sums = "select count(*) from stored_documents where id < 0";
    assert_eq!(school.count(sums), 3);

    // Linked to a student, they are the student's, and wait for the office's review.
    let student = school.student().await;
    staff.post(&call(id, "link"), &json!({ "studentId": student.id })).await.expect(StatusCode::OK);
    let listed = student.get("/api/students/documents").await.expect(StatusCode::OK);
    assert_eq!(listed.json().as_array().unwrap().len(), 3);
    let moved = family.get("/api/applications/me").await.json()["documents"][2]["movedTo"].clone();
    staff.post(&format!("/api/admin/documents/{moved}/accept"), &json!({})).await.expect(StatusCode::OK);
    let own = family.get("/api/applications/me").await.expect(StatusCode::OK).json();
    assert_eq!(own["documents"][2]["status"], json!("accepted"));
    family.get(&format!("/api/applications/me/documents/{}", first["id"])).await.expect(StatusCode::OK);

    // A closed application takes none.
    family.post("/api/applications/me/withdraw", &json!({})).await.expect(StatusCode::OK);
    let school_takes_more = "delete from admission_documents where id > 1";
    school.database().execute(school_takes_more, []).unwrap();
    upload("other", 5).await.expect(StatusCode::CONFLICT);
}

/// The subject of the confirmation of the newest application.
fn hana_subject(school: &School) -> String {
    let sql =
        "select 'We have your application ' || reference from admission_requests order by id desc limit 1";
    school.database().query_row(sql, [], |row| row.get(0)).unwrap()
}
