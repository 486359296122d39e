//! The demo school of `serve --demo`: its contents, which are the same on the same day.

use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use reqwest::StatusCode;
use rusqlite::types::Value as Cell;
use serde_json::json;

use crate::support::School;

async fn demo() -> School {
    let school = School::open().await;
    schoolhouse::testing::seed_demo(school.app()).await.unwrap();
    school
}

/// A demo that opens at this instant.
async fn demo_at(instant: &str) -> School {
    let school = School::open().await;
    let instant: Timestamp = instant.parse().unwrap();
    school.advance(instant.duration_since(school.app().clock.now()));
    schoolhouse::testing::seed_demo(school.app()).await.unwrap();
    school
}

#[tokio::test]
async fn every_list_of_the_office_shows_something() {
    let school = demo().await;
    let staff = school.staff().await;
    for (list, total) in [
        ("documents", 39),
        ("documents?q=amara", 2),
        ("enrollments/pending", 40),
        ("enrollments/pending?q=amara", 1),
        ("messages?q=zoe+quebec", 1),
        ("messages?q=soren&status=open", 1),
        ("messages", 12),
        ("admission-requests?q=anais+nunez", 1),
        ("admission-requests", 10),
    ] {
        let answer = staff.get(&format!("/api/admin/{list}")).await.expect(StatusCode::OK);
        assert_eq!(answer.total(), total, "{list}: {}", answer.text());
    }
    let states = staff.get("/api/admin/messages").await.column("status");
    assert_eq!(states[..3], [json!("new"), json!("open"), json!("new")], "the newest is not read yet");
    let figures = staff.get("/api/admin/dashboard").await.json();
    for (figure, value) in [
        ("pendingEnrollmentsCount", 40),
        ("approvedEnrollmentsCount", 96),
        ("unpricedEnrollmentsCount", 1),
        ("newMessagesCount", 4),
        ("pendingAdmissionRequestsCount", 2),
    ] {
        assert_eq!(figures[figure], value, "{figure}");
    }
}

/// What the school has so many of.
const CONTENTS: [(&str, i64); 55] = [
    ("from terms where is_published = 1", 3),
    ("from sections where teacher_name is not null", 30),
    ("from sections where status = 'open'", 12),
    ("from meetings where link is not null", 57),
    ("from enrollments where status = 'active' and section_id is not null", 31),
    ("from enrollments where status = 'cancelled'", 2),
    ("from enrollments where status = 'pending' and section_id is not null", 5),
    ("from (select distinct status from admission_requests)", 9),
    ("from admissions where status = 'active'", 1),
    ("from admission_requests where student_id is not null", 1),
    ("from admission_documents", 2),
    ("from students", 60),
    ("from students where status = 'unverified'", 3),
    ("from students where status = 'suspended' and suspended_reason is not null", 1),
    ("from students where status = 'closed' and closed_reason is not null", 1),
    ("from students where status = 'active' and full_name is null", 4),
    ("from students where country <> 'CA' and province is null", 6),
    ("from students where date_of_birth > '2008-11-21' and parent_name is null", 4),
    ("from students where password_hash not like '%$AAAAAAAAAAAAAAAA%'", 1),
    ("from enrollments where status = 'active'", 96),
    ("from enrollments where status = 'pending'", 40),
    ("from enrollments where status = 'waitlisted'", 8),
    ("from enrollments where status = 'waitlisted' and offered_until > unixepoch('2026-11-21 15:00')", 1),
    ("from enrollments where status = 'completed'", 47),
    ("from enrollments where status = 'completed' and final_mark < 50 and credits_hundredths = 0", 3),
    ("from enrollments where status = 'declined' and reason is not null", 8),
    ("from enrollments where status = 'withdrawn'", 7),
    ("from enrollments where status = 'withdrawn' and reason is not null", 4),
    ("from enrollments where status = 'active' and end_date < '2026-11-21'", 6),
    ("from enrollments where status = 'active' and end_date between '2026-11-21' and '2026-12-05'", 9),
    ("from enrollments where status = 'active' and start_date > '2026-11-21'", 13),
    ("from enrollments where status = 'active' and leave_asked_at is not null", 2),
    ("from enrollments where status = 'active' and charged_price_cents is null", 1),
    ("from enrollments where status = 'pending' and repeat_of is not null", 1),
    (
        "from enrollments e join courses c on c.id = e.course_id
         where e.status = 'pending' and e.quoted_price_cents <> c.price_cents",
        4,
    ),
    (
        "from enrollments e join students s on s.id = e.student_id where e.status = 'pending' and full_name is null",
        3,
    ),
    (
        "from courses c where capacity = (select count(*) from enrollments e where e.course_id = c.id
             and (e.status = 'active' or e.offered_until > unixepoch('2026-11-21 15:00')))",
        2,
    ),
    (
        "from students s where not exists (select 1 from consents c where c.student_id = s.id and c.kind = 'terms')",
        0,
    ),
    ("from enrollments e where not exists (select 1 from consents c where c.enrollment_id = e.id)", 0),
    ("from consents where message_id is not null or not was_asked", 0),
    ("from privacy_requests where status = 'open'", 2),
    ("from breaches", 1),
    ("from (select distinct student_id from student_documents)", 20),
    ("from contact_messages where status = 'new'", 4),
    ("from contact_messages where status = 'open'", 3),
    ("from contact_messages where status = 'replied'", 3),
    ("from contact_messages where status = 'closed'", 1),
    ("from contact_messages where status = 'spam'", 1),
    ("from payments where reverses_id is null", 98),
    ("from tasks where kind = 'refund_due' and done_at is null", 1),
    ("from receipts where voided_at is not null", 1),
    ("from guardians where email is not null and gets_mail = 1", 15),
    ("from users", 4),
    ("from student_notes where deleted_at is null", 8),
    (
        "from students s where date_of_birth > '2008-11-21' and exists (select 1 from confirmations k
            where k.student_id = s.id)",
        20,
    ),
];

