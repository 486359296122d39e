//! The picture that messengers show beside a link.

use reqwest::StatusCode;
use serde_json::json;

use crate::support::School;

/// What a messenger loads without a second thought.
const MAX_BYTES: usize = 40_000;

/// Width and height of a PNG, from its head.
fn size(png: &[u8]) -> (u32, u32) {
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[tokio::test]
async fn every_public_page_names_the_drawn_picture_of_a_school_without_its_own() {
    let school = School::open().await;
    let (staff, student, visitor) = (school.staff().await, school.student().await, school.visitor());
    let id = school.course(&staff, "MHF4U", json!(549)).await;
    let sitemap = visitor.get("/sitemap.xml").await.text();
    let begin = format!("<loc>{}", school.url(""));
    let paths: Vec<_> =
        sitemap.split(&begin).skip(1).map(|rest| rest.split("</loc>").next().unwrap()).collect();
    assert!(paths.len() > 10 && paths.contains(&"/courses/MHF4U"), "{paths:?}");
    let names =
        ["og:image", "og:image:type", "og:image:width", "og:image:height", "og:image:alt", "twitter:card"];
    let address = school.url("/link-picture.png");
    for path in paths {
        let page = visitor.get(path).await;
        let told = names.map(|name| page.meta(name).unwrap());
        let expected =
            [address.as_str(), "image/png", "1200", "630", "Northgate Academy", "summary_large_image"];
        assert_eq!(told, expected, "{path}");
    }
    let picture = visitor.get("/link-picture.png").await.expect(StatusCode::OK);
    assert_eq!((picture.header("content-type"), size(&picture.bytes)), ("image/png", (1200, 630)));
    assert_eq!(picture.header("cross-origin-resource-policy"), "cross-origin");
    assert_eq!(picture.header("x-content-type-options"), "nosniff");
    assert!(picture.bytes.len() < MAX_BYTES, "{} bytes", picture.bytes.len());

    student.enroll(id).await.expect(StatusCode::CREATED);
    staff.delete(&format!("/api/admin/courses/{id}")).await.expect(StatusCode::NO_CONTENT);
    for path in ["/courses/MHF4U", "/student/auth", "/admin/login", "/no/such/page"] {
        assert_eq!(visitor.get(path).await.meta("og:image"), None, "{path}");
    }
}
