//! The runtime that everything asynchronous runs on.

use anyhow::Context;
use tokio::runtime::{Builder, Runtime};

/// Threads for what blocks: queries, of which there are never more than readers, and pieces of files, a moment
/// each. Tokio would start 512, each with memory of its own, for as many downloads.
const BLOCKING_THREADS: usize = 32;

/// Starts it.
pub fn start() -> anyhow::Result<Runtime> {
    Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(BLOCKING_THREADS)
        .build()
        .context("starting the runtime")
}
