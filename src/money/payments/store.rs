//! The tables `payments` and `counters`, and what else a payment needs to know.

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::{Connection, ToSql};

use super::rules::NewPayment;
use super::{Payment, PaymentsFilter};
use crate::base::error::Result;
use crate::base::money::Money;
use crate::money::ledger::{Payer, PaymentMethod};
use crate::storage::statements::{Statements, from_row, params};
use crate::web::pagination::{List, Listed, PageRequest};

from_row!(Payment {
    id, student_id, student_number, student_name, payer_name, amount = "amount_cents", method, reference, received_on,
    deposited_on, receipt_number = "number", voided_at, unapplied = "unapplied_cents", by = "username", created_at,
});

const COLUMNS: &str = "p.id, s.id as student_id, s.student_number,
        coalesce(s.full_name, 'Student #' || s.id, q.first_name || ' ' || q.last_name) as student_name,
        p.payer_name, p.amount_cents, p.method, p.reference, p.received_on, p.deposited_on, t.number, t.voided_at,
        h.unapplied_cents, u.username, p.created_at";

/// An account that was merged goes on as another.
const JOINS: &str = "cross join payments_held h on h.id = p.id
    left join admission_requests q on q.id = p.request_id
    left join students o on o.id = coalesce(p.student_id, q.student_id)
    left join students s on s.id = coalesce(o.merged_into, o.id)
    left join receipts t on t.payment_id = p.id
    left join users u on u.id = p.created_by";

/// A payment, unless it is a reversal.
pub fn find(connection: &Connection, id: i64) -> Result<Option<Payment>> {
    let sql = format!("select {COLUMNS} from payments p {JOINS} where p.id = :id and p.reverses_id is null");
    connection.find(&sql, params![id])
}

/// The payments of a student, the newest first.
pub fn of_student(connection: &Connection, student_id: i64) -> Result<Vec<Payment>> {
    let sql = format!(
        "select {COLUMNS} from student_payments m cross join payments p on p.id = m.id {JOINS}
         where m.student_id = :student_id order by p.received_on desc, p.id desc"
    );
    connection.list(&sql, params![student_id])
}

/// The payments of a page, the newest first.
pub fn list(connection: &Connection, page: &PageRequest, filter: &PaymentsFilter) -> Result<Listed<Payment>> {
    let day = filter.day.map(|day| day.to_string());
    let parameters: [(&str, &dyn ToSql); 2] = [(":day", &day), (":method", &filter.method)];
    page.read(connection, &List { filter: &parameters, ..rows(filter) })
}

fn rows(filter: &PaymentsFilter) -> List<'static> {
    let mut condition = "p.reverses_id is null".to_owned();
    if filter.day.is_some() {
        condition += " and p.received_on = :day";
    }
    if filter.method.is_some() {
        condition += " and p.method = :method";
    }
    let index = if filter.method.is_some() { "payments_method" } else { "payments_received" };
    List {
        rows: format!(
            "select {COLUMNS} from payments p {JOINS}
             where {condition} and matches_terms(concat_ws(' ', coalesce(s.full_name, q.first_name || ' ' ||
                 q.last_name), s.student_number, p.payer_name, p.reference, t.number), :words)
             order by p.received_on desc, p.id desc limit :limit offset :offset"
        ),
        count: format!("select count(*) from payments p indexed by {index} where {condition}"),
        filter: &[],
    }
}

/// Days within which the same reference and amount are taken for the same money.
const SAME_WITHIN: i64 = 7;

/// An earlier payment that this one looks like: of the same payer and amount, with the same reference received within a
/// week; or, if it has none, received in the same way on the same day.
pub fn duplicate(connection: &Connection, payer: Payer, new: &NewPayment) -> Result<Option<Payment>> {
    let (student_id, request_id) = match payer {
        Payer::Student(id) => (Some(id), None),
        Payer::Request(id) => (None, Some(id)),
    };
    let sql = "select p.id, p.method, p.reference, p.received_on from payments p
        where (p.id in (select id from student_payments where student_id = :student_id)
                or p.request_id = :request_id)
            and +p.amount_cents = :amount and p.reverses_id is null
            and not exists (select 1 from payments r where r.reverses_id = p.id)
        order by p.id desc";
    let found: Vec<(i64, PaymentMethod, Option<String>, Date)> =
        connection.list(sql, params![student_id, request_id, amount = new.amount])?;
    let reference = new.reference.as_ref().map(|reference| reference.to_lowercase());
    let is_same = |(_, method, earlier, day): &&(i64, PaymentMethod, Option<String>, Date)| match &reference {
        Some(reference) => {
            let days = (new.received_on - *day).get_days().abs();
            earlier.as_ref().map(|earlier| earlier.to_lowercase()).as_ref() == Some(reference)
                && i64::from(days) <= SAME_WITHIN
        }
        None => *method == new.method && *day == new.received_on,
    };
    match found.iter().find(is_same) {
        Some((id, ..)) => find(connection, *id),
        None => Ok(None),
    }
}

