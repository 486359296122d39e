//! The values that a course is made of, each of them right by construction.
//!
//! They travel as they are: the same text or number in the database, on the wire and in a sheet,
//! but for credits, which are whole hundredths in the database.

use std::fmt::{self, Display};

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::{Serialize, Serializer};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::money::{hundredths, serialize_hundredths};
use crate::storage::columns::stored_as_it_is;
use crate::web::form::{Field, read_as};
use crate::web::sheet::{Cell, SheetCell};

/// A course code in upper case, without spaces.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = String)]
pub struct CourseCode(String);

impl CourseCode {
    /// Checks what was sent.
    ///
    /// # Errors
    /// The rule's message.
    pub fn parse(field: &Field<String>) -> Result<Self, String> {
        let code: String = field.text().split_whitespace().collect();
        let code = code.to_ascii_uppercase();
        match code.chars().count() {
            0..2 => return Err("Course code must be at least 2 characters".into()),
            2..=10 => {}
            // The sentence is the specification's; its rule lets exactly 10 pass.
            _ => return Err("Course code must be less than 10 characters".into()),
        }
        let is_well_formed =
            code.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') && !code.starts_with('-');
        if is_well_formed {
            Ok(Self(code))
        } else {
            Err("Course code must contain only letters, digits and hyphens".into())
        }
    }

    /// The code as it is shown.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What it says by the ministry's grammar: three letters, a grade or a level of a language, a letter for
    /// what the course prepares for, and at most one sign of the school's own. None for a code of another form.
    /// Only languages have levels: GRADE and CREDIT are words.
    pub fn parts(&self) -> Option<CodeParts<'_>> {
        let bytes = self.0.as_bytes();
        let is_code = matches!(bytes.len(), 5 | 6)
            && bytes[..3].iter().all(u8::is_ascii_uppercase)
            && match bytes[3] {
                b'1'..=b'4' => bytes[4].is_ascii_uppercase(),
                b'A'..=b'E' => {
                    matches!(bytes[..3], [b'L', ..] | [b'E', b'S' | b'L', b'L' | b'D'])
                        && matches!(bytes[4], b'D' | b'P' | b'O' | b'U' | b'M' | b'C' | b'E')
                }
                _ => false,
            }
            && bytes.get(5).is_none_or(u8::is_ascii_alphanumeric);
        is_code.then(|| CodeParts {
            subject: &self.0[..2],
            category: &self.0[2..3],
            grade: &self.0[3..4],
            level: &self.0[4..5],
            own: &self.0[5..],
        })
    }

    /// The five characters by which prerequisites, repeats and credits know a course; all of a code of another form.
    pub fn stem(&self) -> &str {
        if self.parts().is_some() { &self.0[..5] } else { &self.0 }
    }
}

/// The parts of a course code, in the order in which they stand in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeParts<'a> {
    /// Two letters.
    pub subject: &'a str,
    /// One letter: a course of the subject.
    pub category: &'a str,
    /// `1` to `4` for grades 9 to 12; `A` to `E` for a level of a language.
    pub grade: &'a str,
    /// One letter.
    pub level: &'a str,
    /// Empty, or one sign.
    pub own: &'a str,
}

impl fmt::Display for CourseCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.0)
    }
}

impl ToSql for CourseCode {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.0.to_sql()
    }
}

impl FromSql for CourseCode {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_str().map(|code| Self(code.to_owned()))
    }
}

closed_set! {
    /// What a course prepares for, as section 3 of the specification lists it.
    pub enum CourseType {
        /// Grades 9 and 10, letter D.
        Academic = "Academic",
        /// Grades 9 and 10, letter P.
        Applied = "Applied",
        /// Any grade, letter O; de-streamed courses (W) too.
        Open = "Open",
        /// Letter U.
        University = "University",
        /// Letter M.
        UniversityCollege = "University/College",
        /// Letter C.
        College = "College",
        /// Letter E.
        Workplace = "Workplace",
    }
}

impl CourseType {
    /// Checks what was sent.
    ///
    /// # Errors
    /// The rule's message.
    pub fn read(field: &Field<String>) -> Result<Self, String> {
        field.filled("Course type is required")?.one_of()
    }

    /// The level that most codes have for it.
    pub fn usual_level(self) -> CourseLevel {
        match self {
            Self::Academic => CourseLevel::Academic,
            Self::Applied => CourseLevel::Applied,
            Self::Open => CourseLevel::Open,
            Self::University => CourseLevel::University,
            Self::UniversityCollege => CourseLevel::UniversityCollege,
            Self::College => CourseLevel::College,
            Self::Workplace => CourseLevel::Workplace,
        }
    }

    /// Its level by the code; one of the school's own form, which says none, has a level all the same.
    /// De-streamed courses (W) are entered as Open.
    pub fn level(self, code: &CourseCode) -> CourseLevel {
        let level = code.parts().and_then(|parts| CourseLevel::parse(parts.level));
        match level {
            Some(CourseLevel::DeStreamed) if self == Self::Open => CourseLevel::DeStreamed,
            _ => self.usual_level(),
        }
    }
}

