//! Writes the archive file under a temporary name and checks it entry by entry.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};
use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::ArchiveEntry;
use super::seal::Sealing;
use crate::base::random::hex;

/// Level 3 is zstd's own default; scans and PDF files do not get smaller above it.
const LEVEL: i32 = 3;
const BUFFER: usize = 128 * 1024;
const UNFINISHED: &str = ".partial";

/// Bytes between two syncs; a single sync of the whole archive at the end would delay the server's own.
const STRIDE: u64 = 4 * 1024 * 1024;

/// A tar whose entries have private permissions and the backup's time; no other file metadata is kept.
pub(super) struct Archive<'a> {
    tar: tar::Builder<zstd::Encoder<'static, Sealing<BufWriter<Paced<'a>>>>>,
    written_at: Timestamp,
}

impl<'a> Archive<'a> {
    /// Starts an empty archive.
    pub(super) fn begin(file: &'a File, written_at: Timestamp) -> anyhow::Result<Self> {
        let mut encoder = zstd::Encoder::new(
            Sealing::new(BufWriter::with_capacity(BUFFER, Paced { file, unsynced: 0 })),
            LEVEL,
        )?;
        encoder.include_checksum(true)?;
        Ok(Self { tar: tar::Builder::new(encoder), written_at })
    }

    /// Appends a short text.
    pub(super) fn append_text(&mut self, name: &str, text: &[u8]) -> anyhow::Result<()> {
        self.append(name, text.len() as u64, text)
    }

    /// Appends a file and compares it with its recorded size and hash.
    ///
    /// # Errors
    /// When it cannot be read or written, or differs from the record.
    pub(super) fn append_checked(
        &mut self,
        name: &str,
        path: &Path,
        entry: &ArchiveEntry,
        meter: &mut Meter<'_>,
    ) -> anyhow::Result<()> {
        let file = File::open(path).context("cannot be read")?;
        // Extra bytes would shift everything after them.
        let mut content = Hashed::new(file.take(entry.size_bytes), meter);
        self.append(name, entry.size_bytes, &mut content)?;
        let (found, source) = content.end();
        ensure!(
            found == *entry && source.into_inner().read(&mut [0])? == 0,
            "has changed: its content is not what was recorded"
        );
        Ok(())
    }

    fn append(&mut self, name: &str, size: u64, content: impl Read) -> anyhow::Result<()> {
        let mut header = tar::Header::new_gnu();
        header.set_size(size);
        header.set_mode(0o600);
        header.set_mtime(u64::try_from(self.written_at.as_second()).unwrap_or(0));
        self.tar.append_data(&mut header, name, content).context("writing the archive")
    }

    /// Completes the archive with its seal.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        let sealing = self.tar.into_inner().and_then(|encoder| encoder.finish());
        let ended = sealing.and_then(Sealing::finish).and_then(|mut buffer| buffer.flush());
        ended.context("ending the archive")
    }
}

/// Syncs a file in strides while it is written.
struct Paced<'a> {
    file: &'a File,
    unsynced: u64,
}

impl Write for Paced<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.unsynced += written as u64;
        if self.unsynced >= STRIDE {
            self.file.sync_data()?;
            self.unsynced = 0;
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reports progress.
pub(super) struct Meter<'a> {
    done: u64,
    total: u64,
    report: &'a mut dyn FnMut(u64, u64),
}

impl<'a> Meter<'a> {
    /// Reports the total number of bytes.
    pub(super) fn start(total: u64, report: &'a mut dyn FnMut(u64, u64)) -> Self {
        report(0, total);
        Self { done: 0, total, report }
    }

    /// Reports bytes as done.
    pub(super) fn add(&mut self, bytes: usize) {
        self.done += bytes as u64;
        (self.report)(self.done, self.total);
    }
}

/// Reports what is read through it.
pub(super) struct Metered<'a, 'b, R> {
    inner: R,
    meter: &'a mut Meter<'b>,
}

impl<'a, 'b, R: Read> Metered<'a, 'b, R> {
    /// Starts at the beginning of a content.
    pub(super) fn new(inner: R, meter: &'a mut Meter<'b>) -> Self {
        Self { inner, meter }
    }
}

impl<R: Read> Read for Metered<'_, '_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.meter.add(read);
        Ok(read)
    }
}

