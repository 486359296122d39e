//! The embedded database: one writer thread with group commit, and read-only readers.
//!
//! Promises: a write is answered only after the commit that covers it is on the disk
//! (`synchronous=FULL`); a failed or panicking write leaves nothing behind and harms no other
//! write of its group; readers never write. Deliberately absent: deferred write transactions,
//! which fail at once with BUSY_SNAPSHOT when they turn from reading to writing.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use rusqlite::{Connection, OpenFlags};
use tokio::sync::{Semaphore, SemaphorePermit, mpsc, oneshot};

use super::error::{Error, Result};
use super::metrics::meters;
use super::search;

/// "SCHL": marks the file as ours in the SQLite header.
pub const APPLICATION_ID: i32 = 0x5343_484C;

/// Writes that may wait; one more is answered 503.
const QUEUE: usize = 1024;
/// Writes that share one commit.
const GROUP: usize = 128;
const READERS: usize = 4;

mod migrations {
    refinery::embed_migrations!("migrations");
}

/// Runs on the writer's connection, or on none when the transaction could not begin.
type Job = Box<dyn FnOnce(Option<&Connection>) -> Answer + Send>;
type Answer = Box<dyn FnOnce(Result<(), Arc<anyhow::Error>>) + Send>;

/// The open database of a running school. Cheap to clone.
#[derive(Clone)]
pub struct Db {
    jobs: mpsc::Sender<Job>,
    readers: Arc<Readers>,
}

struct Readers {
    idle: Mutex<Vec<Connection>>,
    permits: Semaphore,
    path: PathBuf,
}

impl Db {
    /// Starts the writer thread and the readers on a database that [`open`] has brought up to date.
    ///
    /// # Errors
    /// When a connection cannot be opened.
    pub fn start(path: &Path) -> anyhow::Result<(Self, Writer)> {
        let connection = connect(path)?;
        let (jobs, queue) = mpsc::channel(QUEUE);
        let thread = std::thread::Builder::new()
            .name("writer".into())
            .spawn(move || write_jobs(connection, queue))
            .context("starting the writer thread")?;
        let idle = (0..READERS).map(|_| connect_reader(path)).collect::<anyhow::Result<_>>()?;
        let readers =
            Readers { idle: Mutex::new(idle), permits: Semaphore::new(READERS), path: path.to_owned() };
        Ok((Self { jobs, readers: Arc::new(readers) }, Writer { thread: Some(thread) }))
    }

    /// Carries out one write and answers once it is durable.
    ///
    /// `work` runs on the writer thread inside a savepoint of its own: an `Err` rolls back what it
    /// did and nothing else. It must not block.
    ///
    /// # Errors
    /// What `work` answered; [`Error::Busy`] when too many writes wait.
    pub async fn write<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        let (sender, receiver) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            let result = match connection {
                Some(connection) => in_savepoint(connection, work),
                None => Err(Error::Busy("The database is busy. Please try again.")),
            };
            Box::new(move |committed| {
                let answer =
                    committed.map_err(|cause| Error::Internal(anyhow!("commit: {cause:#}"))).and(result);
                let _ = sender.send(answer);
            })
        });
        self.jobs.try_send(job).map_err(|_| Error::Busy("The server is busy. Please try again."))?;
        receiver.await.map_err(|_| Error::Internal(anyhow!("the writer thread has ended")))?
    }

    /// How many writes wait for the writer.
    pub fn waiting_writes(&self) -> usize {
        self.jobs.max_capacity() - self.jobs.capacity()
    }

    /// Looks up a row or a few: runs at once, on the caller's thread.
    ///
    /// # Errors
    /// What `work` answered.
    pub async fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let _permit = self.readers.permit().await?;
        let connection = self.readers.take()?;
        let answer = work(&connection);
        self.readers.give_back(connection);
        answer
    }

    /// Runs a query that may return many rows, away from the threads that serve requests.
    ///
    /// # Errors
    /// What `work` answered.
    pub async fn query<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        let _permit = self.readers.permit().await?;
        let readers = self.readers.clone();
        tokio::task::spawn_blocking(move || {
            let connection = readers.take()?;
            let answer = work(&connection);
            readers.give_back(connection);
            answer
        })
        .await
        .context("a query panicked")?
    }
}

impl Readers {
    /// Waits for its turn; a wait is noted.
    async fn permit(&self) -> anyhow::Result<SemaphorePermit<'_>> {
        if let Ok(permit) = self.permits.try_acquire() {
            return Ok(permit);
        }
        let start = Instant::now();
        let permit = self.permits.acquire().await.context("readers are closed")?;
        meters::READER_WAITS.note_since(start);
        Ok(permit)
    }

    /// A permit is held, so a connection is idle unless a panic lost it; then a new one is opened.
    fn take(&self) -> anyhow::Result<Connection> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.map_or_else(|| connect_reader(&self.path), Ok)
    }

    fn give_back(&self, connection: Connection) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
    }
}

/// Ends the writer thread; held by whoever started the school.
pub struct Writer {
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Waits until the last write is committed and the write-ahead log is emptied into the file.
    /// Every [`Db`] must have been dropped before, or this waits for them.
    pub fn finish(mut self) {
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the writer thread panicked");
        }
    }
}

