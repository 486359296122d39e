//! Problems of an imported file: the first are listed, the rest counted.

use std::fmt;

/// Maximum problems listed; a file may have a million.
const TOLD: usize = 20;
/// Maximum characters of a cell shown with its problem.
const SHOWN: usize = 60;

/// A problem and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Line number from 1; the first line of a row with line breaks.
    pub line: u64,
    /// The column, if a single value is wrong.
    pub column: Option<String>,
    /// The beginning of the value.
    pub value: String,
    /// The violated rule.
    pub rule: String,
}

impl Problem {
    /// A problem of a whole line.
    pub fn of_line(line: u64, rule: impl Into<String>) -> Self {
        Self { line, column: None, value: String::new(), rule: rule.into() }
    }

    /// A problem of one value.
    pub fn of_cell(line: u64, column: impl Into<String>, value: &str, rule: impl Into<String>) -> Self {
        let mut shown: String = value.chars().take(SHOWN).collect();
        if shown.len() < value.len() {
            shown.push('…');
        }
        Self { line, column: Some(column.into()), value: shown, rule: rule.into() }
    }
}

impl fmt::Display for Problem {
    /// `line 12, price: Price must be a number (found "abc")`
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}", self.line)?;
        if let Some(column) = &self.column {
            write!(formatter, ", {column}")?;
        }
        write!(formatter, ": {}", self.rule)?;
        if self.value.is_empty() { Ok(()) } else { write!(formatter, " (found {:?})", self.value) }
    }
}

/// The problems of a file, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems {
    first: Vec<Problem>,
    /// Number of problems not listed.
    more: usize,
}

impl Problems {
    /// Adds a problem.
    pub fn push(&mut self, problem: Problem) {
        if self.first.len() < TOLD { self.first.push(problem) } else { self.more += 1 }
    }

    /// Whether there are no problems.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// The listed problems.
    pub fn first(&self) -> &[Problem] {
        &self.first
    }

    /// Number of further problems.
    pub fn more(&self) -> usize {
        self.more
    }
}

impl fmt::Display for Problems {
    /// One line per problem, and the number of further ones.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<_> = self.first.iter().map(ToString::to_string).collect();
        formatter.write_str(&lines.join("\n"))?;
        match self.more {
            0 => Ok(()),
            1 => formatter.write_str("\nand 1 more problem"),
            more => write!(formatter, "\nand {more} more problems"),
        }
    }
}
