//! The one table of pages: which addresses are pages, and what each is called. The interface reads the
//! same file for its routes and its navigation.

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

const TABLE: &str = include_str!("../../ui/pages.json");

/// The address of the catalogue.
pub const CATALOGUE: &str = "/courses";
/// The address of each of its courses.
pub const COURSE: &str = "/courses/:code";

/// The grade of the catalogue that an address without one shows (specification, section 2).
const FIRST_GRADE: u8 = 9;

/// Characters of a search that are looked for and shown again: more than any code or name has. As in
/// `ui/src/courses/useCatalogueView.ts`.
const MAX_WORDS: usize = 200;

/// What narrows the courses of the catalogue that are shown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct CourseFilter {
    /// What the code or the name must hold.
    pub words: String,
    /// What the course prepares for.
    pub level: Option<CourseType>,
}

impl CourseFilter {
    /// Whether it leaves every course.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Where a page belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Area {
    /// Open to everybody, and to search engines.
    Public,
    /// The ways into an account: logins, and links from e-mails.
    Account,
    /// The student portal.
    Student,
    /// The office.
    Office,
}

/// Of what a page tells, where its address says more than which page it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Topic {
    /// Nothing more.
    Itself,
    /// Of `/courses`: a grade.
    Grade(u8),
    /// Of `/courses/:code`: a course.
    Course(CourseCode),
    /// Of `/courses/:code`: a course that is no longer offered.
    Archived(CourseCode),
    /// Of `/courses/:code`: a code that no course has.
    Unknown,
    /// Of `/contact`: a message was sent from it, by a browser without scripts.
    Sent,
}

/// A page of the site as one request asks for it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Page {
    /// Its address in the table; `:token` stands for a link's secret, `:id` for the number of a thing, `:code` for
    /// a course's.
    pub path: &'static str,
    /// None for an address that leads nowhere.
    pub area: Option<Area>,
    /// Its title; the home page has the school's own words.
    pub title: &'static str,
    /// What else its address says.
    pub topic: Topic,
}

impl Page {
    /// What an address shows that is no page.
    pub const NOT_FOUND: Self =
        Self { path: "/404", area: None, title: "Page Not Found", topic: Topic::Itself };

    /// What the address of a course shows that never was.
    const UNKNOWN_COURSE: Self = Self { topic: Topic::Unknown, ..Self::NOT_FOUND };

    /// The page's canonical address.
    pub fn address(&self) -> String {
        match &self.topic {
            Topic::Itself | Topic::Unknown | Topic::Sent => self.path.to_owned(),
            Topic::Grade(grade) => format!("{}?grade={grade}", self.path),
            Topic::Course(code) | Topic::Archived(code) => format!("{CATALOGUE}/{code}"),
        }
    }

    /// The name of its template, as `ui/scripts/write-templates.ts` makes it of an address.
    pub fn template(&self) -> String {
        match (self.path, &self.topic) {
            ("/", _) => "home".into(),
            (path, Topic::Itself) => path[1..].into(),
            (path, Topic::Grade(grade)) => format!("{}-grade-{grade}", &path[1..]),
            (path, Topic::Sent) => format!("{}-sent", &path[1..]),
            (_, Topic::Course(_)) => "courses-code".into(),
            (_, Topic::Archived(_)) => "courses-gone".into(),
            (_, Topic::Unknown) => "courses-unknown".into(),
        }
    }

    /// The grade that the catalogue shows on it.
    pub fn grade(&self) -> u8 {
        if let Topic::Grade(grade) = self.topic { grade } else { FIRST_GRADE }
    }

    /// Whether search engines should list it.
    pub fn is_public(&self) -> bool {
        self.area == Some(Area::Public)
    }

    /// Whether there is nothing at its address.
    pub fn is_missing(&self) -> bool {
        self.path == Self::NOT_FOUND.path
    }

    /// Whether the build draws it, for browsers without scripts and before those of the others run.
    pub fn is_drawn(&self) -> bool {
        self.is_public() || self.is_missing()
    }

