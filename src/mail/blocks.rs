//! What an e-mail is made of, and what both of its bodies say alike.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// A part of an e-mail, from top to bottom; in the outbox an element of a JSON array.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Block {
    Greeting(String),
    Paragraph(String),
    Facts(Vec<(Cow<'static, str>, String)>),
    Button { label: String, url: String },
    Link { label: String, url: String },
    Quote(String),
}

/// Lines without their ends, whichever system typed them; other control characters are dropped.
pub(super) fn lines(text: &str) -> Vec<String> {
    let text = text.trim_end().replace("\r\n", "\n").replace('\r', "\n");
    text.split('\n').map(|line| line.chars().filter(|c| *c == '\t' || !c.is_control()).collect()).collect()
}
