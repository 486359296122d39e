//! Emails about invoices, each with its PDF.

use super::Invoice;
use crate::base::error::Result;
use crate::config::Config;
use crate::mail::EmailMessage;
use crate::paper::Paper;
use crate::payments::emails::email;
use crate::payments::rules::long;

/// An invoice, as a PDF.
pub fn invoice(to: &str, paper: &Paper, invoice: &Invoice, config: &Config) -> Result<EmailMessage> {
    let page = config.student_dashboard();
    let facts = [
        ("Invoice", invoice.number.clone()),
        ("Student", invoice.student_name.clone()),
        ("Amount", invoice.total.to_string()),
        ("Due on", long(invoice.due_on)),
    ];
    let facts: Vec<_> = facts.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let mut message = email(to, &format!("Invoice {}", invoice.number))?
        .paragraph(&format!("Here is an invoice of {}, due on {}.", invoice.total, long(invoice.due_on)))
        .facts(&facts);
    for (heading, text) in &paper.notes {
        message = message.paragraph(&format!("{heading}: {text}"));
    }
    let message = message.attach(paper, ("Open your fees", &page))?;
    Ok(message.paragraph(&format!("Is something wrong? {}.", config.school().write_or_call())))
}

/// An invoice no longer counts: with the credit note.
pub fn cancelled(
    to: &str,
    paper: &Paper,
    number: &str,
    reason: &str,
    config: &Config,
) -> Result<EmailMessage> {
    let page = config.student_dashboard();
    let message = email(to, &format!("Invoice {number} is cancelled"))?
        .paragraph(&format!("Please do not pay invoice {number}: the office has cancelled it. The reason:"))
        .paragraph(reason)
        .attach(paper, ("Open your fees", &page))?;
    Ok(message.paragraph(&format!("Questions? {}.", config.school().write_or_call())))
}
