//! Uses every part of the large school once: its lists in every form, and all actions.

use reqwest::StatusCode;
use rusqlite::types::Value as Sql;
use schoolhouse::testing::{db::Costs, maintenance, offer_clock, propose_retention, send_waiting};
use serde_json::json;

use crate::second_factor::{App, Portal};
use crate::support::{Actor, PASSWORD, PDF, School, Student, profile, wait_for};

/// A value for a parameter of this name, of a student with a history in the large school.
pub fn typical(name: &str) -> Sql {
    let now = super::NOW.parse::<jiff::Timestamp>().unwrap().as_second();
    match name {
        ":now" | ":at" | ":today_at" => Sql::Integer(now),
        ":before" | ":since" => Sql::Integer(now - 90 * 86_400),
        ":expires_at" | ":expires" => Sql::Integer(now + 86_400),
        ":limit" => Sql::Integer(25),
        ":offset" | ":is_final" => Sql::Integer(0),
        ":email" | ":recipient" => Sql::Text("pupil77@mail.example".into()),
        ":username" => Sql::Text("staff7".into()),
        ":hash" | ":token_hash" | ":keep" => Sql::Blob(vec![7; 32]),
        ":sha256" => Sql::Text("7".repeat(64)),
        ":status" | ":state" => Sql::Text("pending".into()),
        ":kind" => Sql::Text("student".into()),
        ":purpose" => Sql::Text("verify".into()),
        ":start_date" | ":today" => Sql::Text("2026-12-01".into()),
        ":end_date" => Sql::Text("2027-04-01".into()),
        ":code" => Sql::Text("C077".into()),
        ":task" => Sql::Text("backup".into()),
        _ => Sql::Integer(77),
    }
}

pub async fn visit_everything(school: &School, costs: &Costs) -> Actor {
    let student = school.student().await;
    let staff = school.staff().await;
    visitors(school).await;
    students(school, &student).await;
    family(school, &staff, &student).await;
    office(school, &staff, &student).await;
    second_factor(school).await;
    privacy(school, &staff, &student).await;
    records(&staff, &student).await;
    trail(&staff).await;
    lists(&staff).await;
    applications(school, &staff).await;
    maintenance::run_due(school.app()).await.unwrap();
    send_waiting(school.app()).await.unwrap();
    // The first maintenance comes soon after the start. Of its statements that cannot be run by themselves, the sum of
    // what is owed comes last.
    wait_for(|| {
        let costs = costs.lock().unwrap();
        costs.keys().any(|sql| sql.starts_with("select coalesce(sum(max(0, balance)), 0)")).then_some(())
    })
    .await;
    staff
}

/// A guardian's page, and what the office does about guardians.
async fn family(school: &School, staff: &Actor, student: &Student) {
    let put = async |actor: &Actor, path: &str, body: serde_json::Value| {
        actor.send(actor.request("PUT", path).json(&body)).await.expect(StatusCode::OK).json()
    };
    student.get("/api/students/guardians").await.expect(StatusCode::OK);
    student.get("/api/students/family-page").await.expect(StatusCode::OK);
    let both = json!([{ "name": "Chidi", "email": "chidi@mail.example" }, { "name": "Ngozi", "phone": "1" }]);
    let listed = put(student, "/api/students/guardians", both).await;
    let visitor = school.visitor();
    visitor.post("/api/family/link", &json!({ "email": "chidi@mail.example" })).await.expect(StatusCode::OK);
    let token = school.mail("chidi@mail.example", "Your family page").await.token("/family/");
    visitor.post("/api/family/session", &json!({ "token": token })).await.expect(StatusCode::OK);
    visitor.get("/api/family").await.expect(StatusCode::OK);
    let id = student.enroll(1).await.expect(StatusCode::CREATED).json()["id"].clone();
    let name = json!({ "name": "Chidi", "scope": "school_year" });
    visitor.post(&format!("/api/family/enrollments/{id}/confirm"), &name).await.expect(StatusCode::OK);
    let reason = json!({ "reason": "Too early" });
    visitor.post(&format!("/api/family/enrollments/{id}/refuse"), &reason).await.expect(StatusCode::OK);
    let path = format!("/api/admin/students/{}/guardians", student.id);
    let one = json!([{ "id": listed[0]["id"], "name": "Chidi O.", "email": "chidi.o@mail.example" }]);
    put(staff, &path, one).await;
    let path = format!("{path}/{}", listed[0]["id"]);
    staff.post(&format!("{path}/stop"), &json!({ "reason": "Custody" })).await.expect(StatusCode::OK);
    staff.post(&format!("{path}/resume"), &json!({})).await.expect(StatusCode::OK);
}

