//! The tables `bank_imports`, `bank_lines`, `bank_left_out` and `bank_columns_forgotten`, and the payments that were recorded from lines.

use std::collections::BTreeSet;

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::columns::Columns;
use super::file::{BankFile, FileLine, LeftOut};
use super::{BankImport, KeptState, matching};
use crate::base::error::Result;
use crate::base::money::Money;
use crate::storage::statements::{Statements, from_row, params};
use crate::storage::waiting::Waits;
use crate::web::pagination::{List, Listed, PageRequest};

/// A line as it is stored.
#[derive(Debug, Clone)]
pub struct StoredLine {
    /// Its number.
    pub id: i64,
    /// Its line in the file.
    pub line: i64,
    /// Its date.
    pub date: Date,
    /// Less than 0 where money went out.
    pub cents: i64,
    /// Its text.
    pub text: String,
    /// What was decided about it.
    pub state: KeptState,
    /// The number of its account, where the file names it.
    pub account: Option<String>,
    /// The payment that it is the same as, or that it takes back.
    pub payment_id: Option<i64>,
    /// What it is known by if it comes again.
    pub hash: [u8; 32],
}

from_row!(StoredLine { id, line = "line_no", date, cents = "amount_cents", text, state, account, payment_id, hash });

impl StoredLine {
    /// A line that is not stored.
    pub fn of(line: &FileLine, state: KeptState) -> Self {
        let FileLine { date, cents, text, account, hash, .. } = line.clone();
        let number = i64::try_from(line.line).unwrap_or(i64::MAX);
        let account = Some(account).filter(|account| !account.is_empty());
        Self { id: 0, line: number, date, cents, text, state, account, payment_id: None, hash }
    }
}

/// A payment that a line may be, or may take back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KnownPayment {
    /// Its number.
    pub payment_id: i64,
    /// Number of its receipt.
    pub receipt_number: String,
    /// The student.
    pub student_id: i64,
    /// The student's name.
    pub student_name: String,
    /// The day on which it was received.
    pub received_on: Date,
    /// The identity of the line that it was recorded from.
    #[serde(skip)]
    hash: Option<[u8; 32]>,
}

from_row!(KnownPayment { payment_id, receipt_number, student_id, student_name, received_on, hash });

/// A payment that stands and that no line of a file is, unless that file was undone.
const KNOWN: &str = "select p.id as payment_id, t.number as receipt_number, s.id as student_id,
        coalesce(s.full_name, 'Student #' || s.id) as student_name, p.received_on, l.hash
    from payments p cross join students o on o.id = p.student_id cross join students s on s.id = coalesce(o.merged_into, o.id)
        cross join receipts t on t.payment_id = p.id left join bank_lines l on l.id = p.import_line_id
    where p.amount_cents = :cents and p.reverses_id is null and t.voided_at is null
        and not exists (select 1 from bank_lines b cross join bank_imports i on i.id = b.import_id
            where b.payment_id = p.id and i.undone_at is null)";

/// What a line says that a payment may be.
pub struct Received {
    /// Its day.
    pub on: Date,
    /// How much.
    pub cents: i64,
    /// The import that it is of; 0 before it is kept.
    pub import_id: i64,
}

/// Payments of the same amount within a week: of this student, or recorded from another file's line of the same day.
///
/// # Errors
/// Database errors.
pub fn like(connection: &Connection, line: &Received, student_id: Option<i64>) -> Result<Vec<KnownPayment>> {
    let sql = format!(
        "{KNOWN} and p.received_on between date(:date, '-7 days') and date(:date, '+7 days')
            and (s.id = :student_id or (:student_id is null and l.date = :date))
            and (l.id is null or l.import_id <> :import_id)
        order by abs(julianday(p.received_on) - julianday(:date)), p.id"
    );
    let Received { on, cents, import_id } = line;
    connection.list(&sql, params![cents, date = on.to_string(), student_id, import_id])
}

/// The newest payment of an amount in the sixty days before, of a student or of the payer of a line.
///
/// # Errors
/// Database errors.
pub fn returned(
    connection: &Connection,
    date: Date,
    cents: i64,
    student_id: Option<i64>,
    payer: Option<&str>,
) -> Result<Option<KnownPayment>> {
    let sql = format!(
        "{KNOWN} and p.received_on between date(:date, '-60 days') and :date
            and (s.id = :student_id or (:student_id is null and l.payer = :payer))
        order by p.received_on desc, p.id desc limit 1"
    );
    connection.find(&sql, params![cents, date = date.to_string(), student_id, payer])
}

/// A payment by its number.
///
/// # Errors
/// Database errors.
pub fn payment(connection: &Connection, id: i64) -> Result<Option<KnownPayment>> {
    let sql = "select p.id as payment_id, t.number as receipt_number, s.id as student_id,
            coalesce(s.full_name, 'Student #' || s.id) as student_name, p.received_on, null as hash
        from payments p cross join students o on o.id = p.student_id
            cross join students s on s.id = coalesce(o.merged_into, o.id) cross join receipts t on t.payment_id = p.id
        where p.id = :id";
    connection.find(sql, params![id])
}

