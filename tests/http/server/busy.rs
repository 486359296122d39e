//! Another program, such as an import beside the server, holds the database's lock for longer than a write waits.

use reqwest::StatusCode;
use serde_json::json;

use crate::support::School;

#[tokio::test]
async fn writes_that_wait_too_long_are_refused_in_words_and_work_afterwards() {
    let school = School::open().await;
    let (visitor, student) = (school.visitor(), school.student().await);
    let messages = school.count("select count(*) from contact_messages");
    let other = school.database();
    other.execute_batch("begin immediate").unwrap();
    let write = || visitor.write_message("Li", "li@mail.example", "Is there a place left?");
    let body = json!({});
    // Those that wait at the same time are answered together, and not one lock's wait after the other.
    let refused = tokio::join!(write(), write(), student.post("/api/students/logout", &body));
    for answer in [refused.0, refused.1, refused.2] {
        let answer = answer.expect(StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(answer.header("retry-after"), "1");
        let words = answer.text();
        assert!(words.contains("database is busy") && words.contains("Please try again"), "{words}");
    }
    other.execute_batch("rollback").unwrap();
    assert_eq!(school.count("select count(*) from contact_messages"), messages, "nothing was saved");
    student.get("/api/students/me").await.expect(StatusCode::OK);
    write().await.expect(StatusCode::OK);
    student.post("/api/students/logout", &body).await.expect(StatusCode::OK);
}
