//! Streams the ZIP: first the collected rows, compressed in memory, then one file after the other, in pieces.

use std::io::{self, Read as _, Write};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};
use std::vec::IntoIter;

use ::zip::write::{SimpleFileOptions, StreamWriter};
use ::zip::{CompressionMethod, ZipWriter};
use axum::body::{Body, BodyDataStream, Bytes};
use futures_util::{StreamExt as _, stream};
use jiff::Timestamp;
use serde_json::{Map, Value};

use super::collect::{AttachedFile, Cells, DownloadContents};
use super::page;
use crate::web::app::App;

/// Replacement text for a lost file.
const MISSING: &str = "This file could not be read on the school's server. Please tell the office.\n";

/// A ZIP with the rows already written.
pub struct PreparedZip {
    zip: ZipWriter<StreamWriter<ZipBuffer>>,
    written: ZipBuffer,
    files: Vec<AttachedFile>,
    length: u64,
}

impl PreparedZip {
    /// Writes the rows, and reads every file once.
    ///
    /// # Errors
    /// When the rows cannot be written.
    pub fn new(mut collected: DownloadContents, app: &App, now: Timestamp) -> anyhow::Result<Self> {
        let index = page::page(&collected, &app.config.school(), now);
        let mut files = Vec::new();
        let mut sizes = Vec::new();
        let mut missing = Vec::new();
        for attached in mem::take(&mut collected.files) {
            match attached.file.read(&app.data_dir, &app.document_keys) {
                Ok(content) => {
                    sizes.push(content.len() as u64);
                    files.push(attached);
                }
                // A lost file, which the doctor reports, must not prevent the download.
                Err(error) => {
                    tracing::error!("the file of a document for an archive: {error:#}");
                    missing.push(format!("{}.missing.txt", attached.name));
                }
            }
        }
        // Written once to measure it: with a known length, browsers show progress.
        let mut counted = begin(ByteCounter::default(), &collected, &index, &missing)?;
        for (attached, size) in files.iter().zip(sizes) {
            counted.start_file(attached.name.as_str(), stored())?;
            io::copy(&mut io::repeat(0).take(size), &mut counted)?;
        }
        let length = counted.finish()?.into_inner().0;
        let written = ZipBuffer::default();
        let zip = begin(written.clone(), &collected, &index, &missing)?;
        Ok(Self { zip, written, files, length })
    }

    /// Total length in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The ZIP as a body, which ends early if a file can no longer be read.
    pub fn into_body(self, app: &App) -> Body {
        let zip = Some(self.zip);
        let files = self.files.into_iter();
        let leaving = ZipStream { zip, written: self.written, files, current: None, app: app.clone() };
        Body::from_stream(stream::try_unfold(leaving, ZipStream::next))
    }
}

/// Writes everything except the files.
fn begin<W: Write>(
    to: W,
    collected: &DownloadContents,
    index: &str,
    missing: &[String],
) -> anyhow::Result<ZipWriter<StreamWriter<W>>> {
    let mut zip = ZipWriter::new_stream(to);
    zip.start_file("index.html", squeezed())?;
    zip.write_all(index.as_bytes())?;
    for (section, rows) in &collected.sections {
        zip.start_file(format!("data/{}.json", section.name), squeezed())?;
        serde_json::to_writer_pretty(&mut zip, &rows.iter().map(object).collect::<Vec<_>>())?;
    }
    for name in missing {
        zip.start_file(name.as_str(), squeezed())?;
        zip.write_all(MISSING.as_bytes())?;
    }
    Ok(zip)
}

fn object(cells: &Cells) -> Map<String, Value> {
    cells.iter().cloned().collect()
}

fn squeezed() -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(CompressionMethod::Deflated)
}

/// PDF, JPEG and PNG are compressed already.
fn stored() -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(CompressionMethod::Stored)
}

/// A ZIP being sent.
struct ZipStream {
    /// `None` once the end is written.
    zip: Option<ZipWriter<StreamWriter<ZipBuffer>>>,
    written: ZipBuffer,
    files: IntoIter<AttachedFile>,
    /// The file being sent.
    current: Option<BodyDataStream>,
    app: App,
}

impl ZipStream {
    async fn next(mut self) -> io::Result<Option<(Bytes, Self)>> {
        loop {
            let piece = self.written.take();
            if !piece.is_empty() {
                return Ok(Some((piece.into(), self)));
            }
            let Some(zip) = &mut self.zip else { return Ok(None) };
            if let Some(file) = &mut self.current {
                match file.next().await.transpose().map_err(io::Error::other)? {
                    Some(bytes) => zip.write_all(&bytes)?,
                    None => self.current = None,
                }
            } else if let Some(AttachedFile { name, file }) = self.files.next() {
                zip.start_file(name, stored())?;
                let body = file.body(&self.app.data_dir, &self.app.document_keys).await;
                self.current = Some(body.map_err(io::Error::other)?.into_data_stream());
            } else if let Some(zip) = self.zip.take() {
                zip.finish()?;
            }
        }
    }
}

/// Buffer between the ZIP writer and the body.
#[derive(Clone, Default)]
struct ZipBuffer(Arc<Mutex<Vec<u8>>>);

impl ZipBuffer {
    fn take(&self) -> Vec<u8> {
        mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for ZipBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Counts written bytes.
#[derive(Default)]
struct ByteCounter(u64);

impl Write for ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
