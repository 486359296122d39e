//! Details of a course: its code explained, its prerequisites and successors.
//!
//! Codes in a prerequisite lead to the courses that are offered; everything else is shown as it stands, for the
//! office to judge. A course is known by the first five characters of its code.

use serde::Serialize;
use utoipa::ToSchema;

use super::Course;
use super::prerequisites::{CodePattern, REPLACED, named};
use super::subjects::Subject;
use super::values::{CourseCode, CourseLevel, CourseType, Grade};
use crate::base::closed_set::ClosedSet as _;
use crate::terms::PublicSection;

/// A course with what leads to it and where it leads.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CourseDetails {
    /// As the catalogue lists it.
    #[serde(flatten)]
    pub course: Course,
    /// What the course prepares for, in words.
    pub level_name: &'static str,
    /// Hours of instruction.
    pub hours: i64,
    /// `$549.00`; null while no price is set.
    #[schema(required)]
    pub price_text: Option<String>,
    /// The code letter by letter; empty for one of the school's own.
    pub code_parts: Vec<CodePart>,
    /// What has to come before.
    pub prerequisites: Prerequisites,
    /// The courses by which one usually gets here, the first one first; the direct prerequisite is the last.
    pub usual_way: Vec<CourseLink>,
    /// The courses that ask for this one.
    pub leads_to: Vec<CourseLink>,
    /// Open sections, by their first days.
    pub sections: Vec<PublicSection>,
}

/// Some characters of a code, and what they say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct CodePart {
    /// One or two characters.
    pub characters: String,
    /// What is said there.
    pub meaning: &'static str,
    /// What they say.
    pub value: String,
}

/// What has to come before a course.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Prerequisites {
    /// A sentence.
    pub words: String,
    /// The courses that it is about.
    pub items: Vec<PrerequisiteItem>,
}

/// A course that has to come before another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct PrerequisiteItem {
    /// Its code, as the prerequisite names it.
    pub code: String,
    /// The course, where it or its successor is offered.
    #[schema(required)]
    pub course: Option<CourseLink>,
    /// A sentence about it.
    #[schema(required)]
    pub note: Option<String>,
}

/// Enough of a course to lead there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CourseLink {
    /// Code.
    pub code: CourseCode,
    /// Name.
    pub name: String,
    /// Grade.
    pub grade: Grade,
    /// Course type.
    pub course_type: CourseType,
    /// The letter of the course type.
    pub level: CourseLevel,
}

/// A course that is no longer offered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ArchivedCourse {
    /// Its code.
    pub code: CourseCode,
    /// Its name.
    pub name: String,
    /// Its grade.
    pub grade: Grade,
    /// What the courses below are to it.
    pub advice: &'static str,
    /// Its successor, or what is offered near it.
    pub successors: Vec<CourseLink>,
}

/// Response for a course that is no longer offered.
#[derive(Debug, Serialize, ToSchema)]
pub struct ArchivedAnswer {
    /// A sentence.
    message: &'static str,
    /// The archived course.
    current: ArchivedCourse,
}

impl From<ArchivedCourse> for ArchivedAnswer {
    fn from(current: ArchivedCourse) -> Self {
        Self { message: "This course is no longer offered.", current }
    }
}

/// Maximum length of the path to a course: grades 9 to 12, twice.
const LONGEST_WAY: usize = 8;

/// Maximum substitutes for a course without a successor.
const MAX_SUBSTITUTES: usize = 6;

impl CourseDetails {
    /// A course among those that are offered.
    pub fn new(course: &Course, offered: &[Course]) -> Self {
        Self {
            level_name: course.level.label(),
            hours: course.credits.hours(),
            price_text: course.price.map(|price| price.to_string()),
            code_parts: code_parts(course),
            prerequisites: prerequisites(course, offered),
            usual_way: usual_way(course, offered).into_iter().map(CourseLink::new).collect(),
            leads_to: leads_to(course, offered),
            course: course.clone(),
            sections: Vec::new(),
        }
    }

