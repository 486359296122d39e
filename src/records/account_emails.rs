//! Emails to a student, with copies to guardians, when the office closes, suspends or reinstates the account.

use jiff::civil::Date;

use crate::base::dates::date_in_words;
use crate::config::Config;
use crate::enrollments::Enrollment;
use crate::enrollments::decisions::Refund;
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::store::Addressee;
use crate::mail::{EmailMessage, Kind};

/// The account is closed, and what has ended with it.
pub(super) fn closed(
    to: &Addressee,
    ended: &[(Enrollment, Refund)],
    message: Option<&str>,
    today: Date,
    config: &Config,
) -> EmailMessage {
    let email = notice(to, "Your student account was closed").paragraph(&format!(
        "The office has closed your student account at {}. You can no longer log in.",
        config.school().name
    ));
    let email = in_words(email, message);
    let email = match ended.is_empty() {
        true => email,
        false => ended.iter().fold(email.paragraph("This has ended with it:"), |email, (one, refund)| {
            let words = outcome(one, *refund, today);
            email.paragraph(&format!("{} ({}): {words}", one.course.name, one.course.code))
        }),
    };
    email.paragraph(&questions(config))
}

/// What has become of an enrollment, and of its fee.
fn outcome(before: &Enrollment, refund: Refund, today: Date) -> String {
    let is_charged = before.charged_price.is_some_and(|price| price.cents() > 0);
    let what = match before.status {
        EnrollmentStatus::Active => format!("You have left the course as of {}.", date_in_words(today)),
        EnrollmentStatus::Cancelled => "The class was cancelled by the school.".to_owned(),
        EnrollmentStatus::Waitlisted => "Your place on the waiting list has ended.".to_owned(),
        _ => "Your request is withdrawn.".to_owned(),
    };
    let fee = match (before.status, refund) {
        (EnrollmentStatus::Active, Refund::Full) if is_charged => "The charge for it has been reversed.",
        (EnrollmentStatus::Active, _) if is_charged => {
            "What was charged for it remains due. The office will tell you if that changes."
        }
        _ => "Nothing is owed for it.",
    };
    format!("{what} {fee}")
}

/// The account is suspended.
pub(super) fn suspended(to: &Addressee, message: Option<&str>, config: &Config) -> EmailMessage {
    let email = notice(to, "Your student account is suspended").paragraph(&format!(
        "The office has suspended your student account at {}. Until it is reinstated you cannot log in. Your courses and \
         documents stay as they are.",
        config.school().name
    ));
    in_words(email, message).paragraph(&questions(config))
}

/// The account can be used again.
pub(super) fn reinstated(to: &Addressee, message: Option<&str>, config: &Config) -> EmailMessage {
    let email = notice(to, "Your student account is open again").paragraph(&format!(
        "The office has reinstated your student account at {}. You can log in again with your email address and your \
         password.",
        config.school().name
    ));
    in_words(email, message)
        .paragraph(&questions(config))
        .button("Open the student portal", &config.student_dashboard())
}

fn notice(to: &Addressee, subject: &str) -> EmailMessage {
    EmailMessage::to(Kind::AccountNotice, &to.email, subject).greeting(to.full_name.as_deref())
}

/// Adds the office's own words.
fn in_words(email: EmailMessage, message: Option<&str>) -> EmailMessage {
    match message {
        None => email,
        Some(message) => {
            let parts = message.split("\n\n").map(str::trim).filter(|part| !part.is_empty());
            parts.fold(email.paragraph("The office writes:"), |email, part| email.paragraph(part))
        }
    }
}

fn questions(config: &Config) -> String {
    format!("Questions? {}.", config.school().write_or_call())
}
