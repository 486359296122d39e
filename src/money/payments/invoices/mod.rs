//! Invoices: what a student was charged that is on no other invoice, waivers deducted. An invoice moves no money and is
//! never edited; it is cancelled, with a reason, by a credit note, and what was on it can be invoiced again.

mod emails;
mod paper;
mod rules;
mod state;
mod store;

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use self::paper::InvoiceHead;
use self::rules::{InvoicesForm, Invoicing};
pub use self::state::InvoiceState;
use self::store::Cancellation;
pub use self::store::{OwnInvoice, Stored, of_student};
use super::receipts::Owner;
use super::{PaymentContext, ReverseForm};
use crate::audit;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::base::money::Money;
use crate::mail::{self, Cause};
use crate::money::ledger::Payer;
use crate::staff::{Staff, may};
use crate::students::{self, CurrentStudent, Student};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::{Numbered, numbered};
use crate::web::idempotency::{Idempotent, Once};
use crate::web::pagination::{ListQuery, PageRequest};
use crate::web::print;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![issue_invoices, list_invoices, get_invoice, get_own_invoice, send_invoice, cancel_invoice]
}

/// An invoice as it was issued, and whether it was cancelled.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Invoice {
    /// Number of the row.
    pub id: i64,
    /// Its number.
    pub number: String,
    /// The student.
    pub student_id: i64,
    /// The student's name.
    pub student_name: String,
    /// When it was issued.
    pub issued_on: Date,
    /// Due date.
    pub due_on: Date,
    /// Dollars.
    #[schema(value_type = f64)]
    pub total: Money,
    /// When it was first emailed.
    #[schema(required)]
    pub sent_at: Option<Timestamp>,
    /// When it was cancelled.
    #[schema(required)]
    pub cancelled_at: Option<Timestamp>,
    /// Why.
    #[schema(required)]
    pub cancel_reason: Option<String>,
    /// Number of the credit note that cancels it.
    #[schema(required)]
    pub credit_note_number: Option<String>,
}

numbered!(Invoice, "Invoice");

/// An invoice in the office's list, with its state.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ListedInvoice {
    /// The invoice.
    #[serde(flatten)]
    pub invoice: Invoice,
    /// What the ledger makes of it.
    pub state: InvoiceState,
}

impl ListedInvoice {
    fn read(connection: &Connection, invoice: Invoice) -> Result<Self> {
        Ok(Self { state: InvoiceState::of(connection, &invoice)?, invoice })
    }
}

/// An invoice that was issued, or would be.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IssuedInvoice {
    /// Its number; null in a dry run.
    #[schema(required)]
    number: Option<String>,
    /// The student.
    student_id: i64,
    /// The student's name.
    student_name: String,
    /// Dollars.
    #[schema(value_type = f64)]
    total: Money,
    /// What is on it.
    lines: Vec<InvoiceLine>,
}

/// A line of an invoice.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct InvoiceLine {
    /// The course or the admission, in words.
    #[serde(rename = "for")]
    pub label: String,
    /// What it is for, or why it is waived.
    #[schema(required)]
    pub description: Option<String>,
    /// Dollars; less than zero for what is waived.
    #[schema(value_type = f64)]
    pub amount: Money,
    /// Due date of a part of the fee of a place, as its offer promised it; null: that of the invoice.
    #[serde(rename = "dueOn")]
    #[schema(required)]
    pub due_on: Option<Date>,
}

/// `POST /api/admin/invoices`' answer.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Invoicings {
    /// The invoices.
    invoices: Vec<IssuedInvoice>,
    /// Students of those named who have nothing to invoice.
    nothing_for: Vec<UninvoicedStudent>,
}

/// A student who has nothing to invoice.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UninvoicedStudent {
    /// Number of the account.
    student_id: i64,
    /// The student's name.
    student_name: String,
}

/// `POST /api/admin/invoices/{number}/send`'s answer.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SentInvoice {
    /// The addresses.
    sent_to: Vec<String>,
}

/// `POST /api/admin/invoices/{number}/cancel`'s answer.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CancelledInvoice {
    /// Number of the credit note.
    credit_note_number: String,
}

/// Issue an invoice for each student with charges on no invoice yet; a dry run takes no number and keeps nothing
#[utoipa::path(post, path = "/api/admin/invoices", tag = "payments", request_body = InvoicesForm,
    responses((status = 201, body = Invoicings), (status = 200, body = Invoicings, description = "A dry run"),
        (status = 404, body = ErrorBody, description = "No such student or term")))]
async fn issue_invoices(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Idempotent { key, body }: Idempotent<InvoicesForm>,
) -> Result<Response> {
    let wish = Invoicing::parse(&body, &app.config.money, app.today())?;
    let context = PaymentContext::new(&app, &staff);
    if wish.is_dry_run {
        let read = move |connection: &Connection| {
            let connection = connection.unchecked_transaction()?;
            context.preview(&connection, &wish)
        };
        return Ok(Json(app.db.query(read).await?).into_response());
    }
    let done: Once<Invoicings> = app
        .write_and_notify(move |connection| {
            key.once(connection, context.user_id, context.now, || context.issue_invoices(connection, &wish))
        })
        .await?;
    Ok(done.into_response())
}

