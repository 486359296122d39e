//! Examines uploads: pictures and PDFs are parsed and rewritten. Only rewritten files are stored.
//!
//! One file at a time, on a separate thread: [`Turns`].

mod pdf;
mod refusal;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use self::pdf::{COMMAND as PDF_COMMAND, examine_here as examine_pdf_here, separate as separate_pdfs};
pub use self::refusal::FileRefusal;
use super::rules::{self, ContentType};
use crate::base::budget::{DecodeLimits, TimeBudget};
use crate::base::error::Result;
use crate::base::picture::kind::UnsupportedFormat;
use crate::base::picture::{jpeg, png};
use crate::base::turns::Turns;

/// An examined file.
#[derive(Debug, PartialEq, Eq)]
pub struct ExaminedFile {
    /// Type of the content.
    pub content_type: ContentType,
    /// The rewritten content to store.
    pub rewritten: Vec<u8>,
    /// Whether it was a digitally signed PDF.
    pub was_signed: bool,
}

/// Waits for a turn and examines a file; `read` loads its bytes then.
///
/// # Errors
/// A [`FileRefusal`]; 503 when too many wait.
pub async fn examine<T: Send + 'static>(
    turns: &Arc<Turns<()>>,
    limits: DecodeLimits,
    read: impl FnOnce() -> anyhow::Result<Vec<u8>> + Send + 'static,
    store: impl FnOnce(ExaminedFile) -> anyhow::Result<T> + Send + 'static,
) -> Result<T> {
    let work = move || {
        let bytes = read()?;
        let examined = match rules::content_type(&bytes) {
            Some(ContentType::Pdf) => pdf::write_apart(&bytes, &limits)?.map_err(FileRefusal::from)?.into(),
            _ => look_into(&bytes, &limits)?,
        };
        drop(bytes);
        Ok(store(examined)?)
    };
    turns.place(())?.work(work).await
}

/// Examines a file on this thread.
///
/// # Errors
/// Why it is refused.
pub fn look_into(bytes: &[u8], limits: &DecodeLimits) -> Result<ExaminedFile, FileRefusal> {
    let budget = TimeBudget::new(limits.time);
    let content_type = rules::content_type(bytes).ok_or_else(|| unknown_kind(bytes))?;
    let rewritten = match content_type {
        ContentType::Jpeg => jpeg::rewrite(bytes, limits, &budget)?,
        ContentType::Png => png::rewrite(bytes, limits, &budget)?,
        ContentType::Pdf => return Ok(pdf::write(bytes, limits, &budget)?.into()),
    };
    Ok(ExaminedFile { content_type, rewritten, was_signed: false })
}

fn unknown_kind(bytes: &[u8]) -> FileRefusal {
    UnsupportedFormat::of(bytes).map_or(FileRefusal::UnsupportedFormat, FileRefusal::OtherPicture)
}

/// The rewritten PDF, for tests.
pub fn write_pdf_again(bytes: &[u8]) -> Option<Vec<u8>> {
    let documents = crate::config::Documents::default();
    let limits = documents.limits(rules::MAX_BYTES);
    look_into(bytes, &limits).ok().map(|examined| examined.rewritten)
}

impl From<pdf::RewrittenPdf> for ExaminedFile {
    fn from(pdf::RewrittenPdf { bytes, was_signed }: pdf::RewrittenPdf) -> Self {
        Self { content_type: ContentType::Pdf, rewritten: bytes, was_signed }
    }
}
