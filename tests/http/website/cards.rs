//! The pictures that messengers show beside a link.

use reqwest::StatusCode;
use serde_json::json;

use crate::support::{Actor, Answer, School};

/// What a messenger loads without a second thought.
const MAX_BYTES: usize = 50_000;

/// The content of a page's element of that name.
fn meta(html: &str, name: &str) -> Option<String> {
    let (_, rest) = html.split_once(&format!("=\"{name}\" content=\""))?;
    rest.split_once('"').map(|(value, _)| value.to_owned())
}

/// The address of a page's card on this server.
async fn card_of(school: &School, visitor: &Actor, path: &str) -> Option<String> {
    let image = meta(&visitor.get(path).await.text(), "og:image")?;
    Some(image.strip_prefix(&school.url("")).unwrap().to_owned())
}

/// Width and height of a PNG, from its head.
fn size(png: &[u8]) -> (u32, u32) {
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

fn check(path: &str, card: &Answer) {
    assert_eq!(card.header("content-type"), "image/png", "{path}");
    assert_eq!(card.header("cache-control"), "public, max-age=86400", "{path}");
    assert_eq!(card.header("cross-origin-resource-policy"), "cross-origin", "{path}");
    assert_eq!(card.header("x-content-type-options"), "nosniff", "{path}");
    assert_eq!(size(&card.bytes), (1200, 630), "{path}");
    assert!(card.bytes.len() < MAX_BYTES, "{path}: {} bytes", card.bytes.len());
}

#[tokio::test]
async fn every_public_page_and_every_course_has_a_card_of_its_own() {
    let school = School::open().await;
    let staff = school.staff().await;
    school.course(&staff, "MHF4U", json!(549)).await;
    let visitor = school.visitor();
    let sitemap = visitor.get("/sitemap.xml").await.text();
    let begin = format!("<loc>{}", school.url(""));
    let paths: Vec<_> =
        sitemap.split(&begin).skip(1).map(|rest| rest.split("</loc>").next().unwrap()).collect();
    assert!(paths.len() > 10 && paths.contains(&"/courses/MHF4U"), "{paths:?}");
    let mut addresses = Vec::new();
    for path in paths {
        let html = visitor.get(path).await.text();
        let told = ["og:image:width", "og:image:height", "og:image:type", "twitter:card"]
            .map(|name| meta(&html, name));
        let told = told.map(Option::unwrap);
        assert_eq!(told, ["1200", "630", "image/png", "summary_large_image"], "{path}");
        assert!(meta(&html, "og:image:alt").unwrap().ends_with(". Northgate Academy"), "{path}");
        let address = card_of(&school, &visitor, path).await.unwrap();
        check(path, &visitor.get(&address).await.expect(StatusCode::OK));
        addresses.push(address);
    }
    addresses.sort();
    let all = addresses.len();
    addresses.dedup();
    assert_eq!(addresses.len(), all, "{addresses:?}");
    let of =
        |name: &str| addresses.iter().any(|address| address.starts_with(&format!("/cards/{name}.png?v=")));
    assert!(of("home") && of("courses-grade-9") && of("courses/MHF4U"), "{addresses:?}");
    let home = card_of(&school, &visitor, "/contact?sent").await;
    assert_eq!(
        home,
        card_of(&school, &visitor, "/contact").await,
        "a page that says thanks is the same page"
    );
}

#[tokio::test]
async fn a_card_is_kept_until_its_words_change() {
    let school = School::open().await;
    let staff = school.staff().await;
    let id = school.course(&staff, "MHF4U", json!(549)).await;
    let visitor = school.visitor();
    let address = card_of(&school, &visitor, "/courses/MHF4U").await.unwrap();
    let card = visitor.get(&address).await.expect(StatusCode::OK);
    let again = visitor.request("GET", &address).header("if-none-match", card.header("etag"));
    assert!(visitor.send(again).await.expect(StatusCode::NOT_MODIFIED).bytes.is_empty());

    let course = |name: &str, price: u32| {
        json!({ "code": "MHF4U", "name": name, "description": "What it is about.", "grade": 12,
            "courseType": "University", "price": price })
    };
    let path = format!("/api/admin/courses/{id}");
    staff.patch(&path, &course("A course", 600)).await.expect(StatusCode::OK);
    assert_eq!(card_of(&school, &visitor, "/courses/MHF4U").await.unwrap(), address, "a price is not on it");
    staff.patch(&path, &course("Advanced Functions", 600)).await.expect(StatusCode::OK);
    let renamed = card_of(&school, &visitor, "/courses/MHF4U").await.unwrap();
    assert_ne!(renamed, address);
    let other = visitor.get(&renamed).await.expect(StatusCode::OK);
    assert_ne!(other.bytes, card.bytes);
    assert_eq!(visitor.get(&address).await.bytes, other.bytes, "an old address shows what there is now");
}

#[tokio::test]
async fn nothing_is_drawn_for_what_has_no_public_page() {
    let school = School::open().await;
    let (staff, student, visitor) = (school.staff().await, school.student().await, school.visitor());
    let id = school.course(&staff, "ENG4U", json!(549)).await;
    let offered = visitor.get("/cards/courses/ENG4U.png").await.expect(StatusCode::OK);
    check("ENG4U", &offered);
    student.enroll(id).await.expect(StatusCode::CREATED);
    staff.delete(&format!("/api/admin/courses/{id}")).await.expect(StatusCode::NO_CONTENT);
    assert_eq!(card_of(&school, &visitor, "/courses/ENG4U").await, None, "an archived course has none");
    for name in [
        "courses/ENG4U",
        "courses/eng4u",
        "courses/MHF4U",
        "courses/x",
        "courses/",
        "courses-code",
        "courses-gone",
        "courses-grade-13",
        "contact-sent",
        "student/auth",
        "admin/dashboard",
        "404",
        "",
        "home.png",
        "../home",
    ] {
        let missing = visitor.get(&format!("/cards/{name}.png")).await.expect(StatusCode::NOT_FOUND);
        assert!(missing.text().contains("<title>Page Not Found · Northgate Academy</title>"), "{name}");
    }
    visitor.get("/cards/home").await.expect(StatusCode::NOT_FOUND);
    for path in ["/letters/serif.json", "/letters/serif.json.gz"] {
        visitor.get(path).await.expect(StatusCode::NOT_FOUND);
    }
    for path in ["/student/auth", "/admin/login", "/no/such/page"] {
        assert_eq!(card_of(&school, &visitor, path).await, None, "{path}");
    }
}
