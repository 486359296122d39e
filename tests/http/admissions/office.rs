//! What the office does with applications.

use jiff::SignedDuration;
use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use super::{application, apply, call, number, open};
use crate::support::{Actor, School};

fn verbs(record: &Value) -> Vec<&str> {
    record["events"].as_array().unwrap().iter().map(|event| event["verb"].as_str().unwrap()).collect()
}

/// An agreement has versions; one that is not in force yet is offered to no one.
async fn expect_agreement_versions(school: &School, registrar: &Actor, id: i64) {
    let admin = school.staff().await;
    let text = json!({ "kind": "offer_agreement", "language": "en", "body": "Next year's words.", "effectiveOn": "2027-06-01" });
    let added = admin.post("/api/admin/texts", &text).await.expect(StatusCode::CREATED).json();
    assert_eq!((&added["version"], &added["effectiveOn"]), (&json!(2), &json!("2027-06-01")));
    registrar.post("/api/admin/texts", &text).await.expect(StatusCode::FORBIDDEN);
    let texts = registrar.get("/api/admin/texts?kind=offer_agreement").await.expect(StatusCode::OK);
    assert_eq!(texts.column("version"), [json!(2), json!(1)]);
    registrar.get("/api/admin/texts?kind=refunds").await.expect(StatusCode::BAD_REQUEST);
    let early = json!({ "feeDue": 100, "expiresOn": "2026-12-09", "textVersionId": added["id"] });
    registrar.post(&call(id, "offer"), &early).await.expect(StatusCode::BAD_REQUEST);
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "one school is walked through, as each takes its time to open")]
async fn the_office_finds_reads_assigns_and_corrects_applications() {
    let school = School::open().await;
    let visitor = school.visitor();
    let first = apply(&visitor, &application("Anaïs", "gagne")).await;
    school.advance(SignedDuration::from_hours(1));
    let second = apply(&visitor, &application("Łukasz", "nowak")).await;
    let (viewer, registrar) = (school.staff_as(Role::Viewer).await, school.staff_as(Role::Registrar).await);
    let list = viewer.get("/api/admin/admission-requests").await.expect(StatusCode::OK);
    assert_eq!((list.column("reference"), list.total()), (vec![json!(second), json!(first)], 2));
    let row = &list.json()[1];
    for (field, value) in [
        ("firstName", json!("Anaïs")),
        ("country", json!("CA")),
        ("dateOfBirth", json!("2010-03-01")),
        ("guardianName", json!("Emi Tanaka")),
        ("source", json!("web")),
        ("assigneeId", json!(null)),
        ("studentId", json!(null)),
        ("isDuplicate", json!(true)),
        ("isLate", json!(false)),
        ("assignee", json!(null)),
        ("createdAt", json!("2026-11-21T15:00:00Z")),
        ("stateSince", json!("2026-11-21T15:00:00Z")),
    ] {
        assert_eq!(row[field], value, "{field}");
    }
    for (query, found) in [
        ("q=anais", vec![&first]),
        ("q=nowak", vec![&second]),
        (&format!("q={}", first.to_lowercase()), vec![&first]),
        ("status=pending,in_review&sort=created", vec![&first, &second]),
        ("status=offered", vec![]),
        ("assignee=none&page=1", vec![&second, &first]),
    ] {
        let list = viewer.get(&format!("/api/admin/admission-requests?{query}")).await.expect(StatusCode::OK);
        assert_eq!(
            (list.column("reference"), list.total()),
            (found.iter().map(|one| json!(one)).collect(), found.len() as i64),
            "{query}"
        );
    }
    for query in ["status=NEW", "assignee=me", "sort=name", "waits=money"] {
        viewer.get(&format!("/api/admin/admission-requests?{query}")).await.expect(StatusCode::BAD_REQUEST);
    }
    let sheet = registrar.get("/api/admin/admission-requests?format=csv").await.expect(StatusCode::OK).text();
    assert!(sheet.contains(&first) && sheet.starts_with('\u{feff}'), "{sheet}");
    viewer.get("/api/admin/admission-requests?format=csv").await.expect(StatusCode::FORBIDDEN);

    let id = number(&registrar, &first).await;
    let me = registrar.get("/api/user").await.json()["id"].clone();
    let assigned = registrar.post(&call(id, "assign"), &json!({ "userId": me })).await.expect(StatusCode::OK);
    assert_eq!(assigned.json()["assignee"]["id"], me);
    let bursar = school.staff_as(Role::Bursar).await.get("/api/user").await.json()["id"].clone();
    let colleagues = registrar.get("/api/admin/admission-requests/assignees").await.column("id");
    assert!(colleagues.contains(&me) && !colleagues.contains(&bursar), "{colleagues:?}");
    for user in [bursar, json!(999)] {
        let refused = registrar.post(&call(id, "assign"), &json!({ "userId": user })).await.fields();
        assert_eq!(refused["userId"], "Choose a colleague who decides about applications, or none");
    }
    let mine = registrar.get(&format!("/api/admin/admission-requests?assignee={me}")).await;
    assert_eq!(mine.column("reference"), [json!(first)]);
    assert_eq!(mine.json()[0]["assignee"]["id"], me);
    let counts = viewer.get("/api/admin/admission-requests/counts").await.expect(StatusCode::OK).json();
    assert_eq!(
        (&counts["statuses"][0], &counts["assignees"][0]["id"], &counts["waits"][0]["count"]),
        (&json!({ "status": "pending", "count": 2 }), &me, &json!(0))
    );
    registrar.post(&call(id, "assign"), &json!({ "userId": null })).await.expect(StatusCode::OK);
    let note =
        registrar.post(&call(id, "notes"), &json!({ "body": "Called." })).await.expect(StatusCode::CREATED);
    assert_eq!(note.json()["body"], json!("Called."));
    registrar.post(&call(id, "notes"), &json!({ "body": " " })).await.expect(StatusCode::BAD_REQUEST);
    viewer.post(&call(id, "notes"), &json!({ "body": "x" })).await.expect(StatusCode::FORBIDDEN);

    // A correction of another version changes nothing.
    let path = format!("/api/admin/admission-requests/{id}");
    let correction = json!({ "version": 1, "lastName": "Gagné", "dateOfBirth": "2010-03-02", "grade": 10 });
    let corrected = registrar.patch(&path, &correction).await.expect(StatusCode::OK).json();
    assert_eq!((&corrected["lastName"], &corrected["version"]), (&json!("Gagné"), &json!(2)));
    assert_eq!(corrected["isDuplicate"], json!(false));
    assert_eq!(corrected["events"][1]["reason"], json!("dateOfBirth, grade, lastName"));
    let late = registrar.patch(&path, &correction).await.expect(StatusCode::CONFLICT).json();
    assert_eq!(late["current"]["version"], json!(2));
    registrar
        .patch(&path, &json!({ "version": 2, "guardianName": "" }))
        .await
        .expect(StatusCode::BAD_REQUEST);

    // A student with the same birth date and last name is pointed out, and linked by hand.
    let student = school.student().await;
    let mut profile = crate::support::profile(&student.email);
    profile["fullName"] = json!("Anaïs Gagné");
    profile["dateOfBirth"] = json!("2010-03-02");
    student.patch("/api/students/me", &profile).await.expect(StatusCode::OK);
    let as_family = viewer.get(&format!("{path}/family")).await.expect(StatusCode::OK).json();
    assert_eq!((&as_family["reference"], &as_family["notes"]), (&json!(first), &Value::Null));
    let record = viewer.get(&path).await.expect(StatusCode::OK).json();
    assert_eq!(record["duplicates"][0]["kind"], json!("student"));
    assert_eq!(record["duplicates"][0]["why"], json!("Same birth date and last name"));
    registrar.post(&call(id, "link"), &json!({ "studentId": 99_999 })).await.expect(StatusCode::NOT_FOUND);
    let linked = registrar.post(&call(id, "link"), &json!({ "studentId": student.id })).await;
    let linked = linked.expect(StatusCode::OK).json();
    assert_eq!((&linked["studentId"], &linked["duplicates"]), (&json!(student.id), &json!([])));

    expect_agreement_versions(&school, &registrar, id).await;
    // Five days without an answer; the second came an hour later.
    school.clock.advance(SignedDuration::from_hours(24 * 5));
    let viewer = school.staff_as(Role::Viewer).await;
    let list = viewer.get("/api/admin/admission-requests").await.expect(StatusCode::OK);
    assert_eq!(list.column("isLate"), [json!(false), json!(true)]);
}

