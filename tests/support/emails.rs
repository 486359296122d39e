//! Emails in the spool.

use std::path::{Path, PathBuf};

use mail_parser::MessageParser;

/// A mail as it lies in the spool.
#[derive(Debug)]
pub struct Mail {
    pub to: String,
    pub reply_to: Option<String>,
    /// Message-ID without its brackets.
    pub id: String,
    pub in_reply_to: Option<String>,
    pub subject: String,
    pub text: String,
    pub html: String,
}

impl Mail {
    /// The first link of the text whose path begins so; its last segment is the token.
    pub fn token(&self, path: &str) -> String {
        let start = self.text.find(path).unwrap_or_else(|| panic!("no {path} in {}", self.text));
        self.text[start + path.len()..].split_whitespace().next().unwrap().to_owned()
    }
}

pub fn read_spool(folder: &Path) -> Vec<Mail> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "eml"))
        .collect();
    // The outbox's number is the last part of the name.
    files.sort_by_key(|path| {
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        stem.rsplit('-').next().unwrap().parse::<i64>().unwrap_or(0)
    });
    files.iter().map(|path| parse(&std::fs::read(path).unwrap())).collect()
}

pub fn parse(bytes: &[u8]) -> Mail {
    let message = MessageParser::default().parse(bytes).unwrap();
    let address = |list: Option<&mail_parser::Address<'_>>| {
        list.and_then(|list| list.first()).and_then(|one| one.address()).map(str::to_owned)
    };
    Mail {
        to: address(message.to()).unwrap(),
        reply_to: address(message.reply_to()),
        id: message.message_id().unwrap().to_owned(),
        in_reply_to: message.in_reply_to().as_text().map(str::to_owned),
        subject: message.subject().unwrap().to_owned(),
        text: message.body_text(0).unwrap().into_owned(),
        html: message.body_html(0).unwrap().into_owned(),
    }
}
