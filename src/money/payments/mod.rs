//! Payments: what was received, what it pays for, and its receipt.
//!
//! A payment is never edited or deleted: a mistake is reversed, with a reason, which voids its receipt. It is divided
//! among what is due inside the write, so that two people who record at once do not pay the same course twice; what is
//! left stays on account. Absent until its own issue: bank files, reminders, refunds.

mod allocating;
pub mod codes;
mod divided;
mod drawer;
mod emails;
mod how_to_pay;
pub mod invoices;
pub mod own;
pub mod page;
pub mod receipts;
pub mod rules;
pub mod statement;
mod store;

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::response::Response;
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

pub use self::drawer::totals;
use self::emails::ReversedPayment;
use self::receipts::Receipt;
use self::rules::{NewPayment, PaymentForm, Target};
use self::store::Recording;
pub use self::store::of_student;
use crate::audit::{self};
use crate::base::closed_set::ClosedSet;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::money::Money;
use crate::decisions::Decision;
use crate::mail::{Cause, outbox};
use crate::money::ledger::payouts;
use crate::money::ledger::{self, FeeItem, Fees, Payer, PaymentMethod};
use crate::staff::context::staff_context;
use crate::staff::{Duty, Staff, may};
use crate::students::{self, Student};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::description::{Description, Parameter};
use crate::web::form::form;
use crate::web::id::{Id, Numbered, numbered};
use crate::web::idempotency::{Idempotent, Once};
use crate::web::pagination::{ListQuery, Listed, SheetQuery, SheetRequest};
use crate::web::query;
use crate::web::sheet::sheet_row;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_payments, record_payment, reverse_payment]
        .merge(allocating::routes())
        .merge(divided::routes())
        .merge(drawer::routes())
        .merge(invoices::routes())
        .merge(own::routes())
        .merge(page::routes())
        .merge(statement::routes())
}

/// A payment in the office's list.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Payment {
    /// Number of the payment.
    pub id: i64,
    /// The student; null for a family whose application has no student yet.
    #[schema(required)]
    pub student_id: Option<i64>,
    /// The student's number.
    #[schema(required)]
    pub student_number: Option<String>,
    /// The student's name, or the applicant's.
    pub student_name: String,
    /// Who paid, if not the student.
    #[schema(required)]
    pub payer_name: Option<String>,
    /// Dollars.
    #[schema(value_type = f64)]
    pub amount: Money,
    /// How it came.
    pub method: PaymentMethod,
    /// What tells it from others.
    #[schema(required)]
    pub reference: Option<String>,
    /// When it came.
    pub received_on: Date,
    /// When it was brought to the bank.
    #[schema(required)]
    pub deposited_on: Option<Date>,
    /// Number of the receipt.
    pub receipt_number: String,
    /// When it was reversed, and its receipt became void.
    #[schema(required)]
    pub voided_at: Option<Timestamp>,
    /// Dollars of it that are on account.
    #[schema(value_type = f64)]
    pub unapplied: Money,
    /// Username of the staff member who recorded it.
    #[schema(required)]
    pub by: Option<String>,
    /// When it was recorded.
    pub created_at: Timestamp,
}

numbered!(Payment, "Payment");

/// A payment with the day at the school on which it was reversed.
#[derive(Serialize)]
#[serde(transparent)]
struct ListedPayment {
    payment: Payment,
    #[serde(skip)]
    void_on: Option<Date>,
}

sheet_row! { ListedPayment, "payments", |row|
    "Received on": row.payment.received_on,
    "Receipt": row.payment.receipt_number,
    "Number": row.payment.student_number,
    "Student": row.payment.student_name,
    "Payer": row.payment.payer_name,
    "Method": row.payment.method,
    "Reference": row.payment.reference,
    "Amount": row.payment.amount,
    "On account": row.payment.unapplied,
    "Deposited on": row.payment.deposited_on,
    "Void": row.void_on,
}

/// `POST /api/admin/payments`' answer.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordedPayment {
    /// The payment.
    payment: Payment,
    /// Its receipt.
    receipt: IssuedReceipt,
    /// Numbers of the ledger's rows, one for each item that it pays for.
    ledger_ids: Vec<i64>,
    /// Dollars of it that are on account.
    #[schema(value_type = f64)]
    unapplied: Money,
}

impl RecordedPayment {
    /// Number of the payment.
    pub fn payment_id(&self) -> i64 {
        self.payment.id
    }

    /// Number of its receipt.
    pub fn receipt_number(&self) -> &str {
        &self.receipt.number
    }
}

/// The receipt of a payment.
#[derive(Debug, Serialize, ToSchema)]
pub struct IssuedReceipt {
    /// Its number.
    number: String,
}

/// A payment that was reversed, applied or moved.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChangedPayment {
    /// The payment as it is now.
    payment: Payment,
    /// Dollars of it that are on account.
    #[schema(value_type = f64)]
    unapplied: Money,
}

form! {
    /// `POST /api/admin/payments/{id}/reverse`' body.
    pub struct ReverseForm {
        /// Why, also on the void receipt: 3 to 500 characters.
        reason: String,
    }
}

