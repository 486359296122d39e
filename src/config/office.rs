//! `[office]`: how the office works.

use serde::{Deserialize, Serialize};

/// `[office]`
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Office {
    /// Whether the role `viewer` may open students' documents.
    pub viewer_opens_documents: bool,
}
