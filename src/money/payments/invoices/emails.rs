//! Emails about invoices, each with its PDF.

use jiff::civil::Date;

use super::Stored;
use crate::base::dates::date_in_words;
use crate::base::error::Result;
use crate::config::Config;
use crate::mail::{EmailLink, EmailMessage};
use crate::money::payments::emails::email;
use crate::paper::Paper;

/// An invoice, as a PDF; what was paid after its day of issue is not in it.
pub fn invoice(
    to: &str,
    paper: &Paper,
    Stored { invoice, body }: &Stored,
    today: Date,
    config: &Config,
) -> Result<EmailMessage> {
    let page = config.student_dashboard();
    let number = &invoice.number;
    let owing = body.owing();
    let due_on = date_in_words(body.due_on);
    let words = match owing.cents() {
        0 => format!("Here is invoice {number}. Nothing is left to pay."),
        _ if body.dues.is_empty() => format!("Here is invoice {number}: {owing} is due on {due_on}."),
        _ => format!("Here is invoice {number}: {}.", body.due_in_words()),
    };
    let mut facts = vec![("Invoice", number.clone()), ("Student", invoice.student_name.clone())];
    facts.extend(body.sums().into_iter().map(|(name, amount)| (name, amount.to_string())));
    facts.push((if body.dues.is_empty() { "Due on" } else { "First due on" }, due_on));
    let facts: Vec<_> = facts.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let mut message = email(to, &format!("Invoice {number}"))?.paragraph(&words).facts(&facts);
    if body.issued_on < today {
        let day = date_in_words(body.issued_on);
        message =
            message.paragraph(&format!("What you paid after {day} is not deducted yet: pay what is left."));
    }
    for (heading, text) in &paper.notes {
        message = message.paragraph(&format!("{heading}: {text}"));
    }
    let message = message.attach(paper, &EmailLink { label: "Open your fees", url: &page })?;
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
        .attach(paper, &EmailLink { label: "Open your fees", url: &page })?;
    Ok(message.paragraph(&format!("Questions? {}.", config.school().write_or_call())))
}
