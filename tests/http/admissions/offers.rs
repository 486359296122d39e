//! From an offer to a place, and back.

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::{Role, offer_clock};
use serde_json::{Value, json};

use super::{application, apply, call, number, open};
use crate::support::{Actor, PASSWORD, School, profile};

/// An application with a standing offer of $1,250.50: its number, and its family's browser.
pub async fn offered(school: &School, staff: &Actor, body: &Value) -> (i64, Actor, i64) {
    let reference = apply(&school.visitor(), body).await;
    let id = number(staff, &reference).await;
    let offer = json!({ "feeDue": 1250.5, "deposit": 250, "expiresOn": "2026-12-09" });
    let offer =
        staff.post(&call(id, "offer"), &offer).await.expect(StatusCode::OK).json()["offer"]["id"].clone();
    let email = body["email"].as_str().unwrap();
    let family = open(school, email, &format!("We offer you a place ({reference})")).await;
    (id, family, offer.as_i64().unwrap())
}

#[tokio::test]
async fn accepting_an_offer_makes_the_admission_the_fee_and_the_student_once() {
    let school = School::open().await;
    let staff = school.staff_as(Role::Registrar).await;
    let (id, family, offer) = offered(&school, &staff, &application("Mei", "tanaka")).await;
    let accept = "/api/applications/me/accept";
    for wrong in [
        json!({ "name": " ", "agreed": true, "offerId": offer }),
        json!({ "name": "Emi Tanaka", "agreed": false, "offerId": offer }),
        json!({ "name": "Emi Tanaka", "agreed": true }),
    ] {
        family.post(accept, &wrong).await.expect(StatusCode::BAD_REQUEST);
    }
    let other = json!({ "name": "Emi Tanaka", "agreed": true, "offerId": offer + 1 });
    let refused = family.post(accept, &other).await.expect(StatusCode::CONFLICT).json();
    assert_eq!(refused["current"]["status"], json!("offered"));
    let body = json!({ "name": "Emi  Tanaka", "agreed": true, "offerId": offer });
    for _ in 0..2 {
        let own = family.post(accept, &body).await.expect(StatusCode::OK).json();
        assert_eq!(
            (&own["status"], &own["offer"]["acceptedName"]),
            (&json!("accepted"), &json!("Emi  Tanaka"))
        );
    }
    family.post("/api/applications/me/decline", &json!({})).await.expect(StatusCode::CONFLICT);
    family.post("/api/applications/me/withdraw", &json!({})).await.expect(StatusCode::CONFLICT);

    let record = staff.get(&format!("/api/admin/admission-requests/{id}")).await.json();
    let admission = &record["admission"];
    assert_eq!(
        (&admission["status"], &admission["feeDue"], &admission["feePaid"]),
        (&json!("active"), &json!(1250.5), &json!(0))
    );
    for (sql, expected) in [
        ("select count(*) from admissions", 1),
        ("select sum(amount_cents) from ledger where kind = 'charge' and admission_id is not null", 125_050),
        ("select count(*) from ledger", 2),
        ("select count(*) from consents where kind = 'offer' and length(text_version) = 64", 1),
        ("select count(*) from admission_events where verb = 'accept' and actor_kind = 'family'", 1),
    ] {
        assert_eq!(school.count(sql), expected, "{sql}");
    }
    // The student has what the family wrote, and is invited.
    let student = staff
        .get(&format!("/api/admin/students/{}", record["studentId"]))
        .await
        .expect(StatusCode::OK)
        .json();
    let student = &student["student"];
    assert_eq!((&student["fullName"], &student["dateOfBirth"]), (&json!("Mei Tanaka"), &json!("2010-03-01")));
    assert_eq!(
        (&student["parentName"], &student["email"]),
        (&json!("Emi Tanaka"), &json!("tanaka@mail.example"))
    );
    let invitation = school.mail("tanaka@mail.example", "Your student account").await;
    let token = invitation.token("/student/choose-password/");
    let chosen = json!({ "token": token, "password": PASSWORD, "confirmPassword": PASSWORD });
    school.visitor().post("/api/students/reset-password", &chosen).await.expect(StatusCode::OK);
    school.visitor().log_in("tanaka@mail.example", PASSWORD).await.expect(StatusCode::OK);
    let reference = record["reference"].as_str().unwrap();
    for to in ["tanaka@mail.example", "tanaka.mother@mail.example"] {
        let mail = school.mail(to, &format!("You have accepted the offer ({reference})")).await;
        for words in ["I agree to pay the fee", "$1,250.50", "Emi"] {
            assert!(mail.text.contains(words), "{words}: {}", mail.text);
        }
        let first = school.mail(to, &format!("We have your application {reference}")).await;
        let offer = school.mail(to, &format!("We offer you a place ({reference})")).await;
        for later in [&offer, &mail] {
            assert_eq!(later.in_reply_to.as_deref(), Some(&*first.id), "one thread for each mailbox");
        }
    }

    // Cancelled, the fee is taken back; the application stays accepted.
    let cancel = format!("/api/admin/admissions/{}/cancel", admission["id"]);
    staff.post(&cancel, &json!({ "reason": "" })).await.expect(StatusCode::BAD_REQUEST);
    for _ in 0..2 {
        let cancelled =
            staff.post(&cancel, &json!({ "reason": "They move." })).await.expect(StatusCode::OK).json();
        assert_eq!((&cancelled["status"], &cancelled["feeDue"]), (&json!("cancelled"), &json!(0)));
    }
    assert_eq!(school.count("select count(*) from ledger where kind = 'reversal'"), 2);
    let record = staff.get(&format!("/api/admin/admission-requests/{id}")).await.json();
    assert_eq!(record["status"], json!("accepted"));
    staff.post(&call(id, "decline"), &json!({ "reason": "x" })).await.expect(StatusCode::CONFLICT);
    staff.post(&call(id, "reopen"), &json!({})).await.expect(StatusCode::CONFLICT);
    school.mail("tanaka@mail.example", &format!("Your admission was cancelled ({reference})")).await;
}

