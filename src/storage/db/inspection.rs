//! The look at a database that serves already.
//!
//! To read a large database whole takes seconds, and nobody should wait for that: the database is opened,
//! answers, and is looked over by a thread that yields to every other. The thread compares the file with
//! the sums from when the database was closed (see [`pages`](super::pages)), and has SQLite check every
//! page; the whole of it, with indexes and references, if the sums say that the file has changed.
//!
//! Writes are taken meanwhile. They lie in the write-ahead log alone: until the look is over the writer
//! does not move it into the file (`PageCheck::hold`), so that the file is compared as it was found,
//! and damage is not built upon in place. What is found stops all writing at once, as it does when a
//! query or the nightly check meets it. What would be worse to do on damage than to do late waits for
//! the verdict: backups, which would push out good ones, and deleting what no row names.
//!
//! A look that fails because the disk does not answer is no verdict: it is repeated.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::Context;
use rusqlite::{Connection, InterruptHandle};
use serde::Serialize;
use tokio::sync::watch;
use utoipa::ToSchema;

use super::Db;
use super::connection::connect_reader;
use super::integrity::{self, Depth};
use super::pages::PageCheck;

/// The pause after a look that the disk did not let through.
const AGAIN_AFTER: Duration = Duration::from_mins(1);

/// What is known of the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Integrity {
    /// It was opened a moment ago, and is being looked over.
    Checking,
    /// Nothing is known to be wrong with it.
    Ok,
    /// It can be read and not changed.
    Damaged,
}

/// What is known of one open database.
pub(super) struct Condition {
    damage: OnceLock<String>,
    is_checking: watch::Sender<bool>,
}

impl Default for Condition {
    fn default() -> Self {
        Self { damage: OnceLock::new(), is_checking: watch::Sender::new(false) }
    }
}

impl Condition {
    pub fn damage(&self) -> Option<&str> {
        self.damage.get().map(String::as_str)
    }

    pub fn integrity(&self) -> Integrity {
        if self.damage.get().is_some() {
            Integrity::Damaged
        } else if *self.is_checking.borrow() {
            Integrity::Checking
        } else {
            Integrity::Ok
        }
    }

    /// Waits until the look is over, or damage is known.
    pub async fn inspected(&self) {
        let _ = self.is_checking.subscribe().wait_for(|is_checking| !is_checking).await;
    }

    pub fn declare_damaged(&self, found: &str) {
        if self.damage.set(found.to_owned()).is_ok() {
            tracing::error!(
                "THE DATABASE IS DAMAGED ({found}). The site is in read-only mode. Stop the server and \
                 restore the last backup: schoolhouse restore ARCHIVE"
            );
        }
    }
}

/// The thread that looks; ended before the database is closed.
pub struct Inspection {
    thread: Option<JoinHandle<()>>,
    end: Sender<()>,
    is_ending: Arc<AtomicBool>,
    interrupt: InterruptHandle,
}

impl Inspection {
    /// Begins to look at a database that was opened with the sums of its pages.
    pub fn begin(db: &Db, path: &Path) -> anyhow::Result<Self> {
        let connection = connect_reader(path)?;
        let interrupt = connection.get_interrupt_handle();
        let (end, ended) = channel();
        let is_ending = Arc::new(AtomicBool::new(false));
        let look = Look {
            database: path.to_owned(),
            connection,
            pages: db.page_check(),
            is_ending: is_ending.clone(),
        };
        let condition = db.condition.clone();
        condition.is_checking.send_replace(true);
        look.pages.hold(true);
        let thread = std::thread::Builder::new().name("inspection".into()).spawn(move || {
            // On Linux niceness belongs to the thread, so only this one yields.
            if let Err(error) = rustix::process::nice(10) {
                tracing::debug!("the inspection keeps its priority: {error}");
            }
            while let Err(error) = look.once(&condition) {
                if look.is_ending.load(Ordering::SeqCst) {
                    return;
                }
                tracing::error!("the database could not be checked: {error:#}; retrying");
                if ended.recv_timeout(AGAIN_AFTER) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
            }
            look.pages.hold(false);
            condition.is_checking.send_replace(false);
        });
        Ok(Self { thread: Some(thread.context("starting a thread")?), end, is_ending, interrupt })
    }

    /// Ends the look, finished or not, and closes its connection.
    pub fn end(mut self) {
        self.is_ending.store(true, Ordering::SeqCst);
        drop(self.end);
        while let Some(thread) = self.thread.take() {
            // A query that begins just after it was interrupted goes on: it is interrupted again.
            self.interrupt.interrupt();
            if thread.is_finished() {
                let _ = thread.join();
            } else {
                std::thread::sleep(Duration::from_millis(1));
                self.thread = Some(thread);
            }
        }
    }
}

/// What the thread needs: no handle on the open database, which has to close when the server stops.
struct Look {
    database: PathBuf,
    connection: Connection,
    pages: PageCheck,
    is_ending: Arc<AtomicBool>,
}

impl Look {
    fn once(&self, condition: &Condition) -> anyhow::Result<()> {
        let begun = Instant::now();
        let depth = match self.pages.first_changed_until(&self.is_ending).context("reading its pages")? {
            Some(_) => {
                self.pages.note_change(&self.database, &self.is_ending)?;
                Depth::Full
            }
            None => Depth::Quick,
        };
        match integrity::check(&self.connection, depth).context("checking it")? {
            Some(found) => condition.declare_damaged(&found),
            None => {
                tracing::info!("the database is sound, checked in {} ms", begun.elapsed().as_millis());
            }
        }
        // What was met in the middle of the end is no verdict.
        if self.is_ending.load(Ordering::SeqCst) {
            return Err(io::Error::from(io::ErrorKind::Interrupted).into());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
