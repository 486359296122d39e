//! Matches the lines of a bank statement with students: by the code in the text, or by the full name and exactly the
//! amount due.
//!
//! It is worked out whenever a line is looked at, and never stored: what is due changes.

use std::collections::BTreeMap;

use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use crate::base::closed_set::closed_set;
use crate::base::error::Result;
use crate::fees::{self, Fees, Payer};
use crate::payments::codes;
use crate::storage::search::fold;
use crate::storage::statements::{Statements, from_row, params};

closed_set! {
    /// Why a line is taken for a student's.
    pub enum MatchReason {
        /// The student's code is in the text.
        Code = "code",
        /// The student's full name is in the text, and it is exactly what is due.
        NameAmount = "name_amount",
    }
}

/// The student that a line may belong to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BankMatch {
    /// The student.
    pub student_id: i64,
    /// The student's name.
    pub student_name: String,
    /// Why.
    pub why: MatchReason,
}

struct StudentName {
    id: i64,
    full_name: String,
}

from_row!(StudentName { id, full_name });

/// Students by the first word of their names, each with all words of the name.
type Names = BTreeMap<String, Vec<(Vec<String>, StudentName)>>;

/// What is needed to match the lines of a file, read once.
pub struct Matcher<'a> {
    connection: &'a Connection,
    school: &'a str,
    /// Read with the first line that has no code.
    names: Option<Names>,
    /// What each student may pay, read when it is first asked for.
    due: BTreeMap<i64, Vec<i64>>,
}

impl<'a> Matcher<'a> {
    /// A matcher for the codes of a school of this name.
    pub fn new(connection: &'a Connection, school: &'a str) -> Self {
        Self { connection, school, names: None, due: BTreeMap::new() }
    }

    /// The match for a line with this text and amount.
    ///
    /// # Errors
    /// Database errors.
    pub fn find(&mut self, text: &str, cents: i64) -> Result<Option<BankMatch>> {
        match *codes::owners(self.connection, self.school, text)? {
            [] => self.by_name(text, cents),
            [student_id] => {
                let sql =
                    "select coalesce(full_name, 'Student #' || id) from students where id = :student_id";
                let student_name = self.connection.one(sql, params![student_id])?;
                Ok(Some(BankMatch { student_id, student_name, why: MatchReason::Code }))
            }
            // Of two children: the office says how it is divided.
            _ => Ok(None),
        }
    }

    fn by_name(&mut self, text: &str, cents: i64) -> Result<Option<BankMatch>> {
        let text = words(text);
        let names = match self.names.take() {
            Some(names) => names,
            None => self.read_names()?,
        };
        let mut found: Vec<(i64, String)> = Vec::new();
        for (at, word) in text.iter().enumerate() {
            for (name, student) in names.get(word).into_iter().flatten() {
                if text[at..].starts_with(name) && !found.iter().any(|(id, _)| *id == student.id) {
                    found.push((student.id, student.full_name.clone()));
                }
            }
        }
        self.names = Some(names);
        let mut candidates = Vec::new();
        for (id, name) in found {
            if self.owes(id, cents)? {
                candidates.push((id, name));
            }
        }
        let [(student_id, student_name)] = candidates.as_slice() else { return Ok(None) };
        let (student_id, student_name) = (*student_id, student_name.clone());
        Ok(Some(BankMatch { student_id, student_name, why: MatchReason::NameAmount }))
    }

    fn read_names(&self) -> Result<Names> {
        let sql = "select id, full_name from students where full_name is not null and merged_into is null";
        let students: Vec<StudentName> = self.connection.list(sql, [])?;
        let mut names = Names::new();
        for student in students {
            let name = words(&student.full_name);
            if let Some(first) = name.first() {
                names.entry(first.clone()).or_default().push((name, student));
            }
        }
        Ok(names)
    }

    /// Whether an amount is exactly what a student has to pay: in all, less what on account covers, or of one open part.
    fn owes(&mut self, student_id: i64, cents: i64) -> Result<bool> {
        if let Some(amounts) = self.due.get(&student_id) {
            return Ok(amounts.contains(&cents));
        }
        let payer = Payer::Student(student_id);
        let open = Fees::read(self.connection, payer)?.open();
        let parts: Vec<i64> = open.iter().map(|charge| charge.amount.cents()).collect();
        let total: i64 = parts.iter().sum();
        let on_account = fees::on_account(self.connection, payer)?;
        let rest = total - fees::free_on_account(self.connection, student_id, on_account)?.cents();
        let amounts: Vec<_> = parts.into_iter().chain([total, rest]).collect();
        let owes = amounts.contains(&cents);
        self.due.insert(student_id, amounts);
        Ok(owes)
    }
}

/// The words of a text, without case, accents and punctuation.
fn words(text: &str) -> Vec<String> {
    let folded = fold(text);
    folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}
