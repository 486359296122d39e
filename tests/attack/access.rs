//! Access to others' data: every private URL as a visitor, as another student and as a role without the duty; fields
//! that no caller may set.

use reqwest::StatusCode;
use schoolhouse::testing::{ClosedSet, Office, Role};
use serde_json::json;

use crate::support::{Actor, PDF};
use crate::table::{Plan, Row};
use crate::target::{Endpoint, Target, body, endpoints};

pub async fn attack(plan: Plan) -> Vec<Row> {
    let target = Target::open().await;
    let office = target.office().await;
    let (owner, owner_id) = target.student("amara").await;
    let (other, _) = target.student("mei").await;
    let course = target.course(&office, "ENG4U").await;
    owner.enroll(course).await.expect(StatusCode::CREATED);
    let document = owner.upload("transcript", "a.pdf", PDF.to_vec()).await;
    let document = document.expect(StatusCode::CREATED).json()["id"].as_i64().unwrap();
    vec![
        strangers(&target, plan).await,
        another_student(&target, &other, &office, document).await,
        without_the_duty(&target, &office, plan).await,
        set_by_attackers(&target, &owner, owner_id, plan).await,
    ]
}

/// Every private endpoint, by whatever number.
async fn strangers(target: &Target, plan: Plan) -> Row {
    let mut row = Row::new("every private route as a stranger");
    let (visitor, ids) =
        (target.visitor(), ["1", "2", "0", "-1", "9223372036854775807", "1%00", "..%2F1", "%31"]);
    for endpoint in endpoints().iter().filter(|endpoint| !endpoint.portals().is_empty()) {
        let ids = if endpoint.template.contains('{') { plan.some(ids.to_vec(), 4) } else { vec!["1"] };
        for id in ids {
            let request = visitor.request(&endpoint.method, &endpoint.path(id));
            let body = body(endpoint, "x").unwrap_or_else(|| json!({}));
            let request = if endpoint.is_get() { request } else { request.json(&body) };
            let answer = visitor.send(request).await;
            let is_refused = answer.status == StatusCode::UNAUTHORIZED;
            row.tried(is_refused, || format!("{} {}: {}", endpoint.method, endpoint.path(id), answer.status));
        }
    }
    row
}

/// Whatever a student may ask for, by the numbers of another one's things.
async fn another_student(target: &Target, other: &Actor, office: &Actor, document: i64) -> Row {
    let mut row = Row::new("every route of students as another student");
    let before = records(target);
    let session = office.get("/api/user/sessions").await.json()[0]["id"].as_str().unwrap_or("1").to_owned();
    let of_students = endpoints();
    let by_number =
        |endpoint: &&Endpoint| endpoint.portals().contains(&"student") && endpoint.template.contains('{');
    for endpoint in of_students.iter().filter(by_number) {
        for id in ["1".to_owned(), document.to_string(), "2".to_owned(), session.clone()] {
            let request = other.request(&endpoint.method, &endpoint.path(&id));
            let body = json!({ "reason": "It is not mine, and I would like to leave." });
            let request = if endpoint.is_get() { request } else { request.json(&body) };
            let answer = other.send(request).await;
            let is_refused = answer.status == StatusCode::NOT_FOUND;
            row.tried(is_refused, || {
                format!("{} {}: {}", endpoint.method, endpoint.path(&id), answer.status)
            });
        }
    }
    row.check(records(target) == before, || "something was changed".into());
    row
}

/// Everything of students that could have been changed.
fn records(target: &Target) -> Vec<String> {
    let mut rows = Vec::new();
    let database = target.database();
    for sql in [
        "select id || status || version from enrollments order by id",
        "select id || status || original_name from student_documents order by id",
        "select id || email || coalesce(full_name, '') || status from students order by id",
    ] {
        let mut statement = database.prepare(sql).unwrap();
        let found = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
        rows.extend(found.map(Result::unwrap));
    }
    rows
}

/// Every endpoint of the office as each role that has not its duty.
async fn without_the_duty(target: &Target, office: &Actor, plan: Plan) -> Row {
    let mut row = Row::new("every route of the office by a role without the duty");
    for role in Role::ALL.iter().filter(|role| **role != Role::Admin) {
        let colleague = target.hire(office, role.as_str()).await;
        let duties = role.duties(&Office::default());
        let may = |duty: &str| duties.iter().any(|own| own.as_str() == duty);
        let is_forbidden = |endpoint: &Endpoint| {
            let ways = endpoint.operation["security"].as_array().into_iter().flatten();
            let mut staff = ways.filter_map(|way| way["staff"].as_array());
            staff.next().is_some_and(|way| way[..].first().is_some_and(|duty| !may(duty.as_str().unwrap())))
        };
        let forbidden: Vec<_> = endpoints().into_iter().filter(is_forbidden).collect();
        for endpoint in plan.some(forbidden, 2) {
            let request = colleague.request(&endpoint.method, &endpoint.path("1"));
            let request = match body(&endpoint, "x") {
                Some(body) if !endpoint.is_get() => request.json(&body),
                _ => request,
            };
            let answer = colleague.send(request).await;
            row.tried(answer.status == StatusCode::FORBIDDEN, || {
                format!("{}: {} {}: {}", role.as_str(), endpoint.method, endpoint.template, answer.status)
            });
        }
    }
    row
}

/// Fields that a body may not set, in the body of every endpoint that a student or a stranger may call.
async fn set_by_attackers(target: &Target, student: &Actor, id: i64, plan: Plan) -> Row {
    let mut row = Row::new("fields that no caller may set, in every body");
    let guarded = format!(
        "select status || origin || created_at || coalesce(student_number, '')
         from students where id = {id}"
    );
    let read = || target.database().query_row(&guarded, [], |row| row.get::<_, String>(0)).unwrap();
    let before = (
        read(),
        target.count("select count(*) from users"),
        target.count("select coalesce(sum(amount_cents), 0) from ledger"),
    );
    for endpoint in endpoints() {
        let is_open = endpoint.portals().is_empty() || endpoint.portals().contains(&"student");
        let Some(mut body) = body(&endpoint, "amara@mail.example").filter(|_| is_open) else { continue };
        let Some(fields) = body.as_object_mut() else { continue };
        for (name, value) in [
            ("id", json!(1)),
            ("status", json!("active")),
            ("isVerified", json!(true)),
            ("verified", json!(true)),
            ("role", json!("admin")),
            ("studentId", json!(1)),
            ("quotedPrice", json!(0)),
            ("price", json!(0)),
            ("balance", json!(-1000)),
            ("version", json!(-1)),
            ("createdAt", json!("2000-01-01T00:00:00Z")),
            ("password_hash", json!("x")),
            ("__proto__", json!({ "isAdmin": true })),
            ("constructor", json!({ "prototype": {} })),
        ] {
            fields.insert(name.to_owned(), value);
        }
        for _ in 0..plan.pick(3, 1) {
            let request = student.request(&endpoint.method, &endpoint.path("1")).json(&body);
            let answer = student.send(request).await;
            row.tried(!answer.status.is_server_error(), || {
                format!("{} {}: {}", endpoint.method, endpoint.template, answer.status)
            });
        }
    }
    let after = (
        read(),
        target.count("select count(*) from users"),
        target.count("select coalesce(sum(amount_cents), 0) from ledger"),
    );
    row.check(before == after, || format!("{before:?} became {after:?}"));
    row
}
