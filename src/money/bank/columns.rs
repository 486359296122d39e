//! Where date, text and amount stand in a bank's file: as the office says, or as the bank is known to write it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::values::{self, DateFormat};
use crate::base::closed_set::ClosedSet as _;
use crate::base::error::FieldErrors;
use crate::storage::search::fold;
use crate::web::sheet::RawRow;

/// Lines among which the heading is looked for: some banks write words above it.
pub const ABOVE: usize = 20;

/// Columns whose cells together are the text of a line. Each is read on every line.
const MAX_TEXTS: usize = 20;

/// The columns of a file, each a heading or a number from 1.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = BankColumns)]
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
    /// Whether the amount came in or went out, in a word: `Debit`, `Dépôt`, `CR`.
    pub direction: String,
    /// The order of a date's numbers.
    pub date_format: Option<DateFormat>,
    /// The number of the account; several columns are separated by commas.
    pub account: String,
    /// The account of the file whose lines are read, where the file has several.
    pub account_number: String,
    /// The headings of the file that they are the columns of, as they are compared; none where it has none.
    #[schema(value_type = Vec<String>)]
    pub headings: BTreeSet<String>,
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
    /// Whether the bank has posted the line, in a word.
    pub status: Option<usize>,
    /// The parts of the number of the account.
    pub account: Vec<usize>,
}

/// Where the amount stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AmountPlace {
    /// In one column, with a sign or with a column that says which way it went.
    Signed(usize, Option<usize>),
    /// In one of two: in, out.
    Two(usize, usize),
}

impl AmountPlace {
    /// The same, with the column that tells the direction.
    pub fn told_by(self, direction: usize) -> Self {
        match self {
            Self::Signed(at, _) => Self::Signed(at, Some(direction)),
            two @ Self::Two(..) => two,
        }
    }

    /// The columns of amounts.
    pub fn all(self) -> Vec<usize> {
        match self {
            Self::Signed(at, _) => vec![at],
            Self::Two(credit, debit) => vec![credit, debit],
        }
    }
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
        let is_heading = !is_date(cell(first, places.date));
        places.first = usize::from(is_heading);
        if is_heading {
            places = places.with_headings(first);
        }
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
            let credit = errors.take("credit", place(&self.credit));
            let debit = errors.take("debit", place(&self.debit));
            credit.zip(debit).map(|(credit, debit)| AmountPlace::Two(credit, debit))
        } else {
            let direction = Some(&*self.direction).filter(|name| !name.is_empty());
            let direction = errors.take("direction", direction.map(&mut place).transpose());
            let amount = errors.take("amount", place(&self.amount));
            amount.zip(direction).map(|(at, direction)| AmountPlace::Signed(at, direction))
        };
        let account = self.account.split(',').filter(|name| !name.is_empty());
        let account = errors.take("account", account.map(&mut place).collect::<Result<Vec<_>, _>>());
        if heading.is_some() && !has_heading {
            errors.add("date", "There is no heading");
        }
        let places = || {
            let places = ColumnPlaces {
                first: heading.map_or(0, |at| at + 1),
                date: date?,
                text: text?,
                amount: amount?,
                us_dollars: None,
                status: None,
                account: account?,
            };
            Some(if heading.is_some() { places.with_headings(row) } else { places })
        };
        let places = places();
        errors.finish(places)
    }

    /// The same, as they are remembered: with the headings that they belong to, and by heading wherever it names one column.
    pub fn remembered(self, rows: &[RawRow], places: &ColumnPlaces) -> Self {
        let Some(heading) = places.heading(rows) else { return self };
        let names: Vec<_> = heading.cells.iter().map(|cell| plain(cell)).collect();
        let named = |name: &str| {
            let number = name.trim().parse::<usize>().ok();
            let at = number.and_then(|number| number.checked_sub(1)).filter(|at| *at < names.len());
            let is_one = |at: usize| {
                let name = &names[at];
                !name.is_empty()
                    && !heading.cells[at].contains(',')
                    && names.iter().filter(|other| *other == name).count() == 1
            };
            at.filter(|at| is_one(*at)).map_or_else(|| name.to_owned(), |at| heading.cells[at].clone())
        };
        let text = self.text.split(',').map(named).collect::<Vec<_>>().join(",");
        let [date, amount, credit, debit, direction] =
            [&self.date, &self.amount, &self.credit, &self.debit, &self.direction].map(|name| named(name));
        Self { date, text, amount, credit, debit, direction, headings: set_of(heading), ..self }
    }

    /// Whether the file has the headings that these columns belong to. Of a file without headings, and of columns from before
    /// they were remembered, only the lines can tell.
    pub fn are_of(&self, rows: &[RawRow]) -> bool {
        self.headings.is_empty() || rows.iter().take(ABOVE).any(|row| set_of(row) == self.headings)
    }
}

