//! The one thread that writes: waiting jobs share a transaction and its commit.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;

use anyhow::{Context, anyhow, ensure};
use rusqlite::Connection;
use tokio::sync::mpsc;

use super::checkpoint::Checkpointer;
use super::connect;
use super::job::{Answer, Job};
use super::memo::LogIndex;
use super::pages::{PageCheck, Pages, Sums};
use crate::base::error::{Error, Result};
use crate::base::meters;
use crate::storage::disk::Disk;

/// Writes that may wait; one more is answered 503.
const QUEUE: usize = 1024;
/// Writes that share one commit.
const GROUP: usize = 128;

/// Ends the writer thread; held by whoever opened the database.
pub struct Writer {
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread and returns where it takes its jobs.
    pub(super) fn start(
        path: &Path,
        disk: Arc<Disk>,
        sums: Sums,
    ) -> anyhow::Result<(mpsc::Sender<Job>, PageCheck, Arc<LogIndex>, Self)> {
        let pages = Arc::new(Pages::known(path, sums)?);
        let connection = connect(path)?;
        // Every index's upper pages, of a large school: otherwise they are read again for each write.
        connection.execute_batch("pragma cache_size=-8000")?;
        let (jobs, queue) = mpsc::channel(QUEUE);
        let check = PageCheck::new(&pages, &jobs);
        let mut checkpointer = Checkpointer::new(&connection, path, pages, check.wanted.clone())?;
        let log_index = Arc::new(LogIndex::open(path)?);
        let kept_open = log_index.clone();
        let thread = std::thread::Builder::new()
            .name("writer".into())
            .spawn(move || {
                write_jobs(&connection, &disk, &mut checkpointer, queue);
                if let Err(error) = checkpointer.finish(connection) {
                    tracing::warn!("{error:#}");
                }
                drop(kept_open);
            })
            .context("starting the writer thread")?;
        Ok((jobs, check, log_index, Self { thread: Some(thread) }))
    }

    /// Waits until the last write is committed, the write-ahead log is in the file, and the sums of its
    /// pages lie beside it. Every [`Db`](super::Db) must have been dropped before, or this waits for them.
    pub fn finish(mut self) {
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
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

fn write_jobs(
    connection: &Connection,
    disk: &Disk,
    checkpointer: &mut Checkpointer,
    mut queue: mpsc::Receiver<Job>,
) {
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
        checkpointer.note(connection);
        for answer in answers {
            answer(outcome.clone());
        }
        checkpointer.move_log(connection);
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
