//! How the office's list of applications is narrowed down.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::Deserialize;
use utoipa::IntoParams;

use super::status::AdmissionRequestStatus;
use super::waiting::AdmissionWait;
use crate::base::closed_set::{ClosedSet as _, closed_set};
use crate::base::error::{Error, Result};
use crate::staff::Assignee;
use crate::web::description::{Description, Parameter};
use crate::web::pagination::PageRequest;
use crate::web::query;

/// Query parameters of the list, beside those of every list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct AdmissionsQuery {
    /// Only those of this member of the staff, by number; `none` for those that are not assigned.
    #[param(value_type = Option<String>, example = "none")]
    assignee: String,
    /// Only accepted ones that wait for this.
    #[param(value_type = Option<AdmissionWait>)]
    waits: String,
}

impl Parameter for AdmissionsQuery {
    fn describe(description: &mut Description<'_>) {
        description.refusal("400");
    }
}

impl<S: Send + Sync> FromRequestParts<S> for AdmissionsQuery {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        query::of(&parts.uri)
    }
}

closed_set! {
    /// Sort key of the list.
    enum AdmissionSort {
        /// When the request arrived.
        Created = "created",
    }
}

/// A validated query.
#[derive(Debug, Clone, Default)]
pub struct AdmissionsFilter {
    /// In one of these states; empty for all.
    pub states: Vec<AdmissionRequestStatus>,
    /// Of this member of the staff, or not assigned.
    pub assignee: Option<Assignee>,
    /// Accepted, and waiting for this.
    pub waits: Option<AdmissionWait>,
    /// Whether the oldest come first.
    pub is_oldest_first: bool,
}

impl AdmissionsQuery {
    /// Validates the query.
    ///
    /// # Errors
    /// Field errors that say what is valid.
    pub fn parse(&self, page: &PageRequest) -> Result<AdmissionsFilter> {
        let assignee = Assignee::parse(&self.assignee)?;
        let waits = match self.waits.trim() {
            "" => None,
            word => Some(AdmissionWait::choose(word).map_err(|message| Error::field("waits", message))?),
        };
        let sort = page.sort::<AdmissionSort>()?;
        let is_oldest_first = sort.is_some_and(|sort| !sort.is_descending);
        Ok(AdmissionsFilter { states: page.statuses()?, assignee, waits, is_oldest_first })
    }
}
