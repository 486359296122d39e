//! The tables `bank_imports` and `bank_lines`, and the payments that were recorded from lines.

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;

use super::columns::Columns;
use super::file::{BankFile, FileLine};
use super::{BankImport, KeptState};
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
}

from_row!(StoredLine { id, line = "line_no", date, cents = "amount_cents", text, state });

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

/// The columns of the account's last file.
pub fn columns(connection: &Connection, account: &str) -> Result<Option<Columns>> {
    let sql = "select columns from bank_imports where account = :account order by id desc limit 1";
    let json: Option<String> = connection.find(sql, params![account])?;
    Ok(json.map(|json| serde_json::from_str(&json)).transpose().map_err(anyhow::Error::from)?)
}

/// A payment of the line `l` stands; undoing the import leaves one of which money was refunded.
const IS_PAID: &str = "exists (select 1 from payments p where p.import_line_id = l.id
    and not exists (select 1 from payments r where r.reverses_id = p.id))";

/// The state in which a line begins.
pub fn first_state(connection: &Connection, line: &FileLine) -> Result<KeptState> {
    if line.cents <= 0 {
        return Ok(KeptState::Ignored);
    }
    let sql = format!(
        "select exists (select 1 from bank_lines l cross join bank_imports i on i.id = l.import_id
            where l.hash = :hash and (i.undone_at is null or {IS_PAID}))"
    );
    let is_seen: bool = connection.one(&sql, params![hash = line.hash])?;
    Ok(if is_seen { KeptState::Seen } else { KeptState::Unknown })
}

/// Adds a file with its lines, and returns its number.
pub fn insert(
    connection: &Connection,
    (account, file): (&str, &BankFile),
    user_id: i64,
    now: Timestamp,
) -> Result<i64> {
    let mut states = Vec::with_capacity(file.lines.len());
    for line in &file.lines {
        states.push(first_state(connection, line)?);
    }
    let columns = serde_json::to_string(&file.columns).map_err(anyhow::Error::from)?;
    let sql = "insert into bank_imports (account, sha256, columns, created_by, created_at)
        values (:account, :sha256, :columns, :user_id, :now)";
    let values = params![account, sha256 = file.sha256, columns, user_id, now = now.as_second()];
    let import_id = connection.insert(sql, values)?;
    let sql = "insert into bank_lines (import_id, line_no, date, amount_cents, text, hash, state)
        values (:import_id, :line, :date, :cents, :text, :hash, :state)";
    for (FileLine { line, date, cents, text, hash }, state) in file.lines.iter().zip(states) {
        let line = i64::try_from(*line).unwrap_or(i64::MAX);
        connection.run(sql, params![import_id, line, date = date.to_string(), cents, text, hash, state])?;
    }
    Ok(import_id)
}

/// The lines of an import, as the file has them.
pub fn lines(connection: &Connection, import_id: i64) -> Result<Vec<StoredLine>> {
    let sql =
        "select id, line_no, date, amount_cents, text, state from bank_lines where import_id = :import_id
        order by line_no";
    connection.list(sql, params![import_id])
}

/// A line of an import.
pub fn line(connection: &Connection, import_id: i64, id: i64) -> Result<Option<StoredLine>> {
    let sql = "select id, line_no, date, amount_cents, text, state from bank_lines
        where id = :id and import_id = :import_id";
    connection.find(sql, params![id, import_id])
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
    connection.run("update bank_lines set state = :state where id = :id", params![id, state])
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
