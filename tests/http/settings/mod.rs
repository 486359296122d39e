//! Site Settings: draft, preview, publishing, reverting, and pictures.

mod facts;
mod fees;
mod pictures;
mod semesters;
mod texts;

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{Actor, School};

/// Saves a draft over the current one.
pub async fn save(staff: &Actor, settings: Value) -> Value {
    let seen = staff.get("/api/admin/settings").await.json()["version"].clone();
    let body = json!({ "version": seen, "settings": settings });
    put(staff, &body).await.expect(StatusCode::OK).json()
}

async fn put(staff: &Actor, body: &Value) -> crate::support::Answer {
    staff.send(staff.request("PUT", "/api/admin/settings/draft").json(body)).await
}

/// Publishes what was saved.
pub async fn publish(staff: &Actor, saved: &Value) -> Value {
    let body = json!({ "version": saved["version"] });
    staff.post("/api/admin/settings/publish", &body).await.expect(StatusCode::OK).json()
}

fn questions() -> Value {
    json!([{ "question": "Do the credits </script> count?", "answer": "They do, at every <b>university</b>." }])
}

#[tokio::test]
async fn a_draft_can_be_previewed_and_published_and_visitors_then_see_it() {
    let school = School::open().await;
    let (staff, visitor) = (school.staff().await, school.visitor());
    let page = staff.get("/api/admin/settings").await.expect(StatusCode::OK).json();
    assert_eq!((&page["version"], &page["published"]), (&json!(0), &Value::Null));
    assert_eq!(page["defaults"]["hours"], "Monday to Friday, 8:30 AM to 4:30 PM");
    let before = visitor.get("/").await;
    assert!(before.text().contains("\"opens\":\"08:30\""), "the configuration's hours are told to machines");
    let saved = save(
        &staff,
        json!({
            "questions": questions(),
            "universities": ["Université de Montréal"],
            "hours": [{ "days": ["saturday"], "opens": "10:00", "closes": "13:30" }],
            "banner": { "text": "Open house on Saturday", "linkText": "Come", "linkTo": "/contact" },
            "colour": "#7a0019",
        }),
    )
    .await;
    assert_eq!(saved["changes"], json!(["Announcement", "Questions", "Hours", "Universities", "Colours"]));
    assert_eq!(visitor.get("/").await.text(), before.text(), "a draft is not public");

    let link = staff.post("/api/admin/settings/preview", &json!({})).await.expect(StatusCode::CREATED).json();
    let link = link["link"].as_str().unwrap();
    let preview = visitor.get(link).await.expect(StatusCode::OK);
    assert!(preview.text().contains("Open house on Saturday") && preview.text().contains("Preview:"));
    assert_eq!(preview.header("cache-control"), "private, no-store");
    assert_eq!(preview.header("x-robots-tag"), "noindex");
    let about = visitor.get(&link.replacen("/?", "/about?", 1)).await.expect(StatusCode::OK);
    assert!(about.text().contains("Université de Montréal"));
    assert!(!visitor.get("/?preview=guessed").await.text().contains("Open house"));
    assert!(!visitor.get("/").await.text().contains("Open house"), "a preview is in no cache");

    let published = publish(&staff, &saved).await;
    assert_eq!(published["changes"], json!([]));
    assert_eq!(published["published"]["publishedBy"], "staff0");
    let facts = visitor.get("/api/school").await.json();
    assert_eq!(facts["questions"], questions());
    assert_eq!(facts["hours"], "Saturday, 10:00 AM to 1:30 PM");
    let home = visitor.get("/").await;
    let html = home.text();
    assert!(html.contains("<aside class=\"announcement\" aria-label=\"Announcement\">"), "{html}");
    assert!(html.contains("\"@type\":\"FAQPage\"") && html.contains("\"dayOfWeek\":[\"Saturday\"]"));
    assert_eq!(
        html.matches("</script>").count(),
        before.text().matches("</script>").count(),
        "no word ends one"
    );
    assert!(
        html.contains(":root:root{") && !html.contains("content=\"#0d1e45\""),
        "its colours are everywhere"
    );
    assert_eq!(home.header("cache-control"), "no-cache");
    let portal = visitor.get("/student/auth").await.text();
    assert!(portal.contains(":root:root{") && !portal.contains("class=\"announcement"));
    let manifest = visitor.get("/site.webmanifest").await.json();
    assert_ne!(manifest["theme_color"], "#0d1e45");
    assert_eq!(school.count("select count(*) from audit where object = 'site' and action = 'publish'"), 1);
}

