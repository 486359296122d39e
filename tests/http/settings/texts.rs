//! The texts that people read before they agree to anything: their pages, their versions, and what emails say of them.

use jiff::civil::date;
use reqwest::StatusCode;
use schoolhouse::testing::{Demand, Role};
use serde_json::{Value, json};

use super::{publish, put, save};
use crate::support::{Actor, School};

async fn versions(actor: &Actor) -> Vec<(String, String)> {
    let texts = actor.get("/api/texts").await.expect(StatusCode::OK).json();
    let pair = |text: &Value| {
        assert_eq!(text.as_object().unwrap().len(), 4, "{text}");
        (text["kind"].as_str().unwrap().to_owned(), text["version"].as_str().unwrap().to_owned())
    };
    texts.as_array().unwrap().iter().map(pair).collect()
}

#[tokio::test]
async fn a_text_has_a_page_and_a_version_once_the_school_has_written_it() {
    let school = School::open().await;
    let (staff, visitor) = (school.staff().await, school.visitor());
    let before = versions(&visitor).await;
    assert_eq!(before.iter().map(|(kind, _)| &**kind).collect::<Vec<_>>(), ["terms", "privacy"]);
    visitor.get("/refunds").await.expect(StatusCode::NOT_FOUND);
    visitor.get("/api/texts/refunds").await.expect(StatusCode::NOT_FOUND);
    let terms = visitor.get("/terms").await.expect(StatusCode::OK).text();
    assert!(terms.contains("<h2 id=\"acceptance-of-terms\">1. Acceptance of Terms</h2>"), "{terms}");
    assert!(terms.contains("Last updated June 1, 2023") && !terms.contains("/refunds"));
    assert!(terms.contains(">10. Contact</h2>") && !terms.contains(">11. "), "{terms}");

    let refused = put(&staff, &json!({ "version": 0, "settings": { "texts": { "refunds": "None" } } })).await;
    assert_eq!(refused.fields()["texts.refunds"], "Please write at least 20 characters");
    let refunds = "Until the first day <b>all</b> of it.\n\n- Then half\n- Then [nothing](/contact)";
    let saved = save(&staff, json!({ "texts": { "refunds": refunds } })).await;
    assert_eq!(saved["changes"], json!(["Refunds"]));
    publish(&staff, &saved).await;
    let page = visitor.get("/refunds").await.expect(StatusCode::OK).text();
    let page = page.replace("&#x2f;", "/").replace("<!-- -->", "");
    let drawn = "&lt;b&gt;all&lt;/b&gt; of it.</span></p><ul><li><span>Then half</span></li>";
    assert!(page.contains(drawn), "{page}");
    assert!(
        page.contains("<a href=\"/contact\">nothing</a>") && page.contains("Last updated November 21, 2026")
    );
    assert!(page.contains("\"text\":{") && visitor.get("/sitemap.xml").await.text().contains("/refunds<"));
    assert!(visitor.get("/").await.text().replace("&#x2f;", "/").contains("href=\"/refunds\""));
    let after = versions(&visitor).await;
    assert_eq!(after[..2], before[..], "the others are the same texts");
    assert_eq!(after[2].0, "refunds");

    let own = "# Our terms\nWe teach. You pay the fee that the office has named.";
    let saved = save(&staff, json!({ "texts": { "refunds": refunds, "terms": own } })).await;
    publish(&staff, &saved).await;
    assert_ne!(versions(&visitor).await[0], before[0], "another text is another version");
    assert!(visitor.get("/terms").await.text().contains(">1. Our terms</h2>"));
}

#[tokio::test]
async fn the_published_terms_demand_what_the_settings_demand() {
    for (demand, needs) in [(Demand::Required, true), (Demand::Recommended, false), (Demand::Off, false)] {
        let school = School::open_with(|config| config.office.guardian_confirmation = demand).await;
        let terms = school.visitor().get("/terms").await.text();
        assert_eq!(terms.contains("needs the agreement"), needs);
    }
}

