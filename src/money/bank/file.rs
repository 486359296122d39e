//! A bank's file, read: every line with its date, amount and text, and what was left out and why.

use std::collections::BTreeMap;

use jiff::ToSpan as _;
use jiff::civil::Date;
use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use utoipa::ToSchema;

use super::columns::{self, AmountPlace, ColumnPlaces, Columns, cell};
use super::entry::{Entry, PENDING, ReadEntry, signed};
use super::format::{self, Format};
use super::proof::{self, Proof};
use super::values::{self, DateFormat};
use super::{camt, ofx, shapes};
use crate::base::error::{Error, FieldErrors, Result};
use crate::base::text::collapse_whitespace;
use crate::storage::search::fold;
use crate::web::sheet::{DecimalMark, RawRow, RawTable, raw_rows};

/// Largest number of lines.
const MAX_LINES: usize = 5_000;
/// Characters of a text that are kept.
const MAX_TEXT: usize = 500;
/// Days that a line may be ahead: on a weekend banks write the next business day.
const AHEAD: i32 = 5;
/// Lines that are shown when the columns are to be chosen.
const SHOWN: usize = 6;
/// Reasons that are listed when nothing can be read.
const LISTED: usize = 10;

const UNKNOWN: &str = "We don\u{2019}t recognize this bank\u{2019}s format. Which columns are the date, the text and the amount? \
    Choose them once: the next file of this account is read the same way.";
const UNFIT: &str = "The headings of this file are not those of this account\u{2019}s last file. Choose the columns again, or \
    the account that the file is of.";
const UNPROVEN: &str = "This file has no headings, and nothing in it proves which amounts came in. Look at the columns, and \
    change them if they are wrong: the next file of this account is read the same way.";
const ORDER: &str =
    "The dates of this file can be read in two ways. Choose whether the month or the day stands first.";
const ACCOUNTS: &str = "This file is of several accounts. Choose the one that families pay into: the next file is read the \
    same way.";

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
    /// The number of its account, where the file names it.
    pub account: String,
    /// What it is known by if it comes again.
    pub hash: [u8; 32],
    /// What it was known by in files that were imported until version 0.3.
    pub former_hash: [u8; 32],
}

/// A line of the file that is no payment that can be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct LeftOut {
    /// Its line, from 1.
    pub line: u64,
    /// As it stands in the file.
    pub text: String,
    /// A sentence that says why, and what to do.
    pub reason: String,
}

/// A file of which something can be read.
#[derive(Debug)]
pub struct BankFile {
    /// SHA-256 of the file.
    pub sha256: [u8; 32],
    /// Where date, text and amount stand, as they are remembered.
    pub columns: Columns,
    /// Its lines.
    pub lines: Vec<FileLine>,
    /// Its other lines.
    pub left_out: Vec<LeftOut>,
}

/// Reads a file: by the columns that are named, else by those that the account had before, else as a known bank.
///
/// # Errors
/// 400 that says why nothing can be read, or asks for the columns.
pub fn read(
    bytes: Vec<u8>,
    account: &str,
    named: Columns,
    before: Option<Columns>,
    today: Date,
) -> Result<BankFile> {
    let sha256 = Sha256::digest(&bytes).into();
    let remembered = before.as_ref().map_or("", |before| &before.account_number).to_owned();
    let chosen = Some(named.account_number.clone()).filter(|number| !number.is_empty());
    let refused = |message: String| Error::field("file", message);
    let (mut columns, entries, rows) = match format::of(bytes).map_err(refused)? {
        Format::Ofx(text) => (Columns::default(), ofx::entries(&text), Vec::new()),
        Format::Camt(text) => (Columns::default(), camt::entries(&text).map_err(refused)?, Vec::new()),
        Format::Table(text) => {
            let broken = |problem| refused(format!("Nothing was imported: {problem}."));
            let mut table = raw_rows(text).map_err(broken)?;
            // Some banks put each line as a whole between quotation marks.
            if table.rows.iter().all(|row| row.cells.len() == 1 && row.cells[0].contains([';', ','])) {
                let text: Vec<_> = table.rows.iter().map(|row| &*row.cells[0]).collect();
                table = raw_rows(text.join("\n")).map_err(broken)?;
            }
            let (columns, places) = choose(&table, named, before, today)?;
            let entries = entries(&table, &columns, &places);
            (columns.remembered(&table.rows, &places), entries, table.rows)
        }
    };
    if entries.len() > MAX_LINES {
        let words = "The file has more than 5,000 lines. Download a shorter time from the bank.";
        return Err(Error::field("file", words));
    }
    let mut accounts = BTreeMap::<&str, usize>::new();
    for entry in entries.iter().filter(|entry| !entry.account.is_empty()) {
        *accounts.entry(&entry.account).or_default() += 1;
    }
    let number = chosen.unwrap_or(remembered);
    if accounts.len() > 1 && !accounts.contains_key(&*number) {
        let accounts: Vec<_> =
            accounts.iter().map(|(number, lines)| json!({ "number": number, "lines": lines })).collect();
        return Err(ask(
            ACCOUNTS,
            &rows,
            json!({ "asks": "account", "accounts": accounts, "chosen": columns }),
        ));
    }
    if accounts.len() > 1 {
        columns.account_number = number;
    }
    let (lines, left_out) = sort(entries, account, &columns.account_number, today);
    if lines.is_empty() {
        return Err(refused(nothing(&left_out)));
    }
    Ok(BankFile { sha256, columns, lines, left_out })
}

