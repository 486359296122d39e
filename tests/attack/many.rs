//! Races: the same request many times at once takes effect once.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::support::{Actor, PDF};
use crate::table::{Plan, Row};
use crate::target::Target;

pub async fn attack(plan: Plan) -> Vec<Row> {
    let target = Target::open().await;
    let office = target.office().await;
    vec![
        links(plan, &target).await,
        seats(plan, &target, &office).await,
        decisions(plan, &target, &office).await,
        registrations(plan, &target).await,
        room(plan).await,
    ]
}

/// Sends copies of a request at once and returns their statuses.
async fn at_once(actor: &Actor, method: &str, path: &str, bodies: Vec<Value>) -> Vec<StatusCode> {
    let mut calls = JoinSet::new();
    for body in bodies {
        let actor = Actor { client: actor.client.clone(), base: actor.base.clone() };
        let (method, path) = (method.to_owned(), path.to_owned());
        calls.spawn(async move { actor.send(actor.request(&method, &path).json(&body)).await.status });
    }
    calls.join_all().await
}

fn successes(statuses: &[StatusCode]) -> usize {
    statuses.iter().filter(|status| status.is_success()).count()
}

/// One link to a new password, used by several at once.
async fn links(plan: Plan, target: &Target) -> Row {
    let mut row = Row::new("one link, used several times at once");
    target.student("amara").await;
    let visitor = target.visitor();
    for round in 0..plan.pick(20, 1) {
        visitor.post("/api/students/forgot-password", &json!({ "email": "amara@mail.example" })).await;
        let path = "/student/reset-password/";
        let mails = target.all_mails().await;
        let mail = mails.iter().rev().find(|mail| mail.text.contains(path)).unwrap();
        let token = mail.token(path);
        let bodies = (0..8).map(|number| {
            let password = format!("a quiet heron {round} {number}");
            json!({ "token": token, "password": password, "confirmPassword": password })
        });
        let statuses = at_once(&visitor, "POST", "/api/students/reset-password", bodies.collect()).await;
        for status in &statuses {
            row.tried(!status.is_server_error() || status.as_u16() == 503, || status.to_string());
        }
        row.check(successes(&statuses) == 1, || format!("{} of them chose a password", successes(&statuses)));
    }
    row
}

/// One seat, approved for two students at once.
async fn seats(plan: Plan, target: &Target, office: &Actor) -> Row {
    let mut row = Row::new("one seat, given to several at once");
    let mut people = Vec::new();
    for number in 0..4 {
        people.push(target.student(&format!("seat{number}")).await.0);
    }
    for round in 0..plan.pick(20, 1) {
        let course = target.course(office, &format!("S{round:02}4U")).await;
        let mut calls = JoinSet::new();
        for student in &people {
            let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone();
            let office = Actor { client: office.client.clone(), base: office.base.clone() };
            let path = format!("/api/admin/enrollments/{id}/approve");
            calls.spawn(async move { office.post(&path, &json!({})).await.status });
        }
        for status in calls.join_all().await {
            let is_expected = matches!(status.as_u16(), 200 | 409 | 503);
            row.tried(is_expected, || status.to_string());
        }
        let taken = "select count(*) from enrollments where status = 'active' and course_id = ";
        let taken = target.count(&format!("{taken}{course}"));
        row.check(taken == 1, || format!("{taken} have the one seat"));
        let charges = target.count(&format!(
            "select count(*) from ledger where enrollment_id in (select id from enrollments where course_id = {course})"
        ));
        row.check(charges == 1, || format!("{charges} charges for one seat"));
    }
    row
}

/// One request, approved, declined and withdrawn at once.
async fn decisions(plan: Plan, target: &Target, office: &Actor) -> Row {
    let mut row = Row::new("one request, decided in several ways at once");
    let (student, _) = target.student("decided").await;
    for round in 0..plan.pick(20, 1) {
        let course = target.course(office, &format!("D{round:02}4U")).await;
        let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].as_i64().unwrap();
        let path = |verb: &str| format!("/api/admin/enrollments/{id}/{verb}");
        let (approve, decline) = (path("approve"), path("decline"));
        let withdraw = format!("/api/students/enrollments/{id}/withdraw");
        let reason = json!({ "reason": "There is no room in this course any more." });
        let (approved, declined, withdrawn) = tokio::join!(
            at_once(office, "POST", &approve, vec![json!({}); 4]),
            at_once(office, "POST", &decline, vec![reason.clone(); 4]),
            at_once(&student, "POST", &withdraw, vec![json!({}); 2]),
        );
        let events =
            "select count(*) from enrollment_events where from_status = 'pending' and enrollment_id = ";
        let events = target.count(&format!("{events}{id}"));
        row.check(events == 1, || format!("it was decided {events} times"));
        let charges = target.count(&format!("select count(*) from ledger where enrollment_id = {id}"));
        row.check(charges <= 1, || format!("it was charged {charges} times"));
        for status in [approved, declined, withdrawn].concat() {
            row.tried(!status.is_server_error() || status.as_u16() == 503, || status.to_string());
        }
    }
    row
}

/// One address, registered several times at once.
async fn registrations(plan: Plan, target: &Target) -> Row {
    let mut row = Row::new("one address, registered several times at once");
    let visitor = target.visitor();
    for round in 0..plan.pick(20, 2) {
        let email = format!("race{round}@mail.example");
        let body =
            |_| json!({ "email": email, "password": "a quiet heron", "confirmPassword": "a quiet heron" });
        for status in at_once(&visitor, "POST", "/api/students/register", (0..8).map(body).collect()).await {
            row.tried(!status.is_server_error() || status.as_u16() == 503, || status.to_string());
        }
        target.all_mails().await;
        let there = target.count(&format!("select count(*) from students where email = '{email}'"));
        row.check(there == 1, || format!("{there} accounts of one address"));
    }
    row
}

/// More files at once than a student may have.
async fn room(plan: Plan) -> Row {
    let mut row = Row::new("more files at once than there is room for");
    let target = Target::start(&[("SCHOOLHOUSE_DOCUMENTS_FILES_PER_STUDENT", "3")]).await;
    let (student, _) = target.student("amara").await;
    let mut uploads = JoinSet::new();
    for _ in 0..plan.pick(40, 10) {
        let student = Actor { client: student.client.clone(), base: student.base.clone() };
        uploads.spawn(async move { student.upload("other", "a.pdf", PDF.to_vec()).await.status });
    }
    for status in uploads.join_all().await {
        row.tried(matches!(status.as_u16(), 201 | 413 | 429 | 503), || status.to_string());
    }
    let kept = target.count("select count(*) from student_documents where status = 'pending_review'");
    row.check(kept <= 3, || format!("{kept} were kept"));
    row
}
