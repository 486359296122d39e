//! What stands behind the question mark of a list's address.

use axum::extract::Query;
use axum::http::Uri;
use jiff::civil::Date;
use serde::de::DeserializeOwned;

use crate::base::error::{Error, Result};

/// The query parameters.
///
/// # Errors
/// 400 when one of them is named twice, or is no text.
pub fn of<T: DeserializeOwned>(uri: &Uri) -> Result<T> {
    let Query(query) = Query::try_from_uri(uri)
        .map_err(|_| Error::BadRequest("The address of this list cannot be understood.".into()))?;
    Ok(query)
}

/// A day, if there is one.
///
/// # Errors
/// Words for the field when it is no day.
pub fn day(text: &str) -> Result<Option<Date>, &'static str> {
    match text.trim() {
        "" => Ok(None),
        text => text.parse().map(Some).map_err(|_| "Must be a real date in the form YYYY-MM-DD"),
    }
}
