//! What holds of money whatever happens: random histories agree to the cent, and nothing is edited or deleted.

mod agreement;
mod bank;
mod history;

use std::collections::BTreeMap;

use rusqlite::Connection;

use self::history::{History, STEPS, Step};
use super::reports::report::BalanceRow;
use crate::base::money::Money;
use crate::storage::db;
use crate::storage::statements::{Statements, params};
use crate::tests::fuzz::for_rounds;
use crate::web::sheet::{SheetStyle, write};

fn school(connection: &Connection) {
    connection
        .execute_batch(
            "insert into users (id, username, email, password_hash, role, created_at)
             values (1, 'office', 'office@mail.example', 'x', 'admin', 0);
             with recursive n(i) as (select 1 union all select i + 1 from n where i < 3)
             insert into students (id, email, password_hash, status, full_name, created_at, updated_at)
             select i, 'student' || i || '@mail.example', 'x', 'active', 'Student ' || i, 0, 0 from n;
             insert into courses (id, code, name, description, grade, course_type, price_cents, created_at, updated_at)
             values (1, 'ENG4U', 'English', 'A course with a price.', 12, 'University', 50000, 0, 0),
                 (2, 'MHF4U', 'Functions', 'Another one with a price.', 12, 'University', 76950, 0, 0),
                 (3, 'CHV2O', 'Civics', 'A course without a price.', 10, 'Open', null, 0, 0);
             insert into terms (id, name, starts_on, ends_on, join_until, is_published, created_at)
             values (1, 'School year', '2026-09-01', '2027-06-30', '2027-06-01', 1, 0);
             insert into sections (id, course_id, term_id, label, starts_on, ends_on, price_cents, status, created_at)
             values (1, 1, 1, 'A', '2026-09-01', '2027-06-30', 60000, 'open', 0), (2, 1, 1, 'B', '2026-09-01', '2027-06-30', null, 'open', 0),
                 (3, 2, 1, 'A', '2026-09-01', '2027-06-30', 65000, 'open', 0), (4, 2, 1, 'B', '2026-09-01', '2027-06-30', null, 'open', 0),
                 (5, 3, 1, 'A', '2026-09-01', '2027-06-30', null, 'open', 0), (6, 3, 1, 'B', '2026-09-01', '2027-06-30', 1000, 'open', 0);
             insert into admission_requests (id, reference, state_since, first_name, last_name, email, phone, address, grade, created_at, student_id)
             values (1, 'A-1', 0, 'A', 'B', 'student1@mail.example', '4165550100', 'Main Street 1', 9, 0, 1);
             insert into admissions (id, request_id, enrollment_date) values (1, 1, 0);
             insert into ledger (kind, amount_cents, admission_id, due_on, created_at)
             values ('charge', 30000, 1, '2026-10-01', 0)",
        )
        .unwrap();
}

#[test]
fn random_histories_agree_to_the_cent() {
    let folder = tempfile::tempdir().unwrap();
    let connection = db::open(&folder.path().join("school.db")).unwrap();
    school(&connection);
    let mut done = BTreeMap::<Step, u64>::new();
    for_rounds("histories of money", 250, |random| {
        connection.execute_batch("begin").unwrap();
        let mut history = History::begin(&connection, random);
        for step in 1..=30 {
            if let Some(step) = history.step() {
                *done.entry(step).or_default() += 1;
            }
            if step % 10 == 0 {
                history.check();
            }
        }
        connection.execute_batch("rollback").unwrap();
    });
    println!("{done:?}");
    assert!(STEPS.iter().all(|step| done.contains_key(step)), "each happens in some history: {done:?}");
}

