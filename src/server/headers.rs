//! The headers that no answer goes without: what a browser may do with it, and what not.

use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;

use crate::config::Config;
use crate::web::content_policy::CONTENT_SECURITY_POLICY;

/// Nothing of a browser that a school has no use for; every name is one that browsers know
/// (<https://github.com/w3c/webappsec-permissions-policy/blob/main/features.md>).
const PERMISSIONS_POLICY: &str = "accelerometer=(), autoplay=(), browsing-topics=(), camera=(), \
    display-capture=(), encrypted-media=(), fullscreen=(), gamepad=(), geolocation=(), gyroscope=(), hid=(), \
    idle-detection=(), local-fonts=(), magnetometer=(), microphone=(), midi=(), payment=(), \
    picture-in-picture=(), publickey-credentials-create=(self), publickey-credentials-get=(self), \
    screen-wake-lock=(), serial=(), usb=(), window-management=(), xr-spatial-tracking=()";

/// What stands on every answer, unless the answer says otherwise itself.
static EVERYWHERE: [(HeaderName, HeaderValue); 9] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(CONTENT_SECURITY_POLICY)),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("origin-agent-cluster"), HeaderValue::from_static("?1")),
    (HeaderName::from_static("x-permitted-cross-domain-policies"), HeaderValue::from_static("none")),
    (HeaderName::from_static("permissions-policy"), HeaderValue::from_static(PERMISSIONS_POLICY)),
];

/// A year, as browsers keep it.
const HTTPS_ONLY: &str = "max-age=31536000";
const HTTPS_ONLY_BELOW: &str = "max-age=31536000; includeSubDomains";

/// Adds them to an answer, that of a call of the interface or a page's.
pub(super) fn add(response: &mut Response, is_call: bool, config: &Config) {
    let headers = response.headers_mut();
    // Room for these, for two more, and for the request's number.
    headers.reserve(EVERYWHERE.len() + 3);
    for (name, value) in &EVERYWHERE {
        headers.entry(name).or_insert_with(|| value.clone());
    }
    if is_call {
        // Whatever did not say otherwise is private.
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("private, no-store"));
    }
    if config.is_https() {
        let value = if config.server.hsts_subdomains { HTTPS_ONLY_BELOW } else { HTTPS_ONLY };
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(value));
    }
}
