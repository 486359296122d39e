//! The tables `invoices` and `invoice_entries`.

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Invoice, InvoiceLine, InvoiceState, ListedInvoice};
use crate::base::dates::date_in_words;
use crate::base::error::Result;
use crate::base::money::Money;
use crate::money::ledger::{EntryKind, FeeItem};
use crate::storage::statements::{Statements, from_row, params};
use crate::web::pagination::{List, Listed, PageRequest};

from_row!(Invoice {
    id, number, student_id, student_name, issued_on, due_on, total = "total_cents", sent_at, cancelled_at, cancel_reason,
    credit_note_number,
});

const COLUMNS: &str = "i.id, i.number, s.id as student_id, coalesce(s.full_name, 'Student #' || s.id) as student_name,
        i.issued_on, i.due_on, i.total_cents, i.sent_at, i.cancelled_at, i.cancel_reason, i.credit_note_number";

/// An account that was merged goes on as another.
const JOINS: &str = "cross join students o on o.id = i.student_id
    cross join students s on s.id = coalesce(o.merged_into, o.id)";

/// An invoice in its student's list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnInvoice {
    /// Its number.
    number: String,
    /// When it was issued.
    issued_on: Date,
    /// Due date.
    due_on: Date,
    /// Dollars.
    #[schema(value_type = f64)]
    total: Money,
    /// When it was cancelled.
    #[schema(required)]
    cancelled_at: Option<Timestamp>,
    /// Number of the credit note that cancels it.
    #[schema(required)]
    credit_note_number: Option<String>,
    /// What the ledger makes of it.
    state: InvoiceState,
}

/// The invoices of a student, the newest first.
///
/// # Errors
/// Database errors.
pub fn of_student(connection: &Connection, student_id: i64) -> Result<Vec<OwnInvoice>> {
    let sql = format!(
        "select {COLUMNS} from invoices i {JOINS}
         where i.student_id in (select :student_id union all select id from students where merged_into = :student_id)
         order by i.id desc"
    );
    let invoices: Vec<Invoice> = connection.list(&sql, params![student_id])?;
    let own = |invoice: Invoice| {
        let state = InvoiceState::of(connection, &invoice)?;
        let Invoice { number, issued_on, due_on, total, cancelled_at, credit_note_number, .. } = invoice;
        Ok(OwnInvoice { number, issued_on, due_on, total, cancelled_at, credit_note_number, state })
    };
    invoices.into_iter().map(own).collect()
}

/// What an invoice says, as it is stored. Amounts are in cents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceBody {
    /// Its number.
    pub number: String,
    /// The day of issue at the school.
    pub issued_on: Date,
    /// Due date; the first, if it is due in parts.
    pub due_on: Date,
    /// What is owing by which day, the earliest first; empty where all is due on the due date.
    #[serde(default)]
    pub dues: Vec<BodyDue>,
    /// The school's name, address, telephone number and email address, a line each.
    pub school: Vec<String>,
    /// The student.
    pub student: String,
    /// The student's number.
    pub student_number: Option<String>,
    /// What is on it.
    pub lines: Vec<BodyLine>,
    /// The sum of the lines.
    pub total_cents: i64,
    /// What of it was paid when it was issued.
    #[serde(default)]
    pub paid_cents: i64,
    /// What of the rest was on account then.
    #[serde(default)]
    pub on_account_cents: i64,
    /// How to pay it.
    pub how_to_pay: String,
    /// What the family writes into the message of a transfer.
    pub code: String,
}

impl InvoiceBody {
    /// What was to be paid when it was issued.
    pub fn owing(&self) -> Money {
        Money::from_cents(self.total_cents - self.paid_cents - self.on_account_cents)
    }

    /// By when what is owing is to be paid: "$1,250.50 due on December 23, 2026", or part by part.
    pub fn due_in_words(&self) -> String {
        let part = |amount: Money, on: Date| format!("{amount} due on {}", date_in_words(on));
        match &*self.dues {
            [] => part(self.owing(), self.due_on),
            dues => {
                let words = dues.iter().map(|due| part(Money::from_cents(due.amount_cents), due.on));
                words.collect::<Vec<_>>().join(", ")
            }
        }
    }

