//! What the office does with a student's account.

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::{Role, openapi};
use serde_json::{Map, Value, json};

use crate::support::{Actor, PASSWORD, PDF, School, Student, profile};

async fn file(staff: &Actor, id: i64) -> Value {
    staff.get(&format!("/api/admin/students/{id}")).await.expect(StatusCode::OK).json()
}

async fn act(staff: &Actor, id: i64, verb: &str, body: Value) -> Value {
    staff.post(&format!("/api/admin/students/{id}/{verb}"), &body).await.expect(StatusCode::OK).json()
}

async fn known(school: &School) -> Student {
    let student = school.student().await;
    student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);
    student
}

#[tokio::test]
async fn a_student_number_is_drawn_once_when_the_account_becomes_active() {
    let school = School::open().await;
    let staff = school.staff().await;
    let (first, second) = (school.student().await, school.student().await);
    assert_eq!(file(&staff, first.id).await["student"]["number"], "2026-0001");
    assert_eq!(file(&staff, second.id).await["student"]["number"], "2026-0002");
    school.advance(SignedDuration::from_hours(24 * 60));
    let staff = school.staff().await;
    let third = school.student().await;
    assert_eq!(file(&staff, third.id).await["student"]["number"], "2027-0001");
    school.visitor().register("waits@mail.example").await;
    school.mail("waits@mail.example", "Verify your email address").await;
    let rows = staff.get("/api/admin/students?q=waits@").await.json();
    assert_eq!(
        (&rows[0]["number"], &rows[0]["flags"]),
        (&json!(null), &json!(["unverified", "profile_incomplete", "guardian_not_confirmed"]))
    );
}

#[tokio::test]
async fn the_office_changes_a_profile_and_the_history_says_what_and_why() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let path = format!("/api/admin/students/{}", student.id);
    let version = file(&staff, student.id).await["student"]["version"].clone();
    // An incomplete profile may stay incomplete; what is typed is judged all the same.
    let body =
        json!({ "version": version, "fullName": "Jane  Doe", "phoneNumber": "123", "gender": "robot" });
    let fields = staff.patch(&path, &body).await.fields();
    assert_eq!(
        fields,
        json!({ "phoneNumber": "Valid phone number required", "gender": "Must be one of male, female, other" })
    );
    let body = json!({ "version": version, "fullName": "Jane  Doe", "preferredName": "Janie", "phoneNumber": "6475550101",
        "reason": "On the phone" });
    let changed = staff.patch(&path, &body).await.expect(StatusCode::OK).json();
    assert_eq!((&changed["fullName"], &changed["preferredName"]), (&json!("Jane Doe"), &json!("Janie")));
    assert_eq!(changed["phoneNumber"], "(647) 555-0101");
    assert_eq!(changed["version"], version.as_i64().unwrap() + 1);
    // What is there is not emptied.
    let empty = json!({ "version": changed["version"], "fullName": " " });
    assert_eq!(staff.patch(&path, &empty).await.fields(), json!({ "fullName": "Full name is required" }));
    let history = file(&staff, student.id).await["history"].clone();
    let name = history.as_array().unwrap().iter().find(|entry| entry["field"] == "fullName").unwrap().clone();
    assert_eq!(
        (&name["before"], &name["after"], &name["actorKind"], &name["reason"]),
        (&json!(null), &json!("Jane Doe"), &json!("staff"), &json!("On the phone"))
    );
    assert_eq!(name["by"], "staff0");
    assert_eq!(school.count("select count(*) from audit where object = 'student' and action = 'change'"), 1);
    // The student sees it.
    assert_eq!(student.get("/api/students/me").await.json()["fullName"], "Jane Doe");
}

/// The texts of a profile that nothing asks for and no other field judges, by the API's description.
fn optional_texts() -> Vec<String> {
    let document = serde_json::to_value(openapi()).unwrap();
    let fields = document["components"]["schemas"]["StudentChange"]["properties"].as_object().unwrap();
    let is_text = |(_, field): &(&String, &Value)| field["type"] == json!(["string", "null"]);
    let names = fields.iter().filter(is_text).map(|(name, _)| name.clone());
    names.filter(|name| !["reason", "postalCode"].contains(&name.as_str())).collect()
}

