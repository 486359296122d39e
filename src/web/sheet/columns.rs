//! The columns of a sheet: which heading is which, by its name, by what other programs write, or by a person's choice.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use super::problem::{Problem, Problems};
use crate::storage::search::fold;

/// Maximum columns. Some spreadsheets save all columns that were ever formatted; empty ones do not count.
pub(super) const MAX_COLUMNS: usize = 100;

/// A known column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    pub(super) name: &'static str,
    /// Other headings of it, as [`plain`] writes them.
    also: &'static [&'static str],
    /// The column that stands for it where it is missing.
    stand_in: Option<&'static str>,
    is_required: bool,
    pub(super) is_number: bool,
    pub(super) is_ignored: bool,
}

impl Column {
    /// A required column.
    pub const fn required(name: &'static str) -> Self {
        Self { is_required: true, ..Self::optional(name) }
    }

    /// An optional column.
    pub const fn optional(name: &'static str) -> Self {
        Self { name, also: &[], stand_in: None, is_required: false, is_number: false, is_ignored: false }
    }

    /// A column that exports contain and imports ignore.
    pub const fn ignored(name: &'static str) -> Self {
        Self { is_ignored: true, ..Self::optional(name) }
    }

    /// Marks the column as numeric.
    pub const fn of_numbers(self) -> Self {
        Self { is_number: true, ..self }
    }

    /// Adds headings that other programs write, in lower case, without accents, spaces, underscores, hyphens and points.
    pub const fn also(self, headings: &'static [&'static str]) -> Self {
        Self { also: headings, ..self }
    }

    /// Names the column that stands for it where it is missing.
    pub const fn or(self, stand_in: &'static str) -> Self {
        Self { stand_in: Some(stand_in), ..self }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Whether a row is told nothing about it, as the header is: it is required, and there is neither the column nor its
    /// stand-in.
    pub(super) fn is_told_once(self, has: impl Fn(&str) -> bool) -> bool {
        self.is_required && !has(self.name) && !self.stand_in.is_some_and(has)
    }

    fn is_called(self, heading: &str) -> bool {
        plain(self.name) == heading || self.also.contains(&heading)
    }
}

/// What a person said about headings that no column has: the heading, and the name of its column, or nothing to leave it out.
#[derive(Debug, Clone, Default)]
pub struct ColumnChoice(BTreeMap<String, String>);

impl ColumnChoice {
    /// From a JSON object of headings and names of columns; an empty text chooses nothing.
    ///
    /// # Errors
    /// When it is no such object.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        let chosen: BTreeMap<String, String> =
            serde_json::from_str(text).map_err(|_| "Must be a JSON object of headings and columns")?;
        Ok(Self(chosen.into_iter().map(|(heading, column)| (plain(&heading), column)).collect()))
    }
}

/// A heading that no column has, for a person to choose one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct UnknownHeading {
    /// As it stands in the file.
    pub heading: String,
    /// The cell below it in the first row.
    pub sample: String,
}

/// A cell of the header.
#[derive(Clone, Copy)]
pub(super) enum Heading {
    Known(Column),
    /// A column that is ignored.
    Ignored,
    /// Empty.
    Blank,
    /// One that no column has, reported as a problem.
    Unknown,
    /// A repeated column, reported as a problem.
    Wrong,
}

pub(super) fn too_wide(line: u64) -> Problem {
    let rule = format!("there are more than {MAX_COLUMNS} columns. Delete those that are not imported");
    Problem::of_line(line, rule)
}

/// The first line of a file.
pub(super) struct Header<'a> {
    /// Its number.
    pub line: u64,
    /// Its trimmed cells, up to the maximum number of columns.
    pub cells: &'a [String],
    /// Number of cells without empty ones at the end.
    pub width: usize,
}

/// The columns and their problems. Without a header that is the only problem reported, as every row would be wrong.
pub(super) fn headings(
    header: &Header<'_>,
    known: &[Column],
    ColumnChoice(chosen): &ColumnChoice,
) -> Result<(Vec<Heading>, Problems), Problem> {
    if header.width > MAX_COLUMNS {
        return Err(too_wide(header.line));
    }
    let read = known.iter().filter(|column| !column.is_ignored);
    let names = read.map(|column| column.name).collect::<Vec<_>>().join(", ");
    let mut headings = Vec::new();
    let mut problems = Problems::default();
    let has = |headings: &[Heading], wanted: Column| {
        headings.iter().any(|heading| matches!(heading, Heading::Known(column) if *column == wanted))
    };
    for (index, cell) in header.cells.iter().take(header.width).enumerate() {
        let place = format!("column {}", index + 1);
        let written = plain(cell);
        let choice = chosen.get(&written);
        let found = known.iter().copied().find(|column| match choice {
            Some(name) => column.name == *name && !column.is_ignored,
            None => column.is_called(&written),
        });
        let (heading, problem) = match found {
            None if choice.is_some_and(String::is_empty) => (Heading::Ignored, None),
            Some(column) if column.is_ignored => (Heading::Ignored, None),
            Some(column) if !has(&headings, column) => (Heading::Known(column), None),
            Some(column) => {
                let problem = (column.name.to_owned(), "this column is there twice".into());
                let is_its_name = choice.is_some() || plain(column.name) == written;
                (if is_its_name { Heading::Wrong } else { Heading::Unknown }, Some(problem))
            }
            None if cell.is_empty() => (Heading::Blank, None),
            None => {
                let rule = format!("there is no such column; the columns are {names}");
                (Heading::Unknown, Some((place, rule)))
            }
        };
        headings.push(heading);
        if let Some((column, rule)) = problem {
            problems.push(Problem::of_cell(header.line, column, cell, rule));
        }
    }
    if !headings.iter().any(|heading| matches!(heading, Heading::Known(_))) {
        let rule = format!("the first line must name the columns: {names}");
        return Err(Problem::of_line(header.line, rule));
    }
    let is_there = |column: &Column| {
        let stand_in = |name| known.iter().any(|other| other.name == name && has(&headings, *other));
        has(&headings, *column) || column.stand_in.is_some_and(stand_in)
    };
    for column in known.iter().filter(|column| column.is_required && !is_there(column)) {
        problems.push(Problem::of_cell(header.line, column.name, "", "this column is missing"));
    }
    Ok((headings, problems))
}

/// A heading without case, accents, spaces, underscores, hyphens and points.
fn plain(heading: &str) -> String {
    fold(heading).chars().filter(|c| !matches!(c, ' ' | '_' | '-' | '.')).collect()
}
