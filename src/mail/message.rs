//! What an e-mail says, and how it looks as plain text; as HTML it looks as [`super::html`] has it.

use std::fmt::Write;

use super::html;
use super::kind::Kind;
use crate::base::email::Email;
use crate::base::error::{Error, Result};
use crate::config::School;

/// An e-mail in the making; a room says what, the look is decided here.
#[derive(Debug, Clone)]
pub struct EmailMessage {
    kind: Kind,
    recipient: Email,
    subject: String,
    topic: Option<String>,
    reply_to: Option<Email>,
    blocks: Vec<Block>,
}

/// A part of an e-mail, from top to bottom.
#[derive(Debug, Clone)]
pub(super) enum Block {
    Greeting(String),
    Paragraph(String),
    Facts(Vec<(&'static str, String)>),
    Button { label: String, url: String },
    Link { label: String, url: String },
    Quote(String),
}

/// The two bodies of an e-mail, ready to be sent.
#[derive(Debug)]
pub(super) struct Bodies {
    pub(super) text: String,
    pub(super) html: String,
}

impl EmailMessage {
    /// Begins an e-mail. To an address that nobody has proved to be theirs, write no name and no words
    /// that somebody typed.
    #[must_use]
    pub fn to(kind: Kind, recipient: &Email, subject: &str) -> Self {
        Self {
            kind,
            recipient: recipient.clone(),
            subject: subject.to_owned(),
            topic: None,
            reply_to: None,
            blocks: Vec::new(),
        }
    }

    /// Names what it is about more closely than the subject does: while it waits for its budget, a
    /// later one on the same topic takes its place.
    #[must_use]
    pub fn topic(mut self, topic: &str) -> Self {
        self.topic = Some(topic.to_owned());
        self
    }

    /// Addresses the reader, by name where it is known.
    #[must_use]
    pub fn greeting(self, name: Option<&str>) -> Self {
        // A name that was typed with a line break would otherwise begin a paragraph of its own.
        let name = name.unwrap_or("").split_whitespace().collect::<Vec<_>>().join(" ");
        let line = if name.is_empty() { "Hello,".to_owned() } else { format!("Hello {name},") };
        self.with(Block::Greeting(line))
    }

    /// Adds a paragraph of plain text; its line breaks are kept.
    #[must_use]
    pub fn paragraph(self, text: &str) -> Self {
        self.with(Block::Paragraph(text.to_owned()))
    }

    /// Adds what stands in a few words, each with its name: "Start date", "December 1, 2026".
    #[must_use]
    pub fn facts(self, facts: &[(&'static str, &str)]) -> Self {
        let facts = facts.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        self.with(Block::Facts(facts))
    }

    /// Adds the one thing to do next; `url` must begin with http:// or https://.
    #[must_use]
    pub fn button(self, label: &str, url: &str) -> Self {
        self.with(Block::Button { label: label.to_owned(), url: url.to_owned() })
    }

    /// Adds something that few will have to do, smaller than a button; `url` as in [`Self::button`].
    #[must_use]
    pub fn link(self, label: &str, url: &str) -> Self {
        self.with(Block::Link { label: label.to_owned(), url: url.to_owned() })
    }

    /// Adds what somebody else wrote, set apart, line by line.
    #[must_use]
    pub fn quote(self, text: &str) -> Self {
        self.with(Block::Quote(text.to_owned()))
    }

    /// Sends answers to somebody other than the sender.
    #[must_use]
    pub fn reply_to(mut self, address: &Email) -> Self {
        self.reply_to = Some(address.clone());
        self
    }

    fn with(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }

    /// What kind of e-mail it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    pub(super) fn about(&self) -> &str {
        self.topic.as_deref().unwrap_or(&self.subject)
    }

    /// Whom it is for.
    pub fn recipient(&self) -> &Email {
        &self.recipient
    }

    /// What it is about; one line once [`outbox::enqueue`](super::outbox::enqueue) has taken it.
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// Where answers go, if not to the sender.
    pub fn answers_to(&self) -> Option<&Email> {
        self.reply_to.as_ref()
    }

    /// Both bodies.
    ///
    /// # Errors
    /// When a header would hold a control character, or a button leads anywhere but to a web page.
    pub(super) fn render(&self, school: &School) -> Result<Bodies> {
        let answers_to = self.reply_to.iter().map(Email::as_str);
        for value in [self.subject(), self.recipient.as_str()].into_iter().chain(answers_to) {
            one_line(value)?;
        }
        for block in &self.blocks {
            if let Block::Button { url, .. } | Block::Link { url, .. } = block
                && !is_web_address(url)
            {
                return Err(Error::Internal(anyhow::anyhow!("an e-mail's link is no web address")));
            }
        }
        Ok(Bodies { text: self.text(school), html: html::draw(&self.subject, &self.blocks, school) })
    }

    fn text(&self, school: &School) -> String {
        let mut text = String::new();
        for block in &self.blocks {
            let _ = match block {
                Block::Greeting(words) | Block::Paragraph(words) => {
                    writeln!(text, "{}\n", lines(words).join("\n"))
                }
                Block::Facts(facts) => {
                    for (name, value) in facts {
                        let _ = writeln!(text, "{name}: {}", lines(value).join(" "));
                    }
                    writeln!(text)
                }
                Block::Button { label, url } | Block::Link { label, url } => {
                    writeln!(text, "{label}:\n{url}\n")
                }
                Block::Quote(words) => {
                    for line in lines(words) {
                        // A quoted empty line is ">" alone: a space at the end of a line gets lost.
                        let _ = writeln!(text, "{}", format!("> {line}").trim_end());
                    }
                    writeln!(text)
                }
            };
        }
        let School { name, phone, email, .. } = school;
        let _ = writeln!(text, "-- \n{name}\n{}\n{phone}\n{email}", address(school));
        text
    }
}

/// The school's postal address on one line.
pub(super) fn address(school: &School) -> String {
    format!("{}, {}, {} {}", school.street, school.city, school.province, school.postal_code)
}

fn is_web_address(url: &str) -> bool {
    (url.starts_with("https://") || url.starts_with("http://"))
        && !url.contains(|c: char| c.is_control() || c.is_whitespace())
}

/// Refuses what would end a header line early and begin another one.
///
/// # Errors
/// When the value holds a control character.
pub(super) fn one_line(value: &str) -> Result<()> {
    if value.chars().any(char::is_control) {
        return Err(Error::BadRequest("A subject and an address must be one line.".into()));
    }
    Ok(())
}

/// Lines without their ends, whichever system typed them; other control characters are dropped.
pub(super) fn lines(text: &str) -> Vec<String> {
    let text = text.trim_end().replace("\r\n", "\n").replace('\r', "\n");
    text.split('\n').map(|line| line.chars().filter(|c| *c == '\t' || !c.is_control()).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn email(text: &str) -> Email {
        Email::parse(text).unwrap()
    }

    #[test]
    fn the_text_part_shows_the_link_on_a_line_of_its_own_and_signs_with_the_school() {
        let message =
            EmailMessage::to(Kind::Verification, &email("mei@example.org"), "Verify your email address")
                .greeting(Some("Mei  \r\n Tanaka"))
                .paragraph("Please confirm your address.")
                .facts(&[("Start date", "December 1, 2026"), ("Note", "two\nlines")])
                .button("Verify my email address", "https://school.example/verify?token=abc&x=1")
                .quote("one\r\n\r\nthree");
        let text = message.render(&School::default()).unwrap().text;
        assert_eq!(
            text,
            "Hello Mei Tanaka,\n\nPlease confirm your address.\n\n\
             Start date: December 1, 2026\nNote: two lines\n\nVerify my email address:\n\
             https://school.example/verify?token=abc&x=1\n\n> one\n>\n> three\n\n-- \n\
             Northgate Academy\n120 Example Street, Suite 300, Toronto, ON M5V 0A0\n(416) 555-0142\n\
             office@northgate.example\n"
        );
    }

    #[test]
    fn a_second_header_cannot_be_smuggled_in() {
        for subject in ["Hello\r\nBcc: all@example.org", "Hello\nBcc: x", "Hello\rBcc: x", "Hello\0"] {
            let refused = EmailMessage::to(Kind::Verification, &email("mei@example.org"), subject)
                .render(&School::default());
            assert!(matches!(refused, Err(Error::BadRequest(_))), "{subject:?}");
        }
    }

    #[test]
    fn a_link_leads_to_web_pages_only() {
        for url in ["javascript:alert(1)", "//school.example", "https://school.example/\nX", ""] {
            let message = EmailMessage::to(Kind::Verification, &email("mei@example.org"), "Hello");
            for message in [message.clone().button("Go", url), message.link("Go", url)] {
                assert!(message.render(&School::default()).is_err(), "{url:?}");
            }
        }
    }
}