    /// Whether its address holds a secret, which no other site may be told.
    pub fn holds_token(&self) -> bool {
        self.path.contains("/:token")
    }

    /// What narrows the courses of the catalogue, by the address; nothing does on any other page.
    pub fn filter(&self, query: Option<&str>) -> CourseFilter {
        if self.path != CATALOGUE {
            return CourseFilter::default();
        }
        let words = first(query, "q").unwrap_or_default();
        let words = words.chars().take(MAX_WORDS).collect::<String>().trim().to_owned();
        CourseFilter { words, level: first(query, "level").and_then(|level| CourseType::parse(&level)) }
    }

    /// The page with what became of its course: none where there never was one.
    pub fn in_catalogue(self, catalogue: &CatalogueSnapshot) -> Self {
        let Topic::Course(code) = &self.topic else { return self };
        match catalogue.find(code) {
            Some(CodeMatch::Offered(_)) => self,
            Some(CodeMatch::Archived(_)) => Self { topic: Topic::Archived(code.clone()), ..self },
            None => Self::UNKNOWN_COURSE,
        }
    }

    /// The page, unless it is one of a text that the school has not written.
    pub fn with_texts(self, site: &site::SiteSnapshot) -> Self {
        match TextKind::at(self.path) {
            Some(kind) if site.text(kind).is_none() => Self::NOT_FOUND,
            _ => self,
        }
    }

    /// Whether an address is this page's, whatever stands in it.
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

/// Every page, by its address.
#[derive(Debug)]
pub struct Pages {
    pages: Vec<Page>,
    /// The logins, each with the beginning of the addresses that lead there (specification, section 2).
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
            Area::Public => "/",
            Area::Account if path.starts_with("/student/") => "/student/",
            Area::Account | Area::Office => "/admin/",
            Area::Student => "/student/",
        };
        ensure!(path.starts_with(prefix), "begins with {prefix}");
        ensure!(row.title.is_some() || path == "/", "has no title");
        let (place, parts) = (path.find("/:"), ["/:token", "/:token?", "/:id", "/:code"]);
        ensure!(
            place.is_none_or(|place| parts.contains(&&path[place..])),
            "has a part that is none of :token, :id and :code"
        );
        let title = row.title.unwrap_or_default();
        let page = Page { path, area: Some(area), title, topic: Topic::Itself };
        if let Some(rest) = row.catches {
            ensure!(rest.strip_suffix('*') == Some(prefix), "catches other addresses than {prefix}*");
            self.logins.push((prefix, page.clone()));
        }
        self.pages.push(page);
        Ok(())
    }

    /// The page at an address; a grade other than 9 to 12 is none (specification, section 2).
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
            "/contact" if first(query, "sent").is_some() => Topic::Sent,
            _ => Topic::Itself,
        };
        Page { topic, ..page }
    }

    /// The pages that search engines should know, the catalogue's once for each grade as well; the courses have
    /// one each beside them.
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
#[expect(
    dead_code,
    reason = "most of it is the interface's: named here, so that a misspelled key is refused"
)]
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

/// The secret of a link to a preview of the site.
pub fn preview(query: Option<&str>) -> Option<String> {
    first(query, "preview").map(Cow::into_owned)
}

fn grade(query: Option<&str>) -> Option<u8> {
    let value = first(query, "grade")?;
    ["9", "10", "11", "12"].contains(&&*value).then(|| value.parse().ok()).flatten()
}

/// The code in an address, in any case.
fn course_code(part: &str) -> Option<CourseCode> {
    CourseCode::parse(&Field::Value(part.to_owned())).ok()
}

/// The first value of a parameter, as `URLSearchParams` in the browser finds it.
fn first<'a>(query: Option<&'a str>, name: &str) -> Option<Cow<'a, str>> {
    let mut pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    pairs.find(|(each, _)| each == name).map(|(_, value)| value)
}

#[cfg(test)]
mod tests;
