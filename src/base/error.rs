//! The error type of the whole program, and its HTTP responses.
//!
//! Variants say what the caller can do about it. Internal details (SQL, paths, causes) are logged once, here, and never
//! sent. There are no error codes: the status and the message are the interface. OWASP ASVS 5.0, V16.5 (handling of
//! errors): `tests/asvs.md`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rusqlite::ErrorCode;
use serde::Serialize;
use tokio::time::Instant;
use utoipa::{ToResponse, ToSchema};

use crate::base::json::Json;
use crate::base::rare_log::RareLog;
use crate::base::request_id;
use crate::base::security_log::SecurityEvent;

/// A result with the error that handlers return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Invalid fields: 400, all of them named.
    #[error("{}", .0.summary())]
    Invalid(FieldErrors),
    /// The request as a whole is malformed: 400.
    #[error("{0}")]
    BadRequest(String),
    /// A file whose columns are not known: 400, with a machine-readable reason, its columns and its first lines.
    #[error("{0}")]
    ColumnsUnknown(&'static str, Vec<String>, Box<serde_json::Value>),
    /// Not signed in, or wrong credentials: 401.
    #[error("{0}")]
    Unauthorized(String),
    /// Wrong name or password: 401, and a line in the security log.
    #[error("{0}")]
    WrongPassword(&'static str),
    /// The password is right, but a second factor is required: 401, with a machine-readable reason, and the passkey
    /// request where the account has a passkey.
    #[error("Please enter the code from your authenticator app.")]
    CodeWanted(Option<Box<serde_json::Value>>),
    /// Wrong second factor code: 401, as a field error, and a line in the security log; with the passkey request for
    /// the next attempt.
    #[error("{0}")]
    WrongCode(&'static str, Option<Box<serde_json::Value>>),
    /// Signed in, but not allowed: 403.
    #[error("{0}")]
    Forbidden(String),
    /// Requires recent authentication: 403, with a machine-readable reason.
    #[error("Please confirm that it is you, then try again.")]
    Unproven,
    /// Requires a second factor to be set up: 403, with a machine-readable reason.
    #[error("Your role takes a second factor. Please set one up on your account page first.")]
    FactorMissing,
    /// Not found, or not the caller's: 404.
    #[error("{0}")]
    NotFound(String),
    /// The current state does not allow this: 409, with the row as it is; made by [`Error::conflict`].
    #[error("{0}")]
    Conflict(String, Box<serde_json::Value>),
    /// As [`Error::Conflict`], with a machine-readable reason.
    #[error("{1}")]
    Lacking(&'static str, String, Box<serde_json::Value>),
    /// A PDF would need letters that no font has: 409, with a machine-readable reason and the page to print instead.
    #[error("This document has letters that our PDFs cannot show. Please open the page to print instead.")]
    ScriptMissing(String),
    /// The body is larger than the rule allows: 413.
    #[error("{0}")]
    TooLarge(String),
    /// The request body did not arrive in time: 408.
    #[error("Your request took too long to arrive. Please check your connection, then try again.")]
    TooSlow,
    /// Unsupported content type: 415.
    #[error("{0}")]
    UnsupportedType(String),
    /// Too many attempts from this address: 429, with seconds to wait.
    #[error("Too many attempts. Please wait {}, then try again.", wait(*.0))]
    TooMany(u64),
    /// Too many wrong guesses or requested links: 429, with seconds to wait and what to do instead.
    #[error("Too many attempts. Please wait {}, then try again. {way_out}", wait(*.seconds))]
    HeldUp {
        /// Seconds to wait.
        seconds: u64,
        /// What to do instead, as a sentence.
        way_out: &'static str,
    },
    /// The database is damaged and must not be written to: 503.
    #[error(
        "The site is in read-only mode: its database needs repair. \
         Nothing was changed. Please try again later."
    )]
    ReadOnly,
    /// A resource is temporarily exhausted: 503, with Retry-After.
    #[error("{0}")]
    Busy(&'static str),
    /// A resource is exhausted until an operator frees some: 503, without Retry-After.
    #[error("{0}")]
    Full(&'static str),
    /// An internal error: 500, logged with its causes; the message names the request id for reports.
    #[error("Something went wrong on our side{}. Please try again in a moment.", request_id::reference())]
    Internal(#[source] anyhow::Error),
}

/// Message for a write that waited too long for the database.
pub const DATABASE_BUSY: &str =
    "The school's database is busy with something larger. Nothing was saved. Please try again in a moment.";

/// Log throttle for each message of [`Error::Busy`], which a flood would repeat with every request.
static REFUSED: Mutex<BTreeMap<&str, RareLog>> = Mutex::new(BTreeMap::new());

impl Error {
    /// The error for a caller who is not signed in.
    pub fn signed_out() -> Self {
        Self::Unauthorized("Please log in to continue.".into())
    }

    /// One invalid field.
    pub fn field(name: &'static str, message: impl Into<String>) -> Self {
        FieldErrors::one(name, message).into()
    }

    /// The current state does not allow this; `current` is the row as it is.
    pub fn conflict(message: impl Into<String>, current: &impl Serialize) -> Self {
        match serde_json::to_value(current) {
            Ok(current) => Self::Conflict(message.into(), Box::new(current)),
            Err(error) => Self::Internal(error.into()),
        }
    }

    /// The HTTP status of this error.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Invalid(_) | Self::BadRequest(_) | Self::ColumnsUnknown(..) => StatusCode::BAD_REQUEST,
            Self::Unauthorized(_) | Self::WrongPassword(_) | Self::CodeWanted(_) | Self::WrongCode(..) => {
                StatusCode::UNAUTHORIZED
            }
            Self::Forbidden(_) | Self::Unproven | Self::FactorMissing => StatusCode::FORBIDDEN,
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::Conflict(..) | Self::Lacking(..) | Self::ScriptMissing(_) => StatusCode::CONFLICT,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::UnsupportedType(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooMany(_) | Self::HeldUp { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Busy(_) | Self::Full(_) | Self::ReadOnly => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Classifies a failed transaction or commit.
    pub fn of_commit(cause: &anyhow::Error) -> Self {
        refused(cause).unwrap_or_else(|| Self::Internal(anyhow::anyhow!("commit: {cause:#}")))
    }

    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::TooMany(seconds) | Self::HeldUp { seconds, .. } => Some(*seconds),
            Self::Busy(_) => Some(1),
            _ => None,
        }
    }

    fn log(&self) {
        match self {
            Self::Internal(cause) => tracing::error!("internal error: {cause:#}"),
            Self::Busy(what) => {
                let mut refused = REFUSED.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(count) = refused.entry(what).or_default().is_due(Instant::now()) {
                    tracing::warn!(count, "refused for lack of capacity: {what}");
                }
            }
            Self::Full(what) => tracing::warn!("refused for lack of capacity: {what}"),
            _ => {}
        }
    }

    fn event(&self) -> Option<SecurityEvent> {
        match self {
            Self::WrongPassword(_) | Self::WrongCode(..) => Some(SecurityEvent::LoginFailed),
            Self::Forbidden(_) => Some(SecurityEvent::AccessRefused),
            Self::TooMany(_) | Self::HeldUp { .. } => Some(SecurityEvent::LimitRefused),
            _ => None,
        }
    }

    fn finish(&self, mut response: Response) -> Response {
        self.log();
        *response.status_mut() = self.status();
        if let Some(event) = self.event() {
            response.extensions_mut().insert(event);
        }
        if let Some(seconds) = self.retry_after() {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<FieldErrors> for Error {
    fn from(errors: FieldErrors) -> Self {
        Self::Invalid(errors)
    }
}

impl From<anyhow::Error> for Error {
    fn from(cause: anyhow::Error) -> Self {
        refused(&cause).unwrap_or(Self::Internal(cause))
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        anyhow::Error::new(error).context("database").into()
    }
}

/// The message when the disk or another program is at fault.
fn refused(cause: &anyhow::Error) -> Option<Error> {
    let code = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref().and_then(rusqlite::Error::sqlite_error_code)
    };
    match cause.chain().find_map(code)? {
        ErrorCode::DiskFull => Some(Error::Full(
            "The school's server has no disk space left. Nothing was saved. Please try again later.",
        )),
        ErrorCode::ReadOnly => Some(Error::Full(
            "The school's server cannot write to its disk. Nothing was saved. Please try again later.",
        )),
        // Another program, such as an import run beside the server, held the lock longer than a write waits.
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Some(Error::Busy(DATABASE_BUSY)),
        _ => None,
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let fields = match &self {
            Self::Invalid(errors) => Some(errors.clone()),
            Self::WrongCode(message, _) => Some(FieldErrors::one("code", *message)),
            _ => None,
        };
        let current = match &self {
            Self::Conflict(_, current) | Self::Lacking(_, _, current) | Self::ColumnsUnknown(.., current) => {
                Some((**current).clone())
            }
            _ => None,
        };
        let reason = match &self {
            Self::Lacking(reason, ..) => Some(*reason),
            Self::ScriptMissing(_) => Some("script_missing"),
            Self::CodeWanted(_) | Self::WrongCode(..) => Some("second_factor"),
            Self::ColumnsUnknown(..) => Some("columns_unknown"),
            Self::Unproven => Some("step_up"),
            Self::FactorMissing => Some("second_factor_required"),
            _ => None,
        };
        let passkey = match &self {
            Self::CodeWanted(question) | Self::WrongCode(_, question) => question.as_deref().cloned(),
            _ => None,
        };
        let columns = match &self {
            Self::ColumnsUnknown(_, columns, _) => Some(columns.clone()),
            _ => None,
        };
        let print_url = match &self {
            Self::ScriptMissing(url) => Some(url.clone()),
            _ => None,
        };
        let body =
            ErrorBody { message: self.to_string(), fields, current, reason, passkey, columns, print_url };
        self.finish(Json(body).into_response())
    }
}

/// An error whose body is plain text: section 7's login and logout requests read the body as text. A required second
/// factor is still reported as JSON, so that clients can recognize it.
#[derive(Debug)]
pub struct TextError(pub Error);

impl<E: Into<Error>> From<E> for TextError {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for TextError {
    fn into_response(self) -> Response {
        if matches!(self.0, Error::CodeWanted(_) | Error::WrongCode(..)) {
            return self.0.into_response();
        }
        self.0.finish(self.0.to_string().into_response())
    }
}

/// Body of every failed request except those of [`TextError`].
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// One sentence for the user.
    pub message: String,
    /// For invalid input only: the message of each invalid field.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, String>>)]
    pub fields: Option<FieldErrors>,
    /// For a conflict: the row as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub current: Option<serde_json::Value>,
    /// When something required is missing: a machine-readable reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    /// For a login with the right password to an account with passkeys: the passkey request, a `PasskeyQuestion`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub passkey: Option<serde_json::Value>,
    /// For a file whose columns are not known: what they are called, or what stands in its first line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<Vec<String>>,
    /// When a PDF cannot show all letters: address of the page to print instead.
    #[serde(rename = "printUrl", skip_serializing_if = "Option::is_none")]
    pub print_url: Option<String>,
}

/// Too many attempts; the sentence says when to try again, and what to do instead
#[derive(ToResponse)]
#[response(headers(("retry-after" = u64, description = "Seconds to wait")))]
#[expect(dead_code, reason = "only the OpenAPI document knows it")]
pub struct TooManyAttempts(ErrorBody);

/// The same as plain text
#[derive(ToResponse)]
#[response(content_type = "text/plain", headers(("retry-after" = u64, description = "Seconds to wait")))]
#[expect(dead_code, reason = "only the OpenAPI document knows it")]
pub struct TooManyAttemptsText(String);

/// Messages by wire field name; the first message of a field is kept.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(transparent)]
pub struct FieldErrors(BTreeMap<Cow<'static, str>, String>);

impl FieldErrors {
    /// One invalid field.
    pub fn one(name: &'static str, message: impl Into<String>) -> Self {
        Self(BTreeMap::from([(name.into(), message.into())]))
    }

    /// Adds a message, unless the field already has one.
    pub fn add(&mut self, name: impl Into<Cow<'static, str>>, message: impl Into<String>) {
        self.0.entry(name.into()).or_insert_with(|| message.into());
    }

    /// Returns the value, or adds its error under the field's name; fields of rows are named `questions.2.answer`.
    pub fn take<T>(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        parsed: Result<T, impl Into<String>>,
    ) -> Option<T> {
        parsed.map_err(|message| self.add(name, message)).ok()
    }

    /// Returns the parsed value if there are no errors, and all errors otherwise.
    pub fn finish<T>(self, parsed: Option<T>) -> Result<T, Self> {
        match parsed {
            Some(parsed) if self.0.is_empty() => Ok(parsed),
            _ => Err(self),
        }
    }

    /// Removes the errors of some fields.
    pub fn forgive(&mut self, is_forgiven: impl Fn(&str) -> bool) {
        self.0.retain(|name, _| !is_forgiven(name));
    }

    /// Fields and messages, in the order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, message)| (name.as_ref(), message.as_str()))
    }

    fn summary(&self) -> String {
        let mut messages = self.0.values();
        let first = messages.next().cloned().unwrap_or_default();
        if messages.all(|message| *message == first) {
            first
        } else {
            "Please correct the highlighted fields.".into()
        }
    }
}

fn wait(seconds: u64) -> String {
    match seconds {
        0..=1 => "a second".into(),
        2..=90 => format!("{seconds} seconds"),
        91..=5400 => format!("{} minutes", seconds.div_ceil(60)),
        _ => format!("{} hours", seconds.div_ceil(3600)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_says_when_to_try_again_where_that_is_known() {
        let table = [
            (Error::TooMany(100), 429, Some("100"), "Please wait 2 minutes, then try again."),
            (Error::HeldUp { seconds: 20, way_out: "Or write." }, 429, Some("20"), "try again. Or write."),
            (Error::TooMany(80_000), 429, Some("80000"), "Please wait 23 hours, then try again."),
            (Error::Busy("Please try again."), 503, Some("1"), "Please try again."),
            (Error::Full("There is no room. Please try again later."), 503, None, "Please try again later."),
            (Error::ReadOnly, 503, None, "Nothing was changed. Please try again later."),
            (Error::TooSlow, 408, None, "try again"),
        ];
        for (error, status, seconds, words) in table {
            assert!(error.to_string().contains(words), "{error}");
            let answer = error.into_response();
            let waits = answer.headers().get(header::RETRY_AFTER).map(|value| value.to_str().unwrap());
            assert_eq!((answer.status().as_u16(), waits), (status, seconds), "{words}");
        }
    }
}
