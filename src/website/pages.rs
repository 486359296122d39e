//! The table of pages: paths and titles. The interface reads the same file for its routes and navigation.

use std::borrow::Cow;
use std::collections::BTreeMap;

use anyhow::{Context, ensure};
use serde::Deserialize;

use crate::base::closed_set::ClosedSet as _;
use crate::courses::catalogue::{CatalogueSnapshot, CodeMatch};
use crate::courses::values::{CourseCode, CourseType};
use crate::school::texts::TextKind;
use crate::settings::site;
use crate::staff::Duty;
use crate::web::form::Field;
use crate::web::portal::Portal;

const TABLE: &str = include_str!("../../ui/pages.json");

/// Path of the catalogue.
pub const CATALOGUE: &str = "/courses";
/// Path of the application for a place.
pub const APPLY: &str = "/apply";
/// Path of a course.
pub const COURSE: &str = "/courses/:code";

/// Default grade of the catalogue (specification, section 2).
const FIRST_GRADE: u8 = 9;

/// Maximum length of a search: more than any code or name has. As in `ui/src/courses/useCatalogueView.ts`.
const MAX_WORDS: usize = 200;

/// Filter of the catalogue's courses.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct CourseFilter {
    /// Words that the code or the name must contain.
    pub words: String,
    /// Course type.
    pub level: Option<CourseType>,
}

impl CourseFilter {
    /// Whether it filters nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Area of the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Area {
    /// Public, indexed by search engines.
    Public,
    /// Account access: logins, and links from emails.
    Account,
    /// The student portal.
    Student,
    /// The office.
    Office,
}

/// What a page is about, if its URL has parameters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Topic {
    /// No parameters.
    Itself,
    /// Of `/courses`: a grade.
    Grade(u8),
    /// Of `/courses/:code`: a course.
    Course(CourseCode),
    /// Of `/courses/:code`: a course that is no longer offered.
    Archived(CourseCode),
    /// Of `/courses/:code`: an unknown code.
    Unknown,
    /// Of `/contact`, `/apply` and pages that mail a link: the form was sent.
    Sent,
    /// Of a new password: it was set.
    Done,
    /// Of `/student/auth`: the registration tab.
    Register,
    /// Of `/student/auth`: after the verification of an email address.
    Verified,
}

/// A requested page.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Page {
    /// Path pattern; `:token` is a link's secret, `:id` an id, `:code` a course code.
    pub path: &'static str,
    /// `None` for an unknown path.
    pub area: Option<Area>,
    /// Title; the home page uses the school's name and tagline.
    pub title: &'static str,
    /// Parameters of the URL.
    pub topic: Topic,
}

impl Page {
    /// The not-found page.
    pub const NOT_FOUND: Self =
        Self { path: "/404", area: None, title: "Page Not Found", topic: Topic::Itself };

    /// The page of an unknown course.
    const UNKNOWN_COURSE: Self = Self { topic: Topic::Unknown, ..Self::NOT_FOUND };

    /// Canonical path.
    pub fn address(&self) -> String {
        match &self.topic {
            Topic::Grade(grade) => format!("{}?grade={grade}", self.path),
            Topic::Course(code) | Topic::Archived(code) => format!("{CATALOGUE}/{code}"),
            _ => self.path.to_owned(),
        }
    }

    /// Name of its template, as in `ui/scripts/write-templates.ts`.
    pub fn template(&self) -> String {
        let address = match &self.topic {
            Topic::Itself => self.path.to_owned(),
            Topic::Grade(grade) => format!("{}?grade={grade}", self.path),
            Topic::Sent => format!("{}?sent", self.path),
            Topic::Done => self.path.replace(":token", "done"),
            Topic::Register => format!("{}?tab=register", self.path),
            Topic::Verified => format!("{}?verified=true", self.path),
            Topic::Course(_) => format!("{CATALOGUE}/code"),
            Topic::Archived(_) => format!("{CATALOGUE}/gone"),
            Topic::Unknown => format!("{CATALOGUE}/unknown"),
        };
        let words = address.split(|c: char| !matches!(c, 'a'..='z' | '0'..='9'));
        let name = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
        if name.is_empty() { "home".to_owned() } else { name }
    }

