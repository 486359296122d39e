//! A line of a sheet of students: its columns, and what it says. What is in a cell is judged by the rules of the
//! profile; words may be in any case.

use crate::students::profile::StudentChange;
use crate::web::form::Field;
use crate::web::sheet::{Column, Row, yes_or_no};

/// The columns.
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
];

/// What a line says of the profile; empty cells say nothing.
pub(super) fn change(row: &Row) -> StudentChange {
    let cell = |name: &str| row.cell(name).filter(|text| !text.is_empty());
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
    let code = |name: &str| cell(name).map_or(Field::Absent, |text| Field::Value(code(text)));
    StudentChange {
        full_name: text("fullName"),
        preferred_name: text("preferredName"),
        date_of_birth: text("dateOfBirth"),
        gender: word("gender"),
        canadian_status: word("canadianStatus"),
        country: code("country"),
        address: text("address"),
        city: text("city"),
        province: code("province"),
        postal_code: text("postalCode"),
        phone_number: phone("phoneNumber"),
        parent_name: text("parentName"),
        parent_contact: phone("parentContact"),
        last_school: text("lastSchool"),
        last_grade_completed: text("lastGradeCompleted"),
        transferring_credits: cell("transferringCredits").map_or(Field::Absent, yes_or_no),
        ..StudentChange::default()
    }
}

/// Two letters are a code, in capitals; abroad a province is free text.
fn code(text: &str) -> String {
    if text.chars().count() == 2 { text.to_uppercase() } else { text.to_owned() }
}
