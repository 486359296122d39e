//! What a page may load and run (Content Security Policy level 3).

use axum::http::HeaderValue;

/// Pages load from here and nowhere else, run no inline script, turn no text into markup or script, and
/// are framed by nobody.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
    form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types 'none'";

/// The same for a page that brings one style sheet in itself. `hash` is the SHA-256 of its text, in base64.
pub fn with_style(hash: &str) -> Option<HeaderValue> {
    let styles = format!("style-src 'self' 'sha256-{hash}';");
    HeaderValue::try_from(CONTENT_SECURITY_POLICY.replacen("style-src 'self';", &styles, 1)).ok()
}
