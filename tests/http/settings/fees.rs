//! Fees on the public pages: shown once the office says so, and nowhere before.

use reqwest::StatusCode;
use serde_json::json;

use super::{publish, save};
use crate::support::{Actor, School};

const SENTENCE: &str = "Fees differ by delivery: ask the school";

/// Every public page that lists a course, and whether it shows the fee.
async fn fees(visitor: &Actor) -> Vec<(&'static str, bool)> {
    let mut found = Vec::new();
    for path in ["/", "/courses?grade=12", "/courses/ENG4U", "/services", "/terms", "/contact"] {
        let html = visitor.get(path).await.expect(StatusCode::OK).text();
        // A price as people read it, as machines do, and as the page's own data has it.
        found.push((path, html.contains("731")));
    }
    found
}

#[tokio::test]
async fn no_public_page_shows_a_fee_until_the_office_turns_them_on() {
    let school = School::open().await;
    let (staff, visitor) = (school.staff().await, school.visitor());
    school.course(&staff, "ENG4U", json!(731.5)).await;
    assert!(fees(&visitor).await.iter().all(|(_, shown)| !shown), "{:?}", fees(&visitor).await);
    let page = visitor.get("/courses/ENG4U").await.text();
    assert!(page.contains(SENTENCE) && page.contains("/contact?subject=courses"));
    assert!(!page.contains("\"offers\""));
    assert_eq!(visitor.get("/api/school").await.json()["showFees"], false);
    // The portal also uses this list and shows the price before the student agrees.
    assert_eq!(visitor.get("/api/courses").await.json()[0]["price"], 731.5);

    let saved = save(&staff, json!({ "showFees": true })).await;
    assert_eq!(saved["changes"], json!(["Fees on the website"]));
    assert!(!visitor.get("/courses/ENG4U").await.text().contains("731"), "a draft");
    publish(&staff, &saved).await;
    assert_eq!(visitor.get("/api/school").await.json()["showFees"], true);
    let page = visitor.get("/courses/ENG4U").await.text();
    assert!(page.contains("$731.50") && page.contains("\"priceCurrency\":\"CAD\""), "{page}");
    assert!(!page.contains(SENTENCE));

    publish(&staff, &save(&staff, json!({ "showFees": false })).await).await;
    assert!(!visitor.get("/courses/ENG4U").await.text().contains("731"));
    let wrong = staff.get("/api/admin/settings").await.json()["version"].clone();
    let wrong = super::put(&staff, &json!({ "version": wrong, "settings": { "showFees": "often" } })).await;
    assert_eq!(wrong.fields(), json!({ "showFees": "Must be true or false" }));
}
