//! Error pages for requests outside the interface: documents opened in a tab, and forms submitted without scripts.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::content::PageContent;
use super::template::Variant;
use super::{Website, head, styles};
use crate::base::error::{Error, Result};
use crate::web::rate_limit::ClientAddr;

impl Website {
    /// Renders an error as a page if the browser accepts HTML, else as the usual response.
    pub fn refuse(&self, request: &HeaderMap, error: Error) -> Response {
        let wants_page = request
            .get(header::ACCEPT)
            .and_then(|accept| accept.to_str().ok())
            .is_some_and(|accept| accept.contains("text/html"));
        let links = match error.status() {
            StatusCode::UNAUTHORIZED => [STUDENT_LOGIN, OFFICE_LOGIN].as_slice(),
            StatusCode::FORBIDDEN => &[OFFICE],
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => &[AGAIN],
            _ => &[PORTAL, OFFICE],
        };
        let page = wants_page.then(|| self.refusal_page(&error, links).into());
        answer(error, page)
    }

    /// Renders the page of a form submitted without scripts, with `form` in its place; the page has no scripts that
    /// would replace it. Waits for a turn.
    pub async fn refuse_form(
        self: Arc<Self>,
        path: &'static str,
        form: Markup,
        error: Error,
        client: ClientAddr,
    ) -> Response {
        let drawn = async {
            let place = self.turns.place(client.lane())?;
            let website = self.clone();
            let (html, policy) = place.work(move || website.form_page(path, form)).await?;
            Ok((place.keep(html.into_bytes()), policy))
        };
        let (html, policy) = match drawn.await {
            Ok(drawn) => drawn,
            Err(Error::Busy(_)) => {
                let busy = Error::Busy(FORM_CROWDED);
                let page = self.refusal_page(&busy, &[]);
                return answer(busy, Some(page.into()));
            }
            Err(cause) => return cause.into_response(),
        };
        let mut response = answer(error, Some(html));
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
        // It contains user input, and its URL may contain a secret.
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
        response.headers_mut().insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
        response
    }

    fn form_page(&self, path: &str, form: Markup) -> Result<(String, HeaderValue)> {
        let page = self.pages.at(path, None);
        let none = PageContent::default();
        let whole = Variant::default();
        let site = self.site.latest()?;
        let drawn = self.templates.fill(&page, &site.school, &none, &whole, Some(form))?;
        let (html, policy) = styles::set_into(&drawn, &self.files, &site.style_sheet)?;
        let html = super::with_look(&html, &site);
        let head = head::head(&page, &site, &self.public_url, &none);
        let is_script =
            |line: &&str| line.contains("<script type=\"module\"") || line.contains("\"modulepreload\"");
        let html: Vec<_> = html.split('\n').filter(|line| !is_script(line)).collect();
        Ok((html.join("\n").replacen(super::HEAD, &head, 1).replacen(super::BOOT, "", 1), policy))
    }

    /// The page uses the shell's style sheet without scripts.
    fn refusal_page(&self, error: &Error, links: &[(&str, &str)]) -> String {
        let styles = self.shell.lines().find(|line| line.contains("rel=\"stylesheet\"")).unwrap_or("");
        let said = &*error.to_string();
        let (title, words) = match error.status() {
            StatusCode::UNAUTHORIZED => ("Please Log In", said),
            StatusCode::FORBIDDEN => ("Not Allowed", said),
            StatusCode::NOT_FOUND => ("Document Not Found", NOT_FOUND),
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => ("Please Wait", said),
            _ => ("Document Not Shown", said),
        };
        let page = html! {
            (DOCTYPE)
            html lang="en-CA" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="robots" content="noindex";
                    title { (title) " · " (self.site.facts().name) }
                    link rel="icon" type="image/svg+xml" href="/favicon.svg";
                    (PreEscaped(styles))
                }
                body {
                    main.wrap.message-page {
                        p.eyebrow { (self.site.facts().name) }
                        h1 { (title) }
                        p { (words) }
                        p.cluster {
                            @for (path, words) in links {
                                a.button.button-outline href=(path) { (words) } "\n"
                            }
                        }
                    }
                }
            }
        };
        page.into_string()
    }
}

fn answer(error: Error, page: Option<Bytes>) -> Response {
    let mut response = error.into_response();
    if let Some(page) = page {
        *response.body_mut() = Body::from(page);
        let html = HeaderValue::from_static("text/html; charset=utf-8");
        response.headers_mut().insert(header::CONTENT_TYPE, html);
    }
    response
}

const NOT_FOUND: &str = "There is no such document, or your account may not see it.";
const FORM_CROWDED: &str = "The school’s website is very busy. What you wrote is where Back in your browser leads: \
    please send it again in a moment.";
/// The requested URL.
const AGAIN: (&str, &str) = ("", "Try Again");
const STUDENT_LOGIN: (&str, &str) = ("/student/auth", "Student login");
const OFFICE_LOGIN: (&str, &str) = ("/admin/login", "Office login");
const PORTAL: (&str, &str) = ("/student/dashboard?tab=documents", "Back to my documents");
const OFFICE: (&str, &str) = ("/admin/dashboard", "Back to the office");

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::config::Config;
    use crate::settings::site::Site;

    #[tokio::test]
    async fn every_class_of_the_page_is_styled_by_the_sheet_that_it_brings() {
        let website =
            Website::new(&Config::default(), Site::new(Arc::default(), date(2026, 11, 24))).unwrap();
        let page = website.refusal_page(&Error::NotFound(String::new()), &[PORTAL, OFFICE]);
        let quoted = |name: &str| {
            let attribute = format!("{name}=\"");
            let values = page.split(&attribute).skip(1);
            values.map(|value| value.split('"').next().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let sheet = quoted("href").into_iter().find(|href| href.ends_with(".css")).unwrap();
        let sheet = website.files[&sheet].respond(&HeaderMap::new()).into_body();
        let sheet = axum::body::to_bytes(sheet, usize::MAX).await.unwrap();
        let sheet = str::from_utf8(&sheet).unwrap();
        let classes = quoted("class").join(" ");
        assert!(classes.contains("message-page"), "{classes}");
        for class in classes.split(' ') {
            assert!(sheet.contains(&format!(".{class}")), "nothing styles .{class}");
        }
    }
}
