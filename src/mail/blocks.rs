//! Content of an email, from which both bodies are rendered.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::paper::Paper;

/// A part of an email; stored in the outbox as an element of a JSON array.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Block {
    Greeting(String),
    Paragraph(String),
    Facts(Vec<(Cow<'static, str>, String)>),
    Button {
        label: String,
        url: String,
    },
    Link {
        label: String,
        url: String,
    },
    Quote(String),
    /// Attached as a PDF, which is written when the email leaves.
    Attachment(Box<Paper>),
}

/// Splits into lines at any kind of line end; drops other control characters.
pub(super) fn lines(text: &str) -> Vec<String> {
    let text = text.trim_end().replace("\r\n", "\n").replace('\r', "\n");
    text.split('\n').map(|line| line.chars().filter(|c| *c == '\t' || !c.is_control()).collect()).collect()
}
