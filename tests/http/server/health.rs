//! `/readyz`, which is public and must not write to the disk.

use reqwest::StatusCode;

use crate::support::School;

#[tokio::test]
async fn a_flood_of_questions_writes_to_the_disk_once() {
    let school = School::open().await;
    let visitor = school.visitor();
    // The maintenance of the start is over.
    school.app().db.inspected().await;
    visitor.get("/readyz").await.expect(StatusCode::OK);
    school.all_mails().await;
    let log = school.path().join("schoolhouse.db-wal");
    let length = || log.metadata().unwrap().len();
    let before = length();
    for _ in 0..200 {
        visitor.get("/readyz").await.expect(StatusCode::OK);
    }
    let pages = (length() - before) / 4096;
    assert!(pages < 50, "{pages} pages for 200 questions");
}

#[tokio::test]
async fn damage_is_reported_at_once_after_successful_writes() {
    let school = School::open().await;
    let visitor = school.visitor();
    visitor.get("/readyz").await.expect(StatusCode::OK);
    school.app().db.declare_damaged("for this test");
    let ready = visitor.get("/readyz").await.expect(StatusCode::SERVICE_UNAVAILABLE).json();
    assert_eq!((&ready["database_write"], &ready["integrity"]), (&false.into(), &"damaged".into()));
}

#[tokio::test]
async fn a_failed_write_is_reported_at_once_after_a_successful_probe() {
    let school = School::open().await;
    let visitor = school.visitor();
    visitor.get("/readyz").await.expect(StatusCode::OK);
    // Another program keeps the write lock for longer than any request waits.
    let other = school.database();
    other.execute_batch("begin immediate").unwrap();
    let refused = school.app().db.write(|_| Ok(())).await;
    assert!(refused.is_err());
    let ready = visitor.get("/readyz").await.expect(StatusCode::SERVICE_UNAVAILABLE).json();
    assert_eq!(ready["database_write"], false);
    other.execute_batch("rollback").unwrap();
    while visitor.get("/readyz").await.status != StatusCode::OK {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}
