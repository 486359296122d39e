//! Emails about charges, waivers, refunds and what was reversed.

use super::context::PostedEntry;
use super::rules::Refund;
use crate::base::dates::date_in_words;
use crate::base::money::Money;
use crate::config::Config;
use crate::enrollments::store::Addressee;
use crate::mail::{EmailMessage, Kind};
use crate::money::ledger::payouts::Payout;
use crate::money::ledger::{EntryKind, FeeItem, LedgerEntry};

/// Something is to be paid.
pub fn charged(to: &Addressee, posted: &PostedEntry, description: &str, config: &Config) -> EmailMessage {
    let due_on = posted.entry.as_ref().and_then(|entry| entry.due_on).map(date_in_words);
    let mut facts = vec![("For", description.to_owned())];
    facts.extend(due_on.map(|day| ("Due", day)));
    facts.extend([("How to pay", config.how_to_pay()), ("Payment code", to.payment_code(config))]);
    let amount = amount(posted);
    message(
        to,
        "A new charge",
        &format!("The office has posted a charge of {amount}."),
        posted,
        facts,
        config,
    )
}

/// Something need not be paid.
pub fn waived(to: &Addressee, posted: &PostedEntry, config: &Config) -> EmailMessage {
    let amount = amount(posted);
    let facts = reason_of(posted);
    message(
        to,
        "Part of your fee has been waived",
        &format!("You no longer need to pay {amount}."),
        posted,
        facts,
        config,
    )
}

/// Something was refunded.
pub fn refunded(to: &Addressee, posted: &PostedEntry, refund: &Refund, config: &Config) -> EmailMessage {
    let mut facts = vec![
        ("Amount", refund.amount.to_string()),
        ("Method", refund.method.label().to_owned()),
        ("Refunded on", date_in_words(refund.paid_on)),
        ("Reason", refund.reason.clone()),
    ];
    if refund.waive.cents() > 0 {
        facts.insert(0, ("Waived from the fee", refund.waive.to_string()));
    }
    facts.extend(refund.reference.clone().map(|reference| ("Reference", reference)));
    let words = format!("The school has refunded {}.", refund.amount);
    message(to, "Your refund", &words, posted, facts, config)
}

/// An entry was reversed.
pub fn corrected(
    to: &Addressee,
    posted: &PostedEntry,
    before: &LedgerEntry,
    reason: &str,
    config: &Config,
) -> EmailMessage {
    let what = match before.kind {
        EntryKind::Charge => "charge",
        EntryKind::Waiver => "waiver",
        _ => "refund",
    };
    let words = format!("The office has reversed the {what} of {}.", before.amount);
    let facts = vec![("Reason", reason.to_owned())];
    message(to, "A correction to your fees", &words, posted, facts, config)
}

/// A refund from the account was reversed.
pub fn payout_corrected(
    to: &Addressee,
    posted: &PostedEntry,
    payout: &Payout,
    reason: &str,
    config: &Config,
) -> EmailMessage {
    let words =
        format!("The office has reversed the refund of {}. It is on your account again.", payout.amount);
    message(to, "A correction to your fees", &words, posted, vec![("Reason", reason.to_owned())], config)
}

fn amount(posted: &PostedEntry) -> String {
    posted.entry.as_ref().map(|entry| entry.amount.to_string()).unwrap_or_default()
}

fn reason_of(posted: &PostedEntry) -> Vec<(&'static str, String)> {
    let reason = posted.entry.as_ref().and_then(|entry| entry.description.clone());
    reason.map(|reason| ("Reason", reason)).into_iter().collect()
}

/// With what the item and the whole account come to afterwards.
fn message(
    to: &Addressee,
    subject: &str,
    words: &str,
    posted: &PostedEntry,
    mut facts: Vec<(&'static str, String)>,
    config: &Config,
) -> EmailMessage {
    if let Some(item) = &posted.item {
        let [name, owing, credit] = match item.item() {
            FeeItem::Enrollment(_) => ["Course", "Owing for this course", "Credit for this course"],
            FeeItem::Admission(_) => ["Fee", "Owing for the admission", "Credit for the admission"],
        };
        facts.insert(0, (name, item.label.clone()));
        let is_credit = item.credit.cents() > 0;
        facts.push(if is_credit { (credit, item.credit.to_string()) } else { (owing, item.due.to_string()) });
    }
    if posted.unapplied.cents() > 0 {
        facts.push(("On account", posted.unapplied.to_string()));
    }
    facts.push(match posted.balance.cents() {
        cents if cents < 0 => ("In your favour", Money::from_cents(-cents).to_string()),
        _ => ("Balance owing", posted.balance.to_string()),
    });
    let facts: Vec<_> = facts.iter().map(|(name, value)| (*name, value.as_str())).collect();
    EmailMessage::to(Kind::PaymentReceipt, &to.email, subject)
        .greeting(to.full_name.as_deref())
        .paragraph(words)
        .facts(&facts)
        .paragraph(&format!("Is something wrong? {}.", config.school().write_or_call()))
}