#[tokio::test]
async fn decisions_move_an_application_and_are_undone_before_their_emails_leave() {
    let school = School::open_with(|config| config.office.undo_seconds = 60).await;
    let reference = apply(&school.visitor(), &application("Mei", "tanaka")).await;
    let family = open(&school, "tanaka@mail.example", &format!("We have your application {reference}")).await;
    let staff = school.staff_as(Role::Registrar).await;
    let id = number(&staff, &reference).await;
    let own = async || family.get("/api/applications/me").await.expect(StatusCode::OK).json();

    // A question, undone and asked again; asked once more it changes nothing, or is refused.
    let question =
        json!({ "text": "Which grade are you in now?", "wants": ["transcript"], "expected": "pending" });
    let asked = staff.post(&call(id, "ask"), &question).await.expect(StatusCode::OK).json();
    assert_eq!(
        (&asked["status"], own().await["asked"]["wants"].clone()),
        (&json!("info_requested"), json!(["transcript"]))
    );
    let undo = format!("/api/admin/decisions/{}/undo", asked["undo"]["id"].as_str().unwrap());
    for _ in 0..2 {
        let undone = staff.post(&undo, &json!({})).await.expect(StatusCode::OK).json();
        assert_eq!(undone["restored"][0]["status"], json!("pending"));
    }
    assert_eq!(own().await["asked"], json!(null));
    staff
        .post(&call(id, "ask"), &json!({ "text": "x", "wants": ["passport"] }))
        .await
        .expect(StatusCode::BAD_REQUEST);
    let stale = json!({ "text": "Which grade?", "expected": "in_review" });
    staff.post(&call(id, "ask"), &stale).await.expect(StatusCode::CONFLICT);
    staff.post(&call(id, "ask"), &question).await.expect(StatusCode::OK);
    let other = json!({ "text": "Another question." });
    let refused = staff.post(&call(id, "ask"), &other).await.expect(StatusCode::CONFLICT).json();
    assert_eq!(refused["current"]["status"], json!("info_requested"));
    let again = json!({ "text": "Which grade are you in now?" });
    assert_eq!(staff.post(&call(id, "ask"), &again).await.expect(StatusCode::OK).json()["undo"], json!(null));
    school.advance(SignedDuration::from_secs(61));
    let mail = school
        .mail("tanaka@mail.example", &format!("We have a question about your application ({reference})"))
        .await;
    assert!(
        mail.text.contains("Which grade are you in now?") && mail.text.contains("School Transcript"),
        "{}",
        mail.text
    );
    let answered = family.post("/api/applications/me/answers", &json!({ "text": "Ten." })).await;
    assert_eq!(answered.expect(StatusCode::OK).json()["status"], json!("in_review"));

    // The waiting list, a refusal, and the way back.
    staff.post(&call(id, "waitlist"), &json!({})).await.expect(StatusCode::OK);
    staff.post(&call(id, "decline"), &json!({ "reason": " " })).await.expect(StatusCode::BAD_REQUEST);
    let declined =
        staff.post(&call(id, "decline"), &json!({ "reason": "No place left.", "code": "class_full" })).await;
    let declined = declined.expect(StatusCode::OK).json();
    let repeated = staff.post(&call(id, "decline"), &json!({ "reason": "No place left." })).await;
    assert_eq!(repeated.expect(StatusCode::OK).json()["undo"], json!(null));
    staff.post(&call(id, "waitlist"), &json!({})).await.expect(StatusCode::CONFLICT);
    school.advance(SignedDuration::from_secs(61));
    let late = format!("/api/admin/decisions/{}/undo", declined["undo"]["id"].as_str().unwrap());
    staff.post(&late, &json!({})).await.expect(StatusCode::CONFLICT);
    let mail = school
        .mail("tanaka.mother@mail.example", &format!("Your application was declined ({reference})"))
        .await;
    assert!(mail.text.contains("No place left."), "{}", mail.text);
    staff.post(&call(id, "reopen"), &json!({})).await.expect(StatusCode::OK);

    offers_are_replaced_withdrawn_and_restored(&school, &staff, &family, id, &reference).await;
    staff.post(&call(id, "withdraw"), &json!({ "reason": "They called." })).await.expect(StatusCode::OK);
    let record = staff.get(&format!("/api/admin/admission-requests/{id}")).await.json();
    assert_eq!(
        verbs(&record),
        [
            "receive",
            "ask",
            "undo",
            "ask",
            "answer",
            "waitlist",
            "decline",
            "reopen",
            "offer",
            "offer",
            "undo",
            "start_review",
            "undo",
            "withdraw"
        ]
    );
    assert_eq!(record["events"][6]["reason"], json!("No place left."));
}

