//! `import-courses FILE`: a sheet of courses into the catalogue, whole or not at all.
//!
//! Two steps: [`read`] turns the file into a [`Sheet`] in which every course meets the form's rules,
//! or lists everything that is wrong with it; [`apply`] adds the codes that are new and updates the
//! ones that are known, in one transaction. It deletes nothing, and a course that already is as the
//! sheet says is not touched.

pub mod sheet;

use std::fmt;

use jiff::Timestamp;
use rusqlite::{Connection, TransactionBehavior};

pub use self::sheet::read;
use super::rules::{CourseUpdate, NewCourse};
use super::{change, create, store};
use crate::audit::Actor;
use crate::base::error::Result;

/// The courses of a file without faults.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    /// In the file's order.
    courses: Vec<NewCourse>,
}

/// One thing that is wrong with a file, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line in the file, from 1; of a row with line breaks, its first.
    pub line: u64,
    /// The column, where it is one value that is wrong.
    pub column: Option<String>,
    /// What the file says there.
    pub value: String,
    /// The rule that it breaks.
    pub rule: String,
}

impl fmt::Display for Problem {
    /// `line 12, price: Price must be a number (found "abc")`
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 60;
        write!(formatter, "line {}", self.line)?;
        if let Some(column) = &self.column {
            write!(formatter, ", {column}")?;
        }
        write!(formatter, ": {}", self.rule)?;
        if self.value.is_empty() {
            return Ok(());
        }
        let mut shown: String = self.value.chars().take(SHOWN).collect();
        if shown.len() < self.value.len() {
            shown.push('…');
        }
        write!(formatter, " (found {shown:?})")
    }
}

/// The problems of a file as lines to print, the first hundred of them.
pub fn report(problems: &[Problem]) -> String {
    const PRINTED: usize = 100;
    let mut lines: Vec<String> = problems.iter().take(PRINTED).map(Problem::to_string).collect();
    if problems.len() > PRINTED {
        lines.push(format!("and {} more", problems.len() - PRINTED));
    }
    lines.join("\n")
}

/// How many courses an import changed, or would change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Codes that were new.
    pub added: usize,
    /// Known courses that the sheet says something else about.
    pub updated: usize,
    /// Known courses that already were as the sheet says.
    pub unchanged: usize,
}

/// Brings the catalogue in line with a sheet, in one transaction; a dry run takes it back.
///
/// `progress` hears after each course how many of how many are done.
///
/// # Errors
/// When the database refuses; then nothing was imported.
pub fn apply(
    connection: &mut Connection,
    sheet: &Sheet,
    dry_run: bool,
    now: Timestamp,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Outcome> {
    // Immediate: a deferred one fails when a running school writes between its reading and writing.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let actor = Actor::command_line();
    let mut outcome = Outcome::default();
    for (index, new) in sheet.courses.iter().enumerate() {
        match store::find_by_code(&transaction, &new.code)? {
            None => {
                create(&transaction, new, &actor, now)?;
                outcome.added += 1;
            }
            Some(before) => {
                let after = CourseUpdate::from(new.clone()).applied_to(&before);
                if change(&transaction, &before, &after, &actor, now)? {
                    outcome.updated += 1;
                } else {
                    outcome.unchanged += 1;
                }
            }
        }
        progress(index + 1, sheet.courses.len());
    }
    if dry_run {
        transaction.rollback()?;
    } else {
        transaction.commit()?;
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests;
