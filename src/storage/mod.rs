//! Storage: the embedded database, and the disk under the data folder.

pub mod columns;
mod contacts;
pub mod data_dir;
pub mod db;
pub mod disk;
pub mod reference;
pub mod search;
pub mod statements;
pub mod waiting;

use rusqlite::Connection;

/// Registers the SQL functions of every room.
pub fn register_functions(connection: &Connection) -> rusqlite::Result<()> {
    contacts::register(connection)?;
    search::register(connection)?;
    reference::register(connection)
}
