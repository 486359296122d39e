//! A sum of every page of the database file, because SQLite keeps none: to it a letter that a failing
//! disk changes inside a name is no damage.
//!
//! The file changes only when a checkpoint moves pages into it out of the write-ahead log. While the
//! database is open the sums follow its own checkpoints (see `checkpoint`), and every other page has to
//! stay as it is. When it is closed they are put beside the file; the next start reads them, and
//! compares the file with them while it serves (see `inspection`). They are no seal against an intruder, who could write them anew, and a crash leaves none behind.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, ensure};
use rustix::fs::{Advice, fadvise};
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;

use super::job::Job;

/// The first bytes of a file of sums, of which each is 8 bytes, little-endian; its last 32 are the
/// SHA-256 of all before.
const HEAD: &[u8] = b"schoolhouse pages 1\n";
/// Pages that are read at once, while the writer may have to wait.
const PIECE: usize = 64;

/// The beginning of a page's SHA-256.
pub(super) type Sum = u64;
/// Of a page that was not seen yet, or that another program may have changed.
const UNKNOWN: Sum = 0;

/// What became of the file since the database was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Since {
    /// It is the same to the last byte.
    Same,
    /// Something else wrote to it.
    Changed,
    /// It was not closed, or a command has worked on it since.
    Unknown,
}

/// The sums of an open database. The file stays open for as long as any connection is: closing it
/// would give up the locks that SQLite holds on it (<https://sqlite.org/howtocorrupt.html>, 2.2).
pub(super) struct Pages {
    file: File,
    /// Bytes in a page.
    size: usize,
    sums: Mutex<Vec<Sum>>,
    /// The file is to stay as it was found, until somebody has looked at it.
    pub(super) is_held: AtomicBool,
}

/// The sums from when the database was closed; none of any page when they are not known.
#[derive(Debug, Default)]
pub struct Sums(Vec<Sum>);

impl Pages {
    /// Sums up a file that nobody writes to; whatever is in its log makes every page unknown.
    pub fn new(database: &Path) -> anyhow::Result<Self> {
        let pages = Self::known(database, Sums::default())?;
        if !has_log(database) {
            pages.differing(&GOING_ON).context("reading the database's pages")?;
        }
        Ok(pages)
    }

    /// Of a file of which this much is known; reads no page.
    pub fn known(database: &Path, Sums(sums): Sums) -> anyhow::Result<Self> {
        let file = File::open(database).context("opening the database's pages")?;
        Ok(Self { size: page_size(&file)?, file, sums: Mutex::new(sums), is_held: AtomicBool::new(false) })
    }

