//! The email that reminds a family of what is to be paid: always the whole picture.

use super::look::Owed;
use super::rules::Step;
use crate::config::Config;
use crate::enrollments::store::Addressee;
use crate::mail::{EmailMessage, Kind};
use crate::payments::rules::long;

/// What is to be paid, what for, by when, how, and under which code.
pub fn reminder(to: &Addressee, owed: &Owed, step: Step, code: &str, config: &Config) -> EmailMessage {
    let amount = owed.to_pay();
    let (subject, words) = match step {
        Step::Before => (
            format!("Fees are due soon: {amount}"),
            format!("This is a friendly reminder: {amount} is to be paid for your courses."),
        ),
        Step::First => (
            format!("Reminder: {amount} is to be paid"),
            format!("We have not received {amount} yet, of which a part is past its due date."),
        ),
        Step::Second => (
            format!("Second reminder: {amount} is overdue"),
            format!("{amount} is still to be paid, and a part of it has been overdue for some weeks."),
        ),
    };
    let lines: Vec<_> = owed.lines.iter().map(|line| (line.0.as_str(), line.1, line.2)).collect();
    let lines = lines.iter().map(|(label, rest, due_on)| match due_on {
        Some(day) => format!("{label}: {rest}, due {}", long(*day)),
        None => format!("{label}: {rest}"),
    });
    let mut facts: Vec<_> = lines.map(|line| ("For", line)).collect();
    if owed.unapplied.cents() > 0 {
        facts.push(("Already on account", owed.unapplied.to_string()));
    }
    facts.push(("To be paid", amount.to_string()));
    facts.push(("How to pay", config.how_to_pay()));
    facts.extend(config.money.e_transfer().map(|email| ("e-Transfer to", email)));
    facts.push(("Code for the message", code.to_owned()));
    let facts: Vec<_> = facts.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let portal = format!("{}/students/dashboard", config.public_url());
    EmailMessage::to(Kind::PaymentReminder, &to.email, &subject)
        .greeting(to.full_name.as_deref())
        .paragraph(&words)
        .facts(&facts)
        .paragraph("If you have paid within the last days, please ignore this email.")
        .button("Open the student portal", &portal)
        .paragraph(&format!(
            "Can you not pay by the day, or is something wrong? {}.",
            config.school().write_or_call()
        ))
}