#[tokio::test]
async fn every_optional_text_is_changed_on_both_sides_kept_in_the_history_and_merged() {
    let school = School::open().await;
    let (staff, student, other) = (school.staff().await, known(&school).await, known(&school).await);
    let fields = optional_texts();
    assert!(fields.len() > 4, "the fields were found: {fields:?}");
    let all = |text: &str| fields.iter().map(|name| (name.clone(), json!(text))).collect::<Map<_, _>>();
    let holds = |record: &Value, text: &str| fields.iter().all(|name| record[name] == text);
    let written = student.patch("/api/students/me", &json!(all("By the student"))).await;
    assert!(holds(&written.expect(StatusCode::OK).json(), "By the student"));
    let mut change = all("By the office");
    change.insert("version".into(), file(&staff, student.id).await["student"]["version"].clone());
    let path = format!("/api/admin/students/{}", student.id);
    assert!(holds(&staff.patch(&path, &json!(change)).await.expect(StatusCode::OK).json(), "By the office"));
    let history = file(&staff, student.id).await["history"].clone();
    for name in &fields {
        let newest = history.as_array().unwrap().iter().find(|entry| entry["field"] == *name).unwrap();
        assert_eq!(
            (&newest["before"], &newest["after"]),
            (&json!("By the student"), &json!("By the office"))
        );
    }
    other.patch("/api/students/me", &json!(all("Of the other"))).await.expect(StatusCode::OK);
    let merge = json!({ "otherId": other.id, "keep": all("other") });
    let merged = staff.post(&format!("{path}/merge"), &merge).await.expect(StatusCode::OK).json();
    assert!(holds(&merged, "Of the other"), "{merged}");
    let emptied =
        fields.iter().filter(|name| !name.starts_with("parent")).map(|name| (name.clone(), Value::Null));
    let emptied: Map<_, _> = emptied.collect();
    let left = student.patch("/api/students/me", &json!(emptied)).await.expect(StatusCode::OK).json();
    assert!(emptied.keys().all(|name| left[name].is_null()), "{left}");
}

#[tokio::test]
async fn a_stale_change_does_not_overwrite_a_newer_one() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, known(&school).await);
    let path = format!("/api/admin/students/{}", student.id);
    let seen = file(&staff, student.id).await["student"]["version"].clone();
    student.patch("/api/students/me", &json!({ "city": "Ottawa" })).await.expect(StatusCode::OK);
    let late =
        staff.patch(&path, &json!({ "version": seen, "city": "Toronto" })).await.expect(StatusCode::CONFLICT);
    assert_eq!(late.json()["current"]["city"], "Ottawa");
    // A visit is no change.
    let seen = late.json()["current"]["version"].clone();
    school.advance(SignedDuration::from_hours(2));
    student.get("/api/students/me").await.expect(StatusCode::OK);
    let staff = school.staff().await;
    staff.patch(&path, &json!({ "version": seen, "city": "Toronto" })).await.expect(StatusCode::OK);
    assert_eq!(
        staff.patch(&path, &json!({})).await.fields()["version"],
        "The version that was changed is required"
    );
}

#[tokio::test]
async fn a_suspended_student_is_out_at_once_and_in_again_when_reinstated() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, school.student().await);
    let path = format!("/api/admin/students/{}/suspend", student.id);
    assert!(staff.post(&path, &json!({})).await.fields()["reason"].is_string());
    let suspended = act(&staff, student.id, "suspend", json!({ "reason": "Shared the password" })).await;
    assert_eq!(
        (&suspended["status"], &suspended["suspendedReason"]),
        (&json!("suspended"), &json!("Shared the password"))
    );
    student.get("/api/students/me").await.expect(StatusCode::UNAUTHORIZED);
    let refused = student.log_in(&student.email, PASSWORD).await.expect(StatusCode::FORBIDDEN);
    assert!(refused.message().contains("contact the office"));
    // Again changes nothing.
    act(&staff, student.id, "suspend", json!({ "reason": "Another reason" })).await;
    let refused =
        staff.post(&format!("/api/admin/students/{}/send-password-link", student.id), &json!({})).await;
    refused.expect(StatusCode::CONFLICT);
    let back = act(&staff, student.id, "reinstate", json!({})).await;
    assert_eq!((&back["status"], &back["suspendedReason"]), (&json!("active"), &json!(null)));
    student.log_in(&student.email, PASSWORD).await.expect(StatusCode::OK);
    let history = file(&staff, student.id).await["history"].clone();
    assert_eq!(history.as_array().unwrap().len(), 2, "{history}");
}

