//! What the writer thread is handed.

use std::sync::Arc;

use rusqlite::Connection;

/// Runs on the writer's connection, or on none when the transaction could not begin.
pub(super) type Job = Box<dyn FnOnce(Option<&Connection>) -> Answer + Send>;
/// Tells the caller, once it is known what became of the commit.
pub(super) type Answer = Box<dyn FnOnce(Result<(), Arc<anyhow::Error>>) + Send>;
