//! How the office's list of documents is narrowed down and sorted.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::Deserialize;
use utoipa::IntoParams;

use super::rules::{DocumentFilter, DocumentType};
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::{Error, FieldErrors, Result};
use crate::web::description::{Description, Parameter};
use crate::web::pagination::PageRequest;
use crate::web::query;

/// What stands behind the question mark beside what every list knows.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct DocumentsQuery {
    /// Only documents of this type.
    #[serde(rename = "type")]
    #[param(rename = "type", value_type = Option<DocumentType>)]
    of_type: String,
    /// Only documents of the student of this number.
    #[param(value_type = Option<i64>)]
    student: String,
}

closed_set! {
    /// What the list is sorted by.
    enum DocumentSort {
        /// When it was uploaded.
        Uploaded = "uploaded",
    }
}

/// A query whose every part is right.
#[derive(Debug, Clone, Default)]
pub struct DocumentsFilter {
    /// Only those in this state.
    pub state: Option<DocumentFilter>,
    /// Only those of this type.
    pub of_type: Option<DocumentType>,
    /// Only those of this student.
    pub student: Option<i64>,
    /// Whether the oldest comes first.
    pub is_oldest_first: bool,
}

impl DocumentsQuery {
    /// Checks every part.
    ///
    /// # Errors
    /// What is no word of its set, or no number.
    pub fn parse(&self, page: &PageRequest) -> Result<DocumentsFilter> {
        let state = page.status()?;
        let sort = page.sort::<DocumentSort>()?;
        let mut errors = FieldErrors::default();
        let of_type = match self.of_type.trim() {
            "" => Ok(None),
            word => DocumentType::choose(word).map(Some),
        };
        let of_type = errors.take("type", of_type);
        let student = match self.student.trim() {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| "Must be the number of a student"),
        };
        let student = errors.take("student", student);
        let is_oldest_first = sort.is_some_and(|sort| !sort.is_descending);
        let filter =
            || Some(DocumentsFilter { state, of_type: of_type?, student: student?, is_oldest_first });
        Ok(errors.finish(filter())?)
    }
}

impl Parameter for DocumentsQuery {
    fn describe(description: &mut Description<'_>) {
        description.refusal("400");
    }
}

impl<S: Send + Sync> FromRequestParts<S> for DocumentsQuery {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        query::of(&parts.uri)
    }
}
