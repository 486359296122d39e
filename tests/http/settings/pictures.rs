//! Pictures of the site: accepted files, their stored form, and deletion.

use jpeg_encoder::{ColorType, Encoder};
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{publish, save};
use crate::support::{Actor, Answer, School};

/// A photo of this size, with colours that differ from place to place.
fn photo(width: u16, height: u16) -> Vec<u8> {
    let pixel = |at: usize| [(at % 251) as u8, (at / 251 % 241) as u8, (at / 7 % 239) as u8];
    let pixels: Vec<u8> = (0..usize::from(width) * usize::from(height)).flat_map(pixel).collect();
    let mut file = Vec::new();
    Encoder::new(&mut file, 85).encode(&pixels, width, height, ColorType::Rgb).unwrap();
    file
}

/// A drawing of one colour that one sees through on its left half, or nowhere.
fn drawing(side: u32, is_opaque: bool) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, side, side);
    encoder.set_color(png::ColorType::Rgba);
    let pixel = |at: u32| [120, 0, 25, if is_opaque || at % side > side / 2 { 255 } else { 0 }];
    let pixels: Vec<u8> = (0..side * side).flat_map(pixel).collect();
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    file
}

async fn upload(staff: &Actor, bytes: Vec<u8>) -> Answer {
    let part = reqwest::multipart::Part::bytes(bytes).file_name("picture.jpg");
    let form = reqwest::multipart::Form::new().part("picture", part);
    staff.send(staff.request("POST", "/api/admin/pictures").multipart(form)).await
}

/// Width and height of what a page would show.
fn size(file: &[u8]) -> (usize, usize) {
    if file.starts_with(b"\x89PNG") {
        let header = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        return (header.info().width as usize, header.info().height as usize);
    }
    let mut decoder = zune_jpeg::JpegDecoder::new(std::io::Cursor::new(file));
    decoder.decode_headers().unwrap();
    decoder.dimensions().unwrap()
}

#[tokio::test]
async fn a_photo_is_written_in_the_widths_that_screens_want() {
    let school = School::open().await;
    let (staff, visitor) = (school.staff().await, school.visitor());
    let picture = upload(&staff, photo(1930, 200)).await.expect(StatusCode::CREATED).json();
    assert_eq!((&picture["width"], &picture["height"]), (&json!(1920), &json!(199)));
    let srcset = picture["srcset"].as_str().unwrap();
    let widths: Vec<_> = srcset.split(", ").map(|one| one.split_once(' ').unwrap()).collect();
    assert_eq!(
        widths.iter().map(|(_, width)| *width).collect::<Vec<_>>(),
        ["480w", "960w", "1440w", "1920w"]
    );
    for (address, width) in widths {
        let file = visitor.get(address).await.expect(StatusCode::OK);
        assert_eq!(file.header("content-type"), "image/jpeg");
        assert_eq!(file.header("cache-control"), "public, max-age=31536000, immutable");
        let width: usize = width.trim_end_matches('w').parse().unwrap();
        assert_eq!(size(&file.bytes).0, width);
    }
    let same = upload(&staff, photo(1930, 200)).await.expect(StatusCode::CREATED).json();
    assert_eq!(same, picture, "the same picture is kept once");
    let small = upload(&staff, photo(600, 900)).await.expect(StatusCode::CREATED).json();
    assert!(small["srcset"].as_str().unwrap().ends_with("-600.jpg 600w"), "{small}");

    let id = &picture["id"];
    let saved = save(
        &staff,
        json!({
            "hero": { "picture": id, "alt": "A lesson" },
            "campus": [{ "picture": small["id"], "alt": "The house" }],
            "people": [{ "picture": id, "name": "Ada Li", "role": "Principal" }],
        }),
    )
    .await;
    assert_eq!(saved["pictures"].as_array().unwrap().len(), 2);
    publish(&staff, &saved).await;
    let shown = visitor.get("/api/school").await.json()["pictures"].clone();
    assert_eq!(shown["hero"]["alt"], "A lesson");
    assert_eq!(shown["people"][0]["picture"]["alt"], "Ada Li");
    let home = visitor.get("/").await.text();
    assert!(home.contains(&format!("\"image\":\"{}", school.url("/pictures/"))), "search engines see it");
}

#[tokio::test]
async fn a_link_is_shown_with_the_hero_picture_else_with_the_crest() {
    let school = School::open().await;
    let (staff, visitor) = (school.staff().await, school.visitor());
    let hero = upload(&staff, photo(1931, 201)).await.expect(StatusCode::CREATED).json();
    let small = upload(&staff, photo(601, 901)).await.expect(StatusCode::CREATED).json();
    let crest = upload(&staff, drawing(700, false)).await.expect(StatusCode::CREATED).json();
    for (settings, picture, expected) in [
        (
            json!({ "crest": crest["id"] }),
            &crest,
            ["image/png", "512", "512", "Northgate Academy", "summary"],
        ),
        (
            json!({ "crest": crest["id"], "hero": { "picture": hero["id"], "alt": "A lesson" } }),
            &hero,
            ["image/jpeg", "960", "100", "A lesson", "summary_large_image"],
        ),
        (
            json!({ "hero": { "picture": small["id"], "alt": "The house" } }),
            &small,
            ["image/jpeg", "601", "901", "The house", "summary_large_image"],
        ),
    ] {
        let saved = save(&staff, settings).await;
        publish(&staff, &saved).await;
        for path in ["/", "/courses"] {
            let page = visitor.get(path).await;
            let address = page.meta("og:image").unwrap();
            assert_eq!(address, school.url(picture["src"].as_str().unwrap()));
            let names =
                ["og:image:type", "og:image:width", "og:image:height", "og:image:alt", "twitter:card"];
            assert_eq!(names.map(|name| page.meta(name).unwrap()), expected, "{path}");
        }
        let file = visitor.get(picture["src"].as_str().unwrap()).await.expect(StatusCode::OK);
        assert_eq!(file.header("content-type"), expected[0]);
        assert_eq!(file.header("cross-origin-resource-policy"), "cross-origin");
        let (width, height) = size(&file.bytes);
        assert_eq!([width.to_string(), height.to_string()], expected[1..3]);
    }
}