    /// The same for a page that shows no fee.
    pub fn without_price(self) -> Self {
        let sections = self.sections.into_iter().map(|section| section.with_price(None)).collect();
        Self { price_text: None, course: Course { price: None, ..self.course }, sections, ..self }
    }
}

impl CourseLink {
    fn new(course: &Course) -> Self {
        let Course { code, name, grade, course_type, level, .. } = course;
        Self {
            code: code.clone(),
            name: name.clone(),
            grade: *grade,
            course_type: *course_type,
            level: *level,
        }
    }
}

impl ArchivedCourse {
    /// A course that is archived, with what is offered: what takes its place by the ministry or by its code, else
    /// other courses of its subject and grade, the nearest first.
    pub fn new(course: &Course, offered: &[Course]) -> Self {
        let Course { code, name, grade, subject, course_type, .. } = course;
        let replacement = successor(code.stem(), offered).or_else(|| with_stem(code.stem(), offered));
        let (advice, courses) = match replacement {
            Some(replacement) => ("What to Take Instead", vec![replacement]),
            None => {
                let is_near = |other: &&Course| *subject != Subject::Other && other.subject == *subject;
                let mut near: Vec<_> =
                    offered.iter().filter(is_near).filter(|other| other.grade == *grade).collect();
                let start = |code: &CourseCode| code.as_str().get(..4).map(str::to_owned);
                near.sort_by_key(|other| {
                    (other.course_type != *course_type, start(&other.code) != start(code))
                });
                near.truncate(MAX_SUBSTITUTES);
                ("Other Courses of the Subject", near)
            }
        };
        Self {
            code: code.clone(),
            name: name.clone(),
            grade: *grade,
            advice,
            successors: courses.into_iter().map(CourseLink::new).collect(),
        }
    }
}

/// Prerequisite text for a catalogue card. "See description" if the only
/// requirement is not a course but text in the description. Same rule as `ui/src/courses/catalogue.ts`.
pub fn prerequisite_text(course: &Course) -> &str {
    match course.prerequisite.as_deref().filter(|text| !text.is_empty()) {
        Some(text) => text,
        None if has_entry_rule(&course.description.to_lowercase()) => "See description",
        None => "None",
    }
}

fn has_entry_rule(description: &str) -> bool {
    let is_word = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
    description.match_indices("entry ").any(|(at, entry)| {
        let before = &description[..at];
        let after = &description[at + entry.len()..];
        let is_verb = |verb| after.strip_prefix(verb).is_some_and(|rest| !rest.starts_with(is_word));
        !before.ends_with(is_word) && ["requires", "expects", "depends"].into_iter().any(is_verb)
    })
}

/// As the specification reads SCH4U (section 3): SC, H, 4 and U.
fn code_parts(course: &Course) -> Vec<CodePart> {
    let Some(parts) = course.code.parts() else { return Vec::new() };
    let part =
        |characters: &str, meaning, value: String| CodePart { characters: characters.into(), meaning, value };
    let (meaning, value) = match parts.grade {
        "1" => ("Grade", "Grade 9".to_owned()),
        "2" => ("Grade", "Grade 10".to_owned()),
        "3" => ("Grade", "Grade 11".to_owned()),
        "4" => ("Grade", "Grade 12".to_owned()),
        level => ("Language level", format!("Level {level}, of A to E")),
    };
    let level = CourseLevel::parse(parts.level).unwrap_or(course.level).label().to_owned();
    let mut all = vec![
        part(parts.subject, "Subject", course.subject.as_str().into()),
        part(parts.category, "Sub-category", course.name.clone()),
        part(parts.grade, meaning, value),
        part(parts.level, "Level", level),
    ];
    if !parts.own.is_empty() {
        all.push(part(parts.own, "Version", "The school’s own".into()));
    }
    all
}

