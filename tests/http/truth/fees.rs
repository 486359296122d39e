//! What a course costs: told before it is agreed to, due and not due any more, and on no public page.

use std::rc::Rc;

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{LATER, PRICE, Place, RUNNING, WHY, one_line};

pub async fn a_request_shows_its_terms(place: Rc<Place>) {
    let student = place.student().await;
    let told = student.get("/api/students/enrollments/dates").await.expect(StatusCode::OK).json();
    let texts = student.get("/api/texts").await.json();
    let is_written = texts.as_array().unwrap().iter().any(|text| text["kind"] == "refunds");
    let promise = "The office sends you the refund terms before you pay";
    assert_eq!(told["refunds"].as_str().unwrap().starts_with(promise), !is_written, "{told}");
    let (course, _) = place.course().await;
    let id = place.request(&student, course, LATER).await["id"].clone();
    place.approve(&student, &id).await;
    let facts = student.get("/api/school").await.json();
    let address = &facts["address"];
    for subject in ["We have your enrollment request", "Your enrollment is approved"] {
        let mail = one_line(&place.school.mail(&student.email, subject).await.text);
        let mut expected = vec!["Price: $731.50", "Due:", "Start date: February 1, 2027"];
        for text in
            [&told["howToPay"], &told["howToCancel"], &told["refunds"], &facts["name"], &facts["phone"]]
        {
            expected.push(text.as_str().unwrap());
        }
        expected.extend(["street", "city"].map(|part| address[part].as_str().unwrap()));
        for words in expected {
            assert!(mail.contains(&one_line(words)), "{subject}: {words}: {mail}");
        }
    }
}

pub async fn what_is_due_falls_too(place: Rc<Place>) {
    let due = async || place.staff.get("/api/admin/dashboard").await.json()["totalFeeDue"].as_f64().unwrap();
    let before = due().await;
    let (student, _, id) = place.enrolled(RUNNING).await;
    let fees = async || student.get("/api/students/fees").await.expect(StatusCode::OK).json();
    let charged = fees().await;
    assert_eq!((&charged["balance"], &charged["entries"][0]["amount"]), (&json!(PRICE), &json!(PRICE)));
    assert_eq!(charged["nextDueOn"], charged["entries"][0]["dueOn"]);
    assert!(charged["nextDueOn"].as_str().unwrap() > "2026-11-21", "{charged}");
    let how = student.get("/api/students/enrollments/dates").await.json()["howToPay"].clone();
    assert_eq!(charged["howToPay"]["text"], how, "the portal says what the form and the emails say");
    assert!((due().await - before - PRICE).abs() < 0.001);
    let leave = json!({ "reason": WHY, "effectiveOn": "2026-11-21", "refund": "full" });
    place.decide("withdraw", &id, &leave).await.expect(StatusCode::OK);
    let after = fees().await;
    assert_eq!((&after["balance"], &after["nextDueOn"]), (&json!(0), &Value::Null));
    assert!((due().await - before).abs() < 0.001);
}

pub async fn no_public_page_shows_a_fee(place: Rc<Place>) {
    let visitor = place.school.visitor();
    let (_, code) = place.course().await;
    assert_eq!(visitor.get("/api/school").await.json()["showFees"], false);
    for path in [
        "/".into(),
        "/courses?grade=12".into(),
        format!("/courses/{code}"),
        "/services".into(),
        "/terms".into(),
    ] {
        let html = visitor.get(&path).await.expect(StatusCode::OK).text();
        // As people read it, as machines do, and as the page's own data has it.
        for shown in ["731", "\"offers\"", "priceCurrency"] {
            assert!(!html.contains(shown), "{path} says {shown}");
        }
    }
    let page = visitor.get(&format!("/courses/{code}")).await.text();
    assert!(page.contains("Fees differ by delivery: ask the school"), "{page}");
}