    /// The total, and what leads from it to what is owing where that differs.
    pub fn sums(&self) -> Vec<(&'static str, Money)> {
        let mut sums = vec![("Total", Money::from_cents(self.total_cents))];
        let parts =
            [("Paid so far on these charges", self.paid_cents), ("On account", self.on_account_cents)];
        let parts = parts.into_iter().filter(|(_, cents)| *cents > 0);
        sums.extend(parts.map(|(name, cents)| (name, Money::from_cents(-cents))));
        if sums.len() > 1 {
            sums.push(("Still owing", self.owing()));
        }
        sums
    }
}

/// A line of an invoice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BodyLine {
    /// The course or the admission.
    #[serde(rename = "for")]
    pub label: String,
    /// What it is for, or why it is waived.
    pub description: Option<String>,
    /// How much; less than zero for what is waived.
    pub amount_cents: i64,
    /// Due date of a part of the fee of a place; `None`: that of the invoice.
    #[serde(default)]
    pub due_on: Option<Date>,
}

/// What is to be paid of an invoice by a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BodyDue {
    /// The day.
    pub on: Date,
    /// How much.
    pub amount_cents: i64,
}

/// An invoice with what it says.
#[derive(Debug)]
pub struct Stored {
    /// Its row.
    pub invoice: Invoice,
    /// What it says.
    pub body: InvoiceBody,
}

struct Row {
    invoice: Invoice,
    body_json: String,
}

from_row!(Row { body_json } and invoice);

/// The invoice with this number, or with this number of a credit note; of one student, or of any.
pub fn find(connection: &Connection, number: &str, student_id: Option<i64>) -> Result<Option<Stored>> {
    let sql = format!(
        "select {COLUMNS}, i.body_json from invoices i {JOINS}
         where (i.number = :number or i.credit_note_number = :number)
             and (:student_id is null or s.id = :student_id)"
    );
    let Some(Row { invoice, body_json }) = connection.find(&sql, params![number, student_id])? else {
        return Ok(None);
    };
    let body = serde_json::from_str(&body_json).map_err(anyhow::Error::from)?;
    Ok(Some(Stored { invoice, body }))
}

/// The invoices of a page, the newest first.
pub fn list(page: &PageRequest, connection: &Connection) -> Result<Listed<ListedInvoice>> {
    let Listed { rows, total } = page.read(
        connection,
        &List {
            rows: format!(
                "select {COLUMNS} from invoices i {JOINS}
                 where matches_terms(concat_ws(' ', i.number, i.credit_note_number, s.full_name, s.student_number), :words)
                 order by i.id desc limit :limit offset :offset"
            ),
            count: "select count(*) from invoices".to_owned(),
            filter: &[],
        },
    )?;
    let rows = rows.into_iter().map(|invoice| ListedInvoice::read(connection, invoice));
    Ok(Listed { rows: rows.collect::<Result<_>>()?, total })
}

/// A charge or waiver that is on no invoice.
#[derive(Debug)]
pub struct Entry {
    /// Number of the row in the ledger.
    pub id: i64,
    kind: EntryKind,
    item: i64,
    label: String,
    description: Option<String>,
    due_on: Option<Date>,
    /// What it adds to the total; less than zero for a waiver.
    pub cents: i64,
}

from_row!(Entry { id, kind, item, label, description, due_on, cents });

impl Entry {
    /// What it stands on.
    pub fn item(&self) -> FeeItem {
        if self.item > 0 { FeeItem::Enrollment(self.item) } else { FeeItem::Admission(-self.item) }
    }

    /// The day on which a charge for a place is due, as its offer promised it.
    pub fn promised_on(&self) -> Option<Date> {
        self.due_on.filter(|_| self.kind == EntryKind::Charge && matches!(self.item(), FeeItem::Admission(_)))
    }

