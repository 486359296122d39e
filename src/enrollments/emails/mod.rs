//! Emails to students about their enrollments: those with a charge state the price, due date, payment and terms.

mod changes;
mod sections;
mod to_guardians;
mod to_office;

use jiff::civil::Date;

pub use self::changes::*;
pub use self::sections::*;
pub use self::to_guardians::*;
pub use self::to_office::*;
use super::Enrollment;
use super::store::Addressee;
use crate::base::dates::date_in_words;
use crate::base::money::Money;
use crate::config::Config;
use crate::enrollments::requests::prices::QuoteTerms;
use crate::mail::{EmailMessage, Kind};
use crate::students::lacks::Wanted;

/// How a request and an enrollment are cancelled.
pub const HOW_TO_CANCEL: &str = "Until the office has approved the request you can withdraw it in the student portal at \
    no cost. After that, ask the office there to leave the course.";

const UNPRICED: &str = "Not set yet. The office will tell you before anything is charged.";

/// The request has arrived.
pub fn requested(
    to: &Addressee,
    enrollment: &Enrollment,
    is_late: bool,
    wanted: &[Wanted],
    terms: &QuoteTerms,
    config: &Config,
) -> EmailMessage {
    let price = match (enrollment.quoted_price, enrollment.quoted_at) {
        (Some(price), Some(at)) if price.cents() > 0 => {
            format!("{price}, for requests approved by {}", date_in_words(terms.last_day(at)))
        }
        (Some(_), _) => "Free of charge".to_owned(),
        (None, _) => UNPRICED.to_owned(),
    };
    let is_due = enrollment.quoted_price.is_none_or(|price| price.cents() > 0);
    let days = config.money.due_days();
    let due = format!("Nothing yet. {days} days after the office has approved your request.");
    let due = is_due.then_some(due);
    let facts = Facts { enrollment, price, due, code: to.payment_code(config), config };
    let repeat = repeat(enrollment);
    let message = EmailMessage::to(Kind::EnrollmentReceipt, &to.email, "We have your enrollment request")
        .topic(&format!("course {}", enrollment.course_id))
        .greeting(to.full_name.as_deref())
        .paragraph(&format!(
            "Your request for {} ({}) has been submitted for approval. The office reads every request and \
             you will get an email as soon as it is approved.",
            enrollment.course.name, enrollment.course.code
        ));
    let message = repeat.iter().fold(message, |message, words| message.paragraph(words));
    let message = match is_late {
        true => message.paragraph(&format!(
            "The section began on {}, so you join late: you get support to catch up on the lessons that you missed.",
            date_in_words(enrollment.start_date)
        )),
        false => message,
    };
    let message = still_wanted(message, wanted);
    facts.end(message).paragraph(&format!("Questions? {}.", config.school().write_or_call()))
}

/// Lists outstanding requirements, as on the dashboard.
fn still_wanted(message: EmailMessage, wanted: &[Wanted]) -> EmailMessage {
    let words: Vec<_> = wanted.iter().filter(|one| !one.is_with_office).map(Wanted::words).collect();
    if words.is_empty() {
        return message;
    }
    message.paragraph(&format!("Still needed: {}. Your dashboard lists it, too.", words.join(", ")))
}

/// The office has approved it, and what that costs.
pub fn approved(to: &Addressee, enrollment: &Enrollment, due_on: Date, config: &Config) -> EmailMessage {
    let (price, due) = charged(enrollment.charged_price, due_on);
    let facts = Facts { enrollment, price, due, code: to.payment_code(config), config };
    let message = EmailMessage::to(Kind::EnrollmentDecision, &to.email, "Your enrollment is approved")
        .greeting(to.full_name.as_deref())
        .paragraph(&format!(
            "The office has approved your enrollment in {} ({}).",
            enrollment.course.name, enrollment.course.code
        ));
    let message = repeat(enrollment).iter().fold(message, |message, words| message.paragraph(words));
    facts.end(message)
}

