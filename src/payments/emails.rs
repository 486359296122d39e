//! Emails about payments: the receipt, and that it is void.

use super::receipts::ReceiptBody;
use super::rules::long;
use crate::base::email::Email;
use crate::base::error::{Error, Result};
use crate::base::money::Money;
use crate::config::Config;
use crate::mail::{EmailMessage, Kind};

/// The receipt, whole.
pub fn receipt(to: &str, body: &ReceiptBody, config: &Config) -> Result<EmailMessage> {
    let subject = format!("Receipt {}", body.number);
    let amount = Money::from_cents(body.amount_cents);
    let message = email(to, &subject)?
        .paragraph(&format!("Thank you. We have received {amount}, and this is your receipt."));
    let message = facts(message, body);
    Ok(message.paragraph(&format!("Is something wrong? {}.", config.school().write_or_call())))
}

/// The receipt no longer counts.
pub fn void(to: &str, body: &ReceiptBody, reason: &str, config: &Config) -> Result<EmailMessage> {
    let subject = format!("Receipt {} is void", body.number);
    let amount = Money::from_cents(body.amount_cents);
    let message = email(to, &subject)?
        .paragraph(&format!(
            "The office has taken back the payment of {amount} received on {}. Receipt {} is void, and what it paid for \
             is due again. The reason:",
            long(body.received_on),
            body.number
        ))
        .paragraph(reason);
    Ok(message.paragraph(&format!("Questions? {}.", config.school().write_or_call())))
}

/// Its greeting names no one: guardians get it as well as the student.
fn email(to: &str, subject: &str) -> Result<EmailMessage> {
    let to = Email::parse(to)
        .map_err(|message| Error::Internal(anyhow::anyhow!("a receipt's address: {message}")))?;
    Ok(EmailMessage::to(Kind::PaymentReceipt, &to, subject).greeting(None))
}

fn facts(message: EmailMessage, body: &ReceiptBody) -> EmailMessage {
    let facts = body.facts();
    let facts: Vec<_> = facts.iter().map(|(name, value)| (*name, value.as_str())).collect();
    message.facts(&facts)
}
