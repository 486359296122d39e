//! Work on files that strangers sent, one at a time on a thread of its own that yields to the others: a
//! hundred uploads take the memory of one, and who reads a page hardly waits for them.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::sync::{Mutex, oneshot};
use tokio::time::timeout;

use super::error::{Error, Result};

/// Nobody waits longer for a turn: the handler itself has 30 s.
const PATIENCE: Duration = Duration::from_secs(20);
/// A third of the processor time that a thread of the usual priority takes beside it (`sched(7)`): at 10 it
/// is a tenth, and on a busy machine the photo of a telephone kept the next ones waiting for half a minute.
const NICENESS: i32 = 5;

/// Works when the lock `turn` is had.
///
/// # Errors
/// What `work` returned; [`Error::Busy`] when too many wait.
pub async fn in_turn<T: Send + 'static>(
    turn: &Arc<Mutex<()>>,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    const BUSY: Error =
        Error::Busy("Many documents are being checked right now. Please try again in a moment.");
    let Ok(turn) = timeout(PATIENCE, turn.clone().lock_owned()).await else { return Err(BUSY) };
    let (sender, receiver) = oneshot::channel();
    let work = move || {
        // On Linux niceness belongs to the thread, so only this one yields.
        if let Err(error) = rustix::process::nice(NICENESS) {
            tracing::debug!("the thread that checks files keeps its priority: {error}");
        }
        let _ = sender.send(work());
        // Even where nobody waits for the answer any more, the next turn begins after this one.
        drop(turn);
    };
    std::thread::Builder::new().name("documents".into()).spawn(work).context("starting a thread")?;
    receiver.await.context("checking a file panicked")?
}
