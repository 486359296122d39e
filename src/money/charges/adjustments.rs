//! Waivers, refunds, and reversals of single entries. Each is append-only, with a reason, and the student is told.

use axum::extract::State;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::context::{MoneyContext, NewlyPosted, PostedEntry};
use super::emails;
use super::object;
use super::rules::{Refund, RefundForm, ReverseEntryForm, Waiver, reason};
use crate::audit;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::money::Money;
use crate::money::ledger::payouts::{self, From, NewPayout};
use crate::money::ledger::{self, EntryKind, FeeItem, LedgerEntry, NewEntry, Payer, entries};
use crate::money::refunds::tasks;
use crate::staff::{Staff, may};
use crate::storage::statements::{Statements, params};
use crate::students::Student;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::{Id, Numbered, numbered};
use crate::web::idempotency::{Idempotent, Once};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![post_refund, reverse_entry]
}

numbered!(LedgerEntry, "Entry");

/// Note that money was refunded: what was paid for an item, or what lies on account; the student is told by email
#[utoipa::path(post, path = "/api/admin/students/{id}/refunds", tag = "money", request_body = RefundForm,
    responses((status = 404, body = ErrorBody, description = "No such student, or it is another's"),
        (status = 409, body = ErrorBody, description = "It is more than was paid, or more than is on account")))]
async fn post_refund(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Id(student_id, ..): Id<Student>,
    Idempotent { key, body }: Idempotent<RefundForm>,
) -> Result<Once<PostedEntry>> {
    let context = MoneyContext::new(&app, &staff);
    let refund = Refund::parse(&body, context.today)?;
    app.write_and_notify(move |connection| {
        key.once(connection, context.user_id, context.now, || context.refund(connection, student_id, &refund))
    })
    .await
}

/// Take an entry of the ledger back, with a reason. A part of a payment is on account again, and its receipt stays
#[utoipa::path(post, path = "/api/admin/ledger/{id}/reverse", tag = "money", request_body = ReverseEntryForm,
    responses((status = 409, body = ErrorBody, description = "It was reversed before, is a reversal itself, or \
        more would be waived than charged or refunded than paid")))]
async fn reverse_entry(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Id(id, ..): Id<LedgerEntry>,
    Idempotent { key, body }: Idempotent<ReverseEntryForm>,
) -> Result<Once<PostedEntry>> {
    let reason = reason(&body.reason).map_err(|message| FieldErrors::one("reason", message))?;
    let context = MoneyContext::new(&app, &staff);
    app.write_and_notify(move |connection| {
        key.once(connection, context.user_id, context.now, || context.reverse(connection, id, &reason))
    })
    .await
}

impl MoneyContext {
    /// Waives a part of an item.
    pub fn waive(&self, connection: &Connection, student_id: i64, waiver: &Waiver) -> Result<PostedEntry> {
        let student = Self::student(connection, student_id)?;
        let id = self.post_waiver(connection, student_id, waiver)?;
        let new = NewlyPosted { entry_id: id, item: waiver.item };
        let posted = Self::posted(connection, Payer::Student(student_id), Some(new))?;
        self.send(connection, &student, &emails::waived(&student, &posted, &self.config))?;
        Ok(posted)
    }

    fn post_waiver(&self, connection: &Connection, student_id: i64, waiver: &Waiver) -> Result<i64> {
        let Waiver { item, amount, reason } = waiver;
        let payer = Payer::Student(student_id);
        ledger::expect_payer(connection, *item, Some(payer))?;
        let before = Self::unposted(connection, payer, Some(*item))?;
        let most = before.item.as_ref().map_or(0, |item| item.charged.cents() - item.waived.cents());
        limit(*amount, most, "waived", &before)?;
        let item = *item;
        let amount = *amount;
        let description = reason.as_str();
        let entry = NewEntry { item, kind: EntryKind::Waiver, amount, description, charge: None };
        let id = ledger::post(connection, &entry, self.user_id, self.now)?;
        let detail = json!({ "studentId": student_id, "entry": id, "amount": amount, "reason": reason });
        let (name, object_id) = object(item);
        audit::record(connection, &self.actor, "waive", name, object_id, detail, self.now)?;
        Ok(id)
    }

