//! The reminder of unpaid fees: always of all of them.

use super::look::Owed;
use super::rules::Step;
use crate::config::Config;
use crate::enrollments::store::Addressee;
use crate::mail::{EmailMessage, Kind};
use crate::payments::rules::long;

/// Amount, courses, due dates, how to pay, and the code.
pub fn reminder(to: &Addressee, owed: &Owed, step: Step, code: &str, config: &Config) -> EmailMessage {
    let amount = owed.to_pay();
    let (subject, words) = match step {
        Step::Before => (
            format!("Fees are due soon: {amount}"),
            format!("This is a friendly reminder that {amount} is owing."),
        ),
        Step::First => (
            format!("Payment reminder: {amount} owing"),
            format!("{amount} is still unpaid, and at least part of it is past its due date."),
        ),
        Step::Second => (
            format!("Second reminder: {amount} owing"),
            format!("{amount} is still unpaid, and at least part of it has been overdue for some time."),
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
    facts.push(("Amount owing", amount.to_string()));
    facts.push(("How to pay", config.how_to_pay()));
    facts.extend(config.money.e_transfer().map(|email| ("e-Transfer to", email)));
    facts.push(("Code for the message", code.to_owned()));
    let facts: Vec<_> = facts.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let portal = config.student_dashboard();
    EmailMessage::to(Kind::PaymentReminder, &to.email, &subject)
        .greeting(to.full_name.as_deref())
        .paragraph(&words)
        .facts(&facts)
        .paragraph("If you paid in the last few days, please ignore this email.")
        .button("Open the student portal", &portal)
        .paragraph(&format!(
            "Can’t pay by the due date, or is something wrong? {}.",
            config.school().write_or_call()
        ))
}
