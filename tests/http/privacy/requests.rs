//! What people agreed to, and what they ask about what the school holds of them.

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use crate::support::{Actor, PASSWORD, School};

const ASK: &str = "/api/students/privacy-requests";
const DESK: &str = "/api/admin/privacy-requests";

async fn consents(actor: &Actor) -> Vec<(Value, Value)> {
    let own = actor.get("/api/students/privacy").await.expect(StatusCode::OK).json();
    let rows = own["consents"].as_array().unwrap().clone();
    rows.into_iter().map(|row| (row["kind"].clone(), row["textVersion"].clone())).collect()
}

/// The versions in force of some kinds.
async fn versions(actor: &Actor, kinds: &[&str]) -> Vec<Value> {
    let texts = actor.get("/api/texts").await.expect(StatusCode::OK).json();
    let of = |kind: &&str| {
        texts.as_array().unwrap().iter().find(|text| text["kind"] == *kind).unwrap()["version"].clone()
    };
    kinds.iter().map(of).collect()
}

/// Registers as the form does, and logs in.
async fn register(school: &School, email: &str) -> Actor {
    let visitor = school.visitor();
    let accepted = versions(&visitor, &["terms", "privacy"]).await;
    let body = json!({ "email": email, "password": PASSWORD, "confirmPassword": PASSWORD, "acceptedTextVersions": accepted });
    visitor.post("/api/students/register", &body).await.expect(StatusCode::CREATED);
    let token = school.mail(email, "Verify your email address").await.token("/student/verify/");
    visitor.get(&format!("/api/students/verify/{token}")).await.expect(StatusCode::OK);
    visitor.log_in(email, PASSWORD).await.expect(StatusCode::OK);
    visitor
}

#[tokio::test]
async fn accepted_consents_are_stored_with_their_text() {
    let school = School::open().await;
    let staff = school.staff().await;
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let student = register(&school, "mei@mail.example").await;
    let [terms, privacy] = versions(&staff, &["terms", "privacy"]).await.try_into().unwrap();
    assert_eq!(
        consents(&student).await,
        [(json!("privacy"), privacy.clone()), (json!("terms"), terms.clone())]
    );
    let body = json!({ "courseId": course, "startDate": "2026-12-01", "endDate": "2027-04-01",
        "acceptedTextVersions": [terms] });
    let request = student.post("/api/students/enrollments", &body).await.expect(StatusCode::CREATED).json();
    let own = student.get("/api/students/privacy").await.json();
    let row = &own["consents"][0];
    assert_eq!(
        (&row["kind"], &row["textVersion"], &row["enrollmentId"]),
        (&json!("terms"), &terms, &request["id"])
    );
    assert_eq!((&row["isGiven"], &row["wasAsked"]), (&json!(true), &json!(true)));
    assert_eq!(row["at"], "2026-11-21T15:00:00Z");
    // The office reads them on the student's page, and counts them by version.
    let found = staff.get("/api/admin/students?q=mei").await.json()[0]["id"].clone();
    let file = staff.get(&format!("/api/admin/students/{found}")).await.expect(StatusCode::OK).json();
    assert_eq!(file["consents"], own["consents"]);
    let counts = staff.get("/api/admin/consents").await.expect(StatusCode::OK).json();
    let counted: Vec<_> = counts
        .as_array()
        .unwrap()
        .iter()
        .map(|c| json!([c["kind"], c["students"], c["isCurrent"]]))
        .collect();
    assert_eq!(counted, [json!(["privacy", 1, true]), json!(["terms", 1, true])]);
    // Roles without access to records see none of this.
    let bursar = school.staff_as(Role::Bursar).await;
    let file = bursar.get(&format!("/api/admin/students/{found}")).await.json();
    assert_eq!(file["consents"], Value::Null);
    // The words of what was accepted are in the student's own archive.
    let rows = super::archive::download(&student, "consents").await;
    assert!(rows.iter().all(|row| row["text"].as_str().is_some_and(|text| text.len() > 1000)), "{rows:?}");
}

#[tokio::test]
async fn rows_that_no_screen_asked_for_are_marked_wherever_they_are_read() {
    let school = School::open().await;
    let (student, staff) = (school.student().await, school.staff().await);
    let id = student.id;
    school
        .database()
        .execute_batch(&format!(
            "insert into consents (student_id, kind, text_version, is_given, at, was_asked)
             values ({id}, 'terms', '2023-06-01', 1, 5, 0)"
        ))
        .unwrap();
    let own = student.get("/api/students/privacy").await.json();
    assert_eq!(own["consents"][0]["wasAsked"], false);
    let file = staff.get(&format!("/api/admin/students/{id}")).await.json();
    assert_eq!(file["consents"][0]["wasAsked"], false);
    let counts = staff.get("/api/admin/consents").await.json();
    assert_eq!((&counts[0]["wasAsked"], &counts[0]["isCurrent"]), (&json!(false), &json!(false)));
    let rows = super::archive::download(&student, "consents").await;
    assert!(rows[0].get("wasAsked").is_some_and(|asked| asked != true && *asked != json!(1)), "{rows:?}");
}