/// Hashes, counts and reports what is read through it.
pub(super) struct Hashed<'a, 'b, R> {
    inner: R,
    digest: Sha256,
    count: u64,
    meter: &'a mut Meter<'b>,
}

impl<'a, 'b, R: Read> Hashed<'a, 'b, R> {
    /// Starts at the beginning of a content.
    pub(super) fn new(inner: R, meter: &'a mut Meter<'b>) -> Self {
        Self { inner, digest: Sha256::new(), count: 0, meter }
    }

    /// Hash and size of what was read, and the source.
    pub(super) fn end(self) -> (ArchiveEntry, R) {
        (ArchiveEntry { sha256: hex(&self.digest.finalize()), size_bytes: self.count }, self.inner)
    }
}

impl<R: Read> Read for Hashed<'_, '_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.digest.update(&buffer[..read]);
        self.count += read as u64;
        self.meter.add(read);
        Ok(read)
    }
}

/// Hashes and counts what is written through it.
pub(super) struct Fingerprint<W> {
    inner: W,
    digest: Sha256,
    count: u64,
}

impl<W: Write> Fingerprint<W> {
    /// Starts empty.
    pub(super) fn new(inner: W) -> Self {
        Self { inner, digest: Sha256::new(), count: 0 }
    }

    /// Hash and size of what was written.
    pub(super) fn end(self) -> ArchiveEntry {
        ArchiveEntry { sha256: hex(&self.digest.finalize()), size_bytes: self.count }
    }
}

impl<W: Write> Write for Fingerprint<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.digest.update(&bytes[..written]);
        self.count += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Hash and length of a file's content.
pub(super) fn digest(file: File) -> io::Result<ArchiveEntry> {
    let mut silence = |_, _| {};
    let mut meter = Meter::start(0, &mut silence);
    let mut content = Hashed::new(file, &mut meter);
    io::copy(&mut content, &mut io::sink())?;
    Ok(content.end().0)
}

/// An unfinished archive: private, locked, and deleted unless published.
pub(super) struct Partial {
    path: PathBuf,
    file: File,
    is_published: bool,
}

impl Partial {
    /// Creates the file in the archive's folder.
    ///
    /// # Errors
    /// When it cannot be created, or another backup is writing it.
    pub(super) fn create(archive: &Path) -> anyhow::Result<Self> {
        let mut name = archive.as_os_str().to_owned();
        name.push(UNFINISHED);
        let path = PathBuf::from(name);
        // Not truncated before the lock: another backup may be writing it.
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&path)
            .with_context(|| format!("creating {}", path.display()))?;
        file.try_lock().map_err(|_| anyhow!("another backup is writing {}", archive.display()))?;
        file.set_len(0)?;
        Ok(Self { path, file, is_published: false })
    }

    /// The file to write to.
    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// Its path until it is published.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The folder it is in.
    pub(super) fn folder(&self) -> &Path {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        folder.unwrap_or(Path::new("."))
    }

    /// Truncates the file to start over.
    pub(super) fn clear(&self) -> anyhow::Result<()> {
        self.file.set_len(0)?;
        (&self.file).rewind().context("truncating the archive")
    }

    /// Syncs the file and drops it from the page cache, so that reading it back reads the disk.
    pub(super) fn sync(&self) -> anyhow::Result<()> {
        self.file.sync_all().context("syncing the archive")?;
        // Only advice: a file system that ignores it returns the cached pages.
        let _ = rustix::fs::fadvise(&self.file, 0, None, rustix::fs::Advice::DontNeed);
        Ok(())
    }

    /// Renames the file to its final name and syncs the folder; call [`Partial::sync`] first.
    pub(super) fn publish(mut self, archive: &Path) -> anyhow::Result<()> {
        fs::rename(&self.path, archive).with_context(|| format!("naming {}", archive.display()))?;
        self.is_published = true;
        File::open(self.folder()).and_then(|folder| folder.sync_all()).context("syncing the archive's folder")
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        if !self.is_published {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Removes unfinished archives of killed backups from a folder; one that is being written is locked and stays.
pub(super) fn sweep(folder: &Path) -> anyhow::Result<()> {
    let context = || format!("reading the folder {}", folder.display());
    for entry in fs::read_dir(folder).with_context(context)? {
        let path = entry.with_context(context)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_ours = name.starts_with("schoolhouse-") && name.ends_with(UNFINISHED);
        if is_ours && File::open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(&path);
        }
    }
    Ok(())
}
