//! The application is the same child as the account: what ends or moves a right at one door holds at the others.

use jiff::SignedDuration;
use reqwest::StatusCode;
use reqwest::multipart::{Form, Part};
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use super::{application, apply, call, number, open};
use crate::support::{Actor, PASSWORD, School, numbered_pdf, profile};

pub(super) const CHILD: &str = "tanaka@mail.example";
pub(super) const MOTHER: &str = "tanaka.mother@mail.example";

/// An application of a child, with the browsers of both its mailboxes.
pub(super) struct Family {
    pub(super) id: i64,
    reference: String,
    pub(super) child: Actor,
    pub(super) mother: Actor,
}

impl Family {
    pub(super) async fn apply(school: &School, staff: &Actor, body: &Value) -> Self {
        let reference = apply(&school.visitor(), body).await;
        let subject = format!("We have your application {reference}");
        let child = open(school, body["email"].as_str().unwrap(), &subject).await;
        let mother = open(school, body["guardianEmail"].as_str().unwrap(), &subject).await;
        Self { id: number(staff, &reference).await, reference, child, mother }
    }

    async fn offer(&self, staff: &Actor) -> i64 {
        let offer = json!({ "feeDue": 500, "expiresOn": "2026-12-09" });
        let offered = staff.post(&call(self.id, "offer"), &offer).await.expect(StatusCode::OK).json();
        offered["offer"]["id"].as_i64().unwrap()
    }

    pub(super) async fn accept(&self, staff: &Actor, by: &Actor, student_email: Option<&str>) -> Value {
        let mut body = json!({ "name": "Emi Tanaka", "agreed": true, "offerId": self.offer(staff).await });
        if let Some(email) = student_email {
            body["studentEmail"] = json!(email);
        }
        by.post("/api/applications/me/accept", &body).await.expect(StatusCode::OK).json()
    }

    pub(super) async fn record(&self, staff: &Actor) -> Value {
        staff.get(&format!("/api/admin/admission-requests/{}", self.id)).await.expect(StatusCode::OK).json()
    }

    async fn send_transcript(&self) {
        let part = Part::bytes(numbered_pdf(1, 2_000)).file_name("transcript.pdf");
        let form = Form::new().text("documentType", "transcript").part("document", part);
        let upload = self.child.request("POST", "/api/applications/me/documents").multipart(form);
        self.child.send(upload).await.expect(StatusCode::CREATED);
    }
}

pub(super) async fn reads(family: &Actor) -> bool {
    family.get("/api/applications/me").await.status == StatusCode::OK
}

/// Chooses the password of an invited student, and logs in.
pub(super) async fn open_account(school: &School, email: &str) -> Actor {
    let token = school.mail(email, "Your student account").await.token("/student/choose-password/");
    let chosen = json!({ "token": token, "password": PASSWORD, "confirmPassword": PASSWORD });
    let student = school.visitor();
    student.post("/api/students/reset-password", &chosen).await.expect(StatusCode::OK);
    student.log_in(email, PASSWORD).await.expect(StatusCode::OK);
    student
}

async fn documents(student: &Actor) -> usize {
    student.get("/api/students/documents").await.expect(StatusCode::OK).json().as_array().unwrap().len()
}

