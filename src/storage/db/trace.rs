//! Cost of each statement, counted by SQLite, for the test that no statement scans a table.
//!
//! Only in debug builds, and only on connections to a database that a test watches.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::trace::{StmtRef, TraceEvent, TraceEventCodes};
use rusqlite::{Connection, StatementStatus};

/// Cost of one statement so far.
#[derive(Debug, Clone, Default)]
pub struct Cost {
    /// How often it ran.
    pub runs: u32,
    /// Virtual machine steps of the most expensive run, minus the allowance for its rows.
    pub excess: i64,
    /// Rows returned by the most expensive run.
    pub rows: i64,
    /// Virtual machine steps of the most expensive run.
    pub steps: i64,
    /// Virtual machine steps of all runs.
    pub total: i64,
    /// The statement of the most expensive run, with its values.
    pub example: String,
}

/// Allowed steps per row: columns, joins, sorting.
pub const STEPS_OF_A_ROW: i64 = 150;

/// Costs of a database's statements, by text.
pub type Costs = Arc<Mutex<HashMap<String, Cost>>>;

static WATCHED: Mutex<Vec<(PathBuf, Costs)>> = Mutex::new(Vec::new());

/// Starts counting on every connection opened to a database from now on.
pub fn watch(database: &Path) -> Costs {
    let costs = Costs::default();
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner).push((database.to_owned(), costs.clone()));
    costs
}

/// Starts counting on this connection if its database is watched.
pub(super) fn attach(connection: &mut Connection, database: &Path) -> rusqlite::Result<()> {
    let watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    let Some((_, costs)) = watched.iter().find(|(path, _)| path == database) else { return Ok(()) };
    let costs = costs.clone();
    let mut counters = StatementCosts::default();
    connection.trace_v2(
        TraceEventCodes::SQLITE_TRACE_ROW | TraceEventCodes::SQLITE_TRACE_PROFILE,
        Some(move |event: TraceEvent<'_>| match event {
            TraceEvent::Row(statement) => counters.cost(&statement).rows += 1,
            TraceEvent::Profile(statement, _) => {
                let (rows, steps) = counters.cost(&statement).take(&statement);
                let mut costs = costs.lock().unwrap_or_else(PoisonError::into_inner);
                costs.entry(statement.sql().into_owned()).or_default().add(rows, steps, &statement);
            }
            _ => {}
        }),
    )
}

/// Costs on one connection, by statement text.
#[derive(Default)]
struct StatementCosts(HashMap<String, StatementCost>);

#[derive(Default)]
struct StatementCost {
    rows: i64,
    /// SQLite's counter after the last run.
    steps: i64,
}

impl StatementCosts {
    fn cost(&mut self, statement: &StmtRef<'_>) -> &mut StatementCost {
        self.0.entry(statement.sql().into_owned()).or_default()
    }
}

impl StatementCost {
    /// Rows and steps of the run that has just ended.
    fn take(&mut self, statement: &StmtRef<'_>) -> (i64, i64) {
        let now = i64::from(statement.get_status(StatementStatus::VmStep));
        // The counter of a statement that was evicted and prepared again starts at zero.
        let before = if now < self.steps { 0 } else { self.steps };
        self.steps = now;
        (std::mem::take(&mut self.rows), now - before)
    }
}

impl Cost {
    fn add(&mut self, rows: i64, steps: i64, statement: &StmtRef<'_>) {
        self.runs += 1;
        self.total += steps;
        let excess = steps - rows * STEPS_OF_A_ROW;
        if self.runs == 1 || excess > self.excess {
            let example = statement.expanded_sql().unwrap_or_default();
            *self = Self { runs: self.runs, excess, rows, steps, total: self.total, example };
        }
    }
}
