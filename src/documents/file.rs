//! A document's file on the disk: as it was uploaded, or encrypted where the configuration names a key.
//!
//! It is named by the SHA-256 of what lies there and never changes. So a backup, its check and a restore
//! need no key, and whoever has none learns nothing from the name.

use std::fs::{self, File};
use std::io::{ErrorKind, Read, Seek, Write};
use std::path::Path;

use anyhow::{Context, anyhow, bail, ensure};
use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, UTIME_NOW, UTIME_OMIT, utimensat};
use sha2::{Digest, Sha256};
use tempfile::{NamedTempFile, TempPath};
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufWriter};
use tokio::task::spawn_blocking;
use tokio_util::io::ReaderStream;

use super::faults::{Fault, LostFile};
use crate::base::file_encryption::{Chunks, EphemeralKey, HEADER_BYTES, Key, KeyId, Keys, Mac};
use crate::base::random::hex;
use crate::storage::columns::Columns;
use crate::storage::data_dir::DataDir;

/// Bytes of a file that are read at once.
const BUFFER: usize = 64 * 1024;
/// Bytes of an upload that are written at once: each write is a way to another thread and back.
const GATHERED: usize = 128 * 1024;

/// How a file is encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encryption {
    /// With which key.
    pub key_id: KeyId,
    /// The MAC of its content.
    pub mac: Mac,
}

impl Encryption {
    /// The columns `key_id` and `content_mac` of a row; none for a file in the clear.
    pub fn of(row: &Columns<'_, '_>) -> rusqlite::Result<Option<Self>> {
        let key_id: Option<KeyId> = row.get("key_id")?;
        key_id.map(|key_id| Ok(Self { key_id, mac: row.get("content_mac")? })).transpose()
    }
}

/// A file in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFile {
    /// Relative to the data folder.
    pub document_path: String,
    /// Of what lies there, 64 hexadecimal digits.
    pub sha256: String,
    /// None in the clear.
    pub encryption: Option<Encryption>,
    /// Of the content, which an encrypted file exceeds.
    pub size_bytes: u64,
}

impl StoredFile {
    /// Opens the file, once it was read and is what was stored.
    ///
    /// # Errors
    /// [`LostFile`]; or when it cannot be read.
    pub fn open(&self, data_dir: &DataDir) -> anyhow::Result<File> {
        let context = || format!("reading {}", self.document_path);
        let lost = |fault| LostFile { sha256: self.sha256.clone(), fault };
        let mut file = match File::open(data_dir.join(&self.document_path)) {
            Err(error) if error.kind() == ErrorKind::NotFound => bail!(lost(Fault::Missing)),
            opened => opened.with_context(context)?,
        };
        // A disk that cannot read it does not have it any more.
        let is_whole = sum(&mut file).is_ok_and(|found| found == self.sha256);
        ensure!(is_whole, lost(Fault::Changed));
        file.rewind().with_context(context)?;
        Ok(file)
    }

    /// Reads the content.
    ///
    /// # Errors
    /// [`LostFile`]; or when the file cannot be read, is another document's, or its key is not there.
    pub fn read(&self, data_dir: &DataDir, keys: &Keys) -> anyhow::Result<Vec<u8>> {
        let context = || format!("reading {}", self.document_path);
        let mut bytes = Vec::new();
        self.open(data_dir)?.read_to_end(&mut bytes).with_context(context)?;
        match &self.encryption {
            None => Ok(bytes),
            Some(Encryption { key_id, mac }) => {
                key(keys, *key_id)?.decrypt(&bytes, mac, self.size_bytes).with_context(context)
            }
        }
    }

    /// The content as a response's body: the file is read once before, so that a changed one is refused.
    ///
    /// # Errors
    /// As [`StoredFile::read`].
    pub async fn body(&self, data_dir: &DataDir, keys: &Keys) -> anyhow::Result<Body> {
        let context = || format!("opening {}", self.document_path);
        let (stored, folder) = (self.clone(), data_dir.clone());
        let opened =
            spawn_blocking(move || stored.open(&folder)).await.context("reading a document panicked")?;
        let mut file = tokio::fs::File::from_std(opened?);
        let Some(Encryption { key_id, mac }) = &self.encryption else {
            return Ok(Body::from_stream(ReaderStream::with_capacity(file, BUFFER)));
        };
        let mut header = [0; HEADER_BYTES];
        file.read_exact(&mut header).await.with_context(context)?;
        let chunks = key(keys, *key_id)?.open(&header, mac, self.size_bytes).with_context(context)?;
        Ok(Body::from_stream(stream::try_unfold((file, chunks), next_chunk)))
    }
}

/// The SHA-256 of what is left to read of a file, as it is recorded.
pub fn sum(file: &mut File) -> std::io::Result<String> {
    let (mut digest, mut buffer) = (Sha256::new(), vec![0; BUFFER]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex(&digest.finalize())),
            length => digest.update(&buffer[..length]),
        }
    }
}

async fn next_chunk(
    (mut file, mut chunks): (tokio::fs::File, Chunks),
) -> std::io::Result<Option<(Bytes, (tokio::fs::File, Chunks))>> {
    let Some(length) = chunks.next_bytes() else { return Ok(None) };
    let mut chunk = vec![0; length];
    file.read_exact(&mut chunk).await?;
    chunks.open(&mut chunk)?;
    Ok(Some((chunk.into(), (file, chunks))))
}

