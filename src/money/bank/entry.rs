//! A line of a bank's file as its format has it: what it says, or why that cannot be read.

use jiff::civil::Date;

use super::columns::{AmountPlace, cell};
use super::values;
use crate::web::sheet::{DecimalMark, RawRow};

/// A line as its format has it.
#[derive(Debug)]
pub struct Entry {
    /// Its line, from 1.
    pub line: u64,
    /// The number of its account, where the file names it.
    pub account: String,
    /// As it stands in the file.
    pub shown: String,
    /// What it says, or why that cannot be read.
    pub read: Result<ReadEntry, String>,
}

/// What a line says.
#[derive(Debug)]
pub struct ReadEntry {
    /// Its date.
    pub date: Date,
    /// Less than 0 where money went out.
    pub cents: i64,
    /// Its text.
    pub text: String,
    /// What the bank knows it by, where the file says so.
    pub id: String,
}

/// Why a line is left out that the bank has not posted.
pub const PENDING: &str = "The bank has not posted it yet. It comes with a later file.";

/// The books are in Canadian dollars.
pub fn check_currency(currency: &str) -> Result<(), String> {
    match currency {
        "" | "CAD" => Ok(()),
        other => Err(format!(
            "It is in {other}, and the school\u{2019}s books are in Canadian dollars. Enter it by hand with what it came to."
        )),
    }
}

/// The amount of a line in cents, less than 0 where money went out.
pub fn signed(row: &RawRow, place: AmountPlace, mark: Option<DecimalMark>) -> Result<i64, String> {
    let read = |at: usize| match cell(row, at) {
        "" => Ok(0),
        text => {
            values::amount(text, mark).map_err(|rule| format!("The amount \u{201c}{text}\u{201d} {rule}."))
        }
    };
    let none = || Err("It has no amount.".to_owned());
    match place {
        AmountPlace::Signed(at, _) if cell(row, at).is_empty() => none(),
        AmountPlace::Signed(at, None) => read(at),
        AmountPlace::Signed(at, Some(direction)) => {
            let cents = read(at)?;
            let word = cell(row, direction);
            match values::is_in(word) {
                Some(true) => Ok(cents.abs()),
                Some(false) => Ok(-cents.abs()),
                None => {
                    Err(format!("\u{201c}{word}\u{201d} does not say whether the money came in or went out."))
                }
            }
        }
        AmountPlace::Two(credit, debit) if cell(row, credit).is_empty() && cell(row, debit).is_empty() => {
            none()
        }
        AmountPlace::Two(credit, debit) => match (read(credit)?, read(debit)?.abs()) {
            (income, out) if income != 0 && out != 0 => {
                Err("It has an amount in money in and in money out.".to_owned())
            }
            (income, out) => Ok(income - out),
        },
    }
}
