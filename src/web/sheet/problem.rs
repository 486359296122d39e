//! What is wrong with a file: the first problems in words, the others counted.

use std::fmt;

/// Problems that are told: with these put right, the next show. A file may have a million.
const TOLD: usize = 20;
/// Characters of a cell that are shown with its problem.
const SHOWN: usize = 60;

/// One thing that is wrong with a file, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line in the file, from 1; of a row with line breaks, its first.
    pub line: u64,
    /// The column, where it is one value that is wrong.
    pub column: Option<String>,
    /// The beginning of what the file says there.
    pub value: String,
    /// The rule that it breaks.
    pub rule: String,
}

impl Problem {
    /// Something that is wrong with a line as a whole.
    pub fn of_line(line: u64, rule: impl Into<String>) -> Self {
        Self { line, column: None, value: String::new(), rule: rule.into() }
    }

    /// Something that is wrong with a value.
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

/// The problems of a file, in its order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems {
    first: Vec<Problem>,
    /// How many are not kept.
    more: usize,
}

impl Problems {
    /// Adds one.
    pub fn push(&mut self, problem: Problem) {
        if self.first.len() < TOLD { self.first.push(problem) } else { self.more += 1 }
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// Those that are told.
    pub fn first(&self) -> &[Problem] {
        &self.first
    }

    /// How many others there are.
    pub fn more(&self) -> usize {
        self.more
    }
}

impl fmt::Display for Problems {
    /// A line for each, and how many are not told.
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