fn key(keys: &Keys, id: KeyId) -> anyhow::Result<&Key> {
    keys.find(id).ok_or_else(|| anyhow!("the key {id} is not there"))
}

/// Gives a content its place, encrypted if there is a key; afterwards file and folder entry are on the
/// disk. `tmp` becomes the file.
pub fn store(
    data_dir: &DataDir,
    tmp: TempPath,
    content: &[u8],
    key: Option<&Key>,
) -> anyhow::Result<StoredFile> {
    let encrypted = key.map(|key| Ok::<_, anyhow::Error>((key.encrypt(content)?, key.id()))).transpose()?;
    let (bytes, encryption) = match &encrypted {
        None => (content, None),
        Some(((bytes, mac), key_id)) => (&**bytes, Some(Encryption { key_id: *key_id, mac: *mac })),
    };
    let sha256 = hex(&Sha256::digest(bytes));
    let document_path = format!("documents/{}/{sha256}", &sha256[..2]);
    let path = data_dir.join(&document_path);
    let folder = path.parent().context("a document has a folder")?;
    fs::write(&tmp, bytes)
        .and_then(|()| fs::create_dir_all(folder))
        .and_then(|()| File::open(data_dir.documents())?.sync_all())
        .and_then(|()| File::open(&tmp)?.sync_all())
        .and_then(|()| Ok(tmp.persist(&path)?))
        .and_then(|()| File::open(folder)?.sync_all())
        .with_context(|| format!("keeping {document_path}"))?;
    Ok(StoredFile { document_path, sha256, encryption, size_bytes: content.len() as u64 })
}

/// Makes the files of removed documents new ones for [`super::sweep`]: a backup that runs meanwhile still
/// copies what its list names.
pub fn keep_for_a_day(data_dir: &DataDir, paths: &[String]) {
    let (now, missing) =
        (Timespec { tv_sec: 0, tv_nsec: UTIME_NOW }, Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT });
    let times = Timestamps { last_access: missing, last_modification: now };
    for path in paths {
        if let Err(error) = utimensat(CWD, data_dir.join(path), &times, AtFlags::empty()) {
            tracing::warn!("a removed document's file could not be touched: {error}");
        }
    }
}

/// A file on its way, under a temporary name; dropped, it vanishes. Where documents are encrypted, it
/// is, too, with a key that lives as long as the request: what a kill leaves behind nobody can read.
pub struct TemporaryFile {
    path: TempPath,
    passing: Option<EphemeralKey>,
}

impl TemporaryFile {
    /// Makes one, and opens it to be written through [`FileWriter`].
    pub fn create(folder: &Path, keys: &Keys) -> anyhow::Result<(Self, FileWriter)> {
        let (file, path) = NamedTempFile::new_in(folder).context("making a temporary file")?.into_parts();
        let passing = keys.current().map(|_| EphemeralKey::generate()).transpose()?;
        let encrypting = passing.as_ref().map(|passing| passing.encrypting(Vec::new())).transpose()?;
        let file = BufWriter::with_capacity(GATHERED, tokio::fs::File::from_std(file));
        Ok((Self { path, passing }, FileWriter { file, encrypting }))
    }

    /// One with a content that is here already.
    pub fn of(folder: &Path, keys: &Keys, content: &[u8]) -> anyhow::Result<Self> {
        let mut file = NamedTempFile::new_in(folder).context("making a temporary file")?;
        let passing = keys.current().map(|_| EphemeralKey::generate()).transpose()?;
        match &passing {
            None => file.write_all(content)?,
            Some(passing) => {
                let mut encrypting = passing.encrypting(&mut file)?;
                encrypting.write_all(content)?;
                encrypting.finish()?;
            }
        }
        Ok(Self { path: file.into_temp_path(), passing })
    }

    /// Reads it whole.
    pub fn read(&self) -> anyhow::Result<Vec<u8>> {
        let read = || -> anyhow::Result<_> {
            let Some(passing) = &self.passing else { return Ok(fs::read(&self.path)?) };
            passing.decrypt(std::io::BufReader::with_capacity(BUFFER, File::open(&self.path)?))
        };
        read().context("reading an upload")
    }

    /// Its name, to be overwritten by what is kept.
    pub fn into_path(self) -> TempPath {
        self.path
    }
}

/// A temporary file that is written as its bytes arrive.
pub struct FileWriter {
    file: BufWriter<tokio::fs::File>,
    encrypting: Option<crate::base::age::Encrypting<Vec<u8>>>,
}

impl FileWriter {
    /// Writes some more.
    pub async fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        let Some(encrypting) = &mut self.encrypting else { return self.file.write_all(bytes).await };
        encrypting.write_all(bytes)?;
        let full = std::mem::take(encrypting.sink());
        self.file.write_all(&full).await
    }

    /// Writes the end.
    pub async fn finish(mut self) -> std::io::Result<()> {
        if let Some(encrypting) = self.encrypting.take() {
            self.file.write_all(&encrypting.finish()?).await?;
        }
        self.file.flush().await
    }
}