#[tokio::test]
async fn the_student_of_an_accepted_offer_is_linked_made_or_left_to_the_office() {
    let school = School::open_with(|config| config.office.undo_seconds = 0).await;
    let staff = school.staff_as(Role::Registrar).await;
    let take = async |body: &Value, email: Option<&str>| {
        let (id, family, offer) = offered(&school, &staff, body).await;
        let mut answer = json!({ "name": "Emi", "agreed": true, "offerId": offer });
        if let Some(email) = email {
            answer["studentEmail"] = json!(email);
        }
        let answer = family.post("/api/applications/me/accept", &answer).await;
        (id, answer)
    };
    let student_of = async |id: i64| {
        staff.get(&format!("/api/admin/admission-requests/{id}")).await.json()["studentId"].clone()
    };
    // A student with this verified address and birth date.
    let student = school.student().await;
    student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);
    let mut body = application("Amara", "okonkwo");
    body["email"] = json!(student.email);
    body["dateOfBirth"] = json!("2009-03-01");
    let (id, answer) = take(&body, None).await;
    answer.expect(StatusCode::OK);
    assert_eq!(student_of(id).await, json!(student.id));
    // The same student's address, but typed: no link has proven it, and the office links by hand.
    let mut body = application("Amara", "okonkwo.aunt");
    body["dateOfBirth"] = json!("2009-03-01");
    let (id, answer) = take(&body, Some(&student.email)).await;
    answer.expect(StatusCode::OK);
    assert_eq!(student_of(id).await, json!(null));
    staff.post(&call(id, "link"), &json!({ "studentId": student.id })).await.expect(StatusCode::OK);
    // Another birth date: another person.
    let other = school.student().await;
    other.patch("/api/students/me", &profile(&other.email)).await.expect(StatusCode::OK);
    let mut body = application("Chidi", "chidi");
    body["email"] = json!(other.email);
    let (id, answer) = take(&body, None).await;
    answer.expect(StatusCode::OK);
    assert_eq!(student_of(id).await, json!(null));
    let waiting = "/api/admin/admission-requests?waits=student";
    assert_eq!(staff.get(waiting).await.column("id"), [json!(id)]);
    staff.post(&call(id, "link"), &json!({ "studentId": other.id })).await.expect(StatusCode::OK);
    assert_eq!(student_of(id).await, json!(other.id));
    assert_eq!(staff.get(waiting).await.total(), 0);
    // A sister applies from the same address: the student's own is asked for.
    apply(&school.visitor(), &application("Hana", "tanaka")).await;
    let (_, answer) = take(&application("Mei", "tanaka"), None).await;
    assert!(answer.fields()["studentEmail"].is_string());
    let (id, answer) = take(&application("Sora", "tanaka"), Some("sora@mail.example")).await;
    answer.expect(StatusCode::OK);
    let sora = staff
        .get(&format!("/api/admin/students/{}", student_of(id).await))
        .await
        .expect(StatusCode::OK)
        .json();
    assert_eq!(sora["student"]["email"], json!("sora@mail.example"));
    school.mail("sora@mail.example", "Your student account").await;
    // The office enters one that came by telephone; the family gets its link.
    let mut entered = application("Yuki", "yuki");
    entered.as_object_mut().unwrap().remove("consents");
    entered["source"] = json!("phone");
    let visitor = school.visitor();
    visitor.write_message("Yuki", "yuki@mail.example", "I would like to apply.").await.expect(StatusCode::OK);
    entered["messageId"] = json!(1);
    let record =
        staff.post("/api/admin/admission-requests", &entered).await.expect(StatusCode::CREATED).json();
    assert_eq!((&record["source"], &record["events"][0]["actorKind"]), (&json!("phone"), &json!("staff")));
    let message = staff.get("/api/admin/messages/1").await.expect(StatusCode::OK).json();
    assert_eq!(message["requestId"], record["id"]);
    let reference = record["reference"].as_str().unwrap();
    open(&school, "yuki@mail.example", &format!("We have your application {reference}")).await;
    entered["source"] = json!("fax");
    entered["firstName"] = json!("");
    let fields = staff.post("/api/admin/admission-requests", &entered).await.fields();
    assert!(fields["source"].is_string() && fields["firstName"].is_string(), "{fields}");
}

