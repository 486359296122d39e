//! A bank's file, read: every line with its date, amount and text, or every line that cannot be read.

use std::collections::BTreeMap;

use jiff::ToSpan as _;
use jiff::civil::Date;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::columns::{self, AmountPlace, ColumnPlaces, Columns, cell};
use super::values;
use crate::base::error::{Error, FieldErrors, Result};
use crate::base::text::collapse_whitespace;
use crate::web::sheet::{Problem, Problems, RawRow, raw_rows};

/// Largest number of lines.
const MAX_LINES: usize = 5_000;
/// Characters of a text that are kept.
const MAX_TEXT: usize = 500;
const UNKNOWN: &str = "We don\u{2019}t recognize this bank\u{2019}s format. Which columns are the date, the text and the amount? \
    Choose them once: the next file of this account is read the same way.";
const UNFIT: &str = "The columns of this account\u{2019}s last file do not fit this one. \
    Choose them again, or the account that the file is of.";
/// Lines that are shown when the columns are to be chosen.
const SHOWN: usize = 6;

/// A line of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileLine {
    /// Its line, from 1.
    pub line: u64,
    /// Its date.
    pub date: Date,
    /// Less than 0 where money went out.
    pub cents: i64,
    /// Its text.
    pub text: String,
    /// What it is known by if it comes again.
    pub hash: [u8; 32],
}

/// A file whose lines can all be read.
#[derive(Debug)]
pub struct BankFile {
    /// SHA-256 of the file.
    pub sha256: [u8; 32],
    /// Where date, text and amount stand.
    pub columns: Columns,
    /// Its lines.
    pub lines: Vec<FileLine>,
}

/// Reads a file: by the columns that are named, else by those that the account had before, else as a known bank.
///
/// # Errors
/// 400 that names the lines, or asks for the columns.
pub fn read(
    bytes: Vec<u8>,
    account: &str,
    named: Columns,
    before: Option<Columns>,
    today: Date,
) -> Result<BankFile> {
    let sha256 = Sha256::digest(&bytes).into();
    let rows = raw_rows(bytes).map_err(|problem| refused(&problem.to_string(), 1))?;
    if rows.is_empty() {
        return Err(Error::field("file", "The file is empty."));
    }
    let (columns, places) = choose(&rows, named, before)?;
    if rows.len() - places.first > MAX_LINES {
        return Err(Error::field(
            "file",
            "The file has more than 5,000 lines. Download a shorter time from the bank.",
        ));
    }
    let lines = lines(&rows, account, &columns, &places, today)?;
    Ok(BankFile { sha256, columns, lines })
}

fn choose(rows: &[RawRow], named: Columns, before: Option<Columns>) -> Result<(Columns, ColumnPlaces)> {
    if !named.is_empty() {
        let places = named.find(rows)?;
        return Ok((named, places));
    }
    let is_remembered = before.is_some();
    for columns in [before, columns::known(rows)].into_iter().flatten() {
        let columns = Columns { date_format: named.date_format.or(columns.date_format), ..columns };
        match columns.find(rows) {
            Ok(places) if fits(rows, &columns, &places) => return Ok((columns, places)),
            _ => {}
        }
    }
    let shown: Vec<_> = rows.iter().take(SHOWN).map(|row| &row.cells).collect();
    // The first of the widest lines: above a heading there may be words.
    let widest = rows.iter().take(SHOWN).rev().max_by_key(|row| row.cells.len());
    let headings = widest.map(|row| row.cells.clone()).unwrap_or_default();
    let message = if is_remembered { UNFIT } else { UNKNOWN };
    Err(Error::ColumnsUnknown(message, headings, Box::new(json!({ "rows": shown }))))
}

/// Whether the columns are named by their heading, or a line has a date and an amount in its place: columns that are
/// numbers may be those of another file.
fn fits(rows: &[RawRow], columns: &Columns, places: &ColumnPlaces) -> bool {
    let is_line = |row: &RawRow| {
        values::date(cell(row, places.date), columns.date_format).is_ok() && amount(row, places).is_ok()
    };
    let is_named = columns.date.parse::<usize>().is_err();
    is_named || rows.iter().skip(places.first).any(is_line)
}