#[tokio::test]
async fn the_school_looks_as_if_it_had_been_open_for_months() {
    let school = demo().await;
    let differs = |(what, number): &(&str, i64)| {
        let found = school.count(&format!("select count(*) {what}"));
        (found != *number).then(|| format!("{what}: {found}, not {number}"))
    };
    let differing: Vec<_> = CONTENTS.iter().filter_map(differs).collect();
    assert!(differing.is_empty(), "{differing:#?}");
    let midterms = "from enrollments where status = 'active' and midterm_mark is not null";
    assert!(school.count(&format!("select count(*) {midterms}")) >= 20);
    assert_eq!(
        school.count("select count(*) from outbox where created_at < unixepoch('2026-11-07 15:00')"),
        0
    );
    let recent = school.count("select count(*) from outbox");
    assert!((5..80).contains(&recent), "{recent} emails of the last two weeks");
}

#[tokio::test]
async fn a_student_has_classes_and_a_full_section_its_waiting_list() {
    let school = School::open().await;
    let accounts = schoolhouse::testing::seed_demo(school.app()).await.unwrap();
    let notice = accounts.notice("http://school.example", Path::new("/tmp/demo"));
    let line = notice.lines().find(|line| line.contains("amara.okonkwo@mail.example")).unwrap();
    let student = school.visitor();
    student.log_in("amara.okonkwo@mail.example", line.split_whitespace().last().unwrap()).await;
    let week = student.get("/api/students/week?date=2026-11-25").await.expect(StatusCode::OK).json();
    assert_eq!(week[0]["course"]["code"], "ENG4U", "{week}");
    let link = "https://meet.northgate.example/eng4u-a";
    assert!(week.as_array().unwrap().iter().all(|class| class["link"] == link), "{week}");
    assert!(week.as_array().unwrap().iter().any(|class| class["isCancelled"] == false), "{week}");
    let sections = school.staff().await.get("/api/admin/sections").await.expect(StatusCode::OK).json();
    let full = sections.as_array().unwrap().iter().filter(|section| section["taken"] == section["capacity"]);
    let waiting: Vec<_> = full.map(|section| (&section["courseCode"], &section["waiting"])).collect();
    assert_eq!(waiting, [(&json!("SPH4U"), &json!(2))]);
}

#[tokio::test]
async fn requests_that_wait_show_every_state_of_a_prerequisite() {
    let school = demo().await;
    let staff = school.staff().await;
    let rows = staff.get("/api/admin/enrollments?status=pending").await.expect(StatusCode::OK).json();
    for state in ["here", "elsewhere", "in_progress", "nothing", "check_by_hand"] {
        let found = rows.as_array().unwrap().iter().filter(|row| row["prerequisite"]["state"] == state);
        assert!(found.count() > 0, "{state}");
    }
    assert!(school.count("select count(*) from external_credits where document_id is not null") == 3);
    assert!(school.count("select count(*) from external_credits where credits_hundredths = 800") > 0);
}

