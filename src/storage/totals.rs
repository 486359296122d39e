//! How many rows a table has, in each state, without counting them: triggers keep the table `totals` in the
//! transaction of each change (migration V38, which names the tables), and rooms read it here.
//!
//! `operations/maintenance/totals.rs` compares it with what is there and corrects it; nothing else in Rust writes it.

use rusqlite::{Connection, named_params};

/// SQL for how many rows a table has.
pub fn of(table: &str) -> String {
    format!("select coalesce(sum(value), 0) from totals where topic = '{table}'")
}

/// SQL for how many of them are in the state `:status`.
pub fn in_state(table: &str) -> String {
    format!("select coalesce(sum(value), 0) from totals where topic = '{table}' and word = :status")
}

/// SQL for how many of them are in one of these states, each a word of a closed set.
pub fn in_states(table: &str, states: &[&str]) -> String {
    let words: Vec<_> = states.iter().map(|state| format!("'{state}'")).collect();
    let words = words.join(", ");
    format!("select coalesce(sum(value), 0) from totals where topic = '{table}' and word in ({words})")
}

/// How many rows of a table are in a state; of the ledger, what it adds up to.
///
/// # Errors
/// What SQLite says.
pub fn read(connection: &Connection, table: &str, state: &str) -> rusqlite::Result<i64> {
    connection
        .prepare_cached("select coalesce(sum(value), 0) from totals where topic = :topic and word = :word")?
        .query_row(named_params! { ":topic": table, ":word": state }, |row| row.get(0))
}
