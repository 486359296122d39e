//! The website: pages with their heads and initial data, and embedded files.
//!
//! A page is rendered once and cached, compressed, until a course changes or the office publishes. Public pages are
//! readable without scripts; of the portals' pages a frame without personal data is rendered here, the rest by the
//! browser.

mod banner;
mod boot;
mod content;
mod files;
mod head;
mod link_picture;
mod listing;
mod pages;
pub mod plain_form;
mod refusal;
pub mod school;
mod styles;
mod template;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context;
use axum::Extension;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use jiff::civil::Date;

use crate::base::error::{Error, Result};
use crate::base::hashing::Lane;
use crate::base::turns::{Capacity, Turns};
use crate::config::Config;
use crate::courses::catalogue::{Catalogue, CatalogueSnapshot};
use crate::settings::pictures::{self, PictureCache};
use crate::settings::site::{self, Site};
use crate::staff::Duty;
use crate::web::app::App;
use crate::web::cached_response::Encoded;
use crate::web::rate_limit::ClientAddr;
use content::PageContent;
pub use files::api_document;
pub use pages::PortalAccess;
use pages::{Page, Pages, Topic};
use template::{Templates, Variant};

/// The pages of one school.
pub struct Website {
    site: Site,
    public_url: String,
    pages: Pages,
    templates: Templates,
    shell: String,
    files: HashMap<String, Encoded>,
    filled: Mutex<FilledPages>,
    /// Held while a cached page is rendered, so that concurrent requests render it once.
    filling: Arc<tokio::sync::Mutex<()>>,
    /// Turns for pages rendered for a single request.
    turns: Arc<Turns<Lane>>,
    pictures: PictureCache,
    sitemap: Mutex<Option<KeptSitemap>>,
}

/// The cached sitemap, with the revisions of catalogue and site.
type KeptSitemap = ((i64, i64), Arc<Encoded>);

/// Rendering takes some hundredths of a second, and an uncompressed page some 300 kB until it is sent, so this bounds
/// memory and processor time.
const FOR_ONE: Capacity = Capacity {
    name: "pages",
    at_once: 2,
    places: 128,
    each: 16,
    busy: "Many people are using the website right now. Please try again in a moment.",
    own: "Many requests from your network are being answered right now. Please try again in a moment.",
};

/// Cached pages of one stamp.
#[derive(Default)]
struct FilledPages {
    with: Stamp,
    pages: HashMap<(Page, Variant), Arc<FilledPage>>,
}

/// Version of the page inputs; an older one never replaces a newer one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Stamp {
    catalogue: i64,
    site: i64,
    /// Date, on which years, semesters and announcements depend.
    day: Option<Date>,
}

/// Inputs of a page.
struct PageInputs {
    catalogue: Arc<CatalogueSnapshot>,
    site: Arc<site::SiteSnapshot>,
    /// Whether it is an unpublished preview.
    is_preview: bool,
}

impl PageInputs {
    fn stamp(&self) -> Stamp {
        Stamp { catalogue: self.catalogue.revision, site: self.site.revision, day: Some(self.site.day) }
    }
}

/// A rendered page.
struct FilledPage {
    html: Encoded,
    policy: HeaderValue,
}