#[tokio::test]
async fn a_closed_account_leaves_the_list_and_its_links_die() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, known(&school).await);
    student.post("/api/students/forgot-password", &json!({ "email": student.email })).await;
    let token = school.mail(&student.email, "Choose a new password").await.token("/student/reset-password/");
    let closed = act(&staff, student.id, "close", json!({ "reason": "Left the school" })).await;
    assert_eq!((&closed["status"], &closed["closedReason"]), (&json!("closed"), &json!("Left the school")));
    let body =
        json!({ "token": token, "password": "another password", "confirmPassword": "another password" });
    student.post("/api/students/reset-password", &body).await.expect(StatusCode::NOT_FOUND);
    assert_eq!(staff.get("/api/admin/students?page=1").await.total(), 0);
    assert_eq!(staff.get("/api/admin/students?status=closed&page=1").await.total(), 1);
    assert_eq!(staff.get("/api/admin/students?flags=closed").await.column("id"), [json!(student.id)]);
    let again = act(&staff, student.id, "reinstate", json!({})).await;
    assert_eq!((&again["status"], &again["closedAt"]), (&json!("active"), &json!(null)));
}

#[tokio::test]
async fn an_address_is_corrected_by_a_link_to_the_new_mailbox() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, known(&school).await);
    student.post("/api/students/forgot-password", &json!({ "email": student.email })).await;
    let old_link =
        school.mail(&student.email, "Choose a new password").await.token("/student/reset-password/");
    let asked = act(&staff, student.id, "email", json!({ "email": "Jane@New.Example" })).await;
    assert_eq!(
        (&asked["email"], &asked["pendingEmail"]),
        (&json!(student.email), &json!("jane@new.example"))
    );
    school.mail(&student.email, "Your email address is about to change").await;
    let body =
        json!({ "token": old_link, "password": "another password", "confirmPassword": "another password" });
    student.post("/api/students/reset-password", &body).await.expect(StatusCode::NOT_FOUND);
    student.get("/api/students/me").await.expect(StatusCode::OK);
    let token =
        school.mail("jane@new.example", "Confirm your new email address").await.token("/student/verify/");
    school.visitor().get(&format!("/api/students/verify/{token}")).await.expect(StatusCode::OK);
    let page = file(&staff, student.id).await;
    assert_eq!(page["student"]["email"], "jane@new.example");
    // What was written to the old address is still this student's, up to the last email there.
    let written = page["emails"].as_array().unwrap();
    let to_old: Vec<_> = written.iter().filter(|one| one["recipient"] == student.email.as_str()).collect();
    let subjects: Vec<_> = to_old.iter().map(|one| one["subject"].as_str().unwrap()).collect();
    for subject in
        ["Verify your email address", "Choose a new password", "Your email address is about to change"]
    {
        assert!(subjects.contains(&subject), "{subject}: {subjects:?}");
    }
    // Later the address belongs to another student, whose emails are not listed here.
    school.advance(SignedDuration::from_hours(24 * 9));
    let staff = school.staff().await;
    let new = json!({ "email": student.email, "fullName": "Mei Tanaka" });
    let other = staff.post("/api/admin/students", &new).await.expect(StatusCode::CREATED).json();
    let count = |page: &Value| {
        let all = page["emails"].as_array().unwrap().clone();
        all.iter().filter(|one| one["recipient"] == student.email.as_str()).count()
    };
    assert_eq!(count(&file(&staff, student.id).await), to_old.len());
    assert!(count(&file(&staff, other["id"].as_i64().unwrap()).await) > 0);
}

