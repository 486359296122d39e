//! The integrity check of a database that serves already.
//!
//! Reading a large database whole takes seconds. The server does not wait for that: a thread of low priority runs
//! SQLite's `quick_check` while the first requests are answered. Damage that it finds stops all writing at once, as
//! does damage that a query or the nightly check meets. Backups, which would push out good archives, and the deletion
//! of files that no row names wait until the check is over.
//!
//! A check that fails because the disk does not answer proves nothing: it is repeated.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::Context;
use serde::Serialize;
use tokio::sync::watch;
use utoipa::ToSchema;

use super::Db;
use super::connection::connect_reader;
use super::integrity::{self, Depth};

/// The pause after a check that failed.
const RETRY_AFTER: Duration = Duration::from_mins(1);
/// Steps of SQLite between two looks at whether the server stops: about a millisecond.
const STEPS: std::ffi::c_int = 1000;

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

    /// Waits until the check at the start is over, or damage is known.
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

/// The thread that checks; ended before the database is closed.
pub struct Inspection {
    thread: JoinHandle<()>,
    is_ending: Arc<AtomicBool>,
}

impl Inspection {
    /// Begins to check a database that was opened.
    pub fn begin(db: &Db, path: &Path) -> anyhow::Result<Self> {
        let mut connection = connect_reader(path)?;
        let is_ending = Arc::new(AtomicBool::new(false));
        let stop = is_ending.clone();
        connection.progress_handler(STEPS, Some(move || stop.load(Ordering::SeqCst)))?;
        let (condition, stop) = (db.condition.clone(), is_ending.clone());
        condition.is_checking.send_replace(true);
        let thread = std::thread::Builder::new().name("inspection".into()).spawn(move || {
            // On Linux niceness belongs to the thread, so only this one yields.
            if let Err(error) = rustix::process::nice(10) {
                tracing::debug!("the inspection keeps its priority: {error}");
            }
            while !stop.load(Ordering::SeqCst) {
                let begun = Instant::now();
                let checked = integrity::check(&connection, Depth::Quick);
                // What was met while the server stops proves nothing.
                if stop.load(Ordering::SeqCst) {
                    return;
                }
                match checked {
                    Ok(None) => {
                        tracing::info!(
                            "the database is sound, checked in {} ms",
                            begun.elapsed().as_millis()
                        );
                    }
                    Ok(Some(found)) => condition.declare_damaged(&found),
                    Err(error) => {
                        tracing::error!("the database could not be checked: {error:#}; retrying");
                        std::thread::park_timeout(RETRY_AFTER);
                        continue;
                    }
                }
                condition.is_checking.send_replace(false);
                return;
            }
        });
        Ok(Self { thread: thread.context("starting a thread")?, is_ending })
    }

    /// Ends the check, finished or not, and closes its connection.
    pub fn end(self) {
        self.is_ending.store(true, Ordering::SeqCst);
        self.thread.thread().unpark();
        if self.thread.join().is_err() {
            tracing::error!("the inspection panicked");
        }
    }
}

#[cfg(test)]
mod tests;
