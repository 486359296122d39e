//! Receives an upload: streams it to disk, examines it, then stores it.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use axum::extract::Multipart;
use axum::extract::multipart::{Field, MultipartError};

use super::examine::{self, ExaminedFile};
use super::file::{self, TemporaryFile};
use super::quota::Reservation;
use super::rules::{self, DocumentType};
use super::store::{self, NewDocument};
use crate::base::closed_set::ClosedSet;
use crate::base::error::{Error, FieldErrors, Result};
use crate::base::file_encryption::Keys;
use crate::base::text::clean_name;
use crate::storage::data_dir::DataDir;
use crate::web::app::App;
use crate::web::listener::TooSlow;

/// Bodies up to this size are read completely, so that the client receives the reason of a refusal.
pub const MAX_BODY_BYTES: usize = 32 * 1024 * 1024;
/// A label with one character too many, each of four bytes.
const MAX_LABEL_BYTES: usize = 4 * (rules::MAX_LABEL + 1);
/// 10 MB at a moderate speed; the portal warns slower clients beforehand.
const MAX_DRAINING: Duration = Duration::from_secs(30);

/// A received file with a valid form, deleted on drop.
pub struct ReceivedUpload {
    file: TemporaryFile,
    document_type: DocumentType,
    label: Option<String>,
    name: String,
}

struct StreamedFile {
    file: TemporaryFile,
    name: String,
    size_bytes: u64,
}

/// Reads and validates the form; keeps at most `room` bytes of the file.
///
/// # Errors
/// Field errors, 408, 413 or 415, each with its message.
pub async fn receive(
    mut form: Multipart,
    data_dir: &DataDir,
    keys: &Keys,
    room: &Reservation,
) -> Result<ReceivedUpload> {
    let mut document_type = None;
    let mut label = None;
    let mut streamed: Option<StreamedFile> = None;
    while let Some(field) = form.next_field().await.map_err(broken)? {
        match field.name() {
            Some("documentType") => document_type = Some(text(field, 100).await?),
            Some("label") => label = Some(text(field, MAX_LABEL_BYTES).await?),
            Some("document") if streamed.is_none() && field.file_name().is_some() => {
                let is_named = field.file_name() != Some("");
                let file = stream(field, data_dir, keys, room.bytes()).await?;
                // Without a chosen file, browsers send an empty one without a name.
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
    check(document_type, label.as_deref(), streamed)
}

/// Reads the rest of a refused form: a browser that is still sending would otherwise get a connection error instead of
/// the response.
pub async fn drain(mut form: Multipart) {
    let all = async { while let Ok(Some(_)) = form.next_field().await {} };
    let _ = tokio::time::timeout(MAX_DRAINING, all).await;
}

fn check(
    document_type: Option<String>,
    label: Option<&str>,
    streamed: Option<StreamedFile>,
) -> Result<ReceivedUpload> {
    let mut errors = FieldErrors::default();
    let document_type = match document_type.unwrap_or_default().as_str() {
        "" => Err(rules::MISSING.to_owned()),
        word => DocumentType::parse(word).ok_or_else(rules::unknown_type),
    };
    let document_type = errors.take("documentType", document_type);
    // Every other type says by itself what it is.
    let label = label.map(clean_name).filter(|label| !label.is_empty());
    let label = label.filter(|_| document_type == Some(DocumentType::Other));
    if label.as_ref().is_some_and(|label| label.chars().count() > rules::MAX_LABEL) {
        errors.add("label", format!("Must be at most {} characters", rules::MAX_LABEL));
    }
    match &streamed {
        None => errors.add("document", rules::MISSING),
        Some(streamed) if streamed.size_bytes == 0 => errors.add("document", rules::EMPTY),
        Some(_) => {}
    }
    let (document_type, streamed) = errors.finish(document_type.zip(streamed))?;
    if streamed.size_bytes > rules::MAX_BYTES {
        return Err(Error::TooLarge(rules::TOO_LARGE.into()));
    }
    Ok(ReceivedUpload { file: streamed.file, document_type, label, name: streamed.name })
}

/// Validates bytes in memory like an upload.
///
/// # Errors
/// As [`receive`].
pub fn take(document_type: DocumentType, name: &str, bytes: &[u8], app: &App) -> Result<ReceivedUpload> {
    let file = TemporaryFile::of(&app.data_dir.tmp(), &app.document_keys, bytes)?;
    let size_bytes = bytes.len() as u64;
    check(
        Some(document_type.as_str().to_owned()),
        None,
        Some(StreamedFile { file, name: name.to_owned(), size_bytes }),
    )
}

/// Copies a stored file to examine it like a new one.
pub fn copy(document: &store::FileRecord, app: &App) -> Result<ReceivedUpload> {
    let content = document.stored.read(&app.data_dir, &app.document_keys)?;
    let file = TemporaryFile::of(&app.data_dir.tmp(), &app.document_keys, &content)?;
    // The type is the row's and stays there.
    let name = document.original_name.clone();
    Ok(ReceivedUpload { file, document_type: DocumentType::Other, label: None, name })
}

impl ReceivedUpload {
    /// The received bytes.
    pub fn read(&self) -> anyhow::Result<Vec<u8>> {
        self.file.read()
    }

    /// Examines the file and stores the result durably.
    ///
    /// # Errors
    /// 413 or 415 with a message about the content; 503.
    pub async fn keep(self, app: &App) -> Result<NewDocument> {
        let limits = app.config.documents.limits(rules::MAX_BYTES);
        let source = Arc::new(self.file);
        let turns = &app.examination;
        let app = app.clone();
        let read = {
            let source = source.clone();
            move || source.read()
        };
        examine::examine(turns, limits, read, move |examined| {
            let ExaminedFile { content_type, rewritten, was_signed } = examined;
            let tmp = Arc::into_inner(source).context("an upload is read twice")?.into_path();
            let key = app.document_keys.current();
            let stored = file::store(&app.data_dir, tmp, &rewritten, key)?;
            let original_name = rules::file_name(&self.name, content_type);
            let document_type = self.document_type;
            let label = self.label;
            Ok(NewDocument { document_type, label, stored, content_type, original_name, was_signed })
        })
        .await
    }
}

async fn stream(mut field: Field<'_>, data_dir: &DataDir, keys: &Keys, max: u64) -> Result<StreamedFile> {
    let name = typed_name(field.file_name().unwrap_or(""));
    let (file, mut writing) = TemporaryFile::create(&data_dir.tmp(), keys)?;
    let mut size_bytes = 0_u64;
    while let Some(chunk) = field.chunk().await.map_err(broken)? {
        size_bytes += chunk.len() as u64;
        if size_bytes <= max {
            writing.write(&chunk).await.context("writing an upload")?;
        }
    }
    writing.finish().await.context("writing an upload")?;
    Ok(StreamedFile { file, name, size_bytes })
}

/// Decodes a file name. Browsers percent-encode exactly three characters (WHATWG HTML, multipart/form-data encoding):
/// CR, LF and the quotation mark.
fn typed_name(sent: &str) -> String {
    sent.replace("%0D", "\r").replace("%0A", "\n").replace("%22", "\"")
}

/// A form field that is a word; more than that is not read.
async fn text(mut field: Field<'_>, max: usize) -> Result<String> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(broken)? {
        bytes.extend(chunk.iter().take(max.saturating_sub(bytes.len())));
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
        Error::BadRequest("The upload did not arrive completely. Please try again.".into())
    }
}

#[cfg(test)]
mod tests;
