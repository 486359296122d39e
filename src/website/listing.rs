//! Listing of one grade of the catalogue by subject, filtered by search words and course type.
//!
//! Must match `ui/src/courses/listing.ts`, as the interface hydrates the page rendered from this.

use std::borrow::Cow;

use serde::Serialize;

use super::pages::{CATALOGUE, CourseFilter};
use crate::base::closed_set::ClosedSet as _;
use crate::courses::Course;
use crate::courses::details::prerequisite_text;
use crate::courses::subjects::Subject;
use crate::courses::values::{CourseCode, CourseLevel, CourseType, Credits, Grade};
use crate::storage::search::Terms;

/// A course card.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CourseCard<'a> {
    code: &'a CourseCode,
    name: &'a str,
    description: &'a str,
    prerequisite: &'a str,
    course_type: CourseType,
    level: CourseLevel,
    is_compulsory: bool,
    grade: Grade,
    credits: Credits,
}

/// The displayed courses of a grade.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Listing<'a> {
    subjects: Vec<CourseGroup<'a>>,
    /// Matches in the other grades, by grade; empty if this one has any.
    elsewhere: Vec<CourseGroup<'a>>,
    /// Filters by course type; empty if there is only one.
    levels: Vec<LevelGroup>,
    /// Number of courses of the grade, unfiltered.
    total: usize,
    count: String,
    /// Matches in each grade, if filtered.
    found: Option<[usize; 4]>,
    /// Query suffix of the other grades' URLs.
    rest: String,
    words: &'a str,
    level: Option<CourseType>,
}

#[derive(Debug, Serialize)]
struct CourseGroup<'a> {
    name: Cow<'static, str>,
    anchor: String,
    courses: Vec<CourseCard<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LevelGroup {
    /// Empty for all types.
    letter: &'static str,
    name: &'static str,
    count: usize,
    href: String,
    /// A string for the attribute, as minijinja renders booleans as `True`.
    is_chosen: &'static str,
}

impl<'a> CourseCard<'a> {
    /// A course.
    pub fn new(course: &'a Course) -> Self {
        Self {
            code: &course.code,
            name: &course.name,
            description: &course.description,
            prerequisite: prerequisite_text(course),
            course_type: course.course_type,
            level: course.level,
            is_compulsory: course.is_compulsory,
            grade: course.grade,
            credits: course.credits,
        }
    }
}

impl<'a> Listing<'a> {
    /// Filters the courses of a grade.
    pub fn new(courses: &'a [Course], grade: u8, filter: &'a CourseFilter) -> Self {
        let terms = Terms::new(&filter.words);
        let has_words = |course: &&Course| terms.are_in(&format!("{} {}", course.code, course.name));
        let is_of_level = |course: &&Course| filter.level.is_none_or(|level| course.course_type == level);
        let all: Vec<_> = courses.iter().filter(|course| course.grade == grade).collect();
        let with_words: Vec<_> = all.iter().copied().filter(has_words).collect();
        let shown: Vec<_> = with_words.iter().copied().filter(is_of_level).collect();
        let in_grade = |each: Grade| {
            let of_grade = courses.iter().filter(move |course| course.grade == each);
            of_grade.filter(has_words).filter(is_of_level)
        };
        let group = |each: Grade| CourseGroup {
            name: format!("Grade {}", each.number()).into(),
            anchor: format!("grade-{}", each.number()),
            courses: in_grade(each).map(CourseCard::new).collect(),
        };
        let others = Grade::ALL.into_iter().filter(|_| shown.is_empty()).map(group);
        let rest = rest(filter.level, &filter.words);
        Self {
            subjects: by_subject(&shown),
            elsewhere: others.filter(|group| !group.courses.is_empty()).collect(),
            levels: levels(&with_words, grade, filter),
            total: all.len(),
            count: count_text(shown.len(), all.len()),
            found: (!filter.is_empty()).then(|| Grade::ALL.map(|each| in_grade(each).count())),
            rest,
            words: &filter.words,
            level: filter.level,
        }
    }
}

fn by_subject<'a>(courses: &[&'a Course]) -> Vec<CourseGroup<'a>> {
    let of = |subject: &Subject| {
        let courses = courses.iter().filter(|course| course.subject == *subject);
        CourseGroup {
            name: subject.as_str().into(),
            anchor: subject.anchor(),
            courses: courses.map(|each| CourseCard::new(each)).collect(),
        }
    };
    Subject::ALL.iter().map(of).filter(|subject| !subject.courses.is_empty()).collect()
}

fn levels(courses: &[&Course], grade: u8, filter: &CourseFilter) -> Vec<LevelGroup> {
    let level = |level: Option<CourseType>| {
        let of_level = courses.iter().filter(|course| level.is_none_or(|level| course.course_type == level));
        LevelGroup {
            letter: level.map_or("", |level| level.usual_level().as_str()),
            name: level.map_or("All levels", |level| level.as_str()),
            count: of_level.count(),
            href: href(grade, level, &filter.words),
            is_chosen: if level == filter.level { "true" } else { "false" },
        }
    };
    let each = CourseType::ALL.iter().map(|each| level(Some(*each)));
    let some: Vec<_> = each.filter(|level| level.count > 0 || level.is_chosen == "true").collect();
    if some.len() < 2 && filter.level.is_none() {
        return Vec::new();
    }
    std::iter::once(level(None)).chain(some).collect()
}

fn href(grade: u8, level: Option<CourseType>, words: &str) -> String {
    format!("{CATALOGUE}?grade={grade}{}", rest(level, words))
}

fn rest(level: Option<CourseType>, words: &str) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(level.map(|level| ("level", level.as_str())));
    query.extend_pairs(Some(("q", words)).filter(|(_, words)| !words.is_empty()));
    let query = query.finish();
    if query.is_empty() { query } else { format!("&{query}") }
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
    fn an_address_names_what_narrows_the_courses() {
        assert_eq!(href(9, None, ""), "/courses?grade=9");
        assert_eq!(
            href(12, Some(CourseType::UniversityCollege), "a b&é"),
            "/courses?grade=12&level=University%2FCollege&q=a+b%26%C3%A9"
        );
    }
}