#[tokio::test]
async fn a_photo_with_separate_components_keeps_its_colours() {
    let school = School::open().await;
    let (staff, visitor) = (school.staff().await, school.visitor());
    let file = include_bytes!("files/wide-420-apart.jpg").to_vec();
    let picture = upload(&staff, file).await.expect(StatusCode::CREATED).json();
    let shown = visitor.get(picture["src"].as_str().unwrap()).await.expect(StatusCode::OK);
    let mut decoder = zune_jpeg::JpegDecoder::new(std::io::Cursor::new(&shown.bytes));
    let pixels = decoder.decode().unwrap();
    let (width, _) = decoder.dimensions().unwrap();
    // From blue on the left to red on the right.
    for (x, expected) in [(4, [31, 60, 219]), (width / 2, [125, 60, 130]), (width - 4, [219, 60, 41])] {
        let pixel = &pixels[3 * (10 * width + x)..][..3];
        assert!(pixel.iter().zip(expected).all(|(one, other)| one.abs_diff(other) < 8), "{x}: {pixel:?}");
    }
}

#[tokio::test]
async fn a_crest_keeps_its_transparency_and_replaces_the_default_one() {
    let school = School::open().await;
    let (staff, visitor) = (school.staff().await, school.visitor());
    let crest = upload(&staff, drawing(700, false)).await.expect(StatusCode::CREATED).json();
    let address = crest["src"].as_str().unwrap();
    let file = visitor.get(address).await.expect(StatusCode::OK);
    assert_eq!((file.header("content-type"), size(&file.bytes)), ("image/png", (512, 512)));
    upload(&staff, drawing(130, false)).await.expect(StatusCode::CREATED);
    let opaque = upload(&staff, drawing(500, true)).await.expect(StatusCode::CREATED).json();
    assert!(opaque["src"].as_str().unwrap().ends_with(".jpg"), "a photo in a PNG is smaller as a JPEG");
    let saved = save(&staff, json!({ "crest": crest["id"] })).await;
    publish(&staff, &saved).await;
    let home = visitor.get("/").await.text();
    assert!(
        home.contains(&format!("url({address})"))
            && home.contains(&format!("<link rel=\"icon\" href=\"{address}\""))
    );
    assert!(!home.contains("/favicon.svg"));
    assert_eq!(visitor.get("/site.webmanifest").await.json()["icons"][0]["src"], *address);
}

#[tokio::test]
async fn files_that_are_not_pictures_are_refused_with_advice() {
    let school = School::open().await;
    let staff = school.staff().await;
    upload(&staff, b"%PDF-1.4".to_vec()).await.expect(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    upload(&staff, photo(800, 600)[..900].to_vec()).await.expect(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let other =
        upload(&staff, b"RIFF\x92\x03\0\0WEBPVP8 ".to_vec()).await.expect(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(
        other.message(),
        "This file is a WebP picture. Please save it as a JPG or PNG, or take a screenshot of it."
    );
    upload(&staff, vec![0xFF; 10 * 1024 * 1024 + 1]).await.expect(StatusCode::PAYLOAD_TOO_LARGE);
    let small = upload(&staff, photo(300, 300)).await.fields();
    assert!(small["picture"].as_str().unwrap().contains("480"), "{small}");
    let empty = reqwest::multipart::Form::new().text("other", "x");
    let empty = staff.send(staff.request("POST", "/api/admin/pictures").multipart(empty)).await;
    assert_eq!(empty.fields()["picture"], "Please choose a picture");
    staff.post("/api/admin/pictures", &json!({})).await.expect(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let seen = staff.get("/api/admin/settings").await.json()["version"].clone();
    let settings = json!({ "hero": { "picture": "0123456789abcdef", "alt": "Gone" } });
    let body = json!({ "version": seen, "settings": settings });
    let gone = staff.send(staff.request("PUT", "/api/admin/settings/draft").json(&body)).await;
    assert!(gone.fields()["hero.picture"].as_str().unwrap().contains("upload it again"));
    let visitor = school.visitor();
    for path in ["/pictures/0123456789abcdef-480.jpg", "/pictures/x", "/pictures/", "/pictures/../look.css"] {
        assert_ne!(visitor.get(path).await.header("content-type"), "image/jpeg", "{path}");
    }
    visitor.get("/pictures/0123456789abcdef-480.jpg").await.expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_picture_that_nothing_shows_goes_with_a_later_version() {
    let school = School::open().await;
    let staff = school.staff().await;
    let shown = upload(&staff, photo(500, 400)).await.json();
    upload(&staff, photo(501, 400)).await.expect(StatusCode::CREATED);
    let saved = save(&staff, json!({ "hero": { "picture": shown["id"], "alt": "A lesson" } })).await;
    publish(&staff, &saved).await;
    assert_eq!(school.count("select count(*) from site_pictures"), 2, "it may still be saved");
    school.advance(jiff::SignedDuration::from_hours(25));
    let staff = school.staff().await;
    let saved: Value = save(&staff, json!({ "accent": "#005f3b" })).await;
    publish(&staff, &saved).await;
    assert_eq!(school.count("select count(*) from site_pictures"), 1, "an older version shows the other");
    assert_eq!(school.count("select count(distinct picture_id) from site_picture_files"), 1);
}
