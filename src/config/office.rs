//! `[office]`: how the office works.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

/// `[office]`
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Office {
    /// Whether the role `viewer` may open students' documents.
    pub viewer_opens_documents: bool,
    /// Seconds for which a decision can be undone; its e-mails wait for as long. 0 sends them at once.
    pub undo_seconds: u32,
}

impl Default for Office {
    fn default() -> Self {
        Self { viewer_opens_documents: false, undo_seconds: 60 }
    }
}

impl Office {
    /// Longer, and a student would hear of a decision on the next day.
    const MAX_UNDO_SECONDS: u32 = 3600;

    pub(super) fn check(&self, wrong: &mut String) {
        let (max, found) = (Self::MAX_UNDO_SECONDS, self.undo_seconds);
        if found > max {
            let _ = writeln!(wrong, "office.undo_seconds: must be at most {max} (found {found})");
        }
    }
}
