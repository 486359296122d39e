//! Documents for paper as answers: a page to print, or a PDF.

use std::sync::LazyLock;

use anyhow::Context as _;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use super::app::App;
use super::content_policy;
use crate::base::error::{Error, Result};
use crate::paper::{Paper, page, pdf};

/// The policy that allows the style sheet of pages, and the typefaces in it.
static POLICY: LazyLock<Option<HeaderValue>> = LazyLock::new(|| {
    let policy = content_policy::with_style(&page::STYLE_HASH)?;
    HeaderValue::try_from(policy.to_str().ok()?.replacen("font-src 'self'", "font-src data:", 1)).ok()
});

/// A document's number in an address, and whether it is asked for as a PDF: `2026-000123.pdf`.
pub fn number(address: &str) -> (&str, bool) {
    match address.strip_suffix(".pdf") {
        Some(number) => (number, true),
        None => (address, false),
    }
}

/// A document as a page to print; `pdf_url` is the address of its PDF, seen from the page.
///
/// # Errors
/// Only when a font of the program is damaged.
pub fn page(paper: &Paper, pdf_url: &str) -> Result<Response> {
    let html = HeaderValue::from_static("text/html; charset=utf-8");
    let page = page::write(paper, pdf::covers(paper)?.then_some(pdf_url));
    let mut response = ([(header::CONTENT_TYPE, html)], page).into_response();
    if let Some(policy) = &*POLICY {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy.clone());
    }
    Ok(response)
}

/// A document as a PDF; `print_url` is the address of its page.
///
/// # Errors
/// [`Error::ScriptMissing`] when it has letters that no font has.
pub async fn pdf(app: &App, paper: Paper, print_url: &str) -> Result<Response> {
    if !pdf::covers(&paper)? {
        return Err(Error::ScriptMissing(print_url.to_owned()));
    }
    let name = paper.file_name();
    let place = app.printing.place(())?;
    let bytes = place.work(move || Ok(pdf::write(&paper)?)).await?;
    let name = HeaderValue::try_from(format!("inline; filename=\"{name}\"")).context("the name of a PDF")?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/pdf")),
        (header::CONTENT_DISPOSITION, name),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
    ];
    Ok((headers, bytes).into_response())
}
