//! Where date, text and amount stand in a bank's file: as the office says, or as the bank is known to write it.
//!
//! The shapes of the banks, and who says so: RBC, as the school's own downloads have it. TD (no heading: date, text,
//! money out, money in, balance): the importers `fxtlabs/beansoup` and `deb-sig/double-entry-generator`. BMO (a line of
//! words before the heading): `deb-sig/double-entry-generator`. Scotiabank, without heading (date, amount, a column of
//! nothing or a hyphen, kind, text): `chuck3r/sb_parser`; with the heading of its newer downloads: several importers on
//! GitHub, none of them the bank's. CIBC (no heading: date, text, money out, money in): importers on GitHub alone.
//! None was compared with a file that came from TD, BMO, Scotiabank or CIBC itself.

use serde::{Deserialize, Serialize};

use super::values::{self, DateFormat};
use crate::base::closed_set::ClosedSet as _;
use crate::base::error::FieldErrors;
use crate::web::sheet::RawRow;

/// Lines among which the heading is looked for: some banks write words above it.
const ABOVE: usize = 20;

/// Columns whose cells together are the text of a line. Each is read on every line.
const MAX_TEXTS: usize = 20;

/// The columns of a file, each a heading or a number from 1.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Columns {
    /// The date.
    pub date: String,
    /// The text; several are separated by commas.
    pub text: String,
    /// The amount, less than 0 where money went out.
    pub amount: String,
    /// Or money that came in,
    pub credit: String,
    /// and money that went out.
    pub debit: String,
    /// Whether the amount went out, in a word: `Debit` or `Credit`.
    pub direction: String,
    /// The order of a date's numbers.
    pub date_format: Option<DateFormat>,
}

/// The same as places of a row, from 0.
#[derive(Debug, PartialEq, Eq)]
pub struct ColumnPlaces {
    /// The first row below the heading.
    pub first: usize,
    /// The date.
    pub date: usize,
    /// The parts of the text.
    pub text: Vec<usize>,
    /// The amount.
    pub amount: AmountPlace,
    /// An amount in US dollars, beside which that in Canadian ones is empty.
    pub us_dollars: Option<usize>,
}

/// Where the amount stands.
#[derive(Debug, PartialEq, Eq)]
pub enum AmountPlace {
    /// In one column, with a sign or with a column that says which way it went.
    Signed(usize, Option<usize>),
    /// In one of two: in, out.
    Two(usize, usize),
}

impl Columns {
    /// Whether none is named.
    pub fn is_empty(&self) -> bool {
        [&self.date, &self.text, &self.amount, &self.credit, &self.debit].iter().all(|name| name.is_empty())
    }

    /// Finds columns that the office named.
    ///
    /// # Errors
    /// A message for each that is missing, or that the file does not have.
    pub fn find(&self, rows: &[RawRow]) -> Result<ColumnPlaces, FieldErrors> {
        let mut errors = FieldErrors::default();
        let is_two = !self.credit.is_empty() || !self.debit.is_empty();
        for (field, name) in [("date", &self.date), ("text", &self.text)] {
            if name.is_empty() {
                errors.add(field, "Choose a column");
            }
        }
        match (is_two, self.amount.is_empty()) {
            (false, true) => {
                errors.add("amount", "Choose the column of the amount, or those of money in and money out");
            }
            (true, false) => {
                errors.add("amount", "Choose the amount, or money in and money out, and not both");
            }
            (true, true) if self.credit.is_empty() => errors.add("credit", "Choose a column"),
            (true, true) if self.debit.is_empty() => errors.add("debit", "Choose a column"),
            _ => {}
        }
        if self.text.split(',').count() > MAX_TEXTS {
            errors.add("text", format!("Choose at most {MAX_TEXTS} columns"));
        }
        errors.finish(Some(()))?;
        let found = (0..rows.len().min(ABOVE)).find_map(|at| self.places(&rows[at], Some(at)).ok());
        if let Some(places) = found {
            return Ok(places);
        }
        let Some(first) = rows.first() else { return Err(FieldErrors::one("file", "The file is empty")) };
        let mut places = self.places(first, None)?;
        // A first line whose date is no date is the heading.
        let is_heading = values::date(cell(first, places.date), self.date_format).is_err();
        places.first = usize::from(is_heading);
        Ok(places)
    }

