//! The embedded database: one writer thread with group commit, and read-only readers.
//!
//! Promises: a write is answered only after its commit is on disk (`synchronous=FULL`); a failed or panicking write
//! leaves nothing behind and does not affect other writes of its group; readers never write; after damage is detected,
//! nothing is written. SQLite checks the database after the start (see [`inspection`]) and, with indexes and
//! references, every night. Not used: deferred write transactions, which fail at once with BUSY_SNAPSHOT when they turn
//! from reading to writing; checksums of pages: a bit flip inside an unindexed text goes undetected.

mod connection;
pub mod inspection;
pub mod integrity;
mod query_cache;
mod schema;
#[cfg(debug_assertions)]
pub mod trace;
mod writer;

#[cfg(test)]
mod tests;

use std::hash::Hash;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, anyhow};
use rusqlite::Connection;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};

use self::connection::connect_reader;
pub use self::connection::{
    APPLICATION_ID, connect, connect_alongside, connect_to_inspect, is_still_named, is_taken,
};
use self::inspection::Condition;
pub use self::inspection::{Inspection, Integrity};
use self::query_cache::LogIndex;
pub use self::query_cache::QueryCache;
#[cfg(test)]
pub(crate) use self::schema::testing;
pub use self::schema::{
    Damaged, NewerSchema, copies, is_behind, newest_schema, open, schema_version, schema_versions,
};
use self::writer::Job;
pub use self::writer::{BeforeCommit, Writer, in_savepoint, rolled_back};
use crate::base::error::{Error, Result};
use crate::base::meters;
use crate::storage::disk::Disk;
use crate::storage::statements::params;

const READERS: usize = 4;

/// The open database of a running school. Cheap to clone.
#[derive(Clone)]
pub struct Db {
    // Dropped first: the writer ends when all senders are gone, so its connection closes last.
    readers: Arc<Readers>,
    jobs: mpsc::Sender<Job>,
    condition: Arc<Condition>,
}

struct Readers {
    idle: Mutex<Vec<Connection>>,
    permits: Arc<Semaphore>,
    path: PathBuf,
    log_index: Arc<LogIndex>,
    revisions: QueryCache<&'static str, i64>,
}

impl Db {
    /// Starts the writer thread and the readers on a database that [`open`] has migrated.
    pub fn start(path: &Path, disk: Arc<Disk>) -> anyhow::Result<(Self, Writer)> {
        Self::start_with(path, disk, |_| Ok(()))
    }

    /// The same, with what the writer does before each commit; it must roll back what it cannot finish.
    pub fn start_with(
        path: &Path,
        disk: Arc<Disk>,
        before_commit: BeforeCommit,
    ) -> anyhow::Result<(Self, Writer)> {
        let (jobs, log_index, writer) = Writer::start(path, disk, before_commit)?;
        let idle = (0..READERS).map(|_| connect_reader(path)).collect::<anyhow::Result<_>>()?;
        let readers = Readers {
            idle: Mutex::new(idle),
            permits: Arc::new(Semaphore::new(READERS)),
            path: path.to_owned(),
            log_index,
            revisions: QueryCache::default(),
        };
        Ok((Self { jobs, readers: Arc::new(readers), condition: Arc::default() }, writer))
    }

