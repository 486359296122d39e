//! Prerendered pages, filled with the school's facts and the catalogue.
//!
//! `ui/src/templates.tsx` renders them with the browser's components and placeholders for runtime data; the interface
//! then hydrates the page without changes. So the values filled in here must match what those components would render:
//! `ui/e2e/school/drawn.spec.ts`.

use std::collections::BTreeMap;

use anyhow::Context as _;
use maud::Markup;
use minijinja::{AutoEscape, Environment, Value};
use serde::Serialize;

use super::content::{OneCourse, PageContent};
use super::files;
use super::listing::{CourseCard, Listing};
use super::pages::{CATALOGUE, CourseFilter, Page};
use crate::base::closed_set::ClosedSet as _;
use crate::courses::Course;
use crate::school::PublicSchool;
use crate::school::texts::markup::TextSection;
use crate::school::texts::{SchoolText, TextInForce};
use crate::staff::Duty;

/// The variant of a page to show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Variant {
    /// Filter of the catalogue's courses.
    pub filter: CourseFilter,
    /// Duties of the user who opens an office page.
    pub duties: &'static [Duty],
    /// Reference of the application that was just sent.
    pub reference: Option<String>,
    /// When a form was opened that must not be sent at once, in seconds.
    pub opened: Option<i64>,
}

impl Variant {
    /// Whether many requests are for it.
    pub fn is_common(&self) -> bool {
        self.filter.words.is_empty() && self.reference.is_none() && self.opened.is_none()
    }
}

/// Values of the placeholders.
#[derive(Serialize)]
struct TemplateFacts<'a> {
    school: &'a PublicSchool,
    /// Courses on the home page.
    courses: Vec<CourseCard<'a>>,
    /// Number of courses on offer.
    offered: usize,
    /// Number of universities that accepted graduates.
    universities: usize,
    /// Catalogue listing.
    #[serde(flatten)]
    listing: Option<Listing<'a>>,
    /// Course page.
    course: Option<&'a OneCourse>,
    /// Text of the page.
    text: Option<Text<'a>>,
    /// Published texts.
    texts: Vec<TextLink<'a>>,
    /// Replacement for the page's form, after a refused submission without scripts.
    form: Option<Value>,
    /// Duties of the user who opens an office page.
    duties: BTreeMap<&'static str, bool>,
    reference: Option<&'a str>,
    opened: Option<i64>,
}

/// Link to a text.
#[derive(Serialize)]
struct TextLink<'a> {
    title: &'a str,
    /// Its path without the slash, which is in the template.
    path: &'a str,
}

impl<'a> TextLink<'a> {
    fn new(text: &'a TextInForce) -> Self {
        Self { title: text.title, path: text.url.trim_start_matches('/') }
    }
}

/// A text with rendered parts.
#[derive(Serialize)]
struct Text<'a> {
    title: &'a str,
    updated: &'a str,
    lead: &'a str,
    sections: &'a [TextSection],
    has_contents: bool,
}

impl<'a> Text<'a> {
    fn new(text: &'a SchoolText) -> Self {
        let has_contents = text.sections.iter().filter(|section| !section.name.is_empty()).count() > 1;
        Self {
            title: text.in_force.title,
            updated: &text.updated,
            lead: &text.lead,
            sections: &text.sections,
            has_contents,
        }
    }
}

