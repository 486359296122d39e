//! Reading a sheet of students, as spreadsheet programs save it: columns in any order, an address in each
//! line, words in any case. What is in a cell is judged by the rules of the profile.

use std::collections::HashMap;

use crate::base::email::Email;
use crate::courses::import::Problem;
use crate::courses::import::sheet::{Columns, SheetRow, Table, table};
use crate::students::profile::StudentChange;
use crate::web::form::Field;

/// The columns by their wire names, and whether a sheet must have them.
const COLUMNS: [(&str, bool); 17] = [
    ("email", true),
    ("fullName", true),
    ("preferredName", false),
    ("dateOfBirth", false),
    ("gender", false),
    ("canadianStatus", false),
    ("country", false),
    ("address", false),
    ("city", false),
    ("province", false),
    ("postalCode", false),
    ("phoneNumber", false),
    ("parentName", false),
    ("parentContact", false),
    ("lastSchool", false),
    ("lastGradeCompleted", false),
    ("transferringCredits", false),
];

/// A line whose columns are known; the rules of the profile have not judged it.
pub(super) struct Line {
    pub(super) row: SheetRow,
    pub(super) columns: Columns,
    /// None when it is no address; the problems say so.
    pub(super) email: Option<Email>,
    /// What it says of the profile; empty cells say nothing.
    pub(super) change: StudentChange,
    /// What is wrong with it, whatever is stored.
    pub(super) problems: Vec<Problem>,
}

impl Line {
    /// The address as it was typed.
    pub(super) fn email_text(&self) -> String {
        self.row.cell(&self.columns, "email").unwrap_or_default().to_owned()
    }
}

/// The lines of a file, and what is wrong with the file as a whole.
pub(super) struct Read {
    pub(super) lines: Vec<Line>,
    pub(super) problems: Vec<Problem>,
}

/// Reads a file.
pub(super) fn read(bytes: &[u8]) -> Read {
    let Table { columns, rows, problems } = match table(bytes, &COLUMNS, "student") {
        Ok(table) => table,
        Err(problems) => return Read { lines: Vec::new(), problems },
    };
    let mut seen = HashMap::new();
    let lines = rows.into_iter().map(|row| line(row, &columns, &mut seen)).collect();
    Read { lines, problems }
}

fn line(row: SheetRow, columns: &Columns, seen: &mut HashMap<String, u64>) -> Line {
    let typed = row.cell(columns, "email");
    let mut problems = Vec::new();
    let mut wrong = |rule: String| {
        let (column, value) = (Some("email".to_owned()), typed.unwrap_or_default().to_owned());
        problems.push(Problem { line: row.line, column, value, rule });
    };
    // A column that is missing was named once, in the header.
    let email = typed.and_then(|typed| Email::parse(typed).map_err(|rule| wrong(rule.to_owned())).ok());
    if let Some(email) = &email {
        let first = *seen.entry(email.as_str().to_owned()).or_insert(row.line);
        if first != row.line {
            wrong(format!("the same address is already on line {first}"));
        }
    }
    let change = change(&row, columns);
    Line { columns: columns.clone(), email, change, problems, row }
}

fn change(row: &SheetRow, columns: &Columns) -> StudentChange {
    let cell = |name: &str| row.cell(columns, name).filter(|text| !text.is_empty());
    let text = |name: &str| cell(name).map_or(Field::Absent, |text| Field::Value(text.to_owned()));
    let word = |name: &str| {
        let plain = |text: &str| text.to_lowercase().replace([' ', '-'], "_");
        cell(name).map_or(Field::Absent, |text| Field::Value(plain(text)))
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
        phone_number: text("phoneNumber"),
        parent_name: text("parentName"),
        parent_contact: text("parentContact"),
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

fn yes_or_no(text: &str) -> Field<bool> {
    match text.to_lowercase().as_str() {
        "true" | "yes" | "y" | "1" => Field::Value(true),
        "false" | "no" | "n" | "0" => Field::Value(false),
        _ => Field::Wrong,
    }
}
