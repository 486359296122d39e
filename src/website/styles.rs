//! Inlines the style sheets of a prerendered page, so that its first paint needs no second request.

use std::collections::HashMap;

use anyhow::Context as _;
use axum::http::HeaderValue;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use maud::{PreEscaped, html};
use sha2::{Digest as _, Sha256};

use crate::web::cached_response::Encoded;
use crate::web::content_policy;

/// Marker in a template's head with the URLs of its style sheets, in order.
const MARK: (&str, &str) = ("<!--schoolhouse:styles ", "-->");

/// Returns the page with inlined style sheets and the school's look, and the policy that allows them.
///
/// # Errors
/// When it names none, or one that does not exist.
pub fn set_into(
    page: &str,
    files: &HashMap<String, Encoded>,
    look: &str,
) -> anyhow::Result<(String, HeaderValue)> {
    let (before, rest) = page.split_once(MARK.0).context("the page names no style sheets")?;
    let (names, after) = rest.split_once(MARK.1).context("the style sheets of the page have no end")?;
    let names: Vec<_> = names.split_whitespace().collect();
    let text = |name: &&str| files.get(*name).and_then(|file| str::from_utf8(file.identity()).ok());
    let css: Option<String> = names.iter().map(text).chain([Some(look)]).collect();
    let css = css.context("a style sheet is missing")?;
    let elements = html! {
        style { (PreEscaped(&css)) }
        // Disabled links mark the sheets as loaded, so that scripts load only those of other pages.
        @for name in &names { link rel="stylesheet" href=(name) disabled; }
    };
    let hash = BASE64_STANDARD.encode(Sha256::digest(&css));
    let policy = content_policy::with_style(&hash).context("the hash of the style sheets")?;
    Ok((format!("{before}{}{after}", elements.into_string()), policy))
}
