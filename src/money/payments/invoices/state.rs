//! The state of an invoice, computed from the ledger: how much of what is on it is paid, and whether it still says what
//! the ledger does.

use rusqlite::Connection;

use super::Invoice;
use crate::base::closed_set::closed_set;
use crate::base::error::Result;
use crate::money::ledger::FeeItem;
use crate::storage::statements::{Statements, from_row, params};

closed_set! {
    /// The state of an invoice.
    pub enum InvoiceState {
        /// Nothing of it is paid.
        Open = "open",
        /// A part of it is paid.
        PartlyPaid = "partly_paid",
        /// All of it is paid.
        Paid = "paid",
        /// Something on it was reversed, or waived after it.
        Changed = "changed",
        /// It was cancelled.
        Cancelled = "cancelled",
    }
}

/// What of an item is on an invoice, in cents.
struct Invoiced {
    item: FeeItem,
    cents: i64,
    is_reversed: bool,
}

from_row!(Invoiced { cents, is_reversed } and item);

/// What an item comes to, in cents.
struct Standing {
    balance: i64,
    charged_later: i64,
    waived_later: i64,
}

from_row!(Standing { balance, charged_later, waived_later });

impl InvoiceState {
    /// The state of an invoice. What is paid on an item covers the earlier charges first.
    ///
    /// # Errors
    /// Database errors.
    pub fn of(connection: &Connection, invoice: &Invoice) -> Result<Self> {
        Self::read(connection, invoice.id, invoice.cancelled_at.is_some())
    }

    /// The same by the number of its row.
    pub fn read(connection: &Connection, id: i64, is_cancelled: bool) -> Result<Self> {
        if is_cancelled {
            return Ok(Self::Cancelled);
        }
        let sql = "select l.enrollment_id, l.admission_id,
                sum(iif(l.kind = 'charge', l.amount_cents, -l.amount_cents)) as cents,
                max(exists (select 1 from ledger r where r.reverses_id = l.id)) as is_reversed
            from invoice_entries n cross join ledger l on l.id = n.ledger_id
            where n.invoice_id = :id group by l.enrollment_id, l.admission_id";
        let items: Vec<Invoiced> = connection.list(sql, params![id])?;
        let sql = "select max(ledger_id) from invoice_entries where invoice_id = :id";
        let last: Option<i64> = connection.one(sql, params![id])?;
        let mut total = 0;
        let mut open = 0;
        for Invoiced { item, cents, is_reversed } in items {
            let standing = Standing::read_after(connection, item, last.unwrap_or_default())?;
            if is_reversed || standing.waived_later > 0 {
                return Ok(Self::Changed);
            }
            total += cents;
            open += (standing.balance - standing.charged_later).clamp(0, cents.max(0));
        }
        Ok(match open {
            ..=0 => Self::Paid,
            open if open < total => Self::PartlyPaid,
            _ => Self::Open,
        })
    }
}

impl Standing {
    /// What an item comes to, and what was charged and waived on it after a row of the ledger and not reversed.
    fn read_after(connection: &Connection, item: FeeItem, last: i64) -> Result<Self> {
        let (enrollment_id, admission_id) = item.ids();
        let sql = "select
                coalesce(sum(iif(x.kind in ('charge', 'refund'), x.cents, -x.cents)), 0) as balance,
                coalesce(sum(iif(x.kind = 'charge' and x.posted > :last, x.cents, 0)), 0) as charged_later,
                coalesce(sum(iif(x.kind = 'waiver' and x.posted > :last, x.cents, 0)), 0) as waived_later
            from (
                select coalesce(undone.kind, l.kind) as kind, coalesce(l.reverses_id, l.id) as posted,
                    iif(l.kind = 'reversal', -l.amount_cents, l.amount_cents) as cents
                from (
                    select id from ledger where enrollment_id = :enrollment_id
                    union all select id from ledger where admission_id = :admission_id
                ) own cross join ledger l on l.id = own.id left join ledger undone on undone.id = l.reverses_id
            ) x";
        connection.one(sql, params![enrollment_id, admission_id, last])
    }
}
