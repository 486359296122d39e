//! The style sheets of a drawn page, set into the page: its first paint waits for no second answer.

use std::collections::HashMap;

use anyhow::Context as _;
use axum::http::HeaderValue;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use maud::{PreEscaped, html};
use sha2::{Digest as _, Sha256};

use crate::web::cached_response::Encoded;
use crate::web::content_policy;

/// In a template's head: the addresses of its style sheets, in the order in which they count.
const MARK: (&str, &str) = ("<!--schoolhouse:styles ", "-->");

/// The page with the text of its style sheets and the school's own look, and the policy that lets it have that text.
///
/// # Errors
/// When it names none, or one that is not there.
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
        // Not loaded, and known to the scripts as loaded: they ask for the sheets of other pages alone.
        @for name in &names { link rel="stylesheet" href=(name) disabled; }
    };
    let hash = BASE64_STANDARD.encode(Sha256::digest(&css));
    let policy = content_policy::with_style(&hash).context("the hash of the style sheets")?;
    Ok((format!("{before}{}{after}", elements.into_string()), policy))
}