#[tokio::test]
async fn an_address_that_was_confirmed_on_the_phone_counts_at_once_and_sessions_stay() {
    let school = School::open().await;
    let (staff, student, other) = (school.staff().await, known(&school).await, known(&school).await);
    let path = format!("/api/admin/students/{}/email", student.id);
    let fields = staff.post(&path, &json!({ "email": "jane", "confirmed": true })).await.fields();
    assert_eq!(fields["email"], "Please enter a valid email address");
    assert!(fields["reason"].is_string());
    let taken = staff.post(&path, &json!({ "email": other.email })).await.expect(StatusCode::CONFLICT);
    assert_eq!(taken.message(), "This email address belongs to Amara Okonkwo (2026-0002).");
    assert_eq!(taken.json()["current"]["id"], other.id);
    let body =
        json!({ "email": "jane@new.example", "confirmed": true, "reason": "She called and spelled it" });
    assert_eq!(act(&staff, student.id, "email", body).await["email"], "jane@new.example");
    student.get("/api/students/me").await.expect(StatusCode::OK);
    for to in [student.email.as_str(), "jane@new.example"] {
        school.mail(to, "Your email address was changed by the office").await;
    }
    let history = file(&staff, student.id).await["history"][0].clone();
    assert_eq!(
        (&history["field"], &history["before"], &history["after"]),
        (&json!("email"), &json!(student.email), &json!("jane@new.example"))
    );
}

#[tokio::test]
async fn a_mistyped_registration_is_put_right_and_the_old_mailbox_gets_nothing() {
    let school = School::open().await;
    let staff = school.staff().await;
    school.visitor().register("jnae@mail.example").await;
    let stale = school.mail("jnae@mail.example", "Verify your email address").await.token("/student/verify/");
    let id = staff.get("/api/admin/students?q=jnae").await.column("id")[0].as_i64().unwrap();
    let again = staff.post(&format!("/api/admin/students/{id}/resend-verification"), &json!({})).await;
    again.expect(StatusCode::OK);
    act(&staff, id, "email", json!({ "email": "jane@mail.example" })).await;
    school.visitor().get(&format!("/api/students/verify/{stale}")).await.expect(StatusCode::NOT_FOUND);
    let token = school.mail("jane@mail.example", "Verify your email address").await.token("/student/verify/");
    school.visitor().get(&format!("/api/students/verify/{token}")).await.expect(StatusCode::OK);
    school.visitor().log_in("jane@mail.example", PASSWORD).await.expect(StatusCode::OK);
    let verified = staff.post(&format!("/api/admin/students/{id}/resend-verification"), &json!({})).await;
    verified.expect(StatusCode::CONFLICT);
}

#[tokio::test]
async fn an_invited_student_chooses_a_password_within_seven_days() {
    let school = School::open().await;
    let staff = school.staff().await;
    let fields = staff.post("/api/admin/students", &json!({ "email": "x" })).await.fields();
    assert_eq!(
        fields,
        json!({ "email": "Please enter a valid email address", "fullName": "Full name is required" })
    );
    let new = json!({ "fullName": "Jane Doe", "email": "Jane@mail.example", "parentName": "Chidi Doe" });
    let made = staff.post("/api/admin/students", &new).await.expect(StatusCode::CREATED).json();
    assert_eq!(
        (&made["status"], &made["origin"], &made["number"]),
        (&json!("unverified"), &json!("office"), &json!(null))
    );
    let taken = staff.post("/api/admin/students", &new).await.expect(StatusCode::CONFLICT);
    assert_eq!(taken.message(), "This email address belongs to Jane Doe.");
    let token =
        school.mail("jane@mail.example", "Your student account").await.token("/student/choose-password/");
    school.advance(SignedDuration::from_hours(6 * 24));
    let body = json!({ "token": token, "password": "quiet heron 42", "confirmPassword": "quiet heron 42" });
    school.visitor().post("/api/students/reset-password", &body).await.expect(StatusCode::OK);
    let jane = school.visitor();
    let me = jane.log_in("jane@mail.example", "quiet heron 42").await.expect(StatusCode::OK).json();
    assert_eq!(me["student"]["fullName"], "Jane Doe");
    let staff = school.staff().await;
    assert_eq!(file(&staff, made["id"].as_i64().unwrap()).await["student"]["number"], "2026-0001");
}