/// Nothing happens before its cause, or tomorrow.
async fn expect_in_order(school: &School) {
    let now = school.app().clock.now().as_second();
    for wrong in [
        format!("enrollment_events where at > {now}"),
        format!("students where created_at > {now}"),
        format!("audit where at > {now}"),
        "enrollments e join students s on s.id = e.student_id
         where e.created_at < s.created_at and s.email <> 'amara.okonkwo@mail.example'"
            .into(),
        "enrollment_events a join enrollment_events b on b.enrollment_id = a.enrollment_id
         where b.id > a.id and b.at < a.at"
            .into(),
    ] {
        assert_eq!(school.count(&format!("select count(*) from {wrong}")), 0, "{wrong}");
    }
}

#[tokio::test]
async fn it_opens_on_any_day() {
    for instant in [
        "2026-11-21T15:00:00Z",
        // A Sunday, minutes after midnight in Toronto; the evening of a Monday.
        "2027-01-10T05:03:00Z",
        "2027-01-12T03:30:00Z",
        "2028-02-29T12:00:00Z",
        // The hour that summer time leaves out.
        "2027-03-14T07:30:00Z",
    ] {
        let school = demo_at(instant).await;
        expect_in_order(&school).await;
        // A term that is in full swing has a cancelled section.
        for (status, number) in [("active", 98), ("pending", 40), ("waitlisted", 8), ("completed", 47)] {
            let or_cancelled = if status == "active" { "or status = 'cancelled'" } else { "" };
            let sql = format!("select count(*) from enrollments where status = '{status}' {or_cancelled}");
            let found = school.count(&sql);
            assert_eq!(found, number, "{status} at {instant}");
        }
        let now = school.app().clock.now() + SignedDuration::from_mins(1);
        let offered = format!("select count(*) from enrollments where offered_until > {}", now.as_second());
        assert_eq!(school.count(&offered), 1, "offered at {instant}");
    }
}

/// Every row, except random and transient data.
fn contents(school: &School) -> Vec<String> {
    const DRAWN: [&str; 2] = ["password_hash", "decision_id"];
    let database = school.database();
    let mut rows = Vec::new();
    for table in [
        "users",
        "courses",
        "students",
        "student_numbers",
        "student_history",
        "enrollments",
        "enrollment_events",
        "ledger",
        "student_documents",
        "contact_messages",
        "admission_requests",
        "audit",
    ] {
        let mut select = database.prepare(&format!("select * from {table} order by 1")).unwrap();
        let names: Vec<String> = select.column_names().map(str::to_owned).collect();
        let kept: Vec<usize> = (0..names.len()).filter(|at| !DRAWN.contains(&names[*at].as_str())).collect();
        let found = select
            .query_map([], |row| {
                let cells =
                    kept.iter().map(|at| row.get::<_, Cell>(*at)).collect::<rusqlite::Result<Vec<_>>>()?;
                Ok(format!("{table} {cells:?}"))
            })
            .unwrap();
        rows.extend(found.map(Result::unwrap));
    }
    rows
}

#[tokio::test]
async fn the_same_day_gives_the_same_school() {
    let (one, other) = (contents(&demo().await), contents(&demo().await));
    assert!(one.len() > 1000, "{}", one.len());
    for (one, other) in one.iter().zip(&other) {
        assert_eq!(one, other);
    }
    assert_eq!(one.len(), other.len());
}

#[tokio::test]
async fn the_total_due_is_that_of_the_ledger() {
    let school = demo().await;
    let due = school.count(
        "select sum(cents) from (
             select max(0, sum(iif(l.kind = 'charge', l.amount_cents, -l.amount_cents))) as cents
             from ledger l left join ledger undone on undone.id = l.reverses_id
             where l.enrollment_id is not null and coalesce(undone.kind, l.kind) = 'charge'
             group by l.enrollment_id)",
    );
    let priced =
        school.count("select sum(charged_price_cents) from enrollments where approved_at is not null");
    assert_eq!(due, priced, "every approved course was charged once");
    let figures = school.staff().await.get("/api/admin/dashboard").await.json();
    let paid = school.count(
        "select sum(iif(l.kind = 'payment', l.amount_cents, -l.amount_cents)) from ledger l
             left join ledger undone on undone.id = l.reverses_id
             where coalesce(undone.kind, l.kind) = 'payment' and l.enrollment_id is not null",
    );
    assert!(paid > 0, "a part was paid");
    // Those of the cancelled section owe nothing.
    let waived = school.count(
        "select sum(iif(l.kind = 'waiver', l.amount_cents, -l.amount_cents)) from ledger l
             left join ledger undone on undone.id = l.reverses_id where coalesce(undone.kind, l.kind) = 'waiver'",
    );
    // What was waived after it was paid is a credit, until it is refunded.
    let credit = school.count("select sum(max(0, -balance)) from enrollment_balances");
    let expected = due - paid - waived + credit;
    assert_eq!((figures["totalFeeDue"].as_f64().unwrap() * 100.0).round(), expected as f64);
}

