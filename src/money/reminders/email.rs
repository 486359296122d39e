//! The reminder of unpaid fees: always of all of them.

use jiff::civil::Date;

use super::look::Owed;
use super::rules::Step;
use crate::base::money::Money;
use crate::config::Config;
use crate::enrollments::store::Addressee;
use crate::mail::{EmailMessage, Kind};
use crate::payments::rules::long;

/// Amount, courses, due dates, how to pay, and the code.
pub fn reminder(
    to: &Addressee,
    owed: &Owed,
    (step, today): (Step, Date),
    code: &str,
    config: &Config,
) -> EmailMessage {
    let amount = owed.to_pay();
    let (subject, words) = words(owed, step, today);
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
    facts.extend(config.e_transfer().map(|email| ("e-Transfer to", email)));
    facts.push(("Payment code", code.to_owned()));
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

/// The subject and the first paragraph: what is overdue, else what is due next, and what is owing in all. What is on
/// account covers the earliest first.
fn words(owed: &Owed, step: Step, today: Date) -> (String, String) {
    let mut on_account = owed.unapplied.cents();
    let rests = owed.lines.iter().filter_map(|(_, amount, due_on)| {
        let covered = amount.cents().min(on_account);
        on_account -= covered;
        (amount.cents() > covered).then(|| (due_on.unwrap_or(today), amount.cents() - covered))
    });
    let rests: Vec<_> = rests.collect();
    let first = rests.iter().map(|(day, _)| *day).min().unwrap_or(today);
    let last_late = rests.iter().map(|(day, _)| *day).filter(|day| *day < today).max();
    let until = last_late.unwrap_or(first);
    let cents = rests.iter().filter(|(day, _)| *day <= until).map(|(_, cents)| cents).sum();
    let (part, all, preposition) =
        (Money::from_cents(cents), owed.to_pay(), if first == until { "on" } else { "by" });
    let in_all = if part == all { String::new() } else { format!(" In all, {all} is owing.") };
    let day = format!("{preposition} {}", long(until));
    match (last_late, step) {
        (None, _) => (
            format!("Reminder: {part} due {day}"),
            format!("This is a friendly reminder that {part} is due {day}.{in_all}"),
        ),
        (Some(_), Step::Second) => (
            format!("Still overdue: {part}"),
            format!("{part} was due {day}, and we have not received it yet.{in_all}"),
        ),
        (Some(_), _) => (
            format!("Overdue: {part} was due {day}"),
            format!("{part} was due {day}, and we have not received it yet.{in_all}"),
        ),
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn the_subject_names_what_is_overdue_else_what_is_due_next() {
        let owed = |unapplied: i64| Owed {
            lines: [(50_000, 11), (20_000, 15), (100_000, 30)]
                .map(|(cents, day)| ("ENG4U".into(), Money::from_cents(cents), Some(date(2026, 12, day))))
                .to_vec(),
            unapplied: Money::from_cents(unapplied),
        };
        let all = " In all, $1,700.00 is owing.";
        for (unapplied, step, day, subject, rest) in [
            (0, Step::Before, 8, "Reminder: $500.00 due on December 11, 2026", all),
            (0, Step::First, 12, "Overdue: $500.00 was due on December 11, 2026", all),
            (0, Step::First, 20, "Overdue: $700.00 was due by December 15, 2026", all),
            (0, Step::Second, 31, "Still overdue: $1,700.00", "not received it yet."),
            (60_000, Step::First, 20, "Overdue: $100.00 was due on December 15, 2026", "$1,100.00 is owing."),
            (70_000, Step::First, 20, "Reminder: $1,000.00 due on December 30, 2026", "December 30, 2026."),
        ] {
            let (found, words) = words(&owed(unapplied), step, date(2026, 12, day));
            assert_eq!(found, subject);
            assert!(words.ends_with(rest), "{words}");
        }
    }
}