    /// Notes that money was refunded.
    pub fn refund(&self, connection: &Connection, student_id: i64, refund: &Refund) -> Result<PostedEntry> {
        let student = Self::student(connection, student_id)?;
        let payout = NewPayout {
            student_id,
            method: refund.method,
            reference: refund.reference.as_deref(),
            paid_on: refund.paid_on,
            reason: &refund.reason,
            task_id: tasks::towards(connection, student_id, refund.item)?,
        };
        if let Some(item) = refund.item.filter(|_| refund.waive.cents() > 0) {
            let waiver = Waiver { item, amount: refund.waive, reason: refund.reason.clone() };
            self.post_waiver(connection, student_id, &waiver)?;
        }
        let payer = Payer::Student(student_id);
        let new = match refund.item {
            Some(item) => {
                let entry_id = self.refund_item(connection, item, &payout, refund.amount)?;
                Some(NewlyPosted { entry_id, item })
            }
            None => {
                self.refund_account(connection, payer, &payout, refund.amount)?;
                None
            }
        };
        let detail = json!({
            "studentId": student_id, "entry": new.map(|new| new.entry_id), "amount": refund.amount,
            "method": refund.method, "paidOn": refund.paid_on, "reason": refund.reason,
        });
        let (name, object_id) = refund.item.map_or(("student", student_id), object);
        audit::record(connection, &self.actor, "refund", name, object_id, detail, self.now)?;
        let posted = Self::posted(connection, payer, new)?;
        self.send(connection, &student, &emails::refunded(&student, &posted, refund, &self.config))?;
        Ok(posted)
    }

    fn refund_item(
        &self,
        connection: &Connection,
        item: FeeItem,
        payout: &NewPayout<'_>,
        amount: Money,
    ) -> Result<i64> {
        let payer = Payer::Student(payout.student_id);
        ledger::expect_payer(connection, item, Some(payer))?;
        let before = Self::unposted(connection, payer, Some(item))?;
        let most = before.item.as_ref().map_or(0, |item| item.paid.cents() - item.refunded.cents());
        limit(amount, most, "refunded", &before)?;
        let entry =
            NewEntry { item, kind: EntryKind::Refund, amount, description: payout.reason, charge: None };
        let id = ledger::post(connection, &entry, self.user_id, self.now)?;
        payouts::insert(connection, payout, From::Ledger(id), amount, self.user_id, self.now)?;
        Ok(id)
    }

    /// From the earliest payments of which something is left.
    fn refund_account(
        &self,
        connection: &Connection,
        payer: Payer,
        payout: &NewPayout<'_>,
        amount: Money,
    ) -> Result<()> {
        let before = Self::unposted(connection, payer, None)?;
        let mut left = amount.cents();
        for (payment_id, held) in payouts::held(connection, payer)? {
            let part = Money::from_cents(held.cents().min(left));
            left -= part.cents();
            if part.cents() > 0 {
                let from = From::Payment(payment_id);
                payouts::insert(connection, payout, from, part, self.user_id, self.now)?;
            }
        }
        if left > 0 {
            let held = Money::from_cents(amount.cents() - left);
            let message = format!("Only {held} is on account, so {amount} cannot be refunded from it.");
            return Err(Error::conflict(message, &before));
        }
        Ok(())
    }

    /// Takes an entry back.
    pub fn reverse(&self, connection: &Connection, id: i64, reason: &str) -> Result<PostedEntry> {
        let sql = "select enrollment_id, admission_id from ledger where id = :id";
        let item: FeeItem = connection.find(sql, params![id])?.ok_or_else(LedgerEntry::not_found)?;
        let payer = ledger::payer_of(connection, item)?.ok_or_else(LedgerEntry::not_found)?;
        let before = entries::one(connection, payer, id)?.ok_or_else(LedgerEntry::not_found)?;
        if before.kind == EntryKind::Reversal {
            let message = "This entry is a reversal itself. Post the original again instead.";
            return Err(Error::conflict(message, &before));
        }
        if before.reversed_by.is_some() {
            return Err(Error::conflict("This entry was reversed before.", &before));
        }
        let reversal = ledger::reverse(connection, id, reason, self.user_id, self.now)?;
        if before.kind == EntryKind::Refund {
            payouts::reverse_of_entry(connection, id, reason, self.user_id, self.now)?;
        }
        ledger::check(connection, item, &before)?;
        let student_id = match payer {
            Payer::Student(id) => Some(id),
            Payer::Request(_) => None,
        };
        let detail = json!({
            "studentId": student_id, "entry": id, "kind": before.kind, "amount": before.amount, "reason": reason,
        });
        let (name, object_id) = object(item);
        audit::record(connection, &self.actor, "reverse", name, object_id, detail, self.now)?;
        let posted = Self::posted(connection, payer, Some(NewlyPosted { entry_id: reversal, item }))?;
        // A part of a payment goes back on account: nothing that the family was told is different.
        if let Some(student_id) = student_id.filter(|_| before.kind != EntryKind::Payment) {
            let student = Self::student(connection, student_id)?;
            let email = emails::corrected(&student, &posted, &before, reason, &self.config);
            self.send(connection, &student, &email)?;
        }
        Ok(posted)
    }
}

/// Refuses more than an item has.
fn limit(amount: Money, most: i64, verb: &str, before: &PostedEntry) -> Result<()> {
    if amount.cents() <= most {
        return Ok(());
    }
    let most = Money::from_cents(most.max(0));
    Err(Error::conflict(format!("At most {most} of it can be {verb}."), before))
}