fn nothing(left_out: &[LeftOut]) -> String {
    if left_out.is_empty() {
        return "The file has a heading and no lines below it.".to_owned();
    }
    let reasons: Vec<_> =
        left_out.iter().take(LISTED).map(|one| format!("line {}: {}", one.line, one.reason)).collect();
    let more = match left_out.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!("\nand {more} more"),
    };
    format!("Nothing was imported: no line can be read.\n{}{more}", reasons.join("\n"))
}

fn ask(message: &'static str, rows: &[RawRow], mut current: Value) -> Error {
    let shown: Vec<_> = rows.iter().take(SHOWN).map(|row| &row.cells).collect();
    // The first of the widest lines: above a heading there may be words. A row that ends with nothing is not wider for it.
    let width = |row: &RawRow| row.cells.iter().rposition(|cell| !cell.is_empty()).map_or(0, |at| at + 1);
    let widest = rows.iter().take(SHOWN).rev().max_by_key(|row| width(row));
    let headings = widest.map(|row| row.cells.clone()).unwrap_or_default();
    current["rows"] = json!(shown);
    Error::ColumnsUnknown(message, headings, Box::new(current))
}

fn choose(
    table: &RawTable,
    named: Columns,
    before: Option<Columns>,
    today: Date,
) -> Result<(Columns, ColumnPlaces)> {
    let rows = &table.rows;
    // A statement in OFX has none.
    let before = before.filter(|columns| !columns.is_empty());
    if rows.is_empty() {
        return Err(Error::field("file", "The file is empty."));
    }
    let chosen_order = named.date_format;
    if !named.is_empty() {
        let places = named.find(rows)?;
        if let Proof::Contradicted(line) = proven(table, &places) {
            let words = format!(
                "The balances of the file say otherwise: look at line {line}, where money went the other way"
            );
            let field = if named.amount.is_empty() { "credit" } else { "amount" };
            return Err(FieldErrors::one(field, words).into());
        }
        return decided(rows, named, places, chosen_order, today);
    }
    let is_remembered = before.is_some();
    let last = before.clone();
    for (columns, was_before) in [(before, true), (shapes::known(rows), false)] {
        let Some(columns) = columns.filter(|columns| columns.are_of(rows)) else { continue };
        let Ok(mut places) = columns.find(rows) else { continue };
        if !fits(table, &columns, &places) {
            continue;
        }
        let is_guess = !was_before && places.first == 0 && matches!(places.amount, AmountPlace::Two(..));
        let columns = match proven(table, &places) {
            Proof::Contradicted(_) if !was_before => {
                places.amount = proof::exchanged(places.amount);
                if proven(table, &places) != Proof::Proven {
                    continue;
                }
                let Columns { credit, debit, .. } = columns.clone();
                Columns { credit: debit, debit: credit, ..columns }
            }
            Proof::Contradicted(_) => continue,
            Proof::None if is_guess => {
                return Err(ask(UNPROVEN, rows, json!({ "asks": "columns", "chosen": columns })));
            }
            _ => columns,
        };
        return decided(rows, columns, places, chosen_order, today);
    }
    let message = if is_remembered { UNFIT } else { UNKNOWN };
    Err(ask(message, rows, json!({ "asks": "columns", "chosen": last })))
}

