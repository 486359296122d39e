//! Security headers of every response.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::Response;

use crate::config::Config;
use crate::web::content_policy::CONTENT_SECURITY_POLICY;

/// Disables browser features that the site does not use. Only documents have features: the
/// dozen scripts, styles and fonts of a page go without these 540 bytes. All names are known to browsers
/// (<https://github.com/w3c/webappsec-permissions-policy/blob/main/features.md>).
const PERMISSIONS_POLICY: &str = "accelerometer=(), autoplay=(), browsing-topics=(), camera=(), \
    display-capture=(), encrypted-media=(), fullscreen=(), gamepad=(), geolocation=(), gyroscope=(), hid=(), \
    idle-detection=(), local-fonts=(), magnetometer=(), microphone=(), midi=(), payment=(), \
    picture-in-picture=(), publickey-credentials-create=(self), publickey-credentials-get=(self), \
    screen-wake-lock=(), serial=(), usb=(), window-management=(), xr-spatial-tracking=()";

/// Headers of every response, unless it sets them itself.
static EVERYWHERE: [(HeaderName, HeaderValue); 8] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(CONTENT_SECURITY_POLICY)),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("origin-agent-cluster"), HeaderValue::from_static("?1")),
    (HeaderName::from_static("x-permitted-cross-domain-policies"), HeaderValue::from_static("none")),
];

/// One year.
const HTTPS_ONLY: &str = "max-age=31536000";
const HTTPS_ONLY_BELOW: &str = "max-age=31536000; includeSubDomains";

/// Whether a response is a script, a style sheet or a font: none of them runs as a document.
fn is_part(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).map_or(&b""[..], HeaderValue::as_bytes);
    [&b"text/javascript"[..], b"text/css", b"font/"].iter().any(|part| kind.starts_with(part))
}

/// Adds the headers to a response of an API call or a page.
pub(super) fn add(response: &mut Response, is_call: bool, config: &Config) {
    let headers = response.headers_mut();
    // Capacity for these, three more and the request id.
    headers.reserve(EVERYWHERE.len() + 4);
    for (name, value) in &EVERYWHERE {
        headers.entry(name).or_insert_with(|| value.clone());
    }
    if !is_part(headers) {
        headers.insert("permissions-policy", HeaderValue::from_static(PERMISSIONS_POLICY));
    }
    if is_call {
        // Private by default.
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("private, no-store"));
    }
    if config.is_https() {
        let value = if config.server.hsts_subdomains { HTTPS_ONLY_BELOW } else { HTTPS_ONLY };
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(value));
    }
}
