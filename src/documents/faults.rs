//! Documents with lost files: missing from the disk or changed.
//!
//! A request or a backup that finds one records it; administrators get an email, the file is not served, and backups
//! continue without it. The fault ends when the file is intact again, or when the office replaces it or writes it off
//! (`mending`).

use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::Value;

use super::emails;
use crate::base::closed_set::closed_set;
use crate::base::error::{Error, Result};
use crate::config::Config;
use crate::mail::{self, Cause};
use crate::staff;
use crate::storage::statements::{Statements, params};
use crate::storage::waiting::Waits;
use crate::web::app::App;

closed_set! {
    /// Fault of a document's file.
    pub enum Fault {
        /// Missing from the disk.
        Missing = "missing",
        /// Different from what was stored.
        Changed = "changed",
        /// Written off by the office.
        WrittenOff = "written_off",
    }
}

/// A document's file does not match its row.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{sha256} {}", match fault { Fault::Missing => "is missing", _ => "has changed" })]
pub struct LostFile {
    /// The recorded SHA-256, which names the file.
    pub sha256: String,
    /// Kind of fault.
    pub fault: Fault,
}

/// Records lost files for all their documents, and emails administrators about new ones; returns their ids.
///
/// # Errors
/// Database errors.
pub fn note(connection: &Connection, lost: &[LostFile], config: &Config, now: Timestamp) -> Result<Vec<i64>> {
    let sql = "update student_documents set fault = :fault, fault_at = :now
        where sha256 = :sha256 and fault is null returning id";
    let mut found = Vec::new();
    for LostFile { sha256, fault } in lost {
        found.extend(connection.list::<i64>(sql, params![sha256, fault, now = now.as_second()])?);
    }
    if !found.is_empty() {
        for admin in staff::store::admin_emails(connection)? {
            let message = emails::files_lost(&admin, &found, config);
            mail::outbox::enqueue(connection, &message, Cause::Office, config, now)?;
        }
    }
    Ok(found)
}

/// Records the result of a backup: these files are lost, all others are intact.
///
/// # Errors
/// Database errors.
pub fn note_all(connection: &Connection, lost: &[LostFile], config: &Config, now: Timestamp) -> Result<()> {
    let sums = serde_json::json!(lost.iter().map(|file| &file.sha256).collect::<Vec<_>>()).to_string();
    let sql = "update student_documents set fault = null, fault_at = null
        where fault in ('missing', 'changed') and sha256 not in (select value from json_each(:sums))";
    connection.run(sql, params![sums])?;
    note(connection, lost, config, now).map(drop)
}

/// Counts documents to be replaced or written off by the office.
///
/// # Errors
/// Database errors.
pub fn waiting(connection: &Connection) -> Result<Waits> {
    let sql =
        format!("select count(*) as count, min(fault_at) as oldest from student_documents where {LOST}");
    Waits::read(connection, &sql, [])
}

/// Condition: the file is lost and neither replaced nor written off.
pub(super) const LOST: &str = "fault in ('missing', 'changed')";

/// The error for a document that cannot be read; records a lost file. `find` reads its row then.
pub async fn refuse(
    app: &App,
    cause: anyhow::Error,
    find: impl FnOnce(&Connection) -> Result<Value> + Send + 'static,
) -> Error {
    let Some(lost) = cause.downcast_ref::<LostFile>().cloned() else { return Error::Internal(cause) };
    tracing::error!("a document's file is lost: {lost}");
    let config = app.config.clone();
    let now = app.clock.now();
    let noted = app.write_and_notify(move |connection| note(connection, &[lost], &config, now)).await;
    if let Err(error) = noted {
        tracing::error!("a lost file could not be noted: {error:?}");
    }
    let current = app.db.query(find).await;
    current.map_or_else(|error| error, |current| Error::conflict(NOT_SHOWN, &current))
}

/// Message for a document with a lost file.
const NOT_SHOWN: &str = "This document cannot be shown: its file on the school’s server is missing or damaged. The office \
    has been told. A student may upload it again.";