#[tokio::test]
async fn a_refused_form_leaves_no_consent() {
    let school = School::open().await;
    school.visitor().write_message("", "mei@mail.example", "x").await.expect(StatusCode::BAD_REQUEST);
    let registration = json!({ "email": "a@mail.example", "password": "short", "confirmPassword": "short" });
    school.visitor().post("/api/students/register", &registration).await.expect(StatusCode::BAD_REQUEST);
    assert_eq!(school.count("select count(*) from consents"), 0);
}

#[tokio::test]
async fn an_unverified_account_is_deleted_with_its_consents() {
    let school = School::open().await;
    let visitor = school.visitor();
    let accepted = versions(&visitor, &["terms", "privacy"]).await;
    let body = json!({ "email": "lee@mail.example", "password": PASSWORD, "confirmPassword": PASSWORD,
        "acceptedTextVersions": accepted });
    visitor.post("/api/students/register", &body).await.expect(StatusCode::CREATED);
    let token = school.mail("lee@mail.example", "Verify your email address").await.token("/student/not-me/");
    assert_eq!(school.count("select count(*) from consents"), 2);
    visitor.post("/api/students/not-me", &json!({ "token": token })).await.expect(StatusCode::OK);
    assert_eq!(school.count("select count(*) from consents"), 0);
    assert_eq!(school.count("select count(*) from students"), 0);
}

#[tokio::test]
async fn a_request_names_its_deadline_and_can_be_withdrawn() {
    let school = School::open().await;
    let (student, staff) = (school.student().await, school.staff().await);
    let asked = student.post(ASK, &json!({ "kind": "deletion" })).await.expect(StatusCode::CREATED).json();
    assert_eq!((&asked["receivedOn"], &asked["dueOn"]), (&json!("2026-11-21"), &json!("2026-12-21")));
    let mail = school.mail(&student.email, "We have your request about your data").await;
    assert!(mail.text.contains("December 21, 2026"), "{}", mail.text);
    assert!(mail.text.contains("what a student earned"), "what stays is said: {}", mail.text);
    let to_office = school.mail("staff1@school.example", "A request about personal data waits").await;
    assert!(to_office.text.contains("/admin/privacy"), "{}", to_office.text);
    let again = student.post(ASK, &json!({ "kind": "deletion" })).await.expect(StatusCode::CONFLICT);
    assert_eq!(again.message(), "The same is asked for already, and waits for an answer.");
    let listed = staff.get(DESK).await.expect(StatusCode::OK).json();
    assert_eq!((&listed[0]["daysLeft"], &listed[0]["student"]["id"]), (&json!(30), &json!(student.id)));
    // The days run out, and past the last one.
    school.advance(SignedDuration::from_hours(24 * 31));
    staff
        .post("/api/login", &json!({ "username": "staff1", "password": PASSWORD }))
        .await
        .expect(StatusCode::OK);
    assert_eq!(staff.get(DESK).await.json()[0]["daysLeft"], -1);
    student.log_in(&student.email, PASSWORD).await.expect(StatusCode::OK);
    let withdraw = format!("{ASK}/{}/withdraw", asked["id"]);
    // No other student's.
    let other = school.student().await;
    other.post(&withdraw, &json!({})).await.expect(StatusCode::NOT_FOUND);
    for _ in 0..2 {
        let taken = student.post(&withdraw, &json!({})).await.expect(StatusCode::OK).json();
        assert_eq!(taken["status"], "withdrawn");
    }
    let path = format!("{DESK}/{}", asked["id"]);
    let late = staff.patch(&path, &json!({ "decision": "grant" })).await.expect(StatusCode::CONFLICT);
    assert_eq!(late.message(), "This request was withdrawn.");
}

