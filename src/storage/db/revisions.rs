//! Numbers that grow with every change of a topic, whichever process made it: what is kept in memory is held
//! against them.
//!
//! A look at one is no query as long as nothing at all was committed. Every commit, of this process or of
//! another, changes the head of the write-ahead log's index (<https://sqlite.org/walformat.html>, 2.1), by
//! which SQLite's own connections notice it, too.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::{PoisonError, RwLock};

use anyhow::Context;
use rusqlite::{Connection, named_params};

use crate::base::error::Result;

/// The first copy of the index's head, which a commit writes last.
type Head = [u8; 48];

/// The revisions as they were read last. The index stays open for as long as any connection is: closing it
/// would give up the locks that SQLite holds on it (<https://sqlite.org/howtocorrupt.html>, 2.2).
pub(super) struct Revisions {
    index: File,
    known: RwLock<Option<Known>>,
}

struct Known {
    /// From before they were read.
    head: Head,
    topics: Vec<(String, i64)>,
}

impl Revisions {
    /// Of a database that a connection has read from, so that its log has an index.
    pub fn new(database: &Path) -> anyhow::Result<Self> {
        let index = File::open(database.with_extension("db-shm")).context("opening the log's index")?;
        Ok(Self { index, known: RwLock::default() })
    }

    /// What was committed last, as a value that no other commit has.
    pub fn head(&self) -> io::Result<Head> {
        let mut head = [0; size_of::<Head>()];
        self.index.read_exact_at(&mut head, 0)?;
        Ok(head)
    }

    /// A topic's revision, unless something was committed since it was read.
    pub fn known(&self, head: &Head, topic: &str) -> Option<i64> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let known = known.as_ref().filter(|known| known.head == *head)?;
        known.topics.iter().find(|(name, _)| name == topic).map(|(_, value)| *value)
    }

    /// Keeps what was read after this head was.
    pub fn keep(&self, head: Head, topics: Vec<(String, i64)>) {
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = Some(Known { head, topics });
    }
}

/// A topic's revision, in the transaction in which what it counts is read.
///
/// # Errors
/// When there is no such topic.
pub fn revision(connection: &Connection, topic: &str) -> Result<i64> {
    Ok(connection
        .prepare_cached("select value from revisions where topic = :topic")?
        .query_row(named_params! { ":topic": topic }, |row| row.get(0))?)
}

/// Every topic's revision.
pub(super) fn all(connection: &Connection) -> Result<Vec<(String, i64)>> {
    Ok(connection
        .prepare_cached("select topic, value from revisions")?
        .query_map(named_params! {}, |row| Ok((row.get("topic")?, row.get("value")?)))?
        .collect::<rusqlite::Result<_>>()?)
}
