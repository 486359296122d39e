//! Imports a file: all rows are validated before the first is written, and a single mistake rejects the whole file.
//! Rows are then written in short transactions, so that other writes do not wait for the whole file.
//!
//! Each row is validated again in its transaction, since stored data may have changed. An interrupted import has
//! written its first rows; importing the same file again completes it without changing those.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use rusqlite::{Connection, TransactionBehavior};

use super::columns::{Column, ColumnChoice, UnknownHeading};
use super::problem::{Problem, Problems};
use super::read::{Row, Sheet};
use crate::base::closed_set::closed_set;
use crate::base::error::{FieldErrors, Result};

/// Rows per transaction: 50 students with every column filled hold the lock for about 0.1 s.
pub(super) const STEP: usize = 50;
/// Maximum rows listed in an outcome.
const LISTED: usize = 50;

/// An import of one kind of row.
pub trait Import {
    /// Name of a row's thing.
    const THING: &'static str;
    /// The unique column, and the name of its value.
    const KEY: (&'static str, &'static str);
    /// A validated row.
    type Plan;

    /// The columns.
    fn columns() -> Vec<Column>;

    /// Looks at the rows before any is validated: what one proves can decide others. Without it no row is read twice.
    fn look_ahead(&mut self, _rows: &mut dyn Iterator<Item = Row>) {}

    /// Whether a row is about another thing than those that are imported.
    fn is_left_out(_row: &Row) -> bool {
        false
    }

    /// A row's unique value, normalized; `None` if invalid.
    fn key(row: &Row) -> Option<String>;

    /// Validates a row against the stored data.
    ///
    /// # Errors
    /// Database errors; invalid fields are in the inner result.
    fn validate(&self, connection: &Connection, row: &Row) -> Result<Result<Self::Plan, FieldErrors>>;

    /// What a plan does; `None` if nothing would change.
    fn action(plan: &Self::Plan) -> Option<ImportAction>;

    /// Executes a plan.
    ///
    /// # Errors
    /// Database errors.
    fn carry_out(&self, connection: &Connection, plan: Self::Plan) -> Result<()>;
}

closed_set! {
    /// Effect of a line.
    pub enum ImportAction {
        /// Adds a row.
        Add = "add",
        /// Changes an existing row.
        Update = "update",
    }
}

/// Outcome of an import or a dry run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ImportOutcome {
    /// The first lines that add or update: line number, effect and key.
    pub rows: Vec<(u64, ImportAction, String)>,
    /// Number of rows added.
    pub added: usize,
    /// Number of rows updated.
    pub updated: usize,
    /// Number of rows without changes.
    pub unchanged: usize,
    /// Number of rows about other things.
    pub left_out: usize,
    /// Headings that no column has.
    pub unknown: Vec<UnknownHeading>,
    /// Columns that no heading has, where headings are unknown.
    pub free: Vec<&'static str>,
    /// Problems. Before writing they reject the file; during writing their lines are skipped.
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

/// An import in progress.
pub struct Importing<I> {
    import: I,
    /// `None` if the file is not a table; the problems say why.
    sheet: Option<Sheet>,
    announced: ImportOutcome,
    done: ImportOutcome,
    rows: usize,
    rows_done: usize,
}

impl<I: Import> Importing<I> {
    /// Opens a file, whose columns are known by their headings.
    pub fn open(import: I, bytes: Vec<u8>) -> Self {
        Self::open_with(import, bytes, &ColumnChoice::default())
    }

    /// Opens a file, with what was chosen for headings that no column has.
    pub fn open_with(mut import: I, bytes: Vec<u8>, chosen: &ColumnChoice) -> Self {
        let mut announced = ImportOutcome::default();
        let sheet = match Sheet::open_with(bytes, &I::columns(), chosen) {
            Ok((mut sheet, problems)) => {
                announced.problems = problems;
                announced.unknown.clone_from(&sheet.unknown);
                if !sheet.unknown.is_empty() {
                    announced.free = sheet.free_columns(&I::columns());
                }
                import.look_ahead(&mut sheet);
                sheet.rewind();
                Some(sheet)
            }
            Err(problem) => {
                announced.problems.push(problem);
                None
            }
        };
        Self { import, sheet, announced, done: ImportOutcome::default(), rows: 0, rows_done: 0 }
    }

