//! The reminder of unpaid fees: always of all of them.

use jiff::civil::Date;

use super::Child;
use super::look::{Owed, OwedLine};
use super::rules::Step;
use crate::base::dates::date_in_words;
use crate::base::email::Email;
use crate::base::money::Money;
use crate::config::Config;
use crate::enrollments::store::Addressee;
use crate::mail::{EmailLink, EmailMessage, Kind};

/// Amount, courses, due dates, how to pay, and the code.
pub fn reminder(
    to: &Addressee,
    owed: &Owed,
    step: Step,
    today: Date,
    code: &str,
    config: &Config,
) -> EmailMessage {
    let (subject, words) = words(owed, step, today);
    let mut facts = lines(owed, None);
    if owed.unapplied.cents() > 0 {
        facts.push(("Already on account", owed.unapplied.to_string()));
    }
    facts.extend(how_to_pay(owed.to_pay(), config));
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

/// "ENG4U · English: $500.00, due December 11, 2026", with the child's name where there are several.
fn lines(owed: &Owed, child: Option<&str>) -> Vec<(&'static str, String)> {
    let whose = child.map(|name| format!("{name}, ")).unwrap_or_default();
    let line = |OwedLine { label, amount, due_on }: &OwedLine| match due_on {
        Some(day) => format!("{whose}{label}: {amount}, due {}", date_in_words(*day)),
        None => format!("{whose}{label}: {amount}"),
    };
    owed.lines.iter().map(|one| ("For", line(one))).collect()
}

fn how_to_pay(amount: Money, config: &Config) -> Vec<(&'static str, String)> {
    let mut facts = vec![("Amount owing", amount.to_string()), ("How to pay", config.how_to_pay())];
    facts.extend(config.e_transfer().map(|email| ("e-Transfer to", email)));
    facts
}

/// One reminder of everything that several children owe: it may be paid at once, with all codes in the message.
pub fn of_family(
    to: &Email,
    name: Option<&str>,
    children: &[&Child],
    step: Step,
    today: Date,
    config: &Config,
) -> EmailMessage {
    let mut all = Owed::default();
    let mut facts = Vec::new();
    let mut codes = Vec::new();
    for child in children {
        let owed = child.owed.uncovered();
        let name = child.student.full_name.as_deref().filter(|_| child.is_seen);
        facts.extend(lines(&owed, name));
        codes.push((
            "Payment code",
            name.map_or(child.code.clone(), |name| format!("{}, for {name}", child.code)),
        ));
        all.lines.extend(owed.lines);
    }
    let (subject, words) = words(&all, step, today);
    facts.extend(how_to_pay(all.to_pay(), config));
    facts.extend(codes);
    let facts: Vec<_> = facts.iter().map(|(name, value)| (*name, value.as_str())).collect();
    EmailMessage::to(Kind::PaymentReminder, to, &subject)
        .greeting(name)
        .paragraph(&words)
        .paragraph("This is for all your children at the school. One payment is enough: put every code into its message.")
        .facts(&facts)
        .paragraph("If you paid in the last few days, please ignore this email.")
        .button("Open the family page", &format!("{}/family", config.public_url()))
        .paragraph(&format!(
            "Can’t pay by the due date, or is something wrong? {}.",
            config.school().write_or_call()
        ))
}

/// The same for an address of the application, while the student's account is not opened.
pub fn to_applicant(email: &EmailMessage, to: &Email, config: &Config) -> EmailMessage {
    let about = "You get this at an address of the application, because the student’s account has not been opened yet.";
    let url = format!("{}/application", config.public_url());
    email.copy_to(to, None, about, &EmailLink { label: "Open the application", url: &url })
}

/// The subject and the first paragraph: what is overdue, else what is due next, and what is owing in all. What is on
/// account covers the earliest first.
fn words(owed: &Owed, step: Step, today: Date) -> (String, String) {
    let rests = owed.uncovered().lines;
    let rests: Vec<_> =
        rests.iter().map(|line| (line.due_on.unwrap_or(today), line.amount.cents())).collect();
    let first = rests.iter().map(|(day, _)| *day).min().unwrap_or(today);
    let last_late = rests.iter().map(|(day, _)| *day).filter(|day| *day < today).max();
    let until = last_late.unwrap_or(first);
    let cents = rests.iter().filter(|(day, _)| *day <= until).map(|(_, cents)| cents).sum();
    let part = Money::from_cents(cents);
    let all = owed.to_pay();
    let preposition = if first == until { "on" } else { "by" };
    let in_all = if part == all { String::new() } else { format!(" In all, {all} is owing.") };
    let day = format!("{preposition} {}", date_in_words(until));
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
                .map(|(cents, day)| OwedLine {
                    label: "ENG4U".into(),
                    amount: Money::from_cents(cents),
                    due_on: Some(date(2026, 12, day)),
                })
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
