//! In-memory cache of query results, valid until this or another process commits.
//!
//! Every commit changes the header of the write-ahead log's index (<https://sqlite.org/walformat.html>, 2.1), which
//! SQLite's own connections use for the same purpose. It is compared, never interpreted. `pragma data_version` takes
//! 3.9 µs and two locks, reading the header 0.5 µs; a page of the site takes 18 µs and checks twice.

use std::collections::HashMap;
use std::fs::File;
use std::hash::Hash;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Context;

/// The first copy of the index header, which a commit writes last; it differs after every commit.
pub(super) type Version = [u8; 48];

/// The index of the write-ahead log. It stays open as long as any connection: closing it would release the locks that
/// SQLite holds on it (<https://sqlite.org/howtocorrupt.html>, 2.2).
pub(super) struct LogIndex(File);

impl LogIndex {
    /// Opens the index of a database that a connection has already read, so that the index exists.
    pub fn open(database: &Path) -> anyhow::Result<Self> {
        Ok(Self(File::open(database.with_extension("db-shm")).context("opening the log's index")?))
    }

    /// The version after the last commit by any process.
    pub fn version(&self) -> io::Result<Version> {
        let mut head = [0; size_of::<Version>()];
        self.0.read_exact_at(&mut head, 0)?;
        Ok(head)
    }
}

/// At most [`MAX`] results of one query by its parameter; [`super::Db::recall`] fills it.
pub struct QueryCache<K, V>(Mutex<Results<K, V>>);

pub(super) const MAX: usize = 4096;

struct Results<K, V> {
    /// The version before the results were read.
    version: Version,
    values: HashMap<K, V>,
}

impl<K, V> Default for QueryCache<K, V> {
    fn default() -> Self {
        Self(Mutex::new(Results { version: [0; size_of::<Version>()], values: HashMap::new() }))
    }
}

impl<K: Hash + Eq, V: Clone> QueryCache<K, V> {
    /// The cached result for a key, if there was no commit since.
    pub(super) fn get(&self, version: &Version, key: &K) -> Option<V> {
        let results = self.results();
        if results.version == *version { results.values.get(key).cloned() } else { None }
    }

    /// Caches a result that was read after `version`.
    pub(super) fn keep(&self, version: Version, key: K, value: V) {
        let mut results = self.results();
        if results.version != version || results.values.len() >= MAX {
            results.values.clear();
            results.version = version;
        }
        results.values.insert(key, value);
    }

    fn results(&self) -> MutexGuard<'_, Results<K, V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
