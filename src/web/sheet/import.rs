//! A file into the database: every row is judged before the first is written, and a single mistake keeps the
//! whole file out; then rows are written in short transactions, so that others who write wait for one of those
//! and not for the file.
//!
//! Each row is judged again in the transaction that writes it, since others change what is stored meanwhile. An
//! import that breaks off has written its first rows; the same file again does the rest, and leaves them alone.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use rusqlite::{Connection, TransactionBehavior};

use super::problem::{Problem, Problems};
use super::read::{Column, Row, Sheet};
use crate::base::closed_set::closed_set;
use crate::base::error::{FieldErrors, Result};

/// Rows of one transaction: 50 students with every column filled hold the lock for about 0.1 s.
pub(super) const STEP: usize = 50;
/// Rows that an outcome lists; a file may have many.
const LISTED: usize = 50;

/// What the rows of a file become.
pub trait Import {
    /// What a row is called.
    const THING: &'static str;
    /// The column that no two rows share, and what its value is called.
    const KEY: (&'static str, &'static str);
    /// What a row means, once it is judged.
    type Plan;

    /// The columns.
    fn columns() -> Vec<Column>;

    /// A row's value that no other has, in the one form of all that mean it; none where it is wrong.
    fn key(row: &Row) -> Option<String>;

    /// Judges a row by what is stored.
    ///
    /// # Errors
    /// When the database refuses; the rules that the row breaks are in the answer.
    fn judge(&self, connection: &Connection, row: &Row) -> Result<Result<Self::Plan, FieldErrors>>;

    /// What a plan does; none where everything is so already.
    fn action(plan: &Self::Plan) -> Option<ImportAction>;

    /// Does it.
    ///
    /// # Errors
    /// When the database refuses.
    fn carry_out(&self, connection: &Connection, plan: Self::Plan) -> Result<()>;
}

closed_set! {
    /// What becomes of a line.
    pub enum ImportAction {
        /// It is new.
        Add = "add",
        /// It is known, and the line says something else of it.
        Update = "update",
    }
}

/// What an import did, or would do.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ImportOutcome {
    /// The first lines that add or update: the line in the file, what becomes of it, and its key.
    pub rows: Vec<(u64, ImportAction, String)>,
    /// How many add.
    pub added: usize,
    /// How many update.
    pub updated: usize,
    /// How many change nothing.
    pub unchanged: usize,
    /// What is wrong. Before anything was written nothing will be; afterwards these lines are left out.
    pub problems: Problems,
}

impl ImportOutcome {
    fn note(&mut self, line: u64, action: Option<ImportAction>, key: Option<String>) {
        match action {
            Some(ImportAction::Add) => self.added += 1,
            Some(ImportAction::Update) => self.updated += 1,
            None => self.unchanged += 1,
        }
        if let Some(action) = action
            && self.rows.len() < LISTED
        {
            self.rows.push((line, action, key.unwrap_or_default()));
        }
    }
}

/// A file on its way into the database.
pub struct Importing<I> {
    import: I,
    /// None when it is no table; the problems say why.
    sheet: Option<Sheet>,
    announced: ImportOutcome,
    done: ImportOutcome,
    rows: usize,
    rows_done: usize,
}

impl<I: Import> Importing<I> {
    /// Opens a file.
    pub fn open(import: I, bytes: Vec<u8>) -> Self {
        let mut announced = ImportOutcome::default();
        let sheet = match Sheet::open(bytes, &I::columns()) {
            Ok((sheet, problems)) => {
                announced.problems = problems;
                Some(sheet)
            }
            Err(problem) => {
                announced.problems.push(problem);
                None
            }
        };
        Self { import, sheet, announced, done: ImportOutcome::default(), rows: 0, rows_done: 0 }
    }