#[tokio::test]
async fn a_stopped_mailbox_reads_and_hears_nothing_more_of_an_application_without_a_student() {
    let school = School::open().await;
    let staff = school.staff().await;
    let family = Family::apply(&school, &staff, &application("Mei", "tanaka")).await;
    let stop = call(family.id, "stop");
    assert!(
        staff.post(&stop, &json!({ "email": MOTHER, "reason": " " })).await.fields()["reason"].is_string()
    );
    let foreign = json!({ "email": "x@mail.example", "reason": "Custody" });
    assert!(staff.post(&stop, &foreign).await.fields()["email"].is_string());
    for _ in 0..2 {
        let stopped = json!({ "email": MOTHER, "reason": "Court order of May 3" });
        let record = staff.post(&stop, &stopped).await.expect(StatusCode::OK).json();
        assert_eq!(record["guardianEmail"], json!(null), "taken off");
        let mailboxes = record["mailboxes"].as_array().unwrap();
        assert_eq!((&mailboxes[1]["email"], mailboxes[1]["stoppedAt"].is_string()), (&json!(MOTHER), true));
    }
    assert!(!reads(&family.mother).await && reads(&family.child).await);
    let seen = family.child.get("/api/applications/me").await.text();
    assert!(!seen.contains("Court order"), "{seen}");
    // She asks for a link, and the office writes to the family: nothing reaches her.
    school.visitor().post("/api/applications/link", &json!({ "email": MOTHER })).await.expect(StatusCode::OK);
    family.offer(&staff).await;
    school.mail(CHILD, &format!("We offer you a place ({})", family.reference)).await;
    let to_mother = school.all_mails().await.into_iter().filter(|mail| mail.to == MOTHER).count();
    assert_eq!(to_mother, 1, "the receipt before the stop");
    // Neither the family nor the office brings the address back beside the stop.
    let version = family.record(&staff).await["version"].clone();
    let around = json!({ "version": version, "guardianEmail": MOTHER });
    let path = format!("/api/admin/admission-requests/{}", family.id);
    assert!(staff.patch(&path, &around).await.fields()["guardianEmail"].is_string());
    let phone = json!({ "version": version, "guardianPhone": "647 555 0123" });
    staff.patch(&path, &phone).await.expect(StatusCode::OK);

    for _ in 0..2 {
        let resumed = staff.post(&call(family.id, "resume"), &json!({ "email": MOTHER })).await;
        assert_eq!(resumed.expect(StatusCode::OK).json()["guardianEmail"], json!(MOTHER));
    }
    school.visitor().post("/api/applications/link", &json!({ "email": MOTHER })).await.expect(StatusCode::OK);
    open(&school, MOTHER, "The link to your application").await;
    let verbs = "select group_concat(verb) from (select verb from admission_events
        where verb in ('stop', 'resume') order by id)";
    let verbs: String = school.database().query_row(verbs, [], |row| row.get(0)).unwrap();
    assert_eq!(verbs, "stop,resume");
}

#[tokio::test]
async fn a_stop_goes_with_the_child_from_the_application_to_the_account_and_back() {
    let school = School::open_with(|config| config.office.undo_seconds = 0).await;
    let staff = school.staff().await;
    let family = Family::apply(&school, &staff, &application("Mei", "tanaka")).await;
    let stopped = json!({ "email": MOTHER, "reason": "Custody" });
    staff.post(&call(family.id, "stop"), &stopped).await.expect(StatusCode::OK);
    family.accept(&staff, &family.child, None).await;
    let student = family.record(&staff).await["studentId"].clone();
    let path = format!("/api/admin/students/{student}");
    let guardians = staff.get(&path).await.json()["guardians"].clone();
    let mother =
        guardians.as_array().unwrap().iter().find(|one| one["email"] == json!(MOTHER)).unwrap().clone();
    assert!(mother["stoppedAt"].is_string(), "{guardians}");
    // The office discloses to her again, and stops it once more at the account: the application follows.
    let verb = |verb: &str| format!("{path}/guardians/{}/{verb}", mother["id"]);
    staff.post(&verb("resume"), &json!({})).await.expect(StatusCode::OK);
    assert_eq!(family.record(&staff).await["guardianEmail"], json!(MOTHER));
    school.visitor().post("/api/applications/link", &json!({ "email": MOTHER })).await.expect(StatusCode::OK);
    let again = open(&school, MOTHER, "The link to your application").await;
    assert!(reads(&again).await);
    staff.post(&verb("stop"), &json!({ "reason": "Custody" })).await.expect(StatusCode::OK);
    assert!(!reads(&again).await);
    let links = format!("select count(*) from links where email = '{MOTHER}' and purpose = 'application'");
    assert_eq!(school.count(&links), 0);
}