    /// As a line.
    pub fn line(&self) -> InvoiceLine {
        let description =
            self.description.clone().filter(|description| !self.label.ends_with(description.as_str()));
        let description = match self.kind {
            EntryKind::Waiver => {
                Some(description.map_or("Waived".to_owned(), |why| format!("Waived: {why}")))
            }
            _ => description,
        };
        let label = self.label.clone();
        let amount = Money::from_cents(self.cents);
        InvoiceLine { label, description, amount, due_on: self.promised_on() }
    }
}

/// The charges of a student that are on no live invoice, with the waivers of the same items, item by item.
pub fn uninvoiced(connection: &Connection, student_id: i64) -> Result<Vec<Entry>> {
    const IS_OPEN: &str = "l.kind in ('charge', 'waiver')
             and not exists (select 1 from ledger r where r.reverses_id = l.id)
             and not exists (select 1 from invoice_entries n cross join invoices i on i.id = n.invoice_id
                 where n.ledger_id = l.id and i.cancelled_at is null)";
    const ENTRY: &str =
        "l.description, l.due_on, iif(l.kind = 'charge', l.amount_cents, -l.amount_cents) as cents";
    let sql = format!(
        "select l.id as id, l.kind, e.id as item, c.code || ' · ' || c.name as label, {ENTRY}
         from enrollments e cross join courses c on c.id = e.course_id
             cross join ledger l on l.enrollment_id = e.id
         where e.student_id = :student_id and {IS_OPEN}
         union all
         select l.id, l.kind, -a.id, 'Admission fee', {ENTRY}
         from admission_requests q cross join admissions a on a.request_id = q.id
             cross join ledger l on l.admission_id = a.id
         where q.student_id = :student_id and {IS_OPEN} order by item, id"
    );
    let mut entries: Vec<Entry> = connection.list(&sql, params![student_id])?;
    let charged: Vec<_> =
        entries.iter().filter(|entry| entry.kind == EntryKind::Charge).map(|entry| entry.item).collect();
    entries.retain(|entry| charged.contains(&entry.item));
    Ok(entries)
}

/// Adds an invoice, and returns the number of its row.
pub fn insert(
    connection: &Connection,
    student_id: i64,
    body: &InvoiceBody,
    entries: &[Entry],
    user_id: i64,
    now: Timestamp,
) -> Result<i64> {
    let json = serde_json::to_string(body).map_err(anyhow::Error::from)?;
    let sql = "insert into invoices (number, student_id, issued_on, due_on, body_json, total_cents, created_by, created_at)
        values (:number, :student_id, :issued_on, :due_on, :json, :total, :user_id, :now)";
    let number = &body.number;
    let total = body.total_cents;
    let now = now.as_second();
    let issued_on = body.issued_on.to_string();
    let due_on = body.due_on.to_string();
    let id =
        connection.insert(sql, params![number, student_id, issued_on, due_on, json, total, user_id, now])?;
    for entry in entries {
        let sql = "insert into invoice_entries (invoice_id, ledger_id) values (:id, :entry)";
        connection.run(sql, params![id, entry = entry.id])?;
    }
    Ok(id)
}

/// Notes when an invoice was first emailed.
pub fn note_sent(connection: &Connection, id: i64, now: Timestamp) -> Result<()> {
    let sql = "update invoices set sent_at = :now where id = :id and sent_at is null";
    connection.run(sql, params![id, now = now.as_second()])
}

/// Why an invoice is cancelled, and by what.
#[derive(Debug, Clone, Copy)]
pub struct Cancellation<'a> {
    /// Why, in words.
    pub reason: &'a str,
    /// The number of its credit note.
    pub credit_note_number: &'a str,
}

/// Cancels an invoice with a reason and a credit note.
pub fn cancel(
    connection: &Connection,
    id: i64,
    Cancellation { reason, credit_note_number }: Cancellation<'_>,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    let sql = "update invoices set cancelled_at = :now, cancelled_by = :user_id, cancel_reason = :reason,
            credit_note_number = :credit_note_number where id = :id";
    connection.run(sql, params![id, reason, credit_note_number, user_id, now = now.as_second()])
}