/// Invoices, the newest first; searched by number and student. A cancelled one stays in the list
#[utoipa::path(get, path = "/api/admin/invoices", tag = "payments", params(ListQuery),
    responses((status = 200, body = Vec<ListedInvoice>,
        headers(("X-Total-Count" = i64, description = "Rows that match, on every page")))))]
async fn list_invoices(
    _: Staff<may::Balances>,
    State(app): State<App>,
    page: PageRequest,
) -> Result<Response> {
    let asked = page.clone();
    let listed = asked.ask(&app.db, store::list).await?;
    Ok(listed.into_response())
}

/// The invoice or credit note with this number, as a page to print; with `.pdf` after the number, as a PDF
#[utoipa::path(get, path = "/api/admin/invoices/{number}", tag = "payments",
    params(("number" = String, Path, description = "Number of the invoice or credit note, and `.pdf` for a PDF")),
    responses((status = 200, content((String = "text/html"), (Vec<u8> = "application/pdf"))),
        (status = 409, body = ErrorBody, description = "A name has letters that no font has (`script_missing`)")))]
async fn get_invoice(
    _: Staff<may::Balances>,
    State(app): State<App>,
    Path(address): Path<String>,
) -> Result<Response> {
    let (number, _) = print::number(&address);
    let found = app.db.read(|connection| store::find(connection, number, None)).await?;
    respond(&app, found, &address, "/api/admin/invoices").await
}

/// An invoice or credit note of the signed-in student, as a page to print; with `.pdf` after the number, as a PDF
#[utoipa::path(get, path = "/api/students/invoices/{number}", tag = "payments",
    params(("number" = String, Path, description = "Number of the invoice or credit note, and `.pdf` for a PDF")),
    responses((status = 200, content((String = "text/html"), (Vec<u8> = "application/pdf"))),
        (status = 409, body = ErrorBody, description = "A name has letters that no font has (`script_missing`)")))]
async fn get_own_invoice(
    student: CurrentStudent,
    State(app): State<App>,
    Path(address): Path<String>,
) -> Result<Response> {
    let (number, _) = print::number(&address);
    let found = app.db.read(|connection| find_own(connection, number, student.id)).await?;
    respond(&app, found, &address, "/api/students/invoices").await
}

/// Email an invoice to the student and the guardians who get the student's emails
#[utoipa::path(post, path = "/api/admin/invoices/{number}/send", tag = "payments",
    params(("number" = String, Path, description = "Number of the invoice")),
    responses((status = 409, body = ErrorBody, description = "It was cancelled; `current` is the invoice")))]
async fn send_invoice(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Path(number): Path<String>,
    Idempotent { key, .. }: Idempotent<serde_json::Value>,
) -> Result<Once<SentInvoice, 200>> {
    let context = PaymentContext::new(&app, &staff);
    app.write_and_notify(move |connection| {
        key.once(connection, context.user_id, context.now, || {
            let stored = PaymentContext::live(connection, &number)?;
            Ok(SentInvoice { sent_to: context.send_invoice(connection, &stored)? })
        })
    })
    .await
}

/// Cancel an invoice with a credit note; those who got the invoice by email are told; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/invoices/{number}/cancel", tag = "payments", request_body = ReverseForm,
    params(("number" = String, Path, description = "Number of the invoice")))]
async fn cancel_invoice(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Path(number): Path<String>,
    Idempotent { key, body }: Idempotent<ReverseForm>,
) -> Result<Once<CancelledInvoice, 200>> {
    let reason = body.reason.between(3, 500, "Say why it is cancelled, in at least 3 characters");
    let reason = reason.map_err(|message| FieldErrors::one("reason", message))?;
    let context = PaymentContext::new(&app, &staff);
    app.write_and_notify(move |connection| {
        key.once(connection, context.user_id, context.now, || context.cancel(connection, &number, &reason))
    })
    .await
}

/// An invoice or credit note of a student.
///
/// # Errors
/// Database errors.
pub fn find_own(connection: &Connection, number: &str, student_id: i64) -> Result<Option<Stored>> {
    store::find(connection, number, Some(student_id))
}

/// Answers with an invoice or credit note, as its address asks; `folder` is the address without the number.
///
/// # Errors
/// 404 when there is none; 409 when a PDF cannot show it.
pub async fn respond(app: &App, found: Option<Stored>, address: &str, folder: &str) -> Result<Response> {
    let (number, is_pdf) = print::number(address);
    let stored = found.ok_or_else(Invoice::not_found)?;
    let paper = paper::write(&stored, number.starts_with("CN-"), &app.config.school().zone());
    match is_pdf {
        true => print::pdf(app, paper, &format!("{folder}/{number}")).await,
        false => print::page(&paper, &format!("{number}.pdf")),
    }
}

impl PaymentContext {
    fn preview(&self, connection: &Connection, wish: &Invoicing) -> Result<Invoicings> {
        self.invoices(connection, wish, |_, _, _| Ok(None))
    }

