//! Bulk requests: parsing of the ids, and independent processing of each row.

use rusqlite::Connection;

use super::form::Field;
use crate::base::error::{Error, Result};
use crate::storage::db;

/// Maximum rows per request.
pub const MAX: usize = 200;

/// The distinct ids of a request; `things` names them in the error message.
///
/// # Errors
/// A sentence for the field when there are none, or too many.
pub fn ids(field: &Field<Vec<i64>>, things: &str) -> Result<Vec<i64>, String> {
    ids_up_to(MAX, field, things)
}

/// The same with another limit.
///
/// # Errors
/// A sentence for the field when there are none, or too many.
pub fn ids_up_to(max: usize, field: &Field<Vec<i64>>, things: &str) -> Result<Vec<i64>, String> {
    match field {
        Field::Value(ids) if (1..=max).contains(&ids.len()) => {
            let mut once: Vec<i64> = Vec::with_capacity(ids.len());
            for id in ids {
                if !once.contains(id) {
                    once.push(*id);
                }
            }
            Ok(once)
        }
        _ => Err(format!("Choose 1 to {max} {things}")),
    }
}

/// Processes each in its own savepoint, so that a refusal of one does not affect the others.
///
/// # Errors
/// An internal error, which rolls all of them back.
pub fn each<T>(
    connection: &Connection,
    ids: &[i64],
    work: impl Fn(&Connection, i64) -> Result<T>,
) -> Result<Vec<(i64, Result<T, Error>)>> {
    let mut results = Vec::with_capacity(ids.len());
    for &id in ids {
        let result = db::in_savepoint(connection, |connection| work(connection, id));
        match result {
            Err(error) if error.status().is_server_error() => return Err(error),
            result => results.push((id, result)),
        }
    }
    Ok(results)
}