#[tokio::test]
async fn a_merge_keeps_the_stop_of_either_account() {
    for is_stopped_in_kept in [true, false] {
        let school = School::open().await;
        let staff = school.staff().await;
        let guardian = json!([{ "name": "Chidi", "email": "chidi@mail.example" }]);
        let mut ids = Vec::new();
        for _ in 0..2 {
            let student = school.student().await;
            let mut facts = profile(&student.email);
            facts["dateOfBirth"] = json!("2010-02-28");
            student.patch("/api/students/me", &facts).await.expect(StatusCode::OK);
            let request = student.request("PUT", "/api/students/guardians").json(&guardian);
            student.send(request).await.expect(StatusCode::OK);
            ids.push(student.id);
        }
        let [kept, other] = ids[..] else { unreachable!() };
        let stopped = if is_stopped_in_kept { kept } else { other };
        let guardians =
            staff.get(&format!("/api/admin/students/{stopped}")).await.json()["guardians"].clone();
        let chidi = guardians.as_array().unwrap().iter().find(|one| one["email"] == "chidi@mail.example");
        let stop = format!("/api/admin/students/{stopped}/guardians/{}/stop", chidi.unwrap()["id"]);
        staff.post(&stop, &json!({ "reason": "Custody" })).await.expect(StatusCode::OK);
        let merge = format!("/api/admin/students/{kept}/merge");
        staff.post(&merge, &json!({ "otherId": other })).await.expect(StatusCode::OK);
        let guardians = staff.get(&format!("/api/admin/students/{kept}")).await.json()["guardians"].clone();
        for guardian in guardians.as_array().unwrap() {
            let is_stopped = guardian["stoppedAt"].is_string();
            assert_eq!(is_stopped, guardian["email"] == "chidi@mail.example", "{guardians}");
        }
    }
}