impl ColumnPlaces {
    /// The row of the headings.
    pub fn heading<'a>(&self, rows: &'a [RawRow]) -> Option<&'a RawRow> {
        self.first.checked_sub(1).and_then(|at| rows.get(at))
    }

    /// With the columns that a heading tells of by itself.
    fn with_headings(self, heading: &RawRow) -> Self {
        let of = |names: &[&str]| heading.cells.iter().position(|cell| names.contains(&&*plain(cell)));
        Self {
            us_dollars: of(&["usd$", "usd"]),
            status: of(&["status", "statut", "etat"]),
            account: of(&["account number", "numero du compte", "numero de compte", "no de compte"])
                .map_or(self.account, |at| vec![at]),
            ..self
        }
    }

    /// The column that says in words which way the money went, where none is named and the amounts have no sign: most of its
    /// words do, and one says that money went out.
    pub fn told_direction(&self, rows: &[RawRow]) -> Option<usize> {
        let AmountPlace::Signed(amount, None) = self.amount else { return None };
        let lines: Vec<_> = rows[self.first..].iter().filter(|row| !cell(row, amount).is_empty()).collect();
        if lines.iter().any(|row| cell(row, amount).contains(['-', '(', '\u{2212}'])) {
            return None;
        }
        let width = rows.iter().map(|row| row.cells.len()).max().unwrap_or_default();
        let is_told = |at: &usize| {
            let words: Vec<_> = lines.iter().filter_map(|row| values::is_in(cell(row, *at))).collect();
            words.contains(&false) && 2 * words.len() > lines.len()
        };
        (0..width).filter(|at| *at != amount && !self.text.contains(at)).find(is_told)
    }

    /// The number of the account that a line is of; empty where the file names none.
    pub fn account_of(&self, row: &RawRow) -> String {
        let parts: Vec<_> =
            self.account.iter().map(|at| cell(row, *at)).filter(|part| !part.is_empty()).collect();
        parts.join(" ")
    }
}

/// A cell; rows may leave out the last ones.
pub fn cell(row: &RawRow, at: usize) -> &str {
    row.cells.get(at).map_or("", String::as_str)
}

/// Whether a cell is a date, in whatever order.
pub fn is_date(text: &str) -> bool {
    [None, Some(DateFormat::Mdy), Some(DateFormat::Dmy)]
        .iter()
        .any(|order| values::date(text, *order).is_ok())
}

/// A heading without case, accents, apostrophes and the spaces around it.
pub fn plain(heading: &str) -> String {
    fold(&heading.trim().replace('\u{2019}', "'"))
}

/// The headings of a row, as they are compared.
pub fn set_of(row: &RawRow) -> BTreeSet<String> {
    row.cells.iter().map(|cell| plain(cell)).filter(|cell| !cell.is_empty()).collect()
}

/// The order of a date's numbers, as an address says it.
///
/// # Errors
/// A sentence that lists the orders.
pub fn date_format(word: &str) -> Result<Option<DateFormat>, String> {
    if word.is_empty() { Ok(None) } else { DateFormat::choose(word).map(Some) }
}
