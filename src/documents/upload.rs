//! Receives a file: streamed to the disk while it is hashed, checked, and only then given its name.

use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use axum::extract::Multipart;
use axum::extract::multipart::{Field, MultipartError};
use sha2::{Digest, Sha256};
use tempfile::{NamedTempFile, TempPath};
use tokio::io::AsyncWriteExt;

use super::quota::Reservation;
use super::rules::{self, DocumentType};
use super::store::NewDocument;
use crate::base::closed_set::ClosedSet;
use crate::base::error::{Error, FieldErrors, Result};
use crate::base::random::hex;
use crate::storage::data_dir::DataDir;
use crate::web::listener::TooSlow;

/// A body is read to its end up to here, so that a client hears why its file was refused.
pub const MAX_BODY_BYTES: usize = 32 * 1024 * 1024;
/// 10 MB at a fair pace; who is slower learns from the portal beforehand.
const MAX_DRAINING: Duration = Duration::from_secs(30);

/// A checked file under a temporary name; dropped, it vanishes.
pub struct Received {
    file: TempPath,
    new: NewDocument,
}

struct Streamed {
    file: TempPath,
    original_name: String,
    sha256: String,
    size_bytes: u64,
    beginning: Vec<u8>,
}

/// Reads the form and checks every rule of it; more than `room` bytes of a file are not kept.
///
/// # Errors
/// Field errors, 408, 413 or 415, each with its sentence.
pub async fn receive(mut form: Multipart, data_dir: &DataDir, room: &Reservation) -> Result<Received> {
    let mut document_type = None;
    let mut streamed: Option<Streamed> = None;
    while let Some(field) = form.next_field().await.map_err(broken)? {
        match field.name() {
            Some("documentType") => document_type = Some(text(field).await?),
            Some("document") if streamed.is_none() && field.file_name().is_some() => {
                let is_named = field.file_name() != Some("");
                let file = stream(field, &data_dir.tmp(), room.bytes()).await?;
                // A form in which no file was chosen sends one without a name and a content.
                streamed = Some(file).filter(|file| is_named || file.size_bytes > 0);
            }
            _ => {}
        }
    }
    if let Some(streamed) = &streamed
        && (room.bytes() + 1..=rules::MAX_BYTES).contains(&streamed.size_bytes)
    {
        return Err(room.refusal());
    }
    check(document_type, streamed)
}

/// Reads the rest of a form whose upload was refused before it was read: a browser that still sends
/// would otherwise meet a closed connection instead of the answer.
pub async fn drain(mut form: Multipart) {
    let all = async { while let Ok(Some(_)) = form.next_field().await {} };
    let _ = tokio::time::timeout(MAX_DRAINING, all).await;
}

fn check(document_type: Option<String>, streamed: Option<Streamed>) -> Result<Received> {
    let mut errors = FieldErrors::default();
    let document_type = match document_type.unwrap_or_default().as_str() {
        "" => Err(rules::MISSING.to_owned()),
        word => DocumentType::parse(word).ok_or_else(rules::unknown_type),
    };
    let document_type = errors.take("documentType", document_type);
    match &streamed {
        None => errors.add("document", rules::MISSING),
        Some(streamed) if streamed.size_bytes == 0 => errors.add("document", rules::EMPTY),
        Some(_) => {}
    }
    let (document_type, streamed) = errors.finish(document_type.zip(streamed))?;
    if streamed.size_bytes > rules::MAX_BYTES {
        return Err(Error::TooLarge(rules::TOO_LARGE.into()));
    }
    let content_type = rules::content_type(&streamed.beginning)
        .ok_or_else(|| Error::UnsupportedType(rules::WRONG_CONTENT.into()))?;
    Ok(Received {
        file: streamed.file,
        new: NewDocument {
            document_type,
            document_path: format!("documents/{}/{}", &streamed.sha256[..2], streamed.sha256),
            sha256: streamed.sha256,
            content_type,
            size_bytes: streamed.size_bytes,
            original_name: streamed.original_name,
        },
    })
}

/// Checks bytes that are here already, as an upload's would be.
///
/// # Errors
/// As [`receive`].
pub fn take(document_type: DocumentType, name: &str, bytes: &[u8], data_dir: &DataDir) -> Result<Received> {
    use std::io::Write;
    let mut file = NamedTempFile::new_in(data_dir.tmp()).context("making a temporary file")?;
    file.write_all(bytes).and_then(|()| file.as_file().sync_all()).context("writing a document")?;
    let streamed = Streamed {
        file: file.into_temp_path(),
        original_name: rules::file_name(name),
        sha256: hex(&Sha256::digest(bytes)),
        size_bytes: bytes.len() as u64,
        beginning: bytes.iter().take(512).copied().collect(),
    };
    check(Some(document_type.as_str().to_owned()), Some(streamed))
}

impl Received {
    /// Gives the file its lasting name; afterwards file and folder entry are on the disk.
    pub async fn keep(self, data_dir: DataDir) -> Result<NewDocument> {
        let kept = tokio::task::spawn_blocking(move || -> anyhow::Result<NewDocument> {
            let path = data_dir.join(&self.new.document_path);
            let folder = path.parent().context("a document has a folder")?;
            std::fs::create_dir_all(folder)
                .and_then(|()| std::fs::File::open(data_dir.documents())?.sync_all())
                .and_then(|()| Ok(self.file.persist(&path)?))
                .and_then(|()| std::fs::File::open(folder)?.sync_all())
                .with_context(|| format!("keeping {}", self.new.document_path))?;
            Ok(self.new)
        });
        Ok(kept.await.context("keeping a document")??)
    }
}

async fn stream(mut field: Field<'_>, folder: &Path, max: u64) -> Result<Streamed> {
    let original_name = rules::file_name(field.file_name().unwrap_or(""));
    let (file, path) = NamedTempFile::new_in(folder).context("making a temporary file")?.into_parts();
    let mut file = tokio::fs::File::from_std(file);
    let mut hash = Sha256::new();
    let (mut size_bytes, mut beginning) = (0_u64, Vec::new());
    while let Some(chunk) = field.chunk().await.map_err(broken)? {
        size_bytes += chunk.len() as u64;
        if size_bytes > max {
            continue;
        }
        if beginning.len() < 512 {
            beginning.extend(chunk.iter().take(512));
        }
        hash.update(&chunk);
        file.write_all(&chunk).await.context("writing an upload")?;
    }
    file.flush().await.context("writing an upload")?;
    file.sync_all().await.context("writing an upload")?;
    Ok(Streamed { file: path, original_name, sha256: hex(&hash.finalize()), size_bytes, beginning })
}

/// A form field that is a word; more than that is not read.
async fn text(mut field: Field<'_>) -> Result<String> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(broken)? {
        bytes.extend(chunk.iter().take(100_usize.saturating_sub(bytes.len())));
    }
    Ok(String::from_utf8_lossy(&bytes).trim().to_owned())
}

#[expect(clippy::needless_pass_by_value, reason = "what map_err hands over")]
fn broken(error: MultipartError) -> Error {
    if error.status() == axum::http::StatusCode::PAYLOAD_TOO_LARGE {
        Error::TooLarge(rules::TOO_LARGE.into())
    } else if TooSlow::is_cause_of(&error) {
        Error::TooSlow
    } else {
        Error::BadRequest("The upload did not arrive whole. Please try again.".into())
    }
}