async fn visitors(school: &School) {
    let visitor = school.visitor();
    for page in
        ["/", "/courses", "/api/courses", "/readyz", "/courses/C007", "/api/courses/C007", "/api/terms"]
    {
        visitor.get(page).await.expect(StatusCode::OK);
    }
    visitor.write_message("Mei", "mei@mail.example", "Is the office open?").await.expect(StatusCode::OK);
    for path in ["/api/students/resend-verification", "/api/students/forgot-password"] {
        visitor.post(path, &json!({ "email": "pupil77@mail.example" })).await;
    }
}

async fn students(school: &School, student: &Student) {
    student.patch("/api/students/me", &profile(&student.email)).await.expect(StatusCode::OK);
    for path in [
        "/api/students/me",
        "/api/students/documents",
        "/api/students/enrollments",
        "/api/students/credits",
        "/api/students/week",
        "/api/students/prerequisites",
    ] {
        student.get(path).await.expect(StatusCode::OK);
    }
    student.upload("transcript", "a.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    let id = student.enroll(7).await.expect(StatusCode::CREATED).json()["id"].as_i64().unwrap();
    student
        .post(&format!("/api/students/enrollments/{id}/withdraw"), &json!({}))
        .await
        .expect(StatusCode::OK);
    student.enroll(7).await.expect(StatusCode::CREATED);
    student.post("/api/students/logout", &json!({})).await;
    student.log_in(&student.email, PASSWORD).await.expect(StatusCode::OK);
    let visitor = school.visitor();
    visitor.post("/api/students/forgot-password", &json!({ "email": student.email })).await;
}

async fn office(school: &School, staff: &Actor, student: &Student) {
    let id = student.enroll(8).await.expect(StatusCode::CREATED).json()["id"].as_i64().unwrap();
    staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await.expect(StatusCode::OK);
    let course = school.course(staff, "NEW1O", json!(500)).await;
    staff.patch(&format!("/api/admin/courses/{course}"), &json!({ "price": 600 })).await;
    for course in [course, 9] {
        staff.delete(&format!("/api/admin/courses/{course}")).await;
    }
    staff.get("/api/documents/77").await;
    for id in [77, 200] {
        staff.get(&format!("/api/admin/messages/{id}")).await.expect(StatusCode::OK);
        staff.post(&format!("/api/admin/messages/{id}/read"), &json!({})).await;
        staff.post(&format!("/api/admin/messages/{id}/unread"), &json!({})).await;
    }
    messages(staff).await;
    terms(school, staff).await;
}

/// A term with its sections, and an enrollment in one of the two hundred of a course.
async fn terms(school: &School, staff: &Actor) {
    let dates = json!({ "name": "Spring", "startsOn": "2027-05-01", "endsOn": "2027-08-31" });
    let term = staff.post("/api/admin/terms", &dates).await.expect(StatusCode::CREATED).json()["id"].clone();
    let path = format!("/api/admin/terms/{term}");
    staff.patch(&path, &json!({ "endsOn": "2027-08-30" })).await.expect(StatusCode::OK);
    let copy = json!({ "name": "Copy", "startsOn": "2027-01-05" });
    let copied = staff.post("/api/admin/terms/2/copy", &copy).await.expect(StatusCode::CREATED).json();
    let open = format!("/api/admin/terms/{}/open-sections", copied["term"]["id"]);
    staff.post(&open, &json!({})).await.expect(StatusCode::OK);
    for query in ["", "?term=2", "?course=7&status=open", "?status=closed"] {
        staff.get(&format!("/api/admin/sections{query}")).await.expect(StatusCode::OK);
    }
    for path in ["/api/admin/terms", "/api/admin/enrollments/unpriced"] {
        staff.get(path).await.expect(StatusCode::OK);
    }
    let body = json!({ "courseId": 7, "termId": term, "teacherName": "Teacher 7", "meetings": [{ "weekday": 1,
        "startsAt": "19:00", "endsAt": "20:00" }] });
    let section = staff.post("/api/admin/sections", &body).await.expect(StatusCode::CREATED).json();
    let path = format!("/api/admin/sections/{}", section["id"]);
    let body = json!({ "meetings": [{ "id": section["meetings"][0]["id"], "weekday": 2, "startsAt": "19:00",
        "endsAt": "20:00" }, { "weekday": 3, "startsAt": "19:00", "endsAt": "20:00" }] });
    staff.patch(&path, &body).await.expect(StatusCode::OK);
    staff.delete(&path).await.expect(StatusCode::NO_CONTENT);
    let student = school.student().await;
    student
        .post("/api/students/enrollments", &json!({ "courseId": 7 }))
        .await
        .expect(StatusCode::BAD_REQUEST);
    let body = json!({ "courseId": 7, "sectionId": 303 });
    let made = student.post("/api/students/enrollments", &body).await.expect(StatusCode::CREATED).json();
    let path = format!("/api/admin/enrollments/{}/approve", made["id"]);
    staff.post(&path, &json!({})).await.expect(StatusCode::OK);
}

/// What follows a message.
async fn messages(staff: &Actor) {
    let words = json!({ "body": "We are open until 4 p.m." });
    for path in ["reply", "answers", "notes"] {
        let path = format!("/api/admin/messages/77/{path}");
        staff.post(&path, &words).await.expect(StatusCode::CREATED);
    }
    let colleagues = staff.get("/api/admin/messages/assignees").await.expect(StatusCode::OK).json();
    let assigned = json!({ "userId": colleagues[0]["id"] });
    staff.post("/api/admin/messages/77/assign", &assigned).await.expect(StatusCode::OK);
    staff.post("/api/admin/messages/77/close", &json!({})).await.expect(StatusCode::OK);
    let path = "/api/admin/reply-templates";
    let template = json!({ "name": "Hours", "subject": "Our hours", "body": "We are open until 4 p.m." });
    let template = staff.post(path, &template).await.expect(StatusCode::CREATED).json();
    staff.get(path).await.expect(StatusCode::OK);
    let path = format!("{path}/{}", template["id"]);
    staff.patch(&path, &json!({ "name": "Office hours", "version": 1 })).await.expect(StatusCode::OK);
    staff.delete(&path).await.expect(StatusCode::NO_CONTENT);
    for query in ["assignee=7", "assignee=none", "assignee=7&status=new", "assignee=none&status=closed"] {
        staff.get(&format!("/api/admin/messages?page=1&{query}")).await.expect(StatusCode::OK);
    }
}

/// A user of each portal sets an app up, loses it, and turns it off.
async fn second_factor(school: &School) {
    let student = school.student().await;
    App::set_up_in(Portal::Student, school, &student).await;
    let colleague = school.staff().await;
    let app = App::set_up(school, &colleague).await;
    colleague.get("/api/user/second-factor").await.expect(StatusCode::OK);
    colleague.send(colleague.request("PUT", "/api/user/digest").json(&json!({ "isOn": true }))).await;
    let proof = json!({ "code": app.recovery_codes[0], "current": PASSWORD });
    colleague.post("/api/user/second-factor/turn-off", &proof).await.expect(StatusCode::OK);
}

/// Two payments, one of them reversed, and who looks at them.
async fn money(staff: &Actor, student: &Student) {
    let payment = json!({ "studentId": student.id, "amount": 20, "method": "e_transfer", "reference": "CA1",
        "receivedOn": "2026-11-21", "sendReceipt": true });
    let first = staff.request("POST", "/api/admin/payments").header("Idempotency-Key", "key-of-the-form-1");
    let first = staff.send(first.json(&payment)).await.expect(StatusCode::CREATED).json();
    staff.post("/api/admin/payments", &payment).await.expect(StatusCode::CONFLICT);
    let reverse = format!("/api/admin/payments/{}/reverse", first["payment"]["id"]);
    staff.post(&reverse, &json!({ "reason": "Entered twice" })).await.expect(StatusCode::CREATED);
    for query in
        ["page=1", "page=1&day=2026-11-21", "page=1&method=cash", "page=1&day=2026-11-21&method=cash"]
    {
        staff.get(&format!("/api/admin/payments?{query}")).await.expect(StatusCode::OK);
    }
    for path in [
        "money/summary",
        "money/months",
        "money/balances?page=1",
        "money/balances?page=1&asOf=2026-11-01&filter=overdue&sort=-overdue",
        "payments/totals",
        "money/refunds-due?page=1",
        "refund-policies",
    ] {
        staff.get(&format!("/api/admin/{path}")).await.expect(StatusCode::OK);
    }
    let ledger = format!("/api/admin/students/{}/ledger", student.id);
    staff.get(&ledger).await.expect(StatusCode::OK);
    let receipt = first["receipt"]["number"].as_str().unwrap();
    staff.get(&format!("/api/admin/receipts/{receipt}")).await.expect(StatusCode::OK);
    staff.get(&format!("/api/admin/search?q={receipt}")).await.expect(StatusCode::OK);
    let statement = format!("/api/admin/students/{}/statement", student.id);
    staff.get(&statement).await.expect(StatusCode::OK);
    staff.post(&statement, &json!({})).await.expect(StatusCode::OK);
    for body in [json!({ "termId": 999 }), json!({ "studentIds": [student.id], "send": true })] {
        staff.post("/api/admin/invoices", &body).await;
    }
    staff.get("/api/admin/invoices?page=1").await.expect(StatusCode::OK);
    let invoice = "INV-2026-000001";
    staff.get(&format!("/api/admin/invoices/{invoice}")).await.expect(StatusCode::OK);
    let reason = json!({ "reason": "Another due date" });
    staff.post(&format!("/api/admin/invoices/{invoice}/cancel"), &reason).await.expect(StatusCode::OK);
    for path in [
        "/api/students/fees".to_owned(),
        format!("/api/students/receipts/{receipt}"),
        format!("/api/students/invoices/{invoice}"),
        "/api/students/statement".to_owned(),
    ] {
        student.get(&path).await.expect(StatusCode::OK);
    }
}

/// Two files of the bank: one is posted, in part, and undone.
async fn bank(staff: &Actor, student: &Student) {
    let ledger = staff.get(&format!("/api/admin/students/{}/ledger", student.id)).await.json();
    let code = ledger["paymentCode"].as_str().unwrap();
    let address = "/api/admin/bank-imports?account=Chequing&date=1&text=2&amount=3";
    let file = async |address: &str, lines: &str| {
        let file = format!("2026-11-20,{code},20\n2026-11-20,Ada Lovelace,30\n{lines}");
        staff.send(staff.request("POST", address).body(file)).await
    };
    let first = file(address, "").await.expect(StatusCode::CREATED).json();
    file("/api/admin/bank-imports?account=Chequing", "2026-11-20,Y,3\n").await.expect(StatusCode::CREATED);
    let import = format!("/api/admin/bank-imports/{}", first["id"]);
    let lines = json!({ "lines": [{ "lineId": first["lines"][0]["id"] }] });
    for _ in 0..2 {
        staff.post(&format!("{import}/post"), &lines).await.expect(StatusCode::OK);
    }
    let ignored = json!({ "lines": [first["lines"][1]["id"]] });
    staff.post(&format!("{import}/ignore"), &ignored).await.expect(StatusCode::OK);
    for path in ["/api/admin/bank-imports?page=1", "/api/admin/waiting", &import] {
        staff.get(path).await.expect(StatusCode::OK);
    }
    staff.post(&format!("{import}/undo"), &json!({})).await.expect(StatusCode::OK);
}

/// Actions of the office on a student.
async fn records(staff: &Actor, student: &Student) {
    for sort in ["name", "-name", "created", "-created", "lastActivity", "-lastActivity"] {
        staff.get(&format!("/api/admin/students?page=1&sort={sort}")).await.expect(StatusCode::OK);
    }
    for path in ["students/flags", "students?page=1&sort=-balance", "search?q=c077"] {
        staff.get(&format!("/api/admin/{path}")).await.expect(StatusCode::OK);
    }
    staff.get(&format!("/api/admin/students/{}", student.id)).await.expect(StatusCode::OK);
    let path = |verb: &str| format!("/api/admin/students/{}/{verb}", student.id);
    let note =
        staff.post(&path("notes"), &json!({ "body": "Called." })).await.expect(StatusCode::CREATED).json();
    let note = format!("/api/admin/student-notes/{}", note["id"]);
    staff.patch(&note, &json!({ "isPinned": true })).await.expect(StatusCode::OK);
    staff.delete(&note).await.expect(StatusCode::NO_CONTENT);
    let credit = json!({ "code": "MCR3U", "name": "Functions", "credits": 1, "completedOn": "2025-06-20", "school": "Example Heights" });
    let credit =
        staff.post(&path("external-credits"), &credit).await.expect(StatusCode::CREATED).json()["id"].clone();
    let credit = path(&format!("external-credits/{credit}"));
    staff.patch(&credit, &json!({ "version": 1, "mark": 80 })).await.expect(StatusCode::OK);
    let void = json!({ "version": 2, "voided": true, "reason": "Entered twice" });
    staff.patch(&credit, &void).await.expect(StatusCode::OK);
    staff.get(&path("external-credits")).await.expect(StatusCode::OK);
    money(staff, student).await;
    bank(staff, student).await;
    for _ in 0..2 {
        staff.post(&path("guardian-confirmed"), &json!({ "how": "phone" })).await.expect(StatusCode::OK);
    }
    let email =
        json!({ "email": "new.address@mail.example", "confirmed": true, "reason": "Spelled on the phone" });
    staff.post(&path("email"), &email).await.expect(StatusCode::OK);
    staff.get(&format!("/api/admin/students/{}", student.id)).await.expect(StatusCode::OK);
    let words = json!({ "ids": [student.id, 77], "subject": "Friday", "body": "The office is closed." });
    staff.post("/api/admin/students/emails", &words).await.expect(StatusCode::OK);
    staff.post("/api/admin/courses/77/emails", &words).await.expect(StatusCode::OK);
    staff.post(&path("suspend"), &json!({ "reason": "Shared a password" })).await.expect(StatusCode::OK);
    staff.post(&path("reinstate"), &json!({})).await.expect(StatusCode::OK);
    let new = json!({ "fullName": "Jane Doe", "email": "jane.doe@mail.example" });
    let other = staff.post("/api/admin/students", &new).await.expect(StatusCode::CREATED).json();
    staff.post(&path("merge"), &json!({ "otherId": other["id"] })).await.expect(StatusCode::OK);
}

/// What people ask about their data, and what the office does about it.
async fn privacy(school: &School, staff: &Actor, student: &Student) {
    student.get("/api/students/archive").await.expect(StatusCode::OK);
    student.get("/api/students/privacy").await.expect(StatusCode::OK);
    for verb in ["withdraw", "decide"] {
        let asked = student.post("/api/students/privacy-requests", &json!({ "kind": "access" })).await;
        let id = asked.expect(StatusCode::CREATED).json()["id"].clone();
        if verb == "withdraw" {
            let path = format!("/api/students/privacy-requests/{id}/withdraw");
            student.post(&path, &json!({})).await.expect(StatusCode::OK);
        } else {
            let path = format!("/api/admin/privacy-requests/{id}");
            staff.patch(&path, &json!({ "decision": "grant" })).await.expect(StatusCode::OK);
        }
    }
    propose_retention(school.app()).await.unwrap();
    for path in ["privacy-requests", "consents", "retention", "breaches"] {
        staff.get(&format!("/api/admin/{path}")).await.expect(StatusCode::OK);
    }
    let breach = json!({ "discoveredOn": "2026-11-20", "what": "A list went astray", "affected": "A class", "risk": "not_assessed" });
    staff.post("/api/admin/breaches", &breach).await.expect(StatusCode::CREATED);
    staff.get("/api/admin/breaches").await.expect(StatusCode::OK);
}

/// What the office looks at of applications, and the clock of their offers.
async fn applications(school: &School, staff: &Actor) {
    for query in [
        "assignee=7&page=1",
        "assignee=none&page=1",
        "status=pending,in_review&page=1",
        "waits=student&page=1",
        "waits=deposit&page=1",
        "waits=account&page=1",
        "status=info_requested&page=1",
    ] {
        staff.get(&format!("/api/admin/admission-requests?{query}")).await.expect(StatusCode::OK);
    }
    staff.get("/api/admin/admission-requests/counts").await.expect(StatusCode::OK);
    staff.get("/api/admin/admission-requests/assignees").await.expect(StatusCode::OK);
    staff.get("/api/admin/admission-requests/77").await.expect(StatusCode::OK);
    staff.get("/api/admin/texts").await.expect(StatusCode::OK);
    staff.get("/api/admin/sections?waits=opening").await.expect(StatusCode::OK);
    staff.get("/api/admin/staff/7/work").await.expect(StatusCode::OK);
    let path = "/api/admin/admission-requests/200/notes";
    staff.post(path, &json!({ "body": "Called." })).await.expect(StatusCode::CREATED);
    offer_clock(school.app()).await.unwrap();
}

/// The audit trail, by every filter.
async fn trail(staff: &Actor) {
    for query in [
        "page=1",
        "page=3",
        "user=staff7",
        "user=7",
        "action=approve",
        "object=enrollment",
        "object=enrollment&objectId=77",
        "student=77",
        "from=2026-11-20&to=2026-11-21",
    ] {
        staff.get(&format!("/api/admin/audit?{query}")).await.expect(StatusCode::OK);
    }
    for path in ["staff", "staff/roles", "staff/invitations", "audit/words", "audit/chain"] {
        staff.get(&format!("/api/admin/{path}")).await.expect(StatusCode::OK);
    }
}

/// The office's lists, and the states that each can be limited to.
const LISTS: [(&str, &[&str]); 7] = [
    ("enrollments/pending", &[]),
    ("enrollments", &["pending", "waitlisted", "active", "completed,declined,withdrawn"]),
    ("courses/77/class-list", &[]),
    ("documents", &["lost"]),
    ("messages", &["new", "closed"]),
    ("admission-requests", &["pending", "declined"]),
    ("mail", &["sent", "queued", "dead"]),
];

/// The first pages of each list, in each state.
async fn lists(staff: &Actor) {
    for path in [
        "/api/user",
        "/api/admin/dashboard",
        "/api/admin/waiting",
        "/api/admin/first-steps",
        "/api/admin/courses",
        "/api/admin/courses/78",
    ] {
        staff.get(path).await.expect(StatusCode::OK);
    }
    for query in [
        "due=mark",
        "due=ending",
        "due=leave",
        "due=transfer",
        "section=77",
        "sort=student",
        "sort=course",
        "student=77",
        "course=77",
    ] {
        staff.get(&format!("/api/admin/enrollments?page=1&{query}")).await.expect(StatusCode::OK);
    }
    let marks = json!({ "rows": [{ "enrollmentId": 1, "version": 1 }] });
    staff.post("/api/admin/courses/78/marks", &marks).await.expect(StatusCode::OK);
    staff.get("/api/admin/enrollments/counts").await.expect(StatusCode::OK);
    ask(staff, &["?page=1", "?page=3"]).await;
    staff.post("/api/admin/mail/retry", &json!({})).await.expect(StatusCode::OK);
}

/// Searches each list, and turns to a page far from its first.
pub async fn search(staff: &Actor) {
    ask(staff, &["?q=renee+77&page=1", "?page=200"]).await;
    for path in ["students?q=renee+77&page=1", "students?q=c077&page=1", "search?q=renee+77"] {
        staff.get(&format!("/api/admin/{path}")).await.expect(StatusCode::OK);
    }
}

async fn ask(staff: &Actor, queries: &[&str]) {
    for (list, states) in LISTS {
        for query in queries {
            staff.get(&format!("/api/admin/{list}{query}")).await.expect(StatusCode::OK);
            for state in states {
                staff.get(&format!("/api/admin/{list}{query}&status={state}")).await.expect(StatusCode::OK);
            }
        }
    }
}
