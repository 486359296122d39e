//! Imports over HTTP, for every kind of row. The whole file is validated on a reader first, then written in steps, so
//! that other writes are not delayed.

use anyhow::Context;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::columns::{ColumnChoice, UnknownHeading};
use super::import::{Import, ImportAction, ImportOutcome, Importing};
use crate::base::error::{Error, Result};
use crate::web::app::App;
use crate::web::listener::TooSlow;

/// Maximum file size; 5,000 students with every column filled take a fifth of it.
pub const MAX_BYTES: usize = 5 * 1024 * 1024;

/// A line of an import that adds or updates something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ImportedLine {
    /// The line in the file, from 1.
    pub line: u64,
    /// Effect of the line.
    pub action: ImportAction,
    /// The student's email address on this line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// The course code on this line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

/// Outcome of an import or a dry run. A single problem rejects the whole file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Imported {
    /// The first lines that add or update, at most 50.
    pub rows: Vec<ImportedLine>,
    /// Number of lines that add.
    pub added: usize,
    /// Number of lines that update.
    pub updated: usize,
    /// Number of lines without changes.
    pub unchanged: usize,
    /// Number of lines that are about others, such as teachers in a file of users.
    pub left_out: usize,
    /// Headings that no column has; `columns` says which each is.
    pub unknown: Vec<UnknownHeading>,
    /// Names of the columns to choose among, which no heading has; empty where every heading is known.
    pub columns: Vec<String>,
    /// Problems of the file by line and column, at most the first 20. If rows were added or updated, these are lines
    /// that were skipped because the data changed meanwhile.
    pub problems: Vec<String>,
    /// Number of further problems.
    pub more_problems: usize,
}

impl Imported {
    /// The response for an outcome.
    pub fn of<I: Import>(outcome: &ImportOutcome) -> Self {
        let named = |column: &str, key: &String| (I::KEY.0 == column).then(|| key.clone());
        let row = |(line, action, key): &(u64, ImportAction, String)| ImportedLine {
            line: *line,
            action: *action,
            email: named("email", key),
            code: named("code", key),
        };
        Self {
            rows: outcome.rows.iter().map(row).collect(),
            added: outcome.added,
            updated: outcome.updated,
            unchanged: outcome.unchanged,
            left_out: outcome.left_out,
            columns: outcome.free.iter().map(|name| (*name).to_owned()).collect(),
            unknown: outcome.unknown.clone(),
            problems: outcome.problems.first().iter().map(ToString::to_string).collect(),
            more_problems: outcome.problems.more(),
        }
    }
}

/// Whether a query parameter is turned on.
pub fn is_on(word: &str) -> bool {
    matches!(word, "1" | "true" | "yes")
}

/// The file in a request body.
///
/// # Errors
/// Why it could not be read.
pub fn file(body: Result<Bytes, BytesRejection>) -> Result<Vec<u8>> {
    file_of(body, "The file must be at most 5 MB. Please divide it, and import one part after the other.")
}

/// The same, with the sentence for a file that is too large.
///
/// # Errors
/// Why it could not be read.
pub fn file_of(body: Result<Bytes, BytesRejection>, too_large: &str) -> Result<Vec<u8>> {
    body.map(Into::into).map_err(|rejection| {
        if TooSlow::is_cause_of(&rejection) {
            Error::TooSlow
        } else if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
            Error::TooLarge(too_large.to_owned())
        } else {
            Error::BadRequest("The file did not arrive completely. Please try again.".into())
        }
    })
}

/// A file to import.
pub struct SentSheet {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What was chosen for its headings.
    pub chosen: ColumnChoice,
}

impl From<Vec<u8>> for SentSheet {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes, chosen: ColumnChoice::default() }
    }
}

/// Imports a file, or reports what importing it would do.
///
/// # Errors
/// Database errors; problems of the file are in the response.
pub async fn import<I>(app: &App, import: I, file: SentSheet, is_dry_run: bool) -> Result<Imported>
where
    I: Import + Send + 'static,
{
    // On a reader, so that other writes continue meanwhile.
    let judged = app.db.query(move |connection| {
        let mut importing = Importing::open_with(import, file.bytes, &file.chosen);
        importing.validate(connection)?;
        Ok(importing)
    });
    let importing = judged.await?;
    if is_dry_run || !importing.announced().problems.is_empty() {
        return Ok(Imported::of::<I>(importing.announced()));
    }
    // Completes even if the client disconnects.
    let outcome = tokio::spawn(write(app.clone(), importing));
    outcome.await.context("an import panicked")?
}

/// Writes the validated rows in steps, with other writes in between.
async fn write<I: Import + Send + 'static>(app: App, mut importing: Importing<I>) -> Result<Imported> {
    loop {
        let is_begun = importing.rows_done() > 0;
        let step = app.write_and_notify(move |connection| {
            let is_more = importing.write_step(connection)?;
            Ok((importing, is_more))
        });
        let is_more;
        (importing, is_more) = step.await.map_err(|error| match error {
            Error::Busy(_) | Error::Full(_) if is_begun => Error::Busy(
                "The import was interrupted: the first lines are saved, the others are not. Import the same file again \
                 in a moment; what is saved stays as it is.",
            ),
            error => error,
        })?;
        if !is_more {
            return Ok(Imported::of::<I>(importing.done()));
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::extract::FromRequest as _;
    use axum::http::Request;

    use super::*;

    /// A body that fails midway.
    struct TruncatedBody(Option<axum::Error>);

    impl hyper::body::Body for TruncatedBody {
        type Data = Bytes;
        type Error = axum::Error;

        fn poll_frame(
            mut self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Option<Result<hyper::body::Frame<Bytes>, axum::Error>>> {
            std::task::Poll::Ready(self.0.take().map(Err))
        }
    }

    #[tokio::test]
    async fn a_file_that_is_not_read_is_refused_with_the_true_reason() {
        let cut = |error| Body::new(TruncatedBody(Some(error)));
        for (body, status) in [
            (cut(axum::Error::new(TooSlow)), StatusCode::REQUEST_TIMEOUT),
            (cut(axum::Error::new(std::io::Error::other("cut off"))), StatusCode::BAD_REQUEST),
            (Body::from(vec![b' '; 3 * 1024 * 1024]), StatusCode::PAYLOAD_TOO_LARGE),
        ] {
            // Two megabytes are axum's default limit.
            let rejection = Bytes::from_request(Request::new(body), &()).await.unwrap_err();
            assert_eq!(file(Err(rejection)).unwrap_err().status(), status);
        }
    }
}
