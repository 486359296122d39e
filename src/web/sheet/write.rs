//! A list as a sheet that a spreadsheet opens: CSV in UTF-8 with a byte order mark, which Excel needs to
//! believe it. No cell is a formula, whoever typed its text.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use jiff::civil::Date;

use crate::base::error::{Error, Result};

/// A row of a list that is also given out as a sheet.
pub trait SheetRow {
    /// What the list is called, in the plural and with hyphens: the name of the file.
    const LIST: &'static str;
    /// The headings.
    const HEADINGS: &'static [&'static str];

    /// A cell for each heading; empty where there is nothing.
    fn cells(&self) -> Vec<String>;
}

/// The rows under their headings.
///
/// # Errors
/// Only when a row has other cells than its list has headings.
pub fn write<T: SheetRow>(rows: &[T]) -> Result<Vec<u8>> {
    let mut sheet = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer("\u{feff}".as_bytes().to_vec());
    let internal = |error: csv::Error| Error::Internal(anyhow::Error::new(error).context("writing a sheet"));
    sheet.write_record(T::HEADINGS).map_err(internal)?;
    for row in rows {
        let cells = row.cells();
        sheet.write_record(cells.iter().map(|cell| harmless(cell))).map_err(internal)?;
    }
    sheet.into_inner().map_err(|error| Error::Internal(anyhow::anyhow!("writing a sheet: {error}")))
}

/// The rows as a file to be saved, named after the list and the day.
///
/// # Errors
/// As [`write()`].
pub fn respond<T: SheetRow>(rows: &[T], today: Date) -> Result<Response> {
    let name = format!("attachment; filename=\"{}-{today}.csv\"", T::LIST);
    let headers = [(header::CONTENT_TYPE, "text/csv; charset=utf-8"), (header::CONTENT_DISPOSITION, &name)];
    Ok((headers, write(rows)?).into_response())
}

/// The text, behind an apostrophe where a spreadsheet would take it for a formula (OWASP, CSV Injection).
fn harmless(cell: &str) -> String {
    let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) && cell.parse::<f64>().is_err();
    if is_formula { format!("'{cell}") } else { cell.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Pair(&'static str, &'static str);

    impl SheetRow for Pair {
        const LIST: &'static str = "pairs";
        const HEADINGS: &'static [&'static str] = &["Name", "Amount"];

        fn cells(&self) -> Vec<String> {
            vec![self.0.to_owned(), self.1.to_owned()]
        }
    }

    #[test]
    fn no_cell_is_a_formula_and_every_letter_survives() {
        let rows = [
            Pair("Zoë \"Zo\" Müller, 王", "-12.50"),
            Pair("=HYPERLINK(\"http://x\")", "+1 416 555 0100"),
            Pair("@SUM(1)", ""),
            Pair("\tx", "-a"),
        ];
        let sheet = String::from_utf8(write(&rows).unwrap()).unwrap();
        let expected = "\u{feff}Name,Amount\r\n\"Zoë \"\"Zo\"\" Müller, 王\",-12.50\r\n\
            \"'=HYPERLINK(\"\"http://x\"\")\",'+1 416 555 0100\r\n'@SUM(1),\r\n'\tx,'-a\r\n";
        assert_eq!(sheet, expected);
    }
}
