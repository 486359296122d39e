//! Steps with a file of the bank: imported and posted by the code in a line, a line for two students, the import undone.

use rusqlite::Connection;
use serde_json::json;

use super::history::{History, STUDENTS, Step, is_merged, not_now};
use crate::base::error::Result;
use crate::base::money::Money;
use crate::money::bank::BankContext;
use crate::money::payments::codes;
use crate::storage::statements::{Statements, params};

impl History<'_> {
    pub fn use_bank(&mut self, connection: &Connection, step: Step) -> Result<()> {
        let bank = BankContext::of(self.payments());
        match step {
            Step::Import => {
                let student = self.random.i64(1..=STUDENTS);
                let code = codes::of_student(connection, &self.config.school().name, student)?;
                let today = self.today();
                let [one, other] = [self.amount(), self.amount()].map(dollars);
                // Few texts, so that a line, or a whole file, comes again.
                let text = self.random.u8(..3);
                let file = format!(
                    "Date,Transaction Details,Funds Out,Funds In\n{today},{code} {text},,{one}\n{today},Cheque {text},,{other}\n{today},Cheque {text},,{other}\n{today},Fee,12.50,\n"
                );
                bank.import_and_post(connection, "Chequing", file.into_bytes(), student, today)
            }
            Step::PostLine => {
                let id = self.some("bank_lines");
                let sql = "select import_id, amount_cents from bank_lines where id = :id";
                let line: Option<(i64, i64)> = connection.find(sql, params![id])?;
                let (import, cents) = line.ok_or_else(not_now)?;
                let students = [self.random.i64(1..=STUDENTS), self.random.i64(1..=STUDENTS)];
                let first = self.random.i64(0..cents.max(1));
                let parts = [first, cents - first].map(Money::from_cents);
                let is_split = first > 0 && students[0] != students[1];
                let again = self.random.bool();
                let lines =
                    match is_split {
                        true => json!([0, 1].map(
                            |at| json!({ "lineId": id, "studentId": students[at], "amount": parts[at], "again": again })
                        )),
                        false => json!([{ "lineId": id, "studentId": students[0], "again": again }]),
                    };
                if is_merged(connection, students[0])? || is_merged(connection, students[1])? {
                    return Err(not_now());
                }
                let lines: Vec<_> = serde_json::from_value(lines).unwrap();
                let done = json!(bank.post(connection, import, &lines)?);
                if done["results"][0]["ok"] == false { Err(not_now()) } else { Ok(()) }
            }
            _ => {
                let id = self.some("bank_imports");
                bank.undo(connection, id).map(drop)
            }
        }
    }
}

/// As a bank writes it.
fn dollars(amount: Money) -> String {
    format!("{}.{:02}", amount.cents() / 100, amount.cents() % 100)
}