#[tokio::test]
async fn each_of_the_office_logs_in_with_the_printed_password() {
    let school = School::open().await;
    let accounts = schoolhouse::testing::seed_demo(school.app()).await.unwrap();
    let notice = accounts.notice("http://school.example", Path::new("/tmp/demo"));
    for (username, role) in
        [("office", "admin"), ("registrar", "registrar"), ("bursar", "bursar"), ("viewer", "viewer")]
    {
        let line = notice.lines().find(|line| line.trim_start().starts_with(username)).unwrap();
        let password = line.split_whitespace().nth(1).unwrap();
        let body = json!({ "username": username, "password": password });
        let user = school.visitor().post("/api/login", &body).await.expect(StatusCode::OK).json();
        assert_eq!(user["role"], role, "{notice}");
    }
    let line = notice.lines().find(|line| line.contains("amara.okonkwo@mail.example")).unwrap();
    let password = line.split_whitespace().last().unwrap();
    school.visitor().log_in("amara.okonkwo@mail.example", password).await.expect(StatusCode::OK);
}

/// `replace into` deletes what it replaces without the triggers that refuse a delete: other triggers refuse it.
#[tokio::test]
async fn no_row_of_an_append_only_table_is_replaced() {
    let school = demo().await;
    let database = school.database();
    let list = |sql: &str| -> Vec<String> {
        let mut statement = database.prepare(sql).unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    // All columns of `invoice_entries` are its key, a counter goes on at each insert, and a payment code would be
    // calculated twice. An event of an enrollment is replaced by its id alone.
    let tables = list(
        "select distinct tbl_name from sqlite_schema where type = 'trigger' and sql like '%abort%'
        and sql like '%before delete on%' and tbl_name not in ('invoice_entries', 'counters', 'payment_codes')",
    );
    let mut tried = 0;
    for table in &tables {
        let columns = list(&format!("select name from pragma_table_info('{table}')"));
        let key = list(&format!("select name from pragma_table_info('{table}') where pk > 0"));
        let unique = list(&format!(
            "select group_concat(i.name) from pragma_index_list('{table}') l
            cross join pragma_index_info(l.name) i where l.\"unique\" and l.origin <> 'pk' group by l.name"
        ));
        for names in [key.join(",")].into_iter().chain(unique) {
            let is_named = |column: &str| names.split(',').any(|name| name == column);
            // A copy of a row that has the value, under an id of its own unless the id is the value.
            let copied = |column: &String| match key.contains(column) && !is_named(column) {
                true => "null".to_owned(),
                false => column.clone(),
            };
            let copied: Vec<_> = columns.iter().map(copied).collect();
            let has_value: Vec<_> = names.split(',').map(|name| format!("{name} is not null")).collect();
            let rows = format!("from {table} where {} limit 1", has_value.join(" and "));
            tried += list(&format!("select '' {rows}")).len();
            let sql =
                format!("replace into {table} ({}) select {} {rows}", columns.join(","), copied.join(","));
            if table == "enrollment_events" && names == "undoes_id" {
                continue;
            }
            if let Err(error) = database.execute(&sql, []) {
                let code = error.sqlite_error().unwrap().extended_code;
                assert_eq!(code, rusqlite::ffi::SQLITE_CONSTRAINT_TRIGGER, "{sql}: {error}");
            } else {
                assert_eq!(list(&format!("select '' {rows}")).len(), 0, "{sql}");
            }
        }
    }
    assert!(tried > 25, "{tried} of {tables:?}");
    database.execute("replace into counters select name, year, next + 1 from counters", []).unwrap_err();
}
