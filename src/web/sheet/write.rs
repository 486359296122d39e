//! Exports a list as CSV in UTF-8, with the byte order mark that Excel needs.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use jiff::civil::Date;
use serde::Serialize;

use super::cell::mark;
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::{Error, Result};
use crate::base::money::Money;

/// A row of a list that can be exported.
pub trait SheetRow {
    /// Base name of the file, in the plural and with hyphens.
    const LIST: &'static str;
    /// The headings.
    const HEADINGS: &'static [&'static str];

    /// A cell for each heading.
    fn cells(&self) -> Vec<SheetCell>;
}

/// Declares how a list is exported: the name of its file, and each heading with its cell.
macro_rules! sheet_row {
    ($row:ty, $list:literal, |$it:ident| $($heading:literal: $cell:expr,)+) => {
        impl $crate::web::sheet::SheetRow for $row {
            const LIST: &'static str = $list;
            const HEADINGS: &'static [&'static str] = &[$($heading),+];

            fn cells(&self) -> Vec<$crate::web::sheet::SheetCell> {
                let $it = self;
                vec![$($crate::web::sheet::Cell::cell(&$cell)),+]
            }
        }
    };
}
pub(crate) use sheet_row;

closed_set! {
    /// The spreadsheet program that a sheet is written for.
    #[derive(Default, clap::ValueEnum)]
    pub enum SheetStyle {
        /// English Excel: commas between the cells and a decimal point.
        #[default]
        #[value(name = "en")]
        English = "en",
        /// French Excel: a first line `sep=;`, semicolons between the cells and a decimal comma.
        #[value(name = "fr")]
        French = "fr",
    }
}

impl SheetStyle {
    fn delimiter(self) -> u8 {
        match self {
            Self::English => b',',
            Self::French => b';',
        }
    }

    /// The byte order mark, and the line that names the separator.
    fn start(self) -> Vec<u8> {
        let start = match self {
            Self::English => "\u{feff}",
            Self::French => "\u{feff}sep=;\r\n",
        };
        start.as_bytes().to_vec()
    }

    fn write(self, cell: SheetCell) -> String {
        match (cell, self) {
            (SheetCell::Text(text), _) => mark(&text).into_owned(),
            (SheetCell::Number(number), Self::English) => number,
            (SheetCell::Number(number), Self::French) => number.replace('.', ","),
        }
    }
}

/// What a cell of a row holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum SheetCell {
    /// Text, also dates, which every program reads alike.
    Text(String),
    /// A number with a decimal point.
    Number(String),
}

impl SheetCell {
    /// The text, or the number with a decimal point.
    #[cfg(test)]
    pub fn as_str(&self) -> &str {
        let (Self::Text(text) | Self::Number(text)) = self;
        text
    }
}

/// A value that can be exported.
pub trait Cell {
    /// As it is exported.
    fn cell(&self) -> SheetCell;
}

macro_rules! as_displayed {
    ($($cell:ty),+) => {
        $(impl Cell for $cell {
            fn cell(&self) -> SheetCell {
                SheetCell::Text(self.to_string())
            }
        })+
    };
}

as_displayed!(&str, String, i16, i64, u8, u64, usize, Date, Timestamp);

impl Cell for Money {
    fn cell(&self) -> SheetCell {
        SheetCell::Number(self.plain())
    }
}

impl<T: ClosedSet> Cell for T {
    fn cell(&self) -> SheetCell {
        SheetCell::Text(self.as_str().to_owned())
    }
}

impl<T: Cell> Cell for Option<T> {
    fn cell(&self) -> SheetCell {
        self.as_ref().map_or_else(|| SheetCell::Text(String::new()), T::cell)
    }
}

/// Writes the headings and rows.
///
/// # Errors
/// Only when the number of cells differs from the number of headings.
pub fn write<T: SheetRow>(rows: &[T], style: SheetStyle) -> Result<Vec<u8>> {
    let mut sheet = csv::WriterBuilder::new()
        .delimiter(style.delimiter())
        .terminator(csv::Terminator::CRLF)
        .from_writer(style.start());
    let internal = |error: csv::Error| Error::Internal(anyhow::Error::new(error).context("writing a sheet"));
    sheet.write_record(T::HEADINGS).map_err(internal)?;
    for row in rows {
        sheet.write_record(row.cells().into_iter().map(|cell| style.write(cell))).map_err(internal)?;
    }
    sheet.into_inner().map_err(|error| Error::Internal(anyhow::anyhow!("writing a sheet: {error}")))
}

/// A download of the rows, named after the list and the date.
///
/// # Errors
/// As [`write()`].
pub fn respond<T: SheetRow>(rows: &[T], style: SheetStyle, today: Date) -> Result<Response> {
    let name = format!("attachment; filename=\"{}-{today}.csv\"", T::LIST);
    let headers = [(header::CONTENT_TYPE, "text/csv; charset=utf-8"), (header::CONTENT_DISPOSITION, &name)];
    Ok((headers, write(rows, style)?).into_response())
}