/// What the balances say, of a file without a heading.
fn proven(table: &RawTable, places: &ColumnPlaces) -> Proof {
    if places.first > 0 {
        return Proof::None;
    }
    proof::of(&table.rows, places, mark(table, places))
}

/// With what each file decides for itself: a column that tells the direction in words, which is remembered, so that another word
/// is asked about next time; and the order of its dates. The office's choice comes first, then what the file proves, then what
/// the account had before.
fn decided(
    rows: &[RawRow],
    mut columns: Columns,
    mut places: ColumnPlaces,
    chosen: Option<DateFormat>,
    today: Date,
) -> Result<(Columns, ColumnPlaces)> {
    if let Some(at) = places.told_direction(rows) {
        places.amount = places.amount.told_by(at);
        columns.direction = (at + 1).to_string();
    }
    let last = today.saturating_add(AHEAD.days());
    let dates = rows[places.first..].iter().map(|row| cell(row, places.date));
    columns.date_format = match (chosen, columns.date_format, values::order_of_file(dates, last)) {
        (Some(chosen), ..) => Some(chosen),
        // Years of two digits first look like another order.
        (None, Some(DateFormat::Ymd), _) => Some(DateFormat::Ymd),
        (None, _, Ok(Some(proven))) => Some(proven),
        (None, before, Ok(None)) | (None, before @ Some(_), Err(())) => before,
        (None, None, Err(())) => {
            return Err(ask(ORDER, rows, json!({ "asks": "dateFormat", "chosen": columns })));
        }
    };
    Ok((columns, places))
}

/// What stands before the decimals of the file's amounts: what they prove, else the point where commas divide the cells.
fn mark(table: &RawTable, places: &ColumnPlaces) -> Option<DecimalMark> {
    let columns = places.amount.all();
    let rows = &table.rows[places.first..];
    let cells = || rows.iter().flat_map(|row| columns.iter().map(|at| cell(row, *at)));
    let is_either = cells().all(|cell| DecimalMark::proof(cell).is_none());
    DecimalMark::of_file(cells()).or((is_either && table.has_commas).then_some(DecimalMark::Point))
}

/// Whether the columns are named by their heading, or a line has a date and an amount in its place: columns that are
/// numbers may be those of another file.
fn fits(table: &RawTable, columns: &Columns, places: &ColumnPlaces) -> bool {
    let mark = mark(table, places);
    let is_line =
        |row: &RawRow| columns::is_date(cell(row, places.date)) && signed(row, places.amount, mark).is_ok();
    let is_named = columns.date.parse::<usize>().is_err();
    is_named || table.rows.iter().skip(places.first).any(is_line)
}

/// The lines of a table.
fn entries(table: &RawTable, columns: &Columns, places: &ColumnPlaces) -> Vec<Entry> {
    let rows = &table.rows[places.first..];
    let mark = mark(table, places);
    let titles = places.heading(&table.rows).map(|row| &row.cells);
    // Some banks end each line with a separator that the heading has not.
    let mut widths = BTreeMap::<usize, usize>::new();
    for row in rows {
        *widths.entry(row.cells.len()).or_default() += 1;
    }
    let usual = widths.iter().max_by_key(|(_, count)| **count).map_or(0, |(width, _)| *width);
    let heading = places.heading(&table.rows).map_or(usual, |row| row.cells.len());
    let entry = |row: &RawRow| {
        let filled = row.cells.iter().rposition(|cell| !cell.is_empty()).map_or(0, |at| at + 1);
        let read = if filled > heading || row.cells.len() > usual.max(heading) {
            Err(format!(
                "It has {} columns, and the others have {heading}: a comma in its text has moved them.",
                row.cells.len()
            ))
        } else {
            read_row(row, columns, places, mark)
        };
        let account = places.account_of(row);
        let shown: Vec<&str> = row.cells.iter().map(String::as_str).filter(|cell| !cell.is_empty()).collect();
        Entry { line: row.line, account, shown: shown.join(", "), read }
    };
    // Some banks repeat the heading for each account.
    rows.iter().filter(|row| Some(&row.cells) != titles).map(entry).collect()
}

