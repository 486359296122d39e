//! A line of a sheet of students: its columns, what it says, and what an export writes into it. What is in a cell is
//! judged by the rules of the profile; words may be in any case, days and places as people write them.

use super::written::{self, WrittenDate};
use crate::base::error::FieldErrors;
use crate::students::profile::{CANADA, Profile, StudentChange};
use crate::web::form::Field;
use crate::web::sheet::{self, Column, Row, yes_or_no};

/// The columns; those of an export that say nothing of a profile are passed over.
pub(super) const COLUMNS: &[Column] = &[
    Column::required("email"),
    Column::required("fullName"),
    Column::optional("preferredName"),
    Column::optional("dateOfBirth"),
    Column::optional("gender"),
    Column::optional("canadianStatus"),
    Column::optional("country"),
    Column::optional("address"),
    Column::optional("city"),
    Column::optional("province"),
    Column::optional("postalCode"),
    Column::optional("phoneNumber"),
    Column::optional("parentName"),
    Column::optional("parentContact"),
    Column::optional("lastSchool"),
    Column::optional("lastGradeCompleted"),
    Column::optional("transferringCredits"),
    Column::ignored("number"),
    Column::ignored("status"),
    Column::ignored("age"),
    Column::ignored("flags"),
    Column::ignored("documentsAccepted"),
    Column::ignored("documentsRequired"),
    Column::ignored("openCourses"),
    Column::ignored("balance"),
    Column::ignored("created"),
    Column::ignored("lastActivity"),
];

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
    let text = |name: &str| cell(name).map_or(Field::Absent, |text| Field::Value(text.to_owned()));
    let word = |name: &str| {
        let plain = |text: &str| text.to_lowercase().replace([' ', '-'], "_");
        cell(name).map_or(Field::Absent, |text| Field::Value(plain(text)))
    };
    // `4165550100.0` is what a table of numbers makes of one.
    let phone = |name: &str| {
        let number = |text: &str| text.strip_suffix(".0").unwrap_or(text).to_owned();
        cell(name).map_or(Field::Absent, |text| Field::Value(number(text)))
    };
    let country = cell("country").map(|text| written::country(text).unwrap_or(text));
    let is_canada = country.unwrap_or(&stored.country) == CANADA;
    let province = cell("province").map(|text| match written::province(text) {
        Some(code) if is_canada => code.to_owned(),
        // Two letters are a code, in capitals; abroad a province is free text.
        _ if text.chars().count() == 2 => text.to_uppercase(),
        _ => text.to_owned(),
    });
    let date_of_birth = cell("dateOfBirth").map_or(Field::Absent, |text| match written::date(text) {
        WrittenDate::Day(day) => Field::Value(day.to_string()),
        WrittenDate::Either(month_first, day_first) => {
            errors.add("dateOfBirth", written::either_day(month_first, day_first));
            Field::Absent
        }
        WrittenDate::None => Field::Value(text.to_owned()),
    });
    let change = StudentChange {
        full_name: text("fullName"),
        preferred_name: text("preferredName"),
        date_of_birth,
        gender: word("gender"),
        canadian_status: word("canadianStatus"),
        country: country.map_or(Field::Absent, |code| Field::Value(code.to_owned())),
        address: text("address"),
        city: text("city"),
        province: province.map_or(Field::Absent, Field::Value),
        postal_code: text("postalCode"),
        phone_number: phone("phoneNumber"),
        parent_name: text("parentName"),
        parent_contact: phone("parentContact"),
        last_school: text("lastSchool"),
        last_grade_completed: text("lastGradeCompleted"),
        transferring_credits: cell("transferringCredits").map_or(Field::Absent, yes_or_no),
        ..StudentChange::default()
    };
    Some((change, errors))
}
