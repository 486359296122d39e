//! What a family is written about its application. Nothing that it typed stands in an email before the office has
//! looked at it: the form could be used to send text to arbitrary addresses.

use jiff::civil::Date;

use super::AdmissionRequest;
use super::events::AskedOfFamily;
use super::offers::{AdmissionOffer, NewOffer};
use crate::base::closed_set::ClosedSet as _;
use crate::base::dates::date_in_words;
use crate::base::email::Email;
use crate::base::money::Money;
use crate::config::Config;
use crate::documents::rules::DocumentType;
use crate::mail::{EmailMessage, Kind};
use crate::money::ledger::{ChargedFor, FeePart};

/// The label of the button that leads to the private page.
const OPEN: &str = "Open my application";
/// How long a link works.
const LINK: &str = "The link is valid for 30 days and opens your application without a password, so please keep it to \
    yourself. Each email about the application brings a new one.";

/// It has arrived.
pub fn received(to: &Email, request: &AdmissionRequest, url: &str, config: &Config) -> EmailMessage {
    let school = config.school();
    let reference = &request.reference;
    EmailMessage::to(Kind::ApplicationReceipt, to, &format!("We have your application {reference}"))
        .greeting(None)
        .paragraph(&format!(
            "Thank you for applying to {}. Your application has arrived, and its reference is {reference}. The \
             office reads every application and answers by email.",
            school.name
        ))
        .paragraph(
            "On its page you see where the application stands. You can send documents there, and correct your \
             contact details.",
        )
        .button(OPEN, url)
        .paragraph(LINK)
        .paragraph(&format!(
            "Questions? {}. If you did not apply, you can ignore this message.",
            school.write_or_call()
        ))
}

/// To a mailbox that an application now names.
pub fn address_changed(to: &Email, request: &AdmissionRequest, url: &str, config: &Config) -> EmailMessage {
    let reference = &request.reference;
    EmailMessage::to(
        Kind::ApplicationReceipt,
        to,
        &format!("Application {reference} has a new email address"),
    )
    .greeting(None)
    .paragraph(&format!(
        "The application {reference} at {} now has this email address. Everything about it is sent here from \
             now on, and links in earlier emails no longer work.",
        config.school().name
    ))
    .button(OPEN, url)
    .paragraph(LINK)
    .paragraph("If you do not know what this is about, you can ignore this message.")
}

/// To a mailbox that an application no longer names, with a link to put it back.
pub fn address_taken_off(to: &Email, reference: &str, undo: Option<&str>, config: &Config) -> EmailMessage {
    let school = config.school();
    let subject = format!("Application {reference} no longer has this email address");
    let message = EmailMessage::to(Kind::ApplicationReceipt, to, &subject).greeting(None).paragraph(&format!(
        "The application {reference} at {} was given another email address. Nothing more about it is sent here, and \
         links in earlier emails no longer work.",
        school.name
    ));
    let message = match undo {
        Some(url) => message
            .paragraph("If this was not you, put this address back within 48 hours:")
            .button("Put this address back", url),
        None => message,
    };
    message.paragraph(&format!(
        "Questions? {}. If you do not know what this is about, you can ignore this message.",
        school.write_or_call()
    ))
}

/// To a mailbox that an application had for a while, until the one before it objected.
pub fn address_change_undone(to: &Email, reference: &str, config: &Config) -> EmailMessage {
    let school = config.school();
    let subject = format!("Application {reference} has its old email address again");
    EmailMessage::to(Kind::ApplicationReceipt, to, &subject)
        .greeting(None)
        .paragraph(&format!(
            "The application {reference} at {} has the email address again that it had before, as its reader asked. \
             Nothing more about it is sent here.",
            school.name
        ))
        .paragraph(&format!("Questions? {}.", school.write_or_call()))
}

/// To the mailboxes of an application whose old address is back: links in earlier emails have ended.
pub fn address_restored(to: &Email, request: &AdmissionRequest, url: &str, config: &Config) -> EmailMessage {
    let reference = &request.reference;
    let subject = format!("Application {reference} has its old email address again");
    EmailMessage::to(Kind::ApplicationReceipt, to, &subject)
        .greeting(None)
        .paragraph(&format!(
            "The email address of the application {reference} at {} was changed, and its reader put it back. Links \
             in earlier emails no longer work. From now on only the office changes the address.",
            config.school().name
        ))
        .button(OPEN, url)
        .paragraph(LINK)
}

/// A link to an application.
#[derive(Debug, Clone)]
pub struct ApplicationLink {
    /// Reference of the application.
    pub reference: String,
    /// Address of its page.
    pub url: String,
}

/// The links of a mailbox that asked for them.
pub fn links(to: &Email, applications: &[ApplicationLink], config: &Config) -> EmailMessage {
    let one = applications.len() == 1;
    let subject = if one { "The link to your application" } else { "The links to your applications" };
    let message = EmailMessage::to(Kind::ApplicationReceipt, to, subject).greeting(None).paragraph(&format!(
        "Someone, probably you, asked {} for the {} of this email address.",
        config.school().name,
        if one { "application" } else { "applications" }
    ));
    let message = applications.iter().fold(message, |message, link| {
        message.button(&format!("Open application {}", link.reference), &link.url)
    });
    message.paragraph(LINK).paragraph("If it was not you, you can ignore this message.")
}

