//! What an invoice says when it is issued, and how it and its credit note look.

use std::collections::BTreeMap;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use rusqlite::Connection;

use super::InvoiceLine;
use super::store::{BodyDue, BodyLine, Entry, InvoiceBody, Stored};
use crate::base::dates::date_in_words;
use crate::base::error::Result;
use crate::base::money::Money;
use crate::config::Config;
use crate::money::ledger::{self, Fees, Payer};
use crate::money::payments::how_to_pay::HowToPay;
use crate::money::payments::receipts::{Owner, letterhead};
use crate::paper::{Mark, Paper, Row};

/// The head of an invoice.
#[derive(Debug, Clone, Copy)]
pub struct InvoiceHead<'a> {
    /// Its number.
    pub number: &'a str,
    /// On which day it is issued.
    pub issued_on: Date,
    /// By when it is paid, unless an offer promised another day.
    pub due_on: Date,
}

/// What an invoice of a student says.
pub fn body(
    connection: &Connection,
    student_id: i64,
    owner: &Owner,
    InvoiceHead { number, issued_on, due_on }: InvoiceHead<'_>,
    entries: &[Entry],
    config: &Config,
) -> Result<InvoiceBody> {
    let total_cents = entries.iter().map(|entry| entry.cents).sum();
    let Covered { paid_cents, on_account_cents } = covered(connection, student_id, entries)?;
    let HowToPay { text, code, .. } = HowToPay::new(connection, student_id, total_cents, config)?;
    let line = |entry: &Entry| {
        let InvoiceLine { label, description, due_on, .. } = entry.line();
        BodyLine { label, description, amount_cents: entry.cents, due_on }
    };
    let dues = dues(entries, due_on, total_cents - paid_cents - on_account_cents);
    let due_on = dues.first().map_or(due_on, |due| due.on);
    Ok(InvoiceBody {
        number: number.to_owned(),
        issued_on,
        due_on,
        dues: if dues.len() > 1 { dues } else { Vec::new() },
        school: letterhead(&config.school()),
        student: owner.name.clone(),
        student_number: owner.number.clone(),
        lines: entries.iter().map(line).collect(),
        total_cents,
        paid_cents,
        on_account_cents,
        how_to_pay: text,
        code,
    })
}

/// What is owing by which day, the earliest first: a charge for a place is due when its offer promised it, any other with
/// the invoice. What is paid and waived covers the earliest.
fn dues(entries: &[Entry], due_on: Date, owing: i64) -> Vec<BodyDue> {
    let mut by_day = BTreeMap::<Date, i64>::new();
    for entry in entries.iter().filter(|entry| entry.cents > 0) {
        *by_day.entry(entry.promised_on().unwrap_or(due_on)).or_default() += entry.cents;
    }
    let mut covered = by_day.values().sum::<i64>() - owing;
    let rest = |(on, cents): (Date, i64)| {
        let gone = covered.clamp(0, cents);
        covered -= gone;
        BodyDue { on, amount_cents: cents - gone }
    };
    by_day.into_iter().map(rest).filter(|due| due.amount_cents > 0).collect()
}

/// What of the entries' sum needs no more payment.
struct Covered {
    /// What is paid.
    paid_cents: i64,
    /// What of the rest is on account.
    on_account_cents: i64,
}

/// What of the entries' sum is paid, and what of the rest is on account. Money on account covers what is on no
/// new invoice first, so that no two invoices deduct the same.
fn covered(connection: &Connection, student_id: i64, entries: &[Entry]) -> Result<Covered> {
    let payer = Payer::Student(student_id);
    let mut due = 0;
    let mut open = 0;
    for fees in Fees::read(connection, payer)?.per_item() {
        let invoiced = entries.iter().filter(|entry| entry.item() == fees.item()).map(|entry| entry.cents);
        due += fees.due.cents();
        open += fees.due.cents().min(invoiced.sum());
    }
    let total: i64 = entries.iter().map(|entry| entry.cents).sum();
    let on_account = ledger::on_account(connection, payer)?.cents() - (due - open);
    Ok(Covered { paid_cents: total - open, on_account_cents: on_account.min(open).max(0) })
}

/// The invoice, or the credit note that cancels it.
pub fn write(Stored { invoice, body }: &Stored, is_credit_note: bool, zone: &TimeZone) -> Paper {
    let sign = if is_credit_note { -1 } else { 1 };
    let money = |cents: i64| Money::from_cents(sign * cents).to_string();
    let cancelled = invoice.cancelled_at.zip(invoice.credit_note_number.clone());
    let cancelled = cancelled.map(|(at, number)| (date_in_words(at.to_zoned(zone.clone()).date()), number));
    let reason = invoice.cancel_reason.clone().unwrap_or_default();
    let row = |line: &BodyLine| Row {
        cells: vec![line.label.clone(), money(line.amount_cents)],
        detail: {
            let due = line.due_on.map(|day| format!("due {}", date_in_words(day)));
            line.description.iter().cloned().chain(due).collect::<Vec<_>>().join(", ")
        },
    };
    let mut paper = Paper {
        kind: "Invoice".into(),
        number: body.number.clone(),
        issued: format!("Issued on {}", date_in_words(body.issued_on)),
        letterhead: body.school.clone(),
        columns: vec!["For".into(), "Amount".into()],
        rows: body.lines.iter().map(row).collect(),
        ..Paper::default()
    };
    paper.fact("Student", &body.student);
    if let Some(number) = &body.student_number {
        paper.fact("Student number", number);
    }
    match (cancelled, is_credit_note) {
        (Some((on, number)), true) => {
            paper.kind = "Credit note".into();
            paper.number = number;
            paper.issued = format!("Issued on {on}");
            paper.headline = Some(format!("Cancels invoice {}", body.number));
            paper.fact("Invoice", format!("{}, of {}", body.number, date_in_words(body.issued_on)));
            paper.fact("Reason", reason);
            paper.sum("Total", money(body.total_cents), true);
            return paper;
        }
        (Some((on, number)), false) => {
            let reason = format!("On {on}, with credit note {number}: {reason}");
            paper.mark = Some(Mark { word: "CANCELLED".into(), reason });
        }
        (None, _) => {}
    }
    paper.fact(if body.dues.is_empty() { "Due on" } else { "First due on" }, date_in_words(body.due_on));
    let sums = body.sums();
    let owing = body.owing();
    for (index, (label, amount)) in sums.iter().enumerate() {
        paper.sum(label, amount, index + 1 == sums.len());
    }
    if owing.cents() == 0 {
        paper.headline = Some("Nothing is left to pay".into());
        return paper;
    }
    paper.headline = Some(body.due_in_words());
    let code = format!("Code for the message of a transfer: {}", body.code);
    paper.notes.push(("How to pay".into(), format!("{}\n{code}", body.how_to_pay)));
    paper
}