#[tokio::test]
async fn of_two_who_write_the_second_hears_of_the_first_and_there_is_a_way_back() {
    let school = School::open().await;
    let staff = school.staff().await;
    let first = save(&staff, json!({ "questions": questions() })).await;
    let late = put(&staff, &json!({ "version": 0, "settings": {} })).await;
    late.expect(StatusCode::CONFLICT);
    publish(&staff, &first).await;
    let nothing = staff.get("/api/admin/settings").await.json();
    let again = staff.post("/api/admin/settings/publish", &json!({ "version": nothing["version"] })).await;
    assert_eq!(again.expect(StatusCode::CONFLICT).message(), "There is nothing new to publish.");

    let second = save(&staff, json!({ "accent": "#005f3b" })).await;
    let body = json!({ "version": second["version"], "note": "Green for spring" });
    staff.post("/api/admin/settings/publish", &body).await.expect(StatusCode::OK);
    let versions = staff.get("/api/admin/settings/versions").await.json();
    assert_eq!(versions[0]["note"], "Green for spring");
    assert_eq!(versions[0]["changes"], json!(["Questions", "Colours"]));
    assert_eq!(versions[1]["changes"], json!(["Questions"]));

    let old = versions[1]["id"].as_i64().unwrap();
    let seen = json!({ "version": staff.get("/api/admin/settings").await.json()["version"] });
    let restored = staff.post(&format!("/api/admin/settings/versions/{old}/restore"), &seen).await;
    let restored = restored.expect(StatusCode::OK).json();
    assert_eq!(restored["settings"]["questions"], questions());
    assert_eq!(restored["changes"], json!(["Questions", "Colours"]));
    assert_eq!(
        school.visitor().get("/api/school").await.json()["questions"],
        json!([]),
        "not published by itself"
    );
    let look =
        staff.post("/api/admin/settings/preview", &json!({ "id": old })).await.expect(StatusCode::CREATED);
    let link = look.json()["link"].as_str().unwrap().to_owned();
    assert!(staff.get(&link).await.text().contains("Do the credits"));

    let seen = json!({ "version": restored["version"] });
    let discarded = staff.post("/api/admin/settings/discard", &seen).await.expect(StatusCode::OK).json();
    assert_eq!(discarded["changes"], json!([]));
    staff.post("/api/admin/settings/discard", &seen).await.expect(StatusCode::CONFLICT);
    staff.post("/api/admin/settings/versions/999/restore", &seen).await.expect(StatusCode::NOT_FOUND);
    staff.post("/api/admin/settings/preview", &json!({ "id": 999 })).await.expect(StatusCode::NOT_FOUND);
    staff.post("/api/admin/settings/publish", &json!({})).await.expect(StatusCode::BAD_REQUEST);
    let wrong = json!({ "version": discarded["version"], "settings": { "hours": [{ "days": [] }] } });
    let fields = put(&staff, &wrong).await.fields();
    assert_eq!(fields["hours.0.days"], "Choose at least one day");
    assert!(fields["hours.0.opens"].is_string(), "{fields}");
}

#[tokio::test]
async fn an_announcement_appears_and_disappears_on_its_days() {
    let school = School::open().await;
    let (staff, visitor) = (school.staff().await, school.visitor());
    let banner =
        json!({ "text": "Winter registration is open", "from": "2026-11-22", "until": "2026-11-23" });
    let saved = save(&staff, json!({ "banner": banner })).await;
    publish(&staff, &saved).await;
    // The clock stands on November 21, 10:00 in Toronto.
    for (hours, is_shown) in [(0, false), (13, false), (2, true), (46, true), (2, false)] {
        school.advance(jiff::SignedDuration::from_hours(hours));
        let html = visitor.get("/").await.text();
        assert_eq!(html.contains("Winter registration"), is_shown, "{}", school.clock.now());
    }
}

#[tokio::test]
async fn a_preview_ends_and_a_restart_keeps_what_was_published() {
    let school = School::open().await;
    let staff = school.staff().await;
    let saved = save(&staff, json!({ "questions": questions() })).await;
    let link = staff.post("/api/admin/settings/preview", &json!({})).await.json()["link"]
        .as_str()
        .unwrap()
        .to_owned();
    school.advance(jiff::SignedDuration::from_hours(2));
    assert!(!school.visitor().get(&link).await.text().contains("Do the credits"));
    publish(&school.staff().await, &saved).await;
    let school = school.reopen().await;
    assert_eq!(school.visitor().get("/api/school").await.json()["questions"], questions());
    // The form of a browser without scripts, before any page was requested.
    let school = school.reopen().await;
    let refused = school.visitor();
    let request = refused.request("POST", "/contact").body("name=x");
    let refused = refused.send(request.header("content-type", "application/x-www-form-urlencoded")).await;
    assert!(refused.text().contains("Send a Message"));
}
