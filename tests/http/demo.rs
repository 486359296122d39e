//! The throw-away school of `serve --demo`.

use reqwest::StatusCode;
use serde_json::json;

use crate::support::School;

#[tokio::test]
async fn every_list_of_the_office_shows_something() {
    let school = School::open().await;
    schoolhouse::testing::seed_demo(school.app()).await.unwrap();
    assert_eq!(school.count("select count(*) from users"), 1);
    assert_eq!(school.count("select count(*) from students"), 1);
    let staff = school.staff().await;
    for (list, total) in [
        ("documents", 2),
        ("enrollments/pending", 1),
        ("messages?q=zoe+quebec", 1),
        ("messages?q=soren&status=open", 1),
        ("messages", 2),
        ("admission-requests?q=anais+nunez", 1),
    ] {
        let answer = staff.get(&format!("/api/admin/{list}")).await.expect(StatusCode::OK);
        assert_eq!(answer.total(), total, "{list}: {}", answer.text());
    }
    let states = staff.get("/api/admin/messages").await.column("status");
    assert_eq!(states, [json!("new"), json!("open")], "the newest is not read yet");
    let figures = staff.get("/api/admin/dashboard").await.json();
    assert_eq!(
        (&figures["newMessagesCount"], &figures["pendingAdmissionRequestsCount"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(school.count("select count(*) from outbox"), 0, "nobody is written to");
}
