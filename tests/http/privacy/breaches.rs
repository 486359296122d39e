//! The register of privacy breaches.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::School;

const PATH: &str = "/api/admin/breaches";

#[tokio::test]
async fn a_breach_is_written_down_judged_and_reported() {
    let school = School::open().await;
    let staff = school.staff().await;
    let breach = json!({
        "happenedOn": "2026-11-18", "discoveredOn": "2026-11-20", "what": "A class list went to a wrong address",
        "affected": "The 24 students of one class", "affectedCount": 24, "risk": "not_assessed",
    });
    let new = staff.post(PATH, &breach).await.expect(StatusCode::CREATED).json();
    assert_eq!((&new["by"], &new["reportedToOpcOn"]), (&json!("staff0"), &Value::Null));
    let mut change = breach.clone();
    change["risk"] = json!("significant");
    let path = format!("{PATH}/{}", new["id"]);
    let fields = staff.patch(&path, &change).await.fields();
    assert_eq!(
        fields,
        json!({ "riskReason": "Please say in at least 10 characters why the risk is judged so" })
    );
    change["riskReason"] = json!("Addresses of minors are among them");
    change["reportedToOpcOn"] = json!("2026-11-21");
    change["peopleToldOn"] = json!("2026-11-21");
    let stale = staff.patch(&path, &change).await.expect(StatusCode::CONFLICT);
    assert_eq!(
        stale.message(),
        "This was changed by another user meanwhile. Please review the current version."
    );
    change["version"] = new["version"].clone();
    let changed = staff.patch(&path, &change).await.expect(StatusCode::OK).json();
    assert_eq!((&changed["risk"], &changed["version"]), (&json!("significant"), &json!(2)));
    assert_eq!(staff.get(PATH).await.expect(StatusCode::OK).json(), json!([changed]));
    let entries = staff.get("/api/admin/audit?object=breach").await.json();
    assert_eq!((&entries[0]["action"], &entries[1]["action"]), (&json!("update"), &json!("record")));
    staff.patch(&format!("{PATH}/999"), &change).await.expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn all_field_errors_of_the_breach_book_are_returned_together() {
    let school = School::open().await;
    let staff = school.staff().await;
    let wrong = json!({
        "happenedOn": "2026-11-21", "discoveredOn": "2026-11-20", "what": "x", "affected": "", "affectedCount": -1,
        "risk": "huge", "peopleToldOn": "2026-11-22", "measures": "x".repeat(4001),
    });
    let fields = staff.post(PATH, &wrong).await.fields();
    let wanted = json!({
        "happenedOn": "Must not be later than its discovery",
        "what": "Please say in at least 10 characters what happened",
        "affected": "Please say who is affected",
        "affectedCount": "Must be a whole number from 0 to 1,000,000",
        "risk": "Say how large the risk is",
        "peopleToldOn": "Must not be later than today",
        "measures": "Must be at most 4000 characters",
    });
    assert_eq!(fields, wanted);
}
