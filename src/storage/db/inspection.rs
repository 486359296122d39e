//! Integrity check of a database that is already serving.
//!
//! Reading a whole large database takes seconds. The server does not wait for that: a thread of low priority runs
//! SQLite's `quick_check` while the first requests are answered. Damage stops all writing at once, as does damage found
//! by a query or the nightly check. Backups, which would displace good archives, and the deletion of unreferenced files
//! wait until the check is over.
//!
//! A check that fails because of a disk error is inconclusive and is repeated.

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
/// SQLite steps between two checks for shutdown: about a millisecond.
const STEPS: std::ffi::c_int = 1000;

/// Integrity of the database, as far as known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Integrity {
    /// The check after opening is running.
    Checking,
    /// No damage is known.
    Ok,
    /// Damaged: read-only.
    Damaged,
}

/// Shared condition of one open database.
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

    /// Waits until the initial check is over, or damage is known.
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

/// The checking thread; ended before the database is closed.
pub struct Inspection {
    thread: JoinHandle<()>,
    is_ending: Arc<AtomicBool>,
}

impl Inspection {
    /// Starts the check of an open database.
    pub fn begin(db: &Db, path: &Path) -> anyhow::Result<Self> {
        let mut connection = connect_reader(path)?;
        let is_ending = Arc::new(AtomicBool::new(false));
        let stop = is_ending.clone();
        connection.progress_handler(STEPS, Some(move || stop.load(Ordering::SeqCst)))?;
        let condition = db.condition.clone();
        let stop = is_ending.clone();
        condition.is_checking.send_replace(true);
        let thread = std::thread::Builder::new().name("inspection".into()).spawn(move || {
            // On Linux niceness belongs to the thread, so this affects only this one.
            if let Err(error) = rustix::process::nice(10) {
                tracing::debug!("the inspection keeps its priority: {error}");
            }
            while !stop.load(Ordering::SeqCst) {
                let begun = Instant::now();
                let checked = integrity::check(&connection, Depth::Quick);
                // An error during shutdown is inconclusive.
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