    /// Grade of the catalogue page.
    pub fn grade(&self) -> u8 {
        if let Topic::Grade(grade) = self.topic { grade } else { FIRST_GRADE }
    }

    /// The portal that it belongs or leads to.
    pub fn portal(&self) -> Option<Portal> {
        let is_in = |prefix| self.path.starts_with(prefix);
        if is_in("/student/") { Some(Portal::Student) } else { is_in("/admin/").then_some(Portal::Staff) }
    }

    /// Whether search engines should list it.
    pub fn is_public(&self) -> bool {
        self.area == Some(Area::Public)
    }

    /// Whether it is a not-found page.
    pub fn is_missing(&self) -> bool {
        self.path == Self::NOT_FOUND.path
    }

    /// Whether its URL contains a secret, which must not leak in a referrer.
    pub fn holds_token(&self) -> bool {
        self.path.contains("/:token")
    }

    /// The catalogue filter from the query; empty on other pages.
    pub fn filter(&self, query: Option<&str>) -> CourseFilter {
        if self.path != CATALOGUE {
            return CourseFilter::default();
        }
        let words = first(query, "q").unwrap_or_default();
        let words = words.chars().take(MAX_WORDS).collect::<String>().trim().to_owned();
        CourseFilter { words, level: first(query, "level").and_then(|level| CourseType::parse(&level)) }
    }

    /// The reference that a page of a sent application shows.
    pub fn reference(&self, query: Option<&str>) -> Option<String> {
        if self.path == APPLY { reference(query) } else { None }
    }

    /// Whether it has a form that must not be sent at once.
    pub fn is_timed(&self) -> bool {
        self.path == APPLY && self.topic == Topic::Itself
    }

    /// The page with its course resolved as offered, archived or unknown.
    pub fn in_catalogue(self, catalogue: &CatalogueSnapshot) -> Self {
        let Topic::Course(code) = &self.topic else { return self };
        match catalogue.find(code) {
            Some(CodeMatch::Offered(_)) => self,
            Some(CodeMatch::Archived(_)) => Self { topic: Topic::Archived(code.clone()), ..self },
            None => Self::UNKNOWN_COURSE,
        }
    }

    /// The page, or not found if its text is not published.
    pub fn with_texts(self, site: &site::SiteSnapshot) -> Self {
        match TextKind::at(self.path) {
            Some(kind) if site.text(kind).is_none() => Self::NOT_FOUND,
            _ => self,
        }
    }

    /// Whether a path matches this page's pattern.
    fn fits(&self, address: &str) -> bool {
        let mut asked = address.split('/');
        let fits = self.path.split('/').all(|part| match (part, asked.next()) {
            (":token", Some(_)) | (":token?", _) => true,
            (":id", Some(id)) => !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()),
            (":code", Some(code)) => !code.is_empty(),
            (part, asked) => asked == Some(part),
        });
        fits && asked.next().is_none()
    }
}

/// Whether a portal's page is shown.
#[derive(Debug, PartialEq, Eq)]
pub enum PortalAccess {
    /// It is shown.
    Open,
    /// It is the login, shown to a visitor.
    Login,
    /// The browser is redirected to this address.
    Elsewhere(String),
}

/// All pages by path.
#[derive(Debug)]
pub struct Pages {
    pages: Vec<Page>,
    /// Login pages with the path prefixes that lead to them (specification, section 2).
    logins: Vec<(&'static str, Page)>,
}

impl Pages {
    /// Reads the embedded table.
    ///
    /// # Errors
    /// When it is malformed.
    pub fn load() -> anyhow::Result<Self> {
        Self::parse(TABLE)
    }

    fn parse(json: &'static str) -> anyhow::Result<Self> {
        let table: PageTable<'static> = serde_json::from_str(json).context("ui/pages.json")?;
        let areas = [
            (Area::Public, table.public),
            (Area::Account, table.account),
            (Area::Student, table.student),
            (Area::Office, table.office),
        ];
        let mut all = Self { pages: Vec::new(), logins: Vec::new() };
        for (area, rows) in areas {
            for (path, row) in rows {
                all.add(area, path, &row).with_context(|| format!("ui/pages.json: {path}"))?;
            }
        }
        Ok(all)
    }

