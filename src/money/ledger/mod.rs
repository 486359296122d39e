//! The ledger: what is owed and what was paid, in cents, row by row.
//!
//! A row is never edited or deleted. A payment (`payments`) has a row for each item that it pays for; what is left of it
//! is on account. The view `balances` says what each item comes to: nothing else adds up money.

mod admission;
pub mod aging;
pub mod entries;
pub mod holds;
mod items;
pub mod kept;
pub mod payouts;
pub mod plans;
pub mod total_due;
mod transfers;

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;

pub use self::admission::{FeePart, charge_admission, parts_of_admission};
pub use self::entries::{FeeEntry, LedgerEntry};
use self::holds::Hold;
pub use self::items::{
    FeeItem, Fees, Instalment, ItemDue, ItemFees, OpenCharge, OpenPart, PastItem, all_before, check,
    expect_payer, of_student_before, parts_and_rests, payer_of, uncovered,
};
pub use self::transfers::{Moved, Replacement, TransferPrice, freed, go_on, transfer};
use crate::base::closed_set::closed_set;
use crate::base::error::Result;
use crate::base::money::Money;
use crate::storage::statements::{Statements, params};

/// The account's holder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payer {
    /// A student, by id.
    Student(i64),
    /// A family whose application has no student yet, by the application's id.
    Request(i64),
}

closed_set! {
    /// What a row of the ledger is.
    pub enum EntryKind {
        /// Something is to be paid.
        Charge = "charge",
        /// Something was paid.
        Payment = "payment",
        /// Something need not be paid.
        Waiver = "waiver",
        /// Something was refunded.
        Refund = "refund",
        /// Undoes another row.
        Reversal = "reversal",
    }
}

closed_set! {
    /// What a charge is for.
    pub enum ChargedFor {
        /// A course.
        Course = "course",
        /// A place at the school.
        Admission = "admission",
        /// A part that is paid ahead.
        Deposit = "deposit",
        /// Books and material.
        Material = "material",
        /// Paying late.
        Late = "late",
        /// Anything else.
        Other = "other",
    }
}

closed_set! {
    /// How money came, or was refunded.
    pub enum PaymentMethod {
        /// Interac e-Transfer.
        ETransfer = "e_transfer" => "e-Transfer",
        /// A cheque.
        Cheque = "cheque" => "Cheque",
        /// Cash.
        Cash = "cash" => "Cash",
        /// A card, at the office's terminal.
        Card = "card" => "Card",
        /// A wire transfer.
        Wire = "wire" => "Wire transfer",
        /// Through a payment site.
        Online = "online" => "Online",
        /// Any other way.
        Other = "other" => "Other",
    }
}

impl PaymentMethod {
    /// The end of "A payment" or "a refund": " by cheque"; empty for any other way.
    pub fn adverb(self) -> &'static str {
        match self {
            Self::ETransfer => " by e-Transfer",
            Self::Cheque => " by cheque",
            Self::Cash => " in cash",
            Self::Card => " by card",
            Self::Wire => " by wire transfer",
            Self::Online => " online",
            Self::Other => "",
        }
    }
}

/// Posts the price of an enrollment; a price of nothing posts nothing. `decision` is the undoable decision; `user_id`
/// is `None` if the student accepted an offered place.
pub fn charge_enrollment(
    connection: &Connection,
    enrollment_id: i64,
    price: Money,
    due_on: Date,
    decision: Option<&str>,
    user_id: Option<i64>,
    now: Timestamp,
) -> Result<()> {
    if price.cents() == 0 {
        return Ok(());
    }
    let sql =
        "insert into ledger (kind, amount_cents, enrollment_id, due_on, item, decision_id, created_by, created_at)
        values (:kind, :price, :enrollment_id, :due_on, :item, :decision, :user_id, :now)";
    let values = params! {
        kind = EntryKind::Charge, item = ChargedFor::Course, price, enrollment_id, due_on = due_on.to_string(), decision, user_id,
        now = now.as_second(),
    };
    connection.run(sql, values)
}

