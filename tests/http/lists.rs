//! What every list of the office has in common: search words, pages, and the number of rows.

use reqwest::StatusCode;
use schoolhouse::staff::Role;
use serde_json::{Value, json};

use crate::support::School;

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
    let answer = staff.get("/api/admin/messages?page=1&page=2").await.expect(StatusCode::BAD_REQUEST);
    assert_eq!(answer.message(), "The address of this list cannot be understood.");
}

#[tokio::test]
async fn a_list_limited_to_a_state_is_paged_and_counted_as_such() {
    let school = school_with_messages().await;
    let staff = school.staff().await;
    let answer = staff.get("/api/admin/messages?status=new&page=3").await.expect(StatusCode::OK);
    assert_eq!((answer.column("id"), answer.total()), ([4, 3, 2, 1].map(Value::from).to_vec(), 54));
    let fields = staff.get("/api/admin/messages?status=opened").await.fields();
    assert_eq!(fields, json!({ "status": "Status must be one of new, open, replied, closed, spam" }));
    let fields = staff.get("/api/admin/admission-requests?status=NEW").await.fields();
    assert_eq!(
        fields["status"],
        "Status must be one of pending, in_review, info_requested, waitlisted, offered, accepted, expired, \
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