    /// Nothing may be moved into the file by the caller's process while this is held.
    pub fn lock(&self) -> MutexGuard<'_, Vec<Sum>> {
        self.sums.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes in a page.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The pages, counted from 0, that are not what they were; learns those that were not known.
    ///
    /// # Errors
    /// When the file cannot be read; [`io::ErrorKind::Interrupted`] once it is to end.
    pub fn differing(&self, is_ending: &AtomicBool) -> io::Result<Vec<usize>> {
        // What the disk holds, and not what the memory remembers of it.
        let _ = fadvise(&self.file, 0, None, Advice::DontNeed);
        let (mut found, mut piece) = (Vec::new(), vec![0; PIECE * self.size]);
        for first in (0..).step_by(PIECE) {
            if is_ending.load(Ordering::Relaxed) {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let mut sums = self.lock();
            let read = read_up_to(&self.file, &mut piece, first * self.size)?;
            for (page, content) in (first..).zip(piece[..read].chunks_exact(self.size)) {
                if page == sums.len() {
                    sums.push(UNKNOWN);
                }
                let sum = sum_of(content);
                if sums[page] == UNKNOWN {
                    sums[page] = sum;
                } else if sums[page] != sum {
                    found.push(page);
                }
            }
            if read < piece.len() {
                let beyond = first + read / self.size..sums.len();
                found.extend(beyond.filter(|page| sums[*page] != UNKNOWN));
                break;
            }
        }
        Ok(found)
    }

    /// Whether one page is known, and not what it was.
    pub fn differs(&self, page: usize) -> io::Result<bool> {
        let sums = self.lock();
        let Some(sum) = sums.get(page).filter(|sum| **sum != UNKNOWN) else { return Ok(false) };
        let mut content = vec![0; self.size];
        let read = read_up_to(&self.file, &mut content, page * self.size)?;
        Ok(read < self.size || sum_of(&content) != *sum)
    }

    /// Puts the sums beside a database that is closed from now on.
    ///
    /// # Errors
    /// When a file cannot be read or written; then there are no sums.
    pub fn save(&self, database: &Path) -> anyhow::Result<()> {
        if let Some(page) = self.differing(&GOING_ON)?.first() {
            tracing::error!("page {} of the database is not what the server wrote", page + 1);
        }
        self.write(&beside(database))
    }

    fn write(&self, path: &Path) -> anyhow::Result<()> {
        let mut bytes = HEAD.to_vec();
        bytes.extend(self.lock().iter().flat_map(|sum| sum.to_le_bytes()));
        let seal = Sha256::digest(&bytes);
        bytes.extend(seal);
        let folder = path.parent().unwrap_or(Path::new("."));
        let partial = tempfile::NamedTempFile::new_in(folder)?;
        fs::write(partial.path(), bytes)?;
        partial.as_file().sync_all()?;
        partial.persist(path)?;
        Ok(())
    }
}

/// For a look that nobody ends before its time.
static GOING_ON: AtomicBool = AtomicBool::new(false);

/// Looks at the pages of an open database, and keeps nothing open.
#[derive(Clone)]
pub struct PageCheck {
    pages: Arc<Pages>,
    jobs: mpsc::WeakSender<Job>,
    /// Asks the writer to move the log.
    pub(super) wanted: Arc<AtomicBool>,
}

impl PageCheck {
    pub(super) fn new(pages: &Arc<Pages>, jobs: &mpsc::Sender<Job>) -> Self {
        Self { pages: pages.clone(), jobs: jobs.downgrade(), wanted: Arc::default() }
    }

    /// The number, from 1, of a page that the disk has changed, if there is one. Takes its time: not
    /// for a thread that serves requests.
    pub fn first_changed(&self) -> io::Result<Option<usize>> {
        self.first_changed_until(&GOING_ON)
    }

    /// The same, unless it is to end before.
    pub(super) fn first_changed_until(&self, is_ending: &AtomicBool) -> io::Result<Option<usize>> {
        let found = self.pages.differing(is_ending)?;
        // Another program may have written them, and the writer not have heard of it yet.
        if found.is_empty() || !self.settle() {
            return Ok(None);
        }
        for page in found {
            if self.pages.differs(page)? {
                return Ok(Some(page + 1));
            }
        }
        Ok(None)
    }

    /// Notes that the file has changed while the database was closed, and takes it as it is from here on.
    pub(super) fn note_change(&self, database: &Path, is_ending: &AtomicBool) -> anyhow::Result<()> {
        self.pages.write(&note(database)).context("noting the change")?;
        report_change(database);
        self.pages.lock().clear();
        self.pages.differing(is_ending)?;
        Ok(())
    }

    /// Whether the file stays as it is: the log is not moved into it, however much is written.
    pub(super) fn hold(&self, is_held: bool) {
        self.pages.is_held.store(is_held, Ordering::SeqCst);
    }

    /// Waits until the writer has looked at the log, and moved it unless the file is held; false when the database closes.
    fn settle(&self) -> bool {
        self.wanted.store(true, Ordering::SeqCst);
        // It moves the log when it has answered: that is done before the second answer.
        (0..2).all(|_| self.pass())
    }

    /// Passes an empty write through the writer.
    fn pass(&self) -> bool {
        let Some(jobs) = self.jobs.upgrade() else { return false };
        let (sender, receiver) = std::sync::mpsc::sync_channel(1);
        let job: Job = Box::new(|_| {
            Box::new(move |_| {
                let _ = sender.send(());
            })
        });
        jobs.blocking_send(job).is_ok() && receiver.recv().is_ok()
    }
}

/// Compares the file with the sums from when the database was closed.
pub fn compare(database: &Path) -> anyhow::Result<Since> {
    let expected = match fs::read(beside(database)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Since::Unknown),
        read => sums_in(&read.context("reading the sums of the database's pages")?),
    };
    let Some(expected) = expected.filter(|_| !has_log(database)) else { return Ok(Since::Unknown) };
    // A file so changed that its pages cannot be told apart has changed, too.
    let found = Pages::new(database);
    Ok(if found.is_ok_and(|found| *found.lock() == expected) { Since::Same } else { Since::Changed })
}