    /// Validates every row without writing, and returns what would happen.
    ///
    /// # Errors
    /// Database errors.
    pub fn validate(&mut self, connection: &Connection) -> Result<&ImportOutcome> {
        let Some(sheet) = &mut self.sheet else { return Ok(&self.announced) };
        let outcome = &mut self.announced;
        // Hashes under a random key, as the texts of a large file would take several times its size.
        let hasher = RandomState::new();
        let mut lines = HashMap::new();
        for row in sheet.by_ref() {
            self.rows += 1;
            if I::is_left_out(&row) {
                outcome.left_out += 1;
                continue;
            }
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
            if let Some(plan) = validate(&self.import, connection, &row, &mut outcome.problems)? {
                outcome.note(row.line, I::action(&plan), key);
            }
        }
        if self.rows == 0 {
            let rule = format!("there is no {} below the header", I::THING);
            outcome.problems.push(Problem::of_line(sheet.header, rule));
        }
        if !outcome.problems.is_empty() {
            *outcome = ImportOutcome {
                problems: std::mem::take(&mut outcome.problems),
                unknown: std::mem::take(&mut outcome.unknown),
                free: std::mem::take(&mut outcome.free),
                ..ImportOutcome::default()
            };
        }
        sheet.rewind();
        Ok(outcome)
    }

    /// The outcome of [`Self::validate`].
    pub fn announced(&self) -> &ImportOutcome {
        &self.announced
    }

    /// The outcome of the rows written so far.
    pub fn done(&self) -> &ImportOutcome {
        &self.done
    }

    /// Number of rows in the file.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of rows written.
    pub fn rows_done(&self) -> usize {
        self.rows_done
    }

    /// Writes the next rows in the caller's transaction, and returns whether there are more.
    ///
    /// # Errors
    /// Database errors; the caller rolls the step back, and the import is interrupted.
    pub fn write_step(&mut self, connection: &Connection) -> Result<bool> {
        let rows = self.sheet.iter_mut().filter(|_| self.announced.problems.is_empty());
        let mut step = 0;
        for row in rows.flat_map(|sheet| sheet.take(STEP)) {
            if I::is_left_out(&row) {
                self.done.left_out += 1;
            } else if let Some(plan) = validate(&self.import, connection, &row, &mut self.done.problems)? {
                self.done.note(row.line, I::action(&plan), I::key(&row));
                self.import.carry_out(connection, plan)?;
            }
            step += 1;
        }
        self.rows_done += step;
        Ok(step > 0 && self.rows_done < self.rows)
    }

    /// Writes all rows, also beside a running server. `between` runs between two transactions, when other processes may
    /// write, with the rows done and the total.
    ///
    /// # Errors
    /// Database errors; [`Self::rows_done`] has the progress.
    pub fn write(
        &mut self,
        connection: &mut Connection,
        between: &mut dyn FnMut(usize, usize),
    ) -> Result<()> {
        loop {
            // Immediate: a deferred transaction fails when a running server writes between its reading and writing.
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

/// Validates a row; `None` if it has problems, which are recorded.
fn validate<I: Import>(
    import: &I,
    connection: &Connection,
    row: &Row,
    problems: &mut Problems,
) -> Result<Option<I::Plan>> {
    row.problems.iter().for_each(|problem| problems.push(problem.clone()));
    if !row.problems.is_empty() {
        return Ok(None);
    }
    let errors = match import.validate(connection, row)? {
        Ok(plan) => return Ok(Some(plan)),
        Err(errors) => errors,
    };
    for (name, rule) in errors.iter() {
        // A missing required column is reported once, for the header, not for every row.
        let is_told = I::columns()
            .iter()
            .any(|column| column.name() == name && column.is_told_once(|other| row.cell(other).is_some()));
        if !is_told {
            problems.push(Problem::of_cell(row.line, name, row.cell(name).unwrap_or_default(), rule));
        }
    }
    Ok(None)
}