/// An email of the office about an application, which it has looked at.
fn from_office(to: &Email, request: &AdmissionRequest, subject: &str) -> EmailMessage {
    let subject = format!("{subject} ({})", request.reference);
    EmailMessage::to(Kind::ApplicationDecision, to, &subject).greeting(None)
}

fn end(message: EmailMessage, url: &str, config: &Config) -> EmailMessage {
    message
        .button(OPEN, url)
        .paragraph(LINK)
        .paragraph(&format!("Questions? {}.", config.school().write_or_call()))
}

/// A question of the office.
#[derive(Debug, Clone, Copy)]
pub struct OfficeQuestion<'a> {
    /// In the office's words.
    pub text: &'a str,
    /// Documents that it wants.
    pub wants: &'a [DocumentType],
}

/// The office asks for something.
pub fn asked(
    to: &Email,
    request: &AdmissionRequest,
    url: &str,
    question: &OfficeQuestion<'_>,
    config: &Config,
) -> EmailMessage {
    let message = from_office(to, request, "We have a question about your application").paragraph(&format!(
        "The office is reading the application of {} and needs something from you:",
        request.full_name()
    ));
    let message = message.quote(question.text);
    let labels: Vec<_> = question.wants.iter().map(|one| one.label()).collect();
    let message = if labels.is_empty() {
        message
    } else {
        message.paragraph(&format!("Please send: {}.", labels.join(", ")))
    };
    end(
        message.paragraph("Answer on the application’s page. The review goes on as soon as you have."),
        url,
        config,
    )
}

/// The office has no answer yet.
pub fn asked_again(
    to: &Email,
    request: &AdmissionRequest,
    url: &str,
    asked: &AskedOfFamily,
    asked_on: Date,
    config: &Config,
) -> EmailMessage {
    let message = from_office(to, request, "Reminder: we have a question for you").paragraph(&format!(
        "On {} the office asked you about the application of {}, and has no answer yet:",
        date_in_words(asked_on),
        request.full_name()
    ));
    let message = message.quote(&asked.text);
    let wants = asked.wants.iter().filter_map(|word| DocumentType::choose(word).ok());
    let labels: Vec<_> = wants.map(|one| one.label()).collect();
    let message = if labels.is_empty() {
        message
    } else {
        message.paragraph(&format!("Please send: {}.", labels.join(", ")))
    };
    let message = message.paragraph(
        "Answer or send the documents on the application’s page. The review goes on as soon as you have. If you no \
         longer want the place, you can withdraw the application there.",
    );
    end(message, url, config)
}

/// It waits for a place.
pub fn waitlisted(to: &Email, request: &AdmissionRequest, url: &str, config: &Config) -> EmailMessage {
    let message = from_office(to, request, "Your application is on the waiting list").paragraph(&format!(
        "There is no place for {} at the moment. The application is on the waiting list, and you will get an email \
         when a place is free. You can withdraw it at any time.",
        request.full_name()
    ));
    end(message, url, config)
}

/// The parts of a fee with their days: "Deposit: $500.00, due December 20, 2026; it is part of the fee".
fn facts_of(parts: &[FeePart]) -> Vec<(&'static str, String)> {
    let day = |part: &FeePart| match part.due_on {
        Some(day) => format!("due {}", date_in_words(day)),
        None => "due when you accept".to_owned(),
    };
    match parts {
        [FeePart { item: ChargedFor::Admission, due_on, .. }] => {
            due_on.map(|day| ("Due", date_in_words(day))).into_iter().collect()
        }
        parts => parts
            .iter()
            .map(|part| match part.item {
                ChargedFor::Deposit => {
                    (part.name(), format!("{}, {}; it is part of the fee", part.amount, day(part)))
                }
                _ => (part.name(), format!("{}, {}", part.amount, day(part))),
            })
            .collect(),
    }
}

/// A place is offered.
pub fn offered(
    to: &Email,
    request: &AdmissionRequest,
    url: &str,
    offer: &NewOffer,
    is_new: bool,
    config: &Config,
) -> EmailMessage {
    let name = request.full_name();
    let fee = offer.fee_due.to_string();
    let last = date_in_words(offer.expires_on);
    let parts = facts_of(&offer.parts());
    let mut facts = vec![("Student", &*name), ("Fee", &*fee)];
    facts.extend(parts.iter().map(|(label, words)| (*label, &**words)));
    facts.push(("Accept by", &*last));
    let words = if is_new {
        format!("{} has a new offer for you, in the place of the earlier one.", config.school().name)
    } else {
        format!("{} is pleased to offer {name} a place.", config.school().name)
    };
    let message = from_office(to, request, "We offer you a place").paragraph(&words).facts(&facts);
    let message = match &offer.conditions {
        Some(conditions) => message.paragraph("The offer has these conditions:").quote(conditions),
        None => message,
    };
    let message = message.paragraph(&format!(
        "To accept or decline, open the application’s page, where you can read the agreement. The offer ends on \
         {last}, at the end of the day."
    ));
    end(message, url, config)
}

