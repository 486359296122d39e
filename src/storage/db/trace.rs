//! What each statement costs, counted by SQLite itself: for the test that no statement scans.
//!
//! Only in debug builds, and only on the connections to a database that a test asked to watch; nothing
//! of it is in a release.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::trace::{StmtRef, TraceEvent, TraceEventCodes};
use rusqlite::{Connection, StatementStatus};

/// What one statement has cost so far.
#[derive(Debug, Clone, Default)]
pub struct Cost {
    /// How often it ran.
    pub runs: u32,
    /// Steps of SQLite's virtual machine in its dearest run, less what its rows may cost.
    pub excess: i64,
    /// Rows that the dearest run returned.
    pub rows: i64,
    /// Steps of the dearest run.
    pub steps: i64,
    /// The statement of the dearest run, with its values in it.
    pub example: String,
}

/// Steps that a row may cost: its columns, its joins, its place in a sort.
pub const STEPS_OF_A_ROW: i64 = 150;

/// The statements of a database, by their text.
pub type Costs = Arc<Mutex<HashMap<String, Cost>>>;

static WATCHED: Mutex<Vec<(PathBuf, Costs)>> = Mutex::new(Vec::new());

/// Counts on every connection that is opened to a database from now on.
pub fn watch(database: &Path) -> Costs {
    let costs = Costs::default();
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner).push((database.to_owned(), costs.clone()));
    costs
}

/// Counts on this connection if somebody watches its database.
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

/// What one connection has seen, by the statement's text.
#[derive(Default)]
struct StatementCosts(HashMap<String, StatementCost>);

#[derive(Default)]
struct StatementCost {
    rows: i64,
    /// Where SQLite's own counter stood after the last run.
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
        // A statement that left the cache and was prepared again counts from nothing.
        let before = if now < self.steps { 0 } else { self.steps };
        self.steps = now;
        (std::mem::take(&mut self.rows), now - before)
    }
}

impl Cost {
    fn add(&mut self, rows: i64, steps: i64, statement: &StmtRef<'_>) {
        self.runs += 1;
        let excess = steps - rows * STEPS_OF_A_ROW;
        if self.runs == 1 || excess > self.excess {
            let example = statement.expanded_sql().unwrap_or_default();
            *self = Self { runs: self.runs, excess, rows, steps, example };
        }
    }
}
