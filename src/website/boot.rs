//! Initial data in a page, which saves the interface its first requests.

use maud::{PreEscaped, html};
use serde::Serialize;

use super::content::{OneCourse, PageContent};
use super::pages::{CATALOGUE, Page};
use super::template::featured;
use crate::base::error::{Error, Result};
use crate::courses::{CatalogueCourse, Course};
use crate::school::PublicSchool;
use crate::school::texts::SchoolText;

#[derive(Serialize)]
struct Boot<'a> {
    school: &'a PublicSchool,
    #[serde(skip_serializing_if = "Option::is_none")]
    courses: Option<Vec<CatalogueCourse>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    featured: Option<Featured>,
    #[serde(skip_serializing_if = "Option::is_none")]
    course: Option<&'a OneCourse>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a SchoolText>,
}

/// The featured courses, and the number of all courses.
#[derive(Serialize)]
struct Featured {
    courses: Vec<CatalogueCourse>,
    total: usize,
}

/// The data block of a page.
pub fn boot(page: &Page, school: &PublicSchool, content: &PageContent<'_>) -> Result<String> {
    let shown = |course: &Course| {
        let course = Course { price: course.price.filter(|_| school.show_fees), ..course.clone() };
        let has_sections =
            content.catalogue.is_some_and(|catalogue| catalogue.sections.contains_key(&course.id));
        CatalogueCourse { course, has_sections }
    };
    let boot = Boot {
        school,
        courses: (page.path == CATALOGUE).then(|| content.courses.iter().map(shown).collect()),
        featured: (page.path == "/").then(|| Featured {
            courses: featured(content.courses).into_iter().map(shown).collect(),
            total: content.courses.len(),
        }),
        course: content.course.as_ref(),
        text: content.text,
    };
    let json = serde_json::to_string(&boot).map_err(|error| Error::Internal(error.into()))?;
    let data = html! { script type="application/json" id="boot" { (PreEscaped(in_script(&json))) } };
    Ok(data.into_string())
}

/// Escapes JSON so that it cannot end its script element.
pub fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_block_cannot_be_ended_from_inside() {
        assert_eq!(in_script("\"</script><!--\""), "\"\\u003c/script>\\u003c!--\"");
    }
}