    fn add(&mut self, area: Area, path: &'static str, row: &PageEntry<'static>) -> anyhow::Result<()> {
        let prefix = match area {
            Area::Account if path.starts_with("/student/") => "/student/",
            Area::Account if path.starts_with("/admin/") => "/admin/",
            // Emailed links of people without an account lead to no portal.
            Area::Public | Area::Account => "/",
            Area::Office => "/admin/",
            Area::Student => "/student/",
        };
        ensure!(path.starts_with(prefix), "begins with {prefix}");
        ensure!(row.title.is_some() || path == "/", "has no title");
        let place = path.find("/:");
        let parts = ["/:token", "/:token?", "/:id", "/:code"];
        ensure!(
            place.is_none_or(|place| parts.contains(&&path[place..])),
            "has a part that is none of :token, :id and :code"
        );
        let title = row.title.unwrap_or_default();
        let page = Page { path, area: Some(area), title, topic: Topic::Itself };
        if let Some(rest) = row.catches {
            ensure!(
                prefix != "/" && rest.strip_suffix('*') == Some(prefix),
                "catches other addresses than {prefix}*"
            );
            self.logins.push((prefix, page.clone()));
        }
        self.pages.push(page);
        Ok(())
    }

    /// The page at a URL; a grade other than 9 to 12 is ignored (specification, section 2).
    pub fn at(&self, path: &str, query: Option<&str>) -> Page {
        let path = if path == "/" { path } else { path.trim_end_matches('/') };
        let is_in = |portal: &str| path.starts_with(portal) || portal.strip_suffix('/') == Some(path);
        let page = (self.pages.iter().find(|page| page.path == path))
            .or_else(|| self.pages.iter().find(|page| page.path.contains("/:") && page.fits(path)))
            .or_else(|| self.logins.iter().find(|(portal, _)| is_in(portal)).map(|(_, login)| login));
        let Some(page) = page.cloned() else { return Page::NOT_FOUND };
        let topic = match page.path {
            CATALOGUE => grade(query).map_or(Topic::Itself, Topic::Grade),
            COURSE => match path.rsplit('/').next().and_then(course_code) {
                Some(code) => Topic::Course(code),
                None => return Page::UNKNOWN_COURSE,
            },
            APPLY if reference(query).is_some() => Topic::Sent,
            "/contact" | "/application" | "/student/forgot-password" | "/admin/forgot-password"
                if first(query, "sent").is_some() =>
            {
                Topic::Sent
            }
            "/student/reset-password/:token" | "/admin/reset-password/:token" if path.ends_with("/done") => {
                Topic::Done
            }
            "/student/auth" if first(query, "verified").is_some_and(|is| is == "true") => Topic::Verified,
            "/student/auth" if first(query, "tab").is_some_and(|tab| tab == "register") => Topic::Register,
            _ => Topic::Itself,
        };
        Page { topic, ..page }
    }

    /// Whether a portal's page is shown: without a session its login is, and with one the login is skipped.
    pub fn door(&self, path: &str, query: Option<&str>, is_signed_in: bool) -> PortalAccess {
        let page = self.at(path, query);
        let login =
            self.logins.iter().find(|(portal, _)| page.path.starts_with(portal)).map(|(_, login)| login);
        let Some(login) = login else { return PortalAccess::Open };
        let is_login = page.path == login.path;
        let next = first(query, "next");
        let address = |next: Option<&str>| {
            PortalAccess::Elsewhere(match next {
                Some(next) => format!("{}?{}", login.path, written([("next", next)])),
                None => login.path.to_owned(),
            })
        };
        match page.area {
            Some(Area::Student | Area::Office) if !is_signed_in => {
                let asked = [Some(path), query].into_iter().flatten().collect::<Vec<_>>().join("?");
                address(Some(&*asked).filter(|asked| *asked != home(login)))
            }
            _ if is_login && is_signed_in => {
                PortalAccess::Elsewhere(self.after_login(login, next.as_deref()))
            }
            _ if is_login && path.trim_end_matches('/') != login.path => address(next.as_deref()),
            _ if is_login => PortalAccess::Login,
            _ => PortalAccess::Open,
        }
    }

