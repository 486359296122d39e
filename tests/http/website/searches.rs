//! Searches of the catalogue: their pages, and their share of the server.

use std::io::Read as _;
use std::net::Ipv4Addr;

use reqwest::StatusCode;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, RETRY_AFTER};
use serde_json::json;

use crate::support::{Actor, School, Unread, browser, eventually};

const STRANGER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
const OTHER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 3);
/// As many answers as one address may have on their way.
const EACH: usize = 16;

/// A school whose catalogue is larger than what a kernel takes of an unread response.
async fn with_long_courses() -> School {
    let school = School::open().await;
    let staff = school.staff().await;
    for number in 0..60 {
        school.course(&staff, &format!("X{number:02}4U"), json!(500)).await;
    }
    let longer = "update courses set description = hex(randomblob(2400));
        update revisions set value = value + 1 where topic = 'courses'";
    school.database().execute_batch(longer).unwrap();
    school
}

fn visitor_at(school: &School, address: Ipv4Addr) -> Actor {
    Actor::with(browser().local_address(std::net::IpAddr::from(address)), &school.url(""))
}

#[tokio::test]
async fn a_search_is_shown_again_up_to_200_characters() {
    let school = School::open().await;
    let (staff, visitor) = (school.staff().await, school.visitor());
    school.course(&staff, "ENG4U", json!(500)).await;
    let html = visitor.get(&format!("/courses?grade=12&q=%20{}", "é".repeat(4_000))).await.text();
    assert!(html.contains(&format!("value=\"{}\"", "é".repeat(199))), "the space is the first of them");
    for letter in ["é", "%C3%A9"] {
        assert!(html.contains(letter) && !html.contains(&letter.repeat(200)), "{letter}");
    }
}

#[tokio::test]
async fn a_search_that_finds_nothing_in_its_grade_shows_what_the_others_have() {
    let school = School::open().await;
    let (staff, visitor) = (school.staff().await, school.visitor());
    school.course(&staff, "ENG4U", json!(500)).await;
    let lower = json!({ "code": "SNC1W", "name": "Science", "description": "What it is about.", "grade": 9,
        "courseType": "Open", "price": 500 });
    staff.post("/api/admin/courses", &lower).await.expect(StatusCode::CREATED);
    let html = visitor.get("/courses?grade=9&q=eng4u").await.text();
    assert!(html.contains("No Grade 9 course matches “eng4u”"), "{html}");
    assert!(html.contains("<h3 id=\"grade-12\"") && html.contains("href=\"/courses/ENG4U\""), "{html}");
    let html = visitor.get("/courses?grade=9&q=zzz").await.text();
    assert!(html.contains("Try other words") && !html.contains("<h3 id=\"grade-12\""), "{html}");
    let html = visitor.get("/courses?grade=9&q=snc").await.text();
    assert!(!html.contains("href=\"/courses/ENG4U\""), "{html}");
}

#[tokio::test]
async fn a_search_is_answered_in_the_encoding_that_is_asked_for() {
    let school = School::open().await;
    let (staff, visitor) = (school.staff().await, Actor::with(browser().no_gzip(), &school.url("")));
    school.course(&staff, "ENG4U", json!(500)).await;
    let ask = async |encoding: &'static str| {
        let request = visitor.client.get(school.url("/courses?grade=12&q=eng"));
        let request = request.header(ACCEPT_ENCODING, encoding);
        let answer = visitor.send(request).await.expect(StatusCode::OK);
        assert_eq!(answer.header("content-encoding"), if encoding == "identity" { "" } else { encoding });
        answer
    };
    let plain = ask("identity").await;
    assert!(plain.text().contains("href=\"/courses/ENG4U\""));
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(&*ask("gzip").await.bytes).read_to_end(&mut unpacked).unwrap();
    assert!(unpacked == plain.bytes, "gzip");
    unpacked.clear();
    brotli::Decompressor::new(&*ask("br").await.bytes, 4096).read_to_end(&mut unpacked).unwrap();
    assert!(unpacked == plain.bytes, "brotli");
}

#[tokio::test]
async fn searches_that_one_address_does_not_read_leave_room_for_the_others() {
    let school = with_long_courses().await;
    let mut held = Vec::new();
    for number in 0..EACH {
        let asked =
            Unread::ask(STRANGER, school.address(), &format!("/courses?grade=12&q=+{number}"), "").await;
        assert_eq!(asked.status, 200, "{number}");
        held.push(asked);
    }
    let (stranger, other) = (visitor_at(&school, STRANGER), visitor_at(&school, OTHER));
    let refused = stranger.request("GET", "/courses?q=x").header(ACCEPT, "text/html");
    let refused = stranger.send(refused).await.expect(StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(refused.header(RETRY_AFTER.as_str()), "1");
    assert_eq!(refused.header(CONTENT_TYPE.as_str()), "text/html; charset=utf-8");
    let page = refused.text();
    assert!(
        page.contains("Please try again in a moment.") && page.contains("<h1>Please Wait</h1>"),
        "{page}"
    );
    // Cached pages are still served, and so is another client's search.
    for path in ["/", "/courses?grade=12", "/courses?grade=12&level=University"] {
        stranger.get(path).await.expect(StatusCode::OK);
    }
    other.get("/courses?q=x").await.expect(StatusCode::OK);
    // A form of a browser without scripts that is refused is such a page, too.
    let form =
        || stranger.request("POST", "/contact").header(CONTENT_TYPE, "application/x-www-form-urlencoded");
    let refused = stranger.send(form().body("name=")).await.expect(StatusCode::SERVICE_UNAVAILABLE);
    assert!(
        refused.text().contains("What you wrote is where Back in your browser leads"),
        "{}",
        refused.text()
    );
    // A client that reads or disconnects makes room.
    held.clear();
    eventually(async || {
        let answer = stranger.get("/courses?q=x").await;
        (answer.status == StatusCode::OK).then_some(())
    })
    .await;
    stranger.send(form().body("name=")).await.expect(StatusCode::BAD_REQUEST);
}
