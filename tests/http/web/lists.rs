//! What every list of the office has in common: search words, pages, and the number of rows.

use std::io::Read;

use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use crate::support::{Actor, Answer, PASSWORD, School, browser};

/// A school with 60 messages, of which number 60 is the newest.
async fn school_with_messages() -> School {
    let school = School::open().await;
    let sql = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 60)
        insert into contact_messages (id, name, email, subject, message, status, created_at)
        select i, 'Zoë Müller', 'zoe' || i || '@mail.example', 'general', '100% of question #' || i,
            iif(i % 10 = 0, 'open', 'new'), i / 4 from n";
    assert_eq!(school.database().execute(sql, []).unwrap(), 60);
    school
}

fn down(from: i64, to: i64) -> Vec<Value> {
    (to..=from).rev().map(Value::from).collect()
}

#[tokio::test]
async fn a_list_comes_whole_or_by_pages_and_says_how_long_it_is() {
    let school = school_with_messages().await;
    let staff = school.staff().await;
    for (query, ids) in [
        ("", down(60, 1)),
        ("?page=1", down(60, 36)),
        ("?page=2", down(35, 11)),
        ("?page=3", down(10, 1)),
        ("?page=4", vec![]),
        ("?page=99999999999999999999999", vec![]),
        ("?page=0", down(60, 36)),
        ("?page=-1", down(60, 36)),
        ("?page=abc", down(60, 36)),
        ("?page=", down(60, 36)),
        ("?page=2&q=", down(35, 11)),
        ("?q=muller+question", down(60, 1)),
        ("?q=muller+question&page=3", down(10, 1)),
        ("?q=muller+question&page=4", vec![]),
    ] {
        let answer = staff.get(&format!("/api/admin/messages{query}")).await.expect(StatusCode::OK);
        assert_eq!((answer.column("id"), answer.total()), (ids, 60), "{query:?}");
    }
}

#[tokio::test]
async fn every_word_is_looked_for_as_it_is_whatever_its_case_and_accents() {
    let school = school_with_messages().await;
    let staff = school.staff().await;
    let long = format!("?q={}", "x".repeat(5000));
    for (query, total) in [
        ("?q=ZOE%20muller", 60),
        ("?q=M%C3%BCLLER", 60),
        ("?q=%2359", 1),
        ("?q=zoe59%40+%2359", 1),
        ("?q=zoe59%40+%2358", 0),
        ("?q=100%25", 60),
        ("?q=%25mull", 0),
        ("?q=zoe_", 0),
        ("?q='+or+1%3D1+--", 0),
        ("?q=%ff", 0),
        ("?q=%00", 0),
        ("?q=+%20+", 60),
        (&*long, 0),
        ("?status=open", 6),
        ("?status=open&page=1&q=%2310", 1),
        ("?status=", 60),
    ] {
        let answer = staff.get(&format!("/api/admin/messages{query}")).await.expect(StatusCode::OK);
        assert_eq!(answer.total(), total, "{query}");
        assert_eq!(answer.json().as_array().unwrap().len() as i64, total, "{query}");
    }
    for twice in
        ["messages?page=1&page=2", "courses?archived=1&archived=1", "search?q=a&q=b", "texts?kind=a&kind=b"]
    {
        let answer = staff.get(&format!("/api/admin/{twice}")).await.expect(StatusCode::BAD_REQUEST);
        assert_eq!(answer.message(), "This address cannot be understood. Use each parameter once.");
    }
}

#[tokio::test]
async fn a_list_limited_to_a_state_is_paged_and_counted_as_such() {
    let school = school_with_messages().await;
    let staff = school.staff().await;
    let answer = staff.get("/api/admin/messages?status=new&page=3").await.expect(StatusCode::OK);
    assert_eq!((answer.column("id"), answer.total()), ([4, 3, 2, 1].map(Value::from).to_vec(), 54));
    let fields = staff.get("/api/admin/messages?status=opened").await.fields();
    assert_eq!(fields, json!({ "status": "Must be one of new, open, replied, closed, spam" }));
    let fields = staff.get("/api/admin/admission-requests?status=NEW").await.fields();
    assert_eq!(
        fields["status"],
        "Status must be one or more of pending, in_review, info_requested, waitlisted, offered, accepted, expired, \
         declined, withdrawn"
    );
}