    /// The places by the headings of a row, or by numbers alone.
    fn places(&self, row: &RawRow, heading: Option<usize>) -> Result<ColumnPlaces, FieldErrors> {
        let mut errors = FieldErrors::default();
        let mut has_heading = false;
        let headings: Vec<_> = row.cells.iter().map(|cell| plain(cell)).collect();
        let mut place = |name: &str| {
            let wanted = plain(name);
            let is_wanted = |heading: &String| *heading == wanted && heading.parse::<usize>().is_err();
            if let Some(at) = headings.iter().position(is_wanted) {
                has_heading = true;
                return Ok(at);
            }
            match name.trim().parse::<usize>() {
                Ok(number) if (1..=headings.len()).contains(&number) => Ok(number - 1),
                Ok(_) => Err(format!("The file has {} columns", headings.len())),
                Err(_) => Err(format!(
                    "No column is called \u{201c}{name}\u{201d}. The columns are: {}",
                    row.cells.join(", ")
                )),
            }
        };
        let date = errors.take("date", place(&self.date));
        let whole = place(&self.text).map(|at| vec![at]);
        let text = whole.or_else(|_| self.text.split(',').map(&mut place).collect());
        let text = errors.take("text", text);
        let amount = if self.amount.is_empty() {
            let (credit, debit) =
                (errors.take("credit", place(&self.credit)), errors.take("debit", place(&self.debit)));
            credit.zip(debit).map(|(credit, debit)| AmountPlace::Two(credit, debit))
        } else {
            let direction = if self.direction.is_empty() { None } else { place(&self.direction).ok() };
            errors.take("amount", place(&self.amount)).map(|at| AmountPlace::Signed(at, direction))
        };
        if heading.is_some() && !has_heading {
            errors.add("date", "There is no heading");
        }
        let places = || {
            Some(ColumnPlaces {
                first: heading.map_or(0, |at| at + 1),
                date: date?,
                text: text?,
                amount: amount?,
                us_dollars: headings.iter().position(|heading| heading == "usd$" || heading == "usd"),
            })
        };
        let places = places();
        errors.finish(places)
    }
}

/// A cell; rows may leave out the last ones.
pub fn cell(row: &RawRow, at: usize) -> &str {
    row.cells.get(at).map_or("", String::as_str)
}

/// A heading without case, and without the spaces around it.
fn plain(heading: &str) -> String {
    heading.trim().to_lowercase()
}

/// The banks that are known by their heading.
const BANKS: [(&[&str], [&str; 4]); 3] = [
    // RBC.
    (
        &[
            "Account Type",
            "Account Number",
            "Transaction Date",
            "Cheque Number",
            "Description 1",
            "Description 2",
            "CAD$",
        ],
        ["Transaction Date", "Description 1,Description 2", "CAD$", ""],
    ),
    // BMO.
    (
        &["First Bank Card", "Transaction Type", "Date Posted", "Transaction Amount", "Description"],
        ["Date Posted", "Description", "Transaction Amount", "Transaction Type"],
    ),
    // Scotiabank.
    (
        &["Date", "Description", "Sub-description", "Type of Transaction", "Amount"],
        ["Date", "Description,Sub-description", "Amount", "Type of Transaction"],
    ),
];

/// The columns of a bank that is known by its heading or by the shape of its lines.
pub fn known(rows: &[RawRow]) -> Option<Columns> {
    for (headings, [date, text, amount, direction]) in BANKS {
        let has_all = |row: &RawRow| {
            headings.iter().all(|heading| row.cells.iter().any(|cell| plain(cell) == plain(heading)))
        };
        if rows.iter().take(ABOVE).any(has_all) {
            let [date, text, amount, direction] = [date, text, amount, direction].map(str::to_owned);
            return Some(Columns { date, text, amount, direction, ..Columns::default() });
        }
    }
    let fits = |fits: fn(&RawRow) -> bool| !rows.is_empty() && rows.iter().all(fits);
    let numbers =
        |date: &str, text: &str| Columns { date: date.into(), text: text.into(), ..Columns::default() };
    // TD and CIBC: date, text, out, in.
    if fits(|row| {
        let is_filled = |at: usize| !cell(row, at).is_empty();
        let (out, income) = (cell(row, 2), cell(row, 3));
        has_date(row)
            && is_filled(1)
            && values::amount(cell(row, 1)).is_err()
            && (is_filled(2) != is_filled(3))
            && (values::amount(out).is_ok() || values::amount(income).is_ok())
    }) {
        return Some(Columns { debit: "3".into(), credit: "4".into(), ..numbers("1", "2") });
    }
    // Scotiabank: date, amount, nothing or a hyphen, kind, text, of which one may be missing.
    let is_scotiabank = fits(|row| {
        has_date(row)
            && values::amount(cell(row, 1)).is_ok()
            && matches!(cell(row, 2), "" | "-")
            && !(cell(row, 3).is_empty() && cell(row, 4).is_empty())
    });
    is_scotiabank.then(|| Columns { amount: "2".into(), ..numbers("1", "4,5") })
}

fn has_date(row: &RawRow) -> bool {
    values::date(cell(row, 0), None).is_ok()
}

/// The order of a date's numbers, as an address says it.
///
/// # Errors
/// A sentence that lists the orders.
pub fn date_format(word: &str) -> Result<Option<DateFormat>, String> {
    if word.is_empty() { Ok(None) } else { DateFormat::choose(word).map(Some) }
}