    /// Judges every row, writes nothing, and says what would happen.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn judge(&mut self, connection: &Connection) -> Result<&ImportOutcome> {
        let Some(sheet) = &mut self.sheet else { return Ok(&self.announced) };
        let outcome = &mut self.announced;
        // Hashes under a random key: the texts of a large file would take several times its size.
        let (hasher, mut lines) = (RandomState::new(), HashMap::new());
        for row in sheet.by_ref() {
            self.rows += 1;
            let key = I::key(&row);
            if let Some(key) = &key {
                let first = *lines.entry(hasher.hash_one(key)).or_insert(row.line);
                if first != row.line {
                    let (column, word) = I::KEY;
                    let rule = format!("the same {word} is already on line {first}");
                    let typed = row.cell(column).unwrap_or_default();
                    outcome.problems.push(Problem::of_cell(row.line, column, typed, rule));
                }
            }
            if let Some(plan) = judge(&self.import, connection, &row, &mut outcome.problems)? {
                outcome.note(row.line, I::action(&plan), key);
            }
        }
        if self.rows == 0 {
            let rule = format!("there is no {} below the header", I::THING);
            outcome.problems.push(Problem::of_line(sheet.header, rule));
        }
        if !outcome.problems.is_empty() {
            *outcome =
                ImportOutcome { problems: std::mem::take(&mut outcome.problems), ..ImportOutcome::default() };
        }
        sheet.rewind();
        Ok(outcome)
    }

    /// What [`Self::judge`] has said.
    pub fn announced(&self) -> &ImportOutcome {
        &self.announced
    }

    /// What was written so far.
    pub fn done(&self) -> &ImportOutcome {
        &self.done
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many of them are done.
    pub fn rows_done(&self) -> usize {
        self.rows_done
    }

    /// Writes the next rows, in a transaction of the caller's, and returns whether there are further ones.
    ///
    /// # Errors
    /// When the database refuses; then the caller takes this step back, and the import has broken off.
    pub fn write_step(&mut self, connection: &Connection) -> Result<bool> {
        let rows = self.sheet.iter_mut().filter(|_| self.announced.problems.is_empty());
        let mut step = 0;
        for row in rows.flat_map(|sheet| sheet.take(STEP)) {
            if let Some(plan) = judge(&self.import, connection, &row, &mut self.done.problems)? {
                self.done.note(row.line, I::action(&plan), I::key(&row));
                self.import.carry_out(connection, plan)?;
            }
            step += 1;
        }
        self.rows_done += step;
        Ok(step > 0 && self.rows_done < self.rows)
    }

    /// Writes all rows beside a running server. `between` runs between two transactions, while others may write,
    /// and hears how many rows of how many are done.
    ///
    /// # Errors
    /// When the database refuses; [`Self::rows_done`] says how far it came.
    pub fn write(
        &mut self,
        connection: &mut Connection,
        between: &mut dyn FnMut(usize, usize),
    ) -> Result<()> {
        loop {
            // Immediate: a deferred one fails when a running school writes between its reading and writing.
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let is_more = self.write_step(&transaction)?;
            transaction.commit()?;
            if !is_more {
                return Ok(());
            }
            between(self.rows_done, self.rows);
        }
    }
}

/// What a row means; none where something is wrong with it, which is noted.
fn judge<I: Import>(
    import: &I,
    connection: &Connection,
    row: &Row,
    problems: &mut Problems,
) -> Result<Option<I::Plan>> {
    row.problems.iter().for_each(|problem| problems.push(problem.clone()));
    if !row.problems.is_empty() {
        return Ok(None);
    }
    let errors = match import.judge(connection, row)? {
        Ok(plan) => return Ok(Some(plan)),
        Err(errors) => errors,
    };
    for (name, rule) in errors.iter() {
        // A required column that is missing was named once, in the header; not again for every row.
        let is_told = I::columns().iter().any(|column| column.name() == name && column.is_required());
        match row.cell(name) {
            None if is_told => {}
            cell => problems.push(Problem::of_cell(row.line, name, cell.unwrap_or_default(), rule)),
        }
    }
    Ok(None)
}