/// The fee of a longer enrollment.
#[derive(Debug, Clone, Copy)]
pub struct ExtensionFee {
    /// How much.
    pub amount: Money,
    /// By when it is paid.
    pub due_on: Date,
}

/// Posts the fee of a longer enrollment, with the decision that makes it longer; a fee of nothing posts nothing.
pub fn charge_extension(
    connection: &Connection,
    enrollment_id: i64,
    fee: ExtensionFee,
    description: &str,
    decision: &str,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    let ExtensionFee { amount, due_on } = fee;
    if amount.cents() == 0 {
        return Ok(());
    }
    let sql = "insert into ledger (kind, amount_cents, enrollment_id, due_on, item, description, decision_id, created_by,
            created_at)
        values ('charge', :amount, :enrollment_id, :due_on, 'other', :description, :decision, :user_id, :now)";
    let due_on = due_on.to_string();
    let now = now.as_second();
    connection.run(sql, params![amount, enrollment_id, due_on, description, decision, user_id, now])
}

/// Forgives a part of the fee of an enrollment, with the decision that ends it; forgiving nothing posts nothing.
/// The caller checks that no more is waived than charged.
pub fn waive_enrollment(
    connection: &Connection,
    enrollment_id: i64,
    amount: Money,
    description: &str,
    decision: &str,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    if amount.cents() == 0 {
        return Ok(());
    }
    let sql = "insert into ledger (kind, amount_cents, enrollment_id, description, decision_id, created_by, created_at)
        values ('waiver', :amount, :enrollment_id, :description, :decision, :user_id, :now)";
    let now = now.as_second();
    connection.run(sql, params![amount, enrollment_id, description, decision, user_id, now])
}

/// Takes an item's fee back: reverses its charges and waivers that are not reversed yet, and what was paid on it, which
/// is on account from then on. What of it was refunded already stays paid.
pub fn reverse_charges(
    connection: &Connection,
    item: FeeItem,
    decision: Option<&str>,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    free(connection, item, true, decision, user_id, now)
}

/// Waives what an enrollment costs in full, with the decision of the school to cancel its section; what was paid on it is
/// on account from then on. What of it was refunded already stays paid.
pub fn cancel_enrollment(
    connection: &Connection,
    id: i64,
    description: &str,
    decision: &str,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    free(connection, FeeItem::Enrollment(id), false, Some(decision), user_id, now)?;
    let sql = "select max(0, charged - waived) from enrollment_balances where enrollment_id = :id";
    let rest: Option<Money> = connection.find(sql, params![id])?;
    waive_enrollment(connection, id, rest.unwrap_or_default(), description, decision, user_id, now)
}

/// Reverses what was paid on an item, and `with_charges` its charges and waivers.
fn free(
    connection: &Connection,
    item: FeeItem,
    with_charges: bool,
    decision: Option<&str>,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    let (enrollment_id, admission_id) = item.ids();
    let id = enrollment_id.or(admission_id);
    let now = now.as_second();
    let sql = "select l.payment_id, l.amount_cents from ledger l where l.id in (
            select id from ledger where enrollment_id = :enrollment_id
            union all select id from ledger where admission_id = :admission_id)
        and l.kind = 'payment' and l.payment_id is not null
        and not exists (select 1 from ledger r where r.reverses_id = l.id) order by l.id";
    let paid: Vec<(i64, i64)> = connection.list(sql, params![enrollment_id, admission_id])?;
    let sql = "insert into ledger (kind, amount_cents, enrollment_id, admission_id, reverses_id, decision_id, created_by,
            created_at)
        select 'reversal', l.amount_cents, l.enrollment_id, l.admission_id, l.id, :decision, :user_id, :now
        from ledger l where l.id in (
            select id from ledger where enrollment_id = :enrollment_id
            union all select id from ledger where admission_id = :admission_id)
        and (:with_charges and l.kind in ('charge', 'waiver') or l.kind = 'payment' and l.payment_id is not null)
        and not exists (select 1 from ledger r where r.reverses_id = l.id)";
    connection.run(sql, params![enrollment_id, admission_id, with_charges, decision, user_id, now])?;
    let refunded = match item {
        FeeItem::Enrollment(_) => "select refunded from enrollment_balances where enrollment_id = :id",
        FeeItem::Admission(_) => "select refunded from admission_balances where admission_id = :id",
    };
    let mut kept: i64 = connection.find(refunded, params![id])?.unwrap_or_default();
    let sql = "insert into ledger (kind, amount_cents, enrollment_id, admission_id, payment_id, decision_id, created_by,
            created_at)
        values ('payment', :cents, :enrollment_id, :admission_id, :payment_id, :decision, :user_id, :now)";
    for (payment_id, amount) in paid {
        let cents = amount.min(kept);
        kept -= cents;
        if cents > 0 {
            connection
                .run(sql, params![cents, enrollment_id, admission_id, payment_id, decision, user_id, now])?;
        }
    }
    Ok(())
}

