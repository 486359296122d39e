//! The shapes in which Canadian banks write their downloads, and where each was read: in readers that people publish, and in
//! rows that they show; a download is its owner's, and none came from a bank itself.
//!
//! RBC (English and French, the month first in both, some rows with an empty cell more than the heading): the school's own
//! downloads, `Nef10/SwiftBeanCountImporter`, `firefly-iii/import-configurations`. TD (no heading: date, text, out, in, balance):
//! the latter, and `bank2ynab`. BMO (a line of words above the heading, which is repeated for each account; amounts with a sign
//! beside the word): `deb-sig/double-entry-generator`. Scotiabank (older without heading: date, amount, a hyphen, kind, text;
//! newer with one, with *Status* unsigned amounts): `chuck3r/sb_parser`, `garyhubley/transactionParser`. CIBC (no heading: date,
//! text, out, in) and its Simplii: `firefly-iii/import-configurations`. National Bank (semicolons, `0` in the column that is not
//! used): `Ovski4/account-statement-parsers`. Desjardins (no heading, fourteen columns, an account is folio and product):
//! `firefly-iii/import-configurations`, `pvallee19/ConvertDesjardinsToMonarch`. Tangerine (the kind of a transaction is no
//! direction): `Nef10/SwiftBeanCountImporter`. EQ Bank (the sign before `$`): `KoolADE85/eqbank-csv-converter`,
//! `reubano/csv2ofx`. Vancity, for the credit unions of its kind (no heading: account, date, text, cheque, out, in, balance):
//! `geordie/kgcash-mysql`, `calvincchan/vancity-to-zohobooks`.

use std::collections::BTreeSet;

use super::columns::{ABOVE, Columns, cell, is_date, plain, set_of};
use super::values::{self, DateFormat};
use crate::web::sheet::{DecimalMark, RawRow};

/// A bank that is known by its heading. Names divided by a stroke are the same column in different years.
struct Heading {
    date: &'static str,
    text: &'static str,
    amount: &'static str,
    credit: &'static str,
    debit: &'static str,
    direction: &'static str,
    /// Other columns that are there.
    also: &'static [&'static str],
    date_format: Option<DateFormat>,
}

const NONE: Heading = Heading {
    date: "Date",
    text: "Description",
    amount: "",
    credit: "",
    debit: "",
    direction: "",
    also: &[],
    date_format: None,
};

const HEADINGS: [Heading; 12] = [
    // RBC.
    Heading {
        date: "Transaction Date",
        text: "Description 1,Description 2",
        amount: "CAD$|CAD",
        also: &["Account Type", "Account Number", "Cheque Number"],
        date_format: Some(DateFormat::Mdy),
        ..NONE
    },
    Heading {
        date: "Date de l'opération",
        text: "Description 1,Description 2",
        amount: "CAD$|CAD",
        also: &["Type de compte", "Numéro du compte", "Numéro du chèque"],
        date_format: Some(DateFormat::Mdy),
        ..NONE
    },
    // BMO.
    Heading {
        date: "Date Posted",
        amount: "Transaction Amount",
        direction: "Transaction Type",
        also: &["First Bank Card"],
        ..NONE
    },
    // Scotiabank.
    Heading {
        text: "Description,Sub-description",
        amount: "Amount",
        direction: "Type of Transaction",
        ..NONE
    },
    Heading {
        text: "Description,Sous-description",
        amount: "Montant",
        direction: "Type d'opération",
        ..NONE
    },
    // National Bank.
    Heading { credit: "Credit", debit: "Debit", also: &["Category", "Balance"], ..NONE },
    Heading { credit: "Crédit", debit: "Débit", also: &["Catégorie", "Solde"], ..NONE },
    // Tangerine.
    Heading {
        date: "Date|Transaction date",
        text: "Name,Memo",
        amount: "Amount",
        also: &["Transaction"],
        date_format: Some(DateFormat::Mdy),
        ..NONE
    },
    Heading {
        text: "Nom,Description",
        amount: "Montant",
        also: &["Transaction"],
        date_format: Some(DateFormat::Mdy),
        ..NONE
    },
    // EQ Bank.
    Heading { date: "Transfer date", amount: "Amount", also: &["Balance"], ..NONE },
    Heading { credit: "In", debit: "Out", also: &["Balance"], ..NONE },
    // Simplii.
    Heading {
        text: "Transaction Details",
        credit: "Funds In",
        debit: "Funds Out",
        date_format: Some(DateFormat::Mdy),
        ..NONE
    },
];

