//! Documents for paper: receipts, invoices and statements. One description of a document becomes a page to print
//! ([`page`]) and a tagged PDF ([`pdf`]), so that the two cannot say different things.
//!
//! Absent: where the words come from. The rooms fill a [`Paper`]; what must not change later, they keep.

mod fonts;
mod layout;
pub mod page;
pub mod pdf;
#[cfg(test)]
mod tests;

use std::fmt::Display;

use serde::{Deserialize, Serialize};

/// What a document says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paper {
    /// What it is: `Receipt`.
    pub kind: String,
    /// Its number or period.
    pub number: String,
    /// When it was issued, as a sentence.
    pub issued: String,
    /// The school's name, address, telephone number and email address, a line each.
    pub letterhead: Vec<String>,
    /// The sum and what happened to it, as one line.
    pub headline: Option<String>,
    /// Why it no longer counts.
    pub mark: Option<Mark>,
    /// Names and values.
    pub facts: Vec<(String, String)>,
    /// Headings of the rows: the last ones are above amounts, a column for each amount.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
    /// Sums below the rows.
    pub sums: Vec<Sum>,
    /// What else is to be said: a heading and its text, whose line breaks are kept.
    pub notes: Vec<(String, String)>,
}

/// A word across a document that no longer counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// `VOID`.
    pub word: String,
    /// Since when and why.
    pub reason: String,
}

/// A row of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// Words, then amounts: one cell for each column.
    pub cells: Vec<String>,
    /// Smaller text below the cell before the amounts.
    pub detail: String,
}

/// A sum of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sum {
    /// What it is.
    pub label: String,
    /// How much.
    pub amount: String,
    /// Whether it stands out.
    pub is_total: bool,
}

impl Paper {
    /// Its title.
    pub fn title(&self) -> String {
        format!("{} {}", self.kind, self.number)
    }

    /// Name of its file: `receipt-2026-000123.pdf`.
    pub fn file_name(&self) -> String {
        let title = self.title().to_lowercase();
        let words =
            title.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        format!("{}.pdf", words.collect::<Vec<_>>().join("-"))
    }

    /// Adds a fact.
    pub fn fact(&mut self, name: &str, value: impl Into<String>) {
        self.facts.push((name.to_owned(), value.into()));
    }

    /// Adds a sum.
    pub fn sum(&mut self, label: &str, amount: impl Display, is_total: bool) {
        self.sums.push(Sum { label: label.to_owned(), amount: amount.to_string(), is_total });
    }

    /// Columns of words, before those of amounts.
    fn words(&self) -> usize {
        match self.columns.len() {
            0..=2 => 1,
            _ => 2,
        }
    }

    /// All that it says, piece by piece.
    fn texts(&self) -> impl Iterator<Item = &str> {
        let head = [&self.kind, &self.number, &self.issued]
            .into_iter()
            .chain(&self.letterhead)
            .chain(&self.headline);
        let mark = self.mark.iter().flat_map(|mark| [&mark.word, &mark.reason]);
        let pairs = self.facts.iter().chain(&self.notes).flat_map(|(name, value)| [name, value]);
        let rows = self.rows.iter().flat_map(|row| row.cells.iter().chain([&row.detail]));
        let sums = self.sums.iter().flat_map(|sum| [&sum.label, &sum.amount]);
        head.chain(mark).chain(pairs).chain(&self.columns).chain(rows).chain(sums).map(String::as_str)
    }
}
