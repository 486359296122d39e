//! The office's to-do list, and a new school's first steps.

mod crawl;
mod first_steps;
mod handles;
mod morning;

use reqwest::StatusCode;
use schoolhouse::testing::{Demand, Role};
use serde_json::{Value, json};

use crate::admissions::{application, apply, call as about, number, open};
use crate::support::{Actor, School, numbered_pdf, profile};

const WAITING: &str = "/api/admin/waiting";

/// The demo, with one of each that it has none of: a lost file, an undelivered email, a changed name.
async fn busy_school() -> School {
    let school = School::open().await;
    schoolhouse::testing::seed_demo(school.app()).await.unwrap();
    let student = school.student().await;
    student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);
    let document = student.upload("other", "o.pdf", numbered_pdf(7, 3000)).await.json()["id"].clone();
    let database = school.database();
    let path = format!("select document_path from student_documents where id = {document}");
    let path: String = database.query_row(&path, [], |row| row.get(0)).unwrap();
    std::fs::remove_file(school.path().join(path)).unwrap();
    student.get(&format!("/api/documents/{document}")).await.expect(StatusCode::CONFLICT);
    database
        .execute(
            "insert into outbox (message_id, recipient, subject, text_body, html_body, state, next_attempt_at,
                 created_at) values ('m', 'gone@mail.example', 'Hello', 'x', 'x', 'dead', 0, 1764000000)",
            [],
        )
        .unwrap();
    // A student whose section was cancelled.
    database
        .execute_batch(
            "insert into students (email, password_hash, status, full_name, created_at, updated_at)
                 values ('moved@mail.example', 'x', 'active', 'Mei Sample', 0, 0);
             insert into sections (course_id, label, starts_on, ends_on, status, created_at)
                 select min(id), 'Z', '2026-12-01', '2027-04-01', 'cancelled', 0 from courses;
             insert into section_events (section_id, at, verb) select max(id), 1764000002, 'cancel' from sections;
             insert into enrollments (student_id, course_id, section_id, start_date, end_date, status, created_at,
                     charged_price_cents)
                 select (select max(id) from students), course_id, id, starts_on, ends_on, 'active', 0, 0 from sections
                 order by id desc limit 1;
             insert into enrollments (student_id, course_id, start_date, end_date, status, created_at)
                 select (select max(id) from students), max(id), '2026-03-01', '2026-07-01', 'pending', 1764000003
                 from courses where archived_at is null;",
        )
        .unwrap();
    // As after an approval that came with a check of the identity.
    database
        .execute("update students set identity_changed_at = 1764000001 where id = ?", [student.id])
        .unwrap();
    // A student who left a course that was paid for.
    let paid = "select e.id from enrollments e join enrollment_balances b on b.enrollment_id = e.id
        where e.status = 'active' and b.paid > 0 order by e.id desc limit 1";
    let path = format!("/api/admin/enrollments/{}/withdraw", school.count(paid));
    let leave =
        json!({ "reason": "The family has moved away", "effectiveOn": "2026-11-21", "refund": "full" });
    school.staff().await.post(&path, &leave).await.expect(StatusCode::OK);
    // The address is a student's with another birth date: the office links the two, and the deposit is due.
    let staff = school.staff().await;
    let mut applicant = application("Chidi", "chidi");
    applicant["email"] = json!(student.email);
    let reference = apply(&school.visitor(), &applicant).await;
    let id = number(&staff, &reference).await;
    let offer = json!({ "feeDue": 1250, "deposit": 250, "expiresOn": "2026-12-09" });
    let offer = staff.post(&about(id, "offer"), &offer).await.expect(StatusCode::OK).json();
    let subject = format!("We offer you a place ({reference})");
    let family = open(&school, &student.email, &subject).await;
    let accepted = json!({ "name": "Chidi", "agreed": true, "offerId": offer["offer"]["id"] });
    family.post("/api/applications/me/accept", &accepted).await.expect(StatusCode::OK);
    // A family that was asked something, a student who was invited, and a planned section.
    let id = number(&staff, &apply(&school.visitor(), &application("Ada", "ada")).await).await;
    staff.post(&about(id, "ask"), &json!({ "text": "Which grade?" })).await.expect(StatusCode::OK);
    let reference = apply(&school.visitor(), &application("Ngozi", "ngozi")).await;
    let id = number(&staff, &reference).await;
    let offer = json!({ "feeDue": 0, "expiresOn": "2026-12-09" });
    let offer = staff.post(&about(id, "offer"), &offer).await.expect(StatusCode::OK).json();
    let subject = format!("We offer you a place ({reference})");
    let family = open(&school, "ngozi@mail.example", &subject).await;
    let accepted = json!({ "name": "Ngozi", "agreed": true, "offerId": offer["offer"]["id"] });
    family.post("/api/applications/me/accept", &accepted).await.expect(StatusCode::OK);
    let terms = staff.get("/api/admin/terms").await.json();
    let ahead = |term: &&Value| term["isPublished"] == true && term["endsOn"].as_str() > Some("2026-12-01");
    let term = terms.as_array().unwrap().iter().find(ahead).unwrap()["id"].clone();
    let section = json!({ "courseId": 1, "termId": term, "label": "Z", "status": "planned" });
    staff.post("/api/admin/sections", &section).await.expect(StatusCode::CREATED);
    school
}