/// An offer, a second one in its place, and its withdrawal; `family` is signed in with their link.
async fn offers_are_replaced_withdrawn_and_restored(
    school: &School,
    staff: &Actor,
    family: &Actor,
    id: i64,
    reference: &str,
) {
    let own = async || family.get("/api/applications/me").await.expect(StatusCode::OK).json();
    for wrong in [
        json!({ "feeDue": 1250.5 }),
        json!({ "feeDue": -1, "expiresOn": "2026-12-09" }),
        json!({ "feeDue": 100, "deposit": 200, "expiresOn": "2026-12-09" }),
        json!({ "feeDue": 100, "expiresOn": "2026-11-20" }),
        json!({ "feeDue": 100, "expiresOn": "2026-12-09", "textVersionId": 77 }),
        json!({ "feeDue": 100, "expiresOn": "2026-12-09", "depositDueOn": "2026-12-01" }),
    ] {
        staff.post(&call(id, "offer"), &wrong).await.expect(StatusCode::BAD_REQUEST);
    }
    let offer = json!({ "feeDue": 1250.5, "deposit": 250, "depositDueOn": "2026-12-05", "expiresOn": "2026-12-09",
        "conditions": "A transcript of grade 10." });
    let sample = staff.post(&call(id, "offer/preview"), &offer).await.expect(StatusCode::OK).json();
    assert_eq!(sample["recipient"], "tanaka@mail.example");
    assert!(sample["text"].as_str().unwrap().contains("$1,250.50"), "{sample}");
    let first = staff.post(&call(id, "offer"), &offer).await.expect(StatusCode::OK).json();
    assert_eq!((&first["status"], &first["offer"]["feeDue"]), (&json!("offered"), &json!(1250.5)));
    let cheaper = json!({ "feeDue": 1000, "expiresOn": "2026-12-10" });
    let second = staff.post(&call(id, "offer"), &cheaper).await.expect(StatusCode::OK).json();
    let undo = format!("/api/admin/decisions/{}/undo", second["undo"]["id"].as_str().unwrap());
    let undone = staff.post(&undo, &json!({})).await.expect(StatusCode::OK).json();
    assert_eq!(undone["restored"][0]["status"], json!("offered"));
    let standing = own().await["offer"].clone();
    assert_eq!(
        (&standing["id"], &standing["isStanding"]),
        (&first["offer"]["id"], &json!(true)),
        "the first stands again"
    );
    assert!(standing["agreement"].as_str().unwrap().contains("I take the place"), "{standing}");
    school.advance(SignedDuration::from_secs(61));
    let mail = school.mail("tanaka@mail.example", &format!("We offer you a place ({reference})")).await;
    for words in ["1,250.50", "December 9, 2026", "$250.00", "A transcript of grade 10."] {
        assert!(mail.text.contains(words), "{words}: {}", mail.text);
    }
    staff.post(&call(id, "start-review"), &json!({})).await.expect(StatusCode::BAD_REQUEST);
    let reviewed = staff.post(&call(id, "start-review"), &json!({ "reason": "A mistake." })).await;
    let reviewed = reviewed.expect(StatusCode::OK).json();
    assert_eq!(reviewed["offer"]["isStanding"], json!(false));
    let undo = format!("/api/admin/decisions/{}/undo", reviewed["undo"]["id"].as_str().unwrap());
    staff.post(&undo, &json!({})).await.expect(StatusCode::OK);
    assert_eq!(own().await["offer"]["isStanding"], json!(true));
}

