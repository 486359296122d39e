//! What stands behind the question mark of a list's address.

use axum::extract::{self, FromRequestParts};
use axum::http::Uri;
use axum::http::request::Parts;
use jiff::civil::Date;
use serde::de::DeserializeOwned;

use crate::base::error::{Error, Result};
use crate::web::description::{Description, Parameter};
use crate::web::form;

/// The query parameters of a call.
pub struct Query<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        of(&parts.uri).map(Self)
    }
}

impl<T> Parameter for Query<T> {
    fn describe(description: &mut Description<'_>) {
        description.refusal("400");
    }
}

/// The query parameters.
///
/// # Errors
/// 400 when one of them is named twice, or is no text.
pub fn of<T: DeserializeOwned>(uri: &Uri) -> Result<T> {
    let query = extract::Query::try_from_uri(uri);
    let extract::Query(query) = query.map_err(|_| {
        Error::BadRequest("This address cannot be understood. Use each parameter once.".into())
    })?;
    Ok(query)
}

/// A day, if there is one.
///
/// # Errors
/// Words for the field when it is no day.
pub fn day(text: &str) -> Result<Option<Date>, String> {
    let text = text.trim();
    if text.is_empty() { Ok(None) } else { form::iso_date(text).map(Some) }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_day_has_one_form() {
        assert_eq!(day(" "), Ok(None));
        assert_eq!(day(" 2026-11-21 "), Ok(Some(date(2026, 11, 21))));
        for other in ["20261121", "2026-11-21T10:00:00", "-009999-01-01", "2026-02-30", "today"] {
            assert!(day(other).is_err(), "{other}");
        }
    }
}