/// Undoes the entries of a decision: reverses what it posted, and posts again what it reversed, with the same due date. A
/// payment that was reversed meanwhile, or has gone elsewhere, stays where it is.
///
/// # Errors
/// 409 with `current` when more would be refunded of an item than was paid for it, as money was refunded meanwhile.
pub fn take_back(
    connection: &Connection,
    decision: &str,
    user_id: i64,
    now: Timestamp,
    current: &impl Serialize,
) -> Result<()> {
    for sql in [
        "insert into ledger (kind, amount_cents, enrollment_id, admission_id, reverses_id, created_by, created_at)
         select 'reversal', amount_cents, enrollment_id, admission_id, id, :user_id, :now from ledger l
         where decision_id = :decision and kind in ('charge', 'waiver', 'payment')
             and not exists (select 1 from ledger r where r.reverses_id = l.id)",
        "insert into ledger (kind, amount_cents, enrollment_id, admission_id, due_on, description, payment_id,
             tax_cents, item, created_by, created_at)
         select kind, amount_cents, enrollment_id, admission_id, due_on, description, payment_id, tax_cents, item, :user_id, :now
         from (
             select undone.kind, l.amount_cents, l.enrollment_id, l.admission_id, undone.due_on, undone.description,
                 undone.payment_id, undone.tax_cents, undone.item,
                 sum(l.amount_cents) over (partition by undone.payment_id order by l.id) as so_far
             from ledger l indexed by ledger_decision cross join ledger undone on undone.id = l.reverses_id
             where l.decision_id = :decision and l.kind = 'reversal' and undone.kind in ('charge', 'waiver', 'payment'))
         where payment_id is null or so_far <= (select unapplied_cents from payments_held where id = payment_id)",
    ] {
        connection.run(sql, params![decision, user_id, now = now.as_second()])?;
    }
    let sql = "select distinct enrollment_id, admission_id from ledger indexed by ledger_decision
        where decision_id = :decision";
    for item in connection.list(sql, params![decision])? {
        limit_waivers(connection, item, user_id, now)?;
        check(connection, item, current)?;
    }
    Ok(())
}

/// The students on whose items a decision posted something.
pub fn students_of(connection: &Connection, decision: &str) -> Result<Vec<i64>> {
    let sql = "select distinct coalesce(e.student_id, q.student_id)
        from ledger l indexed by ledger_decision left join enrollments e on e.id = l.enrollment_id
            left join admissions a on a.id = l.admission_id left join admission_requests q on q.id = a.request_id
        where l.decision_id = :decision and coalesce(e.student_id, q.student_id) is not null";
    connection.list(sql, params![decision])
}

