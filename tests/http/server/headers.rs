//! Headers of every response, on every route and page, for every caller.

use std::collections::BTreeMap;

use reqwest::StatusCode;
use serde_json::json;

use super::access::endpoints;
use crate::support::{Answer, School};

/// What a browser is told of every answer.
const EVERYWHERE: [(&str, &str); 8] = [
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("origin-agent-cluster", "?1"),
    ("referrer-policy", "strict-origin-when-cross-origin"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("x-permitted-cross-domain-policies", "none"),
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; \
         connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'",
    ),
];

/// Everything else that may be there: a header in neither list needs a decision.
const BY_ANSWER: [&str; 18] = [
    "accept-ranges",
    "allow",
    "cache-control",
    "clear-site-data",
    "connection",
    "content-disposition",
    "content-encoding",
    "content-length",
    "content-type",
    "date",
    "etag",
    "location",
    "permissions-policy",
    "retry-after",
    "set-cookie",
    "vary",
    "x-request-id",
    "x-total-count",
];

/// A drawn page may have the one style sheet that stands in it, by its hash (`website.rs`), and nothing else more.
fn without_hash(policy: &str) -> String {
    let own = policy.split_once("style-src 'self' 'sha256-").and_then(|(before, rest)| {
        let (hash, after) = rest.split_once('\'')?;
        (hash.len() == 44).then(|| format!("{before}style-src 'self'{after}"))
    });
    own.unwrap_or_else(|| policy.to_owned())
}

fn check(what: &str, answer: &Answer) {
    check_everywhere(what, answer);
    let permissions = answer.header("permissions-policy");
    for feature in ["camera", "geolocation", "microphone", "payment", "usb", "display-capture", "serial"] {
        assert!(permissions.contains(&format!("{feature}=()")), "{what}: {feature}");
    }
}

fn check_everywhere(what: &str, answer: &Answer) {
    for (name, value) in EVERYWHERE {
        assert_eq!(without_hash(answer.header(name)), value, "{what}: {name}");
    }
    for name in answer.headers.keys() {
        let name = name.as_str();
        let is_known = EVERYWHERE.iter().any(|(known, _)| *known == name) || BY_ANSWER.contains(&name);
        assert!(is_known, "{what}: {name}");
    }
}

#[tokio::test]
async fn every_route_carries_the_strict_headers_and_no_others() {
    let school = School::open().await;
    let (visitor, student, staff) = (school.visitor(), school.student().await, school.staff().await);
    let mut kept: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for endpoint in endpoints() {
        let (method, path) = (&endpoint.method, endpoint.path());
        for (who, actor) in [("visitor", &visitor), ("student", &student), ("staff", &staff)] {
            if path.ends_with("/logout") && who != "visitor" {
                continue;
            }
            let request = actor.request(method, &path);
            let request = if method == "GET" { request } else { request.json(&json!({})) };
            let answer = actor.send(request).await;
            let what = format!("{method} {path} as {who}");
            check(&what, &answer);
            let control = answer.header("cache-control");
            if control != "private, no-store" {
                kept.entry(control.to_owned()).or_default().push(what);
            }
        }
    }
    // What may be kept is public: asked for again each time, or a calendar, which programs fetch twice a day.
    let public = ["/api/courses", "/api/school", "/calendar.ics", "/healthz", "/readyz"];
    for (control, whats) in &kept {
        for what in whats {
            assert!(public.iter().any(|path| what.starts_with(&format!("GET {path} "))), "{control}: {what}");
        }
    }
    for path in [
        "/",
        "/about",
        "/nothing",
        "/admin/dashboard",
        "/student/dashboard",
        "/api/nothing",
        "/api/openapi.json",
    ] {
        check(path, &visitor.get(path).await);
    }
    check("a method that is not there", &visitor.send(visitor.request("PUT", "/api/courses")).await);
}

#[tokio::test]
async fn scripts_styles_and_fonts_carry_them_without_the_features_of_documents() {
    let school = School::open().await;
    let visitor = school.visitor();
    let page = visitor.get("/admin/login").await.text().clone();
    let assets = page.split(['"', ' ', '(', ')']).filter(|text| text.starts_with("/assets/"));
    let mut endings: Vec<_> = assets.map(|path| (path.rsplit('.').next().unwrap_or(""), path)).collect();
    endings.dedup_by_key(|(ending, _)| *ending);
    for ending in ["js", "woff2"] {
        let (_, path) = endings.iter().find(|(each, _)| *each == ending).expect(ending);
        let answer = visitor.get(path).await.expect(StatusCode::OK);
        check_everywhere(path, &answer);
        assert!(!answer.headers.contains_key("permissions-policy"), "{path}");
    }
    check("an asset that is not there", &visitor.get("/assets/none.js").await);
}

#[tokio::test]
async fn hsts_is_sent_over_https_and_covers_subdomains_only_if_configured() {
    for (below, expected) in [(false, "max-age=31536000"), (true, "max-age=31536000; includeSubDomains")] {
        let school = School::open_with(|config| {
            config.server.public_url = Some("https://school.example".parse().unwrap());
            config.server.hsts_subdomains = below;
        })
        .await;
        for path in ["/", "/api/courses", "/api/user"] {
            assert_eq!(
                school.visitor().get(path).await.header("strict-transport-security"),
                expected,
                "{path}"
            );
        }
    }
}

#[tokio::test]
async fn a_browser_forgets_its_pages_at_sign_out_and_keeps_its_cookies() {
    let school = School::open().await;
    let (student, staff) = (school.student().await, school.staff().await);
    for answer in
        [student.post("/api/students/logout", &json!({})).await, staff.post("/api/logout", &json!({})).await]
    {
        let answer = answer.expect(StatusCode::OK);
        assert_eq!(answer.header("clear-site-data"), "\"cache\", \"storage\"");
    }
}
