//! A line of a sheet of students: its columns, what it says, and what an export writes into it. What is in a cell is
//! judged by the rules of the profile; words may be in any case, days and places as people write them.

use super::written::{self, WrittenDate};
use crate::base::error::FieldErrors;
use crate::students::profile::{CANADA, Profile, StudentChange};
use crate::web::sheet::{self, Column, Row};

/// The columns of an export that say nothing of a profile: an import passes over them.
const PASSED_OVER: [&str; 10] = [
    "number",
    "status",
    "age",
    "flags",
    "documentsAccepted",
    "documentsRequired",
    "openCourses",
    "balance",
    "created",
    "lastActivity",
];

/// The columns.
pub(super) fn columns() -> Vec<Column> {
    let profile = Profile::WIRE.iter().map(|name| match *name {
        "fullName" => Column::required(name),
        _ => Column::optional(name),
    });
    let passed_over = PASSED_OVER.into_iter().map(Column::ignored);
    [Column::required("email")].into_iter().chain(profile).chain(passed_over).collect()
}

/// Every field of a profile by its column, and its cell of a sheet.
pub fn cells(profile: &Profile) -> Vec<(&'static str, String)> {
    let cell = |name, text: Option<String>| match (name, text.as_deref()) {
        ("transferringCredits", Some("true")) => "yes".to_owned(),
        ("transferringCredits", Some("false")) => "no".to_owned(),
        _ => text.unwrap_or_default(),
    };
    profile.facts().into_iter().map(|(name, text)| (name, cell(name, text))).collect()
}

/// What a line changes of the profile as it is stored; none where it changes nothing. Empty cells say nothing, and
/// neither do those that say what an export of the profile would, whatever the rules say today of what is stored.
pub(super) fn change(row: &Row, stored: &Profile) -> Option<(StudentChange, FieldErrors)> {
    let mut errors = FieldErrors::default();
    let known = cells(stored);
    let is_known = |name: &str, text: &str| {
        known.iter().any(|(column, cell)| *column == name && sheet::as_read(cell) == text)
    };
    let cell = |name: &str| row.cell(name).filter(|text| !text.is_empty() && !is_known(name, text));
    if known.iter().all(|(name, _)| cell(name).is_none()) {
        return None;
    }
    let country = cell("country").map(|text| written::country(text).unwrap_or(text));
    let is_canada = country.unwrap_or(&stored.country) == CANADA;
    let born = cell("dateOfBirth").map(written::date);
    if let Some(WrittenDate::Either(month_first, day_first)) = born {
        errors.add("dateOfBirth", written::either_day(month_first, day_first));
    }
    let change = StudentChange::from_cells(|name| {
        let text = cell(name)?;
        match name {
            "dateOfBirth" => match born.as_ref()? {
                WrittenDate::Day(day) => Some(day.to_string()),
                WrittenDate::Either(..) => None,
                WrittenDate::None => Some(text.to_owned()),
            },
            "gender" | "canadianStatus" => Some(text.to_lowercase().replace([' ', '-'], "_")),
            "country" => country.map(str::to_owned),
            "province" => match written::province(text) {
                Some(code) if is_canada => Some(code.to_owned()),
                // Two letters are a code, in capitals; abroad a province is free text.
                _ if text.chars().count() == 2 => Some(text.to_uppercase()),
                _ => Some(text.to_owned()),
            },
            // `4165550100.0` is what a table of numbers makes of one.
            "phoneNumber" | "parentContact" => Some(text.strip_suffix(".0").unwrap_or(text).to_owned()),
            _ => Some(text.to_owned()),
        }
    });
    Some((change, errors))
}
