//! Storage: the embedded database, and the disk under the data folder.

pub mod columns;
pub mod data_dir;
pub mod db;
pub mod disk;
pub mod search;
pub mod statements;
pub mod waiting;
