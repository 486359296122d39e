//! What a message from the contact form sets off: a confirmation to the visitor, a copy to the school.

use super::rules::NewMessage;
use crate::base::email::Email;
use crate::config::Config;
use crate::mail::{EmailMessage, Kind};

/// To the visitor. It repeats neither the message nor the name: the form must not mail a stranger's words to
/// any address that somebody types.
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
