//! What students are told about their documents, and the administrators about lost files.

use jiff::civil::Date;

use super::Document;
use super::rules::DocumentStatus;
use crate::base::dates::date_in_words;
use crate::base::email::Email;
use crate::config::Config;
use crate::mail::{EmailMessage, Kind};
use crate::students::lacks::Wanted;

/// Maximum document numbers per email.
const NAMED: usize = 20;

/// Reports missing or damaged files of documents, without naming students.
pub fn files_lost(to: &Email, ids: &[i64], config: &Config) -> EmailMessage {
    let numbers = ids.iter().take(NAMED).map(|id| format!("#{id}")).collect::<Vec<_>>().join(", ");
    let more = ids.len().saturating_sub(NAMED);
    let (subject, found) = match ids {
        [_] => ("A document's file is lost", format!("The file of document {numbers} is")),
        _ if more == 0 => ("Files of documents are lost", format!("The files of documents {numbers} are")),
        _ => ("Files of documents are lost", format!("The files of documents {numbers} and {more} more are")),
    };
    EmailMessage::to(Kind::Alarm, to, subject)
        .greeting(None)
        .paragraph(&format!(
            "{found} missing from the server's disk, or not what was stored there. Such a file is not shown, and \
             backups go on without it. Suspect the disk: run \"schoolhouse doctor --full\" on the server."
        ))
        .paragraph(
            "An older backup may still hold it: \"schoolhouse restore --document NUMBER ARCHIVE\" puts it back. Or \
             open the student's page, Documents, and replace the file with another copy, or write it off.",
        )
        .button("Open the documents", &format!("{}/admin/documents?q=file+lost", config.public_url()))
}

/// Recipient of an email, and their name if known.
type Reader<'a> = (&'a Email, Option<&'a str>);

fn portal(config: &Config) -> String {
    config.student_dashboard() + "?tab=documents"
}

/// What the office decided about documents, and what is still missing.
pub fn reviewed(
    (to, name): Reader<'_>,
    documents: &[Document],
    wanted: &[Wanted],
    config: &Config,
) -> EmailMessage {
    let is_rejected = |document: &&Document| document.status == DocumentStatus::Rejected;
    let subject = match documents {
        [one] if is_rejected(&one) => format!("Please upload your document again: {}", one.name()),
        [one] => format!("Your document is accepted: {}", one.name()),
        _ => "The office has reviewed your documents".to_owned(),
    };
    let message = EmailMessage::to(Kind::DocumentDecision, to, &subject).greeting(name);
    let message = documents.iter().fold(message, |message, document| message.paragraph(&verdict(document)));
    let missing: Vec<_> = wanted.iter().filter(|one| !one.is_with_office).map(Wanted::words).collect();
    let message = if missing.is_empty() {
        message
    } else {
        message.paragraph(&format!("Still needed: {}.", missing.join(", ")))
    };
    let label = if documents.iter().any(|document| is_rejected(&document)) {
        "Upload a new document"
    } else {
        "Open your documents"
    };
    message.button(label, &portal(config)).paragraph(&questions(config))
}

/// "School Transcript: rejected. It cannot be read. The second page is black."
fn verdict(document: &Document) -> String {
    let name = document.name();
    match (document.reject_code, document.expires_on) {
        (Some(code), _) => format!("{name}: rejected. {}", code.sentence(document.reason.as_deref())),
        (None, Some(day)) => format!("{name}: accepted. It counts until {}.", date_in_words(day)),
        (None, None) => format!("{name}: accepted."),
    }
}

/// An accepted document counts only for some days more.
pub fn expires((to, name): Reader<'_>, document: &Document, day: Date, config: &Config) -> EmailMessage {
    let document = document.name();
    EmailMessage::to(Kind::DocumentReminder, to, &format!("Your document expires soon: {document}"))
        .topic(&format!("{document} expires on {day}"))
        .greeting(name)
        .paragraph(&format!(
            "Your {document} counts until {}. Please upload a new one before then.",
            date_in_words(day)
        ))
        .button("Upload a new document", &portal(config))
        .paragraph(&questions(config))
}

/// A document counts no longer.
pub fn expired((to, name): Reader<'_>, document: &Document, config: &Config) -> EmailMessage {
    let day = document.expires_on.map(date_in_words).unwrap_or_default();
    let document = document.name();
    EmailMessage::to(Kind::DocumentReminder, to, &format!("Your document has expired: {document}"))
        .greeting(name)
        .paragraph(&format!("Your {document} expired on {day}. Please upload a new one."))
        .button("Upload a new document", &portal(config))
        .paragraph(&questions(config))
}

fn questions(config: &Config) -> String {
    format!("Questions? {}.", config.school().write_or_call())
}
