//! Emails to administrators about documents.

use crate::base::email::Email;
use crate::config::Config;
use crate::mail::{EmailMessage, Kind};

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