#[tokio::test]
async fn an_offer_is_remembered_ends_with_its_day_at_the_school_and_is_made_again() {
    let school = School::open().await;
    let staff = school.staff_as(Role::Registrar).await;
    let (id, family, offer) = offered(&school, &staff, &application("Mei", "tanaka")).await;
    let own = async || family.get("/api/applications/me").await;
    let status = async || school.count("select count(*) from admission_requests where status = 'expired'");
    let reminders = async || {
        let mails = school.all_mails().await;
        mails.iter().filter(|mail| mail.subject.starts_with("Your offer ends soon")).count()
    };
    offer_clock(school.app()).await.unwrap();
    assert_eq!((reminders().await, status().await), (0, 0));
    // December 6 at the school: three days are left.
    school.clock.advance(SignedDuration::from_hours(24 * 15));
    for _ in 0..2 {
        offer_clock(school.app()).await.unwrap();
        assert_eq!(reminders().await, 2, "one to each mailbox, once");
    }
    // 23:59 on December 9 in Toronto, then midnight.
    let last: jiff::Timestamp = "2026-12-10T04:59:00Z".parse().unwrap();
    school.clock.advance(last.duration_since(school.clock.now()));
    offer_clock(school.app()).await.unwrap();
    assert_eq!(status().await, 0);
    own().await.expect(StatusCode::UNAUTHORIZED);
    let reference: String = school
        .database()
        .query_row("select reference from admission_requests", [], |row| row.get(0))
        .unwrap();
    let family = open(&school, "tanaka@mail.example", &format!("Your offer ends soon ({reference})")).await;
    school.clock.advance(SignedDuration::from_mins(1));
    let body = json!({ "name": "Emi", "agreed": true, "offerId": offer });
    family.post("/api/applications/me/accept", &body).await.expect(StatusCode::CONFLICT);
    offer_clock(school.app()).await.unwrap();
    assert_eq!(status().await, 1);
    school.mail("tanaka@mail.example", &format!("Your offer has ended ({reference})")).await;
    let events = "select count(*) from admission_events where verb = 'expire' and actor_kind = 'system'";
    assert_eq!(school.count(events), 1);
    let again = json!({ "feeDue": 0, "expiresOn": "2026-12-20" });
    let record = staff.post(&call(id, "offer"), &again).await.expect(StatusCode::UNAUTHORIZED);
    drop(record);
    let staff = school.staff_as(Role::Registrar).await;
    let record = staff.post(&call(id, "offer"), &again).await.expect(StatusCode::OK).json();
    let declined = family.post("/api/applications/me/decline", &json!({ "reason": "Too far." })).await;
    let declined = declined.expect(StatusCode::OK).json();
    assert_eq!(
        (&declined["status"], &declined["offer"]["declineReason"]),
        (&json!("declined"), &json!("Too far."))
    );
    assert_eq!(declined["offer"]["id"], record["offer"]["id"]);
}

#[tokio::test]
async fn an_offer_ends_with_its_day_at_the_school_on_the_days_when_clocks_change() {
    let school = School::open().await;
    let staff = school.staff_as(Role::Registrar).await;
    for (name, expires_on) in [("Mei", "2027-03-14"), ("Hana", "2027-11-07")] {
        let reference = apply(&school.visitor(), &application(name, name)).await;
        let id = number(&staff, &reference).await;
        let offer = json!({ "feeDue": 100, "expiresOn": expires_on });
        staff.post(&call(id, "offer"), &offer).await.expect(StatusCode::OK);
    }
    let expired = async |at: &str| {
        let at: jiff::Timestamp = at.parse().unwrap();
        school.clock.advance(at.duration_since(school.clock.now()));
        offer_clock(school.app()).await.unwrap();
        school.count("select count(*) from admission_requests where status = 'expired'")
    };
    // A day of 23 hours, in summer time at its end, and one of 25, in winter time at its end.
    assert_eq!(expired("2027-03-15T03:59:59Z").await, 0);
    assert_eq!(expired("2027-03-15T04:00:00Z").await, 1);
    assert_eq!(expired("2027-11-08T04:59:59Z").await, 1);
    assert_eq!(expired("2027-11-08T05:00:00Z").await, 2);
}
