//! Exports a list as CSV in UTF-8, with the byte order mark that Excel needs.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use jiff::civil::Date;

use super::cell::mark;
use crate::base::error::{Error, Result};

/// A row of a list that can be exported.
pub trait SheetRow {
    /// Base name of the file, in the plural and with hyphens.
    const LIST: &'static str;
    /// The headings.
    const HEADINGS: &'static [&'static str];

    /// A cell for each heading.
    fn cells(&self) -> Vec<String>;
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
