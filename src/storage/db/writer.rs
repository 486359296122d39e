//! The writer thread: waiting jobs share a transaction and its commit.

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
use crate::base::error::{DATABASE_BUSY, Error, Result};
use crate::base::meters;
use crate::storage::disk::Disk;

/// Limit of waiting writes; one more gets 503.
const QUEUE: usize = 1024;
/// Maximum writes per commit.
const GROUP: usize = 128;

/// Pages in the write-ahead log that trigger a checkpoint: SQLite's default.
const CHECKPOINT_PAGES: i32 = 1000;

/// Runs in the writer's transaction.
pub(super) type Job = Box<dyn FnOnce(Turn<'_>) -> Answer + Send>;
/// Reports the outcome of the commit to the caller.
type Answer = Box<dyn FnOnce(Result<(), Arc<anyhow::Error>>) + Send>;

/// Runs on the writer's connection before each commit.
pub type BeforeCommit = fn(&Connection) -> Result<()>;

/// A job's place in its group.
pub(super) enum Turn<'c> {
    /// The first: nothing else is in the transaction.
    First(&'c Connection),
    /// Behind others, whose changes its failure must not roll back.
    Later(&'c Connection),
    /// The transaction could not begin.
    None,
}

/// Handle of the writer thread.
pub struct Writer(JoinHandle<()>);

impl Writer {
    /// Starts the thread and returns its job queue.
    pub(super) fn start(
        path: &Path,
        disk: Arc<Disk>,
        before_commit: BeforeCommit,
    ) -> anyhow::Result<(mpsc::Sender<Job>, Arc<LogIndex>, Self)> {
        let mut connection = connect(path)?;
        // Holds the upper pages of every index of a large school, which otherwise are read again for each write.
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
                write_jobs(&connection, &disk, &log_pages, queue, before_commit);
                drop(connection);
                drop(kept_open);
            })
            .context("starting the writer thread")?;
        Ok((jobs, log_index, Self(thread)))
    }

    /// Waits until the last write is committed and the connection is closed; the last connection to close runs the
    /// final checkpoint. Blocks until every [`Db`](super::Db) has been dropped.
    pub fn finish(self) {
        if self.0.join().is_err() {
            tracing::error!("the writer thread panicked");
        }
    }
}

impl Turn<'_> {
    /// Runs the job, so that its failure or panic rolls back only its own changes.
    pub fn run<T>(self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        match self {
            Self::Later(connection) => in_savepoint(connection, work),
            Self::None => Err(Error::Busy(DATABASE_BUSY)),
            // Without a savepoint, for which SQLite copies every page before its first change.
            Self::First(connection) => {
                let result = caught(connection, work);
                if result.is_err() && !connection.is_autocommit() {
                    connection.execute_batch("rollback; begin immediate")?;
                }
                result
            }
        }
    }
}

/// Runs a part of a job in a savepoint, so that its failure or panic rolls back only its own changes; parts may be
/// nested.
pub fn in_savepoint<T>(connection: &Connection, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
    connection.prepare_cached("savepoint job")?.execute([])?;
    let result = caught(connection, work);
    match &result {
        Ok(_) => drop(connection.prepare_cached("release job")?.execute([])?),
        // After a disk error the whole transaction may be gone already; the group notices that.
        Err(_) if connection.is_autocommit() => {}
        Err(_) => connection.execute_batch("rollback to job; release job")?,
    }
    result
}

/// Runs `work` for its answer alone: whatever it wrote is rolled back.
///
/// # Errors
/// What `work` returned.
pub fn rolled_back<T>(connection: &Connection, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
    connection.prepare_cached("savepoint rehearsal")?.execute([])?;
    let result = caught(connection, work);
    if !connection.is_autocommit() {
        connection.execute_batch("rollback to rehearsal; release rehearsal")?;
    }
    result
}

fn caught<T>(connection: &Connection, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(|| work(connection)))
        .unwrap_or_else(|_| Err(Error::Internal(anyhow!("a write panicked"))))
}

fn write_jobs(
    connection: &Connection,
    disk: &Disk,
    log_pages: &AtomicI32,
    mut queue: mpsc::Receiver<Job>,
    before_commit: BeforeCommit,
) {
    let mut is_failing = false;
    while let Some(first) = queue.blocking_recv() {
        disk.rebalance();
        let mut answers = Vec::new();
        let start = Instant::now();
        let outcome =
            write_group(connection, first, &mut queue, &mut answers, before_commit).map_err(|error| {
                tracing::error!("commit failed: {error:#}");
                meters::FAILED_COMMITS.add(1);
                if !connection.is_autocommit() {
                    let _ = connection.execute_batch("rollback");
                }
                // Frees space for the next group.
                disk.rebalance();
                Arc::new(error)
            });
        meters::COMMIT_SECONDS.note_since(start);
        meters::COMMIT_WRITES.note(f64::from(u32::try_from(answers.len()).unwrap_or(u32::MAX)));
        for answer in answers {
            answer(outcome.clone());
        }
        if log_pages.load(Ordering::Relaxed) >= CHECKPOINT_PAGES {
            // Here and not by `wal_autocheckpoint`, which would delay a commit that callers wait for.
            let moved = connection.query_row("pragma wal_checkpoint(passive)", [], |_| Ok(()));
            // A failure is logged once until a checkpoint succeeds: the log is intact, and the next commit retries.
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
    before_commit: BeforeCommit,
) -> anyhow::Result<()> {
    if let Err(error) = connection.execute_batch("begin immediate") {
        // Jobs that arrived meanwhile have waited for the same lock; fail them instead of waiting again.
        answers.push(first(Turn::None));
        answers.extend(std::iter::from_fn(|| queue.try_recv().ok()).take(QUEUE).map(|job| job(Turn::None)));
        return Err(error).context("begin");
    }
    let mut next = Some(first);
    while let Some(job) = next {
        let is_first = answers.is_empty();
        answers.push(job(if is_first { Turn::First(connection) } else { Turn::Later(connection) }));
        // SQLite rolls back the whole transaction on some disk errors. A further job would then commit on its own, yet
        // be reported as failed.
        ensure!(!connection.is_autocommit(), "the transaction was undone by an error in one of its jobs");
        next = if answers.len() < GROUP { queue.try_recv().ok() } else { None };
    }
    if let Err(error) = before_commit(connection) {
        tracing::error!("what follows from the writes was left for later: {error:?}");
        ensure!(!connection.is_autocommit(), "the transaction was undone by an error before its commit");
    }
    connection.execute_batch("commit").context("commit")
}
