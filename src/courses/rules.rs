//! Validation of courses (section 5 of the specification, "Course form").
//!
//! The form's endpoints and the import share these rules; each message stands here once. A form and a
//! sheet row both become a [`CourseInput`], which becomes a [`NewCourse`] or a [`CourseUpdate`].
//! Absent on purpose: the Ministry's code grammar, which the form's own 2 to 10 characters do not
//! follow; it may warn, but never refuse.

use super::Course;
use super::subjects::Subject;
use super::values::{CourseCode, CourseType, Credits, Grade};
use crate::base::error::FieldErrors;
use crate::base::money::Money;
use crate::web::form::{Field, form};
use crate::web::price::{self, PriceInput};

form! {
    /// The fields of the course form, unchecked. Create needs the first five; update takes what is sent.
    pub struct CourseInput {
        /// 2 to 10 letters, digits and hyphens; stored in upper case.
        #[schema(example = "ENG4U", required = false)]
        pub code: String,
        /// 3 to 200 characters.
        #[schema(required = false)]
        pub name: String,
        /// 10 to 5000 characters.
        #[schema(required = false)]
        pub description: String,
        /// 9 to 12.
        #[schema(required = false)]
        pub grade: Grade,
        /// One of the seven course types.
        #[schema(required = false)]
        pub course_type: CourseType,
        /// Whether it is compulsory for the diploma; default false.
        #[schema(required = false)]
        pub is_compulsory: bool,
        /// A course code or a sentence; null or empty is none.
        pub prerequisite: Option<String>,
        /// Dollars with at most two decimals, as a number or a text; null or empty is none.
        #[schema(value_type = Option<PriceInput>)]
        pub price: Option<Money>,
        /// More than 0 and at most 4, with at most two decimals; 1 unless sent.
        #[schema(required = false)]
        pub credits: f64,
        /// Capacity: 1 to 10,000; null means unlimited.
        pub capacity: Option<i64>,
        /// Whether it accepts requests; default true.
        #[schema(required = false)]
        pub is_open: bool,
    }
}

/// A course that meets every rule, before it has a number.
#[derive(Debug, Clone, PartialEq)]
pub struct NewCourse {
    /// Course code.
    pub code: CourseCode,
    /// Name.
    pub name: String,
    /// Description.
    pub description: String,
    /// 9 to 12.
    pub grade: Grade,
    /// Course type.
    pub course_type: CourseType,
    /// What may be left out.
    pub optional: OptionalFields,
}

/// The fields that were sent for a course that exists, each meeting its rule.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CourseUpdate {
    code: Option<CourseCode>,
    name: Option<String>,
    description: Option<String>,
    grade: Option<Grade>,
    course_type: Option<CourseType>,
    optional: OptionalFields,
}

/// The fields that may be left out: `None` is "not sent", `Some(None)` is "cleared".
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::option_option, reason = "not sent, cleared and set are three things")]
pub struct OptionalFields {
    /// Whether it is compulsory for the diploma.
    pub is_compulsory: Option<bool>,
    /// A course code or a sentence.
    pub prerequisite: Option<Option<String>>,
    /// Price.
    pub price: Option<Option<Money>>,
    /// Credits.
    pub credits: Option<Credits>,
    /// Capacity.
    pub capacity: Option<Option<i64>>,
    /// Whether it accepts requests.
    pub is_open: Option<bool>,
}

impl NewCourse {
    /// Checks every field of a whole course.
    ///
    /// # Errors
    /// All field errors at once.
    pub fn parse(input: &CourseInput) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let code = errors.take("code", CourseCode::parse(&input.code));
        let name = errors.take("name", name(&input.name));
        let description = errors.take("description", description(&input.description));
        let grade = errors.take("grade", Grade::parse(&input.grade));
        let course_type = errors.take("courseType", CourseType::read(&input.course_type));
        let optional = OptionalFields::parse(input, &mut errors);
        let (Some(code), Some(name), Some(description), Some(grade), Some(course_type), Some(optional)) =
            (code, name, description, grade, course_type, optional)
        else {
            return Err(errors);
        };
        Ok(Self { code, name, description, grade, course_type, optional })
    }
}