impl KnownPayment {
    /// Whether it was recorded from a line that is in a file again, beside the one that it may be.
    pub fn is_of_line_in(&self, hashes: &BTreeSet<[u8; 32]>) -> bool {
        self.hash.is_some_and(|hash| hashes.contains(&hash))
    }
}

/// A payment that was recorded from a line.
#[derive(Debug, Clone)]
pub struct LinePayment {
    /// The line.
    pub line_id: i64,
    /// The payment.
    pub id: i64,
    /// Its student.
    pub student_id: i64,
    /// The student's name.
    pub student_name: String,
    /// How much.
    pub amount: Money,
    /// Its receipt.
    pub receipt_number: String,
    /// When it was reversed.
    pub voided_at: Option<Timestamp>,
}

from_row!(LinePayment {
    line_id, id, student_id, student_name, amount = "amount_cents", receipt_number = "number", voided_at,
});

from_row!(BankImport {
    id, account, imported_at = "created_at", by = "username", undone_at, line_count, waiting_count, posted_count,
    posted_total = "posted_cents",
});

from_row!(LeftOut { line = "line_no", text, reason });

/// An import with its counts.
const IMPORT: &str = "select i.id, i.account, i.created_at, u.username, i.undone_at,
        (select count(*) from bank_lines l where l.import_id = i.id) as line_count,
        iif(i.undone_at is null, (select count(*) from bank_lines l where l.import_id = i.id and l.state = 'unknown'), 0)
            as waiting_count,
        (select count(*) from bank_lines l cross join payments p on p.import_line_id = l.id
         where l.import_id = i.id and not exists (select 1 from payments r where r.reverses_id = p.id)) as posted_count,
        (select coalesce(sum(p.amount_cents), 0) from bank_lines l cross join payments p on p.import_line_id = l.id
         where l.import_id = i.id and not exists (select 1 from payments r where r.reverses_id = p.id)) as posted_cents
    from bank_imports i left join users u on u.id = i.created_by";

/// The imports of a page, the newest first.
pub fn list(connection: &Connection, page: &PageRequest) -> Result<Listed<BankImport>> {
    page.read(
        connection,
        &List {
            rows: format!("{IMPORT} where matches_terms(i.account, :words) order by i.id desc limit :limit offset :offset"),
            count: "select count(*) from bank_imports".to_owned(),
            filter: &[],
        },
    )
}

/// An import.
pub fn find(connection: &Connection, id: i64) -> Result<Option<BankImport>> {
    connection.find(&format!("{IMPORT} where i.id = :id"), params![id])
}

/// The import of the same file, unless it was undone.
pub fn same_file(connection: &Connection, sha256: [u8; 32]) -> Result<Option<BankImport>> {
    connection.find(&format!("{IMPORT} where i.sha256 = :sha256 and i.undone_at is null"), params![sha256])
}

/// The columns of the account's last file that was not undone, unless they were forgotten.
pub fn columns(connection: &Connection, account: &str) -> Result<Option<Columns>> {
    let sql = "select columns from bank_imports i where account = :account and undone_at is null
            and id > coalesce((select until_import_id from bank_columns_forgotten f where f.account = i.account), 0)
        order by id desc limit 1";
    let json: Option<String> = connection.find(sql, params![account])?;
    Ok(json.map(|json| serde_json::from_str(&json)).transpose().map_err(anyhow::Error::from)?)
}

/// The columns that an import was read by.
pub fn columns_of(connection: &Connection, id: i64) -> Result<Columns> {
    let json: String = connection.one("select columns from bank_imports where id = :id", params![id])?;
    Ok(serde_json::from_str(&json).map_err(anyhow::Error::from)?)
}

/// Forgets the columns of an account.
pub fn forget_columns(connection: &Connection, account: &str, now: Timestamp) -> Result<()> {
    let sql = "insert into bank_columns_forgotten (account, until_import_id, at)
        values (:account, (select coalesce(max(id), 0) from bank_imports), :now)
        on conflict (account) do update set until_import_id = excluded.until_import_id, at = excluded.at";
    connection.run(sql, params![account, now = now.as_second()])
}

/// A payment of the line `l` stands; undoing the import leaves one of which money was refunded.
const IS_PAID: &str = "exists (select 1 from payments p where p.import_line_id = l.id
    and not exists (select 1 from payments r where r.reverses_id = p.id))";

/// Whether an earlier file had a line; of one that was imported until version 0.3 by what it was known by then.
pub fn is_seen(connection: &Connection, line: &FileLine) -> Result<bool> {
    let sql = format!(
        "select exists (select 1 from bank_lines l cross join bank_imports i on i.id = l.import_id
            where l.hash in (:hash, :former) and (i.undone_at is null or {IS_PAID}))"
    );
    connection.one(&sql, params![hash = line.hash, former = line.former_hash])
}

