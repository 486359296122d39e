//! Builder for emails; [`super::text`] and [`super::html`] render them.

use std::borrow::Cow;

use serde::Serialize;
use utoipa::ToSchema;

use super::blocks::Block;
use super::kind::Kind;
use super::{html, text};
use crate::base::email::Email;
use crate::base::error::{Error, Result};
use crate::config::School;
use crate::paper::{Paper, pdf};

/// An email: a room defines the content, rendering is common.
#[derive(Debug, Clone)]
pub struct EmailMessage {
    kind: Kind,
    recipient: Email,
    subject: String,
    topic: Option<String>,
    reply_to: Option<Email>,
    own_id: Option<String>,
    in_reply_to: Option<String>,
    blocks: Vec<Block>,
}

/// A link in an email.
#[derive(Debug, Clone, Copy)]
pub struct EmailLink<'a> {
    /// Label.
    pub label: &'a str,
    /// Address; it must begin with http:// or https://.
    pub url: &'a str,
}

/// Preview of an email before it is sent.
#[derive(Debug, Serialize, ToSchema)]
pub struct EmailPreview {
    /// Recipient's address.
    pub recipient: String,
    /// Subject.
    pub subject: String,
    /// Plain text, with the greeting and the school's signature.
    pub text: String,
}

/// The rendered bodies of an email.
#[derive(Debug, Clone)]
pub(super) struct Bodies {
    pub(super) text: String,
    pub(super) html: String,
}

impl Bodies {
    /// Renders both bodies.
    pub fn render(subject: &str, blocks: &[Block], school: &School) -> Self {
        Self { text: text::render(blocks, school), html: html::render(subject, blocks, school) }
    }
}

impl EmailMessage {
    /// Starts an email. Do not include names or user input in an email to an unverified address.
    #[must_use]
    pub fn to(kind: Kind, recipient: &Email, subject: &str) -> Self {
        Self {
            kind,
            recipient: recipient.clone(),
            subject: subject.to_owned(),
            topic: None,
            reply_to: None,
            own_id: None,
            in_reply_to: None,
            blocks: Vec::new(),
        }
    }

    /// Sets a topic more specific than the subject: while the email is delayed, a later one on the same topic replaces
    /// it.
    #[must_use]
    pub fn topic(mut self, topic: &str) -> Self {
        self.topic = Some(topic.to_owned());
        self
    }

    /// Adds a greeting, by name if known.
    #[must_use]
    pub fn greeting(self, name: Option<&str>) -> Self {
        // Line breaks in a name would start a new paragraph.
        let name = name.unwrap_or("").split_whitespace().collect::<Vec<_>>().join(" ");
        let line = if name.is_empty() { "Hello,".to_owned() } else { format!("Hello {name},") };
        self.with(Block::Greeting(line))
    }

    /// Adds a paragraph of plain text; its line breaks are kept.
    #[must_use]
    pub fn paragraph(self, text: &str) -> Self {
        self.with(Block::Paragraph(text.to_owned()))
    }