/// The call that records a payment.
#[derive(Debug, Clone, Copy)]
pub struct Recording<'a> {
    /// Its idempotency key.
    pub key: Option<&'a str>,
    /// The decision that holds the receipt back.
    pub decision_id: Option<&'a str>,
    /// The member of the staff.
    pub user_id: i64,
    /// When.
    pub now: Timestamp,
}

/// Adds a payment, and returns its number. A key of more than seven days ago may come again; the column is unique and stays
/// with the first payment.
pub fn insert(
    connection: &Connection,
    payer: Payer,
    new: &NewPayment,
    Recording { key, decision_id, user_id, now }: Recording<'_>,
) -> Result<i64> {
    let (student_id, request_id) = match payer {
        Payer::Student(id) => (Some(id), None),
        Payer::Request(id) => (None, Some(id)),
    };
    let sql = "insert into payments (student_id, request_id, amount_cents, method, reference, payer_name, received_on,
            created_by, created_at, idempotency_key, import_line_id, decision_id)
        values (:student_id, :request_id, :amount, :method, :reference, :payer_name, :received_on, :user_id, :now,
            iif(exists (select 1 from payments where created_by = :user_id and idempotency_key = :key), null, :key),
            :import_line_id, :decision_id)";
    let NewPayment { amount, method, reference, payer_name, received_on, import_line_id, .. } = new;
    let values = params![
        student_id,
        request_id,
        amount,
        method,
        reference,
        payer_name,
        received_on = received_on.to_string(),
        user_id,
        now = now.as_second(),
        key,
        import_line_id,
        decision_id,
    ];
    connection.insert(sql, values)
}

/// Adds the reversal of a payment.
pub fn reverse(connection: &Connection, id: i64, reason: &str, user_id: i64, now: Timestamp) -> Result<()> {
    let sql =
        "insert into payments (student_id, request_id, amount_cents, method, received_on, note, created_by,
            created_at, reverses_id)
        select student_id, request_id, amount_cents, method, received_on, :reason, :user_id, :now, id
        from payments where id = :id";
    connection.run(sql, params![id, reason, user_id, now = now.as_second()])
}

/// The decision that holds the receipt of a payment back.
pub fn decision_of(connection: &Connection, id: i64) -> Result<Option<String>> {
    connection.one("select decision_id from payments where id = :id", params![id])
}

/// The application that a payment was recorded for.
pub fn request_of(connection: &Connection, id: i64) -> Result<i64> {
    connection.one("select request_id from payments where id = :id", params![id])
}

/// What was received between two days, by day and method, without what was reversed; the newest day first.
pub fn totals(connection: &Connection, from: Date, to: Date) -> Result<Vec<(Date, String, Money, i64)>> {
    let sql =
        "select received_on, method, sum(amount_cents), count(*) from payments p indexed by payments_received
        where received_on between :from and :to and reverses_id is null
            and not exists (select 1 from payments r where r.reverses_id = p.id)
        group by received_on, method order by received_on desc, method";
    connection.list(sql, params![from = from.to_string(), to = to.to_string()])
}

/// Notes when a payment was brought to the bank.
pub fn set_deposited(connection: &Connection, id: i64, on: Option<Date>) -> Result<()> {
    let on = on.map(|day| day.to_string());
    connection.run("update payments set deposited_on = :on where id = :id", params![id, on])
}

/// Takes the next number of a kind and year. In the transaction that uses it, so that none is left out.
pub fn draw(connection: &Connection, name: &str, year: i16) -> Result<i64> {
    let sql = "insert into counters (name, year, next) values (:name, :year, 2)
        on conflict (name, year) do update set next = next + 1 returning next - 1";
    connection.one(sql, params![name, year])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::db;

    #[test]
    fn the_first_page_of_payments_comes_from_an_index() {
        let folder = tempfile::tempdir().unwrap();
        let connection = db::open(&folder.path().join("school.db")).unwrap();
        let day = Some("2026-11-21".parse().unwrap());
        for (filter, index) in [
            (PaymentsFilter::default(), "payments_received"),
            (PaymentsFilter { day, method: None }, "payments_received"),
            (PaymentsFilter { day: None, method: Some(PaymentMethod::Cash) }, "payments_method"),
            (PaymentsFilter { day, method: Some(PaymentMethod::Cash) }, "payments_method"),
        ] {
            let plan = |sql: &str| -> Vec<String> {
                let explain = format!("explain query plan {sql}");
                connection.list_by(&explain, params![], |row| row.read("detail")).unwrap()
            };
            let List { rows, count, .. } = rows(&filter);
            let rows = plan(&rows);
            assert!(rows[0].contains(&format!(" {index}")), "{rows:#?}");
            assert!(!rows.iter().any(|step| step.contains("ORDER BY")), "{rows:#?}");
            let count = plan(&count);
            assert!(count.len() == 1 && count[0].contains(&format!(" {index}")), "{count:#?}");
        }
    }
}