/// The columns of a bank that is known by its heading or by the shape of its lines.
pub fn known(rows: &[RawRow]) -> Option<Columns> {
    let heading = rows.iter().take(ABOVE).find_map(|row| by_heading(&set_of(row)));
    heading.or_else(|| by_lines(rows))
}

/// The columns of a bank with these headings, as they are compared.
fn by_heading(headings: &BTreeSet<String>) -> Option<Columns> {
    HEADINGS.iter().find_map(|bank| {
        let present = |names: &str| names.split('|').map(plain).find(|name| headings.contains(name));
        let column = |names: &str| if names.is_empty() { Some(String::new()) } else { present(names) };
        let text = bank.text.split(',').map(column).collect::<Option<Vec<_>>>()?.join(",");
        let is_there = bank.also.iter().all(|name| present(name).is_some());
        Some(Columns {
            date: column(bank.date)?,
            text,
            amount: column(bank.amount)?,
            credit: column(bank.credit)?,
            debit: column(bank.debit)?,
            direction: column(bank.direction)?,
            date_format: bank.date_format,
            ..Columns::default()
        })
        .filter(|_| is_there)
    })
}

/// A bank that is known by the shape of its lines: columns from 1, of which those of money out and in are used in turn.
struct Lines {
    width: std::ops::RangeInclusive<usize>,
    date: usize,
    text: usize,
    debit: usize,
    credit: usize,
    account: &'static str,
}

const LINES: [Lines; 3] = [
    // TD, and CIBC without the balance.
    Lines { width: 4..=6, date: 1, text: 2, debit: 3, credit: 4, account: "" },
    // Vancity.
    Lines { width: 7..=7, date: 2, text: 3, debit: 5, credit: 6, account: "1" },
    // Desjardins.
    Lines { width: 14..=14, date: 4, text: 6, debit: 8, credit: 9, account: "2,3" },
];

/// The columns of a bank whose lines look like these.
fn by_lines(rows: &[RawRow]) -> Option<Columns> {
    let is_amount = |text: &str| values::amount(text, Some(DecimalMark::Point)).is_ok();
    let all = |fits: &dyn Fn(&RawRow) -> bool| !rows.is_empty() && rows.iter().all(fits);
    let bank = LINES.iter().find(|bank| {
        all(&|row| {
            let at = |place: usize| cell(row, place - 1);
            let out = at(bank.debit);
            let income = at(bank.credit);
            bank.width.contains(&row.cells.len())
                && is_date(at(bank.date))
                && !at(bank.text).is_empty()
                && !is_amount(at(bank.text))
                && out.is_empty() != income.is_empty()
                && (is_amount(out) || is_amount(income))
        })
    });
    if let Some(bank) = bank {
        let [date, text, debit, credit] =
            [bank.date, bank.text, bank.debit, bank.credit].map(|at| at.to_string());
        let account = bank.account.to_owned();
        return Some(Columns { date, text, credit, debit, account, ..Columns::default() });
    }
    // Scotiabank: date, amount, nothing or a hyphen, kind, text, of which one may be missing.
    let is_scotiabank = all(&|row| {
        is_date(cell(row, 0))
            && is_amount(cell(row, 1))
            && matches!(cell(row, 2), "" | "-")
            && !(cell(row, 3).is_empty() && cell(row, 4).is_empty())
    });
    let [date, amount, text] = ["1", "2", "4,5"].map(str::to_owned);
    is_scotiabank.then(|| Columns { date, text, amount, ..Columns::default() })
}