    /// Performs one write and returns once it is durable.
    ///
    /// `work` runs on the writer thread: an `Err` rolls back only this write. It must not block.
    ///
    /// # Errors
    /// What `work` returned; [`Error::Busy`] when too many writes wait, or another program holds the lock for
    /// too long; [`Error::Full`] when the disk is full;
    /// [`Error::ReadOnly`] once the database is known to be damaged.
    pub async fn write<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        if self.damage().is_some() {
            return Err(Error::ReadOnly);
        }
        let (sender, receiver) = oneshot::channel();
        let job: Job = Box::new(move |turn| {
            let result = turn.run(work);
            Box::new(move |committed| {
                let answer = committed.map_err(|cause| Error::of_commit(&cause)).and(result);
                let _ = sender.send(answer);
            })
        });
        self.jobs.try_send(job).map_err(|_| Error::Busy("The server is busy. Please try again."))?;
        let answer = receiver.await.map_err(|_| Error::Internal(anyhow!("the writer thread has ended")))?;
        self.notice(answer)
    }

    /// Number of writes waiting for the writer.
    pub fn waiting_writes(&self) -> usize {
        self.jobs.max_capacity() - self.jobs.capacity()
    }

    /// Reads one or a few rows, synchronously on the caller's thread.
    ///
    /// # Errors
    /// What `work` returned.
    pub async fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let _permit = self.readers.permit().await?;
        let connection = self.readers.take()?;
        let answer = work(&connection);
        self.readers.give_back(connection);
        self.notice(answer)
    }

    /// The result of `work` for a key, cached until any process commits.
    ///
    /// # Errors
    /// What `work` returned.
    pub async fn recall<K, V>(
        &self,
        cache: &QueryCache<K, V>,
        key: K,
        work: impl FnOnce(&Connection) -> Result<V>,
    ) -> Result<V>
    where
        K: Hash + Eq,
        V: Clone,
    {
        let version = self.readers.log_index.version().context("reading the log's index")?;
        if let Some(value) = cache.get(&version, &key) {
            return Ok(value);
        }
        let value = self.read(work).await?;
        cache.keep(version, key, value.clone());
        Ok(value)
    }

    /// The current revision of a topic, which increases with every change by any process.
    ///
    /// # Errors
    /// When the database cannot be read, or has no such topic.
    pub async fn revision(&self, topic: &'static str) -> Result<i64> {
        self.recall(&self.readers.revisions, topic, |connection| revision(connection, topic)).await
    }

    /// Runs a query that may return many rows, away from the threads that serve requests.
    ///
    /// # Errors
    /// What `work` returned.
    pub async fn query<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        let permit = self.readers.permit().await?;
        let readers = self.readers.clone();
        let answer = tokio::task::spawn_blocking(move || {
            // Held by the query, not by the request: a client that disconnects does not free its slot early.
            let _permit = permit;
            let connection = readers.take()?;
            let answer = work(&connection);
            readers.give_back(connection);
            answer
        });
        self.notice(answer.await.context("a query panicked")?)
    }

    /// The damage, once known; from then on every write is refused.
    pub fn damage(&self) -> Option<&str> {
        self.condition.damage()
    }

    /// Stops all writing until the database is closed.
    pub fn declare_damaged(&self, found: &str) {
        self.condition.declare_damaged(found);
    }

    /// What is known of the database.
    pub fn integrity(&self) -> Integrity {
        self.condition.integrity()
    }

    /// Waits until the initial check is over.
    pub async fn inspected(&self) {
        self.condition.inspected().await;
    }

    fn notice<T>(&self, answer: Result<T>) -> Result<T> {
        if let Err(Error::Internal(cause)) = &answer
            && integrity::has_damage_cause(cause)
        {
            self.declare_damaged(&cause.root_cause().to_string());
        }
        answer
    }
}

/// A topic's revision, in the same transaction as the data it covers.
///
/// # Errors
/// When there is no such topic.
pub fn revision(connection: &Connection, topic: &str) -> Result<i64> {
    Ok(connection
        .prepare_cached("select value from revisions where topic = :topic")?
        .query_row(params![topic], |row| row.get(0))?)
}

impl Readers {
    /// Waits for a reader and records the waiting time.
    async fn permit(&self) -> anyhow::Result<OwnedSemaphorePermit> {
        if let Ok(permit) = self.permits.clone().try_acquire_owned() {
            return Ok(permit);
        }
        let start = Instant::now();
        let permit = self.permits.clone().acquire_owned().await.context("readers are closed")?;
        meters::READER_WAITS.note_since(start);
        Ok(permit)
    }

    /// The permit guarantees an idle connection, unless a panic lost one; then a new one is opened.
    fn take(&self) -> anyhow::Result<Connection> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.map_or_else(|| connect_reader(&self.path), Ok)
    }

    fn give_back(&self, connection: Connection) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
    }
}