/// The office has declined it, and why.
pub fn declined(to: &Addressee, enrollment: &Enrollment, reason: &str, config: &Config) -> EmailMessage {
    let school = config.school();
    let course = &enrollment.course;
    let portal = format!("{}/student/courses", config.public_url());
    EmailMessage::to(Kind::EnrollmentDecision, &to.email, "Your enrollment request was declined")
        .greeting(to.full_name.as_deref())
        .paragraph(&format!(
            "The office could not approve your request for {} ({}). The reason:",
            course.name, course.code
        ))
        .paragraph(reason)
        .paragraph(&format!(
            "Nothing was charged. You can ask for this course again, on other dates for example, or for \
             another one. Questions? {}.",
            school.write_or_call()
        ))
        .button("See the available courses", &portal)
}

/// The office has posted the fee of an enrollment that had no price when it was approved.
pub fn charge_posted(to: &Addressee, enrollment: &Enrollment, due_on: Date, config: &Config) -> EmailMessage {
    let (price, due) = charged(enrollment.charged_price, due_on);
    let facts = Facts { enrollment, price, due, code: to.payment_code(config), config };
    let message = EmailMessage::to(Kind::EnrollmentDecision, &to.email, "The fee of your course")
        .greeting(to.full_name.as_deref())
        .paragraph(&format!(
            "When the office approved your enrollment in {} ({}), the course had no price yet. Its fee is \
         set now.",
            enrollment.course.name, enrollment.course.code
        ));
    facts.end(message)
}

/// Explains repeating a completed course; `None` for other enrollments.
fn repeat(enrollment: &Enrollment) -> Option<String> {
    enrollment.repeat?;
    let mark = enrollment.repeated_mark.map(|mark| format!(" with {mark}%")).unwrap_or_default();
    Some(format!(
        "You completed this course before{mark}, so this is a repeat. The better of the marks earns the credit, \
         once; both stay on your record."
    ))
}

fn charged(price: Option<Money>, due_on: Date) -> (String, Option<String>) {
    match price {
        Some(price) if price.cents() > 0 => (price.to_string(), Some(date_in_words(due_on))),
        Some(price) => (charged_or_free(price), None),
        None => (UNPRICED.to_owned(), None),
    }
}

fn charged_or_free(price: Money) -> String {
    if price.cents() > 0 { price.to_string() } else { "Free of charge".to_owned() }
}

/// Course and fee, common to all of these emails.
struct Facts<'a> {
    enrollment: &'a Enrollment,
    price: String,
    due: Option<String>,
    code: String,
    config: &'a Config,
}

impl Facts<'_> {
    fn end(&self, message: EmailMessage) -> EmailMessage {
        let start = date_in_words(self.enrollment.start_date);
        let end = date_in_words(self.enrollment.end_date);
        let terms = format!("{}/terms", self.config.public_url());
        let section = section(self.enrollment, self.config);
        let mut facts: Vec<_> = section.iter().map(|(name, words)| (*name, words.as_str())).collect();
        facts.extend([("Start date", start.as_str()), ("End date", &end), ("Price", &self.price)]);
        let how_to_pay = self.config.how_to_pay();
        let refunds = self.config.refunds();
        if let Some(due) = &self.due {
            facts.extend([("Due", due.as_str()), ("How to pay", &how_to_pay), ("Payment code", &self.code)]);
        }
        facts.push(("How to cancel", HOW_TO_CANCEL));
        if self.due.is_some() {
            facts.push(("Refunds", &refunds));
        }
        facts.push(("Terms", &terms));
        // An offered place is listed among the courses.
        let tab = if self.enrollment.offered_until.is_some() { "?tab=courses" } else { "" };
        let portal = self.config.student_dashboard() + tab;
        message.facts(&facts).button("Open the student portal", &portal)
    }
}
