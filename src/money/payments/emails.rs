//! Emails about payments: the receipt, and that it is void.

use super::receipts::ReceiptBody;
use crate::base::dates::date_in_words;
use crate::base::email::Email;
use crate::base::error::{Error, Result};
use crate::base::money::Money;
use crate::config::Config;
use crate::mail::{EmailLink, EmailMessage, Kind};
use crate::paper::Paper;

/// The receipt, whole, with its PDF.
pub fn receipt(to: &str, body: &ReceiptBody, paper: &Paper, config: &Config) -> Result<EmailMessage> {
    let subject = format!("Receipt {}", body.number);
    let amount = Money::from_cents(body.amount_cents);
    let message = email(to, &subject)?
        .paragraph(&format!("Thank you. We have received {amount}, and this is your receipt."));
    let page = config.student_dashboard();
    let message = facts(message, body).attach(paper, &EmailLink { label: "Open your fees", url: &page })?;
    Ok(message.paragraph(&format!("Is something wrong? {}.", config.school().write_or_call())))
}

/// A payment was reversed.
pub struct ReversedPayment<'a> {
    /// What becomes of what it paid for, in words.
    pub consequence: &'a str,
    /// Why it was reversed.
    pub reason: &'a str,
}

/// The receipt no longer counts: what becomes of what it paid for, and why.
pub fn void(
    to: &str,
    body: &ReceiptBody,
    ReversedPayment { consequence, reason }: &ReversedPayment<'_>,
    config: &Config,
) -> Result<EmailMessage> {
    let subject = format!("Receipt {} is void", body.number);
    let amount = Money::from_cents(body.amount_cents);
    let message = email(to, &subject)?
        .paragraph(&format!(
            "The office has reversed the payment of {amount} received on {}. Receipt {} is void, and {consequence}. \
             The reason:",
            date_in_words(body.received_on),
            body.number
        ))
        .paragraph(reason);
    Ok(message.paragraph(&format!("Questions? {}.", config.school().write_or_call())))
}

/// A statement, as a PDF.
pub fn statement(to: &str, paper: &Paper, config: &Config) -> Result<EmailMessage> {
    let page = config.student_dashboard();
    let period = format!("Here is your statement for {}.", paper.number);
    let headline = paper.headline.as_ref().map(|headline| format!(" {headline}.")).unwrap_or_default();
    let mut message = email(to, "Your statement")?
        .topic(&paper.title())
        .paragraph(&format!("{period}{headline}"))
        .attach(paper, &EmailLink { label: "Open your fees", url: &page })?;
    for (heading, text) in &paper.notes {
        message = message.paragraph(&format!("{heading}: {text}"));
    }
    Ok(message.paragraph(&format!("Is something wrong? {}.", config.school().write_or_call())))
}

/// Its greeting names no one: guardians get it as well as the student.
pub fn email(to: &str, subject: &str) -> Result<EmailMessage> {
    let to = Email::parse(to)
        .map_err(|message| Error::Internal(anyhow::anyhow!("a receipt's address: {message}")))?;
    Ok(EmailMessage::to(Kind::PaymentReceipt, &to, subject).greeting(None))
}

fn facts(message: EmailMessage, body: &ReceiptBody) -> EmailMessage {
    let facts = body.facts();
    let facts: Vec<_> = facts.iter().map(|(name, value)| (*name, value.as_str())).collect();
    message.facts(&facts)
}