/// Query parameters of the list of payments.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PaymentsQuery {
    /// Only those received on this day.
    #[serde(default)]
    #[param(value_type = Option<Date>)]
    day: String,
    /// Only those received in this way.
    #[serde(default)]
    #[param(value_type = Option<PaymentMethod>)]
    method: String,
}

/// A validated filter of the list of payments.
#[derive(Debug, Default)]
pub struct PaymentsFilter {
    /// The day.
    pub day: Option<Date>,
    /// The method.
    pub method: Option<PaymentMethod>,
}

impl<S: Send + Sync> FromRequestParts<S> for PaymentsFilter {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let query: PaymentsQuery = query::of(&parts.uri)?;
        let day = query::day(&query.day).map_err(|message| Error::field("day", message))?;
        let method = match query.method.as_str() {
            "" => None,
            word => Some(PaymentMethod::choose(word).map_err(|message| Error::field("method", message))?),
        };
        Ok(Self { day, method })
    }
}

impl Parameter for PaymentsFilter {
    fn describe(description: &mut Description<'_>) {
        description.refusal("400");
    }
}

/// Payments, those received last first; searched by student, number, payer, reference and receipt. A reversed one stays
/// in the list, with the time in `voidedAt`.
#[utoipa::path(get, path = "/api/admin/payments", tag = "payments", params(ListQuery, PaymentsQuery,
        SheetQuery),
    responses((status = 200, content((Vec<Payment> = "application/json"), (String = "text/csv")),
            headers(("X-Total-Count" = i64, description = "Rows that match, on every page"))),
        (status = 403, body = ErrorBody, description = "The role takes no sheets")))]
async fn list_payments(
    staff: Staff<may::Balances>,
    State(app): State<App>,
    filter: PaymentsFilter,
    SheetRequest(page): SheetRequest,
) -> Result<Response> {
    if page.is_sheet() {
        staff.require(Duty::Money)?;
    }
    let asked = page.clone();
    let listed = asked.ask(&app.db, move |page, connection| store::list(connection, page, &filter)).await?;
    let zone = app.config.school().zone();
    let row = |payment: Payment| ListedPayment {
        void_on: payment.voided_at.map(|at| at.to_zoned(zone.clone()).date()),
        payment,
    };
    let listed = Listed { rows: listed.rows.into_iter().map(row).collect(), total: listed.total };
    audit::respond(&app, staff.actor(), &page, listed).await
}

/// Record a payment of a student or an applicant, divide it among what is due, and issue its receipt
#[utoipa::path(post, path = "/api/admin/payments", tag = "payments", request_body = PaymentForm,
    responses((status = 404, body = ErrorBody, description = "No such student, enrollment or admission"),
        (status = 409, body = ErrorBody, description = "It looks like an earlier payment (`possible_duplicate`, \
            with that one in `current`), or the key was used for another request (`idempotency_key_reused`)")))]
async fn record_payment(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Idempotent { key, body }: Idempotent<PaymentForm>,
) -> Result<Once<RecordedPayment>> {
    let new = NewPayment::parse(&body, app.today())?;
    let context = PaymentContext::new(&app, &staff);
    app.write_and_notify(move |connection| {
        key.once(connection, context.user_id, context.now, || context.record(connection, &new, key.as_str()))
    })
    .await
}

/// Reverse a payment: what it paid for is due again, its receipt is void, and those who got the receipt are told
#[utoipa::path(post, path = "/api/admin/payments/{id}/reverse", tag = "payments", request_body = ReverseForm,
    responses((status = 409, body = ErrorBody, description = "It was reversed before, and `current` is the payment; or \
        some of it was refunded")))]
async fn reverse_payment(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Id(id, ..): Id<Payment>,
    Idempotent { key, body }: Idempotent<ReverseForm>,
) -> Result<Once<ChangedPayment>> {
    let reason = body.reason.between(3, 500, "Say why it is reversed, in at least 3 characters");
    let reason = reason.map_err(|message| FieldErrors::one("reason", message))?;
    let context = PaymentContext::new(&app, &staff);
    app.write_and_notify(move |connection| {
        key.once(connection, context.user_id, context.now, || context.reverse(connection, id, &reason))
    })
    .await
}

staff_context! {
    /// Who records, when, and under what configuration.
    PaymentContext
}

