//! The runtime that everything asynchronous runs on.

use anyhow::Context;
use tokio::runtime::{Builder, Runtime};

/// Starts it.
pub fn start() -> anyhow::Result<Runtime> {
    Builder::new_multi_thread().enable_all().build().context("starting the runtime")
}
