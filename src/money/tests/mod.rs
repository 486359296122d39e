//! What holds of money whatever happens: random histories agree to the cent, and nothing is edited or deleted.

mod agreement;
mod history;

use std::collections::BTreeMap;

use rusqlite::Connection;

use self::history::{History, STEPS, Step};
use crate::storage::db;
use crate::storage::statements::{Statements, params};
use crate::tests::fuzz::for_rounds;

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
             values (1, 1, '2026-12-01', 100, 1, 0)",
        )
        .unwrap();
    for table in ["ledger", "payments", "payouts", "receipts", "instalments"] {
        for sql in [format!("delete from {table}"), format!("update {table} set id = id + 1")] {
            let refused = connection.execute(&sql, []).unwrap_err().to_string();
            assert!(refused.contains("append-only"), "{sql}: {refused}");
        }
    }
    // What may become known later, may.
    connection.execute("update payments set deposited_on = '2026-11-21'", []).unwrap();
    connection.execute("update instalments set ended_at = 5", []).unwrap();
    connection.execute("update instalments set ended_at = 6", []).unwrap_err();
    let held: i64 =
        connection.one("select unapplied_cents from payments_held where id = :id", params![id = 1]).unwrap();
    assert_eq!(held, 60);
}