    /// Adds labelled facts: "Start date", "December 1, 2026".
    #[must_use]
    pub fn facts(self, facts: &[(&'static str, &str)]) -> Self {
        let facts = facts.iter().map(|(name, value)| (Cow::Borrowed(*name), (*value).to_owned())).collect();
        self.with(Block::Facts(facts))
    }

    /// Adds the main action; `url` must begin with http:// or https://.
    #[must_use]
    pub fn button(self, label: &str, url: &str) -> Self {
        self.with(Block::Button { label: label.to_owned(), url: url.to_owned() })
    }

    /// Adds a secondary action, smaller than a button; `url` as in [`Self::button`].
    #[must_use]
    pub fn link(self, label: &str, url: &str) -> Self {
        self.with(Block::Link { label: label.to_owned(), url: url.to_owned() })
    }

    /// Attaches a document as a PDF; where no font has its letters, says so and links to where it can be printed.
    ///
    /// # Errors
    /// Only when a font of the program is damaged.
    pub fn attach(self, paper: &Paper, link: &EmailLink<'_>) -> Result<Self> {
        if pdf::covers(paper)? {
            return Ok(self.with(Block::Attachment(Box::new(paper.clone()))));
        }
        let words = "It has letters that our PDFs cannot show, so none is attached. You can print it from a page instead.";
        Ok(self.paragraph(words).link(link.label, link.url))
    }

    /// Adds a quotation, line by line.
    #[must_use]
    pub fn quote(self, text: &str) -> Self {
        self.with(Block::Quote(text.to_owned()))
    }

    /// Sets the Reply-To address.
    #[must_use]
    pub fn reply_to(mut self, address: &Email) -> Self {
        self.reply_to = Some(address.clone());
        self
    }

    /// Sets its Message-ID, which no other email has; otherwise one is drawn.
    #[must_use]
    pub fn own_message_id(mut self, message_id: &str) -> Self {
        self.own_id = Some(message_id.to_owned());
        self
    }

    /// Sets the Message-ID of the email that it replies to, so that mail programs thread them.
    #[must_use]
    pub fn in_reply_to(mut self, message_id: Option<&str>) -> Self {
        self.in_reply_to = message_id.map(str::to_owned);
        self
    }

    /// The same email to another reader: with a greeting and a sentence of its own, and another main action.
    #[must_use]
    pub fn copy_to(
        &self,
        recipient: &Email,
        name: Option<&str>,
        about: &str,
        button: &EmailLink<'_>,
    ) -> Self {
        let mut copy = Self { recipient: recipient.clone(), blocks: Vec::new(), ..self.clone() };
        copy = copy.greeting(name).paragraph(about);
        for block in &self.blocks {
            match block {
                Block::Greeting(_) | Block::Button { .. } => {}
                block => copy.blocks.push(block.clone()),
            }
        }
        copy.button(button.label, button.url)
    }

    fn with(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }

    /// Kind of email.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    pub(super) fn about(&self) -> &str {
        self.topic.as_deref().unwrap_or(&self.subject)
    }

    /// Recipient's address.
    pub fn recipient(&self) -> &Email {
        &self.recipient
    }

    /// Subject; a single line once [`outbox::enqueue`](super::outbox::enqueue) has accepted it.
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// Reply-To address, if set.
    pub fn answers_to(&self) -> Option<&Email> {
        self.reply_to.as_ref()
    }

    /// Its own Message-ID, if set.
    pub(super) fn own_id(&self) -> Option<&str> {
        self.own_id.as_deref()
    }

    /// Message-ID of the email that it replies to, if set.
    pub(super) fn replied_to(&self) -> Option<&str> {
        self.in_reply_to.as_deref()
    }

    /// Renders a preview; sends nothing.
    ///
    /// # Errors
    /// As [`outbox::enqueue`](super::outbox::enqueue).
    pub fn preview(&self, school: &School) -> Result<EmailPreview> {
        let text = self.render(school)?.text;
        Ok(EmailPreview {
            recipient: self.recipient.as_str().to_owned(),
            subject: self.subject.clone(),
            text,
        })
    }

    /// Both bodies.
    ///
    /// # Errors
    /// As [`Self::blocks`].
    pub(super) fn render(&self, school: &School) -> Result<Bodies> {
        Ok(Bodies::render(&self.subject, self.blocks()?, school))
    }

    /// The validated content.
    ///
    /// # Errors
    /// When a header would hold a control character, or a button leads anywhere but to a web page.
    pub(super) fn blocks(&self) -> Result<&[Block]> {
        let answers_to = self.reply_to.iter().map(Email::as_str);
        for value in [self.subject(), self.recipient.as_str()].into_iter().chain(answers_to) {
            one_line(value)?;
        }
        for block in &self.blocks {
            if let Block::Button { url, .. } | Block::Link { url, .. } = block
                && !is_web_address(url)
            {
                return Err(Error::Internal(anyhow::anyhow!("an email's link is not a web address")));
            }
        }
        Ok(&self.blocks)
    }
}

fn is_web_address(url: &str) -> bool {
    (url.starts_with("https://") || url.starts_with("http://"))
        && !url.contains(|c: char| c.is_control() || c.is_whitespace())
}

/// Refuses characters that would allow header injection.
///
/// # Errors
/// When the value holds a control character.
pub(super) fn one_line(value: &str) -> Result<()> {
    if value.chars().any(char::is_control) {
        return Err(Error::BadRequest("A subject and an address must be one line.".into()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn email(text: &str) -> Email {
        Email::parse(text).unwrap()
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
