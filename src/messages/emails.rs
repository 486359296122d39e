//! Emails for a contact message: confirmation to the visitor, copy to the school.

use super::rules::NewMessage;
use crate::base::email::Email;
use crate::config::Config;
use crate::mail::{EmailMessage, Kind};

/// To the visitor. It contains neither the message nor the name, so that the form cannot be used to send text to
/// arbitrary addresses.
pub fn confirmation(new: &NewMessage, config: &Config) -> EmailMessage {
    let school = config.school();
    let known = [("Office hours", &*school.hours), ("Telephone", &*school.phone)];
    let known: Vec<_> = known.into_iter().filter(|(_, fact)| !fact.is_empty()).collect();
    EmailMessage::to(Kind::ContactConfirmation, &new.email, "We have your message")
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