#[tokio::test]
async fn privacy_requests_are_validated() {
    let school = School::open().await;
    let student = school.student().await;
    let fields = student.post(ASK, &json!({ "kind": "gossip" })).await.fields();
    assert_eq!(fields, json!({ "kind": "Please choose what you ask for" }));
    let fields = student.post(ASK, &json!({ "kind": "correction", "details": "wrong" })).await.fields();
    assert_eq!(fields, json!({ "details": "Please say in at least 10 characters what is wrong" }));
    let long = "x".repeat(2001);
    let fields = student.post(ASK, &json!({ "kind": "access", "details": long })).await.fields();
    assert_eq!(fields, json!({ "details": "Must be at most 2000 characters" }));
    // The office gets an email for each, so there is an end to it.
    for _ in 0..5 {
        let id =
            student.post(ASK, &json!({ "kind": "access" })).await.expect(StatusCode::CREATED).json()["id"]
                .clone();
        student.post(&format!("{ASK}/{id}/withdraw"), &json!({})).await.expect(StatusCode::OK);
    }
    let refused = student.post(ASK, &json!({ "kind": "access" })).await.expect(StatusCode::CONFLICT);
    assert!(refused.message().contains("five times"), "{}", refused.message());
}

#[tokio::test]
async fn granting_a_withdrawal_of_consent_closes_the_account_and_says_so() {
    let school = School::open().await;
    let (student, staff) = (register(&school, "mei@mail.example").await, school.staff().await);
    let found = staff.get("/api/admin/students?q=mei").await.json()[0]["id"].clone();
    let asked =
        student.post(ASK, &json!({ "kind": "consent_withdrawal" })).await.expect(StatusCode::CREATED).json();
    let path = format!("{DESK}/{}", asked["id"]);
    let fields = staff.patch(&path, &json!({ "decision": "refuse", "reason": "no" })).await.fields();
    assert_eq!(fields, json!({ "reason": "Please say in at least 10 characters why: the person reads it" }));
    let decided = staff.patch(&path, &json!({ "decision": "grant" })).await.expect(StatusCode::OK).json();
    assert_eq!(decided["status"], "granted");
    student.get("/api/students/me").await.expect(StatusCode::UNAUTHORIZED);
    let mail = school.mail("mei@mail.example", "Our answer to your request about your data").await;
    assert!(mail.text.contains("Your account is closed"), "{}", mail.text);
    let file = staff.get(&format!("/api/admin/students/{found}")).await.json();
    assert_eq!(file["student"]["status"], "closed");
    assert_eq!(
        (&file["consents"][0]["isGiven"], &file["consents"][1]["isGiven"]),
        (&json!(false), &json!(false))
    );
    let counts = staff.get("/api/admin/consents").await.json();
    assert_eq!((&counts[0]["students"], &counts[0]["withdrawn"]), (&json!(0), &json!(1)));
    let again = staff.patch(&path, &json!({ "decision": "grant" })).await.expect(StatusCode::CONFLICT);
    assert_eq!(again.message(), "This request has been granted already.");
}

#[tokio::test]
async fn a_refusal_tells_the_reason_and_where_to_complain() {
    let school = School::open().await;
    let (student, staff) = (school.student().await, school.staff().await);
    let asked = student
        .post(ASK, &json!({ "kind": "correction", "details": "My mark in ENG4U is wrong" }))
        .await
        .expect(StatusCode::CREATED)
        .json();
    let reason = "The mark is what the teacher reported.";
    let path = format!("{DESK}/{}", asked["id"]);
    staff.patch(&path, &json!({ "decision": "refuse", "reason": reason })).await.expect(StatusCode::OK);
    let mail = school.mail(&student.email, "Our answer to your request about your data").await;
    assert!(
        mail.text.contains(reason) && mail.text.contains("Privacy Commissioner of Canada"),
        "{}",
        mail.text
    );
    let own = student.get("/api/students/privacy").await.json();
    assert_eq!(
        (&own["requests"][0]["status"], &own["requests"][0]["decision"]),
        (&json!("refused"), &json!(reason))
    );
}

#[tokio::test]
async fn the_office_notes_what_came_on_paper() {
    let school = School::open().await;
    let (student, staff) = (school.student().await, school.staff().await);
    let fields = staff.post(DESK, &json!({ "receivedOn": "2026-11-22" })).await.fields();
    let wanted = json!({
        "studentId": "Name the student by number", "askedBy": "Say who asks", "kind": "Say what is asked for",
        "receivedOn": "Must not be later than today",
    });
    assert_eq!(fields, wanted);
    let body = json!({ "studentId": student.id, "askedBy": "guardian", "kind": "access", "receivedOn": "2026-11-11" });
    let noted = staff.post(DESK, &body).await.expect(StatusCode::CREATED).json();
    assert_eq!(noted["dueOn"], "2026-12-11");
    let listed = staff.get(DESK).await.json();
    assert_eq!((&listed[0]["askedBy"], &listed[0]["notedBy"]), (&json!("guardian"), &json!("staff1")));
    let unknown =
        json!({ "studentId": 9999, "askedBy": "student", "kind": "access", "receivedOn": "2026-11-11" });
    assert_eq!(staff.post(DESK, &unknown).await.fields(), json!({ "studentId": "There is no such student" }));
}
