//! The one thread that writes: waiting jobs share a transaction and its commit.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread::JoinHandle;
use std::time::Instant;

use anyhow::{Context, anyhow, ensure};
use rusqlite::Connection;
use rusqlite::hooks::Wal;
use tokio::sync::mpsc;

use super::connect;
use super::query_cache::LogIndex;
use crate::base::error::{Error, Result};
use crate::base::meters;
use crate::storage::disk::Disk;

/// Writes that may wait; one more is answered 503.
const QUEUE: usize = 1024;
/// Writes that share one commit.
const GROUP: usize = 128;

/// Pages in the write-ahead log after which it is moved into the database: SQLite's own number.
const CHECKPOINT_PAGES: i32 = 1000;

/// Runs on the writer's connection, or on none when the transaction could not begin.
pub(super) type Job = Box<dyn FnOnce(Option<&Connection>) -> Answer + Send>;
/// Answers the caller once the commit succeeded or failed.
type Answer = Box<dyn FnOnce(Result<(), Arc<anyhow::Error>>) + Send>;

/// Ends the writer thread.
pub struct Writer(JoinHandle<()>);

impl Writer {
    /// Starts the thread and returns where it takes its jobs.
    pub(super) fn start(
        path: &Path,
        disk: Arc<Disk>,
    ) -> anyhow::Result<(mpsc::Sender<Job>, Arc<LogIndex>, Self)> {
        let mut connection = connect(path)?;
        // Every index's upper pages, of a large school: otherwise they are read again for each write.
        connection.execute_batch("pragma cache_size=-8000")?;
        let log_pages = Arc::new(AtomicI32::new(0));
        let counter = log_pages.clone();
        connection.wal_hook(Some(move |_: &mut Wal, pages| {
            counter.store(pages, Ordering::Relaxed);
            Ok(())
        }))?;
        let log_index = Arc::new(LogIndex::open(path)?);
        let kept_open = log_index.clone();
        let (jobs, queue) = mpsc::channel(QUEUE);
        let thread = std::thread::Builder::new()
            .name("writer".into())
            .spawn(move || {
                write_jobs(&connection, &disk, &log_pages, queue);
                drop(connection);
                drop(kept_open);
            })
            .context("starting the writer thread")?;
        Ok((jobs, log_index, Self(thread)))
    }

    /// Waits until the last write is committed and the connection is closed; the last connection to close moves the
    /// write-ahead log into the database. Every [`Db`](super::Db) must have been dropped before, or this waits for
    /// them.
    pub fn finish(self) {
        if self.0.join().is_err() {
            tracing::error!("the writer thread panicked");
        }
    }
}

/// Runs one job so that its failure, or its panic, undoes what it did and nothing else; a job may run
/// others.
pub fn in_savepoint<T>(connection: &Connection, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
    connection.execute_batch("savepoint job")?;
    let result = catch_unwind(AssertUnwindSafe(|| work(connection)))
        .unwrap_or_else(|_| Err(Error::Internal(anyhow!("a write panicked"))));
    match &result {
        Ok(_) => connection.execute_batch("release job")?,
        // After a disk error the whole transaction may be gone already; the group notices that.
        Err(_) if connection.is_autocommit() => {}
        Err(_) => connection.execute_batch("rollback to job; release job")?,
    }
    result
}

fn write_jobs(connection: &Connection, disk: &Disk, log_pages: &AtomicI32, mut queue: mpsc::Receiver<Job>) {
    let mut is_failing = false;
    while let Some(first) = queue.blocking_recv() {
        disk.rebalance();
        let mut answers = Vec::new();
        let start = Instant::now();
        let outcome = write_group(connection, first, &mut queue, &mut answers).map_err(|error| {
            tracing::error!("commit failed: {error:#}");
            meters::FAILED_COMMITS.add(1);
            if !connection.is_autocommit() {
                let _ = connection.execute_batch("rollback");
            }
            // So that the next group does not meet the same full disk.
            disk.rebalance();
            Arc::new(error)
        });
        meters::COMMIT_SECONDS.note_since(start);
        meters::COMMIT_WRITES.note(f64::from(u32::try_from(answers.len()).unwrap_or(u32::MAX)));
        for answer in answers {
            answer(outcome.clone());
        }
        if log_pages.load(Ordering::Relaxed) >= CHECKPOINT_PAGES {
            // Here and not by `wal_autocheckpoint`, which works inside a commit that callers wait for.
            let moved = connection.query_row("pragma wal_checkpoint(passive)", [], |_| Ok(()));
            // A failure is logged once until it works again: the log is whole, and the next commit retries.
            let failed_before = std::mem::replace(&mut is_failing, moved.is_err());
            if let (Err(error), false) = (moved, failed_before) {
                tracing::warn!("the write-ahead log cannot be moved into the database: {error}");
            }
        }
    }
}

fn write_group(
    connection: &Connection,
    first: Job,
    queue: &mut mpsc::Receiver<Job>,
    answers: &mut Vec<Answer>,
) -> anyhow::Result<()> {
    if let Err(error) = connection.execute_batch("begin immediate") {
        // What came meanwhile has waited for the same lock, and would wait for it once more.
        answers.push(first(None));
        answers.extend(std::iter::from_fn(|| queue.try_recv().ok()).take(QUEUE).map(|job| job(None)));
        return Err(error).context("begin");
    }
    let mut next = Some(first);
    while let Some(job) = next {
        answers.push(job(Some(connection)));
        // SQLite undoes the whole transaction on some errors of the disk. A further job would begin
        // one of its own, and be told that it failed although it was kept.
        ensure!(!connection.is_autocommit(), "the transaction was undone by an error in one of its jobs");
        next = if answers.len() < GROUP { queue.try_recv().ok() } else { None };
    }
    connection.execute_batch("commit").context("commit")
}