/// Duties of the user who opens an office page, as an extension.
#[derive(Debug, Clone, Copy)]
pub struct OfficeDuties(pub &'static [Duty]);

const HTML: &str = "text/html; charset=utf-8";
const HEAD: &str = "<!--schoolhouse:head-->";
const BOOT: &str = "<!--schoolhouse:boot-->";
const BODY: &str = "<body>";
/// Parts of the shell and templates that a school's own colours and crest replace.
const THEME: &str = "content=\"#0d1e45\"";
const ICON: &str = "<link rel=\"icon\" type=\"image/svg+xml\" href=\"/favicon.svg\" />";
const OTHER_ICONS: [&str; 2] = [
    "<link rel=\"icon\" sizes=\"48x48\" href=\"/favicon.ico\" />",
    "<link rel=\"apple-touch-icon\" href=\"/apple-touch-icon.png\" />",
];

impl Website {
    /// Loads the embedded interface.
    ///
    /// # Errors
    /// When the embedded shell lacks one of its two placeholders, or the table of pages is malformed.
    pub fn new(config: &Config, site: Site) -> anyhow::Result<Self> {
        let public_url = config.public_url();
        let shell = files::shell().context("the embedded index.html")?;
        anyhow::ensure!(
            [HEAD, BOOT, BODY, THEME, ICON, OTHER_ICONS[0], OTHER_ICONS[1]]
                .iter()
                .all(|place| shell.contains(place)),
            "the embedded index.html lacks its places"
        );
        let mut files = files::load();
        files.insert("/robots.txt".into(), files::robots(&public_url));
        Ok(Self {
            site,
            public_url,
            pages: Pages::load()?,
            templates: Templates::load()?,
            shell,
            files,
            filled: Mutex::default(),
            filling: Arc::default(),
            sitemap: Mutex::default(),
            turns: Turns::new(FOR_ONE),
            pictures: PictureCache::default(),
        })
    }

    /// Returns the cached page, or renders and caches it.
    async fn filled(
        self: Arc<Self>,
        page: Page,
        now: PageInputs,
        variant: Variant,
    ) -> Result<Arc<FilledPage>> {
        let key = (page, variant);
        let with = now.stamp();
        if let Some(filled) = self.kept(&key, with) {
            return Ok(filled);
        }
        let only_one = self.filling.clone().lock_owned().await;
        // The previous holder of the lock may have rendered it.
        if let Some(filled) = self.kept(&key, with) {
            return Ok(filled);
        }
        let website = self.clone();
        let fill = move || -> Result<_> {
            // Held by the work, not by the request: a client that disconnects does not free it early.
            let _only_one = only_one;
            let (html, policy) = website.fill(&key.0, &now, &key.1)?;
            // Drops the uncompressed copy: every course has a page, and every page its style sheets.
            let html = Encoded::new(HTML, "no-cache", html.into_bytes()).compressed_only();
            let document = Arc::new(FilledPage { html, policy });
            website.keep(key, with, document.clone());
            Ok(document)
        };
        tokio::task::spawn_blocking(fill).await.context("filling a page")?
    }

    /// Renders a page for a single request after waiting for a turn; search results are rarely requested again.
    async fn filled_for_one(
        self: Arc<Self>,
        page: Page,
        now: PageInputs,
        variant: Variant,
        lane: Lane,
        request: &HeaderMap,
    ) -> Result<FilledPage> {
        let place = self.turns.place(lane)?;
        let kept = place.clone();
        let request = request.clone();
        let fill = move || {
            let (html, policy) = self.fill(&page, &now, &variant)?;
            let keep = |bytes| kept.keep(bytes);
            let html = Encoded::for_one(HTML, "no-cache", html.into_bytes(), &request, keep);
            Ok(FilledPage { html, policy })
        };
        place.work(fill).await
    }

    fn kept(&self, key: &(Page, Variant), with: Stamp) -> Option<Arc<FilledPage>> {
        let filled = self.filled.lock().unwrap_or_else(PoisonError::into_inner);
        if filled.with == with { filled.pages.get(key).cloned() } else { None }
    }

    fn keep(&self, key: (Page, Variant), with: Stamp, document: Arc<FilledPage>) {
        let mut filled = self.filled.lock().unwrap_or_else(PoisonError::into_inner);
        if filled.with < with {
            *filled = FilledPages { with, pages: HashMap::new() };
        }
        if filled.with == with {
            filled.pages.insert(key, document);
        }
    }

    /// The sitemap, generated once per change of catalogue and site.
    fn sitemap(&self, catalogue: &CatalogueSnapshot, site: &site::SiteSnapshot) -> Arc<Encoded> {
        let revision = (catalogue.revision, site.revision);
        let mut kept = self.sitemap.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some((of, sitemap)) if *of == revision => sitemap.clone(),
            _ => {
                let sitemap = files::sitemap(&self.public_url, &self.pages, &catalogue.courses, site);
                kept.insert((revision, Arc::new(sitemap))).1.clone()
            }
        }
    }

    /// Whether a request for a portal's page is redirected, with or without a session.
    pub fn door(&self, uri: &Uri, is_signed_in: bool) -> PortalAccess {
        self.pages.door(uri.path(), uri.query(), is_signed_in)
    }

    /// Where to go after a login whose form was sent to this address.
    pub fn after_login(&self, uri: &Uri) -> String {
        if let PortalAccess::Elsewhere(address) = self.door(uri, true) { address } else { "/".to_owned() }
    }

    /// Renders a page; returns its policy too.
    fn fill(&self, page: &Page, now: &PageInputs, variant: &Variant) -> Result<(String, HeaderValue)> {
        let content = PageContent::of(page, &now.catalogue, &now.site);
        let school = &now.site.school;
        let look = &now.site.style_sheet;
        let drawn = self.templates.fill(page, school, &content, variant, None)?;
        let (html, policy) = styles::set_into(&drawn, &self.files, look)?;
        let html = with_look(&html, &now.site);
        let head = head::head(page, &now.site, &self.public_url, &content);
        let boot = boot::boot(page, school, &content)?;
        let html = html.replacen(HEAD, &head, 1).replacen(BOOT, &boot, 1);
        let is_open = page.is_public() || page.is_missing();
        let banner = if is_open { banner::lines(now) } else { String::new() };
        Ok((html.replacen(BODY, &format!("{BODY}{banner}"), 1), policy))
    }
}

