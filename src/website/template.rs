//! The public pages as the build drew them, filled with the school's facts and the catalogue.
//!
//! `ui/src/templates.tsx` draws them with the components that a browser runs, with places for what only a
//! running server knows; the interface then takes over what was sent without changing it. Whatever is
//! filled in here is therefore what those components would show: `ui/e2e/school/drawn.spec.ts`.

use anyhow::Context as _;
use maud::Markup;
use minijinja::{AutoEscape, Environment, Value};
use serde::Serialize;

use super::files;
use super::pages::Page;
use crate::courses::Course;
use crate::courses::values::{CourseCode, CourseType, Credits, Grade};
use crate::school::PublicSchool;
use crate::storage::search::Terms;

/// What the places of the templates stand for.
#[derive(Serialize)]
struct Facts<'a> {
    school: &'a PublicSchool,
    /// What the page shows: of a grade, those that the filter leaves.
    courses: Vec<Card<'a>>,
    /// Courses of the grade, whatever the filter.
    total: usize,
    count: String,
    filter: &'a str,
    /// In place of the page's form, when a browser without scripts sent it and it was refused.
    form: Option<Value>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Card<'a> {
    code: &'a CourseCode,
    name: &'a str,
    description: &'a str,
    prerequisite: &'a str,
    course_type: CourseType,
    is_compulsory: bool,
    grade: Grade,
    credits: Credits,
}

/// A drawn page with its facts. `filter` is what the catalogue's courses must hold, and `form` stands in place of
/// the page's own.
pub fn fill(
    page: Page,
    school: &PublicSchool,
    courses: &[Course],
    filter: &str,
    form: Option<Markup>,
) -> anyhow::Result<String> {
    let name = page.template();
    let template = files::template(&name).with_context(|| format!("the embedded templates/{name}.html"))?;
    let (shown, total) = match page.path {
        "/" => (featured(courses), courses.len()),
        "/courses" => of_grade(courses, page.grade.unwrap_or(9), filter),
        _ => (Vec::new(), 0),
    };
    let count = count_text(shown.len(), total);
    let form = form.map(|form| Value::from_safe_string(form.into_string()));
    let cards = shown.into_iter().map(card).collect();
    let facts = Facts { school, courses: cards, total, count, filter, form };
    let mut environment = Environment::empty();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.render_str(&template, facts).with_context(|| format!("templates/{name}.html"))
}

fn card(course: &Course) -> Card<'_> {
    Card {
        code: &course.code,
        name: &course.name,
        description: &course.description,
        prerequisite: prerequisite_text(course),
        course_type: course.course_type,
        is_compulsory: course.is_compulsory,
        grade: course.grade,
        credits: course.credits,
    }
}

/// Specification, section 2: the first compulsory grade 9 and grade 10 course, and ENG4U. As
/// `ui/src/courses/catalogue.ts`, like the two rules below.
pub fn featured(courses: &[Course]) -> Vec<&Course> {
    let compulsory =
        |grade: u8| courses.iter().find(move |course| course.grade == grade && course.is_compulsory);
    let english = courses.iter().find(|course| course.grade == 12 && course.code.to_string() == "ENG4U");
    [compulsory(9), compulsory(10), english].into_iter().flatten().collect()
}

fn of_grade<'a>(courses: &'a [Course], grade: u8, filter: &str) -> (Vec<&'a Course>, usize) {
    let all: Vec<_> = courses.iter().filter(|course| course.grade == grade).collect();
    let (terms, total) = (Terms::new(filter), all.len());
    let is_shown = |course: &&Course| terms.are_in(&format!("{} {}", course.code, course.name));
    (all.into_iter().filter(is_shown).collect(), total)
}

fn prerequisite_text(course: &Course) -> &str {
    match course.prerequisite.as_deref().filter(|text| !text.is_empty()) {
        Some(text) => text,
        None if has_entry_rule(&course.description.to_lowercase()) => "See description",
        None => "None",
    }
}

/// Entry rules that are no course code stand in the description; "None" would contradict it.
fn has_entry_rule(description: &str) -> bool {
    let is_word = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
    description.match_indices("entry ").any(|(at, entry)| {
        let (before, after) = (&description[..at], &description[at + entry.len()..]);
        let is_verb = |verb| after.strip_prefix(verb).is_some_and(|rest| !rest.starts_with(is_word));
        !before.ends_with(is_word) && ["requires", "expects", "depends"].into_iter().any(is_verb)
    })
}

fn count_text(shown: usize, total: usize) -> String {
    match (shown, total) {
        (1, 1) => "1 course".into(),
        _ if shown == total => format!("{total} courses"),
        _ => format!("{shown} of {total} courses"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config;
    use crate::website::pages::Pages;

    #[test]
    fn an_entry_rule_in_the_description_is_pointed_at() {
        for (description, expected) in [
            ("Entry requires an audition.", true),
            ("For some, entry expects a portfolio.", true),
            ("Entry depends on a test", true),
            ("Reentry requires nothing.", false),
            ("Entry requirements are none.", false),
            ("Its entry is open.", false),
            ("", false),
        ] {
            assert_eq!(has_entry_rule(&description.to_lowercase()), expected, "{description}");
        }
    }

    #[test]
    fn courses_are_counted_as_the_interface_counts_them() {
        for (shown, total, expected) in [
            (0, 0, "0 courses"),
            (1, 1, "1 course"),
            (5, 5, "5 courses"),
            (1, 5, "1 of 5 courses"),
            (0, 5, "0 of 5 courses"),
        ] {
            assert_eq!(count_text(shown, total), expected);
        }
    }

    #[test]
    fn every_page_that_is_drawn_has_a_template_without_a_place_left() {
        let school = PublicSchool::new(&config::School::default(), 2026);
        let pages = Pages::load().unwrap();
        let sent = pages.at("/contact", Some("sent"));
        for page in pages.public().chain([sent, Page::NOT_FOUND]) {
            let filled = fill(page, &school, &[], "", None).unwrap();
            assert!(filled.contains("<h1>") && filled.contains("data-drawn"), "{page:?}");
            assert!(
                filled.contains(&school.name) && !filled.contains("{{") && !filled.contains("{%"),
                "{page:?}"
            );
        }
    }
}
