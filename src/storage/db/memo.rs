//! What was read, kept in memory for as long as nothing at all is committed, by this process or by another.
//!
//! Every commit changes the head of the write-ahead log's index (<https://sqlite.org/walformat.html>, 2.1), by which
//! SQLite's own connections notice it, too. A look at what is kept is a look at that head: no lock of the file, no
//! query.

use std::collections::HashMap;
use std::fs::File;
use std::hash::Hash;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Context;

/// The first copy of the index's head, which a commit writes last.
pub(super) type Head = [u8; 48];

/// The index of the write-ahead log. It stays open for as long as any connection is: closing it would give up the
/// locks that SQLite holds on it (<https://sqlite.org/howtocorrupt.html>, 2.2).
pub(super) struct LogIndex(File);

impl LogIndex {
    /// Of a database that a connection has read from, so that its log has an index.
    pub fn open(database: &Path) -> anyhow::Result<Self> {
        Ok(Self(File::open(database.with_extension("db-shm")).context("opening the log's index")?))
    }

    /// What was committed last, as a value that no other commit has.
    pub fn head(&self) -> io::Result<Head> {
        let mut head = [0; size_of::<Head>()];
        self.0.read_exact_at(&mut head, 0)?;
        Ok(head)
    }
}

/// Values that are kept, at most [`MAX`] of them; [`super::Db::recall`] fills it.
pub struct Memo<K, V>(Mutex<Kept<K, V>>);

pub(super) const MAX: usize = 4096;

struct Kept<K, V> {
    /// From before the values were read.
    head: Head,
    values: HashMap<K, V>,
}

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Self(Mutex::new(Kept { head: [0; size_of::<Head>()], values: HashMap::new() }))
    }
}

impl<K: Hash + Eq, V: Clone> Memo<K, V> {
    /// A key's value, unless something was committed since it was read.
    pub(super) fn get(&self, head: &Head, key: &K) -> Option<V> {
        let kept = self.kept();
        if kept.head == *head { kept.values.get(key).cloned() } else { None }
    }

    /// Keeps what was read of a key after this head was.
    pub(super) fn keep(&self, head: Head, key: K, value: V) {
        let mut kept = self.kept();
        if kept.head != head || kept.values.len() >= MAX {
            kept.values.clear();
            kept.head = head;
        }
        kept.values.insert(key, value);
    }

    fn kept(&self) -> MutexGuard<'_, Kept<K, V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
