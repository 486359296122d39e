//! What the office does with money, a call each, under a key that says what it is and by which the inspection finds it.
//! Nothing waits for two calls of one round, so that whatever order they come in, none is refused.

use std::path::Path;

use jiff::ToSpan as _;
use jiff::civil::Date;
use rusqlite::Row;
use serde_json::{Value, json};

use crate::calls::{Kind, list};

/// What waits at a school for a change of its money.
#[derive(Default)]
pub struct MoneyWaiting {
    students: Vec<i64>,
    /// Students and their enrollments, the newest last.
    charged: Vec<(i64, i64)>,
    unpriced: Vec<i64>,
    waivable: Vec<(i64, i64)>,
    refundable: Vec<(i64, i64)>,
    /// Of students with even numbers, by the student.
    held: Vec<i64>,
    /// Of students with odd numbers, by the payment.
    unapplied: Vec<i64>,
    charges: Vec<i64>,
    /// A payment, the enrollment that it pays for, and another one.
    parts: Vec<(i64, i64, i64)>,
    undeposited: Vec<i64>,
    /// Imports and their lines.
    lines: Vec<(i64, i64)>,
    imports: Vec<i64>,
    uninvoiced: Vec<i64>,
    invoices: Vec<String>,
    payouts: Vec<i64>,
}