fn lines(
    rows: &[RawRow],
    account: &str,
    columns: &Columns,
    places: &ColumnPlaces,
    today: Date,
) -> Result<Vec<FileLine>> {
    let (mut problems, mut lines) = (Problems::default(), Vec::new());
    let mut nth = BTreeMap::<(Date, i64, String), u64>::new();
    for row in rows.iter().skip(places.first) {
        let date = values::date(cell(row, places.date), columns.date_format).map_err(str::to_owned);
        let date = date.and_then(|date| check_day(date, today));
        let wrong = |rule: String| Problem::of_cell(row.line, "date", cell(row, places.date), rule);
        let date = date.map_err(|rule| problems.push(wrong(rule)));
        let cents = amount(row, places).map_err(|problem| problems.push(problem));
        let (Ok(date), Ok(cents)) = (date, cents) else { continue };
        let mut text: Vec<_> =
            places.text.iter().map(|at| cell(row, *at)).filter(|part| !part.is_empty()).collect();
        if let Some(at) = us_dollars(row, places) {
            text.extend(["US$", cell(row, at)]);
        }
        let text: String = collapse_whitespace(&text.join(" ")).chars().take(MAX_TEXT).collect();
        let nth = nth.entry((date, cents, text.clone())).or_default();
        *nth += 1;
        let hash =
            Sha256::digest(json!([account.to_lowercase(), date, cents, text, *nth]).to_string()).into();
        lines.push(FileLine { line: row.line, date, cents, text, hash });
    }
    if let [first, ..] = problems.first() {
        let count = problems.first().len() + problems.more();
        let words = if problems.first().len() == 1 { first.to_string() } else { problems.to_string() };
        return Err(refused(&words, count));
    }
    if lines.is_empty() {
        return Err(Error::field("file", "The file has a heading and no lines below it."));
    }
    Ok(lines)
}

/// Money came on a day that has been, and not long ago: otherwise day and month are probably mistaken.
fn check_day(date: Date, today: Date) -> Result<Date, String> {
    if date > today {
        return Err(
            "is after today. If the day stands before the month, say so in the order of the date".into()
        );
    }
    if date < today.saturating_sub(5.years()) {
        return Err("is more than five years ago".into());
    }
    Ok(date)
}

/// The column of an amount in US dollars that a line has instead of one in Canadian ones.
fn us_dollars(row: &RawRow, places: &ColumnPlaces) -> Option<usize> {
    let AmountPlace::Signed(own, _) = places.amount else { return None };
    places.us_dollars.filter(|at| *at != own && cell(row, own).is_empty() && !cell(row, *at).is_empty())
}

/// In Canadian dollars: nothing of a line in US dollars.
fn amount(row: &RawRow, places: &ColumnPlaces) -> Result<i64, Problem> {
    if us_dollars(row, places).is_some() {
        return Ok(0);
    }
    let read = |name: &str, at: usize| {
        let text = cell(row, at);
        values::amount(text).map_err(|rule| Problem::of_cell(row.line, name, text, rule))
    };
    match places.amount {
        AmountPlace::Signed(at, direction) => {
            let cents = read("amount", at)?;
            let direction = direction.map(|at| cell(row, at).to_lowercase());
            Ok(match direction.as_deref() {
                Some("debit") => -cents.abs(),
                Some("credit") => cents.abs(),
                _ => cents,
            })
        }
        AmountPlace::Two(credit, debit) => {
            let part = |name, at| if cell(row, at).is_empty() { Ok(0) } else { read(name, at) };
            let (income, out) = (part("money in", credit)?, part("money out", debit)?.abs());
            let is_empty = cell(row, credit).is_empty() && cell(row, debit).is_empty();
            if is_empty || (income != 0 && out != 0) {
                return Err(Problem::of_line(row.line, "one of money in and money out must have an amount"));
            }
            Ok(income - out)
        }
    }
}

fn refused(problems: &str, count: usize) -> Error {
    let lines = if count == 1 {
        "1 line cannot be read".to_owned()
    } else {
        format!("{count} values cannot be read")
    };
    FieldErrors::one("file", format!("Nothing was imported: {lines}.\n{problems}")).into()
}
