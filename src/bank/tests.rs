//! Reading a bank's file, and whose its lines are.

use jiff::civil::date;
use serde_json::Value;

use super::*;
use crate::storage::db;
use crate::storage::statements::{Statements as _, params};

const TODAY: Date = date(2026, 11, 26);
const SCHOOL: &str = "Northern Gate Academy";

fn named(date: &str, text: &str, amount: &str) -> Columns {
    Columns { date: date.into(), text: text.into(), amount: amount.into(), ..Columns::default() }
}

fn read(bytes: &[u8], columns: Columns) -> Result<BankFile> {
    file::read(bytes.to_vec(), "Chequing", columns, None, TODAY)
}

/// Date, cents and text of each line.
fn lines(bytes: &[u8], columns: Columns) -> Vec<(String, i64, String)> {
    let file = read(bytes, columns).unwrap();
    file.lines.into_iter().map(|line| (line.date.to_string(), line.cents, line.text)).collect()
}

fn line(day: &str, cents: i64, text: &str) -> (String, i64, String) {
    (format!("2026-11-{day}"), cents, text.to_owned())
}

/// What the refusal says of the file, or of a column.
fn refusal(bytes: &[u8], columns: Columns) -> String {
    let Error::Invalid(fields) = read(bytes, columns).unwrap_err() else { panic!("400 with fields") };
    fields.iter().map(|(name, message)| format!("{name}: {message}")).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_files_of_canadian_banks_are_known_by_heading_or_shape() {
    let (one, two) = (line("24", 50_000, "NGA-7QK4D"), line("25", -1_250, "FEE"));
    for (bank, file) in [
        (
            "RBC",
            "\"Account Type\",\"Account Number\",\"Transaction Date\",\"Cheque Number\",\"Description 1\",\"Description 2\",\"CAD$\",\"USD$\"\n\
             Chequing,01234-567,11/24/2026,,\"NGA-7QK4D\",,500.00,\nChequing,01234-567,11/25/2026,,\"FEE\",,-12.50,\n",
        ),
        ("TD", "11/24/2026,NGA-7QK4D,,500.00,1500.00\n11/25/2026,FEE,12.50,,1487.50\n"),
        (
            "BMO",
            "Following data is valid as of 20261126101500 (Year/Month/Day/Hour/Minute/Second)\n\n\
             First Bank Card,Transaction Type,Date Posted, Transaction Amount,Description\n\n\
             '5001234567',CREDIT,20261124,500.00,NGA-7QK4D\n'5001234567',DEBIT,20261125,-12.50,FEE\n",
        ),
        ("Scotiabank", "11/24/2026,500.00,\"-\",,\"NGA-7QK4D\"\n11/25/2026,-12.50,\"-\",\"FEE\",\"\"\n"),
        (
            "Scotiabank, newer",
            "Filter,Date,Description,Sub-description,Type of Transaction,Amount,Balance\n\
             ,2026-11-24,NGA-7QK4D,,Credit,500.00,1500.00\n,2026-11-25,FEE,,Debit,12.50,1487.50\n",
        ),
        ("CIBC", "2026-11-24,NGA-7QK4D,,500.00\n2026-11-25,FEE,12.50,\n"),
    ] {
        assert_eq!(lines(file.as_bytes(), Columns::default()), [one.clone(), two.clone()], "{bank}");
        let windows = file.replace('\n', "\r\n");
        assert_eq!(lines(windows.as_bytes(), Columns::default()), [one.clone(), two.clone()], "{bank}");
    }
}

#[test]
fn a_line_in_us_dollars_is_no_payment_and_keeps_its_amount_in_words() {
    let file = "Account Type,Account Number,Transaction Date,Cheque Number,Description 1,Description 2,CAD$,USD$\n\
        Chequing,1,11/24/2026,,NGA-7QK4D,,500.00,\nUSD,2,11/25/2026,,WIRE,,,20.50\n";
    let expected = [line("24", 50_000, "NGA-7QK4D"), line("25", 0, "WIRE US$ 20.50")];
    assert_eq!(lines(file.as_bytes(), Columns::default()), expected);
    let empty = file.replace(",20.50", ",");
    assert!(refusal(empty.as_bytes(), Columns::default()).contains("line 3, amount: must be an amount"));
}

#[test]
fn columns_are_named_by_heading_in_any_case_or_by_number() {
    let file = b"When;What;Who;How much\n24/11/2026;e-Transfer;Ada, Lovelace;1,200.00\n";
    let expected = [line("24", 120_000, "e-Transfer Ada, Lovelace")];
    for columns in
        [named("when", "WHAT,who", "how much"), named("1", "2,3", "4"), named("When", "2, Who", "4")]
    {
        let columns = Columns { date_format: Some(values::DateFormat::Dmy), ..columns };
        assert_eq!(lines(file, columns), expected);
    }
    // Without a heading the first line is one of the lines.
    let bare = b"2026-11-24,500,Ada\n2026-11-25,600,Ben\n";
    assert_eq!(lines(bare, named("1", "3", "2")), [line("24", 50_000, "Ada"), line("25", 60_000, "Ben")]);
    let both = Columns { credit: "2".into(), debit: "3".into(), ..named("1", "4", "") };
    assert_eq!(
        lines(b"Date,In,Out,Text\n2026-11-24,500,,Ada\n2026-11-25,0.00,12.50,Fee\n", both),
        [line("24", 50_000, "Ada"), line("25", -1_250, "Fee")]
    );
    for (columns, words) in [
        (named("Day", "3", "2"), "date: No column is called \u{201c}Day\u{201d}"),
        (named("1", "3", "9"), "amount: The file has 3 columns"),
        (named("1", "3", ""), "amount: Choose the column"),
        (Columns { credit: "2".into(), ..named("1", "3", "2") }, "amount: Choose the amount, or"),
        (Columns { credit: "2".into(), ..named("1", "3", "") }, "debit: Choose a column"),
    ] {
        let said = refusal(bare, columns);
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn a_file_in_another_encoding_keeps_its_accents() {
    let columns = || named("1", "2", "3");
    let text = "2026-11-24,Zoë Müller \u{2013} frais,500\n";
    let western: Vec<u8> =
        text.chars().map(|c| if c == '\u{2013}' { 0x96 } else { u8::try_from(c).unwrap() }).collect();
    let marked = [b"\xEF\xBB\xBF", text.as_bytes()].concat();
    for bytes in [text.as_bytes(), &western, &marked] {
        assert_eq!(lines(bytes, columns()), [line("24", 50_000, "Zoë Müller \u{2013} frais")]);
    }
    assert!(refusal(b"PK\x03\x04\0\0", columns()).contains("not a CSV file"));
}

#[test]
fn lines_that_cannot_be_read_are_all_named() {
    let file = b"Date,Text,Amount\n2026-02-30,Ada,500\n2026-11-24,Ben,\"1.200,00\"\n2026-11-27,Eve,1\n2026-11-24,Fay,7\n";
    let said = refusal(file, named("Date", "Text", "Amount"));
    for words in [
        "3 values cannot be read",
        "line 2, date: must be a real date",
        "line 3, amount: must be an amount, written like 1,200.00 (found \"1.200,00\")",
        "line 4, date: is after today",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(!said.contains("line 5"), "{said}");
    for (file, words) in [
        (&b""[..], "empty"),
        (b"Date,Text,Amount\n", "no lines below"),
        (b"Date,Text,Amount\n2026-11-24,\"Ada,500\n", "line 2: a quotation mark"),
    ] {
        let said = refusal(file, named("1", "2", "3"));
        assert!(said.contains(words), "{said}");
    }
    // 5,000 lines below whatever stands above them, and no more.
    for above in ["", "Date,Text,Amount\n"] {
        let file = |lines| format!("{above}{}", "2026-11-24,Ada,500\n".repeat(lines));
        assert!(refusal(file(5_001).as_bytes(), named("1", "2", "3")).contains("5,000"));
        assert_eq!(read(file(5_000).as_bytes(), named("1", "2", "3")).unwrap().lines.len(), 5_000);
    }
}

#[test]
fn unknown_columns_are_asked_for_with_the_first_lines() {
    let Error::ColumnsUnknown(_, columns, shown) =
        read(b"When,What,How much\n2026-11-24,Ada,500\n", Columns::default()).unwrap_err()
    else {
        panic!("the columns are asked for")
    };
    assert_eq!(columns, ["When", "What", "How much"]);
    assert_eq!(shown["rows"][1], serde_json::json!(["2026-11-24", "Ada", "500"]));
}

#[test]
fn columns_of_the_accounts_last_file_that_do_not_fit_are_asked_for_again() {
    let read = |file: &str, before| {
        file::read(file.as_bytes().to_vec(), "Account", Columns::default(), Some(before), TODAY)
    };
    let numbers = || named("3", "2", "1");
    for (file, before) in [
        ("2026-11-24,Ada,500\n2026-11-25,Ben,1\n", numbers()),
        ("When,What,How much\n2026-11-24,Ada,500\n", named("Date", "Text", "Amount")),
    ] {
        let refused = read(file, before).unwrap_err();
        let Error::ColumnsUnknown(message, ..) = refused else { panic!("{refused}") };
        assert!(message.contains("do not fit this one. Choose them again"), "{message}");
    }
    // A bank that is known by its lines; and those that fit name the line that is wrong.
    assert_eq!(read("2026-11-24,Ada,,5.00\n", numbers()).unwrap().lines[0].cents, 500);
    let wrong = read("500,Ada,2026-11-24\nx,Ben,2026-11-24\n", numbers()).unwrap_err().to_string();
    assert!(!wrong.contains("do not fit"), "{wrong}");
    for file in ["Date,Text,Amount\n2026-11-27,Ada,5\n", "Date,Text,Amount\n"] {
        let wrong = read(file, named("Date", "Text", "Amount")).unwrap_err();
        assert!(matches!(wrong, Error::Invalid(_)), "{wrong:?}");
    }
}

#[test]
fn two_equal_lines_of_a_file_are_two_and_the_same_in_the_next_file() {
    let hashes = |file: &[u8]| -> Vec<_> {
        read(file, named("1", "2", "3")).unwrap().lines.into_iter().map(|line| line.hash).collect()
    };
    let twice = hashes(b"2026-11-24,Ada,500\n2026-11-24,Ada,500\n2026-11-24,Ada,501\n");
    assert!(twice[0] != twice[1] && twice[1] != twice[2]);
    assert_eq!(hashes(b"2026-11-23,Ben,1\n2026-11-24,Ada,500.00\n")[1], twice[0]);
    let other =
        file::read(b"2026-11-24,Ada,500\n".to_vec(), "Savings", named("1", "2", "3"), None, TODAY).unwrap();
    assert_ne!(other.lines[0].hash, twice[0], "another account");
}

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
    let found = Matcher::new(connection, SCHOOL).find(text, cents).unwrap();
    found.map(|found| (found.student_id, found.why))
}

#[test]
fn a_code_is_found_anywhere_and_every_wrong_character_of_it_is_refused() {
    let (_folder, connection) = school(&["Ada Lovelace", "Ben Okonkwo", "Chidi Okonkwo"]);
    let code = crate::payments::codes::of_student(&connection, SCHOOL, 2).unwrap();
    let (letters, digits) = code.split_once('-').unwrap();
    let other = crate::payments::codes::of_student(&connection, SCHOOL, 3).unwrap();
    let own = Some((2, MatchReason::Code));
    for text in [
        code.clone(),
        format!("INTERAC e-Transfer {} from B", code.to_lowercase()),
        format!("{letters}{digits}"),
        format!("re: {letters} {digits}, thank you"),
        format!("({letters}\u{2013}{digits})"),
        format!("{code} and again {code}"),
    ] {
        assert_eq!(owner(&connection, &text, 1), own, "{text}");
    }
    assert_eq!(owner(&connection, &format!("{code} {other}"), 1), None, "of two children");
    assert_eq!(owner(&connection, digits, 1), None, "without the school's letters");
    for at in 0..code.len() {
        for character in "0123456789ABCDEFGHJKMNPQRSTVWXYZILOU*".chars() {
            let wrong = format!("{}{character}{}", &code[..at], &code[at + 1..]);
            if wrong != code {
                assert_eq!(owner(&connection, &wrong, 1), None, "{wrong}");
            }
        }
    }
    let renamed = |text: &str| Matcher::new(&connection, "Bay Ridge College").find(text, 1).unwrap();
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
    for (text, cents, expected) in [
        ("E-TFR ZOE OBRIEN", 80_000, Some(1)),
        ("e-transfer from zoë o'brien", 50_000, Some(1)),
        ("ZOE OBRIEN", 30_000, Some(1)),
        ("ZOE OBRIEN", 49_999, None),
        ("ZOE", 80_000, None),
        ("ZOE OBRIENS", 80_000, None),
        ("BEN OKONKWO", 50_000, None),
        ("LI WEI", 50_000, Some(4)),
        ("ALI WEI", 50_000, None),
        ("LI WEI AND ZOE OBRIEN", 50_000, None),
        ("LI WEI AND ZOE OBRIEN", 80_000, Some(1)),
    ] {
        let expected = expected.map(|id| (id, MatchReason::NameAmount));
        assert_eq!(owner(&connection, text, cents), expected, "{text} {cents}");
    }
}

#[test]
fn a_file_is_read_by_few_columns() {
    let read = |texts: usize| {
        let text = vec!["2"; texts].join(",");
        let columns = Columns { date: "1".into(), text, amount: "3".into(), ..Columns::default() };
        super::file::read(b"2026-11-20,From Mei,500.00\n".to_vec(), "Main", columns, None, TODAY)
    };
    assert_eq!(read(20).unwrap().lines.len(), 1);
    let Err(Error::Invalid(errors)) = read(7_000) else { panic!("7,000 columns were read") };
    assert!(errors.iter().all(|(field, message)| (field, message) == ("text", "Choose at most 20 columns")));
}

#[test]
fn a_line_names_its_match_as_the_wire_says_it() {
    let matched = BankMatch { student_id: 4, student_name: "Li Wei".into(), why: MatchReason::NameAmount };
    let json: Value = serde_json::to_value(matched).unwrap();
    assert_eq!(json, serde_json::json!({ "studentId": 4, "studentName": "Li Wei", "why": "name_amount" }));
}