closed_set! {
    /// The letter of a course code that says what the course prepares for, as Ontario's common course codes have it.
    pub enum CourseLevel {
        /// Academic, of grades 9 and 10.
        Academic = "D" => "Academic",
        /// De-streamed, of grade 9.
        DeStreamed = "W" => "De-streamed",
        /// Applied, of grades 9 and 10.
        Applied = "P" => "Applied",
        /// Locally developed, by a school board.
        LocallyDeveloped = "L" => "Locally Developed",
        /// Open, of any grade.
        Open = "O" => "Open",
        /// University preparation, of grades 11 and 12.
        University = "U" => "University Preparation",
        /// Preparation for university or college, of grades 11 and 12.
        UniversityCollege = "M" => "University/College Preparation",
        /// College preparation, of grades 11 and 12.
        College = "C" => "College Preparation",
        /// Workplace preparation, of grades 11 and 12.
        Workplace = "E" => "Workplace Preparation",
    }
}

/// A grade of a secondary school: 9 to 12.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Grade(u8);

read_as!(Grade => f64);
stored_as_it_is!(CourseCode, Grade, Credits);

impl Grade {
    /// Every grade.
    pub const ALL: [Self; 4] = [Self(9), Self(10), Self(11), Self(12)];

    /// 9 to 12.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Checks what was sent.
    ///
    /// # Errors
    /// The rule's message.
    pub fn parse(field: &Field<f64>) -> Result<Self, String> {
        let sent = match field {
            Field::Value(number) => Some(*number),
            Field::Absent | Field::Null | Field::Wrong => None,
        };
        Self::ALL
            .into_iter()
            .find(|grade| Some(f64::from(grade.0)) == sent)
            .ok_or_else(|| "Grade must be a whole number from 9 to 12".into())
    }
}

impl PartialEq<u8> for Grade {
    fn eq(&self, number: &u8) -> bool {
        self.0 == *number
    }
}

impl ToSql for Grade {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.into())
    }
}

impl FromSql for Grade {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let number = value.as_i64()?;
        let known = Self::ALL.into_iter().find(|grade| i64::from(grade.0) == number);
        known.ok_or(FromSqlError::OutOfRange(number))
    }
}

impl PartialSchema for Grade {
    fn schema() -> RefOr<Schema> {
        let numbers = Self::ALL.map(|grade| grade.0);
        let schema = ObjectBuilder::new().schema_type(Type::Integer).enum_values(Some(numbers));
        schema.description(Some("A grade of a secondary school.")).into()
    }
}

impl ToSchema for Grade {}

/// Credit value of a course, in hundredths of a credit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Credits {
    hundredths: i64,
}

impl Default for Credits {
    /// One credit: 110 hours of instruction.
    fn default() -> Self {
        Self { hundredths: 100 }
    }
}

impl Credits {
    /// Checks what was sent.
    ///
    /// # Errors
    /// The rule's message.
    pub fn parse(field: &Field<f64>) -> Result<Self, String> {
        let hundredths = match field {
            Field::Absent | Field::Null => return Ok(Self::default()),
            Field::Value(credits) => hundredths(*credits).ok(),
            Field::Wrong => None,
        };
        hundredths
            .filter(|hundredths| (1..=400).contains(hundredths))
            .map(|hundredths| Self { hundredths })
            .ok_or_else(|| "Credits must be more than 0 and at most 4, with at most two decimals".into())
    }

    /// Checks what was earned at another school: halves, since Ontario grants none smaller (Ontario Schools,
    /// section 7.1), and at most the 30 of a diploma, since years abroad are granted in one row.
    ///
    /// # Errors
    /// The rule's message.
    pub fn parse_earned_elsewhere(field: &Field<f64>) -> Result<Self, String> {
        let hundredths = match field {
            Field::Absent | Field::Null => return Err("Credits are required".into()),
            Field::Value(credits) => hundredths(*credits).ok(),
            Field::Wrong => None,
        };
        hundredths
            .filter(|hundredths| (50..=3000).contains(hundredths) && hundredths % 50 == 0)
            .map(|hundredths| Self { hundredths })
            .ok_or_else(|| "Credits must be from 0.5 to 30, in steps of 0.5".into())
    }

    /// No credit, from which a sum begins.
    pub const NONE: Self = Self { hundredths: 0 };

    /// The sum.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self { hundredths: self.hundredths + other.hundredths }
    }

    /// What there is of these beyond others.
    #[must_use]
    pub fn beyond(self, other: Self) -> Self {
        Self { hundredths: (self.hundredths - other.hundredths).max(0) }
    }
}

impl Credits {
    /// Hours of instruction: 110 for one credit (Ontario Schools, section 7.1).
    pub fn hours(self) -> i64 {
        self.hundredths * 110 / 100
    }
}

impl Display for Credits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.hundredths as f64 / 100.0)
    }
}

impl Cell for Credits {
    fn cell(&self) -> SheetCell {
        SheetCell::Number(self.to_string())
    }
}

impl Serialize for Credits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_hundredths(self.hundredths, serializer)
    }
}

impl ToSql for Credits {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.hundredths.into())
    }
}

impl FromSql for Credits {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_i64().map(|hundredths| Self { hundredths })
    }
}
