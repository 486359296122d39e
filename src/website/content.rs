//! Catalogue content of a page, looked up once for its head, data and markup.

use serde::Serialize;

use super::pages::{Page, Topic};
use crate::courses::Course;
use crate::courses::catalogue::{CatalogueSnapshot, CodeMatch};
use crate::courses::details::{ArchivedCourse, CourseDetails};
use crate::school::texts::{SchoolText, TextKind};
use crate::settings::site;

/// The courses a page is about.
#[derive(Debug, Default)]
pub struct PageContent<'a> {
    /// What says which courses have sections.
    pub catalogue: Option<&'a CatalogueSnapshot>,
    /// All offered courses.
    pub courses: &'a [Course],
    /// The one course of the page.
    pub course: Option<OneCourse>,
    /// The text of the page.
    pub text: Option<&'a SchoolText>,
}

/// The course of a page, as `GET /api/courses/{code}` answers it.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum OneCourse {
    /// Offered.
    Offered(Box<CourseDetails>),
    /// No longer offered.
    Archived(ArchivedCourse),
}

impl<'a> PageContent<'a> {
    /// The content of a page, without free seats, which change more often than a page is drawn; fees only if the school shows them (specification, section 1).
    pub fn of(page: &Page, catalogue: &'a CatalogueSnapshot, site: &'a site::SiteSnapshot) -> Self {
        let courses = &*catalogue.courses;
        let details = |course| {
            let details = CourseDetails::new(course, courses);
            let sections = catalogue.sections(course, &site.school.time_zone.name);
            let details = CourseDetails { sections, ..details };
            if site.school.show_fees { details } else { details.without_price() }
        };
        let course = match &page.topic {
            Topic::Course(code) | Topic::Archived(code) => catalogue.find(code).map(|found| match found {
                CodeMatch::Offered(course) => OneCourse::Offered(details(course).into()),
                CodeMatch::Archived(course) => OneCourse::Archived(ArchivedCourse::new(course, courses)),
            }),
            _ => None,
        };
        let text = TextKind::at(page.path).and_then(|kind| site.text(kind));
        Self { catalogue: Some(catalogue), courses, course, text }
    }
}