    fn issue_invoices(&self, connection: &Connection, wish: &Invoicing) -> Result<Invoicings> {
        self.invoices(connection, wish, |student_id, owner, entries| {
            let today = self.today;
            let number = super::store::draw(connection, "invoice", today.year())?;
            let number = format!("INV-{}-{number:06}", today.year());
            let head = InvoiceHead { number: &number, issued_on: today, due_on: wish.due_on };
            let body = paper::body(connection, student_id, owner, head, entries, &self.config)?;
            let id = store::insert(connection, student_id, &body, entries, self.user_id, self.now)?;
            let detail = json!({ "studentId": student_id, "number": number, "total": Money::from_cents(body.total_cents) });
            audit::record(connection, &self.actor, "issue", "invoice", id, detail, self.now)?;
            if wish.sends {
                let stored = store::find(connection, &number, None)?.ok_or_else(Invoice::not_found)?;
                self.send_invoice(connection, &stored)?;
            }
            Ok(Some(number))
        })
    }

    /// Goes through the students, and has an invoice made for each with something to invoice.
    fn invoices(
        &self,
        connection: &Connection,
        wish: &Invoicing,
        mut make: impl FnMut(i64, &Owner, &[store::Entry]) -> Result<Option<String>>,
    ) -> Result<Invoicings> {
        let mut invoices = Vec::new();
        let mut nothing_for = Vec::new();
        for student_id in wish.students(connection)? {
            students::store::find(connection, student_id)?.ok_or_else(Student::not_found)?;
            let owner = Owner::find(connection, Payer::Student(student_id), self.today)?;
            let entries = store::uninvoiced(connection, student_id)?;
            let total = entries.iter().map(|entry| entry.cents).sum::<i64>();
            let student_name = owner.name.clone();
            if total <= 0 {
                nothing_for.push(UninvoicedStudent { student_id, student_name });
                continue;
            }
            let number = make(student_id, &owner, &entries)?;
            let lines = entries.iter().map(store::Entry::line).collect();
            invoices.push(IssuedInvoice {
                number,
                student_id,
                student_name,
                total: Money::from_cents(total),
                lines,
            });
        }
        Ok(Invoicings { invoices, nothing_for })
    }

    /// An invoice by its own number, not by its credit note's.
    fn find(connection: &Connection, number: &str) -> Result<Stored> {
        let stored = store::find(connection, number, None)?.filter(|stored| stored.invoice.number == number);
        stored.ok_or_else(Invoice::not_found)
    }

    /// An invoice that was not cancelled.
    fn live(connection: &Connection, number: &str) -> Result<Stored> {
        let stored = Self::find(connection, number)?;
        match &stored.invoice.credit_note_number {
            None => Ok(stored),
            Some(note) => {
                let message = format!("Invoice {number} was cancelled with credit note {note}.");
                Err(Error::conflict(message, &ListedInvoice::read(connection, stored.invoice)?))
            }
        }
    }

    fn send_invoice(&self, connection: &Connection, stored: &Stored) -> Result<Vec<String>> {
        let invoice = &stored.invoice;
        let owner = Owner::find(connection, Payer::Student(invoice.student_id), self.today)?;
        let paper = paper::write(stored, false, &self.config.school().zone());
        for to in &owner.addresses {
            let email = emails::invoice(to, &paper, stored, self.today, &self.config)?;
            mail::outbox::enqueue(connection, &email, Cause::Office, &self.config, self.now)?;
        }
        store::note_sent(connection, invoice.id, self.now)?;
        let detail = json!({ "studentId": invoice.student_id, "number": invoice.number });
        audit::record(connection, &self.actor, "send", "invoice", invoice.id, detail, self.now)?;
        Ok(owner.addresses)
    }

    fn cancel(&self, connection: &Connection, number: &str, reason: &str) -> Result<CancelledInvoice> {
        let before = Self::find(connection, number)?;
        if let Some(credit_note_number) = before.invoice.credit_note_number {
            return Ok(CancelledInvoice { credit_note_number });
        }
        let year = self.today.year();
        let credit_note = super::store::draw(connection, "credit_note", year)?;
        let credit_note_number = format!("CN-{year}-{credit_note:06}");
        let id = before.invoice.id;
        let cancellation = Cancellation { reason, credit_note_number: &credit_note_number };
        store::cancel(connection, id, cancellation, self.user_id, self.now)?;
        if before.invoice.sent_at.is_some() {
            let stored = store::find(connection, number, None)?.ok_or_else(Invoice::not_found)?;
            let paper = paper::write(&stored, true, &self.config.school().zone());
            let owner = Owner::find(connection, Payer::Student(before.invoice.student_id), self.today)?;
            for to in &owner.addresses {
                let email = emails::cancelled(to, &paper, number, reason, &self.config)?;
                mail::outbox::enqueue(connection, &email, Cause::Office, &self.config, self.now)?;
            }
        }
        let detail = json!({
            "studentId": before.invoice.student_id, "number": number, "creditNote": credit_note_number, "reason": reason,
        });
        audit::record(connection, &self.actor, "cancel", "invoice", id, detail, self.now)?;
        Ok(CancelledInvoice { credit_note_number })
    }
}