#[tokio::test]
async fn an_invitation_that_ran_out_is_sent_again_and_the_account_waits_for_as_long_as_it_takes() {
    let school = School::open().await;
    let staff = school.staff().await;
    let new = json!({ "fullName": "Jane Doe", "email": "jane@mail.example", "invite": false });
    let id = staff.post("/api/admin/students", &new).await.expect(StatusCode::CREATED).json()["id"]
        .as_i64()
        .unwrap();
    assert!(school.all_mails().await.is_empty());
    school.advance(SignedDuration::from_hours(40 * 24));
    schoolhouse::testing::sweep_students(&school.database(), school.clock.now()).unwrap();
    let staff = school.staff().await;
    act(&staff, id, "resend-verification", json!({})).await;
    school.mail("jane@mail.example", "Your student account").await;
}

#[tokio::test]
async fn notes_are_written_changed_by_their_author_and_deleted_for_good() {
    let school = School::open().await;
    let (staff, colleague, student) = (school.staff().await, school.staff().await, school.student().await);
    let path = format!("/api/admin/students/{}/notes", student.id);
    assert_eq!(
        staff.post(&path, &json!({ "body": " " })).await.fields()["body"],
        "Enter the text of the note"
    );
    let first =
        staff.post(&path, &json!({ "body": "Called twice." })).await.expect(StatusCode::CREATED).json();
    let second =
        staff.post(&path, &json!({ "body": "Moved to Ottawa." })).await.expect(StatusCode::CREATED).json();
    let note = |id: &Value| format!("/api/admin/student-notes/{id}");
    let pinned = colleague
        .patch(&note(&first["id"]), &json!({ "isPinned": true }))
        .await
        .expect(StatusCode::OK)
        .json();
    assert_eq!((&pinned["isPinned"], &pinned["editedAt"]), (&json!(true), &json!(null)));
    colleague
        .patch(&note(&first["id"]), &json!({ "body": "Never called." }))
        .await
        .expect(StatusCode::CONFLICT);
    staff.patch(&note(&first["id"]), &json!({ "body": "Called three times." })).await.expect(StatusCode::OK);
    staff.delete(&note(&second["id"])).await.expect(StatusCode::NO_CONTENT);
    staff.delete(&note(&second["id"])).await.expect(StatusCode::NOT_FOUND);
    let notes = file(&staff, student.id).await["notes"].clone();
    assert_eq!((&notes[0]["body"], &notes[0]["by"]), (&json!("Called three times."), &json!("staff0")));
    assert_eq!(notes[1]["body"], "");
    assert!(notes[1]["deletedAt"].is_string());
    // A student with notes is not swept away.
    assert_eq!(
        school.count("select count(*) from audit where object = 'student' and action like '%note'"),
        5
    );
}

#[tokio::test]
async fn a_guardians_confirmation_is_recorded_for_minors_and_can_be_revoked() {
    let school = School::open().await;
    let (staff, minor, adult) = (school.staff().await, known(&school).await, known(&school).await);
    adult.patch("/api/students/me", &json!({ "dateOfBirth": "2000-01-01" })).await.expect(StatusCode::OK);
    let flags = |file: &Value| file["flags"].as_array().unwrap().contains(&json!("guardian_not_confirmed"));
    assert!(flags(&file(&staff, minor.id).await));
    let path = |id: i64| format!("/api/admin/students/{id}/guardian-confirmed");
    staff.post(&path(adult.id), &json!({ "how": "phone" })).await.expect(StatusCode::CONFLICT);
    assert!(staff.post(&path(minor.id), &json!({ "how": "pigeon" })).await.fields()["how"].is_string());
    let noted = staff.post(&path(minor.id), &json!({ "how": "paper" })).await.expect(StatusCode::OK).json();
    assert_eq!(
        (&noted["guardianConfirmed"]["how"], &noted["guardianConfirmed"]["by"]),
        (&json!("paper"), &json!("staff0"))
    );
    assert!(!flags(&file(&staff, minor.id).await));
    let back = staff.delete(&path(minor.id)).await.expect(StatusCode::OK).json();
    assert_eq!(back["guardianConfirmed"], json!(null));
    assert!(flags(&file(&staff, minor.id).await));
}