/// The call behind a page of the office with its filter.
fn call(href: &str) -> String {
    let query = href.split_once('?').map_or("", |(_, query)| query);
    match href.split('?').next().unwrap() {
        "/admin/enrollments" => {
            let asked = match query {
                "tab=waiting" => "status=pending",
                "tab=over" => "due=ended",
                "tab=leaving" => "due=leave",
                "tab=transfer" => "due=transfer",
                "tab=mark" => "due=mark",
                other => panic!("{other}"),
            };
            format!("/api/admin/enrollments?{asked}")
        }
        "/admin/identity-changes" => "/api/admin/students/identity-changes".into(),
        "/admin/money" if query == "filter=free" => "/api/admin/money/balances?filter=free".into(),
        "/admin/terms" => "/api/admin/sections?waits=opening".into(),
        "/admin/money" => "/api/admin/money/refunds-due".into(),
        "/admin/charges" => "/api/admin/enrollments/unpriced".into(),
        page => format!("/api{page}?{query}"),
    }
}

pub async fn waiting(actor: &Actor) -> Vec<Value> {
    actor.get(WAITING).await.expect(StatusCode::OK).json().as_array().unwrap().clone()
}

pub async fn rows(actor: &Actor, line: &Value) -> Vec<Value> {
    if line["kind"] == "bank_lines" {
        let mut lines = bank_lines(actor).await;
        let waiting = ["matched", "suggested", "unknown", "looks_recorded", "returned"];
        lines.retain(|line| waiting.contains(&line["state"].as_str().unwrap()));
        return lines;
    }
    let path = call(line["href"].as_str().unwrap());
    actor.get(&path).await.expect(StatusCode::OK).json().as_array().unwrap().clone()
}

/// The lines of the bank, each with its import.
async fn bank_lines(actor: &Actor) -> Vec<Value> {
    let imports = actor.get("/api/admin/bank-imports").await.expect(StatusCode::OK).json();
    let mut found = Vec::new();
    for import in imports.as_array().unwrap() {
        let statement = actor.get(&format!("/api/admin/bank-imports/{}", import["id"])).await.json();
        for line in statement["lines"].as_array().unwrap() {
            let mut line = line.clone();
            line["import"] = import["id"].clone();
            line["importedAt"] = import["importedAt"].clone();
            found.push(line);
        }
    }
    found
}

