//! CSV files for spreadsheet programs: exports ([`write()`], [`respond`]) and imports ([`Importing`], from a browser
//! [`request::import`]). Both share the encoding of cells (`cell.rs`).
//!
//! Promises: an export can be imported unchanged; no exported cell is a formula; a file is read row by row; the first
//! problems are listed and the rest counted; a file with a problem is not written; writing is split into short
//! transactions.

pub mod request;

mod cell;
mod columns;
mod date;
mod import;
mod number;
mod problem;
mod read;
mod write;

pub use self::cell::{as_read, yes_or_no};
pub use self::columns::{Column, ColumnChoice};
pub use self::date::{DateOrders, WrittenDate};
pub use self::import::{Import, ImportAction, Importing};
pub use self::number::{DecimalMark, plain_number};
#[cfg(test)]
pub use self::read::Sheet;
pub use self::read::{RawRow, RawTable, Row, foreign_text, raw_rows};
pub(crate) use self::write::sheet_row;
pub use self::write::{Cell, SheetCell, SheetRow, SheetStyle, respond, write};

#[cfg(test)]
mod tests;
