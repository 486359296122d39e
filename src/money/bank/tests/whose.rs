//! Whose the lines of a bank's file are.

use serde_json::Value;

use super::*;
use crate::money::bank::matching::{BankMatch, MatchReason};
use crate::storage::db;
use crate::storage::statements::{Statements as _, params};

/// A database with students of these names.
fn school(names: &[&str]) -> (tempfile::TempDir, Connection) {
    let folder = tempfile::tempdir().unwrap();
    let connection = db::open(&folder.path().join("school.db")).unwrap();
    for (id, name) in (1_i64..).zip(names) {
        let sql = "insert into students (id, email, password_hash, status, full_name, created_at, updated_at)
            values (:id, :email, 'x', 'active', :name, 0, 0)";
        let email = format!("s{id}@mail.example");
        connection.run(sql, params![id, email, name]).unwrap();
    }
    (folder, connection)
}

fn owner(connection: &Connection, text: &str, cents: i64) -> Option<(i64, MatchReason)> {
    let found = Matcher::new(connection, SCHOOL).find(text, cents).unwrap().matched;
    found.map(|found| (found.student_id, found.why))
}

#[test]
fn a_code_is_found_anywhere_and_every_wrong_character_of_it_is_refused() {
    let (_folder, connection) = school(&["Ada Lovelace", "Ben Okonkwo", "Chidi Okonkwo"]);
    let code = crate::money::payments::codes::of_student(&connection, SCHOOL, 2).unwrap();
    let (letters, digits) = code.split_once('-').unwrap();
    let other = crate::money::payments::codes::of_student(&connection, SCHOOL, 3).unwrap();
    let own = Some((2, MatchReason::Code));
    for text in [
        code.clone(),
        format!("INTERAC e-Transfer {} from B", code.to_lowercase()),
        format!("{letters}{digits}"),
        format!("re: {letters} {digits}, thank you"),
        format!("({letters}\u{2013}{digits})"),
        format!("{code} and again {code}"),
        format!("{letters}: {digits}"),
        format!("{letters}\u{2014}{digits}"),
        format!("{letters}_{digits}"),
        format!("{code}2026"),
        code.replace('0', "O").replace('1', "l"),
    ] {
        assert_eq!(owner(&connection, &text, 1), own, "{text}");
    }
    assert_eq!(owner(&connection, &format!("{code} {other}"), 1), None, "of two children");
    assert_eq!(owner(&connection, digits, 1), None, "without the school's letters");
    for at in 0..code.len() {
        for character in "0123456789ABCDEFGHJKMNPQRSTVWXYZILOU*".chars() {
            let wrong = format!("{}{character}{}", &code[..at], &code[at + 1..]);
            // A letter that looks like a digit is that digit, and any punctuation is a hyphen.
            let read = |text: &str| text.replace('O', "0").replace(['I', 'L'], "1").replace('*', "-");
            if read(&wrong) != read(&code) {
                assert_eq!(owner(&connection, &wrong, 1), None, "{wrong}");
            }
        }
    }
    let renamed = |text: &str| Matcher::new(&connection, "Bay Ridge College").find(text, 1).unwrap().matched;
    assert!(renamed(&code).is_none(), "other letters");
    crate::school::letters::keep(&connection, SCHOOL).unwrap();
    for code in [&code, &format!("BRC-{digits}")] {
        assert_eq!(
            renamed(code).map(|found| found.student_id),
            Some(2),
            "{code} of a school that was renamed"
        );
    }
    let merged = "update students set merged_into = 1 where id = 2";
    connection.run(merged, []).unwrap();
    assert_eq!(owner(&connection, &code, 1), Some((1, MatchReason::Code)), "the account goes on as another");
}

#[test]
fn a_full_name_and_exactly_what_is_due_is_a_suggestion() {
    let (_folder, connection) = school(&["Zoë O\u{2019}Brien", "Ben Okonkwo", "Ben Okonkwo", "Li Wei"]);
    connection
        .execute_batch(
            "insert into courses (id, code, name, description, grade, course_type, created_at, updated_at)
                 values (1, 'ENG4U', 'English', 'A course of English', 12, 'University', 0, 0);
             insert into enrollments (id, student_id, course_id, start_date, end_date, status, created_at)
                 select id, id, 1, '2026-09-01', '2027-01-31', 'active', 0 from students;
             insert into enrollments (id, student_id, course_id, start_date, end_date, status, created_at)
                 values (9, 1, 1, '2025-09-01', '2026-01-31', 'completed', 0);
             insert into ledger (kind, amount_cents, enrollment_id, due_on, created_at) values
                 ('charge', 50000, 1, '2026-12-01', 0), ('charge', 30000, 9, '2026-12-01', 0),
                 ('charge', 50000, 2, '2026-12-01', 0), ('charge', 50000, 3, '2026-12-01', 0),
                 ('charge', 50000, 4, '2026-12-01', 0);",
        )
        .unwrap();
    use MatchReason::{Name, NameAmount};
    for (text, cents, expected) in [
        ("E-TFR ZOE OBRIEN", 80_000, Some((1, NameAmount))),
        ("e-transfer from zoë o'brien", 50_000, Some((1, NameAmount))),
        ("OBRIEN ZOE", 30_000, Some((1, NameAmount))),
        ("ZOE OBRIEN", 49_999, Some((1, Name))),
        ("ZOE", 80_000, None),
        ("ZOE OBRIENS", 80_000, None),
        ("BEN OKONKWO", 50_000, None),
        ("LI WEI", 50_000, Some((4, NameAmount))),
        ("ALI WEI", 50_000, None),
        ("LI WEI AND ZOE OBRIEN", 50_000, None),
        ("LI WEI AND ZOE OBRIEN", 80_000, Some((1, NameAmount))),
    ] {
        assert_eq!(owner(&connection, text, cents), expected, "{text} {cents}");
    }
}