fn in_savepoint<T>(connection: &Connection, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
    connection.execute_batch("savepoint job")?;
    let result = catch_unwind(AssertUnwindSafe(|| work(connection)))
        .unwrap_or_else(|_| Err(Error::Internal(anyhow!("a write panicked"))));
    match &result {
        Ok(_) => connection.execute_batch("release job")?,
        Err(_) => connection.execute_batch("rollback to job; release job")?,
    }
    result
}

fn write_jobs(connection: Connection, mut queue: mpsc::Receiver<Job>) {
    while let Some(first) = queue.blocking_recv() {
        let mut answers = Vec::new();
        let start = Instant::now();
        let outcome = write_group(&connection, first, &mut queue, &mut answers).map_err(|error| {
            tracing::error!("commit failed: {error:#}");
            meters::FAILED_COMMITS.add(1);
            if !connection.is_autocommit() {
                let _ = connection.execute_batch("rollback");
            }
            Arc::new(error)
        });
        meters::COMMIT_SECONDS.note_since(start);
        meters::COMMIT_WRITES.note(f64::from(u32::try_from(answers.len()).unwrap_or(u32::MAX)));
        for answer in answers {
            answer(outcome.clone());
        }
    }
    if let Err(error) = connection.execute_batch("pragma wal_checkpoint(truncate)") {
        tracing::warn!("checkpoint at the end: {error}");
    }
}

fn write_group(
    connection: &Connection,
    first: Job,
    queue: &mut mpsc::Receiver<Job>,
    answers: &mut Vec<Answer>,
) -> anyhow::Result<()> {
    if let Err(error) = connection.execute_batch("begin immediate") {
        answers.push(first(None));
        return Err(error).context("begin");
    }
    answers.push(first(Some(connection)));
    while answers.len() < GROUP
        && let Ok(job) = queue.try_recv()
    {
        answers.push(job(Some(connection)));
    }
    connection.execute_batch("commit").context("commit")
}

/// Opens a connection that may write, with every setting that durability and safety need.
///
/// # Errors
/// When the file cannot be opened or is not a database.
pub fn connect(path: &Path) -> anyhow::Result<Connection> {
    let connection =
        Connection::open(path).with_context(|| format!("opening the database {}", path.display()))?;
    connection.busy_timeout(Duration::from_secs(5))?;
    let mode: String = connection.query_row("pragma journal_mode=wal", [], |row| row.get(0))?;
    anyhow::ensure!(mode == "wal", "the file system does not support the write-ahead log ({mode})");
    connection.execute_batch("pragma synchronous=full")?;
    settle(&connection)?;
    Ok(connection)
}

fn connect_reader(path: &Path) -> anyhow::Result<Connection> {
    // SQLITE_OPEN_READ_ONLY would refuse a fresh write-ahead log; query_only refuses every write.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)
        .with_context(|| format!("opening the database {}", path.display()))?;
    connection.busy_timeout(Duration::from_secs(5))?;
    settle(&connection)?;
    connection.execute_batch("pragma query_only=on")?;
    Ok(connection)
}

fn settle(connection: &Connection) -> anyhow::Result<()> {
    connection.set_prepared_statement_cache_capacity(128);
    connection.execute_batch(
        "pragma foreign_keys=on; pragma trusted_schema=off; pragma cell_size_check=on; \
         pragma secure_delete=on; pragma temp_store=memory; pragma mmap_size=0; \
         pragma journal_size_limit=67108864",
    )?;
    search::register(connection)?;
    Ok(())
}

/// The schema version this program was written for.
pub fn newest_schema() -> i32 {
    migrations::migrations::runner().get_migrations().iter().map(|m| m.version()).max().unwrap_or(0)
}

/// The database was written by a newer program than this one.
#[derive(Debug, thiserror::Error)]
#[error(
    "this data folder was used by a newer schoolhouse (schema {found}, this program knows {known}); \
     install the newer program again"
)]
pub struct NewerSchema {
    /// What the database says.
    pub found: i32,
    /// What this program knows.
    pub known: i32,
}

/// Opens the database, brings its schema up to date and answers a connection that may write.
///
/// All pending migrations and their history rows are one transaction: a crash leaves the old
/// schema whole.
///
/// # Errors
/// [`NewerSchema`], or whatever keeps the file from being opened or migrated.
pub fn open(path: &Path) -> anyhow::Result<Connection> {
    let mut connection = connect(path)?;
    let known = newest_schema();
    let found = schema_version(&connection)?;
    if found > known {
        return Err(NewerSchema { found, known }.into());
    }
    if found < known {
        connection.pragma_update(None, "application_id", APPLICATION_ID)?;
        migrations::migrations::runner()
            .set_grouped(true)
            .run(&mut connection)
            .context("bringing the database up to date")?;
        tracing::info!("database schema brought from {found} to {known}");
    }
    Ok(connection)
}

/// The schema version of an open database; 0 for an empty one.
///
/// # Errors
/// When the file is not a database.
pub fn schema_version(connection: &Connection) -> anyhow::Result<i32> {
    let known: bool = connection.query_row(
        "select exists(select 1 from sqlite_schema where name = 'refinery_schema_history')",
        [],
        |row| row.get(0),
    )?;
    if !known {
        return Ok(0);
    }
    let version =
        connection.query_row("select coalesce(max(version), 0) from refinery_schema_history", [], |row| {
            row.get(0)
        })?;
    Ok(version)
}