impl CourseUpdate {
    /// Checks the fields that were sent.
    ///
    /// # Errors
    /// All field errors at once.
    pub fn parse(input: &CourseInput) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let code = sent(&input.code, "code", CourseCode::parse, &mut errors);
        let name = sent(&input.name, "name", name, &mut errors);
        let description = sent(&input.description, "description", description, &mut errors);
        let grade = sent(&input.grade, "grade", Grade::parse, &mut errors);
        let course_type = sent(&input.course_type, "courseType", CourseType::read, &mut errors);
        let optional = OptionalFields::parse(input, &mut errors);
        match optional {
            Some(optional) if errors.iter().next().is_none() => {
                Ok(Self { code, name, description, grade, course_type, optional })
            }
            _ => Err(errors),
        }
    }

    /// The course as it is after the update.
    pub fn applied_to(self, course: &Course) -> Course {
        let Self { code, name, description, grade, course_type, optional } = self;
        let before = course.clone();
        let code = code.unwrap_or(before.code);
        let course_type = course_type.unwrap_or(before.course_type);
        Course {
            id: before.id,
            subject: Subject::of(&code),
            level: course_type.level(&code),
            code,
            name: name.unwrap_or(before.name),
            description: description.unwrap_or(before.description),
            prerequisite: optional.prerequisite.unwrap_or(before.prerequisite),
            course_type,
            is_compulsory: optional.is_compulsory.unwrap_or(before.is_compulsory),
            grade: grade.unwrap_or(before.grade),
            price: optional.price.unwrap_or(before.price),
            credits: optional.credits.unwrap_or(before.credits),
            is_open: optional.is_open.unwrap_or(before.is_open),
            capacity: optional.capacity.unwrap_or(before.capacity),
            archived_at: before.archived_at,
        }
    }
}

impl From<NewCourse> for CourseUpdate {
    fn from(new: NewCourse) -> Self {
        Self {
            code: Some(new.code),
            name: Some(new.name),
            description: Some(new.description),
            grade: Some(new.grade),
            course_type: Some(new.course_type),
            optional: new.optional,
        }
    }
}

impl OptionalFields {
    /// Returns none when one of them breaks its rule.
    fn parse(input: &CourseInput, errors: &mut FieldErrors) -> Option<Self> {
        let prerequisite = errors.take("prerequisite", prerequisite(&input.prerequisite));
        let price = errors.take("price", price::optional(&input.price));
        let is_compulsory = errors.take("isCompulsory", yes_or_no(&input.is_compulsory, false));
        let credits = errors.take("credits", Credits::parse(&input.credits));
        let capacity = errors.take("capacity", capacity(&input.capacity));
        let is_open = errors.take("isOpen", yes_or_no(&input.is_open, true));
        Some(Self {
            is_compulsory: Some(is_compulsory?).filter(|_| input.is_compulsory.is_sent()),
            prerequisite: Some(prerequisite?).filter(|_| input.prerequisite.is_sent()),
            price: Some(price?).filter(|_| input.price.is_sent()),
            credits: Some(credits?).filter(|_| input.credits.is_sent()),
            capacity: Some(capacity?).filter(|_| input.capacity.is_sent()),
            is_open: Some(is_open?).filter(|_| input.is_open.is_sent()),
        })
    }
}

fn sent<F, T>(
    field: &Field<F>,
    name: &'static str,
    rule: impl Fn(&Field<F>) -> Result<T, String>,
    errors: &mut FieldErrors,
) -> Option<T> {
    field.is_sent().then(|| errors.take(name, rule(field))).flatten()
}

fn name(field: &Field<String>) -> Result<String, String> {
    // One line: a name stands in headings, lists and the subjects of emails.
    let words: Vec<&str> = field.text().split_whitespace().collect();
    Field::Value(words.join(" ")).between(3, 200, "Course name must be at least 3 characters")
}

fn description(field: &Field<String>) -> Result<String, String> {
    let text = field.between(10, 5000, "Description must be at least 10 characters")?;
    Ok(text.replace("\r\n", "\n"))
}

fn yes_or_no(field: &Field<bool>, usual: bool) -> Result<bool, String> {
    match field {
        Field::Absent | Field::Null => Ok(usual),
        Field::Value(value) => Ok(*value),
        Field::Wrong => Err("Must be true or false".into()),
    }
}

/// A text that is nothing but a code is written like one; anything else stays as it was typed.
fn prerequisite(field: &Field<String>) -> Result<Option<String>, String> {
    let is_code = |text: &str| {
        (5..=6).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && text.bytes().any(|byte| byte.is_ascii_digit())
    };
    let text = field.optional(200)?;
    Ok(text.map(|text| if is_code(&text) { text.to_ascii_uppercase() } else { text }))
}

fn capacity(field: &Field<i64>) -> Result<Option<i64>, String> {
    match field {
        Field::Absent | Field::Null => Ok(None),
        Field::Value(seats) if (1..=10_000).contains(seats) => Ok(Some(*seats)),
        Field::Value(_) | Field::Wrong => {
            Err("Seats must be a whole number from 1 to 10,000, or empty for no limit".into())
        }
    }
}

#[cfg(test)]
mod tests;
