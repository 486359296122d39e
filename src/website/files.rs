//! The embedded interface, compressed at build time.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use bytes::Bytes;
use jiff::{SignedDuration, Timestamp, Unit};
use rust_embed::{Embed, EmbeddedFile};
use serde_json::json;

use super::pages::{CATALOGUE, Pages};
use crate::config::School;
use crate::courses::Course;
use crate::settings::site::SiteSnapshot;
use crate::web::cached_response::Encoded;

#[derive(Embed)]
#[folder = "$OUT_DIR/ui"]
struct Built;

const API_DOCUMENT: &str = "openapi.json";
const TEMPLATES: &str = "templates/";

/// Path of [`sitemap`].
pub const SITEMAP: &str = "/sitemap.xml";
/// Path of [`manifest`].
pub const MANIFEST: &str = "/site.webmanifest";
/// Path of [`security`].
pub const SECURITY: &str = "/.well-known/security.txt";

/// The HTML shell of all routes.
pub fn shell() -> Option<String> {
    Built::get("index.html").and_then(|file| String::from_utf8(file.data.into_owned()).ok())
}

/// Prerendered pages by name, with placeholders for the school's data.
pub fn templates() -> impl Iterator<Item = (String, String)> {
    let names: BTreeSet<_> = Built::iter().map(|name| name.trim_end_matches(".br").to_owned()).collect();
    names.into_iter().filter_map(|path| {
        let name = path.strip_prefix(TEMPLATES)?.strip_suffix(".html")?.to_owned();
        Some((name, String::from_utf8(find(&path)?.identity().to_vec()).ok()?))
    })
}

/// All files with a URL. Most are embedded in compressed form only (`build.rs`).
pub fn load() -> HashMap<String, Encoded> {
    let names: BTreeSet<String> = Built::iter()
        .map(|name| name.trim_end_matches(".br").to_owned())
        .filter(|name| name != "index.html" && name != API_DOCUMENT)
        .filter(|name| !name.starts_with(TEMPLATES) && !name.starts_with('.'))
        .collect();
    names.into_iter().filter_map(|name| Some((format!("/{name}"), find(&name)?))).collect()
}

/// The OpenAPI document, which is served by an endpoint.
pub fn api_document() -> Option<Encoded> {
    find(API_DOCUMENT)
}

fn find(name: &str) -> Option<Encoded> {
    let part = |ending| Built::get(&format!("{name}{ending}")).map(bytes);
    // Hashed names never change their content.
    let cache = if name.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    Some(match part(".br") {
        Some(brotli) => Encoded::of_brotli(content_type(name), cache, brotli),
        None => Encoded::of_plain(content_type(name), cache, part("")?),
    })
}

fn bytes(file: EmbeddedFile) -> Bytes {
    match file.data {
        Cow::Borrowed(data) => Bytes::from_static(data),
        Cow::Owned(data) => data.into(),
    }
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or("") {
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "json" | "webmanifest" => "application/json",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// `robots.txt`: search engines may index all public pages, but not the portals. Readers of calendars that obey it reach a
/// student's calendar, whose address holds a secret: of several rules the longest one counts (RFC 9309, section 2.2.2).
pub fn robots(public_url: &str) -> Encoded {
    let text = format!(
        "User-agent: *\nAllow: /api/students/calendar.ics\nDisallow: /api/\nDisallow: /admin/\nDisallow: /student/\n\nSitemap: {public_url}/sitemap.xml\n"
    );
    Encoded::new("text/plain; charset=utf-8", "no-cache", text.into_bytes())
}

/// Web app manifest (W3C).
pub fn manifest(site: &SiteSnapshot) -> anyhow::Result<Encoded> {
    let icon = |src, sizes, kind| json!({ "src": src, "sizes": sizes, "type": kind });
    let icons = match &site.crest {
        Some(crest) => json!([{ "src": crest.src, "sizes": "any" }]),
        None => json!([
            icon("/favicon.svg", "any", "image/svg+xml"),
            icon("/apple-touch-icon.png", "180x180", "image/png"),
        ]),
    };
    let manifest = json!({
        "name": site.school.name,
        "short_name": site.school.name,
        "description": site.school.tagline,
        "lang": "en-CA",
        "start_url": "/",
        "display": "minimal-ui",
        "theme_color": site.theme,
        "background_color": site.theme,
        "icons": icons,
    });
    Ok(Encoded::of_plain("application/manifest+json", "no-cache", serde_json::to_vec(&manifest)?.into()))
}

/// `security.txt` (RFC 9116). It must expire within a year, so it is generated per request.
pub fn security(school: &School, public_url: &str, now: Timestamp) -> Encoded {
    let expires = (now + SignedDuration::from_hours(24 * 180)).round(Unit::Second).unwrap_or(now);
    let contact = match &school.email {
        Some(email) => format!("mailto:{email}"),
        None => format!("{public_url}/contact"),
    };
    let text = format!(
        "Contact: {contact}\nExpires: {expires}\nPreferred-Languages: en\nCanonical: {public_url}{SECURITY}\n"
    );
    Encoded::of_plain("text/plain; charset=utf-8", "no-cache", text.into_bytes().into())
}

/// `sitemap.xml`: every public page, one for each grade of the catalogue and each of its courses.
pub fn sitemap(public_url: &str, pages: &Pages, courses: &[Course], site: &SiteSnapshot) -> Encoded {
    let public = pages.public().filter(|page| !page.clone().with_texts(site).is_missing());
    let addresses = public.map(|page| page.address());
    let addresses = addresses.chain(courses.iter().map(|course| format!("{CATALOGUE}/{}", course.code)));
    let urls: String =
        addresses.map(|address| format!("  <url><loc>{public_url}{address}</loc></url>\n")).collect();
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{urls}</urlset>\n"
    );
    Encoded::of_plain("application/xml", "no-cache", text.into_bytes().into())
}