fn kinds(lines: &[Value]) -> Vec<&str> {
    lines.iter().map(|line| line["kind"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn each_line_counts_the_rows_of_its_page_and_knows_the_oldest() {
    let school = busy_school().await;
    let staff = school.staff().await;
    let lines = waiting(&staff).await;
    assert_eq!(
        kinds(&lines),
        [
            "requests",
            "ended_requests",
            "leave_requests",
            "transfers",
            "marks_due",
            "documents",
            "lost_documents",
            "guardians",
            "identity_changes",
            "messages",
            "open_messages",
            "applications",
            "questions",
            "invitations",
            "applications_to_link",
            "deposits",
            "no_open_term",
            "planned_sections",
            "charges",
            "refunds_due",
            "money_on_account",
            "bank_lines",
            "mail"
        ]
    );
    let them: Vec<_> = lines.iter().filter(|line| line["group"] == "them").cloned().collect();
    assert_eq!(kinds(&them), ["guardians", "questions", "invitations", "deposits"]);
    assert!(lines.iter().all(|line| line["group"] == "us" || line["group"] == "them"));
    // Of terms there is a line and no list: the demo has one that is open.
    for line in lines.iter().filter(|line| line["kind"] != "no_open_term") {
        let rows = rows(&staff, line).await;
        assert!(!rows.is_empty(), "{line}");
        assert_eq!(line["count"], rows.len(), "{line}");
        let oldest = line["oldest"].as_str().unwrap_or_else(|| panic!("{line}"));
        let dates = |key: &str| rows.iter().map(|row| row[key].as_str().unwrap().to_owned()).min().unwrap();
        let expected = match line["kind"].as_str().unwrap() {
            "requests" => dates("requestedAt"),
            "leave_requests" => dates("leaveAskedAt"),
            "transfers" => "2025-11-24T16:00:02Z".into(),
            "marks_due" | "ended_requests" => dates("endDate"),
            "identity_changes" => dates("changedAt"),
            "messages" | "open_messages" | "applications" | "mail" => dates("createdAt"),
            "applications_to_link" | "questions" | "invitations" => dates("stateSince"),
            "charges" => dates("approved_at"),
            "refunds_due" => dates("dueOn"),
            "money_on_account" => dates("lastPaymentOn"),
            "bank_lines" => dates("importedAt"),
            "documents" => dates("uploadedAt"),
            "lost_documents" => "2026-11-21T15:00:00Z".into(),
            _ => continue,
        };
        assert_eq!(oldest, expected, "{line}");
    }
}

#[tokio::test]
async fn a_role_sees_what_it_can_act_on_and_nothing_else() {
    let school = busy_school().await;
    let registrar = kinds(&waiting(&school.staff_as(Role::Registrar).await).await).join(" ");
    assert_eq!(
        registrar,
        "requests ended_requests leave_requests transfers marks_due documents lost_documents guardians identity_changes messages open_messages \
         applications questions invitations applications_to_link no_open_term planned_sections mail"
    );
    assert_eq!(
        kinds(&waiting(&school.staff_as(Role::Bursar).await).await),
        ["charges", "refunds_due", "money_on_account", "bank_lines"]
    );
    assert_eq!(kinds(&waiting(&school.staff_as(Role::Viewer).await).await), [""; 0]);
    school.visitor().get(WAITING).await.expect(StatusCode::UNAUTHORIZED);
    let school = school.reopen_with(|config| config.office.viewer_opens_documents = true).await;
    let viewer = waiting(&school.staff_as(Role::Viewer).await).await;
    assert_eq!(kinds(&viewer), [""; 0], "who may open a document cannot replace it");
    let school = school.reopen_with(|config| config.office.guardian_confirmation = Demand::Off).await;
    let lines = waiting(&school.staff().await).await;
    assert!(!kinds(&lines).contains(&"guardians"), "the school does not ask for it");
}

#[tokio::test]
async fn the_dashboard_and_the_list_say_the_same() {
    let school = busy_school().await;
    let staff = school.staff().await;
    let figures = staff.get("/api/admin/dashboard").await.expect(StatusCode::OK).json();
    for line in waiting(&staff).await {
        let figure = match line["kind"].as_str().unwrap() {
            "requests" => "pendingEnrollmentsCount",
            "documents" => "pendingDocumentsCount",
            "lost_documents" => "lostDocumentsCount",
            "identity_changes" => "identityChangesCount",
            "messages" => "newMessagesCount",
            "charges" => "unpricedEnrollmentsCount",
            "mail" => "deadMailCount",
            _ => continue,
        };
        assert_eq!(figures[figure], line["count"], "{figure}");
    }
    let counts = staff.get("/api/admin/enrollments/counts").await.expect(StatusCode::OK).json();
    let lines = waiting(&staff).await;
    let count = |kind: &str| lines.iter().find(|line| line["kind"] == kind).unwrap()["count"].clone();
    assert_eq!((&counts["leaving"], &counts["needsMark"]), (&count("leave_requests"), &count("marks_due")));
}

#[tokio::test]
async fn a_school_without_an_open_term_is_told_until_one_is_published() {
    let school = School::open().await;
    let staff = school.staff().await;
    let line = async || {
        let lines = waiting(&staff).await;
        let line = lines.into_iter().find(|line| line["kind"] == "no_open_term").unwrap();
        (line["count"].clone(), line["oldest"].clone())
    };
    assert_eq!(line().await, (json!(0), Value::Null), "it has no terms");
    let term = async |name: &str, starts_on: &str, ends_on: &str, join_until: &str| {
        let body = json!({ "name": name, "startsOn": starts_on, "endsOn": ends_on, "joinUntil": join_until,
            "isPublished": true });
        staff.post("/api/admin/terms", &body).await.expect(StatusCode::CREATED).json()
    };
    let fall = term("Fall", "2026-09-08", "2027-01-29", "2026-11-20").await;
    assert_eq!(line().await, (json!(1), json!("2026-11-20")), "it ended yesterday");
    let change = |term: &Value, change: Value| {
        let mut change = change;
        change["version"] = term["version"].clone();
        (format!("/api/admin/terms/{}", term["id"]), change)
    };
    let (path, body) = change(&fall, json!({ "joinUntil": "2026-11-21" }));
    staff.patch(&path, &body).await.expect(StatusCode::OK);
    assert_eq!(line().await, (json!(0), Value::Null), "until the end of the day");
    let (path, body) = (path, json!({ "requestsUntil": "2026-11-19", "version": 2 }));
    staff.patch(&path, &body).await.expect(StatusCode::OK);
    assert_eq!(line().await, (json!(1), json!("2026-11-19")));
    let winter = term("Winter", "2027-02-01", "2027-06-25", "2027-02-12").await;
    assert_eq!(line().await, (json!(0), Value::Null));

    // Its planned sections wait until they are opened, and only while families could see them.
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let section = json!({ "courseId": course, "termId": winter["id"], "status": "planned" });
    let section = staff.post("/api/admin/sections", &section).await.expect(StatusCode::CREATED).json();
    let planned = async || {
        let lines = waiting(&staff).await;
        let line = lines.into_iter().find(|line| line["kind"] == "planned_sections").unwrap();
        let rows = rows(&staff, &line).await;
        assert_eq!(line["count"], rows.len());
        rows.len()
    };
    assert_eq!(planned().await, 1);
    let other = staff.get("/api/admin/sections?waits=opening&status=open").await.json();
    assert_eq!(other, json!([]), "narrowed down further");
    let wrong = staff.get("/api/admin/sections?waits=x").await.fields();
    assert!(wrong["waits"].is_string(), "{wrong}");
    let (path, hidden) = change(&winter, json!({ "isPublished": false }));
    staff.patch(&path, &hidden).await.expect(StatusCode::OK);
    assert_eq!((planned().await, line().await.0), (0, json!(1)));
    staff.patch(&path, &json!({ "isPublished": true, "version": 2 })).await.expect(StatusCode::OK);
    let open = json!({ "status": "open", "version": section["version"] });
    staff.patch(&format!("/api/admin/sections/{}", section["id"]), &open).await.expect(StatusCode::OK);
    assert_eq!(planned().await, 0);
    let bursar = school.staff_as(Role::Bursar).await;
    assert!(!kinds(&waiting(&bursar).await).contains(&"planned_sections"));
}