fn read_row(
    row: &RawRow,
    columns: &Columns,
    places: &ColumnPlaces,
    mark: Option<DecimalMark>,
) -> Result<ReadEntry, String> {
    if values::is_pending(places.status.map_or("", |at| cell(row, at))) {
        return Err(PENDING.to_owned());
    }
    let written = cell(row, places.date);
    let date = values::date(written, columns.date_format)
        .map_err(|rule| format!("The date \u{201c}{written}\u{201d} {rule}."))?;
    let us_dollars = us_dollars(row, places);
    let cents = if us_dollars.is_some() { 0 } else { signed(row, places.amount, mark)? };
    let mut text: Vec<_> =
        places.text.iter().map(|at| cell(row, *at)).filter(|text| !text.is_empty()).collect();
    if let Some(at) = us_dollars {
        text.extend(["US$", cell(row, at)]);
    }
    Ok(ReadEntry { date, cents, text: text.join(" "), id: String::new() })
}

/// The column of an amount in US dollars that a line has instead of one in Canadian ones.
fn us_dollars(row: &RawRow, places: &ColumnPlaces) -> Option<usize> {
    let AmountPlace::Signed(own, _) = places.amount else { return None };
    places.us_dollars.filter(|at| *at != own && cell(row, own).is_empty() && !cell(row, *at).is_empty())
}

/// Lines of the account, and what is left out.
fn sort(entries: Vec<Entry>, name: &str, number: &str, today: Date) -> (Vec<FileLine>, Vec<LeftOut>) {
    let mut lines = Vec::new();
    let mut left_out = Vec::new();
    let mut nth = BTreeMap::<String, u64>::new();
    let mut former = BTreeMap::<(Date, i64, String), u64>::new();
    for Entry { line, account, shown, read } in entries {
        let read = match read {
            _ if !number.is_empty() && account != number => Err(format!("It is of the account {account}.")),
            Ok(read) => check_day(read.date, today).map(|()| read),
            Err(reason) => Err(reason),
        };
        let shorten = |text: &str| -> String { collapse_whitespace(text).chars().take(MAX_TEXT).collect() };
        match read {
            Err(reason) => left_out.push(LeftOut { line, text: shorten(&shown), reason }),
            Ok(ReadEntry { date, cents, text, id }) => {
                let text = shorten(&text);
                let owner = if account.is_empty() { fold(name) } else { account.clone() };
                let what = if id.is_empty() { identity(&text) } else { id };
                let key = json!([owner, date, cents, what]).to_string();
                let count = nth.entry(key.clone()).or_default();
                *count += 1;
                let hash = Sha256::digest(format!("{key} {count}")).into();
                let count = former.entry((date, cents, text.clone())).or_default();
                *count += 1;
                let words = json!([name.to_lowercase(), date, cents, text, *count]).to_string();
                let former_hash = Sha256::digest(words).into();
                lines.push(FileLine { line, date, cents, text, account, hash, former_hash });
            }
        }
    }
    (lines, left_out)
}

/// A text as it is compared: without case, accents, and the blanks in its numbers.
fn identity(text: &str) -> String {
    let folded = collapse_whitespace(&fold(text));
    let mut identity = String::with_capacity(folded.len());
    let mut letters = folded.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_within = letter == ' '
            && identity.ends_with(|c: char| c.is_ascii_digit())
            && letters.peek().is_some_and(char::is_ascii_digit);
        if !is_within {
            identity.push(letter);
        }
    }
    identity
}

/// Money came on a day that has been or is about to be, and not long ago: otherwise day and month are probably mistaken.
fn check_day(date: Date, today: Date) -> Result<(), String> {
    if date > today.saturating_add(AHEAD.days()) {
        return Err(format!(
            "{date} is in the future. If the day stands before the month, choose so and import it again."
        ));
    }
    if date < today.saturating_sub(5.years()) {
        return Err(format!("{date} is more than five years ago."));
    }
    Ok(())
}
