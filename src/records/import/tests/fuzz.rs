//! Sheets of students, corrupted: what a dry run announces is what happens, once, or nothing does.

use super::*;
use crate::tests::fuzz::{for_rounds, spoil};

const WORDS: [&[u8]; 14] = [
    b"\"",
    b"\r\n",
    b"\n",
    b",",
    b";",
    b"\t",
    b"@",
    b"jane@mail.example",
    b"email",
    b"2009-02-30",
    b"=cmd|'/C calc'!A0",
    b"\0",
    b"\xE2\x80\xAE",
    b"on",
];
const ROWS: [&str; 5] = [
    "jane@mail.example,Jane Doe,2009-03-01,female,Permanent Resident,CA,1 Sample Street,Ottawa,ON,k1a0b1,6475550101",
    "zoe@mail.example,Zoë Müller,,,,,,,,,",
    "\"li@mail.example\",\"李 小龍\",2008-11-27,male,citizen,,,,,,",
    "o'hara@mail.example,\"O'Hara, Síle\",,,international,IE,\"1, The Mall\",Dublin,Leinster,,",
    "known@mail.example,Known Before,2010-01-31,,,,,,,,",
];

#[test]
fn corrupted_sheets_do_what_a_dry_run_reports_once_or_nothing() {
    let (_folder, connection) = school();
    let header = "email,fullName,dateOfBirth,gender,canadianStatus,country,address,city,province,postalCode,phoneNumber";
    let first = import(&connection, format!("{header}\n{}\n", ROWS[4]));
    assert_eq!(first.added, 1);
    let mut changed = 0;
    for_rounds("sheets of students", 200, |random| {
        let mut bytes = format!("{header}\n").into_bytes();
        for row in ROWS.iter().filter(|_| random.bool()) {
            bytes.extend(row.as_bytes());
            bytes.push(b'\n');
        }
        if random.u8(..6) > 0 {
            spoil(&mut bytes, &WORDS, random);
        }
        let Ok(text) = std::str::from_utf8(&bytes) else { return };
        connection.execute_batch("savepoint round").unwrap();
        let before = count(&connection);
        let announced = look(&connection, text);
        assert_eq!(count(&connection), before, "a dry run leaves nothing");
        let done = import(&connection, text);
        assert_eq!(done, announced);
        let added = if done.problems.is_empty() { done.added } else { 0 };
        assert_eq!(count(&connection) - before, added as i64);
        let again = import(&connection, text);
        if done.problems.is_empty() {
            assert_eq!(
                (again.added, again.updated, again.unchanged),
                (0, 0, done.added + done.updated + done.unchanged),
                "{text}"
            );
            changed += done.added + done.updated;
        } else {
            assert_eq!(again, done);
        }
        connection.execute_batch("rollback to round; release round").unwrap();
    });
    assert!(changed > 20, "some sheets stay good: {changed}");
}
