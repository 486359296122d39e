//! Looks into what was uploaded: a picture is decoded and written anew, a PDF is searched for what is no
//! page. What is stored comes from here alone.
//!
//! One file at a time, on a thread of its own that yields to the others: a hundred uploads take the
//! memory of one, and who reads a page hardly waits for them. Who has waited too long hears 503.

mod budget;
mod jpeg;
mod orientation;
mod pdf;
mod png;
mod refusal;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::sync::{Mutex, oneshot};
use tokio::time::timeout;

use self::budget::Budget;
pub use self::budget::Limits;
pub use self::refusal::Refusal;
use super::rules::{self, ContentType};
use crate::base::error::{Error, Result};

/// Nobody waits longer for a turn: the handler itself has 30 s.
const PATIENCE: Duration = Duration::from_secs(20);
/// A third of the processor time that a thread of the usual priority takes beside it (`sched(7)`): at 10 it
/// is a tenth, and on a busy machine the photo of a telephone kept the next ones waiting for half a minute.
const NICENESS: i32 = 5;

/// A file that was looked into.
#[derive(Debug, PartialEq, Eq)]
pub struct Examined {
    /// What it is.
    pub content_type: ContentType,
    /// What of it is stored; none where that is the file as it came.
    pub rewritten: Option<Vec<u8>>,
}

/// Looks into a file when the lock `turn` is had; `read` fetches its bytes when that has come.
///
/// # Errors
/// A [`Refusal`]; [`Error::Busy`] when too many wait.
pub async fn examine<T: Send + 'static>(
    turn: &Arc<Mutex<()>>,
    limits: Limits,
    read: impl FnOnce() -> anyhow::Result<Vec<u8>> + Send + 'static,
    store: impl FnOnce(Examined) -> anyhow::Result<T> + Send + 'static,
) -> Result<T> {
    const BUSY: Error =
        Error::Busy("Many documents are being checked right now. Please try again in a moment.");
    let Ok(turn) = timeout(PATIENCE, turn.clone().lock_owned()).await else { return Err(BUSY) };
    let (sender, receiver) = oneshot::channel();
    let work = move || {
        // On Linux niceness belongs to the thread, so only this one yields.
        if let Err(error) = rustix::process::nice(NICENESS) {
            tracing::debug!("the thread that checks documents keeps its priority: {error}");
        }
        let answer = read().map_err(Error::from).and_then(|bytes| {
            let examined = look_into(&bytes, &limits)?;
            drop(bytes);
            store(examined).map_err(Error::from)
        });
        let _ = sender.send(answer);
        // Even where nobody waits for the answer any more, the next turn begins after this one.
        drop(turn);
    };
    std::thread::Builder::new().name("documents".into()).spawn(work).context("starting a thread")?;
    receiver.await.context("checking a document panicked")?
}

/// Looks into a file on this thread.
///
/// # Errors
/// Why it is not taken.
pub fn look_into(bytes: &[u8], limits: &Limits) -> Result<Examined, Refusal> {
    let budget = Budget::new(limits.time);
    let content_type = rules::content_type(bytes).ok_or_else(|| unknown_kind(bytes))?;
    let rewritten = match content_type {
        ContentType::Jpeg => Some(jpeg::rewrite(bytes, limits, &budget)?),
        ContentType::Png => Some(png::rewrite(bytes, limits, &budget)?),
        ContentType::Pdf => {
            pdf::check(bytes, limits, &budget)?;
            None
        }
    };
    Ok(Examined { content_type, rewritten })
}

/// Readers look for the header of a PDF in the first kilobyte.
fn unknown_kind(bytes: &[u8]) -> Refusal {
    let beginning = &bytes[..bytes.len().min(1024)];
    match beginning.windows(5).any(|window| window == b"%PDF-") {
        true => Refusal::BeforeStart,
        false => Refusal::OtherKind,
    }
}