/// An offer that was accepted.
pub struct AcceptedOffer<'a> {
    /// The offer.
    pub offer: &'a AdmissionOffer,
    /// What was charged.
    pub parts: &'a [FeePart],
    /// The name of who accepted, as typed.
    pub name: &'a str,
    /// The address of the student's account.
    pub account: &'a Email,
}

/// What a family agreed to by accepting: the fee, the typed name, and the words of the agreement.
pub fn accepted(
    to: &Email,
    request: &AdmissionRequest,
    url: &str,
    accepted: &AcceptedOffer<'_>,
    config: &Config,
) -> EmailMessage {
    let school = config.school();
    let AcceptedOffer { offer, parts, name: typed, account } = accepted;
    let name = request.full_name();
    let fee = offer.fee_due.to_string();
    let parts = facts_of(parts);
    let mut facts = vec![("Student", &*name), ("Fee", &*fee)];
    facts.extend(parts.iter().map(|(label, words)| (*label, &**words)));
    facts.extend([("Accepted by", *typed), ("The student’s account", account.as_str())]);
    let message = from_office(to, request, "You have accepted the offer")
        .paragraph(&format!(
            "Welcome to {}. The place for {name} is taken. Please keep this email: it is your copy of what was \
             agreed to.",
            school.name
        ))
        .facts(&facts);
    let message = match &offer.conditions {
        Some(conditions) => message.paragraph("The conditions of the offer:").quote(conditions),
        None => message,
    };
    let message = message.paragraph("The agreement:").quote(&offer.agreement).paragraph(
        "The student gets an invitation to a student account in an email of its own. If none comes within a day, \
         please tell the office.",
    );
    let message = message.paragraph(&format!(
        "Is {account} not the student’s address? Open the application and choose “That is not us”: the account is \
         locked, and the office is told.",
    ));
    end(message, url, config)
}

/// An offer ends soon.
pub fn offer_reminder(
    to: &Email,
    request: &AdmissionRequest,
    url: &str,
    last: Date,
    config: &Config,
) -> EmailMessage {
    let message = from_office(to, request, "Your offer ends soon").paragraph(&format!(
        "The offer of a place for {} ends on {}, at the end of the day. Please accept or decline it on the \
         application’s page.",
        request.full_name(),
        date_in_words(last)
    ));
    end(message, url, config)
}

/// An offer has run out.
pub fn offer_expired(to: &Email, request: &AdmissionRequest, url: &str, config: &Config) -> EmailMessage {
    let message = from_office(to, request, "Your offer has ended").paragraph(&format!(
        "The offer of a place for {} was not accepted in time and has ended. If you still want the place, please \
         contact the office, which can make a new offer.",
        request.full_name()
    ));
    end(message, url, config)
}

/// The office has taken an offer back.
pub fn offer_withdrawn(
    to: &Email,
    request: &AdmissionRequest,
    url: &str,
    reason: &str,
    config: &Config,
) -> EmailMessage {
    let message = from_office(to, request, "Your offer was withdrawn")
        .paragraph(&format!(
            "The office has withdrawn the offer of a place for {}, and looks at the application again. The reason:",
            request.full_name()
        ))
        .quote(reason);
    end(message, url, config)
}

/// It is declined.
pub fn declined(
    to: &Email,
    request: &AdmissionRequest,
    url: &str,
    reason: &str,
    config: &Config,
) -> EmailMessage {
    let message = from_office(to, request, "Your application was declined")
        .paragraph(&format!("The office could not offer {} a place. The reason:", request.full_name()))
        .quote(reason);
    end(message, url, config)
}

/// The office withdrew it, as the family asked.
pub fn withdrawn(
    to: &Email,
    request: &AdmissionRequest,
    url: &str,
    reason: &str,
    config: &Config,
) -> EmailMessage {
    let message = from_office(to, request, "Your application was withdrawn")
        .paragraph(&format!(
            "As you asked, the office has withdrawn the application of {}. What was noted:",
            request.full_name()
        ))
        .quote(reason)
        .paragraph("If this is not right, please tell the office, which can open it again.");
    end(message, url, config)
}

/// A place that the office takes back.
#[derive(Debug, Clone, Copy)]
pub struct CancelledPlace<'a> {
    /// Why, for the family.
    pub reason: &'a str,
    /// The fee that is reversed.
    pub fee: Money,
}

/// The admission is cancelled.
pub fn cancelled(
    to: &Email,
    request: &AdmissionRequest,
    url: &str,
    place: CancelledPlace<'_>,
    config: &Config,
) -> EmailMessage {
    let CancelledPlace { reason, fee } = place;
    let message = from_office(to, request, "Your admission was cancelled")
        .paragraph(&format!(
            "The office has cancelled the admission of {}, and reversed the fee of {fee}. The reason:",
            request.full_name()
        ))
        .quote(reason);
    end(message, url, config)
}