    /// Where to go after a login: to the requested page, if it belongs to the portal.
    pub fn after_login(&self, login: &Page, next: Option<&str>) -> String {
        let inside = next.and_then(|next| {
            let next = next.split('#').next().unwrap_or_default();
            let (path, query) =
                next.split_once('?').map_or((next, None), |(path, query)| (path, Some(query)));
            let page = self.at(path, query);
            let is_inside =
                matches!(page.area, Some(Area::Student | Area::Office)) && page.portal() == login.portal();
            let again = |query: &str| format!("{path}?{}", written(form_urlencoded::parse(query.as_bytes())));
            is_inside.then(|| query.map_or_else(|| path.to_owned(), again))
        });
        inside.unwrap_or_else(|| home(login).to_owned())
    }

    /// Every page.
    #[cfg(test)]
    pub fn all(&self) -> impl Iterator<Item = &Page> {
        self.pages.iter()
    }

    /// Public pages for search engines, including one per grade; courses are listed separately.
    pub fn public(&self) -> impl Iterator<Item = Page> {
        let of_itself = self.pages.iter().filter(|page| page.is_public() && page.path != COURSE);
        of_itself.flat_map(|page| {
            let grades: &[u8] = if page.path == CATALOGUE { &[9, 10, 11, 12] } else { &[] };
            let of_grade = |grade: &u8| Page { topic: Topic::Grade(*grade), ..page.clone() };
            std::iter::once(page.clone()).chain(grades.iter().map(of_grade))
        })
    }
}

type Rows<'a> = BTreeMap<&'a str, PageEntry<'a>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PageTable<'a> {
    #[serde(borrow)]
    public: Rows<'a>,
    #[serde(borrow)]
    account: Rows<'a>,
    #[serde(borrow)]
    student: Rows<'a>,
    #[serde(borrow)]
    office: Rows<'a>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "used by the interface: listed here so that a misspelled key is refused")]
struct PageEntry<'a> {
    page: &'a str,
    title: Option<&'a str>,
    catches: Option<&'a str>,
    budget: Option<&'a str>,
    #[serde(borrow)]
    nav: Option<NavPlace<'a>>,
    duty: Option<Duty>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "a place in the interface's navigation")]
struct NavPlace<'a> {
    section: Option<&'a str>,
    label: &'a str,
    icon: Option<&'a str>,
}

/// A query string.
fn written<N: AsRef<str>, V: AsRef<str>>(pairs: impl IntoIterator<Item = (N, V)>) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

/// The page that the login of a portal leads to.
fn home(login: &Page) -> &'static str {
    if login.portal() == Some(Portal::Student) { "/student/dashboard" } else { "/admin/dashboard" }
}

/// The reference of an application that was just sent, as in `ui/src/admissions/apply.ts`.
fn reference(query: Option<&str>) -> Option<String> {
    let words = first(query, "sent")?;
    let is_reference = words.len() == "A-26-7QK4".len()
        && words.bytes().enumerate().all(|(place, byte)| match place {
            0 => byte == b'A',
            1 | 4 => byte == b'-',
            2 | 3 => byte.is_ascii_digit(),
            _ => byte.is_ascii_digit() || byte.is_ascii_uppercase(),
        });
    is_reference.then(|| words.into_owned())
}

/// The token of a preview link.
pub fn preview(query: Option<&str>) -> Option<String> {
    first(query, "preview").map(Cow::into_owned)
}

fn grade(query: Option<&str>) -> Option<u8> {
    let value = first(query, "grade")?;
    ["9", "10", "11", "12"].contains(&&*value).then(|| value.parse().ok()).flatten()
}

/// Parses a course code, ignoring case.
fn course_code(part: &str) -> Option<CourseCode> {
    CourseCode::parse(&Field::Value(part.to_owned())).ok()
}

/// The first value of a parameter, like `URLSearchParams.get`.
fn first<'a>(query: Option<&'a str>, name: &str) -> Option<Cow<'a, str>> {
    let mut pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    pairs.find(|(each, _)| each == name).map(|(_, value)| value)
}

#[cfg(test)]
mod tests;
