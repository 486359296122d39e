//! Documents whose file is lost: it is not on the disk, or it is not what was stored.
//!
//! Whoever finds one (a request for it, a backup) notes it; the administrators get an email, the file is not
//! served, and backups go on without it. It ends when the file is found right again, when the office puts
//! another copy in its place, or when the office writes it off (`mending`).

use jiff::Timestamp;
use rusqlite::Connection;

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
    /// What is wrong with a document's file.
    pub enum Fault {
        /// It is not on the disk.
        Missing = "missing",
        /// It is not what was stored.
        Changed = "changed",
        /// The office has given it up.
        WrittenOff = "written_off",
    }
}

/// The file of a document is not what its row says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{sha256} {}", match fault { Fault::Missing => "is missing", _ => "has changed" })]
pub struct LostFile {
    /// The recorded sum, by which the file is named.
    pub sha256: String,
    /// What is wrong.
    pub fault: Fault,
}

/// Notes lost files with every document that names them, and writes to the administrators about those that were
/// not known yet; returns their numbers.
///
/// # Errors
/// Of the database.
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

/// Notes what a backup found: the files that are lost; of all others, that they are in order.
///
/// # Errors
/// Of the database.
pub fn note_all(connection: &Connection, lost: &[LostFile], config: &Config, now: Timestamp) -> Result<()> {
    let sums = serde_json::json!(lost.iter().map(|file| &file.sha256).collect::<Vec<_>>()).to_string();
    let sql = "update student_documents set fault = null, fault_at = null
        where fault in ('missing', 'changed') and sha256 not in (select value from json_each(:sums))";
    connection.run(sql, params![sums])?;
    note(connection, lost, config, now).map(drop)
}

/// Documents that wait for the office to replace them or write them off.
///
/// # Errors
/// Of the database.
pub fn waiting(connection: &Connection) -> Result<Waits> {
    let sql =
        format!("select count(*) as count, min(fault_at) as oldest from student_documents where {LOST}");
    Waits::read(connection, &sql, [])
}

/// A condition: the file is lost, and the office has neither replaced it nor written it off.
pub(super) const LOST: &str = "fault in ('missing', 'changed')";

/// What is answered to a request for a document's file: words instead of a lost one, which is noted.
pub async fn refuse(app: &App, cause: anyhow::Error) -> Error {
    let Some(lost) = cause.downcast_ref::<LostFile>().cloned() else { return Error::Internal(cause) };
    tracing::error!("a document's file is lost: {lost}");
    let (config, now) = (app.config.clone(), app.clock.now());
    let noted = app.write_and_notify(move |connection| note(connection, &[lost], &config, now)).await;
    if let Err(error) = noted {
        tracing::error!("a lost file could not be noted: {error:?}");
    }
    Error::Conflict(NOT_SHOWN.into())
}

/// Said instead of a document whose file is lost.
const NOT_SHOWN: &str = "This document cannot be shown: its file on the school’s server is missing or damaged. The office \
    has been told. A student may upload it again.";