/// Applies the school's colours and crest, if they differ from the default.
fn with_look(html: &str, site: &site::SiteSnapshot) -> String {
    let html = html.replacen(THEME, &format!("content=\"{}\"", site.theme), 1);
    let Some(crest) = &site.crest else { return html };
    let icon = maud::html! { link rel="icon" href=(crest.src); };
    let html = html.replacen(ICON, &icon.into_string(), 1);
    OTHER_ICONS.iter().fold(html, |html, icon| html.replacen(icon, "", 1))
}

/// Any path that is not an endpoint: an embedded file, a page, or the not-found page with status 404.
pub async fn get_page(
    State(app): State<App>,
    Extension(website): Extension<Arc<Website>>,
    Extension(catalogue): Extension<Catalogue>,
    duties: Option<Extension<OfficeDuties>>,
    client: ClientAddr,
    request: Request,
) -> Result<Response> {
    let (Parts { method, uri, headers, .. }, _) = request.into_parts();
    if method != Method::GET && method != Method::HEAD {
        let allow = [(header::ALLOW, HeaderValue::from_static("GET, HEAD"))];
        return Ok((StatusCode::METHOD_NOT_ALLOWED, allow).into_response());
    }
    let path = uri.path();
    if let Some(file) = website.files.get(path) {
        let response = file.respond(&headers);
        return Ok(if path == link_picture::DRAWN { shown_anywhere(response) } else { response });
    }
    if path == files::SECURITY {
        let facts = website.site.facts();
        return Ok(files::security(&facts, &website.public_url, app.clock.now()).respond(&headers));
    }
    if let Some(name) = path.strip_prefix(pictures::FOLDER)
        && let Some(picture) = website.pictures.send(&app.db, name).await?
    {
        return Ok(shown_anywhere(picture));
    }
    let catalogue = catalogue.current(&app.db, app.today()).await?;
    let site = website.site.current(&app.db, app.today()).await?;
    match path {
        files::SITEMAP => return Ok(website.sitemap(&catalogue, &site).respond(&headers)),
        files::MANIFEST => return Ok(files::manifest(&site)?.respond(&headers)),
        _ => {}
    }
    let preview =
        pages::preview(uri.query()).and_then(|token| website.site.previewed(&token, app.clock.now()));
    let is_preview = preview.is_some();
    let site = preview.unwrap_or(site);
    let page = website.pages.at(path, uri.query()).in_catalogue(&catalogue).with_texts(&site);
    let status = match page.topic {
        Topic::Archived(_) => StatusCode::GONE,
        _ if page.is_missing() => StatusCode::NOT_FOUND,
        _ => StatusCode::OK,
    };
    let holds_token = page.holds_token();
    let duties = duties.map_or(&[][..], |Extension(OfficeDuties(duties))| duties);
    let variant = Variant {
        filter: page.filter(uri.query()),
        duties,
        reference: page.reference(uri.query()),
        opened: page.is_timed().then(|| app.clock.now().as_second()),
    };
    let now = PageInputs { catalogue, site, is_preview };
    // Search words, references and times are unlimited; grades and levels are few.
    let is_kept = variant.is_common() && !is_preview;
    let document = match is_kept {
        true => website.filled(page, now, variant).await?,
        false => match website.clone().filled_for_one(page, now, variant, client.lane(), &headers).await {
            Ok(document) => Arc::new(document),
            Err(busy @ Error::Busy(_)) => return Ok(website.refuse(&headers, busy)),
            Err(error) => return Err(error),
        },
    };
    let mut response = document.html.respond_with(status, &headers);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, document.policy.clone());
    if holds_token || is_preview {
        response.headers_mut().insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    }
    if is_preview {
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
        headers.insert("x-robots-tag", HeaderValue::from_static("noindex"));
    }
    Ok(response)
}

/// Allows other sites to embed a picture (see [`link_picture`]).
fn shown_anywhere(mut picture: Response) -> Response {
    let anywhere = HeaderValue::from_static("cross-origin");
    picture.headers_mut().insert(HeaderName::from_static("cross-origin-resource-policy"), anywhere);
    picture
}
