//! Exports a list as CSV in UTF-8, with the byte order mark that Excel needs.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use jiff::civil::Date;

use super::cell::mark;
use crate::base::closed_set::ClosedSet;
use crate::base::error::{Error, Result};
use crate::base::money::Money;

/// A row of a list that can be exported.
pub trait SheetRow {
    /// Base name of the file, in the plural and with hyphens.
    const LIST: &'static str;
    /// The headings.
    const HEADINGS: &'static [&'static str];

    /// A cell for each heading.
    fn cells(&self) -> Vec<String>;
}

/// Declares how a list is exported: the name of its file, and each heading with its cell.
macro_rules! sheet_row {
    ($row:ty, $list:literal, |$it:ident| $($heading:literal: $cell:expr,)+) => {
        impl $crate::web::sheet::SheetRow for $row {
            const LIST: &'static str = $list;
            const HEADINGS: &'static [&'static str] = &[$($heading),+];

            fn cells(&self) -> Vec<String> {
                let $it = self;
                vec![$($crate::web::sheet::Cell::cell(&$cell)),+]
            }
        }
    };
}
pub(crate) use sheet_row;

/// What a cell holds.
pub trait Cell {
    /// As it is exported.
    fn cell(&self) -> String;
}

macro_rules! as_displayed {
    ($($cell:ty),+) => {
        $(impl Cell for $cell {
            fn cell(&self) -> String {
                self.to_string()
            }
        })+
    };
}

as_displayed!(&str, String, i16, i64, u8, u64, usize, Date, Timestamp);

impl Cell for Money {
    fn cell(&self) -> String {
        self.plain()
    }
}

impl<T: ClosedSet> Cell for T {
    fn cell(&self) -> String {
        self.as_str().to_owned()
    }
}

impl<T: Cell> Cell for Option<T> {
    fn cell(&self) -> String {
        self.as_ref().map(T::cell).unwrap_or_default()
    }
}

/// Writes the headings and rows.
///
/// # Errors
/// Only when the number of cells differs from the number of headings.
pub fn write<T: SheetRow>(rows: &[T]) -> Result<Vec<u8>> {
    let mut sheet = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer("\u{feff}".as_bytes().to_vec());
    let internal = |error: csv::Error| Error::Internal(anyhow::Error::new(error).context("writing a sheet"));
    sheet.write_record(T::HEADINGS).map_err(internal)?;
    for row in rows {
        let cells = row.cells();
        sheet.write_record(cells.iter().map(|cell| mark(cell).into_owned())).map_err(internal)?;
    }
    sheet.into_inner().map_err(|error| Error::Internal(anyhow::anyhow!("writing a sheet: {error}")))
}

/// A download of the rows, named after the list and the date.
///
/// # Errors
/// As [`write()`].
pub fn respond<T: SheetRow>(rows: &[T], today: Date) -> Result<Response> {
    let name = format!("attachment; filename=\"{}-{today}.csv\"", T::LIST);
    let headers = [(header::CONTENT_TYPE, "text/csv; charset=utf-8"), (header::CONTENT_DISPOSITION, &name)];
    Ok((headers, write(rows)?).into_response())
}