/// Parsed templates of prerendered pages.
pub struct Templates(Environment<'static>);

impl Templates {
    /// Parses the embedded templates.
    ///
    /// # Errors
    /// When one of them is malformed.
    pub fn load() -> anyhow::Result<Self> {
        let mut environment = Environment::empty();
        environment.set_auto_escape_callback(|_| AutoEscape::Html);
        for (name, source) in files::templates() {
            let context = format!("templates/{name}.html");
            environment.add_template_owned(name, source).context(context)?;
        }
        Ok(Self(environment))
    }

    /// Renders a variant of a page; `form` replaces the page's own.
    pub fn fill(
        &self,
        page: &Page,
        school: &PublicSchool,
        content: &PageContent<'_>,
        variant: &Variant,
        form: Option<Markup>,
    ) -> anyhow::Result<String> {
        let name = page.template();
        let context = || format!("the embedded templates/{name}.html");
        let featured = if page.path == "/" { featured(content.courses) } else { Vec::new() };
        let facts = TemplateFacts {
            school,
            courses: featured.into_iter().map(CourseCard::new).collect(),
            offered: content.courses.len(),
            universities: school.universities.len(),
            listing: (page.path == CATALOGUE)
                .then(|| Listing::new(content.courses, page.grade(), &variant.filter)),
            course: content.course.as_ref(),
            text: content.text.map(Text::new),
            texts: school.texts.iter().map(TextLink::new).collect(),
            form: form.map(|form| Value::from_safe_string(form.into_string())),
            duties: variant.duties.iter().map(|duty| (duty.as_str(), true)).collect(),
            reference: variant.reference.as_deref(),
            opened: variant.opened,
        };
        self.0.get_template(&name).and_then(|template| template.render(facts)).with_context(context)
    }
}

/// Specification, section 2: the first compulsory grade 9 and grade 10 course, and ENG4U. As
/// `ui/src/courses/catalogue.ts`.
pub fn featured(courses: &[Course]) -> Vec<&Course> {
    let compulsory =
        |grade: u8| courses.iter().find(move |course| course.grade == grade && course.is_compulsory);
    let english = courses.iter().find(|course| course.grade == 12 && course.code.to_string() == "ENG4U");
    [compulsory(9), compulsory(10), english].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::config;
    use crate::courses::details::tests::course;
    use crate::courses::details::{ArchivedCourse, CourseDetails};
    use crate::school::texts::{self, OwnTexts};
    use crate::school::{Person, Picture, Pictures, Question};
    use crate::website::pages::{Pages, Topic};

    #[test]
    fn every_page_that_is_drawn_has_a_template_without_a_place_left() {
        let school = PublicSchool::new(&config::School::default(), date(2026, 11, 24));
        let pages = Pages::load().unwrap();
        let templates = Templates::load().unwrap();
        let sent = pages.at("/contact", Some("sent"));
        let own = OwnTexts {
            refunds: Some("All of it.".into()),
            how_to_pay: Some("By e-Transfer.".into()),
            ..OwnTexts::default()
        };
        let texts = texts::in_force(&config::Config::default(), &config::School::default(), &own, |_| None);
        let courses = [course("MCR3U", ""), course("MHF4U", "MCR3U*")];
        let details = || OneCourse::Offered(CourseDetails::new(&courses[1], &courses).into());
        let archived = || OneCourse::Archived(ArchivedCourse::new(&course("SPH4U", ""), &courses));
        let code = || courses[1].code.clone();
        let of = |topic| Page { topic, ..pages.at("/courses/MHF4U", None) };
        let mut all: Vec<_> = pages
            .public()
            .chain([sent, Page::NOT_FOUND, pages.at("/courses/x", None)])
            .map(|page| (page, None))
            .collect();
        all.push((of(Topic::Course(code())), Some(details())));
        all.push((of(Topic::Archived(code())), Some(archived())));
        let portals = pages.all().filter(|page| !page.is_public()).cloned();
        let forms = ["tab=register", "verified=true"].map(|query| pages.at("/student/auth", Some(query)));
        all.extend(portals.chain(forms).map(|page| (page, None)));
        for (page, course) in all {
            let content = PageContent {
                catalogue: None,
                courses: &courses,
                course,
                text: texts.iter().map(|text| &**text).find(|text| text.in_force.url == page.path),
            };
            let filled = templates.fill(&page, &school, &content, &Variant::default(), None).unwrap();
            assert!(filled.contains("<h1") && filled.contains("data-drawn"), "{page:?}");
            assert!(!filled.contains("{{") && !filled.contains("{%"), "{page:?}");
            // The office's ways into an account have no header around them.
            assert!(filled.contains(&school.name) || page.portal().is_some(), "{page:?}");
        }
    }

    #[test]
    fn published_settings_appear_in_the_pages() {
        let picture = |name: &str| Picture {
            src: format!("/pictures/{name}-960.jpg"),
            srcset: format!("/pictures/{name}-480.jpg 480w, /pictures/{name}-960.jpg 960w"),
            width: 960,
            height: 640,
            alt: format!("The {name}, \"ours\""),
        };
        let mut school = PublicSchool::new(&config::School::default(), date(2026, 11, 24));
        let pages = Pages::load().unwrap();
        let templates = Templates::load().unwrap();
        let content = PageContent::default();
        let fill = |address, school: &PublicSchool| {
            let page = pages.at(address, None);
            let filled = templates.fill(&page, school, &content, &Variant::default(), None).unwrap();
            filled.replace("&#x2f;", "/")
        };
        let bare = fill("/", &school);
        assert!(bare.contains("class=\"seal") && !bare.contains("<img") && !bare.contains("<details"));
        assert!(bare.contains("class=\"lesson"), "{bare}");

        let question = Question { question: "Why <b>?".into(), answer: "So & so.".into() };
        school.questions = vec![question];
        school.pictures = Pictures {
            hero: Some(picture("house")),
            campus: vec![picture("library"), picture("garden")],
            people: vec![Person {
                name: "Margaret O’Hara".into(),
                role: "Principal".into(),
                picture: picture("desk"),
            }],
        };
        let home = fill("/", &school);
        assert!(!home.contains("class=\"seal") && !home.contains("class=\"lesson"));
        assert!(home.contains("<img src=\"/pictures/house-960.jpg\""), "{home}");
        assert!(home.contains("480w, /pictures/house-960.jpg 960w\"") && home.contains("height=\"640\""));
        assert_eq!(home.matches("<img ").count(), 3);
        assert!(home.contains("alt=\"The garden, &quot;ours&quot;\""));
        assert!(home.contains("<summary><span>Why &lt;b&gt;?") && home.contains(">So &amp; so.</p>"));
        let about = fill("/about", &school);
        assert!(about.contains("/pictures/desk-960.jpg") && about.contains("Margaret O’Hara"));
    }
}