impl PaymentContext {
    /// Records a payment, divides it and issues its receipt.
    ///
    /// # Errors
    /// 404 when what it names is not one payer's; 409 when it looks like an earlier one.
    pub fn record(
        &self,
        connection: &Connection,
        new: &NewPayment,
        key: Option<&str>,
    ) -> Result<RecordedPayment> {
        let payer = payer(connection, new)?;
        if !new.is_confirmed
            && let Some(earlier) = store::duplicate(connection, payer, new)?
        {
            let message = format!(
                "This looks like receipt {}. Record it again only if it was paid twice.",
                earlier.receipt_number
            );
            return Err(Error::Lacking("possible_duplicate", message, Box::new(json!(earlier))));
        }
        let fees = Fees::read(connection, payer)?;
        let parts = new.divide(&fees.open(), &fees.per_item())?;
        // The receipt of a line from the bank waits until its import can no longer be reversed unnoticed.
        let decision = match new.import_line_id {
            Some(_) => {
                let user_id = self.user_id;
                let office = &self.config.office;
                Some(Decision::begin(connection, "record", user_id, None, office, self.now)?)
            }
            None => None,
        };
        let decision_id = decision.as_ref().map(Decision::id);
        let recording = Recording { key, decision_id, user_id: self.user_id, now: self.now };
        let id = store::insert(connection, payer, new, recording)?;
        let ledger_ids = ledger::post_payment(connection, id, &parts, None, self.user_id, self.now)?;
        let body = receipts::issue(connection, id, payer, new, &parts, &self.config, self.now)?;
        let receipt = Receipt { body, void: None };
        let paper = page::paper(&receipt, &self.config.school().zone());
        let body = receipt.body;
        for to in &body.sent_to {
            let email = emails::receipt(to, &body, &paper, &self.config)?;
            match &decision {
                Some(decision) => {
                    outbox::enqueue_held(connection, &email, decision.hold(), &self.config, self.now)?;
                }
                None => {
                    outbox::enqueue(connection, &email, Cause::Office, &self.config, self.now)?;
                }
            }
        }
        let payment = store::find(connection, id)?.ok_or_else(Payment::not_found)?;
        let detail = json!({
            "studentId": payment.student_id, "amount": new.amount, "method": new.method, "receipt": body.number,
            "isReceiptSent": !body.sent_to.is_empty(),
        });
        audit::record(connection, &self.actor, "record", "payment", id, detail, self.now)?;
        let receipt = IssuedReceipt { number: body.number };
        let unapplied = payment.unapplied;
        Ok(RecordedPayment { payment, receipt, ledger_ids, unapplied })
    }

    /// Reverses a payment, and makes its receipt void.
    ///
    /// # Errors
    /// 404 when there is no such payment; 409 when it was reversed before.
    pub fn reverse(&self, connection: &Connection, id: i64, reason: &str) -> Result<ChangedPayment> {
        let before = store::find(connection, id)?.ok_or_else(Payment::not_found)?;
        if before.voided_at.is_some() {
            let message =
                format!("This payment was reversed before; receipt {} is void.", before.receipt_number);
            return Err(Error::conflict(message, &before));
        }
        let returned = payouts::of_payment(connection, id)?;
        if returned.cents() > 0 {
            let message = format!("{returned} of this payment was refunded, so it cannot be reversed.");
            return Err(Error::conflict(message, &before));
        }
        let items = ledger::reverse_payment(connection, id, self.user_id, self.now)?;
        for item in &items {
            ledger::check(connection, *item, &before)?;
        }
        let consequence = match (items.is_empty(), before.unapplied.cents() > 0) {
            (true, _) => "the money is no longer on your account",
            (false, true) => "what it paid for is due again, and the rest is no longer on your account",
            (false, false) => "what it paid for is due again",
        };
        store::reverse(connection, id, reason, self.user_id, self.now)?;
        let body = receipts::make_void(connection, id, reason, self.now)?;
        let today = self.today;
        let withdrawn = match store::decision_of(connection, id)? {
            Some(decision) => outbox::withdraw_held(connection, &decision)?,
            None => Vec::new(),
        };
        // A receipt that never left needs no word that it is void.
        let mut told = receipts::told_of_void(connection, before.student_id, &body, today)?;
        told.retain(|to| !withdrawn.contains(to));
        let reversed = ReversedPayment { consequence, reason };
        for to in told {
            let email = emails::void(&to, &body, &reversed, &self.config)?;
            outbox::enqueue(connection, &email, Cause::Office, &self.config, self.now)?;
        }
        let payment = store::find(connection, id)?.ok_or_else(Payment::not_found)?;
        let detail = json!({
            "studentId": payment.student_id, "amount": payment.amount, "receipt": body.number, "reason": reason,
        });
        audit::record(connection, &self.actor, "reverse", "payment", id, detail, self.now)?;
        Ok(payment.into())
    }
}

impl From<Payment> for ChangedPayment {
    fn from(payment: Payment) -> Self {
        let unapplied = payment.unapplied;
        Self { payment, unapplied }
    }
}

/// The student of a payment; rejects items of another student.
fn payer(connection: &Connection, new: &NewPayment) -> Result<Payer> {
    let items: Vec<FeeItem> = match &new.target {
        Target::OldestFirst => Vec::new(),
        Target::One(item) => vec![*item],
        Target::Parts(parts) => parts.iter().map(|part| part.item).collect(),
    };
    let mut payer = match new.student_id {
        None => None,
        Some(id) => {
            let id = students::store::goes_on_as(connection, id)?.ok_or_else(Student::not_found)?;
            Some(Payer::Student(id))
        }
    };
    for item in items {
        payer = Some(ledger::expect_payer(connection, item, payer)?);
    }
    payer.ok_or_else(Student::not_found)
}
