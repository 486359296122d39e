//! Looks into what was uploaded: a picture is decoded and written anew, a PDF is searched for what is no
//! page. What is stored comes from here alone.
//!
//! One file at a time, on a thread of its own: [`Turns`].

mod pdf;
mod refusal;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use self::refusal::Refusal;
use super::rules::{self, ContentType};
use crate::base::budget::{Budget, Limits};
use crate::base::error::Result;
use crate::base::picture::kind::OtherKind;
use crate::base::picture::{jpeg, png};
use crate::base::turns::Turns;

/// A file that was looked into.
#[derive(Debug, PartialEq, Eq)]
pub struct Examined {
    /// What it is.
    pub content_type: ContentType,
    /// What of it is stored; none where that is the file as it came.
    pub rewritten: Option<Vec<u8>>,
}

/// Looks into a file when its turn has come; `read` fetches its bytes then.
///
/// # Errors
/// A [`Refusal`]; 503 when too many wait.
pub async fn examine<T: Send + 'static>(
    turns: &Arc<Turns<()>>,
    limits: Limits,
    read: impl FnOnce() -> anyhow::Result<Vec<u8>> + Send + 'static,
    store: impl FnOnce(Examined) -> anyhow::Result<T> + Send + 'static,
) -> Result<T> {
    let work = move || {
        let bytes = read()?;
        let examined = look_into(&bytes, &limits)?;
        drop(bytes);
        Ok(store(examined)?)
    };
    turns.place(())?.work(work).await
}

/// Looks into a file on this thread.
///
/// # Errors
/// Why it is not taken.
pub fn look_into(bytes: &[u8], limits: &Limits) -> Result<Examined, Refusal> {
    let budget = Budget::new(limits.time);
    let content_type = rules::content_type(bytes).ok_or_else(|| unknown_kind(bytes))?;
    let rewritten = match content_type {
        ContentType::Jpeg => Some(jpeg::rewrite(bytes, limits, &budget)?),
        ContentType::Png => Some(png::rewrite(bytes, limits, &budget)?),
        ContentType::Pdf => {
            pdf::check(bytes, limits, &budget)?;
            None
        }
    };
    Ok(Examined { content_type, rewritten })
}

/// Readers look for the header of a PDF in the first kilobyte.
fn unknown_kind(bytes: &[u8]) -> Refusal {
    let beginning = &bytes[..bytes.len().min(1024)];
    match beginning.windows(5).any(|window| window == b"%PDF-") {
        true => Refusal::BeforeStart,
        false => OtherKind::of(beginning).map_or(Refusal::OtherKind, Refusal::OtherPicture),
    }
}
