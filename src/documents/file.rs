//! A document's file on disk, encrypted if a key is configured.
//!
//! It is named by the SHA-256 of the stored bytes and never changes. So backup, verification and restore need no key,
//! and the name reveals nothing without one.

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

/// Bytes per read.
const BUFFER: usize = 64 * 1024;
/// Bytes per write of an upload, as each write switches threads.
const GATHERED: usize = 128 * 1024;

/// Encryption of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encryption {
    /// Id of the key.
    pub key_id: KeyId,
    /// The MAC of its content.
    pub mac: Mac,
}

impl Encryption {
    /// From the columns `key_id` and `content_mac`; `None` for an unencrypted file.
    pub fn of(row: &Columns<'_, '_>) -> rusqlite::Result<Option<Self>> {
        let key_id: Option<KeyId> = row.read("key_id")?;
        key_id.map(|key_id| Ok(Self { key_id, mac: row.read("content_mac")? })).transpose()
    }
}

/// A stored file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFile {
    /// Path relative to the data folder.
    pub document_path: String,
    /// SHA-256 of the stored bytes, 64 hexadecimal digits.
    pub sha256: String,
    /// `None` if unencrypted.
    pub encryption: Option<Encryption>,
    /// Size of the content; an encrypted file is larger.
    pub size_bytes: u64,
}

impl StoredFile {
    /// Opens the file after verifying its hash.
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
        // A read error counts as changed.
        let is_whole = sum(&mut file).is_ok_and(|found| found == self.sha256);
        ensure!(is_whole, lost(Fault::Changed));
        file.rewind().with_context(context)?;
        Ok(file)
    }

    /// Reads the content.
    ///
    /// # Errors
    /// [`LostFile`]; or when the file cannot be read or decrypted, or its key is missing.
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

    /// The content as a response body, after verifying the whole file.
    ///
    /// # Errors
    /// As [`StoredFile::read`].
    pub async fn body(&self, data_dir: &DataDir, keys: &Keys) -> anyhow::Result<Body> {
        let context = || format!("opening {}", self.document_path);
        let stored = self.clone();
        let folder = data_dir.clone();
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

/// The hexadecimal SHA-256 of the rest of a file.
pub fn sum(file: &mut File) -> std::io::Result<String> {
    let mut digest = Sha256::new();
    let mut buffer = vec![0; BUFFER];
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
    keys.find(id).ok_or_else(|| anyhow!("the key {id} is not available"))
}

/// Stores a content durably, encrypted if there is a key. `tmp` becomes the file.
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

/// Touches the files of removed documents so that [`super::sweep`] keeps them for a day: a running backup may still
/// copy them.
pub fn keep_for_a_day(data_dir: &DataDir, paths: &[String]) {
    let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
    let missing = Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT };
    let times = Timestamps { last_access: missing, last_modification: now };
    for path in paths {
        if let Err(error) = utimensat(CWD, data_dir.join(path), &times, AtFlags::empty()) {
            tracing::warn!("a removed document's file could not be touched: {error}");
        }
    }
}

/// A temporary file, deleted on drop. If documents are encrypted, so is this, with a key that exists only during the
/// request, so that leftovers of a kill are unreadable.
pub struct TemporaryFile {
    path: TempPath,
    passing: Option<EphemeralKey>,
}

impl TemporaryFile {
    /// Creates a temporary file and a [`FileWriter`] for it.
    pub fn create(folder: &Path, keys: &Keys) -> anyhow::Result<(Self, FileWriter)> {
        let (file, path) = NamedTempFile::new_in(folder).context("making a temporary file")?.into_parts();
        let passing = keys.current().map(|_| EphemeralKey::generate()).transpose()?;
        let encrypting = passing.as_ref().map(|passing| passing.encrypting(Vec::new())).transpose()?;
        let file = BufWriter::with_capacity(GATHERED, tokio::fs::File::from_std(file));
        Ok((Self { path, passing }, FileWriter { file, encrypting }))
    }

    /// A temporary file with this content.
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

    /// Reads the whole content.
    pub fn read(&self) -> anyhow::Result<Vec<u8>> {
        let read = || -> anyhow::Result<_> {
            let Some(passing) = &self.passing else { return Ok(fs::read(&self.path)?) };
            passing.decrypt(std::io::BufReader::with_capacity(BUFFER, File::open(&self.path)?))
        };
        read().context("reading an upload")
    }

    /// Its path, to be overwritten by the stored file.
    pub fn into_path(self) -> TempPath {
        self.path
    }
}

/// Writes a temporary file as its bytes arrive.
pub struct FileWriter {
    file: BufWriter<tokio::fs::File>,
    encrypting: Option<crate::base::age::Encrypting<Vec<u8>>>,
}

impl FileWriter {
    /// Writes bytes.
    pub async fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        let Some(encrypting) = &mut self.encrypting else { return self.file.write_all(bytes).await };
        encrypting.write_all(bytes)?;
        let full = std::mem::take(encrypting.sink());
        self.file.write_all(&full).await
    }

    /// Writes the remaining bytes.
    pub async fn finish(mut self) -> std::io::Result<()> {
        if let Some(encrypting) = self.encrypting.take() {
            self.file.write_all(&encrypting.finish()?).await?;
        }
        self.file.flush().await
    }
}
