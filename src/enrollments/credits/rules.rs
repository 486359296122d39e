//! Validation of credits from other schools.

use jiff::civil::Date;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Credits, ExternalCreditChange, NewExternalCredit};
use crate::base::dates::date_in_words;
use crate::base::error::FieldErrors;
use crate::courses::prerequisites::CodePattern;
use crate::web::form::Field;

/// What was earned at another school.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreditFacts {
    /// An Ontario course code, or the other school's, in upper case.
    pub code: String,
    /// Name of the course.
    pub name: String,
    /// Credits toward the diploma.
    #[schema(value_type = f64)]
    pub credits: Credits,
    /// The mark; null if the other school gave none.
    #[schema(required)]
    pub mark: Option<i64>,
    /// When it was completed.
    pub completed_on: Date,
    /// The other school.
    pub school: String,
    /// The document as evidence.
    #[schema(required)]
    pub document_id: Option<i64>,
}

impl CreditFacts {
    /// Validates a form; absent fields of a correction are kept.
    pub fn parse(form: &NewExternalCredit, before: Option<&Self>, today: Date) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let facts = Self::read(form, before, today, &mut errors);
        errors.finish(facts)
    }

    fn read(
        form: &NewExternalCredit,
        before: Option<&Self>,
        today: Date,
        errors: &mut FieldErrors,
    ) -> Option<Self> {
        let code = kept(&form.code, before.map(|before| &before.code), code);
        let name = kept(&form.name, before.map(|before| &before.name), |name| {
            name.between(1, 100, "Name is required")
        });
        let credits =
            kept(&form.credits, before.map(|before| &before.credits), Credits::parse_earned_elsewhere);
        let mark = kept(&form.mark, before.map(|before| &before.mark), mark);
        let completed_on = kept(&form.completed_on, before.map(|before| &before.completed_on), |day| {
            let day = day.date("Completion date is required")?;
            if day <= today { Ok(day) } else { Err("Completion date must be today or earlier".into()) }
        });
        let school = kept(&form.school, before.map(|before| &before.school), |school| {
            school.between(2, 200, "Name the school in at least 2 characters")
        });
        let document_id = kept(&form.document_id, before.map(|before| &before.document_id), document);
        let code = errors.take("code", code);
        let name = errors.take("name", name);
        let credits = errors.take("credits", credits);
        let mark = errors.take("mark", mark);
        let completed_on = errors.take("completedOn", completed_on);
        let school = errors.take("school", school);
        let document_id = errors.take("documentId", document_id);
        let code = code?;
        let name = name?;
        let credits = credits?;
        let mark = mark?;
        let completed_on = completed_on?;
        let school = school?;
        let document_id = document_id?;
        Some(Self { code, name, credits, mark, completed_on, school, document_id })
    }

    /// "ENG3U English, 1 credit, mark 78, June 20, 2025, Sample Park Collegiate".
    pub fn words(&self) -> String {
        let Self { code, name, credits, mark, completed_on, school, document_id } = self;
        let plural = if *credits == Credits::default() { "" } else { "s" };
        let mark = mark.map(|mark| format!(", mark {mark}")).unwrap_or_default();
        let document = document_id.map(|id| format!(", document {id}")).unwrap_or_default();
        format!(
            "{code} {name}, {credits} credit{plural}{mark}, {}, {school}{document}",
            date_in_words(*completed_on)
        )
    }
}

fn kept<T: Clone, F>(
    field: &Field<F>,
    before: Option<&T>,
    parse: impl FnOnce(&Field<F>) -> Result<T, String>,
) -> Result<T, String> {
    match before {
        Some(before) if !field.is_sent() => Ok(before.clone()),
        _ => parse(field),
    }
}

/// Ontario's codes may be written with spaces and hyphens; other codes are unchanged.
fn code(field: &Field<String>) -> Result<String, String> {
    let words: Vec<_> = field.text().split_whitespace().collect();
    let code = words.join(" ").to_uppercase();
    let bare = code.replace([' ', '-'], "");
    let code = if CodePattern::parse(&bare).is_some_and(|named| !named.is_concurrent) { bare } else { code };
    Field::Value(code).between(1, 12, "Code is required").map_err(|message| match message.as_str() {
        "Must be at most 12 characters" => "Code must be at most 12 characters".into(),
        _ => message,
    })
}

fn mark(field: &Field<i64>) -> Result<Option<i64>, String> {
    match field {
        Field::Absent | Field::Null => Ok(None),
        Field::Value(mark) if (0..=100).contains(mark) => Ok(Some(*mark)),
        Field::Value(_) | Field::Wrong => Err("Mark must be a whole number from 0 to 100".into()),
    }
}

fn document(field: &Field<i64>) -> Result<Option<i64>, String> {
    match field {
        Field::Absent | Field::Null => Ok(None),
        Field::Value(id) => Ok(Some(*id)),
        Field::Wrong => Err("Choose one of this student’s documents".into()),
    }
}

/// A validated change.
pub(super) struct Change {
    /// Version when it was read.
    pub(super) version: i64,
    /// The new values.
    pub(super) facts: CreditFacts,
    /// Whether it is voided instead.
    pub(super) is_voided: bool,
    /// Why.
    pub(super) reason: Option<String>,
}

impl Change {
    pub(super) fn parse(
        form: &ExternalCreditChange,
        before: &CreditFacts,
        today: Date,
    ) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let version = match form.version {
            Field::Value(version) => Ok(version),
            _ => Err("Version is required"),
        };
        let version = errors.take("version", version);
        let is_voided = match form.voided {
            Field::Absent | Field::Null | Field::Value(false) => Ok(false),
            Field::Value(true) => Ok(true),
            Field::Wrong => Err("Must be yes or no"),
        };
        let is_voided = errors.take("voided", is_voided);
        let reason = if is_voided == Some(true) {
            let why = "Say in at least 3 characters why this credit is void";
            form.reason.between(3, 500, why).map(Some)
        } else {
            form.reason.optional(500)
        };
        let reason = errors.take("reason", reason);
        let facts = if is_voided == Some(true) {
            Some(before.clone())
        } else {
            CreditFacts::read(&form.facts(), Some(before), today, &mut errors)
        };
        let change =
            || Some(Self { version: version?, facts: facts?, is_voided: is_voided?, reason: reason? });
        errors.finish(change())
    }
}

impl ExternalCreditChange {
    fn facts(&self) -> NewExternalCredit {
        NewExternalCredit {
            code: self.code.clone(),
            name: self.name.clone(),
            credits: self.credits.clone(),
            mark: self.mark.clone(),
            completed_on: self.completed_on.clone(),
            school: self.school.clone(),
            document_id: self.document_id.clone(),
        }
    }
}
