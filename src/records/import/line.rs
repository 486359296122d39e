//! A line of a student CSV file: its columns, parsing and export. Cells are validated by the profile's rules; words may
//! be in any case, dates and places in common notations.

use crate::base::error::FieldErrors;
use crate::students::profile::{Profile, StudentChange};
use crate::web::sheet::{self, Column, Row, WrittenDate};

/// Columns of an export that are not part of the profile and ignored by an import.
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

/// The fields of a profile as cells, by column.
pub fn cells(profile: &Profile) -> Vec<(&'static str, String)> {
    let cell = |name, text: Option<String>| match (name, text.as_deref()) {
        ("transferringCredits", Some("true")) => "yes".to_owned(),
        ("transferringCredits", Some("false")) => "no".to_owned(),
        _ => text.unwrap_or_default(),
    };
    profile.facts().into_iter().map(|(name, text)| (name, cell(name, text))).collect()
}

/// The change that a line makes to a stored profile; `None` without changes. Empty cells are ignored, and so are cells
/// equal to an export of the profile, even if the stored value is invalid by newer rules.
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
    let born = cell("dateOfBirth").map(WrittenDate::read);
    if let Some(Err(Some(rule))) = born.map(WrittenDate::one) {
        errors.add("dateOfBirth", rule);
    }
    let change = StudentChange::from_cells(|name| {
        let text = cell(name)?;
        match name {
            "dateOfBirth" => match born? {
                WrittenDate::None => Some(text.to_owned()),
                written => written.certain().map(|day| day.to_string()),
            },
            "gender" | "canadianStatus" => Some(text.to_lowercase().replace([' ', '-'], "_")),
            // A numeric column turns it into `4165550100.0`.
            "phoneNumber" | "parentContact" => Some(text.strip_suffix(".0").unwrap_or(text).to_owned()),
            _ => Some(text.to_owned()),
        }
    });
    Some((change, errors))
}