#[tokio::test]
async fn an_email_of_the_office_is_listed_among_the_others() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, known(&school).await);
    let path = format!("/api/admin/students/{}/emails", student.id);
    let fields = staff.post(&path, &json!({ "subject": "a\nb", "body": "short" })).await.fields();
    assert_eq!(fields, json!({ "subject": "Must be one line", "body": "Write at least 10 characters" }));
    let body = json!({ "subject": "Your timetable", "body": "It begins on Monday.\n\nThe office" });
    let queued = staff.post(&path, &body).await.expect(StatusCode::CREATED).json();
    assert_eq!((&queued["recipient"], &queued["subject"]), (&json!(student.email), &json!("Your timetable")));
    let mail = school.mail(&student.email, "Your timetable").await;
    assert!(
        mail.text.contains("Hello Amara Okonkwo,") && mail.text.contains("It begins on Monday."),
        "{}",
        mail.text
    );
    let page = file(&staff, student.id).await;
    assert_eq!(page["emails"][0]["subject"], "Your timetable");
    assert_eq!(
        (&page["history"][0]["field"], &page["history"][0]["after"], &page["history"][0]["by"]),
        (&json!("officeEmail"), &json!("Your timetable"), &json!("staff0"))
    );
}

#[tokio::test]
async fn each_role_reads_what_it_may() {
    let school = School::open().await;
    let (staff, student) = (school.staff().await, known(&school).await);
    student.write_message("Amara", &student.email, "When do classes begin?").await.expect(StatusCode::OK);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone();
    staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await.expect(StatusCode::OK);
    for (role, nulls) in [
        (Role::Admin, &[][..]),
        (Role::Registrar, &[]),
        (Role::Bursar, &["wanted", "documents", "notes", "emails", "messages", "history"]),
        (Role::Viewer, &["emails", "messages", "money"]),
    ] {
        let actor = school.staff_as(role).await;
        let file = file(&actor, student.id).await;
        for part in ["wanted", "documents", "notes", "emails", "messages", "history", "money"] {
            assert_eq!(file[part].is_null(), nulls.contains(&part), "{role:?} {part}: {}", file[part]);
        }
        assert_eq!(file["student"]["dateOfBirth"].is_null(), role == Role::Bursar, "{role:?}");
        assert_eq!(file["enrollments"][0]["events"].as_array().unwrap().len(), 2);
        let row = actor.get("/api/admin/students").await.expect(StatusCode::OK).json()[0].clone();
        assert_eq!(row["documents"].is_null(), role == Role::Bursar, "{role:?}");
        let balance = if role == Role::Viewer { json!(null) } else { json!(500) };
        assert_eq!(row["balance"], balance, "{role:?}");
        let found = actor.get("/api/admin/search?q=amara").await.expect(StatusCode::OK).json();
        assert_eq!(found["students"].as_array().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn two_accounts_of_one_student_become_one() {
    let school = School::open().await;
    let staff = school.staff().await;
    let (kept, gone) = (known(&school).await, school.student().await);
    let mut facts = profile(&gone.email);
    facts["fullName"] = "Amara O.".into();
    facts["parentName"] = "Chidi".into();
    facts["city"] = "Ottawa".into();
    gone.patch("/api/students/me", &facts).await.expect(StatusCode::OK);
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let id = gone.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone();
    staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await.expect(StatusCode::OK);
    gone.upload("transcript", "a.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    staff
        .post(&format!("/api/admin/students/{}/notes", gone.id), &json!({ "body": "Called." }))
        .await
        .expect(StatusCode::CREATED);
    let path = format!("/api/admin/students/{}/merge", kept.id);
    staff.post(&path, &json!({})).await.fields()["otherId"].as_str().unwrap();
    assert!(staff.post(&path, &json!({ "otherId": kept.id })).await.fields()["otherId"].is_string());
    assert!(staff.post(&path, &json!({ "otherId": 9999 })).await.fields()["otherId"].is_string());
    let wrong = json!({ "otherId": gone.id, "keep": { "shoeSize": "other" } });
    assert!(staff.post(&path, &wrong).await.fields()["keep"].is_string());
    // Two open rows of one course cannot be one.
    let twin = kept.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone();
    let body = json!({ "otherId": gone.id, "keep": { "city": "other" } });
    let refused = staff.post(&path, &body).await.expect(StatusCode::CONFLICT);
    assert!(refused.message().contains("ENG4U"), "{}", refused.message());
    kept.post(&format!("/api/students/enrollments/{twin}/withdraw"), &json!({})).await.expect(StatusCode::OK);
    let merged = staff.post(&path, &body).await.expect(StatusCode::OK).json();
    assert_eq!(
        (&merged["fullName"], &merged["city"], &merged["parentName"]),
        (&json!("Amara Okonkwo"), &json!("Ottawa"), &json!("Chidi"))
    );
    let after = file(&staff, kept.id).await;
    assert_eq!(after["enrollments"].as_array().unwrap().len(), 2);
    assert_eq!(
        (after["documents"].as_array().unwrap().len(), after["notes"].as_array().unwrap().len()),
        (1, 1)
    );
    assert_eq!(after["money"]["balance"], 500);
    let closed = file(&staff, gone.id).await["student"].clone();
    assert_eq!((&closed["status"], &closed["mergedInto"]), (&json!("closed"), &json!(kept.id)));
    gone.get("/api/students/me").await.expect(StatusCode::UNAUTHORIZED);
    staff
        .post(&format!("/api/admin/students/{}/reinstate", gone.id), &json!({}))
        .await
        .expect(StatusCode::CONFLICT);
    assert_eq!(staff.get("/api/admin/dashboard").await.json()["totalFeeDue"], 500);
    let registrar = school.staff_as(Role::Registrar).await;
    registrar.post(&path, &body).await.expect(StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_sheet_of_students_is_imported_by_the_office_and_leaves_again() {
    let school = School::open().await;
    let staff = school.staff().await;
    let send = |query: &str, text: &'static str| {
        let path = format!("/api/admin/students/import{query}");
        staff.request("POST", &path).header("content-type", "text/csv").body(text)
    };
    let sheet = "email,fullName,phoneNumber\njane@mail.example,=Jane Doe,+1 647 555 0101\n";
    let dry = staff.send(send("?dryRun=1", sheet)).await.expect(StatusCode::OK).json();
    assert_eq!((&dry["added"], &dry["rows"][0]["action"]), (&json!(1), &json!("add")));
    assert_eq!(school.count("select count(*) from students"), 0);
    let bad = staff.send(send("", "email,fullName\njane,J\n")).await.expect(StatusCode::OK).json();
    assert_eq!(
        bad["problems"],
        json!(["line 2, email: Please enter a valid email address (found \"jane\")"]),
        "{bad}"
    );
    let many = format!("email,fullName\n{}", "jane,J\n".repeat(27));
    let bad = staff.send(send("", "").body(many)).await.expect(StatusCode::OK).json();
    assert_eq!((bad["problems"].as_array().unwrap().len(), &bad["moreProblems"]), (20, &json!(7)), "{bad}");
    assert_eq!(school.count("select count(*) from students"), 0);
    staff.send(send("?invite=1", sheet)).await.expect(StatusCode::OK);
    school.mail("jane@mail.example", "Your student account").await;
    let list = staff.get("/api/admin/students?q=jane&format=csv").await.expect(StatusCode::OK);
    assert!(list.header("content-disposition").contains("students-2026-11-21.csv"));
    assert!(
        list.text().starts_with("\u{feff}Number,Full name,") && list.text().contains(",'=Jane Doe,"),
        "{}",
        list.text()
    );
    assert_eq!(school.count("select count(*) from audit where action = 'export' and object = 'students'"), 1);
    // Roles that read records export the profile, and importing it changes nothing.
    assert!(
        list.text().contains("Date of birth") && list.text().contains("Parent contact"),
        "{}",
        list.text()
    );
    let back =
        staff.send(send("?dryRun=1", "").body(list.text().clone())).await.expect(StatusCode::OK).json();
    assert_eq!((&back["unchanged"], &back["problems"]), (&json!(1), &json!([])), "{back}");
    let bursar = school.staff_as(Role::Bursar).await;
    let list = bursar.get("/api/admin/students?format=csv").await.expect(StatusCode::OK);
    assert!(list.text().contains("Balance") && !list.text().contains("Date of birth"), "{}", list.text());
    let viewer = school.staff_as(Role::Viewer).await;
    viewer.get("/api/admin/students?format=csv").await.expect(StatusCode::FORBIDDEN);
    let written = "email,fullName,dateOfBirth,country,province\n\
        a@mail.example,Ann,3/1/2009,,\n\
        b@mail.example,Bea,\"March 1, 2009\",Canada,Ont.\n";
    let asked = staff.send(send("", written)).await.expect(StatusCode::OK).json();
    assert_eq!(
        asked["problems"],
        json!([
            "line 2, dateOfBirth: This can be March 1, 2009 or January 3, 2009. Write 2009-03-01 or 2009-01-03 \
            (found \"3/1/2009\")"
        ])
    );
    let written =
        "email,fullName,dateOfBirth,country,province\nb@mail.example,Bea,13/1/2009,Canada,ontario\n";
    staff.send(send("", written)).await.expect(StatusCode::OK);
    let stored = "select count(*) from students where date_of_birth = '2009-01-13' and province = 'ON'";
    assert_eq!(school.count(stored), 1);
    let rows: String = (0..120).map(|n| format!("s{n}@mail.example,Student {n}\n")).collect();
    let file = format!("email,fullName\n{rows}");
    let answer = staff.send(send("", "").body(file.clone())).await.expect(StatusCode::OK).json();
    assert_eq!((&answer["added"], answer["rows"].as_array().unwrap().len()), (&json!(120), 50));
    assert_eq!(school.count("select count(*) from students"), 122);
    let again = staff.send(send("", "").body(file)).await.expect(StatusCode::OK).json();
    assert_eq!((&again["added"], &again["unchanged"]), (&json!(0), &json!(120)));
}

#[tokio::test]
async fn a_telephone_number_finds_its_family_in_every_search_however_it_is_typed() {
    let school = School::open().await;
    let staff = school.staff().await;
    let student = school.student().await;
    let mut facts = crate::support::profile(&student.email);
    facts["phoneNumber"] = json!("+1 416 555 7777");
    student.patch("/api/students/me", &facts).await.expect(StatusCode::OK);
    let guardians = json!([
        { "name": "Ada Parent", "email": "ada@mail.example", "phone": "647-555-1001", "relationship": "mother",
            "isPrimary": true, "getsMail": true },
        { "name": "Ben Parent", "email": "ben@mail.example", "phone": "647.555.1002", "relationship": "father",
            "getsMail": true },
    ]);
    let path = format!("/api/admin/students/{}/guardians", student.id);
    staff.send(staff.request("PUT", &path).json(&guardians)).await.expect(StatusCode::OK);
    let visitor = school.visitor();
    let message = json!({ "name": "Li Wei", "email": "li@mail.example", "phone": "(905) 555-3003", "subject": "general",
        "message": "Is the office open?" });
    visitor.post("/api/contact", &message).await.expect(StatusCode::OK);
    let mut applicant = crate::admissions::application("Mei", "mei");
    applicant["phone"] = json!("289 555 4004");
    crate::admissions::apply(&visitor, &applicant).await;
    for (list, digits) in [
        ("students", "4165557777"),
        ("students", "6475551001"),
        ("students", "6475551002"),
        ("messages", "9055553003"),
        ("admission-requests", "2895554004"),
    ] {
        let (area, rest) = digits.split_at(3);
        let (exchange, line) = rest.split_at(3);
        for typed in [
            digits.to_owned(),
            format!("({area}) {exchange}-{line}"),
            format!("{area}.{exchange}.{line}"),
            format!("+1 {area} {exchange} {line}"),
            format!("1-{area}-{exchange}-{line}"),
            format!("{exchange}-{line}"),
        ] {
            let query = form_urlencoded::byte_serialize(typed.as_bytes()).collect::<String>();
            let found =
                staff.get(&format!("/api/admin/{list}?page=1&q={query}")).await.expect(StatusCode::OK);
            assert_eq!(found.total(), 1, "{list}: {typed}");
            let kind = if list == "admission-requests" { "applications" } else { list };
            if kind != "messages" {
                let all =
                    staff.get(&format!("/api/admin/search?q={query}")).await.expect(StatusCode::OK).json();
                assert_eq!(all[kind].as_array().map(Vec::len), Some(1), "{kind}: {typed}: {all}");
            }
        }
    }
}
