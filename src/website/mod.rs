//! The website: the pages' shells with their heads and boot data, and the embedded files.
//!
//! A page is filled once and kept, compressed, until a course changes. The public ones come drawn, so that
//! they are read before a script has run, and without one; the others a browser draws.

mod boot;
mod content;
mod files;
mod head;
mod listing;
mod pages;
mod refusal;
mod styles;
mod template;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context;
use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::base::error::Result;
use crate::config::Config;
use crate::courses::catalogue::{Catalogue, Snapshot};
use crate::school::PublicSchool;
use crate::web::app::App;
use crate::web::cached_response::Encoded;
use content::Content;
pub use files::api_document;
use pages::{Filter, Page, Pages, Topic};

/// The pages of one school.
pub struct Website {
    school: PublicSchool,
    public_url: String,
    pages: Pages,
    shell: String,
    files: HashMap<String, Encoded>,
    filled: Mutex<Filled>,
}

/// Pages by what distinguishes them, all of one revision of the catalogue.
#[derive(Default)]
struct Filled {
    revision: i64,
    pages: HashMap<Page, Arc<Document>>,
}

/// A page as it is sent.
struct Document {
    html: Encoded,
    /// Where it is not everybody's.
    policy: Option<HeaderValue>,
}

const HEAD: &str = "<!--schoolhouse:head-->";
const BOOT: &str = "<!--schoolhouse:boot-->";

impl Website {
    /// Takes the embedded interface and the school's facts, as of a year.
    ///
    /// # Errors
    /// When the embedded shell lacks one of its two places, or the table of pages is malformed.
    pub fn new(config: &Config, year: i16) -> anyhow::Result<Self> {
        let public_url = config.public_url();
        let shell = files::shell().context("the embedded index.html")?;
        anyhow::ensure!(
            shell.contains(HEAD) && shell.contains(BOOT),
            "the embedded index.html lacks its places"
        );
        let pages = Pages::load()?;
        let mut files = files::load();
        files.insert("/robots.txt".into(), files::robots(&public_url));
        let school = PublicSchool::new(&config.school, year);
        files.insert("/site.webmanifest".into(), files::manifest(&school)?);
        Ok(Self { school, public_url, pages, shell, files, filled: Mutex::default() })
    }

    /// The page as it is kept, or filled anew.
    fn filled(&self, page: &Page, catalogue: &Snapshot) -> Result<Arc<Document>> {
        if let Some(filled) = self.kept(page, catalogue.revision) {
            return Ok(filled);
        }
        let document = Arc::new(self.fill(page, catalogue, &Filter::default())?);
        let mut filled = self.filled.lock().unwrap_or_else(PoisonError::into_inner);
        if filled.revision < catalogue.revision {
            *filled = Filled { revision: catalogue.revision, pages: HashMap::new() };
        }
        if filled.revision == catalogue.revision {
            filled.pages.insert(page.clone(), document.clone());
        }
        Ok(document)
    }

    fn kept(&self, page: &Page, revision: i64) -> Option<Arc<Document>> {
        let filled = self.filled.lock().unwrap_or_else(PoisonError::into_inner);
        if filled.revision == revision { filled.pages.get(page).cloned() } else { None }
    }

    /// Fills a page; `filter` narrows the catalogue's courses.
    fn fill(&self, page: &Page, catalogue: &Snapshot, filter: &Filter) -> Result<Document> {
        let content = Content::of(page, catalogue);
        let (html, policy) = if page.is_drawn() {
            let drawn = template::fill(page, &self.school, &content, filter, None)?;
            let (html, policy) = styles::set_into(&drawn, &self.files)?;
            (html, Some(policy))
        } else {
            (self.shell.clone(), None)
        };
        let head = head::head(page, &self.school, &self.public_url, &content);
        let boot = boot::boot(page, &self.school, &content)?;
        let html = html.replacen(HEAD, &head, 1).replacen(BOOT, &boot, 1);
        let html = Encoded::new("text/html; charset=utf-8", "no-cache", html.into_bytes());
        // Each course has a page of its own, and each page its style sheets.
        Ok(Document { html: html.compressed_only(), policy })
    }
}

/// Any path that is no endpoint: an embedded file, a page, or the not-found page with status 404.
pub async fn get_page(
    State(app): State<App>,
    Extension(website): Extension<Arc<Website>>,
    Extension(catalogue): Extension<Catalogue>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response> {
    if method != Method::GET && method != Method::HEAD {
        let allow = [(header::ALLOW, HeaderValue::from_static("GET, HEAD"))];
        return Ok((StatusCode::METHOD_NOT_ALLOWED, allow).into_response());
    }
    if let Some(file) = website.files.get(uri.path()) {
        return Ok(file.respond(&headers));
    }
    if uri.path() == files::SECURITY {
        return Ok(files::security(&website.school, &website.public_url, app.clock.now()).respond(&headers));
    }
    let catalogue = catalogue.current(&app.db).await?;
    if uri.path() == files::SITEMAP {
        let courses = &catalogue.courses;
        return Ok(files::sitemap(&website.public_url, &website.pages, courses).respond(&headers));
    }
    let page = website.pages.at(uri.path(), uri.query()).in_catalogue(&catalogue);
    let status = match page.topic {
        Topic::Archived(_) => StatusCode::GONE,
        _ if page.is_missing() => StatusCode::NOT_FOUND,
        _ => StatusCode::OK,
    };
    let holds_token = page.holds_token();
    let filter = page.filter(uri.query());
    let document = match website.kept(&page, catalogue.revision).filter(|_| filter.is_empty()) {
        Some(document) => document,
        None => tokio::task::spawn_blocking(move || {
            // What somebody looked for is seldom looked for again.
            if filter.is_empty() {
                website.filled(&page, &catalogue)
            } else {
                website.fill(&page, &catalogue, &filter).map(Arc::new)
            }
        })
        .await
        .context("filling a page")??,
    };
    let mut response = document.html.respond_with(status, &headers);
    if let Some(policy) = &document.policy {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy.clone());
    }
    if holds_token {
        response.headers_mut().insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    }
    Ok(response)
}
