//! Reads an archive as untrusted input.
//!
//! The manifest lists the entries with order and size; any deviation is refused: another name, an absolute path, `..`,
//! a link, a device, duplicate, additional or missing entries, another size. Paths are never built from names in the
//! tar. Nothing is unpacked unless there is room for all of it, and the result is only used if the seal is valid.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};
use serde::Deserialize;

use super::archive::{Hashed, Meter};
use super::contents::is_sha256;
use super::seal::Sealed;
use super::{
    ArchiveEntry, CONFIGURATION, DATABASE, FORMAT, MANIFEST, Manifest, document_path, private_folder,
};
use crate::storage::db;

/// Limit of the manifest; one of 100,000 documents has 10 MB.
const MAX_MANIFEST: u64 = 64 * 1024 * 1024;
/// Limit of the decompression window: 8 MiB; the compression level in use needs 2.
const WINDOW_LOG: u32 = 23;
/// Limit of tar's end marker, padded to a record.
const MAX_END: u64 = 10 * 1024;

/// What to unpack while reading; everything is hashed in any case.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unpack<'a> {
    /// The database, the configuration and the documents.
    Everything,
    /// Only the database.
    Database,
    /// Only the document with this SHA-256.
    Document(&'a str),
}

impl Unpack<'_> {
    fn wants(self, name: &str, entry: &ArchiveEntry) -> bool {
        match self {
            Self::Everything => true,
            Self::Database => name == DATABASE,
            Self::Document(sha256) => name != DATABASE && entry.sha256 == sha256,
        }
    }
}

/// Reads a whole archive; `choose` gets the manifest and returns the folder to unpack into.
///
/// # Errors
/// When the archive does not match its manifest and seal, or cannot be unpacked.
pub(super) fn read(
    source: impl Read,
    unpack: Unpack<'_>,
    choose: impl FnOnce(&Manifest) -> anyhow::Result<PathBuf>,
) -> anyhow::Result<Manifest> {
    let mut decoder = zstd::Decoder::with_buffer(BufReader::new(Sealed::new(source)))?.single_frame();
    decoder.window_log_max(WINDOW_LOG)?;
    let mut tar = tar::Archive::new(&mut decoder);
    // Raw, so that extensions of the format (long names, sparse files) are entries and refused.
    let mut entries = tar.entries()?.raw(true);
    let mut next = |expected: &str| -> anyhow::Result<_> {
        let entry = entries.next().ok_or_else(|| anyhow!("{expected} is missing"))?;
        let entry = entry.with_context(|| format!("reading {expected}"))?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        ensure!(name == expected, "it holds {name:?} where {expected} should be");
        ensure!(entry.header().entry_type().is_file(), "{expected} is not a plain file");
        Ok(entry)
    };
    let manifest = read_manifest(next(MANIFEST)?)?;
    let folder = choose(&manifest)?;
    let configuration = manifest.configuration.iter().map(|entry| (CONFIGURATION.to_owned(), entry));
    let all = std::iter::once((DATABASE.to_owned(), &manifest.database))
        .chain(configuration)
        .chain(manifest.documents.iter().map(|entry| (document_path(&entry.sha256), entry)));
    for (name, recorded) in all {
        let entry = next(&name)?;
        ensure!(entry.size() == recorded.size_bytes, "{name} has another length than recorded");
        let kept = unpack.wants(&name, recorded).then(|| folder.join(&name));
        copy(entry, recorded, kept.as_deref()).with_context(|| name.clone())?;
    }
    ensure!(entries.next().is_none(), "something follows the last entry");
    let mut end = Vec::new();
    (&mut decoder).take(MAX_END + 1).read_to_end(&mut end).context("reading the end")?;
    let is_end = end.len() as u64 <= MAX_END && end.iter().all(|byte| *byte == 0);
    ensure!(is_end, "something follows the last entry");
    let mut rest = decoder.finish();
    ensure!(rest.read(&mut [0])? == 0, "something follows the last entry");
    rest.into_inner().check()?;
    Ok(manifest)
}

fn read_manifest(entry: impl Read) -> anyhow::Result<Manifest> {
    #[derive(Deserialize)]
    struct ArchiveFormat {
        format: u32,
    }
    let mut text = Vec::new();
    entry.take(MAX_MANIFEST + 1).read_to_end(&mut text).context("reading the manifest")?;
    ensure!(text.len() as u64 <= MAX_MANIFEST, "the manifest is too long");
    let ArchiveFormat { format } = serde_json::from_slice(&text).context("the manifest")?;
    ensure!(
        format <= FORMAT,
        "it was written by a newer schoolhouse (format {format}, this program reads up to {FORMAT}); \
         use the newer program"
    );
    let manifest: Manifest = serde_json::from_slice(&text).context("the manifest")?;
    ensure!(
        manifest.schema_version <= db::newest_schema(),
        "it was written by a newer schoolhouse (schema {}, this program knows {}); use the newer program",
        manifest.schema_version,
        db::newest_schema()
    );
    let documents = &manifest.documents;
    let is_sound = documents.iter().all(|entry| is_sha256(&entry.sha256))
        && documents.is_sorted_by(|one, next| one.sha256 < next.sha256);
    ensure!(is_sound, "the manifest's list of documents is malformed");
    ensure!(manifest.total_bytes().is_some(), "the manifest's sizes are impossible");
    Ok(manifest)
}

/// Checks a content against its recorded size and hash, optionally writing it to a file.
fn copy(content: impl Read, recorded: &ArchiveEntry, path: Option<&Path>) -> anyhow::Result<()> {
    let mut silence = |_, _| {};
    let mut meter = Meter::start(0, &mut silence);
    let mut content = Hashed::new(content, &mut meter);
    match path {
        Some(path) => {
            let mut file = create(path)?;
            std::io::copy(&mut content, &mut file).context("unpacking")?;
            file.flush().context("unpacking")?;
        }
        None => {
            std::io::copy(&mut content, &mut std::io::sink()).context("reading")?;
        }
    }
    ensure!(content.end().0 == *recorded, "its content is not what was recorded");
    Ok(())
}

fn create(path: &Path) -> anyhow::Result<File> {
    if let Some(folder) = path.parent() {
        private_folder(folder)?;
    }
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
        .with_context(|| format!("unpacking {}", path.display()))
}
