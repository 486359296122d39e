//! The tokio runtime.

use anyhow::Context;
use tokio::runtime::{Builder, Runtime};

/// Threads for blocking work: queries, limited by the number of readers, and short reads of files. Tokio would start up
/// to 512, each with its own memory, for as many downloads.
const BLOCKING_THREADS: usize = 32;

/// Builds the runtime.
pub fn start() -> anyhow::Result<Runtime> {
    Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(BLOCKING_THREADS)
        .build()
        .context("starting the runtime")
}