/// A waiver is not money: what is waived beyond what is charged by now is reversed, the newest first.
fn limit_waivers(connection: &Connection, item: FeeItem, user_id: i64, now: Timestamp) -> Result<()> {
    let (over, live) = match item {
        FeeItem::Enrollment(_) => (
            "select waived - charged from enrollment_balances where enrollment_id = :id",
            "select id, amount_cents, coalesce(description, '') from ledger l where enrollment_id = :id
                 and kind = 'waiver' and not exists (select 1 from ledger r where r.reverses_id = l.id) order by id desc",
        ),
        FeeItem::Admission(_) => (
            "select waived - charged from admission_balances where admission_id = :id",
            "select id, amount_cents, coalesce(description, '') from ledger l where admission_id = :id
                 and kind = 'waiver' and not exists (select 1 from ledger r where r.reverses_id = l.id) order by id desc",
        ),
    };
    let id = item.ids().0.or(item.ids().1);
    let mut over: i64 = connection.find(over, params![id])?.unwrap_or_default();
    if over <= 0 {
        return Ok(());
    }
    let waivers: Vec<(i64, i64, String)> = connection.list(live, params![id])?;
    for (id, cents, description) in waivers {
        if over > 0 {
            reverse(connection, id, "The charge was reversed", user_id, now)?;
            let amount = Money::from_cents((cents - over).max(0));
            let rest =
                NewEntry { item, kind: EntryKind::Waiver, amount, description: &description, charge: None };
            if amount.cents() > 0 {
                post(connection, &rest, user_id, now)?;
            }
            over -= cents;
        }
    }
    Ok(())
}

/// What a charge is for, and by when it is paid.
#[derive(Debug, Clone, Copy)]
pub struct ChargeDetails {
    /// What it is for.
    pub is_for: ChargedFor,
    /// By when.
    pub due_on: Date,
    /// The tax in it.
    pub tax: Money,
}

/// A charge, waiver or refund that the office posts.
#[derive(Debug)]
pub struct NewEntry<'a> {
    /// On what.
    pub item: FeeItem,
    /// Charge, waiver or refund.
    pub kind: EntryKind,
    /// How much.
    pub amount: Money,
    /// What it is for, or why.
    pub description: &'a str,
    /// Of a charge: what else is known of it.
    pub charge: Option<ChargeDetails>,
}

/// Posts it, and returns its number.
pub fn post(connection: &Connection, entry: &NewEntry<'_>, user_id: i64, now: Timestamp) -> Result<i64> {
    let sql = "insert into ledger (kind, amount_cents, enrollment_id, admission_id, description, item, due_on, tax_cents,
            created_by, created_at)
        values (:kind, :amount, :enrollment_id, :admission_id, :description, :item, :due_on, :tax, :user_id, :now)";
    let NewEntry { item, kind, amount, description, charge } = entry;
    let (enrollment_id, admission_id) = item.ids();
    let due_on = charge.map(|charge| charge.due_on.to_string());
    let tax = charge.map_or(0, |charge| charge.tax.cents());
    let item = charge.map(|charge| charge.is_for);
    let now = now.as_second();
    let values =
        params![kind, amount, enrollment_id, admission_id, description, item, due_on, tax, user_id, now];
    connection.insert(sql, values)
}

/// Reverses one row, and returns the number of the reversal.
pub fn reverse(connection: &Connection, id: i64, reason: &str, user_id: i64, now: Timestamp) -> Result<i64> {
    let sql = "insert into ledger (kind, amount_cents, enrollment_id, admission_id, reverses_id, description, created_by,
            created_at)
        select 'reversal', amount_cents, enrollment_id, admission_id, id, :reason, :user_id, :now
        from ledger where id = :id";
    connection.insert(sql, params![id, reason, user_id, now = now.as_second()])
}