#[tokio::test]
async fn only_a_mailbox_that_opened_the_application_is_given_its_fee_and_its_documents() {
    let school = School::open_with(|config| config.office.undo_seconds = 0).await;
    let staff = school.staff().await;
    let victim = school.student().await;
    let mut facts = profile(&victim.email);
    facts["dateOfBirth"] = json!("2010-03-01");
    victim.patch("/api/students/me", &facts).await.expect(StatusCode::OK);
    // The victim's address as the applicant's, who never opens a link; the guardian's mailbox accepts.
    let mut body = application("Mei", "tanaka");
    body["email"] = json!(victim.email);
    let reference = apply(&school.visitor(), &body).await;
    let mother = open(&school, MOTHER, &format!("We have your application {reference}")).await;
    let id = number(&staff, &reference).await;
    let family = Family { id, reference, child: school.visitor(), mother };
    let own = family.mother.get("/api/applications/me").await.json();
    assert_eq!(own["needsStudentEmail"], json!(false), "nothing is told of another mailbox");
    let accepted = family.accept(&staff, &family.mother, None).await;
    assert_eq!(accepted["account"]["email"], json!(victim.email), "as for any address");
    assert_eq!(family.record(&staff).await["studentId"], json!(null), "the office decides");
    let mine = crate::privacy::archive::download(&victim, "admission-requests").await;
    assert!(mine.is_empty(), "what others typed with the address is not the victim's: {mine:?}");
    let owed = format!("select count(*) from admission_requests where student_id = {}", victim.id);
    assert_eq!((school.count(&owed), documents(&victim).await), (0, 0));
    // The office links, after it has proven who it is.
    let link = json!({ "studentId": victim.id });
    school.advance(SignedDuration::from_mins(11));
    let unproven = staff.post(&call(id, "link"), &link).await;
    assert_eq!(unproven.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_mistyped_students_address_gets_no_documents_and_is_taken_back() {
    let school = School::open_with(|config| config.office.undo_seconds = 0).await;
    let staff = school.staff().await;
    let family = Family::apply(&school, &staff, &application("Mei", "tanaka")).await;
    family.send_transcript().await;
    let accepted = family.accept(&staff, &family.mother, Some("stranger@mail.example")).await;
    let account = json!({ "email": "stranger@mail.example", "isConfirmed": false, "isDisowned": false });
    assert_eq!(accepted["account"], account);
    for to in [CHILD, MOTHER] {
        let mail = school.mail(to, &format!("You have accepted the offer ({})", family.reference)).await;
        assert!(
            mail.text.contains("stranger@mail.example") && mail.text.contains("That is not us"),
            "{}",
            mail.text
        );
    }
    let stranger = open_account(&school, "stranger@mail.example").await;
    assert_eq!(documents(&stranger).await, 0);
    let answer = |is_ours: bool| json!({ "isOurs": is_ours });
    for _ in 0..2 {
        let own = family.child.post("/api/applications/me/account", &answer(false)).await;
        assert_eq!(own.expect(StatusCode::OK).json()["account"]["isDisowned"], json!(true));
    }
    stranger.get("/api/students/documents").await.expect(StatusCode::UNAUTHORIZED);
    let again = school.visitor().log_in("stranger@mail.example", PASSWORD).await;
    assert_ne!(again.status, StatusCode::OK);
    let waiting = "/api/admin/admission-requests?waits=student";
    assert_eq!(staff.get(waiting).await.column("id"), [json!(family.id)]);
    // The office gives the account the right address, which the family confirms.
    let student = family.record(&staff).await["studentId"].clone();
    let email = json!({ "email": CHILD, "reason": "Mistyped" });
    staff.post(&format!("/api/admin/students/{student}/email"), &email).await.expect(StatusCode::OK);
    assert_eq!(staff.get(waiting).await.total(), 0);
}

#[tokio::test]
async fn documents_go_to_the_account_that_a_mailbox_of_the_application_opens_or_confirms() {
    let school = School::open_with(|config| config.office.undo_seconds = 0).await;
    let staff = school.staff().await;
    // The application's own mailbox, which has opened a link.
    let family = Family::apply(&school, &staff, &application("Mei", "tanaka")).await;
    family.send_transcript().await;
    family.accept(&staff, &family.mother, None).await;
    assert_eq!(family.record(&staff).await["documents"][0]["movedTo"], json!(null), "not opened yet");
    let student = open_account(&school, CHILD).await;
    assert_eq!(documents(&student).await, 1);
    // Deleted by the office, it is gone by the application, too.
    let document = student.get("/api/students/documents").await.json()[0]["id"].clone();
    let own = family.child.get("/api/applications/me").await.json()["documents"][0]["id"].clone();
    let opened = format!("/api/applications/me/documents/{own}");
    family.child.get(&opened).await.expect(StatusCode::OK);
    let delete = staff.request("DELETE", &format!("/api/admin/documents/{document}"));
    let delete = staff.send(delete.json(&json!({ "reason": "Of another child" }))).await;
    assert!(delete.status.is_success(), "{}", delete.text());
    family.child.get(&opened).await.expect(StatusCode::NOT_FOUND);
    assert_eq!(family.child.get("/api/applications/me").await.json()["documents"], json!([]));

    // An address of the student's own, which the family confirms.
    let family = Family::apply(&school, &staff, &application("Hana", "hana")).await;
    family.send_transcript().await;
    family.accept(&staff, &family.mother, Some("hana.own@mail.example")).await;
    let student = open_account(&school, "hana.own@mail.example").await;
    assert_eq!(documents(&student).await, 0);
    for _ in 0..2 {
        let ours = family.mother.post("/api/applications/me/account", &json!({ "isOurs": true })).await;
        assert_eq!(ours.expect(StatusCode::OK).json()["account"]["isConfirmed"], json!(true));
    }
    assert_eq!(documents(&student).await, 1);
    let not_ours = family.mother.post("/api/applications/me/account", &json!({ "isOurs": false })).await;
    not_ours.expect(StatusCode::CONFLICT);
}

#[tokio::test]
async fn a_changed_mailbox_is_told_and_can_put_itself_back_for_two_days() {
    let school = School::open().await;
    let staff = school.staff().await;
    let family = Family::apply(&school, &staff, &application("Mei", "tanaka")).await;
    let moved = json!({ "email": "elsewhere@mail.example" });
    family.mother.patch("/api/applications/me", &moved).await.expect(StatusCode::OK);
    assert!(!reads(&family.child).await, "the old mailbox's sessions end");
    let subject = format!("Application {} has a new email address", family.reference);
    let elsewhere = open(&school, "elsewhere@mail.example", &subject).await;
    let told = format!("Application {} no longer has this email address", family.reference);
    let token = school.mail(CHILD, &told).await.token("/application/undo-email-change/");
    let undo = "/api/applications/undo-email-change";
    school.visitor().post(undo, &json!({ "token": token })).await.expect(StatusCode::OK);
    school.visitor().post(undo, &json!({ "token": token })).await.expect(StatusCode::NOT_FOUND);
    for gone in [&elsewhere, &family.mother] {
        assert!(!reads(gone).await);
    }
    assert_eq!(family.record(&staff).await["email"], json!(CHILD));
    let back = format!("Application {} has its old email address again", family.reference);
    let child = open(&school, CHILD, &back).await;
    school.mail("elsewhere@mail.example", &back).await;
    child.patch("/api/applications/me", &moved).await.expect(StatusCode::CONFLICT);

    // After two days it stands.
    let family = Family::apply(&school, &staff, &application("Hana", "hana")).await;
    family
        .child
        .patch("/api/applications/me", &json!({ "email": "h@mail.example" }))
        .await
        .expect(StatusCode::OK);
    let told = format!("Application {} no longer has this email address", family.reference);
    let token = school.mail("hana@mail.example", &told).await.token("/application/undo-email-change/");
    school.advance(SignedDuration::from_hours(49));
    school.visitor().post(undo, &json!({ "token": token })).await.expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_office_changes_a_mailbox_with_a_recent_proof_and_both_are_told() {
    let school = School::open().await;
    let staff = school.staff().await;
    let family = Family::apply(&school, &staff, &application("Mei", "tanaka")).await;
    let path = format!("/api/admin/admission-requests/{}", family.id);
    let change = |field: &str, value: &str| json!({ "version": 1, field: value });
    school.advance(SignedDuration::from_mins(11));
    let unproven = staff.patch(&path, &change("guardianEmail", "aunt@mail.example")).await;
    assert_eq!(unproven.status, StatusCode::FORBIDDEN);
    staff.patch(&path, &change("phone", "647 555 0123")).await.expect(StatusCode::OK);
    let staff = school.staff_as(Role::Registrar).await;
    let version = family.record(&staff).await["version"].clone();
    let aunt = json!({ "version": version, "guardianEmail": "aunt@mail.example" });
    staff.patch(&path, &aunt).await.expect(StatusCode::OK);
    assert!(!reads(&family.mother).await && reads(&family.child).await);
    let told = format!("Application {} no longer has this email address", family.reference);
    assert!(!school.mail(MOTHER, &told).await.text.contains("/undo-email-change/"));
    let subject = format!("Application {} has a new email address", family.reference);
    open(&school, "aunt@mail.example", &subject).await;
}

#[tokio::test]
async fn a_form_that_differs_is_a_second_application_with_links_to_the_mailboxes_it_names() {
    let school = School::open().await;
    let staff = school.staff().await;
    let visitor = school.visitor();
    let mistyped = application("Mei", "tanaka");
    let first = apply(&visitor, &mistyped).await;
    let mut corrected = mistyped.clone();
    corrected["guardianEmail"] = json!("emi@mail.example");
    let second = apply(&visitor, &corrected).await;
    assert_ne!(first, second);
    assert_eq!(apply(&visitor, &corrected).await, second, "the whole form is equal");
    let subject = format!("We have your application {second}");
    for to in [CHILD, "emi@mail.example"] {
        open(&school, to, &subject).await;
    }
    let listed = staff.get("/api/admin/admission-requests").await;
    assert_eq!(listed.column("isDuplicate"), [json!(true), json!(true)]);
    // The same child as another family spells it, and with day and month exchanged.
    let mut spelled = application("Lucía", "lucia");
    spelled["lastName"] = json!("Núñez-Ortiz");
    spelled["dateOfBirth"] = json!("2010-04-03");
    let known = apply(&visitor, &spelled).await;
    for (last, born) in
        [("Nunez Ortiz", "2010-04-03"), ("Núñez", "2010-04-03"), ("NUNEZ ORTIZ", "2010-03-04")]
    {
        let mut other = application("Lucia", &last.to_lowercase().replace([' ', 'ú', 'ñ'], ""));
        other["lastName"] = json!(last);
        other["dateOfBirth"] = json!(born);
        let reference = apply(&visitor, &other).await;
        let path = format!("/api/admin/admission-requests/{}", number(&staff, &reference).await);
        let record = staff.get(&path).await.json();
        let found =
            record["duplicates"].as_array().unwrap().iter().any(|one| one["reference"] == json!(known));
        assert!(found, "{last} {born}: {}", record["duplicates"]);
    }
}

#[tokio::test]
async fn done_ends_this_browser_and_the_link_begins_another() {
    let school = School::open().await;
    let staff = school.staff().await;
    let family = Family::apply(&school, &staff, &application("Mei", "tanaka")).await;
    let done = family.child.send(family.child.request("DELETE", "/api/applications/session")).await;
    assert!(done.expect(StatusCode::NO_CONTENT).header("set-cookie").contains("Max-Age=0"));
    assert!(!reads(&family.child).await && reads(&family.mother).await);
    let again = open(&school, CHILD, &format!("We have your application {}", family.reference)).await;
    assert!(reads(&again).await);
}