#[tokio::test]
async fn many_are_decided_at_once_with_a_result_for_each_and_one_undo() {
    let school = School::open_with(|config| config.office.undo_seconds = 60).await;
    let (visitor, staff) = (school.visitor(), school.staff_as(Role::Registrar).await);
    let mut ids = Vec::new();
    for name in ["Mei", "Hana", "Sora"] {
        let reference = apply(&visitor, &application(name, &name.to_lowercase())).await;
        ids.push(number(&staff, &reference).await);
    }
    staff.post(&call(ids[2], "withdraw"), &json!({ "reason": "They called." })).await.expect(StatusCode::OK);
    let bulk = |verb: &str| format!("/api/admin/admission-requests/{verb}");
    let body = json!({ "ids": [ids[0], ids[1], ids[2], 999], "reason": "The year is full." });
    let decided = staff.post(&bulk("decline"), &body).await.expect(StatusCode::OK).json();
    let told: Vec<_> =
        decided["results"].as_array().unwrap().iter().map(|one| (&one["ok"], &one["status"])).collect();
    let (yes, no, null) = (json!(true), json!(false), json!(null));
    assert_eq!(told, [(&yes, &null), (&yes, &null), (&no, &json!(409)), (&no, &json!(404))]);
    assert_eq!(decided["results"][0]["row"]["status"], json!("declined"));
    let undo = format!("/api/admin/decisions/{}/undo", decided["undo"]["id"].as_str().unwrap());
    let undone = staff.post(&undo, &json!({})).await.expect(StatusCode::OK).json();
    assert_eq!(undone["restored"].as_array().unwrap().len(), 2);
    assert_eq!(school.count("select count(*) from admission_requests where status = 'pending'"), 2);
    for (verb, more) in [("ask", json!({ "text": "Which school?" })), ("waitlist", json!({}))] {
        let mut body = more;
        body["ids"] = json!([ids[0], ids[1]]);
        let decided = staff.post(&bulk(verb), &body).await.expect(StatusCode::OK).json();
        assert!(
            decided["results"].as_array().unwrap().iter().all(|one| one["ok"] == json!(true)),
            "{decided}"
        );
    }
    staff.post(&bulk("ask"), &json!({ "ids": [] })).await.expect(StatusCode::BAD_REQUEST);
    school.advance(SignedDuration::from_secs(61));
    let mails = school.all_mails().await;
    let declined = mails.iter().filter(|mail| mail.subject.starts_with("Your application was declined"));
    assert_eq!(declined.count(), 0, "they were taken back");
}
