//! Filters of the office's list of messages.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::Deserialize;
use utoipa::IntoParams;

use super::status::MessageStatus;
use crate::base::error::{Error, Result};
use crate::staff::Assignee;
use crate::web::description::{Description, Parameter};
use crate::web::pagination::PageRequest;
use crate::web::query;

/// Query parameters beside those of every list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct MessagesQuery {
    /// Only messages of the staff member of this number; `none` for those that are not assigned.
    #[param(value_type = Option<String>)]
    assignee: String,
}

/// A validated query.
#[derive(Debug, Clone, Copy, Default)]
pub struct MessagesFilter {
    /// Only those in this state.
    pub status: Option<MessageStatus>,
    /// Only those with this assignee.
    pub assignee: Option<Assignee>,
}

impl MessagesQuery {
    /// Validates the query.
    ///
    /// # Errors
    /// A field error for an unknown state, or an assignee that is no number.
    pub fn parse(&self, page: &PageRequest) -> Result<MessagesFilter> {
        Ok(MessagesFilter { status: page.status()?, assignee: Assignee::parse(&self.assignee)? })
    }
}

impl Parameter for MessagesQuery {
    fn describe(description: &mut Description<'_>) {
        description.refusal("400");
    }
}

impl<S: Send + Sync> FromRequestParts<S> for MessagesQuery {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        query::of(&parts.uri)
    }
}
