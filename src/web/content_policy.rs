//! Content Security Policy (level 3) of the pages.

use axum::http::HeaderValue;

/// Pages load only from this origin, run no inline script, allow no text to become markup or script, and cannot be
/// framed.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
    form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types 'none'";

/// The same for a page with one inline style sheet; `hash` is the base64 SHA-256 of its text.
pub fn with_style(hash: &str) -> Option<HeaderValue> {
    let styles = format!("style-src 'self' 'sha256-{hash}';");
    HeaderValue::try_from(CONTENT_SECURITY_POLICY.replacen("style-src 'self';", &styles, 1)).ok()
}
