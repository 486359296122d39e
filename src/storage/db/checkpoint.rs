//! Checkpoints: the writer moves the write-ahead log into the file, and keeps the sums of its pages.
//!
//! SQLite would do it by itself inside a commit that somebody waits for, and would not say which pages
//! it wrote. Here it is done after the answer, and [`Pages`] hears of each page. Another program that
//! moves the log (Litestream, `sqlite3`) is noticed by what SQLite says of the log, and makes every
//! page unknown until the next look at the file: it is never taken for damage.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use rusqlite::Connection;

use super::pages::{Pages, Sum, has_log, sum_of};

/// Frames in the log that make it worth moving: SQLite's own number.
const DUE: u32 = 1000;
/// Frames in the log, 64 MiB of them, that make it worth moving although the file is held.
const MAX_HELD: u32 = 16 * DUE;
/// Bytes before the first frame, and before each frame's page
/// (<https://sqlite.org/fileformat2.html#wal_file_format>).
const LOG_HEAD: usize = 32;
const FRAME_HEAD: usize = 24;

/// Moves the log of the writer's connection.
pub(super) struct Checkpointer {
    pages: Arc<Pages>,
    /// Somebody wants the log moved although it is short.
    wanted: Arc<AtomicBool>,
    database: PathBuf,
    log: PathBuf,
    seen: WalState,
    is_failing: bool,
}

/// The log as the writer knows it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct WalState {
    /// Grows by 1 whenever the log begins anew; none while it is empty.
    salt: Option<u32>,
    frames: u32,
    /// Frames that are in the file.
    moved: u32,
    /// Changes with the commits of others.
    version: i64,
}

impl Checkpointer {
    pub fn new(
        connection: &Connection,
        database: &Path,
        pages: Arc<Pages>,
        wanted: Arc<AtomicBool>,
    ) -> anyhow::Result<Self> {
        let log = database.with_extension("db-wal");
        let seen = look(connection, &log)?;
        Ok(Self { pages, wanted, database: database.to_owned(), log, seen, is_failing: false })
    }

    /// Looks at the log after a commit. When it cannot be that only this connection has moved it since
    /// the last look, no page is known any more.
    pub fn note(&mut self, connection: &Connection) {
        match look(connection, &self.log) {
            Ok(now) => {
                if !now.follows(self.seen) {
                    tracing::debug!("another program has written to the database");
                    self.pages.lock().clear();
                }
                self.seen = now;
            }
            Err(error) => self.fail(&error),
        }
    }

    /// Moves what the log holds into the file, if that is due and as far as nobody reads the file as
    /// it was; not while the file is held for the first look at it.
    pub fn move_log(&mut self, connection: &Connection) {
        if self.pages.is_held.load(Ordering::SeqCst) && self.seen.frames < MAX_HELD {
            return;
        }
        let wanted = self.wanted.swap(false, Ordering::SeqCst);
        if wanted || self.seen.frames >= DUE {
            self.checkpoint(connection, "pragma wal_checkpoint(passive)");
        }
    }

    /// Moves all of the log, waiting a little for readers, and closes the connection; the last to close
    /// deletes the log. If that was this one, the sums are put beside the file.
    ///
    /// Litestream, which holds the database open, has to see the log as it was: nothing truncates it.
    pub fn finish(mut self, connection: Connection) -> anyhow::Result<()> {
        self.note(&connection);
        self.checkpoint(&connection, "pragma wal_checkpoint(full)");
        let is_moved = self.seen.moved == self.seen.frames;
        drop(connection);
        if is_moved && !has_log(&self.database) {
            self.pages.save(&self.database).context("writing the sums of the database's pages")?;
        }
        Ok(())
    }

    fn checkpoint(&mut self, connection: &Connection, pragma: &str) {
        let pages = self.pages.clone();
        let mut sums = pages.lock();
        let outcome = connection
            .query_row(pragma, [], |row| Ok((row.get::<_, bool>(0)?, row.get(1)?, row.get(2)?)))
            .context("moving the log into the database")
            .and_then(|(is_busy, frames, moved)| {
                if is_busy {
                    // Another program moves it at the moment, or reads and keeps some of it back.
                    sums.clear();
                } else {
                    self.follow(&mut sums, frames, moved).context("reading the log")?;
                }
                (self.seen.frames, self.seen.moved) = (frames, moved);
                Ok(())
            });
        match outcome {
            Ok(()) => self.is_failing = false,
            Err(error) => {
                sums.clear();
                drop(sums);
                self.fail(&error);
            }
        }
    }

    /// Sums up the pages that a checkpoint has written: those whose newest frame it has moved.
    fn follow(&self, sums: &mut Vec<Sum>, frames: u32, moved: u32) -> io::Result<()> {
        if moved <= self.seen.moved {
            return Ok(());
        }
        let log = File::open(&self.log)?;
        let at = |frame: u32| LOG_HEAD + (frame as usize - 1) * (FRAME_HEAD + self.pages.size());
        let (mut newest, mut length) = (HashMap::new(), 0);
        for frame in self.seen.moved + 1..=frames {
            let [page, committed] = numbers(&log, at(frame))?;
            newest.insert(page as usize, frame);
            if committed > 0 {
                length = committed as usize;
            }
        }
        let mut content = vec![0; self.pages.size()];
        for (page, frame) in newest {
            if frame <= moved && (1..=length).contains(&page) {
                log.read_exact_at(&mut content, (at(frame) + FRAME_HEAD) as u64)?;
                if sums.len() < page {
                    sums.resize(page, 0);
                }
                sums[page - 1] = sum_of(&content);
            }
        }
        if moved == frames {
            sums.truncate(length);
        }
        Ok(())
    }

    /// Tells a failure once, until it works again.
    fn fail(&mut self, error: &anyhow::Error) {
        self.pages.lock().clear();
        if !std::mem::replace(&mut self.is_failing, true) {
            tracing::warn!("{error:#}");
        }
    }
}

impl WalState {
    /// Whether this can have become of `before` without anybody else moving the log.
    fn follows(self, before: Self) -> bool {
        if self.salt == before.salt {
            return self.moved == before.moved;
        }
        // It begins anew only after it was moved whole.
        let is_next = before.salt.is_none_or(|salt| self.salt == Some(salt.wrapping_add(1)));
        is_next && before.moved == before.frames && self.moved == 0 && self.version == before.version
    }
}

fn look(connection: &Connection, log: &Path) -> anyhow::Result<WalState> {
    let (frames, moved) = connection
        .prepare_cached("pragma wal_checkpoint(noop)")?
        .query_row([], |row| Ok((row.get(1)?, row.get(2)?)))?;
    let version = connection.prepare_cached("pragma data_version")?.query_row([], |row| row.get(0))?;
    let salt = match File::open(log).and_then(|log| numbers::<1>(&log, 16)) {
        Ok([salt]) => Some(salt),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof) => None,
        Err(error) => return Err(error).context("reading the log"),
    };
    Ok(WalState { salt, frames, moved, version })
}

/// Big-endian numbers of 4 bytes.
fn numbers<const COUNT: usize>(file: &File, offset: usize) -> io::Result<[u32; COUNT]> {
    let mut bytes = [[0; 4]; COUNT];
    file.read_exact_at(bytes.as_flattened_mut(), offset as u64)?;
    Ok(bytes.map(u32::from_be_bytes))
}
