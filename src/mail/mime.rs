//! Composes the complete MIME message (RFC 5322, multipart/alternative).

use std::time::SystemTime;

use anyhow::{Context, anyhow};
use lettre::message::header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment, Body, Mailbox, MultiPart, SinglePart};
use lettre::{Address, Message};

use super::message::one_line;
use super::outbox::Outgoing;
use crate::config::Config;

/// A file to attach.
#[derive(Debug, Clone)]
pub(super) struct AttachedPdf {
    pub(super) name: String,
    pub(super) pdf: Vec<u8>,
}

/// Builds the message, deterministically: repeated attempts send identical bytes as long as the school's name and
/// address stay the same.
///
/// # Errors
/// When an address is invalid, or a header would contain a line break.
pub(super) fn compose(
    email: &Outgoing,
    attachment: Option<AttachedPdf>,
    config: &Config,
) -> anyhow::Result<Message> {
    let school = config.school();
    let name = &school.name;
    for value in [name, &email.subject, &email.message_id] {
        one_line(value).map_err(|_| anyhow!("a header would hold a line break"))?;
    }
    let mut builder = Message::builder()
        .from(Mailbox::new(Some(name.clone()), address("sender", config.mail_from().as_str())?))
        .to(Mailbox::new(None, address("recipient", &email.recipient)?))
        .subject(&email.subject)
        .message_id(Some(email.message_id.clone()))
        .date(SystemTime::from(email.created_at))
        // Keeps out-of-office programs from answering (RFC 3834).
        .raw_header(HeaderValue::new(
            HeaderName::new_from_ascii_str("Auto-Submitted"),
            "auto-generated".into(),
        ));
    if let Some(reply_to) = &email.reply_to {
        builder = builder.reply_to(Mailbox::new(None, address("reply-to", reply_to)?));
    }
    if let Some(replied_to) = &email.in_reply_to {
        builder = builder.in_reply_to(replied_to.clone()).references(replied_to.clone());
    }
    let bodies = email.bodies(&school);
    // The default is random for each attempt. The text does not contain its own Message-ID.
    let boundary: String = email.message_id.chars().filter(char::is_ascii_alphanumeric).take(60).collect();
    let parts = MultiPart::alternative()
        .boundary(&boundary)
        .singlepart(SinglePart::plain(body(&bodies.text)))
        .singlepart(SinglePart::html(body(&bodies.html)));
    let parts = match attachment {
        None => parts,
        Some(AttachedPdf { name, pdf }) => {
            let file = Attachment::new(name).body(pdf, ContentType::parse("application/pdf")?);
            MultiPart::mixed().boundary(format!("mixed{boundary}")).multipart(parts).singlepart(file)
        }
    };
    builder.multipart(parts).context("building the message")
}

/// RFC 5322 allows lines of 998 characters; lettre encodes bodies with lines over 76. Unencoded, links stay readable in
/// the source, especially of files in `mail/`.
fn body(text: &str) -> Body {
    const MAX_LINE: usize = 998;
    if text.is_ascii() && text.lines().all(|line| line.len() <= MAX_LINE) {
        let text = text.lines().collect::<Vec<_>>().join("\r\n");
        Body::dangerous_pre_encoded(text.into_bytes(), ContentTransferEncoding::SevenBit)
    } else {
        Body::new(text.to_owned())
    }
}

/// The error omits the address, because it may be logged.
fn address(whose: &str, text: &str) -> anyhow::Result<Address> {
    text.parse().map_err(|error| anyhow!("the {whose}'s address: {error}"))
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::message::Bodies;
    use super::super::outbox::EmailContent;
    use super::*;
    use crate::base::clock::from_seconds;

    fn plain(text: &str) -> EmailContent {
        EmailContent::Bodies(Bodies { text: text.to_owned(), html: "<p>Bonjour Zoé</p>".to_owned() })
    }

    pub(in crate::mail) fn outgoing() -> Outgoing {
        Outgoing {
            id: 12,
            message_id: "<abc@school.example>".into(),
            recipient: "mei@example.org".into(),
            reply_to: Some("parent@example.org".into()),
            in_reply_to: Some("<first@school.example>".into()),
            subject: "Élève admis".into(),
            content: plain("Bonjour Zoé,\n\nhttps://school.example/verify?token=abc\n"),
            created_at: from_seconds(1_795_237_200),
        }
    }

    #[test]
    fn the_message_is_complete_and_plain_ascii() {
        let message = compose(&outgoing(), None, &Config::default()).unwrap();
        let text = String::from_utf8(message.formatted()).unwrap();
        assert!(text.is_ascii());
        assert!(text.split("\r\n").all(|line| !line.contains(['\r', '\n']) && line.len() <= 998));
        for line in [
            "From: \"Northgate Academy\" <office@northgate.example>",
            "To: mei@example.org",
            "Reply-To: parent@example.org",
            "Message-ID: <abc@school.example>",
            "In-Reply-To: <first@school.example>",
            "References: <first@school.example>",
            "Date: Sat, 21 Nov 2026 05:00:00 +0000",
            "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0",
        ] {
            assert!(text.contains(&format!("{line}\r\n")), "{line}\n{text}");
        }
        assert!(text.contains("Subject: =?utf-8?b?"), "{text}");
        assert!(text.contains("Content-Type: multipart/alternative;"), "{text}");
        let plain = text.find("text/plain").unwrap();
        assert!(plain < text.find("text/html").unwrap(), "the richest part comes last (RFC 2046)");
    }

    #[test]
    fn an_email_is_the_same_message_each_time_it_is_sent() {
        let email = Outgoing { message_id: format!("<{}@school.example>", "a".repeat(80)), ..outgoing() };
        for email in [outgoing(), email] {
            let first = compose(&email, None, &Config::default()).unwrap().formatted();
            let text = String::from_utf8(first.clone()).unwrap();
            let boundary = text.split_once("boundary=\"").unwrap().1.split('"').next().unwrap();
            assert!((1..=70).contains(&boundary.len()), "RFC 2046: {boundary}");
            assert!(first == compose(&email, None, &Config::default()).unwrap().formatted());
        }
    }

    #[test]
    fn a_long_link_stays_in_one_piece_and_a_monstrous_line_does_not() {
        let link = format!("https://school.example/verify?token={}", "0".repeat(64));
        let email = Outgoing { content: plain(&format!("Verify:\n{link}\n")), ..outgoing() };
        let text = String::from_utf8(compose(&email, None, &Config::default()).unwrap().formatted()).unwrap();
        assert!(
            text.contains(&format!("Content-Transfer-Encoding: 7bit\r\n\r\nVerify:\r\n{link}\r\n")),
            "{text}"
        );
        let email = Outgoing { content: plain(&"x".repeat(2000)), ..outgoing() };
        let text = String::from_utf8(compose(&email, None, &Config::default()).unwrap().formatted()).unwrap();
        assert!(text.lines().all(|line| line.len() <= 998));
    }

    #[test]
    fn a_header_never_holds_a_line_break() {
        let mut config = Config::default();
        config.school_file.name = Some("School\r\nBcc: all@example.org".into());
        assert!(compose(&outgoing(), None, &config).is_err());
        let email = Outgoing { subject: "a\nBcc: all@example.org".into(), ..outgoing() };
        assert!(compose(&email, None, &Config::default()).is_err());
        let email = Outgoing { recipient: "a@b.example\r\nBcc: c@d.example".into(), ..outgoing() };
        let error = compose(&email, None, &Config::default()).unwrap_err().to_string();
        assert!(!error.contains("b.example"), "{error}");
    }
}