/// Rows of a payment on an item that are not reversed, with their amounts.
pub fn parts_on(connection: &Connection, payment_id: i64, item: FeeItem) -> Result<Vec<(i64, Money)>> {
    let (enrollment_id, admission_id) = item.ids();
    let sql = "select id, amount_cents from ledger l where payment_id = :payment_id and enrollment_id is :enrollment_id
            and admission_id is :admission_id and not exists (select 1 from ledger r where r.reverses_id = l.id)";
    connection.list(sql, params![payment_id, enrollment_id, admission_id])
}

/// A part of a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaymentPart {
    /// What it pays for.
    pub item: FeeItem,
    /// How much.
    pub amount: Money,
}

/// Posts the parts of a payment, and returns the numbers of the rows; `decision` is the undoable decision.
pub fn post_payment(
    connection: &Connection,
    payment_id: i64,
    parts: &[PaymentPart],
    decision: Option<&str>,
    user_id: i64,
    now: Timestamp,
) -> Result<Vec<i64>> {
    let sql = "insert into ledger (kind, amount_cents, enrollment_id, admission_id, payment_id, decision_id, created_by,
            created_at)
        values ('payment', :amount, :enrollment_id, :admission_id, :payment_id, :decision, :user_id, :now)";
    let mut ids = Vec::with_capacity(parts.len());
    for PaymentPart { item, amount } in parts {
        let (enrollment_id, admission_id) = item.ids();
        let now = now.as_second();
        let values = params![amount, enrollment_id, admission_id, payment_id, decision, user_id, now];
        ids.push(connection.insert(sql, values)?);
    }
    Ok(ids)
}

/// Reverses the parts of a payment that are not reversed yet, and returns the items that they were on.
pub fn reverse_payment(
    connection: &Connection,
    payment_id: i64,
    user_id: i64,
    now: Timestamp,
) -> Result<Vec<FeeItem>> {
    const LIVE: &str = "ledger l where payment_id = :payment_id
            and not exists (select 1 from ledger r where r.reverses_id = l.id)";
    let items = connection
        .list(&format!("select distinct enrollment_id, admission_id from {LIVE}"), params![payment_id])?;
    let sql = format!(
        "insert into ledger (kind, amount_cents, enrollment_id, admission_id, reverses_id, created_by, created_at)
        select 'reversal', amount_cents, enrollment_id, admission_id, id, :user_id, :now from {LIVE}"
    );
    connection.run(&sql, params![payment_id, user_id, now = now.as_second()])?;
    Ok(items)
}

/// A student's balance: what is owed on all items, less what is on account; negative if overpaid.
pub fn balance_of_student(connection: &Connection, student_id: i64) -> Result<Money> {
    let sql = "select coalesce(sum(cents), 0) from student_entries where student_id = :student_id";
    connection.one(sql, params![student_id])
}

/// What was paid or waived for an enrollment beyond what was charged.
pub fn credit_of_enrollment(connection: &Connection, enrollment_id: i64) -> Result<Money> {
    let sql = "select max(0, -balance) from enrollment_balances where enrollment_id = :enrollment_id";
    Ok(connection.find(sql, params![enrollment_id])?.unwrap_or_default())
}

/// What is on account: paid, and not applied to anything.
pub fn on_account(connection: &Connection, payer: Payer) -> Result<Money> {
    let (sql, id) = match payer {
        Payer::Student(id) => (
            "select coalesce(sum(h.unapplied_cents), 0)
             from student_payments p cross join payments_held h on h.id = p.id where p.student_id = :id",
            id,
        ),
        Payer::Request(id) => (
            "select coalesce(sum(h.unapplied_cents), 0)
             from payments p cross join payments_held h on h.id = p.id where p.request_id = :id",
            id,
        ),
    };
    connection.one(sql, params![id])
}

/// What of a student's money on account is not set aside, and so covers what is due.
pub fn free_on_account(connection: &Connection, student_id: i64, on_account: Money) -> Result<Money> {
    if on_account.cents() == 0 {
        return Ok(on_account);
    }
    let hold = holds::find(connection, student_id)?;
    Ok(Money::from_cents(Hold::free_of(hold.as_ref(), on_account.cents())))
}
