//! Sheets, as spreadsheet programs open and save them: lists that leave ([`write()`], [`respond`]) and files
//! that come in ([`Importing`], from a browser [`request::import`]). What a cell means is one rule for both (`cell.rs`).
//!
//! Promises: what leaves comes back as it was; no cell that leaves is a formula; a file is read a row at a time
//! and never held as cells; of its mistakes the first are told and the others counted; nothing is written while
//! there is one, and writing is divided, so that others get their turn.

pub mod request;

mod cell;
mod import;
mod problem;
mod read;
mod write;

pub use self::cell::{as_read, yes_or_no};
pub use self::import::{Import, ImportAction, Importing};
#[cfg(test)]
pub use self::read::Sheet;
pub use self::read::{Column, Row};
pub use self::write::{SheetRow, respond, write};

#[cfg(test)]
mod tests;