/// Adds a file with its lines, and returns its number.
pub fn insert(
    connection: &Connection,
    account: &str,
    file: &BankFile,
    states: &[KeptState],
    user_id: i64,
    now: Timestamp,
) -> Result<i64> {
    let columns = serde_json::to_string(&file.columns).map_err(anyhow::Error::from)?;
    let sql = "insert into bank_imports (account, sha256, columns, created_by, created_at)
        values (:account, :sha256, :columns, :user_id, :now)";
    let values = params![account, sha256 = file.sha256, columns, user_id, now = now.as_second()];
    let import_id = connection.insert(sql, values)?;
    let sql =
        "insert into bank_lines (import_id, line_no, date, amount_cents, text, hash, state, account, payer)
        values (:import_id, :line, :date, :cents, :text, :hash, :state, :account, :payer)";
    for (line, state) in file.lines.iter().zip(states) {
        let payer = matching::payer(&line.text);
        let StoredLine { line, date, cents, text, account, hash, .. } = StoredLine::of(line, *state);
        let date = date.to_string();
        connection.run(sql, params![import_id, line, date, cents, text, hash, state, account, payer])?;
    }
    let sql = "insert into bank_left_out (import_id, line_no, text, reason) values (:import_id, :line, :text, :reason)";
    for LeftOut { line, text, reason } in &file.left_out {
        let line = i64::try_from(*line).unwrap_or(i64::MAX);
        connection.run(sql, params![import_id, line, text, reason])?;
    }
    Ok(import_id)
}

/// The lines of an import that were left out.
pub fn left_out(connection: &Connection, import_id: i64) -> Result<Vec<LeftOut>> {
    let sql = "select line_no, text, reason from bank_left_out where import_id = :import_id order by line_no";
    connection.list(sql, params![import_id])
}

/// The columns of a line.
const LINE: &str =
    "select id, line_no, date, amount_cents, text, state, account, payment_id, hash from bank_lines";

/// The lines of an import, as the file has them.
pub fn lines(connection: &Connection, import_id: i64) -> Result<Vec<StoredLine>> {
    connection.list(&format!("{LINE} where import_id = :import_id order by line_no"), params![import_id])
}

/// A line of an import.
pub fn line(connection: &Connection, import_id: i64, id: i64) -> Result<Option<StoredLine>> {
    connection.find(&format!("{LINE} where id = :id and import_id = :import_id"), params![id, import_id])
}

/// A payment of a line, of an account that was merged under the other's name.
const PAYMENT: &str = "select l.id as line_id, p.id, s.id as student_id,
        coalesce(s.full_name, 'Student #' || s.id) as student_name, p.amount_cents, t.number, t.voided_at
    from bank_lines l cross join payments p on p.import_line_id = l.id
        cross join students o on o.id = p.student_id cross join students s on s.id = coalesce(o.merged_into, o.id)
        cross join receipts t on t.payment_id = p.id";

/// The payments of an import's lines, reversed ones too.
pub fn payments(connection: &Connection, import_id: i64) -> Result<Vec<LinePayment>> {
    connection.list(&format!("{PAYMENT} where l.import_id = :import_id order by p.id"), params![import_id])
}

/// The payments of a line that stand.
pub fn standing(connection: &Connection, line_id: i64) -> Result<Vec<LinePayment>> {
    let sql = format!("{PAYMENT} where l.id = :line_id and t.voided_at is null order by p.id");
    connection.list(&sql, params![line_id])
}

/// Changes the state of a line.
pub fn set_state(connection: &Connection, id: i64, state: KeptState) -> Result<()> {
    connection
        .run("update bank_lines set state = :state, payment_id = null where id = :id", params![id, state])
}

/// Says of a line that it is the same as a payment, or takes it back.
pub fn set_payment(connection: &Connection, id: i64, state: KeptState, payment_id: i64) -> Result<()> {
    let sql = "update bank_lines set state = :state, payment_id = :payment_id where id = :id";
    connection.run(sql, params![id, state, payment_id])
}

/// Marks an import as undone: its file and its lines may come again, except lines whose payment stands. A line that a
/// later file had, too, counts there from then on.
pub fn mark_undone(connection: &Connection, id: i64, user_id: i64, now: Timestamp) -> Result<()> {
    let sql =
        "update bank_imports set undone_by = :user_id, undone_at = :now where id = :id and undone_at is null";
    connection.run(sql, params![id, user_id, now = now.as_second()])?;
    let sql = format!(
        "update bank_lines set state = 'unknown' where id in (
            select min(o.id) from bank_lines l cross join bank_lines o on o.hash = l.hash
                cross join bank_imports i on i.id = o.import_id
            where l.import_id = :id and i.undone_at is null and not {IS_PAID}
            group by o.hash having min(o.state = 'seen'))"
    );
    connection.run(&sql, params![id])
}

/// Lines that wait for a decision, and since when.
pub fn waiting(connection: &Connection) -> Result<Waits> {
    let sql = "select count(*) as count, min(i.created_at) as oldest
        from bank_lines l indexed by bank_lines_unknown cross join bank_imports i on i.id = l.import_id
        where l.state = 'unknown' and i.undone_at is null";
    Waits::read(connection, sql, [])
}