#[tokio::test]
async fn a_request_shows_its_price_cancellation_and_refund_terms() {
    let school = School::open().await;
    let staff = school.staff().await;
    let course = school.course(&staff, "ENG4U", json!(500)).await;
    let student = school.student().await;
    let unwritten = "The office sends you the refund terms before you pay";
    let told = student.get("/api/students/enrollments/dates").await.json();
    assert!(told["refunds"].as_str().unwrap().starts_with(unwritten), "{told}");
    assert_eq!(told["dueDays"], 14);
    let id = student.enroll(course).await.expect(StatusCode::CREATED).json()["id"].clone();
    let mail = school.mail(&student.email, "We have your enrollment request").await;
    for words in [
        "Price: $500.00",
        "Due: Nothing yet. 14 days after",
        "How to pay: Please ask the office",
        "How to cancel: Until",
        unwritten,
        "Northgate Academy",
        "120 Example Street",
        "(416) 555-0142",
    ] {
        assert!(mail.text.contains(words), "{words}: {}", mail.text);
    }
    let texts =
        json!({ "refunds": "All of it, until the first day.", "howToPay": "By e-Transfer to the office." });
    let saved = save(&staff, json!({ "texts": texts })).await;
    publish(&staff, &saved).await;
    staff.post(&format!("/api/admin/enrollments/{id}/approve"), &json!({})).await.expect(StatusCode::OK);
    let mail = school.mail(&student.email, "Your enrollment is approved").await;
    for words in ["Refunds: All of it, until", "How to pay: By e-Transfer", "How to cancel: Until"] {
        assert!(mail.text.contains(words), "{words}: {}", mail.text);
    }
    let fees = student.get("/api/students/fees").await.expect(StatusCode::OK).json();
    assert_eq!(
        fees["howToPay"]["text"], "By e-Transfer to the office.",
        "the portal says what the email says"
    );
    // A free course has nothing to pay and nothing to refund.
    let free = school.course(&staff, "MHF4U", json!(0)).await;
    student.send(student.enrollment(free, date(2026, 12, 1))).await.expect(StatusCode::CREATED);
    let mails = school.all_mails().await;
    let mail = mails.iter().rev().find(|mail| mail.subject == "We have your enrollment request").unwrap();
    assert!(mail.text.contains("Free of charge") && !mail.text.contains("Refunds:"), "{}", mail.text);
}

#[tokio::test]
async fn families_read_one_address_for_transfers() {
    let school = School::open().await;
    let (staff, bursar) = (school.staff().await, school.staff_as(Role::Bursar).await);
    let student = school.student().await;
    let text = json!({ "howToPay": "By e-Transfer to [Office](mailto:office@school.example): office@school.example." });
    publish(&staff, &save(&staff, json!({ "texts": text })).await).await;
    let path = "/api/admin/settings/money";
    let address = async |email: &str| {
        bursar.send(bursar.request("PUT", path).json(&json!({ "eTransfer": email }))).await
    };
    let shown = async || student.get("/api/students/fees").await.json()["howToPay"]["email"].clone();
    assert_eq!(
        address("fees@school.example").await.fields(),
        json!({ "eTransfer": "The text How to Pay names office@school.example. Change it in Site Settings first" })
    );
    assert_eq!(shown().await, Value::Null);
    let saved = address("Office@school.example").await.expect(StatusCode::OK).json();
    assert_eq!(saved["otherAddress"], Value::Null, "{saved}");
    assert_eq!(saved["howToPay"], "By e-Transfer to Office: office@school.example.");
    assert_eq!(shown().await, "office@school.example");

    // The text changes first: until the address follows, families read only the text's.
    let text = json!({ "howToPay": "By e-Transfer to fees@school.example." });
    publish(&staff, &save(&staff, json!({ "texts": text })).await).await;
    assert_eq!(shown().await, Value::Null);
    assert_eq!(bursar.get(path).await.json()["otherAddress"], "fees@school.example");
    let days = json!({ "eTransfer": "office@school.example", "dueDays": 21 });
    bursar.send(bursar.request("PUT", path).json(&days)).await.expect(StatusCode::OK);
    assert_eq!(
        address("fees@school.example").await.expect(StatusCode::OK).json()["otherAddress"],
        Value::Null
    );
    assert_eq!(shown().await, "fees@school.example");
    // Without an address in the text, the one of the settings is the only one.
    let text = json!({ "howToPay": "By e-Transfer or by cheque at the office." });
    publish(&staff, &save(&staff, json!({ "texts": text })).await).await;
    address("pay@school.example").await.expect(StatusCode::OK);
    assert_eq!(shown().await, "pay@school.example");
}