#[test]
fn numbers_of_the_schools_papers_guardians_and_the_payer_of_last_time_are_suggestions() {
    let (_folder, connection) = school(&["Kappa Minor", "Iota Minor", "Rho Alone"]);
    connection
        .execute_batch(
            "update students set student_number = '2026-000' || id;
             insert into guardians (student_id, name, email, created_at)
                 select id, 'Omega Guardian', 'omega@mail.example', 0 from students where id < 3;
             insert into guardians (student_id, name, created_at) values (3, 'Tau Parent', 0);
             insert into courses (id, code, name, description, grade, course_type, created_at, updated_at)
                 values (1, 'ENG4U', 'English', 'A course of English', 12, 'University', 0, 0);
             insert into enrollments (id, student_id, course_id, start_date, end_date, status, created_at)
                 select id, id, 1, '2026-09-01', '2027-01-31', 'active', 0 from students;
             insert into ledger (kind, amount_cents, enrollment_id, due_on, created_at) values
                 ('charge', 50000, 1, '2026-12-01', 0), ('charge', 30000, 2, '2026-12-01', 0),
                 ('charge', 70000, 3, '2026-12-01', 0);
             insert into invoices (number, student_id, total_cents, body_json, issued_on, due_on, created_at)
                 values ('INV-2026-000007', 2, 30000, '{}', '2026-11-01', '2026-12-01', 0);",
        )
        .unwrap();
    use MatchReason::{Guardian, Invoice, StudentNumber};
    for (text, cents, expected) in [
        ("e-Transfer inv-2026-000007", 1, Some((2, Invoice))),
        ("e-Transfer 2026-0003 thanks", 1, Some((3, StudentNumber))),
        ("INTERAC e-Transfer From: OMEGA GUARDIAN", 50_000, Some((1, Guardian))),
        ("INTERAC e-Transfer From: OMEGA GUARDIAN", 30_000, Some((2, Guardian))),
        ("INTERAC e-Transfer From: OMEGA GUARDIAN", 20_000, None),
        ("TAU PARENT", 20_000, Some((3, Guardian))),
    ] {
        assert_eq!(owner(&connection, text, cents), expected, "{text} {cents}");
    }
    let find = |text: &str, cents| Matcher::new(&connection, SCHOOL).find(text, cents).unwrap();
    let both = find("INTERAC e-Transfer From: OMEGA GUARDIAN", 80_000);
    let parts: Vec<_> = both.division.iter().map(|part| (part.student_id, part.owes.cents())).collect();
    assert_eq!((both.matched, parts), (None, vec![(1, 50_000), (2, 30_000)]), "what both owe together");
    let code = |id| crate::money::payments::codes::of_student(&connection, SCHOOL, id).unwrap();
    let both = find(&format!("{} {}", code(2), code(3)), 1);
    let ids: Vec<_> = both.division.iter().map(|part| part.student_id).collect();
    assert_eq!((both.matched, ids), (None, vec![2, 3]), "of two codes whatever it is");
    // Who paid last time, under a name that no record has.
    connection
        .execute_batch(
            "insert into bank_imports (id, account, sha256, columns, created_at) values (1, 'Main', zeroblob(32), '{}', 0);
             insert into bank_lines (id, import_id, line_no, date, amount_cents, text, hash, state, payer)
                 values (1, 1, 1, '2026-10-01', 100, 'x', zeroblob(32), 'posted', 'aunt beta');
             insert into payments (student_id, amount_cents, method, received_on, created_at, import_line_id)
                 values (3, 100, 'cash', '2026-10-01', 0, 1);",
        )
        .unwrap();
    assert_eq!(owner(&connection, "e-Transfer from Aunt Beta", 5), Some((3, MatchReason::Payer)));
}

#[test]
fn a_line_names_its_match_as_the_wire_says_it() {
    let why = MatchReason::NameAmount;
    let owes = Money::from_cents(50_000);
    let matched = BankMatch { student_id: 4, student_name: "Li Wei".into(), why, owes };
    let json: Value = serde_json::to_value(matched).unwrap();
    let expected =
        serde_json::json!({ "studentId": 4, "studentName": "Li Wei", "why": "name_amount", "owes": 500 });
    assert_eq!(json, expected);
}
