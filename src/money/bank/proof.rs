//! The balances of a file without a heading prove which way its money went: each follows from the one before it.

use std::collections::BTreeMap;

use super::columns::{AmountPlace, ColumnPlaces, cell};
use super::entry::signed;
use super::values;
use crate::web::sheet::{DecimalMark, RawRow};

/// What the balances say of a reading.
#[derive(Debug, PartialEq, Eq)]
pub enum Proof {
    /// There are no balances, or they follow from no reading.
    None,
    /// Each amount and its sign follow from them.
    Proven,
    /// The amounts do, and not their signs: the first line, from 1, on which they do not.
    Contradicted(u64),
}

/// What the balances say of the amounts of these columns; each account has its own.
pub fn of(rows: &[RawRow], places: &ColumnPlaces, mark: Option<DecimalMark>) -> Proof {
    let mut accounts = BTreeMap::<String, Vec<&RawRow>>::new();
    for row in &rows[places.first..] {
        accounts.entry(places.account_of(row)).or_default().push(row);
    }
    let mut found = Proof::None;
    for rows in accounts.values() {
        match of_account(rows, places, mark) {
            Proof::None => {}
            contradicted @ Proof::Contradicted(_) => return contradicted,
            proven @ Proof::Proven => found = proven,
        }
    }
    found
}

fn of_account(rows: &[&RawRow], places: &ColumnPlaces, mark: Option<DecimalMark>) -> Proof {
    let cents = rows.iter().map(|row| signed(row, places.amount, mark).ok()).collect::<Option<Vec<_>>>();
    let Some(cents) = cents else { return Proof::None };
    let width = rows.iter().map(|row| row.cells.len()).max().unwrap_or_default();
    let mut found = Proof::None;
    for at in (0..width).filter(|at| !places.amount.all().contains(at) && *at != places.date) {
        let balances = rows.iter().map(|row| values::amount(cell(row, at), mark).ok());
        let Some(balances) = balances.collect::<Option<Vec<_>>>() else { continue };
        // The newest line first, or last: between two balances lies the amount of the newer line.
        for is_newest_first in [true, false] {
            let step = |(at, pair): (usize, &[i64])| match is_newest_first {
                true => (pair[0] - pair[1], at),
                false => (pair[1] - pair[0], at + 1),
            };
            let steps: Vec<_> = balances.windows(2).enumerate().map(step).collect();
            if steps.is_empty() || steps.iter().any(|(step, at)| step.abs() != cents[*at].abs()) {
                continue;
            }
            match steps.iter().find(|(step, at)| *step != cents[*at]) {
                None => return Proof::Proven,
                Some((_, at)) => found = Proof::Contradicted(rows[*at].line),
            }
        }
    }
    found
}

/// The columns with money in and money out exchanged.
pub fn exchanged(amount: AmountPlace) -> AmountPlace {
    match amount {
        AmountPlace::Two(credit, debit) => AmountPlace::Two(debit, credit),
        one @ AmountPlace::Signed(..) => one,
    }
}