#[tokio::test]
async fn a_bad_address_of_a_list_tells_a_stranger_nothing() {
    let school = School::open().await;
    let bursar = school.staff_as(Role::Bursar).await;
    for query in ["?page=1&page=2", "?status=nonsense", "?page=1"] {
        let path = format!("/api/admin/documents{query}");
        school.visitor().get(&path).await.expect(StatusCode::UNAUTHORIZED);
        let messages = format!("/api/admin/messages{query}");
        school.visitor().get(&messages).await.expect(StatusCode::UNAUTHORIZED);
    }
    bursar.get("/api/admin/documents?page=1").await.expect(StatusCode::FORBIDDEN);
}

/// The size of a list as it travels, and what it says.
async fn asked_with(actor: &Actor, path: &str, accepted: &str) -> (Answer, Vec<u8>) {
    let answer = actor.send(actor.request("GET", path).header("accept-encoding", accepted)).await;
    let mut plain = Vec::new();
    if answer.header("content-encoding") == "gzip" {
        flate2::read::GzDecoder::new(&*answer.bytes).read_to_end(&mut plain).unwrap();
    } else {
        plain.clone_from(&answer.bytes);
    }
    (answer.expect(StatusCode::OK), plain)
}

#[tokio::test]
async fn the_offices_lists_leave_compressed_and_nothing_else_that_is_private_does() {
    let school = school_with_messages().await;
    let username = "colleague";
    school.hire(username, Role::Admin).await;
    // This client leaves an answer as it came.
    let staff = Actor::with(browser().no_gzip(), &school.url(""));
    let login = json!({ "username": username, "password": PASSWORD });
    let request = staff.request("POST", "/api/login").header("accept-encoding", "gzip").json(&login);
    let answer = staff.send(request).await.expect(StatusCode::OK);
    assert_eq!(answer.header("content-encoding"), "");
    for number in 0..9 {
        school.course(&staff, &format!("ABC{number}O"), json!(10)).await;
    }
    for path in ["/api/admin/messages?page=1", "/api/admin/messages", "/api/admin/courses"] {
        let (plain, expected) = asked_with(&staff, path, "identity").await;
        assert_eq!(
            (plain.header("content-encoding"), plain.header("vary")),
            ("", "accept-encoding"),
            "{path}"
        );
        let (small, unpacked) = asked_with(&staff, path, "gzip, deflate, br").await;
        assert_eq!(
            (small.header("content-encoding"), small.header("vary")),
            ("gzip", "accept-encoding"),
            "{path}"
        );
        assert_eq!(small.header("cache-control"), "private, no-store");
        assert_eq!(small.header("x-total-count"), plain.header("x-total-count"));
        assert!(unpacked == expected, "{path}");
        assert!(
            small.bytes.len() * 3 < expected.len(),
            "{path}: {} of {}",
            small.bytes.len(),
            expected.len()
        );
        assert_eq!(asked_with(&staff, path, "gzip;q=0, br").await.0.header("content-encoding"), "");
    }
    // A list that is short, and what is no list.
    for path in ["/api/admin/documents", "/api/user", "/api/admin/dashboard", "/api/admin/messages/1"] {
        assert_eq!(asked_with(&staff, path, "gzip").await.0.header("content-encoding"), "", "{path}");
    }
}

#[tokio::test]
async fn a_role_without_exports_reads_lists_page_by_page() {
    let school = School::open().await;
    let staff = school.staff().await;
    school.course(&staff, "ENG4U", json!(500)).await;
    let sql = "begin;
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 30)
            insert into students (id, email, password_hash, status, created_at, updated_at)
            select i, 'list' || i || '@mail.example', 'x', 'active', 0, 0 from n;
        insert into enrollments (student_id, course_id, status, start_date, end_date, created_at)
            select id, 1, 'pending', '2026-12-01', '2027-04-01', 0 from students;
        commit";
    school.database().execute_batch(sql).unwrap();
    let [viewer, bursar] = [school.staff_as(Role::Viewer).await, school.staff_as(Role::Bursar).await];
    for (list, actor, rows) in [
        ("/api/admin/students", &staff, 30),
        ("/api/admin/students", &bursar, 30),
        ("/api/admin/students", &viewer, 25),
        ("/api/admin/enrollments", &staff, 30),
        ("/api/admin/enrollments", &bursar, 25),
        ("/api/admin/enrollments", &viewer, 25),
        ("/api/admin/enrollments?page=2", &viewer, 5),
    ] {
        let answer = actor.get(list).await.expect(StatusCode::OK);
        assert_eq!((answer.column("id").len(), answer.total()), (rows, 30), "{list}");
    }
}
