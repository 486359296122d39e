//! Who of the office acts on an application, when, and by which rules.

use rusqlite::Connection;
use serde_json::Value;

use super::{AdmissionRequest, AdmissionsReading};
use crate::audit::{self};
use crate::base::error::{Error, Result};
use crate::staff::context::staff_context;

/// A conflict with the application as it is now, which the answer carries.
pub fn conflict(words: impl Into<String>, current: &AdmissionRequest) -> Error {
    Error::conflict(words, current)
}

staff_context! {
    /// The member of the staff, the time, and the rules.
    AdmissionDesk
}

impl AdmissionDesk {
    /// How it reads applications.
    pub fn reading(&self) -> AdmissionsReading {
        AdmissionsReading::at(&self.config, self.now)
    }

    /// Adds an audit row.
    pub fn audit(&self, connection: &Connection, action: &str, id: i64, detail: Value) -> Result<()> {
        audit::record(connection, &self.actor, action, "application", id, detail, self.now)
    }
}