fn prerequisites(course: &Course, offered: &[Course]) -> Prerequisites {
    let (named, rest) = named(course.prerequisite.as_deref().unwrap_or_default());
    let joins: Vec<_> = rest.split_whitespace().collect();
    let all_are = |word: &str| joins.len() + 1 == named.len() && joins.iter().all(|join| *join == word);
    let words = match prerequisite_text(course) {
        "None" => "No other course has to come first.".into(),
        "See description" => "The description says what this course asks for.".into(),
        _ if named.len() == 1 && joins.is_empty() => "You need a credit in this course.".into(),
        _ if all_are("or") => "You need a credit in one of these courses.".into(),
        _ if all_are("and") => "You need a credit in each of these courses.".into(),
        text => format!("It asks for: {}", text.trim_end_matches('.')) + ".",
    };
    let mut items: Vec<PrerequisiteItem> = Vec::new();
    for each in &named {
        if items.iter().all(|item| item.code != each.code.as_str()) {
            items.push(item(each, course, offered));
        }
    }
    Prerequisites { words, items }
}

fn item(named: &CodePattern, of: &Course, offered: &[Course]) -> PrerequisiteItem {
    let before = lookup(&named.code, of, offered);
    let mut notes = Vec::new();
    if named.is_concurrent {
        notes.push("It may be taken at the same time.".to_owned());
    }
    match before {
        Some(before) if before.code.stem() == named.code.stem() => {}
        Some(_) => notes.push(format!("It has taken the place of {}.", named.code)),
        None => notes.push("It is not taught here: a credit from another school counts.".into()),
    }
    PrerequisiteItem {
        code: named.code.to_string(),
        course: before.map(CourseLink::new),
        note: Some(notes.join(" ")).filter(|note| !note.is_empty()),
    }
}

/// The course that a prerequisite of another one names, or its successor.
fn lookup<'a>(code: &CourseCode, of: &Course, offered: &'a [Course]) -> Option<&'a Course> {
    let is_other = |course: &&Course| course.id != of.id;
    with_stem(code.stem(), offered)
        .filter(is_other)
        .or_else(|| successor(code.stem(), offered).filter(is_other))
}

fn with_stem<'a>(stem: &str, offered: &'a [Course]) -> Option<&'a Course> {
    let exact = offered.iter().find(|course| course.code.as_str() == stem);
    exact.or_else(|| offered.iter().find(|course| course.code.stem() == stem))
}

fn successor<'a>(stem: &str, offered: &'a [Course]) -> Option<&'a Course> {
    let (_, new) = REPLACED.iter().find(|(old, _)| *old == stem)?;
    with_stem(new, offered)
}

/// The courses that come before one, from the first on: of several, the one that is named first.
fn usual_way<'a>(course: &'a Course, offered: &'a [Course]) -> Vec<&'a Course> {
    let mut way: Vec<&Course> = Vec::new();
    let mut last = course;
    while way.len() < LONGEST_WAY {
        let (named, _) = named(last.prerequisite.as_deref().unwrap_or_default());
        let is_new = |before: &&Course| before.id != course.id && way.iter().all(|one| one.id != before.id);
        let before = named.iter().find_map(|each| lookup(&each.code, last, offered).filter(is_new));
        let Some(before) = before else { break };
        way.push(before);
        last = before;
    }
    way.reverse();
    way
}

fn leads_to(course: &Course, offered: &[Course]) -> Vec<CourseLink> {
    let stem = course.code.stem();
    let is_this = |code: &CourseCode| {
        code.stem() == stem || REPLACED.iter().any(|(old, new)| *old == code.stem() && *new == stem)
    };
    let asks = |other: &&Course| {
        let (named, _) = named(other.prerequisite.as_deref().unwrap_or_default());
        other.id != course.id && named.iter().any(|each| is_this(&each.code))
    };
    offered.iter().filter(asks).map(CourseLink::new).collect()
}

#[cfg(test)]
pub mod tests;