#[test]
fn nothing_of_money_is_edited_or_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let connection = db::open(&folder.path().join("school.db")).unwrap();
    school(&connection);
    connection
        .execute_batch(
            "insert into payments (id, student_id, amount_cents, method, received_on, created_at)
             values (1, 1, 100, 'cash', '2026-11-20', 0);
             insert into payouts (student_id, payment_id, amount_cents, method, paid_on, reason, created_at)
             values (1, 1, 40, 'cash', '2026-11-20', 'Paid twice', 0);
             insert into receipts (number, payment_id, issued_at, body_json) values ('2026-000001', 1, 0, '{}');
             insert into enrollments (id, student_id, course_id, start_date, end_date, created_at)
             values (1, 1, 1, '2026-09-01', '2026-12-01', 0);
             insert into instalments (enrollment_id, n, due_on, amount_cents, after_ledger_id, created_at)
             values (1, 1, '2026-12-01', 100, 1, 0);
             insert into users (id, username, email, password_hash, role, created_at)
             values (7, 'bursar', 'bursar@school.example', 'x', 'bursar', 0);
             insert into bank_imports (account, sha256, columns, created_at) values ('Chequing', zeroblob(32), '{}', 0)",
        )
        .unwrap();
    let may_change = [
        ("payments", "deposited_on"),
        ("receipts", "voided_at"),
        ("receipts", "void_reason"),
        ("instalments", "ended_at"),
        ("bank_imports", "undone_by"),
        ("bank_imports", "undone_at"),
    ];
    for table in ["ledger", "payments", "payouts", "receipts", "instalments", "bank_imports"] {
        let sql = "select name, type from pragma_table_info(:table)";
        let columns: Vec<(String, String)> = connection.list(sql, params![table]).unwrap();
        assert!(columns.len() > 5, "{table}");
        let mut changes = vec![format!("delete from {table}")];
        for (column, kind) in &columns {
            let value = match kind.as_str() {
                "INTEGER" => "coalesce({}, 0) + 1",
                "BLOB" => "randomblob(32)",
                _ => "coalesce({}, '') || 'x'",
            };
            let change = format!("update {table} set {column} = {}", value.replace("{}", column));
            if !may_change.contains(&(table, column.as_str())) {
                changes.push(change);
            }
        }
        for sql in changes {
            let refused = connection.execute(&sql, []).unwrap_err().to_string();
            assert!(refused.contains("append-only"), "{sql}: {refused}");
        }
    }
    // What may become known later, may.
    connection.run("update payments set deposited_on = '2026-11-21'", []).unwrap();
    connection.run("update payments set deposited_on = '2026-11-22'", []).unwrap_err();
    connection.run("update payments set deposited_on = null", []).unwrap();
    connection.run("update receipts set voided_at = 5, void_reason = 'Twice'", []).unwrap();
    connection.run("update receipts set voided_at = 6", []).unwrap_err();
    connection.run("update receipts set voided_at = null, void_reason = null", []).unwrap_err();
    connection.run("update instalments set ended_at = 5", []).unwrap();
    connection.run("update instalments set ended_at = 6", []).unwrap_err();
    connection.run("update bank_imports set undone_by = 7, undone_at = 5", []).unwrap();
    connection.run("update bank_imports set undone_at = 6", []).unwrap_err();
    connection.run("update bank_imports set undone_by = null, undone_at = null", []).unwrap_err();
    let held: i64 =
        connection.one("select unapplied_cents from payments_held where id = :id", params![id = 1]).unwrap();
    assert_eq!(held, 60);
}

#[test]
fn a_sheet_of_balances_is_read_by_a_spreadsheet() {
    let due = Money::from_cents(154_900);
    let balance = Money::from_cents(-3050);
    let total_due = due;
    let student_name = "=HYPERLINK(\"http://x\"), Zoë Łuczak".to_owned();
    let email = "zoë@mail.example".to_owned();
    let row = BalanceRow { student_name, email, due, total_due, balance, ..BalanceRow::default() };
    let sheet = write(&[row], SheetStyle::English).unwrap();
    let sheet = sheet.strip_prefix("\u{feff}".as_bytes()).unwrap();
    let mut reader = csv::Reader::from_reader(sheet);
    let headings = reader.headers().unwrap().iter().collect::<Vec<_>>().join(", ");
    let as_promised = "Number, Student, Email, Courses, Admission, Total due, Overdue, Credit, On account, Balance, \
        Overdue since, Last payment, Last reminder";
    assert_eq!(headings, as_promised);
    let cells = reader.records().next().unwrap().unwrap();
    assert_eq!((&cells[1], &cells[2]), ("'=HYPERLINK(\"http://x\"), Zoë Łuczak", "zoë@mail.example"));
    let numbers: Vec<f64> = (3..10).map(|place| cells[place].parse().unwrap()).collect();
    assert_eq!(numbers, [1549.0, 0.0, 1549.0, 0.0, 0.0, 0.0, -30.5]);
}
