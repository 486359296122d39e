//! Emails for a contact message: confirmation to the visitor, copy to the school, reply of the office.

use super::ContactMessage;
use super::rules::NewMessage;
use crate::base::dates::date_in_words;
use crate::base::email::Email;
use crate::base::error::{Error, Result};
use crate::config::Config;
use crate::mail::{EmailMessage, Kind};

/// Subject of the confirmation; replies have the same one, so that mail programs thread them.
const CONFIRMATION: &str = "We have your message";
/// Maximum number of quoted characters: the address may belong to another person.
const QUOTED: usize = 500;

/// To the visitor. It contains neither the message nor the name, so that the form cannot be used to send text to
/// arbitrary addresses.
pub fn confirmation(new: &NewMessage, config: &Config) -> EmailMessage {
    let school = config.school();
    let known = [("Office hours", &*school.hours), ("Telephone", &*school.phone)];
    let known: Vec<_> = known.into_iter().filter(|(_, fact)| !fact.is_empty()).collect();
    EmailMessage::to(Kind::ContactConfirmation, &new.email, CONFIRMATION)
        .greeting(None)
        .paragraph(&format!(
            "Thank you for writing to {}. Your message about \"{}\" has arrived and the office will \
             answer it as soon as it can.",
            school.name,
            new.subject.label()
        ))
        .facts(&known)
        .paragraph("If you did not write to us, you can ignore this message.")
}

/// To the school: the message itself.
pub fn copy_to_school(new: &NewMessage, office: &Email) -> EmailMessage {
    let phone = new.phone.as_deref().unwrap_or("not given");
    EmailMessage::to(Kind::ContactCopy, office, &format!("{}: {}", new.subject.label(), new.name))
        .reply_to(&new.email)
        .facts(&[
            ("From", &new.name),
            ("Email", new.email.as_str()),
            ("Phone", phone),
            ("Subject", new.subject.label()),
        ])
        .quote(&new.message)
}

/// Fills in the placeholders of a reply; the visitor's name comes last, as it may contain braces.
pub fn fill_in(text: &str, message: &ContactMessage, school: &str) -> String {
    text.replace("{school}", school)
        .replace("{reference}", &message.reference)
        .replace("{name}", &message.name)
}

/// What the office replies.
#[derive(Debug, Clone, Copy)]
pub struct ReplyWords<'a> {
    /// Subject, if it has one of its own.
    pub subject: Option<&'a str>,
    /// Body.
    pub body: &'a str,
}

/// To the visitor: the reply, with the beginning of the message below it.
///
/// # Errors
/// When the visitor's address is invalid.
pub fn reply(
    message: &ContactMessage,
    words: &ReplyWords<'_>,
    confirmation: Option<&str>,
    config: &Config,
) -> Result<EmailMessage> {
    let school = config.school();
    let visitor = Email::parse(&message.email)
        .map_err(|_| Error::Internal(anyhow::anyhow!("the address of a message is invalid")))?;
    let subject = words.subject.map_or_else(|| format!("Re: {CONFIRMATION}"), str::to_owned);
    let day = date_in_words(message.created_at.to_zoned(school.zone()).date());
    let mut quoted: String = message.message.chars().take(QUOTED).collect();
    if quoted.len() < message.message.len() {
        quoted.push('…');
    }
    let email = EmailMessage::to(Kind::MessageReply, &visitor, &subject)
        .in_reply_to(confirmation)
        .paragraph(words.body)
        .paragraph(&format!("On {day}, you wrote ({}):", message.reference))
        .quote(&quoted);
    Ok(match &school.email {
        Some(office) => email.reply_to(office),
        None => email,
    })
}
