//! Emails about a privacy request, to the requester and to the office.

use super::{PrivacyRequest, PrivacyRequestKind};
use crate::base::dates::date_in_words;
use crate::base::email::Email;
use crate::config::Config;
use crate::mail::{EmailMessage, Kind};

/// Explanation of what is kept and when the rest is deleted, before and after the decision.
const WHAT_STAYS: &str = "The law and the Ontario Student Record guideline make a school keep what a student earned, the \
    charges and the record of who did what. Documents and contact details that need not be kept are deleted; \
    copies in our backups follow as the backups are thinned.";

/// To the requester: confirmation of receipt.
pub(super) fn received(
    to: &Email,
    name: Option<&str>,
    request: &PrivacyRequest,
    config: &Config,
) -> EmailMessage {
    let message = EmailMessage::to(Kind::AccountNotice, to, "We have your request about your data")
        .greeting(name)
        .paragraph(&format!(
            "We have your request {}. The office will answer it by {} at the latest.",
            request.kind.label(),
            date_in_words(request.due_on)
        ));
    let message = if request.kind.closes() { message.paragraph(WHAT_STAYS) } else { message };
    message.paragraph(&format!(
        "Until then you can take it back on the page \"Account\" of the student portal. If you did not ask for \
         this, please contact the office at once{}.",
        config.school().contacts()
    ))
}

/// To an administrator: a new request.
pub(super) fn to_office(
    to: &Email,
    request: &PrivacyRequest,
    student_id: i64,
    config: &Config,
) -> EmailMessage {
    EmailMessage::to(Kind::StaffNotice, to, "A request about personal data waits")
        .greeting(None)
        .paragraph(&format!(
            "Student account number {student_id} asks {}. The law requires an answer by {}.",
            match request.kind {
                PrivacyRequestKind::Access => "to see what the school holds",
                PrivacyRequestKind::Correction => "for a correction",
                PrivacyRequestKind::Deletion => "to close the account and delete what need not be kept",
                PrivacyRequestKind::ConsentWithdrawal => "to withdraw their consent",
            },
            date_in_words(request.due_on)
        ))
        .button("Open the privacy desk", &format!("{}/admin/privacy", config.public_url()))
}

/// To the requester: the decision.
pub(super) fn decided(
    to: &Email,
    name: Option<&str>,
    request: &PrivacyRequest,
    is_granted: bool,
    config: &Config,
) -> EmailMessage {
    let message = EmailMessage::to(Kind::AccountNotice, to, "Our answer to your request about your data")
        .greeting(name);
    let verb = if is_granted { "granted" } else { "not granted" };
    let message = message.paragraph(&format!("Your request {} was {verb}.", request.kind.label()));
    let message = request.decision.as_deref().map_or(message.clone(), |reason| message.quote(reason));
    let message = if is_granted && request.kind.closes() {
        message.paragraph("Your account is closed, and logins are no longer possible.").paragraph(WHAT_STAYS)
    } else {
        message
    };
    if is_granted {
        message
    } else {
        message.paragraph(&format!(
            "If you do not agree, please contact the office{}. You may also complain to the Office of the \
             Privacy Commissioner of Canada.",
            config.school().contacts()
        ))
    }
}