/// Takes the sums that lie beside a database, because from now on it is written to. Reads no page of
/// it, unless they cannot be compared later: the schema is about to change, or the file has another
/// length.
pub fn take(database: &Path, is_behind: impl FnOnce() -> anyhow::Result<bool>) -> anyhow::Result<Sums> {
    // Whoever opens the database moves its log into the file, and the sums are worthless.
    let sums = if has_log(database) { None } else { fs::read(beside(database)).ok() };
    let Some(sums) = sums.as_deref().and_then(sums_in) else {
        forget(database)?;
        return Ok(Sums::default());
    };
    if !is_behind()? && has_length(database, sums.len()) {
        forget(database)?;
        return Ok(Sums(sums));
    }
    compare_now(database)?;
    Ok(Sums::default())
}

/// Compares, and forgets the sums. A change is reported, and remembered in the file that [`note`] names
/// until somebody has looked at it.
fn compare_now(database: &Path) -> anyhow::Result<Since> {
    let since = compare(database)?;
    if since == Since::Changed {
        fs::rename(beside(database), note(database)).context("noting the change")?;
        report_change(database);
    }
    forget(database)?;
    Ok(since)
}

fn report_change(database: &Path) {
    tracing::error!(
        "the database is not what it was when the server was stopped: the disk has changed it, or somebody has \
         with another program; compare it with the last backup, then delete {}",
        note(database).display()
    );
}

/// Whether the file has so many pages.
fn has_length(database: &Path, pages: usize) -> bool {
    File::open(database).is_ok_and(|file| {
        let length = file.metadata().map_or(0, |metadata| metadata.len());
        page_size(&file).is_ok_and(|size| length == (pages * size) as u64)
    })
}

/// The file that stays after a change, for `doctor`; it holds the sums that were expected.
pub fn note(database: &Path) -> PathBuf {
    database.with_extension("db.changed")
}

/// Whether the database was closed cleanly, and nothing has worked on the database since.
pub fn is_closed(database: &Path) -> bool {
    beside(database).exists()
}

/// Forgets the sums: from now on the database is written to.
pub fn forget(database: &Path) -> anyhow::Result<()> {
    match fs::remove_file(beside(database)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).context("deleting the sums of the database's pages")
        }
        _ => Ok(()),
    }
}

/// The sum of a page's content.
pub(super) fn sum_of(page: &[u8]) -> Sum {
    let digest = Sha256::digest(page);
    let sum = digest.first_chunk().map_or(UNKNOWN, |first| Sum::from_le_bytes(*first));
    if sum == UNKNOWN { 1 } else { sum }
}

/// The sums in a file's content, unless a disk has changed that.
fn sums_in(content: &[u8]) -> Option<Vec<Sum>> {
    let (bytes, seal) = content.split_last_chunk::<32>()?;
    let (sums, rest) = bytes.strip_prefix(HEAD)?.as_chunks::<8>();
    (rest.is_empty() && Sha256::digest(bytes).as_slice() == seal)
        .then(|| sums.iter().map(|sum| Sum::from_le_bytes(*sum)).collect())
}

/// Bytes in a page of a database (<https://sqlite.org/fileformat2.html#page_size>).
fn page_size(file: &File) -> anyhow::Result<usize> {
    let mut bytes = [0; 2];
    file.read_exact_at(&mut bytes, 16).context("reading the database's header")?;
    let size = match u16::from_be_bytes(bytes) {
        1 => 65_536,
        size => usize::from(size),
    };
    ensure!(size.is_power_of_two() && size >= 512, "the database's header is damaged");
    Ok(size)
}

fn read_up_to(file: &File, into: &mut [u8], offset: usize) -> io::Result<usize> {
    let mut read = 0;
    while read < into.len() {
        match file.read_at(&mut into[read..], (offset + read) as u64) {
            Ok(0) => break,
            Ok(count) => read += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(read)
}

fn beside(database: &Path) -> PathBuf {
    database.with_extension("db.sum")
}

/// Whether there are writes that are not in the file yet.
pub(super) fn has_log(database: &Path) -> bool {
    database.with_extension("db-wal").metadata().is_ok_and(|log| log.len() > 0)
}

#[cfg(test)]
mod tests;