impl MoneyWaiting {
    pub fn take_stock(data: &Path) -> Self {
        let ids = |sql: &str| list(data, sql, |row: &Row<'_>| row.get(0));
        let pairs = |sql: &str| list(data, sql, |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?)));
        Self {
            students: ids("select id from students where email like 'student%'"),
            charged: pairs(
                "select student_id, enrollment_id from enrollment_balances where charged > 0 order by enrollment_id",
            ),
            unpriced: ids(
                "select e.id from enrollments e where e.status = 'active'
                     and not exists (select 1 from ledger l where l.enrollment_id = e.id)",
            ),
            waivable: pairs(
                "select student_id, enrollment_id from enrollment_balances where charged - waived > 5000",
            ),
            refundable: pairs(
                "select student_id, enrollment_id from enrollment_balances
                 where paid - refunded >= 100 and enrollment_id % 2 = 0 and student_id % 2 = 0",
            ),
            held: ids(
                "select p.student_id from payments_held h join payments p on p.id = h.id
                 where p.student_id % 2 = 0 group by p.student_id having sum(h.unapplied_cents) >= 300",
            ),
            unapplied: ids(
                "select p.id from payments_held h join payments p on p.id = h.id
                 where p.student_id % 2 = 1 and p.idempotency_key like 'hold-%' and not h.is_reversed
                     and not exists (select 1 from ledger l where l.payment_id = p.id)",
            ),
            charges: ids(
                "select id from ledger l where kind = 'charge' and description like 'charge-%'
                     and not exists (select 1 from ledger r where r.reverses_id = l.id)",
            ),
            parts: list(
                data,
                // To the newest of the same student, which is paid last.
                "select l.payment_id, l.enrollment_id, max(o.enrollment_id)
                 from ledger l join payments p on p.id = l.payment_id join enrollment_balances e
                     on e.enrollment_id = l.enrollment_id join enrollment_balances o
                     on o.student_id = e.student_id and o.balance >= 10000 and o.enrollment_id > e.enrollment_id
                 where p.idempotency_key like 'pay-%' and l.enrollment_id % 2 = 1 and l.amount_cents >= 100
                     and not exists (select 1 from ledger r where r.reverses_id = l.id)
                 group by l.payment_id",
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
            ),
            undeposited: ids(
                "select id from payments where deposited_on is null and idempotency_key like 'pay-%'",
            ),
            lines: pairs(
                "select l.import_id, l.id from bank_lines l join bank_imports i on i.id = l.import_id
                 where l.state = 'unknown' and i.undone_at is null",
            ),
            // Nothing is posted from them any more.
            imports: ids(
                "select id from bank_imports i where undone_at is null
                     and not exists (select 1 from bank_lines l where l.import_id = i.id and l.state = 'unknown')",
            ),
            uninvoiced: ids(
                "select distinct e.student_id from ledger l join enrollments e on e.id = l.enrollment_id
                 where l.kind = 'charge' and l.amount_cents = 10000
                     and not exists (select 1 from invoice_entries n join invoices i on i.id = n.invoice_id
                         where n.ledger_id = l.id and i.cancelled_at is null)",
            ),
            invoices: list(data, "select number from invoices where cancelled_at is null", |row| row.get(0)),
            payouts: ids(
                "select id from payouts o where payment_id is not null and reverses_id is null
                     and not exists (select 1 from payouts r where r.reverses_id = o.id)",
            ),
        }
    }

    /// The next call of a kind: its key, path and body.
    pub fn next(&mut self, kind: Kind, number: u64, today: Date) -> Option<(String, String, Value)> {
        let yesterday = today.saturating_sub(1.days()).to_string();
        let some = |all: &[i64]| all.get(number as usize % all.len().max(1)).copied();
        let admin = |student: i64, what: &str| format!("/api/admin/students/{student}/{what}");
        let payment = |student: i64, amount: u32| {
            json!({ "studentId": student, "amount": amount, "method": "e_transfer", "sendReceipt": true,
                "reference": format!("CA{number}"), "receivedOn": yesterday })
        };
        let payments = || "/api/admin/payments".to_owned();
        let of = |id: i64, what: &str| format!("/api/admin/payments/{id}/{what}");
        let key = |name: &str| format!("{name}-{number:06}");
        Some(match kind {
            Kind::Pay => (key("pay"), payments(), payment(some(&self.students)?, 50)),
            Kind::Hold => {
                let mut body = payment(some(&self.students)?, 30);
                body["allocations"] = json!([]);
                (key("hold"), payments(), body)
            }
            Kind::Charge => {
                let (student, id) = *self.charged.get(number as usize % self.charged.len().max(1))?;
                let key = key("charge");
                let body = json!({ "enrollmentId": id, "amount": 5, "description": key, "item": "material" });
                (key, admin(student, "charges"), body)
            }
            Kind::ChargeUnpriced => {
                let rows = json!({ "rows": [{ "enrollmentId": self.unpriced.pop()?, "amount": 123 }] });
                (key("charge_unpriced"), "/api/admin/charges".to_owned(), rows)
            }
            Kind::Waive => {
                let (student, id) = self.waivable.pop()?;
                let key = key("waive");
                let body = json!({ "enrollmentId": id, "amount": 1, "reason": key });
                (key, admin(student, "waivers"), body)
            }
            Kind::Refund => {
                let (student, id) = self.refundable.pop()?;
                let key = key("refund");
                let body = json!({ "enrollmentId": id, "amount": 1, "method": "cheque", "paidOn": yesterday,
                    "reason": key });
                (key, admin(student, "refunds"), body)
            }
            Kind::PayOut => {
                let student = self.held.pop()?;
                let key = key("pay_out");
                let body = json!({ "amount": 3, "method": "cheque", "paidOn": yesterday, "reason": key });
                (key, admin(student, "refunds"), body)
            }
            Kind::Reverse => {
                let (id, key) = (self.charges.pop()?, key("reverse"));
                let body = json!({ "reason": key });
                (key, format!("/api/admin/ledger/{id}/reverse"), body)
            }
            Kind::Void => {
                let (id, key) = (self.unapplied.pop()?, key("void"));
                let body = json!({ "reason": key });
                (key, of(id, "reverse"), body)
            }
            Kind::Plan => {
                let (_, id) = *self.charged.get(number as usize % self.charged.len().max(1))?;
                let first = today.saturating_add(7.days()).to_string();
                let body = json!({ "count": 3, "firstDueOn": first });
                (key("plan"), format!("/api/admin/enrollments/{id}/instalments"), body)
            }
            Kind::Allocate => (key("allocate"), of(self.unapplied.pop()?, "allocate"), json!({})),
            Kind::Move => {
                let (id, from, to) = self.parts.pop()?;
                let body = json!({ "fromEnrollmentId": from, "toEnrollmentId": to, "amount": 1 });
                (key("move"), of(id, "move"), body)
            }
            Kind::Deposit => {
                let body = json!({ "ids": [self.undeposited.pop()?], "on": yesterday });
                (key("deposit"), "/api/admin/payments/deposited".to_owned(), body)
            }
            _ => return self.next_of_bank(kind, number, &yesterday),
        })
    }

    /// The next call about a file of the bank, an invoice or a refund that is taken back.
    fn next_of_bank(&mut self, kind: Kind, number: u64, yesterday: &str) -> Option<(String, String, Value)> {
        let key = |name: &str| format!("{name}-{number:06}");
        Some(match kind {
            Kind::Import => {
                let line = format!(
                    "Date,Transaction Details,Funds Out,Funds In\n\
                     {yesterday},Transfer {number},,30.00\n{yesterday},Fee {number},1.25,\n"
                );
                (key("import"), "/api/admin/bank-imports?account=Chequing".to_owned(), Value::String(line))
            }
            // Of students with odd numbers, who are never paid back.
            Kind::PostLine => {
                let mut students =
                    self.students.iter().filter(|id| *id % 2 == 1).cycle().skip(number as usize % 7);
                let (import, id) = self.lines.pop()?;
                let mut part =
                    |amount| json!({ "lineId": id, "studentId": students.next(), "amount": amount });
                let body = json!({ "lines": [part(20), part(10)] });
                (key("post_line"), format!("/api/admin/bank-imports/{import}/post"), body)
            }
            Kind::UndoImport => {
                let id = self.imports.pop()?;
                (key("undo"), format!("/api/admin/bank-imports/{id}/undo"), json!({}))
            }
            Kind::Invoice => {
                let body = json!({ "studentIds": [self.uninvoiced.pop()?], "send": true });
                (key("invoice"), "/api/admin/invoices".to_owned(), body)
            }
            Kind::CancelInvoice => {
                let (number, key) = (self.invoices.pop()?, key("cancel"));
                let body = json!({ "reason": key });
                (key, format!("/api/admin/invoices/{number}/cancel"), body)
            }
            Kind::ReversePayout => {
                let (id, key) = (self.payouts.pop()?, key("take_back"));
                let body = json!({ "reason": key });
                (key, format!("/api/admin/payouts/{id}/reverse"), body)
            }
            _ => return None,
        })
    }
}
